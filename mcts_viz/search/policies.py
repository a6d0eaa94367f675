"""The decisions a search leaves open, as plain functions that are handed to it.

Six kinds: how children are scored (selection) and which of them is followed (choice), what is
added to the tree (expansion), how play goes on from there (playout), what a result is worth to
whom (credit), and which move is made in the end (final move). The defaults are here, all others
in :mod:`mcts_viz.search.variants`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf, log, sqrt
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from ..errors import GameError, SearchError, shown
from ..games import Game, Playout, RandomSource, Returns
from .checks import called
from .node import ROOTS_OF_LOGS, TABULATED, Node

if TYPE_CHECKING:
    from .mcts import MCTS

__all__ = [
    "LONGEST_GAME",
    "TAKES",
    "ChoiceRule",
    "CreditRule",
    "ExpansionRule",
    "FinalMoveRule",
    "PlayoutPolicy",
    "Policies",
    "Preparation",
    "SelectionRule",
    "Statistics",
    "best_child",
    "can_score",
    "endless",
    "expand_one",
    "first_best",
    "half_for_a_draw",
    "random_playout",
    "rates_all",
    "rates_unvisited",
    "robust_child",
    "score",
    "score_terms",
    "scores",
    "ucb1",
]


class Statistics(Protocol):
    """What a selection rule may read of a node; wins are for the player who moved into it."""

    @property
    def visits(self) -> int: ...

    @property
    def wins(self) -> float: ...

    @property
    def moves(self) -> int:
        """How many legal moves the position has, in the tree or not."""
        ...


SelectionRule: TypeAlias = Callable[[Statistics, Statistics, float], float | tuple[float, float]]
"""``rule(child, parent, c)``: the child's score, or its two terms, exploitation and exploration."""
ChoiceRule: TypeAlias = Callable[[Sequence[Node], Sequence[float], RandomSource], Node]
"""``rule(children, scores, random)``: the child to follow."""
ExpansionRule: TypeAlias = Callable[["MCTS", Node], Node]
"""``rule(search, leaf)``: adds nodes below the leaf, answers with the node to play out from."""
PlayoutPolicy: TypeAlias = Callable[[Game[Any, Any], Any, RandomSource], Playout]
"""``policy(game, state, random)``: plays on from ``state``."""
CreditRule: TypeAlias = Callable[[Returns, int, int], float]
"""``rule(returns, player, root_player)``: the reward for the nodes that ``player`` moved into."""
FinalMoveRule: TypeAlias = Callable[[Sequence[Node]], Node]
"""``rule(children)``: the child of the root whose move is made, of those that were visited.

It depends on nothing but their statistics: a film asks it again, at every moment."""
Preparation: TypeAlias = Callable[["MCTS"], object]
"""``prepare(search)``: puts nodes into a tree that has just been started."""


LONGEST_GAME: Final = 100_000
"""Moves of a playout; a game that goes on for longer is taken for one without an end."""

TAKES: Final = {
    "selection": "child, parent, c",
    "choice": "children, scores, random",
    "expansion": "search, leaf",
    "playout": "game, state, random",
    "credit": "returns, player, root_player",
    "final_move": "children",
    "prepare": "search",
}
"""By policy: what it is given."""


# Selection ---------------------------------------------------------------------------------


def ucb1(child: Statistics, parent: Statistics, c: float) -> tuple[float, float]:
    """UCB1: the mean reward, and ``c`` times the width of a confidence interval around it.

    The mean is in [0, 1] and speaks for the player who chooses among the children. Source: Auer,
    Cesa-Bianchi, Fischer (2002); applied to trees as UCT by Kocsis and Szepesvári (2006).
    """
    return child.wins / child.visits, c * sqrt(log(parent.visits) / child.visits)


def score_terms(
    rule: SelectionRule, child: Statistics, parent: Statistics, c: float
) -> tuple[float, float]:
    """Both terms of a rule's score; a rule that answers with one number has no exploration.

    Raises ``SearchError`` if the rule answers with anything else.
    """
    score = rule(child, parent, c)
    try:
        exploitation, exploration = score if isinstance(score, tuple) else (score, 0.0)
        usable = exploitation + exploration >= -inf  # which a NaN is not
    except (TypeError, ValueError, ArithmeticError):
        usable = False
    if not usable:
        raise SearchError(
            f"The selection rule {called(rule)} answered {shown(score)}: "
            "let it return a number, or the pair (exploitation, exploration)."
        )
    return exploitation, exploration


def rates_unvisited(rule: SelectionRule) -> SelectionRule:
    """Mark a rule that can score an unvisited child; for other rules such a child comes first."""
    rule.rates_unvisited = True  # type: ignore[attr-defined]
    return rule


def rates_all(rule: SelectionRule, together: Callable[[Node, float], list[float]]) -> SelectionRule:
    """Give a rule ``together(parent, c)``: by child what the rule says, for all of them sooner."""
    rule.together = together  # type: ignore[attr-defined]
    return rule


def can_score(rule: SelectionRule, child: Statistics) -> bool:
    """Whether the rule's formula applies to the child yet."""
    return child.visits > 0 or getattr(rule, "rates_unvisited", False)


