"""The figures of "Can a hint guide the search?" hold, and each wrong answer gets its own reply."""

from itertools import pairwise

import pytest

from mcts_course.lessons import hints

pytestmark = pytest.mark.many


def test_half_the_prior_waits_about_twice_as_long_and_none_forever():
    waits = hints.waiting_times()
    first = list(waits.by.values())
    assert all(1.8 * before < after < 2.4 * before for before, after in pairwise(first))
    assert (first[0], first[-1]) == (10, 214)
    means = [float(row[2]) for row in waits.rows]
    assert means == sorted(means, reverse=True), "the gap melts"
    assert hints.first_visit(0.0, seed=3, most=500)[0] is None


def test_the_pencil_and_the_search_agree():
    right = hints.by_hand.right
    assert right == pytest.approx(
        {"e": 6 / 8 + 0.4 / 9, "f": 0.25 + 0.4, "g": 0.5 + 0.35, "h": 0.5 + 0.2, "next": "g"}
    )
    means = {"e": 0.75, "f": 0.25, "g": 0.5}
    assert right["next"] not in (max(means, key=means.__getitem__), "f", "h")
