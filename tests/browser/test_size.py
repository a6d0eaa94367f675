"""A long search in JupyterLab, in short: benchmarks/size.py with fewer iterations."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from .lab import JupyterLab

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from size import GAMES, measure

MOST_MESSAGES = 10
"""A second, beside those that come once."""
ONCE = 20
"""Messages of a cell and its bar that begin and end: many a second, if it takes but two."""
MOST_MEMORY = 600
"""Bytes of the kernel for each iteration, beside ``BASE``, with two recordings at a time."""
BASE = 200_000_000
"""Bytes of a kernel with a short film."""


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("iterations", "once"), [(120_000, ONCE), (1_000_000, 0)])
def test_a_long_search_neither_floods_the_page_nor_fills_the_memory(
    lab: JupyterLab, game: str, iterations: int, once: int
) -> None:
    seen = measure(lab, game, iterations)
    assert seen.messages <= MOST_MESSAGES + once / seen.seconds
    assert 0 < seen.reached < iterations, "Stop keeps what was searched"
    assert seen.cards, "the player shows a walk"
    assert 1e6 * seen.peak <= BASE + MOST_MEMORY * (iterations + seen.reached)
    print(seen)
