"""Names in figures, as they are: matplotlib reads formulas between dollars, and skips ``_name``."""

from __future__ import annotations

from mcts_viz.film.words import plain

__all__ = ["label_of", "without_formulas"]


def label_of(name: object) -> str:
    """A name on one line, for a legend, an axis or a title."""
    label = without_formulas(plain(str(name)))
    return f" {label}" if label.startswith("_") else label


def without_formulas(text: str) -> str:
    """The same text, whatever dollars are in it."""
    return text.replace("$", r"\$")
