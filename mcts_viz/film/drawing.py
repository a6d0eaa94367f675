"""The tree as a picture: where its cards stand, and a still of any moment.

The player draws the same cards in the browser, from the same sizes and places.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from textwrap import wrap
from typing import Any, Final, TypeAlias
from xml.etree.ElementTree import Element, SubElement, tostring

import numpy as np

from ..errors import MctsVizError, short_repr
from ..games.boards import among
from ..search import EVENTS, PHASES
from .boards import draw_board
from .cards import Card, Frame
from .layout import READABLE, Arrangement, arrange, page_scale
from .minimax_film import MinimaxFilm
from .search_film import SearchFilm
from .theme import THEMES, badge, still_css
from .words import move_order, plain, plain_lines

AnyFilm: TypeAlias = SearchFilm | MinimaxFilm
Size: TypeAlias = tuple[float, float]

SVG: Final = "http://www.w3.org/2000/svg"
LETTER: Final = 6.8
"""The width of a letter on a card, whose texts have 12 points."""
FEWEST: Final = 12
LINKED: Final = 64
"""Most nodes that the player shows as a tree of cards; a film of 60 iterations has 61."""
OVERHANG: Final = 13.0
"""Below each card, for the end of a path that has no card, or for what was cut off."""
DOT: Final = 14.0
MARGIN: Final = 10.0
HEADER: Final = 44.0
FOOTER_LINE: Final = 15.0
BADGE: Final = 24.0
"""The room that a phase's number and shape take in the header."""


