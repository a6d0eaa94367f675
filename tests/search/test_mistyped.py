"""Over six hundred calls as a beginner mistypes them: none ends in an error that only Python
understands.
"""

import json
import re
from fractions import Fraction
from functools import reduce
from importlib import import_module
from random import Random

import numpy as np
import pytest
from mistyped import OWN, REFUSED, TAKEN, calls
from repository import ROOT

import mcts_course
import mcts_viz
from mcts_course.learning.network import Network, train
from mcts_course.learning.puzzle24 import Puzzle24, Thinker
from mcts_course.lessons import ORDER
from mcts_course.measure.experiments import pull, regret
from mcts_course.published.clinic import watched
from mcts_course.work.project import OwnAgent, keep_search
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
from mcts_viz.film.boards import board_of, set_board
from mcts_viz.games import Pig, SlidingPuzzle, SlipperyLake
from mcts_viz.games.adapters.gymnasium import GymnasiumCopies, GymnasiumTable
from mcts_viz.games.adapters.openspiel import OpenSpielGame
from mcts_viz.search import variants
from mcts_watch import Watch

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
        **{name: getattr(mcts_viz, name) for name in mcts_viz.__all__},
        **{name: getattr(mcts_course, name) for name in mcts_course.__all__},
        **{topic: import_module(f"mcts_course.lessons.{topic}") for topic in ORDER},
        "watched": watched,
        "Watch": Watch,
        "Network": Network,
        "train": train,
        "pull": pull,
        "regret": regret,
        "set_board": set_board,
        "board_of": board_of,
        "keep_search": keep_search,
        "OwnAgent": OwnAgent,
        "OpenSpielGame": OpenSpielGame,
        "GymnasiumCopies": GymnasiumCopies,
        "GymnasiumTable": GymnasiumTable,
        "deep": reduce(lambda below, _: {"a": below}, range(3000), 1),
        "Puzzle24": Puzzle24,
        "Thinker": Thinker,
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


def test_a_mistyped_call_is_refused_in_a_sentence(names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    faults = []
    for call in calls(REFUSED):
        error = tried(call, names)
        if not isinstance(error, MctsVizError) or str(error)[-1] not in ".)" or "\n" in str(error):
            faults.append(f"{call}: {error!r}")
    assert faults == []
    assert list(tmp_path.iterdir()) == []


def test_where_the_inner_loop_is_called_python_names_the_argument(names):
    assert calls(OWN)
    for call in calls(OWN):
        error = tried(call, names)
        assert isinstance(error, TypeError), call
        assert re.match(r"[\w.]+\(\) (missing|takes) \d", str(error)), call


def test_the_likeliest_slip_says_what_to_write(names):
    text = "XX. .O. ..."
    with pytest.raises(MctsVizError) as refusal:
        names["game"].legal_actions(text)
    assert str(refusal.value) == (
        "The state must be a position of Tic-tac-toe, as game.parse(text) or game.play(state, "
        "action) returns it; you gave 'XX. .O. ...'. Write game.parse('XX. .O. ...')."
    )


def test_a_name_that_is_elsewhere_is_not_there(names):
    search = names["search"]
    assert not hasattr(search, "best_action")
    with pytest.raises(AttributeError, match=r"MCTS has no 'best_action': search\.search\("):
        _ = search.best_action
    with pytest.raises(MctsVizError, match="without brackets"):
        variants.win_then_block()


CALLED_ON_A_CLASS = ("MCTS.search(game, iterations=5)", "MCTS.search(iterations=5)", "Trace.at(5)")


@pytest.mark.parametrize("call", CALLED_ON_A_CLASS)
def test_a_method_called_on_its_class_says_what_stands_before_the_dot(call, names):
    owner = call.partition(".")[0]
    assert f"must be called on an object of the class {owner}" in str(tried(call, names))


def test_a_fault_in_a_subclass_stays_its_authors(names):
    class Mine(MCTS):
        def select(self):
            return self.rot

    class Others(MCTS):
        def select(self):
            return None + 1

    assert type(tried("Mine(game).search(iterations=5)", {**names, "Mine": Mine})) is AttributeError
    assert type(tried("Mine(game).search(iterations=5)", {**names, "Mine": Others})) is TypeError


def test_python_can_say_which_name_of_the_package_is_meant():
    with pytest.raises(AttributeError) as refusal:
        _ = mcts_viz.Mcts
    assert (refusal.value.name, refusal.value.obj) == ("Mcts", mcts_viz)


def lent_to_notebooks():
    """By lesson: the functions and classes of its module that a notebook calls with something."""
    found = set()
    for path in NOTEBOOKS.glob("*.ipynb"):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        pattern = rf"\b({'|'.join(ORDER)})\.(\w+)\((?!\))"
        found |= {match for source in code for match in re.findall(pattern, source)}
    return sorted(found)


@pytest.mark.parametrize(("topic", "name"), lent_to_notebooks())
def test_what_a_lesson_lends_to_a_notebook_has_a_door(topic, name, names):
    lent = getattr(names[topic], name)
    door = lent.__init__ if isinstance(lent, type) else lent
    assert hasattr(door, "__wrapped__"), f"write @typed_door above {name} of {topic}.py"
