"""The numbers of a search's nodes, looked up after every iteration and written down as rows.

A search whose visits and wins are sums along its paths needs no rows. One that counts otherwise,
such as a subclass with a backpropagation of its own, is looked at: first at all of its nodes, and
once it is known to change none but those of its walk, or their children too, at these alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain
from math import inf
from operator import attrgetter
from typing import Any, Final

import numpy as np

from ..errors import TraceError
from ..search import MCTS, Backpropagation, MCTSSolver
from ..search.mcts import Node
from ..search.statistics import VISITS, WINS
from .columns import Array
from .ledger import MEAN, Ledger, Rows, Sums, running
from .trace import Trace

CAREFUL: Final = 100
"""Iterations after each of which all nodes are looked at; from there on that is done rarely."""
PATH, FAMILY, ALL = range(3)
"""The nodes that an iteration may change: those of its walk, their children too, or any."""
CHUNK: Final = 2048
"""Numbers of nodes that are kept as they were seen, before rows are made of them."""
CLOSE: Final = 1e-9
"""Numbers that differ by no more, as a part of their size, differ by the order of addition."""
COUNTING: Final = ("iteration", "backpropagate", "keep", "return_of_move", "rewards")
"""The methods of a search that decide what its nodes count."""


class LostTrackError(TraceError):
    """Nodes have changed at a time that is not known."""


def counts_as_usual(search: MCTS) -> bool:
    """True if what the nodes count is likely to be sums along the paths: nothing is overridden."""
    if search.pays:
        return False
    usual = MCTSSolver if isinstance(search, MCTSSolver) else MCTS
    methods = [(getattr(search, name), getattr(usual, name)) for name in COUNTING]
    return all(getattr(of, "__func__", None) is known for of, known in methods)


def names_of(search: MCTS) -> list[str]:
    """The names of all numbers that its nodes have."""
    return [VISITS.name, WINS.name, MEAN, *(each.name for each in search.kept)]


def numbers_of(search: MCTS, nodes: Sequence[Node]) -> dict[str, Array]:
    """The numbers that the nodes have now, by name and by node."""
    ask = map(attrgetter, names_of(search))
    return {
        name: np.array([*map(of, nodes)], float)
        for name, of in zip(names_of(search), ask, strict=True)
    }


class RowWriter:
    """Looks at nodes of a search after every iteration, and keeps what has changed."""

    def __init__(self, search: MCTS, width: int) -> None:
        self._search, self._width = search, width
        self._names = names_of(search)
        self._ask: Any = attrgetter(*self._names)
        self._nothing = [inf if name == MEAN else 0.0 for name in self._names]
        """The numbers of a new node."""
        self._before = np.stack([*numbers_of(search, search.nodes).values()], axis=1)
        self._last = self._before
        """For each node: the numbers that it had when it was looked at last."""
        self._begun = self._heard = search.iterations
        self._due = 0
        self._is_lost = False
        self._seen: list[tuple[float, ...]] = []
        self._node = array("i")
        self._times = array("i")
        self._counts = array("i")
        """What was seen since the last :meth:`_settle`: of which nodes, when, and how many then."""
        self._looked_at_all: dict[int, Sequence[int]] = {}
        """By iteration in which all nodes were looked at: its path."""
        self._rows = [(np.zeros(0, np.int32), np.zeros(0, np.int32), self._before[:0])]

    def look(self, record: Backpropagation) -> None:
        """See what the iteration has changed."""
        nodes = self._search.nodes
        time = record.iteration
        path = record.path
        is_early = time - self._begun <= CAREFUL
        is_due = time >= self._due or time != self._heard + 1
        numbers: Sequence[int] = path
        if is_early or is_due or self._width == ALL:
            numbers = range(len(nodes))
            self._looked_at_all[time] = path
        elif self._width == FAMILY:
            numbers = [*path, *(child.id for each in path for child in nodes[each].children)]
        self._node.extend(numbers)
        self._seen.extend(map(self._ask, map(nodes.__getitem__, numbers)))
        self._times.append(time)
        self._counts.append(len(numbers))
        self._heard = time
        if len(self._seen) > CHUNK or (is_due and not is_early):
            self._settle()
            if is_due:
                self._due = time + max(CAREFUL, len(nodes) // 2)

    def _settle(self) -> None:
        """Make rows of what was seen and is not what a node had before."""
        numbers = chain.from_iterable(self._seen)
        values = np.fromiter(numbers, float).reshape(-1, len(self._names))
        node, time = np.array(self._node), np.repeat(self._times, self._counts)
        for column in (self._seen, self._node, self._times, self._counts):
            del column[:]
        self._grow(len(self._search.nodes))
        order = np.argsort(node, kind="stable")
        places, now = node[order], values[order]
        begins = np.diff(places, prepend=-1) > 0
        before = np.concatenate([now[:1], now[:-1]])
        before[begins] = self._last[places[begins]]
        ends = np.append(begins[1:], True)[: len(places)]
        self._last[places[ends]] = now[ends]
        kept = np.sort(order[(now != before).any(axis=1)])
        self._rows.append((time[kept], node[kept], values[kept]))
        self._widen(time[kept], node[kept])

    def _grow(self, count: int) -> None:
        """Make room for new nodes."""
        more = count - len(self._last)
        if more > 0:
            nothing = np.tile(self._nothing, (max(more, len(self._last)), 1))
            self._last = np.concatenate([self._last, nothing])

    def _widen(self, time: Array, node: Array) -> None:
        """Look at more nodes from here on, if some have changed that were not looked for."""
        looked, self._looked_at_all = self._looked_at_all, {}
        seen = np.isin(time, [*looked])
        rows = zip(time[seen].tolist(), node[seen].tolist(), strict=True)
        far = [(when, number) for when, number in rows if number not in looked[when]]
        if not far:
            return
        parent = {child.id: each.id for each in self._search.nodes for child in each.children}
        near = all(parent.get(number) in looked[when] for when, number in far)
        width = max(self._width, FAMILY if near else ALL)
        is_late = far[-1][0] - self._begun > CAREFUL
        self._is_lost = self._is_lost or (is_late and width > self._width)
        self._width = width

    def rows(self, trace: Trace, live: Array) -> Rows:
        """All rows; raises ``LostTrackError`` if they do not lead to the ``live`` numbers."""
        self._settle()
        if self._is_lost or not np.array_equal(self._last[: len(live)], live, equal_nan=True):
            raise LostTrackError(
                "Nodes of this search change in iterations that do not come through them, so what "
                "they had before is not known: take search.record(...), or Watch(search.root)."
            )
        time, node, values = map(np.concatenate, zip(*self._rows, strict=True))
        # There may be rows of an iteration that was cut short; that does not count.
        kept = time <= trace.iterations
        before = np.tile(self._nothing, (len(live), 1))
        before[: len(self._before)] = self._before[: len(live)]
        columns = dict(zip(self._names, values[kept].T, strict=True))
        begun = dict(zip(self._names, before.T, strict=True))
        return Rows(time[kept], node[kept], columns, begun).lean()


def _with_parents(trace: Trace, rows: Rows) -> Rows:
    """The rows with each row of a node one of its parent at the same time."""
    span = trace.iterations + 1
    places = rows.node.astype(np.int64) * span + rows.time
    order = np.argsort(places, kind="stable")
    places, names = places[order], [*rows.columns]
    values = np.stack([rows.columns[name][order] for name in names], axis=1)
    before = np.stack([rows.before[name] for name in names], axis=1)
    while True:
        above = trace.parent[places // span].astype(np.int64)
        needed = (above * span + places % span)[above >= 0]
        missing = np.setdiff1d(needed, places)
        if not len(missing):
            break
        # What the parent had all the while: its last row before, or what it began with.
        row = np.searchsorted(places, missing) - 1
        has_row = (row >= 0) & (places[row] // span == missing // span)
        had = np.where(has_row[:, None], values[row], before[missing // span])
        places, values = np.concatenate([places, missing]), np.concatenate([values, had])
        order = np.argsort(places, kind="stable")
        places, values = places[order], values[order]
    node, time = np.divmod(places, span)
    order = np.lexsort((node, time))
    columns = dict(zip(names, values[order].T, strict=True))
    return Rows(time[order], node[order], columns, rows.before)


def ledger_of(
    trace: Trace, search: MCTS, nodes: Sequence[Node], writer: RowWriter | None
) -> Ledger:
    """The trace's own sums if they are what the nodes have, and had; else rows.

    Raises ``LostTrackError`` if the nodes have other numbers and were not looked at on the way.
    """
    if writer:
        live = np.stack([*numbers_of(search, nodes).values()], axis=1)
        rows = writer.rows(trace, live)
        if not search.pays and _are_sums(trace, rows):
            return trace.ledger
        return rows if _are_paths(trace, rows) else _with_parents(trace, rows)
    for name in trace.ledger.names:
        live = np.fromiter(map(attrgetter(name), nodes), float, len(nodes))
        if not _agree(trace.numbers(name, trace.iterations), live):
            raise LostTrackError(
                f"Nodes of this search have other {name} than its walks bring them, so a film "
                "would be false: take search.record(...), or Watch(search.root)."
            )
    return trace.ledger


def _are_paths(trace: Trace, rows: Rows) -> bool:
    """True if the rows of each iteration are those of its path, from the root to its last node."""
    time, node = rows.time, rows.node
    begins = np.flatnonzero(np.diff(time, prepend=0))
    ends = np.append(begins[1:], len(time))[: len(begins)] - 1
    above = np.append(-1, node[:-1])[: len(node)]
    above[begins] = -1
    return (
        np.array_equal(time[begins], np.arange(1, trace.iterations + 1))
        and np.array_equal(node[ends], trace.leaf)
        and np.array_equal(trace.parent[node], above)
    )


def _are_sums(trace: Trace, rows: Rows) -> bool:
    """True if the rows say at every time what the sums say."""
    sums = trace.ledger
    assert isinstance(sums, Sums)
    if rows.names != sums.names or not _are_paths(trace, rows):
        return False
    order = np.argsort(rows.node, kind="stable")
    node, outcome = rows.node[order], trace.outcome[rows.time[order] - 1]
    begins = np.flatnonzero(np.diff(node, prepend=-1))
    for name, column in rows.columns.items():
        gained = sums.gains(trace, name)[outcome, trace.player_just_moved[node]]
        gained[begins] += sums.before[name][node[begins]]
        if not _agree(running(gained, begins), column[order]):
            return False
    return True


def _agree(one: Array, other: Array) -> bool:
    """True if the numbers are equal but for rounding."""
    return len(one) == len(other) and bool(np.allclose(one, other, rtol=CLOSE, atol=CLOSE))


def empty_sums(search: MCTS, count: int, begun: dict[str, Array]) -> Sums:
    """Sums to which nothing is added yet, of so many nodes; those that were there have
    ``begun``."""
    sums = Sums.from_nothing(count, search.kept)
    for name, column in sums.before.items():
        old = begun.get(name, np.zeros(0))[:count]
        column[: len(old)] = old
    return sums
