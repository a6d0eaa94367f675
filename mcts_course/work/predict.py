"""Predictions that count: asked before, locked when the result is shown, summed up at the end.

A prediction is never right or wrong. It is compared with what was measured, and a surprise is
worth a second look (Crouch and Mazur 2004).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from math import isfinite, log1p
from numbers import Real
from typing import Any, Final

import traitlets
from IPython.core.getipython import get_ipython
from IPython.display import display

from mcts_viz.errors import MctsVizError, require
from mcts_viz.player.base import Whole, note, run_of_cell
from mcts_viz.player.page import themed
from mcts_viz.search.checks import require_list

from ..lessons import ORDER, read_texts
from ..show.feedback import Shown, explain, say
from ..show.figures import forms_of
from ..show.tables import Table, printable
from .progress import keep, record

MADE: Final[dict[str, Prediction]] = {}
"""For each question: the predictions of this notebook, in the order in which they were asked."""


def predict(question: str, *, choices: Sequence[Any], answer: object = None) -> Prediction:
    """Ask for a prediction, one of ``choices``, and show a field for it.

    Without widgets, give ``answer``, or set ``.value``. Raises ``MctsVizError`` for an answer that
    is no choice. The same question again shows the same prediction, so a cell can be run twice.
    """
    require(isinstance(question, str), "question", "a text", question)
    words = [in_words(choice) for choice in require_list("choices", choices, "of texts")]
    right = words and len({*words}) == len(words)
    require(right, "choices", "one or more texts, each once", choices)
    question = printable(question)
    made = MADE.get(question)
    if made is None or made.choices != words:
        saved = record()["predictions"].get(question, {})
        if saved.get("guess") not in words:
            saved = {}  # none was made, or the question had other choices then
        made = Prediction(
            question=question,
            choices=words,
            answer=saved.get("guess"),
            measured=saved.get("measured"),
        )
        MADE[question] = made
    if answer is not None:
        made.value = answer
    made.show()
    return made


def predictions() -> Predictions:
    """Return all predictions of this notebook next to the results."""
    return Predictions()


class Predictions(Shown):
    """The predictions of this notebook, next to the results; it shows itself as a table."""

    def parts(self) -> list[str | Table]:
        """Return how many guesses were made and came true, and each next to its answer."""
        made = [one for one in MADE.values() if one.value is not None]
        revealed = [one for one in made if one.measured is not None]
        told = f"You made {len(made) or 'none'} of {len(MADE)} predictions"
        if not revealed:
            return [f"{told}, and no answer has been shown. {FIRST}"]
        true = [one for one in revealed if one.compared != SURPRISE]
        told += f"; {len(true) or 'none'} came true."
        if waiting := len(made) - len(revealed):
            told += f" {waiting} will have an answer when you run the cell that shows it."
        if len(true) < len(revealed):
            told += " Can you explain each surprise now?"
        rows = [(one.question, in_words(one.value), one.measured, one.compared) for one in revealed]
        return [told, Table(("question", "your guess", "answer", ""), rows)]


FIRST: Final = "Click a guess above, then run this cell again."
SURPRISE: Final = "a surprise"
BAR: Final = 40
"""Signs of the longest bar of a poll."""
CHAT: Final = 200_000
"""Signs of a chat that are read."""
LINE: Final = 500
"""Signs of a line of it."""
TIME: Final = re.compile(r"^\W*\d{1,2}:\d\d(:\d\d)?( ?[ap]m)?\W*", re.I)
SENDER: Final = re.compile(r"^([^:]{1,100}):")
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CONSONANTS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""Of these is the code of a question, so that it is no word."""


