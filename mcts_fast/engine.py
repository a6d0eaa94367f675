"""The four phases again, compiled by Numba, for tic-tac-toe and Connect Four.

Read it beside :mod:`mcts_viz.search.mcts`: the same functions in the same order. A node is a row of
a table instead of an object, a position is two integers, and siblings are compared in a table of
their own, side by side. The same random numbers are used in the same order, so the same seed grows
the same tree, which the tests check bit by bit.
"""

from __future__ import annotations

from math import inf, log, sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numba
import numpy as np

Array: TypeAlias = Any
"""A NumPy array; of a table, the rows have the columns as attributes when they are compiled."""
Board: TypeAlias = tuple[int, int]
"""The pieces of the player to move, and of the other one."""
settings: Any = numba.config
if not settings.CACHE_DIR:  # or else it writes into the folder of the package
    settings.CACHE_DIR = str(Path.home() / ".cache" / "mcts_fast")

ROOTS: Final = np.array([0.0, *(sqrt(log(visits)) for visits in range(1, 10_000))])
"""``sqrt(log(visits))``, looked up, since it takes long to find."""
NODE: Final = np.dtype(
    [
        *(("wins", "f8"), ("visits", "i4"), ("created_at", "i4"), ("parent", "i4")),
        *(("first", "u4"), ("moves", "u1"), ("tried", "u1"), ("action", "u1")),
        ("player_just_moved", "i1"),
    ],
    align=True,
)
"""A node, as the phases need it.

``first`` is the place of its first child (0 until the game has been asked for moves), ``moves`` how
many places there are for children, and ``tried`` how many of these are children.
"""
PLACE: Final = np.dtype([("mean", "f8"), ("inv_sqrt_visits", "f8"), ("node", "u4")], align=True)
"""The numbers by which a parent compares its children; siblings have their places side by side.

``node`` is the child's number; before that, a move without a child yet. Place 0 is the root's. A
path is made of places.
"""
ITERATION: Final = np.dtype([("leaf", "i4"), ("length", "u1"), ("outcome", "u1")], align=True)
"""An iteration: where its playout began, how many moves that had, and its result."""


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
    random: np.random.Generator


class Tree(NamedTuple):
    """The tree, with room for more, and what the trace tells of each iteration."""

    used: Array
    """The counts of nodes, places, iterations and playout moves."""
    nodes: Array
    """In order of creation."""
    places: Array
    """Those of their children."""
    iterations: Array
    moves: Array
    """Those of all playouts, end to end."""


def compiled(function: Any) -> Any:
    """Compile when it is first called, and keep the result in a file, where there is a place."""
    try:
        return numba.njit(function, cache=True, nogil=True)
    except RuntimeError:  # the user's folder takes no files
        return numba.njit(function, nogil=True)


# The four phases ---------------------------------------------------------------------------------


@compiled
def run(given: Given, tree: Tree, iterations: int) -> int:
    """Do so many iterations more; return how many there are then."""
    path, choices = np.zeros(64, np.uint32), np.empty(len(given.floors), np.uint8)
    for _ in range(iterations):
        depth, board = select(given, tree, path)
        depth, board = expand(given, tree, path, depth, board)
        leaf, done = tree.places[path[depth - 1]].node, tree.iterations[tree.used[2]]
        outcome, length = simulate(given, tree, leaf, board, choices)
        backpropagate(tree, path[:depth], given.rewards[outcome])
        done.leaf = leaf
        done.length = length
        done.outcome = outcome
        tree.used[2] += 1
        tree.used[3] += length
    return int(tree.used[2])


@compiled
def select(given: Given, tree: Tree, path: Array) -> tuple[int, Board]:
    """Walk down by the best score, to a node with an untried move or the end of a game."""
    node, board = tree.nodes[0], given.board
    places, depth = tree.places, 1
    while node.tried and node.tried == node.moves:
        visits, highest = node.visits, -inf
        shared = given.c * (ROOTS[visits] if visits < len(ROOTS) else sqrt(log(visits)))
        for place in range(node.first, node.first + node.moves):
            score = places[place].mean + shared * places[place].inv_sqrt_visits
            if score > highest:
                path[depth], highest = place, score
        node = tree.nodes[places[path[depth]].node]
        board = after(given, board, node.action)
        depth += 1
    return depth, board


@compiled
def expand(given: Given, tree: Tree, path: Array, depth: int, board: Board) -> tuple[int, Board]:
    """Add one untried move, picked at random; a leaf where the game is over stays as it is.

    A node has a place for each of its moves. The first ``tried`` of them hold the numbers of its
    children, in the order of their birth; in the others moves wait that are untried.
    """
    places, used = tree.places, tree.used
    parent, child = places[path[depth - 1]].node, used[0]
    leaf, new = tree.nodes[parent], tree.nodes[child]
    if not leaf.first:
        leaf.first = used[1]
        leaf.moves = legal_actions(given, board, places[leaf.first :].node)
        used[1] += leaf.moves
    if leaf.tried == leaf.moves:
        return depth, board
    place = leaf.first + leaf.tried
    picked = place + int(given.random.random() * (leaf.moves - leaf.tried))
    action = places[picked].node
    for i in range(picked, place, -1):  # those before it move up, and stay in their order
        places[i].node = places[i - 1].node
    new.parent = parent
    new.action = action
    new.created_at = used[2] + 1
    new.player_just_moved = 1 - leaf.player_just_moved
    path[depth], places[place].node = place, child
    leaf.tried += 1
    used[0] += 1
    return depth + 1, after(given, board, action)


@compiled
def simulate(given: Given, tree: Tree, leaf: int, board: Board, choices: Array) -> tuple[int, int]:
    """Play legal moves, each equally likely, until the game is over."""
    moves = tree.moves[tree.used[3] :]
    last = tree.nodes[leaf].player_just_moved
    length = 0
    left = legal_actions(given, board, choices)
    while left and not has_line(given, board[1]):
        picked = int(given.random.random() * left)
        action = choices[picked]
        board = after(given, board, action)
        moves[length] = action
        last, length = 1 - last, length + 1
        if not cell_of(given, board, action):  # the column is full now
            left -= 1
            for i in range(picked, left):
                choices[i] = choices[i + 1]
    return last if has_line(given, board[1]) else 2, length


@compiled
def backpropagate(tree: Tree, path: Array, rewards: Array) -> None:
    """Give each node of ``path`` one visit, and the reward of the player who moved there."""
    for number in path:
        place = tree.places[number]
        node = tree.nodes[place.node]
        node.visits += 1
        node.wins += rewards[node.player_just_moved]
        place.mean, place.inv_sqrt_visits = node.wins / node.visits, 1 / sqrt(node.visits)


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
