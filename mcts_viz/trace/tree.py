"""What all traces have in common: a tree of positions, told by parents and moves."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError
from ..games import Game
from ..search.checks import require_whole


class RecordedTree:
    """Numbered nodes: the root is 0, and parents come before their children."""

    game: Game[Any, Any]
    root_state: Any
    actions: tuple[Any, ...]
    """Every action that occurs; ``action`` holds places in this table."""
    parent: NDArray[np.integer[Any]]
    """By node: its parent, -1 for the root."""
    action: NDArray[np.integer[Any]]
    """By node: the move that led to it; the root's means nothing."""

    def check_node(self, node: int, count: int | None = None) -> None:
        """Raise ``TraceError`` unless ``node`` is one of the first ``count``, by default of all."""
        last = (len(self.parent) if count is None else count) - 1
        require_whole("node", node, 0, last, TraceError)

    def path(self, node: int) -> tuple[int, ...]:
        """The nodes from the root down to ``node``; raises ``TraceError`` if there is none."""
        self.check_node(node)
        path = [node]
        while (node := int(self.parent[node])) >= 0:
            path.append(node)
        return tuple(reversed(path))

    def state(self, node: int) -> Any:
        """The position at ``node``; raises ``TraceError`` if there is none."""
        self.check_node(node)
        known = self._states
        if node not in known:
            for before, after in pairwise(self.path(node)):
                if after not in known:
                    known[after] = self.game.play(known[before], self.action_of(after))
        return known[node]

    @cached_property
    def _states(self) -> dict[int, Any]:
        return {0: self.root_state}

    def action_of(self, node: int) -> Any:
        """The move that led to ``node``; ``None`` for the root."""
        self.check_node(node)
        return self.actions[self.action[node]] if node else None

    def label(self, node: int) -> str:
        """The move that led to ``node``, as the game's reader calls it; "" for the root."""
        self.check_node(node)
        if not node:
            return ""
        return self.game.action_label(self.state(int(self.parent[node])), self.action_of(node))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """Return the player, a picture and a text."""
        from ..widgets import display_bundle

        return display_bundle(self)


def nearest_above(parent: NDArray[Any], chosen: NDArray[np.bool_]) -> NDArray[Any]:
    """By node: the nearest node above it, or itself, that is ``chosen``, as the root must be."""
    nearest = np.where(chosen, np.arange(len(parent)), parent)
    while not chosen[nearest].all():
        nearest = nearest[nearest]
    return nearest
