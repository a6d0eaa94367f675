"""Q-learning against exact play, and against updates by hand."""

import pytest
from invariants import Steps, altered

from mcts_course import QLearner, position_graph
from mcts_viz import GameTree, Nim, TicTacToe, solve

TREE = GameTree({"a": {"c": 1, "d": -1}, "b": {"e": 0, "f": 0.5}})
GAME = TicTacToe()


def again(game, state, action):
    """A player who adds 1 to an even sum moves again."""
    steps, player = state
    return (steps + action, player if action == 1 and steps % 2 == 0 else 1 - player)


# What is learned ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game", [TREE, Nim((1, 2, 3)), altered(Steps, play=again)], ids=lambda game: game.name
)
def test_with_enough_exploration_the_values_are_those_of_minimax(game):
    learner = QLearner(game, alpha=1, epsilon=1, seed=1).train(3000)
    in_play = [state for state in position_graph(game) if not game.is_terminal(state)]
    assert learner.positions == len(in_play)
    for state in in_play:
        assert learner.action_values(state) == solve(game, state).action_values


def test_one_game_by_hand():
    """A chain of two moves: first for Max, then for Min, who gets 1 where Max gets -1."""
    chain = GameTree({"a": {"b": -1}})
    learner = QLearner(chain, alpha=0.5, seed=1).train(1)
    assert learner.action_values(("a",)) == {"b": 0.5}  # 0 + 0.5 * (1 - 0), for Min
    assert learner.action_values(()) == {"a": 0.0}  # Min's values were 0 when Max had moved
    learner.train(1)
    assert learner.action_values(()) == {"a": 0 + 0.5 * (-0.5 - 0)}
    assert learner.action_values(("a",)) == {"b": 0.5 + 0.5 * (1 - 0.5)}


def test_the_same_seed_gives_the_same_table_and_two_trainings_are_one_long_one():
    one = QLearner(GAME, seed=3).train(60)
    two = QLearner(GAME, seed=3).train(20).train(40)
    assert one._values == two._values
    assert QLearner(GAME, seed=4).train(60)._values != one._values


# Playing ------------------------------------------------------------------------------------


def test_it_plays_the_best_move_and_says_what_it_does_not_know():
    learner = QLearner(TREE, alpha=1, epsilon=1, seed=1).train(300)
    assert learner(()) == "b"
    assert learner(("a",)) == "d"
    new = QLearner(GAME, seed=1)
    assert new((0, 0)) in range(9)
    assert not new.knows((0, 0))
    assert new.action_values((0, 0)) == dict.fromkeys(range(9), 0.0)
    assert learner.knows(("a",))
    level = QLearner(Nim((1, 1, 1)), alpha=1, epsilon=1, seed=1).train(100)
    moves = {level.fresh(seed)((0, 1, 1, 1)) for seed in range(30)}  # of equals, any
    assert moves == {(0, 1), (1, 1), (2, 1)}


# Training -----------------------------------------------------------------------------------


def test_the_curve_has_its_points_and_scores():
    learner = QLearner(GAME, seed=1).train(100, every=30, measure=lambda it: it.positions / 4520)
    assert [point.episodes for point in learner.curve] == [30, 60, 90, 100]
    assert [point.score for point in learner.curve] == [p.positions / 4520 for p in learner.curve]
    assert len(QLearner(GAME, seed=1).train(1000).curve) == 50
    assert repr(learner) == (
        f"Q-learning of Tic-tac-toe: 100 games against itself, {learner.positions} positions, "
        "seed 1"
    )


class Interrupted(TicTacToe):
    """A tic-tac-toe whose reader presses the stop button in its so many-th move."""

    moves = 300

    def play(self, state, action):
        self.moves -= 1
        if self.moves == 0:
            raise KeyboardInterrupt
        return super().play(state, action)


def test_an_interrupt_is_passed_on_and_what_was_learned_stays():
    learner = QLearner(Interrupted(), seed=1)
    with pytest.raises(KeyboardInterrupt):
        learner.train(10_000, progress=False)
    episodes = learner.episodes
    assert 20 < episodes < 60
    assert learner.knows(GAME.initial_state())
    whole = QLearner(GAME, seed=1).train(episodes + 1)
    assert learner._values.keys() <= whole._values.keys()
    assert learner.train(10).episodes == episodes + 10
