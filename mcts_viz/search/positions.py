"""The positions of a game, linked by its moves, so that the rules are asked once about each.

A tree walk comes to the same position on many ways: the 549,946 nodes of tic-tac-toe are 5,478
positions. Walking along links costs a fraction of asking the game again at every node.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, TypeAlias

from ..errors import SearchError
from ..games import Game

__all__ = ["Line", "Position", "Positions", "actions_of", "positions_of", "utility"]

LIMIT: Final = 500_000
"""How many positions are kept before the walk says that the game is too large."""


class Position:
    """A position and, once somebody looked ahead from it, the positions one move away.

    MAX is player 0, MIN is player 1, and all utilities are MAX's, in [-1, 1].
    """

    __slots__ = ("actions", "children", "end", "maximizing", "state")

    state: Any
    maximizing: bool
    """Whether MAX is to move."""
    end: tuple[float, None] | None
    """The utility where the game is over, as the value of a line without moves; else ``None``."""
    actions: tuple[Any, ...]
    children: tuple[Position, ...]
    """After each of ``actions``, in the game's order; empty until :meth:`Positions.ahead`."""


Line: TypeAlias = tuple[Position, Any] | None
"""A line of play: the next position and the line from there, ``None`` at its end."""


class Positions:
    """All positions of one game that were met so far."""

    def __init__(self, game: Game[Any, Any]) -> None:
        check_two_players(game)
        self.game = game
        self._known: dict[Any, Position] = {}

    def at(self, state: Any) -> Position:
        position = self._known.get(state)
        if position is None:
            position = Position()
            position.state, position.actions, position.children = state, (), ()
            over = self.game.is_terminal(state)
            position.end = (utility(self.game, state), None) if over else None
            position.maximizing = not over and self.game.to_move(state) == 0
            self._known[state] = position
        return position

    def ahead(self, position: Position) -> tuple[Position, ...]:
        """The children of a position that is not terminal, linked from now on."""
        game, state = self.game, position.state
        if len(self._known) > LIMIT:
            self._known.clear()
            raise too_large(game, LIMIT)
        actions = tuple(game.legal_actions(state))
        if not actions:
            raise SearchError(
                f"{game.name} has no legal action in {game.text(state)!r} and does not call it "
                "terminal: ask check_game(game) what is wrong."
            )
        position.actions = actions
        position.children = tuple([self.at(game.play(state, action)) for action in actions])
        return position.children


def positions_of(game: Game[Any, Any]) -> Positions:
    """The positions of ``game``, remembered from call to call."""
    try:
        return _remembered(game)
    except TypeError:  # a game without a hash cannot be remembered
        return Positions(game)


@lru_cache(maxsize=2)
def _remembered(game: Game[Any, Any]) -> Positions:
    return Positions(game)


def actions_of(position: Position, line: Line) -> tuple[Any, ...]:
    """The moves of a line of play from ``position``."""
    actions = []
    while line is not None:
        child, line = line
        actions.append(position.actions[position.children.index(child)])
        position = child
    return tuple(actions)


# What minimax asks of a game ---------------------------------------------------------------


def check_two_players(game: Game[Any, Any]) -> None:
    if len(game.players) != 2:
        raise SearchError(
            f"{game.name} has {len(game.players)} players, but minimax is for two: "
            "compare searches by playing them instead."
        )


def utility(game: Game[Any, Any], state: Any) -> float:
    """What player 0 gets at a terminal state, in [-1, 1]; player 1 gets its negative."""
    first, second = game.returns(state)
    if abs(first + second) > 1e-9:
        raise SearchError(
            f"The returns {(first, second)} do not sum to zero, so minimax does not apply "
            f"to {game.name}: a gain of one player must be the loss of the other."
        )
    if not -1 <= first <= 1:
        raise SearchError(
            f"The returns {(first, second)} of {game.name} are not in [-1, 1]: scale them."
        )
    return first


def too_large(game: Game[Any, Any], limit: int) -> SearchError:
    return SearchError(
        f"{game.name} has more than {limit:,} positions from here, too many to solve: "
        "take a smaller board or a later position, or raise limit=."
    )


def too_long(game: Game[Any, Any], state: Any) -> SearchError:
    return SearchError(
        f"Games of {game.name} are too long to be solved from the position "
        f"{game.text(state)!r}: start from a later position."
    )
