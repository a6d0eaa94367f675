"""Pictures: what an SVG is put together from, and the same as PNG and as GIF."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, SubElement, fromstring

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


def output_forms(picture: str, text: str, zoom: float = 1.0) -> dict[str, str]:
    """An SVG as a cell's output, as PNG if it can be made here, and a text that says the same."""
    try:
        image = png(picture, zoom)
    except ImportError:  # as in a browser's Python
        return {"image/svg+xml": picture, "text/plain": text}
    return {"image/png": base64.b64encode(image).decode("ascii"), "text/plain": text}


def gif(pictures: Sequence[bytes], seconds: float) -> bytes:
    """PNG pictures one after the other, each for so long, again and again."""
    from PIL import Image

    images = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures]
    size = images[0].width, max(image.height for image in images)  # a long caption needs more
    pages = [Image.new("RGB", size, image.getpixel((0, 0)) or 0) for image in images]
    for page, image in zip(pages, images, strict=True):
        page.paste(image)
    file = io.BytesIO()
    pages[0].save(
        file, "GIF", save_all=True, append_images=pages[1:], duration=1000 * seconds, loop=0
    )
    return file.getvalue()


@cache
def _fonts() -> tuple[str, ...]:
    import matplotlib

    folder = Path(matplotlib.get_data_path(), "fonts", "ttf")
    names = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf")
    return tuple(str(folder / name) for name in names)
