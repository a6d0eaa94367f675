"""The same everywhere: on every Python the package allows, the golden traces come out the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from golden_traces import RECIPES
from pythons import copy_project, environment_of, python_of

VERSIONS = ("3.14", "3.13", "3.12", "3.11")
OTHERS = [version for version in VERSIONS if version != "{}.{}".format(*sys.version_info)]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the programs of an environment differ")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_project(tmp_path_factory.mktemp("pythons") / "mcts_viz")


@pytest.mark.slow
@pytest.mark.parametrize("version", OTHERS)
def test_every_other_python_searches_the_same(
    version: str, repository: Path, tmp_path: Path
) -> None:
    python = python_of(version)
    if python is None:
        pytest.skip(f"This machine has no Python {version}: install it to compare.")
    here = environment_of(python, tmp_path / "environment", home=tmp_path)
    program = str(tmp_path / "environment" / "bin" / "python")
    for command in (
        [program, "-m", "pip", "install", "--quiet", str(repository)],
        [program, str(repository / "tests" / "golden_traces.py")],
    ):
        done = subprocess.run(
            command, cwd=tmp_path, env=here, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Python {version}.")
    assert done.stdout.strip().endswith(f": {len(RECIPES)} traces, changed: []")
