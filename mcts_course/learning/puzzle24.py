"""The Game of 24 as a game for one: reach 24 from four numbers by +, −, × and ÷.

A step takes two of the numbers that are left and puts their result in their place, so a position
is the numbers that are left. Arithmetic is exact. Guides that know the truth and blur it take
the place of a language model: nothing here asks one.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import exp
from typing import Any, Final, NamedTuple, TypeAlias

from mcts_viz.errors import GameError, fits, items, must_be, require, short_repr
from mcts_viz.games import Game, Returns
from mcts_viz.search.checks import require_number
from mcts_viz.search.mcts import MCTS

from .priors import guided

Number: TypeAlias = int | Fraction
"""Whole numbers are ints, which equal the fraction and are faster."""
Numbers: TypeAlias = tuple[Number, ...]
"""The numbers that are left, the smallest first."""


GOAL: Final = 24
MOST_NUMBERS: Final = 6
"""A puzzle of more has too many steps to look at all of them."""
MOST: Final = 400
"""Rounds of a search; more of them than calls end in numbers that were met before."""


def require_share(name: str, value: object) -> None:
    require(fits(value, 0, 1), name, "a number from 0 to 1", value)


def shown(number: Number) -> str:
    """The number as text, with the minus sign that a step has."""
    return str(number).replace("-", "−")


class Step(NamedTuple):
    """``left sign right``, two of the numbers that are left."""

    left: Number
    sign: str
    right: Number

    def __str__(self) -> str:
        right = f"({shown(self.right)})" if self.right < 0 else self.right
        return f"{shown(self.left)} {self.sign} {right} = {shown(self.result)}"

    @property
    def result(self) -> Number:
        return _RESULTS[self.sign](self.left, self.right)


def _whole(number: Fraction) -> Number:
    return number.numerator if number.denominator == 1 else number


_RESULTS: Final[Mapping[str, Callable[[Any, Any], Number]]] = {
    "+": operator.add,
    "−": operator.sub,
    "×": operator.mul,
    "÷": lambda left, right: _whole(Fraction(left) / right),
}


@dataclass(frozen=True)
class Puzzle24(Game[Numbers, Step]):
    """Reach 24 from ``numbers``, each used once. The return is 1 for success, else −1.

    With ``gullible`` above 0 a careless judge decides whether the last number is 24. It accepts
    every 24, and also this share of all other numbers, picked by ``seed``.
    """

    numbers: tuple[int, ...] = (4, 9, 10, 13)
    gullible: float = 0.0
    seed: int = 0

    players = ("Solver",)
    name = "Game of 24"

    def __post_init__(self) -> None:
        numbers = items(self.numbers, MOST_NUMBERS)
        right = numbers and all(fits(n, whole=True) for n in numbers)
        kind = f"1 to {MOST_NUMBERS} whole numbers in brackets, such as (4, 9, 10, 13)"
        require(right, "numbers", kind, self.numbers, GameError)
        object.__setattr__(self, "numbers", tuple(map(int, numbers)))
        require_share("gullible", self.gullible)

    def parameters(self) -> dict[str, Any]:
        return {"numbers": list(self.numbers), "gullible": self.gullible, "seed": self.seed}

    def initial_state(self) -> Numbers:
        return tuple(sorted(self.numbers))

    def to_move(self, state: Numbers) -> int:
        return 0

    def legal_actions(self, state: Numbers) -> tuple[Step, ...]:
        return _steps(state)

    def play(self, state: Numbers, action: Step) -> Numbers:
        if action not in _steps(state):
            raise GameError(
                f"{short_repr(str(action))} is not a step from {self.text(state)}: take one of "
                "game.legal_actions(state)."
            )
        return _after(state, action)

    def is_terminal(self, state: Numbers) -> bool:
        return len(state) == 1

    def returns(self, state: Numbers) -> Returns:
        fooled = random.Random(f"{self.seed} {state[0]}").random() < self.gullible
        return (1.0,) if fooled or state[0] == GOAL else (-1.0,)

    def action_label(self, state: Numbers, action: Step) -> str:
        """The step, and the numbers that it leaves."""
        return f"{action} → {self.text(_after(state, action))}" if len(state) > 2 else str(action)

    def text(self, state: Numbers) -> str:
        """The numbers that are left, such as ``4 10 10/3``."""
        return " ".join(map(shown, state))

    def parse(self, text: str) -> Numbers:
        require(isinstance(text, str), "A position's text", "a string", text, GameError)
        numbers = text.replace("−", "-").split()
        try:
            return tuple(sorted(_whole(Fraction(number)) for number in numbers))
        except (ValueError, ZeroDivisionError):
            kind = "numbers and spaces, such as '4 10 10/3'"
            raise must_be("A position's text", kind, text, GameError) from None


def _is_step(a: Number, sign: str, b: Number) -> bool:
    """True unless it divides by zero, or repeats a sum or a product with its numbers exchanged."""
    if sign == "÷":
        return b != 0
    return sign not in "+×" or a <= b


@cache
def _steps(state: Numbers) -> tuple[Step, ...]:
    """Every step, those with the same result from the same numbers once: 4 + 9 but not 9 + 4."""
    ways = ((a, sign, b) for (a, b), sign in product(permutations(state, 2), _RESULTS))
    steps = dict.fromkeys(Step(*way) for way in ways if _is_step(*way))
    return tuple(steps)


def _after(state: Numbers, step: Step) -> Numbers:
    left = list(state)
    left.remove(step.left)
    left.remove(step.right)
    return tuple(sorted([*left, step.result]))


@cache
def solvable(state: Numbers) -> bool:
    """True if some steps lead from these numbers to 24: the truth, by looking at all."""
    if len(state) == 1:
        return state[0] == GOAL
    return any(solvable(_after(state, step)) for step in _steps(state))


def hands(count: int, seed: int) -> list[tuple[int, ...]]:
    """Return ``count`` different hands of four cards, 1 to 13, that can be solved."""
    draw, found = random.Random(seed), dict[tuple[int, ...], None]()
    while len(found) < count:
        hand = tuple(sorted(draw.randint(1, 13) for _ in range(4)))
        if solvable(hand):
            found[hand] = None
    return list(found)


# A thinker, and two ways to use it -------------------------------------------------------------


@dataclass(frozen=True)
class Thinker:
    """A proposer and judge with a script: it knows the truth and blurs it.

    The prior of a step is the softmax of luck, a normal number, plus ``skill`` if the step leaves
    24 within reach: 0 is guessing, 4 nearly always right. The judge is wrong in a share ``error``
    of all positions. The same ``seed`` says the same of the same position, however often it is
    asked: to ask again is no help.
    """

    game: Puzzle24
    skill: float = 1.5
    error: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        right = isinstance(self.game, Puzzle24)
        require(right, "game", "a puzzle, such as Puzzle24((4, 9, 10, 13))", self.game)
        require_number("skill", self.skill)
        require_share("error", self.error)

    def prior(self, state: Numbers) -> dict[Step, float]:
        """For each step: how promising it looks; all together 1."""
        return _hunch(self, state)

    def value(self, state: Numbers) -> float:
        """The judge's value: near -1, 24 is out of reach, or near 1, within reach."""
        wrong = self._luck("value", state).random() < self.error
        return 0.9 if solvable(state) != wrong else -0.9

    def _luck(self, *about: object) -> random.Random:
        return random.Random(f"{self.seed} {' '.join(map(str, about))}")


