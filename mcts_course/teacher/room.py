"""The guesses of a class, drawn for the projector: a histogram for each question."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from textwrap import fill
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

import numpy as np

from mcts_viz.errors import MctsVizError

from ..figures import COLOURS, Axes, Figure, label_of, new_figure
from ..predict import CODE, MADE, short_name

BINS = 12
DECADES = 2
"""Positive guesses that span more powers of ten have a logarithmic axis."""
LARGEST: Final = 1e12
"""Larger numbers are drawn here: near the largest of all there is no room for bins."""


class Question(NamedTuple):
    """A question, the guess of each student, and the result, once it is known."""

    text: str
    guesses: list[Any]
    measured: Any


def class_poll(pasted: str) -> Figure:
    """Draw what a class guesses, from the codes that it has pasted into its chat.

    Each student pastes ``predictions().code``; names, times and other text around the codes do no
    harm. The questions are those that this notebook has asked. Raises ``MctsVizError`` where no
    code fits one of them.
    """
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
    found: dict[str, list[Any]] = {}
    for code in re.findall(re.escape(CODE) + r"([\w.~+%=&-]{1,2000})", pasted):
        for name, text in parse_qsl(code):
            if made := asked.get(name):
                with suppress(ValueError):  # a guess that is none
                    guess = made.checked(text if made.choices else float(text))
                    found.setdefault(name, []).append(guess)
    return [
        Question(asked[name].question, guesses, asked[name].measured)
        for name, guesses in found.items()
    ]


def plot_guesses(questions: list[Question]) -> Figure:
    """Draw how many students guessed what; a line, or a filled bar, is what was measured."""
    columns = min(2, len(questions))
    rows = -(-len(questions) // columns)
    figure, plots = new_figure(4.8 * columns, 2.4 * rows, columns, rows)
    for axes, question in zip(plots, questions, strict=False):
        _draw(axes, question)
    for axes in plots[len(questions) :]:
        axes.set_axis_off()
    return figure


def _draw(axes: Axes, question: Question) -> None:
    given = [guess for guess in question.guesses if guess is not None]
    title = fill(label_of(question.text), 52)
    axes.set_title(f"{title} ({len(given)})", fontsize=9, loc="left")
    axes.locator_params(axis="y", nbins=4, integer=True)
    axes.set_ylabel("students", fontsize=8)
    results = [] if question.measured is None else [question.measured]
    if any(isinstance(value, str) for value in given + results):
        counts = Counter({str(found): 0 for found in results})
        counts.update(map(str, given))
        right = set(map(str, results))
        colours = [COLOURS["select" if word in right else "muted"] for word in counts]
        axes.bar([label_of(word) for word in counts], list(counts.values()), color=colours)
        return
    given, results = ([max(-LARGEST, min(LARGEST, n)) for n in some] for some in (given, results))
    numbers = given + results
    if not numbers:
        return
    low, high = min(numbers), max(numbers)
    wide = low > 0 and high / low > 10**DECADES
    bins: Any = np.geomspace(low, high, BINS + 1) if wide else BINS
    axes.set_xscale("log" if wide else "linear")
    span = None if wide else (low, high if high > low else low + 1)
    axes.hist(given, bins=bins, range=span, color=COLOURS["muted"])
    for found in results:
        axes.axvline(found, color=COLOURS["select"], linewidth=2)
