"""Pictures for a pencil: boards with the moves written in them, and small trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element, tostring

from mcts_viz.errors import door, require
from mcts_viz.film import Board, board_of
from mcts_viz.film.boards import draw_board
from mcts_viz.film.layout import Layout, lay_out, rows_of
from mcts_viz.film.pictures import THEMES, add, new_svg, output_forms, still_css
from mcts_viz.film.words import plain
from mcts_viz.games import Game, GameTree
from mcts_viz.search.checks import check_position, check_rules, require_list

CELL, GAP, HEAD, MARGIN = 30, 26, 20, 6  # points
WIDEST = 760
LETTER, LINE = 6.9, 14  # of a tree's text
LEVEL, APART = 26, 6  # between the nodes of a tree, below and beside each other
COLOURS: Final = THEMES["light"]
LINES: Final[dict[str, Any]] = {"stroke": COLOURS["line"], "fill": "none"}
DASHES: Final[dict[str, Any]] = {"stroke_dasharray": "4 3"}


@door
class show_board:  # noqa: N801  (called as a function; what it returns shows itself)
    """Show positions of a game as boards, each under its name, if ``names`` are given.

    A free cell shows the label of the move that fills it; a game without a board shows its text.
    Raises ``SearchError`` for what is not a position of the game.

    >>> from mcts_viz import TicTacToe
    >>> game = TicTacToe()
    >>> print(show_board(game, game.parse("XX. .O. ...")))
    XX.
    .O.
    ...
    """

    def __init__(self, game: Game[Any, Any], *states: Any, names: Sequence[str] = ()) -> None:
        check_rules(game)
        for state in states:
            check_position(game, state)
        self.game, self.states = game, states
        self.names = [plain(str(name)) for name in require_list("names", names, "of texts")]

    def __repr__(self) -> str:
        texts = [self.game.text(state) for state in self.states]
        heads = [f"{name}\n" for name in self.names] or [""] * len(texts)
        return "\n\n".join(head + text for head, text in zip(heads, texts, strict=True))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        board = board_of(self.game)
        if board is None:
            return {"text/plain": repr(self)}
        return output_forms(self._svg(board), repr(self), 1.5)

    def _svg(self, board: Board) -> str:
        wide, high = CELL * board.columns, CELL * board.rows
        head = HEAD if self.names else 0
        in_row = max(1, (WIDEST - 2 * MARGIN + GAP) // (wide + GAP))
        columns = min(in_row, len(self.states))
        rows = -(-len(self.states) // in_row)
        size = (
            2 * MARGIN + columns * (wide + GAP) - GAP,
            2 * MARGIN + rows * (head + high + GAP) - GAP,
        )
        wide_high = {"width": str(size[0]), "height": str(size[1])}
        picture = new_svg((0, 0, *size), "mcts-tree", **wide_high)
        add(picture, "style", text=still_css("light", "select"))
        add(picture, "rect", fill=COLOURS["page"], **wide_high)
        for number, state in enumerate(self.states):
            x = MARGIN + number % in_row * (wide + GAP)
            y = MARGIN + number // in_row * (head + high + GAP)
            if self.names:
                name = self.names[number]
                add(picture, "text", "", name, x=x + wide / 2, y=y + 13, **letters("ink"))
            self._one(picture, board, state, x, y + head)
        return tostring(picture, encoding="unicode")

    def _one(self, picture: Element, board: Board, state: Any, x: float, y: float) -> None:
        place = f"translate({x} {y}) scale({CELL / 10})"
        group = add(picture, "g", "board", transform=place)
        cells = board.cells(state)
        draw_board(group, board, cells, cells)
        if self.game.is_terminal(state):
            return
        for action in self.game.legal_actions(state):
            after = board.cells(self.game.play(state, action))
            filled = [cell for cell, piece in enumerate(cells) if piece != after[cell] and not piece]
            if len(filled) == 1:
                row, column = divmod(filled[0], board.columns)
                middle = x + CELL * (column + 0.5), y + CELL * (row + 0.5) + 4
                label = plain(self.game.action_label(state, action))
                add(picture, "text", "", label, x=middle[0], y=middle[1], **letters("muted"))


def letters(colour: str) -> Any:
    """The look of a picture's words."""
    look = {"font_family": "DejaVu Sans, Verdana, sans-serif", "font_size": "11"}
    return look | {"text_anchor": "middle", "fill": COLOURS[colour]}


class TreeNode(NamedTuple):
    """A node of a drawn tree or graph."""

    text: str
    parent: int = -1
    """The place of the node above it in a tree; -1 for the root, and in other graphs."""
    shape: str = "box"
    """A box, a grey one for the end, an ellipse, a diamond, a circle for chance, or "" for text."""
    move: str = ""
    """The words next to the line that leads there."""
    thick: bool = False
    """Drawn with a thick outline."""


