"""Objects that a cell shows with widgets of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from .figures import forms_of


class Boxed(ABC):
    """An object with widgets, which are made when a cell first shows it."""

    _box: Any = None
    """All its widgets; none before the first cell that shows them."""

    @abstractmethod
    def _make(self) -> None:
        """Make the widgets, and keep them in ``_box``."""

    @abstractmethod
    def _show(self) -> None:
        """Let the widgets follow the object; without widgets do nothing."""

    def _repr_mimebundle_(self, **_: object) -> Any:
        if self._box is None:
            self._make()
        self._show()
        return {**forms_of(self._box), "text/plain": repr(self)}
