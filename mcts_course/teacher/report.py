"""A class at a glance: one call reads the small files that the notebooks have written."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

from mcts_viz.errors import MctsVizError, short_repr

from ..feedback import forms
from ..predict import CLOSE, number_in_words
from ..progress import read_report
from ..tables import Table
from .room import Question, plot_guesses

STUCK: Final = 2
"""Who has tried so often, and was never right, is stuck."""


@dataclass(repr=False)
class ClassReport:
    """The work of a class, by the name of each file; it shows itself as tables and histograms."""

    students: dict[str, dict[str, Any]]
    unreadable: list[str] = field(default_factory=list)
    """Files that are no reports."""

    def name_of(self, file: str) -> str:
        """Return the name that a student gave, with the file where two gave the same one."""
        names = [student["name"] for student in self.students.values()]
        name = self.students[file]["name"]
        if not name:
            return file.removesuffix(".json")
        return name if names.count(name) == 1 else f"{name} ({file})"

    def exercises(self) -> list[str]:
        """Return all exercises that somebody has tried."""
        found = {name for student in self.students.values() for name in student["exercises"]}
        return [name for name in sorted(found) if self.work_on(name)]

    def work_on(self, exercise: str) -> dict[str, Mapping[str, Any]]:
        """Return by student what they did with this exercise; an empty stub is no try."""
        return {
            self.name_of(file): student["exercises"][exercise]
            for file, student in self.students.items()
            if exercise in student["exercises"] and _tried(student["exercises"][exercise])
        }

    def right(self, exercise: str) -> list[str]:
        """Return who has been right."""
        return [name for name, work in self.work_on(exercise).items() if _right(work)]

    def stuck(self, exercise: str) -> list[str]:
        """Return who has tried at least twice, and never was right."""
        work_on = self.work_on(exercise).items()
        return [name for name, work in work_on if not _right(work) and _tries(work) >= STUCK]

    def hints(self, exercise: str) -> dict[str, int]:
        """Return by student how many hints they used, without those who used none."""
        used = {name: work["hints"] for name, work in self.work_on(exercise).items()}
        return {name: count for name, count in used.items() if count > 0}

    def misconceptions(self, exercise: str) -> list[tuple[str, int]]:
        """Return what the class was told, by how many students, the most frequent first."""
        told = Counter(
            sentence
            for work in self.work_on(exercise).values()
            for sentence in set(work["misconceptions"])
        )
        return told.most_common()

    def predictions(self) -> list[tuple[str, int, int, str, str]]:
        """Return by question: guesses, how many were close, the median guess, the result."""
        return [(question, *_compared(made)) for question, made in self._made().items()]

    def _made(self) -> dict[str, list[Mapping[str, Any]]]:
        found: dict[str, list[Mapping[str, Any]]] = {}
        for student in self.students.values():
            for made in student["predictions"].values():
                found.setdefault(made["question"], []).append(made)
        return found

    def _parts(self) -> list[str | Table]:
        count = len(self.students)
        parts: list[str | Table] = [f"{count} student{'s' * (count != 1)}."]
        if self.unreadable:
            parts[0] = f"{parts[0]} These are no reports: {', '.join(self.unreadable)}."
        names = self.exercises()
        told = [(n, name, text) for name in names for text, n in self.misconceptions(name)]
        told.sort(key=lambda row: -row[0])
        rows: dict[str, list[Any]] = {
            "exercise|tried|right|stuck|hints|who is stuck|who used hints": [
                (
                    *(name, len(self.work_on(name)), len(self.right(name)), len(stuck)),
                    *(sum(hints.values()), ", ".join(stuck)),
                    ", ".join(f"{who} {n}" for who, n in hints.items()),
                )
                for name in names
                for stuck, hints in [(self.stuck(name), self.hints(name))]
            ],
            "students|exercise|were told": told,
            "question|guesses|close|median guess|measured": self.predictions(),
        }
        return parts + [Table(heads.split("|"), found) for heads, found in rows.items() if found]

    def __repr__(self) -> str:
        return forms(*self._parts())["text/plain"]

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        shown = forms(*self._parts())
        if made := self._made():
            rooms = [Question(asked, *_guesses(given)) for asked, given in made.items()]
            png = base64.b64encode(plot_guesses(rooms)._repr_png_()).decode("ascii")
            alt = "Histograms of the guesses"
            shown["text/html"] += f'\n<p><img alt="{alt}" src="data:image/png;base64,{png}"></p>'
        return shown


def class_report(folder: str | Path) -> ClassReport:
    """Read all reports of a folder (``*.json``). Raises ``MctsVizError`` where there is none."""
    try:
        paths = sorted(Path(folder).glob("*.json"))
    except ValueError:  # a name that no folder can have
        paths = []
    if not paths:
        raise MctsVizError(f"There is no report (*.json) in {short_repr(str(folder))}.")
    found = {path.name: read_report(path) for path in paths}
    students = {name: student for name, student in found.items() if student is not None}
    return ClassReport(students, [name for name, student in found.items() if student is None])


def _tries(work: Mapping[str, Any]) -> int:
    return sum(kind != "open" for kind in work["verdicts"])


def _tried(work: Mapping[str, Any]) -> bool:
    return _tries(work) > 0 or work["hints"] > 0


def _right(work: Mapping[str, Any]) -> bool:
    return "right" in work["verdicts"]


def _guesses(made: list[Mapping[str, Any]]) -> tuple[list[list[Any]], list[Any]]:
    """All guesses, a list for each student, and what the first notebook has measured."""
    measured = next((list(one["measured"]) for one in made if one["measured"]), [])
    return [list(one["guesses"]) for one in made], measured


def _compared(made: list[Mapping[str, Any]]) -> tuple[int, int, str, str]:
    misses = [one["miss"] for one in made if one["miss"] is not None]
    return (
        len(misses),
        sum(miss <= CLOSE for miss in misses),
        ", ".join(map(_middle, zip(*(one["guesses"] for one in made), strict=False))),
        ", ".join(map(_middle, zip(*(one["measured"] for one in made), strict=False))),
    )


def _middle(answers: Iterable[Any]) -> str:
    """The median of some numbers, or the most frequent of some words."""
    given = [answer for answer in answers if answer is not None]
    if not given:
        return number_in_words(None)
    if any(isinstance(answer, str) for answer in given):
        return Counter(map(str, given)).most_common(1)[0][0]
    return number_in_words(median(given))
