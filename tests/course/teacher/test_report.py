"""The class report: what is saved and read back, and files that are no reports."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest
from made_up_class import begin_anew, report_of
from refusals import refused

from mcts_course import BeTheSearch, class_report, hand_in, predict, write_report
from mcts_course.lessons import random_games
from mcts_course.teacher import __main__ as teacher
from mcts_course.teacher import grade
from mcts_course.teacher import report as room
from mcts_course.work import progress
from mcts_viz import TicTacToe

NAME = "random_games.games_needed"
EXERCISE = random_games.games_needed
WRONG, HINT = EXERCISE.misconceptions[0]


SOUND = report_of()
WORK = {"verdicts": ["right"], "misconceptions": [], "hints": 0}
GUESS = {"guess": "x", "measured": "y"}


def put(folder, file, **parts):
    """Write a student's file with these parts."""
    (folder / f"{file}.json").write_text(json.dumps(SOUND | parts), encoding="utf-8-sig")


@pytest.mark.parametrize(
    "text",
    ["", "{", "[" * 100_000, "[]", "7"]
    + [json.dumps(SOUND | odd) for odd in ({"format": "x"}, {"name": 7}, {"exercises": []})],
)
def test_a_file_that_is_no_report_is_named(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    put(tmp_path, "y", exercises={NAME: WORK})
    assert class_report(tmp_path).unreadable == ["x.json"]


CHOICE = {"iteration": 1, "attempt": 1, "sums": True, "seconds": 2.5}
CHOICE |= {"phase": "select", "card": "a", "choice": "b", "mistake": "highest_mean"}
SERIES = {"token": 1, "answers": [[9, True]]}


def by_hand(**change):
    return {"iterations": 1, "events": [CHOICE | change]}


SPOILT = {
    "exercises": (
        WORK,
        [WORK | {"hints": number} for number in (10**4299, -1, 3, 1e308, "1", None, [])]
        + [WORK | {"verdicts": told} for told in (["right"] * 51, ["great"], [7], [[]], "right")]
        + [WORK | {"misconceptions": told} for told in (["x"] * 51, ["x" * 1001], [None], "x")]
        + [{"verdicts": ["right"], "misconceptions": []}, {}, [], None, "right", 7],
    ),
    "predictions": (GUESS, [{"guess": "x"}, GUESS | {"guess": []}, GUESS | {"measured": 10**400}]),
    "hands": (
        by_hand(),
        [
            by_hand(**{name: number})
            for name in ("iteration", "attempt", "seconds")
            for number in (10**4299, -1)
        ]
        + [by_hand(seconds=float("nan")), by_hand(mistake=7)]
        + [by_hand(card="x" * 1001), by_hand(more=1)],
    ),
    "again": (
        SERIES,
        [SERIES | {"token": number} for number in (10**4000, "x")]
        + [
            SERIES | {"answers": said}
            for said in ([[1, True]] * 51, [[10**400, True]], [[1, "yes"]], [1])
        ]
        + [[]],
    ),
}
"""By kind: an entry, and what no notebook would have written in its place."""


@pytest.mark.parametrize("kind", SPOILT)
def test_an_entry_that_no_notebook_would_have_written_is_left_out_alone(kind):
    sound, spoilt = SPOILT[kind]
    for odd in (*spoilt, sound):
        told = SOUND | {kind: {"perfect_play": sound, "four_phases": odd}}
        read = progress.parse_report(json.dumps(told).encode())
        is_odd = odd is not sound
        assert read["left_out"] == is_odd, odd
        assert len(read[kind]) == 2 - is_odd
        assert read[kind]["perfect_play"] == sound


def test_no_entry_of_a_file_ends_a_table_or_takes_the_others_along(tmp_path):
    """What is beside it is counted, like everybody else, and the file is named."""
    made = {"lesson.x": WORK, "lesson.y": WORK | {"hints": 10**4299}, "k" * 1001: WORK}
    put(tmp_path, "eve", exercises=made)
    put(tmp_path, "ann", exercises={"lesson.y": WORK})
    report = class_report(tmp_path)
    assert report.unreadable == ["eve.json"]
    assert "eve.json" in repr(report)
    table = report.overview("")
    assert table.heads == ("student", "lesson.y", "lesson.x")
    rows = [("ann", "✓ 1", "–"), ("eve", "–", "✓ 1"), ("right", "1 of 2", "1 of 2")]
    assert table.rows == rows


def test_of_a_file_with_thousands_of_exercises_the_first_are_read(tmp_path):
    made = {f"lesson.{number}": WORK for number in range(2500)}
    asked = {f"{number}?": GUESS for number in range(100)}
    put(tmp_path, "eve", exercises=made, predictions=asked)
    report = class_report(tmp_path)
    [student] = report.people
    assert len(student.exercises) == progress.ENTRIES
    assert len(report.overview("").heads) == room.COLUMNS + 1
    assert len(report.predictions().rows) == room.COLUMNS
    assert report.unreadable == ["eve.json"]


def test_report_and_grade_go_by_the_last_verdict(tmp_path):
    """Random histories: a point in the grade is a right exercise in the report, and no other is."""
    chance = random.Random(1)
    done = {
        f"lesson.{number:03}": WORK
        | {"verdicts": chance.choices(progress.VERDICTS, k=chance.randint(1, 6))}
        for number in range(progress.ENTRIES)
    }
    put(tmp_path, "x", exercises=done)
    [person] = class_report(tmp_path).people
    assert len(done) == progress.ENTRIES
    for name, work in done.items():
        _, _, points, verdict, told, _ = grade._row("x", name, work, "")
        assert points == (work["verdicts"][-1] == "right") == (verdict == "right")
        assert points == (room.cell_of(person.work(name))[0] == "✓")
        assert told == "", "a misconception without its text"


def test_of_many_guesses_the_most_frequent_are_counted(tmp_path):
    for number in range(30):
        made = {"How large?": {"guess": str(number // 2), "measured": "7"}}
        put(tmp_path, number, predictions=made)
    [(question, guesses, true, which, answer)] = class_report(tmp_path).predictions().rows
    assert (question, guesses, true, answer) == ("How large?", 30, 2, "7")
    assert len(which.split(", ")) == room.GUESSES


@pytest.mark.parametrize(
    ("files", "true", "answer"),
    [
        ([(None, "fake"), ("7", "7")], 1, "–"),
        ([("7", "7"), ("5", "5"), ("6", "7")], 1, "7"),
        ([("7", None), ("7", "7")], 2, "7"),
        ([("7", "7"), ("7", "5"), ("5", "5"), ("5", "7")], 2, "–"),
    ],
)
def test_one_file_does_not_decide_what_the_answer_of_a_question_is(tmp_path, files, true, answer):
    for number, (guess, measured) in enumerate(files):
        made = {"How large?": {"guess": guess, "measured": measured}}
        put(tmp_path, number, predictions=made)
    [row] = class_report(tmp_path).predictions().rows
    assert (row[2], row[4]) == (true, answer)


def test_a_report_is_written_whole_or_not_at_all(tmp_path, monkeypatch):
    write_report(tmp_path / "me.json", name="half \ud800")
    assert class_report(tmp_path).people[0].name == "half \ud800"

    monkeypatch.setattr(Path, "write_bytes", full)
    for path in (tmp_path / "me.json", "a\0b"):
        assert "cannot be written" in refused(write_report, path, name="other")
    assert class_report(tmp_path).people[0].name == "half \ud800"
    assert [path.name for path in tmp_path.iterdir()] == ["me.json"]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Ada", "Ada_four_phases.json"),
        (17, "17_four_phases.json"),
        ("Ada  Lovelace", "Ada_Lovelace_four_phases.json"),
        ("../../etc/x", "etc_x_four_phases.json"),
        ("Ünal 😀 Ö", "Ünal_Ö_four_phases.json"),
        ("a" * 500, "a" * 60 + "_four_phases.json"),
        ("", ""),
        (..., ""),
        ("///", ""),
        ("\ud800", ""),
    ],
)
def test_a_lesson_is_handed_in_under_a_name(name, file, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    EXERCISE.check(WRONG)
    hand_in("four_phases", name=name)
    assert [path.name for path in tmp_path.iterdir()] == ([file] if file else [])
    said = " ".join(capsys.readouterr().out.split())
    assert (f"Written: {file}," if file else "○ Open: put your name") in said
    if file:
        [student] = class_report(tmp_path).people
        told = [f"✗ Not yet: {HINT}"]
        done = {"verdicts": ["misconception"], "misconceptions": told, "hints": 0}
        assert student.exercises == {NAME: done}, "no answer is in it"


def test_work_outlives_the_kernel(tmp_path, monkeypatch):
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "lesson.ipynb"))
    EXERCISE.check(WRONG)
    EXERCISE.hint()
    predict("What share?", choices=["half", "most"], answer="half").reveal("half")
    begin_anew()  # the kernel is restarted, and the cells of the questions are run again
    again = predict("What share?", choices=["half", "most"])
    assert (again.value, again.measured) == ("half", "half")
    assert predict("Another question?", choices=["a", "b"]).value is None
    assert EXERCISE.progress["hints"] == 1
    EXERCISE.check(EXERCISE.right)
    [file] = tmp_path.iterdir()
    assert file.name == ".lesson.progress.json"
    [student] = class_report(tmp_path).people
    assert student.exercises[NAME]["verdicts"][-1] == "right"


SAVE = """
import sys
from mcts_course.work.progress import keep
for number in range(60):
    record = {"verdicts": ["right"], "misconceptions": [], "hints": 0}
    keep("exercises", f"{sys.argv[1]}.{number}", record)
"""


def test_two_kernels_of_one_notebook_keep_the_work_of_both(tmp_path):
    env = {**os.environ, "JPY_SESSION_NAME": str(tmp_path / "work.ipynb")}
    kernels = [subprocess.Popen([sys.executable, "-c", SAVE, name], env=env) for name in "ab"]
    assert [kernel.wait() for kernel in kernels] == [0, 0]
    [file] = tmp_path.iterdir()  # neither a lock nor half a file is left
    kept = progress.read_report(file)["exercises"]
    assert kept.keys() == {f"{name}.{number}" for name in "ab" for number in range(60)}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The file in which this notebook's work is saved, not what mistakes by hand cost."""
    monkeypatch.setattr("mcts_course.by_hand.deal._costs", lambda *_: {})  # seven long searches
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "work.ipynb"))
    return tmp_path / ".work.progress.json"


