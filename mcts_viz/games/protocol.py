"""The methods of a game. Rules live in a game object, positions are plain immutable values.

A new game is one class of about forty lines: subclass :class:`Game`, write the six methods that
have no body here, and ask :func:`mcts_viz.check_game` what is still wrong.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from ..errors import GameError, short_repr

State = TypeVar("State")
Action = TypeVar("Action")

Returns = tuple[float, ...]
"""One number a player, by default in [-1, 1]: 1 for a win, 0 for a draw, -1 for a loss."""
WIN_OF: Final[tuple[Returns, Returns]] = ((1.0, -1.0), (-1.0, 1.0))
"""The returns of a game of two that player 0 has won, and of one that player 1 has won."""
DRAW: Final[Returns] = (0.0, 0.0)
"""The returns of a game of two that is drawn."""

NATURE: Final = -1
"""The number of nature, who moves where chance decides: she rolls the dice, and wants nothing."""
NO_CHANCES: Final[Mapping[Any, float]] = MappingProxyType({})
"""The outcomes of a position where a player moves: there are none."""


class RandomSource(Protocol):
    """The one thing the package asks of randomness: a float in [0, 1)."""

    def random(self) -> float: ...


class Playout(NamedTuple):
    """A game played to its end, or as far as a playout policy went.

    ``actions`` were played in this order, nature's among them; ``returns`` holds one number a
    player, in the game's ``value_range``.
    """

    actions: Sequence[Any]
    returns: Returns


class Game(ABC, Generic[State, Action]):
    """The rules of a finite game of perfect information, for any number of players.

    States and actions must be hashable values that compare equal when they mean the same; a
    method never changes a state, it returns a new one. A game draws nothing and searches
    nothing.

    Where a game knows luck, it says so by :meth:`chances`; where its steps pay or cost something,
    by :meth:`reward`. The **return** of a walk is what a player gets from there on:
    ``G = returns`` at the end, and before it ``G = reward + gamma * G`` of the next position.
    ``gamma`` is ``discount`` if a player moves in the next position or the game is over there, and
    1 if nature moves there: a move and the luck that follows it are one step, as in a Markov
    decision process.
    """

    players: tuple[str, ...] = ("First", "Second")
    """The players' names, by player number; their count is the number of players."""

    @abstractmethod
    def initial_state(self) -> State:
        """The position in which the game starts."""

    @abstractmethod
    def to_move(self, state: State) -> int:
        """The number of the player who moves in ``state``; any number at a terminal state."""

    @abstractmethod
    def legal_actions(self, state: State) -> Sequence[Action]:
        """The moves of a state that is not terminal, always in the same order."""

    @abstractmethod
    def play(self, state: State, action: Action) -> State:
        """The position after ``action``; raises :class:`~mcts_viz.errors.GameError` if illegal."""

    @abstractmethod
    def is_terminal(self, state: State) -> bool:
        """True if the game is over."""

    @abstractmethod
    def returns(self, state: State) -> Returns:
        """The result: one number a player at a terminal state, in ``value_range``."""

    # Luck, and rewards on the way: a game without them leaves out what follows.

    discount: float = 1.0
    """The worth of a return a step earlier, above 0 and at most 1."""

    value_range: tuple[float, float] = (-1.0, 1.0)
    """The least and the largest return, from any position on: what a search counts as 0 and as 1.
    """

    def chances(self, state: State) -> Mapping[Action, float]:
        """The outcomes with their probabilities where nature moves; elsewhere none.

        Each is above 0, and they sum to 1; ``play(state, outcome)`` goes on. Of such a state
        neither ``to_move`` nor ``legal_actions`` is asked, and a search asks no state that is
        terminal.
        """
        return NO_CHANCES

    def reward(self, state: State, action: Action, next_state: State) -> Returns:
        """The reward of this step: one number a player, below 0 for a cost; nature's steps may pay
        too."""
        return (0.0,) * len(self.players)

    misread: bool = False
    """True for wrong rules of another game, so that what is exact in them is not true."""

    def playout_from(self, state: State) -> State:
        """The start of a playout from ``state``: that, unless it goes by rules of its own."""
        return state

    # For readers; the search never asks.

    @property
    def name(self) -> str:
        """The game's name for readers."""
        return type(self).__name__

    def parameters(self) -> dict[str, Any]:
        """The keyword arguments that build an equal game, as JSON values; of a dataclass its
        fields.
        """
        known: Any = fields(self) if is_dataclass(self) else ()
        return {each.name: getattr(self, each.name) for each in known if each.init}

    def action_label(self, state: State, action: Action) -> str:
        """A short name for ``action`` in ``state``, different for each legal action."""
        return str(action)

    def text(self, state: State) -> str:
        """The position as text, readable, and readable again by :meth:`parse`."""
        return str(state)

    def parse(self, text: str) -> State:
        """The position that ``text`` describes; raises ``GameError`` if it describes none."""
        raise GameError(
            f"{self.name} cannot read {short_repr(text)}: give its class a parse(text) method."
        )

    # A game may also offer `fast_playout(state, random)`: the same distribution as
    # `mcts_viz.random_playout`, faster. It is looked up by name, so most games need not know. A
    # subclass that changes a rule is played by its rules, unless it has a form of its own.
