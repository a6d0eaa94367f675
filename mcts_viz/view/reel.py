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
from ..trace.trace import Snapshot, Stats
from .boards import board_of
from .cards import CARDS, Cards
from .words import PROOFS, fixed, rule_label, short

__all__ = ["CardFrame", "Family", "Flips", "Frame", "Reel", "StubFrame"]

Array = NDArray[Any]


class CardFrame(NamedTuple):
    """What a card shows at one moment; wins and score are for the player who moved there."""

    node: int
    visits: int
    wins: float
    score: float | None
    on_path: bool
    new: bool
    proof: int = 0
    """1 for a proven win of the player who moved there, -1 for a loss."""


class StubFrame(NamedTuple):
    """``hidden`` nodes below ``card`` (a node's number) have no card of their own."""

    card: int
    hidden: int
    on_path: bool

    @property
    def text(self) -> str:
        return f"+{self.hidden}"


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
    slots: tuple[CardFrame, ...]
    """What stands there of each node of the strip."""
    new_node: int | None


class Family(NamedTuple):
    """The children of a node that has a card, and all their scores over time.

    ``terms[v, j]`` holds exploitation and exploration of child j after v iterations through the
    parent, not-a-number while the child has no score.
    """

    parent: int
    children: tuple[int, ...]
    terms: NDArray[np.float32]


class Flips(NamedTuple):
    """By iteration: between ``low`` and ``high`` every c would choose the same move at the root.

    A smaller c would choose ``below``, a larger one ``above`` (nodes, which mean nothing where
    ``low`` is 0 and ``high`` infinite). Not-a-number where nothing was compared.
    """

    low: NDArray[np.float32]
    high: NDArray[np.float32]
    below: Array
    above: Array


class Choices(NamedTuple):
    """What the root chose from: ``terms[i, j]`` are both terms of child j in iteration i + 1.

    Not-a-number where a child has no score, or is passed over because it is proven. ``chosen[i]``
    is the place of the child that was chosen, 0 where none was.
    """

    root: Family
    chosen: Array
    terms: NDArray[np.float32]


