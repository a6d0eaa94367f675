"""Other policies than the default ones: what the field has tried, and what has been published.

The same kinds as in :mod:`mcts_viz.search.policies`, each a plain function, or a frozen dataclass
with its parameters that is called like one. All can be pickled, so that searches can run in other
processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt
from random import Random
from typing import Any, ClassVar, Final

from ..errors import SearchError, listed, require, short_repr
from ..games import Game, Playout, RandomSource, Returns, turns
from ..games.protocol import State
from . import policies as p
from .mcts import MCTS, Node
from .policies import Parameters, RewardRule
from .statistics import SQUARES, Statistics, keeps

MOST_PREPARED: Final = 1_000_000
"""Nodes of a tree before its search, about 1 GB."""


# Selection ---------------------------------------------------------------------------------


def win_rate(child: Statistics, parent: Statistics, c: float) -> float:
    """The mean reward alone: exploitation without exploration; ``c`` is not used."""
    return child.wins / child.visits


@p.rates_unvisited
def uniform(child: Statistics, parent: Statistics, c: float) -> float:
    """Uniform allocation: the least visited child first; ``c`` is not used.

    With :func:`expand_root_only` this is flat Monte Carlo.
    """
    return -child.visits


FIRST_PLAY_URGENCY: Final = 0.5
"""PUCT's value for the mean of an unvisited child: a draw, the middle of the rewards."""


@p.rates_unvisited
def puct(child: Statistics, parent: Statistics, c: float) -> tuple[float, float]:
    """PUCT with the same prior for every move, so it needs no network.

    The mean of an unvisited child is :data:`FIRST_PLAY_URGENCY`. Sources: Rosin (2011); Silver et
    al. (2017), whose values go from -1 to 1 and start at 0; Gelly and Wang (2006) for the name.
    """
    mean = child.wins / child.visits if child.visits else FIRST_PLAY_URGENCY
    return mean, c / parent.n_legal_moves * sqrt(parent.visits) / (1 + child.visits)


@dataclass(frozen=True, repr=False)
class smoothed_ucb1(Parameters):
    """UCB1 with ``epsilon`` added to the child's visits and ``offset`` to the parent's.

    So an unvisited child has a score too, a large one. Source: a form met in published programs.
    """

    epsilon: float = 1e-6
    offset: int = 1
    rates_unvisited: ClassVar[bool] = True

    def __call__(self, child: Statistics, parent: Statistics, c: float) -> tuple[float, float]:
        visits = child.visits + self.epsilon
        log_visits = log(max(1, parent.visits + self.offset))
        return child.wins / visits, c * sqrt(log_visits / visits)


@keeps(SQUARES)
def ucb1_tuned(child: Statistics, parent: Statistics, c: float) -> tuple[float, float]:
    """UCB1-Tuned: the width of the interval goes by how much the rewards vary, at most by 1/4.

    It keeps the sum of squared rewards, and each card says their standard deviation. With ``c`` 1
    it is the formula of its source: Auer, Cesa-Bianchi, Fischer (2002), section 4.
    """
    log_visits = log(parent.visits) / child.visits
    variance = max(0.0, SQUARES.of(child) / child.visits - child.mean**2)
    return child.mean, c * sqrt(log_visits * min(0.25, variance + sqrt(2 * log_visits)))


# Choice ------------------------------------------------------------------------------------


def random_best(children: Sequence[Node], scores: Sequence[float], random: RandomSource) -> Node:
    """The child with the highest score; one of the equals at random."""
    highest = max(scores)
    best = [child for child, score in zip(children, scores, strict=True) if score == highest]
    return best[int(random.random() * len(best))]


def visited_best(children: Sequence[Node], scores: Sequence[float], random: RandomSource) -> Node:
    """The child with the highest score; of equals the most visited, then the first."""
    ranked = zip(children, scores, strict=True)
    return max(ranked, key=lambda pair: (pair[1], pair[0].visits))[0]


@dataclass(frozen=True, repr=False)
class epsilon_greedy(Parameters):
    """With probability ``epsilon`` any child, else the best one; meant for :func:`win_rate`."""

    epsilon: float

    def __call__(
        self, children: Sequence[Node], scores: Sequence[float], random: RandomSource
    ) -> Node:
        if random.random() < self.epsilon:
            return children[int(random.random() * len(children))]
        return p.first_best(children, scores, random)


