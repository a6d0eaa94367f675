"""The parts of a trace: small columns, and the records in them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..games import Returns

Ints: TypeAlias = NDArray[np.integer[Any]]
Floats: TypeAlias = NDArray[np.float64]
Array: TypeAlias = NDArray[Any]


class Outcome(NamedTuple):
    """A result that occurred, and what it was worth: both hold one number a player.

    ``returns`` are in [-1, 1]; ``rewards[p]`` was added to the nodes that player p moved into.
    """

    returns: Returns
    rewards: tuple[float, ...]


class BranchPoint(NamedTuple):
    """The moment where a fork leaves its search."""

    iteration: int
    """It would have been this iteration, and is iteration 1 of the fork."""
    moves: tuple[Any, ...]
    """The actions from the root with which it begins."""
    c: float
    """The exploration constant from there on."""


class Proofs(NamedTuple):
    """The proofs of a search by node, and when they were made: two columns."""

    sign: Ints
    """By node: 1 for a win of the player who moved into it, -1 for a loss, 0 without a proof."""
    since: Ints
    """For each node: the iteration that proved it; 0 if it was proven before, or never is."""

    @classmethod
    def none(cls, nodes: int) -> Proofs:
        """Nothing is proven of so many nodes."""
        return cls(np.zeros(nodes, np.int8), np.zeros(nodes, np.int32))

    def at(self, node: int, iterations: int) -> int:
        """The sign of a node after that many iterations: 0 until it is proven."""
        return int(self.sign[node]) if self.since[node] <= iterations else 0


@dataclass(frozen=True, eq=False)
class Playouts:
    """The actions of all playouts end to end, as numbers in the trace's table of actions."""

    actions: Ints
    lengths: Ints

    @cached_property
    def _ends(self) -> Ints:
        return np.concatenate([[0], np.cumsum(self.lengths, dtype=np.int64)])

    def __getitem__(self, iteration: int) -> Ints:
        """The moves of the playout of ``iteration``, which counts from 1."""
        return self.actions[self._ends[iteration - 1] : self._ends[iteration]]


class Finding(NamedTuple):
    """Something that a watched search does, in a sentence, and where that is proven."""

    name: str
    text: str
    iteration: int
    node: int
    fault: bool = True
    """False for what is only worth knowing, or only suspected."""
    mark: str = ""
    """The mark on the node's card."""


class Checked(NamedTuple):
    """A sentence on what one family of checks looked at in a watched search."""

    family: str
    done: bool
    """False if there was nothing to look at, or too little: then silence proves nothing."""
    text: str

    def __repr__(self) -> str:
        return f"<{'Checked' if self.done else 'Not checked'}, {self}>"

    def __str__(self) -> str:
        return f"{self.family}: {self.text}"


def nearest_above(parent: NDArray[Any], chosen: NDArray[np.bool_]) -> NDArray[Any]:
    """The ``chosen`` node nearest above each node, or itself; the root must be chosen."""
    nearest = np.where(chosen, np.arange(len(parent)), parent)
    while not chosen[nearest].all():
        nearest = nearest[nearest]
    return nearest


def frozen(values: NDArray[Any]) -> NDArray[Any]:
    """The same array, made read-only."""
    values.flags.writeable = False
    return values


def smallest_ints(values: Ints) -> Ints:
    """``values``, none of which is negative, in the smallest integers that hold them."""
    return values.astype(np.min_scalar_type(int(values.max(initial=0))), copy=False)
