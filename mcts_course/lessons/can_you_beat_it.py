"""The exercise of lesson 00, Is everything ready?"""

from __future__ import annotations

from typing import Final

from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS
from mcts_viz.trace import Trace

from ..exercises import Question, texts_of

SAID: Final = texts_of(__name__)


def first_visits(trace: Trace) -> int:
    """How many iterations it took until every move at the root had been tried once."""
    return int(max(trace.created_at[node] for node in trace.children[0]))


_TRACE = MCTS(TicTacToe(), seed=2).record(iterations=12, progress=False)
_LAST = _TRACE.at(12)

first_move: Final = Question(
    SAID["first_move"],
    text="In iteration 12, which cell does the walk take first?",
    right=_TRACE.label(_LAST.path[1]),
    wrong={
        "the new node": _TRACE.label(_LAST.path[2]),
        "one iteration early": _TRACE.label(_TRACE.at(11).path[1]),
        "the playout": _LAST.playout[0] if _LAST.playout else None,
        "row and column": divmod(int(_TRACE.label(_LAST.path[1])), 3),
    },
)
