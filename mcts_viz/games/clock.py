"""A clock for work that others ask for: the exact values beside a film."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, TypeVar

from .protocol import Game

AnyGame = TypeVar("AnyGame", bound=Game[Any, Any])


def clocked(game: AnyGame, check: Callable[[], None]) -> AnyGame:
    """The same rules, except that ``check()``, which may raise, is called before every move."""
    kind: Any = type(game)

    def play(self: AnyGame, state: Any, action: Any) -> Any:
        check()
        return kind.play(self, state, action)

    twin = copy(game)
    clocked_kind = type(kind.__name__, (kind,), {"play": play, "__slots__": ()})
    object.__setattr__(twin, "__class__", clocked_kind)  # of a frozen dataclass, too
    return twin
