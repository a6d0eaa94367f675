"""The film's columns: which nodes get a card, where cards stand, and what each shows when.

The final tree is laid out once, so no card ever moves; a frame only shows, hides and fills in.
All that a frame shows lies ready here in arrays, and a frame is a handful of look-ups.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError
from ..search import PHASES, score_terms
from ..search.policies import can_score
from ..trace import Trace
from ..trace.trace import Stats
from .boards import board_of

__all__ = ["CARDS", "CardFrame", "Family", "Frame", "Reel", "StubFrame"]

CARDS = 40
"""Cards that a film draws unless told otherwise."""
MOST_CARDS = 300

Array = NDArray[Any]


class CardFrame(NamedTuple):
    """What a card shows at one moment; wins and score are for the player who moved there."""

    node: int
    visits: int
    wins: float
    score: float | None
    on_path: bool
    new: bool


class StubFrame(NamedTuple):
    """``hidden`` nodes below ``card`` (a node's number) have no card of their own."""

    card: int
    hidden: int
    on_path: bool


@dataclass(frozen=True)
class Frame:
    """One moment of the film."""

    iteration: int
    phase: str
    cards: tuple[CardFrame, ...]
    stubs: tuple[StubFrame, ...]
    path: tuple[int, ...]
    strip: tuple[int, ...]
    """The part of the path that has no cards; it stands beside the tree."""
    new_node: int | None


class Family(NamedTuple):
    """The children of a node that has a card, and all their scores over time.

    ``terms[v, j]`` holds exploitation and exploration of child j after v iterations through the
    parent, not-a-number while the child has no score.
    """

    parent: int
    children: tuple[int, ...]
    terms: NDArray[np.float32]


class Reel:
    """A trace made ready to be looked at, with at most ``cards`` cards.

    The most visited nodes get one, and as no node is visited more often than its parent, they
    hang together. Raises ``TraceError`` for a trace without iterations and for an odd ``cards``.
    """

    def __init__(self, trace: Trace, cards: int = CARDS) -> None:
        if not trace.iterations:
            raise TraceError("The trace has no iteration, so there is nothing to show: record one.")
        whole = isinstance(cards, int) and not isinstance(cards, bool)
        if not whole or not 1 <= cards <= MOST_CARDS:
            raise TraceError(f"cards is {cards!r}, but a film has 1 to {MOST_CARDS} cards.")
        self.trace = trace
        self.game = trace.game
        self.board = board_of(trace.game)
        self.cards = self._most_visited(cards)
        self._card_nodes = frozenset(self.cards)

    def _most_visited(self, count: int) -> tuple[int, ...]:
        visits = self.trace.visits(self.trace.iterations)
        ranked = np.lexsort((np.arange(len(visits)), -visits))
        return tuple(sorted(ranked[:count].tolist()))

    # Cards and stubs -----------------------------------------------------------------------------

    @cached_property
    def owner(self) -> Array:
        """By node: the nearest node above it that has a card, or itself."""
        owner = list(range(len(self.trace.parent)))
        parents = self.trace.parent.tolist()
        for node in range(1, len(owner)):
            if node not in self._card_nodes:
                owner[node] = owner[parents[node]]
        return np.array(owner, np.int32)

    @cached_property
    def stubs(self) -> dict[int, Array]:
        """By card with hidden nodes below it: the iterations in which those were born, rising."""
        hidden = np.flatnonzero(self.owner != np.arange(len(self.owner)))
        births: dict[int, list[int]] = {}
        for owner, birth in zip(
            self.owner[hidden].tolist(), self.trace.birth[hidden].tolist(), strict=True
        ):
            births.setdefault(owner, []).append(birth)
        return {card: np.array(births[card], np.uint32) for card in sorted(births)}

    @property
    def card_parents(self) -> list[int]:
        """By place in ``cards``: the place of the parent's card, -1 for the root."""
        place = {node: number for number, node in enumerate(self.cards)}
        return [-1] + [place[int(self.trace.parent[node])] for node in self.cards[1:]]

    # Statistics over time ------------------------------------------------------------------------

    @cached_property
    def _visit_lists(self) -> tuple[Array, Array, Array]:
        """For all nodes end to end: the iterations that visited, the wins after each, the ends."""
        trace = self.trace
        node: Array = trace.leaf.astype(np.int64)
        iteration: Array = np.arange(1, trace.iterations + 1)
        nodes, iterations = [], []
        while len(node):
            nodes.append(node)
            iterations.append(iteration)
            node = trace.parent[node]
            inside = node >= 0
            node, iteration = node[inside], iteration[inside]
        node, iteration = np.concatenate(nodes), np.concatenate(iterations)
        order = np.lexsort((iteration, node))
        node, iteration = node[order], iteration[order]
        ends = np.concatenate([[0], np.cumsum(np.bincount(node, minlength=len(trace.parent)))])
        rewards = np.array([outcome.rewards for outcome in trace.outcomes])
        running = np.cumsum(rewards[trace.outcome[iteration - 1], trace.mover[node]])
        start = np.concatenate([[0.0], running])[ends[node]] - trace.wins_before[node]
        return iteration.astype(np.uint32), (running - start).astype(np.float32), ends

    @property
    def visit_times(self) -> Array:
        """By node, end to end: the iterations that visited it."""
        return self._visit_lists[0]

    @property
    def visit_wins(self) -> Array:
        """Beside ``visit_times``: the node's wins after that visit."""
        return self._visit_lists[1]

    @property
    def visit_ends(self) -> Array:
        """Node n has the places ``visit_ends[n]`` to ``visit_ends[n + 1]`` of the other two."""
        return self._visit_lists[2]

    def visits_and_wins(self, node: int, iterations: int) -> tuple[int, float]:
        """The node's statistics after that many iterations."""
        start, end = self.visit_ends[node], self.visit_ends[node + 1]
        count = int(np.searchsorted(self.visit_times[start:end], iterations, side="right"))
        wins = self.visit_wins[start + count - 1] if count else self.trace.wins_before[node]
        return int(self.trace.visits_before[node]) + count, float(wins)

    @cached_property
    def families(self) -> dict[int, Family]:
        """By card with children: their scores over time."""
        parents = [node for node in self.cards if self.trace.children[node]]
        return {node: self._family(node) for node in parents}

    def _family(self, parent: int) -> Family:
        trace, rule, c = self.trace, self.trace.selection, self.trace.c
        children = trace.children[parent]
        times, parent_visits, parent_wins = self._course(parent)
        terms = np.full((len(times), len(children), 2), np.nan, np.float32)
        above = Stats(trace, parent)
        for place, child in enumerate(children):
            child_times, child_visits, child_wins = self._course(child)
            below = Stats(trace, child, child_visits[0])
            if can_score(rule, below):  # known from its birth on, before the visit that follows
                first = max(0, int(np.searchsorted(times, trace.birth[child])) - 1)
            else:
                first = int(np.searchsorted(times, child_times[1:2]).min(initial=len(times)))
            rows = (np.searchsorted(child_times, times, side="right") - 1).tolist()
            column = []
            for row in range(first, len(times)):
                above.visits, above.wins = parent_visits[row], parent_wins[row]
                below.visits, below.wins = child_visits[rows[row]], child_wins[rows[row]]
                column.append(score_terms(rule, below, above, c))
            if column:
                terms[first:, place] = column
        return Family(parent, children, terms)

    def _course(self, node: int) -> tuple[Array, list[int], list[float]]:
        """The iterations that changed a node, 0 first, and its visits and wins after each."""
        part = slice(self.visit_ends[node], self.visit_ends[node + 1])
        times = np.concatenate([[0], self.visit_times[part]])
        before = int(self.trace.visits_before[node])
        wins = [float(self.trace.wins_before[node]), *self.visit_wins[part].tolist()]
        return times, list(range(before, before + len(times))), wins

    def terms(self, parent: int, iterations: int) -> Array:
        """By child of a card: both score terms after that many iterations."""
        part = slice(self.visit_ends[parent], self.visit_ends[parent + 1])
        row = np.searchsorted(self.visit_times[part], iterations, side="right")
        terms: Array = self.families[parent].terms[row]
        return terms

    @cached_property
    def reward_range(self) -> tuple[float, float]:
        """Between which rewards a win bar is empty and full: 0 to 1, or wider if the credit is."""
        rewards = [reward for outcome in self.trace.outcomes for reward in outcome.rewards]
        return min(0.0, *rewards), max(1.0, *rewards)

    # One moment ----------------------------------------------------------------------------------

    def frame(self, iteration: int, phase: str) -> Frame:
        """What is on the screen when ``phase`` of ``iteration`` (from 1) has just happened."""
        moment = self.trace.at(iteration, phase)
        if not iteration:
            raise TraceError("iteration is 0, but a film begins with iteration 1.")
        counted = iteration - (phase != PHASES[-1])
        born = iteration - (phase == PHASES[0])
        path = moment.path
        hidden = tuple(node for node in path if node not in self._card_nodes)
        last_card = int(self.owner[path[-1]])
        return Frame(
            iteration=iteration,
            phase=phase,
            cards=tuple(
                CardFrame(
                    node,
                    *self.visits_and_wins(node, counted),
                    score=self._score(node, counted),
                    on_path=node in path,
                    new=node == moment.new_node,
                )
                for node in self.cards
                if node < moment.nodes
            ),
            stubs=tuple(
                StubFrame(card, count, on_path=bool(hidden) and card == last_card)
                for card, births in self.stubs.items()
                if (count := int(np.searchsorted(births, born, side="right")))
            ),
            path=path,
            strip=hidden,
            new_node=moment.new_node,
        )

    def _score(self, node: int, counted: int) -> float | None:
        parent = int(self.trace.parent[node])
        if parent < 0:
            return None
        terms = self.terms(parent, counted)
        score = float(terms[self.families[parent].children.index(node)].sum())
        return score if np.isfinite(score) else None

    @cached_property
    def margins(self) -> NDArray[np.float32]:
        """By iteration: the lead of the root's choice over its best rival; NaN without one."""
        margins = np.full(self.trace.iterations, np.nan, np.float32)
        root = self.families.get(0)
        if root is None:
            return margins
        place = {child: number for number, child in enumerate(root.children)}
        choice = [place.get(node, 0) for node in self._first_steps.tolist()]
        scores = root.terms[:-1].sum(axis=2)
        every = np.arange(len(margins))
        chosen = scores[every, choice]
        scores[every, choice] = np.nan
        rival = np.where(np.isfinite(scores), scores, -np.inf).max(axis=1)
        # A root with an untried move left compares nothing yet.
        compared = np.isfinite(chosen) & np.isfinite(rival) & (self.walked > 0)
        margins[compared] = chosen[compared] - rival[compared]
        return margins

    @cached_property
    def _first_steps(self) -> Array:
        """By iteration: the second node of its path; the root where there is none."""
        node, parent = self.trace.leaf.astype(np.int64), self.trace.parent
        while (deeper := parent[node] > 0).any():
            node = np.where(deeper, parent[node], node)
        return node

    @cached_property
    def longest_strip(self) -> int:
        """The most nodes of a path that have no card."""
        card = np.zeros(len(self.trace.parent), bool)
        card[list(self.cards)] = True
        node, longest = np.unique(self.trace.leaf), 0
        while len(node := node[~card[node]]):
            longest += 1
            node = np.unique(self.trace.parent[node])
        return longest

    @cached_property
    def walked(self) -> Array:
        """By iteration: how many moves the walk took, before a node was added."""
        birth, parent = self.trace.birth, self.trace.parent
        node = self.trace.leaf.astype(np.int64)
        now = np.arange(1, self.trace.iterations + 1)
        depth = np.zeros(len(node), np.int32)
        while (below := node > 0).any():
            depth += below & (birth[node] < now)
            node = np.where(below, parent[node], node)
        return depth
