"""The garbage collector, told that a growing tree is not garbage."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["rare_collections"]

BETWEEN_COLLECTIONS = 200_000
"""New objects before the collector looks for cycles."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let the collector run seldom: by default it walks the whole tree again as the tree grows.

    A search makes no cycles, so there is nothing to be found in between. Searches in several
    threads share the setting: the first changes it, the last puts it back.
    """
    _begin()
    try:
        yield
    finally:
        _end()


_lock = threading.RLock()
_running: list[tuple[int, int, int]] = []


def _begin() -> None:
    with _lock:
        _running.append(_running[0] if _running else gc.get_threshold())
        gc.set_threshold(BETWEEN_COLLECTIONS, *_running[0][1:])


def _end() -> None:
    with _lock:
        usual = _running.pop()
        if not _running:
            gc.freeze()  # or else the collector would at once walk all that has grown meanwhile,
            gc.unfreeze()  # and the search would last longer than it was given
            gc.set_threshold(*usual)
