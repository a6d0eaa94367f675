"""A film's whole tree as threads: of every node how many go through it at a moment, and how they
ended.

It counts all iterations and all nodes, also of a film that shows a selection of them. The player
counts the same in ``widgets/data/threads.js``; this is what :mod:`mcts_viz.film.river` lays out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..search import PHASES
from ..trace.minimax_trace import EVALUATE
from .minimax_film import MinimaxFilm
from .river import Move
from .search_film import SearchFilm
from .words import plain, rounded, short_names

STEPS: Final = 7
"""Of the mean, between the players' colours."""
DOUBT: Final = 1.5
"""Wins that a mean begins with, of twice as many visits: it is grey until earned."""
UNSEEN: Final = "unseen"
"""The kind of a game that minimax did not look at."""

Array = NDArray[Any]


def named(moves: list[Move]) -> list[Move]:
    """The same moves with short names instead of their labels."""
    names = short_names([move.name for move in moves])
    return [Move(name, move.node) for name, move in zip(names, moves, strict=True)]


class Threads:
    """All nodes of a film's tree at a moment; the fields that :class:`~mcts_viz.film.river.Tree`
    names.
    """

    kinds: Sequence[str] | None
    """By result, whose it is: "player-0", "draw"; ``None`` where the mean alone says how a node
    does.
    """
    visits: list[float]
    results: list[list[float]]
    finest = 0.0
    """Pixels: as thin as a ribbon may be drawn."""

    def __init__(self, data: SearchFilm | MinimaxFilm, numbers: Array, total: int) -> None:
        self.data, self.total = data, total
        self.shown: list[int] = numbers.tolist()
        """By node: its number in the film, -1 if it is not there."""
        self.own: list[int] = np.flatnonzero(numbers >= 0).tolist()
        """By node of the film: its number here."""
        self.parent, self.below = data.parents, data.families
        self.boarded = bool(data.board)

    def moves(self, node: int) -> list[Move]:
        """All moves from a node, in their order."""
        raise NotImplementedError

    def label(self, node: int) -> str:
        """The move that led to a node; "" for one that the film does not show."""
        return "" if self.shown[node] < 0 else plain(self.data.trace.label(self.shown[node]))

    def name(self, node: int) -> str:
        """A short name of a node's move, which no move beside it has."""
        if not node:
            return ""
        return next(move.name for move in self.moves(int(self.parent[node])) if move.node == node)

    def carried_up(self, counts: Array) -> list[float]:
        """By node: its own count and those of all below it."""
        sums: list[float] = counts.tolist()
        for node in range(len(sums) - 1, 0, -1):
            sums[self.parent[node]] += sums[node]
        return sums


