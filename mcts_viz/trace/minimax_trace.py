"""The trace of a walk by minimax or alpha-beta: small columns, and any moment brought back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nan
from typing import Any, Final

import numpy as np

from ..errors import SearchError, TraceError, require
from ..games import Game
from ..search.checks import check_rules, require_whole
from ..search.expectation import needs_averages
from ..search.minimax import Position, Walk, alpha_beta, minimax
from ..search.running import exact_play
from .columns import Floats, Ints, smallest_ints
from .trace import RecordedTree

MOST: Final = 600_000
"""Nodes that are recorded: all of tic-tac-toe, and seconds of work in a game that is too large."""

EVENTS: Final = ("enter", "evaluate", "back_up", "cut_off")
"""The events at a node, in order. A game that is over is evaluated; else the value of each child is
backed up. Once MAX has found at least beta there, or MIN at most alpha, the rest is cut off: the
other player will not let it come to that. It may happen at the last move, too."""
ENTER, EVALUATE, BACK_UP, CUT_OFF = range(len(EVENTS))


@dataclass(frozen=True, eq=False, repr=False)
class MinimaxTrace(RecordedTree):
    """A recorded walk. Make one with ``record_minimax(alpha_beta, game)``.

    Nodes are numbered in the order of visits, the root is 0. Steps count from 1. MAX is player 0
    and MIN is player 1; every value, alpha and beta is MAX's.
    """

    game: Game[Any, Any]
    pruned: Ints
    """For each node: how many of its moves were never looked at, because of a cutoff."""
    event: Ints
    """For each step: what happened, as a place in ``EVENTS``."""
    node: Ints
    """For each step: the node where it happened; in a back-up the one that hears from its child."""
    value: Floats
    """For each step: the value that this node has from now on; NaN when it is entered."""
    alpha: Floats
    """For each step: this node's alpha from now on; -∞ in minimax, which knows none."""
    beta: Floats
    """For each step: this node's beta from now on; ∞ in minimax, which knows none."""

    def __len__(self) -> int:
        """Steps that were recorded."""
        return len(self.event)

    @property
    def nodes(self) -> int:
        """Nodes that were entered."""
        return len(self.parent)

    def at(self, step: int) -> MinimaxSnapshot:
        """The moment when ``step`` has just happened; raises ``TraceError`` if the trace has no
        such step.
        """
        require_whole("step", step, 1, len(self), TraceError)
        events, places = self.event[:step], self.node[:step]
        nodes = int(np.count_nonzero(events == ENTER))
        numbers = np.full((3, nodes), nan)
        for latest, column in zip(numbers, (self.value, self.alpha, self.beta), strict=True):
            latest[places] = column[:step]  # the last of several stays
        numbers.flags.writeable = False
        return MinimaxSnapshot(step, EVENTS[events[-1]], int(places[-1]), nodes, *numbers)

    def __repr__(self) -> str:
        return f"<MinimaxTrace of {self.game.name}: {len(self)} steps, {self.nodes} nodes>"


@dataclass(frozen=True, eq=False, repr=False)
class MinimaxSnapshot:
    """One moment of a walk; nothing in it changes, and nothing of it knows the future.

    The arrays have one entry for each node that was entered by now. Numbers are MAX's.
    """

    step: int
    event: str
    """The event of this step, one of ``EVENTS``."""
    node: int
    """The node where it happened; in a back-up the one that hears from its child."""
    nodes: int
    """The number of nodes that were entered, from 0 to ``nodes - 1``."""
    value: Floats
    """For each node: the best value known by now; NaN where none is known."""
    alpha: Floats
    """For each node: what MAX was assured of when the walk was last there."""
    beta: Floats
    """For each node: what MIN could hold MAX to when the walk was last there."""

    def __repr__(self) -> str:
        return f"<step {self.step}: {self.event} at node {self.node}, {self.nodes} nodes>"


def record_minimax(
    walk: Callable[..., object], game: Game[Any, Any], state: Any = None
) -> MinimaxTrace:
    """Walk as ``walk`` does, ``minimax`` or ``alpha_beta``, and return the trace.

    Raises ``TraceError`` for a walk of more than 600,000 nodes, and ``SearchError`` for a game with
    luck, with rewards on the way or for one player: its values are averages and sums, which a film
    of minimax does not tell.

    >>> from mcts_viz import Nim, alpha_beta, record_minimax
    >>> record_minimax(alpha_beta, Nim((1, 2))).at(3)
    <step 3: enter at node 2, 3 nodes>
    """
    require(walk in (minimax, alpha_beta), "walk", "minimax or alpha_beta", walk)
    check_rules(game)
    if needs_averages(game):
        raise SearchError(
            "A film of minimax is for two players without luck and rewards on the way, not for "
            f"{game.name}: take solve(game, state) for exact values, or MCTS(game).record()."
        )
    recording = _Recording(game, walk is alpha_beta)
    state = game.initial_state() if state is None else state
    with exact_play(game, state):
        recording.enter(None, recording.at(state))
    return MinimaxTrace(game=game, root_state=state, **recording.columns())


