"""The positions of a game as a graph, each once however it is reached; next to it the game tree.

In the tree a position appears once for each way to it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from statistics import fmean
from time import process_time
from typing import Any, Final, TypeAlias

from mcts_viz.errors import MctsVizError, counted
from mcts_viz.film.words import plain, plain_lines
from mcts_viz.games import Game
from mcts_viz.games.protocol import State
from mcts_viz.search.checks import check_position, check_without_luck, explain_game_error

from ..show.boards import Drawing, Picture, TreeNode, place_rows, side_by_side, tree_drawing

LIMIT: Final = 30_000
SECONDS: Final = 2.0
"""Processor time in which they are found: a position of some games has ten thousand moves."""
MOST_NODES: Final = 100
"""In one of the two drawings; more could not be read."""

OVER: Final = "grey"
SHAPES: Final = ("box", "ellipse")
"""Of a node, by its player to move; more than two players take turns with them."""

Graph: TypeAlias = Any  # networkx ships no types
Key: TypeAlias = Callable[[Any], Hashable] | None


def position_graph(game: Game[State, Any], state: State | None = None, same: Key = None) -> Graph:
    """Every position that can follow on ``state`` (the game's start), as ``networkx.DiGraph``.

    Its nodes are the states, in the order of moves from the first. They carry ``text``, ``to_move``
    (the player to move, ``None`` where the game is over) and ``ways``: how many lines of play
    lead there, which is how often the position is in the game tree. An edge carries
    ``moves``, the labels of all moves between the two. Positions of equal ``same(position)``
    count as one, of which the first is kept; the moves at each must lead to the same ones.

    Raises ``MctsVizError`` for more than 30,000 positions and for games that go in circles.
    """
    import networkx  # slow, and few ask for it

    check_without_luck(game, "A graph of positions")
    key: Callable[[Any], Hashable] = same or (lambda position: position)
    start = game.initial_state() if state is None else state
    check_position(game, start, hashed=True)
    with explain_game_error(game):
        graph = _reachable(game, start, key)
    if not networkx.is_directed_acyclic_graph(graph):
        raise MctsVizError(
            "A position of this game can come back, so its tree has no end. Choose a game that "
            "never repeats a position."
        )
    for position in networkx.topological_sort(graph):
        for _, child, moves in graph.out_edges(position, data="moves"):
            graph.nodes[child]["ways"] += graph.nodes[position]["ways"] * len(moves)
    return graph


def _reachable(game: Game[State, Any], start: State, key: Callable[[Any], Hashable]) -> Graph:
    """Return all positions from ``start`` on and the moves between them; ``ways`` is 1 at the
    start.
    """
    import networkx

    graph: Graph = networkx.DiGraph()
    first = {key(start): start}
    waiting = [start]
    begun = process_time()
    for position in waiting:  # which grows while it is gone through
        _add_position(graph, game, position)
        graph.nodes[position]["ways"] = int(position == start)
        for label, after in _moves(game, position):
            known = key(after)
            if known not in first:
                first[known] = after
                waiting.append(after)
            _add_move(graph, position, first[known], label)
            if len(first) > LIMIT or process_time() - begun > SECONDS:
                raise MctsVizError(
                    f"{game.name} has more than {LIMIT:,} positions from here, or it takes too "
                    "long to find them. Start from a later one."
                )
    return graph


def _add_position(graph: Graph, game: Game[State, Any], position: State) -> None:
    """Add a node with the position's text and its player to move."""
    to_move = None if game.is_terminal(position) else game.to_move(position)
    graph.add_node(position, text=game.text(position), to_move=to_move)


def _moves(game: Game[State, Any], position: State) -> Iterator[tuple[str, Any]]:
    """Yield the label of each move of a position, and the position after it."""
    if not game.is_terminal(position):
        for action in game.legal_actions(position):
            yield plain(game.action_label(position, action)), game.play(position, action)


def _add_move(graph: Graph, position: Hashable, after: Hashable, label: str) -> None:
    """Add a move to the edge between two positions; several moves may lead the same way."""
    if graph.has_edge(position, after):
        label_before = graph.edges[position, after]["moves"]
        graph.edges[position, after]["moves"] = (*label_before, label)
    else:
        graph.add_edge(position, after, moves=(label,))


def plot_positions(
    game: Game[State, Any], state: State | None = None, *, tree: bool = False
) -> Picture:
    """The positions that can follow on ``state``, drawn as a graph: moves lead downwards.

    A position that is reached in several ways says in how many, such as ×3. With ``tree`` the
    game tree is to the left of the graph, and a thick outline there
    means that the graph draws this position only once. Raises ``MctsVizError`` for more than 100
    nodes in one of the two.
    """
    graph = position_graph(game, state)
    counts = {"positions": len(graph)}
    if tree:
        counts["nodes of the tree"] = sum(ways for _, ways in graph.nodes(data="ways"))
    for noun, count in counts.items():
        _require_readable(noun, count)
    nodes = [_node(data, data["ways"]) for _, data in graph.nodes(data=True)]
    number = {position: place for place, position in enumerate(graph)}
    edges = [(number[above], number[below]) for above, below in graph.edges]
    rows = [[number[position] for position in row] for row in _rows(graph)]
    drawings = [Drawing(counted(len(nodes), "position"), nodes, edges, place_rows(nodes, rows))]
    if tree:
        nodes = _tree(graph)
        drawings.insert(0, tree_drawing(counted(len(nodes), "node"), nodes))
    first, second = map(plain, game.players[:2])
    legend = f"box: {first} to move, ellipse: {second} to move, grey: game over"
    return side_by_side(drawings, legend)


def _require_readable(noun: str, count: int) -> None:
    """Raise ``MctsVizError`` if a drawing has more nodes than can be read."""
    if count > MOST_NODES:
        raise MctsVizError(
            f"There are {count:,} {noun} to draw, but no more than {MOST_NODES} can be read. "
            "Start from a later position."
        )


def _node(data: Mapping[str, Any], ways: int, parent: int = -1) -> TreeNode:
    """Return a position as it is drawn: its text, and the number of ways there if above one."""
    lines = plain_lines(data["text"]) or [" "]
    if ways > 1 and len(lines) > 1:
        lines = [*lines, f"×{ways}"]
    elif ways > 1:
        lines = [f"{lines[0]} ×{ways}"]
    to_move = data["to_move"]
    shape = OVER if to_move is None else SHAPES[to_move % len(SHAPES)]
    return TreeNode("\n".join(lines), parent, shape, thick=data["ways"] > 1)


def _tree(graph: Graph) -> list[TreeNode]:
    """The nodes of the game tree, row by row."""
    nodes = []
    waiting = [(-1, next(iter(graph)))]
    for number, (parent, position) in enumerate(waiting):
        nodes.append(_node(graph.nodes[position], 1, parent))
        below = graph.out_edges(position, data="moves")
        waiting += [(number, child) for _, child, moves in below for _ in moves]
    return nodes


def _rows(graph: Graph) -> list[list[Any]]:
    """Rows by the most moves that lead there; in a row, everything below those that lead there."""
    import networkx

    rows: list[list[Any]] = []
    places: dict[Any, float] = {}
    for row in networkx.topological_generations(graph):
        above = {node: fmean([places[n] for n in graph.predecessors(node)] or [0]) for node in row}
        rows.append(sorted(row, key=lambda node, above=above: above[node]))  # type: ignore[misc]
        places |= {node: place - len(row) / 2 for place, node in enumerate(rows[-1])}
    return rows
