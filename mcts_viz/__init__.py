"""Monte Carlo Tree Search, seen from the inside.

A search leaves a trace, a trace is a film, a film can be scrubbed::

    from mcts_viz import MCTS, TicTacToe
    MCTS(TicTacToe(), seed=4).record(iterations=200)
"""

from typing import TYPE_CHECKING, Any

from .errors import GameError, MctsVizError, SearchError, TraceError
from .games import Bandit, ConnectFour, Game, GameTree, Nim, TicTacToe, check_game
from .search import MCTS, MCTSSolver, alpha_beta, minimax, published, random_playout, solve, ucb1
from .search.arena import arena
from .search.players import ExactPlayer, MCTSPlayer, RandomPlayer
from .search.q_learning import QLearner
from .trace import MinimaxTrace, Recorder, Snapshot, Trace, record_minimax
from .view import Film

if TYPE_CHECKING:
    from .widgets import Compare, Play, Player

__all__ = [
    "MCTS",
    "Bandit",
    "Compare",
    "ConnectFour",
    "ExactPlayer",
    "Film",
    "Game",
    "GameError",
    "GameTree",
    "MCTSPlayer",
    "MCTSSolver",
    "MctsVizError",
    "MinimaxTrace",
    "Nim",
    "Play",
    "Player",
    "QLearner",
    "RandomPlayer",
    "Recorder",
    "SearchError",
    "Snapshot",
    "TicTacToe",
    "Trace",
    "TraceError",
    "alpha_beta",
    "arena",
    "check_game",
    "minimax",
    "published",
    "random_playout",
    "record_minimax",
    "solve",
    "ucb1",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Load a widget when it is asked for: a search needs none, nor a place for them."""
    if name in ("Compare", "Play", "Player"):
        from . import widgets

        return getattr(widgets, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
