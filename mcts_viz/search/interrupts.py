"""Interrupts that come at the right time: between two iterations, or after a library's work."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FrameType


class StopRequest:
    """While this is active, Ctrl+C and Jupyter's stop button set ``requested``.

    A second interrupt raises ``KeyboardInterrupt`` at once, so a playout that never ends can be
    left, but only inside ``function``, and there not inside ``shielded``, whose work is all or
    nothing: nowhere else would somebody clean up. Outside the main thread Python delivers no
    signals, and nothing is changed.
    """

    def __init__(self, function: CodeType, shielded: CodeType) -> None:
        self.requested = False
        self._function = function
        self._shielded = shielded

    def __enter__(self) -> StopRequest:
        self._active = threading.current_thread() is threading.main_thread()
        if self._active:
            self._previous = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *error: object) -> None:
        if self._active:
            signal.signal(signal.SIGINT, self._previous)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        again, self.requested = self.requested, True
        if again and self._may_be_left(frame):
            raise KeyboardInterrupt

    def _may_be_left(self, frame: FrameType | None) -> bool:
        while frame is not None and frame.f_code is not self._shielded:
            if frame.f_code is self._function:
                return True
            frame = frame.f_back
        return False


@contextmanager
def held_back() -> Iterator[None]:
    """Let an interrupt wait until the block is done: it would break what a C library holds."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    waiting: list[int] = []
    previous = signal.signal(signal.SIGINT, lambda number, frame: waiting.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        if waiting:
            signal.raise_signal(signal.SIGINT)
