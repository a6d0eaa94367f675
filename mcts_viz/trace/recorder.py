"""A hook that writes down a search, in as few bytes as will bring every moment back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import Any, Final

import numpy as np

from ..errors import SearchError, TraceError, reason, require
from ..search import MCTS, MCTSSolver, Simulation
from ..search.checks import check_budget, require_list
from ..search.mcts import Node
from ..search.policies import GIVEN, describe
from ..search.running import rare_collections, run
from .columns import Array, Ints, Outcome, Playouts, Proofs, smallest_ints
from .rows import (
    ALL,
    FAMILY,
    PATH,
    LostTrackError,
    RowWriter,
    counts_as_usual,
    empty_sums,
    ledger_of,
    numbers_of,
)
from .trace import Trace

CHUNK: Final = 4096
"""Iterations kept as records before they are packed into arrays."""


def record(
    search: MCTS,
    state: Any = None,
    iterations: int | None = None,
    seconds: float | None = None,
    hooks: Iterable[object] = (),
    progress: bool | None = None,
) -> Trace:
    """Search from ``state``, and return the trace of all iterations: see :meth:`MCTS.record`.

    The numbers that the nodes have in the end are compared with the recorded ones. Where they
    differ, the same search is done again, and more of its nodes are looked at in every iteration.
    """
    check_budget(iterations, seconds)
    recorder, others = Recorder(), require_list("hooks", hooks, "of hooks")
    search.start(state)
    run(search, iterations, seconds, [recorder, *others], progress)
    done = search.iterations
    for width in (PATH, FAMILY, ALL):
        with suppress(LostTrackError):
            return recorder.trace(search)
        recorder = Recorder(looks_at=width)
        search.start(search.root.state)
        run(search, done, None, [recorder], progress)
    return recorder.trace(search)


class Recorder:
    """Hears of the playouts; the tree itself tells the rest when the search is over.

    A hook costs time in every iteration, so this one only keeps the records it is given, and
    packs them in bulk now and then. A search whose numbers are no sums along its paths is looked
    at after every iteration, too.
    """

    def __init__(self, *, looks_at: int | None = None) -> None:
        self._pending: list[Simulation] = []
        self._actions: dict[Any, int] = _Numbered()
        self._outcomes: dict[tuple[float, ...], int] = _Numbered()
        self._packed: list[tuple[np.ndarray[Any, Any], ...]] = []
        self._looks_at = looks_at
        self._writer: RowWriter | None = None
        self._root: Node | None = None
        self._given: dict[str, Any] = {}
        """What the search was given when the recording began."""
        self._spec: MCTS | None = None
        """The search as it then was, without its tree."""
        self._begun: dict[str, Array] = {}
        """The numbers of the nodes of a tree with which the search went on."""

    def _on_run(self, search: MCTS) -> None:
        """A run of ``search`` begins: see whether its nodes must be looked at."""
        if self._root is search.root:
            return self._require_same(search)
        self._root, self._writer = search.root, None
        self._spec = search.but()
        self._given = {name: getattr(search, name) for name in GIVEN}
        self._begun = numbers_of(search, search.nodes)
        vars(self).pop("on_backpropagate", None)
        if self._looks_at is not None or not counts_as_usual(search):
            self._writer = RowWriter(search, self._looks_at or PATH)
            self.on_backpropagate = self._writer.look

    def _require_same(self, search: MCTS) -> None:
        """Raise ``TraceError`` if the search was given something else since the recording began."""
        for name, before in self._given.items():
            now = getattr(search, name)
            if now is not before and now != before:
                was, is_now = describe(before), describe(now)
                another = f"another {is_now}" if was == is_now else is_now
                raise TraceError(
                    f"{name} was {was} when the recording began and is {another} now, and a trace "
                    f"tells of one search: set {name} back, or fork the trace, "
                    "trace.fork(100, c=0.5)."
                )

    @staticmethod
    def _require_heard(search: MCTS, heard: int) -> None:
        """Raise ``TraceError`` unless it was told all iterations of this tree, and no others."""
        if heard > search.iterations:
            raise TraceError(
                f"The recorder heard {heard} iterations and the tree has {search.iterations}: "
                "record each search with a new Recorder()."
            )
        if heard < search.iterations:
            raise TraceError(
                f"The recorder heard {heard} of {search.iterations} iterations: attach it first."
            )

    def on_simulate(self, record: Simulation) -> None:
        pending = self._pending
        pending.append(record)
        if len(pending) >= CHUNK:
            self._pack()

    @rare_collections()
    def trace(self, search: MCTS) -> Trace:
        """All that was recorded of ``search``, up to its last whole iteration.

        Raises ``TraceError`` for a search that it did not hear from the beginning, and for one
        whose nodes changed without being visited, in a tree that it went on with.
        """
        require(isinstance(search, MCTS), "search", "the search that was recorded", search)
        self._pack()
        if any(len(packed[0]) for packed in self._packed) and self._root is not search.root:
            raise TraceError(
                "The recorder heard another search, or another tree: record each with a new "
                "Recorder()."
            )
        self._require_same(search)
        self._packed = [tuple(map(np.concatenate, zip(*self._packed, strict=True)))]
        iterations, leaf, lengths, moves, outcome = self._packed[0]
        count = search.iterations
        # An iteration that was cut short was told and then run again: its last telling counts.
        last_telling = np.append(iterations[1:] != iterations[:-1], True)
        kept = last_telling[: len(iterations)] & (iterations <= count)
        self._require_heard(search, int(np.count_nonzero(kept)))
        moves = moves[np.repeat(kept, lengths)]
        # A hook may ask amid an iteration, whose nodes are the last.
        nodes = search.nodes[: bisect_right(search.nodes, count, key=attrgetter("created_at"))]
        action = self._numbers([node.action for node in nodes[1:]], self._actions)
        trace = Trace(
            first_spec=self._spec or search.but(),
            root_state=search.root.state,
            actions=tuple(self._actions),
            parent=_parents(nodes, len(search.nodes)),
            action=smallest_ints(np.pad(action, (1, 0))),
            created_at=np.fromiter(map(attrgetter("created_at"), nodes), np.int32, len(nodes)),
            player_just_moved=np.fromiter(
                map(attrgetter("player_just_moved"), nodes), np.int8, len(nodes)
            ),
            leaf=leaf[kept],
            playouts=Playouts(smallest_ints(moves), smallest_ints(lengths[kept])),
            outcome=smallest_ints(outcome[kept]),
            outcomes=tuple(Outcome(returns, search.rewards(returns)) for returns in self._outcomes),
            proofs=_proofs(search, len(nodes)),
            ledger=empty_sums(search, len(nodes), self._begun),
        )
        trace = replace(trace, ledger=ledger_of(trace, search, nodes, self._writer))
        return replace(trace, chosen=search.chosen[:count])

    @staticmethod
    def _numbers(values: Sequence[Any], table: dict[Any, int]) -> Ints:
        """The values by their numbers in the ``table``, to which new ones are added."""
        if (small := _as_bytes(values)) is not None:
            numbers = np.zeros(256, np.int64)
            for value in np.flatnonzero(np.bincount(small)).tolist():
                numbers[value] = table[value]
            return numbers[small]
        try:
            return np.fromiter(map(table.__getitem__, values), np.int64, len(values))
        except TypeError as error:
            raise SearchError(
                f"A move has no hash ({reason(error)}): use numbers or tuples."
            ) from None

    def _pack(self) -> None:
        records = self._pending
        iterations, leaf, actions, returns = zip(*records, strict=True) if records else ((),) * 4
        packed = (
            np.fromiter(iterations, np.int32, len(iterations)),
            np.fromiter(leaf, np.int32, len(leaf)),
            np.fromiter(map(len, actions), np.int32, len(actions)),
            smallest_ints(self._numbers([*chain.from_iterable(actions)], self._actions)),
            np.fromiter(map(self._outcomes.__getitem__, returns), np.int64, len(returns)),
        )
        # Nothing is called from here on, so an interrupt cannot come in between and lose or double.
        self._packed = [*self._packed, packed]
        self._pending = []


class _Numbered(dict[Any, int]):
    """For each value: its number, which a value gets when it is first asked for."""

    def __missing__(self, value: Any) -> int:
        number = self[value] = len(self)
        return number


def _parents(nodes: Sequence[Node], most: int) -> Ints:
    """For each node: its parent's number; raises ``TraceError`` for a node that has two."""
    parent = np.full(most, -1, np.int32)
    families = [node.children for node in nodes]
    children = chain.from_iterable(families)
    below = np.fromiter(map(attrgetter("id"), children), np.int32)
    if np.bincount(below).max(initial=0) > 1:
        raise TraceError(
            "A node is the child of two others, and a trace is of a tree: give each way to a "
            "position a node of its own."
        )
    parent[below] = np.repeat(np.arange(len(nodes)), [*map(len, families)])
    return parent[: len(nodes)]


def _proofs(search: MCTS, count: int) -> Proofs:
    """The proofs of a solver; none of other searches."""
    sign, since = Proofs.none(count)
    if isinstance(search, MCTSSolver):
        for node, iteration in search.proven_at.items():
            sign[node.id], since[node.id] = search.proof(node), iteration
    return Proofs(sign, since)


def _as_bytes(values: Sequence[Any]) -> Ints | None:
    """Values that are all from 0 to 255, such as columns and cells, which are numbered many times
    as fast.
    """
    with suppress(TypeError, ValueError):
        if {*map(type, {*values})} == {int}:  # equal values count as one
            return np.frombuffer(bytes(values), np.uint8)
    return None
