"""The film's tree as one SVG: every card, stub and edge that will ever be seen, drawn once.

Who paints a frame (the player in the browser, or :mod:`mcts_viz.view.stills` for a picture) only
sets classes, widths and texts on what is drawn here.
"""

from __future__ import annotations

from typing import Final, TypeAlias
from xml.etree.ElementTree import Element, SubElement

from .arrangement import arrange
from .boards import draw_board
from .minimax_reel import MinimaxFrame, MinimaxReel
from .reel import Frame, Reel
from .words import plain_lines

__all__ = ["AnyFrame", "AnyReel", "Drawing"]

AnyReel: TypeAlias = Reel | MinimaxReel
AnyFrame: TypeAlias = Frame | MinimaxFrame

BOARD_WIDTH: Final = 44.0
PAD: Final = 6.0
STUB_HEIGHT: Final = 16.0
MARGIN: Final = 8.0
STRIP_GAP: Final = 30.0


class Drawing:
    """The skeleton of a film's pictures: ``svg``, and the sizes that were chosen for it."""

    def __init__(self, reel: AnyReel, engine: str | None = None) -> None:
        self.reel = reel
        self.board_scale = 1.0
        self._text_width = 6.9 * max(len(text) for text in reel.longest_texts)
        self.stub_width = 7.5 + 6.5 * len(reel.longest_stub)
        self._board_size = self._measure_board()
        self.card_width = max(self._board_size[0], self._text_width) + 2 * PAD
        self.card_height = PAD + self._board_size[1] + 44
        size = (self.card_width, self.card_height)
        self.layout = arrange(reel.card_parents, size, STUB_HEIGHT / 2, engine)
        slots = max(1, reel.longest_strip)
        fitting = int((self.layout.width + PAD) // (self.card_width + PAD))
        self.strip_columns = max(min(slots, 6), min(slots, fitting))
        self.strip_width = self.strip_columns * (self.card_width + PAD) - PAD
        self.width = max(self.layout.width, self.strip_width) + 2 * MARGIN
        self._left = (self.width - self.layout.width) / 2
        rows = -(-reel.longest_strip // self.strip_columns)
        strip_height = STRIP_GAP + rows * (self.card_height + PAD) if rows else 0.0
        self.height = self.layout.height + strip_height + 2 * MARGIN
        self.svg = self._draw()

    def _measure_board(self) -> tuple[float, float]:
        board = self.reel.board
        if board:
            self.board_scale = min(1.4, max(BOARD_WIDTH, self._text_width) / (10 * board.columns))
            return 10 * board.columns * self.board_scale, 10 * board.rows * self.board_scale
        texts = [self.text(node) for node in self.reel.cards]
        columns = max(len(line) for lines in texts for line in lines)
        return 5.5 * columns, 11.0 * max(len(lines) for lines in texts)

    def text(self, node: int) -> list[str]:
        return plain_lines(self.reel.game.text(self.reel.trace.state(node))) or [""]

    # Drawing -----------------------------------------------------------------------------------

    def _draw(self) -> Element:
        svg = Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
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

    def _draw_blank(self, card: Element) -> None:
        """What all cards have in common; the bar and the texts are filled in by each frame."""
        wide, high, middle = self.card_width, self.card_height, f"{self.card_width / 2:.1f}"
        left = (wide - self._board_size[0]) / 2
        below = PAD + self._board_size[1]
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
        middle = f"{self._board_size[0] / 2:.1f}"
        for row, line in enumerate(self.text(node)):
            text = SubElement(
                group, "text", {"class": "position", "x": middle, "y": f"{11 * row + 8:.1f}"}
            )
            text.text = line

    def _draw_strip(self, svg: Element) -> None:
        """Empty cards below the tree, for the part of the path that has none."""
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
        """Where a strip of that many cards begins, to stand as near below ``x`` as it fits."""
        columns = min(cards, self.strip_columns)
        wide = columns * (self.card_width + PAD) - PAD
        return max(MARGIN, min(x - self.card_width / 2, self.width - MARGIN - wide))

    @property
    def strip_top(self) -> float:
        return MARGIN + self.layout.height + STRIP_GAP

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
