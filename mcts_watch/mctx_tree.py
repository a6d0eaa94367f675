"""The film of a search by mctx, rebuilt from the tree that it leaves.

mctx is compiled, so no look can be taken inside. But each simulation adds the next node, so the
final tree says in which order paths were walked; with the value of each new node, its reward and
its discount all means on the way follow. mctx goes on below the end of a game, where the discount
is 0 and nothing counts; here such a simulation is one more visit of the end. mctx itself is never
imported: a tree is read by the names of its arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, Final

import numpy as np

from mcts_viz.errors import TraceError, require

ARRAYS: Final = (
    "node_visits",
    "raw_values",
    "parents",
    "action_from_parent",
    "children_prior_logits",
    "children_rewards",
    "children_discounts",
)
"""The arrays that are read of an mctx tree; the first two axes are batch and node."""


class MctxNode:
    """A node as it was: ``q`` is the mean of reward plus discounted value, for who chose it."""

    __slots__ = ("children", "prior", "q", "state", "value", "visits")

    def __init__(self, value: float, prior: float = 1.0, state: object = None) -> None:
        self.children: dict[int, MctxNode] = {}
        self.prior, self.state = prior, state
        self.value = self.q = value
        self.visits = 0


class MctxTree:
    """One tree of a batch, which grows again simulation by simulation."""

    def __init__(self, output: object, batch: int, state: object) -> None:
        tree: Any = getattr(output, "search_tree", output)
        kind = "what an mctx policy returns, or its search_tree"
        require(all(hasattr(tree, name) for name in ARRAYS), "A tree", kind, output, TraceError)
        batches = len(np.asarray(tree.parents))
        is_known = isinstance(batch, int) and 0 <= batch < batches
        require(is_known, "batch", f"a whole number from 0 to {batches - 1}", batch, TraceError)
        self._tree = SimpleNamespace(
            **{name: np.asarray(getattr(tree, name))[batch] for name in ARRAYS}
        )
        logits = self._tree.children_prior_logits.astype(float)
        weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
        self._priors = weights / weights.sum(axis=-1, keepdims=True)
        self.root = MctxNode(float(self._tree.raw_values[0]), state=state)
        self.root.visits = 1
        self._nodes = {0: self.root}
        self._ends: dict[int, int] = {}
        """By node below an end of the game: that end."""

    def grow(self) -> Iterator[None]:
        """Walk one simulation after another, and stop for a look after each."""
        for node in range(1, len(self._tree.parents)):
            above, action = self._way(node)
            if above not in self._nodes and above not in self._ends:
                continue
            # Nothing counts below a node whose discount is 0.
            is_end = above > 0 and not self._tree.children_discounts[self._way(above)]
            if end := self._ends.get(above, above * is_end):
                self._ends[node] = end
                self._nodes[end].visits += 1
            else:
                new = MctxNode(float(self._tree.raw_values[node]), self._priors[above, action])
                self._nodes[node] = self._nodes[above].children[action] = new
                new.visits = 1
            self._back_up(end or node)
            yield

    def _way(self, node: int) -> tuple[int, int]:
        """A node's parent, and the action that led to it."""
        return int(self._tree.parents[node]), int(self._tree.action_from_parent[node])

    def _back_up(self, node: int) -> None:
        """Climb from the last node: each above gets the value of what follows, and its reward."""
        value = self._nodes[node].value
        while node:
            way = self._way(node)
            reward = float(self._tree.children_rewards[way])
            discount = float(self._tree.children_discounts[way])
            self._nodes[node].q = reward + discount * self._nodes[node].value
            value, node = reward + discount * value, way[0]
            parent = self._nodes[node]
            parent.value = (parent.value * parent.visits + value) / (parent.visits + 1)
            parent.visits += 1
        self.root.q = self.root.value

    def missing(self) -> str:
        """A sentence on the number of visits that the film lacks; empty if it has all."""
        visits = int(self._tree.node_visits[0])
        if not (lacks := visits - self.root.visits):
            return ""
        return (
            f"{lacks} of {visits - 1} simulations added no node, such as those that "
            "reach the greatest depth: the tree does not say which way they went, so the film "
            "lacks them."
        )
