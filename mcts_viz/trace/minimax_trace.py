"""The trace of a walk by minimax or alpha-beta: small columns, and every moment of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import Any

import numpy as np

from ..errors import TraceError, shown
from ..games import Game
from ..search.minimax_hooks import EVENTS
from .trace import Floats, Ints
from .tree import RecordedTree

__all__ = ["MinimaxSnapshot", "MinimaxTrace"]


@dataclass(frozen=True, eq=False, repr=False)
class MinimaxTrace(RecordedTree):
    """A recorded walk. Make one with ``record_minimax(alpha_beta, game)``.

    Nodes are numbered in the order of visits, the root is 0. Steps count from 1. MAX is player 0
    and MIN is player 1; every value, alpha and beta is MAX's.
    """

    game: Game[Any, Any]
    root_state: Any
    actions: tuple[Any, ...]
    """Every action that occurs; ``action`` holds places in this table."""
    numbers: Floats
    """Every number that occurs; the last three columns hold places in this table."""
    parent: Ints
    """By node: its parent, -1 for the root."""
    action: Ints
    """By node: the move that led to it; the root's means nothing."""
    pruned: Ints
    """By node: how many of its moves were never looked at, because of a cutoff."""
    event: Ints
    """By step: what happened, as a place in ``mcts_viz.search.minimax_hooks.EVENTS``."""
    node: Ints
    """By step: the node where it happened; in a back-up the one that hears from its child."""
    value: Ints
    """By step: the value that this node has from now on; NaN when it is entered."""
    alpha: Ints
    """By step: this node's alpha from now on; -∞ in minimax, which knows none."""
    beta: Ints
    """By step: this node's beta from now on; ∞ in minimax, which knows none."""

    def __len__(self) -> int:
        """How many steps were recorded."""
        return len(self.event)

    @property
    def nodes(self) -> int:
        """How many nodes were entered."""
        return len(self.parent)

    @property
    def nbytes(self) -> int:
        """What all columns take."""
        return sum(column.nbytes for column in vars(self).values() if hasattr(column, "nbytes"))

    def at(self, step: int) -> MinimaxSnapshot:
        """The moment when ``step`` has just happened; ``at(0)`` is before the first.

        Raises ``TraceError`` for a step that is not in the trace.
        """
        whole = isinstance(step, (int, np.integer)) and not isinstance(step, bool)
        if not whole or not 0 <= step <= len(self):
            raise TraceError(
                f"step is {shown(step)}, but this trace has the steps 1 to {len(self)} "
                "(and 0, before the walk)."
            )
        return MinimaxSnapshot(self, int(step))

    # The tree ----------------------------------------------------------------------------------

    def pruned_actions(self, node: int) -> tuple[Any, ...]:
        """The moves of ``node`` that were never looked at, because of a cutoff."""
        count = int(self.pruned[node])
        return tuple(self.game.legal_actions(self.state(node)))[-count:] if count else ()

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
        self.nodes = int(np.count_nonzero(self._events == EVENTS.index("enter")))
        """How many nodes were entered: those numbered 0 to ``nodes - 1``."""

    @property
    def event(self) -> str | None:
        """What has just happened: enter, evaluate, back_up or cut_off; ``None`` at step 0."""
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

    @cached_property
    def pruned(self) -> Ints:
        """By node: how many of its moves have been cut off by now."""
        cut = self._nodes[self._events == EVENTS.index("cut_off")]
        pruned = np.zeros(self.nodes, np.int64)
        pruned[cut] = self.trace.pruned[cut]
        pruned.flags.writeable = False
        return pruned

    def _latest(self, column: Ints) -> Floats:
        latest = np.full(self.nodes, nan)
        latest[self._nodes] = self.trace.numbers[column[: self.step]]  # the last of several stays
        latest.flags.writeable = False
        return latest

    def __repr__(self) -> str:
        return f"<step {self.step}: {self.event} at node {self.node}, {self.nodes} nodes>"
