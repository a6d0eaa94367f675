"""Moment links: what they say, that they lead back, and that a bad one is refused in a sentence."""

import builtins
import random
import re
from contextlib import suppress

import pytest
from films import continued
from golden_traces import GOLDEN
from hypothesis import given, settings
from hypothesis import strategies as st
from invariants import GAMES, POLICIES, Steps, altered, position
from refusals import refused

from mcts_viz import (
    MCTS,
    ConnectFour,
    Film,
    Game,
    GameTree,
    MCTSSolver,
    MctsVizError,
    Nim,
    Player,
    Recorder,
    TicTacToe,
    Trace,
    minimax,
    record_minimax,
)
from mcts_viz.search import random_playout
from mcts_viz.search.variants import (
    puct,
    rewards_of,
)
from mcts_viz.trace import link_of, open_link
from mcts_viz.trace.storage import to_json

GAME = TicTacToe()
STATE = GAME.parse("XX. .O. ...")


def unsummed(link):
    """The link without its check sum, as one would write it."""
    return re.sub("&sum=[0-9a-f]{8}", "", link)


def test_a_link_names_only_what_differs():
    trace = MCTS(GAME, c=1.41, seed=4).record(STATE, iterations=200)
    player = Player(trace, 60, "expand")
    player.iteration = 7
    assert player.link == Film(trace).link(7, "expand")
    assert unsummed(player.link) == ("mcts-viz:TicTacToe()?state=XX.+.O.+...&c=1.41&seed=4&n=200&at=7.expand")
    search = MCTSSolver(ConnectFour(4, 5), c=1, seed=4, reward=rewards_of(1, 0, 0))
    assert unsummed(Film(search.record(iterations=9), 12).link(9, "select")) == (
        "mcts-viz:ConnectFour(rows=4,+columns=5)?c=1&seed=4"
        "&reward=rewards_of(win=1,+draw=0,+loss=0)&solver=1&n=9&cards=12&at=9.select"
    )


def test_a_walk_by_minimax_has_no_link():
    film = Film(record_minimax(minimax, Nim((1, 2))))
    assert "no link: send the line record_minimax" in refused(film.link, 7)
    assert "send the line" in Player(film).payloads[0]["facts"]["link"]["refusal"]


# It leads back.


@settings(max_examples=40)
@given(
    kind=st.sampled_from([MCTS, MCTSSolver]),
    game=st.sampled_from(GAMES),
    c=st.sampled_from([0, 5e-324, 0.1, 1, 2**0.5, 30, 1e9, 1e20]),
    options=st.sampled_from(POLICIES),
    seed=st.integers(0, 2**40),
    data=st.data(),
)
def test_a_link_leads_back_to_its_moment(kind, game, c, options, seed, data):
    trace = kind(game, c, seed, **options).record(position(game, seed), iterations=25)
    iteration = data.draw(st.integers(1, len(trace)))
    phase = data.draw(st.sampled_from(["select", "expand", "simulate", "backpropagate"]))
    link = Film(trace, 30).link(iteration, phase)
    again = open_link(link)
    assert to_json(again.trace) == to_json(trace)
    assert (again.iteration, again.phase, again.cards) == (iteration, phase, 30)
    assert Film(again.trace, 30).link(iteration, phase) == link


def test_names_that_a_link_uses_itself_are_hidden_in_it():
    game = GameTree({"a?b&c=d#e%+": 1, "ü汉\"'": {"x": 0, "y": -1}})
    trace = MCTS(game, seed=1).record(game.parse("ü汉\"'"), iterations=9)
    link = Film(trace).link(3, "select")
    assert link.count("?") == 1
    assert link.isascii()
    assert to_json(open_link(link).trace) == to_json(trace)


# Of one's own.


def my_rule(child, parent, c):
    return child.wins / child.visits + c / child.visits


def my_playout(game, state, random):
    return random_playout(game, state, random)


