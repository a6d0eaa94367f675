"""Lesson 02: what its texts and hints say about values, windows and cutoffs is so."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from mcts_course.lessons import perfect_play
from mcts_viz import GameTree, Nim, TicTacToe, alpha_beta, minimax

GAME, POSITION, TREE = perfect_play.GAME, perfect_play.POSITION, perfect_play.TREE


def threats(game: TicTacToe, state: tuple[int, int], player: int) -> set[int]:
    """The cells that would complete a line of ``player``, whoever is to move."""
    both = list(state)
    found = set()
    for cell in game.legal_actions(state):
        one = 1 << cell
        masks = tuple(mask | one * (side == player) for side, mask in enumerate(both))
        if game.is_terminal(masks) and game.returns(masks)[player] == 1:
            found.add(cell)
    return found


def test_results_in_words_are_those_of_perfect_play() -> None:
    words = {cell: perfect_play.result_in_words(POSITION, cell) for cell in (2, 4, 5, 7, 8)}
    assert words == {2: "O wins", 4: "X wins", 5: "O wins", 7: "draw", 8: "O wins"}
    after = GAME.play(POSITION, 5)
    assert perfect_play.result_in_words(after, 4) == "O wins"


def test_the_order_changes_the_work_and_not_the_value() -> None:
    orders = perfect_play.plot_orders(orders=2)
    assert orders.values == {0}
    assert (orders.best, orders.worst, orders.minimax) == (2_312, 198_837, 549_946)
    assert orders.best < min(orders.random) < max(orders.random) < orders.worst < orders.minimax / 2


@pytest.mark.parametrize("name", ["best starts at 0", "whole returns"])
def test_a_best_that_starts_at_zero_and_a_tuple_are_named(name: str) -> None:
    task = perfect_play.write_minimax
    assert task.judge(task.wrong[name]).kind == "misconception"


def test_the_hints_about_threats_are_true() -> None:
    assert threats(GAME, GAME.play(POSITION, 4), player=0) == {5, 8}
    after = GAME.play(POSITION, 5)
    assert threats(GAME, after, player=0) == {4}
    assert threats(GAME, GAME.play(after, 4), player=1) == {2, 7}


@pytest.mark.parametrize("cell", [2, 5, 8])
def test_after_a_losing_cell_o_gets_two_threats(cell: int) -> None:
    """As the solution says."""
    after = GAME.play(POSITION, cell)
    best = minimax(GAME, after).best_action
    reply = GAME.play(after, best)
    while len(threats(GAME, reply, player=1)) < 2:
        reply = GAME.play(reply, minimax(GAME, reply).best_action)
        assert not GAME.is_terminal(reply)
    assert minimax(GAME, after).value == 1


def looked_at(tree: Any, state: tuple[str, ...], alpha: float, beta: float) -> tuple[float, Any]:
    """Alpha-beta written once more, from the book: the value and the nodes."""
    seen = {state}
    if tree.is_terminal(state):
        return tree.returns(state)[0], seen
    maximizing = len(state) % 2 == 0
    best = -inf if maximizing else inf
    for move in tree.legal_actions(state):
        value, below = looked_at(tree, (*state, move), alpha, beta)
        seen |= below
        best = max(best, value) if maximizing else min(best, value)
        alpha, beta = (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
        if alpha >= beta:
            break
    return best, seen


def test_pruned_leaves_are_those_of_an_alpha_beta_from_the_book() -> None:
    value, seen = looked_at(TREE, (), -inf, inf)
    leaves = [
        (one, two, three)
        for one, below in TREE.tree.items()
        for two, last in below.items()
        for three in last
    ]
    assert perfect_play.pruned.right == [leaf[-1] for leaf in leaves if leaf not in seen]
    assert value == minimax(TREE).value == 0.5
    assert len(seen) == alpha_beta(TREE).nodes


@pytest.mark.parametrize("answer", [["l", "u", "v"], ("L", "u", " v"), "luv"])
def test_leaves_may_be_written_in_several_ways(answer: Any) -> None:
    kind = perfect_play.pruned.judge(answer).kind
    assert kind == ("wrong" if isinstance(answer, str) else "right")


@pytest.mark.parametrize(
    "game",
    [
        Nim((1, 2)),
        Nim((2, 2)),
        TREE,
        GameTree({"a": {"b": -0.5}, "c": 0}),
    ],
)
def test_the_solution_finds_what_minimax_finds(game: Any) -> None:
    found = perfect_play.write_minimax.solution(game, game.initial_state())
    assert found == minimax(game).value


def negamax(game: Any, state: Any) -> float:
    """For the player to move: right in itself, but not what was asked."""
    if game.is_terminal(state):
        return float(game.returns(state)[game.to_move(state)])
    return max(-negamax(game, game.play(state, a)) for a in game.legal_actions(state))


def with_an_if(game: Any, state: Any) -> float:
    if game.is_terminal(state):
        return float(game.returns(state)[0])
    best = -2.0 if game.to_move(state) == 0 else 2.0
    for action in game.legal_actions(state):
        value = with_an_if(game, game.play(state, action))
        if game.to_move(state) == 0 and value > best:
            best = value
        if game.to_move(state) == 1 and value < best:
            best = value
    return best


def test_another_minimax_is_right_and_negamax_is_called_by_its_name() -> None:
    assert perfect_play.write_minimax.judge(with_an_if).kind == "right"
    kind, sentence = perfect_play.write_minimax.judge(negamax)
    assert kind == "misconception"
    assert "negamax" in sentence


def best_of_one_move(game: Any, state: Any) -> float:
    """Looks one move ahead and takes the rest for a draw."""
    if game.is_terminal(state):
        return float(game.returns(state)[0])
    ahead = [game.play(state, action) for action in game.legal_actions(state)]
    values = [game.returns(s)[0] if game.is_terminal(s) else 0.0 for s in ahead]
    return min(values) if game.to_move(state) else max(values)


def test_an_unknown_mistake_is_met_with_the_first_case_that_differs() -> None:
    kind, sentence = perfect_play.write_minimax.judge(best_of_one_move)
    assert kind == "wrong"
    assert sentence.startswith("✗ Not yet: in the tree of exercise 1, expected 0.5, got 0")
