"""A picture that follows an ipywidgets slider; and a search as Graphviz draws it, step by step."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from .film import Film, Source
from .graph import Graph


@dataclass(repr=False)
class Slider:
    """Drag along ``values``; ``draw(value)`` makes the figure or graph. It starts at ``start``."""

    draw: Callable[[Any], Any]
    name: str
    values: Sequence[Any]
    start: Any

    def __repr__(self) -> str:
        return f"a figure to drag: {self.name} from {self.values[0]} to {self.values[-1]}"

    def _repr_mimebundle_(self, **_: Any) -> Any:
        """The widget, and for places where none lives the picture at which it begins."""
        import ipywidgets  # slow to load, and of no use without a notebook

        control = ipywidgets.SelectionSlider(
            options=list(self.values),
            value=self.start,
            description=self.name,
            style={"description_width": "initial"},
            layout={"width": "500px"},
        )
        picture = ipywidgets.HTML(self._picture(self.start))

        def follow(change: Any) -> None:
            picture.value = self._picture(change.new)

        control.observe(follow, "value")
        shown = ipywidgets.VBox([control, picture])
        forms, words = self.draw(self.start)._repr_mimebundle_()
        return {**forms_of(shown), **forms, "text/plain": repr(self)}, words

    def still(self, value: Any) -> dict[str, str]:
        """Return what a notebook shows of one value; a graph is SVG in a browser's Python."""
        forms: dict[str, str] = self.draw(value)._repr_mimebundle_()[0]
        return forms

    def _picture(self, value: Any) -> str:
        """An image with a text; an output widget would need a kernel that keeps its state."""
        drawn = self.draw(value)
        if isinstance(drawn, Graph):  # an SVG is ready ten times as soon as a PNG
            kind, content = "svg+xml", base64.b64encode(drawn.svg.encode()).decode("ascii")
        else:
            kind, content = "png", self.still(value)["image/png"]
        words = escape(f"{self.name} {value}")
        return (
            f'<img alt="{words}" src="data:image/{kind};base64,{content}" style="max-width:100%">'
        )


def forms_of(widget: Any) -> dict[str, Any]:
    """Return what shows a widget on a page, the same for ipywidgets 7 (Colab's) and 8."""
    view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    return {"application/vnd.jupyter.widget-view+json": view}


def graphviz_slider(source: Source, cards: int | None = None) -> Slider:
    """Any trace as Graphviz draws it, with an ipywidgets slider along its iterations.

    Each picture is :meth:`Film.to_dot` at the end of an iteration; of minimax it is after a step.
    ``cards`` (1 to 300) bounds how many nodes of a trace are drawn, the most visited ones. The tree
    is laid out once, so no node moves. Without Graphviz the drawing is our own.

    >>> from mcts_viz import MCTS, TicTacToe, graphviz_slider
    >>> graphviz_slider(MCTS(TicTacToe(), seed=4).record(iterations=20))
    a figure to drag: iteration from 1 to 20
    """
    film = source if isinstance(source, Film) else Film(source, cards)
    return Slider(film.to_dot, film.data.unit, film.iterations, film.nearest(film.last // 2))
