"""Minimax and alpha-beta told event by event: what a hook hears, and the walk that tells it.

A hook is any object with one or more of the methods ``on_enter``, ``on_evaluate``, ``on_back_up``
and ``on_cut_off``. It observes; it cannot change the search. Nodes are numbered in the order of
visits, the root is 0. MAX is player 0 and MIN is player 1; every value, alpha and beta is MAX's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias, cast

from ..errors import SearchError, shown
from .positions import HIGHEST, LOWEST, Line, Position, Positions

__all__ = ["EVENTS", "BackUp", "CutOff", "Entry", "Evaluation", "ToldWalk"]

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
