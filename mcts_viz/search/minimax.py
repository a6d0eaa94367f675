"""Minimax and alpha-beta: the value of a position under best play, found by looking ahead.

Sources: Shannon (1950), "Programming a computer for playing chess"; Knuth and Moore (1975), "An
analysis of alpha-beta pruning"; in the notation of Russell and Norvig, "Artificial Intelligence: A
Modern Approach". MAX is player 0, MIN is player 1, and every number is MAX's.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from math import inf
from typing import Any, Final, TypeAlias

from ..errors import SearchError
from ..games import Game
from ..games.protocol import State
from .checks import (
    check_one_or_two,
    check_rules,
    check_two_players,
    comes_again,
    no_action,
    player_to_move,
    remembered,
    utility,
)
from .expectation import Expectations, Place, needs_averages
from .running import exact_play

MOST_NODES: Final = 20_000_000
"""Of a tree that minimax walks through: about ten seconds."""
LIMIT: Final = 200_000
"""Positions that are linked before the game is called too large; some 100 MB."""


@dataclass(frozen=True)
class MinimaxResult:
    """The result of minimax or alpha-beta, and what it cost."""

    value: float
    """For the player to move, in the game's range: of a plain game 1 is a forced win, -1 a loss."""
    best_action: Any
    """The first move, in the game's order, that keeps ``value``; ``None`` if the game is over."""
    principal_variation: tuple[Any, ...]
    """Best play for both to the end, of equal moves always the first."""
    nodes: int
    """Nodes of the tree that were entered, root and leaves included."""


def minimax(game: Game[State, Any], state: State | None = None) -> MinimaxResult:
    """The value of ``state`` (the game's start if none is given), by looking at every node below.

    For one player, or two whose returns sum to zero; a player may move twice in a row. Where nature
    moves, the values of her outcomes are averaged by their probabilities (expectiminimax), and what
    steps pay is counted. Raises ``SearchError`` if the game is too large or not of this kind.

    >>> from mcts_viz import Nim, minimax
    >>> minimax(Nim((1, 2))).principal_variation
    ((1, 1), (0, 1), (1, 1))
    """
    return _walked(game, False, state)


def alpha_beta(game: Game[State, Any], state: State | None = None) -> MinimaxResult:
    """The result of :func:`~mcts_viz.minimax`, found with fewer nodes; moves are tried in order.

    The value, the best action and the principal variation are the same. Errors, too; and a game
    with luck, with rewards on the way or for one player is refused.
    """
    return _walked(game, True, state)


Line: TypeAlias = tuple[()] | tuple[Any, "Line"]
"""A line of play: its first move and the line of the others; empty at its end."""
Answer: TypeAlias = tuple[float, Line]
"""A value, and the line of play that leads to it."""


class Position:
    """A position and, once the walk has looked ahead from it, the moves to those one on.

    A walk comes to the same position on many ways: the 549,946 nodes of tic-tac-toe are 5,478
    positions. So the rules are asked once about each.
    """

    __slots__ = ("end", "maximizing", "moves", "state")

    def __init__(self, game: Game[State, Any], state: State) -> None:
        self.state = state
        self.end: Answer | None = (utility(game, state), ()) if game.is_terminal(state) else None
        """If the game is over: MAX's result, and no line."""
        self.maximizing = not self.end and player_to_move(game, state) == 0
        """True if MAX is to move."""
        self.moves: tuple[tuple[Any, Position], ...] = ()
        """``(action, position)``, in the game's order; empty until :meth:`Walk.ahead`."""


_positions_of: Callable[[Any], dict[Any, Position]] = remembered(2, lambda game: {})
"""By state, the positions of a game that were met so far, remembered from call to call."""


class Walk:
    """The walk through the tree of a game: alpha-beta, or minimax if it may not ``prune``."""

    def __init__(self, game: Game[Any, Any], prune: bool) -> None:
        check_two_players(game)
        self.game, self.prune = game, prune
        self.nodes = 1
        self._known = _positions_of(game)

    def value(self, position: Position, alpha: float = -inf, beta: float = inf) -> Answer:
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
                break
        return best, line

    def at(self, state: Hashable) -> Position:
        position = self._known.get(state)
        if position is None:
            position = self._known[state] = Position(self.game, state)
        return position

    def ahead(self, position: Position) -> tuple[tuple[Any, Position], ...]:
        """The moves of a position that is in play, linked from now on."""
        game, state = self.game, position.state
        if len(self._known) > LIMIT:
            self._known.clear()
            raise self._too_large(f"{LIMIT:,} positions")
        actions = game.legal_actions(state)
        position.moves = tuple([(action, self.at(game.play(state, action))) for action in actions])
        if not position.moves:
            raise no_action(game, state)
        return position.moves

    def count(self, position: Position, known: dict[Position, int]) -> int:
        """The nodes of the tree below a position, each position looked at once.

        Raises ``SearchError`` as soon as they are too many to wait for.
        """
        nodes = 1
        moves = position.moves
        if not (moves or position.end):
            moves = self.ahead(position)
        for _, child in moves:
            nodes += known.get(child) or self.count(child, known)
        if nodes > MOST_NODES:
            raise self._too_large(f"{MOST_NODES:,} nodes")
        known[position] = nodes
        return nodes

    def _too_large(self, most: str) -> SearchError:
        remedy = "take a smaller board or a later position, or solve(game, state)"
        return SearchError(f"{self.game.name} has more than {most} from here: {remedy}.")


def _walked(game: Game[State, Any], prune: bool, state: State | None) -> MinimaxResult:
    """The result of the walk from ``state``."""
    check_rules(game)
    state = game.initial_state() if state is None else state
    if needs_averages(game):
        return _averaged(game, prune, state)
    walk = Walk(game, prune)
    with exact_play(game, state):
        root = walk.at(state)
        if not prune:
            walk.count(root, {})
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
    )


def _averaged(game: Game[State, Any], prune: bool, state: State) -> MinimaxResult:
    """The result where luck plays, steps pay or one player moves: the whole tree is looked at."""
    if prune:
        raise SearchError(
            "Alpha-beta is for two players without luck and rewards on the way, not for "
            f"{game.name}: take solve(game, state)."
        )
    check_one_or_two(game)
    many = SearchError(
        f"{game.name} has more than {LIMIT:,} positions from here: take a smaller board or a later "
        "position, or solve(game, state)."
    )
    with exact_play(game, state):
        averages = Expectations(game, LIMIT, lambda: many, int)
        place = averages.place(state)
        line = tuple(averages.line(place))
        nodes = _tree_size(game, place)
    sign = -1.0 if place.mover == 1 and place.steps else 1.0
    return MinimaxResult(sign * place.value + 0.0, line[0] if line else None, line, nodes)


def _tree_size(game: Game[Any, Any], root: Place) -> int:
    """The nodes of the tree below a position, each position looked at once."""
    sizes: dict[Place, int] = {}
    waiting = [root]
    while waiting:
        place = waiting[-1]
        if place.comes_again:
            raise comes_again(game, place.state, "solve(game, state) gives exact values")
        missing = [step.to for step in place.steps if step.to not in sizes]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        sizes[place] = 1 + sum(sizes[step.to] for step in place.steps)
    return sizes[root]
