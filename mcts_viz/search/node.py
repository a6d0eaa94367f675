"""A node of the search tree: a position, the move that led to it, and what was seen below it."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt
from typing import Any
from weakref import ref

__all__ = ["INVERSE_ROOTS", "ROOTS_OF_LOGS", "TABULATED", "Node"]

TABULATED = 10_000
"""For counts of visits below this, which nearly all are, the two tables know what is asked most."""
INVERSE_ROOTS = (0.0, *(1 / sqrt(visits) for visits in range(1, TABULATED)))
ROOTS_OF_LOGS = (0.0, *(sqrt(log(visits)) for visits in range(1, TABULATED)))
# The zeros stand for no visits: a prepared tree may have children before it has visits.


class Node:
    """One position in the tree.

    A node's wins belong to the player who moved into it. So a parent compares its children by
    numbers that speak for the player who chooses among them. (The root's wins belong to the
    player before the one to move.)
    """

    __slots__ = (
        "__weakref__",
        "_parent",
        "action",
        "birth",
        "children",
        "id",
        "inverse_root",
        "mean",
        "mover",
        "state",
        "to_move",
        "untried",
        "visits",
        "wins",
    )

    id: int
    """Number in order of birth; the root is 0."""
    action: Any
    """The move that led here; ``None`` for the root."""
    state: Any
    birth: int
    """The iteration that added this node; 0 if it was there before the first."""
    mover: int
    """The player who moved into this node, whose ``wins`` these are."""
    visits: int
    """How many iterations came through; never negative."""
    wins: float
    """The sum of the rewards for ``mover``; by default a win is 1, a draw 1/2, a loss 0."""
    mean: float
    """``wins / visits``: the mean reward, in [0, 1] by default.

    Before the first visit it is infinite, so that an unvisited child is followed first.
    """
    inverse_root: float
    """``1 / sqrt(visits)``, kept because every comparison of siblings needs it."""
    children: Sequence[Node]
    untried: list[Any] | None
    """Moves without a child yet; ``None`` until the first expansion asks the game for them."""
    to_move: int
    """The player to move, known once the node has been expanded; -1 before."""

    def __init__(
        self, id: int, parent: Node | None, action: Any, state: Any, mover: int, birth: int
    ) -> None:
        self.id = id
        self._parent = None if parent is None else ref(parent)
        self.action = action
        self.state = state
        self.mover = mover
        self.birth = birth
        self.visits = 0
        self.wins = 0.0
        self.mean = inf
        self.inverse_root = 0.0
        self.children = ()
        self.untried = None
        self.to_move = -1

    @property
    def parent(self) -> Node | None:
        """The node above; ``None`` for the root.

        Parents keep their children, and not the other way round, so that a tree that nobody holds
        any more is gone at once: to look for such trees would take the time of a search.
        """
        return None if self._parent is None else self._parent()

    @parent.setter
    def parent(self, parent: Node | None) -> None:
        self._parent = None if parent is None else ref(parent)

    @property
    def moves(self) -> int:
        """Legal moves of the position, in the tree or not; 0 before the first expansion."""
        return len(self.children) + len(self.untried or ())

    def __getstate__(self) -> dict[str, Any]:
        kept = [name for name in self.__slots__ if not name.startswith("_")]
        return {"parent": self.parent, **{name: getattr(self, name) for name in kept}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)

    def __repr__(self) -> str:
        place = "the root" if self.parent is None else f"after {self.action!r}"
        return f"<Node {self.id}: {self.wins:g}/{self.visits}, {place}>"
