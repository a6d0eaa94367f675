"""Games of OpenSpiel, against our own and against OpenSpiel's MCTS."""

import random
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from invariants import altered, states_of
from refusals import refused
from repository import needs
from searches import traced, uct

from mcts_viz import ConnectFour, Film, GameError, TicTacToe, check_game
from mcts_viz.film import board_of
from mcts_viz.games import OpenSpielGame, Pig, SlidingPuzzle, SlipperyLake
from mcts_viz.search import random_playout
from mcts_viz.trace.storage import from_json, to_json

SPIEL = (
    "connect_four",
    "breakthrough(rows=5,columns=5)",
    "hex(board_size=4)",
    "othello",
    "havannah(board_size=3)",
)


def made(name):
    needs("pyspiel")
    return OpenSpielGame(name)


@pytest.mark.parametrize("name", [*SPIEL, "nim"])
def test_it_conforms_and_is_shown(name):
    """Its copy is equal, and its fast playout is a random one, as everywhere."""
    game = made(name)
    if name != "othello":  # ten thousand playouts would take their time
        report = check_game(game, games=2)
        assert report, report
    again = OpenSpielGame(**game.parameters())
    assert (again, hash(again), repr(again)) == (game, hash(game), repr(game))
    action = game.legal_actions(())[0]
    assert again.text((action,)) == game.text((action,))
    fast = game.fast_playout((), random.Random(1))
    slow = random_playout(altered(OpenSpielGame, name, fast_playout=None), (), random.Random(1))
    assert (list(fast.actions), fast.returns) == (list(slow.actions), slow.returns)
    film = Film(traced(40, game=game))
    assert film.to_png(40)
    assert game.name in film.to_text(40)
    for action in (10**6, -1, "a", None, [0]):
        assert "is no legal move" in refused(game.play, (), action)
    for text, words in (("zz", "is no legal move"), (5, "must be a string")):
        assert words in refused(game.parse, text)
    assert "not over" in refused(game.returns, ())


def test_the_reference_shows_how():
    made("hex")
    text = (Path(__file__).parents[2] / "docs/REFERENCE.md").read_text(encoding="utf-8")
    names = {}
    exec(text.partition("## Games of OpenSpiel")[2].split("```")[1].removeprefix("py"), names)
    assert names["hexes"].players == ("x", "o")


def test_two_may_ask_at_once():
    game = made("connect_four")

    def play(seed):
        end = states_of(game, seed)[-1]
        return end, game.returns(end)

    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(play, range(40)))
    assert together == list(map(play, range(40)))


@pytest.mark.parametrize(
    ("name", "ours"), [("tic_tac_toe", TicTacToe()), ("connect_four", ConnectFour())]
)
def test_the_same_random_numbers_grow_the_same_tree(name, ours):
    theirs = traced(300, 3, made(name))
    own = traced(300, 3, ours)
    for column in ("parent", "action", "created_at", "leaf", "player_just_moved"):
        assert getattr(theirs, column).tolist() == getattr(own, column).tolist()
    assert theirs.playouts.actions.tolist() == own.playouts.actions.tolist()


@pytest.mark.parametrize(
    ("name", "moves", "cells"),
    [
        ("connect_four(rows=4,columns=4)", "1 1 2", ["....", "....", ".2..", ".11."]),
        ("breakthrough(rows=4,columns=3)", "a4a3 a1b2", [".11", "1..", ".2.", ".22"]),
        ("othello", "d3 c3", ["." * 8] * 2 + ["..21....", "...21...", "...12..."] + ["." * 8] * 3),
        ("hex(board_size=3)", "a1 b2", ["1..", ".2.", "..."]),
    ],
)
def test_a_board_is_drawn_where_the_text_shows_one(name, moves, cells):
    """A sign a cell: the number of its piece, or a dot."""
    game = made(name)
    board = board_of(game)
    drawn = [".123456"[cell] for cell in board.cells(game.parse(moves))]
    assert "".join(drawn) == "".join(cells)
    assert board.columns == len(cells[0])


