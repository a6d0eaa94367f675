"""The minutes that each lesson takes a first-year student, counted from its solution.

    python tools/minutes.py

First a sum: text is read at 130 words a minute, the lesson's own and what its reveals add. Code in
sight takes a minute for 20 lines, a listing of the package one for 12. What a cell shows takes half
a minute for a picture or a table, one for a slider, two for a film. A prediction takes half a
minute; a question of *Watch* or a quick question one; *By hand* three, or one per iteration of a
search; an exercise four, and eight if a function is to be written, wherever that is; a game four.
All cells together run for half a minute at most. Handing in, the item that no one has to answer,
and what is for the curious are not counted.

Readers were timed with three lessons (``TIMED``). They took longer than the sum, each by about the
same factor. So the sum is multiplied by it, and the range is as wide as the three differ. A lesson
and the teacher's page say the middle of the range, in steps of five minutes
(``tests/project/test_notebooks.py``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import nbformat

from mcts_course import build
from mcts_course.lessons import number_of, stem_of

TEXT = r"<[^>]+>|\]\([^)]*\)|\$\$.*?\$\$"
FILM = r"\b(?:Player|Compare|replay)\("
EXERCISE = r"^\w+\.(?:\w+\.check|enter)\("
CHECKED = r"\.check\((\w+)\)$"
"""What an exercise is given."""

ITERATIONS = 12
"""Of a search that the student carries out."""
TIMED = {"four_phases": (44.7, 62), "write_it_yourself": (61.0, 80), "smarter_playouts": (45.0, 65)}
"""Lessons as they were when they were read: the sum of each, and the minutes by the clock."""
PACE = sum(n * took for n, took in TIMED.values()) / sum(n * n for n, _ in TIMED.values())
"""Minutes for one of the sum: by least squares."""
SPREAD = max(abs(took / (PACE * n) - 1) for n, took in TIMED.values())
"""The largest misfit of the three."""


class Work(NamedTuple):
    """The work that a lesson asks of a student."""

    words: int
    code: int
    listed: int
    shown: int
    sliders: int
    films: int
    predictions: int
    questions: int
    by_hand: int
    iterations: int
    values: int
    functions: int
    games: int

    @property
    def minutes(self) -> float:
        """The middle of the range."""
        reading = self.words / 130 + self.code / 20 + self.listed / 12 + 0.5
        looking = self.shown / 2 + self.sliders + 2 * self.films
        asked = self.predictions / 2 + self.questions + 4 * self.values + 8 * self.functions
        doing = 3 * self.by_hand + self.iterations + 4 * self.games
        return PACE * (reading + looking + asked + doing)

    @property
    def rounded(self) -> int:
        """In steps of five, as a lesson announces it."""
        return 5 * round(self.minutes / 5)

    @property
    def range(self) -> tuple[int, int]:
        """The least and the most, in steps of five."""
        low, high = ((1 + side * SPREAD) * self.minutes / 5 for side in (-1, 1))
        return 5 * int(low), 5 * -int(-high // 1)


def work(source: Path) -> Work:
    """Count a lesson as the student gets it, with the outputs that its solution has stored."""
    lesson = _before_the_end(build.lesson(source).cells)
    solution = build.SOLUTIONS / f"{stem_of(source.stem)}.ipynb"
    defined = set(re.findall(r"^def (\w+)\(", "\n".join(one.source for one in lesson), re.M))
    prose = "\n\n".join(cell.source for cell in lesson if cell.cell_type == "markdown")
    reveals = build.texts(source)["reveals"].values()
    codes = [cell for cell in lesson if cell.cell_type == "code"]
    seen = _in_sight(codes)
    parts = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", prose, re.M))
    asked = re.findall(r"^\d\. ", parts.get("Watch", ""), re.M)
    asked += re.findall(r"^\*\*Quick question", prose, re.M)
    exercises = [code for code in seen if re.search(EXERCISE, code, re.M)]
    functions = sum(defined >= {*re.findall(CHECKED, exercise)} for exercise in exercises)
    shown = _all_said(codes, solution)
    listings = [text for text in shown if text.startswith("# mcts_")]
    films = _found(FILM, codes)
    sliders = len(re.findall("a figure to drag", "\n".join(shown)))
    searched = _found(r"\bBeTheSearch\(", codes)
    read = re.sub(TEXT, " ", "\n".join([prose, *reveals]), flags=re.S)
    return Work(
        words=len(re.findall(r"[\w'’]+", read)),
        code=_lines(seen),
        listed=_lines(listings),
        shown=max(len(shown) - len(listings) - films - sliders - searched, 0),
        sliders=sliders,
        films=films,
        predictions=_found(r"\bpredict\(", codes),
        questions=len(asked),
        by_hand=int("By hand" in parts and not searched),
        iterations=ITERATIONS * searched,
        values=len(exercises) - functions,
        functions=functions,
        games=_found(r"\b(?:Play|SlotMachines|StopWhenYouDare)\(", codes),
    )


def _before_the_end(cells: list[Any]) -> list[Any]:
    """The cells of the lesson itself, without those that come after it."""
    last = [at for at, cell in enumerate(cells) if cell.source.startswith(build.CURIOUS)]
    return [cell for cell in cells[: min(last, default=None)] if cell.id not in build.AFTERWARDS]


def _found(pattern: str, cells: list[Any]) -> int:
    """The number of times that the pattern occurs in the cells."""
    return sum(len(re.findall(pattern, cell.source)) for cell in cells)


def _in_sight(cells: list[Any]) -> list[str]:
    """The code of the cells that a student sees when the notebook opens."""
    return [cell.source for cell in cells if not cell.metadata.get("jupyter")]


def _lines(texts: list[str]) -> int:
    return sum(len(text.splitlines()) for text in texts)


def _all_said(cells: list[Any], solution: Path) -> list[str]:
    """The texts of what the cells show, as the solution has stored it."""
    outputs = {cell.id: cell.get("outputs", ()) for cell in nbformat.read(solution, 4).cells}
    shown = (_said(output) for cell in cells for output in outputs.get(cell.id, ()))
    return list(filter(None, shown))


def _said(output: Any) -> str:
    """The text of what is to be looked at: no reply, and no prediction."""
    data = output.get("data", {})
    text = str(output.get("text") or data.get("text/plain", ""))
    said = {"text/html", "text/markdown"} & data.keys() and not text.startswith("# mcts_")
    return "" if said or text.startswith("Predict:") else text


def main() -> None:
    """Print a table of all lessons."""
    print(f"{PACE:.2f} minutes for one of the sum; readers differ by {SPREAD:.0%}")
    print(f"lesson {' '.join(f'{name:>11}' for name in Work._fields)} minutes  range")
    for source in build.sources():
        found = work(source)
        low, high = found.range
        counts = " ".join(f"{count:11}" for count in found)
        print(f"{number_of(source.stem):6} {counts} {found.minutes:7.1f}  {low} to {high}")


if __name__ == "__main__":
    main()
