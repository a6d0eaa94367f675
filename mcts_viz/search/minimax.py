"""Minimax and alpha-beta: what a position is worth if nobody errs, found by looking ahead.

Sources: Shannon (1950), "Programming a computer for playing chess"; Knuth and Moore (1975), "An
analysis of alpha-beta pruning"; in the notation of Russell and Norvig, "Artificial Intelligence: A
Modern Approach". MAX is player 0, MIN is player 1.

A hook is any object with one or more of the methods ``on_enter``, ``on_evaluate``, ``on_back_up``
and ``on_cut_off``. It observes; it cannot change the search. Nodes are numbered in the order of
visits, the root is 0; every value, alpha and beta that a hook hears is MAX's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias, cast

from ..errors import SearchError, shown
from ..games import Game
from .checks import require_list
from .collector import rare_collections
from .positions import (
    HIGHEST,
    LOWEST,
    Line,
    Position,
    Positions,
    actions_of,
    blaming,
    check_state,
    positions_of,
    too_long,
)

__all__ = [
    "EVENTS",
    "AlphaBeta",
    "BackUp",
    "CutOff",
    "Entry",
    "Evaluation",
    "Minimax",
    "MinimaxResult",
    "alpha_beta",
    "minimax",
]

MOST_NODES: Final = 20_000_000
"""Of a tree that minimax walks through: about ten seconds."""


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
    return _walked(game, state, hooks, Minimax)


def alpha_beta(
    game: Game[Any, Any], state: Any = None, hooks: Iterable[object] = ()
) -> MinimaxResult:
    """What :func:`~mcts_viz.minimax` answers, found with fewer nodes; moves are tried in order.

    The value, the best action and the principal variation are the same. Errors, too.
    """
    return _walked(game, state, hooks, AlphaBeta)


class Minimax:
    """The walk through the tree; ``ahead`` links a position to those one move on."""

    alpha_cutoffs = beta_cutoffs = 0

    def __init__(self, positions: Positions) -> None:
        self.ahead = positions.ahead
        self.nodes = 1

    def value(self, position: Position) -> tuple[float, Line]:
        """For MAX, with its line of play."""
        best, line = LOWEST if position.maximizing else HIGHEST, None
        for child in position.children or self.ahead(position):
            self.nodes += 1
            value, rest = child.end or self.value(child)
            if value > best if position.maximizing else value < best:
                best, line = value, (child, rest)
        return best, line


class AlphaBeta:
    """The walk through the tree; ``ahead`` links a position to those one move on.

    By other moves on the way down MAX is assured of ``alpha``, and MIN can hold MAX to ``beta``.
    """

    __slots__ = ("ahead", "alpha_cutoffs", "beta_cutoffs", "nodes")

    def __init__(self, positions: Positions) -> None:
        self.ahead = positions.ahead
        self.nodes = 1
        self.alpha_cutoffs = 0
        self.beta_cutoffs = 0

    def value(
        self, position: Position, alpha: float = LOWEST, beta: float = HIGHEST
    ) -> tuple[float, Line]:
        """For MAX, with its line of play; outside of ``alpha`` and ``beta`` only a bound."""
        line = None
        if position.maximizing:
            best = LOWEST
            for child in position.children or self.ahead(position):
                self.nodes += 1
                value, rest = child.end or self.value(child, alpha, beta)
                if value >= beta:
                    self.beta_cutoffs += 1
                    return value, None
                if value > best:
                    best = value
                    if value > alpha:
                        alpha, line = value, (child, rest)
        else:
            best = HIGHEST
            for child in position.children or self.ahead(position):
                self.nodes += 1
                value, rest = child.end or self.value(child, alpha, beta)
                if value <= alpha:
                    self.alpha_cutoffs += 1
                    return value, None
                if value < best:
                    best = value
                    if value < beta:
                        beta, line = value, (child, rest)
        return best, line


def _walked(
    game: Game[Any, Any],
    state: Any,
    hooks: Iterable[object],
    kind: type[Minimax] | type[AlphaBeta],
) -> MinimaxResult:
    """What a walk from ``state`` finds: a quiet one if no hook listens, else one that is told."""
    positions = positions_of(game)
    state = game.initial_state() if state is None else state
    check_state(game, state)
    root, hooks = positions.at(state), tuple(require_list("hooks", hooks, "of hooks"))
    walk: ToldWalk | Minimax | AlphaBeta = kind(positions)
    if hooks:
        walk = ToldWalk(positions, hooks, prune=kind is AlphaBeta)
    try:
        with rare_collections(), blaming(game, "The game cannot be walked through."):
            if kind is Minimax:
                _count(positions, root, {})
            value, line = walk.value(root) if hooks else root.end or walk.value(root)
    except RecursionError:
        raise too_long(game, state) from None
    actions = actions_of(root, line)
    return MinimaxResult(
        value=(value if game.to_move(state) == 0 else -value) + 0.0,  # no negative zero
        best_action=actions[0] if actions else None,
        principal_variation=actions,
        nodes=walk.nodes,
        alpha_cutoffs=walk.alpha_cutoffs,
        beta_cutoffs=walk.beta_cutoffs,
    )


def _count(positions: Positions, position: Position, known: dict[Position, int]) -> int:
    """The nodes of the tree below a position, each position looked at once.

    Raises ``SearchError`` as soon as they are more than anybody would wait for.
    """
    nodes = 1
    for child in position.children or (() if position.end else positions.ahead(position)):
        nodes += known.get(child) or (1 if child.end else _count(positions, child, known))
        if nodes > MOST_NODES:
            raise SearchError(
                f"The tree of {positions.game.name} has more than {MOST_NODES:,} nodes from here, "
                "too many to walk through: take a smaller board or a later position, or "
                "solve(game, state)."
            )
    known[position] = nodes
    return nodes


# Hooks -------------------------------------------------------------------------------------

EVENTS: Final = ("enter", "evaluate", "back_up", "cut_off")
"""What happens at a node, in order; a hook's methods are ``on_`` and one of these."""


