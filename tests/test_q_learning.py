"""Q-learning against exact play, against updates by hand, and against hostile files."""

from __future__ import annotations

import json
import signal
from typing import Any

import pytest

from mcts_course import QLearner, arena, plot_learning, position_graph
from mcts_viz import (
    ConnectFour,
    ExactAgent,
    Game,
    GameTree,
    Nim,
    RandomAgent,
    SearchError,
    TicTacToe,
    minimax,
    solve,
)

TREE = GameTree({"a": {"c": 1, "d": -1}, "b": {"e": 0, "f": 0.5}})
GAME = TicTacToe()


class RaceTo6(Game[tuple[int, int], int]):
    """Add 1 or 2; who reaches 6 wins. Whoever adds 1 to an even sum moves again."""

    def initial_state(self):
        return (0, 0)

    def to_move(self, state):
        return state[0]

    def legal_actions(self, state):
        return (1, 2)

    def play(self, state, action):
        again = action == 1 and state[1] % 2 == 0
        return (state[0] if again else 1 - state[0], state[1] + action)

    def is_terminal(self, state):
        return state[1] >= 6

    def returns(self, state):
        return (-1.0, 1.0) if state[0] == 0 else (1.0, -1.0)


def in_play(game: Game[Any, Any]) -> list[Any]:
    return [state for state in position_graph(game) if not game.is_terminal(state)]


# What is learned ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", [TREE, Nim((1, 2, 3)), RaceTo6()], ids=lambda game: game.name)
def test_with_enough_exploration_the_values_are_those_of_minimax(game):
    learner = QLearner(game, alpha=1, epsilon=1, seed=1).train(3000)
    assert learner.positions == len(in_play(game))
    for state in in_play(game):
        assert learner.action_values(state) == solve(game, state).action_values


def test_with_a_small_step_they_come_near():
    learner = QLearner(TREE, alpha=0.2, epsilon=0.5, seed=1).train(2000)
    for state in in_play(TREE):
        exact = solve(TREE, state).action_values
        assert learner.action_values(state) == pytest.approx(exact, abs=0.01)


def test_gamma_makes_later_ends_count_less():
    learner = QLearner(TREE, alpha=1, gamma=0.5, epsilon=1, seed=1).train(500)
    assert learner.action_values(("a",)) == {"c": -1, "d": 1}
    assert learner.action_values(()) == {"a": -0.5, "b": 0.0}


def test_one_game_by_hand():
    """A chain of two moves: first for Max, then for Min, who gets 1 where Max gets -1."""
    chain = GameTree({"a": {"b": -1}})
    learner = QLearner(chain, alpha=0.5, gamma=0.9, seed=1).train(1)
    assert learner.action_values(("a",)) == {"b": 0.5}  # 0 + 0.5 * (1 - 0), for Min
    assert learner.action_values(()) == {"a": 0.0}  # Min's values were 0 when Max had moved
    learner.train(1)
    assert learner.action_values(()) == {"a": 0 + 0.5 * (0.9 * -0.5 - 0)}
    assert learner.action_values(("a",)) == {"b": 0.5 + 0.5 * (1 - 0.5)}


def test_the_sign_stays_where_a_player_moves_again():
    game = RaceTo6()
    learner = QLearner(game, alpha=1, gamma=0.9, epsilon=1, seed=1).train(2000)
    assert game.to_move(game.play((0, 4), 1)) == 0
    assert learner.action_values((0, 5))[1] == 1
    assert learner.action_values((0, 4)) == {1: pytest.approx(0.9), 2: 1}
    assert learner.action_values((1, 3))[1] == pytest.approx(-0.9)  # the other one wins from 4


@pytest.mark.slow
def test_it_learns_tic_tac_toe_well_enough_not_to_lose():
    learner = QLearner(GAME, alpha=1, epsilon=0.5, seed=1).train(40_000, progress=False)
    assert learner.positions == 4520
    both = {"learner": learner, "exact": ExactAgent(GAME), "chance": RandomAgent(GAME)}
    result = arena(both, GAME, games=100, seed=1, progress=False)
    assert result.tally("learner").losses == 0
    assert result.tally("learner", "chance").score > 0.9
    assert minimax(GAME).value == max(learner.action_values(GAME.initial_state()).values()) == 0


