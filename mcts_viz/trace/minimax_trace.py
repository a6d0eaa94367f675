"""The trace of a walk by minimax or alpha-beta: a hook writes small columns, every moment of it."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import Any, Final

import numpy as np

from ..errors import TraceError, door
from ..games import Game
from ..search import EVENTS, MinimaxResult
from ..search.checks import check_rules, require_function, require_whole
from ..search.minimax import BackUp, CutOff, Entry, Evaluation
from .trace import Floats, Ints, RecordedTree, smallest_ints

ENTER, EVALUATE, BACK_UP, CUT_OFF = range(len(EVENTS))
MOST: Final = 600_000
"""Nodes that are recorded: all of tic-tac-toe, and seconds of work in a game that is too large."""


@dataclass(frozen=True, eq=False, repr=False)
class MinimaxTrace(RecordedTree):
    """A recorded walk. Make one with ``record_minimax(alpha_beta, game)``.

    Nodes are numbered in the order of visits, the root is 0. Steps count from 1. MAX is player 0
    and MIN is player 1; every value, alpha and beta is MAX's.
    """

    game: Game[Any, Any]
    pruned: Ints
    """By node: how many of its moves were never looked at, because of a cutoff."""
    event: Ints
    """By step: what happened, as a place in ``mcts_viz.search.EVENTS``."""
    node: Ints
    """By step: the node where it happened; in a back-up the one that hears from its child."""
    value: Floats
    """By step: the value that this node has from now on; NaN when it is entered."""
    alpha: Floats
    """By step: this node's alpha from now on; -∞ in minimax, which knows none."""
    beta: Floats
    """By step: this node's beta from now on; ∞ in minimax, which knows none."""

    def __len__(self) -> int:
        """Steps that were recorded."""
        return len(self.event)

    @property
    def nodes(self) -> int:
        """Nodes that were entered."""
        return len(self.parent)

    @door
    def at(self, step: int) -> MinimaxSnapshot:
        """The moment when ``step`` has just happened; ``at(0)`` is before the first.

        Raises ``TraceError`` for a step that is not in the trace.
        """
        return MinimaxSnapshot(self, require_whole("step", step, 0, len(self), TraceError))

    def __repr__(self) -> str:
        return f"<MinimaxTrace of {self.game.name}: {len(self)} steps, {self.nodes} nodes>"


class MinimaxSnapshot:
    """One moment of a walk; nothing in it changes, and nothing of it knows the future.

    The arrays have one entry for each node that was entered by now. Numbers are MAX's.
    """

    def __init__(self, trace: MinimaxTrace, step: int) -> None:
        self.trace = trace
        self.step = step
        self._events, self._nodes = trace.event[:step], trace.node[:step]
        self.nodes = int(np.count_nonzero(self._events == ENTER))
        """The number of nodes that were entered, from 0 to ``nodes - 1``."""

    @property
    def event(self) -> str | None:
        """The last event: enter, evaluate, back_up or cut_off; ``None`` at step 0."""
        return EVENTS[self._events[-1]] if self.step else None

    @property
    def node(self) -> int | None:
        """The node where it happened; in a back-up the one that hears from its child."""
        return int(self._nodes[-1]) if self.step else None

    @property
    def child(self) -> int | None:
        """In a back-up the child whose value is handed up, else ``None``."""
        return int(self._nodes[-2]) if self.event == "back_up" else None

    @property
    def path(self) -> tuple[int, ...]:
        """The nodes from the root down to ``node``; empty at step 0."""
        return () if self.node is None else self.trace.path(self.node)

    @cached_property
    def value(self) -> Floats:
        """By node: the best value known by now; NaN where none is known."""
        return self._latest(self.trace.value)

    @cached_property
    def alpha(self) -> Floats:
        """By node: what MAX was assured of when the walk was last there."""
        return self._latest(self.trace.alpha)

    @cached_property
    def beta(self) -> Floats:
        """By node: what MIN could hold MAX to when the walk was last there."""
        return self._latest(self.trace.beta)

    def _latest(self, column: Floats) -> Floats:
        latest = np.full(self.nodes, nan)
        latest[self._nodes] = column[: self.step]  # the last of several stays
        latest.flags.writeable = False
        return latest

    def __repr__(self) -> str:
        return f"<step {self.step}: {self.event} at node {self.node}, {self.nodes} nodes>"


@door
def record_minimax(
    walk: Callable[..., MinimaxResult], game: Game[Any, Any], state: Any = None
) -> MinimaxTrace:
    """Run ``walk``, ``minimax`` or ``alpha_beta``, and return its trace.

    >>> from mcts_viz import Nim, alpha_beta, record_minimax
    >>> record_minimax(alpha_beta, Nim((1, 2))).at(3)
    <step 3: enter at node 2, 3 nodes>
    """
    check_rules(game)
    recorder = MinimaxRecorder(game, state)
    require_function("walk", walk, "game, state, hooks")
    walk(game, state, hooks=[recorder])
    return recorder.trace()


class MinimaxRecorder:
    """Hears one walk from ``state``, the game's start if none is given, of at most MOST nodes."""

    def __init__(self, game: Game[Any, Any], state: Any = None) -> None:
        self.game = game
        self.root_state = game.initial_state() if state is None else state
        self._codes: dict[Any, int] = {}
        self._parent, self._action, self._pruned = array("i"), array("i"), array("i")
        self._steps = array("d")  # five numbers each: event, node, value, alpha, beta

    def on_enter(self, record: Entry) -> None:
        node, parent, action, alpha, beta = record
        if node == MOST:
            raise TraceError(
                f"{self.game.name} has more than {MOST:,} nodes from here, too many to record: "
                "start from a later position."
            )
        self._parent.append(parent if node == len(self._parent) else -1)
        self._action.append(self._codes.setdefault(action, len(self._codes)) if node else 0)
        self._pruned.append(0)
        self._steps.extend((ENTER, node, nan, alpha, beta))

    def on_evaluate(self, record: Evaluation) -> None:
        self._steps.extend((EVALUATE, *record))

    def on_back_up(self, record: BackUp) -> None:
        self._steps.extend((BACK_UP, record.node, *record[2:]))

    def on_cut_off(self, record: CutOff) -> None:
        self._pruned[record.node] = len(record.pruned)
        self._steps.extend((CUT_OFF, record.node, *record[2:5]))

    def trace(self) -> MinimaxTrace:
        """All that happened.

        Raises ``TraceError`` unless the recorder heard exactly one walk from its state.
        """
        parent = np.array(self._parent, np.int32)
        if not len(parent) or (parent[1:] < 0).any():
            raise TraceError(
                f"The recorder heard {'more than one' if len(parent) else 'no'} walk: hand a new "
                "MinimaxRecorder(game, state) to each, alpha_beta(game, state, hooks=[recorder])."
            )
        event, node, value, alpha, beta = np.array(self._steps).reshape(-1, 5).T.copy()
        return MinimaxTrace(
            game=self.game,
            root_state=self.root_state,
            actions=tuple(self._codes),
            parent=parent,
            action=smallest_ints(np.array(self._action)),
            pruned=smallest_ints(np.array(self._pruned)),
            event=event.astype(np.int8),
            node=node.astype(np.int32),
            value=value,
            alpha=alpha,
            beta=beta,
        )
