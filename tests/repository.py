"""The folder of the project and its files."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def project_files():
    """The files of the project: those of git, or all but made ones where it came as an archive."""
    git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if (ROOT / ".git").exists():
        listed = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]
    made = re.compile(r"(^|/)(\.(?!ci/|gitignore)|(__pycache__|[^/]+\.egg-info|venv|build|dist)/)")
    files = (path for path in ROOT.rglob("*") if path.is_file())
    return [path for path in files if not made.search(path.relative_to(ROOT).as_posix())]


def needs(*modules):
    """Skip a test where one of these is missing, as the quick requirements lack some.

    With REQUIRE_ALL=1 it runs and fails.
    """
    if os.environ.get("REQUIRE_ALL") != "1":
        for module in modules:
            pytest.importorskip(module)


def runs(source, **options):
    """Run a program of Python, which ends well; what it complained of."""
    program = [sys.executable, "-c", source]
    done = subprocess.run(program, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr
    return done.stderr


def texts():
    """Name and text of every file of the project that is text."""
    for path in project_files():
        try:
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
