"""Can a search teach itself? The step of Q-learning, and positions in which moves can be wrong."""

import pytest

from mcts_course import QLearner
from mcts_course.lessons import teach_itself
from mcts_course.network import SMALL, Network, train
from mcts_viz import GameTree, solve


def test_the_solutions_step_is_that_of_the_learner():
    """On the tree of the lesson, over games that the learner has drawn."""
    solution = teach_itself.write_new_value.solution
    game = GameTree({"a": {"c": 1, "d": -1}, "b": 0})
    learner = QLearner(game, alpha=0.5, epsilon=1, seed=1)
    table = {(): {"a": 0.0, "b": 0.0}, ("a",): {"c": 0.0, "d": 0.0}}
    for _ in range(30):
        before = {state: dict(values) for state, values in table.items()}
        learner.train(1)
        for state in ((), ("a",)):
            now = learner.action_values(state)
            for action in now:
                if now[action] == before[state][action]:
                    continue
                after = game.play(state, action)
                following = [] if game.is_terminal(after) else list(before[after].values())
                reward = 0.0 if following else game.returns(after)[game.to_move(state)]
                step = solution(before[state][action], reward, following, False, 0.5)
                assert now[action] == pytest.approx(step)
            table[state] = now
    assert table[()]["a"] < -0.5


def test_in_a_test_position_some_moves_are_mistakes():
    states = teach_itself.test_positions(20, seed=1)
    assert len(set(states)) == 20
    for state in states:
        values = solve(SMALL, state).action_values.values()
        assert min(values) < max(values)


def test_a_network_teaches_itself_and_learns_only_the_games_it_plays():
    states = teach_itself.test_positions(150, 2)
    varied, narrow = Network(SMALL, seed=2), Network(SMALL, seed=2)
    before = sum(teach_itself.right_moves(varied, states))
    train(varied, 400, seed=2, progress=False)
    train(narrow, 400, opening=0, seed=2, progress=False)
    found = teach_itself.compare({"narrow": narrow, "varied": varied}, states)
    assert sum(teach_itself.right_moves(varied, states)) - before > (150 - before) / 2
    assert found.words == "varied"
    shares = teach_itself.guided_and_not(varied, states)
    assert abs(sum(shares["guided by the network"][10]) - sum(shares["UCT"][40])) < 12


def test_a_table_does_not_know_most_of_connect_four():
    assert teach_itself.large_exam(games=5000, seed=2).unknown > 0.5