class SearchThreads(Threads):
    """The threads of a search at a moment: an iteration is one."""

    def __init__(self, data: SearchFilm, iteration: int, phase: str) -> None:
        source = data.source
        counted = iteration - (phase != PHASES[-1])
        there = iteration - (phase == PHASES[0])
        total = int(np.searchsorted(source.created_at, there, side="right"))
        super().__init__(data, data.numbers, total)
        self.search, self.iteration, self.counted = data, iteration, counted
        self.kinds, ended = data.results
        self.visits = [float(visits) for visits in source.visits_before]
        self.won = self._of_first(
            source.wins_before, source.visits_before, source.player_just_moved
        )
        """By node: what the first player has won, 0 to 1 a thread."""
        self.results = [self.visits]
        if source.watched:
            self._look_up()
        else:
            self._count(ended)

    def _of_first(self, sums: Any, visits: Any, player: Any) -> list[float]:
        """Of sums of rewards of ``player`` over so many visits: what the first player has."""
        low, high = self.search.reward_range
        share = (np.asarray(sums, np.float32) - low * np.asarray(visits)) / (high - low)
        first: list[float] = np.where(np.asarray(player) > 0, visits - share, share).tolist()
        return first

    def _count(self, ended: Array) -> None:
        """Add up the paths of the iterations that are counted."""
        source, nodes = self.search.source, len(self.parent)
        leaf, outcome = source.leaf[: self.counted], source.outcome[: self.counted]
        low, high = self.search.reward_range
        share = (self.search.rewards[outcome, 0] - low) / (high - low)
        visits = self.carried_up(np.bincount(leaf, minlength=nodes))
        won = self.carried_up(np.bincount(leaf, weights=share, minlength=nodes))
        self.visits = [before + more for before, more in zip(self.visits, visits, strict=True)]
        self.won = [before + more for before, more in zip(self.won, won, strict=True)]
        self.results = [self.visits]
        if self.kinds:
            of = ended[outcome]
            kinds = range(len(self.kinds))
            self.results = [
                self.carried_up(np.bincount(leaf[of == kind], minlength=nodes)) for kind in kinds
            ]

    def _look_up(self) -> None:
        """The numbers of a search that was watched are its own: nothing is counted."""
        data = self.search
        visits, wins = data.statistics(np.arange(len(self.own)), self.counted)
        won = self._of_first(wins, visits, data.trace.player_just_moved)
        for node, count, first in zip(self.own, visits.tolist(), won, strict=True):
            self.visits[node], self.won[node] = float(count), first

    def step(self, node: int) -> int:
        """Of a mean, which of seven steps it is: 0 all the second player's, 6 all the first's."""
        mean = (self.won[node] + DOUBT) / (self.visits[node] + 2 * DOUBT)
        return max(0, min(STEPS - 1, int(mean * STEPS // 1)))

    def moves(self, node: int) -> list[Move]:
        """All moves from a node in their order; names are known of those in the film."""
        moves = [Move(self.label(child), child) for child in self.below[node]]
        if self.shown[node] >= 0:
            game, state = self.search.game, self.search.source.state(node)
            for place, action in reversed(self.search.never_tried(node)):
                moves.insert(place, Move(plain(game.action_label(state, action)), None))
        return named(moves)

    def order(self, node: int) -> list[int | None]:
        """Of all its moves in order the node, also a later one; ``None`` if it never gets one."""
        order: list[int | None] = list(self.below[node])
        untried = self.search.never_tried(node)
        if self.shown[node] < 0:
            return [*order, *([None] * len(untried))]
        for place, _ in reversed(untried):
            order.insert(place, None)
        return order

    def spare(self, node: int) -> list[float]:
        """None: every thread of a search goes somewhere."""
        return []

    def lines(self, node: int) -> int:
        """Wins by visits, the score; a prior of a search with a guide, or odds; and a note."""
        trace, number = self.search.trace, self.shown[node]
        is_told = trace.priors is not None or (number >= 0 and trace.probability[number])
        return 2 + bool(is_told) + bool(self.search.noted)

    def luck(self, node: int) -> bool:
        """True if nature moves there."""
        return bool(self.shown[node] >= 0 and self.search.trace.chance[self.shown[node]])

    def said(self, node: int) -> str:
        """Wins and visits as a card shows them."""
        number = self.shown[node]
        return "" if number < 0 else self.share(number)

    def share(self, number: int) -> str:
        """Wins by visits of a node of the film, from 1,000 on in thousands; of the new one
        "new"."""
        visits, wins = self.search.statistics(number, self.counted)
        if self.search.trace.created_at[number] == self.iteration and number and not visits:
            return "new"
        return f"{rounded(float(wins))}/{rounded(float(visits))}"


class WalkThreads(Threads):
    """The threads of a walk by minimax after a step: a game's end is one, also before it is seen.

    All nodes are there from the beginning: minimax looks at every game, and knows it.
    """

    kinds = ("player-0", "draw", "player-1", UNSEEN)
    finest = 1.0
    """A walk by minimax: the games it looked at, beside all that it did not need."""

    def __init__(self, data: MinimaxFilm, step: int) -> None:
        nodes = data.trace.nodes
        super().__init__(data, np.arange(nodes), nodes)
        self.walk, self.counted = data, step
        leaves, _ = data.leaves
        self.visits = [float(count) for count in leaves.astype(np.float32)]
        trace = data.trace
        seen = np.zeros((3, nodes))  # ends that were looked at, by result and node
        for place in np.flatnonzero(trace.event[:step] == EVALUATE).tolist():
            result = int(1 - np.sign(trace.value[place]))  # a win of MAX, a draw, a win of MIN
            seen[result, trace.node[place]] += 1
        self.results = [self.carried_up(of) for of in seen]
        # All other games below a node were not looked at.
        known = [sum(counts) for counts in zip(*self.results, strict=True)]
        self.results.append([every - some for every, some in zip(self.visits, known, strict=True)])

    def moves(self, node: int) -> list[Move]:
        """Those that were walked in their order, and then those that were cut off, without
        names."""
        moves = [Move(self.label(child), child) for child in self.below[node]]
        return [*named(moves), *([Move("", None)] * int(self.walk.trace.pruned[node]))]

    def order(self, node: int) -> list[int | None]:
        """Its children in order; all moves that were cut off have one place, the last."""
        return [*self.below[node], *([None] if self.walk.trace.pruned[node] else [])]

    def spare(self, node: int) -> list[float]:
        """Of the games below the moves that were cut off, how many reach each row below."""
        return self.walk.skipped[node]

    def luck(self, node: int) -> bool:
        """Never: minimax knows no luck."""
        return False

    def lines(self, node: int) -> int:
        """The value, and the window from alpha to beta or how many games end below."""
        return 2

    def said(self, node: int) -> str:
        """The value on a card, and how many moves were cut off."""
        return self.walk.share_after(node, self.counted)
