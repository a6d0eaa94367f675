"""Lesson 07: its rules name the moves that they should, and wrong answers get their own hint."""

import pytest

from mcts_course.lessons import which_move
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
