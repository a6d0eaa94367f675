"""Four faults from life: each was found in a public program, and is planted here in a correct
search.

Each is a subclass of :class:`mcts_viz.MCTS` in which one phase is wrong. All four grow a tree and
play moves; the tree shows what is wrong.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise
from math import log, sqrt
from typing import Final, NamedTuple

from mcts_viz.errors import require_one_of
from mcts_viz.games import Playout, TicTacToe
from mcts_viz.search import MCTS, Node
from mcts_watch import Watch

from .clinic import watched

GAME: Final = TicTacToe()


class Selecting(MCTS):
    """A correct search whose selection is written out, so that a fault can be planted in it."""

    def candidates(self, node: Node) -> Sequence[Node]:
        """The children among which selection chooses."""
        return node.children

    def score_of(self, child: Node, parent: Node) -> float:
        """UCB1."""
        return child.mean + self.c * sqrt(log(parent.visits) / child.visits)

    def select(self, path: list[Node] | None = None) -> list[Node]:
        path = path or [self.root]
        while path[-1].children and not path[-1].untried:
            above = path[-1]
            children = self.candidates(above)
            if not children:
                break
            path.append(max(children, key=lambda child: self.score_of(child, above)))
        return path


class RootsVisits(Selecting):
    """The logarithm holds the root's visits at every depth, so deep nodes explore too much."""

    def score_of(self, child: Node, parent: Node) -> float:
        return super().score_of(child, self.root)


class StoredScores(Selecting):
    """A score is kept when its node is visited; a sibling's stays as it was, and grows old."""

    def start(self, state: Hashable = None) -> Node:
        self.stored: dict[int, float] = {}
        return super().start(state)

    def score_of(self, child: Node, parent: Node) -> float:
        return self.stored[child.id]

    def backpropagate(self, path: list[Node], playout: Playout) -> None:
        super().backpropagate(path, playout)
        for parent, child in pairwise(path):
            self.stored[child.id] = super().score_of(child, parent)


class OnlyTheLeaf(MCTS):
    """The last node gets its visit and the root too; what lies between gets none."""

    def backpropagate(self, path: list[Node], playout: Playout) -> None:
        super().backpropagate(path[:1] + path[1:][-1:], playout)


class FinishedSkipped(Selecting):
    """A finished game is never selected again, so a move that loses at once keeps its value."""

    def candidates(self, node: Node) -> Sequence[Node]:
        return [child for child in node.children if not self.game.is_terminal(child.state)]


class FromLife(NamedTuple):
    """A fault of a public program."""

    search: type[MCTS]
    seen_in: str
    """Where it was found."""
    finding: str
    """The name by which ``Watch`` finds it."""
    position: str = "XO. ... ..."

    def watched(self, seed: int, iterations: int = 600) -> Watch:
        """Watch the search with this fault."""
        search = self.search(GAME, 1.4, seed=seed)
        return watched(search, GAME.parse(self.position), iterations)


FROM_LIFE: Final = {
    "root's visits": FromLife(RootsVisits, "a planning program", "root-in-logarithm"),
    "stored scores": FromLife(StoredScores, "a program for Connect Four", "stored-score"),
    "only the leaf": FromLife(OnlyTheLeaf, "an engine for a card game", "left-out"),
    "finished skipped": FromLife(
        FinishedSkipped, "a program for tic-tac-toe", "explored-out", "XO. X.. ..."
    ),
}
"""By name; ``from_life(name)`` finds one."""


def from_life(name: str) -> FromLife:
    """The fault of that name; raises ``SearchError`` with the names if there is none."""
    require_one_of("A fault from life", name, FROM_LIFE)
    return FROM_LIFE[name]
