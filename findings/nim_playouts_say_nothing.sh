#!/usr/bin/env bash
# In Nim random games cannot tell a won position from a lost one: each is won with probability 1/2, exactly.
#
# Expected: random games say something: a move to a position that is lost for the opponent wins more of them,
#   in most positions. Perhaps one position in five misleads.
# Version:  normal and misère play, up to four heaps of up to nine; exact, with fractions. Python 3.11; no
#   package is needed.
# Seen:     in all 710 positions that have a heap of two or more the chance is 1/2, so that all such moves look
#   alike. (A heap may be cut to 1 or to 0, which are equally likely and exchange the winners of what follows.)
#   So a search learns nothing from playouts in Nim until its tree reaches heaps of one.
#     normal: 710 positions with a heap of two or more: chances {1/2}; 4 others: {0, 1}
#     misère: 710 positions with a heap of two or more: chances {1/2}; 4 others: {0, 1}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 - <<'PYTHON'
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement


def followers(heaps):
    """Return the positions after each legal move, heaps in order, empty ones left out."""
    return [
        tuple(sorted(filter(None, (*heaps[:place], rest, *heaps[place + 1 :]))))
        for place, heap in enumerate(heaps)
        for rest in range(heap)
    ]


@cache
def chance(heaps, misere):
    """Return the probability that the player to move wins if both move at random."""
    if not heaps:
        return Fraction(misere)  # the other player has taken the last one
    after = followers(heaps)
    return sum(1 - chance(position, misere) for position in after) / len(after)


positions = [h for n in range(1, 5) for h in combinations_with_replacement(range(1, 10), n)]
large = [heaps for heaps in positions if max(heaps) > 1]
for name, misere in (("normal", False), ("misère", True)):
    chances = {chance(heaps, misere) for heaps in large}
    others = {chance(heaps, misere) for heaps in positions if max(heaps) == 1}
    print(name, len(large), *chances, "others:", *sorted(others))
    assert chances == {Fraction(1, 2)}
    assert others == {0, 1}
assert len(large) == 710
PYTHON
