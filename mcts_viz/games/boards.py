"""What games share: their outcomes, their refusals, and the boards of X and O."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, TypeVar

from ..errors import GameError, shown
from .protocol import Game, Returns

State = TypeVar("State", bound=tuple[int, ...])

WIN_OF: tuple[Returns, Returns] = ((1.0, -1.0), (-1.0, 1.0))
"""The returns of a game that player 0 has won, and of one that player 1 has won."""

DRAW: Returns = (0.0, 0.0)

_SYMBOLS = {"X": 0, "x": 0, "O": 1, "o": 1, ".": None, "-": None, "_": None}
_SEPARATORS = "/"


def listed(values: Iterable[object]) -> str:
    """``values`` as a reader lists them: ``1, 2, 5``, or ``none``."""
    return ", ".join(map(str, values)) or "none"


def among(action: object, actions: Iterable[object]) -> bool:
    """Whether ``action`` is one of ``actions``; what cannot be compared with them is none."""
    try:
        return action in actions
    except (TypeError, ValueError):  # an array is as many answers as it has entries
        return False


def refusal(game: Game[Any, Any], state: Any, action: object, why: str) -> GameError:
    """What is said of an action that is not legal."""
    if game.is_terminal(state):
        why = "cannot be played, the game is over: start from another state"
    return GameError(f"{shown(action)} {why}.")


def not_over(game: Game[Any, Any], state: Any) -> GameError:
    return GameError(f"The game {game.text(state)!r} is not over: play on to get its returns.")


def require_text(text: object, example: str) -> None:
    if not isinstance(text, str):
        raise GameError(f"A position is read from a string such as {example!r}, not {shown(text)}.")


class BoardGame(Game[State, int]):
    """A line on a board wins, and X begins. A state begins with the pieces of X and those of O."""

    players = ("X", "O")

    @abstractmethod
    def has_line(self, pieces: int) -> bool:
        """Whether a player's pieces hold a line."""

    def returns(self, state: State) -> Returns:
        for player in (0, 1):
            if self.has_line(state[player]):
                return WIN_OF[player]
        if not self.is_terminal(state):
            raise not_over(self, state)
        return DRAW


def read_pieces(text: str, cells: int) -> list[int | None]:
    """The owner of each cell, in the order of ``text``: 0 for X, 1 for O, None if empty.

    Spaces, line breaks and ``/`` may separate rows anywhere. Raises ``GameError`` unless there
    are ``cells`` cells, and as many X as O or one more, since X begins.
    """
    require_text(text, "XO. .X. ...")
    symbols = [symbol for symbol in text if not symbol.isspace() and symbol not in _SEPARATORS]
    foreign = sorted({symbol for symbol in symbols if symbol not in _SYMBOLS})
    if foreign:
        raise GameError(
            f"The board {text!r} contains {listed(map(repr, foreign))}: write X and O for the "
            "pieces and '.' for an empty cell."
        )
    if len(symbols) != cells:
        raise GameError(f"The board {text!r} has {len(symbols)} cells: write exactly {cells}.")
    pieces = [_SYMBOLS[symbol] for symbol in symbols]
    x_count, o_count = pieces.count(0), pieces.count(1)
    if x_count - o_count not in (0, 1):
        raise GameError(
            f"The board {text!r} has {x_count} X and {o_count} O: X begins, so there must be as "
            "many X as O, or one X more."
        )
    return pieces


def check_lines(text: str, has_line: tuple[bool, bool], moved_last: int) -> None:
    """Raise ``GameError`` if a line on the board should have ended the game before now."""
    if all(has_line):
        raise GameError(
            f"On the board {text!r} both X and O have a line: the first line ends the game, so "
            "take one of them away."
        )
    if has_line[1 - moved_last]:
        winner, other = ("O", "X") if moved_last == 0 else ("X", "O")
        raise GameError(
            f"On the board {text!r} {winner} has a line, yet by the counts {other} moved last: a "
            f"line ends the game, so take the last {other} away or break the line."
        )
