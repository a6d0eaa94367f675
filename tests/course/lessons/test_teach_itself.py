"""Can a search teach itself? The step of Q-learning, and positions in which moves can be wrong."""

import pytest

from mcts_course import QLearner
from mcts_course.learning.network import SMALL, Network, train
from mcts_course.lessons import teach_itself
from mcts_viz import GameTree, solve

pytestmark = pytest.mark.many


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


@pytest.mark.slow
def test_a_network_teaches_itself_and_learns_only_the_games_it_plays():
    states = teach_itself.test_positions(150, 2)
    program_a, program_b = Network(SMALL, seed=2), Network(SMALL, seed=2)
    before = sum(teach_itself.right_moves(program_a, states))
    train(program_a, 400, seed=2, progress=False)
    train(program_b, 400, opening=0, seed=2, progress=False)
    found = teach_itself.compare({"A": program_a, "B": program_b}, states)
    assert sum(teach_itself.right_moves(program_a, states)) - before > (150 - before) / 2
    assert found.words == "A"
    shares = teach_itself.guided_and_not(program_a, states)
    assert abs(sum(shares["guided by the network"][10]) - sum(shares["UCT"][40])) < 12


def test_the_readers_loop_trains_as_the_course_does(capsys):
    """By the same random numbers, round by round; a wrong one is not run."""
    plain = Network(SMALL, seed=2)
    train(plain, 40, seed=2, progress=False)
    by_hand = teach_itself.taught(teach_itself.write_loop.solution, seed=2, rounds=2)
    assert "By your own loop." in capsys.readouterr().out
    instead = teach_itself.taught(lambda pupil, rounds, games: pupil.play(), seed=2, rounds=2)
    assert "the course's own takes its place" in capsys.readouterr().out
    for pupil in (by_hand, instead):
        assert len(pupil.generations) == 3
        for name, weight in plain.weights.items():
            assert (pupil.network.weights[name] == weight).all()
            assert (pupil.generation(2).weights[name] == weight).all()
        first, second, third = (pupil.generation(n).weights["cells"] for n in range(3))
        assert (first == Network(SMALL, seed=2).weights["cells"]).all()
        assert (first != second).any()
        assert (second != third).any()


@pytest.mark.slow
def test_the_priors_of_three_generations_are_shown_side_by_side():
    pupil = teach_itself.taught(teach_itself.write_loop.solution, seed=2, rounds=20)
    state = SMALL.parse("..... ..... O.... OXX..")
    table = teach_itself.priors_of(pupil, state)
    for number, (name, *shown) in zip((0, 5, 20), table.rows, strict=True):
        assert name == f"generation {number}"
        prior = pupil.generation(number).prior(state)
        assert shown == [f"{prior[move]:.2f}" for move in SMALL.legal_actions(state)]
    assert float(table.rows[1][4]) < float(table.rows[0][4]) < float(table.rows[2][4])
