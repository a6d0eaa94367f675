"""Find out once what a node's number is: a sum, a mean, a maximum, or something else.

All families need the answer. What a visit has paid follows from a sum or a mean; from a maximum
it does not, so there rewards are not compared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
SUM: Final = "the sum of its rewards"
MEAN: Final = "the mean of its rewards"
EARLY: Final = "a mean whose count was raised too early"
DECAYED: Final = "a decayed mean"
LARGEST: Final = "the largest reward"
BACKED_UP: Final = "the best of its children's"
OTHER: Final = "neither a sum, nor a mean, nor a maximum"
PAYING: Final = (SUM, MEAN, EARLY, DECAYED)
"""Kinds from which the reward of each visit follows."""
FEWEST: Final = 20
"""Visits of nodes that had some before, from which on a kind can be told."""
FEW: Final = 4
"""Rewards repeat themselves: of so many visits, one is new at most."""
MOSTLY: Final = 0.9
"""The share of visits that must show a kind."""
OFTEN: Final = 0.2
"""The share of changes that must shrink by one factor, as equal rewards do in a decayed mean."""
INSIDE: Final = 0.98
"""The share of rewards that must lie on the scale of first rewards."""
ROOM: Final = 0.5
"""The part of the scale of first rewards by which later ones may leave it."""
PULL: Final = 0.04
"""The share of steps that must go back beyond what chance does, if a number is no sum."""
NEXT: Final = 3
"""Visits of a node after which its next reward is compared with first ones."""
TOLD: Final = 50
"""Such rewards that are needed."""
ALIKE: Final = 0.2
"""The logarithm by which the spreads of first rewards and the next ones may differ."""
SAMPLE: Final = 500
"""Visits that show if nodes take the best of their children's numbers."""
HUGE: Final = 1e8
"""A number above this is taken for an infinite one: a proven value, and no reward."""
EXACT: Final = 7
"""Digits to which rewards are compared."""


class Table:
    """The rows of a film, sorted by node and time, so that a number at any time is found at once.

    ``n`` and ``v`` are visits and the number of the node after a look; ``n0`` and ``v0`` before.
    """

    def __init__(self, looks: int, time: Array, node: Array, n: Array, v: Array) -> None:
        self.order = np.lexsort((time, node))
        self.time, self.node = time[self.order], node[self.order]
        self.n, self.v = n[self.order], v[self.order]
        self._times = looks + 2
        self._keys = self.node * self._times + self.time
        self.first = np.diff(self.node, prepend=-1) != 0
        self.n0, self.v0 = self.before(self.n), self.before(self.v)

    def before(self, column: Array) -> Array:
        """For each row: what the column said in the row of that node before, at first 0."""
        return np.where(self.first, 0.0, np.roll(column, 1))

    def last(self, node: Array, time: Array) -> Array:
        """The row of each node that held at that time; -1 if it was not there."""
        row = np.searchsorted(self._keys, node * self._times + time, side="right") - 1
        return np.where((row >= 0) & (self.node[row] == node), row, -1)

    def at(self, column: Array, node: Array, time: Array) -> Array:
        """The column's value for each node at that time; 0 before it was there."""
        row = self.last(node, time)
        return np.where(row >= 0, column[row], 0.0)


class Numbers(NamedTuple):
    """The meaning of a node's number, and the numbers that follow from it for each row."""

    kind: str
    share: float
    """By how much a decayed mean moves towards a reward; else 0."""
    worth: Array
    """Visits times what a choice takes for the mean of the node."""
    wins: Array
    """The sum of rewards, as far as it is known."""

    @property
    def pays(self) -> bool:
        """True if the reward of each visit is known."""
        return self.kind in PAYING

    def __str__(self) -> str:
        return f"{self.kind} ({self.share:g} of the way at each visit)" if self.share else self.kind


def numbers_of(t: Table, parent: Array, known: str) -> Numbers:
    """The known kind of number, or the one that explains the rows with the fewest rewards."""
    kind, share = (known, 0.0) if known else kind_of(t, parent)
    sums = {SUM: t.v, EARLY: t.v * (t.n + 1)}.get(kind, t.v * t.n)
    worth = t.v if kind == SUM else t.v * t.n
    if kind == DECAYED:
        later = decayed(t, share)
        begins_at_0 = abs(t.v[t.first]).max() < (share + 1) / 2 * abs(later[~t.first]).max()
        sums = running_sum(t, np.where(t.first & (not begins_at_0), t.v, later))
    return Numbers(kind, share, worth, sums)


def running_sum(t: Table, column: Array) -> Array:
    """For each row: the sum of the column over the rows of its node until there."""
    total = np.cumsum(column)
    start = np.maximum.accumulate(np.where(t.first, np.arange(len(total)), 0))
    return np.asarray(total - (total - column)[start])


