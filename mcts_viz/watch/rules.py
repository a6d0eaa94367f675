"""Read off the selection rule of a search: each choice bounds c from both sides.

A rule is a bonus, here without c, and a value. A search chooses the child with the largest
``sign * value + c * bonus``; the sign says whose wins a node counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import inf, isfinite, sqrt
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
ENOUGH: Final = 20
"""Events that are needed before anything is said."""
NEARLY: Final = 0.95
"""The share of events in which a thing must happen to be a habit."""
WITHIN: Final = 1e-9
"""Scores that differ by less are level."""


class Choices:
    """Many choices at once, in columns.

    Each choice has the place of its first child (``starts``), that of the ``chosen`` one, the
    number of children (``sizes``), its ``time``, and the ``player``, 0 or 1. Each child of a choice
    has its ``node``, its visits ``n``, wins ``w`` and prior ``P`` (1 where none was found), the
    parent's visits ``N`` and those of all its children, ``S``.
    """

    def __init__(self, choices: Array, children: Array, chooser: Sequence[int]) -> None:
        self.time, self.starts, self.chosen = choices.astype(int).T
        self.node, (self.n, self.w, self.P, self.N, self.S) = children[:, 0].astype(int), children[:, 1:].T
        self.sizes = np.diff(self.starts, append=len(self.n))
        self.player = np.array(chooser)[self.node[self.chosen]] % 2

    def looks_random(self, value: Array, player: int) -> bool:
        """True if the children that a player chose rank in a value as random ones would."""
        mine = np.repeat(value[self.chosen], self.sizes)
        beaten = np.add.reduceat((value < mine) + 0.5 * (value == mine), self.starts) - 0.5
        rank = (beaten / np.maximum(1, self.sizes - 1))[self.player == player] - 0.5
        return not len(rank) or bool(abs(rank.mean()) * sqrt(12 * len(rank)) <= 4)


def mean(s: Choices) -> Any:
    """The child's mean reward."""
    return s.w / s.n


def ucb(s: Choices) -> Any:
    """The bonus of UCB1."""
    return np.sqrt(np.log(s.N) / s.n)


class Rule(NamedTuple):
    """A row of the table; ``fault`` is the slug of the finding, if the rule is no sound one."""

    name: str
    bonus: Callable[[Choices], Array]
    fault: str = ""
    value: Callable[[Choices], Array] = mean


# A rule of your own is one line: RULES.append(Rule("my rule", lambda s: s.N / s.n))
RULES: Final = [
    Rule("UCB1", ucb),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.N + 1) / s.n)),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.S) / s.n)),
    Rule("UCB1", lambda s: np.sqrt(np.log(s.N) / (s.n + 1))),
    Rule("PUCT", lambda s: s.P * np.sqrt(s.N) / (1 + s.n)),
    Rule("PUCT", lambda s: s.P * np.sqrt(s.S) / (1 + s.n)),
    Rule("PUCT without priors", lambda s: np.sqrt(s.N) / (1 + s.n)),
    Rule("UCB1 without the logarithm", lambda s: np.sqrt(s.N / s.n), "no-logarithm"),
    Rule("UCB1 without the root", lambda s: np.log(s.N) / s.n, "no-root"),
    Rule("UCB1 with ln of the child's visits", lambda s: np.sqrt(np.log(s.n) / s.n), "child-in-logarithm"),
    Rule("UCB1 with integer division", ucb, "integer-division", lambda s: s.w // s.n),
    Rule("UCB1 with wins in the place of the mean", ucb, "sum-for-mean", lambda s: s.w),
    Rule("UCB1 with its second term subtracted", lambda s: -ucb(s), "bonus-subtracted"),
    Rule("the lowest score of UCB1", lambda s: -ucb(s), "chooses-the-worst", lambda s: -mean(s)),
]
"""The forms that are known; of two that explain as much, the first counts."""


