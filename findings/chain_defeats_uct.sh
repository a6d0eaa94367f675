#!/usr/bin/env bash
# Seven levels are enough to hide the best end of a game from UCT for six million iterations.
#
# Expected: a chain of D decisions, as of Coquelin and Munos (2007): at level d one may stop for (D - d) / D,
#   or go on, and at the end of the chain lies 1. UCT explores, so it should see the end after about 2**D
#   iterations, say 128 for D = 7; and with less exploration a little later.
# Version:  UCT with c = sqrt(2), one new node an iteration, a new node valued by stopping there; nothing random.
#   Python 3.11; no package is needed.
# Seen:     the iteration in which the end is first seen, by D. With half of that exploration the wall comes
#   three levels earlier, not a little later.
#     c = 1.414: 2: 8, 3: 31, 4: 138, 5: 720, 6: 25871, 7: not in 6,000,000
#     c = 0.707: 2: 16, 3: 208, 4: 74390, 5: not in 6,000,000
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 - <<'PYTHON'
from math import log, sqrt

LIMIT = 6_000_000


def first_seen(length, c):
    """Return the iteration that first reaches the end of the chain, or None."""
    visits, total = [0] * (length + 1), [0.0] * (length + 1)  # of going on to a level
    stops, gained = [0] * (length + 1), [0.0] * (length + 1)  # of stopping at a level
    for iteration in range(1, LIMIT + 1):
        level = 0  # levels walked on; the next one is level + 1
        while True:
            to = level + 1
            if not stops[to]:
                stop = True
            elif not visits[to]:
                level = to
                if level == length:
                    return iteration
                reward = (length - level - 1) / length  # a new node: stop at the next level
                break
            else:
                spread = c * sqrt(log(visits[level]))
                stay = gained[to] / stops[to] + spread / sqrt(stops[to])
                stop = stay >= total[to] / visits[to] + spread / sqrt(visits[to])
            if stop:
                reward = (length - to) / length
                stops[to] += 1
                gained[to] += reward
                break
            level = to
            if level == length:
                return iteration
        for passed in range(level + 1):
            visits[passed] += 1
            total[passed] += reward
    return None


found = {}
for c, last in ((sqrt(2), 7), (sqrt(1 / 2), 5)):
    found[c] = [first_seen(length, c) for length in range(2, last + 1)]
    print(f"c = {c:.3f}:", found[c])
assert found[sqrt(2)] == [8, 31, 138, 720, 25871, None]
assert found[sqrt(1 / 2)] == [16, 208, 74390, None]
PYTHON
