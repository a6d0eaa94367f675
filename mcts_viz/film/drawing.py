"""The film's tree as one SVG: every card, stub and edge that will ever be seen, drawn once.

Who paints a frame (the player in the browser, or :mod:`mcts_viz.film.stills` for a picture) only
sets classes, widths and texts on what is drawn here.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias
from xml.etree.ElementTree import Element, SubElement

from .arrangement import PAGE, arrange, page_scale
from .boards import draw_board
from .minimax_reel import MinimaxFrame, MinimaxReel
from .reel import Frame, Reel
from .words import plain_lines

__all__ = ["AnyFrame", "AnyReel", "CardSize", "Drawing", "readable"]

AnyReel: TypeAlias = Reel | MinimaxReel
AnyFrame: TypeAlias = Frame | MinimaxFrame

SVG: Final = "http://www.w3.org/2000/svg"
BOARD_WIDTH: Final = 44.0
PAD: Final = 6.0
STUB_HEIGHT: Final = 16.0
MARGIN: Final = 8.0
STRIP_GAP: Final = 30.0
READABLE: Final = 0.7
"""How small a page may show a film's cards, if the film can have fewer."""
FEWEST: Final = 12
STRIP_TITLE: Final = 18.0
STUB_ENDS: Final = 7.5
STUB_LETTER: Final = 6.5
"""A stub is as wide as both its ends and its letters."""


class CardSize(NamedTuple):
    """How large cards are, and the position on them; all cards of a film are alike."""

    width: float
    height: float
    board_width: float
    board_height: float
    board_scale: float


def card_size(reel: AnyReel) -> CardSize:
    """Large enough for every text that a card may show, and for every position."""
    text_width = 6.9 * max(len(text) for text in reel.longest_texts)
    if reel.board:
        columns, rows = reel.board.columns, reel.board.rows
        scale = min(1.4, max(BOARD_WIDTH, text_width) / (10 * columns))
        wide, high = 10 * columns * scale, 10 * rows * scale
    else:
        texts, scale = [position_lines(reel, node) for node in reel.pool], 1.0
        wide = 5.5 * max(len(line) for lines in texts for line in lines)
        high = 11.0 * max(len(lines) for lines in texts)
    return CardSize(max(wide, text_width) + 2 * PAD, PAD + high + 44, wide, high, scale)


def position_lines(reel: AnyReel, node: int) -> list[str]:
    return plain_lines(reel.game.text(reel.trace.state(node))) or [""]


def readable(reel: AnyReel) -> int:
    """How many cards a page shows large enough to be read, at most those that the reel has."""
    size = card_size(reel)
    for count in range(len(reel.cards), FEWEST, -2):
        parents = reel.parents_of(reel.heaviest(count))
        if page_scale(arrange(parents, size[:2], STUB_HEIGHT / 2, "tidy")) >= READABLE:
            return count
    return min(FEWEST, len(reel.cards))


