"""Minimax and alpha-beta: known counts, the same answer with fewer nodes, and their traces."""

import re
from collections import Counter
from functools import partial
from importlib import import_module
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import (
    WALKED,
    Corridor,
    Stakes,
    altered,
    ladder,
    nobody_loses,
    position,
    seeds,
    three_players,
)
from refusals import refused

from mcts_viz import ConnectFour, Nim, TicTacToe, alpha_beta, minimax, solve
from mcts_viz.games import SlipperyLake
from mcts_viz.trace import record_minimax
from mcts_viz.trace.minimax_trace import EVENTS

WALKS = pytest.mark.parametrize("walk", [minimax, alpha_beta])


# Counts that are known


def test_tic_tac_toe_is_255_168_games_and_alpha_beta_enters_18_297_of_its_549_946_nodes():
    whole, pruned = minimax(TicTacToe()), alpha_beta(TicTacToe())
    assert (whole.value, whole.nodes) == (0, 549_946)
    assert (pruned.value, pruned.nodes) == (0, 18_297)
    assert whole.principal_variation == pruned.principal_variation


# The same answer, with fewer nodes


@given(game=WALKED, seed=seeds)
def test_alpha_beta_finds_what_minimax_finds(game, seed):
    state = position(game, seed)
    whole, pruned, exact = minimax(game, state), alpha_beta(game, state), solve(game, state)
    assert pruned.value == whole.value == exact.value
    assert pruned.principal_variation == whole.principal_variation
    assert pruned.best_action == whole.best_action == whole.principal_variation[0]
    assert pruned.nodes <= whole.nodes
    player, end = game.to_move(state), state
    for action in pruned.principal_variation:
        assert action in solve(game, end).best_actions
        end = game.play(end, action)
    assert game.is_terminal(end)
    assert game.returns(end)[player] == pruned.value


@WALKS
def test_a_finished_game_is_one_node(walk):
    game = TicTacToe()
    over = game.parse("XXX OO. ...")
    result, trace = walk(game, over), record_minimax(walk, game, over)
    assert (result.value, result.nodes) == (-1, 1)
    assert (result.best_action, result.principal_variation) == (None, ())
    assert [EVENTS[event] for event in trace.event] == ["enter", "evaluate"]


# What cannot be walked through


@pytest.mark.parametrize(
    "search",
    [minimax, alpha_beta, partial(record_minimax, minimax), lambda g: solve(g, g.initial_state())],
)
def test_too_long_a_game_or_one_that_goes_in_circles_is_refused(search):
    assert "is too long from here" in refused(search, ladder(100_000))
    said = refused(search, Corridor())
    assert re.search(r"can come back to a position, such as '\(\d, \d\)', and so", said)
    assert "MCTS(game)" in said


@WALKS
def test_too_large_a_game_is_refused_and_a_later_position_still_walked(walk, monkeypatch):
    monkeypatch.setattr(import_module("mcts_viz.search.minimax"), "LIMIT", 500)
    game = ConnectFour(4, 4)
    assert "more than 500 positions from here: take" in refused(walk, game)
    state = game.parse(".... ..O. XOXO XOXX")
    monkeypatch.undo()
    assert walk(game, state).value == solve(game, state).value


@WALKS
def test_what_is_too_large_is_recorded_so_far_and_no_further(walk, monkeypatch):
    monkeypatch.setattr(import_module("mcts_viz.trace.minimax_trace"), "MOST", 500)
    assert "more than 500 nodes from here: start" in refused(record_minimax, walk, TicTacToe())
    assert record_minimax(walk, Nim((1, 2))).nodes < 500


REFUSED = [
    (three_players(), (0, 3, 4, 5), "has 3 players, but "),
    (nobody_loses(TicTacToe), (0, 0), "that sum to 0, not (1.0, 1.0)"),
    (altered(TicTacToe, returns=lambda *_: (2.0, -2.0)), (0, 0), ", not (2.0, -2.0)"),
    (altered(TicTacToe, legal_actions=lambda *_: ()), (0, 0), "has no legal action in "),
]


