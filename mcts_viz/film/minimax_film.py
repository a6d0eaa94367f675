"""The columns of a film of minimax or alpha-beta: the walk's steps on the tree that it has walked.

A step is one event: a node is entered, the end of a game is evaluated, a value is backed up, or
the rest of a node's moves is cut off. All numbers are MAX's, who is player 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import zip_longest
from math import nan
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError, among, counted, short_repr
from ..games import turns
from ..trace.minimax_trace import BACK_UP, CUT_OFF, ENTER, EVALUATE, EVENTS, MinimaxTrace
from .cards import CARDS, Card, FilmData, Moment
from .words import bound, plain, small

MOST_NODES = 50_000

Array = NDArray[Any]
Ends: TypeAlias = tuple[int, ...]
"""How many games end at a position, after one more move, after two, and so on."""
MOST_POSITIONS = 50_000
"""Positions that are looked at to count what alpha-beta did not need."""
LEAST: Final = -1.0
MOST: Final = 1.0
"""All results of a game, for MAX, as parts of the largest, are between these."""


class Known(NamedTuple):
    """The bounds of an exact value that a walk knows: it is between ``low`` and ``high``, these
    included."""

    low: float = LEAST
    high: float = MOST

    def relation(self, value: float) -> str:
        """The exact value is "=" to this ``value``, "≥" or "≤"; "" if no more is known."""
        if self.low == self.high == value:
            return "="
        if self.low == value:
            return "≥"
        return "≤" if self.high == value else ""

    def better(self, other: Known, maximizing: bool) -> Known:
        """The bounds of the better of two values, for MAX the larger one."""
        choose = max if maximizing else min
        return Known(choose(self.low, other.low), choose(self.high, other.high))

    def while_moves_are_left(self, maximizing: bool) -> Known:
        """The bounds of a node's value then: more children can only help who moves."""
        return self._replace(high=MOST) if maximizing else self._replace(low=LEAST)


IN_WORDS: Final = {"=": "", "≥": "at least ", "≤": "at most "}
"""By relation, as a sentence says it."""
IN_SIGNS: Final = {"=": "", "≥": "≥ ", "≤": "≤ "}
"""By relation, as a card says it."""


