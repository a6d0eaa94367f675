"""The trace of a search: from a few small columns, every moment of it.

Of each node the trace knows the parent, the move and the iteration that added it; of each iteration
the node that was played out, the playout's moves and the result. All else follows: a node has been
visited by the iterations whose paths come through it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise, zip_longest
from math import inf
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import Elsewhere, TraceError, door, no_items, require
from ..games import Game, Returns
from ..games.boards import among, listed
from ..search import MCTS, PHASES, score_terms
from ..search.checks import require_whole
from ..search.policies import SelectionRule, can_score

Ints: TypeAlias = NDArray[np.integer[Any]]
Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class RecordedTree:
    """Numbered nodes: the root is 0, and parents come before their children."""

    game: Game[Any, Any] = field(init=False)
    root_state: Any
    actions: tuple[Any, ...]
    """Every action that occurs; ``action`` holds places in this table."""
    parent: Ints
    """By node: its parent, -1 for the root."""
    action: Ints
    """By node: the move that led to it; the root's means nothing."""

    def check_node(self, node: int, count: int | None = None) -> None:
        """Raise ``TraceError`` unless ``node`` is one of the first ``count``, by default of all."""
        last = (len(self.parent) if count is None else count) - 1
        require_whole("node", node, 0, last, TraceError)

    def path(self, node: int) -> tuple[int, ...]:
        """The nodes from the root down to ``node``; raises ``TraceError`` if there is none."""
        self.check_node(node)
        path = [node]
        while (node := int(self.parent[node])) >= 0:
            path.append(node)
        return tuple(reversed(path))

    def state(self, node: int) -> Any:
        """The position at ``node``; raises ``TraceError`` if there is none."""
        self.check_node(node)
        known = self._states
        if node not in known:
            for before, after in pairwise(self.path(node)):
                if after not in known:
                    known[after] = self.game.play(known[before], self.actions[self.action[after]])
        return known[node]

    @cached_property
    def _states(self) -> dict[int, Any]:
        return {0: self.root_state}

    def action_of(self, node: int) -> Any:
        """The move that led to ``node``; ``None`` for the root."""
        self.check_node(node)
        return self.actions[self.action[node]] if node else None

    def label(self, node: int) -> str:
        """The move that led to ``node``, as the game's reader calls it; "" for the root."""
        action = self.action_of(node)
        return self.game.action_label(self.state(int(self.parent[node])), action) if node else ""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """Return the player, a picture and a text."""
        from ..widgets import display_bundle

        return display_bundle(self)


class Outcome(NamedTuple):
    """A result that occurred, and what it was worth: both hold one number a player.

    ``returns`` are in [-1, 1]; ``rewards[p]`` was added to the nodes that player p moved into.
    """

    returns: Returns
    rewards: tuple[float, ...]


class BranchPoint(NamedTuple):
    """The moment where a fork leaves its search."""

    iteration: int
    """It would have been this iteration, and is iteration 1 of the fork."""
    moves: tuple[Any, ...]
    """The actions from the root with which it begins."""
    c: float
    """The exploration constant from there on."""


class Proofs(NamedTuple):
    """The proofs of a search by node, and when they were made: two columns."""

    sign: Ints
    """By node: 1 for a win of the player who moved into it, -1 for a loss, 0 without a proof."""
    since: Ints
    """By node: the iteration that proved it; 0 if it was proven before, or never is."""

    @classmethod
    def none(cls, nodes: int) -> Proofs:
        """Nothing is proven of so many nodes."""
        return cls(np.zeros(nodes, np.int8), np.zeros(nodes, np.int32))

    def at(self, node: int, iterations: int) -> int:
        """The sign of a node after that many iterations: 0 until it is proven."""
        return int(self.sign[node]) if self.since[node] <= iterations else 0


@dataclass(frozen=True, eq=False)
class Playouts:
    """The actions of all playouts end to end, as numbers in the trace's table of actions."""

    actions: Ints
    lengths: Ints

    @cached_property
    def _ends(self) -> Ints:
        return np.concatenate([[0], np.cumsum(self.lengths, dtype=np.int64)])

    def __getitem__(self, iteration: int) -> Ints:
        """The moves of the playout of ``iteration``, which counts from 1."""
        return self.actions[self._ends[iteration - 1] : self._ends[iteration]]


