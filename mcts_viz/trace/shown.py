"""How a trace shows itself in a notebook."""

from __future__ import annotations

from typing import Any

__all__ = ["Shown"]


class Shown:
    """A trace, which is displayed as its film."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        from ..widgets import display_bundle  # the one call from this room to a later one

        return display_bundle(self)
