"""Rules at their ties and bounds: each against its definition, on all small inputs with equals and
zeros.
"""

import random
from itertools import product
from math import inf, sqrt
from types import SimpleNamespace

import pytest
from invariants import ladder
from searches import grown

from mcts_viz import Game, GameTree, MCTSSolver
from mcts_viz.games import NATURE
from mcts_viz.search import robust_child
from mcts_viz.search.policies import first_best
from mcts_viz.search.variants import (
    epsilon_greedy,
    max_child,
    random_best,
    rewards_of,
    robust_max_child,
    secure_child,
    truncated,
    visited_best,
    widening,
)


def child(name, visits, mean):
    return SimpleNamespace(name=name, visits=visits, mean=mean, inv_sqrt_visits=1 / sqrt(visits))


KINDS = [*product((1, 2, 4), (0.0, 0.5, 1.0))]
FAMILIES = [
    [child(place, *kind) for place, kind in enumerate(kinds)]
    for count in (1, 2, 3)
    for kinds in product(KINDS, repeat=count)
]
"""All lists of up to three children that have so many visits and such a mean."""


def highest(children, *keys):
    """By name, the children with the highest first key; of these those with the highest second."""
    for key in keys:
        most = max(map(key, children))
        children = [child for child in children if key(child) == most]
    return [child.name for child in children]


def visits(child):
    return child.visits


def mean(child):
    return child.mean


def bound(caution):
    return lambda child: child.mean - caution / sqrt(child.visits)


FINAL = {
    robust_child: lambda children: highest(children, visits, mean),
    max_child: lambda children: highest(children, mean, visits),
    robust_max_child: lambda children: (
        [name for name in highest(children, visits) if name in highest(children, mean)]
        or highest(children, visits, mean)
    ),
    secure_child(0): lambda children: highest(children, mean),
    secure_child(1): lambda children: highest(children, bound(1)),
}


@pytest.mark.parametrize("rule", FINAL, ids=lambda rule: getattr(rule, "__name__", str(rule)))
def test_the_final_move_is_the_first_of_those_that_the_rule_means(rule):
    assert len(FAMILIES) == 9 + 81 + 729
    for children in FAMILIES:
        assert rule(children).name == FINAL[rule](children)[0], children


SCORES = [*product((0.0, 0.5, inf), repeat=3)]


def test_of_equal_scores_each_tie_break_takes_those_it_means():
    families = [children for children in FAMILIES if len(children) == 3][::5]
    assert families
    for children, scores in product(families, SCORES):
        best = [children[place] for place in range(3) if scores[place] == max(scores)]
        assert first_best(children, scores, None) is best[0]
        assert visited_best(children, scores, None).name == highest(best, visits)[0]
        for part in (0.0, 0.34, 0.999):
            drawn = SimpleNamespace(random=lambda part=part: part)
            assert random_best(children, scores, drawn) is best[int(part * len(best))]
            assert epsilon_greedy(part)(children, scores, drawn) is best[0], "drawn is not below it"
            anyone = epsilon_greedy(1)(children, scores, drawn)
            assert anyone is children[int(part * 3)]


@pytest.mark.parametrize("worth", [*product((-1.0, 0.0, 0.5, 1.0), repeat=3)])
def test_a_reward_is_interpolated_between_win_draw_and_loss(worth):
    win, draw, loss = worth
    reward = rewards_of(win, draw, loss)
    for value in (-1.0, -0.5, 0.0, 0.5, 1.0):
        wanted = draw + value * (win - draw) if value > 0 else draw - value * (loss - draw)
        assert reward((value, -value), 0, 0) == wanted
        assert reward((-value, value), 1, 0) == wanted


@pytest.mark.parametrize(("most", "length"), [*product(range(4), range(4))])
def test_a_truncated_playout_stops_at_its_bound_or_at_the_end_whichever_is_first(most, length):
    policy = truncated(most, lambda state: (1 - state / 8, state / 8 - 1))
    played = policy(ladder(length), 0, random.Random(1))
    assert len(played.actions) == min(most, length)
    assert played.returns == ((0, 0) if length <= most else (1 - most / 8, most / 8 - 1))


class Sea(Game):
    """A single move, then one wheel with so many outcomes that none comes twice."""

    players = ("A",)

    def initial_state(self):
        return -2

    def to_move(self, state):
        return NATURE if state == -1 else 0

    def legal_actions(self, state):
        return ["sail"]

    def chances(self, state):
        return dict.fromkeys(range(4096), 1 / 4096) if state == -1 else {}

    def play(self, state, action):
        return -1 if state == -2 else action

    def is_terminal(self, state):
        return state >= 0

    def returns(self, state):
        return (0.0,)


@pytest.mark.parametrize(
    ("k", "alpha"), [(1.0, 0.5), (2.0, 0.5), (0.25, 0.5), (1.0, 1.0), (0.5, 1.0)]
)
def test_a_chance_node_is_widened_as_far_as_the_formula_says(k, alpha):
    """With n visits it has at most k · n^alpha children, at least one; equality is not passed."""
    # With this seed no outcome is drawn twice.
    search = grown(1, 6, Sea(), expansion=widening(k, alpha))
    (wheel,) = search.root.children
    for _ in range(40):
        before, made = len(wheel.children), wheel.visits
        search.iteration()
        assert len(wheel.children) == before + (before < max(1.0, k * made**alpha))
    assert wheel.visits == 41


# The solver ------------------------------------------------------------------------------------


@pytest.mark.parametrize("proofs", [*product((-1, 0, 1), repeat=3)])
def test_the_solver_plays_a_proven_win_and_a_proven_loss_only_if_all_are(proofs):
    search = MCTSSolver(GameTree({"a": 1, "b": 0, "c": -1}), seed=1)
    search.search(iterations=1)
    for children in FAMILIES[90:819:7]:
        search.proof = lambda child: proofs[child.name]
        best = [c for c in children if proofs[c.name] == max(proofs)]
        assert search.recommend(children) is robust_child(best)
