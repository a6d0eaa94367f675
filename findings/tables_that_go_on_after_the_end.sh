#!/usr/bin/env bash
# What Gymnasium's tables of transitions say of the goal, and of what cannot happen.
#
# Expected: the table P of an environment has no way out of a state that ends the episode, and no outcome of
#   probability 0.
# Version:  gymnasium 1.4.0, Python 3.11
# Seen:     on the cliff one may walk out of the goal, and fall from there; the frozen lake without ice that slips,
#   made with success_rate=1.0, lists two outcomes of probability 0 for each move.
#     cliff, out of the goal: [(1.0, 35, -1, False)]; right of it: [(1.0, 36, -100, False)] for a fall
#     lake, move 1 at the start: probabilities [0.0, 1.0, 0.0]
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet gymnasium==1.4.0
venv/bin/python - <<'PYTHON'
import gymnasium

cliff = gymnasium.make("CliffWalking-v1").unwrapped.P
print("cliff, out of the goal:", cliff[47][0], cliff[47][3])
lake = gymnasium.make("FrozenLake-v1", is_slippery=True, success_rate=1.0).unwrapped.P
chances = [float(chance) for chance, *_ in lake[0][1]]
print("lake, move 1 at the start: probabilities", chances)
assert [tuple(map(float, entry)) for entry in cliff[47][0]] == [(1.0, 35.0, -1.0, 0.0)]
assert [tuple(map(float, entry)) for entry in cliff[47][3]] == [(1.0, 36.0, -100.0, 0.0)]
assert sorted(chances) == [0.0, 0.0, 1.0]
PYTHON
