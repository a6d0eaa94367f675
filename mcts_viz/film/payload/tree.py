"""The tree, from which the browser makes the river, and its moves: nodes, playouts and untried."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import chain, filterfalse, pairwise, starmap
from typing import Any, Final, NamedTuple

import numpy as np

from ...games import turns
from ...trace import Trace
from ...trace.trace import RecordedTree
from ..boards import Board
from ..search_film import SearchFilm
from ..words import plain
from .columns import Array, Columns, numbered

MOST_COUNTED: Final = 100_000
"""Nodes of a search whose untried moves are all counted; of a larger one only the film's are."""


def recorded(trace: Trace, iterations: Array) -> Columns:
    """Of a trace by node, and by these iterations, counted from 0."""
    return {
        "created_at": trace.created_at,
        "player_just_moved": trace.player_just_moved,
        "leaf": trace.leaf[iterations],
        "outcome": trace.outcome[iterations],
        "visits_before": trace.visits_before,
        "wins_before": trace.wins_before,
    }


def of_tree(data: SearchFilm) -> tuple[list[str], Columns]:
    """The names of all moves, of nodes, untried and in playouts, which are numbers in columns."""
    trace, board = data.trace, data.board
    found = cells(trace, board) if board else np.zeros(0, np.uint8)
    at_once = board and board.lands and trace.plays_at_random
    played = _pieces_put(data, board, found) if board and at_once else _moves_played(data)
    untried = _untried(data, found)
    names, numbers = numbered([*data.labels, *untried.labels, *played.labels])
    nodes = len(trace.parent)
    of_nodes, of_untried, of_moves = np.split(numbers, [nodes, nodes + len(untried.labels)])
    columns = recorded(trace, data.iterations - 1) | {
        "order": data.order[data.nodes],
        "label": of_nodes,
        "untried": of_untried,
        "untried_ends": np.append(
            0, np.cumsum(np.bincount(np.asarray(untried.node, np.intp), minlength=nodes))
        ),
        "untried_places": np.array(untried.places, np.int64),
        "untried_counts" if data.is_whole else "all_untried_counts": untried.counts,
        "moves": trace.playouts.lengths[data.iterations - 1],
        "move_label": of_moves[played.codes],
        "changes": played.changes,
        "change_place": played.places,
        "change_piece": played.pieces,
    }
    if board:
        columns["cells"] = found.ravel()
    return names, columns if data.is_whole else columns | _left_out(data)


def _left_out(data: SearchFilm) -> Columns:
    """The whole tree if iterations are left out, for the river shows all of it."""
    search, part = data.source, data.trace
    shown = np.full(len(search.parent), -1)
    shown[data.nodes] = np.arange(len(data.nodes))
    whole = {"parent": search.parent, "order": data.order, "shown": shown}
    whole |= recorded(search, np.arange(len(search)))
    below = [np.bincount(of.parent[1:], minlength=len(of.parent)) for of in (search, part)]
    columns = {f"all_{name}": column for name, column in whole.items()}
    lacks = below[0][data.nodes] > below[1]
    return columns | {"iterations": data.iterations, "lacks_children": lacks}


# Boards -------------------------------------------------------------------------------------------


def cells(tree: RecordedTree, board: Board) -> Array:
    """For each node: its cells, a row of them."""
    if not board.lands:
        states = map(tree.state, range(len(tree.parent)))
        every = [bytes(board.cells(state)) for state in states]
        return np.frombuffer(b"".join(every), np.uint8).reshape(len(every), -1)
    actions = _acted(tree, tree.action[1:])
    found = np.zeros((len(tree.parent), board.rows * board.columns), np.uint8)
    found[0] = list(board.cells(tree.root_state))
    nodes, mover = np.zeros(1, np.int64), tree.game.to_move(tree.root_state)
    while len(nodes := np.flatnonzero(np.isin(tree.parent, nodes))):  # level by level
        found[nodes] = found[tree.parent[nodes]]
        _put(board, found, nodes, actions[nodes - 1], mover + 1)
        mover = 1 - mover
    return found


def _acted(tree: RecordedTree, codes: Array) -> Array:
    """The actions of these numbers, where all of them are whole numbers."""
    cell_of = np.zeros(len(tree.actions), np.int64)
    played = np.flatnonzero(np.bincount(codes))  # a file may name other actions, which are no cells
    cell_of[played] = [tree.actions[code] for code in played]
    acted: Array = cell_of[codes]
    return acted


def _put(board: Board, found: Array, rows: Array, actions: Array, pieces: Array | int) -> Array:
    """Play an action in each of these rows of cells; return where its piece lands."""
    assert board.lands
    places = board.lands(found[rows], actions)
    found[rows, places] = pieces
    return places


# Playouts -----------------------------------------------------------------------------------------


class _Moves(NamedTuple):
    """The moves of all playouts of the film, end to end, and what each changes on the board."""

    labels: list[str]
    """Names of moves; some may be of none."""
    codes: Array
    """For each move: its place in ``labels``."""
    changes: Array
    """For each move: how many cells it changes; empty without a board."""
    places: Array
    """For each change: the cell."""
    pieces: Array
    """For each change: what is there then, 0 if nothing is."""


