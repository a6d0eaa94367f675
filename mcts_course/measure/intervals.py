"""Intervals of a share or a mean over some seeds, games or positions."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

import numpy as np

from mcts_viz.errors import fits, require
from mcts_viz.search.checks import require_list

Interval = tuple[float, float]


def wilson_interval(successes: float, trials: int, z: float = 1.96) -> tuple[float, float]:
    """The range, within [0, 1], of the shares that ``successes`` in ``trials`` speak for.

    ``z = 1.96`` makes it hold the true share in 95 of 100 such experiments. A draw may count as
    half a success; it varies less than a win or a loss, so the range is then wider than it need
    be. Raises ``SearchError`` for counts that cannot be. Source: Wilson (1927), "Probable
    inference, the law of succession, and statistical inference".
    """
    right = 0 <= successes <= trials and trials > 0 and z >= 0
    kind = "counts of at least one trial, with successes from 0 to all, and z at least 0"
    require(right, "What an interval is asked for", kind, (successes, trials, z))
    share, spread = successes / trials, z * z / trials
    centre = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(share * (1 - share) / trials + spread / (4 * trials))
    return max(0.0, centre - half), min(1.0, centre + half)


def mean_interval(values: Sequence[float], z: float = 1.96) -> tuple[float, float]:
    """The range of the means that ``values`` speak for: their mean, and ``z`` standard errors.

    The values must be independent draws, such as positions; searches of one position
    resemble each other, so take their mean first. ``z`` as in :func:`wilson_interval`; the range
    is that of a normal distribution, so give twenty values or more. Raises ``SearchError`` for
    fewer than two.
    """
    given = require_list("values", values, "of numbers")
    for value in given:  # a list of wins may hold True and False
        right = fits(value) or isinstance(value, bool | np.bool_)
        require(right, "Each of the values", "a finite number", value)
    numbers = [float(value) for value in given]
    require(len(numbers) > 1, "values", "two or more numbers, to see how they differ", values)
    mean, half = fmean(numbers), z * stdev(numbers) / sqrt(len(numbers))
    return mean - half, mean + half


def paired_gain(one: Sequence[float], other: Sequence[float]) -> tuple[float, tuple[float, float]]:
    """The mean of ``one`` less ``other``, pair by pair, and its interval."""
    gains = [a - b for a, b in zip(one, other, strict=True)]
    return fmean(gains), mean_interval(gains)


def difference_interval(one: int, other: int, trials: int, z: float = 1.96) -> tuple[float, float]:
    """The range of differences that two counts in ``trials`` each speak for: one share less the
    other.

    Two intervals that overlap say nothing about the difference; this one does. Source: Newcombe
    (1998), "Interval estimation for the difference between independent proportions", method 10.
    """
    (low, high), (other_low, other_high) = (wilson_interval(n, trials, z) for n in (one, other))
    share, other_share = one / trials, other / trials
    down = sqrt((share - low) ** 2 + (other_high - other_share) ** 2)
    up = sqrt((high - share) ** 2 + (other_share - other_low) ** 2)
    return share - other_share - down, share - other_share + up


def matched_gain(gained: int, lost: int, pairs: int, z: float = 1.96) -> tuple[float, Interval]:
    """The gain of a share from the first time to the second, with its interval; a pair is a person.

    ``gained`` are wrong the first time and right the second, ``lost`` the other way round. The
    share is that of the pairs, the range is within [-1, 1] and never empty. Raises ``SearchError``
    for counts that cannot be. Source: Agresti and Min (2005), "Simple improved confidence intervals
    for comparing matched proportions": half a pair of each of the four kinds is added.
    """
    right = gained >= 0 and lost >= 0 and gained + lost <= pairs and pairs > 0
    kind = "counts of at least one pair, with gained and lost from 0 to all"
    require(right, "What an interval is asked for", kind, (gained, lost, pairs))
    many = pairs + 2
    centre = (gained - lost) / many
    half = z * sqrt((gained + lost + 1) / many - centre**2) / sqrt(many)
    return (gained - lost) / pairs, (max(-1.0, centre - half), min(1.0, centre + half))


def verdict(one: Interval, other: Interval, above: str, below: str, level: str) -> str:
    """Return ``above`` or ``below`` for an interval wholly on that side of the other one."""
    if one[0] > other[1]:
        return above
    return below if one[1] < other[0] else level
