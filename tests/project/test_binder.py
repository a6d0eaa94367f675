"""Binder without docker: what repo2docker would build, and the same in an environment here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pythons import copy_project
from repository import ROOT, needs

pytestmark = pytest.mark.skipif(os.name != "posix", reason="repo2docker runs on Linux and macOS")

WANTED = (ROOT / "binder/runtime.txt").read_text().strip().removeprefix("python-")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project, as Binder clones it."""
    return copy_project(tmp_path_factory.mktemp("binder") / "mcts_viz")


@pytest.fixture(scope="module")
def dockerfile(repository: Path) -> str:
    needs("repo2docker")
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "."]
    done = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"python={WANTED}" in done.stderr, "the Python that it takes"
    return done.stdout


def installs(dockerfile: str) -> list[str]:
    """The commands that install what this repository asks for."""
    return re.findall(r"^RUN (\$\{KERNEL_PYTHON_PREFIX\}/bin/pip install .*)$", dockerfile, re.M)


def test_the_image_has_what_the_course_needs_in_the_right_order(dockerfile: str) -> None:
    base = re.findall(r"^FROM (\S+)", dockerfile, re.M)
    assert base, dockerfile[:300]
    assert all(re.search(r"buildpack-deps|ubuntu", image) for image in base)
    assert "apt-get -qq install" in dockerfile, "the base image's own packages"
    assert not (ROOT / "binder/apt.txt").exists(), "no system package is needed for a picture"
    copied = dockerfile.index("COPY --chown=0:0 src/ ${REPO_DIR}/")
    assert dockerfile.index("COPY --chown=0:0 src/binder/requirements.txt") < copied
    (install,) = installs(dockerfile)
    assert 'pip install --no-cache-dir -r "binder/requirements.txt"' in install
    assert dockerfile.index(install) > copied, "the package itself is there before pip looks for it"