class Rows(NamedTuple):
    """The numbers that nodes of a watched search had, whenever they changed, rising by time.

    A row of a node comes with a row of its parent at the same time.
    """

    time: Ints
    """The iteration after which the node had these numbers."""
    node: Ints
    visits: Floats
    wins: Floats
    priors: Floats
    """By node: its prior, 1 where the search has none."""

    def at(self, iterations: int, before: Floats | Ints, column: str) -> Floats:
        """By node: what ``column`` says after that many iterations, or what was there before."""
        count = np.searchsorted(self.time, iterations, side="right")
        found = before.astype(np.float64)
        found[self.node[:count]] = getattr(self, column)[:count]  # the last of several stays
        return found

    def history(self, node: int, last: int, before: tuple[float, float]) -> tuple[Floats, Floats]:
        """Visits and wins of a node after each of the iterations 1 to ``last``."""
        mine = np.flatnonzero(self.node == node)
        row = np.searchsorted(self.time[mine], np.arange(1, last + 1), side="right")
        visits, wins = (
            np.append(start, column[mine])[row]
            for start, column in zip(before, (self.visits, self.wins), strict=True)
        )
        return visits, wins


class Finding(NamedTuple):
    """Something that a watched search does, in a sentence, and where that is proven."""

    name: str
    text: str
    iteration: int
    node: int
    fault: bool = True
    """False for what is only worth knowing, or only suspected."""
    mark: str = ""
    """The mark on the node's card."""


@dataclass(slots=True, eq=False)
class Stats:
    """A node's statistics at one moment, as a selection rule reads them."""

    _trace: Trace
    _node: int
    visits: int = 0
    wins: float = 0.0

    @property
    def n_legal_moves(self) -> int:
        """Legal moves of the position."""
        return self._trace.n_legal_moves(self._node)

    @property
    def mean(self) -> float:
        """``wins / visits``; infinite before the first visit, as of a node in a search."""
        return self.wins / self.visits if self.visits else inf

    @property
    def action(self) -> Any:
        """The move that led here; ``None`` for the root."""
        return self._trace.action_of(self._node)

    @property
    def state(self) -> Any:
        """The position."""
        return self._trace.state(self._node)


