"""What a hook is told: one frozen record a phase, made of ids and values.

A hook is any object with one or more of the four methods ``on_select``, ``on_expand``,
``on_simulate`` and ``on_backpropagate``. It observes; it cannot change the search.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from ..games import Returns

__all__ = ["PHASES", "Backpropagation", "Expansion", "Record", "Selection", "Simulation"]

PHASES = ("select", "expand", "simulate", "backpropagate")
"""The four phases of an iteration, in order; a hook's methods are ``on_`` and one of these."""


class Selection(NamedTuple):
    """The walk down is over. ``path`` holds node ids, root first; iterations count from 1."""

    iteration: int
    path: tuple[int, ...]


class Expansion(NamedTuple):
    """The node ``node`` was added below ``parent``, for the move ``action``."""

    iteration: int
    node: int
    parent: int
    action: Any


class Simulation(NamedTuple):
    """A playout ran from ``node``; none of its ``actions`` enter the tree.

    ``returns`` holds one number a player, in [-1, 1].
    """

    iteration: int
    node: int
    actions: tuple[Any, ...]
    returns: Returns


class Backpropagation(NamedTuple):
    """Every node of ``path`` got one visit, and ``rewards[player who moved into it]`` wins."""

    iteration: int
    path: tuple[int, ...]
    rewards: tuple[float, ...]


Record: TypeAlias = Selection | Expansion | Simulation | Backpropagation
