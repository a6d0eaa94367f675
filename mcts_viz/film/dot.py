"""A moment of a film in DOT, as a textbook draws it and as Graphviz shows it.

All nodes have one size, each depth has its row, and siblings are in the order of their moves. The
tree is laid out once, as it is at the end of the film, so no node moves from one moment to the
next: each moment's DOT says where its nodes are, and Graphviz draws it in a few milliseconds.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from functools import cached_property
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from xml.etree.ElementTree import Element, tostring

import graphviz

from ..games import turns
from ..search import PHASES
from .boards import Board, Piece, draw_board
from .layout import BOX_GAP, INCH, Layout, lay_out, render
from .minimax_film import MinimaxFilm
from .pictures import OF_EVENT, THEMES, add, new_svg, output_forms, still_css, with_words
from .search_film import SearchFilm
from .words import move_order, name_of, plain, plain_lines, rule_label, short

if TYPE_CHECKING:
    from .cards import Card, Frame
    from .still import AnyFilm

FONT: Final = "DejaVu Sans"
COLOURS: Final = THEMES["light"]
SHAPES: Final = {"box": "filled", "rounded": "rounded,filled", "ellipse": "filled"}
"""The shapes of nodes, by the player who moved there; of minimax, by who moves next, or the end."""
CHANCE: Final = "diamond"
"""The shape of a node where chance decides, in either kind of film."""

LETTER: Final = 6.8
"""The width of a letter of 11 points, about."""
LINE: Final = 15.0
"""From one line of text to the next."""
PAD: Final = 5.0
"""Around what a node says."""
BOARD: Final = 54.0
"""The longer side of a small board; of a board of many cells it is more."""
LEAST_CELL: Final = 7.0
"""The side of a cell in which a letter can still be told."""
LETTER_SIZE: Final = 0.7
"""The size of a letter in a cell, as a part of its side."""
LINE_HEIGHT: Final = 1.2
"""By so much Graphviz takes a line of text to be higher than its letters are large."""
LARGE: Final = {"●": "⬤", "◉": "◯"}
"""Discs are written by signs that fill their line."""
ROW_GAP: Final = 34.0
"""Between two rows, where the moves are written beside the lines."""
CAPTION_LINES: Final = 3
RETURN_LINES: Final = 5
"""The longest captions have so many, the second where steps pay and captions tell returns by their
parts; shorter ones keep the room, so the picture stays where it is.
"""
COLUMNS: Final = 90
"""Letters in a line of the caption."""
PAGE: Final = 934.0
"""The width of a notebook on a laptop; a tree of up to 12 nodes may be wider."""
FEWEST: Final = 12
FEWER: Final = 0.9
"""As long as a tree is too wide, it is tried with so many of its nodes."""
NARROWEST: Final = 600.0
"""The least width of a picture, in which such a line has room."""


class Node(NamedTuple):
    """All that a picture shows of one node at one moment."""

    number: int
    cells: Sequence[int]
    """Of its board; empty for a game without one."""
    before: Sequence[int]
    """The cells before the move that led there."""
    lines: list[str]
    """Its texts; the one with wins and visits is ``lines[bold]``."""
    bold: int
    shape: str
    card: Card


class Graph(graphviz.Digraph):  # type: ignore[misc]
    """A graph that a notebook shows by pygraphviz, else by ``dot``, else by a picture of ours."""

    own: Callable[[], str]
    """Makes an SVG of the same without Graphviz."""
    words: str
    """The game, and what happens."""

    @property
    def svg(self) -> str:
        """Its picture."""
        return _svg(self.source) or self.own()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **_: Any) -> Any:
        svg = re.sub(r'(width|height)="([\d.]+)pt"', r'\1="\2"', self.svg, count=2)
        forms, metadata = with_words(output_forms(svg, self.words, 1.5))
        return forms | {"text/plain": self.source}, metadata


def _svg(source: str) -> str | None:
    """The graph as SVG; ``None`` if neither pygraphviz nor ``dot`` works here."""
    try:
        return render(source, "svg", "neato").decode()
    except Exception:  # missing or broken: the program may work
        pass
    try:
        return str(graphviz.pipe("dot", "svg", source.encode(), quiet=True), "utf-8")
    except (OSError, graphviz.ExecutableNotFound, subprocess.SubprocessError):
        return None


class Textbook:
    """The tree of a film as a textbook draws it: the size of its nodes, and their places.

    ``nodes`` come parents first, and siblings in the order of their moves.
    """

    def __init__(self, data: AnyFilm, few: bool) -> None:
        self.data = data
        self._take(data.cards)
        while few and len(data.cards) > FEWEST and self._too_wide():
            data.cards = data.heaviest(max(FEWEST, int(FEWER * len(data.cards))))
            self._take(data.cards)

    def _too_wide(self) -> bool:
        """True if a page would have to shrink the tree."""
        return self._laid_out(tidy=True).width > PAGE

    def _take(self, cards: Sequence[int]) -> None:
        """Show these nodes: what they say, and how large they are."""
        self.nodes = nodes = _in_order(self.data, cards)
        data = self.data
        trace, board = data.trace, data.board
        states = [trace.state(node) for node in nodes]
        texts = [[] if board else plain_lines(data.game.text(state)) for state in states]
        self.positions = [[*filter(str.strip, lines)] for lines in texts]
        """By place in ``nodes``: the text of a position without a board."""
        self.is_part = len(nodes) < len(data.source.parent) or getattr(data, "narrows", False)
        """True if some nodes, or moves that were cut off, are only counted."""
        said = [*data.longest_texts, *(line for lines in self.positions for line in lines)]
        if isinstance(data, SearchFilm):
            said.append(f"{rule_label(data.trace)} 0.00")
            said += [data.beside(node, data.trace.iterations) for node in nodes]
        says_more = isinstance(data, SearchFilm) and data.says_more
        self.lines = max(map(len, self.positions)) + 2 + self.is_part + says_more
        """The number of lines that every node has room for."""
        wide, high = board_size(board)
        self.size = (
            max(wide, LETTER * max(map(len, said))) + 2 * PAD,
            (high + PAD if board else 0) + LINE * self.lines + 2 * PAD,
        )

    @cached_property
    def layout(self) -> Layout:
        """Where the nodes are, in points, by their place in ``nodes``."""
        return self._laid_out(tidy=False)

    def _laid_out(self, tidy: bool) -> Layout:
        place = {node: number for number, node in enumerate(self.nodes)}
        parents = [-1] + [place[int(self.data.trace.parent[node])] for node in self.nodes[1:]]
        wide, high = self.size
        return lay_out([(wide, high + ROW_GAP - BOX_GAP)] * len(self.nodes), parents, tidy)

    @cached_property
    def centers(self) -> dict[int, tuple[float, float]]:
        """By node: where its middle is, y down."""
        return dict(zip(self.nodes, self.layout.centers, strict=True))

    def shown(self, frame: Frame) -> list[Node]:
        """The nodes that are there at a moment, in the order of ``nodes``."""
        cards = {card.node: card for card in frame.cards}
        return [
            self._node(number, lines, cards[number], frame)
            for number, lines in zip(self.nodes, self.positions, strict=True)
            if number in cards
        ]

    def _node(self, number: int, position: list[str], card: Card, frame: Frame) -> Node:
        data, board = self.data, self.data.board
        score = "" if card.score == "root" else f"{card.rule} {card.score}".strip()
        counts = (("+", frame.hidden.get(number)), ("✂", frame.pruned.get(number)))
        below = " ".join(f"{sign}{count}" for sign, count in counts if count)
        player = data.player(number)
        above = max(0, int(data.trace.parent[number]))
        cells: Sequence[int] = board.cells(data.trace.state(number)) if board else ()
        before: Sequence[int] = board.cells(data.trace.state(above)) if board else ()
        shape = [*SHAPES][player % 2 if player is not None else 2]
        if data.trace.chance[number]:  # the position is its parent's, but for the move
            shape, cells, before, position = CHANCE, (), (), []
        beside = self._beside(number, frame)
        lines = [*position, _share(data, frame, card), *filter(None, (score, beside, below))]
        if shape != CHANCE:  # whose lines are in its middle, where it is wide
            lines += [""] * (self.lines - len(lines))
        return Node(number, cells, before, lines, len(position), shape, card)

    def _beside(self, number: int, frame: Frame) -> str:
        """How likely an outcome of chance is, and what other statistics say."""
        if not isinstance(self.data, SearchFilm):
            return ""
        counted = frame.iteration - (frame.phase != PHASES[-1])
        return self.data.beside(number, counted)

    def words(self, texts: Sequence[str]) -> list[str]:
        """The lines above the tree: as many at every moment."""
        *heads, words = texts
        caption = wrap(words, COLUMNS)
        most = RETURN_LINES if turns.pays_on_the_way(self.data.game) else CAPTION_LINES
        caption += [" "] * (most - len(caption))
        return [*heads, " ", *caption, *wrap(_key(self.data), COLUMNS)]

    def look(self, node: Node, phase: str) -> tuple[str, str, float]:
        """The colours of a node's ground and line, and how thick the line is."""
        player = self.data.player(node.number)
        line = COLOURS["line"] if player is None else COLOURS[f"player-{player % 3}"]
        if node.card.on_path:
            return COLOURS["card"], COLOURS[OF_EVENT.get(phase, phase)], 3.0
        return COLOURS["card"], line, 1.0


