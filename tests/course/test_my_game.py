"""Lesson 13: what its questions and hints say is true, and wrong rules get their own hint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from students import slip

from mcts_course.lessons import my_game
from mcts_viz import Game, check_game, solve

# Who wins in a large house?


class Flats(Game[str, int]):
    """Cats and Dogs by its rules, to see whether what is said of large houses holds in small."""

    players = ("cats", "dogs")

    def __init__(self, rows: int, columns: int) -> None:
        self.size = (rows, columns)

    def initial_state(self) -> str:
        return "." * self.size[0] * self.size[1]

    def to_move(self, state: str) -> int:
        return (len(state) - state.count(".")) % 2

    def legal_actions(self, state: str) -> list[int]:
        other = "dc"[self.to_move(state)]
        others = [divmod(flat, self.size[1]) for flat, who in enumerate(state) if who == other]
        places = [(flat, *divmod(flat, self.size[1])) for flat, who in enumerate(state)]
        return [
            flat
            for flat, row, column in places
            if state[flat] == "." and all(abs(row - r) + abs(column - c) > 1 for r, c in others)
        ]

    def play(self, state: str, action: int) -> str:
        return state[:action] + "cd"[self.to_move(state)] + state[action + 1 :]

    def is_terminal(self, state: str) -> bool:
        return not self.legal_actions(state)

    def returns(self, state: str) -> tuple[float, ...]:
        return (-1.0, 1.0) if self.to_move(state) == 0 else (1.0, -1.0)


SIZES = [(rows, columns) for rows in range(1, 4) for columns in range(rows, 5)] + [(1, 7), (2, 6)]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_small_houses_are_won_by_whom_the_half_turn_says(rows: int, columns: int) -> None:
    game = Flats(rows, columns)
    value = solve(game, game.initial_state()).value
    assert my_game._winners((rows, columns)) == (game.players[value < 0],)


def test_the_rules_are_sound() -> None:
    assert check_game(Flats(3, 3)).ok


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (("cats", "cats"), "moving first does not always help"),
        (("dogs", "dogs"), "Are there neighbours"),
        (("dogs", "draw"), "there are no draws"),
        (("cats", "dogs"), "the two are swapped"),
    ],
)
def test_wrong_winners_are_explained(answer: tuple[str, str], hint: str) -> None:
    assert hint in slip(my_game.large_boards, answer)


@pytest.mark.parametrize("answer", [("dogs", "cats"), ["Dogs", " CATS "]])
def test_winners_may_be_written_in_any_way(answer: Any) -> None:
    assert my_game.large_boards.judge(answer).kind == "right"


# The last one loses


def last_loses(game: Any, state: Any) -> list[int]:
    loser = 1 - game.to_move(state)
    return [-1 if player == loser else 1 for player in range(2)]


def last_wins(game: Any, state: Any) -> tuple[float, ...]:
    return (-1.0, 1.0) if game.to_move(state) == 0 else (1.0, -1.0)


def for_the_to_move(game: Any, state: Any) -> tuple[float, ...]:
    return (1, -1)


def for_the_other(game: Any, state: Any) -> tuple[float, ...]:
    return (-1, 1)


def one_number(game: Any, state: Any) -> float:
    return 1


def of_player_0(game: Any, state: Any) -> float:
    return 1 if game.to_move(state) == 0 else -1


def zeros_and_ones(game: Any, state: Any) -> tuple[float, ...]:
    return (1, 0) if game.to_move(state) == 0 else (0, 1)


def the_winner(game: Any, state: Any) -> int:
    number: int = game.to_move(state)
    return number


def test_right_returns_are_right() -> None:
    assert my_game.write_returns.judge(last_loses).kind == "right"


@pytest.mark.parametrize(
    ("function", "hint"),
    [
        (last_wins, "usual rule"),
        (for_the_to_move, "always that of player 0"),
        (for_the_other, "player 1 does not always win"),
        (one_number, "who gets it"),
        (of_player_0, "player 0's number alone"),
        (zeros_and_ones, "0 means a draw"),
        (the_winner, "number of the winner"),
    ],
)
def test_wrong_returns_are_explained(function: Callable[..., Any], hint: str) -> None:
    assert hint in slip(my_game.write_returns, function)


def test_the_cases_are_ends_of_nim() -> None:
    for words, (game, state) in my_game.write_returns.cases:
        assert game.is_terminal(state)
        loser = "AB".index(words.split("where ")[1][0])
        assert my_game.write_returns.solution(game, state)[loser] == -1
        assert game.returns(state)[loser] == 1
