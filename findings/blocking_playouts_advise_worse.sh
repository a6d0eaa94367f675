#!/usr/bin/env bash
# Playouts that also block advise worse than playouts that only take wins.
#
# Expected: of a position's moves take the one with the best result of playouts, computed exactly, no sampling.
#   Random playouts mislead most, playouts that take a win less, playouts that take a win and else block least.
# Version:  tic-tac-toe, all 4,520 positions with a move to make, a draw counts 1/2; exact, with fractions.
#   Python 3.11; no package is needed.
# Seen:     every best-looking move gives away the value in 70 positions with random playouts, in 16 with
#   playouts that take wins, and in 44 with playouts that block, too. The draws are no guide either: 12.7 % of
#   random games, 4.4 % with wins taken, 51.5 % with blocks.
#     random: 70 wrong, draws 8/63
#     wins: 16 wrong, draws 251/5670
#     wins and blocks: 44 wrong, draws 139/270
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 - <<'PYTHON'
from fractions import Fraction
from functools import cache

LINES = "012 345 678 036 147 258 048 246".split()
OTHER = {"X": "O", "O": "X"}


def won(board, player):
    return any(all(board[int(cell)] == player for cell in line) for line in LINES)


def free(board):
    return [cell for cell in range(9) if board[cell] == "."]


def put(board, cell, player):
    return board[:cell] + player + board[cell + 1 :]


def choices(board, player, rule):
    """Return the moves of a playout: any; or a win; or a win, else a block."""
    for mark in (player, OTHER[player])[:rule]:
        found = [cell for cell in free(board) if won(put(board, cell, mark), mark)]
        if found:
            return found
    return free(board)


@cache
def results(board, player, rule):
    """Return the chances that X wins, that O wins, and of a draw."""
    if won(board, "X") or won(board, "O") or not free(board):
        wins = Fraction(won(board, "X")), Fraction(won(board, "O"))
        return *wins, 1 - sum(wins)
    moves = choices(board, player, rule)
    parts = [results(put(board, cell, player), OTHER[player], rule) for cell in moves]
    return tuple(sum(part) / len(moves) for part in zip(*parts, strict=True))


@cache
def value(board, player):
    """Return 1, 0 or -1 for the player to move, with perfect play."""
    if won(board, OTHER[player]):
        return -1
    if not free(board):
        return 0
    return max(-value(put(board, cell, player), OTHER[player]) for cell in free(board))


def positions():
    seen, waiting = set(), ["." * 9]
    while waiting:
        board = waiting.pop()
        if board not in seen and free(board) and not (won(board, "X") or won(board, "O")):
            seen.add(board)
            waiting += [put(board, cell, to_move(board)) for cell in free(board)]
    return seen


def to_move(board):
    return "X" if board.count("X") == board.count("O") else "O"


def misleads(board, rule):
    """True if every move that looks best gives away the value of the position."""
    player = to_move(board)
    looks, keeps = {}, set()
    for cell in free(board):
        after = put(board, cell, player)
        x, o, draw = results(after, OTHER[player], rule)
        looks[cell] = (x if player == "X" else o) + draw / 2
        if -value(after, OTHER[player]) == value(board, player):
            keeps.add(cell)
    best = max(looks.values())
    return not any(looks[cell] == best for cell in keeps)


seen = positions()
found = [sum(misleads(board, rule) for board in seen) for rule in range(3)]
draws = [results("." * 9, "X", rule)[2] for rule in range(3)]
for name, wrong, share in zip(("random", "wins", "wins and blocks"), found, draws, strict=True):
    print(f"{name}: {wrong} of {len(seen)} wrong, draws {share}")
assert (len(seen), found) == (4520, [70, 16, 44])
assert draws == [Fraction(8, 63), Fraction(251, 5670), Fraction(139, 270)]
PYTHON
