"""Monte Carlo Tree Search, seen from the inside.

A search leaves a trace, a trace is a film, a film can be scrubbed::

    from mcts_viz import MCTS, TicTacToe
    MCTS(TicTacToe(), seed=4).record(iterations=200)
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import GameError, MctsVizError, SearchError, TraceError
from .film import Film, graphviz_slider
from .games import Bandit, ConnectFour, Game, GameTree, Nim, TicTacToe, check_game
from .search import MCTS, MCTSSolver, alpha_beta, minimax, random_playout, solve, ucb1
from .search.agents import ExactAgent, MCTSAgent, RandomAgent, TreeAgent
from .trace import MinimaxTrace, Recorder, Snapshot, Trace, record_minimax

if TYPE_CHECKING:
    from .player import Compare, Player

__all__ = [
    "MCTS",
    "Bandit",
    "Compare",
    "ConnectFour",
    "ExactAgent",
    "Film",
    "Game",
    "GameError",
    "GameTree",
    "MCTSAgent",
    "MCTSSolver",
    "MctsVizError",
    "MinimaxTrace",
    "Nim",
    "Player",
    "RandomAgent",
    "Recorder",
    "SearchError",
    "Snapshot",
    "TicTacToe",
    "Trace",
    "TraceError",
    "TreeAgent",
    "alpha_beta",
    "check_game",
    "graphviz_slider",
    "minimax",
    "random_playout",
    "record_minimax",
    "solve",
    "ucb1",
]

__version__ = "0.3.0"


MOVED = {"Play": "mcts_course", "Watch": "mcts_watch"}
"""Names that this package had before version 0.3.0, and the packages that have them now."""

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Load a widget when it is asked for: a search needs none, nor a place for them."""
        if name in ("Compare", "Player"):
            return getattr(import_module(".player", __name__), name)
        if name in MOVED:  # no AttributeError: `from mcts_viz import` would lose its words
            raise ImportError(f"{name} has moved: write `from {MOVED[name]} import {name}`.")
        said = f"module {__name__!r} has no attribute {name!r}"
        # With the module at hand Python adds which name is meant, such as MCTS for Mcts.
        raise AttributeError(said, name=name, obj=sys.modules[__name__])
