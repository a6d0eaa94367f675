"""Over seven hundred calls as a beginner mistypes them: none is silently taken, none runs on, and
each ends in a sentence, Python's own where it names the call.
"""

import json
import re
from fractions import Fraction
from functools import reduce
from importlib import import_module
from random import Random

import numpy as np
import pytest
from invariants import altered, nobody_loses, three_players
from mistyped import REFUSED, TAKEN, calls
from repository import ROOT

import mcts_course
import mcts_viz
from mcts_course.lessons import ORDER
from mcts_viz import (
    MCTS,
    Bandit,
    ConnectFour,
    Film,
    GameTree,
    MCTSSolver,
    MctsVizError,
    Nim,
    TicTacToe,
    alpha_beta,
    record_minimax,
)
from mcts_viz.games import Pig, SlidingPuzzle, SlipperyLake
from mcts_viz.search import variants
from mcts_watch import Watch

ROOMS = (
    *("mcts_course.learning.network", "mcts_course.learning.puzzle24", "mcts_watch"),
    *("mcts_course.measure.experiments", "mcts_course.measure.intervals"),
    *("mcts_course.published.clinic", "mcts_course.work.project", "mcts_viz.film.boards"),
    *("mcts_viz.games.adapters.gymnasium", "mcts_viz.games.adapters.openspiel"),
)
"""Whose names a later lesson imports by themselves."""
NOTEBOOKS = ROOT / "notebooks"


class Unrelated:
    """The rules of a game, in a class of its own."""

    def __getattr__(self, name):
        return getattr(Nim((1, 2)), name)


@pytest.fixture(scope="module")
def names():
    """All public names, and the objects that a notebook has after a few cells."""
    game = TicTacToe()
    state = game.parse("XX. .O. ...")
    search = MCTS(game, seed=1)
    trace = search.record(iterations=30)
    other = MCTS(game, seed=1)
    watch = Watch(other.start(state))
    for _ in range(5):
        other.run(iterations=1)
        watch.look()
    return {
        **{name: value for room in ROOMS for name, value in vars(import_module(room)).items()},
        **{name: getattr(mcts_viz, name) for name in mcts_viz.__all__},
        **{name: getattr(mcts_course, name) for name in mcts_course.__all__},
        **{topic: import_module(f"mcts_course.lessons.{topic}") for topic in ORDER},
        "deep": reduce(lambda below, _: {"a": below}, range(3000), 1),
        "variants": variants,
        "Random": Random,
        "Fraction": Fraction,
        "int64": np.int64,
        "game": game,
        "state": state,
        "search": search,
        "result": search.search(state, iterations=30),
        "trace": trace,
        "moment": trace.at(5),
        "film": Film(trace),
        "four": ConnectFour(),
        "nim": Nim(),
        "unrelated": Unrelated(),
        "arms": Bandit(),
        "pig": Pig(),
        "tiles": SlidingPuzzle(),
        "lake": SlipperyLake(),
        "tree": GameTree({"a": {"c": 1, "d": -1}, "b": {"e": 0, "f": 0.5}}),
        "solver": MCTSSolver(game, seed=1),
        "walk": record_minimax(alpha_beta, game, game.parse("XOX OX. O..")),
        "watch": watch,
        "first": lambda state: game.legal_actions(state)[0],
        "three_players": three_players,
        "nobody_loses": nobody_loses,
    }


def tried(call, names):
    """The error of a call; ``None`` if it is taken."""
    try:
        eval(call, dict(names))
    except Exception as error:
        return error
    return None


def test_a_call_in_an_unusual_form_is_taken(names):
    assert [call for call in calls(TAKEN) if tried(call, names)] == []


PYTHONS = re.compile(
    r"[\w.]+\(\) (missing|takes|got an unexpected)"
    r"|(object|table) has no|object is not (subscriptable|iterable)"
)
"""Sentences in which Python, or a table of a lesson, names the call, the argument or the name."""


def test_a_mistyped_call_is_refused_in_a_sentence(names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    faults = []
    for line in calls(REFUSED):
        call, _, words = line.partition("  → ")
        error, said = (made := tried(call, names)), str(made)
        ours = isinstance(error, MctsVizError) and said[-1] in ".)" and "\n" not in said
        pythons = isinstance(error, TypeError | AttributeError) and PYTHONS.search(said)
        if not ours and not pythons:
            faults.append(f"{call}: {error!r}")
        if words not in said:
            faults.append(f"{call}: {said!r} lacks {words!r}")
    assert faults == []
    assert list(tmp_path.iterdir()) == []


def test_a_fault_in_a_subclass_stays_its_authors(names):
    for kind, select in ((AttributeError, lambda self: self.rot), (TypeError, lambda _: None + 1)):
        mine = altered(MCTS, names["game"], select=select)
        assert type(tried("mine.search(iterations=5)", {"mine": mine})) is kind


def test_python_can_say_which_name_of_the_package_is_meant():
    with pytest.raises(AttributeError) as refusal:
        _ = mcts_viz.Mcts
    assert (refusal.value.name, refusal.value.obj) == ("Mcts", mcts_viz)


def lent_to_notebooks():
    """The functions and classes of each lesson's module that a notebook calls with arguments."""
    found = set()
    for path in NOTEBOOKS.glob("*.ipynb"):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        pattern = rf"\b({'|'.join(ORDER)})\.(\w+)\((?!\))"
        found |= {match for source in code for match in re.findall(pattern, source)}
    return sorted(found)


@pytest.mark.parametrize(("topic", "name"), lent_to_notebooks())
def test_what_a_lesson_lends_to_a_notebook_checks_its_values(topic, name, names):
    lent = getattr(names[topic], name)
    is_search = isinstance(lent, type) and issubclass(lent, MCTS)  # which checks its own values
    called = lent.__init__ if isinstance(lent, type) else lent
    assert is_search or hasattr(called, "__wrapped__"), (
        f"write @typed_door above {name} of {topic}.py"
    )
