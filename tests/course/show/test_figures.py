"""Figures draw what their table says, and those behind a slider what their words say."""

import re
from statistics import fmean

import pytest

from mcts_course.learning.network import SMALL, Network
from mcts_course.lessons import explore_or_exploit, hints, near_the_truth, teach_itself, who_wins
from mcts_viz import Bandit


def intervals(figure):
    """The lower and the upper end of the interval of each point of one curve."""
    (bars,) = figure.axes[0].collections
    return [segment[:, 1].tolist() for segment in bars.get_segments()]


def test_a_regret_has_the_interval_of_its_row():
    table = explore_or_exploit.regret_by_c(Bandit((0.3, 0.6)), pulls=40, seeds=5)
    drawn = intervals(table.picture())
    told = [[*map(float, text.split(" ± "))] for _, text in table.rows]
    assert [[(low + high) / 2, (high - low) / 2] for low, high in drawn] == [
        pytest.approx(row, abs=0.051) for row in told
    ]


def test_a_count_has_its_interval_in_searches():
    found = near_the_truth.times_right((5, 20))
    assert intervals(found.figure()) == [
        pytest.approx([50 * end for end in found.interval(budget)]) for budget in (5, 20)
    ]


def test_a_generation_has_bars_as_high_as_the_priors_of_its_row():
    pupil = teach_itself.Pupil(Network(SMALL, seed=2), seed=2)
    teach_itself.loop(pupil, 20, 1)
    table = teach_itself.priors_of(pupil, SMALL.initial_state())
    groups = table.picture().axes[0].containers
    told = [[f"{bar.get_height():.2f}" for bar in bars] for bars in groups]
    rows = [(bars.get_label(), *row) for bars, row in zip(groups, told, strict=True)]
    assert rows == table.rows


def drawn_and_said(slider):
    assert len(slider.values) > 5
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


@pytest.mark.parametrize("score", [0.2, 0.6])
def test_the_line_of_an_interval_is_as_long_as_is_told_and_excludes_one_half_if_it_says_so(score):
    for games, axes, told in drawn_and_said(who_wins.interval_slider(score)):
        interval, mark, half = axes.lines
        low, high = interval.get_xdata()
        assert told == pytest.approx([95, score, games, low, high], abs=5.1e-4)
        assert [*mark.get_xdata(), half.get_xdata()[0]] == [score, 0.5]
        assert ("does not exclude" in axes.get_title()) == (low <= 0.5 <= high)
