"""Pictures for a pencil: boards with the moves written in them, and small trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element, tostring

from mcts_viz.errors import counted, listed, require
from mcts_viz.film import Board, board_of
from mcts_viz.film.boards import draw_board
from mcts_viz.film.drawing import Drawing as Page
from mcts_viz.film.drawing import Edge, Node, svg
from mcts_viz.film.letters import width
from mcts_viz.film.pictures import THEMES, add, new_svg, output_forms, still_css, with_words
from mcts_viz.film.words import plain
from mcts_viz.games import Game, GameTree
from mcts_viz.games.protocol import State
from mcts_viz.search.checks import check_position, check_rules, explain_game_error, require_list

# Sizes, in points.
CELL = 30
GAP = 26
HEAD = 20
MARGIN = 6
WIDEST = 774
# Of a tree's text:
LETTER = 6.9
LINE = 14
SIZE: Final = 11.0
# Between the nodes of a tree, below and beside each other:
LEVEL = 26
APART = 6
COLOURS: Final = THEMES["light"]
LINES: Final[dict[str, Any]] = {"stroke": COLOURS["line"], "fill": "none"}


class Picture:
    """An SVG that a notebook shows, and a text that says the same; the text alone without one."""

    def __init__(self, svg: Element | str | None, text: str) -> None:
        self.svg: str = tostring(svg, encoding="unicode") if isinstance(svg, Element) else svg or ""
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        text = {"text/plain": self.text}
        forms = output_forms(self.svg, self.text, 1.5) if self.svg else text
        return with_words(forms, " ".join(self.text.split()))


def blank_picture(wide: float, high: float) -> Element:
    """Return an empty picture with a margin around so many points."""
    size = {"width": f"{wide + 2 * MARGIN:g}", "height": f"{high + 2 * MARGIN:g}"}
    box = (-MARGIN, -MARGIN, float(size["width"]), float(size["height"]))
    picture = new_svg(box, "mcts-tree", **size)
    add(picture, "rect", x=-MARGIN, y=-MARGIN, fill=COLOURS["page"], **size)
    return picture


def letters(colour: str, anchor: str = "middle") -> Any:
    """The look of a picture's words."""
    look = {"font_family": "DejaVu Sans, Verdana, sans-serif", "font_size": "11"}
    return look | {"text_anchor": anchor, "fill": COLOURS[colour]}


# Boards ------------------------------------------------------------------------------------------


def show_board(game: Game[Any, Any], *states: Any, names: Sequence[str] = ()) -> Picture:
    """Show positions of a game as boards, each under its name, if ``names`` are given.

    A free cell shows the label of the move that fills it. Where pieces go from cell to cell, each
    cell shows its number instead. A game without a board shows its text.
    Raises ``SearchError`` for what is not a position of the game.

    >>> from mcts_viz import TicTacToe
    >>> game = TicTacToe()
    >>> print(show_board(game, game.parse("XX. .O. ...")))
    XX.
    .O.
    ...
    """
    check_rules(game)
    require(states, "states", "one or more positions, show_board(game, state)", states)
    for state in states:
        check_position(game, state)
    heads = [plain(str(name)) for name in require_list("names", names, "of texts")]
    right = len(heads) in (0, len(states))
    require(right, "names", f"a list of {counted(len(states), 'name')}, one a position", names)
    with explain_game_error(game):
        texts = [game.text(state) for state in states]
        if heads:
            texts = [f"{head}\n{text}" for head, text in zip(heads, texts, strict=True)]
        board = board_of(game)
        picture = _boards(game, board, states, heads) if board else None
        return Picture(picture, "\n\n".join(texts))


