"""Work beside the cells of a notebook: replies to a move, hints, and the branches of What if."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from threading import RLock
from time import perf_counter
from typing import Any, TypeAlias

from ..errors import MctsVizError

SLICE = 0.05
"""Seconds that a step of the work may take; so long the kernel hears nothing."""
YIELD = 0.001
"""Seconds between two steps; another thread that waits for the lock gets it then."""
PAUSE = 0.2
"""Seconds between two reports of progress."""

Steps: TypeAlias = Iterator[Any]
"""Work that stops after each step, with a report of how far it is, or ``None``."""


class Worker:
    """Does one thing at a time, and lets the kernel listen between two steps of it.

    ``begin`` takes the place of what was being done. The first step is done at once; the others
    after the cell has ended, or here and now where no event loop runs. What the page asks for may
    come in another thread, so each step holds ``lock``. ``show`` is given a report now and then.
    An error ends the work, and ``failed`` hears of it.
    """

    def __init__(self, show: Callable[[Any], object], failed: Callable[[Any], object]) -> None:
        self.lock = RLock()
        self.stopped = False
        """True if the work should make do with what it has found."""
        self._show, self._failed = show, failed
        self._work: Steps | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        return self._work is not None

    def begin(self, work: Steps) -> None:
        with self.lock:
            self._work, self.stopped = work, False
            self._step(work)
        going_on = self._go_on(work)
        try:
            self._task = asyncio.get_running_loop().create_task(going_on)  # held here alone
        except RuntimeError:
            asyncio.run(going_on)

    def stop(self) -> None:
        """Ask for what has been found by now."""
        self.stopped = True

    def drop(self) -> None:
        """Forget the work."""
        self._work = None

    async def _go_on(self, work: Steps) -> None:
        reported = perf_counter()
        while self._work is work:
            await asyncio.sleep(YIELD)
            with self.lock:
                report = self._step(work)
                if report and self._work is work and perf_counter() >= reported + PAUSE:
                    reported = perf_counter()
                    self._show(report)

    def _step(self, work: Steps) -> Any:
        """Do one step of the work, unless it was dropped, and return its report."""
        if self._work is not work:
            return None
        try:
            return next(work)
        except StopIteration:
            failure = None
        except (Exception, KeyboardInterrupt) as error:
            failure = error
        if self._work is work:
            self._work = None
            if failure:
                self._failed(failure)
        return None


def sentence(error: BaseException) -> str:
    """The sentence that a widget shows for an error."""
    return str(error) if isinstance(error, MctsVizError) else f"{type(error).__name__}: {error}"
