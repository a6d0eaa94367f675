"""What of a widget can be set from Python: a wrong value is refused in a sentence."""

from __future__ import annotations

from threading import RLock
from typing import Any, Final, NoReturn

import traitlets

from ..errors import TraceError, shown

__all__ = ["LOCK", "Flag", "Number", "Word"]


LOCK: Final = RLock()
"""One for all widgets: each of two that are linked sets the other."""


class Told(traitlets.TraitType[Any, Any]):
    """A trait whose refusals are the package's own errors, and which one thread sets at a time."""

    def set(self, obj: Any, value: Any) -> None:
        with LOCK:
            super().set(obj, value)

    def error(
        self, obj: Any, value: Any, error: Exception | None = None, info: str | None = None
    ) -> NoReturn:
        raise TraceError(f"{self.name} is {shown(value)}, but it is to be {self.info()}.")


class Number(Told, traitlets.Int[int, int]):
    info_text = "a whole number"


class Word(Told, traitlets.Unicode[str, str]):
    info_text = "a string"


class Flag(Told, traitlets.Bool[bool, bool]):
    info_text = "True or False"
