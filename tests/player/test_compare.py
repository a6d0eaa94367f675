"""The iteration in which two searches part, and the widget that shows both."""

import pytest
from films import picture_in, shown

from mcts_viz import (
    MCTS,
    Compare,
    ConnectFour,
    Film,
    GameTree,
    Nim,
    TicTacToe,
    alpha_beta,
    record_minimax,
)
from mcts_viz.errors import TraceError
from mcts_viz.player.player import apart
from mcts_viz.search import half_for_a_draw
from mcts_viz.search.variants import root_players_view
from mcts_viz.trace import first_difference


def trace(iterations=60, seed=1, c=1.4, **policies):
    return MCTS(TicTacToe(), c, seed, **policies).record(iterations=iterations)


class Decay(MCTS):
    """A search that forgets: all wins shrink."""

    def backpropagate(self, path, playout):
        super().backpropagate(path, playout)
        for node in path:
            node.wins *= 0.9


def deeds(trace):
    """The walk, playout and rewards of each iteration, by its last moment."""
    moments = [trace.at(k) for k in range(1, len(trace) + 1)]
    return [([trace.action_of(n) for n in m.path], m.playout, m.rewards) for m in moments]


def test_before_the_difference_all_is_equal_and_there_it_is_not():
    one, viewpoint = trace(), root_players_view(half_for_a_draw)
    for other in (trace(c=1.5), trace(seed=2), trace(reward=viewpoint), trace(300, c=1.41)):
        differ = first_difference(one, other)
        assert differ == first_difference(other, one)
        assert deeds(one)[: differ - 1] == deeds(other)[: differ - 1]
        assert deeds(one)[differ - 1 : differ] != deeds(other)[differ - 1 : differ]


def test_searches_that_do_the_same_never_part():
    assert first_difference(trace(), trace()) is None
    assert first_difference(trace(60), trace(80)) == 61


def test_other_beginnings_differ_at_once():
    game = TicTacToe()
    elsewhere = MCTS(game, 1.4, 1).record(game.play(game.initial_state(), 4), iterations=5)
    assert first_difference(trace(), elsewhere) == 1
    assert first_difference(trace(), MCTS(Nim(), seed=1).record(iterations=5)) == 1
    small, large = (MCTS(ConnectFour(*s), seed=1).record(iterations=3) for s in ((4, 4), (6, 7)))
    assert first_difference(small, large) == 1
    line = MCTS(GameTree({"a": 0}), seed=1).record(iterations=9)
    assert first_difference(line.fork(5), line.fork(8)) == 1, "with other trees"


def test_the_widget_says_where_they_part():
    one, other = trace(), trace(c=0.2)
    compare = Compare(one, other, cards=12)
    assert compare.differ == first_difference(one, other)
    assert compare.note == f"The searches first differ in iteration {compare.differ}."
    assert [film.data.count for film in compare.films] == [12, 12]
    assert (compare.iteration, compare.phase) == (21, "select")
    same = Compare(one, trace())
    assert (same.differ, same.note) == (None, "Both searches do the same in every iteration.")
    decay = Decay(TicTacToe(), 0, 1), MCTS(TicTacToe(), 0, 1)
    note = Compare(*(search.record(iterations=9) for search in decay)).note
    assert note == (
        "Both searches do the same in every iteration, but they count in different ways."
    )
    longer = Compare(one, trace(80))
    assert longer.note == "Both searches do the same, as far as the shorter one goes."


def test_what_tells_two_searches_apart_is_named():
    assert apart(trace(), trace(reward=root_players_view(half_for_a_draw))) == (
        "reward: half_for_a_draw",
        "reward: root_players_view(half_for_a_draw)",
    )


def test_a_search_stands_beside_minimax():
    game = TicTacToe()
    state = game.parse("XO. .X. ...")
    search = MCTS(game, seed=1).record(state, iterations=40)
    compare = Compare(search, Film(record_minimax(alpha_beta, game, state)))
    assert compare.differ is None
    data = shown(compare)
    assert compare.note == "The search plays 40 games. Alpha-beta looks at 109 ends of games."
    assert compare.note in data["text/plain"]
    assert compare.iteration == len(compare.films[1].trace), "at the end of both"
    assert "MIN" in data["text/plain"]


def test_where_no_widget_lives_both_are_seen_where_they_first_differ():
    compare = Compare(trace(), trace(c=0.2))
    data = shown(compare)
    picture = picture_in(data)
    assert picture.width > 2 * picture.height
    for c in ("c = 1.4", "c = 0.2"):
        assert c in data["text/plain"]
    assert data["text/plain"].count(f"iteration {compare.differ} of 60") == 2
    moved = shown(Compare(trace(), trace(c=0.2), iteration=50))
    assert moved["text/plain"].count("iteration 50 of 60") == 2


def test_it_is_moved_within_the_longer_film():
    compare = Compare(trace(), trace(80))
    compare.set_state({"iteration": 75})  # as a message of the page does
    assert compare.iteration == 75
    compare.iteration = 80
    for name, value in (("iteration", 81), ("phase", "think")):
        with pytest.raises(TraceError, match=rf"{name} must be .*; you gave {value!r}"):
            setattr(compare, name, value)
    assert (compare.iteration, compare.phase) == (80, "select")
