"""Games as a faulty search reads them: the board is the real one, the rules are not.

A fault such as "the tree holds one player's moves only" needs no switch in a search. A correct
search of wrong rules finds what a program with that fault finds.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from mcts_viz.film.boards import Board, board_of, set_board
from mcts_viz.games.connect_four import ConnectFour, counting_cells
from mcts_viz.games.protocol import DRAW, WIN_OF, Game, Playout, RandomSource, Returns
from mcts_viz.games.refusals import check_over, legal_action
from mcts_viz.games.tictactoe import TicTacToe
from mcts_viz.search import random_playout

TREE, STARTS, GOES_ON = range(3)


class Seen(NamedTuple):
    """A position inside the search: the board, and what else the search believes."""

    board: Any
    """A state of the real game with these pieces."""
    to_move: int
    """The player to move."""
    searcher: int
    """The player that the search works for: the one to move at the root."""
    stage: int
    """``TREE``; in a playout, whose moves alternate, ``STARTS`` before the first, ``GOES_ON``."""


@dataclass(frozen=True)
class FaultyRules(Game[Any, int]):
    """A real game with wrong rules, one switch each; without a switch its rules are right.

    A search starts from a state of the real game. All later states are :class:`Seen`, which know
    the player that the search works for, the searcher. Where both players have a line, the
    searcher's counts. Readers see only the board and the name of the real game.
    """

    one_symbol: bool = False
    """In the tree every move is the searcher's; in a playout the opponent then moves first."""
    until_full: bool = False
    """In the tree the game ends when the board is full: play goes on after a line."""
    looks_first: bool = True
    """True if a playout sees a line that was there before its first move, and ends there.

    Otherwise it ends with the first move after which the player who made it has a line.
    """

    misread = True
    players = TicTacToe.players
    real: ClassVar[Any]
    """The game as it is played."""

    @abstractmethod
    def put(self, board: Any, action: int, player: int) -> Any:
        """The board with a piece of ``player`` more, no matter whose turn it is."""

    def board(self, state: Hashable) -> Any:
        """The pieces alone, in the form of a state of the real game."""
        return state.board if type(state) is Seen else state

    def searcher(self, state: Hashable) -> int:
        """The player that the search works for."""
        return state.searcher if type(state) is Seen else self.real.to_move(state)

    # The rules, as they are misread -----------------------------------------------------------

    def initial_state(self) -> Any:
        return self.real.initial_state()

    def to_move(self, state: Hashable) -> int:
        return state.to_move if type(state) is Seen else self.real.to_move(state)

    def legal_actions(self, state: Hashable) -> Sequence[int]:
        free: Sequence[int] = self.real.legal_actions(self.board(state))
        return free

    def play(self, state: Hashable, action: int) -> Seen:
        to_move, board = self.to_move(state), self.board(state)
        legal = () if self.is_terminal(state) else self.real.legal_actions(board)
        cell = legal_action(self, state, action, legal)
        in_tree = type(state) is not Seen or state.stage == TREE
        after = to_move if in_tree and self.one_symbol else 1 - to_move
        stage = TREE if in_tree else GOES_ON
        return Seen(self.put(board, cell, to_move), after, self.searcher(state), stage)

    def is_terminal(self, state: Hashable) -> bool:
        if type(state) is not Seen:
            return bool(self.real.is_terminal(state))
        full = not self.real.legal_actions(state.board)
        blind = {TREE: self.until_full, STARTS: not self.looks_first, GOES_ON: False}[state.stage]
        return full or (not blind and self._winner(state) is not None)

    def returns(self, state: Hashable) -> Returns:
        check_over(self, state)
        if type(state) is not Seen:
            real: Returns = self.real.returns(state)
            return real
        winner = self._winner(state)
        return DRAW if winner is None else WIN_OF[winner]

    def _winner(self, state: Seen) -> int | None:
        """The player with a line, the searcher if both have one; ``None`` without a line.

        In a playout only the player who has just moved is looked at."""
        moved = 1 - state.to_move
        asked = (moved,) if state.stage == GOES_ON else (state.searcher, 1 - state.searcher)
        return next((player for player in asked if self.has_line(state, player)), None)

    def has_line(self, state: Hashable, player: int) -> bool:
        """True if that player has a line on the board."""
        return bool(self.real.has_line(self.board(state)[player]))

    # Playouts -----------------------------------------------------------------------------------

    def playout_from(self, state: Hashable) -> Any:
        """The position in which a playout starts: from there both players move in turn."""
        if self.is_terminal(state):
            return state
        to_move = self.to_move(state)
        if self.one_symbol and type(state) is Seen:  # the searcher has just moved
            to_move = 1 - to_move
        return Seen(self.board(state), to_move, self.searcher(state), STARTS)

    def fast_playout(self, state: Any, random: RandomSource) -> Playout:
        """Uniformly at random to the end; as the real game does it, where that is the same."""
        ordinary = type(state) is Seen and state.stage == STARTS
        if not ordinary or self.has_line(state, 0) or self.has_line(state, 1):
            return random_playout(self, state, random)
        first, second, *rest = board = state.board
        if self.real.to_move(board) == state.to_move:
            playout: Playout = self.real.fast_playout(board, random)
            return playout
        actions, returns = self.real.fast_playout((second, first, *rest), random)
        return Playout(actions, returns[::-1])

    # For a reader ------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return str(self.real.name)

    def parameters(self) -> dict[str, Any]:
        return {**self.real.parameters(), **super().parameters()}

    def text(self, state: Hashable) -> str:
        return str(self.real.text(self.board(state)))

    def parse(self, text: str) -> Any:
        """A position of the real game."""
        return self.real.parse(text)


@dataclass(frozen=True)
class MisreadTicTacToe(FaultyRules):
    """Tic-tac-toe as a faulty search reads it; see :class:`FaultyRules`."""

    real = TicTacToe()

    def put(self, board: tuple[int, int], action: int, player: int) -> tuple[int, int]:
        x, o = board
        return (x, o | 1 << action) if player else (x | 1 << action, o)


@dataclass(frozen=True)
class MisreadConnectFour(FaultyRules):
    """Connect Four as a faulty search reads it; see :class:`FaultyRules`."""

    rows: int = 6
    columns: int = 7
    connect: int = 4

    @cached_property
    def real(self) -> ConnectFour:
        return ConnectFour(self.rows, self.columns, self.connect)

    def put(self, board: tuple[int, ...], action: int, player: int) -> tuple[int, ...]:
        first, second, *heights = board
        cell = counting_cells(self.rows, self.columns, self.connect)[action][heights[action]]
        heights[action] += 1
        return (first, second + cell, *heights) if player else (first + cell, second, *heights)


def _board(game: FaultyRules) -> Board | None:
    """The board of the game as it is played."""
    real = board_of(game.real)
    return real and replace(real, cells=lambda state: real.cells(game.board(state)), in_row=0)


set_board(FaultyRules, _board)
