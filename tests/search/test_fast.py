"""The compiled search grows the tree of the readable one, and records the same trace."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import altered, answer, interrupt
from refusals import refused

from mcts_viz import MCTS, ConnectFour, Nim, SearchError, TicTacToe
from mcts_viz.games import Pig, SlidingPuzzle, SlipperyLake
from mcts_viz.search.variants import ucb1_tuned, win_then_block
from mcts_viz.trace import first_difference

pytest.importorskip("numba", reason="the compiled search is optional", exc_type=ImportError)
import mcts_fast
from mcts_fast import FastMCTS  # which needs it

GAMES = (TicTacToe(), ConnectFour(), ConnectFour(4, 5, 3))
OTHER_BOARDS = (ConnectFour(1, 9, 2), ConnectFour(20, 3, 4), ConnectFour(2, 20, 2))


def check_same(game, c, seed, state, iterations):
    one = MCTS(game, c, seed).record(state, iterations=iterations, progress=False)
    other = FastMCTS(game, c, seed).record(state, iterations=iterations, progress=False)
    assert first_difference(one, other) is None
    for name in ("parent", "created_at", "player_just_moved", "leaf"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    first, second = ([*map(each.action_of, range(len(one.parent)))] for each in (one, other))
    assert first == second
    assert one.wins(iterations).tolist() == other.wins(iterations).tolist()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_same_seed_gives_the_same_trace(game):
    for seed, iterations in enumerate((1, 2, 7, 40, 200, 4095, 4097)):
        check_same(game, 1.4, seed, None, iterations)


def test_a_search_that_needs_more_room_gets_it(monkeypatch):
    monkeypatch.setattr(mcts_fast, "ROOM", 5000)
    check_same(ConnectFour(), 1.4, 7, None, 10_001)


@given(st.data())
def test_positions_and_budgets(data):
    game = data.draw(st.sampled_from(GAMES + OTHER_BOARDS))
    state = game.initial_state()
    for place in data.draw(st.lists(st.integers(0, 50), max_size=30)):
        actions = game.legal_actions(state)
        after = game.play(state, actions[place % len(actions)])
        if game.is_terminal(after):
            break
        state = after
    c = data.draw(st.floats(0, 1e300) | st.sampled_from([0, 0.2, 1.4, 1.7e308]))
    check_same(game, c, data.draw(st.integers(0, 10**30)), state, data.draw(st.integers(1, 400)))


def test_a_result_has_the_roots_moves():
    one = MCTS(ConnectFour(), seed=3).search(iterations=900)
    assert str(FastMCTS(ConnectFour(), seed=3).search(iterations=900)) == str(one)


UNKNOWN = {
    "another game": Nim(),
    "a large board": ConnectFour(7, 8),
    "dice": Pig(10),
    "rewards and luck": SlipperyLake(),
    "one player": SlidingPuzzle(),
    "a discount": altered(TicTacToe, discount=0.9),
    "rewards": altered(TicTacToe, reward=answer((1.0, -1.0))),
    "another range": altered(TicTacToe, value_range=(-2, 2)),
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_other_games_and_boards_are_refused(what):
    assert "take MCTS" in refused(FastMCTS, UNKNOWN[what])


def test_other_policies_and_phases_are_refused():
    """None is left out silently, nor the statistics that a rule keeps."""
    for kind, policy in {"selection": ucb1_tuned, "playout": win_then_block}.items():
        with pytest.raises(TypeError, match=f"FastMCTS.* unexpected keyword argument '{kind}'"):
            FastMCTS(TicTacToe(), **{kind: policy})
    with pytest.raises(SearchError, match=r"Discounted cannot change FastMCTS.*\(MCTS\)"):
        type("Discounted", (FastMCTS,), {"backpropagate": MCTS.backpropagate})


def test_a_budget_of_seconds_ends_it():
    result = FastMCTS(ConnectFour(), seed=1).search(seconds=0.05)
    assert result.seconds >= 0.05
    assert result.iterations == result.root.visits > 0


def test_an_interrupt_leaves_a_whole_tree(monkeypatch):
    usual = mcts_fast.engine.run

    def interrupted(*given):
        interrupt()
        return int(usual(*given))

    monkeypatch.setattr(mcts_fast.engine, "run", interrupted)
    trace = FastMCTS(TicTacToe(), seed=1).record(iterations=10**9)
    assert 0 < trace.visits(len(trace))[0] == len(trace) < 10**9


@pytest.mark.slow
def test_no_folder_takes_what_was_compiled():
    code = (
        "from mcts_fast import *; from mcts_viz import *; "
        "FastMCTS(TicTacToe()).record(iterations=5)"
    )
    nowhere = {**os.environ, "NUMBA_CACHE_DIR": "/dev/null/nowhere"}
    subprocess.run([sys.executable, "-c", code], env=nowhere, check=True)
