"""The decisions that a search leaves open, as plain functions that are handed to it.

Six kinds: how children are scored (selection) and which of equals is followed (tie-break), what is
added to the tree (expansion), how play goes on from there (playout), what a result is worth to whom
(reward), and which move is made in the end (recommendation). The defaults are here, but for UCB1,
which is next to the search in :mod:`mcts_viz.search.mcts`; all others are in
:mod:`mcts_viz.search.variants`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import partial
from inspect import Parameter, Signature, signature
from math import inf
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..errors import GameError, MctsVizError, SearchError, require, short_repr
from ..games import Game, Playout, RandomSource, Returns, turns
from ..games.protocol import State
from .checks import (
    called,
    check_taken_out,
    paid,
    require_function,
    require_number,
    require_whole,
    wrong_result,
)
from .statistics import Statistics

if TYPE_CHECKING:
    from .mcts import MCTS, Node


SelectionRule: TypeAlias = Callable[[Statistics, Statistics, float], float | tuple[float, float]]
"""``rule(child, parent, c)``: the child's score, or its two terms, exploitation and exploration."""
TieBreakRule: TypeAlias = Callable[[Sequence["Node"], Sequence[float], RandomSource], "Node"]
"""``rule(children, scores, random)``: the child to follow."""
ExpansionRule: TypeAlias = Callable[["MCTS", "Node"], "Node"]
"""``rule(search, leaf)``: adds nodes below the leaf, returns the node to play out from."""
PlayoutPolicy: TypeAlias = Callable[[Game[Any, Any], Any, RandomSource], Playout]
"""``policy(game, state, random)``: plays on from ``state``."""
PlayoutFrom: TypeAlias = Callable[[Any, RandomSource], Playout]
"""The playout policy of a search, which knows its game: it is given a state, and where chance comes
from."""
RewardRule: TypeAlias = Callable[[Returns, int, int], float]
"""``rule(returns, player, root_player)``: the reward for the nodes that ``player`` moved into."""
RecommendationRule: TypeAlias = Callable[[Sequence["Node"]], "Node"]
"""``rule(children)``: the child of the root whose move is made, of those that were visited.

It depends on nothing but their statistics: a film asks it again, at every moment."""
InitialExpansion: TypeAlias = Callable[["MCTS"], object]
"""``initial_expansion(search)``: puts nodes into a tree that has just been started."""

KINDS: Final = {
    "selection": "child, parent, c",
    "tie_break": "children, scores, random",
    "expansion": "search, leaf",
    "playout": "game, state, random",
    "reward": "returns, player, root_player",
    "recommendation": "children",
    "initial_expansion": "search",
}
"""For each policy: what it is given."""
GIVEN: Final = ("game", "c", "seed", *KINDS)
"""All that a search is given; searches that are given the same grow the same tree."""
LONGEST_GAME: Final = 100_000
"""Moves of a playout; a game that goes on for longer is taken for one without an end."""


# The default policies ----------------------------------------------------------------------------


def first_best(children: Sequence[Node], scores: Sequence[float], random: RandomSource) -> Node:
    """The child with the highest score; the first of equals."""
    return children[scores.index(max(scores))]


def expand_one(search: MCTS, leaf: Node) -> Node:
    """Add one untried move, picked at random; a leaf where the game is over stays as it is."""
    untried = leaf.untried
    if not untried:
        return leaf
    picked = int(search.random.random() * len(untried))
    child = search.add_child(leaf, untried[picked])
    del untried[picked]
    return child


def drawn_outcome(search: MCTS, node: Node) -> Node:
    """The outcome picked at random at a chance node: its child, added if it is a new one."""
    return child_of(search, node, turns.drawn(node.chances or {}, search.random))


def grown_with_luck(rule: ExpansionRule, search: MCTS, leaf: Node) -> Node:
    """The node that the expansion ``rule`` adds; where nature moves, that of the outcome."""
    if leaf.created_at > search.iterations:  # drawn just now, on the way down: one node is enough
        return leaf
    return search.outcome_of(leaf) if leaf.chances else rule(search, leaf)


def grown_by_rule(rule: ExpansionRule, search: MCTS, leaf: Node) -> Node:
    """The node that an expansion ``rule`` returns; it must have taken what it added out of
    ``untried``.
    """
    node = rule(search, leaf)
    check_taken_out(rule, leaf)
    return node


def child_of(search: MCTS, node: Node, action: Hashable) -> Node:
    """The child for this action or outcome, which is added if there is none."""
    known = (child for child in node.children if child.action == action)
    return next(known, None) or search.add_child(node, action)


def random_playout(game: Game[State, Any], state: State, random: RandomSource) -> Playout:
    """Play legal moves, each equally likely, until the game is over: a light playout.

    Where nature moves, an outcome is drawn with its probability.
    """
    require(
        hasattr(random, "random"), "random", "a source of chance, such as random.Random(4)", random
    )
    states, actions = random_walk(game, state, random)
    return Playout(actions, tuple(game.returns(states[-1])))


