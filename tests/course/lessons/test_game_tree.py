"""The lesson's texts and hints about Nim and tic-tac-toe are true."""

import pytest

from mcts_course import position_graph
from mcts_course.lessons import game_tree
from mcts_viz import Nim, TicTacToe, minimax


def ends(game, state):
    """Games that can follow on ``state``."""
    if game.is_terminal(state):
        return 1
    return sum(ends(game, game.play(state, action)) for action in game.legal_actions(state))


def test_the_sizes_are_those_of_a_walk():
    game = TicTacToe()
    sizes = game_tree.sizes_by_move(game)
    assert sizes.games == ends(game, game.initial_state()) == 255_168
    assert (sizes.nodes, sizes.positions, sizes.different) == (549_946, 5_478, 765)
    assert sizes.rows[-1] == ("all", 549_946, 5_478, 765)


def test_the_count_by_hand_is_that_of_minimax_and_of_a_walk():
    game = game_tree.GAME
    start = game.initial_state()
    assert game_tree.count_by_hand.right == {
        "nodes": minimax(game).nodes,
        "games": ends(game, start),
        "positions": game_tree.write_count_positions.solution(game, start),
    }
    assert game_tree.count_by_hand.right == {"nodes": 12, "games": 5, "positions": 8}


@pytest.mark.parametrize("heaps", [(1, 1), (2, 2), (1, 2, 3)])
def test_the_solution_counts_what_the_graph_holds(heaps):
    game = Nim(heaps)
    count = game_tree.write_count_positions.solution(game, game.initial_state())
    assert count == len(position_graph(game))