@dataclass(frozen=True, repr=False)
class following(Parameters):
    """These moves one after the other, without regard to scores: a search that is steered by hand.

    Meant for one decision, with ``expansion=expand_root_only`` and
    ``initial_expansion=pre_expanded(1)``. Raises ``SearchError`` when the moves are used up, or for
    one that is not there.
    """

    actions: Sequence[Any]

    def __call__(
        self, children: Sequence[Node], scores: Sequence[float], random: RandomSource
    ) -> Node:
        made = sum(child.visits for child in children)
        wanted = self.actions[made : made + 1]
        for child in children:
            if child.action in wanted:
                return child
        raise SearchError(
            f"Move {made + 1} of {short_repr(self.actions)} cannot be followed: give as many "
            "moves as the search has iterations, each one of "
            f"{listed(child.action for child in children)}."
        )


# Expansion ---------------------------------------------------------------------------------


def add_all(search: MCTS, leaf: Node) -> None:
    """Give every untried move of the leaf a node."""
    search.open(leaf)
    for outcome in leaf.chances or ():
        p.child_of(search, leaf, outcome)
    while leaf.untried:
        search.add_child(leaf, leaf.untried[0])
        del leaf.untried[0]


def expand_all(search: MCTS, leaf: Node) -> Node:
    """Add every move of the leaf at once, and play out from one of them, drawn at random."""
    if not leaf.untried:
        return leaf
    add_all(search, leaf)
    return leaf.children[int(search.random.random() * len(leaf.children))]


def expand_root_only(search: MCTS, leaf: Node) -> Node:
    """Add one untried move of the root, and nothing below: the tree is a single decision."""
    return p.expand_one(search, leaf) if leaf is search.root else leaf


def expand_all_play_leaf(search: MCTS, leaf: Node) -> Node:
    """Add every move of the leaf at once, and play out from the leaf itself."""
    add_all(search, leaf)
    return leaf


@dataclass(frozen=True, repr=False)
class pre_expanded(Parameters):
    """For ``initial_expansion=``: give every position up to so many moves from the root a node.

    Raises ``SearchError`` when that would be more than a million nodes.
    """

    depth: int

    def __call__(self, search: MCTS) -> None:
        level = [search.root]
        for _ in range(self.depth):
            for node in level:
                add_all(search, node)
                if len(search.nodes) > MOST_PREPARED:
                    raise SearchError(f"{self!r} adds too many nodes: take a smaller depth.")
            level = [child for node in level for child in node.children]


@dataclass(frozen=True, repr=False)
class widening(Parameters):
    """Add one untried move, as usual; where nature moves, her outcomes come one by one.

    A chance node has at most ``k * visits ** alpha`` children, at least one. While it has fewer,
    nature draws again; else one of those that are there is drawn, by their probabilities. For games
    with so many outcomes that none comes twice: the few that are there are visited often enough to
    be worth something. Source: Couëtoux et al. (2011), "Continuous upper confidence trees", double
    progressive widening, of which this is the half that is for outcomes.
    """

    k: float = 1.0
    alpha: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.k > 0, "k", "a number above 0", self.k)

    def __call__(self, search: MCTS, leaf: Node) -> Node:
        return p.expand_one(search, leaf)

    def outcome(self, search: MCTS, node: Node) -> Node:
        """The child of a chance node in which the walk goes on."""
        if len(node.children) < max(1.0, self.k * max(1, node.visits) ** self.alpha):
            return p.drawn_outcome(search, node)
        chances = {child: (node.chances or {})[child.action] for child in node.children}
        total = sum(chances.values())
        return turns.drawn(
            {child: share / total for child, share in chances.items()}, search.random
        )


# Playout -----------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class playout_by_position(Parameters):
    """Random moves that depend on the position alone, and on this ``seed``.

    From one position it always plays the same game, each move equally likely over all seeds. So
    two searches that add the same nodes in another order get the same results there. The search's
    own random numbers are not used.
    """

    seed: int = 0

    def __call__(self, game: Game[State, Any], state: State, random: RandomSource) -> Playout:
        return p.random_playout(game, state, Random(f"{self.seed} {game.text(state)}"))


Consideration = Callable[[Game[Any, Any], Any, Sequence[Any]], Sequence[Any]]
"""Which of the legal actions a heavy playout considers, all of them if it has no opinion."""
Evaluation = Callable[[Any], Returns]
"""The value of a position: one number a player, in [-1, 1], as a game's returns are."""


def winning_moves(game: Game[State, Any], state: State) -> Iterator[Any]:
    """The moves that end the game with a win for the player to move."""
    if not game.is_terminal(state) and not turns.chances(game, state):
        player = game.to_move(state)
        for action in game.legal_actions(state):
            after = game.play(state, action)
            if game.is_terminal(after) and game.returns(after)[player] == 1:
                yield action


