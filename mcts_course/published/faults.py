"""Policies of published programs: what no textbook has, and some that work against the search.

The same kinds as in :mod:`mcts_viz.search.policies`; which program has which is in
:mod:`mcts_course.published`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from mcts_viz.games import Game, Playout, RandomSource
from mcts_viz.games.protocol import DRAW, WIN_OF, State
from mcts_viz.games.tictactoe import completing_cells
from mcts_viz.search import Node, Parameters, expand_one
from mcts_viz.search.policies import PlayoutPolicy
from mcts_viz.search.variants import Consideration, add_all, blocks, visited_best, wins_at_once

if TYPE_CHECKING:
    from mcts_viz.search.mcts import MCTS


# Tie-break ---------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class noisy_best(Parameters):
    """The child with the highest score, after ``epsilon`` times a random integer was added to each.

    The integer is one of 0 to ``highest``, as from C's ``rand()``: with 32,767 the noise is at
    most 0.03, and with 2³¹ − 1 it is up to 2,147 and drowns the score.
    """

    epsilon: float = 1e-6
    highest: int = 32_767

    def __call__(
        self, children: Sequence[Node], scores: Sequence[float], random: RandomSource
    ) -> Node:
        draw = random.random
        numbers = self.highest + 1
        epsilon = self.epsilon
        noisy = [score + int(draw() * numbers) * epsilon for score in scores]
        return children[noisy.index(max(noisy))]


def unvisited_at_random(
    children: Sequence[Node], scores: Sequence[float], random: RandomSource
) -> Node:
    """Any unvisited child; without one the best score, of equals the most visited."""
    unvisited = [child for child in children if not child.visits]
    if unvisited:
        return unvisited[int(random.random() * len(unvisited))]
    return visited_best(children, scores, random)


# Expansion ---------------------------------------------------------------------------------


def expand_all_follow_best(search: MCTS, leaf: Node) -> Node:
    """Add all moves of the leaf, and play out from the one that selection chooses.

    All are unvisited, so noise or the order decides.
    """
    add_all(search, leaf)
    return search.best_child(leaf, leaf.children, search.c) if leaf.children else leaf


def expand_playout(search: MCTS, leaf: Node) -> Node:
    """Keep every node of the playout: moves at random to the end of the game, each in the tree."""
    node = leaf
    while node.untried:
        node = expand_one(search, node)
        search.open(node)
    return node


# Playout -----------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class searcher_plays(Parameters):
    """In tic-tac-toe the searcher follows the ``rules`` and then chance, the opponent chance alone.

    The rules are ``"block"``, take the cell that completes a line for the opponent, and ``"win"``,
    take the one that completes the searcher's own line; the first that applies decides. Needs
    :class:`MisreadTicTacToe`, the game that remembers which player the search works for.
    """

    rules: Sequence[str]

    def __call__(self, game: Any, state: Hashable, random: RandomSource) -> Playout:
        if game.is_terminal(state):
            return Playout((), game.returns(state))
        masks = [*game.board(state)]
        to_move = game.to_move(state)
        searcher = game.searcher(state)
        empty = list(game.legal_actions(state))
        actions: list[int] = []
        while empty:
            cell = self._wanted(masks, to_move) if to_move == searcher else None
            if cell is None:
                cell = empty[int(random.random() * len(empty))]
            empty.remove(cell)
            actions.append(cell)
            masks[to_move] |= 1 << cell
            if game.real.has_line(masks[to_move]):
                return Playout(actions, WIN_OF[to_move])
            to_move = 1 - to_move
        return Playout(actions, DRAW)

    def _wanted(self, masks: Sequence[int], searcher: int) -> int | None:
        """Return the cell that the first rule with an answer takes; ``None`` where none applies."""
        for rule in self.rules:
            player = 1 - searcher if rule == "block" else searcher
            if cells := completing_cells(masks[player], masks[0] | masks[1]):
                return cells[0]
        return None


@dataclass(frozen=True, repr=False)
class clock_seeded(Parameters):
    """Before each ``playout``, seed the generator with the time of day in seconds.

    So all playouts of a second draw the same numbers. Time is counted in playouts: ``per_second``
    playouts are a second; and the search's seed is the time at which it starts.
    """

    playout: PlayoutPolicy
    per_second: int

    def __call__(self, game: Game[State, Any], state: State, random: Any) -> Playout:
        clock = vars(random)  # the generator is the search's own, so it can carry the clock
        if "start" not in clock:
            clock.update(start=random.getrandbits(32), playouts=0)
        random.seed(clock["start"] + clock["playouts"] // self.per_second)
        clock["playouts"] += 1
        return self.playout(game, state, random)


# Initial expansion -------------------------------------------------------------------------------

_RULES: Final[dict[str, Consideration]] = {"win": wins_at_once, "block": blocks}


@dataclass(frozen=True, repr=False)
class forced(Parameters):
    """Before the search: if a move wins at once, or blocks such a win, search no other.

    The ``rules`` are ``"win"`` and ``"block"``; the first that applies decides.
    """

    rules: Sequence[str]

    def __call__(self, search: MCTS) -> None:
        game, root = getattr(search.game, "real", search.game), search.root
        legal = list(game.legal_actions(root.state))
        search.open(root)
        for rule in self.rules:
            moves = list(_RULES[rule](game, root.state, legal))
            if len(moves) < len(legal):
                root.untried = moves
                return


# Final move --------------------------------------------------------------------------------


def first_most_visited(children: Sequence[Node]) -> Node:
    """The most visited child; of equals the first, which is the leftmost column."""
    return max(children, key=lambda child: child.visits)
