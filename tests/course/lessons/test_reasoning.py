"""*Can a search reason?*: what it states of judges and claims."""

from statistics import fmean

import pytest

from mcts_course import guided
from mcts_course.lessons import reasoning
from mcts_viz import MCTS

pytestmark = pytest.mark.many


def test_tree_search_solves_more_on_twelve_hands(monkeypatch):
    twelve = reasoning.puzzles()[:12]
    monkeypatch.setattr(reasoning, "puzzles", lambda: twelve)
    found = reasoning.both_ways()
    assert fmean(found["tree search"][25]) > fmean(found["best-of-n"][25])


@pytest.mark.slow
def test_the_ways_solve_what_the_lesson_states():
    found = reasoning.both_ways()
    assert fmean(found["tree search"][25]) == pytest.approx(0.84, abs=0.01)
    assert fmean(found["best-of-n"][25]) == pytest.approx(0.63, abs=0.01)
    by_error = {
        error: fmean(solved) for error, solved in reasoning.by_error(found)["tree search"].items()
    }
    assert by_error[0.3] == pytest.approx(0.63, abs=0.03)
    assert by_error[0.5] < 0.63 - 0.1


def test_every_claim_but_little_truth_without_a_verifier():
    found = reasoning.claims(gullible=0.05)
    assert fmean(found["best-of-n, claimed"][100]) == pytest.approx(1.0, abs=0.01)
    assert reasoning.true_share(found, "best-of-n") == pytest.approx(0.54, abs=0.01)
    assert reasoning.true_share(found, "best-of-n") < reasoning.true_share(found, "tree search") < 1


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