OTHERS = ("kuhn_poker", "phantom_ttt", "blotto", "chinese_checkers(players=3)")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        *((name, f"{name!r} cannot be searched: take") for name in OTHERS),
        ("hex(colour=3)", "cannot make 'hex"),
    ],
)
def test_what_cannot_be_searched_is_refused_in_a_sentence(name, sentence):
    assert sentence in refused(made, name, _kind=GameError)


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    assert "pip install open_spiel" in refused(OpenSpielGame, "hex", _kind=GameError)


NAMES = {
    "tictactoe": "such as 'tic_tac_toe'; you gave 'tictactoe'",
    "connect4": "such as 'connect_four'",
    "Hex(board_size=5)": "such as 'hex'",
    "tic tac toe": "such as 'tic_tac_toe'",
    "checkerz": "such as 'checkers'",
    3: "such as 'hex'; you gave 3",
    "go(board=5)": "Unknown parameter 'board'. Available parameters are: board_size",
    "hex(board_size=x)": "Wrong type for parameter board_size",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_mistyped_name_of_openspiel_says_which_is_meant(name, capfd):
    needs("pyspiel")
    said = refused(OpenSpielGame, name, _kind=GameError)
    assert NAMES[name] in said
    assert "pip install" not in said
    assert len(said) < 200
    assert ("(" in str(name)) or not capfd.readouterr().err


def test_a_trace_finds_its_game_again():
    game = made("connect_four(rows=4,columns=5)")
    trace = traced(30, game=game, text="3 3 4")
    again = from_json(to_json(trace))
    assert (again.game, again.root_state) == (game, trace.root_state)


def bot(game, iterations, seed):
    """OpenSpiel's own search with our constant: its rewards run from -1 to 1, ours from 0 to 1."""
    mcts = import_module("open_spiel.python.algorithms.mcts")
    chance = np.random.RandomState(seed)
    # It plays out from the root too, before its first step.
    return mcts.MCTSBot(
        game, 2 * sqrt(2), iterations + 1, mcts.RandomRolloutEvaluator(1, chance), False, chance
    )


def test_its_statistics_are_those_of_openspiels_own_search():
    """The mean visits of each root move, over searches with different seeds, differ by chance."""
    game = made("tic_tac_toe")
    searches, iterations = 16, 300
    state = game.parse("0 4")
    spiel = game._game.new_initial_state()
    for action in state:
        spiel.apply_action(action)
    ours, theirs = [], []
    for seed in range(searches):
        children = uct(seed, game).search(state, iterations=iterations).root.children
        ours.append({child.action: child.visits for child in children})
        children = bot(game._game, iterations, seed).mcts_search(spiel).children
        theirs.append({child.action: child.explore_count for child in children})
    for action in game.legal_actions(state):
        visits = np.array([[counts[action] for counts in each] for each in (ours, theirs)])
        one, other = visits.mean(axis=1)
        spread = visits.var(axis=1, ddof=1).sum() / searches
        assert abs(one - other) < 4 * sqrt(spread) + 1, (action, visits)


_N = r"\s*-?\d*\.?\d+"
STROKES = rf"(?:[mlt]{_N}{_N}|[hv]{_N}|[sq](?:{_N}){{4}}|c(?:{_N}){{6}}|a(?:{_N}){{7}}|z)+"
"""A path in which each command has as many numbers as it takes: a browser drops the rest else."""


@pytest.mark.parametrize("game", [Pig(12), SlipperyLake(), SlidingPuzzle()], ids=lambda g: g.name)
def test_the_pieces_of_boards_with_luck_or_one_player_are_paths_that_browsers_draw(game):
    for piece in board_of(game).pieces:
        assert re.fullmatch(STROKES, piece.path), piece.name
