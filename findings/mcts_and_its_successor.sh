#!/usr/bin/env bash
# The package mcts lets both players take the largest reward of one of them; its successor does not.
#
# Expected: both search the same games, so the newer package is the older one with new names.
# Version:  mcts 1.0.4 and monte-carlo-tree-search 2.1.0, Python 3.11. Tic-tac-toe, X on 0, 1 and 8, O on 3 and 4,
#   O to move: 5 wins at once. 1,000 iterations, 20 times.
# Seen:     mcts 1.0.4 never plays 5: its tree gives the reward of X to O's moves too, and never asks
#   getCurrentPlayer(). The successor multiplies by it, and plays 5 in 20 of 20.
#     mcts 1.0.4: 5 played 0 of 20
#     monte-carlo-tree-search 2.1.0: 5 played 20 of 20
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --target old mcts==1.0.4
venv/bin/python -m pip install --quiet --target new monte-carlo-tree-search==2.1.0
venv/bin/python - <<'PYTHON'
import subprocess
import sys
from pathlib import Path

RULES = """
import sys
sys.path.insert(0, sys.argv[1])
LINES = [[int(cell) for cell in line] for line in "012 345 678 036 147 258 048 246".split()]


class Board:
    def __init__(self, cells, player):
        self.cells, self.player = cells, player

    def get_current_player(self):
        return self.player

    def get_possible_actions(self):
        return [cell for cell in range(9) if not self.cells[cell]]

    def take_action(self, cell):
        after = list(self.cells)
        after[cell] = self.player
        return Board(after, -self.player)

    def winner(self):
        marks = [[self.cells[cell] for cell in line] for line in LINES]
        return next((line[0] for line in marks if line[0] and len(set(line)) == 1), 0)

    def is_terminal(self):
        return bool(self.winner()) or all(self.cells)

    def get_reward(self):
        return self.winner()

    getCurrentPlayer, getPossibleActions = get_current_player, get_possible_actions
    takeAction, isTerminal, getReward = take_action, is_terminal, get_reward


state = Board([1, 1, 0, -1, -1, 0, 0, 0, 1], -1)
if sys.argv[1] == "old":
    from mcts import mcts
    played = [mcts(iterationLimit=1000).search(state) for _ in range(20)]
else:
    from mcts.searcher.mcts import MCTS
    played = [MCTS(iteration_limit=1000).search(state) for _ in range(20)]
print(sum(move == 5 for move in played))
"""
Path("rules.py").write_text(RULES)
wins = {}
for folder, name in (("old", "mcts 1.0.4"), ("new", "monte-carlo-tree-search 2.1.0")):
    run = subprocess.run([sys.executable, "rules.py", folder], capture_output=True, text=True, check=True)
    wins[folder] = int(run.stdout)
    print(f"{name}: 5 played {wins[folder]} of 20")
assert wins == {"old": 0, "new": 20}
PYTHON
