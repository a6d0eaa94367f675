"""Monte Carlo Tree Search, seen from the inside.

A search leaves a trace, a trace is a film, a film can be scrubbed::

    from mcts_viz import MCTS, TicTacToe
    MCTS(TicTacToe(), seed=4).record(iterations=200)
"""

from .errors import GameError, MctsVizError, SearchError, TraceError
from .games import ConnectFour, Game, GameTree, Nim, TicTacToe, check_game
from .search import MCTS, minimax, random_playout, solve, ucb1
from .trace import Recorder, Snapshot, Trace
from .view import Film
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
    "check_game",
    "minimax",
    "random_playout",
    "solve",
    "ucb1",
]

__version__ = "0.1.0"