def _in_order(data: AnyFilm, cards: Sequence[int]) -> list[int]:
    """Level by level, and siblings as their moves are ordered."""
    order, parent = move_order(data.trace), data.trace.parent
    below: dict[int, list[int]] = {node: [] for node in cards}
    for node in cards[1:]:
        below[int(parent[node])].append(node)
    nodes = [0]
    for node in nodes:
        nodes += sorted(below[node], key=lambda child: (order[child], child))
    return nodes


def board_size(board: Board | None) -> tuple[float, float]:
    """How wide and how high a small board is, in points."""
    if not board:
        return 0.0, 0.0
    cell = max(LEAST_CELL, BOARD / max(3, board.rows, board.columns))
    return cell * board.columns, cell * board.rows


# As DOT -------------------------------------------------------------------------------------------


def moment_in_dot(book: Textbook, frame: Frame, texts: Sequence[str]) -> Graph:
    """Draw a moment of a search or a walk: a node a card, the path thick, players by shape."""
    data, trace = book.data, book.data.trace
    phase = COLOURS[OF_EVENT.get(frame.phase, frame.phase)]
    wide, high = book.size
    graph = Graph(
        graph_attr={
            "layout": "neato",  # which leaves nodes where they are pinned
            "inputscale": f"{INCH:g}",
            "splines": "line",
            "label": _text("\n".join(book.words(texts)), r"\l"),
            "labelloc": "t",
            "labeljust": "l",
            "fontname": FONT,
            "fontsize": "11",
        },
        node_attr={
            "shape": "box",
            "fixedsize": "true",
            "width": f"{wide / INCH:.3f}",
            "height": f"{high / INCH:.3f}",
            "fontname": FONT,
            "fontsize": "11",
            "fillcolor": COLOURS["card"],
        },
        edge_attr={"dir": "none", "fontsize": "11", "fontname": FONT, "color": COLOURS["line"]},
    )
    for node in book.shown(frame):
        _, line, thick = book.look(node, frame.phase)
        x, y = book.centers[node.number]
        style = SHAPES.get(node.shape, "filled")
        if node.card.new:
            style += ",dashed"
        graph.node(
            f"n{node.number}",
            _label(data.board, node),
            shape="box" if node.shape == "rounded" else node.shape,
            style=style,
            color=line,
            penwidth=f"{thick:g}",
            peripheries="2" if node.card.mark else "1",
            pos=f"{x:g},{-y:g}!",
        )
        if node.number:
            pen = {"penwidth": f"{max(3 * node.card.on_path, 1 + 4 * node.card.visit_share):.1f}"}
            coloured = {"color": phase} if node.card.on_path else {}
            move = _text(f" {name_of(trace, node.number)} ")
            ends = f"n{trace.parent[node.number]}:s", f"n{node.number}:n"
            graph.edge(*ends, label=move, **pen, **coloured)
    beside = max(0.0, NARROWEST - book.layout.width) / 2
    corners = (-beside, 0.0), (book.layout.width + beside, -book.layout.height)
    for corner, (x, y) in enumerate(corners):  # the picture is as large at any moment
        point = {"shape": "point", "width": "0", "height": "0", "style": "invis"}
        graph.node(f"corner{corner}", "", pos=f"{x:g},{y:g}!", **point)
    return graph


