"""The source of a trace's numbers: sums along its paths, or rows of what the nodes had.

Both answer the same questions. A plain search needs no more than its paths and results: whatever a
node counts is a sum over the walks that came through it. A search that counts otherwise has
numbers of its own, which are kept as they were, whenever they changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from ..search.statistics import VISITS, WINS, Statistic
from .columns import Array, Floats

if TYPE_CHECKING:
    from .trace import Trace

MEAN: Final = "mean"
"""The column of a search whose means are not its wins by its visits."""


EXACT: Final = 2**50
"""Quarters up to here are numbers that a float holds exactly."""


@dataclass(frozen=True, eq=False)
class Changes:
    """The numbers of all nodes, node after node, at the moments at which they had changed."""

    moments: Array
    """Iterations after which nodes are looked at, rising: changes in between count for the next."""
    places: Array
    """A node times the number of moments, and a moment; rising."""
    columns: Mapping[str, Array]
    """By name of a statistic, and by change: what the node has from then on."""
    before: Mapping[str, Array]
    """The numbers before the first iteration, by name and node."""

    @cached_property
    def times(self) -> Array:
        """The iteration of each change."""
        times: Array = self.moments[self.places % len(self.moments)]
        return times

    @cached_property
    def ends(self) -> Array:
        """The places of changes: those of node n are from ``ends[n]`` to ``ends[n + 1]``."""
        nodes = np.arange(len(self.before[VISITS.name]) + 1, dtype=np.int64)
        return np.searchsorted(self.places, nodes * len(self.moments))

    def at(self, node: Any, iterations: Any) -> dict[str, Array]:
        """For each name: the numbers after that many iterations, of one node or of many."""
        over = np.searchsorted(self.moments, iterations, side="right")
        last = np.searchsorted(self.places, np.int64(node) * len(self.moments) + over) - 1
        seen = last >= self.ends[node]  # else it is an earlier node's: this one has none yet
        return {
            name: np.where(seen, column[last], self.before[name][node])
            for name, column in self.columns.items()
        }


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums along the paths: every walk adds to each node on it what its result is worth there."""

    before: Mapping[str, Array]
    """The numbers before the first iteration, by name and node."""
    kept: tuple[Statistic, ...] = ()
    """The statistics that the search keeps beside visits and wins."""

    @classmethod
    def from_nothing(cls, nodes: int, kept: tuple[Statistic, ...] = ()) -> Sums:
        """Those of a search that began with an empty tree, which has so many nodes at the end."""
        before: dict[str, Array] = {each.name: np.zeros(nodes) for each in (WINS, *kept)}
        return cls({VISITS.name: np.zeros(nodes, np.int32), **before}, kept)

    adds_up = True
    """Every number is a sum along the paths."""

    @property
    def names(self) -> Sequence[str]:
        """The names of its columns: visits, wins, and what the search has beside them."""
        return [each.name for each in self._all]

    @property
    def _all(self) -> tuple[Statistic, ...]:
        return (VISITS, WINS, *self.kept)

    def gains(self, trace: Trace, name: str) -> Floats:
        """The gain of a walk for nodes that a player moved into, by result and player."""
        gain = next(each.gain for each in self._all if each.name == name)
        pairs = [zip(result.rewards, result.returns, strict=True) for result in trace.outcomes]
        table = [[gain(reward, returned) for reward, returned in pair] for pair in pairs]
        return np.array(table, np.float64).reshape(-1, len(trace.game.players))

    def at(self, trace: Trace, name: str, iterations: int) -> Array:
        """For each node: that number after so many iterations."""
        if name == VISITS.name:
            visits: Array = self.before[name] + trace.passing(trace.leaf[:iterations])
            return visits
        gains = self.gains(trace, name)
        total: Array = self.before[name].copy()
        is_exact = _adds_exactly(gains, iterations) and _adds_exactly(total)
        # NumPy finds places in one row of numbers, of its own size, several times as fast.
        player, parent = trace.player_just_moved.astype(np.intp), trace.parent.astype(np.intp)
        nodes = trace.leaf[:iterations].astype(np.intp)
        row = trace.outcome[:iterations].astype(np.intp) * gains.shape[1]
        time = np.arange(len(nodes))
        rounded = []
        # All walks at once, from their last nodes up; a walk that has passed the root is done.
        while len(nodes):
            gain = gains.ravel()[row + player[nodes]]
            if is_exact:
                total += np.bincount(nodes.astype(np.intp, copy=False), gain, len(total))
            else:
                rounded.append((time, nodes, gain))
            nodes = parent[nodes]
            left = nodes >= 0
            nodes, row = nodes[left], row[left]
            time = time[left]
        if rounded:  # each sum is rounded as in the search, which adds walk by walk
            time, of, gain = map(np.concatenate, zip(*rounded, strict=True))
            order = np.argsort(time, kind="stable")
            np.add.at(total, of[order], gain[order])
        return total

    def changes(self, trace: Trace, moments: Array) -> Changes:
        """The numbers of the nodes at these moments, iterations that rise."""
        results, last = len(trace.outcomes), int(moments[-1])
        span = len(moments) * results
        # Up the tree level by level; what is alike, node, moment and result, is counted together.
        row = trace.leaf[:last].astype(np.int64) * span + trace.outcome[:last]
        row += np.searchsorted(moments, np.arange(1, last + 1)) * results
        row, many = np.unique(row, return_counts=True)
        levels = []
        while len(row):
            levels.append((row, many))
            node = row // span
            above = trace.parent[node].astype(np.int64)
            inside = above >= 0
            row, many = _added_up((row + (above - node) * span)[inside], many[inside])
        row, many = map(np.concatenate, zip(*levels, strict=True))
        places, outcome = np.divmod(row, results)
        player = trace.player_just_moved[row // span]
        added = [many]
        for name in self.names[1:]:
            added.append(self.gains(trace, name)[outcome, player] * many)
        # A node may end some paths and be inside others that are counted at the same moment.
        places, *sums = _added_up(places, *added)
        node = places // len(moments)
        begins = np.flatnonzero(np.append(True, node[1:] != node[:-1])[: len(node)])
        columns = {}
        for name, column in zip(self.names, sums, strict=True):
            column[begins] += self.before[name][node[begins]]
            columns[name] = running(column, begins)
        return Changes(moments, places, columns, self.before)

    def history(self, trace: Trace, node: int, mine: Array, name: str) -> Array:
        """A node's number after each iteration; ``mine`` is true where the walk came through."""
        gains = self.gains(trace, name)[trace.outcome, trace.player_just_moved[node]]
        start = self.before[name][node]
        # Added up one by one, as in the search.
        return np.cumsum(np.append(start, np.where(mine, gains, 0.0)))[1:]

    def part(self, nodes: Array, inside: Array) -> Sums:
        """The numbers of these nodes alone, numbered again; ``inside`` is true for them."""
        return Sums({name: column[nodes] for name, column in self.before.items()}, self.kept)


@dataclass(frozen=True, eq=False)
class Rows:
    """The numbers that nodes had, whenever they changed, rising by time.

    A row of a node comes with a row of its parent at the same time.
    """

    time: Array
    """The iteration after which the node had these numbers."""
    node: Array
    columns: Mapping[str, Array]
    """For each name: the numbers, one a row; visits and wins at least."""
    before: Mapping[str, Array]
    adds_up = False

    def __post_init__(self) -> None:
        for of in ("columns", "before"):
            numbers = getattr(self, of)
            whole = {**numbers, VISITS.name: _whole(numbers[VISITS.name])}
            object.__setattr__(self, of, whole)

    @property
    def names(self) -> Sequence[str]:
        """The names of its columns: visits, wins, and what the search has beside them."""
        return list(self.columns)

    def at(self, trace: Trace, name: str, iterations: int) -> Array:
        """For each node: that number after so many iterations."""
        count = np.searchsorted(self.time, iterations, side="right")
        column = self.columns[name]
        found = self.before[name].astype(np.result_type(self.before[name], column))
        found[self.node[:count]] = column[:count]  # the last of several stays
        return found

    def changes(self, trace: Trace, moments: Array) -> Changes:
        """The numbers of the nodes at these moments, iterations that rise."""
        shown = self.time <= moments[-1]
        places = self.node[shown].astype(np.int64) * len(moments)
        places += np.searchsorted(moments, self.time[shown])
        places, of_row = np.unique(places[::-1], return_index=True)  # the last of several
        columns = {name: column[shown][::-1][of_row] for name, column in self.columns.items()}
        return Changes(moments, places, columns, self.before)

    def history(self, trace: Trace, node: int, mine: Array, name: str) -> Array:
        """A node's number after each iteration."""
        rows = np.flatnonzero(self.node == node)
        row = np.searchsorted(self.time[rows], np.arange(1, len(mine) + 1), side="right")
        history: Array = np.append(self.before[name][node], self.columns[name][rows])[row]
        return history

    def lean(self) -> Rows:
        """The same without means that are wins by visits."""
        if MEAN not in self.columns:
            return self
        with np.errstate(all="ignore"):
            pairs = [
                (kind[WINS.name] / kind[VISITS.name], kind) for kind in (self.columns, self.before)
            ]
        usual = all(
            np.array_equal(means[kind[VISITS.name] > 0], kind[MEAN][kind[VISITS.name] > 0])
            for means, kind in pairs
        )
        if not usual:
            return self
        kinds = [{name: kind[name] for name in kind if name != MEAN} for _, kind in pairs]
        return Rows(self.time, self.node, *kinds)

    def part(self, nodes: Array, inside: Array) -> Rows:
        """The numbers of these nodes alone, numbered again; ``inside`` is true for them."""
        kept = inside[self.node]
        number = np.cumsum(inside) - 1
        return Rows(
            self.time[kept],
            number[self.node[kept]],
            {name: column[kept] for name, column in self.columns.items()},
            {name: column[nodes] for name, column in self.before.items()},
        )


Ledger: TypeAlias = Sums | Rows
"""The numbers of all nodes at all times; names are those of statistics."""


def _whole(numbers: Array) -> Array:
    """The same as integers, if all of them are whole."""
    whole = numbers.astype(np.int64)
    return whole if np.array_equal(whole, numbers) else numbers


def _adds_exactly(numbers: Array, times: int = 1) -> bool:
    """True of whole numbers and quarters, as wins are as a rule: no sum of them is rounded.

    Each may come so many ``times``.
    """
    return bool(times * np.abs(numbers).sum() < EXACT) and not bool(np.any(numbers * 4 % 1))


def running(column: Array, begins: Array) -> Array:
    """Running sums, which begin again at these places; each is rounded as in the search."""
    if _adds_exactly(column):
        run = np.append(0, np.cumsum(column))
        long = np.diff(np.append(begins, len(column))).astype(np.intp)
        sums: Array = run[1:] - np.repeat(run[begins], long)
    else:
        sums = np.concatenate([np.cumsum(part) for part in np.split(column, begins[1:])])
    return sums


def _added_up(keys: Array, *columns: Array) -> tuple[Array, ...]:
    """The different keys, rising; and of each column the sums where the keys are the same."""
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
    return keys[starts], *(np.add.reduceat(column[order], starts) for column in columns)
