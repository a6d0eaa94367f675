"""The four phases again, compiled by Numba, for tic-tac-toe and Connect Four.

Read it beside :mod:`mcts_viz.search.mcts`: the same functions in the same order. A node is a row of
a table instead of an object, a position is two integers, and siblings are compared in a table of
their own, side by side. The same random numbers are used in the same order, so the same seed grows
the same tree, which the tests check bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log, sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

settings: Any = numba.config
if not settings.CACHE_DIR:  # or else it writes into the folder of the package
    settings.CACHE_DIR = str(Path.home() / ".cache" / "mcts_fast")

TABULATED: Final = 10_000
ROOTS: Final = np.array([0.0, *(sqrt(log(visits)) for visits in range(1, TABULATED))])
"""``sqrt(log(visits))``, looked up, since it takes long to find."""

NODE: Final = np.dtype(
    [
        ("wins", np.float64),
        ("visits", np.int32),
        ("created_at", np.int32),
        ("parent", np.int32),
        ("place", np.uint32),  # its own
        ("first", np.uint32),  # place of its children; 0 until the game has been asked for moves
        ("moves", np.uint8),  # how many places it has there,
        ("tried", np.uint8),  # and how many of them are children
        ("action", np.uint8),
        ("player_just_moved", np.int8),
    ],
    align=True,
)
"""A node, as the phases need it."""

PLACE: Final = np.dtype(
    [
        ("mean", np.float64),
        ("inv_sqrt_visits", np.float64),
        ("node", np.uint32),  # the child's number; before that, a move without a child yet
    ],
    align=True,
)
"""What a parent compares its children by; siblings have their places side by side."""


class Board(NamedTuple):
    """The rules of either game: pieces fall, in tic-tac-toe into columns of one cell.

    Each column has a bit of its own above its cells, which is never set. So no line of pieces runs
    on from one column into the next, and a sum that leaves a full column carries into that bit.
    """

    floors: NDArray[np.int64]
    """By move: the lowest cell of its column."""
    columns: NDArray[np.int64]
    """By move: all cells of its column."""
    steps: tuple[int, int, int, int]
    """From a cell to the next of a line, in each direction."""
    connect: int
    """How many in a row win."""
    mine: int
    """At the root: the pieces of the player to move, and"""
    theirs: int
    """of the other one."""


class Tree(NamedTuple):
    """The nodes in order of creation, and the places of their children."""

    nodes: NDArray[Any]
    places: NDArray[Any]
    used: NDArray[np.int64]
    """How many nodes and how many places there are; the rest is room for more."""


class Iterations(NamedTuple):
    """By iteration: what the trace tells of it; the moves of all playouts stand end to end."""

    leaf: NDArray[np.int32]
    length: NDArray[np.uint8]
    outcome: NDArray[np.uint8]
    moves: NDArray[np.uint8]


Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile when it is first called, and keep the result in a file, where there is a place."""
    try:
        made: Function = numba.njit(function, cache=True, nogil=True)
    except RuntimeError:  # the user's folder takes no files
        made = numba.njit(function, nogil=True)
    return made


# The four phases ---------------------------------------------------------------------------------


@compiled
def run(
    board: Board,
    tree: Tree,
    done: int,
    random: np.random.Generator,
    c: float,
    rewards: NDArray[np.float64],
    columns: Iterations,
) -> int:
    """Fill ``columns`` with iterations after ``done`` others; answer how many moves were played."""
    path = np.empty(64, np.uint32)
    choices = np.empty(len(board.floors), np.uint8)
    played = 0
    for i in range(len(columns.leaf)):
        depth = select(tree, c, path)
        depth = expand(board, tree, path, depth, done + i + 1, random)
        node = path[depth - 1]
        moves = columns.moves[played:]
        outcome, length = simulate(board, tree, path[:depth], random, choices, moves)
        backpropagate(tree, path[:depth], rewards[outcome])
        columns.leaf[i], columns.length[i], columns.outcome[i] = node, length, outcome
        played += length
    return played


@compiled
def select(tree: Tree, c: float, path: NDArray[np.uint32]) -> int:
    """Walk down by the best score, to a node with an untried move or the end of a game."""
    nodes, places, depth = tree.nodes, tree.places, 1
    path[0] = 0
    node = path[0]
    while nodes[node].tried and nodes[node].tried == nodes[node].moves:
        visits = nodes[node].visits
        shared = c * (ROOTS[visits] if visits < TABULATED else sqrt(log(visits)))
        first = best_place = nodes[node].first
        best = -inf
        for place in range(first, first + nodes[node].moves):
            score = places[place].mean + shared * places[place].inv_sqrt_visits
            if score > best:
                best, best_place = score, place
        node = places[best_place].node
        path[depth] = node
        depth += 1
    return depth


