"""Minimax and alpha-beta: what a position is worth if nobody errs, found by looking ahead.

Sources: Shannon (1950), "Programming a computer for playing chess"; Knuth and Moore (1975), "An
analysis of alpha-beta pruning"; in the notation of Russell and Norvig, "Artificial Intelligence: A
Modern Approach". MAX is player 0, MIN is player 1, and every number is MAX's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Final, NamedTuple, TypeAlias

from ..errors import SearchError, door
from ..games import Game
from .checks import check_two_players, no_action, remembered, utility
from .hooks import listeners_of
from .running import exact_play

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


@door
def minimax(game: Game[Any, Any], state: Any = None, hooks: Iterable[object] = ()) -> MinimaxResult:
    """The value of ``state`` (the game's start if none is given), by looking at every node below.

    For two players whose returns sum to zero; a player may move twice in a row. Raises
    ``SearchError`` if the game is too large or not of this kind.
    """
    return _walked(game, False, state, hooks)


@door
def alpha_beta(
    game: Game[Any, Any], state: Any = None, hooks: Iterable[object] = ()
) -> MinimaxResult:
    """What :func:`~mcts_viz.minimax` answers, found with fewer nodes; moves are tried in order.

    The value, the best action and the principal variation are the same. Errors, too.
    """
    return _walked(game, True, state, hooks)


Line: TypeAlias = tuple[()] | tuple[Any, "Line"]
"""A line of play: its first move and the line of the others; empty at its end."""
Found: TypeAlias = tuple[float, Line]
"""A value, and the line of play that leads to it."""


class Position:
    """A position and, once the walk has looked ahead from it, the moves to those one on.

    A walk comes to the same position on many ways: the 549,946 nodes of tic-tac-toe are 5,478
    positions. So the rules are asked once about each.
    """

    __slots__ = ("end", "maximizing", "moves", "state", "utility")

    def __init__(self, game: Game[Any, Any], state: Any, hooked: bool) -> None:
        self.state = state
        self.utility = utility(game, state) if game.is_terminal(state) else None
        """What MAX gets, in [-1, 1], if the game is over."""
        self.end: Found | None = None if hooked or self.utility is None else (self.utility, ())
        """The same as the walk finds it; ``None`` if hooks are to hear of this node, too."""
        self.maximizing = self.utility is None and game.to_move(state) == 0
        """Whether MAX is to move."""
        self.moves: tuple[tuple[Any, Position], ...] = ()
        """``(action, position)``, in the game's order; empty until :meth:`Walk.ahead`."""


class Walk:
    """The walk through the tree of a game: alpha-beta, or minimax if it may not ``prune``.

    By other moves on the way down MAX is assured of ``alpha``, and MIN can hold MAX to ``beta``.
    A walk that is ``hooked`` calls itself for every node, else for those in play only.
    """

    def __init__(self, game: Game[Any, Any], prune: bool, hooked: bool = False) -> None:
        check_two_players(game)
        self.game = game
        self.prune = prune
        self.nodes = 1
        self.cutoffs = {True: 0, False: 0}
        """At MAX's nodes, where beta cuts off, and at MIN's, where alpha does."""
        self._hooked = hooked
        self._known = _positions_of(game, hooked)

    def value(self, position: Position, alpha: float = -inf, beta: float = inf) -> Found:
        """For MAX, with best play to the end; outside of ``alpha`` and ``beta`` only a bound."""
        maximizing = position.maximizing
        best = -inf if maximizing else inf
        line: Line = ()
        for action, child in position.moves or self.ahead(position):
            self.nodes += 1
            value, rest = child.end or self.value(child, alpha, beta)
            if maximizing:
                if value > best:
                    best = value
                    if value > alpha:
                        alpha, line = value, (action, rest)
            elif value < best:
                best = value
                if value < beta:
                    beta, line = value, (action, rest)
            if alpha >= beta and self.prune:
                self.cutoffs[maximizing] += 1
                break
        return best, line

    def at(self, state: Any) -> Position:
        position = self._known.get(state)
        if position is None:
            position = self._known[state] = Position(self.game, state, self._hooked)
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


def _nothing(game: Game[Any, Any], hooked: bool) -> dict[Any, Position]:
    return {}


_positions_of = remembered(2, _nothing)
"""By state, the positions of a game that were met so far, remembered from call to call."""


def _walked(
    game: Game[Any, Any], prune: bool, state: Any, hooks: Iterable[object]
) -> MinimaxResult:
    """What the walk from ``state`` finds."""
    listeners = listeners_of(hooks, EVENTS)
    walk = Walk(game, prune, hooked=bool(listeners))
    if listeners:
        _tell(walk, listeners)
    state = game.initial_state() if state is None else state
    with exact_play(game, state):
        root = walk.at(state)
        if not prune:
            _count(walk, root, {})
        value, line = root.end or walk.value(root)
    moves = []
    while line:
        move, line = line
        moves.append(move)
    return MinimaxResult(
        value=(value if game.to_move(state) == 0 else -value) + 0.0,  # no negative zero
        best_action=moves[0] if moves else None,
        principal_variation=tuple(moves),
        nodes=walk.nodes,
        alpha_cutoffs=walk.cutoffs[False],
        beta_cutoffs=walk.cutoffs[True],
    )


def _count(walk: Walk, position: Position, known: dict[Position, int]) -> int:
    """The nodes of the tree below a position, each position looked at once.

    Raises ``SearchError`` as soon as they are more than anybody would wait for.
    """
    nodes = 1
    if position.utility is None:
        for _, child in position.moves or walk.ahead(position):
            nodes += known.get(child) or _count(walk, child, known)
    if nodes > MOST_NODES:
        raise SearchError(
            f"The tree of {walk.game.name} has more than {MOST_NODES:,} nodes from here, too many "
            "to walk through: take a smaller board or a later position, or solve(game, state)."
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


def _tell(walk: Walk, listeners: Mapping[str, Callable[[Any], object]]) -> None:
    """Wrap ``walk.value``, so that hooks hear of every call and of what it brings."""
    on_enter, on_evaluate, on_back_up, on_cut_off = (
        listeners.get(event, lambda record: None) for event in EVENTS
    )
    find_value, way_down = walk.value, list[_Open]()

    def told_value(position: Position, alpha: float = -inf, beta: float = inf) -> Found:
        low, high = (alpha, beta) if walk.prune else (-inf, inf)
        here = _Open(walk.nodes - 1, position, -inf if position.maximizing else inf, low, high)
        above = way_down[-1] if way_down else None
        parent, action = above.next_move() if above else (-1, None)
        on_enter(Entry(here.node, parent, action, low, high))
        if position.utility is None:
            way_down.append(here)
            found = find_value(position, alpha, beta)
            way_down.pop()
        else:
            found = (position.utility, ())
            on_evaluate(Evaluation(here.node, position.utility, low, high))
        if here.alpha >= here.beta:
            kind = "beta" if position.maximizing else "alpha"
            pruned = tuple(action for action, _ in position.moves[here.tried :])
            on_cut_off(CutOff(here.node, kind, here.best, here.alpha, here.beta, pruned))
        if above:
            above.hear(found[0], walk.prune)
            on_back_up(BackUp(above.node, here.node, above.best, above.alpha, above.beta))
        return found

    walk.value = told_value  # type: ignore[method-assign]


@dataclass(slots=True)
class _Open:
    """A node whose value is not known yet, as hooks hear of it."""

    node: int
    position: Position
    best: float
    alpha: float
    beta: float
    tried: int = 0

    def next_move(self) -> tuple[int, Any]:
        self.tried += 1
        return self.node, self.position.moves[self.tried - 1][0]

    def hear(self, value: float, prune: bool) -> None:
        """The same that the walk does with the value of a child."""
        if self.position.maximizing:
            self.best = max(self.best, value)
            self.alpha = max(self.alpha, value) if prune else self.alpha
        else:
            self.best = min(self.best, value)
            self.beta = min(self.beta, value) if prune else self.beta