def kind_of(t: Table, parent: Array) -> tuple[str, float]:
    """The kind, and the share of a decayed mean."""
    seen = (t.n > t.n0) & (t.n0 > 0) & (abs(t.v) < HUGE) & (abs(t.v0) < HUGE)
    if seen.sum() < FEWEST:
        return SUM, 0.0
    if share := decay_of(t, seen):
        return DECAYED, share
    counts = {kind: different(column[seen]) for kind, column in candidates(t).items()}
    fewest = min(counts, key=lambda kind: counts[kind])  # of equals the first, a sum
    is_simple = counts[fewest] * FEW <= seen.sum()
    if is_maximum(t, seen):
        return LARGEST, 0.0
    if (fewest == SUM or not is_simple) and is_backed_up(t, parent):
        return BACKED_UP, 0.0
    if is_simple:
        return fewest, 0.0
    return by_scale(t, seen), 0.0


def candidates(t: Table) -> dict[str, Array]:
    """For each kind: the reward of each row, if the number were of that kind."""
    return {
        SUM: t.v - t.v0,
        MEAN: t.v * t.n - t.v0 * t.n0,
        EARLY: t.v * (t.n + 1) - t.v0 * (t.n0 + 1),
    }


def different(rewards: Array) -> int:
    """The number of sizes that the rewards have."""
    return len(np.unique(np.round(abs(rewards), EXACT)))


def decayed(t: Table, share: float) -> Array:
    """The reward of each row of a mean that moves by that share of the difference."""
    return t.v0 + (t.v - t.v0) / share


def decay_of(t: Table, seen: Array) -> float:
    """The share by which a decayed mean moves; 0 if it is none.

    Of two equal rewards, the second moves it by a fixed part of what the first did.
    """
    step, last = t.v - t.v0, t.before(t.v - t.v0)
    both = seen & (t.before(t.n0) > 0) & (abs(step) > 1e-9) & (abs(last) > 1e-9)
    ratio = np.round(step[both] / last[both], 6)
    sizes, times = np.unique(ratio, return_counts=True)
    if not len(sizes):
        return 0.0
    usual = float(sizes[times.argmax()])
    if not 0.01 < usual < 0.999 or times.max() < OFTEN * len(ratio):
        return 0.0
    share = 1 - usual
    is_simpler = different(decayed(t, share)[seen]) * FEW < different(step[seen])
    return round(share, 6) if is_simpler else 0.0


def is_maximum(t: Table, seen: Array) -> bool:
    """True if the number never turns back, and never leaves the scale of first rewards, though many
    visits began in its better half."""
    firsts = t.v[(t.n0 == 0) & (t.n > 0)]
    v = t.v[seen]
    v0 = t.v0[seen]
    low, high = firsts.min(initial=HUGE), firsts.max(initial=-HUGE)
    room = ROOM * (high - low)
    for sign in 1, -1:
        turns = sign * (v - v0) < -1e-9
        better = sign * (v0 - (low + high) / 2) > 0
        is_inside = (v >= low - room).all() and (v <= high + room).all()
        if not turns.any() and is_inside and better.sum() >= FEWEST:
            return bool(high > low)
    return False


def is_backed_up(t: Table, parent: Array) -> bool:
    """True if a parent has the largest or the smallest number of its children, or minus that."""
    kids = defaultdict[int, list[int]](list)
    rests = Counter[Any]()
    bests = set[float]()
    for node, above in enumerate(parent.tolist()):
        kids[above].append(node)
    grown = [row for row in np.flatnonzero((t.n > t.n0) & (t.n0 > 0)) if len(kids[t.node[row]]) > 1]
    grown = grown[:: len(grown) // SAMPLE + 1]
    for row in grown:
        below = t.last(np.array(kids[t.node[row]]), t.time[row])
        known = t.v[below[(below >= 0) & (t.n[below] > 0)]].tolist()
        for best, sign in product((max, min), (1, -1)):
            most = sign * best(known, default=0)
            bests.add(most)
            rests[best, sign, round(float(t.v[row]) - most, EXACT)] += 1
    often = max(rests.values(), default=0)
    return len(grown) >= FEWEST and often >= MOSTLY * len(grown) and len(bests) > 2


def by_scale(t: Table, seen: Array) -> str:
    """A mean keeps the scale of first rewards, and so do its rewards; a sum leaves it."""
    is_first, is_next = (t.n0 == 0) & (t.n > 0), seen & (t.n0 <= NEXT)
    firsts, rewards = t.v[is_first], candidates(t)

    def inside(kind: str) -> bool:
        """True if all rewards are on the scale of first ones."""
        low, high = rewards[kind][is_first].min(), rewards[kind][is_first].max()
        far = abs(rewards[kind][seen] - (low + high) / 2)
        return bool(np.mean(far <= (0.5 + ROOM) * (high - low)) >= INSIDE)

    def unlike(kind: str) -> float:
        """The difference in spread of the first rewards of nodes and the next ones."""
        first, then = (rewards[kind][some].std() for some in (is_first, is_next))
        return abs(float(np.log(then / first)))

    is_told = is_next.sum() >= TOLD and firsts.std() > 0 and inside(EARLY)
    if is_told and unlike(EARLY) < min(ALIKE, unlike(MEAN) / 2):
        return EARLY
    if len(firsts) and inside(MEAN):
        return MEAN
    # A step of a sum goes against what it is already as often as a first reward has another sign.
    minority = min((firsts > 0).mean(), (firsts < 0).mean())
    against = ((t.v - t.v0) * t.v0 < 0)[seen].mean()
    return OTHER if against > minority + PULL else SUM
