"""A class at a glance: one call reads the small files that the notebooks have written."""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable
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
DRAWN: Final = 80
"""Histograms at most, of the questions with the most guesses: one file may hold thousands."""


@dataclass(repr=False)
class ClassReport:
    """The work of a class, by the name of each file; it shows itself as tables and histograms."""

    students: dict[str, dict[str, Any]]
    unreadable: list[str] = field(default_factory=list)
    """Files that are not reports."""

    def exercises(self) -> Table:
        """Return by exercise who has tried it, was right, is stuck, and has used hints."""
        rows = []
        for exercise, done in sorted(self._by_name("exercises").items()):
            tries = {n: sum(kind != "open" for kind in did["verdicts"]) for n, did in done.items()}
            hints = {name: work["hints"] for name, work in done.items() if work["hints"] > 0}
            tried = [name for name in done if tries[name] or name in hints]  # a stub is no try
            wrong = [name for name in tried if "right" not in done[name]["verdicts"]]
            stuck = [name for name in wrong if tries[name] >= STUCK]
            used = ", ".join(f"{name} {count}" for name, count in hints.items())
            counts = (len(tried), len(tried) - len(wrong), len(stuck), sum(hints.values()))
            rows += [(exercise, *counts, ", ".join(stuck), used)] if tried else []
        heads = ("exercise", "tried", "right", "stuck", "hints", "who is stuck", "who used hints")
        return Table(heads, rows)

    def misconceptions(self) -> Table:
        """Return the replies that students got, the most frequent first."""
        told = Counter(
            (exercise, sentence)
            for exercise, done in sorted(self._by_name("exercises").items())
            for work in done.values()
            for sentence in set(work["misconceptions"])
        )
        rows = [(count, *each) for each, count in told.most_common()]
        return Table(("students", "exercise", "reply"), rows)

    def predictions(self) -> Table:
        """Return by question: guesses, how many were close, the median guess, the result."""
        rows = []
        for question, made in self._by_name("predictions").items():
            misses = [one["miss"] for one in made.values() if one["miss"] is not None]
            middles = (_middle(one[of] for one in made.values()) for of in ("guess", "measured"))
            rows.append((question, len(misses), sum(m <= CLOSE for m in misses), *middles))
        return Table(("question", "guesses", "close", "median guess", "measured"), rows)

    def _by_name(self, kind: str) -> dict[str, dict[str, Any]]:
        """By exercise or question: what each student did, by name, or by file without one."""
        names = Counter(student["name"] for student in self.students.values())
        found: dict[str, dict[str, Any]] = {}
        for file, student in self.students.items():
            name = student["name"] or file.removesuffix(".json")
            name = f"{name} ({file})" if names[name] > 1 else name
            for key, facts in student[kind].items():
                found.setdefault(key, {})[name] = facts
        return found

    def _parts(self) -> list[str | Table]:
        count = len(self.students)
        told = f"{count} student{'s' * (count != 1)}."
        if self.unreadable:
            told += f" These files are not reports: {', '.join(self.unreadable)}."
        tables = (self.exercises(), self.misconceptions(), self.predictions())
        return [told, *(table for table in tables if table.rows)]

    def __repr__(self) -> str:
        return forms(*self._parts())["text/plain"]

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        shown = forms(*self._parts())
        if asked := self._by_name("predictions"):
            rooms = []
            for question, made in sorted(asked.items(), key=lambda each: -len(each[1]))[:DRAWN]:
                measured = [one["measured"] for one in made.values() if one["measured"] is not None]
                guesses = [one["guess"] for one in made.values()]
                rooms.append(Question(question, guesses, measured[0] if measured else None))
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


def _middle(answers: Iterable[Any]) -> str:
    """The median of some numbers, or the most frequent of some words."""
    given = [answer for answer in answers if answer is not None]
    if not given:
        return number_in_words(None)
    if any(isinstance(answer, str) for answer in given):
        return Counter(map(str, given)).most_common(1)[0][0]
    return number_in_words(median(given))
