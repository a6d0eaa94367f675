"""What the games of other libraries share: a state is the moves made so far, and is replayed.

Their positions change in place, so none of them can be a state. One position is kept and moved
along; going elsewhere starts again from the beginning, which is cheap in games of this size.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from math import floor
from threading import RLock
from typing import Any, Protocol, TypeAlias, TypeVar

from ..errors import GameError
from .boards import GameOfMoves, legal_action, not_over, require_text
from .protocol import Playout, RandomSource, Returns

Answer = TypeVar("Answer")
Moves: TypeAlias = tuple[int, ...]


class Position(Protocol):
    """A library's position, which changes in place; a state of OpenSpiel's answers to all this."""

    def current_player(self) -> int:
        """Who moves, if the game is not over."""

    def legal_actions(self) -> Sequence[int]:
        """The legal moves, if the game is not over."""

    def apply_action(self, action: int) -> object:
        """Make a legal move."""

    def is_terminal(self) -> bool: ...

    def returns(self) -> Sequence[float]:
        """What each player gets at the end, as the library counts."""

    def action_to_string(self, action: int) -> str: ...


def library(module: str, package: str) -> Any:
    """An optional library; raises ``GameError`` that says how to install it if it is missing."""
    try:
        return import_module(module)
    except ImportError as error:
        raise GameError(
            f"This game needs {package}, which could not be imported ({error}): run "
            f"pip install {package}."
        ) from None


class Replayed(GameOfMoves):
    """A deterministic game of perfect information whose rules live in another library.

    Two orders of the same moves are two states: only the library could say whether they are the
    same position. ``symbols`` are the letters of the board's text, if it has a board: those of an
    empty cell, of the first player's pieces, and of the second's.
    """

    symbols: tuple[str, ...] = ()

    def __init__(self, **parameters: Any) -> None:
        self._parameters = parameters
        self._lock = RLock()  # a widget asks for moves while its opponent thinks
        self._moves: Moves | None = None
        self._position: Any = None

    def __reduce__(self) -> Any:
        return partial(type(self), **self._parameters), ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Replayed) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._parameters.items())
        return f"{type(self).__name__}({given})"

    def parameters(self) -> dict[str, Any]:
        return dict(self._parameters)

    @abstractmethod
    def _start(self) -> Position:
        """The library's position at the start of the game."""

    def _scaled(self, returns: Sequence[float]) -> Returns:
        """The library's returns, in [-1, 1]."""
        return tuple(map(float, returns))

    def _ask(self, state: Moves, answer: Callable[[Position], Answer]) -> Answer:
        """What the library's position after the moves of ``state`` answers."""
        with self._lock:
            done = self._moves
            if done != state:
                self._moves = None  # whatever interrupts the next lines
                if done is None or state[: len(done)] != done:
                    self._position, done = self._start(), ()
                position = self._position
                for number in range(len(done), len(state)):
                    legal = () if position.is_terminal() else position.legal_actions()
                    before = state[:number]
                    position.apply_action(legal_action(self, before, state[number], legal))
                self._moves = state
            return answer(self._position)

    def to_move(self, state: Moves) -> int:
        return self._ask(state, lambda at: 0 if at.is_terminal() else int(at.current_player()))

    def legal_actions(self, state: Moves) -> tuple[int, ...]:
        return self._ask(state, lambda at: tuple(at.legal_actions()))

    def is_terminal(self, state: Moves) -> bool:
        return self._ask(state, lambda at: bool(at.is_terminal()))

    def returns(self, state: Moves) -> Returns:
        if not self.is_terminal(state):
            raise not_over(self, state)
        return self._scaled(self._ask(state, lambda at: at.returns()))

    def play(self, state: Moves, action: int) -> Moves:
        legal = () if self.is_terminal(state) else self.legal_actions(state)
        return (*state, legal_action(self, state, action, legal))

    def action_label(self, state: Moves, action: int) -> str:
        return self._ask(state, lambda at: at.action_to_string(action))

    def text(self, state: Moves) -> str:
        """The library's own text, and below it the moves by number."""
        board = self._ask(state, str).strip("\n")
        return "\n".join([board, " ".join(["moves:", *map(str, state)])])

    def parse(self, text: str) -> Moves:
        """The state after some moves: the text of a state, or numbers or labels such as ``a1 b2``.

        Raises ``GameError`` if one of them is not legal.
        """
        require_text(text, "3 3 4")
        return super().parse(text.rpartition("moves:")[2])

    def fast_playout(self, state: Moves, random: RandomSource) -> Playout:
        """Play uniformly at random to the end, one random number a move."""
        return self._ask(state, lambda position: self._played_on(state, position, random))

    def _played_on(self, state: Moves, position: Position, random: RandomSource) -> Playout:
        actions: list[int] = []
        self._moves = None
        while not position.is_terminal():
            legal = position.legal_actions()
            actions.append(legal[floor(random.random() * len(legal))])
            position.apply_action(actions[-1])
        self._moves = (*state, *actions)
        return Playout(actions, self._scaled(position.returns()))
