"""Programs as students write them, right and wrong, each with the verdict that it must get.

In ``programs.txt`` a program has a head, such as ``== four_phases.write_backpropagate: VERDICT``.
The verdict is ``right``, ``reply NAME`` for the reply to a misconception, ``wrong`` for what the
check saw and no reply, or words that are said besides. The last name that a program defines is
handed in; ``solution`` is the lesson's own. They are written apart from the lessons' functions.
"""

import math
import random
import re
from importlib import import_module
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from mcts_course.work import own_search

pytestmark = pytest.mark.many

LISTED = Path(__file__).with_name("programs.txt").read_text("utf-8")
(_, SHARED), *PROGRAMS = [one.partition("\n")[::2] for one in f"\n{LISTED}".split("\n== ")[1:]]
KNOWN = {**vars(math), "math": math, "random": random, "luck": random, "Random": random.Random}
KNOWN |= {"np": np, "median": median, "Node": own_search.Node}
exec(SHARED, KNOWN)
SEEN = "expected (.*), got (.*)[.]|, got a|ends in|gives first (.*) and then (.*)[.]"
"""The words of a check for a program whose mistake has no reply."""


@pytest.fixture(autouse=True)
def nothing_handed_in(monkeypatch):
    monkeypatch.setattr(own_search, "_right_ones", {})


def handed_in(name, code):
    """The exercise, and the function."""
    lesson, exercise = name.split(".")
    asked = getattr(import_module(f"mcts_course.lessons.{lesson}"), exercise)
    names = {**KNOWN, "solution": asked.solution}
    exec(code, names)
    return asked, names[list(names)[-1]]


@pytest.mark.parametrize(("head", "code"), PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_program_gets_the_verdict_that_is_due(head, code):
    name, verdict = head.split(": ", 1)
    exercise, function = handed_in(name, code)
    kind, sentence = exercise.judge(function)
    if verdict == "right":
        assert (kind, sentence) == ("right", f"✓ Right: {exercise.why}")
    elif verdict.startswith("reply "):
        reply = exercise.said.replies[verdict.removeprefix("reply ")]
        assert (kind, sentence) == ("misconception", f"✗ Not yet: {reply}")
    else:
        assert kind in ("wrong", "error")
        seen = re.search(SEEN if verdict == "wrong" else re.escape(verdict), sentence)
        assert seen, sentence
        assert not seen.lastindex or seen[seen.lastindex] != seen[seen.lastindex - 1]
