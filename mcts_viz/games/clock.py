"""A clock for work that others ask for: a link, a saved file, the exact values beside a film."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from time import process_time
from typing import Any, TypeVar

from .protocol import Game

AnyGame = TypeVar("AnyGame", bound=Game[Any, Any])


class Pace:
    """Tells after a second whether so many ``steps`` will take longer than ``seconds`` in all.

    Count those that are ``done``. It measures processor time, so a busy machine does not matter.
    """

    def __init__(self, steps: int, seconds: float) -> None:
        self.steps, self.seconds, self.done = steps, seconds, 0
        self._begun = process_time()

    @property
    def too_slow(self) -> bool:
        """True if the steps so far took more than their share."""
        spent = process_time() - self._begun
        return spent > 1 and spent * self.steps > self.seconds * (self.done + 1)


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
