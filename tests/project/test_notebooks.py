"""The lessons agree with their sources and have their shape. nbval runs the cells."""

from __future__ import annotations

import ast
import json
import re
import runpy
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert import HTMLExporter, SlidesExporter

from mcts_course import build
from mcts_course.exported import run
from mcts_course.lessons import ORDER, number_of, stem_of

ROOT = Path(__file__).parents[2]
LESSONS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SOLUTIONS = sorted((ROOT / "solutions").glob("*.ipynb"))
FIRST = "00_can_you_beat_it.ipynb"  # it greets, so it may be shorter

FULL = ["The words", "By hand", "Watch", "Experiment", "Where it fails", "Exercises"]
RECAP = "In five sentences"
CURIOUS = build.CURIOUS.removeprefix("## ")

all_notebooks = pytest.mark.parametrize(
    "path", [*LESSONS, *SOLUTIONS], ids=lambda path: f"{path.parent.name}/{path.stem}"
)
all_sources = pytest.mark.parametrize("source", build.sources(), ids=lambda path: path.stem)
BUILD = "python -m mcts_course.build"
all_lessons = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


@cache
def cells(path: Path, kind: str) -> list[Any]:
    notebook = nbformat.read(path, as_version=4)
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def text(path: Path) -> str:
    return "\n\n".join(cell.source for cell in cells(path, "markdown"))


def code_lines(cell: Any) -> list[str]:
    return [line for line in cell.source.splitlines() if line.strip()]


# The shape of a lesson


@all_lessons
def test_a_lesson_has_its_parts_in_order_and_a_good_length(path: Path) -> None:
    first = path.name == FIRST
    words = re.findall(r"[\w'’]+", re.sub(r"\]\([^)]*\)|\$\$.*?\$\$", " ", text(path), flags=re.S))
    lines = [line for cell in cells(path, "code") for line in code_lines(cell)]
    count = len(cells(path, "code")) + len(cells(path, "markdown"))
    fewest = (10, 300, 10) if first else (25, 800, 30)
    assert fewest[0] <= count <= 55  # one idea a cell, and a question before each answer
    assert fewest[1] <= len(words) <= 1800
    assert fewest[2] <= len(lines) <= 150
    set_up = cells(path, "code")[0]
    assert len(code_lines(set_up)) <= (7 if first else 5)
    assert re.search(r"^SEED = \d+$", set_up.source, re.M)
    title, rest = cells(path, "markdown")[0].source.split("\n", 1)
    assert re.fullmatch(rf"# {path.name[:2]} · .+\?", title)
    assert rest.count("\n- ") == 3, "three outcomes"
    headings = re.findall(r"^## (.+)$", text(path), re.M)
    if headings[-1] == CURIOUS:
        headings.pop()
    for part in ["Exercise"] if first else FULL:
        assert any(heading.startswith(part) for heading in headings), part
    assert first or headings[-2] == "Exercises"
    assert headings[-1] in (RECAP, "In five lines")


@all_sources
def test_a_lesson_says_how_long_it_takes(source: Path) -> None:
    """By the rule of ``tools/minutes.py``; the teacher's page says the same."""
    minutes = runpy.run_path(str(ROOT / "tools" / "minutes.py"))["work"](source).rounded
    said = f"About {minutes} minutes", f"Two sittings of about {minutes // 10 * 5} minutes each"
    assert re.search(rf"^\*({'|'.join(said)})\b", source.read_text(encoding="utf-8"), re.M)
    teaching = (ROOT / "docs" / "TEACHING.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| \[{number_of(source.stem)}\]\([^|]+\| {minutes}\b", teaching, re.M)


