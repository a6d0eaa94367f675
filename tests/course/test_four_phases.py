"""The exercises of lesson 05: what they ask, and whom they correct."""

from mcts_course.experiments import by_budget
from mcts_course.lessons import four_phases
from mcts_viz import MCTS


def test_one_search_serves_all_budgets():
    found = by_budget(four_phases.GAME, four_phases.POSITION, [7], (20, 50), seeds=20)
    for budget in (20, 50):
        searches = (MCTS(four_phases.GAME, seed=seed) for seed in range(20))
        results = [s.search(four_phases.POSITION, iterations=budget) for s in searches]
        assert found[budget] == sum(result.best_action == 7 for result in results)


def test_a_winner_of_number_0_is_no_draw():
    task = four_phases.write_backpropagate
    for name in ("0 is false", "a win for all"):
        assert task.judge(task.wrong[name]).kind == "misconception"
