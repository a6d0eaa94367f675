"""A film of MCTS-Solver: its pictures, its words and the player mark what is proven."""

import random
import re

import pytest
from films import continued, films
from invariants import PENCIL

from mcts_viz import Film, MCTSSolver, Nim, TicTacToe
from mcts_viz.search import PHASES

WORDS = {1: "proven win", -1: "proven loss"}


def solver_films():
    """Wide and narrow trees, proven and not, a board, a text, and one that goes on with a tree."""
    game = TicTacToe()
    return [
        Film(MCTSSolver(game, seed=2).record(game.parse("X.. .O. ..."), iterations=300)),
        Film(MCTSSolver(game, seed=2).record(game.parse("XX. O.O X.."), iterations=300), 12),
        Film(MCTSSolver(Nim((1, 2, 3)), seed=1).record(iterations=3000), 30),
        Film(MCTSSolver(PENCIL, seed=8).record(iterations=60), 300),
        Film(continued(MCTSSolver(game, seed=11), 4, 300), 20),
    ]


FILMS = solver_films()


def some_moments(film, count=40):
    draw, last = random.Random(3), film.trace.iterations
    drawn = [(draw.randint(1, last), draw.choice(PHASES)) for _ in range(count)]
    return [(last, "backpropagate"), (last, "simulate"), *drawn]


@pytest.mark.parametrize("film", FILMS, ids=lambda film: repr(film.trace))
def test_text_and_graphs_say_it_too(film):
    for iteration, phase in some_moments(film, 10):
        frame = film.frame(iteration, phase)
        wanted = sorted(card.mark for card in frame.cards if card.mark)
        text = film.to_text(iteration, phase)
        assert "MCTS-Solver" in text.splitlines()[1]
        assert sorted(re.findall(r"proven (?:win|loss)", text)) == wanted


def test_films_of_other_searches_send_and_show_nothing_of_it():
    for film in films()[::4]:
        sent = film.payload()["facts"]
        assert "proofs" not in sent
        assert not {"proof", "proven"} & set(sent["columns"])
        assert not any("prove" in pattern for pattern in sent["patterns"])
        assert 'proven"' not in film.to_svg()
        assert "prove" not in film.to_text()
    facts = FILMS[0].payload()["facts"]
    assert facts["proofs"] == {"1": "proven win", "-1": "proven loss"}
    assert {"proof", "proven"} <= set(facts["columns"])