def random_walk(
    game: Game[State, Any], state: State, random: RandomSource
) -> tuple[list[State], list[Any]]:
    """The positions of a random playout from ``state`` to the end, and the actions between them."""
    states, actions = [state], list[Any]()
    lucky = turns.knows_luck(game)
    while not game.is_terminal(state):
        outcomes = game.chances(state) if lucky else None
        if outcomes:
            action = turns.drawn(outcomes, random)
        else:
            legal = game.legal_actions(state)
            action = legal[int(random.random() * len(legal))]
        state = game.play(state, action)
        actions.append(action)
        states.append(state)
        if len(actions) == LONGEST_GAME:
            raise endless(game)
    return states, actions


def half_for_a_draw(returns: Returns, player: int, root_player: int) -> float:
    """1 for the player's win, 1/2 for a draw, 0 for a loss: sound for both players."""
    return (returns[player] + 1) / 2


def robust_child(children: Sequence[Node]) -> Node:
    """The most visited child; of equals the one with the higher mean, then the first.

    Source: Chaslot et al. (2008), "Progressive strategies for Monte-Carlo tree search".
    """
    return max(children, key=lambda child: (child.visits, child.mean))


# Scores --------------------------------------------------------------------------------------


def score_terms(
    rule: SelectionRule, child: Statistics, parent: Statistics, c: float
) -> tuple[float, float]:
    """Both terms of a rule's score; a rule that returns one number has no exploration.

    Raises ``SearchError`` if the rule returns anything else.
    """
    answer = rule(child, parent, c)
    try:
        exploitation, exploration = answer if isinstance(answer, tuple) else (answer, 0.0)
        if exploitation + exploration >= -inf:  # which a NaN is not
            return exploitation, exploration
    except (TypeError, ValueError):
        pass
    raise SearchError(
        f"The selection rule {called(rule)} returned {short_repr(answer)}: let it return a number, "
        "or the pair (exploitation, exploration)."
    )


def rates_unvisited(rule: SelectionRule) -> SelectionRule:
    """Mark a rule that can score an unvisited child; for other rules such a child comes first."""
    rule.rates_unvisited = True  # type: ignore[attr-defined]
    return rule


def can_score(rule: SelectionRule, child: Statistics) -> bool:
    """True if the rule's formula is known, and applies to the child yet."""
    applies = child.visits > 0 or getattr(rule, "rates_unvisited", False)
    return applies and getattr(rule, "is_known", True)


def scores(
    rule: SelectionRule, children: Sequence[Statistics], parent: Statistics, c: float
) -> list[float]:
    """Each child's score; infinite while the rule cannot score it, so that it is followed first."""
    known, unvisited = getattr(rule, "is_known", True), getattr(rule, "rates_unvisited", False)
    return [
        sum(score_terms(rule, child, parent, c)) if known and (child.visits or unvisited) else inf
        for child in children
    ]


class Filled(partial):  # type: ignore[type-arg]
    """A partial that fixes by name what a search gives, too: the search's own is left out."""

    names: tuple[str, ...] = ()

    @property
    def __name__(self) -> str:
        return describe(self.func)

    def split(self, given: Sequence[Any]) -> tuple[Sequence[Any], dict[str, Any]]:
        """The arguments before the first name that is fixed, and the others by name."""
        first = [name in self.keywords for name in self.names].index(True)
        later = zip(self.names[first:], given[first:], strict=True)
        return given[:first], {name: each for name, each in later if name not in self.keywords}

    def __call__(self, *given: Any) -> Any:
        first, others = self.split(given)
        return super().__call__(*first, **others)


def filled(function: Any, names: str) -> Any:
    """A policy as it can be called with what has these ``names``, in order."""
    if type(function) is not partial or not {*function.keywords} & {*names.split(", ")}:
        return function
    policy = Filled(function)
    policy.names = tuple(names.split(", "))
    kinds = [Parameter(name, Parameter.POSITIONAL_ONLY) for name in policy.names]
    policy.__signature__ = Signature(kinds)  # type: ignore[attr-defined]
    with suppress(TypeError):
        first, others = policy.split(policy.names)
        signature(function).bind(*first, **others)
        return policy
    return function


# What a search asks of its policies ------------------------------------------------------------


def playout_of(game: Game[Any, Any], playout: PlayoutPolicy) -> PlayoutFrom:
    """The policy for one game; for :func:`random_playout` the game may have a faster form."""
    play: PlayoutFrom = partial(checked_playout, playout, game)
    fast, pays = turns.fast_playout(game), turns.pays_on_the_way(game)
    if playout is random_playout:
        if pays and not fast:
            return partial(paid_random_playout, game)
        play = fast or partial(playout, game)
    if getattr(type(game), "playout_from", Game.playout_from) is not Game.playout_from:
        play = partial(playout_elsewhere, game, play)
    return partial(paid_playout, game, play) if pays else play