def _boards(
    game: Game[Any, Any], board: Board, states: Sequence[Any], heads: Sequence[str]
) -> Element:
    head = HEAD if heads else 0
    wide, high = CELL * board.columns + GAP, head + CELL * board.rows + GAP
    in_row = max(1, WIDEST // wide)
    rows = -(-len(states) // in_row)
    picture = blank_picture(min(in_row, len(states)) * wide - GAP, rows * high - GAP)
    add(picture, "style", text=still_css("light", "select"))
    for number, state in enumerate(states):
        row, column = divmod(number, in_row)
        group = add(picture, "g", transform=f"translate({column * wide} {row * high})")
        if heads:
            add(group, "text", "", heads[number], x=(wide - GAP) / 2, y=13, **letters("ink"))
        _draw_position(add(group, "g", transform=f"translate(0 {head})"), game, board, state)
    return picture


def _draw_position(group: Element, game: Game[State, Any], board: Board, state: State) -> None:
    cells = board.cells(state)
    draw_board(add(group, "g", "board", transform=f"scale({CELL / 10})"), board, cells, cells)
    following = {} if game.is_terminal(state) else _following(game, board, state)
    if any(_leaves_a_cell(cells, after) for after in following.values()):
        _number_cells(group, board)
        return
    for action, after in following.items():
        filled = [cell for cell, piece in enumerate(cells) if piece != after[cell] and not piece]
        if len(filled) == 1:
            row, column = divmod(filled[0], board.columns)
            label = plain(game.action_label(state, action))
            x, y = CELL * (column + 0.5), CELL * (row + 0.5) + 4
            add(group, "text", "", label, x=x, y=y, **letters("muted"))


def _following(game: Game[State, Any], board: Board, state: State) -> dict[Any, Sequence[int]]:
    """For each action: the cells after it."""
    return {action: board.cells(game.play(state, action)) for action in game.legal_actions(state)}


def _leaves_a_cell(before: Sequence[int], after: Sequence[int]) -> bool:
    """True if a piece has gone from its cell, and no other one is there."""
    return any(old and not new for old, new in zip(before, after, strict=True))


def _number_cells(group: Element, board: Board) -> None:
    """Write its number in the corner of each cell, row by row from 0."""
    look = letters("muted", "start") | {"font_size": "8"}
    for cell in range(board.rows * board.columns):
        row, column = divmod(cell, board.columns)
        add(group, "text", "", str(cell), x=CELL * column + 2, y=CELL * row + 9, **look)


# Trees and graphs --------------------------------------------------------------------------------


SHAPES: Final = {
    "box": ("box", "plain"),
    "grey": ("box", "plain end"),
    "ellipse": ("ellipse", "plain other"),
    "circle": ("ellipse", "plain"),
    "": ("", ""),
}
"""By shape of a node: how it is drawn."""


class TreeNode(NamedTuple):
    """A node of a drawn tree or graph."""

    text: str
    parent: int = -1
    """The place of the node above it in a tree; -1 for a root, and in other graphs."""
    shape: str = "box"
    """A box, a grey one for the end, an ellipse, a circle for chance, or "" for text."""
    move: str = ""
    """The words next to the line that leads there."""
    thick: bool = False
    """Drawn with a thick outline."""

    @property
    def size(self) -> tuple[float, float]:
        """The width and height of its picture, in points."""
        lines = self.text.split("\n")
        room, least = (14, 36) if self.shape else (6, 26)  # a text alone needs less
        wide = max(LETTER * max(map(len, [*lines, self.move])) + room, least)
        high = LINE * len(lines) + 8
        if self.shape == "circle":
            return (max(wide, high),) * 2
        return (wide * 1.2, high * 1.2) if self.shape == "ellipse" else (wide, high)


class Drawing(NamedTuple):
    """Nodes at their places, under a title and perhaps with a line of text below them."""

    title: str
    nodes: Sequence[TreeNode]
    edges: Sequence[tuple[int, int]]
    """From the node above to the one below, by number."""
    centers: Sequence[tuple[float, float]]
    below: str = ""


def in_lanes(
    sizes: Sequence[tuple[float, float]], parents: Sequence[int]
) -> list[tuple[float, float]]:
    """Places for the boxes of a tree, parents first: a lane for each, and a row for each depth.

    ``sizes`` have a width and a height, ``parents`` the number of the box above, -1 for the root;
    a lane is as wide as its box or the lanes below it, whichever is more.
    """
    lanes = [wide for wide, _ in sizes]
    below = [0.0] * len(sizes)
    depths = [0]
    highs = [sizes[0][1]]
    for box in range(len(sizes) - 1, 0, -1):
        lanes[box] = max(lanes[box], below[box])
        below[parents[box]] += lanes[box]
    lanes[0] = max(lanes[0], below[0])
    lefts = [0.0] * len(sizes)
    free = [(lane - wide) / 2 for lane, wide in zip(lanes, below, strict=True)]
    for box in range(1, len(sizes)):
        above = parents[box]
        lefts[box] = lefts[above] + free[above]
        free[above] += lanes[box]
        depths.append(depths[above] + 1)
        highs += [0.0] * (depths[box] + 1 - len(highs))
        highs[depths[box]] = max(highs[depths[box]], sizes[box][1])
    tops = [0.0, *accumulate(highs)]
    middles = [tops[depth] + highs[depth] / 2 for depth in depths]
    return [(lefts[box] + lanes[box] / 2, y) for box, y in enumerate(middles)]


def tree_drawing(title: str, nodes: Sequence[TreeNode]) -> Drawing:
    """Place a tree's nodes, parents first: each subtree has a lane of its own."""
    sizes = [(node.size[0] + APART, node.size[1] + LEVEL) for node in nodes]
    centers = in_lanes(sizes, [node.parent for node in nodes])
    return Drawing(title, nodes, _edges(nodes), centers)


def place_rows(
    nodes: Sequence[TreeNode], rows: Sequence[Sequence[int]]
) -> list[tuple[float, float]]:
    """Place the nodes of these numbers in rows, each in the middle."""
    wides, highs = zip(*(node.size for node in nodes), strict=True)
    wide, high = max(wides) + APART, max(highs) + LEVEL
    most = max(map(len, rows))
    centers = {
        number: ((most / 2 + place - len(row) / 2 + 0.5) * wide, (depth + 0.5) * high)
        for depth, row in enumerate(rows)
        for place, number in enumerate(row)
    }
    return [centers[number] for number in range(len(nodes))]


def _depths(nodes: Sequence[TreeNode]) -> list[int]:
    depths: list[int] = []
    for node in nodes:
        depths.append(0 if node.parent < 0 else depths[node.parent] + 1)
    return depths


def _edges(nodes: Sequence[TreeNode]) -> list[tuple[int, int]]:
    return [(node.parent, number) for number, node in enumerate(nodes) if node.parent >= 0]


def draw_tree(nodes: Sequence[TreeNode]) -> Picture:
    """Draw a tree whose nodes come parents first."""
    return side_by_side([tree_drawing("", nodes)])


def side_by_side(drawings: Sequence[Drawing], legend: str = "") -> Picture:
    """Draw graphs beside each other, above one ``legend``."""
    left = 0.0
    high = 0.0
    said: list[str] = []
    parts: list[Node] = []
    edges: list[Edge] = []
    head = HEAD if any(drawing.title for drawing in drawings) else 0
    for number, drawing in enumerate(drawings):
        wide, bottom = _extent(drawing)
        name, room = f"g{number}_", max(wide, *map(_wide, (drawing.title, drawing.below)))
        parts += _line(f"{name}title", drawing.title, left, 6, room)
        parts += _line(f"{name}below", drawing.below, left, head + bottom + HEAD - 4, room)
        for place in range(len(drawing.nodes)):
            parts += _parts(name, drawing, place, (left, head))
        edges += [_edge(name, drawing, *ends, (left, head)) for ends in drawing.edges]
        left, high = left + room + GAP, max(high, head + bottom + (HEAD if drawing.below else 0))
        said.append(_told(drawing))
    wide = max(left - GAP, _wide(legend))
    parts += _line("legend", legend, 0.0, high + 12, wide)
    moved = [part._replace(x=part.x + MARGIN, y=part.y + MARGIN) for part in parts]
    edges = [
        edge._replace(**{side: getattr(edge, side) + MARGIN for side in ("x0", "y0", "x1", "y1")})
        for edge in edges
    ]
    words = "\n\n".join(said)
    size = wide + 2 * MARGIN, high + (HEAD if legend else 0) + 2 * MARGIN
    return Picture(svg(Page(moved, edges, *size, words)), words)


def _extent(drawing: Drawing) -> tuple[float, float]:
    """The right and the lower end of what is drawn."""
    sizes = [node.size for node in drawing.nodes]
    ends = zip(sizes, drawing.centers, strict=True)
    rights, feet = zip(*((x + w / 2, y + h / 2) for (w, h), (x, y) in ends), strict=True)
    return max(rights), max(feet)


def _told(drawing: Drawing) -> str:
    """The graph as lines of text."""
    lines = zip(drawing.nodes, _depths(drawing.nodes), strict=True)
    texts = ["  " * depth + " ".join(f"{node.move} {node.text}".split()) for node, depth in lines]
    return "\n".join([drawing.title, *texts] if drawing.title else texts)


def _wide(text: str) -> float:
    return width(text, SIZE)


def _line(name: str, text: str, left: float, y: float, room: float) -> list[Node]:
    """A line of text, or nothing."""
    line = Node(name, left + room / 2, y, room, LINE, text=text, size=SIZE, align="start")
    return [line] if text else []


def _edge(name: str, drawing: Drawing, above: int, below: int, corner: tuple[float, float]) -> Edge:
    """The line between two nodes."""
    (x0, y0), (x1, y1) = drawing.centers[above], drawing.centers[below]
    left, top = corner
    start = top + y0 + drawing.nodes[above].size[1] / 2
    end = top + y1 - drawing.nodes[below].size[1] / 2
    luck = drawing.nodes[above].shape == "circle"
    look = "edge untried" if luck else "edge"
    return Edge(f"{name}{above}", f"{name}{below}", left + x0, start, left + x1, end, 1.0, look)


def _parts(name: str, drawing: Drawing, number: int, corner: tuple[float, float]) -> list[Node]:
    """A node's shape, its lines of text, and the move that leads there."""
    node, (wide, high) = drawing.nodes[number], drawing.nodes[number].size
    x, y = (a + b for a, b in zip(drawing.centers[number], corner, strict=True))
    name = f"{name}{number}"
    shape, look = SHAPES[node.shape]
    look += " thick" if node.thick else ""
    parts = [Node(name, x, y, wide, high, shape, look if shape else "")]
    lines = node.text.split("\n")
    for row, text in enumerate(lines):
        at = y + LINE * (row - (len(lines) - 1) / 2)
        line = Node(f"{name}_{row}", x, at, wide, LINE, text=text, size=SIZE, mono=True)
        parts.append(line)
    if node.move:
        above = y - high / 2 - LEVEL / 2
        room = _wide(node.move) + 6
        pill = Node(f"{name}_move", x, above + 4, room, LINE, "box", "paper")
        parts.append(pill._replace(text=node.move, size=SIZE, ink="muted"))
    return parts


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
    labels = labels or {}
    kind = 'a dict with texts by the name of a node, such as {"a": "best"}'
    require(isinstance(labels, Mapping), "labels", kind, labels)
    nodes = tree_nodes(game, labels)
    known = {node.text.partition("\n")[0] for node in nodes}
    named = {plain(str(name)) for name in labels}
    require(named <= known, "labels", f"for some of the nodes {listed(sorted(known))}", labels)
    return draw_tree(nodes)


def tree_nodes(game: GameTree, labels: Mapping[str, str]) -> list[TreeNode]:
    """Return the nodes of a game tree as :func:`show_tree` draws them, parents first."""
    nodes: list[TreeNode] = []

    def add_below(state: Any, parent: int) -> None:
        name, over = state[-1] if state else "root", game.is_terminal(state)
        value = f"{game.returns(state)[0]:g}".replace("-", "−") if over else ""
        lines = filter(None, (name, value, labels.get(name, "")))
        shape = "" if over else ("box", "ellipse")[game.to_move(state)]
        nodes.append(TreeNode("\n".join(map(plain, lines)), parent, shape))
        place = len(nodes) - 1
        if not over:
            for action in game.legal_actions(state):
                add_below(game.play(state, action), place)

    add_below(game.initial_state(), -1)
    return nodes
