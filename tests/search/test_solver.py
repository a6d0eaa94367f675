"""The solver against oracles that know nothing of the package, and trees solved by hand."""

from __future__ import annotations

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import TREES, TWICE, WALKED, Twice, position, seeds

from mcts_viz import ConnectFour, GameTree, Nim, SearchError, TicTacToe, solve
from mcts_viz.search import Solver


def reachable(game, state=None):
    """Every position from ``state`` on."""
    known, waiting = set(), [game.initial_state() if state is None else state]
    while waiting:
        state = waiting.pop()
        if state not in known:
            known.add(state)
            if not game.is_terminal(state):
                waiting += [game.play(state, action) for action in game.legal_actions(state)]
    return known


class TextBoard:
    """Connect Four, or tic-tac-toe where nothing falls, on strings; exact play by a dictionary.

    A board is one string, rows from the top, with X, O and dots.
    """

    def __init__(self, rows, columns, connect, falls=True):
        self.rows, self.columns, self.falls = rows, columns, falls
        ways = [(0, 1), (1, 0), (1, 1), (1, -1)]
        self.lines = []
        for row, column, (down, right) in product(range(rows), range(columns), ways):
            line = [(row + i * down, column + i * right) for i in range(connect)]
            if all(0 <= r < rows and 0 <= c < columns for r, c in line):
                self.lines.append([r * columns + c for r, c in line])
        self.known = {}

    def moves(self, board):
        for cell, piece in enumerate(board):
            below = cell + self.columns
            if piece == "." and (not self.falls or below >= len(board) or board[below] != "."):
                yield (
                    board[:cell] + "XO"[board.count(".") % 2 != len(board) % 2] + board[cell + 1 :]
                )

    def truth(self, board):
        """Value for the player to move, and moves to the end."""
        if board not in self.known:
            self.known[board] = self.look_ahead(board)
        return self.known[board]

    def look_ahead(self, board):
        for line in self.lines:
            first = board[line[0]]
            if first != "." and all(board[cell] == first for cell in line):
                return -1, 0
        if "." not in board:
            return 0, 0
        replies = [self.truth(after) for after in self.moves(board)]
        if any(value < 0 for value, _ in replies):
            return 1, 1 + min(distance for value, distance in replies if value < 0)
        value = max(-value for value, _ in replies)
        return value, 1 + max(distance for other, distance in replies if -other == value)


def check_against_text(game, oracle, state, solver):
    solution = solver.solve(state)
    board = "".join(game.text(state).split())
    assert (solution.value, solution.distance) == oracle.truth(board)
    for action, value in solution.action_values.items():
        after = "".join(game.text(game.play(state, action)).split())
        assert value == -oracle.truth(after)[0]
    assert solution.best_actions == tuple(
        action for action, value in solution.action_values.items() if value == solution.value
    )


def played(game, empty, seed):
    """A position with so many empty cells in which the game is still on."""
    rng, cells = random.Random(seed), game.rows * game.columns
    while True:
        state = game.initial_state()
        while not game.is_terminal(state) and sum(state[2:]) < cells - empty:
            state = game.play(state, rng.choice(game.legal_actions(state)))
        if not game.is_terminal(state):
            return state


def test_every_position_of_tic_tac_toe():
    game, oracle = TicTacToe(), TextBoard(3, 3, 3, falls=False)
    solver, states = Solver(game), reachable(game)
    assert len(states) == 5_478
    for state in states:
        check_against_text(game, oracle, state, solver)
    assert len(oracle.known) == 5_478


@pytest.mark.parametrize(("rows", "columns", "empty"), [(4, 4, 9), (4, 5, 10), (6, 7, 8)])
def test_late_positions_of_connect_four(rows, columns, empty):
    game = ConnectFour(rows, columns)
    for seed in range(4):
        oracle = TextBoard(rows, columns, 4)
        check_against_text(game, oracle, played(game, empty, seed), Solver(game))


@pytest.mark.slow
def test_connect_four_on_four_by_five_is_a_draw_but_from_the_edge():
    game = ConnectFour(4, 5)
    solution = Solver(game).solve(game.initial_state())
    assert (solution.value, solution.distance) == (0, 20)
    assert solution.action_values == {0: -1, 1: 0, 2: 0, 3: 0, 4: -1}


def test_a_large_board_within_a_few_thousand_positions():
    game = ConnectFour(6, 7)
    for seed in range(5):
        state = played(game, 14, seed)
        solution = Solver(game, limit=50_000).solve(state)
        check_line(game, state, solution)


