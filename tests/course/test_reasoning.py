"""Lesson 15: what it states of judges and claims, and its wrong answers."""

from statistics import fmean

import pytest

from mcts_course.lessons import reasoning
from mcts_course.puzzle24 import flat_sampling, greedy, tree_search


def solved_at_25():
    ways = (greedy, flat_sampling, tree_search)
    return [fmean(reasoning.solved(way, 1.5, 0.1)[25]) for way in ways]


def test_the_ways_stand_in_their_order_on_twelve_hands(monkeypatch):
    twelve = reasoning.puzzles()[:12]
    monkeypatch.setattr(reasoning, "puzzles", lambda: twelve)
    at_25 = solved_at_25()
    assert at_25 == sorted(at_25)
    assert at_25[2] > at_25[0] + 0.3


@pytest.mark.slow
def test_the_ways_stand_in_the_order_that_the_lesson_states():
    at_25 = solved_at_25()
    assert at_25 == pytest.approx([0.26, 0.63, 0.84], abs=0.01)
    assert fmean(reasoning.solved(tree_search, 1.5, 0.5)[25]) < at_25[1] - 0.1


def test_every_claim_but_little_truth_without_a_verifier():
    ends = reasoning.claims(flat_sampling, gullible=0.05)
    assert fmean(ends["claimed"][100]) == pytest.approx(1.0, abs=0.01)
    assert fmean(ends["true"][100]) == pytest.approx(0.54, abs=0.01)
