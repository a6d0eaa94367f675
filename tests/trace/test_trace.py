"""The trace: any moment of it is the moment of a search that was run as far as that."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import (
    answer,
    at_call,
    check_numbers,
    check_terms,
    constants,
    games,
    hook,
    ladder,
    parents,
    position,
    seeds,
)
from refusals import refused
from searches import traced, uct

from mcts_viz import MCTS, Nim, Recorder
from mcts_viz.games import Playout
from mcts_viz.search import PHASES
from mcts_viz.search.variants import expand_all
from mcts_viz.trace import first_difference


@st.composite
def recorded(draw, most=80):
    """A search, its start and its trace."""
    game, seed = draw(games), draw(seeds)
    policies = draw(st.sampled_from([{}, {"expansion": expand_all}, {"selection": own_rule}]))
    search = MCTS(game, draw(constants), seed, **policies)
    state = position(game, seed)
    return search, state, search.record(state, iterations=draw(st.integers(1, most)))


def own_rule(child, parent, c):
    return child.wins / child.visits + c / child.visits


def live_moment(search, state, iteration, phase):
    """The search itself, stopped when ``phase`` of ``iteration`` has happened: what it knows."""
    search.start(state)
    for _ in range(iteration - 1):
        search.iteration()
    before, step = len(search.nodes), PHASES.index(phase)
    known = dict.fromkeys(("new_node", "playout", "returns", "rewards"))
    path = search.select()
    if step >= 1:
        node = search.expand(path)
        known["new_node"] = node.id if node.id >= before else None
    if step >= 2:
        playout = search.simulate(node)
        known |= {"playout": tuple(playout.actions), "returns": playout.returns}
    if step >= 3:
        search.backpropagate(path, playout)
        known["rewards"] = search.rewards(playout.returns)
    return known | {"path": tuple(node.id for node in path)}


@given(recording=recorded(), data=st.data())
def test_a_moment_is_that_of_a_search_run_so_far(recording, data):
    search, state, trace = recording
    k, phase = data.draw(st.integers(1, trace.iterations)), data.draw(st.sampled_from(PHASES))
    snapshot = trace.at(k, phase)
    known = live_moment(search, state, k, phase)
    assert {name: getattr(snapshot, name) for name in known} == known
    assert snapshot.nodes == len(search.nodes)
    check_numbers(search, snapshot)
    check_terms(search, snapshot)
    for node in search.nodes:
        assert snapshot.children(node.id) == tuple(child.id for child in node.children)


@given(recording=recorded())
def test_the_trace_knows_the_tree(recording):
    search, _, trace = recording
    assert len(trace.parent) == len(search.nodes)
    for node, parent in parents(search).items():
        assert trace.state(node.id) == node.state
        assert trace.action_of(node.id) == node.action
        assert trace.created_at[node.id] == node.created_at
        assert trace.player_just_moved[node.id] == node.player_just_moved
        assert trace.children[node.id] == tuple(child.id for child in node.children)
        path = [search.nodes[number] for number in trace.path(node.id)]
        assert path[-1] is node
        assert path[-2:-1] == ([parent] if parent else [])
        if parent:
            label = search.game.action_label(parent.state, node.action)
            assert trace.label(node.id) == label


# Moments that are none, and what cannot be changed.


def test_nothing_in_a_trace_can_be_changed():
    trace = traced(50)
    snapshot = trace.at(30)
    columns = [value for value in vars(trace).values() if isinstance(value, np.ndarray)]
    assert len(columns) >= 6
    columns += [trace.playouts.actions, trace.playouts.lengths, trace.playouts[3]]
    for column in [*columns, snapshot.visits, snapshot.wins]:
        with pytest.raises(ValueError, match="read-only"):
            column[:] = 0
    with pytest.raises(AttributeError):
        trace.c = 2


# Small and deep.


def test_an_iteration_costs_at_most_32_bytes_in_a_recording_of_many_chunks():
    search = uct()
    trace = search.record(iterations=15_000)
    columns = trace.leaf, trace.outcome, trace.playouts.actions, trace.playouts.lengths
    assert sum(column.nbytes for column in columns) <= 32 * 15_000
    assert trace.at(0).path == ()
    check_numbers(search, trace.at(15_000))


def test_a_tree_may_be_deeper_than_python_calls():
    trace = traced(1_100, game=ladder(10_000), playout=answer(Playout((), (0.0, 0.0))))
    assert trace.state(1_100) == 1_100
    assert len(trace.path(1_100)) == 1_101
    assert trace.at(1_100).visits[:3].tolist() == [1_100, 1_100, 1_099]


def test_more_than_256_actions_are_told_apart():
    trace = traced(700, game=Nim((600,)))
    moves = {trace.action_of(child) for child in trace.children[0]}
    assert moves == {(0, count) for count in range(1, 601)}


# Recording.


def test_a_recorder_that_did_not_hear_one_whole_search_is_refused():
    search, late, early = uct(), Recorder(), Recorder()
    search.search(iterations=30, hooks=[early])
    search.run(iterations=20, hooks=[late])
    assert "heard 20 of 50 iterations: attach it first" in refused(late.trace, search)
    assert "heard 30 of 50 iterations" in refused(early.trace, search)
    search.search(iterations=30, hooks=[early])
    said = refused(early.trace, search)
    assert said.startswith("The recorder heard 60 iterations and the tree has 30: record each ")
    for other in (uct(game=Nim()), uct()):
        elsewhere = Recorder()
        other.search(iterations=30, hooks=[elsewhere])
        said = refused(elsewhere.trace, search)
        assert said.startswith("The recorder heard another search, or another tree: record each ")


def test_a_trace_taken_during_an_iteration_ends_before_it():
    search, recorder, traces = uct(), Recorder(), []
    curious = hook(on_expand=at_call(20, lambda: traces.append(recorder.trace(search))))
    search.search(iterations=30, hooks=[recorder, curious])
    (trace,) = traces
    alone = traced(19)
    assert first_difference(trace, alone) is None
    assert len(trace.parent) == len(alone.parent)