@compiled
def expand(
    board: Board,
    tree: Tree,
    path: NDArray[np.uint32],
    depth: int,
    iteration: int,
    random: np.random.Generator,
) -> int:
    """Add one untried move, picked at random; a leaf where the game is over stays as it is."""
    leaf = tree.nodes[path[depth - 1]]
    if not leaf.first:
        open_leaf(board, tree, path[:depth])
    untried = leaf.moves - leaf.tried
    if not untried:
        return depth
    place = leaf.first + leaf.tried
    picked = place + int(random.random() * untried)
    action = tree.places[picked].node
    for i in range(picked, place, -1):
        tree.places[i].node = tree.places[i - 1].node
    path[depth] = add_child(tree, path[depth - 1], action, iteration)
    return depth + 1


@compiled
def simulate(
    board: Board,
    tree: Tree,
    path: NDArray[np.uint32],
    random: np.random.Generator,
    choices: NDArray[np.uint8],
    moves: NDArray[np.uint8],
) -> tuple[int, int]:
    """Play legal moves, each equally likely, until the game is over."""
    mine, theirs = state_of(board, tree, path)
    last, length, left = tree.nodes[path[-1]].player_just_moved, 0, 0
    for action in range(len(choices)):
        choices[left] = action  # to be overwritten by the next if it is not legal
        left += cell_of(board, mine | theirs, action) != 0
    while not has_line(board, theirs):
        if not left:
            return 2, length
        picked = int(random.random() * left)
        action = choices[picked]
        mine, theirs = theirs, mine | cell_of(board, mine | theirs, action)
        moves[length] = action
        last, length = 1 - last, length + 1
        if not cell_of(board, mine | theirs, action):  # the column is full now
            left -= 1
            for i in range(picked, left):
                choices[i] = choices[i + 1]
    return last, length


@compiled
def backpropagate(tree: Tree, path: NDArray[np.uint32], rewards: NDArray[np.float64]) -> None:
    """Give each node of ``path`` one visit, and the reward of the player who moved there."""
    for number in path:
        node = tree.nodes[number]
        visits, wins = node.visits + 1, node.wins + rewards[node.player_just_moved]
        node.visits, node.wins = visits, wins
        place = tree.places[node.place]
        place.mean = wins / visits
        place.inv_sqrt_visits = 1 / sqrt(visits)


# What the phases ask for -------------------------------------------------------------------------


@compiled
def state_of(board: Board, tree: Tree, path: NDArray[np.uint32]) -> tuple[int, int]:
    """The position at the end of ``path``: the pieces of the player to move, and of the other."""
    mine, theirs = board.mine, board.theirs
    for node in path[1:]:
        cell = cell_of(board, mine | theirs, tree.nodes[node].action)
        mine, theirs = theirs, mine | cell
    return mine, theirs


@compiled
def open_leaf(board: Board, tree: Tree, path: NDArray[np.uint32]) -> None:
    """Give a node places for its children; until these are born, the moves wait there in order."""
    leaf = tree.nodes[path[-1]]
    leaf.first = tree.used[1]
    mine, theirs = state_of(board, tree, path)
    if has_line(board, theirs):
        return
    for action in range(len(board.floors)):
        if cell_of(board, mine | theirs, action):
            tree.places[leaf.first + leaf.moves].node = action
            leaf.moves += 1
    tree.used[1] += leaf.moves


@compiled
def add_child(tree: Tree, parent: int, action: int, iteration: int) -> int:
    """Put the position after ``action`` into the tree, below ``parent``, and answer its number."""
    child: int = tree.used[0]
    above, new = tree.nodes[parent], tree.nodes[child]
    new.wins, new.visits, new.first, new.moves, new.tried = 0.0, 0, 0, 0, 0
    new.parent, new.action, new.created_at = parent, action, iteration
    new.player_just_moved = 1 - above.player_just_moved
    new.place = above.first + above.tried
    tree.places[new.place].node = child
    above.tried += 1
    tree.used[0] += 1
    return child


@compiled
def cell_of(board: Board, occupied: int, action: int) -> int:
    """The bit of the cell that a move fills; 0 if its column is full."""
    cell: int = occupied + board.floors[action] & board.columns[action]
    return cell


@compiled
def has_line(board: Board, pieces: int) -> bool:
    """Whether they hold ``connect`` in a row, which are two pairs that may overlap."""
    for step in board.steps:
        pairs = pieces & pieces >> step
        if pairs & pairs >> (board.connect - 2) * step:
            return True
    return False
