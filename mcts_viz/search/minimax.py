"""Minimax and alpha-beta: what a position is worth if nobody errs, found by looking ahead.

Sources: Shannon (1950), "Programming a computer for playing chess"; Knuth and Moore (1975), "An
analysis of alpha-beta pruning"; in the notation of Russell and Norvig, "Artificial Intelligence: A
Modern Approach". MAX is player 0, MIN is player 1, and every number is MAX's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Any, Final, NamedTuple

from ..errors import SearchError
from ..games import Game
from .collector import rare_collections
from .hooks import tellers
from .positions import (
    check_state,
    check_two_players,
    explain_game_error,
    no_action,
    too_long,
    utility,
)

__all__ = [
    "EVENTS",
    "BackUp",
    "CutOff",
    "Entry",
    "Evaluation",
    "MinimaxResult",
    "Position",
    "Walk",
    "alpha_beta",
    "minimax",
]

MOST_NODES: Final = 20_000_000
"""Of a tree that minimax walks through: about ten seconds."""
LIMIT: Final = 200_000
"""How many positions are linked before the game is called too large; some 100 MB."""


@dataclass(frozen=True)
class MinimaxResult:
    """What minimax or alpha-beta found, and what it cost."""

    value: float
    """For the player to move, in [-1, 1]: 1 is a forced win, 0 a draw, -1 a loss."""
    best_action: Any
    """The first move, in the game's order, that keeps ``value``; ``None`` if the game is over."""
    principal_variation: tuple[Any, ...]
    """Best play for both to the end, of equal moves always the first."""
    nodes: int
    """Nodes of the tree that were entered, root and leaves included."""
    alpha_cutoffs: int
    """How often MIN could stop, since MAX has a better move further up."""
    beta_cutoffs: int
    """How often MAX could stop, since MIN has a better move further up."""


def minimax(game: Game[Any, Any], state: Any = None, hooks: Iterable[object] = ()) -> MinimaxResult:
    """The value of ``state`` (the game's start if none is given), by looking at every node below.

    For two players whose returns sum to zero; a player may move twice in a row. Raises
    ``SearchError`` if the game is too large or not of this kind.
    """
    return _walked(Walk(game, prune=False), state, hooks)


def alpha_beta(
    game: Game[Any, Any], state: Any = None, hooks: Iterable[object] = ()
) -> MinimaxResult:
    """What :func:`~mcts_viz.minimax` answers, found with fewer nodes; moves are tried in order.

    The value, the best action and the principal variation are the same. Errors, too.
    """
    return _walked(Walk(game, prune=True), state, hooks)


class Position:
    """A position and, once the walk has looked ahead from it, the moves to those one on.

    A walk comes to the same position on many ways: the 549,946 nodes of tic-tac-toe are 5,478
    positions. So the rules are asked once about each.
    """

    __slots__ = ("maximizing", "moves", "over", "state", "utility")

    def __init__(self, game: Game[Any, Any], state: Any) -> None:
        self.state = state
        self.over = game.is_terminal(state)
        self.utility = utility(game, state) if self.over else 0.0
        """What MAX gets, in [-1, 1], where the game is over."""
        self.maximizing = not self.over and game.to_move(state) == 0
        """Whether MAX is to move."""
        self.moves: tuple[tuple[Any, Position], ...] = ()
        """``(action, position)``, in the game's order; empty until :meth:`Walk.ahead`."""


class Walk:
    """The walk through the tree of a game: alpha-beta, or minimax if it may not ``prune``.

    By other moves on the way down MAX is assured of ``alpha``, and MIN can hold MAX to ``beta``.
    """

    def __init__(self, game: Game[Any, Any], prune: bool) -> None:
        check_two_players(game)
        self.game = game
        self.prune = prune
        self.nodes = 0
        self.cutoffs = {True: 0, False: 0}
        """At MAX's nodes, where beta cuts off, and at MIN's, where alpha does."""
        self._known = _positions_of(game)

    def value(
        self, position: Position, alpha: float = -inf, beta: float = inf
    ) -> tuple[float, tuple[Any, ...]]:
        """For MAX, with best play to the end; outside of ``alpha`` and ``beta`` only a bound."""
        self.nodes += 1
        if position.over:
            return position.utility, ()
        best, line = -inf if position.maximizing else inf, ()
        for action, child in position.moves or self.ahead(position):
            value, rest = self.value(child, alpha, beta)
            if value > best if position.maximizing else value < best:
                best = value
                if position.maximizing and value > alpha:
                    alpha, line = value, (action, *rest)
                elif not position.maximizing and value < beta:
                    beta, line = value, (action, *rest)
                if self.prune and alpha >= beta:
                    self.cutoffs[position.maximizing] += 1
                    break
        return best, line

    def at(self, state: Any) -> Position:
        position = self._known.get(state)
        if position is None:
            position = self._known[state] = Position(self.game, state)
        return position

    def ahead(self, position: Position) -> tuple[tuple[Any, Position], ...]:
        """The moves of a position that is in play, linked from now on."""
        game, state = self.game, position.state
        if len(self._known) > LIMIT:
            self._known.clear()
            raise SearchError(
                f"{game.name} has more than {LIMIT:,} positions from here, too many to walk "
                "through: take a smaller board or a later position, or solve(game, state)."
            )
        actions = game.legal_actions(state)
        position.moves = tuple([(action, self.at(game.play(state, action))) for action in actions])
        if not position.moves:
            raise no_action(game, state)
        return position.moves


def _positions_of(game: Game[Any, Any]) -> dict[Any, Position]:
    """By state, the positions of a game that were met so far, remembered from call to call."""
    try:
        return _remembered(game)
    except TypeError:  # a game without a hash, which is as good for one call
        return {}


