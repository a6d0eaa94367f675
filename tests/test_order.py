"""Cells out of order: each works after the set-up cell, or names the cell to be run first."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from test_notebooks import LESSONS, SOLUTIONS

from mcts_course import explain_missing_names
from mcts_course.order import cell_to_run_first

SENTENCE = re.compile(r"Run the cell that begins with `.+` first: it makes `\w+`\.")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each cell runs in a fork of the process")
@pytest.mark.parametrize(
    "path", [*LESSONS, *SOLUTIONS], ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_each_cell_works_or_names_the_cell_to_run_first(path: Path) -> None:
    program = Path(__file__).parent / "out_of_order.py"
    done = subprocess.run(
        [sys.executable, program, path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said
    assert {n: text for n, text in said.items() if text and not SENTENCE.fullmatch(text)} == {}


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    cells = ["import os", "# a comment\ntrace = 1", "def helper(): ...", "%magic", "x = trace"]
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(made, tmp_path / "lesson.ipynb")
    return tmp_path / "lesson.ipynb"


def test_the_first_cell_that_makes_a_name_is_found(notebook: Path) -> None:
    said = cell_to_run_first("trace", notebook)
    assert said == "Run the cell that begins with `trace = 1` first: it makes `trace`."
    assert "`def helper(): ...`" in (cell_to_run_first("helper", notebook) or "")
    assert "`import os`" in (cell_to_run_first("os", notebook) or "")
    assert cell_to_run_first("tracee", notebook) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"cells": 3}', '{"cells": [{"a": 1}]}'])
def test_a_notebook_that_cannot_be_read_names_no_cell(text: str, tmp_path: Path) -> None:
    (tmp_path / "lesson.ipynb").write_text(text)
    assert cell_to_run_first("trace", tmp_path / "lesson.ipynb") is None
    assert cell_to_run_first("trace", tmp_path) is None
    assert cell_to_run_first("trace", tmp_path / "missing") is None


def test_a_slip_of_one_s_own_is_shown_as_ever(
    notebook: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JPY_SESSION_NAME", str(notebook))
    shell = InteractiveShell()
    monkeypatch.setattr("mcts_course.order.get_ipython", lambda: shell)
    explain_missing_names()
    shown: list[str] = []
    monkeypatch.setattr(
        shell, "_showtraceback", lambda kind, error, lines: shown.append("\n".join(lines))
    )
    shell.run_cell("trace + 1")
    assert SENTENCE.fullmatch(shown.pop())
    shell.run_cell("def mine():\n    return trac\nmine()")
    assert "Traceback" in shown[-1]
    assert "trac" in shown.pop()
    shell.run_cell("1 / 0")
    assert "ZeroDivisionError" in shown.pop()
    assert shown == []
