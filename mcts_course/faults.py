"""Policies of published programs: what no textbook has, and some that work against the search.

The same kinds as in :mod:`mcts_viz.search.policies`; which program has which is told in
:mod:`mcts_course.published`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from mcts_viz.errors import SearchError, shown
from mcts_viz.games import Game, Playout, RandomSource
from mcts_viz.games.boards import DRAW, WIN_OF, listed
from mcts_viz.games.tictactoe import completing_cells
from mcts_viz.search.node import Node
from mcts_viz.search.policies import ChoiceRule, PlayoutPolicy, Preparation, expand_one, scores
from mcts_viz.search.recipes import register_policies
from mcts_viz.search.variants import Choice, add_all, blocks, visited_best, wins_at_once

from .faulty_rules import MisreadTicTacToe

if TYPE_CHECKING:
    from mcts_viz.search.mcts import MCTS

__all__ = [
    "clock_seeded",
    "expand_all_follow_best",
    "expand_playout",
    "first_most_visited",
    "forced",
    "noisy_best",
    "searcher_plays",
    "unvisited_at_random",
]

FULL: Final = 0b111_111_111


# Choice ------------------------------------------------------------------------------------


def noisy_best(epsilon: float = 1e-6, highest: int = 32_767) -> ChoiceRule:
    """The child with the highest score, after ``epsilon`` times a random integer was added to each.

    The integer is one of 0 to ``highest``, as C's ``rand()`` answers: with 32,767 the noise is at
    most 0.03, and with 2³¹ − 1 it is up to 2,147 and drowns the score.
    """
    return partial(_noisy_best, epsilon=epsilon, highest=highest)


def _noisy_best(
    children: Sequence[Node],
    scores: Sequence[float],
    random: RandomSource,
    epsilon: float,
    highest: int,
) -> Node:
    draw, numbers = random.random, highest + 1
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
    """Add every move of the leaf at once, and play out from the one that selection chooses.

    All are unvisited, so noise or the order decides.
    """
    add_all(search, leaf)
    children = leaf.children
    if not children:
        return leaf
    return search.choice(children, scores(search.selection, leaf, search.c), search.random)


def expand_playout(search: MCTS, leaf: Node) -> Node:
    """Keep every node of the playout: moves at random to the end of the game, each in the tree."""
    node = leaf
    while node.untried:
        node = expand_one(search, node)
        search.open(node)
    return node


# Playout -----------------------------------------------------------------------------------


def searcher_plays(rules: Sequence[str]) -> PlayoutPolicy:
    """In tic-tac-toe the searcher follows the ``rules`` and then chance, the opponent chance alone.

    The rules are ``"block"``, take the cell that completes a line for the opponent, and ``"win"``,
    take the one that completes a line of one's own; the first that applies decides. Needs
    :class:`MisreadTicTacToe`, the game that remembers for whom is searched.
    """
    _check_rules(rules)
    return partial(_searcher_plays, rules=rules)


def _searcher_plays(
    game: MisreadTicTacToe, state: Any, random: RandomSource, rules: Sequence[str]
) -> Playout:
    if not isinstance(game, MisreadTicTacToe):
        raise SearchError(
            f"{game.name} does not say for whom is searched, which this playout must know: search "
            "MisreadTicTacToe(), whose rules are right unless a switch is set."
        )
    if game.is_terminal(state):
        return Playout((), game.returns(state))
    masks, mover, searcher = [*game.board(state)], game.to_move(state), game.searcher(state)
    draw, has_line, actions = random.random, game.real.has_line, []
    empty = list(game.legal_actions(state))
    while empty:
        cell = None
        if mover == searcher:
            occupied = masks[0] | masks[1]
            for rule in rules:
                cells = completing_cells(masks[mover ^ (rule == "block")], occupied)
                if cells:
                    cell = cells[0]
                    empty.remove(cell)
                    break
        if cell is None:
            cell = empty.pop(int(draw() * len(empty)))
        actions.append(cell)
        masks[mover] |= 1 << cell
        if has_line(masks[mover]):
            return Playout(actions, WIN_OF[mover])
        mover = 1 - mover
    return Playout(actions, DRAW)


def clock_seeded(playout: PlayoutPolicy, per_second: int) -> PlayoutPolicy:
    """Before each ``playout``, seed the generator with the time of day in seconds.

    So all playouts of a second draw the same numbers. Time is told by counting, ``per_second``
    playouts are a second; and the search's seed is the time at which it starts.
    """
    if per_second < 1:
        raise SearchError(
            f"per_second is {shown(per_second)}, but a second has at least 1 playout."
        )
    return partial(_clock_seeded, playout=playout, per_second=per_second)


def _clock_seeded(
    game: Game[Any, Any], state: Any, random: Any, playout: PlayoutPolicy, per_second: int
) -> Playout:
    clock = vars(random)  # the generator is the search's own, so it can carry the clock
    if "start" not in clock:
        clock.update(start=random.getrandbits(32), playouts=0)
    random.seed(clock["start"] + clock["playouts"] // per_second)
    clock["playouts"] += 1
    return playout(game, state, random)


# Preparation -------------------------------------------------------------------------------

_RULES: Final[dict[str, Choice]] = {"win": wins_at_once, "block": blocks}


def forced(rules: Sequence[str]) -> Preparation:
    """Before the search: if a move wins at once, or blocks such a win, search no other.

    The ``rules`` are ``"win"`` and ``"block"``; the first that applies decides.
    """
    _check_rules(rules)
    return partial(_forced, rules=rules)


def _forced(search: MCTS, rules: Sequence[str]) -> None:
    game, root = getattr(search.game, "real", search.game), search.root
    legal = list(game.legal_actions(root.state))
    search.open(root)
    for rule in rules:
        moves = list(_RULES[rule](game, root.state, legal))
        if len(moves) < len(legal):
            root.untried = moves
            return


def _check_rules(rules: Sequence[str]) -> None:
    unknown = [rule for rule in rules if rule not in _RULES]
    if unknown or not rules:
        raise SearchError(
            f"The rules are {listed(map(repr, rules))}: give one or both of "
            f"{listed(map(repr, _RULES))}, in the order in which they are asked."
        )


# Final move --------------------------------------------------------------------------------


def first_most_visited(children: Sequence[Node]) -> Node:
    """The most visited child; of equals the first, which is the leftmost column."""
    return max(children, key=lambda child: child.visits)


register_policies(
    choice=(noisy_best, unvisited_at_random),
    expansion=(expand_all_follow_best, expand_playout),
    playout=(searcher_plays, clock_seeded),
    final_move=(first_most_visited,),
    prepare=(forced,),
)
