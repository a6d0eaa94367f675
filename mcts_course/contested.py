"""Positions of tic-tac-toe in which a move can be a mistake: where lessons measure strength."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import cache
from random import Random
from typing import Any

from mcts_viz.games import TicTacToe
from mcts_viz.search import solve

GAME = TicTacToe()


def one_name(state: Any) -> str:
    """The first, in the alphabet, of the eight boards that a board can be turned into."""
    board, boards = GAME.text(state).replace("\n", ""), []
    for _ in range(4):
        board = "".join(board[cell] for cell in (6, 3, 0, 7, 4, 1, 8, 5, 2))
        boards += [board, board[0::3] + board[1::3] + board[2::3]]
    return min(boards)


def levels(name: Callable[[Any], Hashable] = lambda state: state) -> Iterator[list[Any]]:
    """The positions in play with 0, 1, 2 … pieces; of those with the same name the first met."""
    level = [GAME.initial_state()]
    while level:
        yield level
        after: dict[Hashable, Any] = {}
        for state in level:
            for action in GAME.legal_actions(state):
                child = GAME.play(state, action)
                after.setdefault(name(child), child)
        level = [state for state in after.values() if not GAME.is_terminal(state)]


@cache
def best_moves(state: Any) -> frozenset[int]:
    """The moves that keep the value of perfect play."""
    return frozenset(solve(GAME, state).best_actions)


def is_contested(state: Any) -> bool:
    """True if some move gives something away, and some move does not."""
    return len(best_moves(state)) < len(GAME.legal_actions(state))


@cache
def _all() -> tuple[list[Any], ...]:
    return tuple(sorted(filter(is_contested, level)) for level in levels())


def contested(pieces: int = 3, number: int | None = None, seed: int = 0) -> list[Any]:
    """Return the contested positions with ``pieces``, or ``number`` of them, by ``seed``."""
    every = _all()[pieces]
    return every[:] if number is None else Random(seed).sample(every, number)
