"""A clock for work that others ask for: a link, a saved file, the exact values beside a film."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from time import process_time
from typing import Any, TypeVar

from ..errors import TraceError
from .protocol import Game

AnyGame = TypeVar("AnyGame", bound=Game[Any, Any])


class Pace:
    """Refuses after a second work of so many ``steps`` that will take longer than ``seconds``.

    It measures processor time, so a busy machine does not matter.
    """

    def __init__(self, what: str, remedy: str, steps: int, seconds: float) -> None:
        self._what, self._remedy, self._steps, self._seconds = what, remedy, steps, seconds
        self._done, self._begun = 0, process_time()

    def step(self, record: object = None) -> None:
        """One more step is done."""
        self._done += 1

    on_backpropagate = step  # as a hook's method: an iteration is a step

    def check(self) -> None:
        """Raise ``TraceError`` if the steps so far took more than their share."""
        spent = process_time() - self._begun
        if spent > 1 and spent * self._steps > self._seconds * (self._done + 1):
            much = f"too long, over {self._seconds:.0f} seconds"
            raise TraceError(f"{self._what} would take {much}: {self._remedy}.")


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
