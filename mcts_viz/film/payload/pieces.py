"""Boards: the empty one, the cells of each node, and what the moves of the playouts change."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple
from xml.etree.ElementTree import tostring

import numpy as np

from ...trace.trace import RecordedTree
from ..boards import Board, draw_board
from ..cards import FilmData
from ..pictures import new_svg
from ..search_film import SearchFilm
from ..words import plain
from .columns import Array, Part


def board_facts(board: Board | None) -> dict[str, Any] | None:
    """The shapes of a board; ``None`` for a game without one."""
    if board is None:
        return None
    box = (0, 0, 10 * board.columns, 10 * board.rows)
    empty = new_svg(box, "mcts-board", aria_hidden="true")
    draw_board(empty, board, (), ())
    return {
        "rows": board.rows,
        "columns": board.columns,
        "picture": tostring(empty, encoding="unicode"),
        "glow": board.glow,
        "pieces": [piece.path for piece in board.pieces],
    }


class Moves(NamedTuple):
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


def playouts_and_cells(data: SearchFilm) -> tuple[Part, Moves]:
    """The cells of the nodes and what playouts change; and the moves, to be named."""
    at_nodes = cells(data)
    board = data.board
    at_once = board and board.lands and data.trace.plays_at_random
    moves = _pieces_put(data, at_nodes["cells"]) if at_once else _moves_played(data)
    columns = {
        **at_nodes,
        "moves": _lengths(data),
        "changes": moves.changes,
        "change_place": moves.places,
        "change_piece": moves.pieces,
    }
    return Part({}, columns), moves


def _lengths(data: SearchFilm) -> Array:
    """The number of moves of each playout of the film."""
    return data.trace.playouts.lengths[data.iterations - 1]


def cells(data: FilmData) -> dict[str, Array]:
    """For each node: its cells, end to end, if there is a board."""
    trace, board = data.trace, data.board
    if not board:
        return {}
    if not board.lands:
        states = map(trace.state, range(len(trace.parent)))
        return {"cells": np.frombuffer(b"".join(bytes(board.cells(s)) for s in states), np.uint8)}
    return {"cells": cells_on(trace, board).ravel()}


def cells_on(tree: RecordedTree, board: Board) -> Array:
    """For each node: its cells, where a move puts one piece on the board."""
    actions = acted(tree, tree.action[1:])
    found = np.zeros((len(tree.parent), board.rows * board.columns), np.uint8)
    found[0] = list(board.cells(tree.root_state))
    nodes = np.zeros(1, np.int64)
    while len(nodes := np.flatnonzero(np.isin(tree.parent, nodes))):  # level by level
        found[nodes] = found[tree.parent[nodes]]
        # All of a level have the same player to move.
        mover = tree.game.to_move(tree.state(int(tree.parent[nodes[0]])))
        _put(board, found, nodes, actions[nodes - 1], mover + 1)
    return found


def acted(tree: RecordedTree, codes: Array) -> Array:
    """The actions of these numbers, where all of them are whole numbers."""
    cell_of = np.zeros(len(tree.actions), np.int64)
    played = np.flatnonzero(np.bincount(codes))  # a file may name other actions, which are no cells
    cell_of[played] = [tree.actions[code] for code in played]
    cells: Array = cell_of[codes]
    return cells


def _put(board: Board, found: Array, rows: Array, actions: Array, pieces: Array | int) -> Array:
    """Play an action in each of these rows of cells; return where its piece lands."""
    assert board.lands
    places = board.lands(found[rows], actions)
    found[rows, places] = pieces
    return places


def _pieces_put(data: SearchFilm, cells_of_nodes: Array) -> Moves:
    """Play all playouts at once, move by move, each of which puts one piece on the board."""
    trace, board = data.trace, data.board
    assert board
    codes = np.concatenate([trace.playouts[one] for one in data.iterations.tolist()])
    labels = [plain(str(action)) for action in trace.actions]
    actions = acted(trace, codes)  # by move of all playouts, end to end
    lengths = _lengths(data).astype(np.int64)
    starts = np.cumsum(lengths) - lengths
    leaf = trace.leaf[data.iterations - 1]
    positions = cells_of_nodes.reshape(len(trace.parent), -1)[leaf]  # one row a playout
    first = (trace.player_just_moved[leaf] + 1) % 2  # who moves first in each
    places, pieces = np.zeros((2, len(codes)), np.uint8)
    for move in range(int(lengths.max(initial=0))):
        rows = np.flatnonzero(lengths > move)  # the playouts that are so long
        at = starts[rows] + move
        pieces[at] = (first[rows] + move) % 2 + 1
        places[at] = _put(board, positions, rows, actions[at], pieces[at])
    return Moves(labels, codes, np.ones(len(codes), np.uint8), places, pieces)


def _moves_played(data: SearchFilm) -> Moves:
    """Play all playouts move after move; refuse the first illegal one that a policy has noted."""
    board = data.board
    labels: list[str] = []
    changes: list[int] = []
    places: list[int] = []
    pieces: list[int] = []
    for iteration in data.iterations.tolist():
        names, states = _played(data, iteration)
        labels += names
        boards = map(board.cells, states) if board else ()
        for before, after in pairwise(boards):
            changed = _changed(before, after)
            changes.append(len(changed))
            places += changed
            pieces += [after[place] for place in changed]
    columns = [np.array(numbers, np.uint8) for numbers in (changes, places, pieces)]
    return Moves(labels, np.arange(len(labels)), *columns)


def _changed(before: Sequence[int], after: Sequence[int]) -> list[int]:
    """The cells that differ."""
    return [place for place in range(len(after)) if after[place] != before[place]]


def _played(data: SearchFilm, iteration: int) -> tuple[list[str], list[Any]]:
    """The labels of a playout's moves; the positions from the one where it began to its end."""
    trace, game = data.trace, data.game
    states = trace.played_out(iteration)
    moves = zip(states, trace.playouts[iteration].tolist(), strict=False)
    labels = [plain(game.action_label(state, trace.actions[code])) for state, code in moves]
    return labels, states
