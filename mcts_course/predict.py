"""Predictions that count: asked before, locked when the result is shown, summed up at the end.

A prediction is never right or wrong. It is compared with what was measured, in words, and what
surprises most is worth a second look (Crouch and Mazur 2004).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from math import isfinite, log1p, log10, nan
from numbers import Real
from typing import Any, Final
from urllib.parse import urlencode

import anywidget
import traitlets
from IPython.core.getipython import get_ipython
from IPython.display import display

from mcts_viz.errors import MctsVizError, door, require, short_repr
from mcts_viz.search.checks import fits, require_list
from mcts_viz.widgets.base import note
from mcts_viz.widgets.page import themed

from .feedback import Shown, explain, say
from .figures import forms_of
from .lessons import ORDER, read_texts
from .progress import keep, record
from .tables import Table, printable

CODE: Final = "mcts?"
"""The start of a code of guesses."""
CLOSE: Final = 0.1
"""A guess is close when it misses by a tenth of the range, or of a power of ten, at most."""

MADE: Final[dict[str, Prediction]] = {}
"""By question: the predictions of this notebook, in the order in which they were asked."""


@door
def predict(
    question: str,
    *,
    choices: Sequence[str] = (),
    low: float | None = None,
    high: float | None = None,
    answer: Any = None,
) -> Prediction:
    """Ask for a prediction, and show a field for it.

    It is one of ``choices``, or else a number from ``low`` to ``high``. Without widgets, give
    ``answer``, or set ``.value``. Raises ``MctsVizError`` for an answer of another kind. The same
    question again shows the same prediction, so a cell can be run twice.
    """
    require(isinstance(question, str), "question", "a text", question)
    for name, end in (("low", low), ("high", high)):
        require(end is None or fits(end), name, "a finite number", end)
    question, choices = printable(question), require_list("choices", choices, "of texts")
    asked = Prediction(question, tuple(map(number_in_words, choices)), low, high)
    made = MADE.get(question)
    if made != asked:
        made = MADE[question] = asked
        made.restore(record()["predictions"].get(question, {}))
    if answer is not None:
        made.value = answer
    made.show()
    return made


@door
def predictions() -> Predictions:
    """Return all predictions of this notebook next to the results; ``.code`` is for a poll."""
    return Predictions()


class Predictions(Shown):
    """The predictions of this notebook: how often, how far off; it shows itself as a table."""

    @property
    def code(self) -> str:
        """Your guesses as a short line without a name, to paste into the chat of your class."""
        answered = [made for made in MADE.values() if made.value is not None]
        return CODE + urlencode({short_name(made.question): made.value for made in answered})

    def parts(self) -> list[str | Table]:
        """Return how many guesses came close, and each next to its answer."""
        revealed = [made for made in MADE.values() if made.measured is not None]
        if not revealed:
            return ["No result has been shown yet, so there is nothing to compare."]
        misses = {made.question: made.miss for made in revealed if made.miss is not None}
        close = sum(miss <= CLOSE for miss in misses.values()) or "none"
        told = f"You made {len(misses)} of {len(revealed)} predictions; {close} came close."
        most = max(misses, key=lambda question: misses[question], default="")
        if misses.get(most, 0) > CLOSE:
            told += f" Your biggest surprise: “{most}” Can you explain it now?"
        rows = [(made.question, *made.compared()) for made in revealed]
        return [told, Table(("question", "your guess", "answer", ""), rows)]


def short_name(question: str) -> str:
    """Return the name of a question in a code: five letters and digits."""
    return sha256(question.encode()).hexdigest()[:5]


@dataclass
class Prediction:
    """A question and a student's guess, before and after the result is shown."""

    question: str
    choices: tuple[str, ...]
    low: float | None
    high: float | None
    measured: Any = field(default=None, init=False, compare=False)
    """The result, once it was revealed."""
    widget: PredictionWidget | None = field(default=None, init=False, compare=False, repr=False)
    _guess: Any = field(default=None, init=False, compare=False)

    # The answer ------------------------------------------------------------------------------

    @property
    def value(self) -> Any:
        """The answer, ``None`` before there is one."""
        return self._guess

    @value.setter
    def value(self, answer: Any) -> None:
        checked = self.checked(answer)
        if self.measured is None:
            self._guess = checked
            self._tell()
        elif checked != self._guess:
            say("The result has been shown, so your prediction stays as it was.")

    def checked(self, answer: Any) -> Any:
        """Return an answer as it is kept; raises ``MctsVizError`` for one of another kind."""
        if answer is None or answer is ...:
            return None
        if self.choices:
            if number_in_words(answer) in self.choices:
                return number_in_words(answer)
            raise MctsVizError(
                f"The guess must be {self._wanted()}; you gave {short_repr(answer)}."
            )
        low = self.low if self.low is not None else float("-inf")
        high = self.high if self.high is not None else float("inf")
        with suppress(OverflowError):  # 10**400 is a number, but no guess
            number = float(answer) if isinstance(answer, Real) else nan
            if isfinite(number) and low <= number <= high:
                return number
        raise MctsVizError(f"The guess must be {self._wanted()}; you gave {short_repr(answer)}.")

    def _wanted(self) -> str:
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.low is not None and self.high is not None:
            return f"a number from {number_in_words(self.low)} to {number_in_words(self.high)}"
        return "a number"

    # The result ------------------------------------------------------------------------------

    def reveal(self, measured: Any) -> None:
        """Show the question, the answer next to the guess, and what explains it; lock the guess.

        ``measured`` is a choice or a number. Of choices such as "about 50" and "about 100" the
        answer is the one nearest to the number.
        """
        measured = self.nearest(measured)
        right = fits(measured) or (self.choices and isinstance(measured, str | bool))
        require(right, "The answer", self._wanted(), measured, MctsVizError)  # or it is not saved
        self.measured = measured
        self._tell()
        guess, found, words = self.compared()
        guessed = "You gave no guess." if self.value is None else f"Your guess: {guess}."
        told = f" {words[0].upper()}{words[1:]}." if words else ""
        say(self.question, f"{guessed} Answer: {found}.{told}")
        if explained := explanations().get(self.question):
            explain(explained)

    def nearest(self, measured: Any) -> Any:
        """Return the choice whose number is nearest, or the number itself if none names one."""
        if number_in_words(measured) in self.choices or not isinstance(measured, Real):
            return measured
        numbers = {c: re.search(r"\d[\d,.]*", c) for c in self.choices}
        apart = {
            choice: abs(log1p(float(found[0].replace(",", ""))) - log1p(measured))
            for choice, found in numbers.items()
            if found
        }
        return min(apart, key=lambda choice: apart[choice], default=measured)

    def compared(self) -> tuple[str, str, str]:
        """Return the guess, the result, and their difference in words."""
        guess, found = self.value, self.measured
        return number_in_words(guess), number_in_words(found), self._difference(guess, found)

    def _difference(self, guess: Any, found: Any) -> str:
        if guess is None:
            return ""
        if self.choices:
            return "as you predicted" if guess == number_in_words(found) else "a surprise"
        if _reads_alike(guess, found):
            return "spot on"
        side = "too high" if guess > found else "too low"
        miss = self._miss(guess, found)
        if miss <= CLOSE:
            return f"close, a little {side}"
        ratio = max(guess, found) / min(guess, found) if min(guess, found) > 0 else 0
        if self._range or ratio < 2:
            return f"{number_in_words(abs(guess - found))} {side}"
        return f"{number_in_words(ratio)} times {side}"

    @property
    def _range(self) -> float:
        """The width of the range of guesses; 0 if it has no ends."""
        return 0.0 if self.low is None or self.high is None else self.high - self.low

    def _miss(self, guess: Any, found: Any) -> float:
        """The distance of a guess, from 0 to 1: as a share of the range, or in powers of ten."""
        if self.choices:
            return float(guess != number_in_words(found))
        if _reads_alike(guess, found):
            return 0.0
        if self._range:  # where both are small, or one is none, they are not close
            wide = min(self._range, 2 * max(abs(guess), abs(found)))
            return float(min(1, abs(guess - found) / wide))
        small, large = sorted((guess, found))
        return float(min(1, log10(large / small))) if small > 0 else 1.0

    @property
    def miss(self) -> float | None:
        """The distance of the guess: 0 is spot on, 1 the most; ``None`` without a guess."""
        if self.value is None or self.measured is None:
            return None
        return self._miss(self.value, self.measured)

    # The field -------------------------------------------------------------------------------

    def show(self) -> None:
        """Show the question, with a field where there are widgets."""
        wanted = "" if self._wanted() == "a number" else f" ({self._wanted()})"
        plain = f"Predict: {self.question}{wanted}"
        if get_ipython() is None:
            print(plain)
            return
        if self.widget is None:
            self.widget = PredictionWidget(self)
        note(self.widget)
        forms = {**forms_of(self.widget), "text/plain": plain}
        display(forms, raw=True)  # type: ignore[no-untyped-call]

    def restore(self, saved: dict[str, Any]) -> None:
        """Take over what an earlier kernel has saved."""
        with suppress(MctsVizError):  # it was asked otherwise
            self._guess, self.measured = self.checked(saved.get("guess")), saved.get("measured")

    def _tell(self) -> None:
        facts = {"guess": self.value, "measured": self.measured, "miss": self.miss}
        keep("predictions", self.question, facts)
        if self.widget is not None:
            self.widget.answer = self.value
            self.widget.locked = self.measured is not None

    def heard(self, answer: Any) -> None:
        """An answer from the page; one that came too late, or does not fit, is dropped."""
        try:
            if self.measured is None:
                self.value = answer
        finally:
            self._tell()


