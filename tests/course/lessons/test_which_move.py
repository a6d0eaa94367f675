"""Lesson 05: its rules name the moves that they should, and wrong answers get their own hint."""

import pytest

from mcts_course.lessons import four_phases, which_move
from mcts_course.measure.experiments import best_moves
from mcts_viz import MCTS, TicTacToe

GAME = TicTacToe()


# Three rules, three moves


def test_the_table_alone_gives_the_answer():
    table = which_move.SHARES
    assert which_move.recommendations.right == {
        "robust": max(table, key=lambda move: table[move][1]),
        "max": max(table, key=lambda move: table[move][0] / table[move][1]),
        "secure": max(
            table, key=lambda move: table[move][0] / table[move][1] - table[move][1] ** -0.5
        ),
    }
    assert len(set(which_move.recommendations.right.values())) == 3
    visits = sorted((visits for _, visits in table.values()), reverse=True)
    assert visits[0] > visits[1]


# When to stop


def by_the_second(visits, left):
    leader = max(visits)
    others = list(visits)
    others.remove(leader)
    return leader > max(others) + left


def never(visits, left):
    return False


@pytest.mark.parametrize("seed", range(6))
def test_who_stops_in_time_makes_the_same_move(seed):
    state = GAME.parse("... ..X OX.")
    used, early, last = which_move.search_until(by_the_second, state, 300, seed=seed)
    assert used <= 300
    assert early == last == MCTS(GAME, seed=seed).search(state, iterations=300).best_action
    assert which_move.search_until(never, state, 300, seed=seed) == (300, last, last)


# What is left of the tree


# Stop when you dare


def test_a_race_shows_visits_alone_until_the_reader_stops_it():
    races = which_move.StopWhenYouDare(four_phases.my_tree())
    seen = repr(races)
    assert seen.startswith("your own tree: 20 of 1,000 iterations are spent.")
    assert "right" not in seen
    assert "wrong" not in seen
    races.go_on()
    races.stop()
    [row] = races.result().rows
    assert row[1] == "40 of 1,000"
    assert repr(races).startswith("a position: 20 of 1,000")


def test_what_became_of_a_race_is_what_the_search_did():
    races = which_move.StopWhenYouDare(four_phases.my_tree())
    races.stop(20, 100, 400)
    races.go_on()
    assert races.race is None
    for race, row in zip(races.races, races.result().rows, strict=True):
        assert all(
            sum(visits.values()) == look
            for visits, look in zip(race.looks, which_move.LOOKS, strict=True)
        )
        best = best_moves(race.state)
        for cell, look in ((row[2], race.at), (row[3], -1)):
            move, verdict = cell.split(", ")
            most = max(race.looks[look].values())
            assert race.looks[look][int(move)] == most
            assert verdict == ("right" if int(move) in best else "wrong")
    assert [row[2:] for row in races.result().rows][2] == ("4, wrong", "6, right")


def test_a_race_that_is_never_stopped_ends_with_its_budget():
    races = which_move.StopWhenYouDare(four_phases.my_tree())
    for _ in which_move.LOOKS:
        races.go_on()
    assert races.result().rows[0][1] == "1,000 of 1,000"
