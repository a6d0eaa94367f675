"""Which selection rule a search follows: each of its choices bounds c, from both sides.

A rule is a bonus, here without c, and a value. A search chooses the child with the largest
``sign * value + c * bonus``; the sign says for whom a node's wins speak.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass
class Siblings:
    """The visited children of a node when the search chose one of them, for many choices at once.

    All columns but ``starts`` have one entry a child; those of a choice stand together.
    """

    starts: Array
    """By choice: where its children begin."""
    time: Array
    """By choice: the iteration."""
    parent: Array
    """By choice: the node."""
    player: Array
    """By choice: the group of the player who chooses, from 0."""
    chosen: Array
    """By choice: the place of the child that was followed, among all entries."""
    node: Array
    n: Array
    """The child's visits."""
    w: Array
    """The child's wins."""
    N: Array
    """The parent's visits."""
    S: Array
    """The visits of all the parent's children."""
    P: Array
    """The child's prior; equal ones where none was found."""
    stale: Array
    """The parent's visits when the child was last visited."""
    squares: Array
    """The sum of the child's squared rewards."""

    def __len__(self) -> int:
        return len(self.starts)


Bonus = Callable[[Siblings], Array]


def mean(s: Siblings) -> Array:
    """The child's mean reward."""
    value: Array = s.w / s.n
    return value


class Rule(NamedTuple):
    """A row of the table; ``fault`` is the slug of the finding, if the rule is no sound one."""

    name: str
    bonus: Bonus
    value: Callable[[Siblings], Array] = mean
    fault: str = ""


def _tuned(s: Siblings) -> Array:
    variance = s.squares / s.n - (s.w / s.n) ** 2 + np.sqrt(2 * np.log(s.N) / s.n)
    bonus: Array = np.sqrt(np.log(s.N) / s.n * np.clip(variance, 0, 0.25))
    return bonus


def _growing(s: Siblings) -> Array:
    bonus: Array = s.P * np.sqrt(s.N) / (1 + s.n) * (1.25 + np.log((s.N + 19653) / 19652))
    return bonus


# A rule of your own is one line: RULES.append(Rule("my rule", lambda s: s.N / s.n))
RULES: Final = [
    Rule("UCB1", lambda s: np.sqrt(np.log(s.N) / s.n)),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.N + 1) / s.n)),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.S) / s.n)),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.N) / (s.n + 1))),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.N + 1) / (s.n + 1))),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.N - 1) / s.n)),
    Rule("PUCT", lambda s: s.P * np.sqrt(s.N) / (1 + s.n)),
    Rule("PUCT", lambda s: s.P * np.sqrt(s.S) / (1 + s.n)),
    Rule("PUCT", lambda s: s.P * np.sqrt(s.S + 1) / (1 + s.n)),
    Rule("PUCT", lambda s: s.P * np.sqrt(s.N) / s.n),
    Rule("PUCT", lambda s: s.P * np.sqrt(np.log(s.N) / (1 + s.n))),
    Rule("PUCT with AlphaZero's growing c", _growing),
    Rule("UCB1-Tuned", _tuned),
    Rule("UCB1 without the logarithm", lambda s: np.sqrt(s.N / s.n), fault="no-logarithm"),
    Rule("UCB1 without the root", lambda s: np.log(s.N) / s.n, fault="no-root"),
    Rule(
        "UCB1 with the child's visits in the logarithm",
        lambda s: np.sqrt(np.log(s.n) / s.n),
        fault="child-in-logarithm",
    ),
    Rule(
        "UCB1 with an old number of the parent's visits",
        lambda s: np.sqrt(np.log(s.stale) / s.n),
        fault="stale-statistics",
    ),
    Rule(
        "UCB1 with an integer division",
        lambda s: np.sqrt(np.log(s.N) / s.n),
        lambda s: s.w // s.n,
        "integer-division",
    ),
    Rule(
        "UCB1 with an integer division",
        lambda s: np.sqrt(np.log(s.N) // s.n),
        fault="integer-division",
    ),
    Rule("greedy", lambda s: np.zeros(len(s.n))),
    Rule("the fewest visits", lambda s: -s.n, lambda s: np.zeros(len(s.n)), "never-exploits"),
    Rule(
        "UCB1 with wins in the place of the mean",
        lambda s: np.sqrt(np.log(s.N) / s.n),
        lambda s: s.w,
        "sum-for-mean",
    ),
]
"""The forms that are known; of two that explain as much, the first counts."""
WITHIN: Final = 1e-9
"""Scores that differ by less are level."""


