"""One moment of a recorded search, and a node's numbers in it as a selection rule reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import TraceError, listed, require, require_one_of
from ..games import Returns
from ..search import PHASES, score_terms
from ..search.checks import require_whole
from ..search.policies import can_score
from .columns import Array, Floats, Ints, frozen

if TYPE_CHECKING:
    from .trace import Trace


@dataclass(slots=True, eq=False)
class Stats:
    """A node's statistics at one moment, as a selection rule reads them."""

    _trace: Trace
    _node: int
    visits: int = 0
    wins: float = 0.0
    _others: Mapping[str, float] = field(default_factory=dict)
    """For each name: the statistics that the search keeps beside visits and wins."""

    @property
    def n_legal_moves(self) -> int:
        """Legal moves of the position."""
        return self._trace.n_legal_moves(self._node)

    @property
    def mean(self) -> float:
        """``wins / visits``, unless the search has means of its own; infinite before a visit."""
        if "mean" in self._others:
            return self._others["mean"]
        return self.wins / self.visits if self.visits else inf

    @property
    def action(self) -> Any:
        """The move that led here; ``None`` for the root."""
        return self._trace.action_of(self._node)

    @property
    def state(self) -> Any:
        """The position."""
        return self._trace.state(self._node)

    @property
    def prior(self) -> float:
        """The prior of the move that led here; 1 without priors."""
        priors = self._trace.priors
        return 1.0 if priors is None else float(priors[self._node])

    def __getattr__(self, name: str) -> float:
        """A statistic that the search keeps beside visits and wins."""
        if name[:1] != "_" and name in self._others:
            return self._others[name]
        raise AttributeError(f"A node of this search keeps no {name!r}.")


class Snapshot:
    """One moment of a search; nothing in it changes, and nothing of it knows the future.

    The statistics count this iteration only in its last phase, backpropagation; the node it adds
    exists from expansion on. Make one with :meth:`Trace.at`.
    """

    def __init__(self, trace: Trace, iteration: int, phase: str) -> None:
        kind = "a trace, as search.record(iterations=200) returns it"
        require(hasattr(trace, "leaf"), "trace", kind, trace, TraceError)
        self.trace = trace
        self.iteration = iteration
        self.phase = phase
        require_one_of("phase", phase, PHASES, TraceError)
        iteration = require_whole("iteration", iteration, 0, trace.iterations, TraceError)
        phase = phase if iteration else "backpropagate"
        step = PHASES.index(phase)
        self._counted = iteration if step == 3 else iteration - 1
        born = iteration if step >= 1 else iteration - 1
        self.nodes = int(np.searchsorted(trace.created_at, born, side="right"))
        """The number of nodes that exist, from 0 to ``nodes - 1``."""
        path = trace.path(int(trace.leaf[iteration - 1])) if iteration else ()
        self.path = tuple(node for node in path if node < self.nodes)
        """The selected path, root first; from expansion on it ends with the new node."""
        new = [node for node in self.path if trace.created_at[node] == iteration]
        self.new_node = new[-1] if new and iteration else None
        """The node that this iteration adds to its path; ``None`` until then, or without one.

        Where it adds several, one below the other, it is the last of them.
        """
        self.playout: tuple[Any, ...] | None = None
        """The playout's moves; ``None`` before the simulation."""
        self.returns: Returns | None = None
        """The playout's result, one number a player in [-1, 1]; ``None`` before the simulation."""
        self.rewards: tuple[float, ...] | None = None
        """For each player: what the nodes they moved into have been given; ``None`` until then."""
        if iteration and step >= 2:
            self._simulated(is_counted=step == 3)

    def _simulated(self, is_counted: bool) -> None:
        """Tell of the playout, and of its rewards once they have been given."""
        trace, iteration = self.trace, self.iteration
        outcome = trace.outcomes[trace.outcome[iteration - 1]]
        self.playout = tuple(trace.actions[code] for code in trace.playouts[iteration])
        self.returns = outcome.returns
        if is_counted:
            self.rewards = outcome.rewards

    @cached_property
    def visits(self) -> Ints:
        """For each node: iterations that came through."""
        return frozen(self.trace.visits(self._counted)[: self.nodes])

    @cached_property
    def wins(self) -> Floats:
        """For each node: the sum of rewards for the player who moved into it."""
        return frozen(self.trace.wins(self._counted)[: self.nodes])

    @cached_property
    def means(self) -> Floats:
        """For each node: the mean reward; infinite before the first visit."""
        return frozen(self.trace.means(self._counted)[: self.nodes])

    def statistic(self, name: str) -> Array:
        """For each node: a statistic that the search keeps, such as "visits" or "squares"."""
        known = self.trace.ledger.names
        require(name in known, "statistic", f"one of {listed(known)}", name, TraceError)
        return frozen(self.trace.numbers(name, self._counted)[: self.nodes])

    def children(self, node: int) -> tuple[int, ...]:
        """The children that ``node`` has by now, in the order in which they were added."""
        self.trace.check_node(node, self.nodes)
        return tuple(child for child in self.trace.children[node] if child < self.nodes)

    def terms(self, node: int) -> tuple[float, float] | None:
        """Both terms of the node's selection score.

        ``None`` for the root, without a visit, and for an outcome of chance.
        """
        self.trace.check_node(node, self.nodes)
        rule, child = self.trace.selection, self._stats(node)
        parent = int(self.trace.parent[node])
        if parent < 0 or self.trace.chance[parent] or not can_score(rule, child):
            return None
        return score_terms(rule, child, self._stats(parent), self.trace.c)

    def score(self, node: int) -> float | None:
        """The node's selection score among its siblings (UCT by default), or ``None``."""
        terms = self.terms(node)
        return None if terms is None else sum(terms)

    def proof(self, node: int) -> int:
        """1 if ``node`` is a proven win of the player who moved there by now, -1 a loss, else 0."""
        self.trace.check_node(node, self.nodes)
        return self.trace.proofs.at(node, self._counted)

    def _stats(self, node: int) -> Stats:
        visits, wins = self.visits[node].item(), float(self.wins[node])
        return Stats(
            self.trace, node, visits, wins, {name: of[node] for name, of in self._others.items()}
        )

    @cached_property
    def _others(self) -> dict[str, Array]:
        names = self.trace.ledger.names[2:]
        return {name: self.trace.numbers(name, self._counted) for name in names}

    def __repr__(self) -> str:
        return f"<iteration {self.iteration}, {self.phase}: {self.nodes} nodes, path {self.path}>"
