"""Flat Monte Carlo, exact means of random games, traps, and means with intervals."""

from itertools import pairwise

import pytest
from golden_traces import PENCIL
from matplotlib.colors import to_hex
from refusals import refused

from mcts_course import RandomPlay, find_traps, plot_means, random_and_exact, wilson_interval
from mcts_course.measure import random_play
from mcts_viz import MCTS, Nim, TicTacToe, solve
from mcts_viz.search.variants import expand_all, expand_root_only, max_child, rewards_of, uniform

GAME = TicTacToe()
START = GAME.initial_state()
FLAT = {"selection": uniform, "expansion": expand_root_only, "recommendation": max_child}


# The mean of random games, exactly


def all_random_games(game, state, chance=1.0):
    """The mean result of player 0 in random games, game by game, without a table."""
    if game.is_terminal(state):
        return chance * game.returns(state)[0]
    actions = game.legal_actions(state)
    after = (game.play(state, action) for action in actions)
    return sum(all_random_games(game, state, chance / len(actions)) for state in after)


def exactly(game, state, player):
    """The return of a player in perfect play."""
    if game.is_terminal(state):
        return game.returns(state)[player]
    best = max if game.to_move(state) == player else min
    return best(exactly(game, game.play(state, move), player) for move in game.legal_actions(state))


POSITIONS = [(PENCIL, ()), (PENCIL, ("b",)), (Nim((1, 2)), (0, 1, 2)), (Nim((2, 2)), (1, 2, 1))]
POSITIONS += [(GAME, GAME.parse(text)) for text in ("OX. .X. ...", "XXO OOX X..", "XX. OO. X..")]


def test_a_table_of_random_and_exact_play_says_what_both_are():
    """Means by all games, ends by perfect play, and beside each loss all replies that win."""
    for game, state in POSITIONS:
        player, found = game.to_move(state), random_and_exact(game, state)
        means = [float(mean) for _, mean, _, _ in found.rows]
        assert means == sorted(means, reverse=True)
        assert found.favourite == found.rows[0][0]
        assert sorted(row[0] for row in found.rows) == sorted(game.legal_actions(state))
        values = {}
        for (move, _, word, replies), mean in zip(found.rows, means, strict=True):
            after = game.play(state, move)
            of_first = all_random_games(game, after)
            assert mean == pytest.approx((1 + (-of_first if player else of_first)) / 2, abs=5.01e-4)
            value = values[move] = exactly(game, after, player)
            assert word == {-1: "loss", 0: "draw", 1: "win"}[(value > 0) - (value < 0)]
            on = [] if game.is_terminal(after) or word != "loss" else game.legal_actions(after)
            wins = [one for one in on if exactly(game, game.play(after, one), player) == value]
            assert replies == ", ".join(map(str, wins))
        assert values[found.best] == max(values.values())


def test_what_random_play_cannot_go_through_is_one_sentence(monkeypatch):
    long = Nim((1000,))
    assert "too long from here" in refused(RandomPlay(long).rewards, long.initial_state())
    assert "must be a position of Nim" in refused(RandomPlay(long).rewards, "x")
    monkeypatch.setattr(random_play, "LIMIT", 1000)
    assert "more than 1,000 positions" in refused(RandomPlay(GAME).returns, START)


# Traps


def test_traps_are_positions_where_the_favourite_gives_something_away():
    traps, play = find_traps(GAME), RandomPlay(GAME)
    assert len(traps) == 70
    for state, tempting in traps.items():
        rewards = play.rewards(state)
        assert rewards[tempting] == max(rewards.values())
        assert tempting not in solve(GAME, state).best_actions


# The figure


def test_means_are_those_of_the_trace_and_lie_in_their_intervals():
    trace = MCTS(GAME, seed=5, **FLAT).record(iterations=450)
    axes = plot_means(trace, moves=[4, 0, 1]).axes[0]
    lines, labels = axes.get_legend_handles_labels()
    assert labels == ["4", "0", "1"]
    end = trace.at(450)
    nodes = {trace.label(node): node for node in end.children(0)}
    for label, line, band in zip(labels, lines, axes.collections, strict=True):
        wins, visits = float(end.wins[nodes[label]]), int(end.visits[nodes[label]])
        assert line.get_ydata()[-1] == pytest.approx(wins / visits)
        vertices = band.get_paths()[0].vertices
        last = vertices[vertices[:, 0] == vertices[:, 0].max(), 1]
        assert (last.min(), last.max()) == pytest.approx(wilson_interval(wins, visits))


def test_curves_differ_in_dashes_and_neighbours_in_grey_and_axes_are_named():
    trace = MCTS(GAME, seed=5, **FLAT).record(iterations=90)
    exact = RandomPlay(GAME).rewards(START)
    axes = plot_means(trace, exact=exact).axes[0]
    drawn, _ = axes.get_legend_handles_labels()
    greys = [to_hex(line.get_color()) for line in drawn]
    assert all(one != other for one, other in pairwise(greys))
    assert len({str(line._dash_pattern) for line in drawn}) == len(drawn) == 5
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("iteration", "mean reward of X")
    exact_lines = [line for line in axes.lines if line not in drawn]
    assert [line.get_ydata()[0] for line in exact_lines] == [
        exact[int(line.get_label())] for line in drawn
    ]


def test_moves_without_visits_and_rewards_of_another_kind_are_not_drawn():
    trace = MCTS(GAME, seed=5, **FLAT).record(iterations=20)
    few = MCTS(GAME, seed=1, expansion=expand_all).record(iterations=3)
    unvisited = next(move for move in range(9) if not few.visits(3)[move + 1])
    for of, moves in ((trace, [9]), (trace, []), (trace, [*range(6)]), (few, [unvisited])):
        said = refused(plot_means, of, moves=moves)
        assert "moves must be 1 to 5 visited moves of the root, which" in said
    trace = MCTS(GAME, seed=5, reward=rewards_of(1, 0, -1)).record(iterations=20)
    assert "rewards of this trace must be from 0 to 1" in refused(plot_means, trace)