def test_what_another_kernel_has_saved_is_known_here(place):
    EXERCISE.check(WRONG)
    saved = json.loads(place.read_text())
    saved["exercises"][NAME]["verdicts"] += ["error"]
    place.write_text(json.dumps(saved))
    EXERCISE.check(EXERCISE.right)
    kept = progress.read_report(place)["exercises"][NAME]["verdicts"]
    assert kept == EXERCISE.progress["verdicts"] == ["misconception", "error", "right"]


@pytest.mark.parametrize("lock", [Path.touch, Path.mkdir])
def test_the_lock_of_a_killed_kernel_holds_no_work_back(place, monkeypatch, lock):
    lock(place.with_name(f"{place.name}.lock"))
    monkeypatch.setattr(progress, "PATIENCE", 0.01)
    EXERCISE.check(EXERCISE.right)
    assert progress.read_report(place)["exercises"][NAME]["verdicts"] == ["right"]


def spoilt(text):
    """A student's file after an update, a merge or half a synchronisation."""
    report = json.loads(text)
    odd = {name: json.dumps(report | part).encode() for name, part in ODD.items()}
    return odd | {
        "half": text[:-30].encode(),
        "UTF-16": text.encode("utf-16"),
        "merged": f"<<<<<<< HEAD\n{text}".encode(),
        "too long": b" " * progress.LARGEST + text.encode(),
    }