@door
@dataclass(frozen=True, eq=False, repr=False)
class Trace(RecordedTree):
    """A recorded search. Make one with ``search.record(iterations=...)``.

    Nodes are numbered in the order in which they were added; the root is 0. Iterations count from
    1.

    >>> from mcts_viz import MCTS, TicTacToe
    >>> trace = MCTS(TicTacToe(), seed=4).record(iterations=200)
    >>> trace.at(120, "select").path
    (0, 5, 25)
    >>> trace.fork(120, c=0.5)
    <Trace of Tic-tac-toe: 81 iterations, 201 nodes, c = 0.50, seed 4>
    """

    first_spec: MCTS
    """The search without its tree; of a fork, as it was before its first branch point."""
    created_at: Ints
    """By node: the iteration that added it; 0 if it was there before the first."""
    player_just_moved: Ints
    """By node: the player who moved into it, to whom its wins belong."""
    visits_before: Ints
    """By node: the visits it brought along, if the search went on with a tree; else 0."""
    wins_before: Floats
    """By node: the wins it brought along; else 0."""
    leaf: Ints
    """By iteration: the last node of its path, where its playout began."""
    playouts: Playouts
    outcome: Ints
    """By iteration: its result, as a number in ``outcomes``."""
    outcomes: tuple[Outcome, ...]
    proofs: Proofs
    """The proofs of an ``MCTSSolver``; empty for other searches."""
    chosen: tuple[tuple[Any, ...], ...] = ()
    """The walks, as actions, of the first iterations of ``first_spec`` that were chosen by hand."""
    branch_points: tuple[BranchPoint, ...] = ()
    """Of a :meth:`fork`: where it left its search, and of a fork of a fork each in order."""
    rows: Rows | None = None
    """Of a watched search: its nodes' own numbers, which then need not follow from the paths."""
    findings: tuple[Finding, ...] = ()
    """Of a watched search: what is wrong with it, and what is worth knowing."""

    spec: MCTS = field(init=False)
    """The search without its tree; of a fork, as it goes on after its last branch point."""
    c: float = field(init=False)
    seed: int = field(init=False)
    selection: SelectionRule = field(init=False)
    solver: bool = field(init=False)
    """True if the search proved wins and losses, as :class:`mcts_viz.MCTSSolver` does."""

    def __post_init__(self) -> None:
        spec = self.first_spec
        if self.branch_points:
            spec = spec.but(c=self.branch_points[-1].c)
        object.__setattr__(self, "spec", spec)
        for name in ("game", "c", "seed", "selection", "solver"):
            object.__setattr__(self, name, getattr(spec, name))
        for value in (*vars(self).values(), *self.proofs, *vars(self.playouts).values()):
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    __getitem__ = no_items("trace.at(120) is the moment after iteration 120")
    best_action = Elsewhere("search.search(iterations=1000) returns a result that has it")
    play = Elsewhere("Player(trace) plays it")
    show = Elsewhere("Player(trace) shows it")
    to_html = Elsewhere("Film(trace).to_html() is the player as one page")

    @property
    def iterations(self) -> int:
        """Iterations that were recorded."""
        return len(self.leaf)

    def __len__(self) -> int:
        return self.iterations

    @door
    def at(self, iteration: int, phase: str = "backpropagate") -> Snapshot:
        """The moment when ``phase`` of ``iteration`` has just happened.

        Iterations count from 1; ``at(0)`` is the tree before the search. Raises ``TraceError``
        for a moment that is not in the trace.
        """
        return Snapshot(self, iteration, phase)

    # Searched again, and kept -----------------------------------------------------------------

    @door
    def fork(
        self,
        iteration: int,
        *,
        moves: Sequence[Any] | None = None,
        c: float | None = None,
        iterations: int | None = None,
    ) -> Trace:
        """The same search resumed just before ``iteration``, with one thing changed.

        The selection of that iteration is made to begin with ``moves`` from the root (actions, or
        their labels; those that the tree does not have yet are added), and from there on the
        exploration constant is ``c``. So many ``iterations`` are searched, as many as the recorded
        search still did if none are given. Iteration 1 of the fork is this ``iteration``; what was
        in the tree by then is in ``visits_before`` and ``wins_before``. Raises ``TraceError`` for a
        moment or a move that is not there, or if the search cannot be repeated.
        """
        from .fork import forked

        fork = forked(self, iteration, moves, c, iterations)
        fork.finish()
        return fork.trace

    @door
    def search_at(self, iteration: int) -> MCTS:
        """The live search as it stood before ``iteration``, 1 to one more than were recorded.

        The search is repeated up to there, with the same seed, and compared with the trace. Raises
        ``TraceError`` if it cannot be repeated, or turns out to be another one.
        """
        from .fork import repeated

        return repeated(self, iteration)

    @door
    def save(self, path: str | Path) -> None:
        """Write the trace as versioned JSON; a file of that name is replaced as a whole.

        What could not be read again is not written.
        """
        from .storage import save

        save(self, path)

    @staticmethod
    @door
    def load(path: str | Path, search: MCTS | None = None) -> Trace:
        """Read a saved trace.

        A file is data and holds no code: if the game is your own, or a policy is not the default,
        hand in a ``search`` that is given the same, such as ``MCTS(MyGame(), playout=mine)``; c and
        the seed come from the file. Loading checks every move against the rules. Raises
        ``TraceError`` with the first thing that is wrong.
        """
        from .storage import LARGEST, from_json, read_file

        return from_json(read_file(path, LARGEST + 1), search)

    # The tree ----------------------------------------------------------------------------------

    def n_legal_moves(self, node: int) -> int:
        """Legal moves of the position at ``node``."""
        state = self.state(node)
        return 0 if self.game.is_terminal(state) else len(self.game.legal_actions(state))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """By node: its children at the end of the search, in the order in which they were added."""
        parent = self.parent[1:].astype(np.intp)
        nodes = (1 + np.argsort(parent, kind="stable")).tolist()
        ends = np.cumsum(np.bincount(parent, minlength=len(self.parent))).tolist()
        return tuple(tuple(nodes[a:b]) for a, b in pairwise([0, *ends]))

    @cached_property
    def priors(self) -> Floats | None:
        """By node: what the search was promised of its move; ``None`` of a search without."""
        if self.rows:
            return self.rows.priors if (self.rows.priors != 1).any() else None
        ask: Any = getattr(self.selection, "prior", None)
        if not ask:
            return None
        priors = np.zeros(len(self.parent))
        for parent, children in enumerate(self.children):
            promise = ask(self.state(parent)) if children else {}
            priors[list(children)] = [promise[self.action_of(child)] for child in children]
        return priors

    # Statistics --------------------------------------------------------------------------------

    @door
    def visits(self, iterations: int) -> Ints:
        """By node: its visits after that many iterations; raises ``TraceError`` for others."""
        require_whole("iterations", iterations, 0, self.iterations, TraceError)
        if self.rows:
            return self.rows.at(iterations, self.visits_before, "visits").astype(np.int64)
        visits: Ints = self.visits_before + self.passing(self.leaf[:iterations])
        return visits

    def passing(self, leaves: Ints) -> Ints:
        """By node: how many of the paths to these leaves come through it."""
        passing: Ints = np.zeros(len(self.parent), np.int64)
        while len(leaves):
            here = np.bincount(leaves.astype(np.intp, copy=False))  # as places are, of 32 bits too
            passing[: len(here)] += here  # the higher up, the fewer nodes can be meant
            leaves = self.parent[leaves]
            leaves = leaves[leaves >= 0]
        return passing

    @door
    def wins(self, iterations: int) -> Floats:
        """By node: the wins of the player who moved into it, after that many iterations.

        Raises ``TraceError`` for iterations that were not recorded.
        """
        require_whole("iterations", iterations, 0, self.iterations, TraceError)
        if self.rows:
            return self.rows.at(iterations, self.wins_before, "wins")
        rewards = np.array([outcome.rewards for outcome in self.outcomes], np.float64)
        nodes, outcome = self.leaf[:iterations], self.outcome[:iterations]
        wins = self.wins_before.copy()
        while len(nodes):
            wins += np.bincount(
                nodes.astype(np.intp), rewards[outcome, self.player_just_moved[nodes]], len(wins)
            )
            nodes = self.parent[nodes]
            nodes, outcome = nodes[nodes >= 0], outcome[nodes >= 0]
        return wins

    @property
    def first_moves(self) -> tuple[Any, ...]:
        """The moves from the root with which iteration 1 of a fork is made to begin."""
        return self.branch_points[-1].moves if self.branch_points else ()

    @property
    def chosen_iterations(self) -> int:
        """The number of recorded iterations, from the first, whose walk was chosen by hand."""
        return 0 if self.branch_points else len(self.chosen)

    def __repr__(self) -> str:
        size = f"{self.iterations} iterations, {len(self.parent)} nodes"
        return f"<Trace of {self.game.name}: {size}, c = {self.c:.2f}, seed {self.seed}>"


