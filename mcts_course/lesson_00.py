"""The exercise of lesson 00, Is everything ready?"""

from __future__ import annotations

from typing import Final

from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS
from mcts_viz.trace import Trace

from .exercises import Question

__all__ = ["first_move", "first_visits"]


def first_visits(trace: Trace) -> int:
    """How many iterations it took until every move at the root had been tried once."""
    return int(max(trace.birth[node] for node in trace.children[0]))


_TRACE = MCTS(TicTacToe(), seed=2).record(iterations=12, progress=False)
_LAST = _TRACE.at(12)

first_move: Final = Question(
    text="In iteration 12, which cell does the walk take first?",
    right=_TRACE.label(_LAST.path[1]),
    why="the outlined path goes from the root to that card.",
    misconceptions=(
        (
            _TRACE.label(_LAST.path[2]),
            "that is the node that the phase Expand adds. Step back with ← to Select.",
        ),
        (
            _TRACE.label(_TRACE.at(11).path[1]),
            "that is iteration 11. Move the slider one step to the right.",
        ),
        (
            _LAST.playout[0] if _LAST.playout else None,
            "that is the first move of the playout, which never enters the tree. Step back with ←.",
        ),
    ),
    advice="Answer with the number of a cell, 0 to 8, row by row from the top left.",
)
