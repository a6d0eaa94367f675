"""The numbers of the lesson "What if every step costs?" are those of walks that are played."""

import re
from pathlib import Path

import pytest

from mcts_course import Play
from mcts_course.lessons import costs
from mcts_viz import MCTS, solve

pytestmark = pytest.mark.many

TEXT = (Path(costs.__file__).parent / "costs.md").read_text("utf-8")


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
