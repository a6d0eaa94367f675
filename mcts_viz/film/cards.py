"""The cards of a tree: which nodes get one, and the counts of the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError
from ..search.checks import require_whole
from ..trace.columns import nearest_above
from .boards import board_of
from .words import move_order

CARDS = 60
"""Most nodes that a graph and a text show unless told otherwise."""
MOST_CARDS = 300

Array = NDArray[Any]


class Card(NamedTuple):
    """The content of a card at one moment of a search, or of a walk by minimax."""

    node: int
    share: str
    """The wins of who moved there, and the visits; of a walk whose turn it is, and the value."""
    score: str
    """The selection score, or what is proven; of a walk the window from alpha to beta."""
    fill: float
    """The filled part of its bar, 0 to 1; of a walk not-a-number while the value is unknown."""
    on_path: bool
    new: bool
    visit_share: float = 0.0
    """The thickness of the edge to it, from 0 to 1: its share of all visits."""
    rule: str = ""
    """The name of the score, if it is one."""
    mark: str = ""
    """Its classes in a picture, if it is proven."""
    note: str = ""
    """The line of the search's other statistics, such as ``mean -3.20``."""


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
    """A tree whose ``count`` heaviest nodes have a card, the first of equals.

    No node may weigh more than its parent; so the cards hang together. ``created_at`` is the
    moment of appearance by node, never falling.
    """

    source: Any
    """The whole trace; ``trace`` may have a part of its nodes."""

    def __init__(self, trace: Any, created_at: Array, weight: Array, count: int) -> None:
        require_whole("cards", count, 1, MOST_CARDS, TraceError)
        self.trace = trace
        self.game = trace.game
        self.board = board_of(trace.game)
        self.created_at = created_at
        self._ranked: list[int] = np.argsort(-weight, kind="stable")[:MOST_CARDS].tolist()
        self.cards = self.heaviest(count)

    @cached_property
    def parents(self) -> list[int]:
        """By node of the whole tree: the one above, -1 for the root."""
        parents: list[int] = self.source.parent.tolist()
        return parents

    @cached_property
    def families(self) -> list[list[int]]:
        """By node of the whole tree: its children in the order of their moves."""
        families: list[list[int]] = [[] for _ in self.parents]
        for node in np.argsort(move_order(self.source), kind="stable").tolist():
            if node:
                families[self.parents[node]].append(node)
        return families

    def heaviest(self, count: int) -> tuple[int, ...]:
        """Return the ``count`` heaviest nodes, by number."""
        return tuple(sorted(self._ranked[:count]))

    def born(self, moment: int) -> Array:
        """The nodes that are there by then; for each that is left out, the nearest above it."""
        return np.flatnonzero(self.created_at <= moment)

    def hidden_at(self, moment: int) -> dict[int, int]:
        """By card: how many nodes without a card are below it by then, if any."""
        parent = self.trace.parent
        owner = nearest_above(parent, np.isin(np.arange(len(parent)), self.cards))
        counts = np.bincount(owner[self.born(moment)], minlength=len(owner)).tolist()
        return {card: counts[card] - 1 for card in self.cards if counts[card] > 1}
