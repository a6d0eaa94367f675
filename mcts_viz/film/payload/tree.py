"""The tree, from which the browser makes the river: who hangs where, since when, and its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...trace import Trace
from ..boards import Board
from ..cards import FilmData
from ..search_film import MOST_COUNTED, SearchFilm, as_short
from ..words import move_order, plain
from .columns import Array, Part, numbered
from .pieces import Moves, acted, cells_on


def recorded(trace: Trace, iterations: Array) -> dict[str, Array]:
    """Of a trace by node, and by these iterations, counted from 0."""
    return {
        "created_at": trace.created_at,
        "player_just_moved": trace.player_just_moved,
        "leaf": trace.leaf[iterations],
        "outcome": trace.outcome[iterations],
        "visits_before": trace.visits_before,
        "wins_before": as_short(trace.wins_before),
    }


def left_out(data: SearchFilm) -> Part:
    """The whole tree if iterations are left out, for the river shows all of it."""
    if data.is_whole:
        return Part({}, {})
    search = data.source
    whole = {"parent": search.parent, "order": move_order(search)}
    whole |= recorded(search, np.arange(len(search))) | {"shown": data.numbers}
    columns = {f"all_{name}": column for name, column in whole.items()}
    columns |= {"iterations": data.iterations, "left_out_ends": data.left_out_ends}
    return Part({}, columns)


def labels(data: FilmData) -> list[str]:
    """For each node: the label of its move."""
    trace = data.trace
    if data.board and data.board.lands:  # then the action is all that a label says
        names = [plain(str(action)) for action in trace.actions]
        return ["", *(names[code] for code in trace.action[1:].tolist())]
    return [plain(trace.label(node)) for node in range(len(trace.parent))]


def labels_and_untried(data: SearchFilm, moves: Moves) -> Part:
    """The names of all moves, of nodes, untried and in playouts: numbers in one list of names."""
    untried = _untried(data)
    names, numbers = numbered([*labels(data), *untried.labels, *moves.labels])
    nodes = len(data.trace.parent)
    of_nodes, of_untried, of_moves = np.split(numbers, [nodes, nodes + len(untried.labels)])
    columns = {
        "label": of_nodes,
        "untried": of_untried,
        "move_label": of_moves[moves.codes],
        "untried_ends": untried.ends,
        "untried_places": np.array(untried.places, np.int64),
        "untried_counts" if data.is_whole else "all_untried_counts": untried.counts,
    }
    return Part({"labels": names}, columns)


class _Untried(NamedTuple):
    """The moves that have no node even at the end of the film, node after node."""

    labels: list[str]
    ends: Array
    """Those of node n of the film: from ``ends[n]`` to ``ends[n + 1]``."""
    places: Sequence[int] | Array
    """For each move: how many of the node's children come before it in the order of moves."""
    counts: Array
    """By node of the whole search: how many."""


def _untried(data: SearchFilm) -> _Untried:
    """The untried moves of all nodes with children; of a very large tree, of those of the film."""
    if data.board and data.board.lands:
        return _untried_on(data, data.board)
    return _untried_by_rules(data)


def _untried_by_rules(data: SearchFilm) -> _Untried:
    """The same, asked of the rules node by node."""
    source, game = data.source, data.game
    names: list[str] = []
    places: list[int] = []
    counts = np.zeros(len(source.parent), np.int64)
    for node, number in enumerate(data.numbers.tolist()):
        if number < 0:
            counts[node] = data.count_never_tried(node)
            continue
        left = data.never_tried(node)
        counts[node] = len(left)
        if left:
            state = source.state(node)
            places += [place for place, _ in left]
            names += [plain(game.action_label(state, action)) for _, action in left]
    return _Untried(names, _ends(data, counts), places, counts)


def _ends(data: SearchFilm, counts: Array) -> Array:
    """Of so many moves by node of the whole search: where those of the film's nodes end."""
    shown = data.numbers >= 0
    of_film = np.zeros(len(data.trace.parent), np.int64)
    of_film[data.numbers[shown]] = counts[shown]
    return np.append(0, np.cumsum(of_film))


def _untried_on(data: SearchFilm, board: Board) -> _Untried:
    """The same of all nodes at once, on a board where a move lands on an empty cell."""
    source, in_film = data.source, np.flatnonzero(data.numbers >= 0)
    asked = in_film if len(source.parent) > MOST_COUNTED else np.arange(len(source.parent))
    row = np.full(len(source.parent), -1)  # in the tables below, by node
    row[asked] = np.arange(len(asked))
    actions = np.array(data.game.legal_actions(data.game.initial_state()))
    cells = cells_on(data.trace if len(asked) == len(data.trace.parent) else source, board)
    legal = _lands_on_empty(cells, actions, board)
    tried = np.zeros_like(legal)
    parent, move = source.parent[1:], np.searchsorted(actions, acted(source, source.action[1:]))
    known = row[parent] >= 0
    tried[row[parent][known], move[known]] = True
    left: Array = legal & ~tried & tried.any(axis=1, keepdims=True)
    counts = np.zeros(len(source.parent), np.int64)
    counts[asked] = left.sum(axis=1)
    shown = row[in_film]
    of, untried = np.nonzero(left[shown])
    places = np.cumsum(tried, axis=1)[shown[of], untried]
    names = [plain(str(action)) for action in actions]
    return _Untried([names[one] for one in untried.tolist()], _ends(data, counts), places, counts)


def _lands_on_empty(cells: Array, actions: Array, board: Board) -> Array:
    """True for each position and action whose piece finds an empty cell."""
    assert board.lands
    found = np.zeros((len(cells), len(actions)), bool)
    every = np.arange(len(cells))
    for column, action in enumerate(actions.tolist()):
        on = board.lands(cells, np.full(len(cells), action))
        found[:, column] = (on >= 0) & (cells[every, on] == 0)
    return found
