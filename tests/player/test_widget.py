"""The player's Python side: what it takes, what it sends, and what is left where it cannot live."""

import json
import re
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
import traitlets
from films import picture_in, shown
from ipywidgets import IntSlider, VBox
from ipywidgets.embed import embed_data
from nbclient import NotebookClient
from refusals import refused

import mcts_viz.player
from mcts_course import BeTheSearch, Play, predict
from mcts_course.lessons.perfect_play import leaves_to_skip
from mcts_viz import MCTS, Compare, Film, Player, TicTacToe
from mcts_viz.errors import TraceError
from mcts_viz.player import base
from mcts_viz.player.page import modules, script, style
from mcts_viz.search import PHASES
from mcts_viz.trace import Recorder

WIDGET = "application/vnd.jupyter.widget-view+json"


@cache
def trace():
    return MCTS(TicTacToe(), seed=4).record(iterations=50)


# What it takes --------------------------------------------------------------------------------


def test_a_player_begins_where_it_is_told():
    player = Player(trace())
    assert (player.iteration, player.phase) == (17, "select"), "a third into it: there is a tree"
    player = Player(trace(), iteration=7, phase="expand", cards=9)
    assert (player.iteration, player.phase, player.film.data.count) == (7, "expand", 9)
    film = Film(trace(), 12)
    assert Player(film).film is film


REFUSED = [
    (lambda: Player(None), "source must be a trace, .*; you gave None"),
    (
        lambda: Player(MCTS(TicTacToe()).search(iterations=5)),
        "source must be a trace, .*; you gave <a SearchResult>",
    ),
    (lambda: Player(trace(), 0), "iteration must be a whole number from 1 to 50; you gave 0"),
    (lambda: Player(trace(), 1, ""), "phase must be one of select, expand"),
    (lambda: Player(trace(), cards=0), "cards must be a whole number from 1 to 300"),
    (lambda: Player(Film(trace()), cards=7), "cards must be left out for a film"),
    (lambda: Player(empty_trace()), "has no iteration, so there is nothing to show"),
]


@pytest.mark.parametrize(("ask", "said"), REFUSED)
def test_what_cannot_be_played_is_refused_in_a_sentence(ask, said):
    assert re.search(said, refused(ask, _kind=TraceError))


def test_what_is_set_wrongly_is_refused_and_nothing_moves():
    player = Player(trace(), iteration=7)
    for name, value, said in (
        ("iteration", 0, "iteration must be a whole number from 1 to 50; you gave 0"),
        ("phase", "think", "; you gave 'think'"),
        ("iterations", 5, "A Player has no iterations to set: it has iteration."),
        ("speed", 5, "A Player has no speed to set."),
    ):
        assert said in refused(setattr, player, name, value)
    assert (player.iteration, player.phase) == (7, "select")


# Traits ---------------------------------------------------------------------------------------


def test_observers_hear_of_a_move_from_either_side():
    player, heard = Player(trace()), []
    player.observe(lambda change: heard.append((change.name, change.new)), ["iteration", "phase"])
    player.iteration = 7
    told = {"iteration": 8, "phase": "simulate", "heard": player.words}
    player.set_state(told)  # as a message of the page does
    assert heard == [("iteration", 7), ("iteration", 8), ("phase", "simulate")]


def test_an_error_of_an_observer_is_shown_in_the_player_until_the_next_move():
    player = Player(trace())

    def complain(change):
        if change.new == 9:
            raise KeyError("nine")

    player.observe(complain, "iteration")
    with pytest.raises(KeyError):
        player.set_state({"iteration": 9})
    assert player.error == "KeyError: 'nine'"
    player.set_state({"iteration": 10})
    assert player.error == ""


def test_the_page_cannot_lead_out_of_the_film():
    player = Player(trace(), iteration=20)
    for told, taken in ((0, 1), (-3, 1), (51, 50), (7, 7)):
        player.set_state({"iteration": told})
        assert (player.iteration, player.error) == (taken, "")


def test_a_move_made_before_pythons_last_word_is_out_of_date():
    """Messages cross: the page tells a move, and has not heard yet where Python has gone."""
    player = Player(trace(), iteration=20)
    player.set_state({"iteration": 30, "heard": player.words})
    player.iteration = 7
    player.set_state({"iteration": 31, "phase": "simulate"})
    assert (player.iteration, player.phase) == (7, "select")
    player.set_state({"iteration": 32, "phase": "expand", "heard": player.words})
    assert (player.iteration, player.phase) == (32, "expand")
    player.set_state({"iteration": 33})  # it says what it has heard only when that has changed
    assert player.iteration == 33