class Picture:
    """An SVG that a notebook shows, and a text that says the same."""

    def __init__(self, svg: Element, text: str) -> None:
        self.svg, self.text = tostring(svg, encoding="unicode"), text

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return output_forms(self.svg, self.text, 1.5)


def blank_picture(wide: float, high: float) -> Element:
    """Return an empty picture with a margin around so many points."""
    size = {"width": f"{wide + 2 * MARGIN:g}", "height": f"{high + 2 * MARGIN:g}"}
    box = (-MARGIN, -MARGIN, float(size["width"]), float(size["height"]))
    picture = new_svg(box, "mcts-tree", **size)
    add(picture, "rect", x=-MARGIN, y=-MARGIN, fill=COLOURS["page"], **size)
    return picture


def draw_tree(nodes: Sequence[TreeNode], framed: Sequence[int] = ()) -> Picture:
    """Draw a tree whose nodes come parents first; ``framed`` ones, of one depth, share a frame."""
    tree, sizes = tree_drawing("", nodes), [size_of(node) for node in nodes]
    picture, centers = blank_picture(tree.layout.width, tree.layout.height), tree.layout.centers
    if framed:
        ends = [centers[n][0] + side * sizes[n][0] / 2 for n in framed for side in (-1, 1)]
        left, wide = min(ends) - MARGIN, max(ends) - min(ends) + 2 * MARGIN
        tall = max(sizes[n][1] for n in framed) + 2 * MARGIN
        top = centers[framed[0]][1] - tall / 2
        add(picture, "rect", x=left, y=top, width=wide, height=tall, **LINES, **DASHES)
    _draw_graph(picture, tree)
    return Picture(picture, outline(nodes))


def tree_drawing(title: str, nodes: Sequence[TreeNode]) -> Drawing:
    """Place a tree's nodes: by Graphviz where it can be had, else by our own layout."""
    parents = [node.parent for node in nodes]
    highs = {n: max(size_of(nodes[n])[1] for n in r) + LEVEL for r in rows_of(parents) for n in r}
    sizes = [(size_of(node)[0] + APART, highs[place]) for place, node in enumerate(nodes)]
    edges = [(parent, place) for place, parent in enumerate(parents) if place]
    return Drawing(title, nodes, edges, lay_out(sizes, parents))


def place_rows(nodes: Sequence[TreeNode], rows: Sequence[Sequence[int]]) -> Layout:
    """Place the nodes of these numbers in rows, each in the middle."""
    wides, highs = zip(*map(size_of, nodes), strict=True)
    wide, high, most = max(wides) + APART, max(highs) + LEVEL, max(map(len, rows))
    centers = {
        number: ((most / 2 + place - len(row) / 2 + 0.5) * wide, (depth + 0.5) * high)
        for depth, row in enumerate(rows)
        for place, number in enumerate(row)
    }
    places = tuple(centers[number] for number in range(len(nodes)))
    return Layout("rows", most * wide, len(rows) * high, places)


class Drawing(NamedTuple):
    """A graph under its title, and perhaps with a line of text below it."""

    title: str
    nodes: Sequence[TreeNode]
    edges: Sequence[tuple[int, int]]
    """From the node above to the one below, by number."""
    layout: Layout
    below: str = ""


def sketch(
    title: str, parents: Sequence[int], texts: Mapping[int, str] | None = None, below: str = ""
) -> Drawing:
    """Place a few nodes row by row, with the ``texts`` of some; a parent of -1 makes a root."""
    depths: list[int] = []
    for parent in parents:
        depths.append(0 if parent < 0 else depths[parent] + 1)
    rows = [[n for n, at in enumerate(depths) if at == depth] for depth in range(max(depths) + 1)]
    nodes = [TreeNode((texts or {}).get(number, "")) for number in range(len(parents))]
    edges = [(parent, number) for number, parent in enumerate(parents) if parent >= 0]
    return Drawing(title, nodes, edges, place_rows(nodes, rows), below)


def side_by_side(drawings: Sequence[Drawing], legend: str = "") -> Picture:
    """Draw graphs beside each other, above one ``legend``."""
    places = [0.0]
    for each in drawings:
        wide = max(each.layout.width, LETTER * max(len(each.title), len(each.below)))
        places.append(places[-1] + wide + GAP)
    high = HEAD + max(each.layout.height for each in drawings)
    picture = blank_picture(max(places[-1], LETTER * len(legend)), high + HEAD)
    for left, each in zip(places, drawings, strict=False):
        group = add(picture, "g", transform=f"translate({left:g} 0)")
        for text, y in ((each.title, 10), (each.below, high)):
            add(group, "text", "", text, y=y, **letters("ink") | {"text_anchor": "start"})
        _draw_graph(add(group, "g", transform=f"translate(0 {HEAD})"), each)
    add(picture, "text", "", legend, y=high + 16, **letters("ink") | {"text_anchor": "start"})
    said = ["\n".join([d.title, *(" ".join(n.text.split()) for n in d.nodes)]) for d in drawings]
    return Picture(picture, "\n\n".join(said))


