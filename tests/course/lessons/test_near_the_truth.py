"""Lesson 09: regrets, settling and proofs are what exact play says, and its trap is one."""

import pytest

from mcts_course.lessons import near_the_truth
from mcts_viz import MCTS, Film, MCTSSolver, TicTacToe, minimax, solve

GAME = near_the_truth.GAME
TRAP = GAME.parse(".X. X.O ...")


# Regret


def test_regrets_are_those_of_minimax():
    state = GAME.parse("XXO O.. ...")
    best = minimax(GAME, state).value
    for cell, regret in near_the_truth.regrets.right.items():
        assert regret == (best + minimax(GAME, GAME.play(state, int(cell))).value) / 2
    assert near_the_truth.regrets.judge({4: 0, 5: 0.5, 6: 1, 7: 1, 8: 1}).kind == "right"


def test_the_film_says_the_same_regrets():
    state = GAME.parse("XXO O.. ...")
    trace = MCTS(GAME, seed=1).record(state, iterations=50)
    found = {trace.label(node): r for node, r in Film(trace).truth.regrets.items()}
    assert found == near_the_truth.regrets.right


# Proofs


@pytest.mark.parametrize("board", ["XO. X.. O..", "XXO O.. ...", "OX. ..O ..X", ".X. X.O ..."])
def test_the_solution_proves_what_the_search_proves(board):
    """At every node of a tree that has not been proven from below while it was passed over."""
    search = MCTSSolver(TicTacToe(), seed=9)
    search.search(GAME.parse(board), iterations=400, progress=False)
    compared = 0
    for node in search.nodes:
        if not node.children:
            continue
        children = {str(child.action): search.proof(child) for child in node.children}
        found = near_the_truth.write_proof.solution(children, node.untried)
        assert found == search.proof(node)
        compared += 1
    assert compared > 10


# The trap


def turned(state):
    """A quarter turn of the board."""
    cells = [6, 3, 0, 7, 4, 1, 8, 5, 2]
    one, other = (sum(1 << cells[i] for i in range(9) if mask >> i & 1) for mask in state)
    return (one, other)


def mirrored(state):
    one, other = (
        sum(1 << (3 * (i // 3) + 2 - i % 3) for i in range(9) if mask >> i & 1) for mask in state
    )
    return (one, other)


def test_the_positions_that_are_never_right_are_one_position():
    """So the lesson finds eight, and says that they are the turns and mirrors of one."""
    same = {TRAP}
    for _ in range(4):
        same |= {turned(state) for state in same} | {mirrored(state) for state in same}
    assert len(same) == 8
    for state in same:
        best = solve(GAME, state).best_actions
        assert len(best) == 2
        assert solve(GAME, state).value == 0
        for seed in range(5):
            found = MCTS(GAME, seed=seed).search(state, iterations=200, progress=False)
            assert found.best_action not in best


@pytest.mark.parametrize(("cell", "column"), [(2, 8), (8, 2)])
def test_the_tempting_moves_threaten_and_lose_in_five(cell, column):
    after = GAME.play(TRAP, cell)
    _, o = after
    assert GAME.has_line(o | 1 << column)
    assert solve(GAME, after).distance == 5
    assert solve(GAME, after).principal_variation[0] == column
    assert solve(GAME, after).best_actions == (column,)
