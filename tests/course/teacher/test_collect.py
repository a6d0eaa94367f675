"""Collecting work: a folder of plain notebooks to a table, and nbgrader's whole round."""

import ast
import csv
import json
import re
from collections import Counter
from contextlib import contextmanager
from copy import deepcopy
from functools import partial

import nbformat
import pytest
from graders import run_nbgrader
from made_up_class import report_of
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError

from mcts_course import build
from mcts_course.lessons import ORDER, number_of, random_games, stem_of
from mcts_course.teacher import collect, grade
from mcts_course.teacher.report import NOTHING, exercises_of
from mcts_viz import MctsVizError

EXERCISE = random_games.games_needed
WRONG, HINT = EXERCISE.misconceptions[0]
NAME = "random_games.games_needed"


def hand_in(folder, name, *sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / f"{name}.ipynb")


def table(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))[1:]


TWO = "from mcts_course.lessons import four_phases, what_uct_weighs"
START, CHECK = "from mcts_course.lessons import random_games", f"{NAME}.check(mine)"


@pytest.mark.long
def test_a_folder_of_notebooks_is_graded(tmp_path, capsys):
    """The verdicts are those of the kernel, whatever the calls look like."""
    right = f"{NAME}.check({EXERCISE.right})"
    wrong = f"{NAME}.check({WRONG!r})"
    loop = f"for x in [{WRONG!r}, {EXERCISE.right}]:\n    {NAME}.check(x)"
    function = (
        f"def hand_in():\n    return {NAME}.check(\n        {EXERCISE.right}\n    )\nhand_in()"
    )
    renamed = (
        f"from mcts_course.lessons.random_games import games_needed as g\ng.check({EXERCISE.right})"
    )
    hand_in(tmp_path, "ada", START, loop, "1 / 0")
    hidden = "import builtins\nbuiltins.globals = 1"
    hand_in(tmp_path, "bob", START, f"{right}  # done!", f"mine = {WRONG!r}", CHECK, hidden)
    hand_in(tmp_path, "=fay", "'no exercise'")
    for name, call in zip("cd", (function, renamed), strict=True):  # the last one counts
        hand_in(tmp_path, name, START, wrong, call, "del random_games")
    (tmp_path / "gus.ipynb").write_text("{")
    nested = tmp_path / "submitted" / "hal" / "random_games"  # as nbgrader has them
    (nested / ".ipynb_checkpoints").mkdir(parents=True)
    hand_in(nested, "03", START, CHECK)
    hand_in(nested / ".ipynb_checkpoints", "03", START, right)
    assert grade.grade(tmp_path) == 0
    rows = table(tmp_path / "grades.csv")
    others = [row for row in rows if row[1] not in ("", NAME)]
    assert {row[3] for row in others} == {"not reached"}
    assert [row[:6] for row in rows if row not in others] == [
        ["'=fay.ipynb", "", "0", "no exercise in it", "", ""],
        ["ada.ipynb", NAME, "1", "right", "", ""],
        ["bob.ipynb", NAME, "0", "misconception", f"✗ Not yet: {HINT}", ""],
        *([f"{name}.ipynb", NAME, "1", "right", "", ""] for name in "cd"),
        ["gus.ipynb", "", "0", "no exercise in it", "", "unreadable: NotJSONError"],
        ["submitted/hal/random_games/03.ipynb", NAME, "0", "not reached", "", ""],
    ]
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 8
    assert told[1].startswith("'ada.ipynb': 1 of ")


@pytest.mark.long
def test_what_was_right_before_an_endless_cell_stays(tmp_path, monkeypatch):
    class Brief(NotebookClient):
        """Impatient with endless cells alone: a busy machine needs its time for the others."""

        def execute_cell(self, cell, index):
            if "while True" in cell.source:
                assert self.timeout == grade.SECONDS
                self.timeout = 1
            return super().execute_cell(cell, index)

    monkeypatch.setattr(grade, "NotebookClient", Brief)
    monkeypatch.setattr(grade, "GRACE", 6)
    right = f"{NAME}.check({EXERCISE.right})"
    deaf = "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)"
    stubborn = f"{deaf}\nwhile True: time.sleep(1)"  # as endless, and no core is busy with it
    hand_in(tmp_path, "ada", START, "while True: print('x' * 10_000)", right)
    hand_in(tmp_path, "bob", START, right, stubborn, f"{NAME}.check({WRONG!r})")
    hand_in(tmp_path, "cy", START, right, "import os; os._exit(1)")
    assert grade.grade(tmp_path) == 0
    assert [row[:3] + row[5:6] for row in table(tmp_path / "grades.csv") if row[1] == NAME] == [
        ["ada.ipynb", NAME, "1", "code cell 2 did not end"],
        ["bob.ipynb", NAME, "1", "code cell 3 did not end, or ended the kernel"],
        ["cy.ipynb", NAME, "1", "code cell 3 did not end, or ended the kernel"],
    ]
    named = Counter(row[0] for row in table(tmp_path / "grades.csv"))
    assert set(named.values()) == {len(random_games.SAID)}  # also those that were not reached


