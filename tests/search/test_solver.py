"""The solver against exact play by its definition, known values, and what it promises."""

from functools import cache, partial

from hypothesis import given
from hypothesis import strategies as st
from invariants import TREES, TWICE, WALKED, Twice, position, reachable, seeds, states_of
from refusals import refused

from mcts_viz import ConnectFour, GameTree, TicTacToe, solve
from mcts_viz.search import Solver


def exact(game):
    """Exact play by its definition: winners hurry, losers delay, and draws just come."""

    @cache
    def truth(state):
        """Value for player 0, and moves to the end."""
        if game.is_terminal(state):
            return game.returns(state)[0], 0
        sign = 1 if game.to_move(state) == 0 else -1
        replies = [truth(game.play(state, action)) for action in game.legal_actions(state)]
        value = sign * max(sign * reply for reply, _ in replies)
        distances = [1 + distance for reply, distance in replies if reply == value]
        if value == 0:
            return value, distances[0]
        return value, min(distances) if sign * value > 0 else max(distances)

    return truth


def check_exact(game, truth, state, solver):
    sign = 1 if game.to_move(state) == 0 else -1
    solution, (value, distance) = solver.solve(state), truth(state)
    assert (sign * solution.value, solution.distance) == (value, distance)
    for action, found in solution.action_values.items():
        assert sign * found == truth(game.play(state, action))[0]
        assert (found == solution.value) == (action in solution.best_actions)


def test_every_position_of_tic_tac_toe():
    game = TicTacToe()
    solver, truth = Solver(game), exact(game)
    for state in reachable(game):
        check_exact(game, truth, state, solver)


def test_a_large_board_within_a_few_thousand_positions():
    game = ConnectFour(6, 7)
    long = [states for states in map(partial(states_of, game), range(50)) if len(states) > 29]
    assert len(long) >= 5
    for states in long[:5]:
        solution = Solver(game, limit=50_000).solve(states[28])
        check_line(game, states[28], solution)


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


FLOATS = st.floats(-1, 1).map(lambda value: round(value, 9))
FLOAT_TREES = st.dictionaries(
    st.sampled_from("abc"),
    st.recursive(FLOATS, lambda below: st.dictionaries(st.sampled_from("abc"), below, min_size=1)),
    min_size=1,
)


@given(game=st.one_of(TREES, TWICE, FLOAT_TREES.map(GameTree), FLOAT_TREES.map(Twice)))
def test_value_and_distance_are_those_of_the_definition(game):
    for state in reachable(game):
        check_exact(game, exact(game), state, Solver(game))


def test_with_transpositions_half_of_the_5_478_positions_are_enough():
    game = TicTacToe()
    assert Solver(game, limit=2_700).solve(game.initial_state()).value == 0
    said = refused(Solver(game, limit=500).solve, game.initial_state())
    assert said.startswith("Tic-tac-toe has more than 500 positions")


def test_what_rounding_leaves_makes_no_move_better():
    near = GameTree({"a": 0.1 + 0.2, "b": 0.3})
    assert (solve(near, ()).value, solve(near, ()).best_actions) == (0.1 + 0.2, ("a", "b"))
    assert solve(GameTree({"a": 0, "b": 1e-9}), ()).best_actions == ("b",)


def test_what_is_far_too_large_is_refused_soon_and_a_later_position_still_solved():
    """The first 1/20 of the table is all far from the start."""
    game, solver = ConnectFour(), Solver(ConnectFour())
    said = refused(solver.solve, game.initial_state())
    assert "more than 800,000 positions from here" in said
    assert said.endswith("or Solver(game, limit).")
    assert solver.positions < 100_000
    late = game.parse("..XOXO. XOXOXOX XOXOXOX OXOXOXO OXOXOXO XOXOXOX")
    assert solver.solve(late).distance <= 3


def test_many_small_positions_are_not_one_large_game():
    game = TicTacToe()
    solver = Solver(game, limit=150)
    for cell in game.legal_actions((0, 0)):
        after = game.play(game.play((0, 0), cell), (cell + 4) % 9)
        after = game.play(after, (cell + 5) % 9)
        assert solver.solve(after) == Solver(game).solve(after)


def test_a_long_solution_shows_how_far_it_is(monkeypatch, capsys):
    monkeypatch.setattr("mcts_viz.search.running.PATIENCE", 0.0)
    monkeypatch.delenv("TQDM_DISABLE", raising=False)  # tests of notebooks set it
    game = ConnectFour(4, 4)
    Solver(game).solve(game.initial_state())
    assert "positions" in capsys.readouterr().err
