"""Every sentence of every film is read back, and what it claims is true."""

import random
from dataclasses import dataclass
from functools import cache

import pytest
from films import READ, excerpts, filmed, films, walks
from hypothesis import given
from hypothesis import strategies as st
from invariants import TREES, TWICE, Stakes
from read_back import check_badges, check_name, check_search, check_walk, forms
from searches import uct

from mcts_viz import ConnectFour, Film, Nim, Player, TicTacToe, alpha_beta, minimax
from mcts_viz.film.truth import truth_badge
from mcts_viz.search.policies import Parameters
from mcts_viz.search.variants import win_then_block
from mcts_viz.trace import record_minimax

pytestmark = pytest.mark.many


def positions(count):
    """Positions of tic-tac-toe in play, with four to six empty cells."""
    game, draw = TicTacToe(), random.Random(46)
    while count:
        state = game.initial_state()
        for _ in range(draw.choice((3, 4, 5))):
            state = game.play(state, draw.choice(game.legal_actions(state)))
            if game.is_terminal(state):
                break
        else:
            count -= 1
            yield state


def test_all_that_alpha_beta_says_is_true():
    walks = [
        Film(record_minimax(alpha_beta, (TicTacToe(), Stakes())[number % 2], state))
        for number, state in enumerate(positions(60))
    ]
    assert len(walks) == 60
    assert sum(map(check_walk, walks)) > 12_000


@given(TREES | TWICE | st.sampled_from([ConnectFour(2, 3, 2), Nim((1, 2, 3))]))
def test_all_that_a_walk_through_any_game_says_is_true(game):
    for walk in (minimax, alpha_beta):
        assert check_walk(Film(record_minimax(walk, game))) >= 2


@pytest.mark.parametrize("number", range(len(walks())))
def test_all_that_the_walks_of_other_tests_say_is_true(number):
    assert check_walk(walks()[number]) >= 2


@cache
def read_of(name):
    """The forms of captions in a film, each with how often it was met."""
    film = READ[name]()
    met = check_search(film)
    assert met.total() == 4 * len(film.iterations) >= 40
    return met


@pytest.mark.parametrize("name", READ)
def test_all_captions_of_a_search_are_true(name):
    assert read_of(name).total() >= 40


def test_every_form_that_a_caption_can_have_was_read():
    """A form that no film uses would never have been checked."""
    assert forms() - set().union(*map(read_of, READ)) == set()


@pytest.mark.parametrize("make", [films, excerpts, walks])
def test_a_film_is_called_what_it_is(make):
    named = [*make(), *(READ[name]() for name in ("dice", "solver", "watched") if make is films)]
    for film in named:
        check_name(film)
    assert len(named) >= 3


SOLVED = [READ[name] for name in ("late", "solver", "solver nim", "nim", "tree", "dice", "ice")]


@pytest.mark.parametrize("make", [*SOLVED, filmed(60, 1, Stakes(), "XX. OO. ...")])
def test_the_truth_on_every_card_is_what_all_games_from_there_come_to(make):
    assert check_badges(make(), truth_badge) > 8


@dataclass(frozen=True, repr=False)
class weighted(Parameters):  # noqa: N801  a policy, written as a function
    """A student's policy whose parameters look like a pattern's slots."""

    weights: object

    def __call__(self, game, state, random):
        return win_then_block(game, state, random)


@pytest.mark.parametrize("weights", [{4: 3}, "{moves}", "{", "}{0}", "$& {result}"])
def test_a_student_s_text_is_no_pattern(weights):
    trace = uct(playout=weighted(weights)).record(iterations=5, progress=False)
    film = Film(trace)
    assert f"moves by weighted({weights!r}): " in film.caption(5, "simulate")
    assert film.payload()["facts"]["policies"]["playout"] == f"moves by weighted({weights!r})"
    assert "image/png" in Player(trace, 5, "simulate")._repr_mimebundle_()[0]
