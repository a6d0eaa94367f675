"""Text is as wide as pictures take it to be, in Chromium and in the program that makes PNG."""

from __future__ import annotations

import io
from functools import cache
from html import escape
from typing import Any, NamedTuple

import numpy as np
import pytest
from films import READ, films, walks, wide
from PIL import Image
from playwright.sync_api import Page

from mcts_viz.film.drawing import FAMILY
from mcts_viz.film.letters import width
from mcts_viz.film.pictures import png
from mcts_viz.search import PHASES

pytestmark = pytest.mark.many

PITCH = 24
ROWS = 100
"""So many lines are drawn in one picture."""
DARK = 60
"""A grey, of 255, that only text is as dark as."""
SLACK = 0.5
"""So many points may a line be wider than it is taken to be; borders are three points away."""


class Line(NamedTuple):
    """A line of text in a picture, and the room that it has there."""

    text: str
    size: float
    bold: bool
    room: float


@cache
def lines() -> list[Line]:
    """The lines of many moments of films of all kinds, each once, in its least room."""
    special = ("dice", "ice", "paid", "a wheel", "solver", "watched")
    found: dict[Any, float] = {}
    for film in [*films(), *walks(), wide(), *(READ[name]() for name in special)]:
        for place, k in enumerate(film.iterations[:: max(1, film.last // 40)]):
            phase = PHASES[place % 4] if film.phases == PHASES else None
            for node in film.drawing(k, phase).nodes:
                key = node.text, node.size, node.bold
                found[key] = min(node.wide, found.get(key, node.wide))
    return [Line(*key, room) for key, room in found.items() if key[0].strip()]


def picture(some: list[Line]) -> str:
    """The lines below each other, each from the same x."""
    rows = [
        f'<text x="10" y="{PITCH * (row + 0.7):g}" style="font-family:{FAMILY};'
        f"font-size:{line.size:g}px;font-weight:{'bold' if line.bold else 'normal'}"
        f'">{escape(line.text)}</text>'
        for row, line in enumerate(some)
    ]
    wide, high = 30 + max(line.room for line in some), PITCH * len(some)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" '
        f'viewBox="0 0 {wide} {high}"><rect width="{wide}" height="{high}" fill="white"/>'
        f"{''.join(rows)}</svg>"
    )


def check(some: list[Line], measured: list[float]) -> None:
    assert len(some) == len(measured)
    for line, found in zip(some, measured, strict=True):
        assert found <= line.room + SLACK, line
        assert found <= width(line.text, line.size, line.bold) + SLACK, line


def test_no_line_is_wider_than_its_room_in_chromium(page: Page) -> None:
    page.set_content(picture(lines()))
    measured = page.evaluate(
        "[...document.querySelectorAll('text')].map(each => each.getComputedTextLength())"
    )
    check(lines(), measured)
    assert len(measured) > 1000


def test_no_line_is_wider_than_its_room_in_resvg() -> None:
    """By its ink, which is a little narrower than the text."""
    every = sorted(lines(), key=lambda line: line.room)[::16]  # narrow ones in narrow pictures
    for start in range(0, len(every), ROWS):
        some = every[start : start + ROWS]
        drawn = Image.open(io.BytesIO(png(picture(some), 2.0))).convert("L")
        ink = np.asarray(drawn) < 128
        rows = ink.reshape(len(some), -1, ink.shape[1])
        last = [int(np.flatnonzero(row.any(axis=0)).max(initial=19)) for row in rows]
        check(some, [(each + 1) / 2 - 10 for each in last])


@pytest.mark.parametrize("name", ["tic-tac-toe", "nim", "dice", "a wheel"])
@pytest.mark.parametrize("painter", ["ours", "Graphviz"])
def test_a_browser_paints_as_dark_as_the_program_that_makes_png(
    page: Page, name: str, painter: str
) -> None:
    """The lines of boards are shared, and a rule that does not reach them leaves them black."""
    film = READ[name]()
    moment = film.last, film.phases[-1]
    svg = film.to_svg(*moment) if painter == "ours" else film.to_dot(*moment).svg
    page.set_viewport_size({"width": 1300, "height": 800})
    page.set_content(f"<body style='margin: 0; background: white'>{svg}</body>")
    painted = dark(page.screenshot(), 1)
    of_png = film.to_png(*moment)
    with Image.open(io.BytesIO(of_png)) as image:
        scale = image.width / 934
    assert painted < 1.5 * dark(of_png, scale) + 2_000


def dark(picture: bytes, scale: float) -> float:
    """The points of a picture that are as dark as text, each of ``scale`` pixels a side."""
    with Image.open(io.BytesIO(picture)) as image:
        return float((np.asarray(image.convert("L")) < DARK).sum() / scale**2)
