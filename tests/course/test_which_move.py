"""Lesson 07: its rules name the moves that they should, and wrong answers get their own hint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from students import slip

from mcts_course.lessons import which_move
from mcts_viz import MCTS, TicTacToe
from mcts_viz.search import robust_child
from mcts_viz.search.variants import max_child, robust_max_child, secure_child

GAME = TicTacToe()


def test_the_three_moves_of_the_pencil() -> None:
    three = which_move.children({"a": (32, 64), "b": (3, 4), "c": (11, 16)})
    rules = (robust_child, max_child, robust_max_child, secure_child())
    assert [rule(three).action for rule in rules] == ["a", "b", "a", "c"]
    assert [child.mean - child.inv_sqrt_visits for child in three] == [0.375, 0.25, 0.4375]


# Three rules, three moves


def test_the_table_alone_gives_the_answer() -> None:
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


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ({"robust": 5, "max": 2, "secure": 4}, "swapped"),
        ({"robust": 2, "max": 5, "secure": 5}, "your secure child has the highest"),
        ({"robust": 2, "max": 5, "secure": 2}, "its mean counts too"),
        ({"robust": 2, "max": 2, "secure": 4}, "your max child has the most"),
        ({"robust": 2, "max": 1, "secure": 4}, "does not explore"),
    ],
)
def test_wrong_moves_are_explained(answer: dict[str, int], hint: str) -> None:
    assert hint in slip(which_move.recommendations, answer)


# When to stop


def by_the_second(visits: Sequence[int], left: int) -> bool:
    leader = max(visits)
    others = list(visits)
    others.remove(leader)
    return leader > max(others) + left


def level_is_enough(visits: Sequence[int], left: int) -> bool:
    first, second = sorted(visits)[::-1][:2]
    return first >= second + left


def leader_alone(visits: Sequence[int], left: int) -> bool:
    return max(visits) > left


def in_the_order_given(visits: Sequence[int], left: int) -> bool:
    return visits[0] > visits[1] + left


def half_of_all(visits: Sequence[int], left: int) -> bool:
    return 2 * max(visits) > sum(visits)


def against_the_last(visits: Sequence[int], left: int) -> bool:
    return max(visits) > min(visits) + left


def never(visits: Sequence[int], left: int) -> bool:
    return False


def test_another_right_rule_is_right_and_never_stopping_is_not() -> None:
    assert which_move.write_can_stop.judge(by_the_second).kind == "right"
    kind, sentence = which_move.write_can_stop.judge(never)
    assert kind == "wrong"
    assert sentence.endswith("expected stop, got go on. Which of your lines makes this?")


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (level_is_enough, "what if the second just draws"),
        (leader_alone, "you compare the leader's visits with"),
        (in_the_order_given, "no special order"),
        (half_of_all, "half of the visits"),
        (against_the_last, "compare the leader with the last"),
        (lambda visits, left: not by_the_second(visits, left), "swapped"),
    ],
)
def test_wrong_rules_are_explained(function: Callable[..., Any], hint: str) -> None:
    assert hint in slip(which_move.write_can_stop, function)


@pytest.mark.parametrize("seed", range(6))
def test_who_stops_in_time_makes_the_same_move(seed: int) -> None:
    state = GAME.parse("... ..X OX.")
    used, early, last = which_move.search_until(by_the_second, state, 300, seed=seed)
    assert used <= 300
    assert early == last == MCTS(GAME, seed=seed).search(state, iterations=300).best_action
    assert which_move.search_until(never, state, 300, seed=seed) == (300, last, last)


def test_who_stops_at_once_may_make_another_move() -> None:
    """So that the count of other moves can be more than none."""
    state = GAME.parse("... ..X OX.")
    runs = [which_move.search_until(lambda *_: True, state, 300, seed=seed) for seed in range(9)]
    assert {used for used, _, _ in runs} == {2}
    assert any(early != last for _, early, last in runs)


# What is left of the tree
