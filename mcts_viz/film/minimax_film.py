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
from ..search import EVENTS
from ..trace.minimax_trace import MinimaxTrace
from .boards import board_of
from .cards import CARDS, Card, Cards, Frame
from .words import bound, counted, plain, short

MOST_NODES = 50_000
MOST_POSITIONS = 50_000
"""Positions that are looked at to count what alpha-beta did not need."""
ENTER, EVALUATE, BACK_UP, CUT_OFF = range(len(EVENTS))

Array = NDArray[Any]


class MinimaxFilm(Cards):
    """A walk made ready to be looked at, with at most ``cards`` cards: the largest subtrees.

    Raises ``TraceError`` for a walk of more than 50,000 nodes and for an odd ``cards``.
    """

    def __init__(self, trace: MinimaxTrace, cards: int = CARDS) -> None:
        if trace.nodes > MOST_NODES:
            raise TraceError(
                f"The walk has {trace.nodes:,} nodes, but a film shows at most {MOST_NODES:,}: "
                "start from a later position, or let alpha-beta walk."
            )
        self.trace = self.source = trace
        self.iterations = np.arange(1, len(trace) + 1)
        """The steps; a film shows all of them."""
        self.game = trace.game
        self._table: list[float] = trace.numbers.tolist()
        self.board = board_of(trace.game)
        self.entry = np.flatnonzero(trace.event == ENTER) + 1
        """By node: the step in which it was entered."""
        super().__init__(trace.parent, self.entry, _sizes(trace.parent), cards)
        self.narrows = bool(np.isfinite(trace.numbers[trace.alpha]).any())
        """Whether alpha and beta are minded; minimax knows none."""
        order = np.argsort(trace.node, kind="stable")
        self.steps = order.astype(np.uint32) + 1
        """For all nodes end to end: the steps that happened there, rising."""
        self.step_ends = np.concatenate([[0], np.cumsum(np.bincount(trace.node.astype(np.intp)))])
        """Node n has the places ``step_ends[n]`` to ``step_ends[n + 1]`` of ``steps``."""
        self.cut = np.zeros(trace.nodes, np.uint32)
        """By node: the step in which its other moves were cut off; 0 if none were."""
        cuts = np.flatnonzero(trace.event == CUT_OFF)
        self.cut[trace.node[cuts]] = cuts + 1

    @property
    def longest_texts(self) -> list[str]:
        """No line of a card is longer than one of these."""
        values = [short(number) for number in self.trace.numbers if np.isfinite(number)]
        ends = max(values, key=len, default="?")
        return [f"MAX {ends}", f"α {ends}  β {ends}" if self.narrows else ""]

    proves = False
    """Whether cards can be marked as proven."""

    def card(self, step: int, on_path: bool = False, new: bool = False) -> Card:
        """The card of the node where ``step`` happened, from then on."""
        node, (value, alpha, beta) = int(self.trace.node[step - 1]), self.after(step)
        return Card(
            node,
            share=f"{self.whose(node)} {'?' if value is None else short(value)}",
            score=f"α {bound(alpha)}  β {bound(beta)}" if self.narrows else "",
            fill=nan if value is None else (value + 1) / 2,  # empty if MIN wins, full if MAX does
            on_path=on_path,
            new=new,
        )

    def latest(self, node: int, step: int) -> int:
        """The last step up to this one that happened at the node."""
        part = self.steps[self.step_ends[node] : self.step_ends[node + 1]]
        return int(part[np.searchsorted(part, step, side="right") - 1])

    def after(self, step: int) -> tuple[float | None, float, float]:
        """Value, alpha and beta of the node where ``step`` happened, from then on."""
        table, trace, place = self._table, self.trace, step - 1
        value = table[trace.value[place]]
        known = None if isnan(value) or isinf(value) else value
        return known, table[trace.alpha[place]], table[trace.beta[place]]

    def frame(self, step: int, phase: str | None = None) -> Frame:
        """What is on the screen when ``step`` has just happened."""
        moment = self.trace.at(step)
        event = EVENTS[self.trace.event[step - 1]]
        if not among(phase, (None, event)):
            raise TraceError(
                f"phase is {short_repr(phase)}, but in step {step} the event is {event!r}."
            )
        new = moment.node if event == EVENTS[ENTER] else None
        cut = {
            card: int(self.trace.pruned[card])
            for card in self.cards
            if 0 < self.cut[card] <= step and self.trace.pruned[card]
        }
        return Frame(
            iteration=step,
            phase=event,
            cards=tuple(
                self.card(self.latest(node, step), node in moment.path, node == new)
                for node in self.cards
                if node < moment.nodes
            ),
            hidden=self.hidden_at(step),
            pruned=cut,
            path=moment.path,
            new_node=new,
        )

    @cached_property
    def leaves(self) -> Array:
        """By node: the leaves of the full tree below it, whether the walk needed them or not.

        Where the full tree is too large to be counted, a move that was cut off counts as much as
        its entered siblings do on average.
        """
        try:
            return self._counted_leaves()
        except OverflowError:
            parent = self.trace.parent.tolist()
            leaves, entered = [0.0] * len(parent), [0] * len(parent)
            for node in range(len(parent) - 1, -1, -1):
                moves = entered[node] + int(self.trace.pruned[node])
                leaves[node] = leaves[node] / entered[node] * moves if entered[node] else 1.0
                if node:
                    leaves[parent[node]] += leaves[node]
                    entered[parent[node]] += 1
            return np.array(leaves)

    def _counted_leaves(self) -> Array:
        known: dict[Any, int] = {}
        game = self.game

        def below(state: Any) -> int:
            if state not in known:
                if len(known) >= MOST_POSITIONS:
                    raise OverflowError
                moves = [] if game.is_terminal(state) else game.legal_actions(state)
                known[state] = sum(below(game.play(state, move)) for move in moves) or 1
            return known[state]

        return np.array([below(self.trace.state(node)) for node in range(self.trace.nodes)], float)

    # Words -------------------------------------------------------------------------------------

    def player(self, node: int) -> int | None:
        """MAX, 0, or MIN, 1, whose turn it is; ``None`` at the end of a game."""
        state = self.trace.state(node)
        return None if self.game.is_terminal(state) else int(self.game.to_move(state) != 0)

    def whose(self, node: int) -> str:
        """MAX, MIN, or nobody at the end of a game."""
        return {None: "end", 0: "MAX", 1: "MIN"}[self.player(node)]

    kind, unit = "minimax", "step"

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
        return {ENTER: called, EVALUATE: "return self.utility(state)"}.get(
            event, "if alpha >= beta: break"
        )

    def caption(self, step: int) -> str:
        """What happens in ``step``, in a sentence or two."""
        trace, moment = self.trace, self.trace.at(step)
        node = moment.node
        assert node is not None
        value, alpha, beta = self.after(step)
        place = f"after {plain(trace.label(node))}" if node else "at the root"
        event = trace.event[step - 1]
        said = "" if value is None else short(value)
        if event == ENTER:
            window = f" with the window from α = {bound(alpha)} to β = {bound(beta)}"
            return f"The position {place} is entered{window if self.narrows else ''}."
        if event == EVALUATE:
            return f"The game is over {place}: its value for MAX is {said}."
        whose = self.whose(node)
        if event == BACK_UP:
            child = moment.child
            assert child is not None
            theirs, _, _ = self.after(self.latest(child, step))
            took = "the largest" if whose == "MAX" else "the smallest"
            return (
                f"{plain(trace.label(child))} is worth {short(theirs or 0.0)}. {whose} {place} "
                f"takes {took} of its moves, so far {said}."
            )
        if trace.pruned[node]:
            left = counted(int(trace.pruned[node]), "other move")
            lost = f"{left} {'is' if trace.pruned[node] == 1 else 'are'} skipped"
        else:
            lost = "no other move was left"
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