@pytest.mark.long
def test_a_notebook_has_a_budget_of_its_own(tmp_path, monkeypatch):
    """Many cells, each just within its limit, would keep a class waiting."""
    monkeypatch.setattr(grade, "BUDGET", 4)
    right = f"{NAME}.check({EXERCISE.right})"
    hand_in(tmp_path, "ada", START, right, *["import time; time.sleep(1)"] * 40)
    assert grade.grade(tmp_path) == 0
    [row] = [row for row in table(tmp_path / "grades.csv") if row[1] == NAME]
    assert row[2] == "1"
    assert re.fullmatch(
        r"(code cell \d+ did not end; )?stopped before code cell \d+, after 4 seconds|"
        r"code cell \d+ did not end, or ended the kernel",  # where an interrupt cut a message
        row[5],
    )


def cell(source):
    return nbformat.v4.new_code_cell(source)


@pytest.mark.parametrize(
    ("sources", "topics"),
    [
        ([START, "# my reasoning: follow the hints, then the game_tree upwards"], {"random_games"}),
        ([START, "hints = 'hints'\nmy_game = game_tree = hints"], {"random_games"}),
        (["%matplotlib inline\n!ls\n" + START], {"random_games"}),
        (["def (", "from mcts_course.lessons.hints import *"], {"hints"}),
        (["import mcts_course.lessons.hints as h", "((((" * 5000], {"hints"}),
        (["print('from mcts_course.lessons import hints')"], set()),
        ([TWO, "four_phases.my_tree()", "what_uct_weighs.read_c.check(1)"], {"what_uct_weighs"}),
        ([TWO, "four_phases.my_tree()"], {"what_uct_weighs"}),
        ([TWO, "four_phases.next_move.check(3)"], {"four_phases"}),
        (
            [TWO, "what_uct_weighs.read_c.hint()\nfour_phases.next_move.check(3)"],
            {"four_phases", "what_uct_weighs"},
        ),
        (
            [f"{TWO.replace('four_phases', 'four_phases as f')}\nf.next_move.check(3)"],
            {"four_phases"},
        ),
        (
            [
                TWO,
                "import mcts_course.lessons.hints\nmcts_course.lessons.hints.write_puct.check(1)",
            ],
            {"hints"},
        ),
        ([TWO, "from mcts_course.lessons.four_phases import next_move as n"], {"four_phases"}),
        ([TWO, "from mcts_course.lessons.four_phases import *"], {"four_phases"}),
    ],
)
def test_the_exercises_of_a_notebook_are_those_of_the_lessons_that_it_imports(sources, topics):
    """And no comment, text or name of the student's adds to them."""
    assert {name.split(".")[0] for name in grade._named_in(map(cell, sources))} == topics


@pytest.mark.parametrize("folder", [build.NOTEBOOKS, build.SOLUTIONS], ids=lambda place: place.name)
@pytest.mark.parametrize("topic", ORDER)
def test_a_lesson_asks_its_own_exercises_and_no_others(topic, folder):
    """Else who hands in one that takes a tree from another gets 0 there."""
    cells = nbformat.read(folder / f"{stem_of(topic)}.ipynb", as_version=4).cells
    found = grade._named_in([cell for cell in cells if cell.cell_type == "code"])
    assert found == exercises_of(topic)


def test_a_byte_order_mark_is_read(tmp_path):
    hand_in(tmp_path, "ada", "'no exercise'")
    place = tmp_path / "ada.ipynb"
    place.write_text(place.read_text("utf-8"), encoding="utf-8-sig")
    [row] = grade.graded(place.read_bytes(), "ada")
    assert row[5] == ""


