"""Can a search teach itself? The step of Q-learning, and positions in which moves can be wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

import pytest
from students import slip

from mcts_course import QLearner
from mcts_course.lessons import teach_itself
from mcts_course.network import SMALL
from mcts_viz import GameTree, solve

# The step of Q-learning, as a student would write it

Update = Callable[[float, float, Sequence[float], bool, float], float]


def right(value: float, reward: float, after: Sequence[float], same: bool, alpha: float) -> float:
    best = max(after) if after else 0.0
    target = reward if not after else best if same else -best
    return (1 - alpha) * value + alpha * target


def without_a_sign(value, reward, after, same, alpha):
    return value + alpha * ((max(after) if after else reward) - value)


def always_a_sign(value, reward, after, same, alpha):
    return value + alpha * ((-max(after) if after else reward) - value)


def the_lowest(value, reward, after, same, alpha):
    best = (max(after) if same else min(after)) if after else reward
    return value + alpha * (best - value)


def the_average(value, reward, after, same, alpha):
    target = (fmean(after) if same else -fmean(after)) if after else reward
    return value + alpha * (target - value)


def a_sign_at_the_end(value, reward, after, same, alpha):
    return right(value, reward if after else -reward, after, same, alpha)


def no_reward(value, reward, after, same, alpha):
    return right(value, 0, after, same, alpha)


def replaced(value, reward, after, same, alpha):
    return right(value, reward, after, same, 1)


def added(value, reward, after, same, alpha):
    return value + alpha * replaced(value, reward, after, same, alpha)


def swapped(value, reward, after, same, alpha):
    return right(value, reward, after, same, 1 - alpha)


def best_of_nothing(value, reward, after, same, alpha):
    return value + alpha * (reward - max(after) - value)


def test_a_right_step_is_right() -> None:
    assert teach_itself.write_new_value.judge(right).kind == "right"


@pytest.mark.parametrize(
    ("update", "hint"),
    [
        (without_a_sign, "Change the sign if the other moves"),
        (always_a_sign, "Look at same_player"),
        (the_lowest, "not the lowest"),
        (the_average, "take the highest"),
        (a_sign_at_the_end, "Its sign stays"),
        (no_reward, "the target is the reward"),
        (replaced, "only the part alpha"),
        (added, "a part of the error"),
        (swapped, "swapped"),
    ],
)
def test_wrong_steps_get_their_hint(update: Update, hint: str) -> None:
    assert hint in slip(teach_itself.write_new_value, update)


def test_a_step_that_fails_is_told_where() -> None:
    kind, sentence = teach_itself.write_new_value.judge(best_of_nothing)
    assert kind == "error"
    assert "when the player to move wins at once" in sentence
    assert teach_itself.write_new_value.judge(lambda *_: None).kind == "open"
    assert teach_itself.write_new_value.judge(...).kind == "open"


def test_the_right_step_is_that_of_the_learner() -> None:
    """On the tree of the lesson, over games that the learner has drawn."""
    game = GameTree({"a": {"c": 1, "d": -1}, "b": 0})
    learner = QLearner(game, alpha=0.5, epsilon=1, seed=1)
    table = {(): {"a": 0.0, "b": 0.0}, ("a",): {"c": 0.0, "d": 0.0}}
    for _ in range(30):
        before = {state: dict(values) for state, values in table.items()}
        learner.train(1)
        for state in ((), ("a",)):
            now = learner.action_values(state)
            for action in now:
                if now[action] == before[state][action]:
                    continue
                after = game.play(state, action)
                following = [] if game.is_terminal(after) else list(before[after].values())
                reward = 0.0 if following else game.returns(after)[game.to_move(state)]
                step = right(before[state][action], reward, following, False, 0.5)
                assert now[action] == pytest.approx(step)
            table[state] = now
    assert table[()]["a"] < -0.5


def test_in_a_test_position_some_moves_are_mistakes() -> None:
    states = teach_itself.test_positions(20, seed=1)
    assert len(set(states)) == 20
    for state in states:
        values = solve(SMALL, state).action_values.values()
        assert min(values) < max(values)
