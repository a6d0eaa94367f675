"""Opponents without a tree of their own: exact play, and chance.

A player is any callable that answers a position with one of its legal actions; a function of
one's own will do.
"""

from __future__ import annotations

import random
from typing import Any

from ..errors import SearchError
from ..games import Game
from .solver import solve

__all__ = ["ExactPlayer", "RandomPlayer"]


class ExactPlayer:
    """Plays what :func:`~mcts_viz.solve` finds best: wins soonest, loses latest.

    Of equal moves it plays the first. Raises ``SearchError`` where the game is too large to solve.
    """

    name = "exact play"

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game

    def __call__(self, state: Any) -> Any:
        if self.game.is_terminal(state):
            raise SearchError(f"The game is over in {self.game.text(state)!r}: there is no move.")
        return solve(self.game, state).principal_variation[0]


class RandomPlayer:
    """Plays any legal move, all with equal chance; the same ``seed`` gives the same moves."""

    name = "the random player"

    def __init__(self, game: Game[Any, Any], seed: int | None = None) -> None:
        self.game = game
        self._random = random.Random(seed)

    def __call__(self, state: Any) -> Any:
        return self._random.choice(self.game.legal_actions(state))
