"""A recorded search is resumed: repeated, checked, and continued with one thing changed."""

import random

import numpy as np
import pytest
from films import continued
from invariants import POLICIES, check_numbers, check_tree, hook
from refusals import refused
from searches import traced, uct

from mcts_viz import MCTS, ConnectFour, Film, MCTSSolver, TicTacToe
from mcts_viz.search import random_playout
from mcts_viz.trace.storage import from_json, to_json


def same_iterations(branch, trace, first):
    """True if the branch does what the trace does from iteration ``first`` on."""
    later = zip(range(1, len(branch) + 1), range(first, len(trace) + 1), strict=False)
    return all(
        (branch.leaf[one - 1], branch.at(one).playout)
        == (trace.leaf[other - 1], trace.at(other).playout)
        for one, other in later
    )


# The search as it was: ``test_by_hand.py`` has the law.


def test_a_search_that_cannot_be_repeated_is_found_out():
    own, worth = random.Random(), 1.0
    careless = {"playout": lambda game, state, _: random_playout(game, state, own)}
    trace = traced(60, game=ConnectFour(), **careless)
    assert "differs from the trace" in refused(trace.search_at, 61)
    trace = traced(50, 2, reward=lambda returns, *_: worth * returns[0])
    assert trace.search_at(51).iterations == 50
    worth = 0.5
    assert "every policy must be the one" in refused(trace.search_at, 2)
    trace = continued(uct(), 4, 100)
    assert "went on with another tree" in refused(trace.fork, 5)


# Forks.


def test_a_branch_without_a_change_is_the_search_itself():
    for kind in (MCTS, MCTSSolver):
        for options in POLICIES:
            trace = kind(ConnectFour(4, 4, connect=3), seed=3, **options).record(iterations=90)
            branch = trace.fork(len(trace) // 2)
            assert len(branch) == len(trace) + 1 - len(trace) // 2
            assert same_iterations(branch, trace, len(trace) // 2)
            assert branch.visits(len(branch)).tolist() == trace.visits(len(trace)).tolist()


@pytest.mark.parametrize("number", range(len(POLICIES)))
def test_every_move_can_be_asked_for_in_every_search(number):
    game, draw = TicTacToe(), random.Random(number)
    kind = (MCTS, MCTSSolver)[number % 2]
    for text in ("... ... ...", "XX. .O. ...", "XOX OXO ..."):
        trace = kind(game, seed=number, **POLICIES[number]).record(game.parse(text), iterations=70)
        text_before = to_json(trace)
        for move in game.legal_actions(trace.root_state):
            iteration = draw.randint(1, len(trace))
            branch = trace.fork(iteration, moves=[move], c=0.7, iterations=25)
            start, before = branch.at(0), trace.at(iteration - 1)
            assert branch.action_of(branch.at(1).path[1]) == move
            assert start.visits.tolist() == before.visits.tolist()
            assert np.allclose(start.wins, before.wins)
            assert branch.c == 0.7
            live = branch.search_at(len(branch) + 1)
            assert live.iterations == len(branch)
            check_tree(live, visits_before=iteration - 1)
            check_numbers(live, branch.at(len(branch)))
        assert "moves that were asked for" in Film(branch).caption(1, "select")
        assert to_json(trace) == text_before


def test_a_proven_root_leaves_nothing_to_search():
    game = TicTacToe()
    trace = MCTSSolver(game, seed=0).record(game.parse("XX. OO. ..."), iterations=500)
    assert trace.proofs.sign[0] != 0
    for moves in (None, [2]):
        assert "its root is proven" in refused(trace.fork, len(trace) + 1, moves=moves)
    assert len(trace.fork(len(trace), iterations=50)) == 1


def test_a_branch_of_a_branch_of_a_branch():
    trace = traced(60, 4)
    first = trace.fork(2, moves=[8, 0, 4], c=0.3, iterations=40)
    way = [first.action_of(node) for node in first.at(1).path]
    assert way == [None, 8, 0, 4], "moves that the tree does not have yet are added"
    check_tree(first.search_at(41), visits_before=1)
    second = first.fork(10, moves=[8], iterations=30)
    third = second.fork(1, moves=[2], c=3, iterations=20)
    assert [point.iteration for point in third.branch_points] == [2, 10, 1]
    assert [point.c for point in third.branch_points] == [0.3, 0.3, 3]
    assert third.first_spec is trace.first_spec
    assert third.c == third.spec.c == third.branch_points[-1].c
    assert third.c == 3
    assert third.at(0).visits.tolist() == first.at(9).visits.tolist()
    check_numbers(third.search_at(21), third.at(20))
    same = second.fork(1)
    assert not same_iterations(same, second, 1), "told to begin by no moves, it chooses itself"
    assert same_iterations(first.fork(5), first, 5)
    saved = from_json(to_json(second))
    assert to_json(saved) == to_json(second)
    assert same_iterations(saved.fork(3), second, 3)


# Policies and games of one's own.


class Wide(MCTS):
    """Made in a way of its own, and with a table of its own, which no new tree clears."""

    def __init__(self, game, depth):
        super().__init__(game, seed=2)
        self.depth, self.seen = depth, {"leaves": []}

    def simulate(self, node):
        self.seen["leaves"].append(node.id)
        width = len(self.seen["leaves"]) + self.depth
        return random_playout(self.game, node.state, random.Random(width))


class WideSolver(Wide, MCTSSolver):
    pass


@pytest.mark.parametrize("kind", [Wide, WideSolver])
def test_a_search_with_an_init_of_its_own_is_recorded_and_forked(kind):
    search = kind(TicTacToe(), 3)
    trace = search.record(iterations=40)
    again = trace.fork(20)
    assert same_iterations(again, trace, 20)
    assert again.fork(5, c=0.3).c == 0.3
    assert len(search.seen["leaves"]) == 40, "and the fork's walks are not among the search's own"
    other = search.but(c=2, seed=5)
    assert (other.depth, other.c, other.seed, other.iterations) == (3, 2.0, 5, 0)
    assert (search.c, search.seed, search.iterations) == (2**0.5, 2, 40)
    assert "one of game, c, seed" in refused(search.but, iterations=3)


def test_a_copy_made_amid_a_run_tells_nobody_of_its_own():
    def asks(record):
        told.append(record.iteration)
        if record.iteration == 5:
            search.but().search(iterations=30)

    told, search = [], uct()
    search.search(iterations=10, hooks=[hook(on_simulate=asks)])
    assert told == [*range(1, 11)]
