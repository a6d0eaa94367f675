"""Exact play: what every position is worth when nobody errs. The oracle beside the search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from ..errors import SearchError
from ..games import Game

__all__ = ["Solution", "Solver", "minimax", "solve"]

POSITIONS: Final = 3_000_000
"""How many positions a solver visits before it says that the game is too large."""


def minimax(game: Game[Any, Any], state: Any) -> float:
    """The value of ``state`` for player 0, in [-1, 1], by looking at every line of play.

    Source: Shannon (1950), "Programming a computer for playing chess".
    """
    if game.is_terminal(state):
        return game.returns(state)[0]
    values = [minimax(game, game.play(state, action)) for action in game.legal_actions(state)]
    return max(values) if game.to_move(state) == 0 else min(values)


@dataclass(frozen=True)
class Solution:
    """The truth about one position."""

    value: float
    """For the player to move, in [-1, 1]: 1 is a forced win, 0 a draw, -1 a loss."""
    distance: int
    """Moves to the end, when winners hurry and losers delay."""
    best_actions: tuple[Any, ...]
    """Every move that keeps ``value``, in the game's order; empty when the game is over."""
    action_values: dict[Any, float]
    """The value of each legal move for the player who makes it, in [-1, 1]."""


class _TooManyError(SearchError):
    """The table is full."""


class Solver:
    """Minimax with a table of the positions already solved (transpositions).

    For two players whose returns sum to zero. ``limit`` bounds the positions it remembers.
    """

    def __init__(self, game: Game[Any, Any], limit: int = POSITIONS) -> None:
        if len(game.players) != 2:
            raise SearchError(
                f"{game.name} has {len(game.players)} players, but minimax is for two: "
                "compare searches by playing them instead."
            )
        self.game = game
        self.limit = limit
        self._table: dict[Any, tuple[float, int]] = {}

    def solve(self, state: Any) -> Solution:
        """The exact value of ``state`` and the best moves; raises ``SearchError`` if too large."""
        begins = not self._table
        try:
            return self._solution(state)
        except _TooManyError:
            self._table.clear()  # a full table would refuse the smallest position from now on
            if begins:
                raise
        return self.solve(state)

    def _solution(self, state: Any) -> Solution:
        game = self.game
        try:
            value, distance = self._value(state)
            actions = () if game.is_terminal(state) else game.legal_actions(state)
            sign = 1 if game.to_move(state) == 0 else -1
            values = {a: sign * self._value(game.play(state, a))[0] for a in actions}
        except RecursionError:
            raise SearchError(
                f"Games of {game.name} are too long to be solved from the position "
                f"{game.text(state)!r}: start from a later position."
            ) from None
        value = sign * value + 0.0  # no negative zero
        best = tuple(action for action in actions if values[action] == value)
        return Solution(value, distance, best, {a: v + 0.0 for a, v in values.items()})

    def _value(self, state: Any) -> tuple[float, int]:
        """The value for player 0, and the moves to the end."""
        known = self._table.get(state)
        if known is None:
            if len(self._table) >= self.limit:
                raise _TooManyError(
                    f"{self.game.name} has more than {self.limit:,} positions from here, too many "
                    "to solve: take a smaller board or a later position, or Solver(game, limit)."
                )
            known = self._table[state] = self._look_ahead(state)
        return known

    def _look_ahead(self, state: Any) -> tuple[float, int]:
        game = self.game
        if game.is_terminal(state):
            return self._final_value(state), 0
        sign = 1 if game.to_move(state) == 0 else -1
        value, distance = max(
            (self._value(game.play(state, action)) for action in game.legal_actions(state)),
            key=lambda known: _preference(sign * known[0], known[1]),
        )
        return value, distance + 1

    def _final_value(self, state: Any) -> float:
        first, second = self.game.returns(state)
        if first + second != 0:
            raise SearchError(
                f"The returns {(first, second)} do not sum to zero, so minimax does not apply "
                f"to {self.game.name}: a gain of one player must be the loss of the other."
            )
        return first


def _preference(value: float, distance: int) -> tuple[float, int]:
    """Higher is better for the player with this value: win soon, lose and draw late."""
    return (value, -distance) if value > 0 else (value, distance)


@lru_cache(maxsize=8)
def _solver(game: Game[Any, Any]) -> Solver:
    return Solver(game)


def solve(game: Game[Any, Any], state: Any) -> Solution:
    """The exact value of ``state`` for the player to move, and the best moves.

    Positions are remembered from call to call. Raises ``SearchError`` when the game is too large
    for that, or not a game of two players whose returns sum to zero.
    """
    try:
        solver = _solver(game)
    except TypeError:  # a game without a hash, which is as good for one call
        solver = Solver(game)
    return solver.solve(state)
