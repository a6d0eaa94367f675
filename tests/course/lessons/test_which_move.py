"""Lesson 05: its leads are those of its searches, and who stops a race sees what it did."""

import pytest

from mcts_course.lessons import four_phases, which_move
from mcts_course.measure.experiments import best_moves, contested
from mcts_viz import MCTS, TicTacToe

GAME = TicTacToe()


# Three rules, three moves


def test_rules_and_leads_are_those_of_the_searches():
    """Each search is run again: its robust child, by how much it leads, and what is counted."""
    found = which_move.compare_rules(budgets=(8, 20), seeds=1)
    leads = []
    for seed, state in enumerate(contested(3)):
        result = MCTS(GAME, seed=seed).search(state, iterations=20)
        first, second, *_ = sorted((c.visits for c in result.root.children), reverse=True)
        leads.append((result.best_action in best_moves(state), first - second))
    right = [won for won, _ in leads]
    assert found.leads == leads
    assert found["robust", 20] == pytest.approx(sum(right) / len(right))
    assert found.courses["robust"][20] == right
    close = [won for won, lead in leads if lead < 3]
    counts = [(len(some), some.count(False)) for some in (close, [w for w, n in leads if n >= 3])]
    assert [row[1:3] for row in which_move.by_lead(found, lead=3).rows] == counts


# When to stop


def by_the_second(visits, left):
    *_, second, leader = sorted(visits)
    return leader > second + left


@pytest.mark.parametrize("seed", range(6))
def test_who_stops_in_time_makes_the_same_move(seed):
    state = GAME.parse("... ..X OX.")
    used, early, last = which_move.search_until(by_the_second, state, 300, seed=seed)
    assert used <= 300
    assert early == last == MCTS(GAME, seed=seed).search(state, iterations=300).best_action
    assert which_move.search_until(lambda *_: False, state, 300, seed=seed) == (300, last, last)


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
        assert [sum(visits.values()) for visits in race.looks] == [*which_move.LOOKS]
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