def test_a_students_own_game_and_rules_are_handed_in():
    search = MCTS(Steps(), seed=2, selection=my_rule, playout=my_playout)
    trace = search.record((1, 1), iterations=40)
    link = Film(trace).link(9, "expand")
    assert unsummed(link) == (
        "mcts-viz:Steps()?state=(1,+1)&seed=2&selection=my_rule&playout=my_playout&n=40&at=9.expand"
    )
    said = refused(open_link, link)
    assert said.startswith("game must be one of ")
    assert "you gave 'Steps': hand in your own, game=" in said
    assert re.search(r"own, (selection|playout)=\.\.\.", refused(open_link, link, game=Steps()))
    own = {"game": Steps(), "selection": my_rule, "playout": my_playout}
    player = Player.from_link(link, **own)
    assert player.film.trace.leaf.tolist() == trace.leaf.tolist()
    assert player.link == link
    said = refused(open_link, link, **{**own, "game": TicTacToe()})
    assert "game must be that of the link, 'Steps()'; you" in said
    said = refused(open_link, link, game=Steps(), rule=my_rule)
    assert "'rule' is not a policy of a search" in said


def test_another_search_than_the_one_that_was_linked_is_found_out():
    own = random.Random()

    def careless(game, state, ignored):
        return random_playout(game, state, own)

    trace = MCTS(ConnectFour(), seed=1, playout=careless).record(iterations=60)
    link = Film(trace).link(1, "select")
    assert "This search comes out as" in refused(open_link, link, playout=careless)
    assert len(open_link(unsummed(link), playout=careless).trace) == 60
    linked = Film(MCTS(TicTacToe(), seed=1, selection=my_rule).record(iterations=60)).link(1)
    assert "a game or policy has changed" in refused(open_link, linked, selection=puct)


def test_what_no_link_can_name_is_refused_and_the_film_plays():
    mute = altered(Steps, parse=Game.parse)
    wide = GameTree({f"a-long-move-{number}": 1 for number in range(400)})
    for trace, why in [
        (continued(MCTS(TicTacToe(), seed=1), 4, 100), "went on with another tree"),
        (MCTS(wide, seed=1).record(iterations=5), "characters"),
        (MCTS(mute, seed=1).record((5, 0), iterations=5), "does not read its own text '(5, 0)'"),
    ]:
        assert why in refused(Film(trace).link, 1)
        assert why in Player(trace).payloads[0]["facts"]["link"]["refusal"]
    assert "no moment yet" in refused(link_of, Recorder().trace(MCTS(TicTacToe(), seed=1)))


# Hostile links.

START = "mcts-viz:TicTacToe()?"
HOSTILE = [
    (START + "seed=1&n=5&state=" + "." * 5000, "A link must be a text"),
    ("https://example.org/", "A link must be a text"),
    ("mcts-viz:?seed=1&n=5", "cannot be read"),
    ("mcts-viz:TicTacToe?seed=1&n=5", "with brackets"),
    ("mcts-viz:Chess()?seed=1&n=5", "'Chess'"),
    ("mcts-viz:MisreadBoard()?seed=1&n=5", "first import the package that has it, such as mcts_c"),
    (START + "seed=None&n=5", "seed must be a number"),
    ("mcts-viz:ConnectFour(rows=2%2B2)?seed=1&n=5", "cannot be read"),
    ("mcts-viz:__import__('os').system('true')?seed=1&n=5", "cannot be read"),
    ("mcts-viz:%FF%FE?seed=1&n=5", "damaged"),
    (START + "seed=1", "n must be a whole number"),
    (START + "n=5", "seed must be a number"),
    (START + "seed=1&n=5&seed=1", "'seed'"),
    (START + "seed=1&n=5&colour=red", "'colour'"),
    (START + "seed=four&n=5", "you gave 'four'"),
    (START + "seed=" + "9" * 1500 + "&n=5", "seed must be"),
    (START + "seed=1&n=0", "n must be a whole number"),
    (START + "seed=1&n=100001", "most="),
    (START + "seed=1&n=5&at=6.select", "you gave '6.select'"),
    (START + "seed=1&n=5&at=3.sleep", "you gave '3.sleep'"),
    (START + "seed=1&n=5&c=-1", "c must be"),
    (START + "seed=1&n=5&c=__import__('os')", "c must be"),
    (START + "seed=1&n=5&branch_points=((1,+(4,)),)", "branch points of a fork are"),
    (START + "seed=1&n=5&branch_points=((0,+(4,),+1),)", "the iteration must be"),
    (START + "seed=1&n=5&branch_points=((3,+(99,),+1),)", "no node yet before the move 99"),
    (START + "seed=1&n=5&branch_points=((99999,+(4,),+1),(99999,+(),+1))", "200,003 iterations"),
    (START + "seed=1&n=5&cards=0", "cards must be"),
    (START + "seed=1&n=5&sum=00000000", "not '00000000'"),
    (START + "seed=1&n=5&solver=yes", "solver must be True or False"),
    (START + "seed=1&n=5&state=XXXXXXXXX", "XXXXXXXXX"),
    (START + "seed=1&n=5&state=XXX+OO.+...", "The game is over"),
    (START + "seed=1&n=5&selection=best", "'best'"),
    (START + "seed=1&n=5&reward=rewards_of(1,0)", "takes win, draw, loss: missing a required"),
    (START + "seed=1&n=5&reward=rewards_of(1,0,__import__('os'))", "cannot be read"),
    (
        START + "seed=1&n=5&initial_expansion=pre_expanded(9)",
        "too long, over 1 seconds: allow more (most=",
    ),
    (START + "n=5&method=minimax", "you gave 'method'"),
    ("mcts-viz:Bandit()?seed=1&n=5&solver=1", "MCTSSolver"),
]


