"""Collecting work: a folder of plain notebooks to a table, and nbgrader's whole round."""

from __future__ import annotations

import csv
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from mcts_course import build
from mcts_course.lessons import random_games
from mcts_course.teacher import collect, grade

EXERCISE = random_games.games_needed
WRONG, HINT = EXERCISE.misconceptions[0]
NAME = "random_games.games_needed"


def hand_in(folder: Path, name: str, *sources: str) -> None:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / f"{name}.ipynb")


def table(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))[1:]


START, CHECK = "from mcts_course.lessons import random_games", f"{NAME}.check(mine)"


def test_a_folder_of_notebooks_is_graded(tmp_path: Path) -> None:
    hand_in(tmp_path, "bob", START, f"mine = {WRONG!r}", CHECK, "1 / 0")
    hand_in(tmp_path, "=fay", "'no exercise'")
    (tmp_path / "gus.ipynb").write_text("{")
    assert grade.grade(tmp_path) == 0
    assert table(tmp_path / "grades.csv") == [
        ["'=fay.ipynb", "", "0", "no exercise in it", ""],
        ["bob.ipynb", NAME, "0", "misconception", f"✗ Not yet: {HINT}"],
        ["gus.ipynb", "", "0", "unreadable: NotJSONError", ""],
    ]


@pytest.mark.slow
def test_whatever_is_handed_in_is_graded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grade, "SECONDS", 20)
    hand_in(tmp_path, "ada", START, f"mine = {EXERCISE.right}", CHECK)
    hand_in(tmp_path, "cy", START, f"{NAME}.check(...)")
    hand_in(tmp_path, "dan", "1 / 0", CHECK)
    hand_in(tmp_path, "eve", START, "while True: pass", CHECK)
    assert grade.grade(tmp_path) == 0
    assert table(tmp_path / "grades.csv") == [
        ["ada.ipynb", NAME, "1", "right", ""],
        ["cy.ipynb", NAME, "0", "open", ""],
        ["dan.ipynb", NAME, "0", "not reached", ""],
        ["eve.ipynb", "", "0", "stopped: CellTimeoutError", ""],
    ]


def test_an_empty_folder_is_an_error(tmp_path: Path, capsys: Any) -> None:
    assert grade.grade(tmp_path) == 2
    assert "There is no notebook" in capsys.readouterr().err


@pytest.mark.parametrize("source", build.sources(), ids=lambda path: path.stem)
def test_every_lesson_becomes_an_assignment(source: Path) -> None:
    """Each exercise is an answer with its solution, and a test of one point follows it."""
    made = collect.assignment(source)
    nbformat.validate(made)
    graded = [cell for cell in made.cells if "nbgrader" in cell.metadata]
    answers, tests = graded[::2], graded[1::2]
    assert len(answers) == len(tests) > 0
    for answer, tested in zip(answers, tests, strict=True):
        name = collect.CHECK.findall(answer.source)[-1]
        assert answer.metadata.nbgrader.solution
        assert answer.source.count("### BEGIN SOLUTION") == 1
        assert tested.metadata.nbgrader.points == 1
        assert f"{name}.judge(" in tested.source
        assert "assert" not in answer.source


def test_a_lesson_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    assert collect.nbgrader_source(["98"], tmp_path) == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_nbgrader_s_whole_round(tmp_path: Path) -> None:
    """Two lessons, two students: released, autograded and exported; one has solved everything."""

    def nbgrader(*command: str) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *command],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr

    names = {"00": "can_you_beat_it", "05": "four_phases"}
    assert collect.nbgrader_source(list(names), tmp_path) == 0
    for name in names.values():
        nbgrader("generate_assignment", name, "--create")
        released = next((tmp_path / "release" / name).glob("*.ipynb"))
        assert "BEGIN SOLUTION" not in released.read_text(encoding="utf-8")
        for student, handed_in in {
            "ada": next((tmp_path / "source" / name).glob("*.ipynb")),
            "bob": released,
        }.items():
            folder = tmp_path / "submitted" / student / name
            folder.mkdir(parents=True)
            shutil.copy(handed_in, folder / released.name)
        nbgrader("autograde", name, "--create")
    nbgrader("export")
    with (tmp_path / "grades.csv").open(encoding="utf-8", newline="") as file:
        grades = {(row["student_id"], row["assignment"]): row for row in csv.DictReader(file)}
    assert {key: float(row["score"]) / float(row["max_score"]) for key, row in grades.items()} == {
        ("ada", "can_you_beat_it"): 1,
        ("ada", "four_phases"): 1,
        ("bob", "can_you_beat_it"): 0,
        ("bob", "four_phases"): 0,
    }
