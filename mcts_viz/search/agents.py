"""Players of a game: exact play, chance, and a search with a budget for each move.

An agent is any callable that returns a legal action of the position it is given; a function of your
own will do. One that draws random numbers, or remembers, has a method ``fresh(seed)``, which
returns the same agent for one more game: with that seed, and without memories.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator
from copy import copy
from typing import Any, TypeAlias

from ..errors import require
from ..games import Game
from .checks import check_budget, check_in_play, check_rules, resolve_seed
from .mcts import MCTS, Node
from .solver import solve

Agent: TypeAlias = Callable[[Any], Any]
"""``agent(state)``: one of the legal actions of a position that is in play."""


def same_game(one: Game[Any, Any], other: Game[Any, Any]) -> bool:
    """True if both are played as the same game on the same board, even if a search misreads it."""
    one, other = getattr(one, "real", one), getattr(other, "real", other)
    return type(one) is type(other) and one.parameters() == other.parameters()


class ExactAgent:
    """Plays what :func:`~mcts_viz.solve` finds best: wins soonest, loses latest.

    Of equal moves it plays the first. Raises ``SearchError`` where the game is too large to solve.

    >>> from mcts_viz import ExactAgent, Nim
    >>> ExactAgent(Nim())((0, 3, 4, 5))
    (0, 2)
    """

    name = "exact play"

    def __init__(self, game: Game[Any, Any]) -> None:
        check_rules(game)
        self.game = game

    def __call__(self, state: Hashable) -> Any:
        check_in_play(self.game, state)
        return solve(self.game, state).principal_variation[0]


class RandomAgent:
    """Plays any legal move, all with equal chance; the same ``seed`` gives the same moves."""

    name = "the random player"

    def __init__(self, game: Game[Any, Any], seed: int | None = None) -> None:
        check_rules(game)
        self.game = game
        self._random = random.Random(resolve_seed(seed))

    def fresh(self, seed: int) -> RandomAgent:
        return RandomAgent(self.game, seed)

    def __call__(self, state: Hashable) -> Any:
        check_in_play(self.game, state)
        return self._random.choice(self.game.legal_actions(state))


class MCTSAgent:
    """Plays what a search finds with so many ``iterations`` or ``seconds`` for each move.

    ``settings`` are those of :class:`MCTS`; ``make(game, seed=..., **settings)`` makes the search,
    so it may be :class:`MCTSSolver` or a function of one's own. Every move begins a new tree,
    unless ``keep_tree`` is true: then the tree goes on from the moves that both have made. The same
    ``seed`` gives the same moves where the budget is in iterations. A search that is interrupted
    passes the interrupt on, since a move found with less than the budget is not this agent's.
    """

    name = "the search"

    def __init__(
        self,
        game: Game[Any, Any],
        iterations: int | None = None,
        seconds: float | None = None,
        *,
        seed: int | None = None,
        keep_tree: bool = False,
        make: Callable[..., MCTS] = MCTS,
        **settings: Any,
    ) -> None:
        check_budget(iterations, seconds)
        require(callable(make), "make", "MCTS, MCTSSolver or a function of (game, seed, ...)", make)
        self.game = game
        self.iterations = iterations
        self.seconds = seconds
        self.keep_tree = keep_tree
        self.search = make(game, seed=seed, **settings)

    def fresh(self, seed: int) -> MCTSAgent:
        player = copy(self)
        player.search = self.search.but(seed=seed)
        return player

    def __call__(self, state: Hashable) -> Any:
        if not (self.keep_tree and self._find(state)):
            self.search.start(state)
        result = self.search.run(iterations=self.iterations, seconds=self.seconds, progress=False)
        if result.interrupted:
            raise KeyboardInterrupt
        return result.best_action

    def _find(self, state: Hashable) -> bool:
        """Advance to ``state``, if it is the root, or one move or two moves on."""
        root = self.search.root
        for way in self._ways_on():
            if (way[-1] if way else root).state == state:
                for node in way:
                    self.search.advance(node.action)
                return True
        return False

    def _ways_on(self) -> Iterator[list[Node]]:
        """The ways in the tree of at most two moves of players, the shortest first."""
        root = self.search.root
        ways: list[list[Node]] = [[]]
        for way in ways:  # which grows meanwhile
            yield way
            if sum(not above.chances for above in (root, *way)) <= 2:  # luck is no player's move
                end = way[-1] if way else root
                ways += [[*way, child] for child in end.children]


class TreeAgent:
    """Plays from a tree that a search has grown, such as one grown by hand, and adds nothing to it.

    Where the tree has visited a move, it makes the one that the search recommends there; in any
    other position it plays at random, and the same ``seed`` gives the same moves.

    >>> from mcts_viz import MCTS, TicTacToe
    >>> search = MCTS(TicTacToe(), seed=4)
    >>> _ = search.search(iterations=200)
    >>> TreeAgent(search)(search.root.state)
    4
    """

    name = "the tree"

    def __init__(self, search: MCTS, seed: int | None = None) -> None:
        require(
            isinstance(search, MCTS), "search", "a search with a tree, such as MCTS(game)", search
        )
        self.search = search
        self.game = search.game
        self._at_random = RandomAgent(search.game, seed)

    def fresh(self, seed: int) -> TreeAgent:
        return TreeAgent(self.search, seed)

    def __call__(self, state: Hashable) -> Any:
        check_in_play(self.game, state)
        known = [node for node in self.search.nodes if node.state == state]
        node = max(known, key=lambda node: node.visits, default=None)
        visited = [child for child in node.children if child.visits] if node else []
        return self.search.recommend(visited).action if visited else self._at_random(state)