@lru_cache(maxsize=2)
def _remembered(game: Game[Any, Any]) -> dict[Any, Position]:
    return {}


def _walked(walk: Walk, state: Any, hooks: Iterable[object]) -> MinimaxResult:
    """What the walk from ``state`` finds."""
    game = walk.game
    state = game.initial_state() if state is None else state
    check_state(game, state)
    tell(walk, hooks)
    try:
        with rare_collections(), explain_game_error(game, "The game cannot be walked through."):
            root = walk.at(state)
            if not walk.prune:
                _count(walk, root, {})
            value, line = walk.value(root)
    except RecursionError:
        raise too_long(game, state) from None
    return MinimaxResult(
        value=(value if game.to_move(state) == 0 else -value) + 0.0,  # no negative zero
        best_action=line[0] if line else None,
        principal_variation=line,
        nodes=walk.nodes,
        alpha_cutoffs=walk.cutoffs[False],
        beta_cutoffs=walk.cutoffs[True],
    )


def _count(walk: Walk, position: Position, known: dict[Position, int]) -> int:
    """The nodes of the tree below a position, each position looked at once.

    Raises ``SearchError`` as soon as they are more than anybody would wait for.
    """
    nodes = 1
    for _, child in position.moves or (() if position.over else walk.ahead(position)):
        nodes += known.get(child) or _count(walk, child, known)
        if nodes > MOST_NODES:
            raise SearchError(
                f"The tree of {walk.game.name} has more than {MOST_NODES:,} nodes from here, "
                "too many to walk through: take a smaller board or a later position, or "
                "solve(game, state)."
            )
    known[position] = nodes
    return nodes


# Hooks -------------------------------------------------------------------------------------

EVENTS: Final = ("enter", "evaluate", "back_up", "cut_off")
"""What happens at a node, in order; a hook's methods are ``on_`` and one of these.

Nodes are numbered in the order of visits, the root is 0. A hook observes; it cannot change the
walk. What it hears of alpha and beta is ∓∞ in minimax, which does not mind them.
"""


class Entry(NamedTuple):
    """The walk enters ``node`` from ``parent`` (-1 above the root) by the move ``action``.

    ``alpha`` is what MAX is assured of by other moves on the way down, ``beta`` what MIN can hold
    MAX to: only a value between them matters.
    """

    node: int
    parent: int
    action: Any
    alpha: float
    beta: float


class Evaluation(NamedTuple):
    """The game is over at ``node``, a leaf, with the utility ``value`` in [-1, 1]."""

    node: int
    value: float
    alpha: float
    beta: float


class BackUp(NamedTuple):
    """The value of ``child`` is known, and ``node`` above it has the best ``value`` so far.

    ``alpha`` and ``beta`` are those of ``node`` from now on.
    """

    node: int
    child: int
    value: float
    alpha: float
    beta: float


class CutOff(NamedTuple):
    """No move that is left at ``node`` can matter any more, so ``pruned`` are never looked at.

    A ``"beta"`` cutoff: MAX has found at least beta here, and MIN will not let it come to that.
    An ``"alpha"`` cutoff: MIN has found at most alpha, and MAX will not let it come to that. It
    may happen at the last move, too; then ``pruned`` is empty.
    """

    node: int
    kind: str
    value: float
    alpha: float
    beta: float
    pruned: tuple[Any, ...]


def tell(walk: Walk, hooks: Iterable[object]) -> None:
    """Wrap ``walk.value``, so that the ``hooks`` hear of every call and of what it brings."""
    heard = tellers(hooks, EVENTS)
    if not heard:
        return
    on_enter, on_evaluate, on_back_up, on_cut_off = (
        heard.get(event, lambda record: None) for event in EVENTS
    )
    find_value, way_down = walk.value, list[_Open]()

    def told_value(
        position: Position, alpha: float = -inf, beta: float = inf
    ) -> tuple[float, tuple[Any, ...]]:
        node, above = walk.nodes, way_down[-1] if way_down else None
        here = _Open(node, position, alpha, beta) if walk.prune else _Open(node, position)
        parent, action = above.next_move() if above else (-1, None)
        on_enter(Entry(node, parent, action, here.alpha, here.beta))
        if position.over:
            on_evaluate(Evaluation(node, position.utility, here.alpha, here.beta))
        way_down.append(here)
        value, line = find_value(position, alpha, beta)
        way_down.pop()
        if here.alpha >= here.beta:
            kind = "beta" if position.maximizing else "alpha"
            pruned = tuple(action for action, _ in position.moves[here.tried :])
            on_cut_off(CutOff(node, kind, here.best, here.alpha, here.beta, pruned))
        if above:
            above.hear(value, walk.prune)
            on_back_up(BackUp(above.node, node, above.best, above.alpha, above.beta))
        return value, line

    walk.value = told_value  # type: ignore[method-assign]


class _Open:
    """A node whose value is not known yet, as hooks hear of it."""

    __slots__ = ("alpha", "best", "beta", "node", "position", "tried")

    def __init__(
        self, node: int, position: Position, alpha: float = -inf, beta: float = inf
    ) -> None:
        self.node, self.position, self.alpha, self.beta = node, position, alpha, beta
        self.best = -inf if position.maximizing else inf
        self.tried = 0

    def next_move(self) -> tuple[int, Any]:
        self.tried += 1
        return self.node, self.position.moves[self.tried - 1][0]

    def hear(self, value: float, prune: bool) -> None:
        """The same that the walk does with the value of a child."""
        if self.position.maximizing:
            if value > self.best:
                self.best = value
            if prune and value > self.alpha:
                self.alpha = value
        else:
            if value < self.best:
                self.best = value
            if prune and value < self.beta:
                self.beta = value
