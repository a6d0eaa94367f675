"""The Game of 24 as a game for one: reach 24 from four numbers by +, −, × and ÷.

A step takes two of the numbers that are left and puts their result in their place, so a position
is the numbers that are left. Arithmetic is exact. Guides that know the truth and blur it take
the place of a language model: nothing here asks one.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import exp
from typing import Any, Final, NamedTuple, TypeAlias

from mcts_viz.errors import GameError, short_repr
from mcts_viz.games import Game, Playout, Returns
from mcts_viz.search.mcts import MCTS
from mcts_viz.search.variants import expand_all_play_leaf

from .priors import guided, puct_with

Number: TypeAlias = int | Fraction
"""Whole numbers are ints, which equal the fraction and are faster."""
Numbers: TypeAlias = tuple[Number, ...]
"""The numbers that are left, the smallest first."""


MOST: Final = 400
"""Rounds of a search; more of them than calls end in numbers that were met before."""


class Step(NamedTuple):
    """``left sign right``, two of the numbers that are left."""

    left: Number
    sign: str
    right: Number

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {_bracketed(self.right)} = {self.result}"

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


def _bracketed(number: Number) -> str:
    return f"({number})" if number < 0 else str(number)


@dataclass(frozen=True)
class Puzzle24(Game[Numbers, Step]):
    """Reach ``goal`` from ``numbers``, each used once. The return is 1 for success, else −1."""

    numbers: tuple[int, ...] = (4, 9, 10, 13)
    goal: int = 24

    players = ("Solver",)

    def __post_init__(self) -> None:
        whole = all(type(number) is int and abs(number) <= 1000 for number in self.numbers)
        if not whole or not 1 <= len(self.numbers) <= 6:
            raise GameError(f"numbers is {short_repr(self.numbers)}: give one to six whole numbers.")

    @property
    def name(self) -> str:
        return f"Game of {self.goal}"

    def parameters(self) -> dict[str, Any]:
        return {"numbers": list(self.numbers), "goal": self.goal}

    def initial_state(self) -> Numbers:
        return tuple(sorted(self.numbers))

    def to_move(self, state: Numbers) -> int:
        return 0

    def legal_actions(self, state: Numbers) -> tuple[Step, ...]:
        return _steps(state)

    def play(self, state: Numbers, action: Step) -> Numbers:
        if action not in _steps(state):
            raise GameError(f"{short_repr(str(action))} is not a step from {self.text(state)}.")
        return _after(state, action)

    def is_terminal(self, state: Numbers) -> bool:
        return len(state) == 1

    def returns(self, state: Numbers) -> Returns:
        return (1.0,) if state[0] == self.goal else (-1.0,)

    def action_label(self, state: Numbers, action: Step) -> str:
        """The step, and the numbers that it leaves."""
        return f"{action} → {self.text(_after(state, action))}" if len(state) > 2 else str(action)

    def text(self, state: Numbers) -> str:
        """The numbers that are left, such as ``4 10 10/3``."""
        return " ".join(map(str, state))

    def parse(self, text: str) -> Numbers:
        """The position that such a text describes; raises ``GameError`` if it is none."""
        try:
            numbers = tuple(sorted(_whole(Fraction(number)) for number in text.split()))
        except (ValueError, ZeroDivisionError):
            numbers = ()
        if not numbers:
            raise GameError(f"{short_repr(text)} is not a list of numbers. Write them as in '4 9 10 13'.")
        return numbers


@cache
def _steps(state: Numbers) -> tuple[Step, ...]:
    """Every step, those with the same result from the same numbers once: 4 + 9 but not 9 + 4."""
    steps = dict.fromkeys(
        Step(a, sign, b)
        for a, b in permutations(state, 2)
        for sign in _RESULTS
        if not (sign in "+×" and a > b) and not (sign == "÷" and b == 0)
    )
    return tuple(steps)


def _after(state: Numbers, step: Step) -> Numbers:
    left = list(state)
    left.remove(step.left)
    left.remove(step.right)
    return tuple(sorted([*left, step.result]))


@cache
def solvable(state: Numbers, goal: int = 24) -> bool:
    """True if some steps lead from these numbers to the goal: the truth, by looking at all."""
    if len(state) == 1:
        return state[0] == goal
    return any(solvable(_after(state, step), goal) for step in _steps(state))


@dataclass(frozen=True)
class Thinker:
    """A proposer and judge with a script: it knows the truth and blurs it.

    The prior of a step is the softmax of luck, a normal number, plus ``skill`` if the step leaves
    24 within reach: 0 is guessing, 4 nearly always right. As a judge of a position it is ``sure``,
    in [0, 1], and wrong in a share ``error`` of all positions. The same ``seed`` says the same of
    the same position, however often it is asked: to ask again is no help.
    """

    game: Puzzle24
    skill: float = 2.0
    error: float = 0.0
    sure: float = 0.9
    seed: int = 0

    def prior(self, state: Numbers) -> dict[Step, float]:
        """By step: how promising it looks; all together 1."""
        return _hunch(self, state)

    def value(self, state: Numbers) -> float:
        """The judge's value, from -1, 24 is out of reach, to 1, within reach."""
        wrong = self._luck("value", state).random() < self.error
        return self.sure if solvable(state, self.game.goal) != wrong else -self.sure

    def _luck(self, *about: object) -> random.Random:
        return random.Random(f"{self.seed} {' '.join(map(str, about))}")


