"""Pictures: colours for light and for dark pages, what an SVG is put together from, and PNG.

The four phases use hues that stay apart under the common colour-vision deficiencies (after Okabe
and Ito), darkened or lightened until text in them is readable; number, word, the shape around the
number say the same without colour.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import sqrt
from pathlib import Path
from typing import Any, Final
from xml.etree.ElementTree import Element, SubElement, fromstring, tostring

_COLOURS: Final = {
    "ink": ("#1a2130", "#eef1f6", "CanvasText"),
    "muted": ("#535c6d", "#b3bccb", "CanvasText"),
    "page": ("#ffffff", "#111418", "Canvas"),
    "panel": ("#f5f6fa", "#1b2027", "Canvas"),
    "card": ("#ffffff", "#262d37", "Canvas"),
    "line": ("#868f9e", "#6f7a8b", "CanvasText"),
    "grid": ("#8f99aa", "#8a95a6", "CanvasText"),
    "glow": ("#ffe9a8", "#6a5717", "CanvasText"),
    "plate": ("#dce3ee", "#3d4d6b", "Canvas"),
    "disc": ("#e8b500", "#e8b500", "Highlight"),
    "rim": ("#8a6200", "#7a5600", "CanvasText"),
    "track": ("#e1e5ec", "#3b4452", "Canvas"),
    "player-0": ("#1d4f91", "#8fb8ff", "CanvasText"),
    "player-1": ("#ba4c0a", "#ffa25c", "CanvasText"),
    "player-2": ("#5f3a1a", "#a87b4c", "CanvasText"),
    "select": ("#8a2c7c", "#e08bd3", "Highlight"),
    "expand": ("#1e7b5a", "#4fd0a5", "Highlight"),
    "simulate": ("#8a6100", "#d9b13b", "Highlight"),
    "backpropagate": ("#b3261e", "#ff8a80", "Highlight"),
    "on-phase": ("#ffffff", "#111418", "Canvas"),
    "mean": ("#12417c", "#6f9cff", "Highlight"),
    "exploration": ("#b9c6dd", "#3d4b69", "GrayText"),
    "wins-0": ("#1d4f91", "#5b95f0", "Highlight"),
    "drawn": ("#c3c9d3", "#4d5768", "GrayText"),
    "wins-1": ("#e8843f", "#ffc48f", "CanvasText"),
    "wins-2": ("#5f9e6e", "#8ed0a0", "GrayText"),
    "wins-3": ("#8f7ac2", "#c0aef0", "GrayText"),
}
"""By role: the colour on a light and on a dark page, and where the reader's system forces its own;
there shapes, lines and words still differ."""

_LIGHT, _DARK, FORCED = (
    dict(zip(_COLOURS, column, strict=True)) for column in zip(*_COLOURS.values(), strict=True)
)
THEMES: Final = {"light": _LIGHT, "dark": _DARK}

OF_EVENT: Final = {
    "enter": "select",
    "evaluate": "simulate",
    "back_up": "backpropagate",
    "cut_off": "expand",
}
"""The phases whose colours, shapes and lines the steps of minimax have."""


MARKS: Final = {
    "select": "M12 1.5a10.5 10.5 0 1 1 0 21a10.5 10.5 0 1 1 0 -21Z",
    "expand": "M3 3H21V21H3Z",
    "simulate": "M12 0.5L23.5 12L12 23.5L0.5 12Z",
    "backpropagate": "M12 1L23.5 22.5H0.5Z",
}
"""The shapes around the phases' numbers, 24 by 24: they tell them apart without colour."""


def css_variables(colours: dict[str, str]) -> str:
    """A theme's colours, or the ``FORCED`` ones, as CSS declarations."""
    return "".join(f"--mcts-{name}: {colour};" for name, colour in colours.items())


def tree_css() -> str:
    """The style sheet of the tree, which names colours only as ``var(--mcts-...)``."""
    return files(__package__).joinpath("tree.css").read_text(encoding="utf-8")


def still_css(theme: str, phase: str) -> str:
    """The style sheets with their colours written out, for pictures outside a page."""
    css, colours = tree_css(), THEMES[theme]
    css = css.replace("var(--mcts-phase)", colours[OF_EVENT.get(phase, phase)])
    for name, colour in colours.items():
        css = css.replace(f"var(--mcts-{name})", colour)
    return css