def fits(s: Choices, reach: float) -> Iterator[tuple[int, Rule, tuple[int, ...], float, float]]:
    """Yield how many choices each rule explains at most, the rule, its signs, and the range of c.

    A sign is 1 for a player who prefers large values, -1 for one who prefers small ones. A faulty
    rule needs a clear c.
    """
    for rule, signs in product(RULES, product((1, -1), repeat=2)):
        if rule.fault and min(signs) < 0:
            continue
        with np.errstate(all="ignore"):
            bonus = np.nan_to_num(rule.bonus(s), nan=0, posinf=1e9, neginf=-1e9)
            value = rule.value(s) * np.repeat(np.array(signs)[s.player], s.sizes)
            lead = np.repeat(value[s.chosen], s.sizes) - value + WITHIN
            more = np.repeat(bonus[s.chosen], s.sizes) - bonus
            least = np.where(more >= WITHIN, -lead / more, 0.0)
            most = np.where(more <= -WITHIN, -lead / more, inf)
        most[(abs(more) < WITHIN) & (lead < 0)] = -inf  # no c at all
        low, high = np.maximum.reduceat(least, s.starts), np.minimum.reduceat(most, s.starts)
        low, high = np.sort(low[low <= high]), np.sort(high[low <= high])
        if len(low):
            inside = np.arange(1, len(low) + 1) - np.searchsorted(high, low, side="left")
            least_c = float(low[inside.argmax()])
            most_c = float(high[np.searchsorted(high, least_c)])
            is_clear = least_c > reach and (most_c < inf or bonus.max() <= 0)
            if is_clear or not rule.fault:
                yield int(inside.max()), rule, signs, least_c, most_c


class Reading(NamedTuple):
    """The rule by which a search selects, as far as its choices show it."""

    name: str | None
    """``None`` if no rule that is known explains the choices."""
    c: tuple[float, float] | None
    """The smallest and the largest possible c; ``None`` for a rule without one, and for two rules."""
    middle: float
    """A likely c; 0 if ``c`` is ``None``."""
    explained: int
    of: int
    text: str
    row: Rule | None = None
    """The row of the table that explains most."""
    signs: tuple[int, ...] = ()
    """1 for a player who prefers large means, else -1; empty if this is not sure."""

    def __str__(self) -> str:
        return self.text


def read_rule(s: Choices, low: float, high: float) -> Reading:
    """The rule that explains most choices, with rewards between both numbers."""
    of, reach = len(s.starts), 0.01 * (high - low)
    every = [(0, RULES[0], (1, 1), 0.0, inf), *(fits(s, reach) if of and low < high else ())]
    explained, row, signs, least, most = max(every, key=lambda f: f[0] + (not f[1].fault) * max(2, of / 100))
    if explained < NEARLY * of or not of:
        text = f"No rule that we know explains the {of} choices; {row.name} explains {explained} of them."
        return Reading(None, None, 0.0, explained, of, text)
    others = max((one[0] for one in every if one[1] is row and one[2] != signs), default=0)
    is_sure = explained - others > max(5, 0.03 * of)
    choosers = {2: "player who chooses", 0: "one fixed player", -2: "player to move at the child"}
    first = "greedy" if most < 5 * reach else row.name
    also = [f[1].name.split()[0] for f in every if f[0] == explained and f[4] >= 5 * reach and not f[1].fault]
    text = name = " or ".join([first, *({*also} - {first.split()[0]})])
    c: tuple[float, float] | None = None
    middle = 0.0
    if name == row.name:
        c, middle = (least, most), min((least + most) / 2, least + 1)
        text += f" with c = {middle:.2f}" * isfinite(most)
    text += f", for rewards from {low:g} to {high:g}, wins taken for those of the {choosers[sum(signs)]}: "
    text += f"read from {explained} of {of} choices."
    return Reading(name, c, middle, explained, of, text, row, signs if is_sure else ())
