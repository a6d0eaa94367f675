"""How long each lesson takes a first-year student, by one rule, counted from its solution.

    python tools/minutes.py

Text is read at 130 words a minute: the lesson's own, and what its reveals add. Code in sight takes
a minute for 20 lines, a listing of the package one for 12. What a cell shows takes half a minute
for a picture or a table, one for a slider, two for a film. A prediction takes half a minute; a
question of *Watch* or a quick question one; *By hand* three, or one per iteration of a search; an
exercise four, and eight if a function is to be written, which is two tries; a game to be played
four. All cells together run for half a minute at most. Handing in, and the item that nobody has
to answer, are not counted. The sum is rounded up to five minutes; the lesson and the teacher's
page say the same (``tests/project/test_notebooks.py``).
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

ITERATIONS = 12
"""Of a search that the student carries out."""


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
        """By the rule above, before rounding."""
        reading = self.words / 130 + self.code / 20 + self.listed / 12 + 0.5
        looking = self.shown / 2 + self.sliders + 2 * self.films
        asked = self.predictions / 2 + self.questions + 4 * self.values + 8 * self.functions
        doing = 3 * self.by_hand + self.iterations + 4 * self.games
        return reading + looking + asked + doing

    @property
    def rounded(self) -> int:
        """In steps of five, as a lesson announces it."""
        return 5 * -int(-self.minutes // 5)


def work(source: Path) -> Work:
    """Count a lesson as the student gets it, with the outputs that its solution has stored."""
    lesson = _before_the_end(build.lesson(source).cells)
    solution = build.SOLUTIONS / f"{stem_of(source.stem)}.ipynb"
    outputs = {cell.id: cell.get("outputs", ()) for cell in nbformat.read(solution, 4).cells}
    prose = "\n\n".join(cell.source for cell in lesson if cell.cell_type == "markdown")
    reveals = build.texts(source)["reveals"].values()
    codes = [cell for cell in lesson if cell.cell_type == "code"]
    seen = _in_sight(codes)
    parts = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", prose, re.M))
    asked = re.findall(r"^\d\. ", parts.get("Watch", ""), re.M)
    asked += re.findall(r"^\*\*Quick question", prose, re.M)
    exercises = [code for code in seen if re.search(EXERCISE, code, re.M)]
    functions = sum(exercise.startswith("def ") for exercise in exercises)
    shown = [_said(output) for cell in codes for output in outputs.get(cell.id, ())]
    shown = list(filter(None, shown))
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
    return [cell for cell in cells if cell.id not in build.AFTERWARDS]


def _found(pattern: str, cells: list[Any]) -> int:
    """The number of times that the pattern occurs in the cells."""
    return sum(len(re.findall(pattern, cell.source)) for cell in cells)


def _in_sight(cells: list[Any]) -> list[str]:
    """The code of the cells that a student sees when the notebook opens."""
    return [cell.source for cell in cells if not cell.metadata.get("jupyter")]


def _lines(texts: list[str]) -> int:
    return sum(len(text.splitlines()) for text in texts)


def _said(output: Any) -> str:
    """The text of what is to be looked at: no reply, and no prediction."""
    data = output.get("data", {})
    text = str(output.get("text") or data.get("text/plain", ""))
    said = {"text/html", "text/markdown"} & data.keys() and not text.startswith("# mcts_")
    return "" if said or text.startswith("Predict:") else text


def main() -> None:
    """Print a table of all lessons."""
    print(f"lesson {' '.join(f'{name:>11}' for name in Work._fields)}     minutes")
    for source in build.sources():
        found = work(source)
        counts = " ".join(f"{count:11}" for count in found)
        print(f"{number_of(source.stem):6} {counts} {found.minutes:7.1f} → {found.rounded}")


if __name__ == "__main__":
    main()
