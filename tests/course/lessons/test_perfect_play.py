"""Lesson 08: what its texts and hints say about values, windows and cutoffs is so."""

from math import inf

import pytest

from mcts_course.lessons import perfect_play
from mcts_viz import GameTree, Nim, alpha_beta, minimax

GAME, POSITION, TREE = perfect_play.GAME, perfect_play.POSITION, perfect_play.TREE


def test_the_order_changes_the_work_and_not_the_value():
    orders = perfect_play.compare_orders(orders=2)
    (best,), (worst,), (every,) = (
        orders[name] for name in ("best move first", "worst move first", "minimax")
    )
    assert orders.values == {0}
    assert (best, worst, every) == (2_312, 198_837, 549_946)
    assert (
        best < min(orders["2 random orders"]) < max(orders["2 random orders"]) < worst < every / 2
    )


def looked_at(tree, state, alpha, beta):
    """Alpha-beta written once more, from the book: the value and the nodes."""
    seen = {state}
    if tree.is_terminal(state):
        return tree.returns(state)[0], seen
    maximizing = len(state) % 2 == 0
    best = -inf if maximizing else inf
    for move in tree.legal_actions(state):
        value, below = looked_at(tree, (*state, move), alpha, beta)
        seen |= below
        best = max(best, value) if maximizing else min(best, value)
        alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
        if alpha >= beta:
            break
    return best, seen


def test_pruned_leaves_are_those_of_an_alpha_beta_from_the_book():
    value, seen = looked_at(TREE, (), -inf, inf)
    leaves = [
        (one, two, three)
        for one, below in TREE.tree.items()
        for two, last in below.items()
        for three in last
    ]
    assert perfect_play.pruned.right == [leaf[-1] for leaf in leaves if leaf not in seen]
    assert value == minimax(TREE).value == 0.5
    assert len(seen) == alpha_beta(TREE).nodes


@pytest.mark.parametrize(
    "game", [Nim((1, 2)), Nim((2, 2)), TREE, GameTree({"a": {"b": -0.5}, "c": 0})]
)
def test_the_solution_finds_what_minimax_finds(game):
    found = perfect_play.write_minimax.solution(game, game.initial_state())
    assert found == minimax(game).value
