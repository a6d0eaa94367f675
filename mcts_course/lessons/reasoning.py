"""Experiments and exercises of the lesson *Can a search reason?*"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import Final

from mcts_viz.search import MCTS

from ..boards import Picture, side_by_side, sketch
from ..exercises import Case, Question, Task, texts_of
from ..intervals import paired_gain, verdict
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
from ..tables import Table

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
    return {**found, "exhaustive": solved(exhaustive, SKILL, 0.0)}


def best_way(found: Mapping[str, Solved]) -> str:
    """The way that solves the most puzzles with 25 calls."""
    return max(WAYS, key=lambda name: fmean(found[name][25]))


def beside_sampling(found: Mapping[str, Solved]) -> str:
    """Does the tree without a judge solve more than sampling, puzzle by puzzle?"""
    tree, flat = found["tree search without a judge"][25], found["repeated sampling"][25]
    words = ("it solves more", "it solves fewer", "no clear difference")
    return verdict(paired_gain(tree, flat)[1], (0, 0), *words)


def by_error(found: Mapping[str, Solved]) -> dict[str, dict[float, list[float]]]:
    """Return tree search with 25 calls by the error of its judge, and sampling, which asks none."""
    errors = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5)
    return {
        "tree search": {error: solved(tree_search, SKILL, error)[25] for error in errors},
        "repeated sampling": dict.fromkeys(errors, found["repeated sampling"][25]),
    }


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


def true_share(believed: Mapping[str, Solved]) -> float:
    """Return what share of the claims with 100 calls is true."""
    return fmean(believed["true"][100]) / fmean(believed["claimed"][100])


def claims_of_both() -> Table:
    """Compare what sampling and tree search claim with 100 calls, unchecked, with the truth."""
    rows = []
    for name in ("repeated sampling", "tree search"):
        ends = claims(WAYS[name], gullible=0.05)
        rows.append((name, *(f"{fmean(ends[kind][100]):.2f}" for kind in ("claimed", "true"))))
    return Table(("with 100 calls", "claimed", "true"), rows)


def claims(way: Way, gullible: float) -> dict[str, Solved]:
    """Return what is claimed, and what of it is true, where a gullible judge checks each claim."""

    def thinker(hand: tuple[int, ...], seed: int) -> Thinker:
        return Thinker(Believed(hand, gullible=gullible, seed=seed), SKILL, 0.1, seed=seed)

    tries = _tries(way, thinker)
    return {
        "claimed": _within(tries, lambda attempt: attempt.end is not None),
        "true": _within(tries, lambda attempt: attempt.end == (24,)),
    }


def _tries(way: Way, thinker: Callable[[tuple[int, ...], int], Thinker]) -> list[list[Attempt]]:
    """Return, by puzzle, what came of it with the largest budget, one attempt for each thinker."""
    return [[way(thinker(hand, seed), BUDGETS[-1], seed) for seed in range(THINKERS)] for hand in puzzles()]


def _within(tries: Sequence[Sequence[Attempt]], counts: Callable[[Attempt], bool]) -> Solved:
    return {
        calls: [fmean(counts(a) and a.calls <= calls for a in some) for some in tries] for calls in BUDGETS
    }


def search_map() -> Picture:
    """Draw how the systems search: each node is a thought."""
    trees = {
        "no tree": ((-1, -1, -1, 0, 1, 2, 3, 4, 5), "repeated sampling"),
        "breadth-first": ((-1, 0, 0, 0, 1, 1, 3, 3), "tree of thoughts"),
        "MCTS with UCT": ((-1, 0, 0, 0, 2, 2, 5), "RAP, rStar, LATS"),
        "MCTS with PUCT": ((-1, 0, 0, 2, 3, 4), "AlphaProof"),
    }
    return side_by_side([sketch(kind, tree, below=who) for kind, (tree, who) in trees.items()])


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
