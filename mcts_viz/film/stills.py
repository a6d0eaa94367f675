"""A still picture of one moment: the film's drawing, filled in and coloured."""

from __future__ import annotations

import io
from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from math import floor, inf, sqrt
from pathlib import Path
from textwrap import wrap
from typing import Any
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

from ..errors import MctsVizError, shown
from ..games.boards import among
from ..search import EVENTS, PHASES
from ..search.checks import is_number
from .drawing import MARGIN, AnyFrame, Drawing
from .theme import THEMES, badge, still_css

__all__ = ["fitting", "gif", "png", "svg"]

HEADER = 44.0
FOOTER_LINE = 15.0
LEAST_ZOOM = 0.01
MOST_PIXELS = 12_000_000
"""Of a picture; to draw them takes 200 MB."""
BADGE = 62.0
"""The room that a phase's number, shape and line take in the header."""


def svg(
    drawing: Drawing, frame: AnyFrame, heads: tuple[str, str], words: str, theme: str, crop: bool
) -> str:
    """The moment as a stand-alone SVG, with two lines above and its caption below."""
    if not among(theme, THEMES):
        raise MctsVizError(f"theme is {shown(theme)}, but the themes are {' and '.join(THEMES)}.")
    colours = THEMES[theme]
    tree = deepcopy(drawing.svg)
    _Painter(drawing, frame, tree).paint()
    x, y, wide, high = drawing.seen(frame) if crop else (0, 0, drawing.width, drawing.height)
    width = max(wide, 520.0, 9.4 * len(heads[0]), 6.8 * len(heads[1]) + BADGE)
    lines = wrap(words, int(width / 6.6))
    height = HEADER + high + 10 + FOOTER_LINE * len(lines)
    tree.set("viewBox", f"{x:.1f} {y:.1f} {wide:.1f} {high:.1f}")
    place = {"x": (width - wide) / 2, "y": HEADER, "width": wide, "height": high}
    for name, value in place.items():
        tree.set(name, f"{value:.1f}")
    size = {"width": f"{width:.0f}", "height": f"{height:.0f}"}
    box = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width:.0f} {height:.0f}"}
    del tree.attrib["xmlns"]
    root = Element("svg", {**box, **size, "role": "img", "aria-label": words})
    SubElement(root, "style").text = still_css(theme, frame.phase)
    SubElement(root, "rect", {"width": "100%", "height": "100%", "fill": colours["page"]})
    _line(root, heads[0], 18, colours["ink"], size=13, bold=True)
    phases = PHASES if frame.phase in PHASES else EVENTS
    badge(root, frame.phase, phases.index(frame.phase) + 1, MARGIN, 24)
    _line(root, heads[1], 35, colours["muted"], x=MARGIN + BADGE)
    root.append(tree)
    for row, line in enumerate(lines):
        top = HEADER + high + FOOTER_LINE * (row + 1)
        _line(root, line, top, colours["ink"])
    return tostring(root, encoding="unicode")


def png(picture: str, zoom: float) -> bytes:
    """An SVG as PNG, in the typeface that matplotlib brings, so it looks the same everywhere.

    ``zoom`` is in pixels a point.
    """
    import resvg_py

    largest = fitting(picture, inf)
    if not (is_number(zoom) and LEAST_ZOOM <= zoom <= largest):
        raise MctsVizError(
            f"zoom is {shown(zoom)}, but it is in pixels a point, and of a picture this large it "
            f"may be up to {floor(100 * largest) / 100:g}."
        )
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=picture,
            zoom=zoom,
            font_files=list(_fonts()),
            skip_system_fonts=True,
            font_family="DejaVu Sans",
            sans_serif_family="DejaVu Sans",
            monospace_family="DejaVu Sans Mono",
        )
    )


def fitting(picture: str, zoom: float, most: int = MOST_PIXELS) -> float:
    """``zoom``, or less if the picture would have more than ``most`` pixels."""
    root = fromstring(picture)
    return min(zoom, sqrt(most / (float(root.attrib["width"]) * float(root.attrib["height"]))))


