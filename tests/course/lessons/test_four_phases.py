"""Lesson 03: its count of searches, and the tree by hand."""

import pytest

from mcts_course.by_hand import BeTheSearch
from mcts_course.lessons import four_phases
from mcts_course.measure.experiments import by_budget
from mcts_viz import MCTS
from mcts_viz.errors import SearchError
from mcts_viz.games import Pig, SlidingPuzzle, SlipperyLake

pytestmark = pytest.mark.many


def test_one_search_serves_all_budgets():
    found = by_budget(four_phases.GAME, four_phases.POSITION, [7], (20, 50), seeds=20)
    for budget in (20, 50):
        searches = (MCTS(four_phases.GAME, seed=seed) for seed in range(20))
        results = [s.search(four_phases.POSITION, iterations=budget) for s in searches]
        assert found[budget] == sum(result.best_action == 7 for result in results)


def test_a_tree_is_kept_when_it_is_done_and_else_uct_s_stands_in(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    mine = BeTheSearch(four_phases.GAME, four_phases.SMALL, seed=four_phases.SMALL_SEED)
    four_phases.keep_tree(mine)
    assert "○ Open" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
    stand_in = four_phases.my_tree()
    mine.walks = [[2], [1], [0]]
    mine.play_on()
    four_phases.keep_tree(mine)
    assert four_phases.my_tree().chosen == mine.trace.chosen != stand_in.chosen
    (tmp_path / four_phases.TREE).write_text("{}")
    assert four_phases.my_tree().chosen == stand_in.chosen


def test_two_mistakes_choose_a_losing_cell_however_long_the_search_and_the_others_do_not():
    facts = BeTheSearch(four_phases.GAME, four_phases.SMALL, seed=four_phases.SMALL_SEED).facts
    assert {name: cost["late"] for name, cost in facts["costs"].items()} == {
        "highest_mean": "8",
        "most_visits": "2",
        "fewest_visits": "8",
        "lowest_mean_opponent": "2",
        "same_for_all": "2",
        "swapped": "6",
        "draw_lost": "8",
    }


@pytest.mark.parametrize("game", [Pig(), SlipperyLake(), SlidingPuzzle()], ids=lambda one: one.name)
def test_a_game_with_luck_or_costs_cannot_be_searched_by_hand(game):
    with pytest.raises(SearchError, match=f"{game.name} has luck, or pays for steps"):
        BeTheSearch(game)
