"""A matplotlib figure that a notebook shows with its words, whether or not pyplot is loaded."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from matplotlib import figure
from matplotlib.axes import Axes
from matplotlib.container import BarContainer

from mcts_viz.film.pictures import with_words

DPI: Final = 100


class Figure(figure.Figure):
    """A figure with a PNG for the notebook, which a kernel without pyplot cannot make."""

    said: str = ""
    """The figure in words, where its axes and curves do not say enough."""

    def png(self) -> bytes:
        """The figure as PNG."""
        picture = io.BytesIO()
        self.savefig(picture, format="png", dpi=DPI)
        return picture.getvalue()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        picture = base64.b64encode(self.png()).decode("ascii")
        return with_words({"image/png": picture, "text/plain": self.words})

    @property
    def words(self) -> str:
        """The figure in words, for readers who cannot see it: its axes, and each curve's ends."""
        return self.said or ". ".join(map(_words, self.axes))


def _words(axes: Axes) -> str:
    """The title and the axes of one plot, and what is drawn in it."""
    title = axes.get_title()
    high = axes.get_ylabel()
    wide = axes.get_xlabel()
    over = f"{high} by {wide}" if high and wide else high or wide
    head = ", ".join(filter(None, (title, over)))
    return ": ".join(filter(None, ("Plot", head, "; ".join(_drawn(axes)))))


FEW: Final = 9
"""Up to so many points a curve is told point by point. Longer ones and straight lines are told by
their ends."""


def _drawn(axes: Axes) -> Iterator[str]:
    """The heights of each named curve and of all bars, in words."""
    for line in axes.get_lines():
        name, heights = str(line.get_label()), [*map(_number, np.asarray(line.get_ydata(), float))]
        if not name.startswith("_") and heights:
            each = f"{name}: {', '.join(heights)}"
            ends = f"{name} from {heights[0]} to {heights[-1]}"
            yield each if 2 < len(heights) <= FEW else ends
    names = [label.get_text() for label in axes.get_xticklabels()]
    for bars in axes.containers:
        if isinstance(bars, BarContainer):
            tall = [_number(bar.get_height()) for bar in bars.patches]
            said = ", ".join(map(": ".join, zip(names, tall, strict=False)))
            name = str(bars.get_label())
            yield said if name.startswith("_") else f"{name} ({said})"


def _number(height: float) -> str:
    return f"{height:,.0f}" if abs(height) >= 1000 else f"{height:.3g}"
