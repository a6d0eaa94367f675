"""A matplotlib figure that a notebook shows, whether or not pyplot has been loaded before."""

from __future__ import annotations

import io
from typing import Final

from matplotlib import figure

DPI: Final = 100


class Figure(figure.Figure):
    """A figure with a PNG for the notebook, which a kernel without pyplot cannot make."""

    def _repr_png_(self) -> bytes:
        picture = io.BytesIO()
        self.savefig(picture, format="png", dpi=DPI)
        return picture.getvalue()
