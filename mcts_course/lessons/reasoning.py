"""Experiments and exercises of the lesson *Can a search reason?*"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import Final

from mcts_viz.errors import among, require, require_one_of
from mcts_viz.search import MCTS

from ..learning.puzzle24 import Attempt, Puzzle24, Thinker, best_of_n, hands, solvable, tree_search
from ..measure.intervals import paired_gain, verdict
from ..show.tables import Table
from ..typed import typed_door
from ..work.exercises import Case, Question, Task, texts_of

SAID: Final = texts_of(__name__)
BUDGETS: Final = (3, 6, 12, 25, 50, 100)
"""Calls."""
THINKERS: Final = 3
"""For each puzzle, with different luck."""
ERROR: Final = 0.1
"""The share of positions in which the judge is wrong, if nothing else is said."""
WAYS: Final = {"best-of-n": best_of_n, "tree search": tree_search}

Solved = dict[float, list[float]]
"""For each budget: for each puzzle the share of thinkers with which it was solved."""


# Experiments ---------------------------------------------------------------------------------


@cache
def puzzles() -> tuple[tuple[int, ...], ...]:
    """The sixty hands of the lesson, each of which can be solved."""
    return tuple(hands(60, seed=15))


@typed_door
def good_steps(puzzle: Puzzle24) -> list[str]:
    """Return the first steps after which 24 is still within reach."""
    start = puzzle.initial_state()
    return [str(s) for s in puzzle.legal_actions(start) if solvable(puzzle.play(start, s))]


@typed_door
def first_steps(search: MCTS, thinker: Thinker, rows: int = 8) -> Table:
    """The first steps of a search, by visits and then by prior, with the numbers that they leave.

    ``rank`` is the place of the most visited one in the order of the priors, from 1.
    """
    require(isinstance(search.game, Puzzle24), "search", "a search of a Puzzle24", search)
    root = search.root
    prior = thinker.prior(root.state)
    order = sorted(root.children, key=lambda one: (-one.visits, -prior[one.action]))
    shown = [
        (
            str(one.action),
            search.game.text(one.state),
            one.visits,
            f"{one.mean:.2f}" if one.visits else "–",
            f"{prior[one.action]:.3f}",
        )
        for one in order[:rows]
    ]
    ranked = sorted(prior, key=lambda step: -prior[step])
    heads = ("first step", "numbers left", "visits", "mean", "prior")
    return Table(heads, shown, rank=1 + ranked.index(order[0].action))


@typed_door
def rank_in_words(steps: Table) -> str:
    """The rank of the most visited step, as the prediction asks for it."""
    return {1: "first of 36", 2: "second of 36"}.get(steps.rank, f"rank {steps.rank}")


def attempts(
    way: str, error: float = ERROR, gullible: float = 0.0, calls: int = BUDGETS[-1]
) -> list[list[Attempt]]:
    """Return, by puzzle, one attempt for each thinker."""

    def attempt(hand: tuple[int, ...], seed: int) -> Attempt:
        thinker = Thinker(Puzzle24(hand, gullible, seed), error=error, seed=seed)
        return WAYS[way](thinker, calls, seed)

    return [[attempt(hand, seed) for seed in range(THINKERS)] for hand in puzzles()]


def within(tries: Sequence[Sequence[Attempt]], counts: Callable[[Attempt], bool]) -> Solved:
    """Return, by budget and puzzle, the share of attempts that end in time and that count."""
    return {
        calls: [fmean(counts(a) and a.calls <= calls for a in some) for some in tries]
        for calls in BUDGETS
    }


def claimed(attempt: Attempt) -> bool:
    """True if it stopped at a number that it took for 24."""
    return attempt.end is not None


def both_ways() -> dict[str, Solved]:
    """Return, by way and budget, how often it solves each puzzle."""
    return {way: within(attempts(way), claimed) for way in WAYS}


def shares_at(found: Mapping[str, Solved], way: str, key: float) -> list[float]:
    """The shares of a way at a budget, or an error; raises ``SearchError`` for one of no entry."""
    require(among(way, found), "found", f"a dict that has {way!r}", [*found])
    require_one_of("What is asked for", key, found[way])
    return found[way][key]


@typed_door
def better_way(found: Mapping[str, Solved], at: float) -> str:
    """The way that solves more at this budget, or this error, compared puzzle by puzzle."""
    _, interval = paired_gain(*(shares_at(found, way, at) for way in ("tree search", "best-of-n")))
    return verdict(interval, (0, 0), "tree search", "best-of-n", "no clear difference")


@typed_door
def by_error(found: Mapping[str, Solved]) -> dict[str, Solved]:
    """Return tree search with 25 calls by the error of its judge, and best-of-n, which asks
    none."""
    errors = (0.0, ERROR, 0.2, 0.3, 0.4, 0.5)
    searched = {e: attempts("tree search", e, calls=25) for e in errors if e != ERROR}
    shares = {e: within(tries, claimed)[25] for e, tries in searched.items()}
    shares[ERROR] = shares_at(found, "tree search", 25)
    return {
        "best-of-n": dict.fromkeys(errors, shares_at(found, "best-of-n", 25)),
        "tree search": {e: shares[e] for e in errors},
    }


@typed_door
def claims(gullible: float) -> dict[str, Solved]:
    """Return what each way claims, and what of it is true, if a gullible judge checks the
    claims."""
    found = {}
    for way in WAYS:
        tries = attempts(way, gullible=gullible)
        found[f"{way}, claimed"] = within(tries, claimed)
        found[f"{way}, true"] = within(tries, lambda attempt: attempt.end == (24,))
    return found


@typed_door
def true_share(found: Mapping[str, Solved], way: str) -> float:
    """Return what share of its claims with 100 calls is true."""
    require_one_of("way", way, WAYS)
    true, claimed = (shares_at(found, f"{way}, {kind}", 100) for kind in ("true", "claimed"))
    return fmean(true) / fmean(claimed)


# Three attempts ------------------------------------------------------------------------------

three_attempts: Final = Question(
    SAID["three_attempts"],
    right=1 - 0.8**3,
    wrong={"a sum": 0.6, "all right": 0.2**3, "all wrong": 0.8**3, "exactly one": 3 * 0.2 * 0.8**2},
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
        Case("with a model that is never fooled", (0.3, 0.0)),
    ),
    wrong={
        "honesty alone": lambda p, gullible: 1 - gullible,
        "of all attempts": lambda p, gullible: p * (1 - gullible),
        "all attempts can fool": lambda p, gullible: p / (p + gullible),
        "all claims": lambda p, gullible: p + (1 - p) * gullible,
        "the false share": lambda p, gullible: (1 - p) * gullible / (p + (1 - p) * gullible),
        "wrong ones seen through": lambda p, gullible: p / (p + (1 - p) * (1 - gullible)),
        "right ones fooled": lambda p, gullible: p * gullible / (p * gullible + (1 - p) * gullible),
    },
)
