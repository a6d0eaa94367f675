"""A rule and a game from a student's cells show in every feature, with nothing else changed."""

import re
from functools import cache

import pytest
from students import BOARD, GAME, RULE, cells

from mcts_viz import MCTS, Film, Play, check_game
from mcts_viz.film import board_of
from mcts_viz.film import boards as registered

GAME_OF_ONES_OWN = cells()["ToadsAndFrogs"]()
RULE_OF_ONES_OWN = cells()["eager"]


def searcher():
    return MCTS(GAME_OF_ONES_OWN, c=0.8, seed=3, selection=RULE_OF_ONES_OWN)


@cache
def trace():
    return searcher().record(iterations=150, progress=False)


@cache
def film():
    return Film(trace(), 30)


@pytest.fixture
def with_board():
    """The student registers a board; in the end it is forgotten again."""
    exec(BOARD, dict(cells()))
    yield
    del registered._boards[type(GAME_OF_ONES_OWN)]


# Rules and search


def test_a_rule_has_five_lines_and_a_game_forty():
    assert len(RULE.strip().splitlines()) == 5
    written = [line for line in GAME.splitlines() if line.strip()]
    assert len(written) <= 40


def test_the_game_is_sound():
    report = check_game(GAME_OF_ONES_OWN)
    assert report.ok, report


# Pictures and texts


def test_a_text_names_rule_game_and_moves():
    text = film().to_text(120, "select")
    assert "ToadsAndFrogs: Toad to move" in text
    assert "eager, c = 0.8" in text
    assert re.search(r"^> +2: [\d.]+/\d+  eager \d", text, re.M), text


def test_a_board_is_drawn_once_it_is_registered(with_board):
    board = board_of(GAME_OF_ONES_OWN)
    assert board is not None
    assert list(board.cells((0, "T.T.F.F"))) == [1, 0, 1, 0, 2, 0, 2]
    drawn = Film(trace(), 10).to_svg()
    assert 'class="piece player-0 filled"' in drawn
    assert 'class="piece player-1"' in drawn


# Widgets


def test_a_match_is_played_to_its_end_and_looked_into():
    play = Play(GAME_OF_ONES_OWN, searcher(), iterations=60)
    while play.result is None:
        play.play(GAME_OF_ONES_OWN.legal_actions(play.state)[0])
    assert re.search(r" (Toad|Frog) wins, you (win|lose)\.$", play.said), play.said
    play.look_inside()
    assert play.trace.selection is RULE_OF_ONES_OWN
    assert play.film["facts"]


def test_what_if_goes_on_by_the_students_rule():
    branch = trace().fork(60, moves=["0"], iterations=40)
    assert branch.selection is RULE_OF_ONES_OWN
    assert branch.label(branch.at(1).path[1]) == "0"
    assert branch.at(40).visits[0] == 59 + 40
    assert "eager" in Film(branch).to_text()
