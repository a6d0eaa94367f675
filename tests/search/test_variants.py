"""The policies beyond the default ones: what each costs or brings."""

import pickle
import random

import pytest
from invariants import POLICIES

from mcts_viz import MCTS, ConnectFour, Nim, TicTacToe
from mcts_viz.search import half_for_a_draw, random_playout
from mcts_viz.search.policies import describe
from mcts_viz.search.variants import (
    block_then_win,
    epsilon_greedy,
    expand_all,
    pre_expanded,
    puct,
    random_best,
    rewards_of,
    root_players_view,
    secure_child,
    smoothed_ucb1,
    truncated,
    win_then_block,
)

GAME = TicTacToe()
BLOCK = GAME.parse("XX. .O. ...")  # O must play 2
WIN = GAME.parse("XX. OO. ...")  # X wins with 2, and would have to stop 5


def even(state):
    return (0.25, -0.25)


def test_every_variant_can_be_sent_to_another_process():
    ties = {"selection": smoothed_ucb1(), "expansion": expand_all, "tie_break": random_best}
    for settings in (*POLICIES, ties, {"playout": truncated(2, even)}):
        search = MCTS(GAME, seed=3, **settings)
        others = search.but(), pickle.loads(pickle.dumps(search))
        found = [str(each.search(BLOCK, iterations=60)) for each in (search, *others)]
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


def test_puct_may_pass_over_an_unvisited_child():
    search = MCTS(GAME, c=0, seed=1, initial_expansion=pre_expanded(1), selection=puct)
    for _ in range(30):
        search.iteration()
    assert any(child.visits == 0 for child in search.root.children)


def playouts(policy, state, count=200):
    rng = random.Random(2)
    return [policy(GAME, state, rng) for _ in range(count)]


def test_heavy_playouts_win_and_block():
    assert {play.actions[0] for play in playouts(win_then_block, WIN)} == {2}
    assert {play.actions[0] for play in playouts(block_then_win, WIN)} == {2, 5}
    assert {play.actions[0] for play in playouts(win_then_block, BLOCK)} == {2}
    light = [play.actions for play in playouts(random_playout, BLOCK)]
    assert {actions[0] for actions in light} > {2}


def test_the_root_player_s_view_by_hand():
    assert root_players_view(half_for_a_draw)((1, -1), 1, 0) == 1
