"""Guides and the network: slopes against differences, PUCT against the formula."""

import random

import numpy as np
import pytest

from mcts_course.learning.network import SMALL, Example, Network, train
from mcts_course.learning.priors import TableGuide, guided, puct_with
from mcts_course.learning.q_learning import QLearner
from mcts_viz import MCTS, Film, TicTacToe, solve

pytestmark = pytest.mark.many

GAME = TicTacToe()


def _examples(network, count):
    draw = random.Random(3)
    state, found = SMALL.initial_state(), []
    for _ in range(count):
        legal = np.zeros(5)
        legal[list(SMALL.legal_actions(state))] = 1
        shares = legal * [draw.random() for _ in legal]
        found.append(
            Example(network.look(state), legal, shares / shares.sum(), draw.choice((-1, 1)))
        )
        after = SMALL.play(state, draw.choice(SMALL.legal_actions(state)))
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
    network = Network(TicTacToe(), hidden=2)
    state = network.game.parse("XO. ... ...")
    assert network.look(state).tolist() == [1, *[0] * 8, 0, 1, *[0] * 7]
    state = network.game.parse("XO. X.. ...")
    assert network.look(state)[:9].tolist() == [0, 1, *[0] * 7]


def test_training_learns_and_is_repeatable():
    def run():
        network = Network(SMALL, hidden=16, seed=1)
        losses = train(network, 60, iterations=15, seed=4, progress=False)
        return losses, network

    (losses, network), (again, _) = run(), run()
    assert losses == again
    assert losses == sorted(losses, reverse=True)
    prior = network.prior(SMALL.initial_state())
    assert sum(prior.values()) == pytest.approx(1, abs=1e-4)
    assert -1 <= network.value(SMALL.initial_state()) <= 1


def test_a_trained_network_guides_a_search_to_a_win_in_one():
    network = Network(SMALL, seed=1)
    train(network, 100, seed=1, progress=False)
    state = SMALL.parse("..... ..... O.... OXX..")  # wins with column 3
    assert solve(SMALL, state).distance == 1
    search = MCTS(SMALL, c=1, seed=0, **guided(SMALL, network))
    assert search.search(state, iterations=60).best_action == 3


def test_a_prior_of_nothing_is_never_followed():
    position = GAME.parse("OX. ..O ..X")

    def prior(state):
        legal = GAME.legal_actions(state)
        return {a: 0.0 if state == position and a == 7 else 1 / len(legal) for a in legal}

    policies = guided(GAME, TableGuide(QLearner(GAME, seed=0)))
    search = MCTS(GAME, c=1, seed=1, **{**policies, "selection": puct_with(prior)})
    search.search(position, iterations=300)
    visits = {child.action: child.visits for child in search.root.children}
    assert visits.pop(7) == 0 < min(visits.values())


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


def test_a_table_guides_by_its_values():
    learner = QLearner(TicTacToe(), alpha=0.5, epsilon=0.5, seed=1).train(10_000, progress=False)
    guide = TableGuide(learner, warmth=0.1)
    position = learner.game.parse("XX. OO. ...")
    prior = guide.prior(position)
    assert prior[2] == max(prior.values()) > 0.2
    assert sum(prior.values()) == pytest.approx(1)
    assert guide.value(position) == max(learner.action_values(position).values())


def test_a_caption_says_that_a_position_was_valued_and_when_a_game_was_over():
    guide = TableGuide(QLearner(GAME, seed=0))
    trace = MCTS(GAME, c=1, seed=1, **guided(GAME, guide)).record(
        GAME.parse("XX. OO. ..."), iterations=9
    )
    said = [Film(trace).caption(k, "simulate") for k in range(1, 10)]
    over = [GAME.is_terminal(trace.state(int(leaf))) for leaf in trace.leaf]
    assert any(over)
    assert ["position itself is valued" in text for text in said] == [not end for end in over]
    assert ["The game is over in this position" in text for text in said] == over


def test_it_has_the_weights_that_the_lesson_counts():
    assert len(Network(SMALL).look(SMALL.initial_state())) == 40
    assert sum(weights.size for weights in Network(SMALL).weights.values()) == 2262
