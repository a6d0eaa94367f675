"""What its texts and hints say about Nim and tic-tac-toe is so."""

from __future__ import annotations

from typing import Any

import pytest

from mcts_course import position_graph
from mcts_course.lessons import game_tree
from mcts_viz import Nim, TicTacToe, minimax


def ends(game: Any, state: Any) -> int:
    """Games that can follow on ``state``."""
    if game.is_terminal(state):
        return 1
    return sum(ends(game, game.play(state, action)) for action in game.legal_actions(state))


def test_the_sizes_are_those_of_a_walk() -> None:
    game = TicTacToe()
    sizes = game_tree.sizes_by_move(game)
    assert sizes.games == ends(game, game.initial_state()) == 255_168
    assert (sizes.nodes, sizes.positions, sizes.different) == (549_946, 5_478, 765)
    assert sizes.rows[-1] == ("all", 549_946, 5_478, 765)


def test_the_count_by_hand_is_that_of_minimax_and_of_a_walk() -> None:
    game = game_tree.GAME
    start = game.initial_state()
    assert game_tree.count_by_hand.right == {
        "nodes": minimax(game).nodes,
        "games": ends(game, start),
        "positions": game_tree.write_count_positions.solution(game, start),
    }
    assert game_tree.count_by_hand.right == {"nodes": 12, "games": 5, "positions": 8}


def test_the_hint_about_empty_heaps_is_true() -> None:
    game = game_tree.GAME
    over = [state for state in position_graph(game) if game.is_terminal(state)]
    assert {game.returns(state)[0] for state in over} == {1, -1}
    assert {state[1:] for state in over} == {(0, 0)}


def test_an_unknown_mistake_is_shown_in_the_tree() -> None:
    answer = {**game_tree.count_by_hand.right, "games": 7}
    kind, sentence = game_tree.count_by_hand.judge(answer)
    assert kind == "wrong"
    assert sentence.startswith("✗ Not yet: games is not 7. Draw")


@pytest.mark.parametrize("heaps", [(1, 1), (2, 2), (1, 2, 3)])
def test_the_solution_counts_what_the_graph_holds(heaps: tuple[int, ...]) -> None:
    game = Nim(heaps)
    count = game_tree.write_count_positions.solution(game, game.initial_state())
    assert count == len(position_graph(game))


def recursive(game: Any, state: Any) -> int:
    """Another right way to count."""
    met = set()

    def visit(position: Any) -> None:
        if position in met:
            return
        met.add(position)
        if not game.is_terminal(position):
            for action in game.legal_actions(position):
                visit(game.play(position, action))

    visit(state)
    return len(met)


def with_a_forgetful_memory(game: Any, state: Any) -> int:
    """The set is made anew at every node."""
    met: set[Any] = set()
    total = 1
    for action in () if game.is_terminal(state) else game.legal_actions(state):
        child = game.play(state, action)
        if child not in met:
            met.add(child)
            total += with_a_forgetful_memory(game, child)
    return total


def test_two_ways_to_count_are_right_and_a_forgetful_one_is_not() -> None:
    assert game_tree.write_count_positions.judge(recursive).kind == "right"
    kind, sentence = game_tree.write_count_positions.judge(with_a_forgetful_memory)
    assert kind == "misconception"
    assert "you counted nodes. Use one set" in sentence