def _pieces_put(data: SearchFilm, board: Board, cells_of_nodes: Array) -> _Moves:
    """Play all playouts at once, move by move, each of which puts one piece on the board."""
    trace = data.trace
    codes = np.concatenate([trace.playouts[one] for one in data.iterations.tolist()])
    actions = _acted(trace, codes)  # by move of all playouts, end to end
    lengths = trace.playouts.lengths[data.iterations - 1].astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    leaf = trace.leaf[data.iterations - 1]
    positions = cells_of_nodes[leaf]  # one row a playout
    first = (trace.player_just_moved[leaf] + 1) % 2  # who moves first in each
    places, pieces = np.zeros((2, len(codes)), np.uint8)
    for move in range(int(lengths.max(initial=0))):
        rows = np.flatnonzero(lengths > move)  # the playouts that are so long
        at = starts[rows] + move
        pieces[at] = (first[rows] + move) % 2 + 1
        places[at] = _put(board, positions, rows, actions[at], pieces[at])
    labels = [plain(str(action)) for action in trace.actions]
    return _Moves(labels, codes, np.ones(len(codes), np.uint8), places, pieces)


def _moves_played(data: SearchFilm) -> _Moves:
    """Play all playouts move after move; refuse the first illegal one that a policy has noted."""
    trace, board = data.trace, data.board
    labels: list[str] = []
    changes: list[list[tuple[int, int]]] = []
    for iteration in data.iterations.tolist():
        states = trace.played_out(iteration)
        for state, code in zip(states, trace.playouts[iteration].tolist(), strict=False):
            labels.append(plain(data.game.action_label(state, trace.actions[code])))
        changes += starmap(_changed, pairwise(map(board.cells, states) if board else ()))
    each = [*chain.from_iterable(changes)]
    numbers = ([*map(len, changes)], [place for place, _ in each], [piece for _, piece in each])
    columns = [np.array(column, np.uint8) for column in numbers]
    return _Moves(labels, np.arange(len(labels)), *columns)


def _changed(before: Sequence[int], after: Sequence[int]) -> list[tuple[int, int]]:
    """The cells that differ, and what is there then."""
    return [(place, after[place]) for place in range(len(after)) if after[place] != before[place]]


# Untried moves ------------------------------------------------------------------------------------


class _Untried(NamedTuple):
    """The moves that have no node even at the end of the film, node after node.

    Of nodes without children none are named.
    """

    labels: list[str]
    node: Sequence[int] | Array
    """For each move: the node of the film from which it leads."""
    places: Sequence[int] | Array
    """For each move: how many of the node's children come before it in the order of moves."""
    counts: Array
    """By node of the whole search: how many; 0 where they are not counted."""


def _untried(data: SearchFilm, found: Array) -> _Untried:
    """The untried moves of all nodes; of a very large tree, of those of the film."""
    size = len(data.source.parent)
    asked = data.nodes if size > MOST_COUNTED else np.arange(size)
    number = np.full(size, -1)  # in the film
    number[data.nodes] = np.arange(len(data.nodes))
    if data.board and data.board.lands:
        return _untried_on(data, data.board, found, asked)
    return _untried_by_rules(data, asked, number.tolist())


def _untried_by_rules(data: SearchFilm, asked: Array, number: list[int]) -> _Untried:
    """The same, asked of the rules node by node."""
    source, game = data.source, data.game
    names: list[str] = []
    of: list[int] = []
    places: list[int] = []
    counts = np.zeros(len(number), np.int64)
    for node in asked.tolist():
        children = sorted(source.children[node], key=data.order.__getitem__)
        tried = [source.action_of(child) for child in children]
        moves = turns.moves_of(game, source.state(node)) if children else ()
        left = list(filterfalse({*tried}.__contains__, moves))
        counts[node] = len(left)
        if number[node] >= 0:
            of += [number[node]] * len(left)
            places += _places(left, tried)
            names += [plain(game.action_label(source.state(node), action)) for action in left]
    return _Untried(names, of, places, counts)


def _places(left: list[Any], tried: list[Any]) -> list[int]:
    """The number of tried moves that come before each move that is left.

    Moves that cannot be compared come last.
    """
    try:
        keys = [(type(action).__name__, action) for action in tried]
        return [bisect(keys, (type(action).__name__, action)) for action in left]
    except TypeError:
        return [len(tried)] * len(left)


def _untried_on(data: SearchFilm, board: Board, found: Array, asked: Array) -> _Untried:
    """The same of all nodes at once, on a board where a move lands on an empty cell."""
    source = data.source
    row = np.full(len(source.parent), -1)  # in the tables below, by node
    row[asked] = np.arange(len(asked))
    actions = np.array(data.game.legal_actions(data.game.initial_state()))
    positions = found if len(asked) == len(found) else cells(source, board)
    legal = _lands_on_empty(positions, actions, board)
    tried = np.zeros_like(legal)
    parent, move = source.parent[1:], np.searchsorted(actions, _acted(source, source.action[1:]))
    known = row[parent] >= 0
    tried[row[parent][known], move[known]] = True
    left: Array = legal & ~tried & tried.any(axis=1, keepdims=True)
    counts = np.zeros(len(source.parent), np.int64)
    counts[asked] = left.sum(axis=1)
    shown = row[data.nodes]
    of, untried = np.nonzero(left[shown])
    places = np.cumsum(tried, axis=1)[shown[of], untried]
    names = [plain(str(action)) for action in actions]
    return _Untried([names[one] for one in untried.tolist()], of, places, counts)


def _lands_on_empty(positions: Array, actions: Array, board: Board) -> Array:
    """True for each position and action whose piece finds an empty cell."""
    assert board.lands
    found = np.zeros((len(positions), len(actions)), bool)
    every = np.arange(len(positions))
    for column, action in enumerate(actions.tolist()):
        on = board.lands(positions, np.full(len(positions), action))
        found[:, column] = (on >= 0) & (positions[every, on] == 0)
    return found
