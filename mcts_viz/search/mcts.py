"""Monte Carlo Tree Search, as the pseudocode has it: select, expand, simulate, backpropagate.

Source: Browne et al. (2012), "A survey of Monte Carlo tree search methods", algorithms 1 and 2.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import KW_ONLY, dataclass, fields
from functools import cached_property, partial
from math import inf, log, sqrt
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Final

from ..errors import counted, fits, require, require_one_of, short_repr
from ..games import Game, Playout, Returns, turns
from ..games.check import check_answer
from . import checks
from . import policies as p
from .running import PHASES, SearchResult, along, copied, no_reentry, run
from .statistics import RETURNS, Statistic, Statistics

if TYPE_CHECKING:
    from ..trace import Trace


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """One position in the tree.

    A node's wins belong to the player who moved into it. So a parent compares its children by
    numbers that speak for the player who chooses among them. A node knows its children and not its
    parent: a search walks down a path and keeps it.
    """

    id: int  # in order of creation; the root is 0
    action: Any  # the move, or the outcome of chance, that led here; None for the root
    state: Any
    player_just_moved: int  # whose wins these are: who moved into this node, luck left aside
    created_at: int  # the iteration that added it; 0 if it was there before
    to_move: int = -1  # who moves from here, known once the game has been asked; -1 for nature
    children: Sequence[Node] = ()
    untried: list[Any] | None = None  # moves without a child; None until they are asked
    visits: int = 0  # iterations that came through
    wins: float = 0.0  # the sum of rewards; by default a win is 1, a draw 1/2, a loss 0
    mean: float = inf  # wins / visits; infinite before the first visit, so that it comes first
    inv_sqrt_visits: float = 0.0  # 1 / sqrt(visits)

    # Only an OpenNode has others than these:
    chances: ClassVar[Mapping[Any, float] | None] = None  # of outcomes, where nature moves
    paid: ClassVar[Returns | None] = None  # by player: what the move to here has paid

    @property
    def n_legal_moves(self) -> int:
        """Legal moves of the position, in the tree or not; 0 before the first expansion."""
        return len(self.children) + len(self.untried or ())

    def __repr__(self) -> str:
        place = "the root" if self.action is None else f"after {self.action!r}"
        return f"<Node {self.id}: {self.wins:g}/{self.visits}, {place}>"


def ucb1(child: Statistics, parent: Statistics, c: float) -> tuple[float, float]:
    """UCB1: the mean reward, and ``c`` times the width of a confidence interval around it.

    The mean is in [0, 1] and speaks for the player who chooses among the children. Source: Auer,
    Cesa-Bianchi, Fischer (2002); applied to trees as UCT by Kocsis and Szepesvári (2006).
    """
    # One root for each: a search, its film and the page multiply these, and are rounded alike.
    return child.mean, c * sqrt(log(parent.visits)) * (1 / sqrt(child.visits))


@dataclass(eq=False, repr=False)
class MCTS:
    """A search: what it is given, and the tree it grows.

    ``c`` is UCB1's exploration constant, at least 0; √2 suits rewards in [0, 1]. The same
    ``seed``, from 0, gives the same tree on every machine; without one, a seed is picked. The
    policies are plain functions, see :mod:`mcts_viz.search.policies`. Raises ``SearchError`` for
    what no search can use.

    >>> from mcts_viz import MCTS, TicTacToe
    >>> MCTS(TicTacToe(), seed=4).search(iterations=200).best_action
    4
    """

    game: Game[Any, Any]
    c: float = sqrt(2)
    seed: int | None = None
    _: KW_ONLY
    selection: p.SelectionRule = ucb1
    tie_break: p.TieBreakRule = p.first_best
    expansion: p.ExpansionRule = p.expand_one
    playout: p.PlayoutPolicy = p.random_playout
    reward: p.RewardRule = p.half_for_a_draw
    recommendation: p.RecommendationRule = p.robust_child
    initial_expansion: p.InitialExpansion | None = None

    # The four phases -------------------------------------------------------------------------

    def iteration(self) -> None:
        path = self.select()
        node = self.expand(path)
        playout = self.simulate(node)
        self.backpropagate(path, playout)

    def select(self, path: list[Node] | None = None) -> list[Node]:
        """Walk down by the best score, from the root or ``path``, to an untried move or an end."""
        path = path or [self.root]
        node, c = path[-1], self.c
        best_child = best_by_ucb1 if self._compares_all else self.best_child
        while node.children and not node.untried:
            node = best_child(node, node.children, c)
            path.append(node)
        return path

    def expand(self, path: list[Node]) -> Node:
        """Add to the tree below the end of ``path``, which then leads to the node to simulate."""
        leaf = path[-1]
        if leaf.untried is None:
            self.open(leaf)
        node = self._grow(self, leaf)  # by the expansion rule, or by chance
        if node is not leaf:
            p.lead_on(path, node)
        return node

    def simulate(self, node: Node) -> Playout:
        """Play on from ``node`` by the playout policy; nothing of it enters the tree."""
        return self.play_out(node.state, self.random)

    def backpropagate(self, path: list[Node], playout: Playout) -> None:
        """Give each node of ``path`` one visit, and the reward of the player who moved there."""
        returns = playout.returns
        if keeps_more := self._keeps_more:
            path = self.keep(path, returns)
        rewards = self._rewards.get(returns) or self.rewards(returns)
        for node in path:
            if keeps_more and node.paid:  # on the way: G = reward + discount * G
                returns = self.return_of_move(node, returns)
                rewards = self.rewards(returns)
            node.visits = visits = node.visits + 1
            node.wins = wins = node.wins + rewards[node.player_just_moved]
            node.mean = wins / visits
            node.inv_sqrt_visits = 1 / sqrt(visits)
        self.iterations += 1

    # What the phases ask for ------------------------------------------------------------------

    def return_of_move(self, node: Node, returns: Returns) -> Returns:
        """The return of the move to ``node`` for each player, if ``returns`` are had from there on.

        The move pays what it pays, and what comes later counts less by the discount. Where nature
        moves next, nothing is discounted: a move and the luck that follows it are one step.
        """
        assert node.paid
        gamma = 1.0 if node.chances else turns.discount(self.game)
        return turns.return_before(node.paid, gamma, returns)

    def keep(self, path: list[Node], returns: Returns) -> list[Node]:
        """Add to the statistics beside visits and wins; return the path from its end up.

        All that may fail is asked here, before a node is changed.
        """
        gains = []
        for node in reversed(path):
            if node.paid:
                returns = self.return_of_move(node, returns)
            player = node.player_just_moved
            reward, returned = self.rewards(returns)[player], returns[player]
            gains += [(node, each, each.gain(reward, returned)) for each in self.kept]
        for node, each, gain in gains:
            setattr(node, each.name, each.of(node) + gain)
        return path[::-1]

    def best_child(self, parent: Node, children: Sequence[Node], c: float) -> Node:
        """The one of the ``children`` to follow: by selection rule and tie-break, or by chance."""
        if parent.chances:
            return self.outcome_of(parent)
        if self._by_ucb1:
            return best_by_ucb1(parent, children, c)
        scores = p.scores(self._rule, children, parent, c)
        return p.one_of(children, "tie-break", self._tie_break(children, scores, self.random))

    def outcome_of(self, node: Node) -> Node:
        """The child of a chance node that chance decides for; it is added if it is a new one."""
        draw: p.ExpansionRule = getattr(self.expansion, "outcome", p.drawn_outcome)
        return draw(self, node)

    def open(self, leaf: Node) -> None:
        """Ask the game for the moves of a node, once; they are untried until they get a child.

        Where nature moves, nothing is left to be tried: she is asked at every visit.
        """
        if leaf.untried is not None:
            return
        leaf.children = []
        if self.game.is_terminal(leaf.state) or (self._is_lucky and leaf.chances):
            leaf.untried = []
        else:
            leaf.to_move = self.game.to_move(leaf.state)
            if leaf.to_move not in self._players:  # -1 would be taken for nature's
                check_answer(self.game, "to_move", leaf.to_move, leaf.state)
            leaf.untried = list(self.game.legal_actions(leaf.state))
            if self._is_own_game:
                checks.check_distinct(self.game, leaf.state, leaf.untried)

    def add_child(self, parent: Node, action: Hashable) -> Node:
        """Put the position after ``action``, or after an outcome, into the tree below
        ``parent``."""
        state = self.game.play(parent.state, action)
        nodes = self.nodes
        child = self._node(len(nodes), action, state, parent.to_move, self.iterations + 1)
        if self._node is not Node:
            self._furnish(child, parent)
        nodes.append(child)
        parent.children.append(child)  # type: ignore[attr-defined]  # a list once opened
        return child

    def path_along(self, actions: Sequence[Any]) -> list[Node]:
        """The nodes from the root along these actions; those that the tree lacks are added to
        it."""
        path = [self.root]
        for action in actions:
            leaf = path[-1]
            self.open(leaf)
            known = [child for child in leaf.children if child.action == action]
            path += known or [self.add_child(leaf, action)]
            leaf.untried = [other for other in leaf.untried or () if other != action]
        return path

    def _furnish(self, node: Any, parent: Node | None) -> None:
        """Give a new node, an :class:`OpenNode`, what only some searches need."""
        if parent:
            before = parent.player_just_moved
            node.player_just_moved = turns.counted_for(parent.to_move, before)
        node.chances = checks.outcomes(self.game, node.state) or None
        if self.pays and parent:
            node.paid = checks.paid(self.game, parent.state, node.action, node.state)
        for each in self.kept:
            setattr(node, each.name, 0.0)

    def rewards(self, returns: Returns) -> tuple[float, ...]:
        """For each player: what the reward rule adds to the wins of the nodes they moved into."""
        known = self._rewards.get(returns)
        if known is None:
            if len(self._rewards) >= MOST_KNOWN:
                self._rewards.clear()
            known = self._rewards[returns] = self._asked_rewards(returns)
        return known

    def _asked_rewards(self, returns: Returns) -> tuple[float, ...]:
        checks.check_returns(self.game, returns, partial(whose_returns, self))
        low, high = turns.value_range(self.game)
        if (low, high) != (-1, 1):  # rules know returns from a loss, -1, to a win, 1
            returns = tuple([2 * (each - low) / (high - low) - 1 for each in returns])
        players = range(len(self.game.players))
        root_player = max(0, turns.mover(self.game, self.root.state))
        rewards = [self.reward(returns, player, root_player) for player in players]
        most = checks.MOST_REWARD
        right = all(fits(reward, -most, most) for reward in rewards)
        kind = f"numbers from {-most:g} to {most:g}"
        require(right, "The reward rule's results", kind, rewards)
        return tuple(map(float, rewards))

    # Its settings -----------------------------------------------------------------------------

    solver = False
    """True if it proves wins and losses; see :class:`mcts_viz.MCTSSolver`."""

    def __post_init__(self) -> None:
        self.seed = checks.resolve_seed(self.seed)
        self.random = Random(self.seed)
        """The one source of chance; it begins again with every tree."""
        self.solved = False
        """True if the root is proven, so that a run ends."""
        self.chosen: tuple[tuple[Any, ...], ...] = ()
        """The walks of the tree's first iterations, if they were chosen: :meth:`iteration_along`.
        """
        self.kept: tuple[Statistic, ...] = ()
        """The statistics of its nodes beside visits and wins."""
        self._running = False
        self._check()

    @property
    def pays(self) -> bool:
        """True if the game pays on the way, so that each node of a walk has its own return."""
        return turns.pays_on_the_way(self.game)

    def but(self, **changes: Any) -> MCTS:
        """A search that is given the same, but for these ``changes``; it has no tree yet.

        What a subclass keeps beside is copied as it is now.
        """
        search = copy(self)
        for name in (*PHASES, "root", "nodes", "iterations"):  # a run in progress wraps its phases
            vars(search).pop(name, None)
        for name, value in vars(search).items():
            vars(search)[name] = copied(value)
        for name, value in changes.items():
            require_one_of("A change", name, [field.name for field in fields(self)])
            setattr(search, name, value)
        search.__post_init__()
        return search

    def _check(self) -> None:
        """See that the search can use what it was given, or has been given since."""
        checks.check_rules(self.game)
        self.c = checks.require_number("c", self.c)
        for name, given in p.KINDS.items():
            policy = p.filled(getattr(self, name), given)
            if policy is not DEFAULTS[name]:
                checks.require_function(name, policy, given)
            setattr(self, name, policy)
        self._prepare()

    def _prepare(self) -> None:
        """Work out what every iteration asks for, once: how nodes are made, and policies called."""
        self._is_lucky = turns.knows_luck(self.game)
        self._players = range(len(self.game.players))
        self._is_own_game = type(self.game) not in checks.BUILT_IN
        asked: tuple[Statistic, ...] = getattr(self.selection, "keeps", ())
        self.kept = (*asked, RETURNS) if self.pays and RETURNS not in asked else asked
        self._keeps_more = bool(self.pays or self.kept)
        self._node = OpenNode if self._keeps_more or self._is_lucky else Node
        rule = self.expansion
        grow = rule if rule is p.expand_one else partial(p.grown_by_rule, rule)
        self._grow = partial(p.grown_with_luck, grow) if self._is_lucky else grow
        self._by_ucb1 = self.selection is ucb1 and self.tie_break is p.first_best
        self._rule, self._tie_break = self.selection, self.tie_break
        # No child is passed over, and none is drawn.
        self._compares_all = self._by_ucb1 and not self.solver and not self._is_lucky
        self.play_out = p.playout_of(self.game, self.playout)
        self._rewards: dict[Returns, tuple[float, ...]] = {}

    # The tree --------------------------------------------------------------------------------

    iterations = 0
    """Iterations that have grown the tree since it was started or advanced."""

    @cached_property
    def root(self) -> Node:
        """The tree's root; a tree is started when it is first asked for."""
        return self.start()

    @cached_property
    def nodes(self) -> list[Node]:
        """The tree's nodes in order of creation."""
        self.start()
        return self.nodes  # which are set now

    def start(self, state: Hashable = None) -> Node:
        """Forget the tree and put a root at ``state`` (the game's start if none is given)."""
        with no_reentry(self):
            self._check()
            state = checks.check_start(self.game, state)
            self.seed = checks.resolve_seed(self.seed)
            self.random = Random(self.seed)
            before = turns.before_the_start(self.game, state)
            root = self._node(0, None, state, before, created_at=0)
            if self._node is not Node:
                self._furnish(root, None)
            self.root, self.nodes = root, [root]
            self.iterations, self.chosen = 0, ()
            if self.initial_expansion:
                self.initial_expansion(self)
                self.count_anew()
            return self.root

    def advance(self, action: Hashable) -> Node:
        """Make a move: its node becomes the root, and the tree below it is kept.

        Iterations count from 1 again. A move that has no node yet starts a new tree.
        """
        child = next((child for child in self.root.children if child.action == action), None)
        if child is None or self.game.is_terminal(child.state):
            return self.start(self.game.play(self.root.state, action))
        with no_reentry(self):
            self._leave_behind(child)
            self.root, child.action = child, None
            if isinstance(child, OpenNode):
                child.paid = None  # the move was made before the search
            self.nodes = [child]
            for node in self.nodes:
                self.nodes += node.children
            self.nodes.sort(key=lambda node: node.id)
            self._rewards = {}
            self.count_anew()
            return child

    def _leave_behind(self, child: Node) -> Node:
        """Put a copy of ``child`` into its place: results of before show what it was then."""
        before = copy(child)
        before.children, before.untried = list(child.children), list(child.untried or ())
        siblings = self.root.children
        self.root.children = [before if each is child else each for each in siblings]
        return before

    def count_anew(self) -> None:
        """Count iterations from 1 again; all nodes of the present tree were there before them."""
        for number, node in enumerate(self.nodes):
            node.id, node.created_at = number, 0
        self.iterations, self.chosen = 0, ()

    def __repr__(self) -> str:
        seed, tree = short_repr(self.seed, 20), ""
        if "root" in vars(self):
            size = counted(self.iterations, "iteration"), counted(len(self.nodes), "node")
            tree = f", {', '.join(size)}"
        return f"<{type(self).__name__} of {self.game.name}: c = {self.c:.3g}, seed {seed}{tree}>"

    # What readers look for here, and find elsewhere ----------------------------------------------

    # Running it ------------------------------------------------------------------------------

    def search(
        self,
        state: Hashable = None,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        hooks: Iterable[object] = (),
        progress: bool | None = None,
    ) -> SearchResult:
        """Grow a new tree from ``state`` (the game's start if none is given).

        See :meth:`run` for the budget. The same seed gives the same tree every time.
        """
        checks.check_budget(iterations, seconds)
        self.start(state)
        return run(self, iterations, seconds, hooks, progress)

    def record(
        self,
        state: Hashable = None,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        hooks: Iterable[object] = (),
        progress: bool | None = None,
    ) -> Trace:
        """Search as :meth:`search` does, and return the trace of all its iterations.

        The trace has the numbers of the nodes themselves, so a subclass that counts otherwise is
        recorded as it is.
        """
        from ..trace.recorder import record

        return record(self, state, iterations, seconds, hooks, progress)

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
        checks.check_budget(iterations, seconds)
        self._check()
        _ = self.root  # which starts a tree, if there is none
        return run(self, iterations, seconds, hooks, progress)

    def iteration_along(self, moves: Sequence[Any], hooks: Iterable[object] = ()) -> None:
        """Run one iteration whose walk you choose: ``moves`` lead from the root to its end.

        Each move is an action or its label. The walk ends with the node that the iteration adds,
        or where the game is over; no score is compared, and the expansion rule is not asked. The
        playout and the rewards are the search's own, and ``hooks`` are called as in a run. The
        tree stays as it was if an error is raised: ``GameError`` for a move that is not legal,
        ``SearchError`` for a walk that ends elsewhere.

        >>> from mcts_viz import MCTS, TicTacToe
        >>> search = MCTS(TicTacToe(), seed=4)
        >>> search.iteration_along([4])
        >>> search.iteration_along([4, 0])
        >>> [node.visits for node in search.nodes]
        [2, 2, 1]
        """
        self._check()
        along(self, checks.actions_along(self.game, self.root.state, moves), hooks)

    def recommend(self, children: Sequence[Node]) -> Node:
        """The one of the root's visited ``children`` whose move is to be made."""
        return self.recommendation(children)


