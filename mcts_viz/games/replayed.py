"""What the games of other libraries share: a state is the moves made so far, and is replayed.

Their positions change in place, so none of them can be a state. One position is kept and moved
along; going elsewhere starts again from the beginning, which is cheap in games of this size.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from math import floor
from threading import RLock
from typing import Any

from ..errors import GameError, shown
from .boards import among, listed, require_text
from .protocol import Game, Playout, RandomSource, Returns

Moves = tuple[int, ...]


def library(module: str, package: str) -> Any:
    """An optional library; raises ``GameError`` that says how to install it if it is missing."""
    try:
        return import_module(module)
    except ImportError as error:
        raise GameError(
            f"This game needs {package}, which could not be imported ({error}): run "
            f"pip install {package}."
        ) from None


class Replayed(Game[Moves, int]):
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

    # What the library knows. A position is whatever it calls one.

    @abstractmethod
    def _start(self) -> Any:
        """A position at the start of the game."""

    @abstractmethod
    def _advance(self, position: Any, action: int) -> None:
        """Make a legal move."""

    @abstractmethod
    def _mover(self, position: Any) -> int:
        """Who moves, if the game is not over."""

    @abstractmethod
    def _legal(self, position: Any) -> Sequence[int]:
        """The legal moves, if the game is not over."""

    @abstractmethod
    def _over(self, position: Any) -> bool: ...

    @abstractmethod
    def _returns(self, position: Any) -> Returns: ...

    @abstractmethod
    def _text(self, position: Any) -> str: ...

    def _label(self, position: Any, action: int) -> str:
        return str(action)

    # The same as a game of ours.

    def _at(self, moves: Moves) -> Any:
        """The library's position after ``moves``, to be read before the lock is given back."""
        done = self._moves
        if done != moves:
            self._moves = None  # whatever interrupts the next lines
            if done is None or moves[: len(done)] != done:
                self._position, done = self._start(), ()
            for number in range(len(done), len(moves)):
                over = self._over(self._position)
                legal = () if over else self._legal(self._position)
                if not among(moves[number], legal):
                    raise GameError(
                        f"{shown(moves[number])} is no legal move after {shown(moves[:number])}: "
                        + ("the game is over." if over else f"choose one of {listed(legal)}.")
                    )
                self._advance(self._position, int(moves[number]))
            self._moves = moves
        return self._position

    def initial_state(self) -> Moves:
        return ()

    def to_move(self, state: Moves) -> int:
        with self._lock:
            position = self._at(state)
            return 0 if self._over(position) else self._mover(position)

    def legal_actions(self, state: Moves) -> tuple[int, ...]:
        with self._lock:
            return tuple(self._legal(self._at(state)))

    def is_terminal(self, state: Moves) -> bool:
        with self._lock:
            return self._over(self._at(state))

    def returns(self, state: Moves) -> Returns:
        with self._lock:
            position = self._at(state)
            if not self._over(position):
                raise GameError(
                    f"The game is not over after {shown(state)}: play on to get its returns."
                )
            return self._returns(position)

    def play(self, state: Moves, action: int) -> Moves:
        with self._lock:
            self._at((*state, action))  # which refuses what is not legal
            return (*state, int(action))

    def action_label(self, state: Moves, action: int) -> str:
        with self._lock:
            return self._label(self._at(state), action)

    def text(self, state: Moves) -> str:
        """The library's own text, and below it the moves by number."""
        with self._lock:
            board = self._text(self._at(state)).strip("\n")
        return "\n".join([board, " ".join(["moves:", *map(str, state)])])

    def parse(self, text: str) -> Moves:
        """The state after some moves: the text of a state, or numbers or labels such as ``a1 b2``.

        Raises ``GameError`` if one of them is not legal.
        """
        require_text(text, "3 3 4")
        state = self.initial_state()
        for word in text.rpartition("moves:")[2].split():
            legal = () if self.is_terminal(state) else self.legal_actions(state)
            labels = {self.action_label(state, action): action for action in legal}
            by_number = {str(action): action for action in legal}
            if word not in labels | by_number:
                raise GameError(
                    f"{shown(word)} in {shown(text)} is no legal move after {shown(state)}: "
                    f"choose one of {listed(labels)}."
                )
            state = (*state, (by_number | labels)[word])
        return state

    def fast_playout(self, state: Moves, random: RandomSource) -> Playout:
        """Play uniformly at random to the end, one random number a move."""
        actions: list[int] = []
        with self._lock:
            position = self._at(state)
            self._moves = None
            while not self._over(position):
                legal = self._legal(position)
                actions.append(legal[floor(random.random() * len(legal))])
                self._advance(position, actions[-1])
            self._moves = (*state, *actions)
            return Playout(actions, self._returns(position))