@all_lessons
def test_a_lesson_ends_with_five_sentences_a_reference_and_a_question(path: Path) -> None:
    parts = re.split(r"^## In five (?:sentences|lines)\n", text(path), flags=re.M)
    assert len(parts) == 2
    if f"## {RECAP}" in text(path):
        assert len(re.findall(r"^\d\. ", parts[1], re.M)) == 5
        assert parts[1].count("**Quick question") == (0 if path.name == FIRST else 2)
    recap = parts[1].split(build.CURIOUS)[0]
    assert len(re.findall(r"^Read on: .+ \(\d{4}\), \[?\*.+\*", recap, re.M)) == 1
    assert re.search(r"\*\*The next question:\*\* .+\?", parts[1])


@pytest.mark.parametrize("path", [*LESSONS[1:], *SOLUTIONS[1:]], ids=str)
def test_both_quick_questions_are_answered_below_them(path: Path) -> None:
    below = text(path).partition("**Quick question 2")[2].partition("Read on:")[0]
    answers = below.split("</summary>")[1] if path in LESSONS else below.partition("\n")[2]
    assert len(re.findall(r"\*[^*|]+\?\*", answers)) == 2


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


# One source


@all_sources
def test_a_lesson_is_made_from_its_source(source: Path) -> None:
    """Without answers, outputs and scaffolding: no question has its answer below it."""
    path = ROOT / "notebooks" / f"{stem_of(source.stem)}.ipynb"
    made = nbformat.writes(build.lesson(source)) + "\n"
    assert path.read_text(encoding="utf-8") == made, f"run {BUILD} {source.stem}"


@all_sources
def test_a_solution_is_made_from_its_source_and_was_run_from_top_to_bottom(source: Path) -> None:
    name = f"{stem_of(source.stem)}.ipynb"
    stored = nbformat.read(ROOT / "solutions" / name, as_version=4)
    codes = [cell for cell in stored.cells if cell.cell_type == "code"]
    counts = [cell.pop("execution_count") for cell in codes]
    for cell in codes:
        for output in cell.outputs:
            if output.output_type == "stream":
                assert output.name == "stdout"
            else:
                assert output.output_type in ("display_data", "execute_result")
                assert "text/plain" in output.data
                assert output.data.keys() <= {*build.SHOWN}
        cell.update(execution_count=None, outputs=[])
    assert nbformat.writes(stored) == nbformat.writes(build.solution(source)), f"run {BUILD}"
    assert counts == list(range(1, len(counts) + 1))


@all_lessons
def test_a_lesson_asserts_nothing_and_tells_no_answer(path: Path) -> None:
    """A result is computed in the cell that reveals it, and a cell that asks is folded away."""
    reveals = 0
    for cell in cells(path, "code"):
        assert not re.search(r"^\s*assert\b|NBVAL", cell.source, re.M), cell.source
        if re.search(r"^\w+ = predict\(", cell.source, re.M):
            assert cell.metadata["jupyter"]["source_hidden"], cell.source
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "reveal":
                reveals += 1
                assert any(isinstance(part, ast.Name) for part in ast.walk(node.args[0]))
    assert reveals


@all_sources
def test_what_explains_an_answer_comes_with_it(source: Path) -> None:
    """The sentences of a reveal are in no cell of the lesson, where nothing has been run yet."""
    made = build.texts(source)
    written = json.loads(build.texts_file(source).read_text(encoding="utf-8"))
    assert written == made, f"run {BUILD} {source.stem}"
    seen = "\n".join(cell.source for cell in build.lesson(source).cells)
    for explained in made["reveals"].values():
        for sentence in re.split(r"(?<=[.!?])\s+", explained):
            assert sentence not in seen


