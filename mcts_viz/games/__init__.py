"""The rules of games, and the check that a new one passes."""

from __future__ import annotations

from typing import Any

from .adapters.gymnasium import GymnasiumCopies, GymnasiumTable
from .adapters.openspiel import OpenSpielGame
from .bandit import Bandit
from .check import check_game
from .connect_four import ConnectFour
from .game_tree import GameTree
from .lake import SlipperyLake
from .nim import Nim
from .pig import Pig
from .protocol import NATURE, Game, Playout, RandomSource, Returns
from .sliding import SlidingPuzzle
from .tictactoe import TicTacToe
from .turns import mover, moves_of

__all__ = [
    "GAMES",
    "NATURE",
    "Bandit",
    "ConnectFour",
    "Game",
    "GameTree",
    "GymnasiumCopies",
    "GymnasiumTable",
    "Nim",
    "OpenSpielGame",
    "Pig",
    "Playout",
    "RandomSource",
    "Returns",
    "SlidingPuzzle",
    "SlipperyLake",
    "TicTacToe",
    "check_game",
    "mover",
    "moves_of",
]

_OURS = (
    TicTacToe,
    ConnectFour,
    Nim,
    GameTree,
    Bandit,
    Pig,
    SlipperyLake,
    SlidingPuzzle,
    OpenSpielGame,
    GymnasiumTable,
    GymnasiumCopies,
)
GAMES: dict[str, type[Game[Any, Any]]] = {game.__name__: game for game in _OURS}
"""For each name: the games of the package, which files can name."""
