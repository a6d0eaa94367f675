"""The changes, iterations and choices of a watched search, in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from math import sqrt
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np

from ..trace.trace import Rows
from .look import Array, Looker

ANALYSED: Final = 20_000
"""Iterations that are looked into, from the first."""
PAIRS: Final = 150_000
"""Pairs of a parent and a child from which choices are read, at most; spread over all."""


class Step(NamedTuple):
    """One iteration: the path from the root, and how visits and wins changed on it."""

    time: int
    path: tuple[int, ...]
    visits: tuple[float, ...]
    wins: tuple[float, ...]
    is_new: bool
    """True if the last node is new."""

    @property
    def proof(self) -> tuple[int, int]:
        """The iteration and the last node."""
        return self.time, self.path[-1]

    def counted(self) -> Iterator[tuple[int, float]]:
        """The nodes below the root that got a visit, with what they won."""
        moved = zip(self.path[1:], self.visits[1:], self.wins[1:], strict=True)
        return ((node, won) for node, visits, won in moved if visits)


class History:
    """The rows of a looker, each with the change that it made."""

    def __init__(self, looker: Looker) -> None:
        count = len(looker.nodes)
        self.looker, self.born = looker, np.array(looker.created_at)
        self.rows = Rows(*map(np.array, looker.rows))
        usual = looker.start, 0.0
        self.first = np.array([looker.first.get(node, usual) for node in range(count)], float).T
        """Visits and wins of each node before its first change."""
        start = np.full(count, -1), np.arange(count), *self.first
        time, node, *numbers = map(np.append, start, self.rows)
        order = np.lexsort((time, node))
        self._time, self._node = time[order], node[order]
        self._keys = self._key(self._node, self._time)
        self.visits, self.wins = (column[order] for column in numbers)
        self._visit, self._win = (
            np.where(self._time < 0, 0, np.diff(x, prepend=0)).round(9)
            for x in (self.visits, self.wins)
        )
        self._order = np.argsort(order)[count:]

    def _key(self, node: Any, time: Any) -> Any:
        return np.int64(node) * (self.looker.looks + 2) + time + 1

    def _last(self, node: Any, time: Any) -> Any:
        """The row of what a node had before this iteration."""
        return np.searchsorted(self._keys, self._key(node, time)) - 1

    @property
    def columns(self) -> tuple[Array, Array, Array, Array]:
        """Each row's iteration, node, and change of visits and wins, down each path."""
        every = self._time, self._node, self._visit, self._win
        return tuple(column[self._order] for column in every)  # type: ignore[return-value]

    def steps(self) -> list[Step]:
        """The iterations with a single path, from the first ones."""
        time, node, visits, wins = self.columns
        depth, found = self.looker.depth, []
        ends = np.flatnonzero(np.diff(time, prepend=-1, append=self.looker.looks + 1)).tolist()
        columns = [column.tolist() for column in (node, visits, wins)]
        for begin, end in pairwise(ends):
            path, grown, gained = (tuple(column[begin:end]) for column in columns)
            at = int(time[begin])
            if 0 < at <= ANALYSED and len(path) == depth[path[-1]] + 1:
                found.append(Step(at, path, grown, gained, self.born[path[-1]] == at))
        return found

    def siblings(self, priors: dict[int, float]) -> Siblings:
        """The children of each node of a path, when the search chose one of them."""
        looker, kids = self.looker, self.looker.kids
        time, parent, grown, _ = self.columns
        many = np.array([len(below) > 1 for below in kids])[parent] & (time <= ANALYSED)
        if looker.shared:  # a child may have been reached through another parent
            many &= (grown > 0) | (parent == 0)
        time, parent = time[many & (time > 0)], parent[many & (time > 0)]
        sizes = np.array([*map(len, kids)])
        every = 1 + int(sizes[parent].sum()) // PAIRS
        time, parent = time[::every], parent[::every]
        choice = np.repeat(np.arange(len(time)), sizes[parent])
        kid = np.array([kid for node in parent.tolist() for kid in kids[node]], int)
        there = self.born[kid] < time[choice]
        choice, kid = choice[there], kid[there]
        when = time[choice]
        last = self._last(kid, when)
        after = np.minimum(last + 1, len(self._keys) - 1)
        grown = (self._keys[after] == self._key(kid, when)) & (self._visit[after] > 0)

        def of(chosen: Array) -> Array:
            """Return how many children of each choice are chosen."""
            return np.bincount(choice[chosen], minlength=len(time))

        visited = self.visits[last] > looker.start
        one = (of(grown) == 1) & (of(grown | True) > 1)
        tried = one & (of(grown & visited) == 1)
        self.tries_first = bool((one & ~tried & (of(visited) > 0)).any())
        """True if a child without a visit was chosen while another had some."""
        over = np.flatnonzero(tried[choice] & ~visited)
        over = over[np.unique(choice[over], return_index=True)[1]]
        self.passed = list(zip(when[over].tolist(), kid[over].tolist(), strict=True))
        """Choices of a visited child while another had no visit: time, and that other child."""
        total = np.bincount(choice, self.visits[last], len(time))
        keep = (tried & (of(visited) > 1))[choice] & visited
        choice, kid, when, last = choice[keep], kid[keep], when[keep], last[keep]
        above = self.visits[self._last(parent, time)]
        above = np.where(above > 0, above, total)
        squares = np.cumsum(self._win**2)
        kept, sizes = np.unique(choice, return_counts=True)
        return Siblings(
            time=time[kept],
            parent=parent[kept],
            sizes=sizes,
            chosen=np.flatnonzero(grown[keep]),
            node=kid,
            n=self.visits[last],
            w=self.wins[last],
            N=above[choice],
            S=total[choice],
            P=np.array([priors.get(node, 1.0) for node in kid.tolist()]),
            stale=self.visits[self._last(parent[choice], self._time[last] + 1)],
            squares=squares[last] - squares[self._last(kid, 0)],
        )


class Siblings(SimpleNamespace):
    """Many choices at once, in columns.

    Each choice has its ``time`` and ``parent``, the number of children (``sizes``), the entry that
    was ``chosen``, and the ``player``. Each child of a choice has its ``node``, its visits ``n``,
    wins ``w`` and prior ``P`` (1 where none was found), the parent's visits ``N`` and those of all
    its children, ``S``; the parent's visits when the child was last visited (``stale``), and the
    sum of the child's squared rewards (``squares``).
    """

    def chosen_by(self, chooser: Sequence[int]) -> None:
        """Set the player of each choice from the player who chose each node."""
        self.player = np.array(chooser)[self.node[self.chosen]]

    def __len__(self) -> int:
        return len(self.sizes)

    @cached_property
    def starts(self) -> Array:
        """The first entry of each choice."""
        starts: Array = np.cumsum(self.sizes) - self.sizes
        return starts

    def rank(self, value: Array, some: Any = slice(None), left_out: int = 1) -> float:
        """Return how far chosen children rank above chance in a value, in standard deviations."""
        mine = np.repeat(value[self.chosen], self.sizes)
        beaten = np.add.reduceat((value < mine) + 0.5 * (value == mine), self.starts) - 0.5
        rank = (beaten / np.maximum(1, self.sizes - left_out))[some] - 0.5
        return float(abs(rank.mean()) * sqrt(12 * len(rank)))
