"""The class report: thirty students with planted misconceptions, and files that are no reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcts_course import class_report, predict, write_report
from mcts_course.exercises import PROGRESS
from mcts_course.lessons import random_games
from mcts_course.predict import MADE
from mcts_course.teacher.report import ClassReport
from mcts_viz import MctsVizError

NAME = "random_games.games_needed"
WRONG, HINT = random_games.games_needed.misconceptions[0]
OTHER, OTHER_HINT = random_games.games_needed.misconceptions[1]


def begin_anew() -> None:
    """What a new kernel does."""
    PROGRESS.clear()
    MADE.clear()


def work(number: int) -> None:
    """Ten students have the first misconception, five the second, and five of the ten stay stuck.

    All predict 0.1 too low; student 29 does nothing at all.
    """
    if number == 29:
        return
    exercise = random_games.games_needed
    if number < 10:
        exercise.check(WRONG)
        exercise.check(WRONG)
    elif number < 15:
        exercise.check(OTHER)
    if number < 5:
        exercise.hint()
        exercise.check(...)
    else:
        exercise.check(exercise.right)
    predict("What share?", low=0, high=1, answer=0.52 + number / 1000).reveal(0.62)
    predict("Which?", choices=["a", "b"], answer="a" if number < 20 else "b").reveal("b")
    predict("How many?", entries=["x", "y"]).reveal([1, 2])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("class")
    for number in range(30):
        begin_anew()
        work(number)
        write_report(made / f"{number:02}.json", name="Ada" if number == 3 else "")
    begin_anew()
    return made


@pytest.fixture
def report(folder: Path) -> ClassReport:
    return class_report(folder)


def test_all_students_are_there(report: ClassReport) -> None:
    assert len(report.students) == 30
    assert report.unreadable == []
    assert report.exercises() == [NAME]
    assert len(report.work_on(NAME)) == 29


def test_who_is_stuck_is_named(report: ClassReport) -> None:
    assert sorted(report.stuck(NAME)) == ["00", "01", "02", "04", "Ada"]
    assert len(report.right(NAME)) == 24


def test_the_planted_misconceptions_are_counted_by_student(report: ClassReport) -> None:
    assert report.misconceptions(NAME) == [
        (f"✗ Not yet: {HINT}", 10),
        (f"✗ Not yet: {OTHER_HINT}", 5),
    ]


def test_predictions_are_compared_with_the_truth(report: ClassReport) -> None:
    by_question = {question: rest for question, *rest in report.predictions()}
    assert by_question == {
        "What share?": [29, 29, "0.534", "0.62"],
        "Which?": [29, 9, "a", "b"],
        "How many?": [0, 0, "–, –", "1, 2"],
    }


def test_the_report_is_a_page_of_tables(folder: Path, capsys: Any) -> None:
    class_report(folder)
    shown = capsys.readouterr().out
    assert shown.startswith("30 students.")
    assert f"| {NAME} | 29 | 24 | 5 | 00, 01, 02, Ada, 04 |" in shown
    assert f"| 10 | {NAME} | ✗ Not yet: {HINT}" in shown
    assert "| Which? | 29 | 9 | a | b |" in shown


def test_a_file_holds_no_answer_and_no_name(folder: Path) -> None:
    student = json.loads((folder / "00.json").read_text(encoding="utf-8"))
    assert student["name"] == ""
    kept = student["exercises"][NAME]
    assert kept["verdicts"] == ["misconception", "misconception", "open"]
    assert kept["hints"] == 1
    assert (folder / "00.json").stat().st_size < 2000


SOUND: dict[str, Any] = {
    "format": "mcts_course report 1",
    "name": "",
    "exercises": {"a": {"verdicts": ["right"], "misconceptions": []}},
    "predictions": {"b": {"question": "?", "guesses": [1], "measured": [2], "miss": 0.5}},
}
FAULTY = [
    SOUND | {"format": "other"},
    SOUND | {"name": 7},
    SOUND | {"exercises": []},
    SOUND | {"exercises": {"a": {"verdicts": "right", "misconceptions": []}}},
    SOUND | {"predictions": {"b": {"question": "?"}}},
    SOUND | {"predictions": {"b": SOUND["predictions"]["b"] | {"guesses": [[]]}}},
    [],
    7,
]


def test_a_sound_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps(SOUND))
    assert class_report(tmp_path).unreadable == []


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, *map(json.dumps, FAULTY)])
def test_a_file_that_is_no_report_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(text)
    assert class_report(tmp_path).unreadable == ["x.json"]


def test_two_students_of_one_name_are_two(tmp_path: Path) -> None:
    for file in ("a", "b"):
        write_report(tmp_path / f"{file}.json", name="Kim")
    assert list(class_report(tmp_path).students) == ["Kim", "b"]


def test_a_folder_without_reports_and_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(MctsVizError, match="There is no report"):
        class_report(tmp_path)
    with pytest.raises(MctsVizError, match="cannot be written"):
        write_report(tmp_path / "missing" / "me.json")