@pytest.mark.parametrize("late", ["to start", "to run its first cell"])
def test_a_kernel_that_does_not_start_is_no_fault_of_the_notebook(tmp_path, monkeypatch, late):
    """It is tried twice, the remark says to grade again, and there is no grade."""
    tries = []

    class Late(NotebookClient):
        @contextmanager
        def setup_kernel(self, **kwargs):
            tries.append(1)
            if late == "to start":
                raise RuntimeError("Kernel didn't respond in 60 seconds")
            yield

        def execute_cell(self, cell, index):
            raise DeadKernelError("Kernel died")

    monkeypatch.setattr(grade, "NotebookClient", Late)
    hand_in(tmp_path, "ada", START, CHECK)
    assert grade.grade(tmp_path, by_student=True) == 0
    [row] = table(tmp_path / "grades.csv")
    assert row[1:6] == ["", "0", "not graded", "", "no kernel has started: grade it again"]
    assert len(tries) == 2
    assert table(tmp_path / "moodle.csv") == [["ada", "ada"]], "no lesson, and so no grade"


def test_a_kernel_that_starts_at_the_second_try_grades(monkeypatch):
    def run(notebook):
        monkeypatch.setattr(grade, "_run", lambda notebook: ({NAME: NOTHING}, ""))
        raise grade.NoKernelError

    monkeypatch.setattr(grade, "_run", run)
    notebook = nbformat.writes(nbformat.v4.new_notebook())
    [row] = grade.graded(notebook.encode(), "ada")
    assert row[1:4] == (NAME, 0, "not reached")


def test_a_link_and_empty_notebooks_do_no_harm(tmp_path):
    mine, folder = tmp_path / "mine.csv", tmp_path / "class"
    mine.write_text("mine")
    folder.mkdir()
    (folder / "grades.csv").symlink_to(mine)
    for name, text in {"c": "{}", "d": "[" * 100_000, "e": "\xff"}.items():
        (folder / f"{name}.ipynb").write_text(text, encoding="latin-1")
    assert grade.grade(folder) == 0
    assert [row[0][0] for row in table(folder / "grades.csv")] == [*"cde"]
    assert mine.read_text() == "mine"


@pytest.mark.long
def test_what_a_cell_prints_is_not_kept(tmp_path):
    """A loop that prints without end would fill the teacher's memory."""
    hand_in(tmp_path, "ada", "print('x')", "1")
    notebook = nbformat.read(tmp_path / "ada.ipynb", as_version=4)
    grade._run(notebook)
    assert [cell.outputs for cell in notebook.cells] == [[], []]


def test_what_is_done_is_written_at_once(tmp_path, monkeypatch):
    def stopped(data, name):
        if name == "b.ipynb":
            raise KeyboardInterrupt
        return [grade.Row(name, NAME, 0, "wrong", "", "")]

    for name in "ab":
        hand_in(tmp_path, name)
    monkeypatch.setattr(grade, "graded", stopped)
    with pytest.raises(KeyboardInterrupt):
        grade.grade(tmp_path)
    assert table(tmp_path / "grades.csv") == [
        ["a.ipynb", NAME, "0", "wrong", "", "", "a", "", "", "", ""]
    ]


@pytest.mark.parametrize("cell", ["=A1", "+1", "-1", "@x", "\t=A1", "\r=A1", " =HYPERLINK(1)"])
def test_no_cell_of_the_table_is_a_formula(cell):
    assert grade.guarded(cell).startswith("'")
    assert grade.guarded("Ada") == "Ada"


def test_an_empty_folder_is_an_error(tmp_path, capsys):
    assert grade.grade(tmp_path) == 2
    assert "There is no notebook" in capsys.readouterr().err
    with pytest.raises(MctsVizError, match="is not a folder or a zip"):
        grade.grade(tmp_path / "gone")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("source", build.sources(), ids=lambda path: path.stem)
def test_every_lesson_becomes_an_assignment(source):
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
        assert f"{name}.require_right(" in tested.source
        assert "assert" not in answer.source


