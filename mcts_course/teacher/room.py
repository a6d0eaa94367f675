"""The guesses of a class, drawn for the projector: a row of bars for each question."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from textwrap import fill, shorten
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from mcts_viz.errors import MctsVizError, door, require

from ..figures import COLOURS, Axes, Figure, label_of, new_figure
from ..predict import CODE, MADE, short_name

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
    return [
        Question(asked[name].question, guesses, asked[name].measured)
        for name, guesses in found.items()
    ]


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