@pytest.mark.parametrize(("link", "piece"), HOSTILE, ids=lambda value: repr(value)[:50])
def test_a_bad_link_is_refused_in_a_sentence_that_names_the_piece(link, piece, monkeypatch):
    def forbidden(*args, **options):
        raise AssertionError("a link was run")

    for name in ("eval", "exec"):
        monkeypatch.setattr(builtins, name, forbidden)
    monkeypatch.setattr("mcts_viz.trace.link.SECONDS", 4.0)
    most = 100 if "pre_expanded(9)" in str(link) else 100_000
    assert piece in refused(open_link, link, most=most)


def test_a_large_game_of_which_little_is_asked_is_opened():
    """It is not judged by how much might be asked of it."""
    assert len(open_link(f"mcts-viz:Nim(({'1000,' * 10}))?seed=1&n=1").trace) == 1
    link = "mcts-viz:TicTacToe()?seed=1&n=300"
    assert "300 iterations: allow more with most=..." in refused(open_link, link, most=200)
    assert len(open_link(link, most=300).trace) == 300


def test_one_playout_may_take_a_quarter_of_the_time(monkeypatch):
    monkeypatch.setattr("mcts_viz.trace.link.SECONDS", 4.0)
    link = f"mcts-viz:Nim(({'1000,' * 10}))?seed=1&n=1&playout=win_then_block"
    assert "would take too long, over 1 seconds" in refused(open_link, link)


@settings(max_examples=200)
@given(data=st.data())
def test_a_link_with_a_piece_changed_is_refused_or_opened(data):
    reward = "reward=rewards_of(1,0,0)"
    link = f"mcts-viz:TicTacToe()?state=XX.+.O.+...&c=1.41&seed=4&{reward}&n=9&at=5.select"
    place = data.draw(st.integers(0, len(link) - 1))
    letter = data.draw(st.sampled_from("0aX.,()=&?+%'\"\\\0é -"))
    with suppress(MctsVizError):
        assert open_link(link[:place] + letter + link[place + 1 :], most=100).trace


def test_a_trace_that_ends_before_its_moment_is_refused():
    game = TicTacToe()
    trace = MCTSSolver(game, seed=0).record(game.parse("XX. OO. ..."), iterations=500)
    assert isinstance(trace, Trace)
    assert len(trace) < 500
    link = Film(trace).link(1, "select").replace(f"n={len(trace)}", "n=500")
    beyond = link.replace("at=1.select", "at=400.select")
    assert f"The search ended after {len(trace)} iterations" in refused(open_link, beyond)
    assert len(open_link(link).trace) == len(trace)


OLD_LINKS = dict(line.split(" ", 1) for line in (GOLDEN / "links.txt").read_text().splitlines())


@pytest.mark.parametrize("name", OLD_LINKS)
def test_links_of_before_still_open_and_are_the_same_today(name):
    opened = open_link(OLD_LINKS[name])  # whose sum says that the same was found
    assert link_of(opened.trace) == OLD_LINKS[name]
