"""Binder without docker: what repo2docker would build, and the same in an environment here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from pythons import copy_project, environment_of, python_of
from repository import ROOT, needs

pytestmark = pytest.mark.skipif(os.name != "posix", reason="repo2docker runs on Linux and macOS")

LESSON = "notebooks/03_four_phases.ipynb"
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


def exact() -> set[str]:
    return set((ROOT / "binder/constraints.txt").read_text(encoding="utf-8").splitlines())


@pytest.mark.slow
@pytest.mark.drives("Binder's plan", "lessons to the end")
def test_its_commands_make_an_environment_in_which_a_lesson_runs(
    repository: Path, dockerfile: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    python = python_of(WANTED) or sys.executable
    with capsys.disabled():
        print(f" [in {python}] ", end="", flush=True)
    environment = tmp_path / "environment"
    here = environment_of(python, environment, home=tmp_path)
    here["KERNEL_PYTHON_PREFIX"] = str(environment)
    for command in installs(dockerfile):
        subprocess.run(["bash", "-c", command], cwd=repository, env=here, check=True)
    listed = [environment / "bin" / "python", "-m", "pip", "list", "--format=freeze"]
    installed = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"^(?:jupyterlab|anywidget|graphviz)==.*$", installed, re.M)) <= exact()
    jupyter = environment / "bin" / "jupyter"
    done = subprocess.run(
        [jupyter, "execute", "--inplace", LESSON],
        cwd=repository,
        env=here,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    cells = nbformat.read(repository / LESSON, as_version=4).cells
    pictures = [
        output
        for cell in cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]
    assert pictures, "the player has left its picture"
