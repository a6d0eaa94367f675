"""Experiments and the exercise of the lesson *Can you beat it?*"""

from __future__ import annotations

from typing import Final

from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS
from mcts_viz.trace import Trace

from ..typed import typed_door
from ..work.exercises import Question, texts_of

SAID: Final = texts_of(__name__)


@typed_door
def first_moves(trace: Trace) -> str:
    """Say how the first games started, one for each move at the root."""
    children = trace.children[0]
    started = [trace.at(number).path[1] for number in range(1, len(children) + 1)]
    different = len(set(started))
    return "at each cell once" if different == len(children) else "at random: a cell may come twice"


@typed_door
def compare(trace: Trace, again: Trace) -> str:
    """Say how alike two trees are, by the cards that they show at the end."""
    last, other = trace.at(trace.iterations), again.at(again.iterations)
    same = (list(last.wins), list(last.visits), list(trace.parent)) == (
        list(other.wins),
        list(other.visits),
        list(again.parent),
    )
    return "exactly the same" if same else "similar, but not the same"


_TRACE = MCTS(TicTacToe(), seed=2).record(iterations=12, progress=False)
_ASKED: Final = 10
_MOMENT = _TRACE.at(_ASKED)

first_move: Final = Question(
    SAID["first_move"],
    right=_TRACE.label(_MOMENT.path[1]),
    wrong={
        "the new node": _TRACE.label(_MOMENT.path[2]),
        "one iteration early": _TRACE.label(_TRACE.at(_ASKED - 1).path[1]),
        "one iteration late": _TRACE.label(_TRACE.at(_ASKED + 1).path[1]),
        "the last iteration": _TRACE.label(_TRACE.at(12).path[1]),
        "the playout": _MOMENT.playout[0] if _MOMENT.playout else None,
        "row and column": divmod(int(_TRACE.label(_MOMENT.path[1])), 3),
    },
)
