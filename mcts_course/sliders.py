"""A figure that follows a slider, and is a plain picture where no widget can live."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import Any

from .figures import Figure


class Slider:
    """Drag along ``values``; ``draw(value)`` makes the figure. It begins at ``start``."""

    def __init__(
        self,
        draw: Callable[[Any], Figure],
        name: str,
        values: Sequence[Any],
        start: Any,
        say: Callable[[Any], str] = str,
    ) -> None:
        self.draw, self.name, self.values, self.start, self.say = draw, name, values, start, say

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
        shown = ipywidgets.interactive(self.draw, **{self.name.replace(" ", "_"): control})
        still = base64.b64encode(self.draw(self.start)._repr_png_()).decode("ascii")
        return {**forms_of(shown), "image/png": still, "text/plain": repr(self)}


def forms_of(widget: Any) -> dict[str, Any]:
    """What a widget shows itself as; some versions add metadata."""
    forms = widget._repr_mimebundle_()
    return dict((forms[0] if isinstance(forms, tuple) else forms) or {})
