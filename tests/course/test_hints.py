"""Lesson 14: its figures hold, and its wrong answers are told apart."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

import pytest

from mcts_course.lessons import hints
from mcts_course.network import SMALL
from mcts_viz import solve


def test_half_the_prior_waits_more_than_twice_as_long_and_none_for_ever() -> None:
    first = [
        median(hints.first_visit(0.2 / 2**halvings, seed) or 0 for seed in range(10))
        for halvings in range(5)
    ]
    assert all(0 < 1.8 * sooner < later for sooner, later in pairwise(first))
    assert (first[0], first[-1]) == (9, 210)
    assert hints.first_visit(0.0, seed=3, most=500) is None


def test_in_a_contested_position_some_moves_are_mistakes() -> None:
    states = hints.contested(20, seed=1)
    assert len(set(states)) == 20
    for state in states:
        values = solve(SMALL, state).action_values.values()
        assert min(values) < max(values)


def test_the_pencil_and_the_search_agree() -> None:
    right = hints.by_hand.right
    assert right == pytest.approx(
        {"a": 6 / 8 + 0.4 / 9, "b": 0.25 + 0.4, "c": 0.5 + 0.35, "d": 0.5 + 0.2, "next": "c"}
    )
    means = {"a": 0.75, "b": 0.25, "c": 0.5}
    assert right["next"] not in (max(means, key=means.__getitem__), "b", "d")
