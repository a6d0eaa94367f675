"""Figures of the lessons: made without pyplot, in the colours of the films."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from mcts_viz.film.theme import THEMES
from mcts_viz.film.words import label_of, without_formulas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from mcts_viz.film.figures import Figure
else:  # only who wants a figure waits for matplotlib
    Axes = Figure = Any

__all__ = ["COLOURS", "Axes", "Figure", "Pictured", "label_of", "new_figure", "without_formulas"]

COLOURS: Final = THEMES["light"]


class Pictured:
    """Something that shows itself by its ``figure()``."""

    def figure(self) -> Figure:
        """The figure."""
        raise NotImplementedError

    def _repr_png_(self) -> bytes:
        return self.figure()._repr_png_()


def new_figure(
    width: float = 7.6, height: float = 3.6, columns: int = 1, **shared: Any
) -> tuple[Figure, list[Axes]]:
    """A figure of that size in inches, with its plots side by side; each is open on two sides."""
    from mcts_viz.film.figures import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    row: list[Axes] = list(figure.subplots(1, columns, squeeze=False, **shared)[0])
    for axes in row:
        axes.spines[["top", "right"]].set_visible(False)
    return figure, row
