"""The shape of the lessons, and the script that stores their outputs. nbval runs the cells."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SOLUTIONS = sorted((ROOT / "notebooks" / "solutions").glob("*.ipynb"))
FIRST = "00_is_everything_ready.ipynb"  # it greets, so it may be shorter

PARTS = ["The words", "Watch", "Exercise", "In five lines"]
FULL = ["The words", "The algorithm", "By hand", "Watch", "Experiment", "Where it fails"]
FULL += ["Exercises", "In five lines"]

all_notebooks = pytest.mark.parametrize(
    "path", [*LESSONS, *SOLUTIONS], ids=lambda path: f"{path.parent.name}/{path.stem}"
)
all_lessons = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


def cells(path: Path, kind: str) -> list[Any]:
    notebook = nbformat.read(path, as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def text(path: Path) -> str:
    return "\n\n".join(cell.source for cell in cells(path, "markdown"))


def code_lines(cell: Any) -> list[str]:
    return [line for line in cell.source.splitlines() if line.strip()]


# The shape of a lesson


@all_lessons
def test_a_lesson_is_neither_long_nor_short(path: Path) -> None:
    words = re.findall(r"[\w'’]+", re.sub(r"\]\([^)]*\)|\$\$.*?\$\$", " ", text(path), flags=re.S))
    lines = [line for cell in cells(path, "code") for line in code_lines(cell)]
    count = len(cells(path, "code")) + len(cells(path, "markdown"))
    fewest = (10, 300, 10) if path.name == FIRST else (25, 1000, 60)
    assert fewest[0] <= count <= 45
    assert fewest[1] <= len(words) <= 1800
    assert fewest[2] <= len(lines) <= 150


@all_lessons
def test_a_lesson_has_its_parts_in_order(path: Path) -> None:
    headings = re.findall(r"^## (.+)$", text(path), re.M)
    wanted = PARTS if path.name == FIRST else FULL
    assert [heading for heading in headings if heading in wanted] == wanted


@all_lessons
def test_a_lesson_begins_with_a_question_and_what_it_takes(path: Path) -> None:
    title, *rest = cells(path, "markdown")[0].source.split("\n", 1)
    number = path.name[:2]
    assert re.fullmatch(rf"# {number} · .+\?", title)
    assert rest[0].count("\n- ") == 3, "three outcomes"
    assert re.search(r"\bminutes\b", rest[0])
    assert re.search(r"(Previous|Next): \[\d\d · ", rest[0])


@all_lessons
def test_a_lesson_ends_with_five_lines_a_reference_and_a_question(path: Path) -> None:
    _, end = text(path).split("## In five lines")
    rows = [line for line in end.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 5
    assert len(re.findall(r"^Read on: .+ \(\d{4}\), \*.+\*", end, re.M)) == 1
    assert re.search(r"\*\*The next question:\*\* .+\?", end)


@all_lessons
def test_the_words_are_few(path: Path) -> None:
    table = text(path).split("## The words")[1].split("##")[0]
    assert 2 <= len([line for line in table.splitlines() if line.startswith("| ")]) - 1 <= 6


@all_lessons
def test_the_set_up_is_short_and_shows_the_seed(path: Path) -> None:
    first = cells(path, "code")[0]
    assert len(code_lines(first)) <= 4
    assert re.search(r"^SEED = \d+$", first.source, re.M)


@all_lessons
def test_neighbours_are_linked(path: Path) -> None:
    place = LESSONS.index(path)
    head = cells(path, "markdown")[0].source
    links = re.findall(r"(Previous|Next): \[(\d\d) · ([^\]]+)\]\(([^)]+)\)", head)
    neighbours = {"Previous": LESSONS[:place][-1:], "Next": LESSONS[place + 1 :][:1]}
    assert {which: target for which, _, _, target in links} == {
        which: paths[0].name for which, paths in neighbours.items() if paths
    }
    for _, number, title, target in links:
        assert cells(ROOT / "notebooks" / target, "markdown")[0].source.startswith(
            f"# {number} · {title}\n"
        )


# Exercises and solutions


def checked(path: Path) -> list[str]:
    """The exercises that a notebook checks, such as ``lesson_05.next_move``."""
    source = "\n".join(cell.source for cell in cells(path, "code"))
    return re.findall(r"^(lesson_\d\d\.\w+)\.check\(", source, re.M)


@all_lessons
def test_every_exercise_is_checked_and_solved(path: Path) -> None:
    solution = path.parent / "solutions" / path.name
    assert solution in SOLUTIONS
    assert checked(solution) == checked(path) != []
    assert {name.split(".")[0] for name in checked(path)} == {f"lesson_{path.name[:2]}"}
    assert f"](solutions/{path.name})" in text(path)


def test_every_solution_has_a_lesson() -> None:
    assert [path.name for path in SOLUTIONS] == [path.name for path in LESSONS]


def answers(path: Path) -> Iterator[str]:
    """The last line below each cell that checks an exercise."""
    for cell in cells(path, "code"):
        if re.search(r"^lesson_\d\d\.\w+\.check\(", cell.source, re.M):
            yield cell.outputs[0].text.splitlines()[-1]


@all_lessons
def test_stubs_are_empty_and_solutions_are_right(path: Path) -> None:
    assert all(line.startswith("Not answered yet: ") for line in answers(path))
    solved = list(answers(path.parent / "solutions" / path.name))
    assert all(line.startswith("Right: ") for line in solved)


# What a cell may hold, and what may stand below it


@all_notebooks
def test_cells_hold_no_plumbing(path: Path) -> None:
    source = "\n".join(cell.source for cell in cells(path, "code"))
    for foreign in ("import *", "sys.path", "<svg", "<div", "HTML(", "%matplotlib", "!pip"):
        assert foreign not in source
    assert max(len(line) for line in source.splitlines()) <= 100


def test_no_helper_is_defined_in_two_lessons() -> None:
    named = Counter(
        node.name
        for path in LESSONS
        for cell in cells(path, "code")
        for node in ast.parse(cell.source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    )
    assert [name for name, count in named.items() if count > 1] == []


@all_notebooks
def test_outputs_are_those_of_one_run(path: Path) -> None:
    counts = [cell.execution_count for cell in cells(path, "code")]
    assert counts == list(range(1, len(counts) + 1)), "run .ci/refresh_notebooks.py"


@all_notebooks
def test_outputs_are_pictures_and_text(path: Path) -> None:
    for cell in cells(path, "code"):
        for output in cell.outputs:
            if output.output_type == "stream":
                assert output.name == "stdout"
            else:
                assert output.data.keys() <= {"image/png", "text/plain", "text/markdown"}
                assert "text/plain" in output.data


@all_notebooks
def test_text_below_a_cell_is_compared(path: Path) -> None:
    """All but pictures and what depends on the computer; nbval compares what is marked."""
    for cell in cells(path, "code"):
        pictures = any("image/png" in output.get("data", {}) for output in cell.outputs)
        if cell.outputs and not pictures and "check_environment()" not in cell.source:
            assert cell.source.startswith("# NBVAL_CHECK_OUTPUT\n"), cell.source


# The script that stores outputs


def program(name: str) -> ModuleType:
    """A script of the folder ``.ci`` as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return program("refresh_notebooks")