def test_the_same_seed_gives_the_same_table_and_two_trainings_are_one_long_one():
    one = QLearner(GAME, seed=3).train(60)
    two = QLearner(GAME, seed=3).train(20).train(40)
    assert one._values == two._values
    assert one._numbers == two._numbers
    assert QLearner(GAME, seed=4).train(60)._values != one._values


def test_schedules_go_from_the_first_game_to_the_last(monkeypatch):
    seen = []
    learner = QLearner(GAME, alpha=(1.0, 0.5), epsilon=(0.8, 0.0), seed=1)
    monkeypatch.setattr(
        learner, "_episode", lambda alpha, epsilon: seen.append((alpha, epsilon)) or (0.0, 1)
    )
    learner.train(5)
    assert seen == [pytest.approx((1 - 0.125 * i, 0.8 - 0.2 * i)) for i in range(5)]
    learner.train(1)
    assert seen[-1] == (1.0, 0.8)


def test_epsilon_is_how_often_a_move_is_any_legal_one():
    """Of two moves, the first is known to be better: the second is tried every tenth time."""
    game = GameTree({"good": 1, "bad": -1})
    learner = QLearner(game, alpha=1, epsilon=1, seed=1).train(50)
    learner.epsilon, tried = 0.2, 0
    for _ in range(2000):
        learner._values[0] = [1.0, 0.0]
        learner.train(1)
        tried += learner._values[0][1] == -1
    assert 0.08 < tried / 2000 < 0.12


# Playing ------------------------------------------------------------------------------------


def test_it_plays_the_best_move_and_counts_what_it_does_not_know():
    learner = QLearner(TREE, alpha=1, epsilon=1, seed=1).train(300)
    assert learner(()) == "b"
    assert learner(("a",)) == "d"
    assert (learner.asked, learner.unknown) == (2, 0)
    new = QLearner(GAME, seed=1)
    assert new((0, 0)) in range(9)
    assert (new.asked, new.unknown) == (1, 1)
    assert not new.knows((0, 0))
    assert new.action_values((0, 0)) == dict.fromkeys(range(9), 0.0)
    assert learner.knows(("a",))


def test_moves_in_unknown_positions_are_drawn_by_the_seed():
    new = QLearner(ConnectFour(), seed=1)
    start = ConnectFour().initial_state()
    moves = [[new.fresh(seed)(start) for seed in range(40)] for _ in range(2)]
    assert moves[0] == moves[1]
    assert set(moves[0]) == set(range(7))
    assert new.asked == 0


def test_of_equal_moves_every_one_is_played():
    learner = QLearner(Nim((1, 1, 1)), alpha=1, epsilon=1, seed=1).train(100)
    start = (0, 1, 1, 1)
    assert {learner.fresh(seed)(start) for seed in range(30)} == {(0, 1), (1, 1), (2, 1)}


def test_playing_changes_nothing_that_was_learned():
    learner = QLearner(GAME, seed=1).train(100)
    before = learner.to_json()
    arena({"learner": learner, "chance": RandomAgent(GAME)}, GAME, games=20, seed=1)
    assert learner.to_json() == before


def test_the_share_of_unknown_positions_follows_from_the_games():
    game = ConnectFour()
    learner = QLearner(game, seed=1).train(200)
    result = arena({"learner": learner, "chance": RandomAgent(game)}, game, games=20, seed=1)
    met = list(result.positions("learner"))
    assert sum(not learner.knows(state) for state in met) > len(met) / 2


def test_there_is_no_move_when_the_game_is_over():
    with pytest.raises(SearchError, match="The game is over in 'a c': there is no move"):
        QLearner(TREE, seed=1)(("a", "c"))


# Training -----------------------------------------------------------------------------------


def test_the_curve_has_its_points_and_scores():
    learner = QLearner(GAME, seed=1).train(100, every=30, measure=lambda it: it.positions / 4520)
    assert [point.episodes for point in learner.curve] == [30, 60, 90, 100]
    assert [point.score for point in learner.curve] == [p.positions / 4520 for p in learner.curve]
    assert all(0 < point.error <= 2 for point in learner.curve)
    assert len(QLearner(GAME, seed=1).train(1000).curve) == 50
    assert repr(learner) == (
        f"Q-learning of Tic-tac-toe: 100 games against itself, {learner.positions} positions, "
        "seed 1"
    )