def _draw_graph(picture: Element, drawing: Drawing) -> None:
    """Draw nodes at their places, and a line from each node to those below it."""
    _, nodes, edges, layout, _ = drawing
    for above, below in edges:
        node, (x, y), (right, bottom) = nodes[below], layout.centers[above], layout.centers[below]
        start, end = y + size_of(nodes[above])[1] / 2, bottom - size_of(node)[1] / 2
        dashes = DASHES if nodes[above].shape == "circle" else {}
        add(picture, "line", x1=x, y1=start, x2=right, y2=end, **LINES, **dashes)
        if node.move:
            look = letters("muted") | {"stroke": COLOURS["page"], "paint_order": "stroke"}
            middle = (x + right) / 2, (start + end) / 2 + 4
            add(picture, "text", "", node.move, x=middle[0], y=middle[1], stroke_width=4, **look)
    for node, center in zip(nodes, layout.centers, strict=True):
        _draw_node(picture, node, center)


def outline(nodes: Sequence[TreeNode], place: int = 0, depth: int = 0) -> str:
    """The tree as text: a node a line, further in by its depth."""
    said = " ".join(f"{nodes[place].move} {nodes[place].text}".split())
    below = [child for child, node in enumerate(nodes) if node.parent == place]
    return "\n".join(["  " * depth + said, *(outline(nodes, n, depth + 1) for n in below)])


def size_of(node: TreeNode) -> tuple[float, float]:
    """How wide and high a node is drawn, in points."""
    lines = node.text.split("\n")
    wide = max(LETTER * max(map(len, [*lines, node.move])) + 14, 36)
    high = LINE * len(lines) + 8
    match node.shape:
        case "circle":
            return (max(wide, high),) * 2
        case "diamond":
            return wide * 1.5, high * 1.7
        case "ellipse":
            return wide * 1.2, high * 1.2
    return wide, high


def _draw_node(picture: Element, node: TreeNode, center: tuple[float, float]) -> None:
    (x, y), (wide, high) = center, (side / 2 for side in size_of(node))
    ink: Any = {"stroke": COLOURS["ink"], "fill": COLOURS["page"]}
    ink["stroke_width"] = 2.6 if node.thick else 1
    orange = ink | {"stroke": COLOURS["player-1"], "fill": "#fdf1ea"}
    match node.shape:
        case "box" | "grey":
            look = ink if node.shape == "box" else ink | {"fill": COLOURS["track"]}
            add(picture, "rect", x=x - wide, y=y - high, width=2 * wide, height=2 * high, **look)
        case "ellipse" | "circle":
            look = orange if node.shape == "ellipse" else ink
            add(picture, "ellipse", cx=x, cy=y, rx=wide, ry=high, **look)
        case "diamond":
            corners = f"{x - wide:g},{y:g} {x:g},{y - high:g} {x + wide:g},{y:g} {x:g},{y + high:g}"
            add(picture, "polygon", points=corners, **ink)
    lines, mono = node.text.split("\n"), {"font_family": "DejaVu Sans Mono, monospace"}
    for number, line in enumerate(lines):
        below = y + 4 + LINE * (number - (len(lines) - 1) / 2)
        add(picture, "text", "", line, x=x, y=below, **letters("ink") | mono)


@door
def show_tree(game: GameTree, labels: Mapping[str, str] | None = None) -> Picture:
    """Draw a game tree: boxes where player 0 moves, ellipses where player 1 does, and the leaves.

    A leaf shows what player 0 gets, in [-1, 1]. ``labels`` adds a line of text to the nodes of
    these names: ``root``, or the last move.

    >>> from mcts_viz import GameTree
    >>> show_tree(GameTree({"a": 0, "b": {"c": -1}}))
    root
      a 0
      b
        c −1
    """
    require(isinstance(game, GameTree), "game", 'a GameTree, such as GameTree({"a": 0})', game)
    more = labels or {}
    states, parents, nodes = [game.initial_state()], [-1], []
    for place, state in enumerate(states):
        name, over = state[-1] if state else "root", game.is_terminal(state)
        value = f"{game.returns(state)[0]:g}".replace("-", "−") if over else ""
        text = "\n".join(plain(line) for line in (name, value, more.get(name, "")) if line)
        nodes.append(TreeNode(text, parents[place], "" if over else ("box", "ellipse")[game.to_move(state)]))
        if not over:
            after = [game.play(state, action) for action in game.legal_actions(state)]
            states += after
            parents += [place] * len(after)
    return draw_tree(nodes)
