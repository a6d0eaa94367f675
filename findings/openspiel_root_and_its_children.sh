#!/usr/bin/env bash
# What the numbers of OpenSpiel's MCTSBot count: the root is rolled out once, a proven child goes by its outcome
# and not by its visits, and below a chance node the rewards are those of the player above it.
#
# Expected: children's visits sum to the root's; the move played has the most visits; a chance node's children
#   appear one by one, with nature's view.
# Version:  open_spiel 2.0.2, Python 3.11. W is tic-tac-toe with X on 0 and 1, O on 3 and 4, X to move.
# Seen:     empty board, 200 simulations: root 200, children 199. W with solve=True: the win has 1 visit, others as
#   many, the search ends after 2 to 6 simulations, and it is played. Pig: all six children of "roll" are there at
#   once, of player -1.
#     root 200, children 199
#     W: ended after [2, 2, 6, 6, 6], played [2, 2, 2, 2, 2], visits of the win [1, 1, 1, 1, 1]
#     pig: 6 children of luck, of player -1, rewards as above: True
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet open_spiel==2.0.2 numpy==2.4.6
venv/bin/python - <<'PYTHON'
import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts


def search(name, moves, simulations, seed, solve):
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    for move in moves:
        state.apply_action(move)
    lot = np.random.RandomState(seed)
    rollout = mcts.RandomRolloutEvaluator(1, lot)
    bot = mcts.MCTSBot(game, 2, simulations, rollout, solve=solve, random_state=lot)
    return bot.mcts_search(state)


root = search("tic_tac_toe", (), 200, 0, False)
below = sum(child.explore_count for child in root.children)
print(f"root {root.explore_count}, children {below}")
assert (root.explore_count, below) == (200, 199)

roots = [search("tic_tac_toe", (0, 3, 1, 4), 1000, seed, True) for seed in range(5)]
best = [one.best_child() for one in roots]
ended, played = [one.explore_count for one in roots], [child.action for child in best]
visits = [child.explore_count for child in best]
print(f"W: ended after {ended}, played {played}, visits of the win {visits}")
assert max(ended) < 10
assert played == [2] * 5
assert visits == [1] * 5

root = search("pig", (), 300, 0, False)
roll = max(root.children, key=lambda child: len(child.children))
luck = roll.children
same = abs(sum(child.total_reward for child in luck) - roll.total_reward) <= 1
print(f"pig: {len(luck)} children of luck, of player {luck[0].player}, rewards as above: {same}")
assert (len(luck), {child.player for child in luck}, same) == (6, {-1}, True)
PYTHON
