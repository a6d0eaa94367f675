"""Which nodes of a tree get a card, and what becomes of the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError
from ..search.checks import require_whole
from ..trace.trace import nearest_above

CARDS = 60
"""Most cards that a film draws unless told otherwise."""
MOST_CARDS = 300

Array = NDArray[Any]


class Card(NamedTuple):
    """What a card shows at one moment of a search, or of a walk by minimax."""

    node: int
    share: str
    """The wins of who moved there, and the visits; of a walk whose turn it is, and the value."""
    score: str
    """The selection score, or what is proven; of a walk the window from alpha to beta."""
    fill: float
    """How full its bar is, from 0 to 1; of a walk not-a-number while the value is unknown."""
    on_path: bool
    new: bool
    visit_share: float = 0.0
    """How thick the edge to it is, from 0 to 1: its share of all visits."""
    rule: str = ""
    """What the score is called, if it is one."""
    mark: str = ""
    """Its classes in a picture, if it is proven."""


@dataclass(frozen=True)
class Frame:
    """One moment of a film; of minimax, when a step has just happened."""

    iteration: int
    """From 1; of minimax, the step."""
    phase: str
    """Of minimax, what happens in the step."""
    cards: tuple[Card, ...]
    """Of the tree; the rest of the path has none."""
    hidden: dict[int, int]
    """By card: how many nodes below it have no card of their own, if there are any."""
    path: tuple[int, ...]
    new_node: int | None
    pruned: dict[int, int] = field(default_factory=dict)
    """By card: how many of its moves have been cut off, if any."""


class Cards:
    """The ``count`` heaviest nodes, and the first of equals.

    ``parent`` (-1 for the root) and ``created_at`` (the moment of appearance, never falling) are by
    node. No node may weigh more than its parent; so the cards hang together. Nodes that are in no
    array can be counted all the same: ``left_out`` holds the births of those below each node, and
    the ones of node n are ``left_out[ends[n] : ends[n + 1]]``.
    """

    def __init__(
        self,
        parent: Array,
        created_at: Array,
        weight: Array,
        count: int,
        left_out: Array | None = None,
        ends: Array | None = None,
    ) -> None:
        require_whole("cards", count, 1, MOST_CARDS, TraceError)
        self._parent, self._created_at = parent, created_at
        self.left_out = np.zeros(0, np.int64) if left_out is None else left_out
        self.left_out_ends = np.zeros(len(parent) + 1, np.int64) if ends is None else ends
        self._ranked: list[int] = np.argsort(-weight, kind="stable")[:MOST_CARDS].tolist()
        self.cards = self.heaviest(count)

    def heaviest(self, count: int) -> tuple[int, ...]:
        """So many nodes, by number."""
        return tuple(sorted(self._ranked[:count]))

    def hidden_at(self, moment: int) -> dict[int, int]:
        """By card: how many nodes without a card have been born below it by then, if any."""
        has_card = np.isin(np.arange(len(self._parent)), self.cards)
        owner = nearest_above(self._parent, has_card)
        below = np.repeat(owner, np.diff(self.left_out_ends).astype(np.intp))
        born = np.append(owner[self._created_at <= moment], below[self.left_out <= moment])
        counts = np.bincount(born.astype(np.intp), minlength=len(owner)).tolist()
        return {card: counts[card] - 1 for card in self.cards if counts[card] > 1}
