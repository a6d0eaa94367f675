"""Minimax and alpha-beta: known counts, the same answer with fewer nodes, what hooks hear."""

from collections import Counter
from functools import partial
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from invariants import WALKED, altered, ladder, nobody_loses, position, seeds, three_players
from refusals import refused

from mcts_viz import ConnectFour, GameTree, Nim, TicTacToe, alpha_beta, minimax, solve
from mcts_viz.search import EVENTS
from mcts_viz.trace import record_minimax

WALKS = pytest.mark.parametrize("walk", [minimax, alpha_beta])


class Diary:
    """A hook that keeps every step, in order."""

    def __init__(self):
        self.steps = []
        self.on_step = self.steps.append

    def of(self, event):
        return [step for step in self.steps if step.event == event]


# Counts that are known


def test_tic_tac_toe_is_255_168_games_and_alpha_beta_enters_18_297_of_its_549_946_nodes():
    ends = Counter()

    class Ends:
        def on_step(self, step):
            if step.event == "evaluate":
                ends[step.value] += 1

    whole, pruned = minimax(TicTacToe(), hooks=[Ends()]), alpha_beta(TicTacToe())
    assert (whole.value, whole.nodes) == (0, 549_946)
    assert ends == {1: 131_184, -1: 77_904, 0: 46_080}
    assert (pruned.value, pruned.nodes) == (0, 18_297)
    assert whole.alpha_cutoffs == whole.beta_cutoffs == 0
    assert pruned.alpha_cutoffs > 0 < pruned.beta_cutoffs
    assert whole.principal_variation == pruned.principal_variation


def uniform(width, depth, leaf):
    moves = [chr(ord("a") + i) for i in range(width)]
    return {m: uniform(width, depth - 1, leaf) if depth > 1 else leaf for m in moves}


