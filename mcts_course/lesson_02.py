"""The exercises of lesson 02, What does perfect play know?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from random import Random
from statistics import mean
from typing import Any, Final, NamedTuple

from mcts_viz.games import ConnectFour, GameTree, TicTacToe
from mcts_viz.search import alpha_beta, minimax, solve

from .exercises import Case, Question, Task, texts_of
from .experiments import tracked
from .figures import COLOURS, Figure, new_figure
from .tables import Table

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("XO. X.. O..")

# What the films and the experiment show -------------------------------------------------------


def result_in_words(state: Any, cell: int) -> str:
    """How tic-tac-toe ends after a move, with perfect play: ``X wins``, ``draw`` or ``O wins``."""
    value = minimax(GAME, GAME.play(state, cell)).value  # for the player to move after it
    mover = GAME.to_move(state)
    return "draw" if not value else f"{'XO'[mover if value < 0 else 1 - mover]} wins"


def move_values(trace: Any) -> dict[str, int]:
    """By move at the root: the value that the walk has found in the end, for MAX."""
    end = trace.at(len(trace))
    below = [node for node in range(trace.nodes) if trace.parent[node] == 0]
    return {trace.label(node): int(end.value[node]) for node in below}


@dataclass(frozen=True)
class _Reordered(TicTacToe):
    """The same game with its moves in another order: the smallest ``order(state, cell)`` first."""

    order: Callable[[Any, int], float] = lambda state, cell: cell

    def legal_actions(self, state: Any) -> tuple[int, ...]:
        return tuple(sorted(super().legal_actions(state), key=lambda cell: self.order(state, cell)))


def _like(cells: Sequence[int]) -> Callable[[Any, int], float]:
    return lambda state, cell: cells.index(cell)


def nodes_with_order(order: Sequence[int]) -> int:
    """How many nodes alpha-beta visits from the empty board if it tries the cells in this order."""
    return alpha_beta(_Reordered(_like(tuple(order)))).nodes


class Orders(NamedTuple):
    """Nodes that alpha-beta visits from the empty board, by the order of the moves."""

    best: int
    centre_first: int
    random: tuple[int, ...]
    worst: int
    minimax: int
    values: frozenset[float]
    """The values of the game that were found; one, if the order does not matter."""

    def __repr__(self) -> str:
        low, high = min(self.random), max(self.random)
        return (
            f"best move first {self.best:,}, centre first {self.centre_first:,}, "
            f"30 random orders {low:,} to {high:,}, worst move first {self.worst:,}, "
            f"minimax {self.minimax:,} nodes"
        )

    def _repr_png_(self) -> bytes:
        return self.figure()._repr_png_()

    def figure(self) -> Figure:
        """A dot for each order, on a logarithmic scale."""
        rows = {
            "minimax": (self.minimax,),
            "worst move first": (self.worst,),
            "30 random orders": self.random,
            "centre first": (self.centre_first,),
            "best move first": (self.best,),
        }
        figure, (axes,) = new_figure(7.2, 2.6)
        for place, counts in enumerate(rows.values()):
            axes.plot(counts, [place] * len(counts), "o", color=COLOURS["move-0"], alpha=0.6)
            axes.annotate(
                f"{counts[0]:,}" if len(counts) == 1 else f"{min(counts):,} to {max(counts):,}",
                (max(counts), place),
                (8, -3),
                textcoords="offset points",
                fontsize=9,
            )
        axes.set_yticks(range(len(rows)), list(rows))
        axes.set(xscale="log", xlabel="nodes visited from the empty board", xlim=(1e3, 3e6))
        return figure


def plot_orders(seed: int = 1, orders: int = 30) -> Orders:
    """How much alpha-beta skips with the best order of moves, the worst, and random ones."""
    exact: dict[Any, Mapping[Any, float]] = {}

    def worth(state: Any, cell: int) -> float:
        if state not in exact:
            exact[state] = solve(GAME, state).action_values
        return exact[state][cell]

    rules: list[Callable[[Any, int], float]] = [
        lambda state, cell: -worth(state, cell),
        _like((4, 0, 2, 6, 8, 1, 3, 5, 7)),
        *(_like(Random(seed + each).sample(range(9), 9)) for each in range(orders)),
        worth,
    ]
    results = [alpha_beta(_Reordered(rule)) for rule in tracked(rules, "orders")]
    best, centre, *random, worst = (result.nodes for result in results)
    values = frozenset(result.value for result in results)
    return Orders(best, centre, tuple(random), worst, minimax(GAME).nodes, values)


class Work(Table):
    """Nodes by size of the board: ``work[3, 5]``."""

    def __getitem__(self, size: tuple[int, int]) -> int:
        nodes: dict[str, int] = {board: count for board, _, count in self.rows}
        return nodes[f"{size[0]} by {size[1]}"]


def work_by_size(sizes: Sequence[tuple[int, int]]) -> Work:
    """How many nodes alpha-beta visits in Connect Four on boards of these rows and columns."""
    rows = [(f"{r} by {c}", r * c, alpha_beta(ConnectFour(r, c)).nodes) for r, c in sizes]
    return Work(("board", "cells", "nodes of alpha-beta"), rows)


# A tree for the pencil -----------------------------------------------------------------------

TREE: Final = GameTree(
    {
        "a": {"c": {"i": 0.3, "j": 0.5}, "d": {"k": 0.6, "l": 0.9}},
        "b": {"e": {"m": 0.7, "n": 0.2}, "f": {"o": 0.1, "p": 0.4}},
        "g": {"q": {"s": 0.4, "t": 0.2}, "h": {"u": 0.8, "v": 0.1}},
    }
)


class _Watcher:
    """Writes down which leaves alpha-beta looks at, and the window with which it enters nodes."""

    def __init__(self, game: Any = TREE) -> None:
        self.moves: list[str] = []
        self.windows: dict[str, dict[str, float]] = {}
        alpha_beta(game, hooks=[self])

    def on_enter(self, record: Any) -> None:
        if record.node:
            self.moves.append(record.action)
            self.windows[record.action] = {"alpha": record.alpha, "beta": record.beta}


def _leaves(tree: Mapping[str, Any]) -> list[str]:
    """The moves that end the game, from left to right."""
    found = []
    for move, below in tree.items():
        found += _leaves(below) if isinstance(below, Mapping) else [move]
    return found


def _mirrored(tree: Any) -> Any:
    if not isinstance(tree, Mapping):
        return tree
    return {move: _mirrored(below) for move, below in reversed([*tree.items()])}


_SEEN: Final = _Watcher()
_LEAVES: Final = _leaves(TREE.tree)


def _unseen(seen: Sequence[str]) -> list[str]:
    return [leaf for leaf in _LEAVES if leaf not in seen]


_PRUNED: Final = _unseen(_SEEN.moves)
_BETA: Final = [leaf for leaf in _PRUNED if leaf == "l"]
_ALPHA: Final = [leaf for leaf in _PRUNED if leaf != "l"]
_BEST: Final = "".join(minimax(TREE).principal_variation[-1:])

pruned: Final = Question(
    SAID["pruned"],
    text="Which leaves does alpha-beta never look at, from left to right?",
    right=_PRUNED,
    wrong={
        "MIN's cutoff alone": _ALPHA,
        "MAX's cutoff alone": _BETA,
        "an inner node": [*_BETA, "h"],
        "one more at f": [leaf for leaf in _LEAVES if leaf in {*_PRUNED, "p"}],
        "one more at q": [leaf for leaf in _LEAVES if leaf in {*_PRUNED, "t"}],
        "right to left": _unseen(_Watcher(GameTree(_mirrored(TREE.tree))).moves),
        "all that do not matter": [leaf for leaf in _LEAVES if leaf != _BEST],
    },
)

_ASKED: Final = "f"
_WINDOW: Final = _SEEN.windows[_ASKED]

window: Final = Question(
    SAID["window"],
    text=f"With which alpha and beta does the walk enter {_ASKED}?",
    right=_WINDOW,
    wrong={
        "swapped": {"alpha": _WINDOW["beta"], "beta": _WINDOW["alpha"]},
        "before e": _SEEN.windows["b"],
        "at the start": {"alpha": -inf, "beta": inf},
        "no alpha": {"alpha": -inf, "beta": _WINDOW["beta"]},
        "the leaves below e": {"alpha": 0.2, "beta": 0.7},
        "beta from f": {"alpha": _WINDOW["alpha"], "beta": 0.4},
    },
)


# Write it yourself ---------------------------------------------------------------------------


def _value_for_max(game: Any, state: Any) -> float:
    if game.is_terminal(state):
        return float(game.returns(state)[0])
    children = [game.play(state, action) for action in game.legal_actions(state)]
    values = [_value_for_max(game, child) for child in children]
    return max(values) if game.to_move(state) == 0 else min(values)


class _Side(NamedTuple):
    """What somebody takes of the values below a node, MAX and MIN, and what of a leaf."""

    maximum: Callable[[list[float]], float] = max
    minimum: Callable[[list[float]], float] = min
    player: int = 0


def _walk(game: Any, state: Any, side: _Side) -> float:
    if game.is_terminal(state):
        return float(game.returns(state)[side.player])
    below = [_walk(game, game.play(state, move), side) for move in game.legal_actions(state)]
    return (side.minimum if game.to_move(state) else side.maximum)(below)


def _taking(*arguments: Any) -> Callable[[Any, Any], float]:
    side = _Side(*arguments)
    return lambda game, state: _walk(game, state, side)


def _by_turns(game: Any, state: Any, maximizing: bool = True) -> float:
    """MAX at the top, whoever is to move there."""
    if game.is_terminal(state):
        return float(game.returns(state)[0])
    children = [game.play(state, move) for move in game.legal_actions(state)]
    below = [_by_turns(game, child, not maximizing) for child in children]
    return max(below) if maximizing else min(below)


def _of_mover(game: Any, state: Any) -> float:
    value = _value_for_max(game, state)
    return -value if not game.is_terminal(state) and game.to_move(state) else value


def _negamax(game: Any, state: Any) -> float:
    if game.is_terminal(state):
        return float(game.returns(state)[game.to_move(state)])
    return max(-_negamax(game, game.play(state, move)) for move in game.legal_actions(state))


def _starting_at_zero(game: Any, state: Any) -> float:
    if game.is_terminal(state):
        return float(game.returns(state)[0])
    below = [_starting_at_zero(game, game.play(state, m)) for m in game.legal_actions(state)]
    return min(0.0, *below) if game.to_move(state) else max(0.0, *below)


def _whole_returns(game: Any, state: Any) -> Any:
    if game.is_terminal(state):
        return game.returns(state)
    below = [_whole_returns(game, game.play(state, m)) for m in game.legal_actions(state)]
    return min(below) if game.to_move(state) else max(below)


_TREE_ROOT: Final = TREE.initial_state()

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
        Case("where the game is over and X has won", (GAME, GAME.parse("XXX OO. ..."))),
    ),
    wrong={
        "MAX everywhere": _taking(max, max),
        "swapped": _taking(min, max),
        "the mean": _taking(mean, mean),
        "MIN at random": _taking(max, mean),
        "the first move": _taking(lambda below: below[0], lambda below: below[0]),
        "by turns": _by_turns,
        "the mover's value": _of_mover,
        "negamax": _negamax,
        "best starts at 0": _starting_at_zero,
        "whole returns": _whole_returns,
        "MIN's leaves": _taking(max, min, 1),
    },
)