def score(rule: SelectionRule, child: Statistics, parent: Statistics, c: float) -> float:
    """The child's score; infinite while the rule cannot score it, so that it is followed first."""
    if not can_score(rule, child):
        return inf
    try:
        exploitation, exploration = rule(child, parent, c)  # type: ignore[misc]  # the usual answer
        if (total := exploitation + exploration) >= -inf:
            return total
    except (TypeError, ValueError, ArithmeticError):  # a number, or something wrong
        pass
    return sum(score_terms(rule, child, parent, c))


def scores(rule: SelectionRule, parent: Node, c: float) -> list[float]:
    """The score of each child."""
    together: Callable[[Node, float], list[float]] | None = getattr(rule, "together", None)
    if together:
        return together(parent, c)
    return [score(rule, child, parent, c) for child in parent.children]


def first_best(children: Sequence[Node], scores: Sequence[float], random: RandomSource) -> Node:
    """The child with the highest score; the first of equals."""
    return children[scores.index(max(scores))]


def best_child(parent: Node, rule: SelectionRule, c: float) -> Node:
    """The child with the highest score; the first of equals."""
    return max(parent.children, key=lambda child: score(rule, child, parent, c))


def best_child_by_ucb1(parent: Node, rule: SelectionRule, c: float) -> Node:
    """What :func:`best_child` answers for :func:`ucb1`, several times sooner.

    What all siblings share, ``c * sqrt(log(parent.visits))``, is computed once, and the rest is
    kept on the nodes.
    """
    visits, children = parent.visits, parent.children
    shared = c * (ROOTS_OF_LOGS[visits] if visits < TABULATED else sqrt(log(visits)))
    best, best_score = children[0], -inf
    for child in children:
        score = child.mean + shared * child.inverse_root
        if score > best_score:
            best, best_score = child, score
    return best


# Expansion ---------------------------------------------------------------------------------


def expand_one(search: MCTS, leaf: Node) -> Node:
    """Add one untried move, drawn at random; a leaf where the game is over stays as it is."""
    untried = leaf.untried
    if not untried:
        return leaf
    drawn = int(search.random.random() * len(untried))
    child = search.add_child(leaf, untried[drawn])
    del untried[drawn]
    return child


# Playout -----------------------------------------------------------------------------------


def random_playout(game: Game[Any, Any], state: Any, random: RandomSource) -> Playout:
    """Play legal moves, each equally likely, until the game is over: a light playout."""
    actions = []
    while not game.is_terminal(state):
        legal = game.legal_actions(state)
        action = legal[int(random.random() * len(legal))]
        actions.append(action)
        state = game.play(state, action)
        if len(actions) == LONGEST_GAME:
            raise endless(game)
    return Playout(actions, game.returns(state))


def endless(game: Game[Any, Any]) -> GameError:
    """What is said of a playout that goes on and on."""
    return GameError(
        f"A game of {game.name} has not ended after {LONGEST_GAME:,} moves: every game must end, "
        "so add a rule that ends it."
    )


def playout_of(
    game: Game[Any, Any], policy: PlayoutPolicy
) -> Callable[[Any, RandomSource], Playout]:
    """The policy for one game; its own, faster random playout where it offers one."""
    play = partial(_checked_playout, policy, game)
    if policy is random_playout:
        play = getattr(game, "fast_playout", None) or partial(policy, game)
    if getattr(type(game), "playout_from", Game.playout_from) is Game.playout_from:
        return play
    return partial(_playout_elsewhere, game, play)


def _playout_elsewhere(
    game: Game[Any, Any],
    play: Callable[[Any, RandomSource], Playout],
    state: Any,
    random: RandomSource,
) -> Playout:
    return play(game.playout_from(state), random)


def _checked_playout(
    policy: PlayoutPolicy, game: Game[Any, Any], state: Any, random: RandomSource
) -> Playout:
    playout = policy(game, state, random)
    returns = playout.returns if isinstance(playout, Playout) else None
    if not isinstance(returns, tuple) or len(returns) != len(game.players):
        raise SearchError(
            f"The playout policy {called(policy)} answered {shown(playout)}: let it return "
            "Playout(actions, returns), with a tuple of one number a player in returns."
        )
    return playout


# Credit ------------------------------------------------------------------------------------


def half_for_a_draw(returns: Returns, player: int, root_player: int) -> float:
    """1 for the player's win, 1/2 for a draw, 0 for a loss: sound for both players."""
    return (returns[player] + 1) / 2


# Final move --------------------------------------------------------------------------------


def robust_child(children: Sequence[Node]) -> Node:
    """The most visited child; of equals the one with the higher mean, then the first.

    Source: Chaslot et al. (2008), "Progressive strategies for Monte-Carlo tree search".
    """
    return max(children, key=lambda child: (child.visits, child.mean))


# All of them ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Policies:
    """Every decision of a search but the selection rule; the defaults are those of a search."""

    choice: ChoiceRule = first_best
    expansion: ExpansionRule = expand_one
    playout: PlayoutPolicy = random_playout
    credit: CreditRule = half_for_a_draw
    final_move: FinalMoveRule = robust_child
    prepare: Preparation | None = None
