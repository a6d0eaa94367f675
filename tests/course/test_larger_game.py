"""Lesson 10: its trap is one, its sizes are right, and wrong answers get their own hint."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import pytest
from students import slip

from mcts_course import RandomPlay
from mcts_course.lessons import larger_game
from mcts_viz import ConnectFour, minimax, solve

SMALL, TRAP = larger_game.SMALL, larger_game.TRAP


# The trap


def test_random_games_like_best_what_loses() -> None:
    """By two oracles that share no code."""
    exact = solve(SMALL, TRAP)
    assert SMALL.to_move(TRAP) == 1
    assert exact.action_values == {0: -1, 2: -1, 3: 1, 4: -1}
    for move, value in exact.action_values.items():
        assert minimax(SMALL, SMALL.play(TRAP, move)).value == -value  # of X, who is MAX
    rewards = RandomPlay(SMALL).rewards(TRAP)
    assert max(rewards, key=lambda move: rewards[move]) == 2


def test_the_refutation_takes_all_cells_that_are_left() -> None:
    after = SMALL.play(TRAP, 2)
    exact = solve(SMALL, after)
    free = SMALL.rows * SMALL.columns - sum(after[2:])
    assert (exact.value, exact.best_actions, exact.distance) == (1, (2,), free)
    assert free == 11
    rewards = RandomPlay(SMALL).rewards(after)
    best, next_best = sorted(rewards.values(), reverse=True)[:2]
    assert rewards[2] == best
    assert best - next_best < 0.1


# How large is the tree?


def test_the_sizes_are_those_of_the_rules() -> None:
    """Counted through all games of three moves: none is over, and no column is full."""
    board = ConnectFour(4, 5)
    assert larger_game.tree_sizes.text.startswith("4 rows and 5 columns, empty;")
    nodes = 0
    for length in range(4):
        for moves in product(range(5), repeat=length):
            state = board.initial_state()
            for move in moves:
                state = board.play(state, move)
            assert len(board.legal_actions(state)) == 5
            assert not board.is_terminal(state)
            nodes += 1
    assert larger_game.tree_sizes.right == {
        "before": nodes,
        "after": nodes + 40,
        "without a card": nodes + 40 - 30,
    }


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ((155, 195, 165), "Where does the tree begin"),
        ((125, 165, 135), "the lowest level alone"),
        ((16, 56, 26), "has children of its own"),
        ((400, 440, 410), "with seven columns"),
        ((156, 156, 126), "does the tree stop growing"),
        ((156, 196, 126), "*before* the first playout"),
    ],
)
def test_wrong_sizes_are_explained(answer: tuple[int, int, int], hint: str) -> None:
    given = dict(zip(("before", "after", "without a card"), answer, strict=True))
    assert hint in slip(larger_game.tree_sizes, given)


# A forced win, as a student would write it


def over_or_won(game: Any, state: Any, player: int) -> bool:
    return bool(game.is_terminal(state) and game.returns(state)[player] == 1)


def forced_win(game: Any, state: Any, moves: int) -> bool:
    if moves <= 0 or game.is_terminal(state):
        return False
    me = game.to_move(state)
    for action in game.legal_actions(state):
        after = game.play(state, action)
        if over_or_won(game, after, me):
            return True
        replies = [] if game.is_terminal(after) else game.legal_actions(after)
        results = [forced_win(game, game.play(after, reply), moves - 2) for reply in replies]
        if results and all(results):
            return True
    return False


def helped(game: Any, state: Any, moves: int) -> bool:
    if moves <= 0 or game.is_terminal(state):
        return False
    me = game.to_move(state)
    ahead = [game.play(state, action) for action in game.legal_actions(state)]
    if any(over_or_won(game, after, me) for after in ahead):
        return True
    return any(
        helped(game, game.play(after, reply), moves - 2)
        for after in ahead
        if not game.is_terminal(after)
        for reply in game.legal_actions(after)
    )


def without_limit(game: Any, state: Any, moves: int) -> bool:
    return forced_win(game, state, 99)


def of_the_first_player(game: Any, state: Any, moves: int) -> bool:
    return game.to_move(state) == 0 and forced_win(game, state, moves)


def at_once(game: Any, state: Any, moves: int) -> bool:
    ahead = [game.play(state, action) for action in game.legal_actions(state)]
    return any(over_or_won(game, after, game.to_move(state)) for after in ahead)


def own_moves(game: Any, state: Any, moves: int) -> bool:
    return forced_win(game, state, 2 * moves - 1)


def test_another_right_function_is_right() -> None:
    assert larger_game.write_forced_win.judge(forced_win).kind == "right"


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (helped, "your opponent helps"),
        (without_limit, "beyond the limit"),
        (of_the_first_player, "ask for the player to move"),
        (at_once, "in one move only"),
        (own_moves, "of one side only"),
    ],
)
def test_wrong_functions_are_explained(function: Callable[..., Any], hint: str) -> None:
    assert hint in slip(larger_game.write_forced_win, function)


def test_the_solution_agrees_with_exact_play() -> None:
    """A forced win in n moves or fewer is a win of that distance: winners hurry."""
    draw, found = Random(0), set()
    for _ in range(4):
        state = SMALL.initial_state()
        while not SMALL.is_terminal(state):
            exact = solve(SMALL, state)
            found.add(exact.distance if exact.value == 1 else 0)
            for moves in range(6):
                wins = exact.value == 1 and exact.distance <= moves
                assert larger_game.write_forced_win.solution(SMALL, state, moves) == wins
                assert forced_win(SMALL, state, moves) == wins
            state = SMALL.play(state, draw.choice(SMALL.legal_actions(state)))
    assert {0, 1, 3, 5, 7} <= found
