"""Lesson 04: a crossing is where the choice flips, and what is drawn is what was computed."""

from math import log, sqrt

import pytest
from refusals import refused

from mcts_course import mean_interval, plot_scores, plot_shares
from mcts_course.lessons import what_uct_weighs
from mcts_viz import MCTS
from mcts_viz.search.variants import puct

GAME, POSITION = what_uct_weighs.GAME, what_uct_weighs.POSITION


def chosen(shares, c):
    """UCB1 once more, from the book."""
    total = sum(visits for _, visits in shares.values())
    return max(
        shares,
        key=lambda move: shares[move][0] / shares[move][1] + c * sqrt(log(total) / shares[move][1]),
    )


SHARES = {"3": (3, 4), "4": (4, 5), "2": (0.5, 2), "7": (1.5, 3), "6": (2, 3)}


def test_on_either_side_of_a_crossover_another_move_is_chosen():
    c = what_uct_weighs.Lines(SHARES, 17).crossing("6", "3")
    assert chosen(SHARES, sqrt(2)) == chosen(SHARES, c + 1e-6) == "6"
    assert chosen(SHARES, c - 1e-6) == "3"


# What the lesson draws and computes with


def labels(figure):
    return [text.get_text() for text in figure.axes[0].texts]


def test_the_lines_of_the_scores_turn_where_the_choice_flips():
    trace = MCTS(GAME, seed=8).record(POSITION, iterations=100)
    assert labels(plot_scores(trace, 24)) == ["1.40", "2.13", "c = 1.41"]
    axes = plot_scores(trace, 24).axes[0]
    moment = trace.at(24, "select")
    for node in moment.children(0):
        line = next(line for line in axes.lines if line.get_label() == trace.label(node))
        mean, width = moment.terms(node)
        assert line.get_ydata() == pytest.approx([mean, mean + 3 * width / trace.c], rel=1e-5)


def test_lines_are_drawn_for_other_rules_with_a_factor_c():
    trace = MCTS(GAME, 2.0, seed=1, selection=puct).record(POSITION, iterations=40)
    assert labels(plot_scores(trace, 30))[-1] == "c = 2.00"


def test_without_a_comparison_or_a_c_there_are_no_lines():
    trace = MCTS(GAME, seed=8).record(POSITION, iterations=100)
    for iteration in (0, 3, 101, -1):
        said = refused(plot_scores, trace, iteration)
        assert f"In iteration {iteration} the root compared no scores" in said
    trace = MCTS(GAME, 0, seed=8).record(POSITION, iterations=60)
    assert "the root compared no scores" in refused(plot_scores, trace, 24)


def test_shares_are_drawn_at_their_mean_within_the_interval():
    courses = {
        "few": {0: [0, 0.5, 1], 1.414: [1, 1, 0.5]},
        "many": {0: [0, 0, 1], 1.414: [1, 1, 1]},
    }
    axes = plot_shares(courses, "c").axes[0]
    means = {line.get_label(): list(line.get_ydata()) for line in axes.lines}
    assert means["few"] == pytest.approx([0.5, 2.5 / 3])
    assert means["many"] == pytest.approx([1 / 3, 1])
    assert [text.get_text() for text in axes.get_xticklabels()] == ["0", "1.41"]
    assert all(line.get_xdata() == pytest.approx([0, 1], abs=0.1) for line in axes.lines)


def test_the_interval_of_a_mean_is_that_of_the_book():
    low, high = mean_interval([2, 4, 4, 4, 5, 5, 7, 9])
    half = 1.96 * sqrt(32 / 7) / sqrt(8)
    assert (low, high) == pytest.approx((5 - half, 5 + half))
    assert mean_interval([0.5] * 9) == (0.5, 0.5)
