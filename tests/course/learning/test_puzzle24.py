"""The Game of 24: exact arithmetic, and a count that is known."""

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest

from mcts_course.learning.puzzle24 import (
    Puzzle24,
    Step,
    Thinker,
    best_of_n,
    hands,
    solvable,
    tree_search,
)
from mcts_viz import MCTS, GameError, check_game
from mcts_viz.film.words import short_name


def test_every_step_is_there_once():
    steps = Puzzle24((2, 3)).legal_actions((Fraction(2), Fraction(3)))
    assert [str(step) for step in steps] == [
        "2 + 3 = 5",
        "2 − 3 = −1",
        "2 × 3 = 6",
        "2 ÷ 3 = 2/3",
        "3 − 2 = 1",
        "3 ÷ 2 = 3/2",
    ]
    assert len(Puzzle24((4, 4)).legal_actions((Fraction(4), Fraction(4)))) == 4
    assert all(
        step.right != 0 for step in Puzzle24((0, 5)).legal_actions((0, 5)) if step.sign == "÷"
    )


@pytest.mark.slow
def test_1362_of_the_1820_hands_of_four_cards_can_be_solved():
    hands = combinations_with_replacement(range(1, 14), 4)
    assert sum(solvable(Puzzle24(hand).initial_state()) for hand in hands) == 1362


def test_it_is_a_game_like_any_other():
    game = Puzzle24()
    assert not [line for line in str(check_game(game)).splitlines() if "Problem" in line]
    assert game.parse(game.text(game.initial_state())) == game.initial_state()
    assert game.text((-6, 9)) == "−6 9"
    assert game.parse("−6 9") == game.parse("-6 9") == (-6, 9)
    result = MCTS(game, seed=2).search(iterations=400)
    assert solvable(game.play(game.initial_state(), result.best_action))


def test_a_step_that_is_not_there():
    game = Puzzle24((4, 9))
    with pytest.raises(GameError, match="not a step"):
        game.play(game.initial_state(), Step(Fraction(4), "+", Fraction(5)))


@pytest.mark.parametrize("way", [best_of_n, tree_search])
def test_every_way_stops_at_a_solution_or_when_the_calls_are_used_up(way):
    for hand in hands(5, seed=2):
        calls, end = way(Thinker(Puzzle24(hand), skill=4), calls=60, seed=1)
        assert end in ((24,), None)
        assert 3 <= calls <= 60
        assert way(Thinker(Puzzle24(hand)), calls=2).end is None
    assert way(Thinker(Puzzle24((1, 1, 1, 1))), calls=9999).end is None


def test_a_card_shows_a_step_as_a_sum():
    game = Puzzle24((4, 9, 10, 13))
    start = game.initial_state()
    steps = game.legal_actions(start)
    assert [short_name(game.action_label(start, step)) for step in steps] == [*map(str, steps)]
