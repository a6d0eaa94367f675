"""Policies and games in words: as one would write them, and the same for equal ones."""

import pickle

import pytest

from mcts_course.faults import clock_seeded, searcher_plays
from mcts_viz import MCTS, ConnectFour, MCTSSolver, Nim, TicTacToe
from mcts_viz.search import half_for_a_draw, variants
from mcts_viz.search.texts import describe, written

AS_ROOT, LOSS = variants.root_players_view, variants.rewards_of(1, 0, 0)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (variants.rewards_of(1, 0.5, -1e6), "rewards_of(win=1, draw=0.5, loss=-1000000.0)"),
        (AS_ROOT(LOSS), "root_players_view(rewards_of(win=1, draw=0, loss=0))"),
        (AS_ROOT(AS_ROOT(half_for_a_draw)), "root_players_view(root_players_view(half_for_a_draw))"),
        (
            clock_seeded(searcher_plays(("block", "win")), 20_000),
            "clock_seeded(playout=searcher_plays(('block', 'win')), per_second=20000)",
        ),
        (variants.epsilon_greedy(0.1 + 0.2), "epsilon_greedy(0.30000000000000004)"),
        (variants.secure_child(), "secure_child()"),
        (variants.smoothed_ucb1(1e-300, 9), "smoothed_ucb1(epsilon=1e-300, offset=9)"),
        (variants.win_then_block, "win_then_block"),
        (ConnectFour(), "ConnectFour()"),
        (ConnectFour(4, 5, 3), "ConnectFour(rows=4, columns=5, connect=3)"),
        (Nim((3,)), "Nim((3,))"),
    ],
)
def test_it_is_described_as_one_would_write_it(value, text):
    assert describe(value) == text


SEARCH = MCTS(TicTacToe(), 0.5, 7, playout=variants.win_then_block, reward=variants.rewards_of(1, 0, -1))


@pytest.mark.parametrize("search", [SEARCH, MCTSSolver(Nim(), seed=3)])
def test_a_search_is_copied_and_pickled(search):
    for other in (search.but(), pickle.loads(pickle.dumps(search))):
        assert (type(other), other.given) == (type(search), search.given)


def test_a_search_writes_only_what_differs():
    assert written(MCTS(TicTacToe(), seed=7)) == {"seed": 7}
    assert written(SEARCH) == {
        "c": 0.5,
        "seed": 7,
        "playout": "win_then_block",
        "reward": "rewards_of(win=1, draw=0, loss=-1)",
    }
