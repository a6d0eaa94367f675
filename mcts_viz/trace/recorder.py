"""A hook that writes down a search, in as few bytes as will bring every moment back."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError
from ..games import Returns
from ..search import MCTS, SearchSpec, Simulation
from ..search.checks import check_budget
from ..search.collector import let_go, rare_collections
from ..search.positions import explain_game_error
from ..search.running import twin
from .trace import Ints, Outcome, Playouts, Trace, smallest_ints

if TYPE_CHECKING:
    from ..search.compiled import Grown

CHUNK = 4096
"""Iterations kept as records before they are packed into arrays."""


class Recorder:
    """Hears of the playouts; the tree itself tells the rest when the search is over.

    A hook costs time in every iteration, so this one only keeps the records it is given, and
    packs them in bulk now and then.
    """

    def __init__(self) -> None:
        self._pending: list[Simulation] = []
        self._codes: dict[Any, int] = {}
        self._outcomes: dict[tuple[float, ...], int] = {}
        self._packed: list[tuple[np.ndarray[Any, Any], ...]] = []

    def on_simulate(self, record: Simulation) -> None:
        self._pending.append(record)
        if len(self._pending) >= CHUNK:
            self._pack()

    def trace(self, search: MCTS) -> Trace:
        """All that was recorded of ``search``, up to its last whole iteration."""
        with rare_collections():
            self._pack()
            return self._trace(search)

    def _trace(self, search: MCTS) -> Trace:
        packed = [np.concatenate(column) for column in zip(*self._packed, strict=True)]
        self._packed = [tuple(packed)]
        iterations, leaf, lengths, moves, outcome = packed
        # An iteration that was cut short was told and then run again: its last telling counts.
        count = search.iterations
        kept = np.flatnonzero(iterations <= count)
        last_telling = np.append(iterations[kept][1:] != iterations[kept][:-1], True)
        kept = kept[last_telling[: len(kept)]]
        if len(kept) != count:
            raise TraceError(
                f"The recorder heard {len(kept)} of {count} iterations: attach a new one when the "
                "search starts, or call search.record(iterations=...)."
            )
        if len(kept) != len(iterations):
            ends = np.cumsum(lengths, dtype=np.int64)
            moves = np.concatenate([moves[ends[i] - lengths[i] : ends[i]] for i in kept])
        parent, actions, birth, mover = _nodes_of(search)
        numbers = self._numbers(actions)
        table = tuple(self._codes)
        trace = Trace(
            spec=SearchSpec.of(search),
            root_state=search.root.state,
            actions=table,
            parent=parent,
            action=smallest_ints(np.append(0, numbers), len(table)),
            birth=birth,
            mover=mover,
            visits_before=np.zeros(len(parent), np.int32),
            wins_before=np.zeros(len(parent)),
            leaf=leaf[kept].astype(np.int32),
            playouts=Playouts(
                smallest_ints(moves, len(table)), smallest_ints(lengths[kept], _above(lengths))
            ),
            outcome=smallest_ints(outcome[kept], len(self._outcomes)),
            outcomes=tuple(Outcome(returns, search.rewards(returns)) for returns in self._outcomes),
        )
        if search.root.visits == count:
            return trace
        # The search went on with a tree: what the recorder did not hear was there before.
        nodes = search.nodes[: len(parent)]
        visits = np.array([node.visits for node in nodes]) - trace.visits(count)
        wins = np.array([node.wins for node in nodes]) - trace.wins(count)
        wins = np.where(visits > 0, wins.round(12), 0.0)  # what rounding left of the difference
        return replace(trace, visits_before=visits.astype(np.int32), wins_before=wins)

    def _learn(self, actions: Iterable[Any]) -> None:
        """Give numbers to actions that have none."""
        for action in dict.fromkeys(actions):
            self._codes.setdefault(action, len(self._codes))

    def _numbers(self, actions: list[Any] | Ints) -> np.ndarray[Any, Any]:
        """The actions by their numbers; where all are small integers, many times sooner."""
        small = actions if isinstance(actions, np.ndarray) else _as_bytes(actions)
        if small is None:
            self._learn(actions)
            return np.fromiter(map(self._codes.__getitem__, actions), np.int64, len(actions))
        present = np.flatnonzero(np.bincount(small, minlength=256)).tolist()
        self._learn(present)
        number = np.zeros(256, np.min_scalar_type(len(self._codes)))
        number[present] = [self._codes[action] for action in present]
        return number[small]

    def _pack(self) -> None:
        records = self._pending
        iterations, leaf, actions, returns = zip(*records, strict=True) if records else ((),) * 4
        self._learn_outcomes(returns)
        packed = (
            np.array(iterations, np.int32),
            np.array(leaf, np.int32),
            np.fromiter(map(len, actions), np.int32, len(actions)),
            smallest_ints(self._numbers(list(chain.from_iterable(actions))), len(self._codes)),
            np.fromiter(map(self._outcomes.__getitem__, returns), np.int32, len(returns)),
        )
        self._packed, self._pending = [*self._packed, packed], []  # an interrupt loses nothing

    def hear(self, grown: Grown) -> None:
        """Take over what a compiled run did, slice by slice, as if it had been told."""
        done = 0
        while grown.slices:
            leaf, lengths, outcome, moves = grown.slices.popleft()
            self._learn_outcomes(grown.outcomes[n] for n in dict.fromkeys(outcome.tolist()))
            places = [self._outcomes.get(returns, 0) for returns in grown.outcomes]
            iterations = np.arange(done + 1, done + 1 + len(leaf), dtype=np.int32)
            numbers = smallest_ints(self._numbers(moves), len(self._codes))
            outcomes = np.array(places, np.int32)[outcome]
            self._packed.append((iterations, leaf, lengths, numbers, outcomes))
            done += len(leaf)

    def _learn_outcomes(self, returns: Iterable[Returns]) -> None:
        for result in dict.fromkeys(returns):
            self._outcomes.setdefault(result, len(self._outcomes))


def _nodes_of(search: MCTS) -> tuple[Ints, Ints | list[Any], Ints, Ints]:
    """By node: its parent, birth and mover, and by node but for the root the action."""
    if search.grown:
        tree, count = search.grown.tree, search.grown.count
        parent, birth, mover = (col[:count].copy() for col in (tree.parent, tree.birth, tree.mover))
        return parent, tree.action[1:count], birth, mover
    nodes = search.nodes
    while nodes[-1].birth > search.iterations:  # a hook may ask for a trace during an iteration
        nodes = nodes[:-1]
    count, children = len(nodes), [*map(attrgetter("children"), nodes)]
    below = [*map(attrgetter("id"), chain.from_iterable(children))]
    parent = np.full(len(search.nodes), -1, np.int32)
    parent[below] = np.repeat(np.arange(count), [*map(len, children)])
    actions = [*map(attrgetter("action"), nodes[1:])]
    birth = np.fromiter(map(attrgetter("birth"), nodes), np.int32, count)
    mover = np.fromiter(map(attrgetter("mover"), nodes), np.int8, count)
    return parent[:count], actions, birth, mover


def _as_bytes(actions: list[Any]) -> NDArray[np.uint8] | None:
    """The actions as an array, if all are small and plain integers: an enumeration has names."""
    if not set(map(type, actions)) <= {int}:
        return None
    with suppress(ValueError):
        return np.array(bytearray(actions), np.uint8)
    return None


def _above(values: np.ndarray[Any, Any]) -> int:
    return int(values.max(initial=0)) + 1


def record(search: MCTS, state: Any = None, **budget: Any) -> Trace:
    """Run ``search.search(state, **budget)`` and answer with its trace."""
    recorder = Recorder()
    check_budget(budget.get("iterations"), budget.get("seconds"))
    root = search.start(state)
    with explain_game_error(search.game):
        set(search.game.legal_actions(root.state))  # moves must have a hash: asked now, not later
        hooks = [*budget.pop("hooks", ())]
        if hooks or not twin(search, budget.get("iterations")):
            hooks.append(recorder)
        search.run(**budget, hooks=hooks)
        if search.grown:
            recorder.hear(search.grown)
            return recorder.trace(search)
        trace = recorder.trace(search)
    let_go(search.nodes)
    return trace
