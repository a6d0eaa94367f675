"""A matplotlib figure that a notebook shows, whether or not pyplot has been loaded before."""

from __future__ import annotations

import io
from typing import Final

from matplotlib import figure

DPI: Final = 100


class Figure(figure.Figure):
    """Without pyplot a kernel does not know how to show a figure; this one tells it."""

    def _repr_png_(self) -> bytes:
        picture = io.BytesIO()
        self.savefig(picture, format="png", dpi=DPI)
        return picture.getvalue()