class Snapshot:
    """One moment of a search; nothing in it changes, and nothing of it knows the future.

    The statistics count this iteration only in its last phase, backpropagation; the node it adds
    exists from expansion on. Make one with :meth:`Trace.at`.
    """

    best_action = Elsewhere("search.search(iterations=1000) returns a result that has it")

    @door
    def __init__(self, trace: Trace, iteration: int, phase: str) -> None:
        self.trace = trace
        self.iteration = iteration
        self.phase = phase
        require(among(phase, PHASES), "phase", f"one of {listed(PHASES)}", phase, TraceError)
        iteration = require_whole("iteration", iteration, 0, trace.iterations, TraceError)
        phase = phase if iteration else "backpropagate"
        step = PHASES.index(phase)
        self._counted = iteration if step == 3 else iteration - 1
        born = iteration if step >= 1 else iteration - 1
        self.nodes = int(np.searchsorted(trace.created_at, born, side="right"))
        """The number of nodes that exist, from 0 to ``nodes - 1``."""
        path = trace.path(int(trace.leaf[iteration - 1])) if iteration else ()
        self.path = tuple(node for node in path if node < self.nodes)
        """The selected path, root first; from expansion on it ends with the new node."""
        new = [node for node in self.path if trace.created_at[node] == iteration]
        self.new_node = new[0] if new and iteration else None
        """The node that this iteration adds to its path; ``None`` until then, or without one."""
        self.playout: tuple[Any, ...] | None = None
        """The playout's moves; ``None`` before the simulation."""
        self.returns: Returns | None = None
        """The playout's result, one number a player in [-1, 1]; ``None`` before the simulation."""
        self.rewards: tuple[float, ...] | None = None
        """By player: what the nodes they moved into have been given; ``None`` until then."""
        if iteration and step >= 2:
            outcome = trace.outcomes[trace.outcome[iteration - 1]]
            self.playout = tuple(trace.actions[code] for code in trace.playouts[iteration])
            self.returns, self.rewards = outcome.returns, outcome.rewards if step == 3 else None

    @cached_property
    def visits(self) -> Ints:
        """By node: iterations that came through."""
        return _frozen(self.trace.visits(self._counted)[: self.nodes])

    @cached_property
    def wins(self) -> Floats:
        """By node: the sum of rewards for the player who moved into it."""
        return _frozen(self.trace.wins(self._counted)[: self.nodes])

    @door
    def children(self, node: int) -> tuple[int, ...]:
        """The children that ``node`` has by now, in the order in which they were added."""
        self.trace.check_node(node, self.nodes)
        return tuple(child for child in self.trace.children[node] if child < self.nodes)

    def terms(self, node: int) -> tuple[float, float] | None:
        """Both terms of the node's selection score; ``None`` for the root or without a visit."""
        self.trace.check_node(node, self.nodes)
        rule, child, parent = self.trace.selection, self._stats(node), int(self.trace.parent[node])
        if parent < 0 or not can_score(rule, child):
            return None
        return score_terms(rule, child, self._stats(parent), self.trace.c)

    def score(self, node: int) -> float | None:
        """The node's selection score among its siblings (UCT by default), or ``None``."""
        terms = self.terms(node)
        return None if terms is None else sum(terms)

    def proof(self, node: int) -> int:
        """1 if ``node`` is a proven win of the player who moved there by now, -1 a loss, else 0."""
        self.trace.check_node(node, self.nodes)
        return self.trace.proofs.at(node, self._counted)

    def _stats(self, node: int) -> Stats:
        return Stats(self.trace, node, int(self.visits[node]), float(self.wins[node]))

    def __repr__(self) -> str:
        return f"<iteration {self.iteration}, {self.phase}: {self.nodes} nodes, path {self.path}>"