class MinimaxFilm(FilmData):
    """A walk made ready to be looked at, with at most ``cards`` cards: the largest subtrees.

    Raises ``TraceError`` for a walk of more than 50,000 nodes and for an odd ``cards``.
    """

    trace: MinimaxTrace
    kind = "minimax"
    unit = "step"
    proves = False

    def __init__(self, trace: MinimaxTrace, cards: int = CARDS) -> None:
        if trace.nodes > MOST_NODES:
            raise TraceError(
                f"The walk has {trace.nodes:,} nodes, but a film shows at most {MOST_NODES:,}: "
                "start from a later position, or let alpha-beta walk."
            )
        self.source = trace
        self.iterations = np.arange(1, len(trace) + 1)
        """The steps; a film shows all of them."""
        # By node: the step in which it was entered.
        self.sizes = _sizes(trace.parent)
        """For each node: how many nodes it and all below it are."""
        super().__init__(trace, np.flatnonzero(trace.event == ENTER) + 1, self.sizes, cards)
        self.values = trace.value / turns.largest(trace.game)
        """By step: the value as a part of the largest, in [-1, 1]; NaN when a node is entered."""
        self.narrows = bool(np.isfinite(trace.alpha).any())
        """True if alpha and beta are minded; minimax knows none."""
        self.steps = np.argsort(trace.node, kind="stable") + 1
        """For all nodes end to end: the steps that happened there, rising."""
        self.step_ends = np.append(0, np.cumsum(np.bincount(trace.node)))
        """Node n has the places ``step_ends[n]`` to ``step_ends[n + 1]`` of ``steps``."""
        self.cut = np.zeros(trace.nodes, np.int64)
        """For each node: the step in which its other moves were cut off; 0 if none were."""
        cuts = np.flatnonzero(trace.event == CUT_OFF)
        self.cut[trace.node[cuts]] = cuts + 1

    def card(self, step: int) -> Card:
        """The card of the node where ``step`` happened, as it is from then on."""
        trace, known = self.trace, self.known[0][step - 1]
        node, value = int(trace.node[step - 1]), float(trace.value[step - 1])
        alpha, beta = bound(trace.alpha[step - 1]), bound(trace.beta[step - 1])
        part = float(self.values[step - 1])
        relation = known.relation(part)
        return Card(
            node,
            share=f"{self.whose(node)} {IN_SIGNS[relation] + small(value) if relation else '?'}",
            score=f"α {alpha}  β {beta}" if self.narrows else "",
            fill=(part - LEAST) / (MOST - LEAST) if relation else nan,
            on_path=False,
            new=False,
        )

    def last_step(self, node: int, step: int) -> int:
        """The last step up to this one that happened at the node, which has been entered by
        then."""
        start, end = self.step_ends[node : node + 2]
        return int(
            self.steps[start + np.searchsorted(self.steps[start:end], step, side="right") - 1]
        )

    def relation(self, node: int, step: int) -> str:
        """The relation of the node's exact value to that after ``step``: "=", "≥", "≤" or ""."""
        last = self.last_step(node, step)
        return self.known[0][last - 1].relation(self.values[last - 1])

    @cached_property
    def known(self) -> tuple[list[Known], list[Known]]:
        """The knowledge of a node's exact value from each of its steps on.

        The second list is for the best of its moves that were looked at by then. After a cutoff the
        value of a node is only a bound, and so may be what is built on it (Knuth and Moore, 1975).
        """
        trace = self.trace
        moves_left = (np.bincount(trace.parent[1:], minlength=trace.nodes) + trace.pruned).tolist()
        exact = [Known()] * trace.nodes  # by node, of its exact value
        so_far: dict[int, Known] = {}  # by node, of the best of the moves looked at
        columns: tuple[list[Known], list[Known]] = [], []
        child = 0
        events = trace.event.tolist()
        nodes = trace.node.tolist()
        values = self.values.tolist()
        for event, node, value in zip(events, nodes, values, strict=True):
            if event == EVALUATE:
                exact[node] = Known(value, value)
            elif event == BACK_UP:
                heard, maximizing = exact[child], self.player(node) == 0
                so_far[node] = so_far.get(node, heard).better(heard, maximizing)
                moves_left[node] -= 1
                exact[node] = so_far[node]
                if moves_left[node]:
                    exact[node] = so_far[node].while_moves_are_left(maximizing)
            child = node
            columns[0].append(exact[node])
            columns[1].append(so_far.get(node, exact[node]))
        return columns

    def moment(self, step: int, phase: str | None) -> tuple[int, str]:
        """Return the step and its event; raises ``TraceError`` for a ``phase`` that is another."""
        event = EVENTS[self.trace.event[step - 1]]
        if not among(phase, (None, event)):
            raise TraceError(
                f"phase is {short_repr(phase)}, but in step {step} the event is {event!r}: leave "
                "phase out."
            )
        return step, event

    def at(self, step: int, event: str) -> Moment:
        """The tree when ``step`` has just happened."""
        way = self.trace.path(int(self.trace.node[step - 1]))
        return Moment(self, step, event, step, step, way, 1.0, False)

    def below(self, node: int) -> list[int]:
        """All children that are ever entered."""
        return self.families[node]

    def weights(self, nodes: Sequence[int], moment: Moment) -> list[int]:
        """The number of nodes entered from each node on; these follow each other."""
        entered = int(np.searchsorted(self.created_at, moment.there, side="right"))
        return [min(entered, node + self.sizes[node]) - node for node in nodes]

    def cut_below(self, node: int, there: int) -> int:
        """The number of a node's moves that have been cut off by then."""
        return int(self.trace.pruned[node]) if 0 < self.cut[node] <= there else 0

    def cards_at(self, moment: Moment, nodes: list[int]) -> list[Card]:
        """The cards of these nodes when a step has just happened."""
        step = moment.iteration
        every = max(1, self.weights([0], moment)[0])
        cards = [self.card(self.last_step(node, step)) for node in nodes]
        return [
            card._replace(
                on_path=card.node in moment.path,
                new=card.node == moment.new,
                visit_share=weight / every,
            )
            for card, weight in zip(cards, self.weights(nodes, moment), strict=True)
        ]

    @cached_property
    def leaves(self) -> tuple[Array, bool]:
        """For each node: the leaves of the full tree below it, whether the walk needed them or not.

        Where the full tree is too large to be counted, which is said by ``True``, a move that was
        cut off counts as much as its entered siblings do on average.
        """
        if self._ends is None:
            return self._estimated_leaves(), True
        return np.array([sum(ends) for ends in self._ends], float), False

    @cached_property
    def _ends(self) -> list[Ends] | None:
        """For each node: its games; ``None`` where the full tree is too large to be counted."""
        known: dict[Any, Ends] = {}
        try:
            return [self._ends_below(self.trace.state(n), known) for n in range(self.trace.nodes)]
        except OverflowError:
            return None

    def _ends_below(self, state: Any, known: dict[Any, Ends]) -> Ends:
        """The games that can be played from there; ``OverflowError`` beyond so many positions."""
        game = self.game
        if state not in known:
            if len(known) >= MOST_POSITIONS:
                raise OverflowError
            moves = [] if game.is_terminal(state) else game.legal_actions(state)
            below = [self._ends_below(game.play(state, move), known) for move in moves]
            later = [sum(ends) for ends in zip_longest(*below, fillvalue=0)]
            known[state] = (0, *later) if moves else (1,)
        return known[state]

    @cached_property
    def skipped(self) -> list[list[float]]:
        """The number of skipped games that reach each row below a node's moves that were cut off.

        Where the full tree is too large to be counted, only the first row is known.
        """
        trace, leaves = self.trace, self.leaves[0]
        skipped: list[list[float]] = [[] for _ in range(trace.nodes)]
        children = self.families
        for node in np.flatnonzero(trace.pruned).tolist():
            if self._ends is None:
                skipped[node] = [float(leaves[node] - leaves[children[node]].sum())]
                continue
            own = np.array(self._ends[node][1:])
            for child in children[node]:
                own[: len(self._ends[child])] -= self._ends[child]
            reached = np.cumsum(own[::-1])[::-1]
            skipped[node] = reached[reached > 0].astype(float).tolist()
        return skipped

    def _estimated_leaves(self) -> Array:
        """For each node: what its children have, and as much for each that was cut off."""
        trace = self.trace
        leaves, entered = np.zeros((2, trace.nodes))
        for node in range(trace.nodes - 1, -1, -1):
            moves = entered[node] + trace.pruned[node]
            leaves[node] = leaves[node] / entered[node] * moves if entered[node] else 1
            if node:
                leaves[trace.parent[node]] += leaves[node]
                entered[trace.parent[node]] += 1
        return leaves

    def columns_at(self, step: int, event: str) -> dict[str, list[Any]]:
        """By name, of each node that is there what a graph of the moment carries."""
        moment = self.trace.at(step)
        nodes, path = range(moment.nodes), self.trace.path(moment.node)
        return {
            "on_path": [node in path for node in nodes],
            **{name: getattr(moment, name).tolist() for name in ("value", "alpha", "beta")},
            "bound": [self.relation(node, step) for node in nodes],
        }

    # Words -------------------------------------------------------------------------------------

    def player(self, node: int) -> int | None:
        """MAX, 0, or MIN, 1, whose turn it is; ``None`` at the end of a game."""
        return self._players[node]

    def mover(self, node: int) -> int | None:
        """MAX or MIN, who moved into the node."""
        return self.player(int(self.trace.parent[node])) if node else None

    @cached_property
    def _players(self) -> list[int | None]:
        game, states = self.game, map(self.trace.state, range(self.trace.nodes))
        return [None if game.is_terminal(s) else int(game.to_move(s) != 0) for s in states]

    def whose(self, node: int) -> str:
        """MAX or MIN, who moves there; "end" where the game is over."""
        return {None: "end", 0: "MAX", 1: "MIN"}[self.player(node)]

    @property
    def phases(self) -> tuple[str, ...]:
        """The kinds of steps; minimax cuts nothing off."""
        return EVENTS if self.narrows else EVENTS[:CUT_OFF]

    @property
    def title(self) -> str:
        """The game, and who MAX and MIN are."""
        first, second = self.players
        return f"{plain(self.game.name)}: {first} is MAX, {second} is MIN"

    first_choice = "the one with most nodes below it"
    """The node of a group that is drawn."""

    @property
    def legend(self) -> list[str]:
        """The meaning of a card in the colour of the first player, and of the second."""
        return ["MAX to move", "MIN to move"]

    def untried_word(self, node: int) -> str:
        """The word for moves that have not been entered yet."""
        return "to come"

    @property
    def subtitle(self) -> str:
        """The kind of walk, and its size."""
        cuts = counted(int(np.count_nonzero(self.trace.event == CUT_OFF)), "cutoff")
        kind = f"alpha-beta · {cuts}" if self.narrows else "minimax"
        steps = counted(len(self.trace), "step")
        return f"{kind} · {counted(self.trace.nodes, 'node')} · {steps}"

    def line(self, step: int) -> str:
        """The line of the algorithm, as a textbook writes it, in which ``step`` happens."""
        event, node = self.trace.event[step - 1], int(self.trace.node[step - 1])
        if event == BACK_UP:
            best, bound = ("max", "alpha") if self.whose(node) == "MAX" else ("min", "beta")
            more = f"; {bound} = {best}({bound}, best)" if self.narrows else ""
            return f"best = {best}(best, value){more}"
        if event == ENTER:
            window = ", alpha, beta" if self.narrows else ""
            return f"value = self.value(child{window})"
        return "return self.utility(state)" if event == EVALUATE else "if alpha >= beta: break"

    def caption(self, step: int, phase: str = "") -> str:
        """Say what happens in ``step``, in a sentence or two; its ``phase`` is its own."""
        trace = self.trace
        event = self.trace.event[step - 1]
        node = int(self.trace.node[step - 1])
        place = f"after {plain(trace.label(node))}" if node else "at the root"
        if event == ENTER:
            alpha, beta = bound(trace.alpha[step - 1]), bound(trace.beta[step - 1])
            window = f" with the window from α = {alpha} to β = {beta}"
            return f"The position {place} is entered{window if self.narrows else ''}."
        if event == EVALUATE:
            return f"The game is over {place}: its value for MAX is {self._said(step)}."
        whose = self.whose(node)
        if event == BACK_UP:
            child = plain(trace.label(int(trace.node[step - 2])))
            took = "the largest" if whose == "MAX" else "the smallest"
            return (
                f"{child} is worth {self._said(step - 1)}. {whose} {place} takes {took} of its "
                f"moves, so far {self._said(step, so_far=True)}."
            )
        lost, count = "; no other move was left", int(trace.pruned[node])
        if count:
            lost = f", so {counted(count, 'other move')} {'is' if count == 1 else 'are'} skipped"
        kind, other, sure = (
            ("β", "MIN", trace.beta) if whose == "MAX" else ("α", "MAX", trace.alpha)
        )
        return (
            f"{kind} cutoff {place}: {whose} gets {self._said(step)} here. {other} is already "
            f"sure of {small(sure[step - 1])} elsewhere and gains nothing here{lost}."
        )

    def _said(self, step: int, so_far: bool = False) -> str:
        """The value at the node of ``step`` from then on: 0.5, at least 0.5, at most 0.5.

        It is the node's own, or that of the best of the moves looked at ``so_far``.
        """
        relation = self.known[so_far][step - 1].relation(self.values[step - 1])
        return IN_WORDS[relation] + small(self.trace.value[step - 1])


def _sizes(parent: Array) -> Array:
    """For each node: how many nodes it and all below it are."""
    sizes, parents = [1] * len(parent), parent.tolist()
    for node in range(len(parents) - 1, 0, -1):
        sizes[parents[node]] += sizes[node]
    return np.array(sizes)
