"""Experiments and exercises of the lesson *What does perfect play know?*"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from random import Random
from typing import Any, Final

from mcts_viz.errors import require
from mcts_viz.games import ConnectFour, Game, GameTree, Playout, TicTacToe
from mcts_viz.search import MCTS, Node, alpha_beta, minimax, solve
from mcts_viz.trace import record_minimax

from ..learning.positions import position_graph
from ..measure.experiments import Counts, count_table, moves_played
from ..show.boards import tree_nodes
from ..show.tables import Table
from ..typed import typed_door
from ..work.exercises import Case, Question, Task, texts_of
from ..work.picks import Picks, leaves_to_pick
from ..work.picks import positions_to_merge as positions_to_merge

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("XO. X.. O..")

# One position, two cards --------------------------------------------------------------------


def sizes(game: Game[Any, Any]) -> dict[str, int]:
    """Return the numbers of nodes and games in the whole tree, and of positions."""
    data = [node for _, node in position_graph(game).nodes(data=True)]
    return {
        "nodes": sum(node["ways"] for node in data),
        "games": sum(node["ways"] for node in data if node["to_move"] is None),
        "positions": len(data),
    }


class Shared(MCTS):
    """A search in which all nodes of one position have the same wins and the same visits."""

    means_only = False
    """True if they share the mean alone, and each node counts its own visits."""

    def backpropagate(self, path: list[Node], playout: Playout) -> None:
        super().backpropagate(path, playout)
        if self.iterations == 1:
            self.twins: dict[Any, list[Node]] = defaultdict(list)
            self.totals: dict[Any, list[float]] = defaultdict(lambda: [0.0, 0])
        for node in self.nodes[sum(map(len, self.twins.values())) :]:
            self.twins[node.state].append(node)
        for node in path:
            total = self.totals[node.state]
            total[0] += self.rewards(playout.returns)[node.player_just_moved]
            total[1] += 1
            for twin in self.twins[node.state]:
                self.share(twin, *total)

    def share(self, twin: Node, wins: float, visits: float) -> None:
        """Give a node what all nodes of its position have together."""
        twin.mean = wins / visits
        if not self.means_only:
            twin.wins = wins
            twin.visits = int(visits)
            twin.inv_sqrt_visits = visits**-0.5


class MeansShared(Shared):
    """The same search with a shared mean, and visits for each node."""

    means_only = True


SHARING: Final = {
    "the plain search": MCTS,
    "the search that shares everything": Shared,
    "the search that shares means": MeansShared,
}


@typed_door
def who_finds_it(state: Any, iterations: int, seeds: int = 200) -> Counts:
    """Count the searches that play the best move: plain ones, and two that share numbers."""
    best = solve(GAME, state).best_actions
    counts = {}
    for name, kind in SHARING.items():
        searches = (kind(GAME, seed=seed) for seed in range(seeds))
        played = moves_played(searches, state, iterations)
        counts[name] = sum(move in best for move in played)
    plain, everything = list(SHARING)[:2]
    better = max(plain, everything, key=lambda name: counts[name])
    return count_table("search", "right", counts, seeds, better=better)


# Experiments -------------------------------------------------------


@typed_door
def result_in_words(state: Any, cell: int) -> str:
    """Say how tic-tac-toe ends after a move in perfect play: ``X wins``, ``draw`` or ``O wins``."""
    value = minimax(GAME, GAME.play(state, cell)).value  # for the player to move after it
    to_move = GAME.to_move(state)
    return "draw" if not value else f"{'XO'[to_move if value < 0 else 1 - to_move]} wins"


def where_d_is_skipped() -> str:
    """The values of ``c`` after which alpha-beta does not look at ``d``, in the pencil's tree."""
    found = []
    for value in (-1, 0, 1):
        tree = GameTree({"a": 0, "b": {"c": value, "d": 1}})
        if alpha_beta(tree).nodes < minimax(tree).nodes:
            found.append(f"{value}".replace("-", "−"))
    return " and ".join(found)


