"""Wrong functions as students write them for lesson 06, each with what the reply must say.

In ``wrong_functions.txt`` a function has a head: ``== reply: NAME`` for the reply to a
misconception, else words of the reply. They are written apart from the lesson's own wrong
functions, in other ways.
"""

import random
from math import log, sqrt
from pathlib import Path

import pytest

from mcts_course.lessons import write_it_yourself as lesson
from mcts_course.work import own_search

pytestmark = pytest.mark.many

LISTED = Path(__file__).with_suffix("").with_name("wrong_functions.txt").read_text("utf-8")
WRONG = [one.partition("\n")[::2] for one in f"\n{LISTED}".split("\n== ")[1:]]
CHECKS = {
    "select": lesson.write_select,
    "expand": lesson.write_expand,
    "simulate": lesson.write_simulate,
    "backpropagate": lesson.write_backpropagate,
}


def ucb(child, node, c):
    return child.wins / child.visits + c * sqrt(log(node.visits) / child.visits)


@pytest.fixture(autouse=True)
def nothing_handed_in(monkeypatch):
    monkeypatch.setattr(own_search, "_right_ones", {})


def written(code):
    """The exercise, and the function."""
    names = {"log": log, "sqrt": sqrt, "u": ucb, "luck": random, "Node": own_search.Node}
    exec(code, names)
    [name] = names.keys() & CHECKS.keys()
    return CHECKS[name], names[name]


@pytest.mark.parametrize(("said", "code"), WRONG, ids=range(len(WRONG)))
def test_a_reply_names_the_mistake_that_was_made(said, code):
    exercise, function = written(code)
    kind, sentence = exercise.judge(function)
    if name := said.partition("reply: ")[2]:
        assert (kind, sentence) == ("misconception", f"✗ Not yet: {exercise.said.replies[name]}")
    else:
        assert kind in ("wrong", "error")
        assert said in sentence


def test_most_mistakes_have_a_reply():
    named = [said for said, _ in WRONG if said.startswith("reply: ")]
    assert len(WRONG) == 66
    assert len(named) >= 0.8 * len(WRONG)
