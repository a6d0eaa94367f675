"""What a search with proofs knew, and when: it follows from the trace, so none of it is stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..search.mcts_solver import winner_of

if TYPE_CHECKING:
    from .trace import Trace


class Proofs(NamedTuple):
    """What has been proven of each node, and when."""

    sign: NDArray[np.int8]
    """By node: 1 for a win of the player who moved into it, -1 for a loss, 0 without a proof."""
    since: NDArray[np.int32]
    """By node: the iteration that proved it; 0 if it was proven before, or never is."""

    def at(self, node: int, iterations: int) -> int:
        """The sign of a node after that many iterations: 0 until it is proven."""
        return int(self.sign[node]) if self.since[node] <= iterations else 0


def proofs_of(trace: Trace) -> Proofs:
    """The proofs of :class:`mcts_viz.MCTSSolver`: each begins where a visit finds the game over."""
    nodes = len(trace.parent)
    sign, since = np.zeros(nodes, np.int8), np.zeros(nodes, np.int32)
    refuted = [0] * nodes
    for iteration, leaf in _ends_of_games(trace) if trace.solver else ():
        winner, node = winner_of(trace.game.returns(trace.state(leaf))), leaf
        while winner is not None and node >= 0 and not sign[node]:
            lost, parent = trace.player_just_moved[node] != winner, int(trace.parent[node])
            sign[node], since[node] = -1 if lost else 1, iteration
            if lost and parent >= 0:
                refuted[parent] += 1
                if refuted[parent] < trace.n_legal_moves(parent):
                    break
            node = parent
    for column in (sign, since):
        column.flags.writeable = False
    return Proofs(sign, since)


def _ends_of_games(trace: Trace) -> Iterator[tuple[int, int]]:
    """The visits to positions where the game is over: iteration (0 for all before) and node."""
    ended = np.flatnonzero(trace.playouts.lengths == 0)
    before = [(0, node) for node in np.flatnonzero(trace.visits_before).tolist()]
    during = zip((ended + 1).tolist(), trace.leaf[ended].tolist(), strict=True)
    for iteration, node in [*before, *during]:
        if trace.game.is_terminal(trace.state(node)):
            yield iteration, node
