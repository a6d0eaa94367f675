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


def compared(python: str, repository: Path, folder: Path) -> str:
    """Install the package for that Python alone, and let it search all golden traces again."""
    here = environment_of(python, folder / "environment", home=folder)
    program = str(folder / "environment" / "bin" / "python")
    for command in (
        [program, "-m", "pip", "install", "--quiet", str(repository)],
        [program, str(repository / "tests" / "golden_traces.py")],
    ):
        done = subprocess.run(
            command, cwd=folder, env=here, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def check(version: str, python: str, repository: Path, folder: Path) -> None:
    said = compared(python, repository, folder)
    assert said.startswith(f"Python {version}.")
    assert said.endswith(f": {len(RECIPES)} traces, changed: []")


def test_another_python_searches_the_same(repository: Path, tmp_path: Path) -> None:
    found = [(version, python) for version in OTHERS if (python := python_of(version))]
    if not found:
        pytest.skip(f"This machine has none of Python {', '.join(OTHERS)}: install one to compare.")
    check(*found[0], repository, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("version", OTHERS)
def test_every_other_python_searches_the_same(
    version: str, repository: Path, tmp_path: Path
) -> None:
    python = python_of(version)
    if python is None:
        pytest.skip(f"This machine has no Python {version}: install it to compare.")
    check(version, python, repository, tmp_path)