def test_the_glossary_has_the_words_of_all_lessons() -> None:
    page = (ROOT / "notebooks" / "GLOSSARY.md").read_text(encoding="utf-8")
    assert page == program("glossary").glossary(), "run python .ci/glossary.py"
    assert page.count("](05_what_are_the_four_phases.ipynb) |") == 6


WIDGET = "application/vnd.jupyter.widget-view+json"
SHOWS = [
    "from mcts_viz import MCTS, TicTacToe\nprint('first')\nprint('second')",
    "MCTS(TicTacToe(), seed=1).record(iterations=9)",
    "from ipywidgets import IntSlider\nIntSlider()",
]


def write(path: Path, sources: list[str]) -> None:
    made = [nbformat.v4.new_code_cell(source, id=f"c{n}") for n, source in enumerate(sources)]
    made[0].metadata["execution"] = {"iopub.execute_input": "1970-01-01T00:00:00Z"}
    metadata = {"widgets": {WIDGET: {}}, "language_info": {"name": "python", "version": "3.0"}}
    nbformat.write(nbformat.v4.new_notebook(cells=made, metadata=metadata), path)


def test_a_second_refresh_changes_nothing(script: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "lesson.ipynb"
    write(path, SHOWS)
    assert script.refresh(path) == 0
    first = path.read_bytes()
    assert script.refresh(path) == 0
    assert path.read_bytes() == first


def test_a_refreshed_notebook_keeps_pictures_and_text_alone(
    script: ModuleType, tmp_path: Path
) -> None:
    path = tmp_path / "lesson.ipynb"
    write(path, SHOWS)
    script.refresh(path)
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata == script.METADATA
    assert [cell.metadata for cell in notebook.cells] == [{}, {}, {}]
    lines, player, slider = (cell.outputs for cell in notebook.cells)
    assert [output.text for output in lines] == ["first\nsecond\n"]
    assert [output.data.keys() for output in player] == [{"image/png", "text/plain"}]
    assert "Tic-tac-toe: X to move" in player[0].data["text/plain"]
    assert [output.data.keys() for output in slider] == [{"text/plain"}]


@pytest.mark.parametrize(
    ("source", "words"),
    [("1 / 0", "ZeroDivisionError"), ("import warnings\nwarnings.warn('mind this')", "mind this")],
)
def test_a_notebook_that_fails_or_warns_is_left_as_it_was(
    script: ModuleType, tmp_path: Path, capsys: Any, source: str, words: str
) -> None:
    path = tmp_path / "lesson.ipynb"
    write(path, [source])
    before = path.read_bytes()
    assert script.refresh(path) == 1
    assert path.read_bytes() == before
    assert words in capsys.readouterr().err
