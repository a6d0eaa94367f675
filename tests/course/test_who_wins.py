"""Who wins? its questions and hints are true, and wrong answers get the hint that helps."""

from __future__ import annotations

import re
from math import comb
from pathlib import Path

import pytest
from students import slip

from mcts_course import wilson_interval
from mcts_course.lessons import who_wins

# Copies


def test_equal_players_differ_as_often_as_fair_coins() -> None:
    exactly = 2 * sum(comb(10, wins) for wins in range(4)) / 2**10
    assert round(exactly, 3) == 0.344
    copies = who_wins.copies_meet(games=10, seed=5)
    low, high = wilson_interval(copies.share * 120, 120)
    assert low < exactly < high


def test_bonferroni_takes_luck_back() -> None:
    copies = who_wins.copies_meet(games=40, seed=5)
    assert copies.decided(1.96) > copies.decided(copies.strict) == 0


# What is decided?


def test_the_table_of_the_question_holds_the_matches_and_their_intervals() -> None:
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


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (("first", "first", "second", "first"), "the player who is ahead"),
        (("first", "open", "second", "first"), "the size of the lead"),
        (("first", "first", "first", "first"), "compare with that"),
        (("open", "first", "second", "open"), "A draw is half a point"),
        (("open", "open", "open", "open"), "call everything open"),
    ],
)
def test_wrong_verdicts_are_explained(answer: tuple[str, ...], hint: str) -> None:
    given = dict(zip(who_wins.read_intervals.right, answer, strict=True))
    assert hint in slip(who_wins.read_intervals, given)


def test_another_verdict_is_named() -> None:
    given = {**who_wins.read_intervals.right, "E-F": "first"}
    kind, sentence = who_wins.read_intervals.judge(given)
    assert kind == "wrong"
    assert "'E-F'" in sentence or "e-f" in sentence.lower()


# How many games?


def test_the_number_of_games_is_the_first_that_suffices() -> None:
    games = who_wins.how_many_games.right
    assert games % 20 == 0
    assert wilson_interval(0.55 * games, games)[0] > 0.5
    assert wilson_interval(0.55 * (games - 20), games - 20)[0] <= 0.5


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (20, "its lower end"),
        (100, "ten points to either side"),
        (380, "nearly enough"),
        (280, "one time in ten"),
        (680, "99 %"),
        (1540, "0.525"),
    ],
)
def test_wrong_numbers_are_explained(answer: int, hint: str) -> None:
    assert hint in slip(who_wins.how_many_games, answer)


def test_what_the_hints_say_of_intervals_is_true() -> None:
    assert wilson_interval(11, 20)[0] < 0.4
    low, high = wilson_interval(55, 100)
    assert low == pytest.approx(0.55 - 0.1, abs=0.005)
    assert high == pytest.approx(0.55 + 0.1, abs=0.01)
    assert 1540 / who_wins.how_many_games.right == pytest.approx(4, abs=0.2)
