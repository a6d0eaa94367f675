"""Faults of public programs, planted in a correct search: Watch finds each by its name."""

import pytest

from mcts_course.published.clinic import watched
from mcts_course.published.from_life import FROM_LIFE, GAME, Selecting, from_life
from mcts_viz import MCTS, SearchError, TicTacToe

pytestmark = pytest.mark.many


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("name", FROM_LIFE)
def test_watch_finds_it(name, seed):
    patient = from_life(name)
    assert [found.name for found in patient.watched(seed).findings] == [patient.finding]


def test_without_a_fault_the_search_is_the_usual_one():
    game, visits = TicTacToe(), []
    for kind in (Selecting, MCTS):
        search = kind(game, 1.4, seed=1)
        search.search(game.initial_state(), iterations=200, progress=False)
        visits.append([child.visits for child in search.root.children])
    assert visits[0] == visits[1]
    sound = Selecting(GAME, 1.4, seed=0)
    assert watched(sound, GAME.parse("XO. ... ..."), 600).findings == []


def test_an_unknown_one_is_refused():
    with pytest.raises(SearchError, match="A fault from life must be one of root's visits"):
        from_life("noise")