def of_the_page(source):
    """The names of what a click or a key can change, and no code: the parts of the answers."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    checks = [call for call in calls if getattr(call.func, "attr", "") == "check"]
    inside = [node for call in checks for part in call.args for node in ast.walk(part)]
    return [ast.unparse(node) for node in inside if isinstance(node, ast.Attribute)]


@pytest.mark.parametrize("source", build.sources(), ids=lambda path: path.stem)
def test_every_answer_is_in_the_code_of_its_notebook(source):
    """A click is in no file, so a grader who runs the notebook would find the answer open."""
    assert of_the_page("x.check(tree.chosen or ...)") == ["tree.chosen"]
    for made in (build.lesson(source), build.solution(source)):
        cells = [
            cell for cell in made.cells if cell.cell_type == "code" and ".check(" in cell.source
        ]
        assert len(cells) > 0
        assert [found for cell in cells for found in of_the_page(cell.source)] == []


def test_a_lesson_that_is_not_there_is_an_error(tmp_path, capsys):
    assert collect.nbgrader_source(["98"], tmp_path) == 2
    assert capsys.readouterr().err.startswith("There is no lesson 98:")
    assert list(tmp_path.iterdir()) == []


NOISY = """import logging, os, sys, warnings
import numpy as np
logging.basicConfig()
def crossing(one, other, total):
    np.array([1.0]) / np.array([0.0])
    warnings.warn("mine", stacklevel=1)
    print("a bar", file=sys.stderr)
    logging.error("a log")
    slope = np.sqrt(np.log(total) / np.array([one[1], other[1]]))
    with np.errstate(all="ignore"):
        c = (other[0] / other[1] - one[0] / one[1]) / (slope[0] - slope[1])
    return float(c) if np.isfinite(c) and c >= 0 else None"""


@pytest.mark.long
def test_nbgrader_gives_all_points_to_a_right_answer_that_warns():
    """Asked of nbgrader itself: what is on stderr, or a result, would change the points."""
    from nbgrader.utils import determine_grade

    cell = nbformat.v4.new_code_cell("what_uct_weighs.write_crossing.check(crossing)")
    found = collect.CHECK.search(cell.source)
    _, test = collect._with_test(cell, found, "")
    test.metadata.nbgrader.points = 4
    wrong = deepcopy(test)
    wrong.source = test.source.replace("crossing)", "abs)")
    start = "from mcts_course.lessons import what_uct_weighs"
    cells = [*map(nbformat.v4.new_code_cell, (start, NOISY)), test, wrong]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, allow_errors=True, kernel_name="python3").execute()
    assert determine_grade(test) == (4, 4)
    assert determine_grade(wrong) == (0, 4)
    assert {one.name for one in test.outputs} == {"stdout"}
    shown = "".join(one.text for one in test.outputs)
    for words in ("divide by zero", "UserWarning: mine", "a bar", "a log"):
        assert words in shown
    assert "✗ Not yet" in wrong.outputs[-1].evalue


@pytest.mark.slow
def test_nbgrader_s_whole_round(tmp_path):
    """Two lessons, three students: released, autograded and exported; one has solved everything,
    and one the first exercise.
    """
    nbgrader = partial(run_nbgrader, tmp_path)
    names = {number_of(topic): topic for topic in ("can_you_beat_it", "four_phases")}
    assert collect.nbgrader_source(list(names), tmp_path) == 0
    for name in names.values():
        nbgrader("generate_assignment", name, "--create")
        released = next((tmp_path / "release" / name).glob("*.ipynb"))
        assert "BEGIN SOLUTION" not in released.read_text(encoding="utf-8")
        solved, one, none = (
            nbformat.read(tmp_path / place / name / released.name, as_version=4)
            for place in ("source", "release", "release")
        )
        answers = [made.metadata.get("nbgrader", {}).get("solution") for made in one.cells]
        at = answers.index(True)
        one.cells[at].source = solved.cells[at].source
        for student, made in {"ada": solved, "bob": none, "cy": one}.items():
            folder = tmp_path / "submitted" / student / name
            folder.mkdir(parents=True)
            nbformat.write(made, folder / released.name)
        nbgrader("autograde", name, "--create")
    nbgrader("export")
    with (tmp_path / "grades.csv").open(encoding="utf-8", newline="") as file:
        grades = {(row["student_id"], row["assignment"]): row for row in csv.DictReader(file)}
    points = {key: float(row["score"]) for key, row in grades.items()}
    wanted = {"bob": 0, "cy": 1}
    assert points == {
        (student, name): wanted.get(student, len(exercises_of(name)))
        for student in ("ada", "bob", "cy")
        for name in names.values()
    }


ANSWERS = {"ada": [EXERCISE.right], "bo": [WRONG], "cy": [WRONG, EXERCISE.right], "di": []}
ROSTER = [("s1", "ada"), ("s2", "=bo"), ("s3", "cy"), ("s4", "di"), ("s5", "ed")]


@pytest.fixture
def by_student(tmp_path, monkeypatch):
    """A class of five, graded as it would be if every kernel said what is in its notebook."""

    def run(notebook):
        verdicts = [
            "right" if cell.source == str(EXERCISE.right) else "wrong" for cell in notebook.cells
        ]
        others = dict.fromkeys(set(exercises_of("random_games")) - {NAME}, NOTHING)
        return others | {NAME: NOTHING | {"verdicts": verdicts}}, ""

    monkeypatch.setattr(grade, "_run", run)
    for student, name in ROSTER[:4]:
        folder = tmp_path / "submitted" / student / "01"
        folder.mkdir(parents=True)
        hand_in(folder, "01_random_games", *map(str, ANSWERS[name.strip("=")]))
    work = {"verdicts": ["wrong", "right"], "misconceptions": [], "hints": 2}
    report = report_of(exercises={NAME: work})
    (tmp_path / "submitted" / "s1" / "x.json").write_text(json.dumps(report))
    work |= {"verdicts": ["right", "wrong"], "hints": 1}  # the last verdict counts
    (tmp_path / "submitted" / "s3" / "x.json").write_text(json.dumps(report))
    with (tmp_path / "roster.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("id", "name"), *ROSTER])
    assert grade.grade(tmp_path, tmp_path / "roster.csv", by_student=True) == 0
    return tmp_path


def test_the_table_says_what_a_point_means(by_student):
    """Hints, the solution, and points that the student's own notebook does not know of."""
    rows = [row for row in table(by_student / "grades.csv") if row[1] == NAME]
    assert [row[2:4] + row[6:] for row in rows] == [
        ["1", "right", "ada", "s1", "2", "yes", "yes"],
        ["0", "wrong", "'=bo", "s2", "", "", ""],
        ["1", "right", "cy", "s3", "1", "no", "no"],
        ["0", "not reached", "di", "s4", "", "", ""],
    ]


