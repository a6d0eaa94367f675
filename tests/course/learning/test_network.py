"""Guides and the network: slopes against differences, PUCT against the formula."""

import random

import numpy as np
import pytest

from mcts_course.learning.network import SMALL, Example, Network
from mcts_course.learning.priors import guided
from mcts_viz import TicTacToe

pytestmark = pytest.mark.many

GAME = TicTacToe()


def _examples(network, count):
    draw = random.Random(3)
    state, found = SMALL.initial_state(), []
    for _ in range(count):
        actions = SMALL.legal_actions(state)
        legal = np.isin(range(5), actions).astype(float)
        shares = legal * [draw.random() for _ in legal]
        shares /= shares.sum()
        found.append(Example(network.look(state), legal, shares, draw.choice((-1, 1))))
        after = SMALL.play(state, draw.choice(actions))
        state = SMALL.initial_state() if SMALL.is_terminal(after) else after
    return found


def test_the_slopes_are_those_of_the_loss():
    network = Network(SMALL, hidden=6, seed=2)
    network.weights["hidden"] += 0.1  # away from the bend of an empty board's units
    examples = _examples(network, 20)
    slopes = network.loss(examples)[1]
    for name, weight in network.weights.items():
        for place in list(np.ndindex(weight.shape))[::7]:
            kept, losses = weight[place], []
            for shift in (1e-6, -1e-6):
                weight[place] = kept + shift
                losses.append(network.loss(examples)[0])
            weight[place] = kept
            assert slopes[name][place] == pytest.approx((losses[0] - losses[1]) / 2e-6, abs=1e-5)


def test_the_board_is_seen_by_the_player_to_move():
    look = Network(GAME, hidden=2).look
    assert look(GAME.parse("XO. ... ...")).tolist() == [1, *[0] * 8, 0, 1, *[0] * 7]
    assert look(GAME.parse("XO. X.. ..."))[:9].tolist() == [0, 1, *[0] * 7]


def test_the_value_speaks_for_the_player_to_move():
    class Hopeful:
        def prior(self, state):
            return dict.fromkeys(GAME.legal_actions(state), 0.1)

        def value(self, state):
            return 0.6

    playout = guided(GAME, Hopeful())["playout"]
    start = GAME.initial_state()
    assert playout(GAME, start, random).returns == (0.6, -0.6)
    assert playout(GAME, GAME.play(start, 4), random).returns == (-0.6, 0.6)
