"""A class at a glance: the small files that notebooks have written, and the guesses of a poll."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import fill, shorten
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

from mcts_viz.errors import MctsVizError, door, require, short_repr

from ..feedback import Shown
from ..figures import COLOURS, Axes, Figure, label_of, new_figure
from ..predict import CODE, MADE, in_words, short_name
from ..progress import read_report
from ..tables import Table

WIDEST: Final = 60
"""Characters of a name that are shown."""
STUCK: Final = 2
"""Who has tried so often, and was never right, is stuck."""


@dataclass(repr=False)
class ClassReport(Shown):
    """The work of a class, by the name of each file; it shows itself as tables and histograms."""

    students: dict[str, dict[str, Any]]
    unreadable: list[str] = field(default_factory=list)
    """Files that are not reports."""

    def exercises(self) -> Table:
        """Return by exercise who has tried it, was right, is stuck, and has used hints."""
        rows, names = [], self._names()
        for exercise, done in sorted(self._by_key("exercises").items()):
            tries = {f: sum(kind != "open" for kind in did["verdicts"]) for f, did in done.items()}
            hints = {file: work["hints"] for file, work in done.items() if work["hints"] > 0}
            tried = [file for file in done if tries[file] or file in hints]  # a stub is no try
            wrong = [file for file in tried if "right" not in done[file]["verdicts"]]
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
        """Return by question: guesses, how many came true, the most frequent one, the answer."""
        rows = []
        for question in self._asked():
            given = [guess for guess in question.guesses if guess is not None]
            true = sum(guess == question.measured for guess in given)
            most = in_words(_most_frequent(given))
            rows.append((question.text, len(given), true, most, in_words(question.measured)))
        return Table(("question", "guesses", "came true", "most frequent", "answer"), rows)

    def _asked(self) -> list[Question]:
        """Return the questions, each with all guesses and with the answer that was shown."""
        return [
            Question(
                question,
                [one["guess"] for one in made.values()],
                _most_frequent(one["measured"] for one in made.values()),
            )
            for question, made in self._by_key("predictions").items()
        ]

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

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        shown = super()._repr_mimebundle_()
        if asked := self._asked():
            png = base64.b64encode(plot_guesses(asked)._repr_png_()).decode("ascii")
            alt = "Histograms of the guesses"
            shown["text/html"] += f'\n<p><img alt="{alt}" src="data:image/png;base64,{png}"></p>'
        return shown


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
    return ClassReport(students, [name for name, student in found.items() if student is None])


def _most_frequent(answers: Iterable[str | None]) -> str | None:
    """The most frequent answer; of equals the first."""
    given = Counter(answer for answer in answers if answer is not None)
    return max(given, key=lambda word: given[word], default=None)


# The guesses of a class -------------------------------------------------------------------

QUESTIONS: Final = 40
BARS: Final = 8
"""The questions and bars that are drawn, the most frequent ones; a class has no more to say."""


class Question(NamedTuple):
    """A question, the guess of each student, and the result, once it is known."""

    text: str
    guesses: list[str | None]
    measured: str | None


@door
def class_poll(pasted: str) -> Figure:
    """Draw what a class guesses, from the codes that it has pasted into its chat.

    Each student pastes ``predictions().code``; names, times and other text around the codes do no
    harm. The questions are those that this notebook has asked. Raises ``MctsVizError`` where no
    code fits one of them.
    """
    kind = "the text of the chat, between three quotation marks"
    require(isinstance(pasted, str), "pasted", kind, pasted)
    questions = poll(pasted)
    if not questions:
        raise MctsVizError(
            "No code of a student fits a question of this notebook. Run the cells that ask, and "
            "paste what `predictions().code` shows, between three quotation marks."
        )
    return plot_guesses(questions)


def poll(pasted: str) -> list[Question]:
    """Return the guesses, by question of this notebook."""
    asked = {short_name(made.question): made for made in MADE.values()}
    found: dict[str, list[str | None]] = {}
    for code in re.findall(re.escape(CODE) + r"([\w.~+%=&-]{1,2000})", pasted):
        for name, text in parse_qsl(code):
            if made := asked.get(name):
                with suppress(MctsVizError):  # a guess that is none
                    found.setdefault(name, []).append(made.checked(text))
    return [Question(asked[name].question, guesses, asked[name].measured) for name, guesses in found.items()]


def plot_guesses(questions: list[Question]) -> Figure:
    """Draw how many students guessed what; the result is the first bar, in colour."""
    shown = sorted(questions, key=lambda question: -len(question.guesses))[:QUESTIONS]
    columns = min(2, len(shown))
    rows = -(-len(shown) // columns)
    figure, plots = new_figure(4.8 * columns, 2.4 * rows, columns, rows)
    for axes, question in zip(plots, shown, strict=False):
        _draw(axes, question)
    for axes in plots[len(shown) :]:
        axes.set_axis_off()
    return figure


def _draw(axes: Axes, question: Question) -> None:
    given = sorted(guess for guess in question.guesses if guess is not None)
    result = question.measured
    counts = Counter({result: 0} if result else {})
    counts.update(given)
    frequent = {result, *(word for word, _ in counts.most_common(BARS))}
    words = [word for word in counts if word in frequent]
    colours = [COLOURS["select" if word == result else "muted"] for word in words]
    labels = [label_of(shorten(word, 32, placeholder="…")) for word in words]
    axes.barh(range(len(words)), [counts[word] for word in words], color=colours)
    axes.set_yticks(range(len(words)), labels, fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("students", fontsize=8)
    axes.locator_params(axis="x", nbins=4, integer=True)
    title = fill(label_of(shorten(question.text, 200, placeholder="…")), 52)
    axes.set_title(f"{title} ({len(given)})", fontsize=9, loc="left")
