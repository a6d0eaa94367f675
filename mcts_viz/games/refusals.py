"""Refusals of what is no position, or no move: one sentence, with the remedy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import wraps
from typing import Any, Final, TypeVar

from ..errors import GameError, listed, require, short_repr
from .protocol import Action, Game, State
from .turns import moves_of


def legal_action(
    game: Game[State, Action], state: State, action: Action, legal: Sequence[Any]
) -> Any:
    """The one of the ``legal`` actions that equals ``action``: an int, though a 1.0 was given.

    Raises ``GameError`` if there is none.
    """
    try:
        return legal[legal.index(action)]
    except (TypeError, ValueError):  # an array is compared entry by entry
        raise refusal(game, state, action) from None


def refusal(game: Game[State, Any], state: State, action: object) -> GameError:
    """The error for an action that is not legal."""
    remedy = "the game is over"
    if legal := moves_of(game, state):
        remedy = f"choose one of {listed(legal)}"
    return GameError(f"{short_repr(action)} is no legal move at {game.text(state)!r}: {remedy}.")


NOT_READ: Final = (TypeError, IndexError, KeyError, ValueError)
"""The errors of Python when the rules of a game read something that is not a position.

A method that a search calls catches them itself, since a ``try`` costs nothing until it catches.
"""


def position_kind(game: Game[Any, Any]) -> str:
    """A position of the game, and where one comes from, in words for errors."""
    return f"a position of {game.name}, as game.parse(text) or game.play(state, action) returns it"


def not_a_position(game: Game[Any, Any], state: object) -> GameError:
    """The error for a ``state`` that the rules cannot read, such as the text of a position."""
    remedy = ""
    if isinstance(state, str):
        with suppress(GameError):
            game.parse(state)
            remedy = f" Write game.parse({short_repr(state)})."
    return GameError(
        f"The state must be {position_kind(game)}; you gave {short_repr(state)}.{remedy}"
    )


RULES: Final = (
    *("to_move", "legal_actions", "chances", "play", "is_terminal"),
    *("returns", "reward", "text", "action_label"),
)
"""The methods of a game that read a position."""
Kind = TypeVar("Kind", bound=type[Game[Any, Any]])


def reads_positions(kind: Kind) -> Kind:
    """Make each method of a class of rules refuse what is not a position.

    It costs a call each time, so the games that measure the search's speed catch errors themselves.
    """
    for name in RULES:
        if method := vars(kind).get(name):
            setattr(kind, name, _reading(method))
    return kind


def _reading(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def read(self: Game[State, Any], state: State, *more: Any) -> Any:
        try:
            return method(self, state, *more)
        except GameError:
            raise
        except NOT_READ:
            raise not_a_position(self, state) from None

    return read


def check_over(game: Game[State, Any], state: State) -> None:
    """Raise ``GameError`` unless the game is over, so that it has returns."""
    if not game.is_terminal(state):
        raise GameError(f"The game {game.text(state)!r} is not over: play on to get its returns.")


def require_text(text: object, example: str) -> None:
    kind = f"a string such as {example!r}"
    require(isinstance(text, str), "A position's text", kind, text, GameError)
