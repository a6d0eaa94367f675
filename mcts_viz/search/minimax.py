"""Minimax: what a position is worth if nobody errs, found by looking at every line of play.

Source: Shannon (1950), "Programming a computer for playing chess"; in the notation of Russell and
Norvig, "Artificial Intelligence: A Modern Approach". MAX is player 0, MIN is player 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from ..games import Game
from .checks import require_list
from .collector import rare_collections
from .minimax_hooks import ToldWalk
from .positions import (
    HIGHEST,
    LOWEST,
    Line,
    Position,
    Positions,
    actions_of,
    check_state,
    positions_of,
    too_long,
)

__all__ = ["Minimax", "MinimaxResult", "minimax"]


@dataclass(frozen=True)
class MinimaxResult:
    """What minimax or alpha-beta found, and what it cost."""

    value: float
    """For the player to move, in [-1, 1]: 1 is a forced win, 0 a draw, -1 a loss."""
    best_action: Any
    """The first move, in the game's order, that keeps ``value``; ``None`` if the game is over."""
    principal_variation: tuple[Any, ...]
    """Best play for both to the end, of equal moves always the first."""
    nodes: int
    """Nodes of the tree that were entered, root and leaves included."""
    alpha_cutoffs: int
    """How often MIN could stop, since MAX has a better move further up."""
    beta_cutoffs: int
    """How often MAX could stop, since MIN has a better move further up."""


def minimax(game: Game[Any, Any], state: Any = None, hooks: Iterable[object] = ()) -> MinimaxResult:
    """The value of ``state`` (the game's start if none is given), by looking at every node below.

    For two players whose returns sum to zero; a player may move twice in a row. Hooks are told of
    every step, see :mod:`mcts_viz.search.minimax_hooks`. Raises ``SearchError`` if the game is
    too large or not of this kind.
    """
    return walked(game, state, hooks, Minimax, prune=False)


class Minimax:
    """The walk through the tree; ``ahead`` links a position to those one move on."""

    alpha_cutoffs = beta_cutoffs = 0

    def __init__(self, positions: Positions) -> None:
        self.ahead = positions.ahead
        self.nodes = 1

    def value(self, position: Position) -> tuple[float, Line]:
        """For MAX, with its line of play."""
        best, line = LOWEST if position.maximizing else HIGHEST, None
        for child in position.children or self.ahead(position):
            self.nodes += 1
            value, rest = child.end or self.value(child)
            if value > best if position.maximizing else value < best:
                best, line = value, (child, rest)
        return best, line


class Walk(Protocol):
    """A walk through the tree, and what it has counted."""

    nodes: int
    alpha_cutoffs: int
    beta_cutoffs: int

    def value(self, position: Position) -> tuple[float, Line]: ...


def walked(
    game: Game[Any, Any],
    state: Any,
    hooks: Iterable[object],
    quiet: Callable[[Positions], Walk],
    prune: bool,
) -> MinimaxResult:
    """What a walk from ``state`` finds: a quiet one if no hook listens, else one that is told."""
    positions = positions_of(game)
    state = game.initial_state() if state is None else state
    check_state(game, state)
    root = positions.at(state)
    hooks = tuple(require_list("hooks", hooks, "of hooks"))
    walk: Walk = ToldWalk(positions, hooks, prune) if hooks else quiet(positions)
    try:
        with rare_collections():
            value, line = walk.value(root) if hooks or not root.end else root.end
    except RecursionError:
        raise too_long(game, state) from None
    actions = actions_of(root, line)
    return MinimaxResult(
        value=(value if game.to_move(state) == 0 else -value) + 0.0,  # no negative zero
        best_action=actions[0] if actions else None,
        principal_variation=actions,
        nodes=walk.nodes,
        alpha_cutoffs=walk.alpha_cutoffs,
        beta_cutoffs=walk.beta_cutoffs,
    )
