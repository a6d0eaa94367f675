"""Colours, for light and for dark pages; pictures and the player take them from here alone.

The four phases use hues that stay apart under the common colour-vision deficiencies (after Okabe
and Ito), darkened or lightened until text in them is readable; number, word and outline say the
same without colour.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final

__all__ = ["THEMES", "css_variables", "tree_css"]

THEMES: Final = {
    "light": {
        "ink": "#1a2130",
        "muted": "#535c6d",
        "page": "#ffffff",
        "panel": "#f5f6fa",
        "card": "#ffffff",
        "line": "#b6bfcd",
        "grid": "#8f99aa",
        "glow": "#ffe9a8",
        "track": "#e1e5ec",
        "player-0": "#1a2130",
        "player-1": "#b8410b",
        "player-2": "#6b4a1f",
        "select": "#0067a8",
        "expand": "#a84300",
        "simulate": "#00704f",
        "backpropagate": "#8b3a80",
        "on-phase": "#ffffff",
    },
    "dark": {
        "ink": "#eef1f6",
        "muted": "#b3bccb",
        "page": "#111418",
        "panel": "#1b2027",
        "card": "#262d37",
        "line": "#5d6878",
        "grid": "#8a95a6",
        "glow": "#6a5717",
        "track": "#3b4452",
        "player-0": "#f3f5f9",
        "player-1": "#ff9d66",
        "player-2": "#e3b778",
        "select": "#6cbcf5",
        "expand": "#ff9e5e",
        "simulate": "#4fd0a5",
        "backpropagate": "#e79bdb",
        "on-phase": "#111418",
    },
}


OF_EVENT: Final = {
    "enter": "select",
    "evaluate": "simulate",
    "back_up": "backpropagate",
    "cut_off": "expand",
}
"""What happens in a walk by minimax has the colours of the phases."""


def css_variables(theme: str) -> str:
    """The colours of a theme as CSS declarations."""
    return "".join(f"--mcts-{name}: {colour};" for name, colour in THEMES[theme].items())


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