class Reel(Cards):
    """A trace made ready to be looked at, with at most ``cards`` cards.

    The most visited nodes get one, and as no node is visited more often than its parent, they
    hang together. Raises ``TraceError`` for a trace without iterations and for an odd ``cards``.
    """

    def __init__(self, trace: Trace, cards: int = CARDS) -> None:
        if not trace.iterations:
            raise TraceError("The trace has no iteration, so there is nothing to show: record one.")
        self.trace = trace
        self.game = trace.game
        self.board = board_of(trace.game)
        self._families: dict[int, Family] = {}
        visits = trace.visits(trace.iterations)
        super().__init__(trace.parent, trace.birth, visits, cards)

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
        with np.errstate(over="ignore"):  # beyond 10³⁸ a number is shown as infinite
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
        """By node of the pool with children: their scores over time."""
        parents = [node for node in self.pool if self.trace.children[node]]
        return {node: self.family(node) for node in parents}

    def family(self, parent: int) -> Family:
        """The scores of a node's children over time."""
        if parent not in self._families:
            self._families[parent] = self._family(parent)
        return self._families[parent]

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
                with np.errstate(over="ignore"):
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
        """By child of a node: both score terms after that many iterations."""
        part = slice(self.visit_ends[parent], self.visit_ends[parent + 1])
        row = np.searchsorted(self.visit_times[part], iterations, side="right")
        terms: Array = self.family(parent).terms[row]
        return terms

    @cached_property
    def reward_range(self) -> tuple[float, float]:
        """Between which rewards a win bar is empty and full: 0 to 1, or wider if the credit is."""
        rewards = [reward for outcome in self.trace.outcomes for reward in outcome.rewards]
        return min(0.0, *rewards), max(1.0, *rewards)

    @cached_property
    def best_reward(self) -> float:
        """The highest reward that any playout brought anybody."""
        return max(reward for outcome in self.trace.outcomes for reward in outcome.rewards)

    @cached_property
    def reward_sum(self) -> float | None:
        """What all players get for a playout together; ``None`` if that is not always the same."""
        sums = [sum(outcome.rewards) for outcome in self.trace.outcomes]
        return sums[0] if np.allclose(sums, sums[0]) else None

    # One moment ----------------------------------------------------------------------------------

    def frame(self, iteration: int, phase: str) -> Frame:
        """What is on the screen when ``phase`` of ``iteration`` (from 1) has just happened."""
        moment = self.trace.at(iteration, phase)
        if not iteration:
            raise TraceError("iteration is 0, but a film begins with iteration 1.")
        born = iteration - (phase == PHASES[0])
        path = moment.path
        hidden = self.without_card(path)
        last_card = int(self.owner[path[-1]])
        return Frame(
            iteration=iteration,
            phase=phase,
            cards=tuple(self._card(node, moment) for node in self.cards if node < moment.nodes),
            stubs=tuple(
                StubFrame(card, count, on_path=bool(hidden) and card == last_card)
                for card, births in self.stubs.items()
                if (count := int(np.searchsorted(births, born, side="right")))
            ),
            path=path,
            strip=hidden,
            slots=tuple(self._card(node, moment) for node in hidden),
            new_node=moment.new_node,
        )

    def _card(self, node: int, moment: Snapshot) -> CardFrame:
        counted = moment.iteration - (moment.phase != PHASES[-1])
        return CardFrame(
            node,
            *self.visits_and_wins(node, counted),
            score=self._score(node, counted),
            on_path=node in moment.path,
            new=node == moment.new_node,
            proof=moment.proof(node),
        )

    def _score(self, node: int, counted: int) -> float | None:
        """Known of cards alone."""
        parent = int(self.trace.parent[node])
        if parent < 0 or node not in self._card_nodes:
            return None
        terms = self.terms(parent, counted)
        score = float(terms[self.family(parent).children.index(node)].sum())
        return score if np.isfinite(score) else None

    # Words -------------------------------------------------------------------------------------

    def texts(self, card: CardFrame) -> tuple[str, str]:
        """Both lines of a card: wins and visits, and what is proven, else the score."""
        otherwise = "root" if not card.node else "new" if card.new else ""
        score = otherwise if card.score is None else f"{rule_label(self.trace)} {fixed(card.score)}"
        return f"{short(card.wins)}/{card.visits}", PROOFS.get(card.proof, score)

    def mark(self, card: CardFrame) -> str:
        """The classes of a card that is proven."""
        return PROOFS.get(card.proof, "")

    def level(self, card: CardFrame) -> float:
        """How full the win bar is, from 0 to 1."""
        low, high = self.reward_range
        return (card.wins / card.visits - low) / (high - low) if card.visits else 0.0

    def weight(self, card: CardFrame, frame: Frame) -> float:
        """How thick the edge to the card is, from 0 to 1: its share of all visits."""
        return card.visits / max(1, frame.cards[0].visits)

    @property
    def proves(self) -> bool:
        """Whether cards can be marked as proven."""
        return self.trace.solver

    @property
    def longest_texts(self) -> list[str]:
        """No line of a card is longer than one of these."""
        visits, wins = self.visits_and_wins(0, self.trace.iterations)
        share = f"{short(wins)}{'.5' if wins % 1 == 0 and wins else ''}/{visits}"
        return [share, f"{rule_label(self.trace)} 0.00", *(PROOFS.values() if self.proves else ())]

    @property
    def longest_stub(self) -> str:
        return f"+{max(map(len, self.stubs.values()), default=0)}"

    @property
    def stub_cards(self) -> list[int]:
        """Cards that have a stub at some time."""
        return list(self.stubs)

    @cached_property
    def _choices(self) -> Choices | None:
        """What the root chose from, by iteration; ``None`` for a root without children."""
        if not self.trace.children[0]:
            return None
        root = self.family(0)
        place = {child: number for number, child in enumerate(root.children)}
        terms = root.terms[:-1].copy()
        for number, child in enumerate(root.children):
            if self.trace.proofs.sign[child]:  # passed over from then on
                terms[self.trace.proofs.since[child] :, number] = np.nan
        chosen = np.array([place.get(node, 0) for node in self.first_steps.tolist()])
        every = np.arange(self.trace.iterations)
        terms[every, chosen] = root.terms[every, chosen]
        return Choices(root, chosen, terms)

    @cached_property
    def margins(self) -> NDArray[np.float32]:
        """By iteration: the lead of the root's choice over its best rival; NaN without one."""
        margins = np.full(self.trace.iterations, np.nan, np.float32)
        if self._choices is None:
            return margins
        _, choice, terms = self._choices
        every, scores = np.arange(len(margins)), terms.sum(axis=2)
        chosen = scores[every, choice]
        scores[every, choice] = np.nan
        rival = np.where(np.isfinite(scores), scores, -np.inf).max(axis=1)
        # A root with an untried move left compares nothing yet.
        compared = np.isfinite(chosen) & np.isfinite(rival) & (self.walked > 0)
        compared[: bool(self.trace.told)] = False
        margins[compared] = chosen[compared] - rival[compared]
        return margins

    @cached_property
    def flips(self) -> Flips | None:
        """For which c the root's choices would have been others; ``None`` if c is no plain factor.

        Exact where the rule's second term is c times something, as in UCB1 and PUCT.
        """
        c = self.trace.c
        if self._choices is None or not c or not self._scales_with_c(self._choices.root):
            return None
        root, choice, terms = self._choices
        every = np.arange(self.trace.iterations)
        compared = np.isfinite(self.margins) & (self.margins >= 0)
        with np.errstate(all="ignore"):  # the smallest and the largest c leave no finite numbers
            means, widths = terms[:, :, 0], terms[:, :, 1].astype(np.float64) / c
            lead = means[every, choice][:, None] - means
            wider = widths[every, choice][:, None] - widths
            meeting = -lead / wider  # the c for which rival and choice are level
        low = np.where((wider > 0) & (meeting > 0), meeting, -np.inf)
        high = np.where((wider < 0) & np.isfinite(meeting), meeting, np.inf)
        children = np.array(root.children)
        with np.errstate(over="ignore"):
            return Flips(
                low=np.where(compared, np.maximum(low.max(axis=1), 0), np.nan).astype(np.float32),
                high=np.where(compared, high.min(axis=1), np.nan).astype(np.float32),
                below=children[low.argmax(axis=1)].astype(np.uint32),
                above=children[high.argmin(axis=1)].astype(np.uint32),
            )

    def _scales_with_c(self, root: Family) -> bool:
        """Whether twice the c makes twice the second term, for the root's children at the end."""
        trace, end = self.trace, self.trace.at(self.trace.iterations)
        above = Stats(trace, 0, int(end.visits[0]), float(end.wins[0]))
        for child in root.children:
            below = Stats(trace, child, int(end.visits[child]), float(end.wins[child]))
            if below.visits:
                mean, width = score_terms(trace.selection, below, above, trace.c)
                twice = score_terms(trace.selection, below, above, 2 * trace.c)
                if not np.allclose(twice, (mean, 2 * width)):
                    return False
        return True

    @cached_property
    def first_refuted(self) -> int:
        """How many iterations it took to prove a child of the root; all, if there is no proof."""
        sign, since = self.trace.proofs
        times = [int(since[node]) for node in self.trace.children[0] if sign[node]]
        return min(times, default=self.trace.iterations)

    @cached_property
    def first_steps(self) -> Array:
        """By iteration: the second node of its path; the root where there is none."""
        node, parent = self.trace.leaf.astype(np.int64), self.trace.parent
        while (deeper := parent[node] > 0).any():
            node = np.where(deeper, parent[node], node)
        return node

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