LONGEST_ALT: Final = 600
"""Letters that tell of a picture."""
SVG: Final = "http://www.w3.org/2000/svg"
MOST_PIXELS: Final = 12_000_000
"""Of a picture; to draw them takes 200 MB."""


def new_svg(box: tuple[float, float, float, float], look: str = "", **attributes: str) -> Element:
    """An SVG without anything in it yet; ``box`` is its left, its top, its width and its height."""
    shown = " ".join(f"{side:g}" for side in box)
    names = {name.replace("_", "-"): value for name, value in attributes.items()}
    return Element(
        "svg", {"xmlns": SVG, "viewBox": shown, **({"class": look} if look else {}), **names}
    )


def add(
    parent: Element, tag: str, look: str = "", text: str | None = None, **attributes: str | float
) -> Element:
    """Add an element of the class ``look``; numbers are written with one decimal at most."""
    element = SubElement(parent, tag, {"class": look} if look else {})
    for name, value in attributes.items():
        said = value if isinstance(value, str) else f"{round(float(value), 1):g}"
        element.set(name.replace("_", "-"), said)
    element.text = text
    return element


def beside(pictures: Sequence[str], note: str = "") -> str:
    """SVG pictures side by side, below a line of text."""
    parts = [fromstring(picture) for picture in pictures]
    left, top = 0.0, 26.0 if note else 0.0
    for part in parts:
        part.set("x", f"{left:g}")
        part.set("y", f"{top:g}")
        left += float(part.attrib["width"])
    high = top + max(float(part.attrib["height"]) for part in parts)
    root = new_svg((0, 0, left, high), width=f"{left:g}", height=f"{high:g}", role="img")
    colours = THEMES["light"]
    add(root, "rect", width="100%", height="100%", fill=colours["page"])
    look = {"fill": colours["ink"], "font_size": "13", "font_weight": "bold"}
    add(root, "text", "", note, x=10, y=18, **look)
    root.extend(parts)
    return tostring(root, encoding="unicode")


def png(picture: str, zoom: float = 1.0) -> bytes:
    """An SVG as PNG, in the typeface that matplotlib brings, so it looks the same everywhere.

    ``zoom`` is in pixels a point, and less is taken if there would be more than ``MOST_PIXELS``.
    Raises ``ImportError`` where resvg-py cannot be had.
    """
    try:
        import resvg_py
    except ImportError as error:
        raise ImportError(
            f"PNG pictures need resvg-py, which could not be imported ({error}): run "
            "pip install resvg-py, or take SVG, which needs nothing."
        ) from None
    size = fromstring(picture).attrib
    points = float(size["width"]) * float(size["height"])
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=picture,
            zoom=min(zoom, sqrt(MOST_PIXELS / points)),
            font_files=list(_fonts()),
            skip_system_fonts=True,
            font_family="DejaVu Sans",
            sans_serif_family="DejaVu Sans",
            monospace_family="DejaVu Sans Mono",
        )
    )


class Svg(str):
    """An SVG as text, which a notebook shows as a picture with its words."""

    @property
    def words(self) -> str:
        """What the picture tells, for who does not see it."""
        return fromstring(self).get("aria-label", "a picture")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return with_words(output_forms(self, self.words, 1.5))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the words: IPython has a printer of its own for text, which comes first."""
        printer.text(self.words)


def with_words(forms: dict[str, str], words: str = "") -> tuple[dict[str, str], dict[str, Any]]:
    """A cell's output and its metadata, in which pages find words for who sees no picture.

    Without ``words`` these are the first and the last line of the output's text: what it is, and
    what happens.
    """
    lines = forms.get("text/plain", "").strip().splitlines()
    ends = ". ".join(dict.fromkeys([*lines[:1], *lines[-1:]]))
    words = (words or ends.replace("..", "."))[:LONGEST_ALT]
    return forms, {form: {"alt": words} for form in forms if form.startswith("image/") and words}


def output_forms(picture: str, text: str, zoom: float = 1.0) -> dict[str, str]:
    """An SVG as a cell's output, as PNG if it can be made here, and a text that says the same."""
    try:
        image = png(picture, zoom)
    except ImportError:  # as in a browser's Python
        return {"image/svg+xml": picture, "text/plain": text}
    return {"image/png": base64.b64encode(image).decode("ascii"), "text/plain": text}


@cache
def _fonts() -> tuple[str, ...]:
    import matplotlib

    folder = Path(matplotlib.get_data_path(), "fonts", "ttf")
    names = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf")
    return tuple(str(folder / name) for name in names)
