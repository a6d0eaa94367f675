"""Lesson 12: its questions and hints are true, and wrong answers get the hint that helps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from statistics import fmean

import pytest
from students import slip

from mcts_course import QLearner, wilson_interval
from mcts_course.lessons import who_wins
from mcts_viz import GameTree

# Twins


def test_equal_players_differ_as_often_as_fair_coins() -> None:
    exactly = 2 * sum(comb(10, wins) for wins in range(4)) / 2**10
    assert round(exactly, 3) == 0.344
    twins = who_wins.twins_meet(games=10, seed=5)
    low, high = wilson_interval(twins.share * 120, 120)
    assert low < exactly < high


def test_bonferroni_takes_luck_back() -> None:
    twins = who_wins.twins_meet(games=40, seed=5)
    assert twins.decided(1.96) > twins.decided(twins.strict) == 0


# What is decided?


def table() -> dict[str, tuple[float, float]]:
    """The intervals that the question shows."""
    rows = [line.split() for line in who_wins.read_intervals.text.splitlines()[1:]]
    return {name: (float(low), float(high)) for name, _, _, low, _, high in rows}


def test_the_right_verdicts_follow_from_what_is_shown() -> None:
    verdicts = {
        name: "first" if low > 0.5 else "second" if high < 0.5 else "open"
        for name, (low, high) in table().items()
    }
    assert who_wins.read_intervals.right == verdicts
    assert set(verdicts.values()) == {"first", "second", "open"}


def test_the_intervals_shown_are_wilsons() -> None:
    for line in who_wins.read_intervals.text.splitlines()[1:]:
        name, counts, score, *_ = line.split()
        won, drawn, lost = map(int, counts.split("-"))
        points, games = won + drawn / 2, won + drawn + lost
        assert f"{points / games:.3f}" == score
        assert table()[name] == pytest.approx(wilson_interval(points, games), abs=0.0006)


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (("first", "first", "second", "first"), "the player who is ahead"),
        (("first", "open", "second", "first"), "if a large lead decides"),
        (("first", "first", "first", "first"), "compare with that"),
        (("open", "first", "second", "open"), "a draw is half a point"),
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
    assert who_wins.write_new_value.judge(right).kind == "right"


@pytest.mark.parametrize(
    ("update", "hint"),
    [
        (without_a_sign, "change the sign if the other moves"),
        (always_a_sign, "look at same_player"),
        (the_lowest, "not the lowest"),
        (the_average, "take the highest"),
        (a_sign_at_the_end, "its sign stays"),
        (no_reward, "the target is the reward"),
        (replaced, "only the part alpha"),
        (added, "a part of the error"),
        (swapped, "swapped"),
    ],
)
def test_wrong_steps_get_their_hint(update: Update, hint: str) -> None:
    assert hint in slip(who_wins.write_new_value, update)


def test_a_step_that_fails_is_told_where() -> None:
    kind, sentence = who_wins.write_new_value.judge(best_of_nothing)
    assert kind == "error"
    assert "when the player to move wins at once" in sentence
    assert who_wins.write_new_value.judge(lambda *_: None).kind == "open"
    assert who_wins.write_new_value.judge(...).kind == "open"


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
