"""The four phases again, compiled by Numba, for tic-tac-toe and Connect Four.

Read it beside :mod:`mcts_viz.search.mcts`: the same functions in the same order. A node is a row of
a table instead of an object, its children lie side by side, and a position is two integers. The
same random numbers are used in the same order, so the same seed grows the same tree, which the
tests check bit by bit.
"""

from __future__ import annotations

from functools import partial
from math import inf, log, sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numba
import numpy as np

Array: TypeAlias = Any
"""A NumPy array; of a table, the rows have the columns as attributes when they are compiled."""
Place: TypeAlias = Any
"""A row of the table of places."""
Board: TypeAlias = tuple[int, int]
"""The pieces of the player to move, and of the other one."""
settings: Any = numba.config
if not settings.CACHE_DIR:  # or else it writes into the folder of the package
    settings.CACHE_DIR = str(Path.home() / ".cache" / "mcts_fast")

ROOTS: Final = np.array([0.0, *(sqrt(log(visits)) for visits in range(1, 10_000))])
"""``sqrt(log(visits))``, looked up, since it takes long to find."""
PLACE: Final = np.dtype(
    [
        *(("mean", "f8"), ("inv_sqrt_visits", "f8"), ("wins", "f8"), ("visits", "i4")),
        *(("first", "u4"), ("node", "u4"), ("moves", "u1"), ("tried", "u1"), ("action", "u1")),
        ("player_just_moved", "i1"),
    ],
    align=True,
)
"""A node as the phases need it, or a move that waits to become one.

A node has a place for each of its moves, ``moves`` in all, from the place ``first`` on (0 until the
game has been asked for them). The first ``tried`` of them are its children, in the order of their
birth; in the others moves wait that are untried. ``node`` is the number of the node.
"""
NODE: Final = np.dtype(
    [("parent", "i4"), ("created_at", "i4"), ("action", "u1"), ("player_just_moved", "i1")],
    align=True,
)
"""A node, as the trace tells it."""
ITERATION: Final = np.dtype([("leaf", "i4"), ("length", "u1"), ("outcome", "u1")], align=True)
"""An iteration: where its playout began, how many moves that had, and its result."""
WORDS: Final = 624
"""Of the Mersenne Twister: 32 bits each, two of which make a random number."""


class Given(NamedTuple):
    """The givens of a search. Pieces fall, in tic-tac-toe into columns of one cell.

    Each column has a bit of its own above its cells, which is never set. So no line of pieces runs
    on from one column into the next, and a sum that leaves a full column carries into that bit.
    """

    floors: Array
    """For each move: the lowest cell of its column."""
    columns: Array
    """For each move: all cells of its column."""
    steps: tuple[int, int, int, int]
    """From a cell to the next of a line, in each direction."""
    connect: int
    """Pieces in a row that win."""
    board: Board
    """At the root."""
    c: float
    rewards: Array
    """For each result: the reward of each player."""
    twister: Array
    """The state of Python's generator of random numbers: its words."""
    numbers: Array
    """The random numbers that they made last."""


class Tree(NamedTuple):
    """The tree, with room for more, and what the trace tells of it and of each iteration."""

    used: Array
    """The counts of nodes, places, iterations, playout moves and random numbers."""
    places: Array
    """First that of the root, and then those of siblings side by side."""
    nodes: Array
    """In order of creation."""
    iterations: Array
    moves: Array
    """Those of all playouts, end to end."""


def compiled(function: Any) -> Any:
    """Compile when it is first called, and keep the result in a file, where there is a place."""
    compile_it = partial(numba.njit, nogil=True, forceinline=True, error_model="numpy")
    try:
        return compile_it(function, cache=True)
    except RuntimeError:  # the user's folder takes no files
        return compile_it(function)


# The four phases ---------------------------------------------------------------------------------


@compiled
def run(given_: tuple[Any, ...], tree_: tuple[Any, ...], iterations: int) -> int:
    """Do so many iterations more; return how many there are then."""
    given, tree = Given(*given_), Tree(*tree_)  # plain tuples are handed over in half the time
    path, choices = np.zeros(64, np.uint32), np.empty(len(given.floors), np.uint8)
    for _ in range(iterations):
        depth, board = select(given, tree, path)
        leaf = tree.places[path[depth - 1]]
        if not leaf.first:
            open_leaf(given, tree, leaf, board)
        if leaf.tried < leaf.moves:
            depth, board = expand(given, tree, path, depth, board)
        leaf = tree.places[path[depth - 1]]
        outcome, length = simulate(given, tree, leaf, board, choices)
        backpropagate(given, tree, path, depth, outcome)
        done = tree.iterations[tree.used[2]]
        done.leaf = leaf.node
        done.length = length
        done.outcome = outcome
        tree.used[2] += 1
        tree.used[3] += length
    return int(tree.used[2])