def test_python_says_where_it_stands_in_both(monkeypatch):
    """The page may be elsewhere in what Python has not changed."""
    player, sent = Player(trace(), iteration=20), {}
    monkeypatch.setattr(player, "_send", lambda message, buffers: sent.update(message["state"]))
    player.iteration = 7
    assert sent == {"iteration": 7, "phase": "select", "words": player.words}


def test_what_an_observer_says_to_a_move_of_the_page_is_pythons_word():
    player = Player(trace(), iteration=20)
    player.observe(lambda change: setattr(player, "iteration", min(change.new, 25)), "iteration")
    player.set_state({"iteration": 24})
    assert player.words == player.heard == 0
    player.set_state({"iteration": 40})
    assert (player.iteration, player.words) == (25, 1)


@contextmanager
def switching_often():
    """So that each thread comes in the middle of what the other does."""
    often = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(often)


def test_page_and_python_agree_after_moving_it_at_once(monkeypatch):
    """Messages of the page come in another thread than the cells'."""
    player, gate, both = Player(trace()), threading.Lock(), threading.Barrier(2, timeout=60)
    page = {"iteration": 1, "words": 0}

    def send(message, buffers):
        with gate:
            page.update(message["state"])

    def move(iteration):
        with gate:
            page["iteration"] = iteration
            told = {"iteration": iteration, "heard": page["words"]}
        both.wait()
        player.set_state(told)

    monkeypatch.setattr(player, "_send", send)
    with switching_often(), ThreadPoolExecutor(1) as thread:
        for turn in range(300):
            moved = thread.submit(move, turn % 50 + 1)
            both.wait()
            player.iteration = turn % 37 + 1
            moved.result()
            assert (page["iteration"], page["words"]) == (player.iteration, player.words)


@pytest.mark.parametrize("nonsense", [7.5, "8", None, [3], float("nan"), {}])
@pytest.mark.parametrize("widget", [Player, lambda film: Compare(film, film)])
def test_what_the_page_has_heard_counts_whatever_else_it_says(widget, nonsense):
    player = widget(trace())
    player.iteration = 7
    with suppress(TraceError):  # a linked widget may be of any kind
        player.set_state({"iteration": nonsense, "heard": player.words})
    assert player.iteration == 7
    assert nonsense == 7.5 or "iteration must be" in player.error
    player.set_state({"iteration": 30})
    assert (player.iteration, player.error) == (30, "")


def test_linked_players_may_be_moved_from_two_threads():
    """Each sets the other, so with a lock for each they would wait for each other."""
    one, other = Player(trace()), Player(trace())
    for name in ("iteration", "phase"):
        traitlets.link((one, name), (other, name))

    def page():
        for turn in range(150):
            moved = {"iteration": turn % 37 + 1, "phase": PHASES[turn % 3]}
            other.set_state({**moved, "heard": other.words})

    def cell():
        for turn in range(150):
            one.iteration = turn % 50 + 1

    threads = [threading.Thread(target=move, daemon=True) for move in (page, cell)]
    with switching_often():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert (one.iteration, one.phase) == (other.iteration, other.phase)


# What it sends -----------------------------------------------------------------------------


def sent(player):
    """The bytes of a film as they go to the page: JSON as UTF-8, and the columns as they are."""
    (state,) = player.get_state(["payloads"])["payloads"]
    facts = json.dumps(state["facts"], ensure_ascii=False, allow_nan=False).encode()
    assert isinstance(state["columns"], bytes)
    return len(facts) + len(state["columns"])


def test_a_film_is_small():
    search = MCTS(TicTacToe(), seed=1)
    assert sent(Player(search.record(iterations=200), cards=40)) <= 200_000
    assert sent(Player(search.record(iterations=15_000), cards=60)) <= 5_000_000


def test_the_script_is_one_module_and_the_style_knows_all_its_colours():
    assert not re.search(r'from "\.', script())
    assert "export default { initialize, render };" in script()
    exported = re.findall(r"^export const { (.*) } =", script(), re.M)
    names = ", ".join(exported).split(", ")
    assert len(names) == len(set(names)), "two modules export the same name"
    folder = Path(mcts_viz.player.__file__).parent
    assert set(modules()) == {path.relative_to(folder).as_posix() for path in folder.rglob("*.js")}
    named = {part.split(")")[0] for part in style().split("var(--mcts-")[1:]}
    defined = {part.split(":")[0] for part in style().split("--mcts-")[1:] if ":" in part[:20]}
    assert named <= defined


# Where it cannot live ------------------------------------------------------------------------


