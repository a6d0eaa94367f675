"""The positions of a game as a graph, each once however it is reached; next to it the game tree.

Drawn with networkx. In the tree a position appears once for each way to it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from statistics import fmean
from time import process_time
from typing import Any, Final, TypeAlias

from mcts_viz.errors import MctsVizError, door
from mcts_viz.film.layout import lay_out
from mcts_viz.film.words import counted, plain_lines
from mcts_viz.games import Game
from mcts_viz.search.checks import check_position, check_rules

from .figures import COLOURS, Axes, Figure, label_of, new_figure, without_formulas

LIMIT: Final = 30_000
SECONDS: Final = 2.0
"""Processor time in which they are found: a position of some games has ten thousand moves."""
MOST_BOXES: Final = 100
"""In one of the two drawings; more could not be read."""

FONT_SIZE: Final = 9
LETTER, LINE = 0.082, 0.155  # inches, of a letter and a line in that size
PADDING: Final = 0.2
GAP, ROW_GAP, MARGIN = 0.12, 0.3, 0.2  # between boxes, between rows, and around a drawing
HEAD, LEGEND = 0.8, 4.2  # for the titles and the legend, which is so wide
SWEEPS: Final = 8

Graph: TypeAlias = Any  # networkx ships no types
Key: TypeAlias = Callable[[Any], Hashable] | None
Points: TypeAlias = dict[Any, tuple[float, float]]


@door
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


@door
def plot_positions(game: Game[Any, Any], state: Any = None, *, tree: bool = False) -> Figure:
    """The positions that can follow on ``state``, drawn as a graph: moves lead downwards.

    A position that is reached in several ways says in how many, such as ×3. With ``tree`` the
    game tree is to the left of the graph, and a thick outline there
    means that the graph draws this position only once. Raises ``MctsVizError`` for more than 100
    boxes in one of the two.
    """
    graph = position_graph(game, state)
    _check_size(len(graph), "positions")
    drawings = [_Drawing(graph, "position", _graph_points)]
    if tree:
        _check_size(sum(ways for _, ways in graph.nodes(data="ways")), "nodes of the tree")
        drawings.insert(0, _Drawing(_tree(graph), "node", _tree_points))
    widths = [drawing.width for drawing in drawings]
    wide, high = max(LEGEND, sum(widths)), HEAD + max(drawing.height for drawing in drawings)
    figure, plots = new_figure(wide, high, len(drawings), width_ratios=widths)
    for axes, drawing in zip(plots, drawings, strict=True):
        drawing.draw(axes)
    look: Any = {"ncols": 3, "frameon": False, "fontsize": FONT_SIZE}
    figure.legend(handles=_legend(game), loc="outside lower left", **look)
    return figure


def _check_size(boxes: int, noun: str) -> None:
    if boxes > MOST_BOXES:
        raise MctsVizError(
            f"There are {boxes:,} {noun} to draw, but no more than {MOST_BOXES} can be read: "
            "start from a later position."
        )


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


# Drawing -----------------------------------------------------------------------------------

LOOKS: Final[dict[int | None, dict[str, Any]]] = {
    0: {"facecolor": COLOURS["page"], "edgecolor": COLOURS["select"]},
    1: {"facecolor": "#fbe3d3", "edgecolor": COLOURS["expand"]},
    None: {"facecolor": COLOURS["track"], "edgecolor": COLOURS["ink"]},
}
"""By the player to move; the fills differ in brightness too."""


class _Drawing:
    """A graph with its boxes, whose centres ``points`` gives in inches from the top left corner."""

    def __init__(
        self, graph: Graph, noun: str, points: Callable[[Graph, float, float], Points]
    ) -> None:
        self.graph, self.title = graph, counted(len(graph), noun)
        lines = {node: _lines(data["text"], data["ways"]) for node, data in graph.nodes(data=True)}
        self.labels = {node: "\n".join(some) for node, some in lines.items()}
        wide = LETTER * max(len(line) for some in lines.values() for line in some) + PADDING
        high = LINE * max(map(len, lines.values())) + PADDING
        self.points = points(graph, wide, high)
        right, self.height = (max(point[axis] for point in self.points.values()) for axis in (0, 1))
        self.width = max(right + wide / 2, LETTER * len(self.title)) + 2 * MARGIN
        self.height += high / 2

    def draw(self, axes: Axes) -> None:
        import networkx

        axes.set_title(self.title, loc="left", fontsize=FONT_SIZE + 2, weight="bold")
        axes.set(xlim=(-MARGIN, self.width - MARGIN), ylim=(self.height, 0))
        axes.axis("off")
        look: Any = {"arrows": False, "edge_color": COLOURS["grid"]}
        networkx.draw_networkx_edges(self.graph, self.points, ax=axes, **look)
        text: Any = {"fontsize": FONT_SIZE, "family": "monospace", "ha": "center", "va": "center"}
        for node, data in self.graph.nodes(data=True):
            to_move = None if data["to_move"] is None else data["to_move"] % 2
            often = data.get("often", data["ways"] > 1)
            box = {"boxstyle": "round,pad=0.3", "linewidth": 2.6 if often else 1, **LOOKS[to_move]}
            axes.text(*self.points[node], self.labels[node], bbox=box, **text)


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
    left, column = max(map(len, rows)) / 2, wide + GAP
    return {
        node: ((left + places[node]) * column + wide / 2, high / 2 + depth * (high + ROW_GAP))
        for depth, row in enumerate(rows)
        for node in row
    }


def _legend(game: Game[Any, Any]) -> list[Any]:
    from matplotlib.patches import Patch

    first, second = (f"{label_of(player)} to move" for player in game.players[:2])
    names = zip(LOOKS.values(), (first, second, "game over"), strict=True)
    return [Patch(label=name, **look) for look, name in names]
