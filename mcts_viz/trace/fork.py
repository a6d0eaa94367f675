"""A recorded search resumed: repeated up to a moment, and from there continued with a change.

Repeating goes from branch point to branch point. At each one the search runs to the iteration
before it, its tree stays, and iterations count from 1 again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from ..errors import TraceError
from ..search import MCTS, Backpropagation, Node
from ..search.checks import actions_along, require_number, require_whole
from ..search.running import begun_at
from .columns import BranchPoint
from .recorder import Recorder
from .trace import Trace


class Rerun:
    """A trace's search that is run again: ``finish`` it, then take ``search`` or ``trace``.

    It goes through the branch ``points``, and some ``iterations`` from the last one. What the
    trace has recorded it must repeat.
    """

    def __init__(self, origin: Trace, points: tuple[BranchPoint, ...], iterations: int) -> None:
        if origin.watched:
            raise TraceError("A watched search cannot be repeated: fork a search of your own.")
        if origin.visits_before.any() and not origin.branch_points:
            raise TraceError("This search went on with another tree: fork one that began empty.")
        self.search = origin.first_spec.but()
        self.iterations = iterations
        self.stopped = False
        self.share = 0.0
        """The part of the work that is done."""
        self.repeating = True
        """True as long as the last branch point is still to come."""
        self._origin = origin
        self._points = points
        self._recorder = Recorder()

    def finish(self) -> bool:
        """Search to the end; False if the user has stopped it."""
        for _ in self.stages():
            pass
        return not self.stopped

    def stages(self, seconds: float | None = None) -> Iterator[None]:
        """Search, and pause at each branch point, and in between after so many ``seconds``."""
        search, points = self.search, self._points
        bar = None if seconds is None else False  # who takes it in parts shows a bar of their own
        lengths = [*(point.iteration - 1 for point in points), self.iterations]
        for leg, length in enumerate(lengths):
            self.repeating = leg < len(points)
            hooks = self._hooks(leg)
            if not leg:
                self._start(length, hooks)
            elif first := _branch(search, points[leg - 1], length):
                with begun_at(search, first):
                    search.run(iterations=1, hooks=hooks, progress=bar)
            while search.iterations < length and not search.solved:
                left = length - search.iterations
                run = search.run(iterations=left, seconds=seconds, hooks=hooks, progress=bar)
                self.share = (sum(lengths[:leg]) + search.iterations) / sum(lengths)
                yield
                if run.interrupted:
                    self.stopped = True
                    return

    def _hooks(self, leg: int) -> list[object]:
        """The hooks on the way to a branch point, or from the last one on."""
        hooks: list[object] = [] if self.repeating else [self._recorder]
        if leg == len(self._origin.branch_points):
            hooks.append(SimpleNamespace(on_backpropagate=self._check))
        return hooks

    def _start(self, length: int, hooks: list[object]) -> None:
        """Start as the recorded search did: its first walks may have been chosen by hand."""
        self.search.start(self._origin.root_state)
        for walk in self._origin.chosen[:length]:
            self.search.iteration_along(walk, hooks)

    def _check(self, record: Backpropagation) -> None:
        """Raise ``TraceError`` as soon as the search does not repeat what was recorded."""
        trace, number = self._origin, record.iteration - 1
        rewards = trace.outcomes[trace.outcome[number]].rewards
        if (record.path[-1], record.rewards) != (trace.leaf[number], rewards):
            raise TraceError(
                f"Iteration {record.iteration} differs from the trace: every policy must be the "
                "one that was recorded, and take its chance from the random that it is given."
            )

    @property
    def trace(self) -> Trace:
        """The trace since the last branch point; ``TraceError`` before an iteration."""
        if self.repeating or not self.search.iterations:
            why = "its root is proven" if self.search.solved else "it was stopped"
            raise TraceError(f"The fork has no iteration, for {why}: take an earlier moment.")
        recorded = self._recorder.trace(self.search)
        origin = self._origin
        return replace(
            recorded, first_spec=origin.first_spec, chosen=origin.chosen, branch_points=self._points
        )


def forked(
    trace: Trace,
    iteration: int,
    moves: Sequence[Any] | None = None,
    c: float | None = None,
    iterations: int | None = None,
) -> Rerun:
    """The fork of :meth:`Trace.fork`, before it is searched."""
    iteration = require_whole("iteration", iteration, 1, trace.iterations + 1, TraceError)
    if iterations is None:
        iterations = max(1, trace.iterations + 1 - iteration)
    iterations = require_whole("iterations", iterations, 1, error=TraceError)
    actions = (
        () if moves is None else actions_along(trace.game, trace.root_state, moves, TraceError)
    )
    point = BranchPoint(iteration, actions, trace.c if c is None else require_number("c", c))
    return Rerun(trace, (*trace.branch_points, point), iterations)


def repeated(trace: Trace, iteration: int) -> MCTS:
    """The live search of :meth:`Trace.search_at`."""
    iteration = require_whole("iteration", iteration, 1, trace.iterations + 1, TraceError)
    rerun = Rerun(trace, trace.branch_points, iteration - 1)
    if not rerun.finish():
        raise KeyboardInterrupt
    return rerun.search


def _branch(search: MCTS, point: BranchPoint, iterations: int) -> list[Node]:
    """Change what changes here, and count again; the path with which iteration 1 begins, if any."""
    search.count_anew()
    search.c = point.c
    if not (iterations and point.moves) or search.solved:
        return []
    return search.path_along(point.moves)
