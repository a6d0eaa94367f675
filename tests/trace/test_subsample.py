"""A film of some iterations of a search: what it shows is what the film of all of them shows."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from films import continued, excerpts, expand_all, mean_only
from refusals import refused
from searches import traced, uct

from mcts_viz import Compare, Film, MCTSSolver, Player, TicTacToe
from mcts_viz.errors import TraceError
from mcts_viz.film.search_film import SearchFilm
from mcts_viz.film.words import caption
from mcts_viz.search import PHASES
from mcts_viz.trace.subsample import FIRST, LONGEST, iterations_shown

pytestmark = pytest.mark.many

SEARCHES = {
    "tic-tac-toe": lambda: traced(700, 3),
    "a solver": lambda: MCTSSolver(TicTacToe(), seed=3).record(
        TicTacToe().parse("XO. .X. ..O"), iterations=300
    ),
    "another rule": lambda: traced(200, 9, selection=mean_only, expansion=expand_all),
    "continued": lambda: continued(uct(11), 4, 500),
    "a branch": lambda: traced(300, 2).fork(120, moves=[4, 0], c=0.4),
}


def some(trace):
    """The first iterations one by one, and ever fewer up to the last."""
    spread = np.geomspace(1, trace.iterations, 40).round().astype(int)
    return np.unique(np.concatenate([np.arange(1, min(20, trace.iterations)), spread]))


def way(data, node):
    """The moves to a node, whatever its number."""
    return tuple(data.trace.label(above) for above in data.trace.path(node))


@pytest.mark.parametrize("name", SEARCHES)
def test_a_film_of_some_iterations_shows_what_the_whole_film_shows(name):
    trace = SEARCHES[name]()
    iterations = some(trace)
    whole, part = SearchFilm(trace, 30), SearchFilm(trace, 30, iterations)
    assert whole.is_whole
    assert not part.is_whole
    for iteration in iterations.tolist():
        for phase in PHASES:
            one, other = whole.frame(iteration, phase), part.frame(iteration, phase)
            for wanted, card in zip(one.cards, other.cards, strict=True):
                assert way(part, card.node) == way(whole, wanted.node)
                assert card[1:3] == wanted[1:3]
                assert card.fill == pytest.approx(wanted.fill)
                assert card[4:] == wanted[4:]
            for mine, theirs in ((other.more, one.more), (other.untried, one.untried)):
                assert {way(part, node): count for node, count in mine.items()} == {
                    way(whole, node): count for node, count in theirs.items()
                }
            assert [way(part, n) for n in other.path] == [way(whole, n) for n in one.path]
            assert caption(part, iteration, phase) == caption(whole, iteration, phase)
        assert str(part.lead(iteration)) == str(whole.lead(iteration))


@cache
def long():
    return traced(4 * LONGEST)


def left_out(film):
    """An iteration that the film does not show."""
    return next(each for each in range(FIRST, film.last) if each not in film.iterations)


def test_which_iterations_are_shown():
    assert iterations_shown(traced(LONGEST)).tolist() == [*range(1, LONGEST + 1)]
    shown = iterations_shown(long(), also=(17_123,))
    gaps = np.diff(shown)
    assert 0.9 * LONGEST < len(shown) <= LONGEST
    assert shown[:FIRST].tolist() == list(range(1, FIRST + 1))
    assert shown[-1] == 4 * LONGEST
    assert 17_123 in shown
    assert gaps[:FIRST].max() == 1 < gaps[-100:].mean(), "the gaps widen"
    film = Film(long())
    assert film.iterations == iterations_shown(long()).tolist()
    assert film.nearest(0) == 1
    assert film.nearest(10**9) == film.last == 4 * LONGEST
    assert f"{len(film.iterations):,} shown of 20000 iterations" in film.to_text()
    missing = left_out(film)
    assert film.nearest(missing) == max(i for i in film.iterations if i < missing)
    assert f"iteration is {missing}, but this film shows" in refused(film.frame, missing)
    assert Film(long(), iterations=[missing]).frame(missing).iteration == missing


def test_a_player_begins_at_an_iteration_that_is_shown():
    player = Player(long(), iteration=9_998)
    assert player.iteration == 9_998
    assert player.film.frame(9_998).iteration == 9_998
    missing = left_out(player.film)
    with pytest.raises(TraceError, match="go to"):
        player.iteration = missing
    assert player.iteration == 9_998
    player.set_state({"iteration": missing})  # as a slider that is linked on the page may
    assert player.iteration == player.film.nearest(missing)
    for odd in ("2", 0, 2.5, None.__class__, 10**9):
        refused(Player, long(), iteration=odd, _kind=TraceError)


def test_both_films_of_a_comparison_show_where_they_part():
    one, other = (traced(LONGEST + 100, c=c) for c in (1.0, 1.001))
    pair = Compare(one, other, cards=10)
    assert pair.differ is not None
    for film in pair.films:
        assert film.frame(pair.differ).iteration == pair.differ


def test_a_node_has_one_row_for_each_moment():
    for film in excerpts():
        known = film.data.changes
        for first, last in pairwise(known.ends.tolist()):
            assert (np.diff(known.times[first:last].astype(np.int64)) > 0).all()
