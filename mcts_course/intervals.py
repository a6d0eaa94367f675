"""Intervals of a share or a mean over some seeds, games or positions."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

from mcts_viz.errors import SearchError, door
from mcts_viz.search.checks import require_list

Interval = tuple[float, float]


def wilson_interval(successes: float, trials: int, z: float = 1.96) -> tuple[float, float]:
    """The range, within [0, 1], of the shares that ``successes`` in ``trials`` speak for.

    ``z = 1.96`` makes it hold the true share in 95 of 100 such experiments. A draw may count as
    half a success; it varies less than a win or a loss, so the range is then wider than it need
    be. Raises ``SearchError`` for counts that cannot be. Source: Wilson (1927), "Probable
    inference, the law of succession, and statistical inference".
    """
    _check_counts(successes, trials, z)
    share, spread = successes / trials, z * z / trials
    centre = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(share * (1 - share) / trials + spread / (4 * trials))
    return max(0.0, centre - half), min(1.0, centre + half)


@door
def mean_interval(values: Sequence[float], z: float = 1.96) -> tuple[float, float]:
    """The range of the means that ``values`` speak for: their mean, and ``z`` standard errors.

    The values must be independent draws, such as positions; searches of one position
    resemble each other, so take their mean first. ``z`` as in :func:`wilson_interval`; the range
    is that of a normal distribution, so give twenty values or more. Raises ``SearchError`` for
    fewer than two.
    """
    numbers = [float(value) for value in require_list("values", values, "of numbers")]
    if len(numbers) < 2:
        raise SearchError(
            f"The number of values is {len(numbers)}, but an interval needs to see how values "
            "differ: give two or more."
        )
    mean, half = fmean(numbers), z * stdev(numbers) / sqrt(len(numbers))
    return mean - half, mean + half


def paired_gain(one: Sequence[float], other: Sequence[float]) -> tuple[float, tuple[float, float]]:
    """The mean of ``one`` less ``other``, pair by pair, and its interval."""
    gains = [a - b for a, b in zip(one, other, strict=True)]
    return fmean(gains), mean_interval(gains)


def verdict(one: Interval, other: Interval, above: str, below: str, level: str) -> str:
    """Return ``above`` or ``below`` for an interval wholly on that side of the other one."""
    return above if one[0] > other[1] else below if one[1] < other[0] else level


def _check_counts(successes: float, trials: float, z: float) -> None:
    if not 0 <= successes <= trials or not trials or not z >= 0:
        raise SearchError(
            f"There cannot be {successes} successes in {trials} trials, or a z below 0: give at "
            "least one trial, and successes from 0 to the number of trials."
        )
