"""Figures of the lessons, in the colours of the films and without pyplot; one follows a slider."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final

from mcts_viz.film.pictures import THEMES
from mcts_viz.film.words import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes

    from .notebook_figure import Figure as Figure
else:  # only who wants a figure waits for matplotlib
    Axes = Figure = Any

COLOURS: Final = THEMES["light"]


def new_figure(
    width: float = 7.6, height: float = 3.6, columns: int = 1, rows: int = 1, **shared: Any
) -> tuple[Figure, list[Axes]]:
    """A figure of that size in inches, with its plots row by row; each is open on two sides."""
    from .notebook_figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    plots: list[Axes] = list(figure.subplots(rows, columns, squeeze=False, **shared).flat)
    for axes in plots:
        axes.spines[["top", "right"]].set_visible(False)
    return figure, plots


def label_of(name: object) -> str:
    """A name in a figure, as it is: matplotlib reads formulas between dollars, and skips ``_x``."""
    label = without_formulas(plain(str(name)))
    return f" {label}" if label.startswith("_") else label


def without_formulas(text: str) -> str:
    """The same text, whatever dollars are in it."""
    return text.replace("$", r"\$")


@dataclass(repr=False)
class Slider:
    """Drag along ``values``; ``draw(value)`` makes the figure or graph. It starts at ``start``."""

    draw: Callable[[Any], Any]
    name: str
    values: Sequence[Any]
    start: Any
    say: Callable[[Any], str] = str

    def __repr__(self) -> str:
        return f"a figure to drag: {self.name} from {self.values[0]} to {self.values[-1]}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        import ipywidgets  # slow to load, and of no use without a notebook

        control = ipywidgets.SelectionSlider(
            options=[(self.say(value), value) for value in self.values],
            value=self.start,
            description=self.name,
            style={"description_width": "initial"},
            layout={"width": "500px"},
        )
        still = self.still(self.start)
        picture = ipywidgets.HTML(self._picture(self.start, still))

        def follow(change: Any) -> None:
            picture.value = self._picture(change.new, self.still(change.new))

        control.observe(follow, "value")
        shown = ipywidgets.VBox([control, picture])
        return {**forms_of(shown), **still, "text/plain": repr(self)}

    def still(self, value: Any) -> dict[str, str]:
        """Return what a notebook shows of one figure; a graph is SVG in a browser's Python."""
        drawn = self.draw(value)
        if hasattr(drawn, "_repr_mimebundle_"):
            forms: dict[str, str] = drawn._repr_mimebundle_()
            return forms
        return {"image/png": base64.b64encode(drawn._repr_png_()).decode("ascii")}

    def _picture(self, value: Any, still: dict[str, str]) -> str:
        """An image with a text; an output widget would need a kernel that keeps its state."""
        words = escape(f"{self.name} {self.say(value)}")
        if svg := still.get("image/svg+xml"):
            image = f"svg+xml;base64,{base64.b64encode(svg.encode()).decode('ascii')}"
        else:
            image = f"png;base64,{still['image/png']}"
        return f'<img alt="{words}" src="data:image/{image}" style="max-width:100%">'


def forms_of(widget: Any) -> dict[str, Any]:
    """Return what shows a widget on a page, the same for ipywidgets 7 (Colab's) and 8."""
    view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    return {"application/vnd.jupyter.widget-view+json": view}
