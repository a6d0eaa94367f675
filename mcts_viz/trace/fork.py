"""A recorded search resumed: repeated up to a moment, and from there continued with a change.

Repeating goes from branch point to branch point. At each one the search runs to the iteration
before it, its tree stays, and iterations count from 1 again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..errors import SearchError, TraceError, short_repr
from ..games.boards import listed
from ..search import MCTS, Backpropagation
from ..search.checks import checked_c, require_list, require_whole
from ..search.hooks import observe
from ..search.texts import Missing
from .recorder import Recorder
from .trace import BranchPoint, Trace


class Rerun:
    """A search on its way through its ``branch_points``: ``advance`` it until it is ``done``.

    ``iterations`` follow the last one. ``hooks`` hear of the search between two of them, counted
    from 0.
    """

    def __init__(
        self,
        spec: MCTS,
        root_state: Any,
        branch_points: Sequence[BranchPoint],
        iterations: int,
        hooks: Mapping[int, list[Any]],
    ) -> None:
        for policy in spec.given.values():
            if isinstance(policy, Missing):
                policy()  # which says why it is missing
        self.search, self.branch_points = spec.but(), tuple(branch_points)
        self.iterations, self._hooks, self._leg = iterations, hooks, 0
        self._lengths = [*(point.iteration - 1 for point in self.branch_points), iterations]
        with observe(self.search, hooks.get(0, [])):
            self.search.start(root_state)

    @property
    def done(self) -> bool:
        """True if there is nothing left to search."""
        return self._leg > len(self.branch_points)

    @property
    def repeating(self) -> bool:
        """True if the search has not come to its last branch point yet."""
        return self._leg < len(self.branch_points)

    @property
    def share(self) -> float:
        """The part that is done, in [0, 1]."""
        here = 0 if self.done else self.search.iterations
        return (sum(self._lengths[: self._leg]) + here) / max(1, sum(self._lengths))

    def advance(self, seconds: float | None = None, progress: bool | None = False) -> bool:
        """Search to the next branch point, for at most some ``seconds``; True if interrupted."""
        search, length, interrupted = self.search, self._lengths[self._leg], False
        heard, left = self._hooks.get(self._leg, []), length - search.iterations
        if left and not search.solved:
            run = search.run(iterations=left, seconds=seconds, hooks=heard, progress=progress)
            interrupted = run.interrupted
        if search.iterations == length or search.solved:
            self._leg += 1
            if not self.done:
                self._branch(self.branch_points[self._leg - 1])
        return interrupted

    def _branch(self, point: BranchPoint) -> None:
        """Change what changes here, and begin to count again."""
        search = self.search
        search.count_anew()
        search.c = point.c
        if self._lengths[self._leg] and point.moves and not search.solved:
            with observe(search, self._hooks.get(self._leg, [])):
                _follow(search, point.moves)

    def finish(self, progress: bool | None = None) -> bool:
        """Search to the end; True if interrupted before it."""
        while not self.done:
            if self.advance(progress=progress):
                return True
        return False


class Forking(Rerun):
    """A fork while it is searched: ``advance`` it until it is ``done``, then take ``trace``.

    Its parameters are those of :meth:`Trace.fork`.
    """

    def __init__(
        self,
        trace: Trace,
        iteration: int,
        moves: Sequence[Any] | None = None,
        c: float | None = None,
        iterations: int | None = None,
    ) -> None:
        iteration = _moment(trace, iteration)
        if iterations is None:
            iterations = max(1, trace.iterations + 1 - iteration)
        iterations = require_whole("iterations", iterations, 1, error=TraceError)
        actions = () if moves is None else _actions(trace, moves)
        point = BranchPoint(iteration, actions, trace.c if c is None else checked_c(c))
        self.origin = trace
        self._recorder, before = Recorder(), len(trace.branch_points)
        hooks: dict[int, list[Any]] = {before: [Check(trace)], before + 1: [self._recorder]}
        points = (*trace.branch_points, point)
        super().__init__(repeatable(trace), trace.root_state, points, iterations, hooks)

    @property
    def trace(self) -> Trace:
        """The trace of the fork so far; raises ``TraceError`` before its first iteration."""
        if self.repeating or not self.search.iterations:
            why = "its root is proven" if self.search.solved else "it was stopped"
            raise TraceError(f"The fork has no iteration, for {why}: take an earlier moment.")
        recorded, begun = self._recorder.trace(self.search), self.origin.first_spec
        return replace(recorded, first_spec=begun, branch_points=self.branch_points)


class Check:
    """A hook that raises ``TraceError`` as soon as a search does not repeat a trace."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace

    def on_backpropagate(self, record: Backpropagation) -> None:
        trace, number = self._trace, record.iteration - 1
        rewards = trace.outcomes[trace.outcome[number]].rewards
        if (record.path[-1], record.rewards) != (trace.leaf[number], rewards):
            raise TraceError(
                f"Iteration {record.iteration} differs from the trace: every policy must be the "
                "one that was recorded, and take its chance from the random that it is given."
            )


def repeated(trace: Trace, iteration: int) -> MCTS:
    """The live search of :meth:`Trace.search_at`."""
    before = _moment(trace, iteration) - 1
    hooks = {len(trace.branch_points): [Check(trace)]}
    rerun = Rerun(repeatable(trace), trace.root_state, trace.branch_points, before, hooks)
    if rerun.finish():
        raise KeyboardInterrupt
    return rerun.search


def repeatable(trace: Trace) -> MCTS:
    """The search that was recorded; ``TraceError`` if it cannot be repeated."""
    if trace.rows:
        raise TraceError("A watched search cannot be repeated: fork or link a search of your own.")
    if trace.visits_before.any() and not trace.branch_points:
        raise TraceError(
            "This search went on with another tree: fork or link one that began empty."
        )
    return trace.first_spec


def _follow(search: MCTS, moves: Sequence[Any]) -> None:
    """One iteration whose path begins with these moves from the root."""
    path, new = [search.root], False
    for move in moves:
        leaf = path[-1]
        search.open(leaf)
        child = next((node for node in leaf.children if node.action == move), None)
        if child is None:
            if new or leaf.untried is None or move not in leaf.untried:
                raise TraceError(
                    f"The tree has no node yet before the move {short_repr(move)}: give fewer "
                    "moves, or fork at a later moment."
                )
            new = True
            leaf.untried.remove(move)
            child = search.add_child(leaf, move)
        path.append(child)
    if not new:
        path = search.select(path)
        search.expand(path)
    search.backpropagate(path, search.simulate(path[-1]))


def _moment(trace: Trace, iteration: int) -> int:
    """An iteration before which the search can be resumed, one more than were recorded included."""
    return require_whole("iteration", iteration, 1, trace.iterations + 1, TraceError)


def _actions(trace: Trace, moves: Sequence[Any]) -> tuple[Any, ...]:
    """The moves, one after the other from the root, as actions: each may be given by its label."""
    game, state, actions = trace.game, trace.root_state, []
    for move in require_list("moves", moves, "of moves", TraceError):
        legal = [] if game.is_terminal(state) else list(game.legal_actions(state))
        labels = [game.action_label(state, action) for action in legal]
        if move not in legal and move not in labels:
            raise SearchError(
                f"{short_repr(move)} is no legal move at {game.text(state)!r}: choose one of "
                f"{listed(labels)}."
            )
        actions.append(move if move in legal else legal[labels.index(move)])
        state = game.play(state, actions[-1])
    return tuple(actions)
