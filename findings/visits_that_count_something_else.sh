#!/usr/bin/env bash
# Three searches whose root counts something else than the iterations.
#
# Expected: after n iterations the root has n visits and a mean, and the tree has at most n nodes below it.
# Version:  mctspy 0.1.1, mcts-simple 1.1.0, imparaai-montecarlo 1.3.1, Python 3.11; tic-tac-toe, empty board
# Seen:     mctspy: 100 visits, but reading the root's q raises AttributeError. mcts-simple: all positions of a
#   playout become nodes, far more than one an iteration. imparaai: each new child is rolled out once when its
#   parent is expanded, so 100 iterations give over 300 visits.
#     mctspy: n 100.0, q AttributeError
#     mcts-simple: 200 iterations, over 600 nodes: True (680)
#     imparaai: 100 iterations, over 300 visits: True (523)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet mctspy==0.1.1 mcts-simple==1.1.0 imparaai-montecarlo==1.3.1 numpy==2.4.6
venv/bin/python - <<'PYTHON'
import random
from copy import deepcopy

import numpy as np
from mcts_simple import MCTS, Game
from mctspy.games.examples.tictactoe import TicTacToeGameState
from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode
from mctspy.tree.search import MonteCarloTreeSearch
from montecarlo.montecarlo import MonteCarlo
from montecarlo.node import Node

LINES = [[int(cell) for cell in line] for line in "012 345 678 036 147 258 048 246".split()]

root = TwoPlayersGameMonteCarloTreeSearchNode(TicTacToeGameState(np.zeros((3, 3)), next_to_move=1))
MonteCarloTreeSearch(root).best_action(100)
try:
    found = str(root.q)
except AttributeError:
    found = "AttributeError"
print(f"mctspy: n {root.n}, q {found}")
assert (root.n, found) == (100.0, "AttributeError")


class Board(Game):
    def __init__(self):
        self.cells, self.moves = [None] * 9, 0

    def render(self):
        print(self.cells)

    def get_state(self):
        return tuple(self.cells)

    def number_of_players(self):
        return 2

    def current_player(self):
        return self.moves % 2

    def possible_actions(self):
        return [cell for cell in range(9) if self.cells[cell] is None]

    def take_action(self, cell):
        self.cells[cell] = self.moves % 2
        self.moves += 1

    def winner(self):
        """The player whose line it is in a list, an empty one for a draw."""
        marks = [{self.cells[cell] for cell in line} for line in LINES]
        return next(([*mark] for mark in marks if len(mark) == 1 and None not in mark), [])

    def has_outcome(self):
        return bool(self.winner()) or self.moves == 9


def nodes(node):
    return 1 + sum(nodes(child) for child in node.children.values())


tree = MCTS(Board(), training=True)
random.seed(1)
tree.self_play(iterations=200)
count = nodes(tree.root)
print(f"mcts-simple: 200 iterations, over 600 nodes: {count > 600} ({count})")
assert count > 600


def add_children(node, search):
    for cell in node.state.possible_actions():
        after = deepcopy(node.state)
        after.take_action(cell)
        child = Node(after)
        child.player_number = after.current_player()
        node.add_child(child)


def result(node, search):
    """The result for X, None before the end."""
    winner = node.state.winner()
    if winner:
        return 1 - 2 * winner[0]
    return 0 if node.state.has_outcome() else None


root = Node(Board())
root.player_number = 0
search = MonteCarlo(root)
search.child_finder, search.node_evaluator = add_children, result
search.simulate(100)
print(f"imparaai: 100 iterations, over 300 visits: {root.visits > 300} ({root.visits})")
assert root.visits > 300
PYTHON
