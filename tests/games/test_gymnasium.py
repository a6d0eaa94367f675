"""Gymnasium's environments: exact tables against value iteration on the table itself."""

import pytest
from refusals import refused

from mcts_viz import MCTS, Film, GameError, solve
from mcts_viz.games import GymnasiumCopies, GymnasiumTable, OpenSpielGame, check_game
from mcts_viz.trace.storage import from_json, to_json

gymnasium = pytest.importorskip("gymnasium")
TABLES = ["FrozenLake-v1", "CliffWalking-v1", "Taxi-v4"]


def value_iteration(name, discount):
    """The value of each state of the table, worked out as the textbook does."""
    table = gymnasium.make(name).unwrapped.P
    values = dict.fromkeys(table, 0.0)
    for _ in range(3_000):
        before = dict(values)
        for state, actions in table.items():
            values[state] = max(
                sum(
                    p * (r + (0 if over else discount * values[after]))
                    for p, after, r, over in outcomes
                )
                for outcomes in actions.values()
            )
        if max(abs(values[state] - before[state]) for state in table) < 1e-14:
            break
    return values


@pytest.mark.parametrize("name", TABLES)
def test_exact_values_are_those_of_the_table(name):
    game = GymnasiumTable(name, discount=0.95)
    values = value_iteration(name, 0.95)
    solve(game, game.initial_state())
    assert values
    for state in list(values)[::17]:
        start = (state, -1, False)
        assert game.parse(game.text(start)) == start
        assert solve(game, start).value == pytest.approx(values[state], abs=1e-9)


def test_a_search_on_the_frozen_lake_is_filmed_saved_and_checked():
    game = GymnasiumTable("FrozenLake-v1")
    trace = MCTS(game, seed=1).record(iterations=200, progress=False)
    assert from_json(to_json(trace)).wins(200).tolist() == trace.wins(200).tolist()
    assert trace.chance.any()
    assert Film(trace).payload()
    assert check_game(game, games=5).ok


def test_an_environment_without_a_table_is_searched_by_copies():
    game = GymnasiumCopies("CartPole-v1", range=(0, 500))
    trace = MCTS(game, seed=1).record(iterations=20, progress=False)
    assert from_json(to_json(trace)).wins(20).tolist() == trace.wins(20).tolist()
    assert check_game(game, games=2).ok


def test_what_cannot_be_searched_is_refused_in_a_sentence():
    for make, given, words in (
        (GymnasiumTable, ("Nope-v1",), "Gymnasium cannot make 'Nope-v1'"),
        (GymnasiumTable, ("CartPole-v1",), "GymnasiumCopies('CartPole-v1'"),
        (GymnasiumTable, ("CliffWalking-v1", 1.0), "give it range=(least, most)"),
        (GymnasiumTable, ("FrozenLake-v1", 2.0), "discount must be above 0"),
        (GymnasiumTable, ("FrozenLake-v1", 0.9, 99), "has no state 99"),
        (GymnasiumCopies, ("Pendulum-v1", (0, 1)), "take one with numbered actions"),
    ):
        assert words in refused(make, *given, _kind=GameError)


def test_openspiels_dice_are_natures_moves():
    pytest.importorskip("pyspiel")
    game = OpenSpielGame("pig(horizon=30)")
    assert check_game(game, games=5).ok
    trace = MCTS(game, seed=1).record(iterations=100)
    assert from_json(to_json(trace)).player_just_moved.tolist() == trace.player_just_moved.tolist()
    assert trace.chance.any()
    backgammon = OpenSpielGame("backgammon")
    start = backgammon.play(backgammon.initial_state(), next(iter(backgammon.chances(()))))
    assert (
        MCTS(backgammon, seed=1).search(start, iterations=5, progress=False).best_action is not None
    )
