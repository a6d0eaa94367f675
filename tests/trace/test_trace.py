"""The trace: any moment of it is the moment of a search that was run as far as that."""

from __future__ import annotations

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import (
    GAMES,
    constants,
    games,
    parents,
    position,
    seeds,
)

from mcts_viz import MCTS, Film, GameTree, Nim, Recorder, TicTacToe, TraceError, ucb1
from mcts_viz.games import Game, Playout
from mcts_viz.search import PHASES, score_terms

phases = st.sampled_from(PHASES)


def expand_all(search, leaf):
    """Add every untried move, and play out from the last."""
    while leaf.untried:
        search.add_child(leaf, leaf.untried[0])
        del leaf.untried[0]
    return leaf.children[-1] if leaf.children else leaf


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
    k, phase = data.draw(st.integers(1, trace.iterations)), data.draw(phases)
    snapshot = trace.at(k, phase)
    known = live_moment(search, state, k, phase)
    assert {name: getattr(snapshot, name) for name in known} == known
    assert snapshot.nodes == len(search.nodes)
    assert snapshot.visits.tolist() == [node.visits for node in search.nodes]
    assert snapshot.wins.tolist() == [node.wins for node in search.nodes]
    for node, parent in parents(search).items():
        assert snapshot.children(node.id) == tuple(child.id for child in node.children)
        assert snapshot.terms(node.id) == live_terms(search, node, parent)


def live_terms(search, node, parent):
    if parent is None or not node.visits:
        return None
    return score_terms(search.selection, node, parent, search.c)


@given(recording=recorded())
def test_the_trace_knows_the_tree(recording):
    search, _, trace = recording
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


@given(game=games, c=constants, seed=seeds, k=st.integers(1, 40), more=st.integers(0, 40))
def test_a_moment_knows_nothing_of_the_future(game, c, seed, k, more):
    longer = MCTS(game, c, seed).record(iterations=k + more)
    shorter = MCTS(game, c, seed).record(iterations=k)
    for phase in PHASES:
        assert told(longer.at(k, phase)) == told(shorter.at(k, phase))


def told(snapshot):
    """All that a snapshot answers."""
    nodes = range(snapshot.nodes)
    return (
        snapshot.nodes,
        snapshot.visits.tolist(),
        snapshot.wins.tolist(),
        snapshot.path,
        snapshot.new_node,
        snapshot.playout,
        snapshot.returns,
        snapshot.rewards,
        [snapshot.children(node) for node in nodes],
        [snapshot.score(node) for node in nodes],
    )


def test_before_the_search_there_is_a_root_and_nothing_else():
    trace = MCTS(TicTacToe(), seed=1).record(iterations=5)
    for phase in PHASES:
        assert told(trace.at(0, phase)) == (
            1, [0], [0.0], (), None, None, None, None, [()], [None]
        )  # fmt: skip


def test_wins_that_are_no_binary_fractions_agree_to_the_last_digits():
    game = GameTree({"a": {"x": 0.1, "y": -0.7}, "b": {"x": 0.3, "y": 1 / 3}, "c": 0.123})
    search = MCTS(game, seed=1)
    trace = search.record(iterations=500)
    wins = [node.wins for node in search.nodes]
    assert trace.at(500).wins.tolist() == pytest.approx(wins, rel=1e-12)


@given(seed=seeds, k=st.integers(2, 80))
def test_the_selected_child_has_the_highest_score(seed, k):
    """Seen at the moment before it is visited."""
    trace = MCTS(TicTacToe(), seed=seed).record(iterations=k)
    before, path = trace.at(k - 1), trace.at(k, "select").path
    for parent, child in pairwise(path):
        scores = [before.score(sibling) for sibling in before.children(parent)]
        assert before.score(child) == max(scores)


# Moments that are none, and what cannot be changed.


@pytest.mark.parametrize("iteration", [-1, 6, 1.0, "3", None, True, 10**30, float("nan")])
def test_an_iteration_that_is_not_there_is_named(iteration):
    trace = MCTS(TicTacToe(), seed=1).record(iterations=5)
    with pytest.raises(TraceError) as refusal:
        trace.at(iteration)
    assert str(refusal.value).startswith(f"iteration is {iteration!r}, but it is a whole number")


@pytest.mark.parametrize("phase", ["selection", "", None, 2])
def test_a_phase_that_is_none_is_named(phase):
    trace = MCTS(TicTacToe(), seed=1).record(iterations=5)
    with pytest.raises(TraceError) as refusal:
        trace.at(3, phase)
    assert str(refusal.value).startswith(f"phase is {phase!r}, but the phases are select, expand")


def test_nothing_in_a_trace_can_be_changed():
    trace = MCTS(TicTacToe(), seed=1).record(iterations=50)
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


@pytest.mark.parametrize("game", [TicTacToe(), Nim()], ids=repr)
def test_an_iteration_costs_at_most_32_bytes(game):
    trace = MCTS(game, seed=1).record(iterations=15_000)
    columns = (trace.leaf, trace.outcome, trace.playouts.actions, trace.playouts.lengths)
    assert sum(column.nbytes for column in columns) <= 32 * 15_000


