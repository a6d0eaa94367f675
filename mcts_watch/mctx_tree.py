"""The film of a search by mctx, rebuilt from the tree that it leaves.

mctx is compiled, so no look can be taken inside. But each simulation adds the next node, so the
final tree says in which order paths were walked; with the value of each new node, its reward and
its discount all means on the way follow. mctx goes on below the end of a game, where the discount
is 0 and nothing counts; here such a simulation is one more visit of the end. mctx itself is never
imported: a tree is read by the names of its arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

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
        arrays = {name: np.asarray(getattr(tree, name))[batch] for name in ARRAYS}
        self._parents: NDArray[Any] = arrays["parents"]
        self._actions: NDArray[Any] = arrays["action_from_parent"]
        self._raw: NDArray[Any] = arrays["raw_values"].astype(float)
        self._rewards: NDArray[Any] = arrays["children_rewards"].astype(float)
        self._discounts: NDArray[Any] = arrays["children_discounts"].astype(float)
        logits = arrays["children_prior_logits"].astype(float)
        weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
        self._priors: NDArray[Any] = weights / weights.sum(axis=-1, keepdims=True)
        self._visits: NDArray[Any] = arrays["node_visits"]
        self.root = MctxNode(float(self._raw[0]), state=state)
        self.root.visits = 1
        self._nodes = {0: self.root}
        self._ends: dict[int, int] = {}
        """By node below an end of the game: that end."""

    def grow(self) -> Iterator[None]:
        """Walk one simulation after another, and stop for a look after each."""
        for node in range(1, len(self._parents)):
            above = int(self._parents[node])
            if above not in self._nodes and above not in self._ends:
                continue
            if end := self._ends.get(above, above if self._is_end(above) else 0):
                self._ends[node] = end
                self._nodes[end].visits += 1
                self._back_up(end)
            else:
                self._add(node, above)
                self._back_up(node)
            yield

    def _is_end(self, node: int) -> bool:
        """True if nothing below a node counts."""
        above, action = int(self._parents[node]), int(self._actions[node])
        return node > 0 and not self._discounts[above, action]

    def _add(self, node: int, above: int) -> None:
        """A new node, with one visit."""
        action = int(self._actions[node])
        new = MctxNode(float(self._raw[node]), float(self._priors[above, action]))
        self._nodes[node] = self._nodes[above].children[action] = new
        new.visits = 1

    def _back_up(self, node: int) -> None:
        """Climb from the last node: each above gets the value of what follows, and its reward."""
        value = self._nodes[node].value
        while node:
            above, action = int(self._parents[node]), int(self._actions[node])
            reward, discount = self._rewards[above, action], self._discounts[above, action]
            self._nodes[node].q = float(reward + discount * self._nodes[node].value)
            value = float(reward + discount * value)
            parent = self._nodes[above]
            parent.value = (parent.value * parent.visits + value) / (parent.visits + 1)
            parent.visits += 1
            node = above
        self.root.q = self.root.value

    def missing(self) -> str:
        """A sentence on the number of visits that the film lacks; empty if it has all."""
        lacks = int(self._visits[0]) - self.root.visits
        if not lacks:
            return ""
        return (
            f"{lacks} of {int(self._visits[0]) - 1} simulations added no node, such as those that "
            "reach the greatest depth: the tree does not say which way they went, so the film "
            "lacks them."
        )
