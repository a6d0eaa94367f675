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

    ``more`` and ``gain`` are by row what its node got.
    """
    t, looker = replay.table, replay.looker
    more, gain = more[t.order], gain[t.order]
    parent, created = (
        np.array(kept[: replay.count]) for kept in (looker.parent, looker.created_at)
    )
    grown = (more > 0) & (t.node > 0) & (t.time > 0) & (t.time <= last)
    chosen, time = t.node[grown], t.time[grown]
    above = parent[chosen]
    moments = above * (replay.looks + 2) + time
    old = created[chosen] < time
    sizes = np.bincount(np.unique(moments[old], return_inverse=True)[1])
    is_one = np.zeros(len(chosen), bool)  # if several children got visits, none alone was chosen
    is_one[old] = sizes[np.unique(moments[old], return_inverse=True)[1]] == 1
    if looker.shared:  # the child was reached from here only if its parent was reached, too
        is_one &= (above == 0) | np.isin(moments, chosen * (replay.looks + 2) + time)
    is_one &= ~np.array([replay.is_lucky(node) for node in range(replay.count)])[above]
    kept = np.flatnonzero(is_one & (t.n0[grown] > 0))
    kept = kept[np.lexsort((above[kept], time[kept]))]
    return Siblings(replay, parent, created, more, gain).choices(
        time[kept], above[kept], chosen[kept]
    )


class Siblings:
    """Look up the numbers of all children among which a choice was made."""

    def __init__(
        self, replay: Replay, parent: Array, created: Array, more: Array, gain: Array
    ) -> None:
        self.replay, self.t = replay, replay.table
        t = self.t
        self._kids = np.lexsort((created, parent))
        self._keys = parent[self._kids] * (replay.looks + 2) + created[self._kids]
        self._parent = parent
        per_visit = gain / np.where(more > 0, more, 1)
        self._above = np.where(t.node > 0, t.at(t.n, parent[t.node], t.time - 1), 0)
        self._best = running_maximum(np.where(more > 0, per_visit, -np.inf), t.first)
        self._squares = running_sum(t, np.where(more > 0, gain * per_visit, 0))
        ends = np.flatnonzero(np.append(t.first[1:], True))
        self._until = np.zeros(replay.count)
        self._until[t.node[ends]] = t.time[ends]
        self._over = np.array([replay.is_end(node) for node in range(replay.count)])

    def choices(self, time: Array, above: Array, chosen: Array) -> Choices:
        """The choices of those children, with all siblings that were visited before."""
        t, looks = self.t, self.replay.looks + 2
        start = np.searchsorted(self._keys, above * looks)
        sizes = np.searchsorted(self._keys, above * looks + time) - start
        choice = np.repeat(np.arange(len(time)), sizes)
        inside = np.arange(len(choice)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        kid = self._kids[np.repeat(start, sizes) + inside]
        row = t.last(kid, time[choice] - 1)
        n = np.where(row >= 0, t.n[row], 0)
        seen = n > 0
        total = np.bincount(choice, np.where(seen, n, 0), len(time))
        visited = np.bincount(choice, seen, len(time))
        several = visited > 1
        kept = seen & several[choice]
        choice = choice[kept]
        kid = kid[kept]
        row = row[kept]
        n = n[kept]
        starts = np.flatnonzero(np.diff(choice, prepend=-1))
        parents, root = (t.at(t.n, node, time - 1) for node in (above, 0 * above))
        columns = {
            "node": kid,
            "n": n,
            "w": self.replay.worth[row],
            "P": self.replay.priors[kid],
            "T": self._above[row],
            "M": self._best[row],
            "Q": self._squares[row],
            "N": np.where(parents > 0, parents, total)[choice],
            "S": total[choice],
            "R": np.where(root > 0, root, total)[choice],
            "place": np.arange(len(kid)) - np.repeat(starts, visited[several].astype(int)),
            "over": self._over[kid],
            "again": self._until[kid] >= time[choice],
            "outcome": self.replay.outcomes(kid, time[choice]),
        }
        place = np.flatnonzero(kid == chosen[choice])
        events = {
            "time": time[several],
            "above": above[several],
            "chosen": place,
            "full": (visited == sizes)[several],
            "player": np.array(self.replay.chooser)[chosen[several]],
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
