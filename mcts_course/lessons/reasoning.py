"""The experiments and exercises of lesson 15, Can a search reason?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from statistics import fmean
from typing import Final

from ..exercises import Case, Question, Task, texts_of
from ..puzzle24 import Attempt, Believed, Puzzle24, Thinker, exhaustive, hands

SAID: Final = texts_of(__name__)
BUDGETS: Final = (3, 6, 12, 25, 50, 100)
"""Calls."""
THINKERS: Final = 3
"""For each puzzle, with different luck."""
SKILL: Final = 1.5

Way = Callable[[Thinker, int, int], Attempt]
Solved = dict[float, list[float]]
"""By budget: for each puzzle the share of thinkers with which it was solved."""


# Experiments ---------------------------------------------------------------------------------


@cache
def puzzles() -> tuple[tuple[int, ...], ...]:
    """The sixty hands of the lesson, each of which can be solved."""
    return tuple(hands(60, seed=15))


def solved(way: Way, skill: float, error: float) -> Solved:
    """How often a way solves each puzzle within each budget of calls."""
    tries = _tries(way, lambda hand, seed: Thinker(Puzzle24(hand), skill, error, seed=seed))
    return _within(tries, lambda attempt: attempt.end is not None)


def solved_by_looking() -> Solved:
    """The same for exhaustive search, which asks no thinker."""
    return solved(exhaustive, SKILL, 0.0)


def claims(way: Way, gullible: float) -> dict[str, Solved]:
    """What is claimed, and what is true of it, where a gullible judge checks the answers."""

    def thinker(hand: tuple[int, ...], seed: int) -> Thinker:
        return Thinker(Believed(hand, gullible=gullible, seed=seed), SKILL, 0.1, seed=seed)

    tries = _tries(way, thinker)
    return {
        "claimed": _within(tries, lambda attempt: attempt.end is not None),
        "true": _within(tries, lambda attempt: attempt.end == (24,)),
    }


def _tries(way: Way, thinker: Callable[[tuple[int, ...], int], Thinker]) -> list[list[Attempt]]:
    """By puzzle: what came of it with the largest budget, one attempt for each thinker."""
    return [
        [way(thinker(hand, seed), BUDGETS[-1], seed) for seed in range(THINKERS)]
        for hand in puzzles()
    ]


def _within(tries: Sequence[Sequence[Attempt]], counts: Callable[[Attempt], bool]) -> Solved:
    return {
        calls: [fmean(counts(a) and a.calls <= calls for a in some) for some in tries]
        for calls in BUDGETS
    }


def level(judged: Mapping[str, Mapping[float, Sequence[float]]]) -> float:
    """The error, on a straight line between two measured ones, where both curves meet.

    The largest error that was measured if they do not.
    """
    tree, flat = judged.values()
    leads = [(error, fmean(tree[error]) - fmean(flat[error])) for error in tree]
    for (left, lead), (right, next_lead) in pairwise(leads):
        if lead > 0 >= next_lead:
            return left + (right - left) * lead / (lead - next_lead)
    return leads[-1][0]


# Three attempts ------------------------------------------------------------------------------

three_attempts: Final = Question(
    SAID["three_attempts"],
    text="Each attempt is right with probability 0.2. How likely is a right one among three?",
    right=1 - 0.8**3,
    wrong={
        "a sum": 0.6,
        "all right": 0.2**3,
        "all wrong": 0.8**3,
        "one attempt": 0.2,
        "exactly one": 3 * 0.2 * 0.8**2,
    },
)


# What is a sample worth? ---------------------------------------------------------------------


def success(p: float, cost: int, calls: int) -> float:
    return float(1 - (1 - p) ** (calls // cost))


write_success: Final = Task(
    SAID["write_success"],
    solution=success,
    cases=(
        Case("with p = 0.2, 3 calls an attempt and 9 calls", (0.2, 3, 9)),
        Case("with 8 calls, which pay for two attempts and a rest", (0.2, 3, 8)),
        Case("with p = 0.5 and 30 calls", (0.5, 3, 30)),
        Case("when the calls do not pay for one attempt", (0.9, 3, 2)),
    ),
    wrong={
        "a sum": lambda p, cost, calls: p * (calls // cost),
        "cut off at 1": lambda p, cost, calls: min(1.0, p * (calls // cost)),
        "no cost": lambda p, cost, calls: 1 - (1 - p) ** calls,
        "parts of attempts": lambda p, cost, calls: float(1 - (1 - p) ** (calls / cost)),
        "all right": lambda p, cost, calls: p ** (calls // cost),
        "all wrong": lambda p, cost, calls: (1 - p) ** (calls // cost),
    },
)


# How far can you trust a claim? --------------------------------------------------------------


def trust(p: float, gullible: float) -> float:
    return p / (p + (1 - p) * gullible)


write_trust: Final = Task(
    SAID["write_trust"],
    solution=trust,
    cases=(
        Case("with p = 0.1 and gullible = 0.05", (0.1, 0.05)),
        Case("with p = 0.5 and gullible = 0.2", (0.5, 0.2)),
        Case("with p = 0.01 and gullible = 0.1", (0.01, 0.1)),
        Case("with a judge that is never fooled", (0.3, 0.0)),
    ),
    wrong={
        "honesty alone": lambda p, gullible: 1 - gullible,
        "p alone": lambda p, gullible: p,
        "of all attempts": lambda p, gullible: p * (1 - gullible),
        "all attempts can fool": lambda p, gullible: p / (p + gullible),
        "all claims": lambda p, gullible: p + (1 - p) * gullible,
    },
)
