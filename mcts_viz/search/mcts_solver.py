"""MCTS-Solver: a search that also proves wins and losses, and wastes no visit on what is proven.

Source: Winands, Björnsson, Saito (2008), "Monte-Carlo tree search solver". Rewards stay the usual
ones here: a proven position is left alone, where the paper gives it an infinite value.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ..errors import SearchError, require
from ..games import Playout
from .mcts import MCTS, Node


class MCTSSolver(MCTS):
    """A search that proves who wins, where the tree suffices to know it.

    It takes what :class:`MCTS` takes, for a game of two players where one wins what the other
    loses. A position is won for the player to move there if one move leads to a proven win, and
    lost if every move leads to a proven loss; a draw proves nothing. Selection passes over proven
    children, the final move is a proven win if there is one, and a proven loss only if all are,
    and a run ends as soon as the root is proven (``solved``). In games where both may win, a proven
    loss is one only if the opponent prefers that the other loses.
    """

    solver = True
    winners: dict[Node, int]
    """By node that is proven: the player who wins from there against any play."""
    proven_at: dict[Node, int]
    """By node that is proven: the iteration that proved it, 0 if it was proven before."""
    _refuted: dict[Node, int]
    """For each node: how many of its moves are proven losses of the player to move there."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._forget_proofs()

    def proof(self, node: Node) -> int:
        """1 if ``node`` is a proven win of the player who moved there, -1 if a loss, else 0."""
        require(isinstance(node, Node), "node", "a node, such as search.root.children[0]", node)
        if node not in self.winners:
            return 0
        return 1 if self.winners[node] == node.player_just_moved else -1

    def _check(self) -> None:
        super()._check()
        if self.pays or self._is_lucky:
            raise SearchError(
                "MCTSSolver proves who wins, which needs a game without luck and rewards on the "
                f"way; {self.game.name} has them: take MCTS(game)."
            )

    # The tree --------------------------------------------------------------------------------

    def start(self, state: Hashable = None) -> Node:
        self._forget_proofs()
        return super().start(state)

    def _forget_proofs(self) -> None:
        self.winners = {}
        self.proven_at = {}
        self._refuted = {}
        self.solved = False

    def count_anew(self) -> None:
        """Start to count again: what is proven of the nodes that are left was proven before."""
        super().count_anew()
        left = set(self.nodes)
        self.winners = {node: won for node, won in self.winners.items() if node in left}
        self._refuted = {node: lost for node, lost in self._refuted.items() if node in left}
        self.proven_at = dict.fromkeys(self.winners, 0)
        self.solved = self.root in self.winners

    def _leave_behind(self, child: Node) -> Node:
        before = super()._leave_behind(child)
        if child in self.winners:
            self.winners[before] = self.winners[child]
        return before

    # What differs in the phases --------------------------------------------------------------

    def best_child(self, parent: Node, children: Sequence[Node], c: float) -> Node:
        """Select as usual, but among the children that are not proven, while there are some."""
        if parent in self._refuted:
            children = [child for child in children if child not in self.winners] or children
        return super().best_child(parent, children, c)

    def backpropagate(self, path: list[Node], playout: Playout) -> None:
        """Evaluate as usual; if the game is over at the end of the path, see what that proves."""
        super().backpropagate(path, playout)
        if not playout.actions and self.game.is_terminal(path[-1].state):
            self._prove(path)

    def _prove(self, path: list[Node]) -> None:
        """Carry the result of a game that is over up the path, as far as it decides."""
        returns = self.game.returns(path[-1].state)
        winner = returns.index(1) if sorted(returns) == [-1, 1] else None
        if winner is None or path[-1] in self.winners:
            return
        self.winners[path[-1]], self.proven_at[path[-1]] = winner, self.iterations
        for node, parent in zip(path[::-1], path[-2::-1], strict=False):
            if node.player_just_moved != winner:  # its chooser loses, if every move is as bad
                self._refuted[parent] = self._refuted.get(parent, 0) + 1
                if self._refuted[parent] < len(self.game.legal_actions(parent.state)):
                    return
            if parent in self.winners:
                return
            self.winners[parent], self.proven_at[parent] = winner, self.iterations
        self.solved = True

    def recommend(self, children: Sequence[Node]) -> Node:
        """By the rule it was given, among proven wins, else among all but proven losses."""
        best = max(map(self.proof, children))
        return super().recommend([child for child in children if self.proof(child) == best])