ODD = {
    "an older format": {"format": "mcts_course report 2"},
    "a newer format": {"format": "mcts_course report 4"},
    "no name": {"name": None},
    "an odd entry": {"predictions": {"a": {"guess": 7, "measured": None}}},
}


@pytest.mark.parametrize("kind", [*ODD, "half", "UTF-16", "merged", "too long"])
def test_a_file_that_cannot_be_read_in_full_is_put_aside_and_not_written_over(place, kind, capsys):
    EXERCISE.check(WRONG)
    bad = spoilt(place.read_text())[kind]
    for number in (1, 2):  # what was put aside before stays, too
        place.write_bytes(bad)
        begin_anew()
        capsys.readouterr()
        EXERCISE.check(EXERCISE.right)
        EXERCISE.check(EXERCISE.right)
        copy = place.with_name(f"{place.name}.{number}.bak")
        assert copy.read_bytes() == bad
        said = " ".join(capsys.readouterr().out.split())
        assert said.count(f"could not be read in full. The file is now named {copy.name}") == 1
    kept = progress.read_report(place)["exercises"][NAME]["verdicts"]
    assert kept == ["misconception"] * (kind == "an odd entry") + ["right", "right"]
    assert len([*place.parent.iterdir()]) == 3, "the file, and two that were put aside"