class Ladder(Game[int, int]):
    """One move in each position, ten thousand times."""

    def initial_state(self):
        return 0

    def to_move(self, state):
        return state % 2

    def legal_actions(self, state):
        return (1,)

    def play(self, state, action):
        return state + action

    def is_terminal(self, state):
        return state == 10_000

    def returns(self, state):
        return (0.0, 0.0)


def at_once(game, state, random):
    return Playout((), (0.0, 0.0))


def test_a_tree_may_be_deeper_than_python_calls():
    trace = MCTS(Ladder(), seed=1, playout=at_once).record(iterations=1_500)
    assert trace.state(1_500) == 1_500
    assert len(trace.path(1_500)) == 1_501
    assert trace.at(1_500).visits[:3].tolist() == [1_500, 1_500, 1_499]


def test_more_than_256_actions_are_told_apart():
    trace = MCTS(Nim((600,)), seed=1).record(iterations=700)
    assert len(trace.actions) > 256
    assert {trace.action_of(child) for child in trace.children[0]} == {
        (0, count) for count in range(1, 601)
    }


# Recording.


@given(game=games, seed=seeds, first=st.integers(1, 40), then=st.integers(1, 40))
def test_a_recorder_goes_on_in_a_later_run(game, seed, first, then):
    search, recorder = MCTS(game, seed=seed), Recorder()
    search.search(iterations=first, hooks=[recorder])
    part = recorder.trace(search)
    search.run(iterations=then, hooks=[recorder])
    whole, alone = recorder.trace(search), MCTS(game, seed=seed).record(iterations=first + then)
    assert told(whole.at(first + then)) == told(alone.at(first + then))
    assert told(part.at(first)) == told(alone.at(first))


def test_a_recording_may_be_longer_than_one_chunk():
    search = MCTS(TicTacToe(), seed=1)
    trace = search.record(iterations=9_000)
    assert trace.at(9_000).visits.tolist() == [node.visits for node in search.nodes]


def test_a_recorder_that_did_not_hear_one_whole_search_is_refused():
    search, late, early = MCTS(TicTacToe(), seed=1), Recorder(), Recorder()
    search.search(iterations=30, hooks=[early])
    search.run(iterations=20, hooks=[late])
    with pytest.raises(TraceError, match="heard 20 of 50 iterations: attach a new one when the"):
        late.trace(search)
    with pytest.raises(TraceError, match="heard 30 of 50 iterations"):
        early.trace(search)
    search.search(iterations=30, hooks=[early])
    with pytest.raises(TraceError):
        early.trace(search)


def test_a_trace_taken_during_an_iteration_ends_before_it():
    search, recorder, traces = MCTS(TicTacToe(), seed=1), Recorder(), []

    class Curious:
        def on_expand(self, record):
            if record.iteration == 20:
                traces.append(recorder.trace(search))

    search.search(iterations=30, hooks=[recorder, Curious()])
    (trace,) = traces
    alone = MCTS(TicTacToe(), seed=1).record(iterations=19)
    assert told(trace.at(19)) == told(alone.at(19))
    assert len(trace.parent) == len(alone.parent)


def test_a_trace_tells_what_it_is():
    assert repr(MCTS(TicTacToe(), seed=3).record(iterations=1)) == (
        "<Trace of Tic-tac-toe: 1 iterations, 2 nodes, c = 1.41, seed 3>"
    )


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_a_rule_may_ask_how_many_moves_there_are(game):
    def rule(child, parent, c):
        exploitation, exploration = ucb1(child, parent, c)
        return exploitation, exploration / parent.n_legal_moves

    search = MCTS(game, seed=1, selection=rule)
    end = search.record(iterations=100).at(100)
    for node, parent in parents(search).items():
        assert end.terms(node.id) == live_terms(search, node, parent)


@pytest.mark.parametrize("node", [31, -1, 2.0, "a", None, 10**30])
def test_a_node_that_is_none_is_refused_in_a_sentence(node):
    trace = MCTS(TicTacToe(), seed=1).record(iterations=30)
    sentence = "but it is a whole number from 0 to 30"
    for ask in (trace.state, trace.path, trace.label, trace.action_of):
        with pytest.raises(TraceError, match=f"node is {node!r}, {sentence}"):
            ask(node)
    moment = trace.at(5)
    for ask in (moment.children, moment.terms, moment.score, moment.proof):
        with pytest.raises(TraceError, match="but it is a whole number from 0 to 5"):
            ask(node)
    with pytest.raises(TraceError, match="node is 6, but it is a whole number from 0 to 5"):
        moment.score(6)


def test_a_film_can_be_pickled():
    film = Film(MCTS(TicTacToe(), seed=1).record(iterations=20), 12)
    again = pickle.loads(pickle.dumps(film))
    assert again.to_text() == film.to_text()
    assert again.asked == 12