@all_sources
def test_predictions_are_revealed_in_the_order_of_their_questions(source: Path) -> None:
    asked = list(build.asked(source))
    assert asked
    for cell in build.lesson(source).cells:
        found = re.findall(r"^(\w+)\.reveal\(", cell.source, re.M)
        assert found == sorted(found, key=asked.index)


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_every_picture_has_words(path: Path) -> None:
    """Beside its data, from where the site's pages take them."""
    for cell in cells(path, "code"):
        for output in cell.outputs:
            data, said = output.get("data", {}), output.get("metadata", {})
            assert len(data.get("text/plain", "")) < 5_000, "code of a picture, not its words"
            for form in (form for form in data if form.startswith("image/")):
                words = said.get(form, {}).get("alt", "")
                assert len(words) > 8, f"{cell.source}\nshows a picture without words: {words!r}"
            for image in re.findall(r"<img[^>]*>", data.get("text/html", "")):
                assert re.search(r'alt="[^"]', image), image


def test_the_classic_template_keeps_the_words_of_pictures() -> None:
    """As docs/ACCESSIBILITY.md says."""
    page, _ = HTMLExporter(template_name="classic").from_filename(str(SOLUTIONS[3]))
    images = re.findall(r"<img[^>]*>", page)
    assert len(images) == 4
    assert all(re.search(r'alt="(?!No description)[^"]{9}', image) for image in images)


def test_every_notebook_has_a_source() -> None:
    stems = [stem_of(path.stem) for path in build.sources()]
    assert [path.stem for path in LESSONS] == [path.stem for path in SOLUTIONS] == stems


def test_the_glossary_has_the_words_of_all_lessons() -> None:
    page = (ROOT / "notebooks" / "GLOSSARY.md").read_text(encoding="utf-8")
    assert page == build.glossary(), f"run {BUILD}"
    assert page.count("](03_four_phases.ipynb) |") == 6
    terms = re.findall(r"^\| ([^|]+) \|", page, re.M)[1:]
    assert len(set(terms)) == len(terms), "one word, one meaning"
    assert {"seed", "minimax", "alpha-beta", "Monte Carlo Tree Search (MCTS)"} <= set(terms)


# Exercises and solutions


def checked_in(cell: Any) -> list[str]:
    """The exercises that a cell checks, such as ``four_phases.next_move``."""
    return re.findall(rf"^((?:{'|'.join(ORDER)})\.\w+)\.check\(", cell.source, re.M)


def checked(path: Path) -> list[str]:
    return [name for cell in cells(path, "code") for name in checked_in(cell)]


@all_lessons
def test_every_exercise_is_checked_and_its_solution_is_right(path: Path) -> None:
    """The output below each solved exercise; the stubs are run by nbval."""
    solution = ROOT / "solutions" / path.name
    solved = [
        cell.outputs[-1].data["text/plain"] for cell in cells(solution, "code") if checked_in(cell)
    ]
    assert checked(solution) == checked(path) != []
    assert {name.split(".")[0] for name in checked(path)} == {path.stem[3:]}
    assert f"](../solutions/{path.name})" in text(path)
    assert len(solved) == len(checked(path))
    assert all(line.startswith("✓ Right: ") for line in solved)


# What Run All does


@all_lessons
def test_no_cell_of_a_lesson_makes_a_guess(path: Path) -> None:
    """A guess is a click: code gives one in solutions only."""
    for cell in cells(path, "code"):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "predict":
                assert [part.arg for part in node.keywords] == ["choices"], cell.source
            if isinstance(node, ast.Assign):
                assert not any(getattr(one, "attr", "") == "value" for one in node.targets)