MOST_KNOWN: Final = 10_000
"""Returns whose rewards are remembered: a game that pays on the way may have a new one each time.
"""

DEFAULTS: Final = {field.name: field.default for field in fields(MCTS) if field.kw_only}
"""For each kind: the policy of a search that is given none."""


def own_phases(search: MCTS) -> list[str]:
    """The phases that its class overrides, and that its policies therefore do not describe."""
    return [
        phase
        for phase in ("expand", "simulate")
        if getattr(type(search), phase) is not getattr(MCTS, phase)
    ]


def who_plays_out(search: MCTS) -> str:
    """The name of the playout policy, or the phase that the search's class overrides."""
    if "simulate" in own_phases(search):
        return "search's own simulate"
    return f"playout policy {checks.called(search.playout)}"


def best_by_ucb1(parent: Node, children: Sequence[Node], c: float) -> Node:
    """The child with the highest :func:`ucb1`, the first of equals; unvisited children first."""
    shared = c * sqrt(log(parent.visits or 1))
    best, highest = children[0], -inf
    for child in children:
        score = child.mean + shared * child.inv_sqrt_visits
        if score > highest:
            best, highest = child, score
    return best


class OpenNode(Node):
    """A node of a game with luck or rewards, or one that keeps more statistics: it takes any."""

    chances: Mapping[Any, float] | None  # type: ignore[misc]
    paid: Returns | None  # type: ignore[misc]


def whose_returns(search: MCTS) -> str:
    """The returns of its playouts, in words for errors."""
    if search.playout is p.random_playout and "simulate" not in own_phases(search):
        return "The game's returns"
    return f"The returns that the {who_plays_out(search)} gave"
