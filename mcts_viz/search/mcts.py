"""Monte Carlo Tree Search, as the pseudocode has it: select, expand, simulate, backpropagate.

Source: Browne et al. (2012), "A survey of Monte Carlo tree search methods", algorithms 1 and 2.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf, sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from ..errors import SearchError, printable, shown
from ..games import Game, Playout, Returns
from .checks import MOST, is_number, is_whole, require_function
from .collector import rare_collections
from .hooks import PHASES, Backpropagation, Expansion, Record, Selection, Simulation
from .interrupts import StopRequest
from .node import INVERSE_ROOTS, TABULATED, Node
from .policies import (
    TAKES,
    ChoiceRule,
    CreditRule,
    ExpansionRule,
    FinalMoveRule,
    PlayoutPolicy,
    Policies,
    Preparation,
    SelectionRule,
    best_child_by_ucb1,
    expand_one,
    first_best,
    half_for_a_draw,
    playout_of,
    random_playout,
    robust_child,
    scores,
    ucb1,
)
from .positions import blaming, check_position, check_returns, check_rules
from .progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..trace import Trace

__all__ = ["MCTS", "SearchResult", "checked_c", "checked_seed"]

LARGEST: Final = 10**1000
"""Of seeds: Python refuses to write numbers with many more digits, and a seed is to be saved."""


class MCTS:
    """A search and the tree it grows.

    ``c`` is UCB1's exploration constant, at least 0; √2 suits rewards in [0, 1]. The same
    ``seed`` gives the same tree on every machine; without one, a seed is drawn and kept in
    ``seed``. The policies are plain functions, see :mod:`mcts_viz.search.policies`; ``prepare``
    is called with the search when a tree has been started, to put nodes into it beforehand.
    """

    solved = False
    """Whether the root is proven, so that a run ends; see :class:`mcts_viz.search.MCTSSolver`."""

    def __init__(
        self,
        game: Game[Any, Any],
        c: float = sqrt(2),
        seed: int | None = None,
        *,
        selection: SelectionRule = ucb1,
        choice: ChoiceRule = first_best,
        expansion: ExpansionRule = expand_one,
        playout: PlayoutPolicy = random_playout,
        credit: CreditRule = half_for_a_draw,
        final_move: FinalMoveRule = robust_child,
        prepare: Preparation | None = None,
    ) -> None:
        check_rules(game)
        self.game = game
        self.c = c
        self.seed = drawn_seed(seed)
        self.selection = selection
        self.choice = choice
        self.expansion = expansion
        self.playout = playout
        self.credit = credit
        self.final_move = final_move
        self.prepare = prepare
        self._running = self._shortened = False
        self.iterations = 0
        self._sound: dict[str, object] = {"selection": ucb1, **vars(Policies())}
        self._take_up()
        self._listeners: dict[str, list[Callable[[Any], object]]] = {phase: [] for phase in PHASES}
        self._on_select, self._on_expand, self._on_simulate, self._on_backpropagate = (
            self._listeners.values()
        )
        self.start()

    @property
    def policies(self) -> Policies:
        """What the search was given, beside its selection rule."""
        return Policies(**{name: getattr(self, name) for name in TAKES if name != "selection"})

    def _take_up(self) -> None:
        """Check what the search was given, or has been given since, and take what is fastest."""
        self.c = checked_c(self.c)
        for name in TAKES:
            policy = getattr(self, name)
            known = policy is self._sound.get(name) or (name == "prepare" and policy is None)
            if not known:  # to look at one takes as long as an iteration
                require_function(name, policy, TAKES[name])
                self._sound[name] = policy
        if self.selection is ucb1 and self.choice is first_best:
            self._best_child = best_child_by_ucb1  # type: ignore[method-assign]
            self._shortened = True
        elif self._shortened:
            del self._best_child
            self._shortened = False
        self._playout = playout_of(self.game, self.playout)

    def __repr__(self) -> str:
        c = f"{self.c:.3g}" if is_number(self.c) else shown(self.c)
        return (
            f"<{type(self).__name__} of {self.game.name}: c = {c}, seed {shown(self.seed, 20)}, "
            f"{max(0, self.iterations)} iterations, {len(self.nodes)} nodes>"
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_running": False}  # of a copy that a hook makes

    # The tree --------------------------------------------------------------------------------

    def start(self, state: Any = None) -> Node:
        """Forget the tree and put a root at ``state`` (the game's start if none is given)."""
        self._require_rest()
        with blaming(self.game):
            state = self.game.initial_state() if state is None else state
            check_position(self.game, state)
            if self.game.is_terminal(state):
                raise SearchError(
                    f"The game is over in the position {self.game.text(state)!r}, so there is no "
                    "move to search for: start from a position that is still in play."
                )
            self.seed = drawn_seed(self.seed)
            self.random = random.Random(self.seed)
            self._rewards: dict[Returns, tuple[float, ...]] = {}
            before = (self.game.to_move(state) - 1) % len(self.game.players)
            self.root = Node(0, None, None, state, before, birth=0)
            self.nodes = [self.root]
            self.iterations = -1  # so that what is prepared was there before the first iteration
            try:
                if self.prepare:
                    self.prepare(self)
            finally:
                self.iterations = 0
            return self.root

    def advance(self, action: Any) -> Node:
        """Make a move: its node becomes the root, and the tree below it is kept.

        Iterations count from 1 again. A move that has no node yet starts a new tree.
        """
        self._require_rest()
        child = next((child for child in self.root.children if child.action == action), None)
        if child is None or self.game.is_terminal(child.state):
            return self.start(self.game.play(self.root.state, action))
        kept = {child.id}
        for node in self.nodes:
            if node.parent and node.parent.id in kept:
                kept.add(node.id)
        self.nodes = [node for node in self.nodes if node.id in kept]
        child.parent, child.action = None, None
        self.root = child
        self._rewards = {}
        self.count_anew()
        return child

    def count_anew(self) -> None:
        """Count iterations from 1 again; all nodes of the present tree were there before them."""
        for number, node in enumerate(self.nodes):
            node.id, node.birth = number, 0
        self.iterations = 0

    def add_child(self, parent: Node, action: Any) -> Node:
        """Put the position after ``action`` into the tree, below ``parent``."""
        state = self.game.play(parent.state, action)
        birth = self.iterations + 1
        child = Node(len(self.nodes), parent, action, state, parent.to_move, birth)
        self.nodes.append(child)
        parent.children.append(child)  # type: ignore[attr-defined]  # a list once expanded
        if self._on_expand:
            _tell(self._on_expand, Expansion(birth, child.id, parent.id, action))
        return child

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
        while node.children and not node.untried:
            node = self._best_child(node, self.selection, self.c)
            path.append(node)
        if self._on_select:
            _tell(self._on_select, Selection(self.iterations + 1, _ids(path)))
        return path

    def expand(self, path: list[Node]) -> Node:
        """Add to the tree below the end of ``path``, which then leads to the node to simulate."""
        leaf = path[-1]
        self.open(leaf)
        node = self.expansion(self, leaf)
        if node is not leaf:
            path += _line_to(node, leaf)
        return node

    def simulate(self, node: Node) -> Playout:
        """Play on from ``node`` by the playout policy; nothing of it enters the tree."""
        playout = self._playout(node.state, self.random)
        if self._on_simulate:
            actions, returns = playout
            record = Simulation(self.iterations + 1, node.id, tuple(actions), returns)
            _tell(self._on_simulate, record)
        return playout

    def backpropagate(self, path: list[Node], playout: Playout) -> None:
        """Give each node of ``path`` one visit, and the reward of the player who moved there."""
        rewards = self._rewards.get(playout.returns) or self.rewards(playout.returns)
        for node in path:
            node.visits = visits = node.visits + 1
            node.wins += rewards[node.mover]
            node.mean = node.wins / visits
            node.inverse_root = INVERSE_ROOTS[visits] if visits < TABULATED else 1 / sqrt(visits)
        self.iterations += 1
        if self._on_backpropagate:
            record = Backpropagation(self.iterations, _ids(path), rewards)
            _tell(self._on_backpropagate, record)

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

    def _best_child(self, parent: Node, rule: SelectionRule, c: float) -> Node:
        return self._chosen(parent, parent.children, scores(rule, parent, c))

    def _chosen(self, parent: Node, children: Sequence[Node], scores: Sequence[float]) -> Node:
        return _checked_child("choice", self.choice(children, scores, self.random), parent)

    def rewards(self, returns: Returns) -> tuple[float, ...]:
        """By player: what the credit rule adds to the wins of the nodes they moved into."""
        check_returns(self.game, returns)
        root_player = self.game.to_move(self.root.state)
        players = range(len(self.game.players))
        rewards = tuple(self.credit(returns, player, root_player) for player in players)
        if not all(is_number(reward) and -inf < reward < inf for reward in rewards):
            raise SearchError(
                f"The credit rule makes the rewards {shown(rewards)} of the returns "
                f"{shown(returns)}, but a reward is a number: return one for each player."
            )
        self._rewards[returns] = rewards = tuple(map(float, rewards))
        return rewards

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
        self._require_rest()
        self._take_up()
        begun = perf_counter()
        deadline = seconds and begun + seconds
        last = inf if iterations is None else self.iterations + int(iterations)
        first = self.iterations
        bar = Progress(iterations, progress)
        stop = StopRequest(type(self).iteration.__code__, type(self).backpropagate.__code__)
        with stop, self.hooked(hooks), bar, rare_collections(), blaming(self.game):
            self._running = True
            try:
                while self.iterations < last and not (stop.requested or self.solved):
                    self.iteration()
                    if deadline and perf_counter() >= deadline:
                        break
                    if not self.iterations & 15:
                        bar.show(self.iterations - first)
            finally:
                self._running = False
                self._forget_unfinished()
        return SearchResult(
            self.game,
            self.root,
            iterations=self.iterations - first,
            seconds=perf_counter() - begun,
            interrupted=stop.requested,
            final_move=self.final_rule,
        )

    @property
    def final_rule(self) -> FinalMoveRule:
        """By what the search's results recommend a move: the final-move rule it was given."""
        return self.final_move

    def record(self, state: Any = None, **budget: Any) -> Trace:
        """Search from ``state`` as :meth:`search` does, and keep the trace of all that happens.

        A budget in seconds is the search's; to put the trace together takes milliseconds
        more of a short one, and about a hundredth of a long one.
        """
        from ..trace import record  # the one call from this room to the next

        return record(self, state, **budget)

    def _require_rest(self) -> None:
        """Raise ``SearchError`` while the search is at work: what it calls may not restart it."""
        if self._running or self.iterations < 0:
            raise SearchError(
                "The search is running, so it cannot be run, started or advanced now: wait until "
                "it has ended; in a hook or a policy, use another search, such as a new MCTS."
            )

    def _forget_unfinished(self) -> None:
        """Take out what an error or an interrupt left of an iteration that did not end."""
        while self.nodes[-1].birth > self.iterations:
            node = self.nodes.pop()
            parent = node.parent
            assert parent is not None  # a root is born in iteration 0
            parent.children = [child for child in parent.children if child is not node]
            if parent.untried is not None and node.action not in parent.untried:
                parent.untried.append(node.action)

    @contextmanager
    def hooked(self, hooks: Iterable[object]) -> Iterator[None]:
        """Attach hooks for the length of a ``with`` block."""
        try:
            hooks = iter(hooks)
        except TypeError:
            raise SearchError(
                f"hooks is {shown(hooks)}, but hooks come in a list: write hooks=[...]."
            ) from None
        added = [
            (self._listeners[phase], listener)
            for hook in hooks
            for phase, listener in _listeners_of(hook).items()
        ]
        for listeners, listener in added:
            listeners.append(listener)
        try:
            yield
        finally:
            for listeners, listener in added:
                listeners.remove(listener)


@dataclass(frozen=True, repr=False)
class SearchResult:
    """What a search found; it shows itself as a table of the root's moves."""

    game: Game[Any, Any]
    root: Node
    iterations: int
    """Iterations of this run."""
    seconds: float
    interrupted: bool
    """Whether the user stopped it before its budget was used."""
    final_move: FinalMoveRule = field(default=robust_child, repr=False)

    @property
    def best_child(self) -> Node:
        """The root's child that the final-move rule takes; raises ``SearchError`` if none is."""
        visited = [child for child in self.root.children if child.visits]
        if not visited:
            raise SearchError(
                "The search ended before its first iteration, so it has no move to recommend: "
                "give it more iterations or more seconds."
            )
        return _checked_child("final-move", self.final_move(visited), self.root)

    @property
    def best_action(self) -> Any:
        """The recommended move."""
        return self.best_child.action

    def __repr__(self) -> str:
        with blaming(self.game, "The result cannot be shown."):
            return self._as_text()

    def _as_text(self) -> str:
        label, root = self.game.action_label, self.root
        rows = sorted(root.children, key=lambda child: (-child.visits, -child.mean))
        lines = [f"{'move':>12} {'wins/visits':>16} {'mean':>6}"]
        for child in rows:
            share = f"{child.wins:g}/{child.visits}"
            move = printable(label(root.state, child.action))
            lines.append(f"{move:>12} {share:>16} {child.mean:6.3f}")
        stopped = ", stopped by the user" if self.interrupted else ""
        return "\n".join([*lines, f"{self.iterations} iterations{stopped}"])


def _checked_child(rule: str, child: Node, parent: Node) -> Node:
    """What a rule has answered, if it is a child of ``parent``."""
    if getattr(child, "parent", None) is not parent:
        raise SearchError(
            f"The {rule} rule answered {shown(child)}, but it is to answer one of the "
            "children that it is given."
        )
    return child


def _line_to(node: Node, leaf: Node) -> list[Node]:
    """The nodes from a child of ``leaf`` down to ``node``."""
    line, above = [node], getattr(node, "parent", None)
    while above is not leaf:
        if above is None:
            raise SearchError(
                f"The expansion rule answered {shown(node)}, but a playout begins in the leaf "
                "or in a node below it, such as one of its children: let it return one of these "
                "nodes."
            )
        line.insert(0, above)
        above = above.parent
    return line


def _ids(path: list[Node]) -> tuple[int, ...]:
    return tuple([node.id for node in path])


def _tell(listeners: list[Callable[[Any], object]], record: Record) -> None:
    for listener in listeners:
        listener(record)


def _listeners_of(hook: object) -> dict[str, Callable[[Any], object]]:
    methods = {phase: getattr(hook, f"on_{phase}", None) for phase in PHASES}
    found = {phase: method for phase, method in methods.items() if callable(method)}
    named = {name.removeprefix("on_") for name in dir(hook) if name.startswith("on_")}
    unknown = sorted(named - set(PHASES))
    if unknown or not found:
        wrong = f"the method on_{unknown[0]}" if unknown else f"no method of a hook ({shown(hook)})"
        raise SearchError(
            f"A hook has {wrong}, which no phase calls: "
            f"name its methods {', '.join('on_' + phase for phase in PHASES)}."
        )
    return found


def checked_c(c: float) -> float:
    """The exploration constant as a float; raises ``SearchError`` if it is none."""
    if not is_number(c) or not 0 <= c <= MOST:
        raise SearchError(
            f"c is {shown(c)}, but the exploration constant is a number of at least 0: "
            "0 explores nothing, 1.41 is usual."
        )
    return float(c)


def drawn_seed(seed: int | None) -> int:
    """The seed as an int, drawn if there is none; raises ``SearchError`` for anything else."""
    given = checked_seed(seed)
    return random.SystemRandom().randrange(2**32) if given is None else given


def checked_seed(seed: int | None) -> int | None:
    """The seed as an int, or none; raises ``SearchError`` for anything else."""
    if seed is not None and not (is_whole(seed) and -LARGEST <= seed <= LARGEST):
        raise SearchError(
            f"seed is {shown(seed)}, but a seed is a whole number of at most 1,000 digits, such as "
            "4."
        )
    return None if seed is None else int(seed)


def check_budget(iterations: int | None, seconds: float | None) -> None:
    if iterations is None and seconds is None:
        raise SearchError(
            "The search has no budget: say how long it runs, with iterations=1000 or seconds=1."
        )
    if iterations is not None and not (is_whole(iterations) and 1 <= iterations <= MOST):
        raise SearchError(
            f"iterations is {shown(iterations)}, but a search runs a whole number of iterations, "
            "at least 1."
        )
    if seconds is not None and not (is_number(seconds) and 0 < seconds <= MOST):
        raise SearchError(
            f"seconds is {shown(seconds)}, but a search runs for more than 0 seconds."
        )