def _label(board: Board | None, node: Node) -> str:
    """The texts of a node, as a table of Graphviz."""
    rows = [f"<tr><td>{_board_table(board, node)}</td></tr>"] if board and node.cells else []
    for place, line in enumerate(node.lines):
        text = _html(line) or " "
        rows.append(f"<tr><td>{f'<b>{text}</b>' if place == node.bold else text}</td></tr>")
    return (
        '<<table border="0" cellborder="0" cellspacing="0" '
        f'cellpadding="1">{"".join(rows)}</table>>'
    )


def _board_table(board: Board, node: Node) -> str:
    """A board as a table within the table: a letter a piece, the ground of what changed
    coloured."""
    wide, _ = board_size(board)
    side = round(wide / board.columns)
    rows = []
    for row in range(board.rows):
        cells = []
        for place in range(row * board.columns, (row + 1) * board.columns):
            changed = node.cells[place] != node.before[place]
            ground = f' bgcolor="{COLOURS["glow"]}"' if changed else ""
            piece = node.cells[place]
            sign = _sign(board.pieces[piece - 1], side) if piece else ""
            size = f'width="{side}" height="{side}" fixedsize="true"'
            cells.append(f"<td {size}{ground}>{sign}</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    look = f'border="0" cellborder="1" cellspacing="0" cellpadding="0" color="{COLOURS["grid"]}"'
    # A table that may grow is drawn as wide as the longest line below it.
    size = f'width="{side * board.columns}" height="{side * board.rows}" fixedsize="true"'
    return f"<table {look} {size}>{''.join(rows)}</table>"


def _sign(piece: Piece, side: int) -> str:
    """The letter of a piece, in a cell of that side."""
    sign = LARGE.get(piece.sign, piece.sign)
    inside = side - 2  # of the cell's line
    points = min(LETTER_SIZE * side / len(sign), inside / LINE_HEIGHT)
    colour = COLOURS[f"player-{piece.player}"]
    return f'<font point-size="{points:.1f}" color="{colour}"><b>{sign}</b></font>'


def _html(text: str) -> str:
    """Text that Graphviz takes as it is within a table."""
    return escape(text).replace("\\", "&#92;")


def _text(text: str, line: str = r"\n") -> str:
    """Text that Graphviz takes as it is, lines ended by ``line``."""
    escaped = graphviz.nohtml(graphviz.escape(text))
    return str(escaped).replace("\n", line) + (line if line != r"\n" else "")


def _share(data: AnyFilm, frame: Frame, card: Card) -> str:
    """Wins by visits, of the root too; of a walk its value."""
    if isinstance(data, MinimaxFilm):
        return card.share
    counted = frame.iteration - (frame.phase != PHASES[-1])
    visits, wins = map(float, data.statistics(card.node, counted))
    return f"{short(wins)}/{visits:.0f}"


def _key(data: AnyFilm) -> str:
    """The meaning of shapes and lines, in a sentence."""
    names = ("MAX", "MIN") if data.kind == "minimax" else data.game.players
    here = "moves here" if data.kind == "minimax" else "moved here"
    shapes = [f"{[*SHAPES][n % 2]}: {plain(name)} {here}" for n, name in enumerate(names)]
    chance = [f"{CHANCE}: chance decides"] * turns.knows_luck(data.game)
    return f"({'; '.join([*shapes, *chance, 'thick: the path', 'dashed: the new node'])})"


# Without Graphviz ---------------------------------------------------------------------------------

MARGIN: Final = 8.0


def moment_in_svg(book: Textbook, frame: Frame, texts: Sequence[str]) -> str:
    """The same picture, drawn by ourselves."""
    words = book.words(texts)
    head = LINE * len(words) + 2 * MARGIN
    wide = max(book.layout.width, LETTER * max(map(len, words))) + 2 * MARGIN
    high = head + book.layout.height + MARGIN
    size = {"width": f"{wide:.0f}", "height": f"{high:.0f}"}
    picture = new_svg((0, 0, round(wide), round(high)), role="img", aria_label=texts[-1], **size)
    add(picture, "style", text=still_css("light", frame.phase))
    add(picture, "rect", width="100%", height="100%", fill=COLOURS["page"])
    look = {
        "font_family": f"{FONT}, Verdana, sans-serif",
        "font_size": "11",
        "fill": COLOURS["ink"],
    }
    for number, line in enumerate(words):
        add(picture, "text", "", line, x=MARGIN, y=LINE * (number + 1), **look)
    tree = add(picture, "g", transform=f"translate({MARGIN:g} {head:g})")
    lines, boxes = add(tree, "g"), add(tree, "g")
    for node in book.shown(frame):
        _draw_line(lines, book, node, frame.phase, look)
        _draw_node(boxes, book, node, frame.phase, look)
    return tostring(picture, encoding="unicode")


def _draw_line(
    lines: Element, book: Textbook, node: Node, phase: str, look: dict[str, str]
) -> None:
    """The line from a node's parent, with the move beside it."""
    if not node.number:
        return
    high, card = book.size[1], node.card
    (x0, y0), (x1, y1) = (
        book.centers[int(book.data.trace.parent[node.number])],
        book.centers[node.number],
    )
    y0, y1 = y0 + high / 2, y1 - high / 2
    colour = COLOURS[OF_EVENT.get(phase, phase)] if card.on_path else COLOURS["line"]
    thick = max(3.0 * card.on_path, 1 + 4 * card.visit_share)
    add(lines, "line", x1=x0, y1=y0, x2=x1, y2=y1, stroke=colour, stroke_width=thick)
    move, at = (
        name_of(book.data.trace, node.number),
        {"x": (x0 + x1) / 2, "y": (y0 + y1) / 2 + 4},
    )
    halo = {"stroke": COLOURS["page"], "stroke_width": 4, "paint_order": "stroke"}
    add(lines, "text", "", move, text_anchor="middle", **at, **halo, **look)


def _draw_node(
    boxes: Element, book: Textbook, node: Node, phase: str, look: dict[str, str]
) -> None:
    """The box, ellipse or diamond of a node, with its board and its texts."""
    (wide, high), (x, y) = book.size, book.centers[node.number]
    ground, line, thick = book.look(node, phase)
    group = add(boxes, "g", "node", transform=f"translate({x - wide / 2:.1f} {y - high / 2:.1f})")
    pen: dict[str, Any] = {"fill": ground, "stroke": line, "stroke_width": thick}
    pen |= {"stroke_dasharray": "6 3"} if node.card.new else {}
    if node.shape == "ellipse":
        add(group, "ellipse", cx=wide / 2, cy=high / 2, rx=wide / 2, ry=high / 2, **pen)
    elif node.shape == CHANCE:
        d = f"M{wide / 2} 0L{wide} {high / 2}L{wide / 2} {high}L0 {high / 2}Z"
        add(group, "path", d=d, **pen)
    else:
        add(group, "rect", width=wide, height=high, rx=10 if node.shape == "rounded" else 0, **pen)
    if node.card.mark:
        add(group, "rect", x=3, y=3, width=wide - 6, height=high - 6, fill="none", stroke=line)
    top, board = PAD, book.data.board
    if node.shape == CHANCE:
        top = (high - LINE * len(node.lines)) / 2
    if board and node.cells:
        across, down = board_size(board)
        scale = across / (10 * board.columns)
        place = f"translate({(wide - across) / 2:.1f} {top:.1f}) scale({scale:.3f})"
        draw_board(add(group, "g", "mcts-board", transform=place), board, node.cells, node.before)
        top += down + PAD / 2
    for number, text in enumerate(node.lines):
        weight = {"font_weight": "bold"} if number == node.bold else {}
        middle = {"x": wide / 2, "y": top + LINE * (number + 0.8)}
        add(group, "text", "", text, text_anchor="middle", **middle, **look, **weight)
