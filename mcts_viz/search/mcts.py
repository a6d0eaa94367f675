"""Monte Carlo Tree Search, as the pseudocode has it: select, expand, simulate, backpropagate.

Source: Browne et al. (2012), "A survey of Monte Carlo tree search methods", algorithms 1 and 2.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from math import inf, log, sqrt
from typing import TYPE_CHECKING, Any, Final

from ..errors import short_repr
from ..games import Game, Playout, RandomSource, Returns
from .checks import check_budget, checked_c, is_number, resolve_seed
from .hooks import WRAPPED
from .policies import (
    LONGEST_GAME,
    ExpansionRule,
    InitialExpansion,
    PlayoutPolicy,
    RecommendationRule,
    RewardRule,
    SelectionRule,
    Statistics,
    TieBreakRule,
    check_policies,
    endless,
    no_child,
    playout_of,
    rewarded,
    score,
    way_down,
)
from .positions import check_root, check_rules, no_state
from .running import SearchResult, no_reentry, run

if TYPE_CHECKING:
    from ..trace import Trace

TABULATED: Final = 10_000
WIDTHS: Final = [0.0, *(1 / sqrt(visits) for visits in range(1, TABULATED))]
"""``1 / sqrt(visits)``, looked up: sooner, and nodes with equally many visits share the number."""


class Node:
    """One position in the tree.

    A node's wins belong to the player who moved into it. So a parent compares its children by
    numbers that speak for the player who chooses among them. (The root's wins belong to the
    player before the one to move.) A node knows its children and not its parent: a search walks
    down a path and keeps it, and a tree that nobody holds any more is freed at once.
    """

    __slots__ = (
        "action",
        "children",
        "created_at",
        "id",
        "inv_sqrt_visits",
        "mean",
        "player_just_moved",
        "state",
        "to_move",
        "untried",
        "visits",
        "wins",
    )

    def __init__(
        self, id: int, action: Any, state: Any, player_just_moved: int, created_at: int
    ) -> None:
        self.id = id
        """Number in order of creation; the root is 0."""
        self.action = action
        """The move that led here; ``None`` for the root."""
        self.state = state
        self.created_at = created_at
        """The iteration that added this node; 0 if it was there before the first."""
        self.player_just_moved = player_just_moved
        """The player who moved into this node, whose ``wins`` these are."""
        self.visits = 0
        """How many iterations came through; never negative."""
        self.wins = 0.0
        """The sum of their rewards; by default a win is 1, a draw 1/2, a loss 0."""
        self.mean = inf
        """``wins / visits``; before the first visit infinite, so that the node is tried first."""
        self.inv_sqrt_visits = 0.0
        """``1 / sqrt(visits)``, to which UCB1's confidence interval is proportional."""
        self.children: Sequence[Node] = ()
        self.untried: list[Any] | None = None
        """Moves without a child yet; ``None`` until the game has been asked for them."""
        self.to_move = -1
        """The player to move, known once the game has been asked for moves; -1 before."""

    @property
    def n_legal_moves(self) -> int:
        """Legal moves of the position, in the tree or not; 0 before the first expansion."""
        return len(self.children) + len(self.untried or ())

    def __repr__(self) -> str:
        place = "the root" if self.action is None else f"after {self.action!r}"
        return f"<Node {self.id}: {self.wins:g}/{self.visits}, {place}>"


# The default policies ----------------------------------------------------------------------------


def ucb1(child: Statistics, parent: Statistics, c: float) -> tuple[float, float]:
    """UCB1: the mean reward, and ``c`` times the width of a confidence interval around it.

    The mean is in [0, 1] and speaks for the player who chooses among the children. Source: Auer,
    Cesa-Bianchi, Fischer (2002); applied to trees as UCT by Kocsis and Szepesvári (2006).
    """
    return child.wins / child.visits, c * sqrt(log(parent.visits) / child.visits)


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


def half_for_a_draw(returns: Returns, player: int, root_player: int) -> float:
    """1 for the player's win, 1/2 for a draw, 0 for a loss: sound for both players."""
    return (returns[player] + 1) / 2


def robust_child(children: Sequence[Node]) -> Node:
    """The most visited child; of equals the one with the higher mean, then the first.

    Source: Chaslot et al. (2008), "Progressive strategies for Monte-Carlo tree search".
    """
    return max(children, key=lambda child: (child.visits, child.mean))