@cache
def _hunch(thinker: Thinker, state: Numbers) -> dict[Step, float]:
    luck, skill = thinker._luck("prior", *state), thinker.skill
    weights = {s: exp(luck.gauss(0, 1) + skill * solvable(_after(state, s))) for s in _steps(state)}
    total = sum(weights.values())
    return {step: weight / total for step, weight in weights.items()}


class Attempt(NamedTuple):
    """The end of a search for 24."""

    calls: int
    """The number of positions that the thinker was asked about, each once."""
    end: Numbers | None
    """The number that it stopped at, as a solution; ``None`` if the calls were used up."""


def best_of_n(thinker: Thinker, calls: int, seed: int = 0) -> Attempt:
    """Think from the start again and again, each step picked at random by its prior."""
    game = thinker.game
    draw = random.Random(seed)
    asked = set[Numbers]()
    for _ in range(MOST):
        state = game.initial_state()
        while not game.is_terminal(state):
            if state not in asked and len(asked) == calls:
                return Attempt(calls, None)
            asked.add(state)
            prior = thinker.prior(state)
            state = _after(state, draw.choices(list(prior), list(prior.values()))[0])
        if game.returns(state)[0] > 0:
            return Attempt(len(asked), state)
    return Attempt(len(asked), None)


def tree_search(thinker: Thinker, calls: int, seed: int = 0) -> Attempt:
    """MCTS, guided by the thinker's priors and by its judgement of unfinished positions."""
    game = thinker.game
    search, asked = MCTS(game, c=1, seed=seed, **guided(game, thinker)), 0
    for _ in range(MOST):
        path = search.select()
        node = search.expand(path)
        if not game.is_terminal(node.state):
            if asked == calls:
                break
            asked += 1
        elif game.returns(node.state)[0] > 0:
            return Attempt(asked, node.state)
        search.backpropagate(path, search.simulate(node))
    return Attempt(asked, None)
