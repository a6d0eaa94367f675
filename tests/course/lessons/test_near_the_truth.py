"""Lesson 08: its solution proves what the search proves."""

import pytest

from mcts_course.lessons import near_the_truth
from mcts_viz import MCTSSolver, TicTacToe


@pytest.mark.parametrize("board", ["XO. X.. O..", "XXO O.. ...", "OX. ..O ..X", ".X. X.O ..."])
def test_the_solution_proves_what_the_search_proves(board):
    """At every node of a tree that has not been proven from below while it was passed over."""
    game = TicTacToe()
    search = MCTSSolver(game, seed=9)
    search.search(game.parse(board), iterations=400, progress=False)
    compared = 0
    for node in search.nodes:
        if not node.children:
            continue
        children = {str(child.action): search.proof(child) for child in node.children}
        found = near_the_truth.write_proof.solution(children, node.untried)
        assert found == search.proof(node)
        compared += 1
    assert compared > 10
