"""The tree as a picture: where its cards stand, and a still of any moment.

The player draws the same cards in the browser, from the same sizes and places.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from textwrap import wrap
from typing import Any, Final, TypeAlias
from xml.etree.ElementTree import Element, tostring

import numpy as np

from ..errors import MctsVizError, require
from ..games.boards import among
from ..search import PHASES
from ..trace.minimax_trace import EVENTS
from .boards import draw_board
from .cards import Card, Frame
from .layout import READABLE, Arrangement, arrange, page_scale
from .minimax_film import MinimaxFilm
from .pictures import THEMES, add, badge, new_svg, still_css
from .search_film import SearchFilm
from .words import move_order, plain, plain_lines

AnyFilm: TypeAlias = SearchFilm | MinimaxFilm
Size: TypeAlias = tuple[float, float]

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
    """The cards of a still: which nodes have one, their size and their places."""

    def __init__(self, data: AnyFilm, few: bool = False) -> None:
        self.data = data
        self.card_templates = _card_templates(data)
        template = self.card_templates["tall"]
        self.size: Size = template["width"], template["height"]
        if few:
            data.cards = data.heaviest(self._readable())
        self.nodes = _in_order(data, data.cards)
        self.layout = self.arrange(self.nodes)

    @cached_property
    def every(self) -> tuple[list[int], Arrangement] | None:
        """All nodes and where their cards stand, for the player; ``None`` if they are too many."""
        count = len(self.data.trace.parent)
        if count > LINKED or count < len(self.data.source.parent):
            return None
        nodes = _in_order(self.data, range(count))
        return nodes, self.layout if nodes == self.nodes else self.arrange(nodes)

    def _readable(self) -> int:
        """Count the cards that the pane shows large enough, at most those that the data has."""
        for count in range(len(self.data.cards), FEWEST, -1 - len(self.data.cards) // 20):
            nodes = _in_order(self.data, self.data.heaviest(count))
            if page_scale(self.arrange(nodes, tidy=True)) >= READABLE:
                return count
        return min(FEWEST, len(self.data.cards))

    def arrange(self, nodes: Sequence[int], tidy: bool = False) -> Arrangement:
        """Place the cards of these nodes, which come parents first."""
        place = {node: number for number, node in enumerate(nodes)}
        parent = self.data.trace.parent
        parents = [-1] + [place[int(parent[node])] for node in nodes[1:]]
        noted = len(nodes) < len(parent) or getattr(self.data, "narrows", False)
        return arrange(parents, self.size, OVERHANG if noted else 2.0, tidy)


def _card_templates(data: AnyFilm) -> dict[str, dict[str, Any]]:
    """By kind of card: its size, and where its board, its texts and its bar stand.

    The walk has full cards, slim ones where many moves stand below each other, and of early
    columns the chosen one alone, folded or a dot; the tree has "tall" ones, which are compact. A board
    is given by its corner and how large its units are, a text by its place and the end that stands
    there, a bar by its corner and its size.
    """
    board, minimax = data.board, isinstance(data, MinimaxFilm)
    guided = getattr(data.trace, "priors", None) is not None
    nodes = range(min(500, len(data.trace.parent)))
    label = 6.6 * max(len(plain(data.trace.label(node))) for node in nodes)
    longest = max(len(text) for text in data.longest_texts)
    rows, columns = (10 * board.rows, 10 * board.columns) if board else (1, 1)

    def position(x: float, y: float, width: float, height: float, *at: Any) -> dict[str, Any]:
        """The board in the middle of a box; without one the label, ``at`` its own place."""
        unit = min(width / columns, height / rows)
        corner = [x + (width - unit * columns) / 2, y + (height - unit * rows) / 2, unit]
        return {"board": corner} if board else {"label": [*at]}

    across = columns * min(48 / columns, 36 / rows)
    left = 13 + across if board else 9
    # The root has no piece before its visits, which are longer than what others say.
    needed = max(128.0, left + 21 + 7.2 * (longest - 2))
    most = np.bincount(data.trace.parent[1:].astype(np.intp), minlength=1).max()
    wide = needed if board and most <= 8 else max(needed, min(200.0, 80 + label))
    wide += 28 * guided  # room for "P 0.25"
    if guided and board:  # the prior is next to the share
        wide = max(wide, left + 58 + 8 * longest)
    right = wide - 6
    full = {"width": wide, "height": 46.0, **position(5, 5, across, 36, left, 16, "start")}
    if minimax:  # the window from alpha to beta has its own line, and letters that reach below it
        full["share"] = [left, 17, "start"] if board else [right, 16, "end"]
        full |= {"score": [left, 39, "start"], "bar": [left, 21, right - left, 6]}
    elif board:
        full |= {"share": [left, 18, "start"], "score": [right, 37, "end"]}
        full |= {"truth": [left, 38, "start"], "bar": [left, 28, right - left - 32, 10]}
    else:
        full |= {"share": [left, 41, "start"], "score": [right, 41, "end"]}
        full |= {"truth": [right, 16, "end"], "bar": [left, 22, right - left, 6]}
    if guided:
        full["prior"] = [right, 18 if board else 16, "end"]
    slim: dict[str, Any] = {"width": wide, "height": 22, "bar": [7, 17, wide - 14, 3]}
    slim |= {"label": [7, 14, "start"], "share": [wide - 19 - 7.6 * longest, 14, "start"]}
    row = {**full, "height": 36.0}  # lower, where there are many moves
    row |= position(5, 3, min(48, 30 * columns / rows), 30, left, 13, "start")
    for name in row.keys() & {"bar", "share", "score", "truth", "prior"}:
        first, second, *rest = full[name]
        row[name] = [first, second - (8 if second > 40 else 5 if second > 20 else 3), *rest]
    folded = {"width": 46, "height": 46, **position(4, 4, 38, 38, 23, 27, "middle")}
    middle = max(76.0, 29 + 7.2 * (longest - 1)) / 2
    root = {"width": 2 * middle, "height": 76.0, "share": [6, 67, "start"]}
    root |= position(middle - 21, 4, 42, 42, middle, 30, "middle")

    share, *others = data.longest_texts  # bold, the first
    texts = [15 + sum(8.4 if letter.isalnum() else 4.8 for letter in share)]  # and a piece
    texts += [LETTER * len(text) for text in others]
    across = columns * min(32 / columns, 26 / rows)
    left, long = 6.0, max(LETTER * 6 + texts[0], sum(texts), label)
    if board:
        left, long = 9 + across, max(40.0, *texts)
    tall = {"width": left + long + 5, "height": 34.0, "bar": [left, 29, long, 2.5]}
    tall |= position(4, 4, across, 26, left, 13, "start")
    tall["share"] = [left, 13 if board else 26, "start"]
    tall["score"] = tall["truth"] = [left, 25, "start"] if board else [left + long, 26, "end"]
    dot = {"width": DOT, "height": DOT}
    # The root of minimax has a value and a window.
    walk = {"root": full if minimax else root, "full": full, "row": row, "slim": slim}
    return {**walk, "folded": folded, "tall": tall, "dot": dot}


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


def still(drawing: Drawing, frame: Frame, texts: Sequence[str], theme: str, crop: bool) -> str:
    """The moment as a stand-alone SVG, with two lines above and its caption below."""
    require(among(theme, THEMES), "theme", " or ".join(map(repr, THEMES)), theme, MctsVizError)
    *heads, words = texts
    colours = THEMES[theme]
    tree, (wide, high) = _tree(drawing, frame, crop)
    width = max(wide, 520.0, 9.4 * len(heads[0]), 6.8 * len(heads[1]) + BADGE)
    lines = wrap(words, int(width / 6.6))
    if not drawing.data.board:
        text = drawing.data.game.text(drawing.data.trace.state(frame.path[-1]))
        lines += [f"The position: {plain(' / '.join(plain_lines(text, 60)))}"]
    height = HEADER + high + 10 + FOOTER_LINE * len(lines)
    size = {"width": f"{width:.0f}", "height": f"{height:.0f}"}
    root = new_svg((0, 0, round(width), round(height)), role="img", aria_label=words, **size)
    add(root, "style", text=still_css(theme, frame.phase))
    add(root, "rect", width="100%", height="100%", fill=colours["page"])
    look = {"font_family": "DejaVu Sans, Verdana, sans-serif", "fill": colours["ink"]}
    bold = {"font_size": "13", "font_weight": "bold"}
    add(root, "text", "", heads[0], x=MARGIN, y=18, **look, **bold)
    phases = PHASES if frame.phase in PHASES else EVENTS
    badge(root, frame.phase, phases.index(frame.phase) + 1, MARGIN, 24)
    muted = look | {"fill": colours["muted"]}
    add(root, "text", "", heads[1], x=MARGIN + BADGE, y=35, font_size=11, **muted)
    place = f"translate({(width - wide) / 2:.1f} {HEADER}) {tree.get('transform')}"
    tree.set("transform", place)
    root.append(tree)
    for row, line in enumerate(lines):
        y = round(HEADER + high + FOOTER_LINE * (row + 1))
        add(root, "text", "", line, x=MARGIN, y=y, font_size=11, **look)
    return tostring(root, encoding="unicode")


def _tree(drawing: Drawing, frame: Frame, crop: bool) -> tuple[Element, Size]:
    """The cards that are there, with edges and trail; and how large a picture they fill."""
    layout = drawing.layout
    cards = {card.node: card for card in frame.cards}
    places = [place for place, node in enumerate(drawing.nodes) if node in cards]
    tree = Element("g", {"class": "mcts-tree"})
    edges, boxes = add(tree, "g", "edges"), add(tree, "g", "boxes")
    trail, rest = "", [node for node in frame.path if node not in cards]
    last = frame.path[-1 - len(rest)]
    wide, high = drawing.size
    left, right, bottom = 0.0, layout.width, layout.height
    if crop:
        xs, ys = zip(*(layout.corners[place] for place in places), strict=True)
        left, right, bottom = min(xs), max(xs) + wide, max(ys) + high + OVERHANG
    for place in places:
        node, path, (x, y) = drawing.nodes[place], layout.edges[place], layout.corners[place]
        card = cards[node]
        if path:
            width = f"stroke-width:{1.2 + 4 * card.visit_share:.1f}"
            add(edges, "path", "edge", data_child=node, d=path, style=width)
            trail += path if card.on_path else ""
        boxes.append(_card(drawing, card, x, y))
        if rest and node == last:
            look = "tip new" if rest[-1] == frame.new_node else "tip"
            add(boxes, "circle", look, data_node=rest[-1], cx=x + wide / 2, cy=y + high + 3, r=9)
            _text(boxes, look, (x + wide / 2, y + high + 7, "middle"), str(len(rest)))
        counts = (("+", frame.hidden.get(node)), ("✂", frame.pruned.get(node)))
        if below := " ".join(f"{sign}{count}" for sign, count in counts if count):
            _text(boxes, "note", (x + wide, y + high + 11, "end"), below)
    add(edges, "path", "trail", d=trail)
    tree.set("transform", f"translate({MARGIN - left:.1f} {MARGIN})")
    return tree, (right - left + 2 * MARGIN, bottom + 2 * MARGIN)


def blank_card(data: AnyFilm, kind: str, template: dict[str, Any]) -> Element:
    """A card that says nothing yet, with a place for its board if it has one.

    The player fills copies of it in, as a still does.
    """
    card = Element("g", {"class": f"card {kind}"})
    wide, high = template["width"], template["height"]
    if kind == "dot":
        add(card, "circle", "frame", cx=wide / 2, cy=high / 2)
        return card
    add(card, "rect", "frame", width=wide, height=high, rx=6)
    if data.proves and "share" in template:
        add(card, "rect", "proof", x=3, y=3, width=wide - 6, height=high - 6, rx=4)
    if data.board and "board" in template:
        left, top, scale = template["board"]
        place = f"translate({left:.1f} {top:.1f}) scale({scale:.3f})"
        add(card, "g", "board", transform=place)
    if "bar" in template:
        left, top, long, thick = template["bar"]
        for name, width in (("track", long), ("mean", 0), ("exploration", 0)):
            add(card, "rect", name, width=width, x=f"{left:g}", y=top, height=thick, rx=1)
    for name in ("label", "share", "score", "truth", "prior"):
        if name in template:
            _text(card, name, template[name], "")
    return card


def _card(drawing: Drawing, card: Card, x: float, y: float) -> Element:
    """The compact card of a node, filled in."""
    data, template = drawing.data, drawing.card_templates["tall"]
    group = blank_card(data, "tall", template)
    looks = ["card", "tall", "on-path" * card.on_path, "new" * card.new, card.mark]
    group.set("class", " ".join(filter(None, looks)))
    group.set("data-node", str(card.node))
    group.set("transform", f"translate({x:.1f} {y:.1f})")
    parts = {part.get("class"): part for part in group}
    full = min(1.0, max(0.0, np.nan_to_num(card.fill)))
    parts["mean"].set("width", f"{full * template['bar'][2]:.1f}")
    parts["share"].text, parts["score"].text = card.share, card.score
    if data.board:
        shown = (card.node, max(0, int(data.trace.parent[card.node])))
        cells, before = (data.board.cells(data.trace.state(node)) for node in shown)
        draw_board(parts["board"], data.board, cells, before)
    else:
        parts["label"].text = plain(data.trace.label(card.node)) or "root"
    return group


def _text(parent: Element, look: str, at: tuple[float, float, str], text: str) -> None:
    x, y, end = at
    add(parent, "text", look, text, x=x, y=y, text_anchor=end)
