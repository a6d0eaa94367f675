"""The positions of a game as a graph, each once however it is reached; next to it the game tree.

Drawn with networkx. In the tree a position appears once for each way to it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from statistics import fmean
from time import process_time
from typing import Any, Final, NamedTuple, TypeAlias

from mcts_viz.errors import MctsVizError
from mcts_viz.film.layout import lay_out
from mcts_viz.film.words import counted, plain_lines
from mcts_viz.games import Game
from mcts_viz.search.checks import check_position, check_rules

from .figures import COLOURS, Axes, Figure, label_of, without_formulas

LIMIT: Final = 30_000
SECONDS: Final = 2.0
"""Processor time in which they are found: a position of some games has ten thousand moves."""
MOST_BOXES: Final = 100
"""In one of the two drawings; more could not be read."""

FONT_SIZE: Final = 9
LETTER, LINE = 0.082, 0.155  # inches, of a letter and a line in that size
PADDING: Final = 0.2
GAP, ROW_GAP, PANEL_GAP = 0.12, 0.3, 0.7  # between boxes, rows, drawings
MARGIN: Final = 0.15
HEAD, FOOT = 0.35, 0.45
LEGEND, WIDEST = 4.2, 10.0  # at least so wide, and side by side at most
SWEEPS: Final = 8

Graph: TypeAlias = Any  # networkx ships no types
Key: TypeAlias = Callable[[Any], Hashable] | None
Point: TypeAlias = tuple[float, float]
Points: TypeAlias = dict[Any, Point]


def position_graph(game: Game[Any, Any], state: Any = None, same: Key = None) -> Graph:
    """Every position that can follow on ``state`` (the game's start), as ``networkx.DiGraph``.

    Its nodes are the states, in the order of moves from the first. They carry ``text``, ``to_move``
    (the player to move, ``None`` where the game is over) and ``ways``: how many lines of play
    lead there, which is how often the position is in the game tree. An edge carries
    ``moves``, the labels of all moves between the two. Positions of equal ``same(position)``
    count as one, of which the first is kept; the moves at each must lead to the same ones.

    Raises ``MctsVizError`` for more than 30,000 positions and for games that go in circles.
    """
    import networkx  # slow, and few ask for it

    check_rules(game)
    key: Callable[[Any], Hashable] = same or (lambda position: position)
    start = game.initial_state() if state is None else state
    check_position(game, start, hashed=True)
    graph: Graph = networkx.DiGraph()
    first, waiting, begun = {key(start): start}, [start], process_time()
    for position in waiting:
        over = game.is_terminal(position)
        to_move, text = None if over else game.to_move(position), game.text(position)
        graph.add_node(position, text=without_formulas(text), to_move=to_move, ways=0)
        for action in () if over else game.legal_actions(position):
            child = game.play(position, action)
            if (known := key(child)) not in first:
                first[known] = child
                waiting.append(child)
            _join(graph, position, first[known], label_of(game.action_label(position, action)))
            if len(first) > LIMIT or process_time() - begun > SECONDS:
                raise MctsVizError(
                    f"{game.name} has more than {LIMIT:,} positions from here, or it takes too "
                    "long to find them: start from a later one."
                )
    _count_ways(graph, start)
    return graph


def _join(graph: Graph, position: Any, child: Any, move: str) -> None:
    known = graph.edges[position, child]["moves"] if graph.has_edge(position, child) else ()
    graph.add_edge(position, child, moves=(*known, move))


def _count_ways(graph: Graph, start: Any) -> None:
    import networkx

    graph.nodes[start]["ways"] = 1
    try:
        for position in networkx.topological_sort(graph):
            for _, child, moves in graph.out_edges(position, data="moves"):
                graph.nodes[child]["ways"] += graph.nodes[position]["ways"] * len(moves)
    except networkx.NetworkXUnfeasible:
        raise MctsVizError(
            "A position of this game can come back, so its tree has no end: choose a game that "
            "never repeats a position."
        ) from None


def plot_positions(
    game: Game[Any, Any], state: Any = None, *, tree: bool = False, same: Key = None
) -> Figure:
    """The positions that can follow on ``state``, drawn as a graph: moves lead downwards.

    A position that is reached in several ways says in how many, such as ×3. With ``tree`` the
    game tree is next to the graph (above it where both are wide), and a thick outline there
    means that the graph draws this position only once. ``same`` is that of
    :func:`position_graph`. Raises ``MctsVizError`` for more than 100 boxes in one of the two.
    """
    from .notebook_figure import Figure  # only who wants a figure waits for matplotlib

    graph = position_graph(game, state, same)
    _check_size(len(graph), "positions")
    panels = [_panel(graph, _graph_points, "position")]
    if tree:
        _check_size(sum(ways for _, ways in graph.nodes(data="ways")), "nodes of the tree")
        panels.insert(0, _panel(_tree(graph), _tree_points, "node"))
    places, width, height = _places(panels)
    figure = Figure(figsize=(width + 2 * MARGIN, height + FOOT))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.axis("off")
    axes.set(xlim=(-MARGIN, width + MARGIN), ylim=(-height - FOOT, 0))
    for panel, place in zip(panels, places, strict=True):
        _draw(axes, panel, *place)
    axes.legend(handles=_legend(game), loc="lower left", ncols=3, frameon=False, fontsize=FONT_SIZE)
    return figure


# The boxes ---------------------------------------------------------------------------------


class _Panel(NamedTuple):
    """A graph, and the centres of its boxes in inches from the top left corner."""

    graph: Graph
    title: str
    points: Points
    width: float
    height: float


def _check_size(boxes: int, noun: str) -> None:
    if boxes > MOST_BOXES:
        raise MctsVizError(
            f"There are {boxes:,} {noun} to draw, but no more than {MOST_BOXES} can be read: "
            "start from a later position."
        )


def _places(panels: list[_Panel]) -> tuple[list[Point], float, float]:
    """The top left of each drawing, side by side or, if that is too wide, one below the other."""
    wide = sum(panel.width for panel in panels) + PANEL_GAP * (len(panels) - 1)
    beside = wide <= WIDEST
    places, left, top = [], 0.0, 0.0
    for panel in panels:
        places.append((left, top))
        left += (panel.width + PANEL_GAP) * beside
        top += (panel.height + HEAD) * (not beside)
    widths, heights = zip(*((panel.width, panel.height + HEAD) for panel in panels), strict=True)
    width = max(LEGEND, wide if beside else max(widths))
    return places, width, max(heights) if beside else sum(heights)


def _tree(graph: Graph) -> Graph:
    """The game tree, its nodes numbered row by row; ``often`` says which positions come again."""
    import networkx

    tree: Graph = networkx.DiGraph()
    waiting = [(-1, next(iter(graph)))]
    for node, (parent, position) in enumerate(waiting):
        data = graph.nodes[position]
        tree.add_node(node, **{**data, "ways": 1, "often": data["ways"] > 1})
        if node:
            tree.add_edge(parent, node)
        below = graph.out_edges(position, data="moves")
        waiting += [(node, child) for _, child, moves in below for _ in moves]
    return tree


def _panel(graph: Graph, place: Callable[[Graph, float, float], Points], noun: str) -> _Panel:
    labels = [_lines(node["text"], node["ways"]) for _, node in graph.nodes(data=True)]
    for node, lines in zip(graph, labels, strict=True):
        graph.nodes[node]["label"] = "\n".join(lines)
    wide = LETTER * max(len(line) for lines in labels for line in lines) + PADDING
    high = LINE * max(map(len, labels)) + PADDING
    points = place(graph, wide, high)
    right, down = (max(point[axis] for point in points.values()) for axis in (0, 1))
    title = counted(len(graph), noun)
    return _Panel(graph, title, points, max(right + wide / 2, LETTER * len(title)), down + high / 2)


def _lines(text: str, ways: int) -> list[str]:
    """The lines of a box: the position, and the number of ways there if it is not one."""
    lines = plain_lines(text)
    if ways > 1:
        lines = [*lines, f"×{ways}"] if len(lines) > 1 else [" ".join([*lines, f"×{ways}"])]
    return lines or [" "]


def _tree_points(tree: Graph, wide: float, high: float) -> Points:
    parents = [next(tree.predecessors(node), -1) for node in tree]
    layout = lay_out([(wide * 72, high * 72)] * len(tree), parents)
    return {node: (x / 72, y / 72) for node, (x, y) in enumerate(layout.centers)}


def _graph_points(graph: Graph, wide: float, high: float) -> Points:
    """Rows by the most moves that lead there; in a row, everything near its neighbours."""
    import networkx

    rows = [list(row) for row in networkx.topological_generations(graph)]
    places = {node: place - len(row) / 2 for row in rows for place, node in enumerate(row)}
    for sweep in range(SWEEPS):
        near = graph.predecessors if sweep % 2 else graph.successors
        for row in rows if sweep % 2 else reversed(rows):
            row.sort(key=lambda node: fmean([places[n] for n in near(node)] or [places[node]]))
            places |= {node: place - len(row) / 2 for place, node in enumerate(row)}
    width = max(map(len, rows)) * (wide + GAP) - GAP
    return {
        node: (
            width / 2 + (place + 0.5 - len(row) / 2) * (wide + GAP),
            high / 2 + depth * (high + ROW_GAP),
        )
        for depth, row in enumerate(rows)
        for place, node in enumerate(row)
    }


# Drawing -----------------------------------------------------------------------------------

LOOKS: Final[dict[int | None, dict[str, Any]]] = {
    0: {"facecolor": COLOURS["page"], "edgecolor": COLOURS["select"]},
    1: {"facecolor": "#fbe3d3", "edgecolor": COLOURS["expand"]},
    None: {"facecolor": COLOURS["track"], "edgecolor": COLOURS["ink"]},
}
"""By the player to move; the fills differ in brightness too."""


def _draw(axes: Axes, panel: _Panel, left: float, top: float) -> None:
    import networkx

    graph = panel.graph
    points = {node: (left + x, -top - HEAD - y) for node, (x, y) in panel.points.items()}
    size = FONT_SIZE + 2
    axes.text(
        left,
        -top - HEAD / 2,
        without_formulas(panel.title),
        fontsize=size,
        weight="bold",
        va="center",
    )
    networkx.draw_networkx_edges(graph, points, ax=axes, arrows=False, edge_color=COLOURS["grid"])
    look: Any = {"size": FONT_SIZE, "family": "monospace", "color": COLOURS["ink"]}
    for node, data in graph.nodes(data=True):
        to_move = None if data["to_move"] is None else data["to_move"] % 2
        often = data.get("often", data["ways"] > 1)
        box = {"boxstyle": "round,pad=0.3", "linewidth": 2.6 if often else 1, **LOOKS[to_move]}
        axes.text(*points[node], data["label"], ha="center", va="center", bbox=box, **look)


def _legend(game: Game[Any, Any]) -> list[Any]:
    from matplotlib.patches import Patch

    first, second = (f"{label_of(player)} to move" for player in game.players[:2])
    names = zip(LOOKS.values(), (first, second, "game over"), strict=True)
    return [Patch(label=name, **look) for look, name in names]
