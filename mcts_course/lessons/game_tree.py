"""Experiments and exercises of the lesson *What is a game tree?*"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any, Final

from mcts_viz.games import ConnectFour, Game, Nim, TicTacToe
from mcts_viz.search import MCTS

from ..learning.positions import position_graph
from ..measure.experiments import one_name
from ..show.tables import Table
from ..typed import typed_door
from ..work.exercises import Case, Question, Task, texts_of
from ..work.picks import positions_to_merge as positions_to_merge

SAID: Final = texts_of(__name__)
GAME: Final = Nim((1, 2))


def sizes(game: Game[Any, Any]) -> dict[str, int]:
    """Return the numbers of nodes and games in the whole tree, and of positions."""
    data = [node for _, node in position_graph(game).nodes(data=True)]
    return {
        "nodes": sum(node["ways"] for node in data),
        "games": sum(node["ways"] for node in data if node["to_move"] is None),
        "positions": len(data),
    }


# How large is the tree? ----------------------------------------------------------------------


@typed_door
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
    facts: dict[str, Any] = {**sizes(game), "different": len(different)}
    heads = ("moves", "nodes", "positions", "really different")
    return Table(heads, [*rows, ("all", *totals)], **facts)


@typed_door
def in_a_search(iterations: int, seed: int) -> Table:
    """Count, by game, the nodes in the tree of one search, and the different positions in it."""
    rows = []
    share = {}
    for game in (TicTacToe(), ConnectFour()):
        search = MCTS(game, seed=seed)
        search.search(iterations=iterations, progress=False)
        positions = len({node.state for node in search.nodes})
        rows.append((game.name, f"{len(search.nodes):,}", f"{positions:,}"))
        share[game.name] = positions / len(search.nodes)
    return Table(("game", "nodes", "different positions"), rows, share)


# Count by hand -------------------------------------------------------------------------------


def _nodes(state: Any) -> Iterator[Any]:
    """The position of each node of the whole tree below a ``state``, and its own."""
    yield state
    if not GAME.is_terminal(state):
        for action in GAME.legal_actions(state):
            yield from _nodes(GAME.play(state, action))


_STATES: Final = [*_nodes(GAME.initial_state())]
_RIGHT: Final = {
    "nodes": len(_STATES),
    "games": sum(map(GAME.is_terminal, _STATES)),
    "positions": len({*_STATES}),
}
_HEAPS: Final = len({state[1:] for state in _STATES})

count_by_hand: Final = Question(
    SAID["count_by_hand"],
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


def _count_positions(game: Game[Any, Any], state: Hashable) -> int:
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
        "start twice": {"len(met)": "len(met) + 1"},
    },
)
