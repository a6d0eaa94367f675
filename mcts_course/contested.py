"""Positions of tic-tac-toe in which a move can be a mistake: where lessons measure strength."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from mcts_viz.games import TicTacToe
from mcts_viz.search import solve

__all__ = ["best_moves", "contested"]

GAME = TicTacToe()


@cache
def best_moves(state: Any) -> frozenset[int]:
    """The moves that keep the value of perfect play."""
    return frozenset(solve(GAME, state).best_actions)


@cache
def _all(pieces: int) -> tuple[Any, ...]:
    level = {GAME.initial_state()}
    for _ in range(pieces):
        level = {
            GAME.play(state, cell)
            for state in level
            if not GAME.is_terminal(state)
            for cell in GAME.legal_actions(state)
        }
    return tuple(
        state
        for state in sorted(level)
        if not GAME.is_terminal(state) and len(best_moves(state)) < len(GAME.legal_actions(state))
    )


def contested(pieces: int = 3, number: int | None = None, seed: int = 0) -> list[Any]:
    """All such positions with so many pieces, or so many of them, picked at random by ``seed``."""
    every = list(_all(pieces))
    return every if number is None else Random(seed).sample(every, number)