class _Recording(Walk):
    """A walk that notes what happens, and nothing that follows from the rest.

    It notes in lists, which take a number faster than all else in Python.
    """

    def __init__(self, game: Game[Any, Any], prune: bool) -> None:
        super().__init__(game, prune)
        self.events: list[int] = []
        """Of each step."""
        self.moves: list[Any] = []
        """The move that led to each node; of the root, ``None``."""
        self.ends: list[float] = []
        """The value of each node that was evaluated."""
        self.heard_by: list[int] = []
        """The node of each back-up, and what it knew then:"""
        self.values: list[float] = []
        self.alphas: list[float] = []
        self.betas: list[float] = []
        self.widths: list[int] = []
        """How many moves each node had that was cut off."""

    def enter(self, move: Any, at: Position, alpha: float = -inf, beta: float = inf) -> float:
        """The same value as :meth:`Walk.value`; minimax minds no alpha and beta."""
        node = len(self.moves)
        if node == MOST:
            remedy = "start from a later position"
            raise TraceError(f"{self.game.name} has more than {MOST:,} nodes from here: {remedy}.")
        self.moves.append(move)
        self.events.append(ENTER)
        if at.end:
            self.events.append(EVALUATE)
            self.ends.append(at.end[0])
            return at.end[0]
        maximizing, moves = at.maximizing, at.moves or self.ahead(at)
        best = -inf if maximizing else inf
        for move, child in moves:
            value = self.enter(move, child, alpha, beta)
            if value > best if maximizing else value < best:
                best = value
                alpha, beta = self._narrowed(maximizing, best, alpha, beta)
            self.events.append(BACK_UP)
            self.heard_by.append(node)
            self.values.append(best)
            self.alphas.append(alpha)
            self.betas.append(beta)
            if alpha >= beta:
                self.events.append(CUT_OFF)
                self.widths.append(len(moves))
                break
        return best

    def _narrowed(
        self, maximizing: bool, best: float, alpha: float, beta: float
    ) -> tuple[float, float]:
        """Alpha and beta once the mover has a move that is worth ``best``."""
        if not self.prune:
            return alpha, beta
        if maximizing:  # written out: in a walk, max and min are slow
            return best if best > alpha else alpha, beta
        return alpha, best if best < beta else beta

    def columns(self) -> dict[str, Any]:
        """The columns of the trace.

        A step that is no back-up happens at the node of the step before, or at a new one below it;
        and alpha and beta change in back-ups alone.
        """
        event = np.frombuffer(bytes(self.events), np.int8)
        entered, evaluated, backed_up, cut_off = (
            np.flatnonzero(event == each) for each in (ENTER, EVALUATE, BACK_UP, CUT_OFF)
        )
        node = np.empty(len(event), np.int32)
        node[entered] = np.arange(len(entered))
        node[backed_up] = np.fromiter(self.heard_by, np.int32)
        node[evaluated], node[cut_off] = node[evaluated - 1], node[cut_off - 1]
        parent = node[entered - 1]  # at work just before
        parent[0] = -1
        pruned = np.zeros(len(entered), np.int64)
        pruned[node[cut_off]] = self.widths
        pruned[node[cut_off]] -= np.bincount(parent[1:], minlength=len(parent))[node[cut_off]]
        lasting = np.diff(backed_up, prepend=0, append=len(event))
        value, alpha, beta = (
            np.append(at_first, np.fromiter(notes, float)).repeat(lasting)
            for at_first, notes in ((nan, self.values), (-inf, self.alphas), (inf, self.betas))
        )
        value[entered], value[evaluated] = nan, self.ends
        codes = {move: code for code, move in enumerate(dict.fromkeys(self.moves[1:]))}
        action = np.fromiter(map(codes.__getitem__, self.moves[1:]), np.int64)
        return {
            "actions": tuple(codes),
            "parent": parent,
            "action": smallest_ints(np.append(0, action)),
            "pruned": smallest_ints(pruned),
            "event": event,
            "node": node,
            "value": value,
            "alpha": alpha,
            "beta": beta,
        }
