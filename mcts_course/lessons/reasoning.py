"""Can a search reason? Ways to search the steps of a puzzle, and what its judge is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from statistics import fmean
from typing import Final

from mcts_viz.search import MCTS

from ..exercises import Case, Question, Task, texts_of
from ..intervals import paired_gain
from ..puzzle24 import (
    Attempt,
    Believed,
    Puzzle24,
    Thinker,
    exhaustive,
    flat_sampling,
    greedy,
    hands,
    solvable,
    tree_search,
    tree_with_playouts,
)
from ..tables import Table, word_for

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
    """Return how often a way solves each puzzle within each budget of calls."""
    tries = _tries(way, lambda hand, seed: Thinker(Puzzle24(hand), skill, error, seed=seed))
    return _within(tries, lambda attempt: attempt.end is not None)


def good_steps(puzzle: Puzzle24) -> list[str]:
    """Return the first steps after which 24 is still within reach."""
    start = puzzle.initial_state()
    return [str(s) for s in puzzle.legal_actions(start) if solvable(puzzle.play(start, s))]


def count_in_words(count: int) -> str:
    """Say how many of the 36 first steps that is."""
    words = {2: "1 or 2", 9: "3 to 9", 20: "10 to 20", 36: "more than 20"}
    return word_for(count, words)


def first_steps(search: MCTS, thinker: Thinker) -> Table:
    """The four most visited first steps: prior, visits, and whether 24 is still within reach."""
    prior = thinker.prior(search.root.state)
    children = sorted(search.root.children, key=lambda child: -child.visits)[:4]
    rows = [
        (
            str(child.action),
            f"{prior[child.action]:.2f}",
            child.visits,
            "good" if solvable(child.state) else "hopeless",
        )
        for child in children
    ]
    return Table(("first step", "prior", "visits", "the truth"), rows)


WAYS: Final[Mapping[str, Way]] = {
    "greedy": greedy,
    "repeated sampling": flat_sampling,
    "tree search": tree_search,
    "tree search without a judge": tree_with_playouts,
}


def four_ways() -> dict[str, Solved]:
    """Return, by way and budget, how often it solves each puzzle; exhaustive search comes last."""
    found = {name: solved(way, SKILL, 0.1) for name, way in WAYS.items()}
    return {**found, "exhaustive": solved_by_looking()}


def best_way(found: Mapping[str, Solved]) -> str:
    """The way that solves the most puzzles with 25 calls."""
    return max(WAYS, key=lambda name: fmean(found[name][25]))


def beside_sampling(found: Mapping[str, Solved]) -> str:
    """Does the tree without a judge solve more than sampling, puzzle by puzzle?"""
    tree, flat = found["tree search without a judge"][25], found["repeated sampling"][25]
    low, high = paired_gain(tree, flat)[1]
    return "it solves more" if low > 0 else "it solves fewer" if high < 0 else "no clear difference"


def by_error(found: Mapping[str, Solved]) -> dict[str, dict[float, list[float]]]:
    """Tree search with 25 calls by the error of its judge, beside sampling, which asks none."""
    errors = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
    return {
        "tree search": {error: solved(tree_search, SKILL, error)[25] for error in errors},
        "repeated sampling": dict.fromkeys(errors, found["repeated sampling"][25]),
    }


def error_in_words(error: float) -> str:
    """About which error that is."""
    words = {0.2: "about 0.1", 0.38: "about 0.3", 0.5: "about 0.45"}
    return word_for(error, words)


def blind_thinker(puzzle: Puzzle24, seed: int) -> Thinker:
    """Return a thinker whose judge condemns the good step that it finds most promising."""
    start = puzzle.initial_state()
    for number in range(seed, seed + 1000):
        thinker = Thinker(puzzle, SKILL, error=0.3, seed=number)
        prior = thinker.prior(start)
        best = max(prior, key=lambda step: prior[step])
        after = puzzle.play(start, best)
        if solvable(after) and thinker.value(after) < 0:
            return thinker
    raise LookupError("None of a thousand thinkers condemns a good step.")


def truth_in_words(believed: Mapping[str, Solved]) -> str:
    """Say what share of the claims with 100 calls is true."""
    share = fmean(believed["true"][100]) / fmean(believed["claimed"][100])
    words = {0.6: "about a half", 0.88: "about three quarters", 1.0: "nearly all"}
    return word_for(share, words)


def claims_of_both() -> Table:
    """Compare what sampling and tree search claim with 100 calls, unchecked, with the truth."""
    rows = []
    for name in ("repeated sampling", "tree search"):
        ends = claims(WAYS[name], gullible=0.05)
        rows.append((name, *(f"{fmean(ends[kind][100]):.2f}" for kind in ("claimed", "true"))))
    return Table(("with 100 calls", "claimed", "true"), rows)


def solved_by_looking() -> Solved:
    """The same for exhaustive search, which asks no thinker."""
    return solved(exhaustive, SKILL, 0.0)


def claims(way: Way, gullible: float) -> dict[str, Solved]:
    """Return what is claimed, and what of it is true, where a gullible judge checks the answers."""

    def thinker(hand: tuple[int, ...], seed: int) -> Thinker:
        return Thinker(Believed(hand, gullible=gullible, seed=seed), SKILL, 0.1, seed=seed)

    tries = _tries(way, thinker)
    return {
        "claimed": _within(tries, lambda attempt: attempt.end is not None),
        "true": _within(tries, lambda attempt: attempt.end == (24,)),
    }


def _tries(way: Way, thinker: Callable[[tuple[int, ...], int], Thinker]) -> list[list[Attempt]]:
    """Return, by puzzle, what came of it with the largest budget, one attempt for each thinker."""
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
    right=1 - 0.8**3,
    wrong={
        "a sum": 0.6,
        "all right": 0.2**3,
        "all wrong": 0.8**3,
        "one attempt": 0.2,
        "exactly one": 3 * 0.2 * 0.8**2,
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