def wins_at_once(game: Game[Any, Any], state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    """The moves that end the game with a win for the player to move, if there are any."""
    return [*winning_moves(game, state)] or legal


def blocks(game: Game[State, Any], state: State, legal: Sequence[Any]) -> Sequence[Any]:
    """The moves after which no opponent wins at once, if that leaves any."""
    after = {action: winning_moves(game, game.play(state, action)) for action in legal}
    return [action for action, wins in after.items() if not any(True for _ in wins)] or legal


def win_then_block(game: Game[State, Any], state: State, random: RandomSource) -> Playout:
    """A heavy playout: win if a move does, else stop the opponent's win, else play at random.

    Source: the decisive and anti-decisive moves of Teytaud and Teytaud (2010).
    """
    return _played(game, state, random, wins_at_once, blocks)


def block_then_win(game: Game[State, Any], state: State, random: RandomSource) -> Playout:
    """The same in the other order: it can pass over its own win to stop the opponent's."""
    return _played(game, state, random, blocks, wins_at_once)


def _played(
    game: Game[State, Any],
    state: State,
    random: RandomSource,
    *rules: Consideration,
    most: int = p.LONGEST_GAME,
    evaluate: Evaluation | None = None,
) -> Playout:
    """Moves at random, each among those of the first of the ``rules`` that has an opinion."""
    actions: list[Any] = []
    while not game.is_terminal(state):
        if len(actions) == most:
            return _cut_short(game, actions, state, evaluate)
        if outcomes := turns.chances(game, state):
            actions.append(turns.drawn(outcomes, random))
            state = game.play(state, actions[-1])
            continue
        legal = game.legal_actions(state)
        opinions = (consider(game, state, legal) for consider in rules)
        considered = next((some for some in opinions if len(some) < len(legal)), legal)
        actions.append(considered[int(random.random() * len(considered))])
        state = game.play(state, actions[-1])
    return Playout(actions, tuple(game.returns(state)))


def _cut_short(
    game: Game[State, Any], actions: list[Any], state: State, evaluate: Evaluation | None
) -> Playout:
    """The playout that stops here, with the evaluation as its returns; an error without one."""
    if evaluate is None:
        raise p.endless(game)
    return Playout(actions, evaluate(state))


@dataclass(frozen=True, repr=False)
class truncated(Parameters):
    """A random playout of at most so many ``moves``, then the ``evaluate(state)`` of its end.

    ``evaluate`` gives one number a player, in [-1, 1], as a game's returns do.
    """

    moves: int
    evaluate: Evaluation

    def __call__(self, game: Game[State, Any], state: State, random: RandomSource) -> Playout:
        return _played(game, state, random, most=self.moves, evaluate=self.evaluate)


# Reward ------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class rewards_of(Parameters):
    """A win, a draw and a loss of the player who moved into the node are worth this much.

    Between them a return is interpolated. ``rewards_of(1, 0, 0)`` counts a draw like a loss, a
    fault of several published programs.
    """

    win: float
    draw: float
    loss: float

    def __call__(self, returns: Returns, player: int, root_player: int) -> float:
        value = returns[player]
        return self.draw + value * (self.win - self.draw if value > 0 else self.draw - self.loss)


@dataclass(frozen=True, repr=False)
class root_players_view(Parameters):
    """Give every node what the root's player gets: the opponent then chooses against himself.

    A fault of several published programs.
    """

    reward: RewardRule

    def __call__(self, returns: Returns, player: int, root_player: int) -> float:
        return self.reward(returns, root_player, root_player)


# Final move --------------------------------------------------------------------------------


def max_child(children: Sequence[Node]) -> Node:
    """The child with the highest mean; of equals the more visited, then the first."""
    return max(children, key=lambda child: (child.mean, child.visits))


def robust_max_child(children: Sequence[Node]) -> Node:
    """The child that has both the most visits and the highest mean; without one, the robust child.

    Source: Chaslot et al. (2008), who search on until there is one.
    """
    visits = max(child.visits for child in children)
    mean = max(child.mean for child in children)
    both = (child for child in children if child.visits == visits and child.mean == mean)
    return next(both, p.robust_child(children))


@dataclass(frozen=True, repr=False)
class secure_child(Parameters):
    """The child with the highest lower bound, ``mean - caution / sqrt(visits)``.

    ``caution`` is at least 0. Source: Chaslot et al. (2008).
    """

    caution: float = 1.0

    def __call__(self, children: Sequence[Node]) -> Node:
        return max(children, key=lambda child: child.mean - self.caution * child.inv_sqrt_visits)
