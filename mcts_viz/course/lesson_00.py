"""The exercise of lesson 00, Is everything ready?"""

from __future__ import annotations

from typing import Final

from ..games import TicTacToe
from ..search import MCTS
from .exercises import Question

__all__ = ["first_move", "trace"]

trace: Final = MCTS(TicTacToe(), seed=4).record(iterations=12, progress=False)
"""The first film: a search of tic-tac-toe from the empty board."""

_PATH = trace.at(12).path
_BUSIEST = max(trace.at(12).children(0), key=lambda node: int(trace.at(12).visits[node]))

first_move: Final = Question(
    text="Iteration 12, phase Select: which cell does the walk take from the root?",
    right=trace.label(_PATH[1]),
    why="its card is outlined, and so is the line that leads to it.",
    misconceptions=(
        (
            trace.label(_PATH[2]),
            "that is the new node, which comes with the next phase, Expand; step back with ←.",
        ),
        (
            trace.label(_BUSIEST),
            "that is the card with the most visits; the walk is marked by the outline.",
        ),
        (
            trace.label(trace.at(11).path[1]),
            "that is iteration 11; move the slider one step further.",
        ),
    ),
    advice="Answer with the number of a cell: 0 to 8, row by row from the top left.",
)
