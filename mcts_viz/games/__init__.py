"""The rules of games, and the check that a new one passes."""

from __future__ import annotations

from typing import Any

from .bandit import Bandit
from .check import check_game
from .connect_four import ConnectFour
from .game_tree import GameTree
from .nim import Nim
from .openspiel import OpenSpielGame
from .protocol import NATURE, Game, Playout, RandomSource, Returns
from .tictactoe import TicTacToe
from .turns import mover, moves_of

__all__ = [
    "GAMES",
    "NATURE",
    "Bandit",
    "ConnectFour",
    "Game",
    "GameTree",
    "Nim",
    "OpenSpielGame",
    "Playout",
    "RandomSource",
    "Returns",
    "TicTacToe",
    "check_game",
    "mover",
    "moves_of",
]

_OURS = (TicTacToe, ConnectFour, Nim, GameTree, Bandit, OpenSpielGame)
GAMES: dict[str, type[Game[Any, Any]]] = {game.__name__: game for game in _OURS}
"""By name: the games of the package, which files can name."""