def nearest_above(parent: NDArray[Any], chosen: NDArray[np.bool_]) -> NDArray[Any]:
    """By node: the nearest node above it, or itself, that is ``chosen``, as the root must be."""
    nearest = np.where(chosen, np.arange(len(parent)), parent)
    while not chosen[nearest].all():
        nearest = nearest[nearest]
    return nearest


def _frozen(values: NDArray[Any]) -> NDArray[Any]:
    """The same array, made read-only."""
    values.flags.writeable = False
    return values


def smallest_ints(values: Ints) -> Ints:
    """``values``, none of which is negative, in the smallest integers that hold them."""
    return values.astype(np.min_scalar_type(int(values.max(initial=0))), copy=False)


def first_difference(one: Trace, other: Trace) -> int | None:
    """The first iteration in which two searches did not do the same; ``None`` if they never part.

    The same is: the same moves down the tree, the same playout, the same rewards. Iteration 1, if
    they began elsewhere; one more than the shorter one has, if all that both have is the same.
    """
    deeds = enumerate(zip_longest(_deeds(one), _deeds(other)))
    return next((max(1, iteration) for iteration, (a, b) in deeds if a != b), None)


def _deeds(trace: Trace) -> Iterator[object]:
    """Where the search starts, and then what each of its iterations does."""
    yield trace.game.name, trace.root_state, int(trace.visits_before[0])
    for iteration, (leaf, outcome) in enumerate(zip(trace.leaf, trace.outcome, strict=True), 1):
        playout = [trace.actions[code] for code in trace.playouts[iteration]]
        path = [trace.action_of(node) for node in trace.path(int(leaf))]
        yield path, playout, trace.outcomes[outcome].rewards
