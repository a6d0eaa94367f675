"""Lesson 01: what its texts and hints say about Nim and tic-tac-toe is so."""

from __future__ import annotations

from math import factorial
from typing import Any

import pytest

from mcts_course import lesson_01, position_graph
from mcts_viz import Nim, TicTacToe, minimax


def ends(game: Any, state: Any) -> int:
    """Games that can follow on ``state``."""
    if game.is_terminal(state):
        return 1
    return sum(ends(game, game.play(state, action)) for action in game.legal_actions(state))


def test_the_number_of_games_is_that_of_a_walk() -> None:
    game = TicTacToe()
    assert lesson_01.games.right == ends(game, game.initial_state()) == 255_168


def test_a_number_that_is_only_near_is_not_taken_for_it() -> None:
    assert lesson_01.games.judge(255_169).kind == "wrong"
    assert lesson_01.games.judge("255168").kind == "right"


@pytest.mark.parametrize(
    ("number", "word"),
    [(factorial(9), "orders"), (549_946, "nodes"), (5478, "positions"), (3**9, "nothing")],
)
def test_a_known_number_is_called_by_its_name(number: int, word: str) -> None:
    kind, sentence = lesson_01.games.judge(number)
    assert kind == "misconception"
    assert word in sentence


def test_the_count_by_hand_is_that_of_minimax_and_of_a_walk() -> None:
    game = lesson_01.GAME
    start = game.initial_state()
    assert lesson_01.count_by_hand.right == {
        "nodes": minimax(game).nodes,
        "games": ends(game, start),
        "positions": lesson_01.write_count_positions.solution(game, start),
    }
    assert lesson_01.count_by_hand.right == {"nodes": 12, "games": 5, "positions": 8}


def test_the_hint_about_empty_heaps_is_true() -> None:
    game = lesson_01.GAME
    over = [state for state in position_graph(game) if game.is_terminal(state)]
    assert {game.returns(state)[0] for state in over} == {1, -1}
    assert {state[1:] for state in over} == {(0, 0)}


def test_an_unknown_mistake_is_shown_in_the_tree() -> None:
    answer = {**lesson_01.count_by_hand.right, "games": 7}
    kind, sentence = lesson_01.count_by_hand.judge(answer)
    assert kind == "wrong"
    assert sentence.startswith("✗ Not yet: games is not 7. Draw")


@pytest.mark.parametrize("heaps", [(1, 1), (2, 2), (1, 2, 3)])
def test_the_solution_counts_what_the_graph_holds(heaps: tuple[int, ...]) -> None:
    game = Nim(heaps)
    count = lesson_01.write_count_positions.solution(game, game.initial_state())
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
    assert lesson_01.write_count_positions.judge(recursive).kind == "right"
    kind, sentence = lesson_01.write_count_positions.judge(with_a_forgetful_memory)
    assert kind == "misconception"
    assert "one set must remember" in sentence


def test_a_list_is_as_good_as_a_tuple() -> None:
    verdict = lesson_01.in_order.judge(lambda position: [position[0], *sorted(position[1:])])
    assert verdict.kind == "right"


def test_positions_in_order_have_the_same_value() -> None:
    """So they may be called the same: what follows on them is the same, too."""
    game = Nim((3, 2, 1))
    for position in position_graph(game):
        heaps = lesson_01.in_order.solution(position)
        large = Nim((3, 3, 3))
        assert minimax(large, heaps).value == minimax(large, position).value