@dataclass(frozen=True)
class _Reordered(TicTacToe):
    """The same game with its moves in another order: the smallest ``order(state, cell)`` first."""

    order: Callable[[Any, int], float] = lambda state, cell: cell

    def legal_actions(self, state: Any) -> tuple[int, ...]:
        return tuple(sorted(super().legal_actions(state), key=lambda cell: self.order(state, cell)))


def _like(cells: Sequence[int]) -> Callable[[Any, int], float]:
    return lambda state, cell: cells.index(cell)


@typed_door
def compare_orders(seed: int = 1, orders: int = 30) -> Table:
    """Count what alpha-beta visits with the best order of moves, the worst, and random ones.

    ``orders[name]`` is a list of numbers of nodes, and ``values`` are those of the game that were
    found, one if the order does not matter.
    """
    exact = cache(lambda state: solve(GAME, state).action_values)
    random = [Random(seed + each).sample(range(9), 9) for each in range(orders)]
    rules: dict[str, list[Callable[[Any, int], float]]] = {
        "worst move first": [lambda state, cell: exact(state)[cell]],
        f"{orders} random orders": [_like(cells) for cells in random],
        "cells 0 to 8": [_like(range(9))],
        "centre first": [_like((4, 0, 2, 6, 8, 1, 3, 5, 7))],
        "best move first": [lambda state, cell: -exact(state)[cell]],
    }
    results = {
        name: [alpha_beta(_Reordered(rule)) for rule in some] for name, some in rules.items()
    }
    values = {result.value for result in chain.from_iterable(results.values())}
    nodes = {"minimax": [minimax(GAME).nodes]}
    nodes |= {name: [result.nodes for result in some] for name, some in results.items()}
    rows = [
        (name, " to ".join(f"{count:,}" for count in sorted({min(counts), max(counts)})))
        for name, counts in nodes.items()
    ]
    return Table(("order", "nodes"), rows, nodes, values=values)


@typed_door
def work_by_size(sizes: Sequence[tuple[int, int]]) -> Table:
    """Count the nodes that alpha-beta visits in Connect Four on boards of these sizes."""
    for size in sizes:
        right = isinstance(size, tuple) and len(size) == 2
        require(right, "Each of the sizes", "rows and columns, such as (3, 4)", size)
    nodes = {size: alpha_beta(ConnectFour(*size)).nodes for size in sizes}
    rows = [(f"{r} by {c}", r * c, count) for (r, c), count in nodes.items()]
    return Table(("board", "cells", "nodes of alpha-beta"), rows, by=nodes)


# A tree for the pencil -----------------------------------------------------------------------

TREE: Final = GameTree(
    {
        "a": {"c": {"i": 0.3, "j": 0.5}, "d": {"k": 0.6, "l": 0.9}},
        "b": {"e": {"m": 0.7, "n": 0.2}, "f": {"o": 0.1, "p": 0.4}},
        "g": {"q": {"s": 0.4, "t": 0.2}, "h": {"u": 0.8, "v": 0.1}},
    }
)


def _leaves(tree: Mapping[str, Any]) -> list[str]:
    """The moves that end the game, from left to right."""
    found = []
    for move, below in tree.items():
        found += _leaves(below) if isinstance(below, Mapping) else [move]
    return found


def _inner(tree: Mapping[str, Any]) -> list[str]:
    """The moves after which the game goes on."""
    below = {move: more for move, more in tree.items() if isinstance(more, Mapping)}
    return [*below, *(move for more in below.values() for move in _inner(more))]


_LEAVES: Final = _leaves(TREE.tree)


def leaves_to_skip() -> Picks:
    """Return the tree of the first exercise, with leaves to click."""
    nodes = tree_nodes(TREE, {})
    return leaves_to_pick(nodes, [node.text.split("\n")[0] for node in nodes])


def _unseen(game: Game[Any, Any]) -> list[str]:
    """The leaves that alpha-beta skips."""
    walk = record_minimax(alpha_beta, game)
    seen = {walk.label(node) for node in range(walk.nodes)}
    return [leaf for leaf in _LEAVES if leaf not in seen]


_PRUNED: Final = _unseen(TREE)
_BETA: Final = [leaf for leaf in _PRUNED if leaf == "l"]
_ALPHA: Final = [leaf for leaf in _PRUNED if leaf != "l"]
_BEST: Final = "".join(minimax(TREE).principal_variation[-1:])