def check_line(game, state, solution):
    """The principal variation keeps the value and gets nearer to the end by each move."""
    player = game.to_move(state)
    assert len(solution.principal_variation) == solution.distance
    for played_already, action in enumerate(solution.principal_variation):
        now = solve(game, state)
        assert now.distance == solution.distance - played_already
        assert now.value == (solution.value if game.to_move(state) == player else -solution.value)
        assert action in now.best_actions
        assert now.principal_variation == solution.principal_variation[played_already:]
        state = game.play(state, action)
    assert game.is_terminal(state)
    assert game.returns(state)[player] == solution.value


@given(game=WALKED, seed=seeds)
def test_the_solver_plays_what_it_promises(game, seed):
    state = position(game, seed)
    check_line(game, state, solve(game, state))


def truth(game, state):
    """Value for player 0, and moves to the end: winners hurry, losers delay, draws just come."""
    if game.is_terminal(state):
        return game.returns(state)[0], 0
    sign = 1 if game.to_move(state) == 0 else -1
    replies = [truth(game, game.play(state, action)) for action in game.legal_actions(state)]
    value = sign * max(sign * reply for reply, _ in replies)
    distances = [distance for reply, distance in replies if reply == value]
    if value == 0:
        return value, 1 + distances[0]
    return value, 1 + (min(distances) if sign * value > 0 else max(distances))


FLOATS = st.floats(-1, 1).map(lambda value: round(value, 9))
FLOAT_TREES = st.dictionaries(
    st.sampled_from("abc"),
    st.recursive(FLOATS, lambda below: st.dictionaries(st.sampled_from("abc"), below, min_size=1)),
    min_size=1,
)


@given(game=st.one_of(TREES, TWICE, FLOAT_TREES.map(GameTree), FLOAT_TREES.map(Twice)))
def test_value_and_distance_are_those_of_the_definition(game):
    for state in reachable(game):
        sign = 1 if game.to_move(state) == 0 else -1
        value, distance = truth(game, state)
        solution = solve(game, state)
        assert (sign * solution.value, solution.distance) == (value, distance)


def test_nim_follows_the_xor_rule_up_to_heaps_of_seven():
    game = Nim((7, 7, 7))
    solver = Solver(game)
    for player, *heaps in product((0, 1), range(8), range(8), range(8)):
        state = (player, *heaps)
        balance = heaps[0] ^ heaps[1] ^ heaps[2]
        solution = solver.solve(state)
        assert solution.value == (1 if balance else -1)
        for action, value in solution.action_values.items():
            _, a, b, c = game.play(state, action)
            assert value == (-1 if a ^ b ^ c else 1)


def test_with_transpositions_half_of_the_5_478_positions_are_enough():
    game = TicTacToe()
    assert Solver(game, limit=2_700).solve(game.initial_state()).value == 0
    with pytest.raises(SearchError, match="Tic-tac-toe has more than 500 positions"):
        Solver(game, limit=500).solve(game.initial_state())


def test_a_finished_game_has_a_value_and_no_moves():
    for game, text, value in (
        (TicTacToe(), "XXX OO. ...", -1),
        (TicTacToe(), "XOX XOO OXX", 0),
        (Nim(), "0 0 0 B", -1),
    ):
        solution = solve(game, game.parse(text))
        assert (solution.value, solution.distance) == (value, 0)
        assert (solution.best_actions, solution.action_values) == ((), {})


def test_values_too_near_each_other_are_refused_and_not_rounded_together():
    with pytest.raises(SearchError, match=r"(0\.0 and 1e-12|1e-12 and 0\.0), too close"):
        solve(GameTree({"a": 0, "b": 1e-12}), ())
    assert solve(GameTree({"a": 0, "b": 1e-9}), ()).best_actions == ("b",)


def test_what_is_far_too_large_is_refused_soon_and_a_later_position_still_solved():
    """By an estimate: 1/20 of the table is full by then."""
    game, solver = ConnectFour(), Solver(ConnectFour())
    with pytest.raises(SearchError, match="more than 800,000 positions from here") as refusal:
        solver.solve(game.initial_state())
    assert str(refusal.value).endswith("or Solver(game, limit).")
    assert solver.positions < 100_000
    late = game.parse("..XOXO. XOXOXOX XOXOXOX OXOXOXO OXOXOXO XOXOXOX")
    assert solver.solve(late).distance <= 3


def test_many_small_positions_are_not_one_large_game():
    game = TicTacToe()
    solver = Solver(game, limit=600)
    for cell in game.legal_actions((0, 0)):
        after = game.play(game.play((0, 0), cell), (cell + 4) % 9)
        after = game.play(after, (cell + 5) % 9)
        assert solver.solve(after) == Solver(game).solve(after)


def test_a_long_solution_shows_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr("mcts_viz.search.running.PATIENCE", 0.0)
    monkeypatch.delenv("TQDM_DISABLE", raising=False)  # tests of notebooks set it
    Solver(ConnectFour(4, 4)).solve(ConnectFour(4, 4).initial_state())
    assert "positions" in capsys.readouterr().err
