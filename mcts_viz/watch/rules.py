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
    low: float
    high: float
    """Every c in between explains as many."""

    @property
    def c(self) -> float:
        """A number between both ends."""
        if isfinite(self.low) and isfinite(self.high):
            return (self.low + self.high) / 2
        return self.low if isfinite(self.low) else self.high


def bounds(rule: Rule, signs: Sequence[int], s: Siblings) -> tuple[Array, Array]:
    """By choice: the smallest and the largest c for which the rule makes it; nan if none does."""
    with np.errstate(all="ignore"):
        value, bonus = rule.value(s), np.nan_to_num(rule.bonus(s), nan=0, posinf=1e9, neginf=-1e9)
    sizes = np.diff(np.append(s.starts, len(s.n)))
    value = value * np.repeat(np.array(signs, float)[s.player], sizes)
    lead = np.repeat(value[s.chosen], sizes) - value
    more = np.repeat(bonus[s.chosen], sizes) - bonus
    lead[np.abs(lead) < WITHIN] = 0
    with np.errstate(all="ignore"):
        level = np.abs(more) < WITHIN
        low = np.where(~level & (more > 0), -(lead + WITHIN) / more, -inf)
        high = np.where(~level & (more < 0), (lead + WITHIN) / -more, inf)
    high[level & (lead < -WITHIN)] = -inf
    low, high = np.maximum.reduceat(low, s.starts), np.minimum.reduceat(high, s.starts)
    return low, high


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


def fits(s: Siblings, rules: Sequence[Rule] = RULES) -> list[Fit]:
    """All rules with the c that explains most choices, best first; of equals the first."""
    players = int(s.player.max()) + 1 if len(s) else 1
    every = [(1,) * players, (-1,) * players]
    if players > 1:
        every += [tuple(1 if p == q else -1 for p in range(players)) for q in range(players)]
    if players == 2:
        every = [(1, 1), (-1, -1), (1, -1), (-1, 1)]
    found = []
    for rule in rules:
        for signs in every:
            low, high = bounds(rule, signs, s)
            for least, most in ((0.0, inf), (-inf, 0.0)):
                found.append(Fit(rule, signs, *best_c(low, high, least, most)))
    return sorted(found, key=lambda fit: -fit.explained)
