"""Numbers that a reader sets, by mouse, touch or keys, with a picture that follows them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from mcts_viz.errors import MctsVizError, require

from .boxed import Boxed
from .figures import Figure


class Fields(Boxed):
    """Sliders from 0 to 100, by name, and ``draw(values)`` below them; ``values`` are theirs now.

    ``set`` does what dragging does, where no widgets can live.
    """

    def __init__(
        self, start: Mapping[str, int], draw: Callable[[Mapping[str, int]], Figure], unit: str = "%"
    ) -> None:
        self.values = dict(start)
        self._draw, self._unit = draw, unit
        self._sliders: dict[str, Any] = {}
        self._picture: Any = None

    def set(self, values: Mapping[str, int]) -> None:
        """Set some of the numbers. Raises ``MctsVizError`` for others, or beyond 0 to 100."""
        for name, value in values.items():
            known = ", ".join(self.values)
            require(name in self.values, "The name", f"one of {known}", name, MctsVizError)
            right = type(value) is int and 0 <= value <= 100
            require(right, name, "a whole number from 0 to 100", value, MctsVizError)
        self.values |= values
        for name, slider in self._sliders.items():
            slider.value = self.values[name]
        self._show()

    def _show(self) -> None:
        if self._picture is not None:
            png = b64encode(self._draw(self.values).png()).decode()
            self._picture.value = (
                f'<img alt="{escape(repr(self))}" src="data:image/png;base64,{png}" '
                'style="max-width:100%">'
            )

    def _make(self) -> None:
        import ipywidgets  # slow to load, and of no use without a notebook

        for name, value in self.values.items():
            slider = ipywidgets.IntSlider(
                value, 0, 100, 1, description=name, continuous_update=False
            )
            slider.style.description_width = "90px"
            slider.observe(lambda change, name=name: self._dragged(name, change["new"]), "value")
            self._sliders[name] = slider
        self._picture = ipywidgets.HTML()
        self._box = ipywidgets.VBox([*self._sliders.values(), self._picture])

    def _dragged(self, name: str, value: int) -> None:
        if self.values[name] != value:
            self.values[name] = value
            self._show()

    def __repr__(self) -> str:
        return ", ".join(f"{name}: {value} {self._unit}" for name, value in self.values.items())

    def _repr_mimebundle_(self, **_: object) -> Any:
        live = super()._repr_mimebundle_()
        still, words = self._draw(self.values)._repr_mimebundle_()
        return {**still, **live}, words
