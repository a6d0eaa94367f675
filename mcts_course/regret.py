"""The regret of a policy on a bandit: the cost of not knowing the best arm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mcts_viz.errors import door, require
from mcts_viz.games.bandit import Bandit
from mcts_viz.search.checks import require_list
from mcts_viz.search.mcts import MCTS
from mcts_viz.search.variants import expand_root_only, pre_expanded

from .experiments import tracked

Floats = NDArray[np.float64]


def one_decision(bandit: Bandit, seed: int | None = None, **policies: Any) -> MCTS:
    """A search whose tree is the one decision: a child for each arm, and nothing below."""
    return MCTS(
        bandit, seed=seed, initial_expansion=pre_expanded(1), expansion=expand_root_only, **policies
    )


@door
def pull(bandit: Bandit, pulls: int, seed: int | None = None, **policies: Any) -> str:
    """The arms that a search on a ``bandit`` pulls, one letter a pull.

    The search is an ordinary :class:`MCTS` with these ``policies``, UCB1 if there are none, whose
    tree is the one decision. With the same ``seed``, policies that draw nothing themselves meet
    the same luck: pull number n draws the same ticket for each of them.
    """
    trace = one_decision(bandit, seed, **policies).record(iterations=pulls, progress=False)
    return "".join(trace.label(leaf) for leaf in trace.leaf)


@door
def regret(bandit: Bandit, pulls: Sequence[str]) -> Floats:
    """After each of these ``pulls``: how much the best arm would have won more, on average.

    A pull adds the best arm's chance less that of the pulled arm, whatever the luck was: so it
    never falls, and a pull of the best arm adds nothing. Source: Auer, Cesa-Bianchi, Fischer
    (2002), where it is the expected regret.
    """
    require(isinstance(bandit, Bandit), "bandit", "a Bandit, such as Bandit((0.3, 0.6))", bandit)
    best = max(bandit.chances)
    return np.cumsum([best - bandit.chance(arm) for arm in pulls], dtype=np.float64)


@door
def regrets(
    bandit: Bandit,
    policies: Mapping[str, Mapping[str, Any]],
    *,
    pulls: int,
    seeds: Iterable[int],
) -> dict[str, Floats]:
    """By name of a policy: the :func:`regret` of each seed (rows) after each pull (columns).

    ``policies`` gives each name the keyword arguments of :class:`MCTS`, such as
    ``{"UCB1": {}, "greedy": {"selection": win_rate}}``.
    """
    right = isinstance(policies, Mapping) and all(isinstance(p, Mapping) for p in policies.values())
    require(right, "policies", 'a dict of dicts, such as {"UCB1": {}}', policies)
    seeds = require_list("seeds", seeds, "of whole numbers")
    rows: dict[str, list[Floats]] = {name: [] for name in policies}
    for name, seed in tracked(list(product(policies, seeds)), "searches"):
        rows[name].append(regret(bandit, pull(bandit, pulls, seed, **policies[name])))
    return {name: np.array(found) for name, found in rows.items()}
