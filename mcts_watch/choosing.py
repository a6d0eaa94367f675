"""Write down the choices of a search, with the numbers that it saw when it made them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .names import text_of
from .numbers import running_sum
from .rules import Choices

if TYPE_CHECKING:
    from .replay import Replay

Array = NDArray[Any]


def choices_of(replay: Replay, more: Array, gain: Array, last: int) -> Choices:
    """The choices of one visited child among several, until the ``last`` look.

    ``more`` and ``gain`` are what the node of each row of the table got.
    """
    t = replay.table
    looker = replay.looker
    times = replay.looks + 2
    parent, created = (np.array(kept[: replay.count]) for kept in (replay.parent, replay.created))
    grown = (more > 0) & (t.node > 0) & (t.time > 0) & (t.time <= last)
    chosen, time = t.node[grown], t.time[grown]
    above = parent[chosen]
    moments = above * times + time
    old = created[chosen] < time
    # If several children got visits, none alone was chosen.
    _, which, sizes = np.unique(moments[old], return_inverse=True, return_counts=True)
    is_one = np.zeros(len(chosen), bool)
    is_one[old] = sizes[which] == 1
    if looker.shared:  # the child was reached from here only if its parent was reached, too
        is_one &= (above == 0) | np.isin(moments, chosen * times + time)
    is_one &= ~np.array([replay.is_lucky(node) for node in range(replay.count)])[above]
    kept = np.flatnonzero(is_one & (t.n0[grown] > 0))
    kept = kept[np.lexsort((above[kept], time[kept]))]
    events = {"time": time[kept], "above": above[kept], "kid": chosen[kept]}
    return with_siblings(replay, events, histories(replay, parent, more, gain))


def histories(replay: Replay, parent: Array, more: Array, gain: Array) -> dict[str, Array]:
    """The numbers that a program may have kept of each node, for each row of the table."""
    t = replay.table
    per_visit = gain / np.where(more > 0, more, 1)
    return {
        "w": replay.numbers.worth,
        "T": np.where(t.node > 0, t.at(t.n, parent[t.node], t.time - 1), 0),
        "M": running_maximum(np.where(more > 0, per_visit, -np.inf), t.first),
        "Q": running_sum(t, np.where(more > 0, gain * per_visit, 0)),
    }


def with_siblings(replay: Replay, events: dict[str, Array], kept: dict[str, Array]) -> Choices:
    """Those choices, with all siblings that were visited before, as they were then."""
    t, times = replay.table, replay.looks + 2
    time, above = events["time"], events["above"]
    parent, created = (np.array(one[: replay.count]) for one in (replay.parent, replay.created))
    kids = np.lexsort((created, parent))
    keys = parent[kids] * times + created[kids]
    start = np.searchsorted(keys, above * times)
    sizes = np.searchsorted(keys, above * times + time) - start
    choice = np.repeat(np.arange(len(time)), sizes)
    inside = np.arange(len(choice)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    kid = kids[np.repeat(start, sizes) + inside]
    row = t.last(kid, time[choice] - 1)
    seen = (row >= 0) & (t.n[row] > 0)
    total = np.bincount(choice, np.where(seen, t.n[row], 0), len(time))
    visited = np.bincount(choice, seen, len(time))
    several = visited > 1
    choice, kid, row = (column[seen & several[choice]] for column in (choice, kid, row))
    starts = np.flatnonzero(np.diff(choice, prepend=-1))
    parents, root = (t.at(t.n, node, time - 1) for node in (above, 0 * above))
    until = np.zeros(replay.count)
    np.maximum.at(until, t.node, t.time)
    over = np.array([replay.is_end(node) for node in range(replay.count)])
    columns = {name: column[row] for name, column in kept.items()} | {
        "node": kid,
        "n": t.n[row],
        "P": replay.priors[kid],
        "N": np.where(parents > 0, parents, total)[choice],
        "S": total[choice],
        "R": np.where(root > 0, root, total)[choice],
        "place": np.arange(len(kid)) - np.repeat(starts, visited[several].astype(int)),
        "over": over[kid],
        "again": until[kid] >= time[choice],
        "outcome": replay.outcomes(kid, time[choice]),
    }
    chosen = events.pop("kid")
    events = {name: column[several] for name, column in events.items()} | {
        "chosen": np.flatnonzero(kid == chosen[choice]),
        "full": (visited == sizes)[several],
        "player": np.array(replay.chooser)[chosen[several]],
    }
    return Choices(events, columns, starts)


def running_maximum(column: Array, first: Array) -> Array:
    """For each row: the largest number of its node until there."""
    ranks = np.argsort(np.argsort(column, kind="stable"), kind="stable")
    groups = (np.cumsum(first) - 1) * len(column)
    return np.asarray(np.sort(column)[np.maximum.accumulate(ranks + groups) - groups])


def by_position(replay: Replay) -> Iterator[Choices]:
    """The choices at positions that are plain values, once for each part of them that may say who
    moves: in an open loop it is another player at each visit.

    A position from which the search never made but one move may have no other: it is left out.
    """
    s, looker = replay.choices, replay.looker
    then = dict(zip(zip(*looker.rows[:2], strict=True), looker.said, strict=True))
    places = [then.get(key) for key in zip(s.time.tolist(), s.above.tolist(), strict=True)]
    moves: defaultdict[Any, set[str]] = defaultdict(set)
    for place, chosen in zip(places, s.node[s.chosen].tolist(), strict=True):
        moves[place].add(text_of(replay.positions.move(chosen)))
    free = np.array([bool(place) and len(moves[place]) > 1 for place in places], bool)
    known = (place for place, is_free in zip(places, free, strict=True) if is_free)
    for part in zip(*known, strict=False):
        players = [*dict.fromkeys(part)]
        if len(players) == 2:
            yield s.only(free).of_players(np.array([players.index(one) for one in part]))