def test_a_long_record_of_this_kernel_is_not_put_aside(place):
    for number in range(progress.ENTRIES + 2):
        progress.keep("exercises", f"x.{number}", WORK)
    assert [*place.parent.iterdir()] == [place]


def test_a_link_in_the_place_of_the_file_leads_nowhere(place):
    """Else a student's folder would overwrite a file of the teacher who opens it."""
    mine = place.with_name("mine.json")
    mine.write_text(json.dumps(SOUND))
    place.symlink_to(mine)
    EXERCISE.check(EXERCISE.right)
    assert json.loads(mine.read_text()) == SOUND
    assert EXERCISE.progress["verdicts"] == ["right"], "this kernel knows it all the same"
    assert "a" not in progress.record()["exercises"]
    assert "it is a link" in refused(write_report, place)


def full(path, data):
    """Write as far as the disk has room."""
    path.open("wb").write(data[:5])
    raise OSError(28, "No space left on device")


def test_what_is_not_saved_is_said_each_time_until_it_is(place, monkeypatch, capsys):
    """One line in the cell, with the reason; a field says it where the guess is noted."""
    hands, guess = BeTheSearch(TicTacToe()), predict("Which?", choices=["a", "b"])
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        for act in (lambda: EXERCISE.check(WRONG), EXERCISE.hint):
            capsys.readouterr()
            act()
            said = " ".join(capsys.readouterr().out.split())
            assert said.count("Not saved.") == 1
            assert "(No space left on device)" in said
        guess.answer = "a"
        hands.events = [CHOICE]
        for told in (guess.unsaved, hands.error):
            assert told.startswith("Not saved.")
    hands.events = [CHOICE, CHOICE]
    guess.answer = "b"
    assert guess.unsaved == hands.error == ""
    kept = progress.read_report(place)
    assert kept["exercises"][NAME]["verdicts"] == ["misconception"]
    assert kept["exercises"][NAME]["hints"] == 1
    assert len(kept["hands"]["Tic-tac-toe: ...\n...\n..."]["events"]) == 2


def test_where_no_folder_is_an_answer_is_judged_all_the_same(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "gone" / "lesson.ipynb"))
    EXERCISE.check(EXERCISE.right)
    said = capsys.readouterr().out
    assert said.startswith("✓ Right")
    assert "Not saved." in said


def test_iterations_by_hand_outlive_the_kernel(place):
    """The walks come back, and a new choice overwrites nothing, as in restart_by_hand."""
    first = BeTheSearch(TicTacToe())
    first.play_on()
    first.events = [CHOICE] * 80
    numbers = [(child.action, child.visits) for child in first.search.root.children]
    begin_anew()
    again = BeTheSearch(TicTacToe())
    assert repr(again).startswith("Be the search: 12 of 12 iterations are done.")
    assert [(child.action, child.visits) for child in again.search.root.children] == numbers
    assert again.events == first.events
    again.events = [CHOICE]
    [done] = progress.read_report(place)["hands"].values()
    assert (done["iterations"], len(done["events"]), done["walks"]) == (12, 80, first.walks)
    other = BeTheSearch(TicTacToe(), seed=5)  # other playouts: its walks are others
    assert (other.search.iterations, len(other.events)) == (0, 80)


@pytest.mark.parametrize("walks", [[[0, 99]], [[]], [[0, 1, 2, 3]], [[8]] * 400])
def test_walks_that_uct_would_not_take_are_left_out(place, walks):
    BeTheSearch(TicTacToe()).events = [CHOICE]
    said = json.loads(place.read_text())
    [done] = said["hands"].values()
    done["walks"] = walks
    place.write_text(json.dumps(said))
    begin_anew()
    again = BeTheSearch(TicTacToe())
    assert (again.search.iterations, again.error) == (0, "")
    again.play_on()
    assert again.done