def paid_playout(
    game: Game[State, Any], play: PlayoutFrom, state: State, random: RandomSource
) -> Playout:
    """The playout with the return of the walk from ``state`` on, what its steps paid included."""
    actions, returns = play(state, random)
    states = [game.playout_from(state)]
    for action in actions:
        states.append(game.play(states[-1], action))
    return _paid_on_the_way(game, states, actions, returns)


def paid_random_playout(game: Game[State, Any], state: State, random: RandomSource) -> Playout:
    """The same of a random playout, which knows its positions."""
    states, actions = random_walk(game, game.playout_from(state), random)
    return _paid_on_the_way(game, states, actions, tuple(game.returns(states[-1])))


def _paid_on_the_way(
    game: Game[State, Any], states: Sequence[State], actions: Sequence[Any], returns: Returns
) -> Playout:
    for state, action, after in reversed([*zip(states, actions, states[1:], strict=False)]):
        reward = paid(game, state, action, after)
        returns = turns.return_before(reward, turns.gamma(game, after), returns)
    return Playout(actions, returns)


def playout_elsewhere(
    game: Game[State, Any], play: PlayoutFrom, state: State, random: RandomSource
) -> Playout:
    """The playout from where the game says that one begins, which may be elsewhere."""
    return play(game.playout_from(state), random)


def checked_playout(
    policy: PlayoutPolicy, game: Game[State, Any], state: State, random: RandomSource
) -> Playout:
    """The policy's playout; raises ``SearchError`` if it returned anything else."""
    playout = policy(game, state, random)
    moves, returns = playout if isinstance(playout, Playout) else (None, None)
    if not (isinstance(moves, Sequence) and isinstance(returns, tuple | list)):
        raise _wrong_playout(policy, game, playout)
    return Playout(moves, tuple(returns))


def _wrong_playout(policy: PlayoutPolicy, game: Game[Any, Any], playout: object) -> MctsVizError:
    """The error for what is no playout: the game's, if the policy only hands on its result."""
    if fault := wrong_result(game):
        return GameError(f"{game.name}: {fault}")
    return SearchError(
        f"The playout policy {called(policy)} must return Playout(actions, returns), with the "
        f"moves and a tuple of numbers; it gave {short_repr(playout)}."
    )


def lead_on(path: list[Node], node: Node) -> None:
    """Lead the path on to the ``node`` below its end, the answer of an expansion rule.

    It is a child there, or the child that was added last to the one that was added last, and so on.
    """
    end = path[-1]
    if end.children and end.children[-1] is node:  # as it nearly always is
        return path.append(node)
    while end is not node:
        children = end.children
        if not children:
            raise SearchError(
                f"The expansion rule must return a node from the leaf on; it gave {node!r}."
            )
        last = children[-1]
        end = node if last is not node and node in children else last
        path.append(end)


def one_of(children: Sequence[Node], rule: str, answer: Node) -> Node:
    """The ``answer`` of a rule, if it is one of the ``children`` that it was given."""
    if answer not in children:
        raise SearchError(
            f"The {rule} rule must return one of its children; it gave {short_repr(answer)}."
        )
    return answer


def endless(game: Game[Any, Any]) -> GameError:
    """The error of a playout that goes on and on."""
    return GameError(f"A game of {game.name} has not ended after {LONGEST_GAME:,} moves: end it.")


# Policies with parameters, and all in words ------------------------------------------------------


FUNCTIONS: Final = {"Evaluation": "state", "RewardRule": KINDS["reward"]}
"""By the type of a parameter that is a function: what it is given."""


@dataclass(frozen=True)
class Parameters:
    """Base of the policies with parameters: frozen dataclasses that can be called.

    The ``repr`` is the call that makes an equal policy. Numbers, functions and lists among its
    parameters are checked when the policy is made.
    """

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type == "float":
                require_number(field.name, value)
            if field.type == "int":
                require_whole(field.name, value, 0)
            if field.type in FUNCTIONS:
                require_function(field.name, value, FUNCTIONS[field.type])
            if field.type == "Sequence[Any]":
                listed = hasattr(value, "__getitem__") and hasattr(value, "__len__")
                require(listed, field.name, "a list of moves", value)

    def __repr__(self) -> str:
        return _call(type(self), vars(self))


def describe(value: object) -> str:
    """A policy, a game or a plain value as text: ``rewards_of(win=1, draw=0, loss=0)``.

    A plain function is written by its name, a policy with parameters as the call that makes it.
    """
    if isinstance(value, Game):
        return _call(type(value), value.parameters())
    if callable(value) and not isinstance(value, Parameters):
        return str(getattr(value, "__name__", type(value).__name__))
    return repr(tuple(value) if isinstance(value, list) else value)


def _call(maker: Callable[..., Any], arguments: Mapping[str, Any]) -> str:
    """The call, without the parameters that have their defaults."""
    parameters = signature(maker).parameters
    texts = []
    for name, value in arguments.items():
        text = describe(value)
        if text != describe(parameters[name].default):
            texts.append(text if len(parameters) == 1 else f"{name}={text}")
    return f"{maker.__name__}({', '.join(texts)})"