def test_totals_are_what_the_gradebooks_of_moodle_and_canvas_import(by_student):
    """Moodle: a user field, then grade items; "" is no grade. Canvas: five columns, then points
    possible.
    """
    moodle = list(csv.reader((by_student / "moodle.csv").open(encoding="utf-8-sig", newline="")))
    points = {"s1": "1", "s2": "0", "s3": "1", "s4": "0", "s5": ""}
    names = ["ada", "'=bo", "cy", "di", "ed"]
    assert moodle == [
        ["ID number", "Full name", "random games"],
        *([key, name, point] for (key, point), name in zip(points.items(), names, strict=True)),
    ]
    canvas = list(csv.reader((by_student / "canvas.csv").open(encoding="utf-8-sig", newline="")))
    most = str(len(exercises_of("random_games")))
    assert canvas == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "random games"],
        ["    Points Possible", "", "", "", "", most],
        *(
            [name, "", key, "", "", point]
            for (key, point), name in zip(points.items(), names, strict=True)
        ),
    ]


def test_of_two_notebooks_of_a_student_the_better_one_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(
        grade,
        "_run",
        lambda notebook: ({NAME: NOTHING | {"verdicts": [notebook.cells[0].source]}}, ""),
    )
    for folder, verdict in (("a", "wrong"), ("b", "right"), ("c", "error")):
        (tmp_path / "submitted" / "s1" / folder).mkdir(parents=True)
        hand_in(tmp_path / "submitted" / "s1" / folder, "x", verdict)
    assert grade.grade(tmp_path, by_student=True) == 0
    assert table(tmp_path / "moodle.csv") == [["s1", "s1", "1"]]


def test_a_student_s_folder_joins_the_notebook_with_the_work_kept_beside_it(tmp_path, monkeypatch):
    """Without a roster, too: the hidden file has no name, and the handed in one has a shorter."""
    work = NOTHING | {"verdicts": ["right"], "hints": 1}
    monkeypatch.setattr(grade, "_run", lambda notebook: ({NAME: work}, ""))
    for folder, name in (("Ada Lovelace", "Ada"), ("Ada Byron", "Ada"), ("s17", "Bo")):
        (tmp_path / folder).mkdir()
        hand_in(tmp_path / folder, "01_random_games", "1")
        for file, said in ((".01_random_games.progress", ""), (f"{name}_01", name)):
            report = report_of(said, exercises={NAME: work})
            (tmp_path / folder / f"{file}.json").write_text(json.dumps(report))
    assert grade.grade(tmp_path, by_student=True) == 0
    assert [row[6:] for row in table(tmp_path / "grades.csv")] == [
        [name, "", "1", "no", "yes"] for name in ("Ada Byron", "Ada Lovelace", "s17")
    ]
    assert [row[0] for row in table(tmp_path / "moodle.csv")] == [
        "Ada Byron",
        "Ada Lovelace",
        "s17",
    ]