@pytest.mark.parametrize(("width", "depth"), [(2, 6), (3, 4), (3, 5), (5, 3), (1, 4), (4, 1)])
def test_where_the_first_move_is_best_the_critical_tree_is_enough(width, depth):
    """Knuth and Moore (1975): b^⌈d/2⌉ + b^⌊d/2⌋ − 1 leaves, if no move is better than the first."""
    diary = Diary()
    alpha_beta(GameTree(uniform(width, depth, 0.5)), hooks=[diary])
    least = width ** ((depth + 1) // 2) + width ** (depth // 2) - 1
    assert len(diary.of("evaluate")) == least


BOOK = GameTree(
    {
        "a": {"b": 3 / 14, "c": 12 / 14, "d": 8 / 14},
        "e": {"f": 2 / 14, "g": 4 / 14, "h": 6 / 14},
        "i": {"j": 14 / 14, "k": 5 / 14, "l": 2 / 14},
    }
)


def test_the_tree_in_the_book_of_russell_and_norvig():
    diary = Diary()
    result = alpha_beta(BOOK, hooks=[diary])
    assert (result.value, result.principal_variation) == (3 / 14, ("a", "b"))
    looked_at = [round(14 * leaf.value) for leaf in diary.of("evaluate")]
    assert looked_at == [3, 12, 8, 2, 14, 5, 2]
    first, second = diary.of("cut_off")
    assert (first.node, first.value, first.pruned) == (5, 2 / 14, ("g", "h"))
    assert second.pruned == ()  # at its last move
    assert (result.alpha_cutoffs, result.beta_cutoffs, result.nodes) == (2, 0, 11)


# The same answer, with fewer nodes


@given(game=WALKED, seed=seeds)
def test_alpha_beta_finds_what_minimax_finds(game, seed):
    state = position(game, seed)
    whole, pruned, exact = minimax(game, state), alpha_beta(game, state), solve(game, state)
    assert pruned.value == whole.value == exact.value
    assert pruned.principal_variation == whole.principal_variation
    assert pruned.best_action == whole.best_action == whole.principal_variation[0]
    assert pruned.nodes <= whole.nodes
    assert pruned.nodes == whole.nodes or pruned.alpha_cutoffs + pruned.beta_cutoffs
    player, end = game.to_move(state), state
    for action in pruned.principal_variation:
        assert action in solve(game, end).best_actions
        end = game.play(end, action)
    assert game.is_terminal(end)
    assert game.returns(end)[player] == pruned.value


@WALKS
def test_a_finished_game_is_one_node(walk):
    game, diary = TicTacToe(), Diary()
    over = game.parse("XXX OO. ...")
    for result in (walk(game, over), walk(game, over, hooks=[diary])):
        assert (result.value, result.nodes) == (-1, 1)
        assert (result.best_action, result.principal_variation) == (None, ())
    assert [step.event for step in diary.steps] == ["enter", "evaluate"]


# Hooks


@given(game=WALKED, seed=seeds)
def test_what_a_hook_hears_of_alpha_beta(game, seed):
    diary, state = Diary(), position(game, seed)
    result = alpha_beta(game, state, hooks=[diary])
    entries, leaves, cuts = diary.of("enter"), diary.of("evaluate"), diary.of("cut_off")
    assert [entry.node for entry in entries] == list(range(result.nodes))
    assert len(diary.of("back_up")) == result.nodes - 1
    assert all(entry.alpha < entry.beta for entry in entries)
    states = {-1: state}
    for entry in entries:
        before = states[max(entry.parent, -1)]
        states[entry.node] = before if entry.node == 0 else game.play(before, entry.action)
    assert {leaf.node for leaf in leaves} == {n for n, s in states.items() if game.is_terminal(s)}
    assert all(game.returns(states[leaf.node])[0] == leaf.value for leaf in leaves)
    of_max = [game.to_move(states[cut.node]) == 0 for cut in cuts]
    assert (of_max.count(False), of_max.count(True)) == (result.alpha_cutoffs, result.beta_cutoffs)
    pruned = {cut.node: cut.pruned for cut in cuts}
    for entry in entries:
        looked_at = [below.action for below in entries if below.parent == entry.node]
        if not game.is_terminal(states[entry.node]):
            legal = game.legal_actions(states[entry.node])
            assert [*looked_at, *pruned.get(entry.node, ())] == list(legal)
    for cut, beta in zip(cuts, of_max, strict=True):
        assert cut.alpha >= cut.beta
        assert cut.value == (cut.alpha if beta else cut.beta)


# What cannot be walked through


@pytest.mark.parametrize(
    "search", [minimax, alpha_beta, partial(minimax, hooks=[Diary()]), lambda g: solve(g, 0)]
)
def test_too_long_a_game_is_refused(search):
    assert "are too long from here" in refused(search, ladder(100_000))


@WALKS
def test_too_large_a_game_is_refused_and_a_later_position_still_walked(walk, monkeypatch):
    monkeypatch.setattr(import_module("mcts_viz.search.minimax"), "LIMIT", 500)
    game = ConnectFour(4, 4)
    assert "more than 500 positions from here, too many to walk" in refused(walk, game)
    state = game.parse(".... ..O. XOXO XOXX")
    monkeypatch.undo()
    assert walk(game, state).value == solve(game, state).value


@pytest.mark.parametrize("walk", [minimax, alpha_beta])
def test_what_is_too_large_is_recorded_so_far_and_no_further(walk, monkeypatch):
    monkeypatch.setattr(import_module("mcts_viz.trace.minimax_trace"), "MOST", 500)
    assert "more than 500 nodes from here, too many to record" in refused(record_minimax, walk, TicTacToe())
    assert record_minimax(walk, Nim((1, 2))).nodes < 500


REFUSED = [
    (three_players(), (0, 3, 4, 5), "has 3 players, but minimax is for two"),
    (nobody_loses(TicTacToe), (0, 0), "that sum to 0, not (1.0, 1.0)"),
    (altered(TicTacToe, returns=lambda *_: (2.0, -2.0)), (0, 0), ", not (2.0, -2.0)"),
    (altered(TicTacToe, legal_actions=lambda *_: ()), (0, 0), "has no legal action in "),
    *(
        (TicTacToe(), state, "must be a position of Tic-tac-toe")
        for state in ("abc", (1,), [0, 0], 5, (None, None))
    ),
]


@pytest.mark.parametrize("search", [minimax, alpha_beta, solve])
def test_other_games_and_what_is_no_position_are_refused(search):
    for game, state, words in REFUSED:
        assert words in refused(search, game, state)


@WALKS
def test_a_game_without_a_hash_is_walked_too(walk):
    class Unhashable(Nim):
        __hash__ = None

    assert walk(Unhashable((2, 1))) == walk(Nim((2, 1)))
    assert solve(Unhashable((2, 1)), (0, 2, 1)) == solve(Nim((2, 1)), (0, 2, 1))


# The recorder


@WALKS
@given(game=WALKED, seed=seeds, share=st.floats(0, 1))
def test_the_trace_says_what_a_hook_hears_step_by_step(walk, game, seed, share):
    diary, state = Diary(), position(game, seed)
    assert walk(game, state, hooks=[diary]) == walk(game, state)
    trace, steps = record_minimax(walk, game, state), diary.steps
    assert [EVENTS[event] for event in trace.event] == [step.event for step in steps]
    assert trace.node.tolist() == [step.node for step in steps]
    np.testing.assert_array_equal(trace.value, [step.value for step in steps])
    if len(diary.of("evaluate")) > 1:  # one leaf alone does not show whether bounds are minded
        assert trace.alpha.tolist() == [step.alpha for step in steps]
        assert trace.beta.tolist() == [step.beta for step in steps]
    entries = diary.of("enter")
    assert trace.parent.tolist() == [entry.parent for entry in entries]
    assert list(map(trace.action_of, range(trace.nodes))) == [entry.action for entry in entries]
    pruned = {cut.node: len(cut.pruned) for cut in diary.of("cut_off")}
    assert trace.pruned.tolist() == [pruned.get(node, 0) for node in range(trace.nodes)]
    number = 1 + round(share * (len(trace) - 1))
    now, heard = trace.at(number), steps[:number]
    last = {step.node: step for step in heard}
    for name in ("value", "alpha", "beta"):
        found = [getattr(last[node], name) for node in range(len(last))]
        np.testing.assert_array_equal(getattr(now, name), found)
    assert (now.step, now.event, now.node) == (number, heard[-1].event, heard[-1].node)


def test_the_moments_of_a_trace_cannot_be_changed():
    now = record_minimax(alpha_beta, BOOK).at(20)
    for column in (now.value, now.alpha, now.beta):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1


def test_what_is_not_in_a_trace_is_refused():
    trace = record_minimax(alpha_beta, BOOK)
    for step in (-1, 0, 31, 1.5, True, "2", None):
        assert "must be a whole number from 1 to 30" in refused(trace.at, step)
