#!/usr/bin/env bash
# A simultaneous-move search whose visits look like the equilibrium, and whose value is as wrong as can be.
#
# Expected: matching pennies by decoupled UCB: both players end with half of their visits on each side, and
#   the first player wins about half of the simulations, so the mean is about 0.
# Version:  smm-mcts 0.1.0 (its notes say that it converges to equilibria of zero-sum games), Python 3.11
# Seen:     the visits are half and half, but both players switch in the same simulation, so the first player wins
#   all 100,000: the mean is 1.0, and the game's value is 0. With other payments, 1 and 1/3, equilibrium
#   (1/3, 2/3) and value 1/9, the first player ends at 0.17 and the mean at 0.26.
#     pennies: first player [0.5, 0.5], mean 1.0
#     unequal: first player [0.172, 0.828], mean 0.259
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet smm-mcts==0.1.0 numpy==2.4.6
venv/bin/python -W ignore - <<'PYTHON'
import random

from smm import mcts

SIMULATIONS = 100_000


class Once:
    """One simultaneous move, then the first player gets the table's entry and the second loses it."""

    def __init__(self, table):
        self.table = table

    def is_terminal(self, state):
        return bool(state)

    def action_candidates(self, state, player):
        return [0, 1]

    def to_concrete(self, state, player, action):
        return action

    def apply_joint_action(self, state, actions):
        return tuple(actions)

    def terminal_values(self, state, players):
        value = self.table[state[0]][state[1]]
        return [value, -value]


def search(table):
    """Return the first player's shares of visits and the mean of what it got."""
    game = Once(table)
    root = mcts._Node((), game, 2, {})
    total, lot = 0.0, random.Random(0)
    for _ in range(SIMULATIONS):
        given = 0, 3, 4.0, 0.5, {}, 0, None, lot  # depths, widening: the agent's own
        total += mcts._simulate(root, game, {}, *given)[0]
    shares = [root.stats[0][action][1] / SIMULATIONS for action in (0, 1)]
    return [round(share, 3) for share in shares], round(total / SIMULATIONS, 3)


pennies = search([[1, -1], [-1, 1]])
unequal = search([[1, -1 / 3], [-1 / 3, 1 / 3]])
print(f"pennies: first player {pennies[0]}, mean {pennies[1]}")
print(f"unequal: first player {unequal[0]}, mean {unequal[1]}")
assert pennies == ([0.5, 0.5], 1.0)
assert unequal == ([0.172, 0.828], 0.259)
PYTHON
