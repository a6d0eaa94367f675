"""The exercises of lesson 01, What is a game tree?"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from random import Random
from statistics import mean
from typing import Any, Final

from mcts_viz.games import ConnectFour, Nim, TicTacToe

from ..contested import one_name
from ..exercises import Case, Question, Task, texts_of
from ..experiments import tracked
from ..figures import COLOURS, Figure, new_figure
from ..positions import position_graph
from ..tables import Table

SAID: Final = texts_of(__name__)
GAME: Final = Nim((1, 2))
FOUR_BY_FIVE: Final = ConnectFour(4, 5)
CONNECT_FOUR: Final = ConnectFour()


def _sizes(game: Any) -> dict[str, int]:
    """Nodes and games of the whole tree, and positions."""
    data = [node for _, node in position_graph(game).nodes(data=True)]
    return {
        "nodes": sum(node["ways"] for node in data),
        "games": sum(node["ways"] for node in data if node["to_move"] is None),
        "positions": len(data),
    }


# How large is the tree? ----------------------------------------------------------------------


def sizes_by_move(game: TicTacToe) -> Table:
    """Nodes, positions, and positions that differ up to symmetry, after 0 to 9 moves."""
    graph = position_graph(game)
    different = position_graph(game, same=one_name)
    rows: list[tuple[Any, ...]] = []
    for moves in range(10):
        row, names = (
            [state for state in states if game.text(state).count(".") == 9 - moves]
            for states in (graph, different)
        )
        rows.append((moves, sum(graph.nodes[state]["ways"] for state in row), len(row), len(names)))
    totals = [sum(column) for column in list(zip(*rows, strict=True))[1:]]
    facts: dict[str, Any] = {**_sizes(game), "different": len(different)}
    heads = ("moves", "nodes", "positions", "really different")
    return Table(heads, [*rows, ("all", *totals)], **facts)


class Estimates(Table):
    """``found``: by number of random games, the estimates from so many, one a seed."""

    def within(self, count: int, share: float) -> int:
        """How many of the estimates from ``count`` games miss the truth by at most that share."""
        return sum(abs(one / self.truth - 1) <= share for one in self.found[count])

    def spread(self, count: int) -> float:
        """The largest estimate from ``count`` games, divided by the smallest."""
        return float(max(self.found[count]) / min(self.found[count]))

    def picture(self) -> Figure:
        """Each estimate as a dot, and the truth as a line where it is known."""
        figure, (axes,) = new_figure(7.2, 0.9 + 0.5 * len(self.found))
        for row, found in enumerate(self.found.values()):
            axes.plot(found, [row] * len(found), "o", color=COLOURS["move-0"], alpha=0.5)
        if self.truth is not None:
            axes.axvline(self.truth, color=COLOURS["ink"], linewidth=1)
            axes.set_title(f"line: the true number, {self.truth:,}", fontsize=9)
        axes.set_yticks(range(len(self.found)), [f"{count:,} games" for count in self.found])
        axes.set(
            xscale="log", xlabel="estimated number of games", ylim=(-0.6, len(self.found) - 0.4)
        )
        return figure


def plot_estimates(
    game: Any,
    counts: Sequence[int],
    truth: float | None = None,
    seed: int = 0,
    seeds: int = 20,
) -> Estimates:
    """Estimate how many games ``game`` has, from ``counts`` random games, with 20 seeds each.

    Source: Knuth (1975), "Estimating the efficiency of backtrack programs".
    """
    found: dict[int, list[float]] = {count: [] for count in counts}
    for each in tracked(range(seeds), "seeds"):
        random = Random(seed + each)
        for count in counts:
            found[count].append(mean(_product_of_branching(game, random) for _ in range(count)))
    rows = [(n, *(f"{of(some):.3g}" for of in (min, max, mean))) for n, some in found.items()]
    heads = ("games each", "lowest", "highest", "mean")
    return Estimates(heads, rows, found=found, truth=truth)


def _product_of_branching(game: Any, random: Random) -> float:
    """The branching factors on the way of one random game, multiplied."""
    state, factors = game.initial_state(), []
    while not game.is_terminal(state):
        actions = game.legal_actions(state)
        factors.append(len(actions))
        state = game.play(state, random.choice(actions))
    return float(prod(factors))


# Count by hand -------------------------------------------------------------------------------

_RIGHT: Final = _sizes(GAME)
_HEAPS: Final = len({state[1:] for state in position_graph(GAME)})

count_by_hand: Final = Question(
    SAID["count_by_hand"],
    text="Nim with heaps of 1 and 2: how many nodes, games and positions?",
    right=_RIGHT,
    wrong={
        "no start": {**_RIGHT, "nodes": _RIGHT["nodes"] - 1, "positions": _RIGHT["positions"] - 1},
        "first moves only": {**_RIGHT, "games": len(GAME.legal_actions(GAME.initial_state()))},
        "heaps only": {**_RIGHT, "positions": _HEAPS},
        "one end": {**_RIGHT, "positions": _RIGHT["positions"] - 1},
        "every node": {**_RIGHT, "positions": _RIGHT["nodes"]},
        "no leaves": {**_RIGHT, "nodes": _RIGHT["nodes"] - _RIGHT["games"]},
    },
)


# Write it yourself ---------------------------------------------------------------------------


def _count_positions(game: Any, state: Any) -> int:
    met, waiting = {state}, [state]
    while waiting:
        position = waiting.pop()
        if not game.is_terminal(position):
            new = {game.play(position, action) for action in game.legal_actions(position)} - met
            met |= new
            waiting += new
    return len(met)


_ALL_NODES: Final = {
    "{state}": "[state]",
    "{game.play(position, action) for action in game.legal_actions(position)} - met": (
        "[game.play(position, action) for action in game.legal_actions(position)]"
    ),
    "met |= new": "met += new",
}
"""The same without asking what was met before."""
_TEST: Final = TicTacToe()

write_count_positions: Final = Task(
    SAID["write_count_positions"],
    solution=_count_positions,
    cases=(
        Case("from the start of Nim (1, 2)", (GAME, GAME.initial_state())),
        Case("from the start of Nim (2, 2)", (Nim((2, 2)), Nim((2, 2)).initial_state())),
        Case("from XOX .O. .X. in tic-tac-toe", (_TEST, _TEST.parse("XOX .O. .X."))),
        Case("where the game is over", (_TEST, _TEST.parse("XXX OO. ..."))),
    ),
    wrong={
        "nodes": _ALL_NODES,
        "games": {**_ALL_NODES, "len(met)": "sum(map(game.is_terminal, met))"},
        "no start": {"len(met)": "len(met) - 1"},
        "no ends": {"len(met)": "sum(not game.is_terminal(position) for position in met)"},
        "only ends": {"len(met)": "sum(map(game.is_terminal, met))"},
        "one move ahead": {"while waiting": "if waiting"},
    },
)


# Positions that are the same -----------------------------------------------------------------


def _in_order(position: Any) -> tuple[Any, ...]:
    player, *heaps = position
    return (player, *sorted(heaps))


in_order: Final = Task(
    SAID["in_order"],
    solution=_in_order,
    observe=lambda arguments, result: ("a list", *result) if isinstance(result, list) else result,
    cases=(
        Case("for (0, 3, 1)", ((0, 3, 1),)),
        Case("for (1, 1, 3)", ((1, 1, 3),)),
        Case("for (1, 0, 0)", ((1, 0, 0),)),
        Case("for (0, 2, 5, 2)", ((0, 2, 5, 2),)),
    ),
    wrong={
        "a list": {"(player, *sorted(heaps))": "[player, *sorted(heaps)]"},
        "player sorted in": {"(player, *sorted(heaps))": "tuple(sorted(position))"},
        "no player": {"(player, *sorted(heaps))": "tuple(sorted(heaps))"},
        "a set of heaps": {"sorted(heaps)": "sorted(set(heaps))"},
        "no empty heaps": {"sorted(heaps)": "sorted(filter(None, heaps))"},
        "largest first": {"sorted(heaps)": "sorted(heaps, reverse=True)"},
        "nothing changed": {"*sorted(heaps)": "*heaps"},
    },
)
