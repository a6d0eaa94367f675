"""Which nodes of a tree get a card, and what becomes of the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError, shown
from ..search.checks import is_whole

CARDS = 40
"""Most cards that a film draws unless told otherwise."""
MOST_CARDS = 300

Array = NDArray[Any]


@dataclass(frozen=True)
class Frame:
    """One moment of a film; of minimax, when a step has just happened."""

    iteration: int
    """From 1; of minimax, the step."""
    phase: str
    """Of minimax, what happens in the step."""
    cards: tuple[Any, ...]
    """Of the tree; the rest of the path has none."""
    hidden: dict[int, int]
    """By card: how many nodes below it have no card of their own, if there are any."""
    path: tuple[int, ...]
    new_node: int | None
    pruned: dict[int, int] = field(default_factory=dict)
    """By card: how many of its moves have been cut off, if any."""


class Cards:
    """The ``count`` heaviest nodes, and the first of equals.

    ``parent`` (-1 for the root) and ``birth`` (the moment of appearance, never falling) are by
    node. No node may weigh more than its parent; so the cards hang together. Nodes that are in no
    array can be counted all the same: ``left_out`` holds the births of those below each node, and
    the ones of node n are ``left_out[ends[n] : ends[n + 1]]``.
    """

    def __init__(
        self,
        parent: Array,
        birth: Array,
        weight: Array,
        count: int,
        left_out: Array | None = None,
        ends: Array | None = None,
    ) -> None:
        if not is_whole(count) or not 1 <= count <= MOST_CARDS:
            raise TraceError(f"cards is {shown(count)}, but a film has 1 to {MOST_CARDS} cards.")
        self._parent, self._birth = parent, birth
        self.left_out = np.zeros(0, np.int64) if left_out is None else left_out
        self.left_out_ends = np.zeros(len(parent) + 1, np.int64) if ends is None else ends
        self._ranked: list[int] = np.argsort(-weight, kind="stable")[:MOST_CARDS].tolist()
        self.limit(count)

    def limit(self, count: int) -> None:
        """Leave cards to the ``count`` heaviest nodes."""
        self.cards = self.heaviest(count)
        for name in ("_without", "owner", "hidden"):
            self.__dict__.pop(name, None)

    @cached_property
    def _without(self) -> Array:
        """By node: whether it has no card."""
        hidden = np.ones(len(self._parent), bool)
        hidden[list(self.cards)] = False
        return hidden

    @cached_property
    def owner(self) -> Array:
        """By node: the nearest node above it that has a card, or itself."""
        owner = np.where(self._without, self._parent, np.arange(len(self._parent)))
        while self._without[owner].any():
            owner = owner[owner]
        return owner.astype(np.int32)

    @cached_property
    def hidden(self) -> dict[int, Array]:
        """By card with hidden nodes below it: the moments in which those were born, rising."""
        left_out_owner = np.repeat(self.owner, np.diff(self.left_out_ends).astype(np.intp))
        owner = np.concatenate([self.owner[self._without], left_out_owner])
        birth = np.concatenate([self._birth[self._without], self.left_out]).astype(np.uint32)
        order = np.lexsort((birth, owner))
        cards, starts = np.unique(owner[order], return_index=True)
        births = np.split(birth[order], starts[1:])
        return dict(zip(cards.tolist(), births, strict=True)) if len(cards) else {}

    def hidden_at(self, moment: int) -> dict[int, int]:
        """By card: how many nodes without a card have been born below it by then, if any."""
        counts = {
            card: int(np.searchsorted(births, moment, side="right"))
            for card, births in self.hidden.items()
        }
        return {card: count for card, count in counts.items() if count}

    def heaviest(self, count: int) -> tuple[int, ...]:
        """So many nodes, by number."""
        return tuple(sorted(self._ranked[:count]))