LESS = {
    "exercises": (WORK | {"verdicts": ["wrong", "right"]}, WORK | {"verdicts": ["wrong"]}),
    "predictions": ({"guess": "a", "measured": None}, {"guess": None, "measured": None}),
    "hands": ({"iterations": 12, "events": [CHOICE] * 9}, {"iterations": 0, "events": [CHOICE]}),
    "again": (SERIES, {"token": 2, "answers": []}),
}


@pytest.mark.parametrize("kind", progress.KINDS)
def test_of_all_that_is_saved_what_goes_on_further_stays(place, kind):
    more, less = LESS[kind]
    progress.keep(kind, "x", more)
    begin_anew()
    progress.keep(kind, "x", less)
    assert progress.read_report(place)[kind]["x"] == progress.record()[kind]["x"] == more
    progress.keep(kind, "x", dict(more))
    assert progress.read_report(place)[kind]["x"] == more


def test_who_handed_in_nothing_that_is_done_is_named(tmp_path):
    for name, done in (("Ada", {NAME: WORK}), ("Bo", {}), ("Cy", {})):
        put(tmp_path, name, name=name, exercises=done)
    parts = class_report(tmp_path).parts()
    assert parts[0] == "3 students have handed in."
    assert "Handed in, with nothing done in it: Bo, Cy." in parts


@pytest.mark.parametrize(
    ("files", "told"),
    [
        (["Ali", "Ali (1)"], "Ali (1).json, Ali.json"),
        (["Ali_03", "Ali_04"], ""),
        (["Ali-1", "Ali", "Eve"], "Ali-1.json, Ali.json"),
    ],
)
def test_files_that_count_as_one_student_by_their_names_are_said_to(tmp_path, files, told):
    for number, file in enumerate(files):
        put(tmp_path, file, exercises={f"lesson.{number}": WORK})
    said = " ".join(part for part in class_report(tmp_path).parts() if isinstance(part, str))
    wanted = f"These files count as one student, Ali, by their names: {told}. They may be of two."
    assert (wanted in said) == bool(told)
    assert ("count as one student" in said) == bool(told)


def test_a_zip_of_thousands_of_reports_is_no_class(tmp_path):
    with ZipFile(tmp_path / "many.zip", "w") as archive:
        for number in range(3000):
            report = SOUND | {"name": f"n{number}", "exercises": {NAME: WORK}}
            archive.writestr(f"n{number}.json", json.dumps(report))
    report = class_report(tmp_path)
    assert len(report.people) == room.PEOPLE == 1000
    said = report.parts()[1]
    assert said.startswith("2,000 more reports are of no one among the first 1,000 students")


def a_folder(path):
    path.mkdir()
    (path / "x").touch()


@pytest.mark.parametrize("name", ["report.html", "grades.csv", "moodle.csv", "canvas.csv"])
def test_where_a_table_cannot_be_replaced_it_is_written_beside(tmp_path, capsys, name, monkeypatch):
    put(tmp_path, "Ada", exercises={NAME: WORK})
    a_folder(tmp_path / name)
    monkeypatch.setattr(grade, "_run", lambda _: ({NAME: WORK}, ""))
    nbformat.write(nbformat.v4.new_notebook(), tmp_path / "Ada.ipynb")
    command = "report" if name == "report.html" else "grade"
    more = ["--by", "student"] if command == "grade" else []
    monkeypatch.setattr(sys, "argv", ["teacher", command, str(tmp_path), *more])
    assert teacher.main() == 0
    stem, suffix = name.split(".")
    beside = tmp_path / f"{stem}_2.{suffix}"
    assert beside.stat().st_size > 20
    assert f"{tmp_path / name} cannot be replaced (" in capsys.readouterr().out


def test_a_folder_without_reports_and_a_file_that_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "There is no report" in refused(class_report, tmp_path)
    for folder in ("gone", "a\0b"):
        said = refused(class_report, folder)
        assert said.startswith(f"{folder!r} is not a folder or a zip")
    assert "cannot be written" in refused(write_report, tmp_path / "missing" / "me.json")
