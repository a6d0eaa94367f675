"""Lesson 08: what its questions and hints say is true, and wrong playouts get their own hint."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from students import slip

from mcts_course.lessons import smarter_playouts
from mcts_course.lessons.smarter_playouts import exact_mean
from mcts_viz import TicTacToe, random_playout
from mcts_viz.search.variants import block_then_win, blocks, win_then_block, wins_at_once

GAME = TicTacToe()
POLICIES = [
    (random_playout, ()),
    (win_then_block, (wins_at_once, blocks)),
    (block_then_win, (blocks, wins_at_once)),
]


@pytest.mark.parametrize(("playout", "choices"), POLICIES)
@pytest.mark.parametrize("board", ["..O .OX XOX", "... .OX XOX", "X.. .O. ..X", "... ... ..X"])
def test_playouts_tend_to_the_exact_mean(playout: Any, choices: Any, board: str) -> None:
    state, draw = GAME.parse(board), random.Random(8)
    total = sum((playout(GAME, state, draw).returns[0] + 1) / 2 for _ in range(2000))
    assert total / 2000 == pytest.approx(float(exact_mean(state, *choices)), abs=0.045)


def test_the_six_games_of_the_pencil_have_these_means() -> None:
    state = GAME.parse("..O .OX XOX")
    assert GAME.legal_actions(state) == (0, 1, 3)
    assert str(exact_mean(state)) == "1/3"
    assert str(exact_mean(state, wins_at_once, blocks)) == "1/2"


def test_the_end_of_a_game_is_its_mean() -> None:
    boards = {"XXX OO. ...": 1, "XX. OOO X..": 0, "XOX XOO OXX": 0.5}
    assert {board: exact_mean(GAME.parse(board)) for board in boards} == boards


# Which comes first?


def test_o_has_a_win_and_a_block() -> None:
    state = GAME.parse(smarter_playouts.order.text.split("\n", 1)[1])
    legal = GAME.legal_actions(state)
    assert list(wins_at_once(GAME, state, legal)) == [1]
    assert list(blocks(GAME, state, legal)) == [1, 2]
    assert GAME.to_move(state) == 1
    assert smarter_playouts.order.right == (0, 0.25)


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ((0.25, 0), "swapped"),
        ((0, 0), "here the order matters. Which moves"),
        ((0, 0.5), "a winning move also stops the"),
        ((5 / 12, 5 / 12), "light playouts"),
        ((1, 0.75), "what O gets"),
    ],
)
def test_wrong_means_are_explained(answer: tuple[float, float], hint: str) -> None:
    assert hint in slip(smarter_playouts.order, answer)


# Wrong playouts, as a student would write them


def wins(game: Any, state: Any) -> list[Any]:
    if game.is_terminal(state):
        return []
    player = game.to_move(state)
    after = {action: game.play(state, action) for action in game.legal_actions(state)}
    over = [action for action in after if game.is_terminal(after[action])]
    return [action for action in over if game.returns(after[action])[player] == 1]


def safe(game: Any, state: Any, legal: Sequence[Any]) -> list[Any]:
    return [action for action in legal if not wins(game, game.play(state, action))]


def right(game: Any, state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    return wins(game, state) or safe(game, state, legal) or legal


def as_a_shuffled_set(game: Any, state: Any, legal: Sequence[Any]) -> set[Any]:
    return set(right(game, state, legal))


def block_first(game: Any, state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    kept = safe(game, state, legal)
    return kept if 0 < len(kept) < len(legal) else wins(game, state) or legal


def only_wins(game: Any, state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    return wins(game, state) or legal


def only_blocks(game: Any, state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    return safe(game, state, legal) or legal


def just_one(game: Any, state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    return wins(game, state)[:1] or safe(game, state, legal) or legal


def nothing_left(game: Any, state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    kept = safe(game, state, legal)
    return wins(game, state) or (kept if len(kept) < len(legal) else [])


def every_move(game: Any, state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    return list(legal)


@pytest.mark.parametrize("function", [right, as_a_shuffled_set])
def test_right_functions_are_right(function: Callable[..., Any]) -> None:
    assert smarter_playouts.write_considered.judge(function).kind == "right"


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (block_first, "you block first. What if you"),
        (only_wins, "the wins are right. If there"),
        (only_blocks, "the blocks are right. But what"),
        (just_one, "you return one winning move. Return"),
        (nothing_left, "if there is neither a win"),
        (every_move, "as a light playout does"),
    ],
)
def test_wrong_functions_are_explained(function: Callable[..., Any], hint: str) -> None:
    assert hint in slip(smarter_playouts.write_considered, function)


def test_the_cases_are_what_their_words_say() -> None:
    """By case: the winning moves, and whether some moves of all are safe."""
    found = [
        (wins(game, state), safe(game, state, legal) != list(legal))
        for _, (game, state, legal) in smarter_playouts.write_considered.cases
    ]
    assert found == [
        ([2], True),
        ([5], True),
        ([2], False),
        ([], True),
        ([2, 6], True),
        ([], True),
        ([], False),
        ([], True),
    ]
    assert safe(*smarter_playouts.write_considered.cases[5].arguments) == []


# Which move do they overrate?
