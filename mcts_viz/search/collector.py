"""The garbage collector, told that a growing tree is not garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["rare_collections"]

BETWEEN_COLLECTIONS = 200_000
"""New objects before the collector looks for cycles."""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let the collector run seldom: by default it walks the whole tree again as the tree grows.

    A search makes no cycles but its tree, so there is nothing to be found in between.
    """
    usual = gc.get_threshold()
    gc.set_threshold(BETWEEN_COLLECTIONS, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)
