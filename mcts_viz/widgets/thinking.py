"""A search in slices, so that between two of them the kernel hears what the reader wants."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from typing import Any

from ..errors import MctsVizError, SearchError, shown
from ..film.words import counted, short
from ..search import MCTS, SearchResult
from ..trace import Recorder, Trace

__all__ = ["SLICE", "YIELD", "Budget", "Job", "Thinking", "launch", "sentence"]

MOST = sys.float_info.max
SLICE = 0.05
"""Seconds for which the kernel does not listen."""
YIELD = 0.001
"""Seconds between two slices; another thread that waits for the lock gets it then."""


class Budget:
    """What a search may use up for one move: ``iterations``, ``seconds``, or what ends first.

    Without either it has 1,000 iterations. Raises ``SearchError`` for a budget of nothing.
    """

    def __init__(self, iterations: int | None, seconds: float | None) -> None:
        if iterations is None and seconds is None:
            iterations = 1000
        for name, value, kinds in (
            ("iterations", iterations, (int,)),
            ("seconds", seconds, (int, float)),
        ):
            right = isinstance(value, kinds) and not isinstance(value, bool)
            if value is not None and not (right and 0 < value <= MOST):
                raise SearchError(
                    f"{name} is {shown(value)}, but a search needs a budget for each move: "
                    "iterations=1000, or seconds=1."
                )
        self.iterations = iterations
        self.seconds = seconds

    def __str__(self) -> str:
        parts = [f"{self.iterations:,} iterations"] if self.iterations else []
        parts += [f"{short(self.seconds)} s"] if self.seconds else []
        return " or ".join(parts)

    def share(self, iterations: int, seconds: float) -> float:
        """How much of it is used up, in [0, 1]."""
        shares = [iterations / self.iterations] if self.iterations else []
        shares += [seconds / self.seconds] if self.seconds else []
        return min(1.0, max(shares))


class Job:
    """Something to be found: a reply or a hint. ``stop`` hurries it, ``drop`` forgets it."""

    def __init__(self) -> None:
        self.stopped = self.dropped = False

    def stop(self) -> None:
        """Make do with what is found by now."""
        self.stopped = True

    def drop(self) -> None:
        """Nobody waits for it any longer."""
        self.dropped = True


class Thinking:
    """A search from ``state``, which begins the tree of ``search`` anew."""

    def __init__(self, search: MCTS, state: Any, budget: Budget) -> None:
        self.search, self.state, self.budget = search, state, budget
        self.seconds = 0.0
        self.stopped = False
        self.result: SearchResult | None = None
        self.trace: Trace | None = None
        self._recorder = Recorder()

    async def run(
        self, job: Job, lock: AbstractContextManager[Any], tell: Callable[[Thinking], object]
    ) -> bool:
        """Run to the end; whether the job still wanted it.

        ``lock`` is held in a slice, ``tell`` is called after each. The first slice always runs,
        so that there is a move even if the search is stopped at once.
        """
        ended = False
        while not ended:
            with lock:
                if job.dropped:
                    return False
                ended = self._slice()
                if job.stopped and not ended:
                    ended = self.stopped = True
                if ended:
                    self.trace = self._recorder.trace(self.search)
            tell(self)
            await asyncio.sleep(YIELD)
        return not job.dropped

    def _slice(self) -> bool:
        """Search on for a moment; whether that was the end."""
        search, budget = self.search, self.budget
        if self.result is None:
            search.start(self.state)
        left = None if budget.iterations is None else budget.iterations - search.iterations
        time = SLICE if budget.seconds is None else min(SLICE, budget.seconds - self.seconds)
        hooks = [self._recorder]
        self.result = search.run(iterations=left, seconds=time, hooks=hooks, progress=False)
        self.seconds += self.result.seconds
        self.stopped = self.result.interrupted
        # A search may also end by itself, because its root is proven.
        return self.result.seconds < time or self._used_up() >= 1

    def _used_up(self) -> float:
        return self.budget.share(self.search.iterations, self.seconds)

    def progress(self) -> dict[str, Any]:
        """How far it is: a share of the budget, in [0, 1], and the same in words."""
        done = f"{self.search.iterations:,} iterations, {self.seconds:.1f} s"
        return {"share": self._used_up(), "words": f"{done}; budget {self.budget}"}

    @property
    def action(self) -> Any:
        """The move that the search recommends."""
        assert self.result is not None
        return self.result.best_action

    def finding(self) -> str:
        """What the search found, in words."""
        assert self.result is not None
        best, visits = self.result.best_child, self.search.root.visits
        early = f"stopped after {counted(self.search.iterations, 'iteration')}, "
        return f"{early if self.stopped else ''}{best.visits:,} of {visits:,} visits"


def launch(work: Coroutine[Any, Any, None], tasks: set[asyncio.Task[None]]) -> None:
    """Work in the running event loop; to the end, where there is none. ``tasks`` keeps it alive."""
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
    else:
        task = loop.create_task(work)
        tasks.add(task)  # nobody else holds it
        task.add_done_callback(tasks.discard)


def sentence(error: BaseException) -> str:
    """What a widget says of an error."""
    return str(error) if isinstance(error, MctsVizError) else f"{type(error).__name__}: {error}"