pruned: Final = Question(
    SAID["pruned"],
    right=_PRUNED,
    wrong={
        "MIN's cutoff alone": _ALPHA,
        "MAX's cutoff alone": _BETA,
        "an inner node": [*_BETA, "h"],
        "all that do not matter": [leaf for leaf in _LEAVES if leaf != _BEST],
    },
    in_order=False,
    telling={"an inner node": _inner(TREE.tree)},
)


# Write it yourself ---------------------------------------------------------------------------


def _value_for_max(game: Game[Any, Any], state: Hashable) -> float:
    if game.is_terminal(state):
        return float(game.returns(state)[0])
    children = [game.play(state, action) for action in game.legal_actions(state)]
    values = [_value_for_max(game, child) for child in children]
    return max(values) if game.to_move(state) == 0 else min(values)


class _Twice(GameTree):
    """MAX makes the first two moves, and MIN the third."""

    def to_move(self, state: tuple[str, ...]) -> int:
        return int(len(state) == 2)


def _in_turns(game: Game[Any, Any], state: Hashable, mover: int | None = None) -> float:
    if game.is_terminal(state):
        return float(game.returns(state)[0])
    mover = game.to_move(state) if mover is None else mover
    children = [game.play(state, action) for action in game.legal_actions(state)]
    values = [_in_turns(game, child, 1 - mover) for child in children]
    return min(values) if mover else max(values)


def _of_to_move(game: Game[Any, Any], state: Hashable) -> float:
    value = _value_for_max(game, state)
    return -value if not game.is_terminal(state) and game.to_move(state) else value


_TREE_ROOT: Final = TREE.initial_state()

_TWICE: Final = {"a": {"c": {"g": 1, "h": 0.75}, "d": 0.25}, "b": {"e": -1, "f": {"i": 0, "j": -1}}}
_CHOICE: Final = "max(values) if game.to_move(state) == 0 else min(values)"

write_minimax: Final = Task(
    SAID["write_minimax"],
    solution=_value_for_max,
    cases=(
        Case("in a tree of five nodes", (GameTree({"a": 0, "b": {"c": -1, "d": 1}}), ())),
        Case("in the tree of exercise 1", (TREE, _TREE_ROOT)),
        Case("in that tree after a, with MIN to move", (TREE, ("a",))),
        Case("in tic-tac-toe at XOX X.O O.., with X to move", (GAME, GAME.parse("XOX X.O O.."))),
        Case("in tic-tac-toe at XO. X.X O.., with O to move", (GAME, GAME.parse("XO. X.X O.."))),
        Case("in a tree where MAX can only lose", (GameTree({"a": -1, "b": {"c": -1}}), ())),
        Case("in a tree where MIN can only lose", (GameTree({"a": {"b": 1, "c": 1}}), ("a",))),
        Case("in a tree where MAX makes the first two moves", (_Twice(_TWICE), ())),
        Case("where the game is over and X has won", (GAME, GAME.parse("XXX OO. ..."))),
    ),
    wrong={
        "MAX everywhere": {"min(values)": "max(values)"},
        "swapped": {"max(values)": "min(values)", "else min": "else max"},
        "the mean": {_CHOICE: "sum(values) / len(values)"},
        "the player to move's value": _of_to_move,
        "by depth": _in_turns,
        "negamax": {
            "(state)[0]": "(state)[game.to_move(state)]",
            "[value_for_max(game, child)": "[-value_for_max(game, child)",
            "min(values)": "max(values)",
        },
        "best starts at 0": {"max(values)": "max(0, *values)", "min(values)": "min(0, *values)"},
        "whole returns": {"float(game.returns(state)[0])": "game.returns(state)"},
        "MIN's leaves": {"(state)[0]": "(state)[1]"},
        "MIN everywhere": {"max(values)": "min(values)"},
        "the first move": {_CHOICE: "values[0]"},
        "the last move": {_CHOICE: "values[-1]"},
        "the sum": {_CHOICE: "sum(values)"},
    },
)
