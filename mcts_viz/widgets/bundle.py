"""Scripts and style sheets of widgets that show films: their own, joined with the player's."""

from __future__ import annotations

from importlib.resources import files

from .player import script, style, themed

__all__ = ["script_with", "style_with"]


def script_with(name: str) -> str:
    """The player's module and another of this folder, which renders in its stead, as one."""
    own = files(__package__).joinpath(name).read_text(encoding="utf-8")
    kept = [line for line in own.splitlines() if not line.startswith("import ")]
    return "\n".join([script().replace("export default { initialize, render };", ""), *kept])


def style_with(name: str, selector: str) -> str:
    """The player's style sheet and another, with colours for the elements of ``selector`` too."""
    own = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return f"{style()}\n{themed(selector)}{own}"
