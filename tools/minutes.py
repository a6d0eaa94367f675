"""How long each lesson takes a first-year student, by one rule, counted from its source.

    python tools/minutes.py

Reading goes at 200 words a minute, and a code cell counts as 25 words. A prediction takes half a
minute; a question of *Watch* or a quick question one; *By hand* three; an exercise four, and eight
if a function is to be written, which is two tries; a game to be played five. All cells together
run for half a minute at most. The sum is rounded up to five minutes; the lesson and the teacher's
page say the same (``tests/project/test_notebooks.py``).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from mcts_course import build
from mcts_course.lessons import number_of

TEXT = r"\]\([^)]*\)|\$\$.*?\$\$"


class Work(NamedTuple):
    """What a lesson asks of a student."""

    words: int
    cells: int
    predictions: int
    questions: int
    by_hand: int
    values: int
    functions: int
    games: int

    @property
    def minutes(self) -> float:
        """By the rule above, before rounding."""
        reading = (self.words + 25 * self.cells) / 200 + 0.5
        looking = self.predictions / 2 + self.questions + 5 * self.games
        return reading + looking + 3 * self.by_hand + 4 * self.values + 8 * self.functions

    @property
    def rounded(self) -> int:
        """In steps of five, as a lesson announces it."""
        return 5 * -int(-self.minutes // 5)


def work(source: Path) -> Work:
    """Count a lesson as the student gets it."""
    cells = build.lesson(source).cells
    prose = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    parts = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", prose, re.M))
    asked = re.findall(r"^\d\. ", parts.get("Watch", ""), re.M)
    asked += re.findall(r"^\*\*Quick question", prose, re.M)
    exercises = [
        cell.source for cell in cells if re.search(r"^\w+\.\w+\.check\(", cell.source, re.M)
    ]
    functions = sum(exercise.startswith("def ") for exercise in exercises)
    return Work(
        words=len(re.findall(r"[\w'’]+", re.sub(TEXT, " ", prose, flags=re.S))),
        cells=sum(cell.cell_type == "code" for cell in cells),
        predictions=len(re.findall(r"\bpredict\(", code)),
        questions=len(asked),
        by_hand=int("By hand" in parts),
        values=len(exercises) - functions,
        functions=functions,
        games=len(re.findall(r"\b(?:Play|SlotMachines)\(", code)),
    )


def main() -> None:
    """Print a table of all lessons."""
    print(f"lesson {' '.join(f'{name:>11}' for name in Work._fields)}     minutes")
    for source in build.sources():
        found = work(source)
        counts = " ".join(f"{count:11}" for count in found)
        print(f"{number_of(source.stem):6} {counts} {found.minutes:7.1f} → {found.rounded}")


if __name__ == "__main__":
    main()
