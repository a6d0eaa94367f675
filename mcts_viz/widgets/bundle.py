"""The board's script and style sheet, joined with those of the player that shows its films."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from .player import script, style, themed

__all__ = ["play_script", "play_style"]


@cache
def play_script() -> str:
    """The board's module and the player's, which shows the films, as one."""
    own = files(__package__).joinpath("play.js").read_text(encoding="utf-8")
    kept = [line for line in own.splitlines() if not line.startswith("import ")]
    return "\n".join([script().replace("export default { render };", ""), *kept])


@cache
def play_style() -> str:
    """The style sheets of the board and of the player, with the colours of light and dark pages."""
    own = files(__package__).joinpath("play.css").read_text(encoding="utf-8")
    return f"{style()}\n{themed('.mcts-play')}{own}"