class Drawing:
    """The skeleton of a film's pictures: ``svg``, and the sizes that were chosen for it."""

    def __init__(self, reel: AnyReel, engine: str | None = None) -> None:
        self.reel = reel
        size = card_size(reel)
        self.card_width, self.card_height, self.board_width, self._board_height, _ = size
        self.board_scale = size.board_scale
        self.stub_width = STUB_ENDS + STUB_LETTER * len(reel.longest_stub)
        self.layout = arrange(reel.card_parents, size[:2], STUB_HEIGHT / 2, engine)
        self._place_strip()
        self.svg = self._draw()

    def _place_strip(self) -> None:
        """Beside the tree where the page has room there, else below it."""
        slots, tree = self.reel.longest_strip, self.layout
        wide, high = self.card_width + PAD, self.card_height + PAD
        rows = int((tree.height + PAD - STRIP_TITLE) // high)
        columns = max(1, -(-slots // max(1, rows)))
        across = tree.width + STRIP_GAP + columns * wide - PAD
        self.beside = slots > 0 and rows > 0 and across + 2 * MARGIN <= PAGE[0]
        if not self.beside:
            fitting = int((tree.width + PAD) // wide)
            columns = max(1, min(slots, 6), min(slots, fitting))
        self.strip_columns = columns
        self.strip_width = columns * wide - PAD
        across = across if self.beside else max(tree.width, self.strip_width)
        self.width = across + 2 * MARGIN
        self._left = MARGIN if self.beside else (self.width - tree.width) / 2
        below = 0.0 if self.beside else STRIP_GAP + -(-slots // columns) * high
        self.height = tree.height + 2 * MARGIN + (below if slots else 0.0)

    # Drawing -----------------------------------------------------------------------------------

    def _draw(self) -> Element:
        svg = Element(
            "svg",
            {
                "xmlns": SVG,
                "class": "mcts-tree",
                "viewBox": f"0 0 {self.width:.1f} {self.height:.1f}",
                "width": f"{self.width:.1f}",
                "height": f"{self.height:.1f}",
            },
        )
        move = {"transform": f"translate({self._left:.1f} {MARGIN})"}
        edges = SubElement(svg, "g", {"class": "edges", **move})
        self._draw_strip(svg)
        boxes = SubElement(svg, "g", {"class": "boxes", **move})
        reel, layout = self.reel, self.layout
        for node, path in zip(reel.cards[1:], layout.edges[1:], strict=True):
            SubElement(edges, "path", {"class": "edge", "data-child": str(node), "d": path})
        SubElement(edges, "path", {"class": "trail"})  # the selected path, above all other edges
        for node, (x, y) in zip(reel.cards, layout.corners, strict=True):
            self._draw_card(boxes, node, x, y)
        for card in reel.stub_cards:
            self._draw_stub(boxes, card)
        return svg

    def _draw_card(self, parent: Element, node: int, x: float, y: float) -> None:
        place = {"data-node": str(node), "transform": f"translate({x:.1f} {y:.1f})"}
        card = SubElement(parent, "g", {"class": "card", **place})
        self._draw_blank(card)
        self.draw_position(card.find("g"), node)  # type: ignore[arg-type]

    def blank(self) -> Element:
        """A card as it is before anything is known of it; the player makes all its cards of it."""
        card = Element("g", {"xmlns": SVG, "class": "card"})
        self._draw_blank(card)
        return card

    def _draw_blank(self, card: Element) -> None:
        """What all cards have in common; the bar and the texts are filled in by each frame."""
        wide, high, middle = self.card_width, self.card_height, f"{self.card_width / 2:.1f}"
        left = (wide - self.board_width) / 2
        below = PAD + self._board_height
        bar = {"x": str(PAD), "y": f"{below + 4:.1f}", "height": "4", "rx": "2"}
        size = {"width": f"{wide:.1f}", "height": f"{high:.1f}", "rx": "6"}
        SubElement(card, "rect", {"class": "frame", **size})
        if self.reel.proves:  # a second frame within the first
            inner = {"width": f"{wide - 7:.1f}", "height": f"{high - 7:.1f}", "rx": "3"}
            SubElement(card, "rect", {"class": "proof", "x": "3.5", "y": "3.5", **inner})
        SubElement(card, "g", {"class": "board", "transform": f"translate({left:.1f} {PAD})"})
        SubElement(card, "rect", {"class": "bar-track", "width": f"{self.bar_width:.1f}", **bar})
        SubElement(card, "rect", {"class": "bar", "width": "0", **bar})
        SubElement(card, "text", {"class": "share", "x": middle, "y": f"{below + 20:.1f}"})
        SubElement(card, "text", {"class": "score", "x": middle, "y": f"{below + 32:.1f}"})

    @property
    def bar_width(self) -> float:
        """The length of a win bar that is full."""
        return self.card_width - 2 * PAD

    def draw_position(self, group: Element, node: int) -> None:
        reel = self.reel
        if reel.board:
            state, parent = reel.trace.state(node), int(reel.trace.parent[node])
            before = reel.trace.state(parent) if parent >= 0 else state
            scaled = SubElement(group, "g", {"transform": f"scale({self.board_scale:.3f})"})
            draw_board(scaled, reel.board, reel.board.cells(state), reel.board.cells(before))
            return
        middle = f"{self.board_width / 2:.1f}"
        for row, line in enumerate(position_lines(reel, node)):
            text = SubElement(
                group, "text", {"class": "position", "x": middle, "y": f"{11 * row + 8:.1f}"}
            )
            text.text = line

    def _draw_strip(self, svg: Element) -> None:
        """Empty cards beside or below the tree, for the part of the path that has none."""
        strip = SubElement(svg, "g", {"class": "strip"})
        SubElement(strip, "path", {"class": "lead"})
        SubElement(strip, "text", {"class": "strip-title"})
        for slot in range(self.reel.longest_strip):
            x, y = self.strip_place(slot)
            place = {"data-slot": str(slot), "transform": f"translate({x:.1f} {y:.1f})"}
            card = SubElement(strip, "g", {"class": "card slot", **place})
            self._draw_blank(card)

    def strip_place(self, slot: int) -> tuple[float, float]:
        """The corner of a card of the strip, from the left end of the strip."""
        row, column = divmod(slot, self.strip_columns)
        x = column * (self.card_width + PAD)
        return x, self.strip_top + row * (self.card_height + PAD)

    def seen(self, frame: AnyFrame) -> tuple[float, float, float, float]:
        """Left, top, width and height of the part of the picture that the frame fills."""
        places = dict(zip(self.reel.cards, self.layout.corners, strict=True))
        corners = [places[card.node] for card in frame.cards]
        if frame.strip:
            stub, _ = self.stub_place(int(self.reel.owner[frame.strip[0]]))
            left = self.strip_left(stub, len(frame.strip)) - self._left
            ends = [self.strip_place(slot) for slot in range(len(frame.strip))]
            corners += [(left + x, y - MARGIN) for x, y in ends]
        x = self._left + min(x for x, _ in corners) - MARGIN
        right = self._left + max(x for x, _ in corners) + self.card_width + MARGIN
        bottom = MARGIN + max(y for _, y in corners) + self.card_height + STUB_HEIGHT
        return x, 0.0, right - x, min(bottom, self.height)

    def strip_left(self, x: float, cards: int) -> float:
        """Where a strip of that many cards begins; below the tree as near to ``x`` as it fits."""
        if self.beside:
            return self.width - MARGIN - self.strip_width
        columns = min(cards, self.strip_columns)
        wide = columns * (self.card_width + PAD) - PAD
        return max(MARGIN, min(x - self.card_width / 2, self.width - MARGIN - wide))

    @property
    def strip_top(self) -> float:
        return MARGIN + (STRIP_TITLE if self.beside else self.layout.height + STRIP_GAP)

    def lead(self, x: float, y: float, left: float) -> str:
        """The line to a strip that begins at ``left``, from the stub whose middle is at (x, y)."""
        start = f"M{x - left:.1f} {y + STUB_HEIGHT / 2:.1f}"
        if not self.beside:
            return f"{start}V{self.strip_top - 16:.1f}"
        return f"{start}v5H{-STRIP_GAP / 2:.1f}V{self.strip_top + self.card_height / 2:.1f}H0"

    def stub_place(self, card: int) -> tuple[float, float]:
        """The middle of a stub in the picture: it sits on its card's lower edge, to the right."""
        x, y = self.layout.corners[self.reel.cards.index(card)]
        right = x + self.card_width - self.stub_width / 2
        return right + self._left, y + self.card_height + MARGIN

    def _draw_stub(self, parent: Element, card: int) -> None:
        x, y = self.stub_place(card)
        left, top = x - self._left - self.stub_width / 2, y - MARGIN - STUB_HEIGHT / 2
        place = f"translate({left:.1f} {top:.1f})"
        group = SubElement(
            parent, "g", {"class": "stub", "data-stub": str(card), "transform": place}
        )
        size = {"width": str(self.stub_width), "height": str(STUB_HEIGHT)}
        SubElement(group, "rect", {"class": "frame", "rx": str(STUB_HEIGHT / 2), **size})
        SubElement(group, "text", {"class": "count", "x": str(self.stub_width / 2), "y": "11.5"})
