"""What becomes of large trees: not garbage while they grow, and freed without a pause."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import sleep
from typing import Any

LARGE = 50_000
"""Nodes that are freed in the time of a blink."""
BETWEEN_COLLECTIONS = 200_000
"""New objects before the collector looks for cycles."""
_lock = threading.RLock()
_running: list[tuple[int, int, int]] = []
"""What the collector's usual settings are, once for each search that runs."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let the collector run seldom: by default it walks the whole tree again as the tree grows.

    A search makes no cycles, so there is nothing to be found in between. Searches in several
    threads share the setting: the first changes it, the last puts it back.
    """
    with _lock:
        _running.append(_running[0] if _running else gc.get_threshold())
        gc.set_threshold(BETWEEN_COLLECTIONS, *_running[0][1:])
    try:
        yield
    finally:
        with _lock:
            usual = _running.pop()
            if not _running:
                gc.freeze()  # or else the collector would at once walk all that has grown
                gc.unfreeze()  # meanwhile, and the search would last longer than it was given
                gc.set_threshold(*usual)


def let_go(nodes: list[Any]) -> None:
    """Free the nodes of a large tree a few at a time, should nobody hold it any more.

    At once it takes up to a second, in which a reader who has pressed Stop gets no answer.
    ``nodes`` are in order of creation, so each goes before its children. The list is left as it is.
    """
    if len(nodes) >= LARGE:
        threading.Thread(target=_let_go, args=(nodes[::-1],), daemon=True).start()


def _let_go(held: list[Any]) -> None:
    while held:
        del held[-1000:]
        sleep(0.001)
