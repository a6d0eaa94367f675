"""A class at a glance, from the small files that notebooks have written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from mcts_viz.errors import MctsVizError, door, short_repr

from ..feedback import Shown
from ..progress import read_report, standing
from ..tables import Table

WIDEST: Final = 60
"""Characters of a name that are shown."""
STUCK: Final = 2
"""Who has tried so often, and was never right, is stuck."""
GUESSES: Final = 8
"""The guesses of a question that are counted, the most frequent ones."""


@dataclass(repr=False)
class ClassReport(Shown):
    """The work of a class, by the name of each file; it shows itself as tables."""

    students: dict[str, dict[str, Any]]
    unreadable: list[str] = field(default_factory=list)
    """Files that are not reports, and files with entries that no notebook writes."""

    def exercises(self) -> Table:
        """Return by exercise who has tried it, was right, is stuck, and has used hints."""
        rows, names = [], self._names()
        for exercise, done in sorted(self._by_key("exercises").items()):
            tries = {f: sum(kind != "open" for kind in did["verdicts"]) for f, did in done.items()}
            hints = {file: work["hints"] for file, work in done.items() if work["hints"] > 0}
            tried = [file for file in done if tries[file] or file in hints]  # a stub is no try
            wrong = [file for file in tried if standing(done[file]) != "right"]
            stuck = [names[file] for file in wrong if tries[file] >= STUCK]
            used = ", ".join(f"{names[file]} {count}" for file, count in hints.items())
            counts = (len(tried), len(tried) - len(wrong), len(stuck), sum(hints.values()))
            rows += [(exercise, *counts, ", ".join(stuck), used)] if tried else []
        heads = ("exercise", "tried", "right", "stuck", "hints", "who is stuck", "who used hints")
        return Table(heads, rows)

    def misconceptions(self) -> Table:
        """Return the replies that students got, the most frequent first."""
        told = Counter(
            (exercise, sentence)
            for exercise, done in sorted(self._by_key("exercises").items())
            for work in done.values()
            for sentence in set(work["misconceptions"])
        )
        rows = [(count, *each) for each, count in told.most_common()]
        return Table(("students", "exercise", "reply"), rows)

    def predictions(self) -> Table:
        """Return by question: how many guessed, how many rightly, who guessed what, the answer."""
        rows = []
        for question, made in self._by_key("predictions").items():
            guesses, answers = (
                Counter(one[kind] for one in made.values() if one[kind] is not None)
                for kind in ("guess", "measured")
            )
            answer = max(answers, key=lambda word: answers[word], default="–")
            given = ", ".join(f"{guess} {count}" for guess, count in guesses.most_common(GUESSES))
            rows.append((question, guesses.total(), guesses[answer], given, answer))
        return Table(("question", "guesses", "came true", "which", "answer"), rows)

    def _names(self) -> dict[str, str]:
        """Return by file the student's name, else the file's; both where two have the same."""
        names = {f: (did["name"] or Path(f).stem)[:WIDEST] for f, did in self.students.items()}
        often = Counter(names.values())
        return {f: name if often[name] == 1 else f"{name} ({f})" for f, name in names.items()}

    def _by_key(self, kind: str) -> dict[str, dict[str, Any]]:
        """By exercise or question: what each student did, by file."""
        found: dict[str, dict[str, Any]] = {}
        for file, student in self.students.items():
            for key, facts in student[kind].items():
                found.setdefault(key, {})[file] = facts
        return found

    def parts(self) -> list[str | Table]:
        """Return the number of students, and the tables that are not empty."""
        count = len(self.students)
        told = f"{count} student{'s' * (count != 1)}."
        if self.unreadable:
            told += f" These files are not reports: {', '.join(self.unreadable)}."
        tables = (self.exercises(), self.misconceptions(), self.predictions())
        return [told, *(table for table in tables if table.rows)]


@door
def class_report(folder: str | Path) -> ClassReport:
    """Read all reports of a folder (``*.json``). Raises ``MctsVizError`` where there is none."""
    try:
        paths = sorted(Path(folder).glob("*.json"))
    except (TypeError, ValueError):  # a name that no folder can have
        paths = []
    if not paths:
        raise MctsVizError(f"There is no report (*.json) in {short_repr(str(folder))}.")
    found = {path.name: read_report(path) for path in paths}
    students = {name: student for name, student in found.items() if student is not None}
    doubtful = [name for name, did in found.items() if did is None or did["left_out"]]
    return ClassReport(students, doubtful)
