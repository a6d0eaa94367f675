"""A class at a glance: each notebook may write one small file, and one call reads them all.

Nothing is sent anywhere. A file holds verdicts, misconceptions and predictions, no answer's text,
and no name unless it is given.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

from mcts_viz.errors import MctsVizError, reason, short_repr

from ..exercises import Exercise
from ..feedback import markdown_table, say
from ..predict import CLOSE, MADE, number_in_words

FORMAT: Final = "mcts_course report 1"
STUCK: Final = 2
"""Who has tried so often, and was never right, is stuck."""


def summary(name: str = "") -> dict[str, Any]:
    """What this kernel knows of the student's work, as plain values."""
    exercises = {}
    for lesson in sorted(module for module in sys.modules if ".lessons." in module):
        for word, exercise in vars(sys.modules[lesson]).items():
            if isinstance(exercise, Exercise) and exercise.progress.verdicts:
                verdicts = exercise.progress.verdicts
                exercises[f"{lesson.rpartition('.')[2]}.{word}"] = {
                    "verdicts": [verdict.kind for verdict in verdicts],
                    "misconceptions": [v.sentence for v in verdicts if v.kind == "misconception"],
                    "hints": exercise.progress.hints,
                }
    made = {
        key: {
            "question": one.question,
            "guesses": one.numbers,
            "measured": list(one.measured.values()),
            "miss": one.miss if one.answered else None,
        }
        for key, one in MADE.items()
        if one.measured is not None
    }
    return {"format": FORMAT, "name": name, "exercises": exercises, "predictions": made}


def write_report(path: str | Path, name: str = "") -> None:
    """Write the verdicts and predictions of this notebook to a small file, such as ``me.json``."""
    text = json.dumps(summary(str(name)), indent=1, ensure_ascii=False, default=float)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise MctsVizError(f"{short_repr(str(path))} cannot be written: {reason(error)}.") from None


@dataclass
class ClassReport:
    """The work of a class, by student: those who gave a name by it, the others by their file."""

    students: dict[str, dict[str, Any]]
    unreadable: list[str] = field(default_factory=list)
    """Files that are no reports."""

    def exercises(self) -> list[str]:
        """All exercises that somebody has tried."""
        return sorted({name for student in self.students.values() for name in student["exercises"]})

    def work_on(self, exercise: str) -> dict[str, Mapping[str, Any]]:
        """By student: what they did with this exercise."""
        students = self.students.items()
        return {n: s["exercises"][exercise] for n, s in students if exercise in s["exercises"]}

    def right(self, exercise: str) -> list[str]:
        """Who has been right."""
        work_on = self.work_on(exercise).items()
        return [name for name, work in work_on if "right" in work["verdicts"]]

    def stuck(self, exercise: str) -> list[str]:
        """Who has tried at least twice, and never was right."""
        return [
            name
            for name, work in self.work_on(exercise).items()
            if "right" not in work["verdicts"]
            and sum(kind != "open" for kind in work["verdicts"]) >= STUCK
        ]

    def misconceptions(self, exercise: str) -> list[tuple[str, int]]:
        """What the class was told, by how many students, the most frequent first."""
        told = Counter(
            sentence
            for work in self.work_on(exercise).values()
            for sentence in set(work["misconceptions"])
        )
        return told.most_common()

    def predictions(self) -> list[tuple[str, int, int, str, str]]:
        """By question: guesses, how many came close, the median guess, and what was measured."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for student in self.students.values():
            for made in student["predictions"].values():
                found.setdefault(made["question"], []).append(made)
        return [(question, *_compared(made)) for question, made in found.items()]

    def show(self) -> None:
        """Show the report: a table of exercises, of misconceptions, and of predictions."""
        lines = [f"{len(self.students)} students."]
        if self.unreadable:
            lines[0] += f" No reports: {', '.join(self.unreadable)}."
        names = self.exercises()
        rows = [
            (name, len(self.work_on(name)), len(self.right(name)), len(stuck), ", ".join(stuck))
            for name in names
            for stuck in [self.stuck(name)]
        ]
        told = [(n, name, text) for name in names for text, n in self.misconceptions(name)]
        told.sort(key=lambda row: -row[0])
        tables: dict[str, Sequence[Any]] = {
            "| exercise | tried | right | stuck | who is stuck |": rows,
            "| students | exercise | were told |": told,
            "| question | guesses | close | median guess | measured |": self.predictions(),
        }
        for head, found in tables.items():
            lines += ["", *markdown_table(head, found)] if found else []
        say("\n".join(lines))


def class_report(folder: str | Path) -> ClassReport:
    """Read all reports of a folder (``*.json``) and show them. Raises ``MctsVizError`` for none."""
    paths = sorted(Path(folder).glob("*.json"))
    if not paths:
        raise MctsVizError(f"There is no report (*.json) in {short_repr(str(folder))}.")
    report = ClassReport({})
    for path in paths:
        student = _read(path)
        if student is None:
            report.unreadable.append(path.name)
            continue
        name = student["name"] or path.stem
        report.students[name if name not in report.students else path.stem] = student
    report.show()
    return report


def _read(path: Path) -> dict[str, Any] | None:
    """A report, or ``None`` where a file is none, whatever it holds."""
    try:
        student: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        sound = student["format"] == FORMAT and isinstance(student["name"], str)
        for work in student["exercises"].values():
            sound &= _all(str, work["verdicts"]) and _all(str, work["misconceptions"])
        for made in student["predictions"].values():
            sound &= isinstance(made["question"], str)
            sound &= _all(float | int | str | None, [*made["guesses"], *made["measured"]])
            sound &= isinstance(made["miss"], float | int | None)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    return student if sound else None


def _all(kind: Any, values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, kind) for value in values)


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
