"""Two questions about a film of the student's own, dealt from it and answered by looking at it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from IPython.core.getipython import get_ipython
from IPython.display import display

from mcts_viz.errors import MctsVizError, require
from mcts_viz.player import Player
from mcts_viz.trace import Trace

from ..show.feedback import say
from .exercises import Exercise, Open, Texts, Verdict, plain
from .items import APART, first_clear

TERMS: Final = ("mean", "exploration", "neither")
GAINS: Final = {1.0: "+1", 0.5: "+½", 0.0: "+0"}
ABOUT_OTHERS: Final = Texts("both answers are what your film shows.", {}, name="own film")


class Asked(NamedTuple):
    """A question about one moment of a film, and what is right."""

    question: str
    key: str
    iteration: int
    phase: str


def which_term(film: Trace, iteration: int) -> Asked | None:
    """Ask which term sent the walk to its first move; None where the moves are too close."""
    before, path = film.at(iteration - 1), film.at(iteration).path
    terms = {node: before.terms(node) for node in before.children(0)}
    if len(path) < 2 or len(terms) < 3 or None in terms.values():
        return None
    nodes = list(terms)
    leads = [first_clear([pair[at] for pair in terms.values() if pair], APART) for at in (0, 1)]
    if None in leads:
        return None
    led = [name for name, at in zip(TERMS, leads, strict=False) if nodes[at or 0] == path[1]]
    if len(led) == 2:
        return None
    move = film.label(path[1])
    question = (
        f"In iteration {iteration} your search went to move {move}. Was its mean the highest of "
        "all moves, was its exploration term, or was it neither? Answer with one of the words "
        f"{', '.join(TERMS)}."
    )
    return Asked(question, led[0] if led else TERMS[2], iteration, "select")


def what_is_added(film: Trace, iteration: int) -> Asked | None:
    """Ask what the last card of a walk of three gets; None for a shorter walk, or another gain."""
    before, after = film.at(iteration - 1), film.at(iteration)
    node = after.path[-1]
    old = before.wins[node] if node < before.nodes else 0.0
    gain = GAINS.get(float(after.wins[node] - old))
    if len(after.path) < 3 or gain is None:
        return None
    walk = " → ".join(film.label(one) for one in after.path[1:])
    question = (
        f"In iteration {iteration} your search walked {walk}. What did backpropagation add to the "
        f"wins of the last card? Answer with one of {', '.join(GAINS.values())}."
    )
    return Asked(question, gain, iteration, "backpropagate")


KINDS: Final[tuple[Callable[[Trace, int], Asked | None], ...]] = (which_term, what_is_added)


def dealt(film: Trace, number: object) -> tuple[Asked, ...]:
    """Return a question of each kind about the film; the same number gets the same ones."""
    chance = Random(str(number))
    moments = list(range(2, len(film) + 1))
    chance.shuffle(moments)
    found = []
    for kind in KINDS:
        by_key = {one.key: one for moment in moments if (one := kind(film, moment))}
        if by_key:  # each answer is as likely, however often it is right
            found.append(by_key[chance.choice(sorted(by_key))])
    return tuple(found)


class FilmQuestions(Exercise):
    """Questions about a film: ``about`` deals them, ``check`` takes a list of answers.

    A wrong answer opens the film at the moment that it is about.
    """

    wrong: Mapping[str, Any] = MappingProxyType({})
    tolerance = 0.0

    def __init__(self, said: Texts = ABOUT_OTHERS) -> None:
        self.said = said
        self.film: Trace | None = None
        self.asked: tuple[Asked, ...] = ()

    def about(self, watch: Any, number: object = ...) -> None:
        """Ask two questions about what a ``Watch`` has seen, or about a trace.

        ``number`` is the student's own, and decides which ones. Raises ``MctsVizError`` for what
        has no film.
        """
        film = getattr(watch, "trace", watch)
        if number is ... or number is None or isinstance(watch, Open):
            say("○ Open: write your search, and put a number of your own in place of the dots.")
            return
        kind = "what Watch has seen, or a recorded search"
        require(isinstance(film, Trace) and len(film), "watch", kind, watch, MctsVizError)
        self.film, self.asked = film, dealt(film, number)
        for place, asked in enumerate(self.asked, 1):
            say(f"Question {place}. {asked.question}")

    @property
    def right(self) -> list[str]:
        """The right answers."""
        return [asked.key for asked in self.asked]

    def check(self, answer: object) -> None:
        """Show the feedback, and where an answer is wrong the moment of the film."""
        super().check(answer)
        wrong = self._first_wrong(self._seen(answer)) if isinstance(answer, list | tuple) else None
        if wrong and self.film and get_ipython() is not None:
            display(Player(self.film, wrong.iteration, wrong.phase))  # type: ignore[no-untyped-call]

    def _judge(self, answer: object) -> Verdict:
        if not self.asked:
            return Verdict("open", "○ Open: run the cell with your number first.")
        return super()._judge(answer)

    def _seen(self, answer: Any) -> Any:
        return plain([str(one).replace("½", "0.5") for one in answer])

    def _right(self) -> Any:
        return self._seen(self.right)

    def _first_wrong(self, given: Any) -> Asked | None:
        """The first question whose answer is wrong, and not still open."""
        pairs = zip(self.asked, given, self._right(), strict=False)
        return next((asked for asked, one, key in pairs if one not in (key, "ellipsis")), None)

    def _difference(self, given: Any, right: Any) -> Verdict:
        if len(given) != len(right):
            return Verdict("wrong", f"✗ Not yet: give {len(right)} answers, in a list.")
        wrong = self._first_wrong(given)
        assert wrong
        place = self.asked.index(wrong) + 1
        where = f"iteration {wrong.iteration}, phase {wrong.phase.capitalize()}"
        return Verdict("wrong", f"✗ Not yet: look at {where}, for question {place}.")

    def _solution(self) -> tuple[str, str]:
        return f"The answers are {', '.join(self.right)}: {self.why}", ""
