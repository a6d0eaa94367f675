"""The trace of a walk by minimax or alpha-beta: a hook writes small columns, every moment of it."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass
from math import nan
from typing import Any, Final

import numpy as np

from ..errors import TraceError, door
from ..games import Game
from ..search import EVENTS, MinimaxResult
from ..search.checks import require_function, require_whole
from ..search.minimax import Step
from .trace import Floats, Ints, RecordedTree, smallest_ints

MOST: Final = 600_000
"""Nodes that are recorded: all of tic-tac-toe, and seconds of work in a game that is too large."""

_CODES: Final = {event: code for code, event in enumerate(EVENTS)}


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
        """The moment when ``step`` has just happened; raises ``TraceError`` if the trace has no such step."""
        require_whole("step", step, 1, len(self), TraceError)
        events, places = self.event[:step], self.node[:step]
        nodes = int(np.count_nonzero(events == _CODES["enter"]))
        numbers = np.full((3, nodes), nan)
        for latest, column in zip(numbers, (self.value, self.alpha, self.beta), strict=True):
            latest[places] = column[:step]  # the last of several stays
        numbers.flags.writeable = False
        return MinimaxSnapshot(step, EVENTS[events[-1]], int(places[-1]), nodes, *numbers)

    def __repr__(self) -> str:
        return f"<MinimaxTrace of {self.game.name}: {len(self)} steps, {self.nodes} nodes>"


@dataclass(frozen=True, eq=False, repr=False)
class MinimaxSnapshot:
    """One moment of a walk; nothing in it changes, and nothing of it knows the future.

    The arrays have one entry for each node that was entered by now. Numbers are MAX's.
    """

    step: int
    event: str
    """What has happened, one of ``mcts_viz.search.EVENTS``."""
    node: int
    """The node where it happened; in a back-up the one that hears from its child."""
    nodes: int
    """The number of nodes that were entered, from 0 to ``nodes - 1``."""
    value: Floats
    """By node: the best value known by now; NaN where none is known."""
    alpha: Floats
    """By node: what MAX was assured of when the walk was last there."""
    beta: Floats
    """By node: what MIN could hold MAX to when the walk was last there."""

    def __repr__(self) -> str:
        return f"<step {self.step}: {self.event} at node {self.node}, {self.nodes} nodes>"


@door
def record_minimax(
    walk: Callable[..., MinimaxResult], game: Game[Any, Any], state: Any = None
) -> MinimaxTrace:
    """Run ``walk``, ``minimax`` or ``alpha_beta``, and return its trace.

    Raises ``TraceError`` for a walk of more than 600,000 nodes.

    >>> from mcts_viz import Nim, alpha_beta, record_minimax
    >>> record_minimax(alpha_beta, Nim((1, 2))).at(3)
    <step 3: enter at node 2, 3 nodes>
    """
    require_function("walk", walk, "game, state, hooks")
    columns = _Columns(game)
    walk(game, state, hooks=[columns])
    event, node, value, alpha, beta = np.array(columns.steps).reshape(-1, 5).T.copy()
    return MinimaxTrace(
        game=game,
        root_state=game.initial_state() if state is None else state,
        actions=tuple(columns.actions),
        parent=np.array(columns.parent, np.int32),
        action=smallest_ints(np.array(columns.action)),
        pruned=smallest_ints(np.array(columns.pruned)),
        event=event.astype(np.int8),
        node=node.astype(np.int32),
        value=value,
        alpha=alpha,
        beta=beta,
    )


class _Columns:
    """A hook that writes down the steps of one walk."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.actions: dict[Any, int] = {}
        self.parent, self.action, self.pruned = array("i"), array("i"), array("i")
        self.steps = array("d")  # five numbers each: event, node, value, alpha, beta

    def on_step(self, step: Step) -> None:
        event, node, value, alpha, beta, parent, action, pruned = step
        if event == "enter":
            if node == MOST:
                raise TraceError(
                    f"{self.game.name} has more than {MOST:,} nodes from here, too many to record: "
                    "start from a later position."
                )
            self.parent.append(parent)
            self.action.append(self.actions.setdefault(action, len(self.actions)) if node else 0)
            self.pruned.append(0)
        elif pruned:
            self.pruned[node] = len(pruned)
        self.steps.extend((_CODES[event], node, value, alpha, beta))
