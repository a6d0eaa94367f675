"""Work in slices beside the cells of a notebook: replies and branches, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from threading import RLock
from time import perf_counter
from typing import TypeAlias

from ..errors import MctsVizError

SLICE = 0.05
"""Seconds that a step of the work may take; so long the kernel hears nothing."""
YIELD = 0.001
"""Seconds between two steps; another thread that waits for the lock gets it then."""
PAUSE = 0.2
"""Seconds between two reports of progress."""

Steps: TypeAlias = Iterator[Callable[[], object] | None]
"""Work that stops after each step, with a function that reports how far it is, or none."""


class Worker:
    """Does one thing at a time, and lets the kernel listen between two steps of it.

    ``begin`` takes the place of what was being done. The first step is done at once; the others
    after the cell has ended, or here and now where no event loop runs. What the page asks for may
    come in another thread, so each step holds ``lock``. An error ends the work, and ``failed``
    hears of it: nobody else would.
    """

    def __init__(self, failed: Callable[[BaseException], object]) -> None:
        self.lock = RLock()
        self.stopped = False
        """True if the work should make do with what it has found."""
        self._failed = failed
        self._work: Steps | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def busy(self) -> bool:
        return self._work is not None

    def begin(self, work: Steps) -> None:
        with self.lock:
            self._work, self.stopped = work, False
            self._step(work)
        going_on = self._go_on(work)
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            asyncio.run(going_on)
        else:
            task = loop.create_task(going_on)
            self._tasks.add(task)  # nobody else holds it
            task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Ask for what has been found by now."""
        self.stopped = True

    def drop(self) -> None:
        """Forget the work: nobody waits for it any longer."""
        self._work = None

    async def _go_on(self, work: Steps) -> None:
        reported = perf_counter()
        while self._work is work:
            await asyncio.sleep(YIELD)
            with self.lock:
                report = self._step(work)
                if report and self._work is work and perf_counter() >= reported + PAUSE:
                    reported = perf_counter()
                    report()

    def _step(self, work: Steps) -> Callable[[], object] | None:
        """One step of the work, unless it was dropped."""
        if self._work is not work:
            return None
        try:
            return next(work)
        except StopIteration:
            if self._work is work:
                self._work = None
        except (Exception, KeyboardInterrupt) as error:
            if self._work is work:
                self._work = None
                self._failed(error)
        return None


def sentence(error: BaseException) -> str:
    """The sentence that a widget shows for an error."""
    return str(error) if isinstance(error, MctsVizError) else f"{type(error).__name__}: {error}"
