"""The published systems: what their texts say, each fault, and what repairs bring.

Their searches are those of ``golden/published_*.json``.
"""

import pickle
import random
from itertools import product

import pytest
from refusals import refused
from strength import lost_lines

from mcts_course import FAULTS, SYSTEMS, Play, arena, published
from mcts_course.published.faulty_rules import MisreadConnectFour, MisreadTicTacToe
from mcts_course.published.published import READINGS
from mcts_viz import Compare, ConnectFour, Film, Nim, SearchError, TicTacToe, Trace, check_game
from mcts_viz.film import board_of
from mcts_viz.search import Node
from mcts_viz.search.agents import ExactAgent
from mcts_viz.search.policies import KINDS

pytestmark = pytest.mark.many

GAME = TicTacToe()
WIN_OR_BLOCK = GAME.parse("XX. OO. ...")  # X wins with 2; the listing would rather block 5


def searching(name, seed=None, *, game=None, repair=(), put_in=()):
    return published(name, game).repair(*repair).with_faults(*put_in).search(seed)


# Every system and every switch ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "put_in"),
    [(name, ()) for name in SYSTEMS]
    + [("connect4-agent" if "The Connect" in READINGS[r].what else "liu", (r,)) for r in READINGS],
)
def test_every_system_and_reading_is_a_search_like_any(name, put_in, tmp_path):
    system = published(name).with_faults(*put_in)
    trace = system.search(seed=3).record(iterations=60)
    assert trace.visits(60)[0] == 60
    film = Film(trace)
    assert film.payload()["facts"]
    assert "<svg" in film.to_svg(60)
    trace.save(tmp_path / "trace.json")
    again = Trace.load(tmp_path / "trace.json", system.search())
    assert again.wins(60).tolist() == trace.wins(60).tolist()
    assert again.at(60).score(1) == trace.at(60).score(1)
    assert Compare(trace, system.search(seed=3).record(iterations=60)).differ is None
    assert pickle.loads(pickle.dumps(system.settings)).keys() == system.settings.keys()
    card = repr(system)
    assert system.source in card
    assert all((FAULTS | READINGS)[fault].what in card for fault in system.faults)
    assert f"{name}: {system.source}" in repr(SYSTEMS)


@pytest.mark.parametrize("name", [name for name in SYSTEMS if SYSTEMS[name].faults])
def test_every_repair_is_one_line_and_changes_the_search(name):
    broken = published(name)
    assert broken.faults
    for fault in broken.faults:
        mended = broken.repair(fault)
        assert set(broken.faults) - set(mended.faults) == {fault}
        assert len(changed(broken.as_searched(), mended.as_searched())) == 1
        assert mended.search(seed=1).search(iterations=60).best_action is not None


def changed(one, other):
    """In what two searches differ."""
    return {name for name in ("game", "c", *KINDS) if getattr(one, name) != getattr(other, name)}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_can_be_put_into_the_sound_search_alone(fault):
    faulty = published("uct").with_faults(fault)
    assert faulty.faults == (fault,)
    assert faulty.repair(fault) == published("uct")
    search = faulty.search(seed=1)
    differs = changed(search, published("uct").search(seed=1))
    assert len(differs) == 1 or (fault, differs) == ("block", {"game", "playout"})
    assert search.search(iterations=50).iterations == 50


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (
            lambda: searching("lui"),
            "one of uct, tutorial, liu, connect4-agent, canvas; you gave 'lui'",
        ),
        (
            lambda: published("liu").repair("noise"),
            "must be one of turns, ends, view, block, clock; you gave 'noise'",
        ),
        (lambda: published("uct").with_faults("turn"), "A fault must be one of prose"),
        (
            lambda: published("uct", Nim()).with_faults("turns").search(),
            "have faulty rules; you gave Nim",
        ),
    ],
)
def test_what_is_no_system_or_fault_is_refused(ask, said):
    assert said in refused(ask, _kind=SearchError)