class Fit(NamedTuple):
    """How well a rule explains the choices."""

    rule: Rule
    signs: tuple[int, ...]
    """By player: 1 if it prefers large values, -1 if small ones."""
    explained: int
    of: int
    chance: float
    """How many a child picked at random would explain."""
    low: float
    high: float
    """Every c in between explains as many."""

    @property
    def c(self) -> float:
        """A number between both ends."""
        if isfinite(self.low) and isfinite(self.high):
            return (self.low + self.high) / 2
        if isfinite(self.low):
            return self.low + 1
        return self.high - 1 if isfinite(self.high) else -1e9

    @property
    def skill(self) -> float:
        """What it explains beyond chance: 1 for all, 0 for no more than that."""
        return (self.explained - self.chance) / max(1.0, self.of - self.chance)


def terms(rule: Rule, signs: Sequence[int], s: Siblings) -> tuple[Array, Array]:
    """By child: its value for the player who chooses, and its bonus."""
    sizes = np.diff(np.append(s.starts, len(s.n)))
    with np.errstate(all="ignore"):
        value, bonus = rule.value(s), np.nan_to_num(rule.bonus(s), nan=0, posinf=1e9, neginf=-1e9)
    return value * np.repeat(np.array(signs, float)[s.player], sizes), bonus


def bounds(value: Array, bonus: Array, s: Siblings) -> tuple[Array, Array]:
    """By choice: the smallest and the largest c with which it is made; none if they cross."""
    sizes = np.diff(np.append(s.starts, len(s.n)))
    lead = np.repeat(value[s.chosen], sizes) - value + WITHIN
    more = np.repeat(bonus[s.chosen], sizes) - bonus
    level = np.abs(more) < WITHIN
    with np.errstate(all="ignore"):
        low = np.where(~level & (more > 0), -lead / more, -inf)
        high = np.where(~level & (more < 0), -lead / more, inf)
    low[level & (lead < 0)], high[level & (lead < 0)] = inf, -inf  # no c at all
    return np.maximum.reduceat(low, s.starts), np.minimum.reduceat(high, s.starts)


def best_c(low: Array, high: Array, least: float, most: float) -> tuple[int, float, float]:
    """How many of the intervals the best c between both lies in, and from where to where."""
    low, high = np.maximum(low, least), np.minimum(high, most)
    kept = low <= high
    low, high = np.sort(low[kept]), np.sort(high[kept])
    if not len(low):
        return 0, least, most
    inside = np.arange(1, len(low) + 1) - np.searchsorted(high, low, side="left")
    best = int(inside.argmax())
    end = high[np.searchsorted(high, low[best], side="left")]
    return int(inside[best]), float(low[best]), float(end)


def fit(rule: Rule, signs: tuple[int, ...], s: Siblings) -> list[Fit]:
    """The best c from 0 upwards, and the best one below."""
    value, bonus = terms(rule, signs, s)
    low, high = bounds(value, bonus, s)
    sizes = np.diff(np.append(s.starts, len(s.n)))
    found = []
    ways = ((0.0, inf), (-inf, 0.0)) if value.any() else ((1.0, inf),)
    for least, most in ways:
        best = Fit(rule, signs, 0, len(s), 0.0, *best_c(low, high, least, most)[1:])
        best = best._replace(explained=int(((low <= best.high) & (high >= best.low)).sum()))
        score = value + np.clip(best.c, -1e9, 1e9) * bonus
        top = np.repeat(np.maximum.reduceat(score, s.starts), sizes)
        level = np.add.reduceat((score >= top - WITHIN).astype(float), s.starts)
        found.append(best._replace(chance=float((level / sizes).sum())))
    return found


def fits(s: Siblings, rules: Sequence[Rule] = RULES) -> list[Fit]:
    """All rules with the c that explains most choices, best first; of equals the first."""
    players = int(s.player.max()) + 1 if len(s) else 1
    every = [(1,) * players, (-1,) * players]
    if players > 1:
        one = [tuple(1 if p == q else -1 for p in range(players)) for q in range(players)]
        every += one
    found = [one for rule in rules for signs in every for one in fit(rule, signs, s)]
    return sorted(found, key=lambda one: (one.skill < 0.5, -one.explained, -min(one.high, 0)))
