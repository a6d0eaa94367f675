"""A progress bar that appears only when a search turns out to be long."""

from __future__ import annotations

import os
import sys
from time import perf_counter
from typing import Any, Final

PATIENCE: Final = 2.0
"""Seconds before a bar appears; even an invisible one costs a notebook a dozen widgets."""
PACE: Final = 0.5
"""Seconds between two changes of the bar, each of which is several messages to a notebook."""


class Progress:
    """Shows how much of ``total`` is done; at once if ``wanted``, never if that is false."""

    def __init__(self, total: int | None, wanted: bool | None, unit: str = "iterations") -> None:
        self._total = total
        self._unit = f" {unit}"
        self._from = perf_counter() + (0.0 if wanted else PATIENCE)
        # tqdm reads this variable when it is imported, and its bars in notebooks do not obey it.
        self._never = wanted is False or os.environ.get("TQDM_DISABLE") == "1"
        self._bar: Any = None

    def show(self, done: int) -> None:
        """Tell the bar, if it is time for one."""
        if self._never or perf_counter() < self._from:
            return
        if self._bar is None:
            from tqdm.auto import tqdm  # slow, and a short search shows no bar

            if sys.platform == "emscripten":
                tqdm.monitor_interval = 0  # a browser has no thread that could watch the bar
            self._bar = tqdm(
                total=self._total, unit=self._unit, leave=False, mininterval=PACE, disable=False
            )
        self._bar.update(done - self._bar.n)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.close()
