"""The rules of games, and the check that a new one passes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from inspect import signature
from typing import Any

from ..errors import GameError, short_repr
from .bandit import Bandit
from .boards import listed
from .check import GameReport, check_game
from .connect_four import ConnectFour
from .game_tree import GameTree
from .libraries import GymnasiumGame, OpenSpielGame
from .nim import Nim
from .protocol import Game, Playout, RandomSource, Returns
from .tictactoe import TicTacToe

__all__ = [
    "Bandit",
    "ConnectFour",
    "Game",
    "GameReport",
    "GameTree",
    "GymnasiumGame",
    "Nim",
    "OpenSpielGame",
    "Playout",
    "RandomSource",
    "Returns",
    "TicTacToe",
    "check_game",
    "game_class",
    "game_from_parameters",
    "is_built_in",
    "load_extensions",
    "register_game",
]

_GAMES = (TicTacToe, ConnectFour, Nim, GameTree, Bandit, OpenSpielGame)
_BUILT_IN: dict[str, type[Game[Any, Any]]] = {game.__name__: game for game in _GAMES}


def register_game(game: type[Game[Any, Any]]) -> None:
    """Let files and links name ``game``, a class whose ``parameters()`` build an equal one."""
    _BUILT_IN[game.__name__] = game


@cache
def load_extensions() -> None:
    """Import, once, each module that an installed package lists under ``mcts_viz.extensions``.

    On import such a module registers its games (:func:`register_game`) and its policies
    (:func:`mcts_viz.search.register_policies`), so that files and links can name them.
    """
    from importlib.metadata import entry_points  # slow, and needed for others' games only

    for extension in entry_points(group="mcts_viz.extensions"):
        extension.load()


def is_built_in(game: object) -> bool:
    """Whether ``game`` is one of the package's, whose texts are known to be read back exactly."""
    return type(game) in _BUILT_IN.values()


def game_class(name: str) -> type[Game[Any, Any]]:
    """The built-in game of that class name; raises ``GameError`` if there is none."""
    if isinstance(name, str) and name not in _BUILT_IN:
        load_extensions()
    if not isinstance(name, str) or name not in _BUILT_IN:
        raise GameError(
            f"There is no built-in game {short_repr(name)}: take {listed(_BUILT_IN)}, or build "
            "your own game yourself and pass it."
        )
    return _BUILT_IN[name]


def game_from_parameters(type_name: str, parameters: Mapping[str, Any]) -> Game[Any, Any]:
    """The built-in game of that class name, from what its ``parameters()`` answered.

    Raises ``GameError`` if there is no such game or it does not take such parameters.
    """
    game = game_class(type_name)
    try:
        signature(game).bind(**parameters)
    except TypeError as error:
        raise GameError(
            f"{type_name} cannot be built from {short_repr(parameters)} ({error}): its "
            f"parameters are {listed(signature(game).parameters)}."
        ) from None
    return game(**parameters)