def test_systems_play_other_games_and_other_searches():
    assert searching("canvas", game=ConnectFour(4, 4)).game == ConnectFour(4, 4)
    assert searching("connect4-agent", game=GAME).game == MisreadTicTacToe(until_full=True)
    assert published("liu", GAME).game == published("liu").game


def test_they_play_on_the_board():
    play = Play(GAME, searching("liu", seed=3), iterations=60, first="agent")
    assert len(play.history) == 1
    play.play(GAME.legal_actions(play.state)[0])
    assert len(play.history) == 3
    assert not play.error


# Wrong rules ---------------------------------------------------------------------------------

MISREAD = [MisreadTicTacToe(*flags) for flags in product((False, True), repeat=3)] + [
    MisreadConnectFour(*flags, 4, 5, 3) for flags in product((False, True), repeat=3)
]


@pytest.mark.parametrize("game", MISREAD, ids=repr)
def test_wrong_rules_are_rules(game):
    problems = check_game(game).problems
    known = ("never moves", "parse(")  # with one symbol, and of what the search believes
    assert [problem for problem in problems if not any(words in problem for words in known)] == []
    assert type(game)(**game.parameters()) == game
    assert board_of(game).rows == board_of(game.real).rows


def test_without_a_switch_the_rules_are_right():
    game, generator = MisreadTicTacToe(), random.Random(1)
    for _ in range(50):
        state, real = game.initial_state(), GAME.initial_state()
        while not GAME.is_terminal(real):
            assert game.to_move(state) == GAME.to_move(real)
            action = generator.choice(GAME.legal_actions(real))
            state, real = game.play(state, action), GAME.play(real, action)
            assert game.board(state) == real
            assert game.is_terminal(state) == GAME.is_terminal(real)
        assert game.returns(state) == GAME.returns(real)


def test_no_truth_is_told_about_wrong_rules():
    film = Film(searching("liu", seed=1).record(WIN_OR_BLOCK, iterations=20))
    assert "the search goes by wrong rules" in film.payload()["facts"]["truth"]["unknown"]


# The final move, the budget, the tree of the next move ---------------------------------------


def test_the_final_move():
    children = []
    for action, (visits, wins) in enumerate([(5, 2), (9, 4), (9, 5), (2, 2)]):
        child = Node(action, action, None, 0, 0)
        child.visits, child.wins, child.mean = visits, wins, wins / visits
        children.append(child)
    for name, repair, action in (
        *(("uct", (), 2), ("canvas", (), 2), ("liu", (), 1), ("connect4-agent", (), 1)),
        *(("tutorial", (), 3), ("tutorial", ("win rate",), 2)),
        ("connect4-agent", ("leftmost",), 2),
    ):
        choose = published(name).repair(*repair).settings["recommendation"]
        assert choose(children).action == action


def test_the_prose_forces_the_block_that_the_listing_only_plays_out():
    prose = searching("liu", 1, repair=["turns", "ends", "clock"], put_in=["prose"])
    for search, tried in ((prose, [2]), (searching("liu", 1), [2, 3, 5, 6, 7, 8])):
        result = search.search(GAME.parse("XX. .O. ..."), iterations=30)  # O must play 2
        assert sorted(child.action for child in result.root.children) == tried


# Strength ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "seed", "player"),
    [
        pytest.param(*case, marks=() if case == ("canvas", 0, 0) else pytest.mark.slow)
        for case in product(("tutorial", "canvas", "connect4-agent", "liu"), range(20), (0, 1))
    ],
)
def test_repaired_they_lose_to_nobody(name, seed, player):
    """One now, twenty seeds of each system and each player with --slow."""
    search = published(name, GAME).repair_all().search(seed)
    iterations = (1_500, 15_000 if name == "liu" else 8_000)[player]
    lost, positions = lost_lines(search, player, iterations)
    assert lost == []
    assert positions > (20, 50)[player]


def test_as_published_the_listing_loses_to_exact_play():
    players = {"liu": published("liu").agent(200), "exact": ExactAgent(GAME)}
    tally = arena(players, GAME, games=4, seed=1).tally("liu")
    assert tally.wins == 0
    assert tally.losses > 0
