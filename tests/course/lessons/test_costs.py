"""The numbers of the lesson "What if every step costs?" hold."""

import re
from pathlib import Path

import pytest

from mcts_course import Play
from mcts_course.lessons import costs
from mcts_viz import MCTS, solve

pytestmark = pytest.mark.many

TEXT = (Path(costs.__file__).parent / "costs.md").read_text("utf-8")


def test_closed_eyes_cost_about_seven_points():
    plan = ["right", "right", "down", "down"]
    seeing = solve(costs.BAY, costs.BAY.initial_state()).value
    assert round(seeing, 2) == 2.55
    assert "2.55" in TEXT
    assert seeing - costs.with_eyes_closed(costs.BAY, plan) == pytest.approx(7.42, abs=0.01)
    assert round(0.8**4, 2) == 0.41


def test_closed_eyes_are_worth_the_mean_of_many_walks():
    """The sum over all outcomes against 4,000 walks that are played."""
    steps = iter(())

    def blind(_):
        return next(steps, "down")

    returns = []
    for seed in range(4000):
        steps = iter(["right", "right", "down", "down"])
        paid = [reward for *_, reward in costs.walk(costs.BAY, blind, seed)]
        returns.append(costs.worth_of(paid, costs.BAY.discount))
    expected = costs.with_eyes_closed(costs.BAY, ["right", "right", "down", "down"])
    spread = costs.stdev(returns) / len(returns) ** 0.5
    assert abs(costs.fmean(returns) - expected) < 3 * spread


def test_a_policy_followed_with_open_eyes_is_worth_what_value_iteration_says():
    solver = costs.Solver(costs.BAY)
    returns = []
    for seed in range(2000):
        walk = costs.walk(costs.BAY, lambda state: solver.solve(state).best_actions[0], seed)
        returns.append(costs.worth_of([paid for *_, paid in walk], costs.BAY.discount))
    spread = costs.stdev(returns) / len(returns) ** 0.5
    assert abs(costs.fmean(returns) - 2.55) < 3 * spread


def test_the_pencil_climbs_as_the_function_does():
    assert costs.by_hand.right == pytest.approx([4.58, 6.2, 8, 10])
    assert costs.climb([-1, -1, -1, 10], 0.9) == pytest.approx(costs.by_hand.right)


def test_a_wide_range_makes_the_visits_even_and_a_scale_by_the_tree_does_not():
    share = costs.share_of_right
    lake = costs.SlipperyLake(costs.LEDGE.rows, discount=1.0)
    assert lake.value_range == (-1020, 10)
    assert "−1,020 to 10" in TEXT
    assert share(lake, False, 400, 20) == pytest.approx(0.26, abs=0.01)
    assert share(lake, True, 400, 20) > 0.6
    assert share(costs.LEDGE, False, 400, 20) == pytest.approx(0.75, abs=0.02)
    leads = []
    for one in (costs.LEDGE, lake):
        *_, second, best = sorted(solve(one, one.initial_state()).action_values.values())
        leads.append(best - second)
    assert 0.8 < leads[1] / leads[0] < 1, "nearly as large"


def test_one_wrong_step_after_down_costs_most_of_the_three_that_stay_near():
    lake = costs.SlipperyLake()
    exact = solve(lake, lake.initial_state()).action_values
    careless = costs.worth_before_a_random_move(lake)
    assert max(exact, key=exact.__getitem__) == "down"
    assert max(careless, key=careless.__getitem__) == "left"
    assert careless["left"] - careless["down"] > 1
    assert careless["up"] - careless["down"] > 1


def test_a_walk_by_hand_is_paid_step_by_step():
    play = Play(costs.BAY)
    assert "walk first" in repr(costs.your_walk(play))
    paid = []
    for move in ("right", "right", "down"):
        before = costs.worth_of(paid, 0.9)
        if play.result is None:
            play.play(move)
            *steps, total = costs.your_walk(play).rows
            paid = [float(step[3]) for step in steps]
            assert [step[1:3] for step in steps] == list(
                zip(play.history[::2], play.history[1::2], strict=True)
            )
            assert float(total[3]) == pytest.approx(costs.worth_of(paid, 0.9), abs=0.006)
            assert costs.worth_of(paid[:-1], 0.9) == before


def test_gymnasium_takes_two_lines():
    pytest.importorskip("gymnasium")
    games = __import__("mcts_viz.games", fromlist=["GymnasiumTable"])
    [line] = re.findall(r'GymnasiumTable\("[^)]*\)', TEXT)
    lake = eval(line, vars(games))
    value = solve(lake, lake.initial_state()).value
    assert f"{value:.2f}" == "0.54"
    assert len(MCTS(lake, seed=1).record(iterations=100, progress=False)) == 100


def test_none_of_the_ten_searches_goes_down():
    assert "None of these ten searches of 400 iterations takes it" in TEXT
    assert costs.hard_lake()["down"] == 0
