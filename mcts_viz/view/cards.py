"""Which nodes of a tree get a card, and what becomes of the others."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError

__all__ = ["CARDS", "MOST_CARDS", "Cards"]

CARDS = 40
"""Cards that a film draws unless told otherwise."""
MOST_CARDS = 300

Array = NDArray[Any]


class Cards:
    """The ``count`` heaviest nodes, and the first of equals.

    ``parent`` (-1 for the root) and ``birth`` (the moment of appearance, never falling) are by
    node. No node may weigh more than its parent; so the cards hang together.
    """

    def __init__(self, parent: Array, birth: Array, weight: Array, count: int) -> None:
        whole = isinstance(count, int) and not isinstance(count, bool)
        if not whole or not 1 <= count <= MOST_CARDS:
            raise TraceError(f"cards is {count!r}, but a film has 1 to {MOST_CARDS} cards.")
        self._parent, self._birth = parent, birth
        ranked = np.lexsort((np.arange(len(parent)), -weight))
        self.cards: tuple[int, ...] = tuple(sorted(ranked[:count].tolist()))
        self._card_nodes = frozenset(self.cards)

    @cached_property
    def owner(self) -> Array:
        """By node: the nearest node above it that has a card, or itself."""
        owner = list(range(len(self._parent)))
        parents = self._parent.tolist()
        for node in range(1, len(owner)):
            if node not in self._card_nodes:
                owner[node] = owner[parents[node]]
        return np.array(owner, np.int32)

    @cached_property
    def stubs(self) -> dict[int, Array]:
        """By card with hidden nodes below it: the moments in which those were born, rising."""
        hidden = np.flatnonzero(self.owner != np.arange(len(self.owner)))
        births: dict[int, list[int]] = {}
        for owner, birth in zip(
            self.owner[hidden].tolist(), self._birth[hidden].tolist(), strict=True
        ):
            births.setdefault(owner, []).append(birth)
        return {card: np.array(births[card], np.uint32) for card in sorted(births)}

    @property
    def card_parents(self) -> list[int]:
        """By place in ``cards``: the place of the parent's card, -1 for the root."""
        place = {node: number for number, node in enumerate(self.cards)}
        return [-1] + [place[int(self._parent[node])] for node in self.cards[1:]]

    def without_card(self, path: tuple[int, ...]) -> tuple[int, ...]:
        """The part of a path that has no cards."""
        return tuple(node for node in path if node not in self._card_nodes)

    @cached_property
    def longest_strip(self) -> int:
        """The most nodes without a card on one way down."""
        deep, parents = np.zeros(len(self._parent), np.int64), self._parent.tolist()
        for node in range(1, len(parents)):
            if node not in self._card_nodes:
                deep[node] = deep[parents[node]] + 1
        return int(deep.max())
