"""The numbers of a search's nodes, looked up after every iteration and written down as rows.

A search whose visits and wins are sums along its paths needs no rows. One that counts otherwise,
such as a subclass with a backpropagation of its own, is looked at: first at all of its nodes, and
once it is known to change none but those of its walk and their children, at these alone.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Final

import numpy as np

from ..errors import TraceError
from ..search import MCTS, Backpropagation, MCTSSolver
from ..search.mcts import Node
from ..search.statistics import VISITS, WINS
from .columns import Array
from .ledger import MEAN, Ledger, Rows, Sums
from .trace import Trace

CAREFUL: Final = 256
"""Iterations after each of which all nodes are looked at; from there on every so many."""
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
    """By name, and by node: the numbers that the nodes have now."""
    ask = map(attrgetter, names_of(search))
    return {
        name: np.array([*map(of, nodes)], float)
        for name, of in zip(names_of(search), ask, strict=True)
    }


class RowWriter:
    """Looks at the nodes of a search after every iteration, and keeps what has changed."""

    def __init__(self, search: MCTS, everywhere: bool) -> None:
        self._search, self._everywhere = search, everywhere
        self._names = names_of(search)
        self._ask: Any = attrgetter(*self._names)
        self._before = self._read(search.nodes)
        self._last = self._before.copy()
        self._begun = self._heard = search.iterations
        self._is_lost = False
        self._time, self._node = array("i"), array("i")
        self._values = array("d")

    def _read(self, nodes: Sequence[Node]) -> Array:
        """The numbers of the nodes: a row a node, a column a name."""
        return np.array([*map(self._ask, nodes)], float).reshape(len(nodes), len(self._names))

    def look(self, record: Backpropagation) -> None:
        """Write down what the iteration has changed."""
        nodes, time = self._search.nodes, record.iteration
        self._grow(len(nodes))
        near = {*record.path}
        for number in record.path:
            near.update(child.id for child in nodes[number].children)
        is_early = time - self._begun <= CAREFUL
        if self._everywhere or is_early or time % CAREFUL == 0 or time != self._heard + 1:
            changed = self._written(time, np.arange(len(nodes)))
            if not {*changed.tolist()} <= near:
                self._is_lost = self._is_lost or not (self._everywhere or is_early)
                self._everywhere = True
        else:
            self._written(time, np.array(sorted(near)))
        self._heard = time

    def _grow(self, count: int) -> None:
        """Make room for new nodes, which begin with nothing."""
        more = count - len(self._last)
        if more > 0:
            nothing = np.zeros((max(more, len(self._last)), len(self._names)))
            nothing[:, self._names.index(MEAN)] = np.inf
            self._last = np.concatenate([self._last, nothing])

    def _written(self, time: int, numbers: Array) -> Array:
        """Write rows of those of the nodes that have changed, and return these."""
        nodes = self._search.nodes
        now = self._read([nodes[number] for number in numbers.tolist()])
        is_changed = (now != self._last[numbers]).any(axis=1)
        changed: Array = numbers[is_changed]
        values = now[is_changed]
        self._last[changed] = values
        self._time.extend([time] * len(changed))
        self._node.extend(changed.tolist())
        self._values.extend(values.ravel().tolist())
        return changed

    def rows(self, trace: Trace, live: Array) -> Rows:
        """All rows; raises ``LostTrackError`` if they do not lead to the ``live`` numbers."""
        if self._is_lost or not np.array_equal(self._last[: len(live)], live, equal_nan=True):
            raise LostTrackError(
                "Nodes of this search change in iterations that do not come through them, so what "
                "they had before is not known: take search.record(...), or Watch(search.root)."
            )
        # There may be rows of an iteration that was cut short; that does not count.
        values = np.array(self._values).reshape(-1, len(self._names))
        time, node = np.array(self._time, np.int32), np.array(self._node, np.int32)
        kept = time <= trace.iterations
        before = np.zeros((len(live), len(self._names)))
        before[:, self._names.index(MEAN)] = np.inf
        before[: len(self._before)] = self._before[: len(live)]
        return _with_parents(trace, time[kept], node[kept], values[kept], before, self._names)


def _with_parents(
    trace: Trace, time: Array, node: Array, values: Array, before: Array, names: list[str]
) -> Rows:
    """The rows in order, and with each row of a node one of its parent at the same time."""
    span = trace.iterations + 1
    places = node.astype(np.int64) * span + time
    order = np.argsort(places, kind="stable")
    places, values = places[order], values[order]
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
    columns = {name: values[order, place] for place, name in enumerate(names)}
    begun = {name: before[:, place] for place, name in enumerate(names)}
    return Rows(time[order], node[order], columns, begun).lean()


def ledger_of(
    trace: Trace, search: MCTS, nodes: Sequence[Node], writer: RowWriter | None
) -> Ledger:
    """The trace's own sums if they are what the nodes have, and had; else rows.

    Raises ``LostTrackError`` if the nodes have other numbers and were not looked at on the way.
    """
    if writer:
        live = np.stack([*numbers_of(search, nodes).values()], axis=1)
        rows = writer.rows(trace, live)
        return trace.ledger if not search.pays and _are_sums(trace, rows) else rows
    for name in trace.ledger.names:
        live = np.fromiter(map(attrgetter(name), nodes), float, len(nodes))
        if not _agree(trace.numbers(name, trace.iterations), live):
            raise LostTrackError(
                f"Nodes of this search have other {name} than its walks bring them, so a film "
                "would be false: take search.record(...), or Watch(search.root)."
            )
    return trace.ledger


def _are_sums(trace: Trace, rows: Rows) -> bool:
    """True if the rows say at every time what the sums say."""
    if rows.names != trace.ledger.names:
        return False
    moments = np.arange(1, trace.iterations + 1)
    places, columns = trace.ledger.changes(trace, moments, trace.iterations)
    others, own = rows.changes(trace, moments, trace.iterations)
    return np.array_equal(places, others) and all(_agree(columns[name], own[name]) for name in own)


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
