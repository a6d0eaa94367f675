"""Who wins? its questions and hints are true, and wrong answers get the hint that helps."""

import re
from math import comb
from pathlib import Path
from statistics import NormalDist

import pytest

from mcts_course import wilson_interval
from mcts_course.lessons import who_wins

# Copies


def test_equal_players_differ_as_often_as_fair_coins():
    exactly = 2 * sum(comb(10, wins) for wins in range(4)) / 2**10
    assert round(exactly, 3) == 0.344
    wins = who_wins.copies_meet(games=10, seed=5)
    clear = sum(abs(won - 5) >= 2 for won in wins)
    low, high = wilson_interval(clear, len(wins))
    assert low < exactly < high


def test_bonferroni_takes_luck_back():
    wins = who_wins.copies_meet(games=40, seed=5)
    assert round(NormalDist().inv_cdf(1 - 0.05 / len(wins) / 2), 2) == 3.53
    assert who_wins.decided(wins, games=40) > who_wins.decided(wins, games=40, z=3.53) == 0


# What is decided?


def test_the_table_of_the_question_holds_the_matches_and_their_intervals():
    source = Path(who_wins.__file__).with_suffix(".md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (\w-\w) \| (\d+), (\d+), (\d+) \| ([\d.]+) \| ([\d.]+) to ([\d.]+)", source, re.M
    )
    verdicts = {}
    for name, *counts, score, low, high in rows:
        won, drawn, lost = map(int, counts)
        points, games = won + drawn / 2, won + drawn + lost
        assert f"{points / games:.3f}" == score
        assert (float(low), float(high)) == pytest.approx(wilson_interval(points, games), abs=6e-4)
        verdicts[name] = "first" if float(low) > 0.5 else "second" if float(high) < 0.5 else "open"
    assert who_wins.read_intervals.right == verdicts
    assert set(verdicts.values()) == {"first", "second", "open"}


# How many games?


def test_the_number_of_games_is_the_first_that_suffices():
    games = who_wins.how_many_games.right
    assert games % 20 == 0
    assert wilson_interval(0.55 * games, games)[0] > 0.5
    assert wilson_interval(0.55 * (games - 20), games - 20)[0] <= 0.5