def explanations() -> dict[str, str]:
    """By question: the sentences that explain its answer, from the files of all lessons."""
    return {
        question: text for topic in ORDER for question, text in read_texts(topic)["reveals"].items()
    }


class PredictionWidget(anywidget.AnyWidget):
    """The field of a prediction; its page is ``predict.js``."""

    _esm = files(__package__).joinpath("predict.js").read_text(encoding="utf-8")
    _css = themed(".mcts-predict") + files(__package__).joinpath("predict.css").read_text("utf-8")

    question = traitlets.Unicode().tag(sync=True)
    choices = traitlets.List(traitlets.Unicode()).tag(sync=True)
    low = traitlets.Float(None, allow_none=True).tag(sync=True)
    high = traitlets.Float(None, allow_none=True).tag(sync=True)
    answer = traitlets.Any(None, allow_none=True).tag(sync=True)
    locked = traitlets.Bool(False).tag(sync=True)

    def __init__(self, made: Prediction) -> None:
        super().__init__(
            question=made.question,
            choices=list(made.choices),
            low=made.low,
            high=made.high,
            answer=made.value,
            locked=made.measured is not None,
        )
        self.observe(lambda change: made.heard(change.new), "answer")


def _reads_alike(guess: float, found: float) -> bool:
    """True if the guess is the result rounded to its digits: 0.33 is a third."""
    digits = f"{guess:g}".partition(".")[2]
    rounded = len(digits) > 1 and digits.isdigit() and round(found, len(digits)) == guess
    return rounded or number_in_words(guess) == number_in_words(found)


def number_in_words(value: Any) -> str:
    """A number as one would say it: three digits, or all of them where it counts things."""
    if value is None:
        return "–"
    if not isinstance(value, Real):
        return printable(str(value))
    number = float(value) + 0
    return f"{number:,.0f}" if number.is_integer() or abs(number) >= 1000 else f"{number:.3g}"
