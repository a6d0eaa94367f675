"""Intervals of "Who wins?" and its table are true; a player of one's own is told its mistake."""

import re
from math import comb
from pathlib import Path

import pytest

from mcts_course import wilson_interval
from mcts_course.lessons import who_wins

SOURCE = Path(who_wins.__file__).with_suffix(".md").read_text("utf-8")

# Copies


def test_an_interval_of_forty_equal_games_misses_once_in_26():
    """Exactly, so of 120 such matches four or five miss."""
    missed = [wins for wins in range(41) if who_wins.decided([wins], games=40)]
    share = sum(comb(40, wins) for wins in missed) / 2**40
    assert round(1 / share) == 26
    assert 4 < 120 * share < 5
    assert "For 40 equal games it is once in 26, so of 120 four or five miss." in SOURCE


# What is decided?


def test_the_table_of_the_question_holds_the_matches_and_their_intervals():
    rows = re.findall(
        r"^\| (\w-\w) \| (\d+), (\d+), (\d+) \| ([\d.]+) \| ([\d.]+) to ([\d.]+)", SOURCE, re.M
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


# A player of one's own


free = who_wins.GAME.legal_actions


def middle_first(state):
    return next(cell for cell in (4, 0, 2, 6, 8, *free(state)) if cell in free(state))


def forgets_a_case(state):
    if 4 in free(state):
        return 4


def test_a_player_by_the_rules_gets_its_results(capsys):
    table = who_wins.enter(middle_first, games=40)
    assert "✓ Your player plays by the rules, in all 80 games." in capsys.readouterr().out
    assert [row[0] for row in table.rows] == ["random", "MCTS 20"]
    assert [row[4] for row in table.rows] == ["my player", "MCTS 20"]
    for _, counts, score, _, _ in table.rows:
        won, drawn, lost = map(int, counts.split("-"))
        assert won + drawn + lost == 40
        assert f"{(won + drawn / 2) / 40:.2f}" == score


WRONG = {
    "returned nothing": forgets_a_case,
    "wants cell 4, which is taken": lambda state: 4,
    "the text '": lambda state: str(free(state)[0]),
    "Return one cell, not several": free,
    "not a position": lambda state: who_wins.GAME.play(state, free(state)[0]),
    "returned 9. The cells": lambda state: len(who_wins.GAME.text(state)) - 2,
    "ends in IndexError": lambda state: state[9],
    "ends in TypeError": lambda: 4,
}
"""By what the reply names: players as students write them."""


@pytest.mark.parametrize("words", WRONG)
def test_a_player_against_the_rules_is_told_how(words, capsys):
    assert who_wins.enter(WRONG[words], games=20) is None
    assert words in " ".join(capsys.readouterr().out.split())


def test_an_empty_player_is_open_and_no_player_is_refused(capsys):
    for empty in (lambda state: ..., lambda state: None):
        assert "write a player" in repr(who_wins.enter(empty))
    assert who_wins.enter(4) is None
    assert "hand in the function itself" in capsys.readouterr().out