def gif(pictures: Sequence[bytes], seconds: float) -> bytes:
    """PNG pictures one after the other, each for so long, again and again."""
    from PIL import Image

    stills = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures]
    size = stills[0].width, max(still.height for still in stills)  # a long caption needs more
    images = [Image.new("RGB", size, still.getpixel((0, 0)) or 0) for still in stills]
    for image, still in zip(images, stills, strict=True):
        image.paste(still)
    file = io.BytesIO()
    images[0].save(
        file, "GIF", save_all=True, append_images=images[1:], duration=1000 * seconds, loop=0
    )
    return file.getvalue()


@cache
def _fonts() -> tuple[str, ...]:
    import matplotlib

    folder = Path(matplotlib.get_data_path(), "fonts", "ttf")
    names = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf")
    return tuple(str(folder / name) for name in names)


class _Painter:
    """Fills a copy of the drawing with what a frame says; what is not there yet is taken out."""

    def __init__(self, drawing: Drawing, frame: AnyFrame, tree: Element) -> None:
        self._drawing, self._frame, self._tree = drawing, frame, tree
        self._reel: Any = drawing.reel  # whose cards are those of the frame

    def paint(self) -> None:
        cards: dict[int, Any] = {card.node: card for card in self._frame.cards}
        stubs = {stub.card: stub for stub in self._frame.stubs}
        trail = ""
        for group in list(self._tree):
            for element in list(group):
                if "data-node" in element.attrib:
                    card = cards.get(int(element.get("data-node", "")))
                    _keep(group, element, card is not None)
                    if card:
                        self._paint_card(element, card)
                elif "data-child" in element.attrib:
                    card = cards.get(int(element.get("data-child", "")))
                    _keep(group, element, card is not None)
                    if card:
                        width = 1.2 + 4 * self._reel.weight(card, self._frame)
                        element.set("style", f"stroke-width:{width:.1f}")
                        trail += element.get("d", "") if card.on_path else ""
                elif "data-stub" in element.attrib:
                    stub = stubs.get(int(element.get("data-stub", "")))
                    _keep(group, element, stub is not None)
                    if stub:
                        _mark(element, "on-path", stub.on_path)
                        _write(element, "count", stub.text)
        _find(self._tree, "trail").set("d", trail)
        self._paint_strip()

    def _paint_card(self, element: Element, card: Any) -> None:
        share, score = self._reel.texts(card)
        _write(element, "share", share)
        _write(element, "score", score)
        length = self._drawing.bar_width * self._reel.level(card)
        _find(element, "bar").set("width", f"{length:.1f}")
        _mark(element, "on-path", card.on_path)
        _mark(element, "new", card.new)
        _mark(element, self._reel.mark(card), bool(self._reel.mark(card)))

    def _paint_strip(self) -> None:
        drawing, frame = self._drawing, self._frame
        strip = _find(self._tree, "strip")
        if not frame.strip:
            self._tree.remove(strip)
            return
        owner = int(drawing.reel.owner[frame.strip[0]])
        x, y = drawing.stub_place(owner)
        left = drawing.strip_left(x, len(frame.strip))
        strip.set("transform", f"translate({left:.1f} 0)")
        top = drawing.strip_top
        _find(strip, "lead").set("d", drawing.lead(x, y, left))
        title_text = _find(strip, "strip-title")
        title_text.set("y", f"{top - 6:.1f}")
        text = next(stub.text for stub in frame.stubs if stub.card == owner)
        title_text.text = f"inside {text}:"
        for element in [e for e in strip if "data-slot" in e.attrib]:
            slot = int(element.get("data-slot", ""))
            if slot >= len(frame.strip):
                strip.remove(element)
                continue
            node = frame.strip[slot]
            element.set("data-node", str(node))
            drawing.draw_position(_find(element, "board"), node)
            self._paint_card(element, frame.slots[slot])


def _find(element: Element, name: str) -> Element:
    return next(e for e in element.iter() if name in e.get("class", "").split())


def _write(element: Element, name: str, text: str) -> None:
    for found in element.iter():
        if found.get("class") == name:
            found.text = text


def _mark(element: Element, name: str, wanted: bool) -> None:
    if wanted:
        element.set("class", f"{element.get('class')} {name}")


def _keep(group: Element, element: Element, wanted: bool) -> None:
    if not wanted:
        group.remove(element)


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
