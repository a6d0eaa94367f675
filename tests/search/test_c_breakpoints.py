"""For which c a choice at the root would have been another: exact, and only where c is a factor."""

from __future__ import annotations

from math import isfinite, isnan

import pytest

from mcts_viz import MCTS, ConnectFour, Film, MCTSSolver, Nim, TicTacToe
from mcts_viz.search.variants import puct, ucb1_tuned
from mcts_viz.trace import Snapshot


def scores(now: Snapshot, c: float) -> dict[int, float]:
    """The scores of the root's children, if c were another."""
    found = {}
    for child in now.children(0):
        terms = now.terms(child)
        assert terms is not None
        found[child] = terms[0] + terms[1] * c / now.trace.c
    return found


FILMS = [
    Film(MCTS(TicTacToe(), seed=4).record(iterations=300)),
    Film(MCTS(ConnectFour(), 0.7, seed=1).record(iterations=200)),
    Film(MCTS(Nim((1, 2, 3)), 2.5, seed=2).record(iterations=200)),
    Film(MCTS(TicTacToe(), seed=3, selection=puct).record(iterations=200)),
]


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.trace.game.name)
def test_inside_the_choice_stays_and_outside_it_does_not(film: Film) -> None:
    trace, breakpoints = film.trace, film.data.c_breakpoints
    compared = bounded = 0
    for iteration in range(1, trace.iterations + 1):
        low, high = float(breakpoints.low[iteration - 1]), float(breakpoints.high[iteration - 1])
        assert isnan(low) == isnan(high) == isnan(film.data.leads[iteration - 1])
        if isnan(low):
            continue
        now = trace.at(iteration, "select")
        chosen = now.path[1]
        compared += 1
        bounded += low > 0 or isfinite(high)
        assert low <= trace.c * (1 + 1e-5)
        assert high >= trace.c * (1 - 1e-5)
        top = high if isfinite(high) else 10 * trace.c
        for share in (0.001, 0.25, 0.5, 0.75, 0.999):
            inside = scores(now, low + share * (top - low))
            assert inside[chosen] >= max(inside.values()) - 1e-5
        if low > 0:
            other = scores(now, low * 0.99)
            assert other[int(breakpoints.below[iteration - 1])] > other[chosen]
        if isfinite(high):
            other = scores(now, high * 1.01)
            assert other[int(breakpoints.above[iteration - 1])] > other[chosen]
    assert compared > 50
    assert bounded > 20


def test_where_c_is_no_factor_nothing_is_said() -> None:
    def root_of_c(child, parent, c):
        return child.wins / child.visits, c**0.5 / child.visits

    for policy in ({"c": 0.0}, {"selection": root_of_c}):
        film = Film(MCTS(TicTacToe(), seed=1, **policy).record(iterations=60))
        assert film.data.c_breakpoints is None
        assert "c_low" not in film.payload()["facts"]["columns"]
    tuned = Film(MCTS(TicTacToe(), seed=1, selection=ucb1_tuned).record(iterations=60))
    assert tuned.data.c_breakpoints is not None


def test_a_proven_child_is_no_rival_for_any_c() -> None:
    """MCTS-Solver passes over what is proven; so no other c would choose it either."""
    game = TicTacToe()
    named = 0
    for seed, text in ((2, "X.. .O. ..."), (4, "XO. ... ..."), (1, "... ... ...")):
        film = Film(MCTSSolver(game, seed=seed).record(game.parse(text), iterations=600))
        sign, since = film.trace.proofs
        breakpoints = film.data.c_breakpoints
        for place in range(film.trace.iterations):
            bounds = (float(breakpoints.low[place]), float(breakpoints.high[place]))
            assert isnan(bounds[0]) == (not film.data.leads[place] >= 0)
            others = [
                int(column[place])
                for column, told in (
                    (breakpoints.below, bounds[0] > 0),
                    (breakpoints.above, isfinite(bounds[1])),
                )
                if told
            ]
            named += len(others)
            assert not any(sign[node] and since[node] <= place for node in others)
    assert named > 100
