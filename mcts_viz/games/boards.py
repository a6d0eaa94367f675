"""Shared by games: outcomes, refusals, states that are moves, and the boards of X and O."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import wraps
from typing import Any, Final, TypeVar

from ..errors import GameError, require, short_repr
from .protocol import Game, Returns
from .turns import moves_of

State = TypeVar("State", bound=tuple[int, ...])

WIN_OF: tuple[Returns, Returns] = ((1.0, -1.0), (-1.0, 1.0))
"""The returns of a game that player 0 has won, and of one that player 1 has won."""

DRAW: Returns = (0.0, 0.0)

_EMPTY = str.maketrans("-_", "..")


def listed(values: Iterable[object]) -> str:
    """``values`` as a reader lists them: ``1, 2, 5``, or ``none``."""
    return ", ".join(map(str, values)) or "none"


def among(action: object, actions: Iterable[object]) -> bool:
    """True if ``action`` is one of ``actions``; False if it cannot be compared with them."""
    try:
        return action in actions
    except (TypeError, ValueError):  # an array is compared entry by entry
        return False


def legal_action(game: Game[Any, Any], state: Any, action: Any, legal: Sequence[Any]) -> Any:
    """The one of the ``legal`` actions that equals ``action``: an int, though a 1.0 was given.

    Raises ``GameError`` if there is none.
    """
    try:
        return legal[legal.index(action)]
    except (TypeError, ValueError):  # an array is compared entry by entry
        raise refusal(game, state, action) from None


def refusal(game: Game[Any, Any], state: Any, action: object) -> GameError:
    """The error for an action that is not legal."""
    remedy = "the game is over"
    if legal := moves_of(game, state):
        remedy = f"choose one of {listed(legal)}"
    return GameError(f"{short_repr(action)} is no legal move at {game.text(state)!r}: {remedy}.")


NOT_READ: Final = (TypeError, IndexError, KeyError, ValueError)
"""What Python raises when the rules of a game read something that is not a position.

A method that a search calls catches them itself, since a ``try`` costs nothing until it catches.
"""


def position_kind(game: Game[Any, Any]) -> str:
    """What a position of the game is, and where one comes from, for errors."""
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
    def read(self: Game[Any, Any], state: Any, *more: Any) -> Any:
        try:
            return method(self, state, *more)
        except GameError:
            raise
        except NOT_READ:
            raise not_a_position(self, state) from None

    return read


def check_over(game: Game[Any, Any], state: Any) -> None:
    """Raise ``GameError`` unless the game is over, so that it has returns."""
    if not game.is_terminal(state):
        raise GameError(f"The game {game.text(state)!r} is not over: play on to get its returns.")


def require_text(text: object, example: str) -> None:
    kind = f"a string such as {example!r}"
    require(isinstance(text, str), "A position's text", kind, text, GameError)


class GameOfMoves(Game[tuple[Any, ...], Any]):
    """A state is the tuple of the moves made so far."""

    at_start = "."
    """The text of the start."""

    def initial_state(self) -> tuple[Any, ...]:
        return ()

    def play(self, state: tuple[Any, ...], action: Any) -> tuple[Any, ...]:
        move = legal_action(self, state, action, moves_of(self, state))
        return (*state, move)

    def text(self, state: tuple[Any, ...]) -> str:
        """The moves so far, such as ``a c``."""
        try:
            return " ".join(map(str, state)) or self.at_start
        except NOT_READ:
            raise not_a_position(self, state) from None

    def parse(self, text: str) -> tuple[Any, ...]:
        """The state after some moves, each as it is or by its label, such as ``a c``.

        Raises ``GameError`` if one of them is not legal.
        """
        require_text(text, "a c")
        state = self.initial_state()
        words = [] if text.strip() == self.at_start else text.split()
        for word in words:
            legal = moves_of(self, state)
            named = {str(action): action for action in legal}
            named |= {self.action_label(state, action): action for action in legal}
            state = self.play(state, named.get(word, word))
        return state


def letter_of(x: int, o: int, cell: int) -> str:
    """The letter of whose piece has the bit ``cell``; a dot if it is empty."""
    if x >> cell & 1:
        return "X"
    return "O" if o >> cell & 1 else "."


class BoardGame(Game[State, int]):
    """A line on a board wins, and X begins. A state begins with the pieces of X and those of O."""

    players = ("X", "O")
    rows: int
    columns: int

    @abstractmethod
    def has_line(self, pieces: int) -> bool:
        """True if a player's pieces hold a line."""

    @abstractmethod
    def holding(self, letters: str) -> State | None:
        """The state with these letters, by cell and by rows; ``None`` if a piece floats."""

    def returns(self, state: State) -> Returns:
        try:
            for player in (0, 1):
                if self.has_line(state[player]):
                    return WIN_OF[player]
        except NOT_READ:
            raise not_a_position(self, state) from None
        check_over(self, state)
        return DRAW

    def parse(self, text: str) -> State:
        """The state of a board such as ``"XO. .X. ..."``; raises ``GameError`` if impossible.

        Spaces, line breaks and ``/`` may separate rows anywhere.
        """
        require_text(text, "XO. .X. ...")
        letters = "".join(text.replace("/", " ").split()).upper().translate(_EMPTY)
        x_count, o_count, cells = letters.count("X"), letters.count("O"), self.rows * self.columns
        if not len(letters) == cells == x_count + o_count + letters.count("."):
            raise GameError(
                f"The board {text!r} must have {cells} cells, each X, O, or '.' if it is empty."
            )
        state = self.holding(letters) if x_count - o_count in (0, 1) else None
        if state is None or self.has_line(state[self.to_move(state)]):
            rules = "X begins and players take turns, no piece floats, and a line ends the game"
            raise GameError(f"No game leads to the board {text!r}: {rules}.")
        return state
