"""Colours, for light and for dark pages; pictures and the player take them from here alone.

The four phases use hues that stay apart under the common colour-vision deficiencies (after Okabe
and Ito), darkened or lightened until text in them is readable; number, word, the shape around the
number say the same without colour.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final
from xml.etree.ElementTree import Element, SubElement

THEMES: Final = {
    "light": {
        "ink": "#1a2130",
        "muted": "#535c6d",
        "page": "#ffffff",
        "panel": "#f5f6fa",
        "card": "#ffffff",
        "line": "#868f9e",
        "grid": "#8f99aa",
        "glow": "#ffe9a8",
        "track": "#e1e5ec",
        "player-0": "#1a2130",
        "player-1": "#c8400a",
        "player-2": "#5f3a1a",
        "select": "#0072a3",
        "expand": "#8a6200",
        "simulate": "#00704f",
        "backpropagate": "#8b3a80",
        "on-phase": "#ffffff",
        "mean": "#12417c",
        "bonus": "#b9c6dd",
        "move-0": "#12417c",
        "move-1": "#c34d13",
        "move-2": "#2f8fd0",
        "move-3": "#8a2f79",
        "move-4": "#7c7a12",
        "others": "#9aa3b2",
    },
    "dark": {
        "ink": "#eef1f6",
        "muted": "#b3bccb",
        "page": "#111418",
        "panel": "#1b2027",
        "card": "#262d37",
        "line": "#6f7a8b",
        "grid": "#8a95a6",
        "glow": "#6a5717",
        "track": "#3b4452",
        "player-0": "#f3f5f9",
        "player-1": "#ff8f5a",
        "player-2": "#a87b4c",
        "select": "#38b6e8",
        "expand": "#d9b13b",
        "simulate": "#4fd0a5",
        "backpropagate": "#e08bd3",
        "on-phase": "#111418",
        "mean": "#6f9cff",
        "bonus": "#3d4b69",
        "move-0": "#8fb8ff",
        "move-1": "#ff8f4d",
        "move-2": "#4ad6c0",
        "move-3": "#e08bd3",
        "move-4": "#e6dd78",
        "others": "#6d7888",
    },
}


OF_EVENT: Final = {
    "enter": "select",
    "evaluate": "simulate",
    "back_up": "backpropagate",
    "cut_off": "expand",
}
"""What happens in a walk by minimax has the colours, shapes and lines of the phases."""


MARKS: Final = {
    "select": "M12 1.5a10.5 10.5 0 1 1 0 21a10.5 10.5 0 1 1 0 -21Z",
    "expand": "M3 3H21V21H3Z",
    "simulate": "M12 0.5L23.5 12L12 23.5L0.5 12Z",
    "backpropagate": "M12 1L23.5 22.5H0.5Z",
}
"""How a phase looks in a still without colour: the shape around its number, 24 by 24."""

FORCED: Final = {
    **dict.fromkeys(THEMES["light"], "CanvasText"),
    **dict.fromkeys(("page", "panel", "card", "track", "on-phase"), "Canvas"),
    **dict.fromkeys(("move-0", "move-2", "move-4"), "GrayText"),
    "mean": "Highlight",
    "bonus": "GrayText",
    **dict.fromkeys(("select", "expand", "simulate", "backpropagate"), "Highlight"),
}
"""The colours where the reader's system forces its own; shapes, lines and words still differ."""


def badge(parent: Element, phase: str, number: int, x: float, y: float) -> None:
    """Draw a phase's number in its shape, 16 points wide and high."""
    name = OF_EVENT.get(phase, phase)
    group = SubElement(parent, "g", {"class": "badge", "transform": f"translate({x:g} {y:g})"})
    SubElement(group, "path", {"class": "shape", "d": MARKS[name], "transform": "scale(.667)"})
    low = "14" if name == "backpropagate" else "12"  # a triangle is wide below
    SubElement(group, "text", {"class": "number", "x": "8", "y": low}).text = str(number)


def css_variables(theme: str) -> str:
    """The colours of a theme as CSS declarations."""
    return "".join(f"--mcts-{name}: {colour};" for name, colour in THEMES[theme].items())


def forced_colours() -> str:
    """The same where the reader's system forces its own colours."""
    return "".join(f"--mcts-{name}: {colour};" for name, colour in FORCED.items())


def tree_css() -> str:
    """The style sheet of the tree, which names colours only as ``var(--mcts-...)``."""
    return files(__package__).joinpath("tree.css").read_text(encoding="utf-8")


def still_css(theme: str, phase: str) -> str:
    """The same with the colours written out, for pictures that stand alone."""
    css, colours = tree_css(), THEMES[theme]
    css = css.replace("var(--mcts-phase)", colours[OF_EVENT.get(phase, phase)])
    for name, colour in colours.items():
        css = css.replace(f"var(--mcts-{name})", colour)
    return css
