"""The tree, from which the browser makes the river: who hangs where, since when, and its name."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...trace import Trace
from ..cards import FilmData
from ..search_film import SearchFilm, as_short
from ..words import move_order, plain
from .columns import Array, Part, numbered
from .pieces import Moves


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
    """Where iterations are left out: the whole tree, for the river shows all of it."""
    if data.is_whole:
        return Part({}, {})
    search = data.source
    whole = {"parent": search.parent, "order": move_order(search)}
    whole |= recorded(search, np.arange(len(search))) | {"shown": data.numbers}
    columns = {f"all_{name}": column for name, column in whole.items()}
    columns |= {"iterations": data.iterations, "left_out_ends": data.left_out_ends}
    return Part({}, columns)


def labels(data: FilmData) -> list[str]:
    """By node: the label of its move."""
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
    places: list[int]
    """By move: how many of the node's children come before it in the order of moves."""
    counts: Array
    """By node of the whole search: how many."""


def _untried(data: SearchFilm) -> _Untried:
    """The untried moves of all nodes with children; of a very large tree, of those of the film."""
    source, game = data.source, data.game
    names: list[str] = []
    places: list[int] = []
    counts = np.zeros(len(source.parent), np.int64)
    for node in range(len(counts)):
        left = data.never_tried(node)
        counts[node] = len(left)
        if left and data.numbers[node] >= 0:
            state = source.state(node)
            places += [place for place, _ in left]
            names += [plain(game.action_label(state, action)) for _, action in left]
    of_film = np.zeros(len(data.trace.parent), np.int64)
    shown = data.numbers >= 0
    of_film[data.numbers[shown]] = counts[shown]
    return _Untried(names, np.append(0, np.cumsum(of_film)), places, counts)