def test_the_plot_shows_the_curve():
    learner = QLearner(GAME, seed=1).train(100, every=20)
    figure = plot_learning(learner)
    assert [axes.get_title() for axes in figure.axes] == [
        "positions in the table",
        "mean error of a step",
    ]
    (line,) = figure.axes[0].get_lines()
    assert line.get_ydata().tolist() == [point.positions for point in learner.curve]
    learner.train(100, every=20, measure=lambda it: 0.5)
    (line,) = plot_learning(learner).axes[2].get_lines()
    assert line.get_xdata().tolist() == [120, 140, 160, 180, 200]
    with pytest.raises(SearchError, match="no learning curve yet: train it first"):
        plot_learning(QLearner(GAME))


class Interrupting(TicTacToe):
    """A tic-tac-toe that presses the stop button in its so many-th move."""

    moves = 300

    def play(self, state, action):
        self.moves -= 1
        if self.moves == 0:
            signal.raise_signal(signal.SIGINT)
        return super().play(state, action)


def test_an_interrupt_ends_the_training_between_two_games():
    game = Interrupting()
    learner = QLearner(game, seed=1).train(10_000, progress=False)
    assert learner.interrupted
    assert 20 < learner.episodes < 60
    assert "games against itself, stopped by the user, " in repr(learner)
    whole = QLearner(GAME, seed=1).train(learner.episodes)
    assert learner._values == whole._values
    learner.train(10)
    assert not learner.interrupted
    assert learner.episodes == whole.episodes + 10


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"alpha": 0}, "alpha is 0, but it is a number above 0 and at most 1, or a pair"),
        ({"alpha": (0.5, 2)}, "alpha is 2, but"),
        ({"alpha": True}, "alpha is True, but"),
        ({"epsilon": "much"}, "epsilon is 'much', but it is a number from 0 to 1, or a pair"),
        ({"epsilon": (1, 0.5, 0)}, r"epsilon is \(1, 0.5, 0\), but"),
        ({"gamma": 1.1}, "gamma is 1.1, but it is a number from 0 to 1.$"),
        ({"gamma": float("nan")}, "gamma is nan, but"),
        ({"seed": 0.5}, "seed is 0.5, but a seed is a whole number"),
    ],
)
def test_settings_that_cannot_be_are_refused(wrong, message):
    with pytest.raises(SearchError, match=message):
        QLearner(GAME, **wrong)


def test_trainings_and_games_that_cannot_be_are_refused():
    with pytest.raises(SearchError, match="episodes is 0, but it is a whole number of at least 1"):
        QLearner(GAME).train(0)
    with pytest.raises(SearchError, match=r"every is 0\.5, but it is a whole number"):
        QLearner(GAME).train(10, every=0.5)

    class Three(Nim):
        players = ("A", "B", "C")

    with pytest.raises(SearchError, match="has 3 players"):
        QLearner(Three((1, 2)))

    class Kind(TicTacToe):
        def returns(self, state):
            return (1.0, 1.0)

    with pytest.raises(SearchError, match="do not sum to zero"):
        QLearner(Kind()).train(1)


# Files --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [GAME, TREE, Nim((2, 3)), ConnectFour(4, 5, 3)])
def test_a_learner_comes_back_from_its_file(game, tmp_path):
    learner = QLearner(game, alpha=(0.5, 0.1), epsilon=0.4, gamma=0.9, seed=7)
    learner.train(40, every=10, measure=lambda it: 0.25)
    learner.save(tmp_path / "learner.json")
    again = QLearner.load(tmp_path / "learner.json")
    assert again.to_json() == learner.to_json()
    assert (again.game, again.seed, again.alpha) == (game, 7, (0.5, 0.1))
    assert again.curve == learner.curve
    assert again.train(30)._values == learner.train(30)._values
    assert list(tmp_path.iterdir()) == [tmp_path / "learner.json"]


