"""Names of before 0.2, which work for one more version and warn of the new ones."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

NAMES: Final = {
    "mcts_viz.ExactPlayer": "mcts_viz.ExactAgent",
    "mcts_viz.MCTSPlayer": "mcts_viz.MCTSAgent",
    "mcts_viz.RandomPlayer": "mcts_viz.RandomAgent",
    "mcts_viz.QLearner": "mcts_course.QLearner",
    "mcts_viz.arena": "mcts_course.arena",
    "mcts_viz.published": "mcts_course.published",
    "mcts_viz.search.AlphaBeta": "mcts_viz.search.Walk",
    "mcts_viz.search.Minimax": "mcts_viz.search.Walk",
    "mcts_viz.search.policies.ucb1": "mcts_viz.search.mcts.ucb1",
    "mcts_viz.search.policies.first_best": "mcts_viz.search.mcts.first_best",
    "mcts_viz.search.policies.expand_one": "mcts_viz.search.mcts.expand_one",
    "mcts_viz.search.policies.random_playout": "mcts_viz.search.mcts.random_playout",
    "mcts_viz.search.policies.half_for_a_draw": "mcts_viz.search.mcts.half_for_a_draw",
    "mcts_viz.search.policies.robust_child": "mcts_viz.search.mcts.robust_child",
}


def former(module: str, name: str) -> Any:
    """What a ``module`` has under a former ``name``; ``AttributeError`` if it is none."""
    old = f"{module}.{name}"
    if old not in NAMES:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    warnings.warn(f"{old} is now {NAMES[old]}.", DeprecationWarning, stacklevel=3)
    place, _, name = NAMES[old].rpartition(".")
    return getattr(import_module(place), name)


def renamed(old: str, new: str, value: Callable[[Any], Any]) -> Any:
    """A property that stands where an ``old`` attribute or method was."""

    def former_value(self: Any) -> Any:
        warnings.warn(f"Write {new} for {old}.", DeprecationWarning, stacklevel=2)
        return value(self)

    return property(former_value)
