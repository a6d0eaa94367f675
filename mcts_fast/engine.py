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
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.uint32]
Bytes: TypeAlias = NDArray[np.uint8]
Random: TypeAlias = np.random.Generator
settings: Any = numba.config
if not settings.CACHE_DIR:  # or else it writes into the folder of the package
    settings.CACHE_DIR = str(Path.home() / ".cache" / "mcts_fast")

TABULATED: Final = 10_000
ROOTS: Final = np.array([0.0, *(sqrt(log(visits)) for visits in range(1, TABULATED))])
"""``sqrt(log(visits))``, looked up, since it takes long to find."""

NODE: Final = np.dtype(
    [
        *(("wins", "f8"), ("visits", "i4"), ("created_at", "i4"), ("parent", "i4")),
        *(("place", "u4"), ("first", "u4"), ("moves", "u1"), ("tried", "u1"), ("action", "u1")),
        ("player_just_moved", "i1"),
    ],
    align=True,
)
"""A node, as the phases need it.

``place`` is its own, ``first`` that of its children (0 until the game has been asked for moves),
``moves`` how many places it has there, and ``tried`` how many of them are children.
"""
PLACE: Final = np.dtype([("mean", "f8"), ("inv_sqrt_visits", "f8"), ("node", "u4")], align=True)
"""The numbers by which a parent compares its children; siblings have their places side by side.

``node`` is the child's number; before that, a move without a child yet.
"""


class Given(NamedTuple):
    """The givens of a search. Pieces fall, in tic-tac-toe into columns of one cell.

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
    """Pieces in a row that win."""
    mine: int
    """At the root: the pieces of the player to move, and"""
    theirs: int
    """of the other one."""
    c: float
    rewards: NDArray[np.float64]
    """By result: the reward of each player."""


class Tree(NamedTuple):
    """The tree, with room for more, and what the trace tells of each iteration."""

    nodes: NDArray[Any]
    """In order of creation."""
    places: NDArray[Any]
    """Those of their children."""
    leaf: NDArray[np.int32]
    length: Bytes
    outcome: Bytes
    moves: Bytes
    """Those of all playouts, end to end."""
    used: NDArray[np.int64]
    """The counts of nodes, places, playout moves and iterations."""


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
def run(given: Given, tree: Tree, iterations: int, random: Random) -> int:
    """Do so many iterations more; return how many there are then."""
    path, choices = np.empty(64, np.uint32), np.empty(len(given.floors), np.uint8)
    for _ in range(iterations):
        depth = select(tree, given.c, path)
        depth = expand(given, tree, path, depth, random)
        outcome, length = simulate(given, tree, path[:depth], random, choices)
        backpropagate(tree, path[:depth], given.rewards[outcome])
        done = tree.used[3]
        tree.leaf[done], tree.length[done], tree.outcome[done] = path[depth - 1], length, outcome
        tree.used[2] += length
        tree.used[3] += 1
    result: int = tree.used[3]
    return result


@compiled
def select(tree: Tree, c: float, path: Numbers) -> int:
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
def expand(given: Given, tree: Tree, path: Numbers, depth: int, random: Random) -> int:
    """Add one untried move, picked at random; a leaf where the game is over stays as it is."""
    leaf = tree.nodes[path[depth - 1]]
    if not leaf.first:
        open_leaf(given, tree, path[:depth])
    untried = leaf.moves - leaf.tried
    if not untried:
        return depth
    place = leaf.first + leaf.tried
    picked = place + int(random.random() * untried)
    action = tree.places[picked].node
    for i in range(picked, place, -1):
        tree.places[i].node = tree.places[i - 1].node
    path[depth] = add_child(tree, path[depth - 1], action)
    return depth + 1


@compiled
def simulate(
    given: Given, tree: Tree, path: Numbers, random: Random, choices: Bytes
) -> tuple[int, int]:
    """Play legal moves, each equally likely, until the game is over."""
    mine, theirs = state_of(given, tree, path)
    moves = tree.moves[tree.used[2] :]
    last, length, left = tree.nodes[path[-1]].player_just_moved, 0, 0
    for action in range(len(choices)):
        choices[left] = action  # to be overwritten by the next if it is not legal
        left += cell_of(given, mine | theirs, action) != 0
    while not has_line(given, theirs):
        if not left:
            return 2, length
        picked = int(random.random() * left)
        action = choices[picked]
        mine, theirs = theirs, mine | cell_of(given, mine | theirs, action)
        moves[length] = action
        last, length = 1 - last, length + 1
        if not cell_of(given, mine | theirs, action):  # the column is full now
            left -= 1
            for i in range(picked, left):
                choices[i] = choices[i + 1]
    return last, length


@compiled
def backpropagate(tree: Tree, path: Numbers, rewards: NDArray[np.float64]) -> None:
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
def state_of(given: Given, tree: Tree, path: Numbers) -> tuple[int, int]:
    """The position at the end of ``path``: the pieces of the player to move, and of the other."""
    mine, theirs = given.mine, given.theirs
    for node in path[1:]:
        cell = cell_of(given, mine | theirs, tree.nodes[node].action)
        mine, theirs = theirs, mine | cell
    return mine, theirs


@compiled
def open_leaf(given: Given, tree: Tree, path: Numbers) -> None:
    """Give a node places for its children; until these are born, the moves wait there in order."""
    leaf = tree.nodes[path[-1]]
    leaf.first = tree.used[1]
    mine, theirs = state_of(given, tree, path)
    if has_line(given, theirs):
        return
    for action in range(len(given.floors)):
        if cell_of(given, mine | theirs, action):
            tree.places[leaf.first + leaf.moves].node = action
            leaf.moves += 1
    tree.used[1] += leaf.moves


@compiled
def add_child(tree: Tree, parent: int, action: int) -> int:
    """Put the position after ``action`` into the tree, below ``parent``; return its number."""
    child: int = tree.used[0]
    above, new = tree.nodes[parent], tree.nodes[child]
    new.wins, new.visits, new.first, new.moves, new.tried = 0.0, 0, 0, 0, 0
    new.parent, new.action, new.created_at = parent, action, tree.used[3] + 1
    new.player_just_moved = 1 - above.player_just_moved
    new.place = above.first + above.tried
    tree.places[new.place].node = child
    above.tried += 1
    tree.used[0] += 1
    return child


@compiled
def cell_of(given: Given, occupied: int, action: int) -> int:
    """The bit of the cell that a move fills; 0 if its column is full."""
    cell: int = occupied + given.floors[action] & given.columns[action]
    return cell


@compiled
def has_line(given: Given, pieces: int) -> bool:
    """True if they hold ``connect`` in a row, which are two pairs that may overlap."""
    for step in given.steps:
        pairs = pieces & pieces >> step
        if pairs & pairs >> (given.connect - 2) * step:
            return True
    return False
