"""Can a search teach itself? The reader's loop trains as the course's does."""

import pytest

from mcts_course.learning.network import SMALL, Network, train
from mcts_course.lessons import teach_itself

pytestmark = pytest.mark.many


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