@compiled
def select(given: Given, tree: Tree, path: Array) -> tuple[int, Board]:
    """Walk down by the best score, to a node with an untried move or the end of a game."""
    places, depth = tree.places, 1
    node, board = places[0], given.board
    while node.tried and node.tried == node.moves:
        visits, best = node.visits, node.first
        highest = -inf
        shared = given.c * (ROOTS[visits] if visits < len(ROOTS) else sqrt(log(visits)))
        for place in range(node.first, node.first + node.moves):
            score = places[place].mean + shared * places[place].inv_sqrt_visits
            if score > highest:
                best, highest = place, score
        node = places[best]
        board = after(given, board, node.action)
        path[depth] = best
        depth += 1
    return depth, board


@compiled
def expand(given: Given, tree: Tree, path: Array, depth: int, board: Board) -> tuple[int, Board]:
    """Make one untried move of the path's end a node, picked at random."""
    places, leaf = tree.places, tree.places[path[depth - 1]]
    new, node = leaf.first + leaf.tried, tree.used[0]
    picked = new + int(draw(given, tree) * (leaf.moves - leaf.tried))
    action, mover = places[picked].action, 1 - leaf.player_just_moved
    for i in range(picked, new, -1):  # those before it move up, and stay in their order
        places[i].action = places[i - 1].action
    path[depth] = new
    child, told = places[new], tree.nodes[node]
    child.node = node
    child.action = told.action = action
    child.player_just_moved = told.player_just_moved = mover
    told.parent = leaf.node
    told.created_at = tree.used[2] + 1
    leaf.tried += 1
    tree.used[0] += 1
    return depth + 1, after(given, board, action)


@compiled
def simulate(
    given: Given, tree: Tree, leaf: Place, board: Board, choices: Array
) -> tuple[int, int]:
    """Play legal moves, each equally likely, until the game is over."""
    begin, length = tree.used[3], 0
    last = leaf.player_just_moved
    left = legal_actions(given, board, choices)
    while left and not has_line(given, board[1]):
        picked = int(draw(given, tree) * left)
        action = choices[picked]
        board = after(given, board, action)
        tree.moves[begin + length] = action
        last, length = 1 - last, length + 1
        if not cell_of(given, board, action):  # the column is full now
            left -= 1
            for i in range(picked, left):
                choices[i] = choices[i + 1]
    return last if has_line(given, board[1]) else 2, length


@compiled
def backpropagate(given: Given, tree: Tree, path: Array, depth: int, outcome: int) -> None:
    """Give each node of ``path`` one visit, and the reward of the player who moved there."""
    for i in range(depth):
        node = tree.places[path[i]]
        node.visits += 1
        node.wins += given.rewards[outcome, node.player_just_moved]
        node.mean, node.inv_sqrt_visits = node.wins / node.visits, 1 / sqrt(node.visits)


# What the phases ask for -------------------------------------------------------------------------


@compiled
def open_leaf(given: Given, tree: Tree, leaf: Place, board: Board) -> None:
    """Give a node a place for each of its moves."""
    leaf.first = tree.used[1]
    leaf.moves = legal_actions(given, board, tree.places[leaf.first :].action)
    tree.used[1] += leaf.moves


@compiled
def draw(given: Given, tree: Tree) -> float:
    """The next random number, as Python's generator makes it."""
    place = tree.used[4] % (WORDS // 2)
    if not place:
        twist(given.twister)
        for i in range(WORDS // 2):
            high, low = tempered(given.twister[2 * i]), tempered(given.twister[2 * i + 1])
            given.numbers[i] = ((high >> 5) * 2.0**26 + (low >> 6)) / 2.0**53
    tree.used[4] += 1
    return float(given.numbers[place])


@compiled
def twist(words: Array) -> None:
    """Make the next words of the Mersenne Twister (Matsumoto and Nishimura, 1998)."""
    for i in range(WORDS):
        mixed = words[i] & 0x80000000 | words[(i + 1) % WORDS] & 0x7FFFFFFF
        words[i] = words[(i + 397) % WORDS] ^ mixed >> 1 ^ (mixed & 1) * 0x9908B0DF


@compiled
def tempered(word: int) -> int:
    """A word as it is given out."""
    word ^= word >> 11
    word ^= word << 7 & 0x9D2C5680
    word ^= word << 15 & 0xEFC60000
    return word ^ word >> 18


# The rules of the game ---------------------------------------------------------------------------


@compiled
def legal_actions(given: Given, board: Board, found: Array) -> int:
    """Write the legal moves into ``found``; return how many there are, 0 when the game is over."""
    count = 0
    if not has_line(given, board[1]):
        for action in range(len(given.floors)):
            found[count] = action  # to be overwritten by the next if it is not legal
            count += cell_of(given, board, action) != 0
    return count


@compiled
def after(given: Given, board: Board, action: int) -> Board:
    """The board after a move."""
    return board[1], board[0] | cell_of(given, board, action)


@compiled
def cell_of(given: Given, board: Board, action: int) -> int:
    """The bit of the cell that a move fills; 0 if its column is full."""
    return int((board[0] | board[1]) + given.floors[action] & given.columns[action])


@compiled
def has_line(given: Given, pieces: int) -> bool:
    """True if they hold ``connect`` in a row, which are two pairs that may overlap."""
    for step in given.steps:
        pairs = pieces & pieces >> step
        if pairs & pairs >> (given.connect - 2) * step:
            return True
    return False