@dataclass(frozen=True)
class Believed(Puzzle24):
    """The same puzzle where no one checks the end: a judge says if it is 24.

    The judge never misses a 24, but takes a share ``gullible`` of all other numbers for one.
    """

    gullible: float = 0.02
    seed: int = 0

    def parameters(self) -> dict[str, Any]:
        return {**super().parameters(), "gullible": self.gullible, "seed": self.seed}

    def returns(self, state: Numbers) -> Returns:
        fooled = random.Random(f"{self.seed} {state[0]}").random() < self.gullible
        return (1.0,) if fooled or state[0] == self.goal else (-1.0,)


@cache
def _hunch(thinker: Thinker, state: Numbers) -> dict[Step, float]:
    luck, goal = thinker._luck("prior", *state), thinker.game.goal
    weights = {
        step: exp(luck.gauss(0, 1) + thinker.skill * solvable(_after(state, step), goal))
        for step in _steps(state)
    }
    total = sum(weights.values())
    return {step: weight / total for step, weight in weights.items()}


# Ways to look for a solution -----------------------------------------------------------------


class Attempt(NamedTuple):
    """The end of a search for 24."""

    calls: int
    """The number of positions that the thinker was asked about, each once."""
    end: Numbers | None
    """The number that it stopped at, as a solution; ``None`` if the calls were used up."""


def greedy(thinker: Thinker, calls: int, seed: int = 0) -> Attempt:
    """Take the most promising step each time, and never go back."""
    game = thinker.game
    state = game.initial_state()
    for asked in range(calls + 1):
        if game.is_terminal(state):
            return Attempt(asked, state if game.returns(state)[0] > 0 else None)
        prior = thinker.prior(state)
        state = game.play(state, max(prior, key=prior.__getitem__))
    return Attempt(calls, None)


class _UsedUpError(Exception):
    """The calls are used up."""


def _think_on(
    thinker: Thinker, state: Numbers, calls: int, asked: set[Numbers], draw: random.Random
) -> tuple[list[Step], Numbers]:
    """Steps picked at random by their priors, and the number at their end."""
    steps = []
    while len(state) > 1:
        if state not in asked and len(asked) == calls:
            raise _UsedUpError
        asked.add(state)
        prior = thinker.prior(state)
        steps.append(draw.choices(list(prior), list(prior.values()))[0])
        state = _after(state, steps[-1])
    return steps, state


def flat_sampling(thinker: Thinker, calls: int, seed: int = 0) -> Attempt:
    """Think from the start again and again, each step picked at random by its prior."""
    game, draw, asked = thinker.game, random.Random(seed), set[Numbers]()
    with suppress(_UsedUpError):
        for _ in range(MOST):
            _, end = _think_on(thinker, game.initial_state(), calls, asked, draw)
            if game.returns(end)[0] > 0:
                return Attempt(len(asked), end)
    return Attempt(len(asked), None)


def tree_search(thinker: Thinker, calls: int, seed: int = 0) -> Attempt:
    """MCTS, guided by the thinker's priors and by its judgement of unfinished positions."""
    game = thinker.game
    search, asked = MCTS(game, c=1, seed=seed, **guided(game, thinker)), 0
    for _ in range(MOST):
        path = search.select()
        node = search.expand(path)
        over = game.is_terminal(node.state)
        if over and game.returns(node.state)[0] > 0:
            return Attempt(asked, node.state)
        if not over:
            if asked == calls:
                break
            asked += 1
        search.backpropagate(path, search.simulate(node))
    return Attempt(asked, None)


def tree_with_playouts(thinker: Thinker, calls: int, seed: int = 0) -> Attempt:
    """The same tree without a judge: playouts follow the proposer, and the verifier ends them."""
    game, draw, asked = thinker.game, random.Random(seed), set[Numbers]()
    rule = puct_with(thinker.prior)
    search = MCTS(game, c=1, seed=seed, selection=rule, expansion=expand_all_play_leaf)
    with suppress(_UsedUpError):
        for _ in range(MOST):
            path = search.select()
            steps, end = _think_on(thinker, search.expand(path).state, calls, asked, draw)
            if game.returns(end)[0] > 0:
                return Attempt(len(asked), end)
            search.backpropagate(path, Playout(steps, game.returns(end)))
    return Attempt(len(asked), None)


def exhaustive(thinker: Thinker, calls: int, seed: int = 0) -> Attempt:
    """Look at everything, in the order of the rules; it asks no thinker, but visits positions."""
    game, visited = thinker.game, 0
    waiting = [game.initial_state()]
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            if game.returns(state)[0] > 0:
                return Attempt(visited, state)
            continue
        if visited == calls:
            return Attempt(calls, None)
        visited += 1
        waiting += [_after(state, step) for step in reversed(_steps(state))]
    return Attempt(visited, None)


def hands(count: int, seed: int) -> list[tuple[int, ...]]:
    """Return ``count`` different hands of four cards, 1 to 13, that can be solved."""
    draw, found = random.Random(seed), dict[tuple[int, ...], None]()
    while len(found) < count:
        hand = tuple(sorted(draw.randint(1, 13) for _ in range(4)))
        if solvable(hand):
            found[hand] = None
    return list(found)
