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
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import TraceError, counted, short_repr
from ..games import Game, turns
from ..search import MCTS, random_playout
from ..search.checks import require_whole
from ..search.mcts import own_phases, who_plays_out
from ..search.policies import SelectionRule, describe
from ..search.statistics import VISITS, WINS
from .columns import Array, BranchPoint, Checked, Finding, Floats, Ints, Outcome, Playouts, Proofs
from .ledger import MEAN, Ledger
from .snapshot import Snapshot


@dataclass(frozen=True, eq=False, repr=False)
class RecordedTree:
    """Numbered nodes: the root is 0, and parents come before their children."""

    game: Game[Any, Any] = field(init=False)
    root_state: Any
    actions: tuple[Any, ...]
    """Every action that occurs; ``action`` holds places in this table."""
    parent: Ints
    """For each node: its parent, -1 for the root."""
    action: Ints
    """For each node: the move that led to it; the root's means nothing."""

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
        if node not in known and (above := int(self.parent[node])) in known:
            known[node] = self.game.play(known[above], self.actions[self.action[node]])
        elif node not in known:
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

    # Luck --------------------------------------------------------------------------------------

    @cached_property
    def chance(self) -> Array:
        """For each node: true where nature moves."""
        found = np.zeros(len(self.parent), bool)
        if turns.knows_luck(self.game):
            found[:] = [bool(turns.chances(self.game, self.state(n))) for n in range(len(found))]
        return found

    @cached_property
    def probability(self) -> Floats:
        """The probability of the outcome that led to each node; 0 for the move of a player."""
        found = np.zeros(len(self.parent))
        for node in np.flatnonzero(self.chance[self.parent] & (self.parent >= 0)).tolist():
            outcomes = turns.chances(self.game, self.state(int(self.parent[node])))
            found[node] = outcomes[self.action_of(node)]
        return found

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        """Return the player, a picture and a text."""
        from ..player import display_bundle

        return display_bundle(self)


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
    """For each node: the iteration that added it; 0 if it was there before the first."""
    player_just_moved: Ints
    """By node: the player who moved into it, to whom its wins belong; below a chance node that
    is the player who moved there."""
    leaf: Ints
    """For each iteration: the last node of its path, where its playout began."""
    playouts: Playouts
    outcome: Ints
    """For each iteration: its result, as a number in ``outcomes``."""
    outcomes: tuple[Outcome, ...]
    ledger: Ledger
    """Where the numbers come from: visits, wins and all other statistics."""
    proofs: Proofs
    """The proofs of an ``MCTSSolver``; empty for other searches."""
    chosen: tuple[tuple[Any, ...], ...] = ()
    """The walks, as actions, of the first iterations of ``first_spec`` that were chosen by hand."""
    branch_points: tuple[BranchPoint, ...] = ()
    """Of a :meth:`fork`: where it left its search, and of a fork of a fork each in order."""
    watched: bool = False
    """True of a stranger's search that was watched: its tree alone is known, not what it does."""
    own_priors: Floats | None = None
    """Of a watched search: by node its prior, 1 where there is none."""
    findings: tuple[Finding, ...] = ()
    """Of a watched search: what is wrong with it, and what is worth knowing."""
    checked: tuple[Checked, ...] = ()
    """Of a watched search: by family of checks, what was looked at."""

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
        held = [*vars(self).values(), *self.proofs, *vars(self.playouts).values()]
        for value in (*held, *self.ledger.before.values()):
            if isinstance(value, np.ndarray):
                value.flags.writeable = False

    @property
    def plays_at_random(self) -> bool:
        """True if its playouts are random games; else a policy plays them, and may note any
        move.
        """
        return self.spec.playout is random_playout and "simulate" not in own_phases(self.spec)

    def played_out(self, iteration: int) -> list[Any]:
        """The positions of a playout: where it began, and one after each of its moves.

        Raises ``TraceError`` for a move that its policy noted and the game does not know there.
        """
        iteration = require_whole("iteration", iteration, 1, self.iterations, TraceError)
        game, is_random = self.game, self.plays_at_random
        states = [game.playout_from(self.state(int(self.leaf[iteration - 1])))]
        for code in self.playouts[iteration].tolist():
            state, action = states[-1], self.actions[code]
            if not is_random and action not in turns.moves_of(game, state):
                raise TraceError(
                    f"The {who_plays_out(self.spec)} noted the move "
                    f"{short_repr(action)} in iteration {iteration}, which is illegal in "
                    f"{game.text(state)!r}: let it note each move that it plays, in order."
                )
            states.append(game.play(state, action))
        return states

    @property
    def iterations(self) -> int:
        """Iterations that were recorded."""
        return len(self.leaf)

    def __len__(self) -> int:
        return self.iterations

    def at(self, iteration: int, phase: str = "backpropagate") -> Snapshot:
        """The moment when ``phase`` of ``iteration`` has just happened.

        Iterations count from 1; ``at(0)`` is the tree before the search. Raises ``TraceError``
        for a moment that is not in the trace.
        """
        return Snapshot(self, iteration, phase)

    # Searched again, and kept -----------------------------------------------------------------

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

    def search_at(self, iteration: int) -> MCTS:
        """The live search as it was before ``iteration``, 1 to one more than were recorded.

        The search is repeated up to there, with the same seed, and compared with the trace. Raises
        ``TraceError`` if it cannot be repeated, or turns out to be another one.
        """
        from .fork import repeated

        return repeated(self, iteration)

    def save(self, path: str | Path) -> None:
        """Write the trace as versioned JSON; a file of that name is replaced as a whole.

        What could not be read again is not written.
        """
        from .storage import save

        save(self, path)

    @staticmethod
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
        return len(turns.moves_of(self.game, self.state(node)))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each node: its children at the end of the search, in the order of their birth."""
        parent = self.parent[1:].astype(np.intp)
        nodes = (1 + np.argsort(parent, kind="stable")).tolist()
        ends = np.cumsum(np.bincount(parent, minlength=len(self.parent))).tolist()
        return tuple(tuple(nodes[a:b]) for a, b in pairwise([0, *ends]))

    @cached_property
    def priors(self) -> Floats | None:
        """For each node: what the search was promised of its move; ``None`` of a search without."""
        if self.own_priors is not None:
            return self.own_priors if (self.own_priors != 1).any() else None
        ask: Any = getattr(self.selection, "prior", None)
        if not ask:
            return None
        priors = np.zeros(len(self.parent))
        for parent, children in enumerate(self.children):
            promise = ask(self.state(parent)) if children else {}
            for child in children:
                action = self.action_of(child)
                if action not in promise:
                    raise TraceError(
                        f"The priors of {describe(self.selection)} for "
                        f"{self.game.text(self.state(parent))!r} have no number for the move "
                        f"{short_repr(action)}: let prior return one for each legal move."
                    )
                priors[child] = promise[action]
        return priors

    # Statistics --------------------------------------------------------------------------------

    def numbers(self, name: str, iterations: int) -> Array:
        """For each node: the statistic of that name after so many iterations."""
        return self.ledger.at(self, name, iterations)

    def visits(self, iterations: int) -> Ints:
        """The visits of each node after that many iterations; raises ``TraceError`` for others."""
        require_whole("iterations", iterations, 0, self.iterations, TraceError)
        return self.numbers(VISITS.name, iterations)

    def wins(self, iterations: int) -> Floats:
        """For each node: the wins of the player who moved into it, after that many iterations.

        Raises ``TraceError`` for iterations that were not recorded.
        """
        require_whole("iterations", iterations, 0, self.iterations, TraceError)
        return self.numbers(WINS.name, iterations)

    def means(self, iterations: int) -> Floats:
        """Each node's mean reward after that many iterations; infinite before its first visit."""
        if MEAN in self.ledger.names:
            return self.numbers(MEAN, iterations)
        visits, wins = self.visits(iterations), self.wins(iterations)
        means: Floats = np.full(len(visits), np.inf)
        np.divide(wins, visits, out=means, where=visits > 0)
        return means

    @property
    def visits_before(self) -> Array:
        """For each node: the visits it brought along, if the search went on with a tree; else 0."""
        return self.ledger.before[VISITS.name]

    @property
    def wins_before(self) -> Array:
        """For each node: the wins it brought along; else 0."""
        return self.ledger.before[WINS.name]

    def passing(self, leaves: Ints) -> Ints:
        """For each node: how many of the paths to these leaves come through it."""
        passing: Ints = np.zeros(len(self.parent), np.int64)
        while len(leaves):
            here = np.bincount(leaves.astype(np.intp, copy=False))  # as places are, of 32 bits too
            passing[: len(here)] += here  # the higher up, the fewer nodes can be meant
            leaves = self.parent[leaves]
            leaves = leaves[leaves >= 0]
        return passing

    @property
    def first_moves(self) -> tuple[Any, ...]:
        """The moves from the root with which iteration 1 of a fork is made to begin."""
        return self.branch_points[-1].moves if self.branch_points else ()

    @property
    def chosen_iterations(self) -> int:
        """The number of recorded iterations, from the first, whose walk was chosen by hand."""
        return 0 if self.branch_points else len(self.chosen)

    def __repr__(self) -> str:
        size = f"{counted(self.iterations, 'iteration')}, {counted(len(self.parent), 'node')}"
        c = f"{self.c:.2f}" if self.c < 1e6 else f"{self.c:.3g}"
        return f"<Trace of {self.game.name}: {size}, c = {c}, seed {self.seed}>"


def first_difference(one: Trace, other: Trace) -> int | None:
    """The first iteration in which two searches did not do the same; ``None`` if they never part.

    The same is: the same moves down the tree, the same playout, the same rewards. Iteration 1, if
    they began elsewhere; one more than the shorter one has, if all that both have is the same.
    """
    deeds = enumerate(zip_longest(_deeds(one), _deeds(other)))
    return next((max(1, iteration) for iteration, (a, b) in deeds if a != b), None)


def _deeds(trace: Trace) -> Iterator[object]:
    """The start of the search, and then the path, playout and rewards of each iteration."""
    yield trace.game.name, trace.root_state, int(trace.visits_before[0])
    for iteration, (leaf, outcome) in enumerate(zip(trace.leaf, trace.outcome, strict=True), 1):
        playout = [trace.actions[code] for code in trace.playouts[iteration]]
        path = [trace.action_of(node) for node in trace.path(int(leaf))]
        yield path, playout, trace.outcomes[outcome].rewards
