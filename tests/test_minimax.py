"""Exact play against known counts, the XOR rule of Nim, and trees solved by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import TREES, position, seeds

from mcts_viz import ConnectFour, GameTree, Nim, SearchError, TicTacToe, minimax, solve
from mcts_viz.search import Solver, alpha_beta


def value_by_definition(game, state):
    """What player 0 gets if nobody errs, in the fewest words."""
    if game.is_terminal(state):
        return game.returns(state)[0]
    values = [value_by_definition(game, game.play(state, a)) for a in game.legal_actions(state)]
    return max(values) if game.to_move(state) == 0 else min(values)


def test_with_transpositions_half_of_the_5_478_positions_are_enough():
    game = TicTacToe()
    assert Solver(game, limit=2_700).solve(game.initial_state()).value == 0
    with pytest.raises(SearchError, match="Tic-tac-toe has more than 500 positions"):
        Solver(game, limit=500).solve(game.initial_state())


def test_the_empty_board_is_a_draw_whatever_x_plays():
    solution = solve(TicTacToe(), (0, 0))
    assert solution.best_actions == tuple(range(9))
    assert (solution.value, solution.distance) == (0, 9)
    assert solution.action_values == dict.fromkeys(range(9), 0)


@given(game=st.one_of(TREES, st.sampled_from([TicTacToe(), Nim((1, 2, 3))])), seed=seeds)
def test_all_oracles_agree(game, seed):
    state = position(game, seed)
    sign = 1 if game.to_move(state) == 0 else -1
    solution = solve(game, state)
    assert solution.value == sign * value_by_definition(game, state)
    assert solution.value == minimax(game, state).value == alpha_beta(game, state).value
    for action, value in solution.action_values.items():
        assert value == sign * value_by_definition(game, game.play(state, action))
    assert solution.value == max(solution.action_values.values())
    best = [action for action, value in solution.action_values.items() if value == solution.value]
    assert solution.best_actions == tuple(best)


@pytest.mark.slow
def test_connect_four_on_four_by_four_is_a_draw():
    game = ConnectFour(4, 4)
    solution = Solver(game, limit=161_029).solve(game.initial_state())
    assert (solution.value, solution.distance) == (0, 16)


@pytest.mark.parametrize(
    ("tree", "state", "value", "distance", "best"),
    [
        ({"a": 1, "b": -1}, ".", 1, 1, "a"),
        ({"a": {"c": 1, "d": -1}, "b": {"e": 0}}, ".", 0, 2, "b"),
        ({"a": {"c": 1, "d": -1}, "b": {"e": 0}}, "a", 1, 1, "d"),
        ({"a": {"c": 1, "d": -0.5}, "b": -1}, ".", -0.5, 2, "a"),
        ({"late": {"x": {"y": 1}}, "soon": 1}, ".", 1, 1, "late soon"),
        ({"late": {"x": {"y": -1}}, "soon": -1}, ".", -1, 3, "late soon"),
        ({"late": {"x": {"y": 0}}, "soon": 0}, ".", 0, 3, "late soon"),
        ({"go": {"late": {"x": {"y": -1}}, "soon": -1}}, "go", 1, 1, "late soon"),
        ({"go": {"late": {"x": {"y": 1}}, "soon": 1}}, "go", -1, 3, "late soon"),
        ({"go": {"late": {"x": {"y": 1}}, "soon": 1}}, ".", 1, 4, "go"),
    ],
)
def test_a_tree_solved_by_hand(tree, state, value, distance, best):
    """Winners hurry, losers and those who draw take their time."""
    game = GameTree(tree)
    solution = solve(game, game.parse(state))
    assert (solution.value, solution.distance) == (value, distance)
    assert solution.best_actions == tuple(best.split())


def test_values_are_those_of_the_player_who_moves():
    game = GameTree({"go": {"x": 1, "y": -0.25}})
    assert solve(game, ("go",)).action_values == {"x": -1, "y": 0.25}
    assert minimax(game, ("go",)).value == 0.25
    assert solve(game, ()).value == minimax(game).value == -0.25


def test_there_is_no_negative_zero():
    game = GameTree({"go": {"x": 0}})
    solution = solve(game, ("go",))
    assert "-0" not in repr(solution)


@pytest.mark.parametrize(
    ("game", "text", "value"),
    [(TicTacToe(), "XXX OO. ...", -1), (TicTacToe(), "XOX XOO OXX", 0), (Nim(), "0 0 0 B", -1)],
)
def test_a_finished_game_has_a_value_and_no_moves(game, text, value):
    solution = solve(game, game.parse(text))
    assert (solution.value, solution.distance) == (value, 0)
    assert solution.best_actions == ()
    assert solution.action_values == {}


# What cannot be solved.


def test_values_too_near_each_other_are_refused_and_not_rounded_together():
    with pytest.raises(SearchError, match=r"0\.0 and 1e-12, too near each other|1e-12 and 0\.0"):
        solve(GameTree({"a": 0, "b": 1e-12}), ())
    assert solve(GameTree({"a": 0, "b": 1e-9}), ()).best_actions == ("b",)


def test_too_large_a_game_is_refused_and_a_later_position_still_solved():
    game, solver = ConnectFour(), Solver(ConnectFour(), limit=2_000)
    with pytest.raises(SearchError, match="more than 2,000 positions from here") as refusal:
        solver.solve(game.initial_state())
    assert str(refusal.value).endswith("or Solver(game, limit).")
    late = game.parse("..XOXO. XOXOXOX XOXOXOX OXOXOXO OXOXOXO XOXOXOX")
    assert solver.solve(late).distance <= 3


def test_many_small_positions_are_not_one_large_game():
    game = TicTacToe()
    solver = Solver(game, limit=600)
    for cell in game.legal_actions((0, 0)):
        after = game.play(game.play((0, 0), cell), (cell + 4) % 9)
        after = game.play(after, (cell + 5) % 9)
        assert solver.solve(after) == Solver(game).solve(after)