class Drawing:
    """Which cards a still has, how large they are and where they stand."""

    def __init__(self, data: AnyFilm, engine: str | None = None, few: bool = False) -> None:
        self.data, self._engine = data, engine
        self.card_templates = _card_templates(data)
        template = self.card_templates["tall"]
        self.size: Size = template["width"], template["height"]
        if few:
            data.cards = data.heaviest(self._readable())
        self.nodes = _in_order(data, data.cards)
        self.layout = self._arrange(self.nodes, engine)

    @property
    def is_whole(self) -> bool:
        """Whether every node has a card that the pane shows large enough to be read."""
        every = len(self.nodes) == len(self.data.source.parent)
        return every and page_scale(self.layout) >= READABLE

    @cached_property
    def every(self) -> tuple[list[int], Arrangement] | None:
        """All nodes and where their cards stand, for the player; ``None`` if they are too many."""
        count = len(self.data.trace.parent)
        if count > LINKED or count < len(self.data.source.parent):
            return None
        nodes = _in_order(self.data, range(count))
        return nodes, self.layout if nodes == self.nodes else self._arrange(nodes, self._engine)

    def _readable(self) -> int:
        """How many cards the pane shows large enough, at most those that the data has."""
        for count in range(len(self.data.cards), FEWEST, -1 - len(self.data.cards) // 20):
            nodes = _in_order(self.data, self.data.heaviest(count))
            if page_scale(self._arrange(nodes, "tidy")) >= READABLE:
                return count
        return min(FEWEST, len(self.data.cards))

    def _arrange(self, nodes: Sequence[int], engine: str | None) -> Arrangement:
        data = self.data
        place = {node: number for number, node in enumerate(nodes)}
        parents = [-1] + [place[int(data.trace.parent[node])] for node in nodes[1:]]
        rest = len(nodes) < len(data.trace.parent) or (
            isinstance(data, MinimaxFilm) and data.narrows
        )
        return arrange(parents, [self.size] * len(nodes), OVERHANG if rest else 2.0, engine)


def _card_templates(data: AnyFilm) -> dict[str, dict[str, Any]]:
    """By kind of card: its size, and where its board, its texts and its bar stand.

    The walk has full cards, slim ones where many moves stand below each other, and of early
    columns the chosen one folded and its rivals as bars; the tree has "tall" ones, which are
    compact. A board is given by its corner and how large its units are, a text by its place and
    the end that stands there, a bar by its corner and its size.
    """
    board, nodes = data.board, range(min(500, len(data.trace.parent)))
    label = 6.6 * max(len(plain(data.trace.label(node))) for node in nodes)
    rows, columns = (10 * board.rows, 10 * board.columns) if board else (1, 1)

    def boarded(x: float, y: float, width: float, height: float) -> list[float]:
        scale = min(width / columns, height / rows)
        return [x + (width - scale * columns) / 2, y + (height - scale * rows) / 2, scale]

    children = np.bincount(data.trace.parent[1:].astype(np.intp), minlength=1)
    most = children.max()
    high = 36.0
    unit = min(48 / columns, high / rows)
    left = 13 + unit * columns if board else 9
    # The root has no piece before its visits, which are longer than what others say.
    needed = max(128.0, left + 21 + 7.2 * (max(len(text) for text in data.longest_texts) - 2))
    wide = needed if board and most <= 8 else max(needed, min(200.0, 80 + label))
    guided = hasattr(getattr(data.trace, "selection", None), "prior")
    wide += 28 * guided  # room for "P 0.25"
    right = wide - 6
    full: dict[str, Any] = {"width": wide, "height": high + 10, "bar": [left, 22, right - left, 6]}
    if isinstance(data, MinimaxFilm):  # the window from alpha to beta has its own line
        full["share"] = [left, 17, "start"] if board else [right, 16, "end"]
        full["score"] = [left, 41, "start"]
    elif board:
        full["bar"] = [left, 28, right - left - 32, 10]
        full |= {"share": [left, 18, "start"], "score": [right, 37, "end"]}
        full["truth"] = [left, 38, "start"]
    else:
        full |= {"share": [left, 41, "start"], "score": [right, 41, "end"]}
        full["truth"] = [right, 16, "end"]
    if board:
        full["board"] = [5, 23 - unit * rows / 2, unit]
    else:
        full["label"] = [left, 16, "start"]
    if guided:
        full["prior"] = [right, 18 if board else 16, "end"]
    slim = {"width": wide, "height": 22, "bar": [7, 17, wide - 14, 3]}
    slim |= {"label": [7, 14, "start"], "share": [wide - 7, 14, "end"]}
    row = {**full, "height": 36.0}  # lower, where there are many moves
    for name in ("bar", "share", "score", "truth", "prior"):
        if name in row:
            first, second, *rest = full[name]
            row[name] = [first, second - 5 if second > 20 else second - 3, *rest]
    folded: dict[str, Any] = {"width": 46, "height": 46}
    most_visited = max(len(text) for text in data.longest_texts)
    root = {**folded, "width": max(76.0, 6.6 * most_visited + 8), "height": 80.0}
    root["share"] = [root["width"] / 2, 60, "middle"]
    root["wins"] = [root["width"] / 2, 74, "middle"]

    share, *others = data.longest_texts  # bold, the first
    texts = [15 + sum(8.4 if letter.isalnum() else 4.8 for letter in share)]  # and a piece
    texts += [LETTER * len(text) for text in others]
    if board:
        unit = min(32 / columns, 26 / rows)
        left, long = 9 + unit * columns, max(40.0, *texts)
    else:
        left, long = 6, max(LETTER * 6 + texts[0], sum(texts), label)
    tall: dict[str, Any] = {"width": left + long + 5, "height": 34.0, "bar": [left, 29, long, 2.5]}
    tall |= {"share": [left, 13 if board else 26, "start"]}
    tall |= {"score": [left, 25, "start"] if board else [left + long, 26, "end"]}
    tall["truth"] = tall["score"]
    if board:
        row["board"] = boarded(5, 3, min(48, 30 * columns / rows), 30)
        folded["board"] = boarded(4, 4, 38, 38)
        root["board"] = boarded((root["width"] - 42) / 2, 4, 42, 42)
        tall["board"] = [4, 17 - unit * rows / 2, unit]
    else:
        folded["label"] = [23, 27, "middle"]
        root["label"] = [root["width"] / 2, 30, "middle"]
        tall["label"] = [left, 13, "start"]
    bar, dot = {"width": 46, "height": 10, "bar": [0, 0, 46, 10]}, {"width": DOT, "height": DOT}
    if isinstance(data, MinimaxFilm):  # whose root has a value and a window
        root = full
    walk = {"root": root, "full": full, "row": row, "slim": slim, "folded": folded, "bar": bar}
    return {**walk, "tall": tall, "dot": dot}


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


# One moment --------------------------------------------------------------------------------------


def still(
    drawing: Drawing, frame: Frame, heads: tuple[str, str], words: str, theme: str, crop: bool
) -> str:
    """The moment as a stand-alone SVG, with two lines above and its caption below."""
    if not among(theme, THEMES):
        raise MctsVizError(
            f"theme is {short_repr(theme)}, but the themes are {' and '.join(THEMES)}."
        )
    colours = THEMES[theme]
    tree, (wide, high) = _tree(drawing, frame, crop)
    width = max(wide, 520.0, 9.4 * len(heads[0]), 6.8 * len(heads[1]) + BADGE)
    lines = wrap(words, int(width / 6.6))
    if not drawing.data.board:
        text = drawing.data.game.text(drawing.data.trace.state(frame.path[-1]))
        lines += [f"The position: {plain(' / '.join(plain_lines(text, 60)))}"]
    height = HEADER + high + 10 + FOOTER_LINE * len(lines)
    size = {"width": f"{width:.0f}", "height": f"{height:.0f}"}
    box = {"xmlns": SVG, "viewBox": f"0 0 {width:.0f} {height:.0f}"}
    root = Element("svg", {**box, **size, "role": "img", "aria-label": words})
    SubElement(root, "style").text = still_css(theme, frame.phase)
    SubElement(root, "rect", {"width": "100%", "height": "100%", "fill": colours["page"]})
    _line(root, heads[0], 18, colours["ink"], size=13, bold=True)
    phases = PHASES if frame.phase in PHASES else EVENTS
    badge(root, frame.phase, phases.index(frame.phase) + 1, MARGIN, 24)
    _line(root, heads[1], 35, colours["muted"], x=MARGIN + BADGE)
    tree.set("transform", f"translate({(width - wide) / 2:.1f} {HEADER})")
    root.append(tree)
    for row, line in enumerate(lines):
        _line(root, line, HEADER + high + FOOTER_LINE * (row + 1), colours["ink"])
    return tostring(root, encoding="unicode")


def _tree(drawing: Drawing, frame: Frame, crop: bool) -> tuple[Element, Size]:
    """The cards that are there, with edges and trail; and how large a picture they fill."""
    layout = drawing.layout
    cards = {card.node: card for card in frame.cards}
    places = [place for place, node in enumerate(drawing.nodes) if node in cards]
    tree = Element("g", {"class": "mcts-tree"})
    edges, boxes = (SubElement(tree, "g", {"class": name}) for name in ("edges", "boxes"))
    trail, rest = "", [node for node in frame.path if node not in cards]
    last = frame.path[-1 - len(rest)]
    left, right, bottom = 0.0, layout.width, layout.height
    if crop:
        corners = [layout.corners[place] for place in places]
        left = min(x for x, _ in corners)
        right = max(x for x, _ in corners) + drawing.size[0]
        bottom = max(y for _, y in corners) + drawing.size[1] + OVERHANG
    for place in places:
        node = drawing.nodes[place]
        card, path = cards[node], layout.edges[place]
        if path:
            width = f"stroke-width:{1.2 + 4 * card.visit_share:.1f}"
            SubElement(
                edges, "path", {"class": "edge", "data-child": str(node), "d": path, "style": width}
            )
            trail += path if card.on_path else ""
        _card(boxes, drawing, place, card)
        x, y = layout.corners[place]
        wide, high = drawing.size
        if rest and node == last:
            tip = {"cx": f"{x + wide / 2:.1f}", "cy": f"{y + high + 3:.1f}", "r": "9"}
            name = {"class": "tip new" if rest[-1] == frame.new_node else "tip"}
            SubElement(boxes, "circle", {**name, "data-node": str(rest[-1]), **tip})
            _text(boxes, name["class"], (x + wide / 2, y + high + 7, "middle"), str(len(rest)))
        below = _below(frame, node)
        if below:
            _text(boxes, "note", (x + wide, y + high + 11, "end"), below)
    SubElement(edges, "path", {"class": "trail", "d": trail})
    inner = Element("g", {"transform": f"translate({MARGIN - left:.1f} {MARGIN})"})
    inner.append(tree)
    outer = Element("g")
    outer.append(inner)
    return outer, (right - left + 2 * MARGIN, bottom + 2 * MARGIN)


def _below(frame: Frame, node: int) -> str:
    """``+3`` for nodes without cards, ``✂2`` for moves that were cut off."""
    hidden, pruned = frame.hidden.get(node), frame.pruned.get(node)
    return " ".join([*([f"+{hidden}"] if hidden else []), *([f"✂{pruned}"] if pruned else [])])


def blank_card(
    data: AnyFilm,
    kind: str,
    template: dict[str, Any],
    cells: Sequence[int] = (),
    before: Sequence[int] = (),
) -> Element:
    """A card that says nothing yet, with a position if it has a board.

    The player fills copies of it in, as a still does.
    """
    card = Element("g", {"class": f"card {kind}"})
    wide, high = template["width"], template["height"]
    if kind == "dot":
        SubElement(card, "circle", {"class": "frame", "cx": f"{wide / 2:g}", "cy": f"{high / 2:g}"})
        return card
    box = {"width": f"{wide:.1f}", "height": f"{high:.1f}", "rx": "2" if kind == "bar" else "6"}
    SubElement(card, "rect", {"class": "frame", **box})
    if data.proves and "share" in template:
        inner = {"x": "3", "y": "3", "width": f"{wide - 6:.1f}", "height": f"{high - 6:.1f}"}
        SubElement(card, "rect", {"class": "proof", **inner, "rx": "4"})
    if data.board and "board" in template:
        left, top, scale = template["board"]
        move = f"translate({left:.1f} {top:.1f}) scale({scale:.3f})"
        board = SubElement(card, "g", {"class": "board", "transform": move})
        draw_board(board, data.board, cells, before)
    if "bar" in template:
        left, top, long, thick = template["bar"]
        bar = {"x": f"{left:g}", "y": f"{top:.1f}", "height": f"{thick:g}", "rx": "1"}
        for name, width in (("track", long), ("mean", 0), ("exploration", 0)):
            SubElement(card, "rect", {"class": name, "width": f"{width:.1f}", **bar})
    for name in ("label", "share", "wins", "score", "truth", "prior"):
        if name in template:
            _text(card, name, template[name], "")
    return card


def _card(parent: Element, drawing: Drawing, place: int, card: Card) -> None:
    data = drawing.data
    trace, kind, (x, y) = data.trace, "tall", drawing.layout.corners[place]
    cells: Sequence[int] = ()
    before = cells
    if data.board:
        cells = data.board.cells(trace.state(card.node))
        before = data.board.cells(trace.state(max(0, int(trace.parent[card.node]))))
    group = blank_card(data, kind, drawing.card_templates[kind], cells, before)
    parent.append(group)
    marks = [("on-path", card.on_path), ("new", card.new), (card.mark, card.mark)]
    names = ["card", kind, *(name for name, holds in marks if holds)]
    group.set("class", " ".join(names))
    group.set("data-node", str(card.node))
    group.set("transform", f"translate({x:.1f} {y:.1f})")
    parts = {part.get("class"): part for part in group}
    full = min(1.0, max(0.0, np.nan_to_num(card.fill)))
    parts["mean"].set("width", f"{full * drawing.card_templates[kind]['bar'][2]:.1f}")
    parts["share"].text, parts["score"].text = card.share, card.score
    if not data.board:
        parts["label"].text = plain(trace.label(card.node)) or "root"


def _text(parent: Element, name: str, at: tuple[float, float, str], text: str) -> None:
    x, y, anchor = at
    place = {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor}
    SubElement(parent, "text", {"class": name, **place}).text = text


def _line(
    root: Element,
    text: str,
    y: float,
    colour: str,
    size: float = 11,
    bold: bool = False,
    x: float = MARGIN,
) -> None:
    style = {"font-family": "DejaVu Sans, Verdana, sans-serif", "font-size": str(size)}
    weight = {"font-weight": "bold"} if bold else {}
    place = {"x": f"{x:g}", "y": f"{y:.0f}", "fill": colour}
    SubElement(root, "text", {**place, **style, **weight}).text = text
