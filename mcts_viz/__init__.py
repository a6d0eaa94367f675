"""Monte Carlo Tree Search, seen from the inside.

A search leaves a trace, a trace is a film, a film can be scrubbed::

    from mcts_viz import MCTS, TicTacToe
    MCTS(TicTacToe(), seed=4).record(iterations=200)
"""

from typing import TYPE_CHECKING, Any

from .errors import GameError, MctsVizError, SearchError, TraceError
from .games import ConnectFour, Game, GameTree, Nim, TicTacToe, check_game
from .search import MCTS, alpha_beta, minimax, random_playout, solve, ucb1
from .trace import Recorder, Snapshot, Trace
from .view import Film

if TYPE_CHECKING:
    from .widgets import Player

__all__ = [
    "MCTS",
    "ConnectFour",
    "Film",
    "Game",
    "GameError",
    "GameTree",
    "MctsVizError",
    "Nim",
    "Player",
    "Recorder",
    "SearchError",
    "Snapshot",
    "TicTacToe",
    "Trace",
    "TraceError",
    "alpha_beta",
    "check_game",
    "minimax",
    "random_playout",
    "solve",
    "ucb1",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Load the player when it is asked for: a search needs no widgets, nor a place for them."""
    if name == "Player":
        from .widgets import Player

        return Player
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