@pytest.mark.parametrize("search", [minimax, alpha_beta, solve])
def test_other_games_are_refused(search):
    for game, state, words in REFUSED:
        assert words in refused(search, game, state)


@WALKS
def test_a_game_without_a_hash_is_walked_too(walk):
    class Unhashable(Nim):
        __hash__ = None

    assert walk(Unhashable((2, 1))) == walk(Nim((2, 1)))
    assert solve(Unhashable((2, 1)), (0, 2, 1)) == solve(Nim((2, 1)), (0, 2, 1))


# Traces


def written_out(game, root, prune):
    """The steps of minimax or alpha-beta as a textbook has them, and by node parent, action, pruned
    moves.
    """
    steps, entries, pruned = [], [], Counter()

    def enter(state, alpha, beta, *entry):
        node = len(entries)
        entries.append(entry)
        steps.append(("enter", node, None, alpha, beta))
        if game.is_terminal(state):
            steps.append(("evaluate", node, game.returns(state)[0], alpha, beta))
            return game.returns(state)[0]
        is_max, found, left = game.to_move(state) == 0, [], list(game.legal_actions(state))
        while left:
            action = left.pop(0)
            found.append(enter(game.play(state, action), alpha, beta, node, action))
            best = max(found) if is_max else min(found)
            if prune and is_max:
                alpha = max(alpha, best)
            elif prune:
                beta = min(beta, best)
            steps.append(("back_up", node, best, alpha, beta))
            if alpha >= beta:
                steps.append(("cut_off", node, best, alpha, beta))
                pruned[node] = len(left)
                break
        return best

    enter(root, -inf, inf, -1, None)
    return steps, entries, pruned


@WALKS
@given(game=WALKED, seed=seeds, share=st.floats(0, 1))
def test_a_trace_says_what_happens_step_by_step(walk, game, seed, share):
    state = position(game, seed)
    result, trace = walk(game, state), record_minimax(walk, game, state)
    steps, entries, pruned = written_out(game, state, walk is alpha_beta)
    columns = trace.event, trace.node, trace.value, trace.alpha, trace.beta
    told = [
        (EVENTS[event], node, None if value != value else value, alpha, beta)
        for event, node, value, alpha, beta in zip(*columns, strict=True)
    ]
    assert told == steps
    actions = map(trace.action_of, range(trace.nodes))
    assert [*zip(trace.parent, actions, strict=True)] == entries
    assert trace.pruned.tolist() == [pruned[node] for node in range(trace.nodes)]
    assert result.nodes == len(entries)
    number = 1 + round(share * (len(trace) - 1))
    now, last = trace.at(number), {step[1]: step for step in steps[:number]}
    assert (now.step, now.event, now.node, now.nodes) == (number, *steps[number - 1][:2], len(last))
    for place, name in enumerate(("value", "alpha", "beta"), 2):
        known = [last[node][place] for node in range(now.nodes)]
        np.testing.assert_array_equal(getattr(now, name), np.array(known, float))
        with pytest.raises(ValueError, match="read-only"):
            getattr(now, name)[:] = 0


def test_what_comes_again_where_luck_plays_is_named_too():
    lake = SlipperyLake()
    assert "can come back to a position, such as " in refused(minimax, lake)
    assert solve(lake, lake.initial_state()).best_actions


@WALKS
@pytest.mark.parametrize("text", ["XO. .X. ...", "X.. .O. ...", "XX. OO. ...", "XXX OO. ..."])
def test_larger_results_are_played_for_as_smaller_ones(walk, text):
    state = TicTacToe().parse(text)
    usual, larger = walk(TicTacToe(), state), walk(Stakes(), state)
    assert larger.principal_variation == usual.principal_variation
    whose = Stakes().to_move(state) if usual.value > 0 else 1 - Stakes().to_move(state)
    assert larger.value == usual.value * (9.7 if whose else 7)
    solution, exact = solve(TicTacToe(), state), solve(Stakes(), state)
    assert (exact.value, exact.best_actions) == (larger.value, solution.best_actions)
    assert exact.distance == solution.distance