@pytest.mark.slow
@all_lessons
def test_after_run_all_each_prediction_is_open(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    asks = """from mcts_course.work.predict import MADE
print([(made.locked, made.answer) for made in MADE.values()])"""
    notebook.cells.append(nbformat.v4.new_code_cell(asks))
    run(notebook, tmp_path)
    made = ast.literal_eval(notebook.cells[-1].outputs[0].text)
    assert made == [(False, None)] * len(made) != []


# What a cell may hold, and what may be below it


@all_notebooks
def test_cells_hold_no_plumbing(path: Path) -> None:
    source = "\n".join(cell.source for cell in cells(path, "code"))
    for foreign in ("import *", "sys.path", "<svg", "<div", "HTML(", "%matplotlib", "!pip"):
        assert foreign not in source
    for line in source.splitlines():  # a question is one sentence on one line
        assert len(line) <= (165 if "predict(" in line else 115), line


REFUTED = {
    "near_the_truth": r"Szepesvári \(2006\) proved|proof of convergence",
    "smarter_playouts": r"stronger players made weaker playouts",
    "who_wins": r"of 120 about six|once in twenty times, so",
    "my_game": r"hidden_card|In the picture below you hold",
    "luck": r"young tree",
    "hints": r"in one big way",
    "reasoning": r"at the same price|the model's own confidence",
}
"""By lesson: words that were shown to be wrong, by sources or by measurement."""


@pytest.mark.parametrize("topic", REFUTED)
def test_what_was_refuted_is_not_said_again(topic: str) -> None:
    source = next(path for path in build.sources() if path.stem == topic)
    assert not re.search(REFUTED[topic], source.read_text(encoding="utf-8"), re.I)


EVERYDAY = ("before", "believe", "enough", "leave", "report", "twenty", "values")
"""Words of quick questions that happen to be in a reveal of the lesson, too."""


@all_sources
def test_a_quick_question_rests_on_no_reveal(source: Path) -> None:
    """No question needs words that only a reveal has: a student may not have guessed."""
    read = text(ROOT / "notebooks" / f"{stem_of(source.stem)}.ipynb")
    reveals = " ".join(build.texts(source)["reveals"].values())
    unfolded = re.sub(r"<details>.*?</details>", "", read, flags=re.S)
    for question in re.findall(r"^\*\*Quick question \d\.\*\* \*(.+)\*$", read, re.M):
        rest = unfolded.replace(question, "")
        for word in re.findall(r"\b[A-Za-z]{5,}\b", question):
            begins = rf"\b{word[:5]}"
            if word not in EVERYDAY and re.search(begins, reveals, re.I):
                assert re.search(begins, rest, re.I), (question, word)


# The build


SOURCE = """# Is it?

See [words](GLOSSARY.md), [code](../x.py), [next](which_move.ipynb), [site](https://example.org)
and {which_move}. {which_move} helps.

```python
from mcts_course import predict
guess = predict("Is it?", choices=["yes", "no"])
```

```reveal guess
It *is*, as {which_move} says.
```

```python
print("first")
print("second")
```

<!-- #region tags=["answer"] -->
It is *not*.
<!-- #endregion -->

```python tags=["lesson"]
answer = ...
```

```python tags=["solution"]
answer = 4
```

```python tags=["solution", "check"]
assert answer == 4
```

```python
from ipywidgets import IntSlider
from mcts_viz import MCTS, TicTacToe
MCTS(TicTacToe(), seed=1).record(iterations=9)
```

```python tags=["hide-input"]
IntSlider()
```
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one source, where the build writes."""
    for folder in ("source", "solutions"):
        (tmp_path / folder).mkdir()
    (tmp_path / "source" / "which_move.md").write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(build, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(build, "SOLUTIONS", tmp_path / "solutions")
    monkeypatch.setattr(build, "SOURCES", tmp_path / "source")
    return tmp_path


def run_build(monkeypatch: pytest.MonkeyPatch, *numbers: str) -> int:
    monkeypatch.setattr("sys.argv", ["build", *numbers])
    return build.main()


def test_lesson_and_solution_get_their_cells(project: Path) -> None:
    source = project / "source" / "which_move.md"
    lesson, solution = build.lesson(source), build.solution(source)
    nbformat.validate(lesson)
    nbformat.validate(solution)
    assert [c.source for c in lesson.cells if "answer" in c.source] == ["answer = ..."]
    assert [c.source for c in solution.cells if "answer" in c.source][1:] == [
        "answer = 4",
        "assert answer == 4",
    ]
    assert {tag for cell in lesson.cells for tag in cell.metadata.get("tags", ())} == {"hide-input"}
    folded = [c.source for c in solution.cells if c.metadata.get("jupyter")]
    assert folded[1:] == ["assert answer == 4", "IntSlider()"]
    assert "guess = predict(" in folded[0]
    shared = {cell.id for cell in lesson.cells} & {cell.id for cell in solution.cells}
    assert len(shared) == 6
    opened = "<details><summary>Compare with what you found</summary>\n\nIt is *not*.\n\n</details>"
    assert [c.source for c in lesson.cells if "*not*" in c.source] == [opened]
    assert [c.source for c in solution.cells if "*not*" in c.source] == ["It is *not*."]
    seen = solution.cells[0].source
    assert seen.startswith("# 05 · Is it?")
    assert "[words](../notebooks/GLOSSARY.md), [code](../x.py), [next](05_which_move.ipynb)" in seen
    assert "and [lesson 05](05_which_move.ipynb). [Lesson 05](05_which_move.ipynb) helps." in seen
    assert "as [lesson" not in "".join(c.source for c in [*lesson.cells, *solution.cells])
    explained = {"Is it?": "It *is*, as [lesson 05](05_which_move.ipynb) says."}
    assert build.texts(source) == {"reveals": explained, "exercises": {}}


def test_a_reveal_without_its_question_is_refused(project: Path) -> None:
    source = project / "source" / "which_move.md"
    source.write_text(SOURCE.replace("reveal guess", "reveal other"), encoding="utf-8")
    with pytest.raises(ValueError, match="no cell asks with other = predict"):
        build.texts(source)


@pytest.mark.long
def test_a_solution_keeps_pictures_and_text_and_a_second_build_changes_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    assert run_build(monkeypatch) == 0
    codes = cells(project / "solutions" / "05_which_move.ipynb", "code")
    _, lines, _, _, player, slider = (cell.outputs for cell in codes)
    assert [output.text for output in lines] == ["first\nsecond\n"]
    assert [output.data.keys() for output in player] == [{"image/png", "text/plain"}]
    assert "Tic-tac-toe: X to move" in player[0].data["text/plain"]
    assert [output.data.keys() for output in slider] == [{"text/plain"}]
    made = {path: path.read_bytes() for path in project.rglob("*.ipynb")}
    assert len(made) == 2
    assert run_build(monkeypatch, "05") == 0
    with pytest.raises(SystemExit):
        run_build(monkeypatch, "98")
    assert "no lesson is called 98" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in project.rglob("*.ipynb")} == made


@pytest.mark.long
@pytest.mark.parametrize(
    ("source", "words"),
    [("1 / 0", "ZeroDivisionError"), ("import warnings\nwarnings.warn('mind this')", "mind this")],
)
def test_a_solution_that_fails_or_warns_is_not_written(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any, source: str, words: str
) -> None:
    page = project / "source" / "which_move.md"
    page.write_text(f"# Is it?\n\n```python\n{source}\n```\n", encoding="utf-8")
    assert run_build(monkeypatch) == 1
    assert list((project / "solutions").iterdir()) == []
    assert words in capsys.readouterr().err


def test_a_lesson_is_slides_too() -> None:
    """As nbconvert makes them: a cell with a heading begins a slide, and no other cell does."""
    path = SOLUTIONS[3]
    page, _ = SlidesExporter().from_filename(str(path))
    begun = [cell for cell in cells(path, "markdown") if cell.source.startswith("#")]
    slides = re.split(r"<section[^>]*>\s*<section[^>]*>", page)[1:]
    assert len(slides) == len(begun) > 5
    assert all(re.search("<h[12] ", slide.split("<section")[0]) for slide in slides)
    assert "assert " not in page, "what is checked is on no slide"


def test_the_last_cell_of_a_lesson_hands_it_in() -> None:
    for path in LESSONS:
        assert cells(path, "code")[-1].source == build.HAND_IN.format(topic=path.stem[3:])