@pytest.mark.parametrize("make", [lambda: Player(trace()), trace])
def test_an_output_is_a_player_a_picture_and_text(make):
    data = shown(make())
    assert data[WIDGET]["model_id"]
    picture = picture_in(data)
    assert picture.format == "PNG"
    assert len(picture.convert("RGB").getcolors(picture.width * picture.height)) > 50
    assert data["text/plain"] == Film(trace()).to_text()  # of the last frame
    assert "iteration 50 of 50 · backpropagate" in data["text/plain"]


def empty_trace():
    return Recorder().trace(MCTS(TicTacToe(), seed=1))


def test_an_empty_trace_shows_itself_as_text():
    data = shown(empty_trace())
    assert data.keys() == {"text/plain"}
    assert "0 iterations" in data["text/plain"]


def test_a_class_may_be_asked_for_all_names_of_a_widget():
    """Traitlets 4, the oldest that we support, does so when the class is made."""
    for widget in (Compare, Play, Player):
        ours = [kind for kind in widget.__mro__ if kind.__module__.startswith("mcts_viz")]
        names = [name for kind in ours for name in vars(kind)]
        assert names
        for name in names:
            getattr(widget, name)


# In other hands


@pytest.mark.parametrize(
    "make",
    [
        lambda: Player(trace()),
        lambda: Compare(trace(), trace()),
        lambda: BeTheSearch(TicTacToe()),
        lambda: predict("Who?", choices=["a", "b"]),
        leaves_to_skip,
    ],
)
def test_ipywidgets_own_export_takes_the_script_along(make):
    """It leaves out what is the default of a class, which the page of another cannot know."""
    widget = make()
    for drop in (True, False):
        state = embed_data(views=[widget], drop_defaults=drop)["manager_state"]["state"]
        kept = state[widget.model_id]["state"]
        assert {*widget.keys} == {*kept}
        assert len(kept["_esm"]) > 50
        assert kept.get("code", "x") != ""


def test_the_text_of_a_box_is_the_same_in_each_run():
    def box():
        return repr(VBox([IntSlider(), Player(trace()), predict("Who?", choices=["a", "b"])]))

    assert box() == box()
    assert " at 0x" not in box()


BOXES = """
import ipywidgets
from mcts_viz import MCTS, Player, TicTacToe
from mcts_course import predict
trace = MCTS(TicTacToe(), seed=4).record(iterations=20)
"""


@pytest.mark.long
def test_what_stands_alone_or_in_a_box_is_stored_with_a_text_of_its_own():
    """A cell that ends in a question shows one field, and its text in place of a second one."""
    sources = [BOXES, "ipywidgets.VBox([Player(trace)])", "predict('Who?', choices=['a', 'b'])"]
    notebook = nbformat.v4.new_notebook(cells=[*map(nbformat.v4.new_code_cell, sources)])
    for cell in notebook.cells:
        cell.metadata["cellId"] = cell.id
    NotebookClient(notebook, kernel_name="python3").execute()
    _, box, question = (cell.outputs for cell in notebook.cells)
    assert [out.data["text/plain"] for out in box][:1] == ["VBox(children=(Player(),))"]
    assert [out.data["text/plain"] for out in question] == ["Predict: Who? (one of a, b)"] * 2
    assert [WIDGET in out.data for out in question] == [True, False]


def test_the_picture_of_a_player_in_a_box_comes_below_the_cell(monkeypatch):
    """As JupyterLab runs it, which says the cell; hidden as long as the widget lives."""
    shown_below = []

    class Shell:
        def __init__(self):
            self.events = SimpleNamespace(
                callbacks={"post_run_cell": []},
                register=lambda _, call: self.events.callbacks["post_run_cell"].append(call),
                unregister=lambda _, call: self.events.callbacks["post_run_cell"].remove(call),
            )

        def get_parent(self):
            return {"metadata": {"cellId": "box"}, "header": {"msg_id": "1"}}

    shell = Shell()
    monkeypatch.setattr(base, "get_ipython", lambda: shell)
    monkeypatch.setattr(base, "display", lambda forms, raw: shown_below.append(forms["text/html"]))
    box = VBox([IntSlider(), Player(trace())])
    for call in [*shell.events.callbacks["post_run_cell"]]:
        call(SimpleNamespace(result=box))
    [page] = shown_below
    assert page.count("data:image/png;base64,") == 1


@pytest.mark.parametrize("widget", [Player, Compare, Play])
def test_no_old_way_of_displaying_goes_before_the_output_with_a_picture(widget):
    """Widgets of ipywidgets 7 display themselves, and then neither picture nor text is stored."""

    class Old(traitlets.HasTraits):
        def _ipython_display_(self):
            raise AssertionError

    made = type("Under7", (widget, Old), {})
    assert made._ipython_display_ is None
