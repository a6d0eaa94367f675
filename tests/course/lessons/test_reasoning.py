"""*Can a search reason?*: its table of first steps."""

import pytest

from mcts_course import guided
from mcts_course.lessons import reasoning
from mcts_viz import MCTS

pytestmark = pytest.mark.many


def test_first_steps_are_by_visits_and_then_by_prior():
    puzzle = reasoning.Puzzle24((4, 9, 10, 13))
    thinker = reasoning.Thinker(puzzle, seed=6)
    search = MCTS(puzzle, c=1, seed=6, **guided(puzzle, thinker))
    search.search(iterations=60, progress=False)
    table = reasoning.first_steps(search, thinker, rows=36)
    order = [(-row[2], -float(row[4])) for row in table.rows]
    assert len(order) == 36
    assert order == sorted(order)
    prior = thinker.prior(puzzle.initial_state())
    best = next(step for step in prior if str(step) == table.rows[0][0])
    assert table.rank == 1 + sum(p > prior[best] for p in prior.values()) == 2
    assert reasoning.rank_in_words(table) == "second of 36"
    assert table.rows[0][1] == puzzle.text(puzzle.play(puzzle.initial_state(), best))
