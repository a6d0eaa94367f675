"""A game written out by hand as a tree, small enough to search with a pencil."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import getitem
from typing import Any, TypeAlias

from ..errors import GameError, fits, require
from .moves import GameOfMoves
from .protocol import Returns
from .refusals import NOT_READ, check_over, not_a_position

Tree: TypeAlias = Mapping[str, Any]
"""Each move leads to another such mapping, or to a leaf: what player 0 gets, in [-1, 1]."""


@dataclass(frozen=True)
class GameTree(GameOfMoves):
    """Two players move in turn down ``tree``, player 0 first, until they reach a number.

    That number, in [-1, 1], is the return of player 0; player 1 gets its negative. A state is the
    tuple of moves played so far.

    >>> GameTree({"a": {"c": 1, "d": -1}, "b": {"e": 0, "f": 0.5}}).returns(("b", "f"))
    (0.5, -0.5)
    """

    name = "Game tree"
    tree: Tree = field(compare=False)
    players: tuple[str, ...] = ("Max", "Min")
    _written: str = field(init=False, repr=False)  # the tree with its order, to compare

    def __post_init__(self) -> None:
        right = isinstance(self.players, tuple | list) and len({*map(str, self.players)}) == 2
        require(right, "players", "two different names", self.players, GameError)
        right = isinstance(self.tree, Mapping)
        require(right, "tree", "a dict of moves, such as {'a': 1}", self.tree, GameError)
        object.__setattr__(self, "players", tuple(map(str, self.players)))
        try:
            object.__setattr__(self, "tree", _checked(self.tree, ()))
            object.__setattr__(self, "_written", repr(self.tree))
        except RecursionError:
            raise GameError(
                "The tree has too many moves in a row, or a dict that holds itself: make each "
                "line of play shorter."
            ) from None

    def to_move(self, state: tuple[str, ...]) -> int:
        try:
            return len(state) % 2
        except NOT_READ:
            raise not_a_position(self, state) from None

    def legal_actions(self, state: tuple[str, ...]) -> tuple[str, ...]:
        node = self._below(state)
        return tuple(node) if isinstance(node, Mapping) else ()

    def is_terminal(self, state: tuple[str, ...]) -> bool:
        return not isinstance(self._below(state), Mapping)

    def returns(self, state: tuple[str, ...]) -> Returns:
        check_over(self, state)
        leaf = self._below(state)
        return (leaf, 0.0 - leaf)

    def _below(self, state: tuple[str, ...]) -> Any:
        """The subtree after these moves: a mapping, or a leaf."""
        try:
            return reduce(getitem, state, self.tree)
        except NOT_READ:
            raise not_a_position(self, state) from None


def _checked(node: Any, path: tuple[str, ...]) -> Any:
    """A copy of ``node`` in plain dicts and floats; raises ``GameError`` at its first fault."""
    where = f"after {' '.join(path)!r}" if path else "at the root"
    if isinstance(node, Mapping):
        right = node and all(
            isinstance(m, str) and m.split() == [m] != [GameOfMoves.at_start] for m in node
        )
        kind = f"one or more strings without spaces, and not {GameOfMoves.at_start!r}"
        require(right, f"The moves {where}", kind, [*node], GameError)
        return {move: _checked(below, (*path, move)) for move, below in node.items()}
    right = fits(node, -1, 1)
    require(right, f"The value {where}", "a number in [-1, 1], or a dict of moves", node, GameError)
    return float(node) + 0.0  # no negative zero