class Entry(NamedTuple):
    """The walk enters ``node`` from ``parent`` (-1 above the root) by the move ``action``.

    ``depth`` is the number of moves from the root. ``alpha`` is what MAX is assured of by other
    moves on the way down, ``beta`` what MIN can hold MAX to: only a value between them matters.
    """

    node: int
    parent: int
    action: Any
    depth: int
    alpha: float
    beta: float


class Evaluation(NamedTuple):
    """The game is over at ``node``, a leaf, with the utility ``value`` in [-1, 1]."""

    node: int
    depth: int
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


# A record from a tuple of its fields, in half the time that a call of its class takes.
_new = cast("Callable[[Any, Any], Any]", tuple.__new__)
_entry: Final = partial(_new, Entry)
_evaluation: Final = partial(_new, Evaluation)
_back_up: Final = partial(_new, BackUp)
_cut_off: Final = partial(_new, CutOff)


class ToldWalk:
    """Minimax, or alpha-beta if it may ``prune``: the same walk as theirs, told to hooks."""

    __slots__ = (
        "_ahead",
        "_on_back_up",
        "_on_cut_off",
        "_on_enter",
        "_on_evaluate",
        "_prune",
        "alpha_cutoffs",
        "beta_cutoffs",
        "nodes",
    )

    def __init__(self, positions: Positions, hooks: Iterable[object], prune: bool) -> None:
        self._ahead = positions.ahead
        self._prune = prune
        self._on_enter, self._on_evaluate, self._on_back_up, self._on_cut_off = _listeners(hooks)
        self.nodes = 1
        self.alpha_cutoffs = 0
        self.beta_cutoffs = 0

    def value(self, root: Position) -> tuple[float, Line]:
        if self._on_enter:
            self._on_enter(Entry(0, -1, None, 0, LOWEST, HIGHEST))
        if root.end and self._on_evaluate:
            self._on_evaluate(Evaluation(0, 0, root.end[0], LOWEST, HIGHEST))
        return root.end or self._look_ahead(root, 0, 1, LOWEST, HIGHEST)

    def _look_ahead(
        self, position: Position, node: int, depth: int, alpha: float, beta: float
    ) -> tuple[float, Line]:
        """The value of ``node``, whose children are at ``depth``."""
        maximizing, prune = position.maximizing, self._prune
        best, line = LOWEST if maximizing else HIGHEST, None
        for place, child in enumerate(position.children or self._ahead(position)):
            number = self.nodes
            self.nodes = number + 1
            if self._on_enter:
                action = position.actions[place]
                self._on_enter(_entry((number, node, action, depth, alpha, beta)))
            if child.end is None:
                value, rest = self._look_ahead(child, number, depth + 1, alpha, beta)
            else:
                value, rest = child.end
                if self._on_evaluate:
                    self._on_evaluate(_evaluation((number, depth, value, alpha, beta)))
            if maximizing:
                if value > best:
                    best, line = value, (child, rest)
                    if prune and value > alpha:
                        alpha = value
            elif value < best:
                best, line = value, (child, rest)
                if prune and value < beta:
                    beta = value
            if self._on_back_up:
                self._on_back_up(_back_up((node, number, best, alpha, beta)))
            if alpha >= beta:
                if maximizing:
                    self.beta_cutoffs += 1
                else:
                    self.alpha_cutoffs += 1
                if self._on_cut_off:
                    kind = "beta" if maximizing else "alpha"
                    pruned = position.actions[place + 1 :]
                    self._on_cut_off(_cut_off((node, kind, best, alpha, beta, pruned)))
                break
        return best, line


Listener: TypeAlias = Callable[[Any], object]


def _listeners(hooks: Iterable[object]) -> list[Listener | None]:
    """For each event: what tells all hooks that listen to it, or ``None`` if there is none."""
    hooks = tuple(hooks)
    for hook in hooks:
        _check_hook(hook)
    methods = [[getattr(hook, f"on_{event}", None) for hook in hooks] for event in EVENTS]
    return [_teller([method for method in listening if method]) for listening in methods]


def _teller(listeners: list[Listener]) -> Listener | None:
    if len(listeners) < 2:
        return listeners[0] if listeners else None

    def tell(record: Any) -> None:
        for listener in listeners:
            listener(record)

    return tell


def _check_hook(hook: object) -> None:
    known = {f"on_{event}" for event in EVENTS}
    named = {name for name in dir(hook) if name.startswith("on_")}
    if not named or not named <= known:
        wrong = (
            f"the method {min(named - known)}" if named else f"no method of a hook ({shown(hook)})"
        )
        raise SearchError(
            f"A hook has {wrong}, but minimax calls {', '.join(sorted(known))}: "
            "give it one or more of these."
        )
