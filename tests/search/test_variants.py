"""The policies beyond the default ones: what each costs or brings."""

import pickle

import pytest
from invariants import POLICIES
from searches import GAME, uct

from mcts_viz import ConnectFour, Nim
from mcts_viz.search.policies import describe
from mcts_viz.search.variants import (
    epsilon_greedy,
    expand_all,
    random_best,
    rewards_of,
    secure_child,
    smoothed_ucb1,
    truncated,
)


def even(state):
    return (0.25, -0.25)


def test_every_variant_can_be_sent_to_another_process():
    ties = {"selection": smoothed_ucb1(), "expansion": expand_all, "tie_break": random_best}
    for settings in (*POLICIES, ties, {"playout": truncated(2, even)}):
        search = uct(3, **settings)
        others = search.but(), pickle.loads(pickle.dumps(search))
        found = [
            str(each.search(GAME.parse("XX. .O. ..."), iterations=60)) for each in (search, *others)
        ]
        assert len({*found}) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (rewards_of(1, 0.5, -1e6), "rewards_of(win=1, draw=0.5, loss=-1000000.0)"),
        (epsilon_greedy(0.1 + 0.2), "epsilon_greedy(0.30000000000000004)"),
        (secure_child(), "secure_child()"),
        (ConnectFour(), "ConnectFour()"),
        (ConnectFour(4, 5, 3), "ConnectFour(rows=4, columns=5, connect=3)"),
        (Nim((3,)), "Nim((3,))"),
    ],
)
def test_policies_and_games_are_described_as_one_would_write_them(value, text):
    """The golden files hold what is built of several."""
    assert describe(value) == text
