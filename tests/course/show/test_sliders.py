"""Figures that follow a slider: at each place of it their words are what they draw."""

import re
from statistics import fmean

import pytest

from mcts_course.lessons import hints, who_wins


def drawn_and_said(slider):
    for value in slider.values:
        figure = slider.draw(value)
        yield value, figure.axes[0], [float(n) for n in re.findall(r"\d+(?:\.\d+)?", figure.said)]


def test_each_bar_of_the_noise_is_one_and_the_mean_of_the_largest_shares_is_told():
    for alpha, axes, (told, largest) in drawn_and_said(hints.noise_slider()):
        searches = [*zip(*axes.containers, strict=True)]
        for bar in searches:
            tops = [0.0, *(share.get_y() + share.get_height() for share in bar)]
            assert tops[:-1] == pytest.approx([share.get_y() for share in bar])
            assert tops[-1] == pytest.approx(1)
        assert told == alpha
        shares = (max(share.get_height() for share in bar) for bar in searches)
        assert largest == pytest.approx(fmean(shares), abs=0.0051)


@pytest.mark.parametrize("score", [0.2, 0.45, 0.6, 0.8])
def test_the_line_of_an_interval_is_as_long_as_is_told_and_excludes_one_half_if_it_says_so(score):
    for games, axes, told in drawn_and_said(who_wins.interval_slider(score)):
        interval, mark, half = axes.lines
        low, high = interval.get_xdata()
        assert told == pytest.approx([95, score, games, low, high], abs=5.1e-4)
        assert [*mark.get_xdata(), half.get_xdata()[0]] == [score, 0.5]
        assert ("does not exclude" in axes.get_title()) == (low <= 0.5 <= high)
