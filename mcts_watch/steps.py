"""The record of a look: all nodes that changed, and the single path that they mostly are."""

from __future__ import annotations

from typing import Final, NamedTuple

ENOUGH: Final = 20
"""Events that are needed before anything is said."""
USUALLY: Final = 0.95
"""The share of events in which a thing must happen to be a habit."""
TINY: Final = 1e-6
"""Rewards that differ by less are the same: programs add and divide them in their own order."""


class Step(NamedTuple):
    """An iteration with one path: its nodes from the root, and how visits and wins changed
    there."""

    time: int
    end: int
    """The last node."""
    path: tuple[int, ...]
    visits: tuple[float, ...]
    wins: tuple[float, ...]

    def paid(self, place: int) -> float:
        """The reward per visit of the node at that place of the path."""
        return self.wins[place] / self.visits[place]


class Moment(NamedTuple):
    """All nodes that one look saw changed, and by how much."""

    time: int
    nodes: tuple[int, ...]
    more: tuple[float, ...]
    """The change of visits, by node."""
    gain: tuple[float, ...]
    """The change of wins."""
    visits: tuple[float, ...]
    wins: tuple[float, ...]
