"""MCTS-Solver: every proof is right, none is missed, and the trace knows when each was made."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import (
    PENCIL,
    POLICIES,
    TREES,
    TWICE,
    PlantedError,
    at_call,
    boom,
    check_tree,
    hook,
    interrupt,
    nobody_loses,
    position,
    seeds,
)

from mcts_viz import ConnectFour, MCTSSolver, Nim, Recorder, TicTacToe, solve
from mcts_viz.search import PHASES
from mcts_viz.search.variants import truncated

SMALL = [TicTacToe(), Nim(), Nim((1, 2, 3)), ConnectFour(3, 4, connect=3), PENCIL]
small_games = st.one_of(st.sampled_from(SMALL), TREES, TWICE)
DRAWN = {"playout": truncated(1, lambda state: (0.5, -0.5))}
policies = st.sampled_from([*POLICIES, {"c": 0.0}, DRAWN])


@st.composite
def solvers(draw, most=300):
    """A solver that has run, from the start or from a later position."""
    game = draw(small_games)
    search = MCTSSolver(game, seed=draw(seeds), **draw(policies))
    search.search(position(game, draw(seeds)), iterations=draw(st.integers(1, most)))
    return search


def true_winner(game, state):
    """The winner with best play, by exact play; ``None`` for a draw."""
    if game.is_terminal(state):
        value, player = game.returns(state)[0], 0
    else:
        value, player = solve(game, state).value, game.to_move(state)
    return None if abs(value) < 1 else player if value == 1 else 1 - player


def provable(search, node):
    """The winner that the tree proves, from the leaves up; ``None`` without a proof."""
    if search.game.is_terminal(node.state):
        returns = search.game.returns(node.state)
        return returns.index(1) if node.visits and 1 in returns else None
    below = [provable(search, child) for child in node.children]
    player = search.game.to_move(node.state)
    if player in below:
        return player
    every_move = len(below) == len(search.game.legal_actions(node.state))
    return 1 - player if every_move and set(below) == {1 - player} else None


def check_proofs(search):
    assert set(search.winners) <= set(search.nodes)
    assert search.solved == (search.root in search.winners)
    for node in search.nodes:
        assert search.winners.get(node) == provable(search, node)


# The search ----------------------------------------------------------------------------------


@given(search=solvers())
def test_every_proof_is_right_and_none_is_missed(search):
    check_tree(search)
    check_proofs(search)
    for node, winner in search.winners.items():
        assert winner == true_winner(search.game, node.state)
        assert search.proof(node) == (1 if winner == node.player_just_moved else -1)


@given(search=solvers(3000))
def test_a_proven_root_ends_the_run_and_its_move_keeps_the_value(search):
    if search.solved:
        result, iterations = search.run(iterations=10), search.iterations
        assert (result.iterations, iterations) == (0, search.iterations)
        solution = solve(search.game, search.root.state)
        assert solution.action_values[result.best_action] == solution.value


# Other ways to run it ------------------------------------------------------------------------


@given(game=small_games, seed=seeds, first=st.integers(1, 200), then=st.integers(1, 200))
def test_a_move_keeps_the_proofs_below_it(game, seed, first, then):
    search = MCTSSolver(game, seed=seed)
    search.search(position(game, seed), iterations=first)
    inner = [child for child in search.root.children if child.children]
    if inner:
        search.advance(inner[seed % len(inner)].action)
    check_proofs(search)
    search.run(iterations=then)
    check_proofs(search)


@pytest.mark.parametrize("phase", PHASES)
def test_an_iteration_that_breaks_off_leaves_tree_and_proofs_in_step(phase):
    for last in range(1, 60):
        search = MCTSSolver(Nim((2, 2)), seed=last)
        with suppress(PlantedError):
            search.search(iterations=60, hooks=[hook(**{f"on_{phase}": at_call(last, boom)})])
        check_tree(search)
        check_proofs(search)


def test_a_proof_is_not_left_half_done_by_two_interrupts():
    class Impatient(MCTSSolver):
        def _prove(self, leaf):
            interrupt()
            interrupt()
            super()._prove(leaf)

    search = Impatient(Nim((2, 2)), seed=1)
    found = []
    while not search.solved and len(found) < 99:
        found.append(search.run(iterations=100))
        check_proofs(search)
    assert search.solved
    assert len(found) > 5
    assert all(result.interrupted for result in found)


def test_where_nobody_loses_nothing_is_proven():
    search = MCTSSolver(nobody_loses(Nim), seed=1)
    search.search(iterations=300)
    assert (search.winners, search.solved) == ({}, False)


# The trace -----------------------------------------------------------------------------------


def signs(trace, iteration, phase="backpropagate"):
    now = trace.at(iteration, phase)
    return [now.proof(node) for node in range(now.nodes)]


@given(game=small_games, seed=seeds, settings=policies, iterations=st.integers(1, 300))
def test_the_trace_knows_at_each_moment_what_the_search_had_proven(
    game, seed, settings, iterations
):
    live, search = [], MCTSSolver(game, seed=seed, **settings)
    recorder = Recorder()
    watch = hook(on_select=lambda record: live.append([*map(search.proof, search.nodes)]))
    search.search(position(game, seed), iterations=iterations, hooks=[watch, recorder])
    live.append([*map(search.proof, search.nodes)])
    trace = recorder.trace(search)
    assert trace.solver
    for iteration, expected in enumerate(live):
        assert signs(trace, iteration) == expected
        if iteration < search.iterations:
            for phase in PHASES[:3]:
                told = signs(trace, iteration + 1, phase)
                assert told == expected + [0] * (len(told) - len(expected))