class Prediction(Whole):
    """A question and a student's guess, before and after the result is shown.

    Its field on the page is ``predict.js``, which knows all but the result.
    """

    _esm = files(__package__).joinpath("predict.js").read_text(encoding="utf-8")
    _css = themed(".mcts-predict") + files(__package__).joinpath("predict.css").read_text("utf-8")

    question = traitlets.Unicode().tag(sync=True)
    choices = traitlets.List(traitlets.Unicode()).tag(sync=True)
    answer = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    locked = traitlets.Bool(False).tag(sync=True)
    code = traitlets.Unicode().tag(sync=True)
    """Three letters of the question: with a letter for the choice, it is pasted into a chat."""
    kept = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    """The guess as this kernel has kept it: until the page hears of it, nothing is saved."""
    unsaved = traitlets.Unicode().tag(sync=True)
    """The reason why the guess is not in the file; "" if it is."""
    measured = traitlets.Unicode(None, allow_none=True)
    """The result, once it was revealed."""

    _run = ""
    """The run of a cell that has shown it last."""

    @traitlets.validate("answer")
    def _fitting(self, proposal: Any) -> str | None:
        """Drop an answer that comes too late or does not fit."""
        fits = proposal.value is None or proposal.value in self.choices
        return proposal.value if fits and not self.locked else self.answer

    @traitlets.observe("answer", "measured")
    def _keep(self, _: Any) -> None:
        self.locked = self.measured is not None
        made = {"guess": self.answer, "measured": self.measured}
        self.unsaved = keep("predictions", self.question, made)
        self.kept = self.answer

    @traitlets.default("code")
    def _code(self) -> str:
        digest = sha256(self.question.encode("utf-8", "replace")).digest()
        return "".join(CONSONANTS[byte % len(CONSONANTS)] for byte in digest[:3])

    def poll(self, chat: str) -> Poll:
        """Count the codes of this question in a chat that was pasted, one of each sender.

        Codes are such as ``KTR-B``: a field says its own when it has noted a guess.
        """
        require(isinstance(chat, str), "The chat", "a text", chat, MctsVizError)
        letters = dict(zip(LETTERS, self.choices, strict=False))
        given = [letters[one] for one in votes(self.code, chat) if one in letters]
        return Poll(self.question, {choice: given.count(choice) for choice in letters.values()})

    @property
    def value(self) -> str | None:
        """The guess, ``None`` before there is one; to set what is no choice is an
        ``MctsVizError``."""
        return self.answer

    @value.setter
    def value(self, answer: object) -> None:
        word = None if answer is None or answer is ... else in_words(answer)
        kind = f"one of {', '.join(self.choices)}"
        require(word is None or word in self.choices, "The guess", kind, answer, MctsVizError)
        if self.locked and word != self.answer:
            say("The result has been shown, so your prediction stays as it was.")
        self.answer = word

    def reveal(self, measured: Any) -> None:
        """Show the question, the answer next to the guess, and what explains it; lock the guess.

        Without a guess nothing is shown or locked: to run a cell, or all of them, is no guess.
        Of choices such as "about 50" and "about 100" the answer is the one nearest to a number.
        """
        right = not isinstance(measured, Real) or isfinite(measured)
        require(right, "The result", "a text or a finite number", measured, MctsVizError)
        if self.value is None:
            where = "Where there is nothing to click, give predict its `answer`."
            say(self.question, f"○ Open: you have not made a guess. {FIRST} {where}")
            return
        self.measured = self.nearest(measured)
        told = f"{self.compared.capitalize()}."
        say(self.question, f"Your guess: {self.value}. Answer: {self.measured}. {told}")
        if explained := explanations().get(self.question):
            explain(explained)
        if self.unsaved:
            say(self.unsaved)

    def nearest(self, measured: Any) -> str:
        """Return the choice whose number is nearest; what was measured if none names a number."""
        word = in_words(measured)
        if word in self.choices or not isinstance(measured, Real):
            return word
        numbers = {choice: re.search(r"\d[\d,.]*", choice) for choice in self.choices}
        apart = {
            choice: abs(log1p(float(found[0].replace(",", ""))) - log1p(float(measured)))
            for choice, found in numbers.items()
            if found
        }
        return min(apart, key=lambda choice: apart[choice], default=word)

    @property
    def compared(self) -> str:
        """The difference between guess and result in words; none where one of them is missing."""
        if self.value is None or self.measured is None:
            return ""
        return "as you predicted" if self.value == self.measured else SURPRISE

    def show(self) -> None:
        """Show the question, with its field where there are widgets."""
        if get_ipython() is None:
            print(repr(self))
        else:
            self._run = ""
            display(self)  # type: ignore[no-untyped-call]

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """The field; as the result of the cell that has shown it, no second one."""
        run = run_of_cell()
        if run and run == self._run:
            return {"text/plain": repr(self)}
        self._run = run
        note(self)
        return {**forms_of(self), "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"Predict: {self.question} (one of {', '.join(self.choices)})"


@dataclass(frozen=True, repr=False)
class Poll(Shown):
    """The guesses of a class, with the number of votes for each; shown as bars."""

    question: str
    counts: dict[str, int]

    def parts(self) -> list[str | Table]:
        """Return the question, and a bar for each choice."""
        most = max(1, *self.counts.values())
        bars = [
            ("█" * round(BAR * count / most), count, choice)
            for choice, count in self.counts.items()
        ]
        return [self.question, Table(("", "votes", "guess"), bars)]


def votes(code: str, chat: str) -> list[str]:
    """Return the letters that follow the code in a chat: the last one of each sender.

    The sender is the text before the first colon of a line, without the time; lines without one
    are the last sender's. Where no line has a sender, each line is a vote.
    """
    found: dict[str, str] = {}
    sender = ""
    for number, line in enumerate(chat[:CHAT].splitlines()):
        named = SENDER.match(TIME.sub("", line[:LINE]))
        sender = named[1].strip().casefold() if named else sender
        if given := re.search(rf"\b{code}-([A-Z])\b", line[:LINE].upper()):
            found[sender or f"line {number}"] = given[1]
    return list(found.values())


def explanations() -> dict[str, str]:
    """For each question: the sentences that explain its answer, from the files of all lessons."""
    return {
        question: text for topic in ORDER for question, text in read_texts(topic)["reveals"].items()
    }


def in_words(value: object) -> str:
    """A guess or a result as one would say it: of a number three digits, or all that it counts."""
    if value is None:
        return "–"
    if not isinstance(value, Real):
        return printable(str(value))
    number = float(value) + 0
    return f"{number:,.0f}" if number.is_integer() or abs(number) >= 1000 else f"{number:.3g}"
