"""What of a widget can be set from Python: a wrong value is refused in a sentence."""

from __future__ import annotations

from difflib import get_close_matches
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias

import anywidget
import traitlets

from ..errors import TraceError, shown
from .bundle import script, style

if TYPE_CHECKING:
    Trait: TypeAlias = traitlets.TraitType[Any, Any]
    Int: TypeAlias = traitlets.Int[int, int]
    Unicode: TypeAlias = traitlets.Unicode[str, str]
else:  # these are no generics in the traitlets that Colab keeps
    from traitlets import Int, Unicode
    from traitlets import TraitType as Trait

LOCK: Final = RLock()
"""One for all widgets: each of two that are linked sets the other."""


class Widget(anywidget.AnyWidget):
    """A widget that knows its names: another one, mistyped, would be set in silence.

    Its output holds a picture and text too, for places where no widget lives.
    """

    _esm = script()
    _css = style()

    def _still_forms(self) -> dict[str, str]:
        """The picture and the text, by MIME type."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle: Any = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return {**data, **self._still_forms()}, metadata

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and self.comm is not None and not hasattr(self, name):
            near = "".join(get_close_matches(name, self.trait_names(sync=True), 1))
            meant = f": did you mean {near}?" if near else "."
            raise TraceError(f"A {type(self).__name__} has no {name} to set{meant}")
        super().__setattr__(name, value)


class Told(Trait):
    """A trait whose refusals are the package's own errors, and which one thread sets at a time."""

    def set(self, obj: Any, value: Any) -> None:
        with LOCK:
            super().set(obj, value)

    def error(
        self, obj: Any, value: Any, error: Exception | None = None, info: str | None = None
    ) -> NoReturn:
        raise TraceError(f"{self.name} is {shown(value)}, but it must be {self.info()}.")


class Number(Told, Int):
    info_text = "a whole number"


class Word(Told, Unicode):
    info_text = "a string"