def test_a_game_of_ones_own_is_handed_in(tmp_path):
    game, path = RaceTo6(), tmp_path / "learner.json"
    learner = QLearner(game, seed=1).train(50)
    learner.save(path)
    with pytest.raises(SearchError, match="'RaceTo6', which cannot be built here"):
        QLearner.load(path)
    assert QLearner.load(path, game).to_json() == learner.to_json()
    with pytest.raises(SearchError, match=r"The learner knows 'RaceTo6' with \{\}, not "):
        QLearner.load(path, GAME)


def test_a_game_without_known_positions_is_saved_too():
    empty = QLearner(GAME, seed=1)
    assert QLearner.from_json(empty.to_json()).positions == 0


def changed(*path, to):
    """The text of a saved learner with one entry that is another."""
    document = json.loads(QLearner(TREE, alpha=1, seed=1).train(50, every=50).to_json())
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return json.dumps(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "This is not JSON, so it is no saved learner"),
        ("[" * 100_000, "This is not JSON"),
        ("[]", "does not say that its format is 'mcts_viz Q-learner'"),
        ('{"format": "mcts_viz trace", "version": 1}', "does not say that its format"),
        (changed("version", to=2), "has version 2, but this mcts_viz reads 1: use"),
        (changed("version", to=True), "has version True"),
        (changed("game", to=None), "'game' is None, not of the type dict"),
        (changed("game", "name", to="os.system"), "'os.system', which cannot be built here"),
        (changed("game", "parameters", to={"x": 1}), "cannot be built here"),
        (changed("settings", to=[]), r"'settings' is \[\]"),
        (changed("settings", "beta", to=1), "'settings' is {'alpha'"),
        (changed("settings", "alpha", to="1"), "alpha is '1'"),
        (changed("settings", "seed", to=[1]), "seed is"),
        (changed("episodes", to=-1), "episodes is -1"),
        (changed("curve", to=[[1, 2]]), r"entry 0 of 'curve' is \[1, 2\], not a checkpoint"),
        (changed("curve", to=[[1, 2, "x", None]]), "entry 0 of 'curve'"),
        (changed("curve", to=[[1, 2, float("nan"), None]]), "entry 0 of 'curve'"),
        (changed("positions", to=[]), "'positions.parent' is None"),
        (changed("positions", "move", to=[0]), "has 1 entries instead of 3"),
        (changed("positions", "parent", 1, to=1), "position 1 is not there, is over"),
        (changed("positions", "parent", 1, to=-1), "position 1 is not there"),
        (changed("positions", "parent", 0, to=0), "position 0 is not there"),
        (changed("positions", "move", 1, to=9), "position 1 is not there"),
        (changed("positions", "move", 1, to=True), "entry 1 of 'positions.move' is True"),
        (
            changed("positions", "move", to=[0, 0, 0]),
            "position 2 is not there, is over or",
        ),
        (changed("values", 1, to=[0.0]), "'values.1' has 1 entries instead of 2"),
        (
            changed("values", 1, to=[0.0, 1.5]),
            r"entry 1 of 'values' is \[0.0, 1.5\], not a list",
        ),
        (changed("values", 1, to=[0.0, float("nan")]), "entry 1 of 'values'"),
        (changed("values", 1, to=[0.0, None]), "entry 1 of 'values'"),
        (changed("values", to={}), "'values' is {}, not of the type list"),
    ],
)
def test_a_damaged_or_hostile_file_gets_a_sentence(text, message, tmp_path):
    path = tmp_path / "learner.json"
    path.write_text(text)
    with pytest.raises(SearchError, match=message):
        QLearner.load(path)


def test_files_that_are_none_get_a_sentence(tmp_path):
    with pytest.raises(SearchError, match="cannot be read"):
        QLearner.load(tmp_path / "none.json")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\xff")
    with pytest.raises(SearchError, match="This is not JSON, so it is no saved learner"):
        QLearner.load(tmp_path / "picture.png")
    with pytest.raises(SearchError, match="The learner cannot be saved as"):
        QLearner(GAME).save(tmp_path / "nowhere" / "learner.json")


def test_what_cannot_be_written_as_json_gets_a_sentence():
    learner = QLearner(GAME, seed=1).train(2, measure=lambda it: object())
    with pytest.raises(SearchError, match="cannot be saved"):
        learner.to_json()
