"""Lesson "Can you write it yourself?": its four checks, and the four functions together.

What each check says of programs, right and wrong, is in ``work/test_programs.py``.
"""

from functools import partial
from itertools import combinations
from math import log, sqrt

import pytest

from mcts_course.lessons import write_it_yourself as lesson
from mcts_course.work import own_search

pytestmark = pytest.mark.many

CHECKS = {
    "select": lesson.write_select,
    "expand": lesson.write_expand,
    "simulate": lesson.write_simulate,
    "backpropagate": lesson.write_backpropagate,
}


@pytest.fixture(autouse=True)
def nothing_handed_in(monkeypatch):
    monkeypatch.setattr(own_search, "_right_ones", {})


def ucb(child, parent, c):
    return child.wins / child.visits + c * sqrt(log(parent.visits) / child.visits)


def best(node, c):
    return max(node.children, key=lambda child: ucb(child, node, c))


@pytest.mark.parametrize("name", CHECKS)
def test_no_two_mistakes_look_alike(name):
    """So each reply is given only to a function that does all that this mistake does."""
    check = CHECKS[name]
    assert check.wrong
    for pair in combinations((check.solution, *check.wrong.values()), 2):
        cases = ((check._seen_at(place, one) for one in pair) for place in range(len(check.cases)))
        assert not all(check._same(*seen) for seen in cases)


def test_on_the_walks_of_select_one_child_alone_is_best():
    """Else a student who takes the last of two equal children would be wrong."""
    margins = []
    for case in own_search.SELECT_TRIALS:

        def careful(node, c):
            while node.children and not node.untried:
                scores = sorted((ucb(child, node, c) for child in node.children), reverse=True)
                margins.append(scores[0] - scores[1])
                node = best(node, c)
            return node

        case.arguments[0](careful)
    assert len(margins) > 15
    assert min(margins) > 1e-6


# The four together


def written(name):
    """A right function, which is the student's own: the lesson's is none of their four."""
    return partial(CHECKS[name].solution)


def marks(node, random):
    child = CHECKS["expand"].solution(node, random)
    child.mark = "tried"
    return child


def stops_at_a_mark(node, c):
    while node.children and not node.untried and not hasattr(node, "mark"):
        node = best(node, c)
    return node


def test_the_last_right_function_is_checked_together_with_the_others():
    """Two functions can be right alone and wrong together: then the last check says so."""
    assert CHECKS["expand"].judge(marks).kind == "right"
    for name in ("simulate", "backpropagate"):
        assert CHECKS[name].judge(written(name)).kind == "right"
    kind, sentence = CHECKS["select"].judge(stops_at_a_mark)
    assert kind == "wrong"
    assert "right alone, but together" in sentence
    assert "together" not in CHECKS["select"].judge(CHECKS["select"].solution).sentence
    right = CHECKS["select"].judge(written("select"))
    assert right.sentence.endswith("Your four functions work together, too.")
    assert CHECKS["select"].judge(lambda node, c: node).kind == "wrong"  # none of the four any more
    last = CHECKS["backpropagate"].judge(written("backpropagate"))
    assert last.kind == "right"
    assert "together" not in last.sentence