class MCTS:
    """A search and the tree it grows.

    ``c`` is UCB1's exploration constant, at least 0; √2 suits rewards in [0, 1]. The same
    ``seed``, from 0, gives the same tree on every machine; without one, a seed is picked and kept
    in ``seed``. The policies are plain functions, see
    :mod:`mcts_viz.search.policies`; ``initial_expansion`` is called with the search when a tree has
    been started, to put nodes into it beforehand.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        c: float = sqrt(2),
        seed: int | None = None,
        *,
        selection: SelectionRule = ucb1,
        tie_break: TieBreakRule = first_best,
        expansion: ExpansionRule = expand_one,
        playout: PlayoutPolicy = random_playout,
        reward: RewardRule = half_for_a_draw,
        recommendation: RecommendationRule = robust_child,
        initial_expansion: InitialExpansion | None = None,
    ) -> None:
        check_rules(game)
        self.game = game
        self.c = c
        self.seed = resolve_seed(seed)
        self.selection = selection
        self.tie_break = tie_break
        self.expansion = expansion
        self.playout = playout
        self.reward = reward
        self.recommendation = recommendation
        self.initial_expansion = initial_expansion
        self.solved = False
        """Whether the root is proven, so that a run ends; see :class:`mcts_viz.MCTSSolver`."""
        self._running = False
        self._rewards: dict[Returns, tuple[float, ...]] = {}
        self._check()
        self.start()

    def __repr__(self) -> str:
        c = f"{self.c:.3g}" if is_number(self.c) else short_repr(self.c)
        return (
            f"<{type(self).__name__} of {self.game.name}: c = {c}, seed "
            f"{short_repr(self.seed, 20)}, {self.iterations} iterations, {len(self.nodes)} nodes>"
        )

    # The four phases -------------------------------------------------------------------------

    def iteration(self) -> None:
        path = self.select()
        node = self.expand(path)
        playout = self.simulate(node)
        self.backpropagate(path, playout)

    def select(self, path: list[Node] | None = None) -> list[Node]:
        """Walk down by the best score, to a node with an untried move or the end of a game.

        The walk begins where ``path`` ends, at the root if none is given.
        """
        path = path or [self.root]
        node = path[-1]
        by_ucb1 = self.selection is ucb1 and self.tie_break is first_best
        while node.children and not node.untried:
            if by_ucb1:  # written out: siblings share the logarithm, and nodes keep their mean
                shared = self.c * sqrt(log(node.visits or 1))
                children, best = node.children, -inf
                node = children[0]
                for child in children:
                    score = child.mean + shared * child.inv_sqrt_visits
                    if score > best:
                        best, node = score, child
            else:
                node = self.choose(node, node.children)
            path.append(node)
        return path

    def expand(self, path: list[Node]) -> Node:
        """Add to the tree below the end of ``path``, which then leads to the node to simulate."""
        leaf = path[-1]
        if leaf.untried is None:
            self.open(leaf)
        node = self.expansion(self, leaf)
        if node is not leaf:
            path += way_down(leaf, node)
        return node

    def simulate(self, node: Node) -> Playout:
        """Play on from ``node`` by the playout policy; nothing of it enters the tree."""
        return self.play_out(node.state, self.random)

    def backpropagate(self, path: list[Node], playout: Playout) -> None:
        """Give each node of ``path`` one visit, and the reward of the player who moved there."""
        rewards = self._rewards.get(playout.returns) or self.rewards(playout.returns)
        for node in path:
            visits, wins = node.visits + 1, node.wins + rewards[node.player_just_moved]
            node.visits, node.wins, node.mean = visits, wins, wins / visits
            node.inv_sqrt_visits = WIDTHS[visits] if visits < TABULATED else 1 / sqrt(visits)
        self.iterations += 1

    # What the phases ask for ------------------------------------------------------------------

    def choose(self, parent: Node, children: Sequence[Node]) -> Node:
        """The one of the ``children`` to follow, by the selection rule and the tie-break rule."""
        if self.selection is ucb1:
            shared = self.c * sqrt(log(parent.visits or 1))
            scores = [child.mean + shared * child.inv_sqrt_visits for child in children]
        else:
            scores = [score(self.selection, child, parent, self.c) for child in children]
        child = self.tie_break(children, scores, self.random)
        if child not in children:
            raise no_child("tie_break", child)
        return child

    def open(self, leaf: Node) -> None:
        """Ask the game for the moves of a node, once; they are untried until they get a child."""
        if leaf.untried is not None:
            return
        leaf.children = []
        if self.game.is_terminal(leaf.state):
            leaf.untried = []
        else:
            leaf.to_move = self.game.to_move(leaf.state)
            leaf.untried = list(self.game.legal_actions(leaf.state))

    def add_child(self, parent: Node, action: Any) -> Node:
        """Put the position after ``action`` into the tree, below ``parent``."""
        state = self.game.play(parent.state, action)
        if state is None:
            raise no_state(parent.state, action)
        nodes = self.nodes
        child = Node(len(nodes), action, state, parent.to_move, self.iterations + 1)
        nodes.append(child)
        parent.children.append(child)  # type: ignore[attr-defined]  # a list once opened
        return child

    def rewards(self, returns: Returns) -> tuple[float, ...]:
        """By player: what the reward rule adds to the wins of the nodes they moved into."""
        if returns not in self._rewards:
            root_player = self.game.to_move(self.root.state)
            self._rewards[returns] = rewarded(self.game, self.reward, returns, root_player)
        return self._rewards[returns]

    # The tree --------------------------------------------------------------------------------

    def start(self, state: Any = None) -> Node:
        """Forget the tree and put a root at ``state`` (the game's start if none is given)."""
        with no_reentry(self):
            state = self.game.initial_state() if state is None else state
            check_root(self.game, state)
            self.seed = resolve_seed(self.seed)
            self.random = random.Random(self.seed)
            self._rewards = {}
            before = (self.game.to_move(state) - 1) % len(self.game.players)
            self.root = Node(0, None, state, before, created_at=0)
            self.nodes = [self.root]
            self.iterations = 0
            if self.initial_expansion:
                self.initial_expansion(self)
                self.count_anew()
            return self.root

    def advance(self, action: Any) -> Node:
        """Make a move: its node becomes the root, and the tree below it is kept.

        Iterations count from 1 again. A move that has no node yet starts a new tree.
        """
        child = next((child for child in self.root.children if child.action == action), None)
        if child is None or self.game.is_terminal(child.state):
            return self.start(self.game.play(self.root.state, action))
        with no_reentry(self):
            self.root, child.action = child, None
            self.nodes = [child]
            for node in self.nodes:
                self.nodes += node.children
            self.nodes.sort(key=lambda node: node.id)
            self._rewards = {}
            self.count_anew()
            return child

    def count_anew(self) -> None:
        """Count iterations from 1 again; all nodes of the present tree were there before them."""
        for number, node in enumerate(self.nodes):
            node.id, node.created_at = number, 0
        self.iterations = 0

    # Running it ------------------------------------------------------------------------------

    def search(
        self,
        state: Any = None,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        hooks: Iterable[object] = (),
        progress: bool | None = None,
    ) -> SearchResult:
        """Grow a new tree from ``state`` (the game's start if none is given).

        See :meth:`run` for the budget. The same seed gives the same tree every time.
        """
        self.start(state)
        return self.run(iterations=iterations, seconds=seconds, hooks=hooks, progress=progress)

    def record(
        self,
        state: Any = None,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        hooks: Iterable[object] = (),
        progress: bool | None = None,
    ) -> Trace:
        """Search as :meth:`search` does, and return the trace of all its iterations."""
        from ..trace import record

        return record(
            self, state, iterations=iterations, seconds=seconds, hooks=hooks, progress=progress
        )

    def run(
        self,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        hooks: Iterable[object] = (),
        progress: bool | None = None,
    ) -> SearchResult:
        """Grow the present tree by some ``iterations``, or for some ``seconds``, or by both.

        The first limit that is reached ends it, and so does an interrupt (Ctrl+C, Jupyter's stop
        button): the tree stays whole and the result says ``interrupted``. A search that takes
        longer than two seconds shows a progress bar, unless ``progress`` is false.
        """
        check_budget(iterations, seconds)
        self._check()
        return run(self, iterations, seconds, hooks, progress)

    @property
    def recommendation_rule(self) -> RecommendationRule:
        """By what the search's results recommend a move: the recommendation rule it was given."""
        return self.recommendation

    def _check(self) -> None:
        """See that the search can use what it was given, or has been given since."""
        self.c = checked_c(self.c)
        check_policies(self, DEFAULTS)
        self.play_out = playout_of(self.game, self.playout, self.playout is random_playout)
        self._rewards = {}

    def __getstate__(self) -> dict[str, Any]:
        """What a copy gets, even if a hook makes it: it is at rest and has no hooks."""
        kept = {name: value for name, value in vars(self).items() if name not in WRAPPED}
        return {**kept, "_running": False}


DEFAULTS: Final[dict[str, Any]] = MCTS.__init__.__kwdefaults__ or {}
"""By kind: the policy of a search that is given none."""
