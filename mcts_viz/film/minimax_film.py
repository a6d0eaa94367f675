"""The columns of a film of minimax or alpha-beta: the walk's steps on the tree that it has walked.

A step is one event: a node is entered, the end of a game is evaluated, a value is backed up, or
the rest of a node's moves is cut off. All numbers are MAX's, who is player 0.
"""

from __future__ import annotations

from functools import cached_property
from math import isinf, isnan, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError, short_repr
from ..games.boards import among
from ..trace.minimax_trace import BACK_UP, CUT_OFF, ENTER, EVALUATE, EVENTS, MinimaxTrace
from .cards import CARDS, Card, Cards, Frame
from .words import bound, counted, plain, short

MOST_NODES = 50_000

Array = NDArray[Any]
MOST_POSITIONS = 50_000
"""Positions that are looked at to count what alpha-beta did not need."""


class MinimaxFilm(Cards):
    """A walk made ready to be looked at, with at most ``cards`` cards: the largest subtrees.

    Raises ``TraceError`` for a walk of more than 50,000 nodes and for an odd ``cards``.
    """

    trace: MinimaxTrace
    kind, unit, proves = "minimax", "step", False

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
        super().__init__(trace, np.flatnonzero(trace.event == ENTER) + 1, _sizes(trace.parent), cards)
        self.narrows = bool(np.isfinite(trace.alpha).any())
        """True if alpha and beta are minded; minimax knows none."""
        self.steps = np.argsort(trace.node, kind="stable") + 1
        """For all nodes end to end: the steps that happened there, rising."""
        self.step_ends = np.append(0, np.cumsum(np.bincount(trace.node)))
        """Node n has the places ``step_ends[n]`` to ``step_ends[n + 1]`` of ``steps``."""
        self.cut = np.zeros(trace.nodes, np.int64)
        """By node: the step in which its other moves were cut off; 0 if none were."""
        cuts = np.flatnonzero(trace.event == CUT_OFF)
        self.cut[trace.node[cuts]] = cuts + 1

    @property
    def longest_texts(self) -> list[str]:
        """No line of a card is longer than one of these."""
        values = [short(number) for number in np.unique(self.trace.value) if np.isfinite(number)]
        ends = max(values, key=len, default="?")
        return [f"MAX {ends}", f"α {ends}  β {ends}" if self.narrows else ""]

    def card(self, node: int, value: float, alpha: float, beta: float) -> Card:
        """The card of a node with these numbers."""
        return Card(
            node,
            share=f"{self.whose(node)} {'?' if isnan(value) else short(value)}",
            score=f"α {bound(alpha)}  β {bound(beta)}" if self.narrows else "",
            fill=(value + 1) / 2,  # empty if MIN wins, full if MAX does
            on_path=False,
            new=False,
        )

    def after(self, step: int) -> tuple[float, float, float]:
        """Value, alpha and beta of the node where ``step`` happened, from then on.

        The value is not-a-number while it is unknown.
        """
        columns = (self.trace.value, self.trace.alpha, self.trace.beta)
        value, alpha, beta = (float(column[step - 1]) for column in columns)
        return nan if isinf(value) else value, alpha, beta

    def moment(self, step: int, phase: str | None) -> tuple[int, str]:
        """Return the step and its event; raises ``TraceError`` for a ``phase`` that is another."""
        event = EVENTS[self.trace.event[step - 1]]
        if not among(phase, (None, event)):
            raise TraceError(f"phase is {short_repr(phase)}, but in step {step} the event is {event!r}.")
        return step, event

    def frame(self, step: int, event: str) -> Frame:
        """Return the frame when ``step`` has just happened."""
        moment = self.trace.at(step)
        new = moment.node if event == EVENTS[ENTER] else None
        seen = [node for node in self.cards if node < moment.nodes]
        path, pruned = self.trace.path(moment.node), self.trace.pruned
        cards = map(self.card, seen, moment.value[seen], moment.alpha[seen], moment.beta[seen])
        return Frame(
            iteration=step,
            phase=event,
            cards=tuple(c._replace(on_path=c.node in path, new=c.node == new) for c in cards),
            hidden=self.hidden_at(step),
            pruned={n: int(pruned[n]) for n in seen if 0 < self.cut[n] <= step and pruned[n]},
            path=path,
            new_node=new,
        )

    @cached_property
    def leaves(self) -> tuple[Array, bool]:
        """By node: the leaves of the full tree below it, whether the walk needed them or not.

        Where the full tree is too large to be counted, which is said by ``True``, a move that was
        cut off counts as much as its entered siblings do on average.
        """
        game = self.game
        known: dict[Any, int] = {}

        def below(state: Any) -> int:
            if state not in known:
                if len(known) >= MOST_POSITIONS:
                    raise OverflowError
                moves = [] if game.is_terminal(state) else game.legal_actions(state)
                known[state] = sum(below(game.play(state, move)) for move in moves) or 1
            return known[state]

        trace = self.trace
        try:
            return np.array([below(trace.state(n)) for n in range(trace.nodes)], float), False
        except OverflowError:
            leaves, entered = np.zeros((2, trace.nodes))
            for node in range(trace.nodes - 1, -1, -1):
                moves = entered[node] + trace.pruned[node]
                leaves[node] = leaves[node] / entered[node] * moves if entered[node] else 1
                if node:
                    leaves[trace.parent[node]] += leaves[node]
                    entered[trace.parent[node]] += 1
            return leaves, True

    # Words -------------------------------------------------------------------------------------

    def player(self, node: int) -> int | None:
        """MAX, 0, or MIN, 1, whose turn it is; ``None`` at the end of a game."""
        state = self.trace.state(node)
        return None if self.game.is_terminal(state) else int(self.game.to_move(state) != 0)

    def whose(self, node: int) -> str:
        """MAX, MIN, or nobody at the end of a game."""
        return {None: "end", 0: "MAX", 1: "MIN"}[self.player(node)]

    @property
    def phases(self) -> tuple[str, ...]:
        """The kinds of steps; minimax cuts nothing off."""
        return EVENTS if self.narrows else EVENTS[:CUT_OFF]

    @property
    def title(self) -> str:
        """The game, and who MAX and MIN are."""
        first, second = map(plain, self.game.players)
        return f"{plain(self.game.name)}: {first} is MAX, {second} is MIN"

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
        called = f"value = self.value(child{', alpha, beta' * self.narrows})"
        return {ENTER: called, EVALUATE: "return self.utility(state)"}.get(event, "if alpha >= beta: break")

    def caption(self, step: int, phase: str = "") -> str:
        """Say what happens in ``step``, in a sentence or two; its ``phase`` is its own."""
        trace, event, node = self.trace, self.trace.event[step - 1], int(self.trace.node[step - 1])
        value, alpha, beta = self.after(step)
        place = f"after {plain(trace.label(node))}" if node else "at the root"
        said, whose = "" if isnan(value) else short(value), self.whose(node)
        if event == ENTER:
            window = f" with the window from α = {bound(alpha)} to β = {bound(beta)}"
            return f"The position {place} is entered{window if self.narrows else ''}."
        if event == EVALUATE:
            return f"The game is over {place}: its value for MAX is {said}."
        if event == BACK_UP:
            child = int(trace.node[step - 2])
            theirs, _, _ = self.after(step - 1)
            took = "the largest" if whose == "MAX" else "the smallest"
            return (
                f"{plain(trace.label(child))} is worth {short(theirs)}. {whose} {place} "
                f"takes {took} of its moves, so far {said}."
            )
        lost, count = "no other move was left", int(trace.pruned[node])
        if count:
            lost = f"{counted(count, 'other move')} {'is' if count == 1 else 'are'} skipped"
        kind, other, way = ("β", "MIN", beta) if whose == "MAX" else ("α", "MAX", alpha)
        return (
            f"{kind} cutoff {place}: {whose} gets {said} here. {other} is already sure of "
            f"{bound(way)} elsewhere, so play will not come here, and {lost}."
        )


def _sizes(parent: Array) -> Array:
    """By node: how many nodes it and all below it are."""
    sizes, parents = [1] * len(parent), parent.tolist()
    for node in range(len(parents) - 1, 0, -1):
        sizes[parents[node]] += sizes[node]
    return np.array(sizes)
