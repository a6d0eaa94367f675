"""What if: a search taken up again from a moment of its film, otherwise, while the reader waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from ..errors import TraceError
from ..film import Film
from ..film.words import counted, plain
from ..trace import Branching, MinimaxTrace, Trace, labels_of
from .thinking import SLICE, YIELD, Job, launch, sentence

__all__ = ["WhatIf", "offer"]

PAUSE = 0.1
"""Seconds between two messages about the progress."""


def offer(film: Film) -> dict[str, Any] | None:
    """What the page may change in the search of a film; ``None`` for a film of minimax."""
    trace = film.trace
    if isinstance(trace, MinimaxTrace):
        return None
    game, state = trace.game, trace.root_state
    labels = [plain(game.action_label(state, action)) for action in game.legal_actions(state)]
    return {"moves": labels, "c": trace.c}


class WhatIf:
    """The branches of one film, one at a time.

    ``tell(status)`` hears how it goes, ``show(film)`` gets the film of a branch as data, or none.
    """

    def __init__(
        self,
        film: Film,
        tell: Callable[[dict[str, Any]], object],
        show: Callable[[dict[str, Any]], object],
    ) -> None:
        self._film, self._tell, self._show = film, tell, show
        self.trace: Trace | None = None
        """The last branch; ``None`` while there is none."""
        self._job: Job | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def busy(self) -> bool:
        """Whether a branch is being searched."""
        return self._job is not None

    def begin(
        self,
        iteration: int,
        moves: Sequence[Any] | None = None,
        c: float | None = None,
        iterations: int | None = None,
    ) -> None:
        """Search a branch, see :meth:`mcts_viz.Trace.branch`, in slices beside the cells."""
        self.close()
        trace = self._film.trace
        if not isinstance(trace, Trace):
            raise TraceError("A walk by minimax leaves nothing to chance: there is no what if.")
        branching = Branching(trace, iteration, moves, c, iterations)
        self._job = job = Job()
        self._tell(_progress(branching))
        launch(self._guarded(job, branching), self._tasks)

    def stop(self) -> None:
        """Make do with what of the branch has been searched by now."""
        if self._job:
            self._job.stop()

    def close(self) -> None:
        """Forget the branch, and what is being searched of one."""
        if self._job:
            self._job.drop()
        self._job, self.trace = None, None
        self._show({})
        self._tell({"said": ""})

    def hear(self, content: dict[str, Any]) -> None:
        """Do what the page asks for; an error here would be seen nowhere but in the player."""
        try:
            if content["act"] == "search_on":
                move = content["move"]
                game, state = self._film.trace.game, self._film.trace.root_state
                moves = None if move is None else [list(game.legal_actions(state))[move]]
                self.begin(content["iteration"], moves, content["c"], content["iterations"])
            elif content["act"] in ("stop", "close"):
                getattr(self, content["act"])()
        except Exception as error:
            self._tell({"alert": sentence(error)})

    async def _guarded(self, job: Job, branching: Branching) -> None:
        await asyncio.sleep(0)
        try:
            await self._work(job, branching)
        except (Exception, KeyboardInterrupt) as error:
            if not job.dropped:
                self._job = None
                self._tell({"alert": sentence(error)})

    async def _work(self, job: Job, branching: Branching) -> None:
        told = perf_counter()
        while not (branching.done or job.stopped or job.dropped):
            if branching.advance(SLICE):
                job.stop()
            if perf_counter() >= told + PAUSE and not job.dropped:
                told = perf_counter()
                self._tell(_progress(branching))
            await asyncio.sleep(YIELD)
        if not job.dropped:
            await self._lay_out(job, branching, branching.trace)

    async def _lay_out(self, job: Job, branching: Branching, branch: Trace) -> None:
        laying = f"laying out the film of {counted(len(branch), 'iteration')}"
        self._tell({"share": 1.0, "words": laying})
        await asyncio.sleep(YIELD)  # the page hears of it before the kernel is silent for long
        if job.dropped:
            return
        question = _question(branch)
        self._show({"title": question, **Film(branch, self._film.asked).payload()})
        self._job, self.trace = None, branch
        self._tell({"said": f"{question} {_size(branch, branching.iterations)}"})


def _progress(branching: Branching) -> dict[str, Any]:
    words = "repeating the search up to there" if branching.repeating else "searching on"
    return {"share": branching.share, "words": f"{100 * branching.share:.0f} %, {words}"}


def _question(branch: Trace) -> str:
    """What was changed, and from which moment on."""
    assert branch.origin is not None
    before, iteration, moves, c = branch.origin
    labels = plain(labels_of(branch, moves))
    told = f"iteration {iteration} had begun with {labels}" if moves else ""
    if c == before.c:
        return f"What if {told}?" if told else f"The same once more from iteration {iteration} on."
    if told:
        return f"What if {told}, and c had been {c:g} from there on?"
    return f"What if c had been {c:g} from iteration {iteration} on?"


def _size(branch: Trace, iterations: int) -> str:
    """How far the branch went, of so many iterations."""
    why = ", for then its root was proven" if branch.proofs.sign[0] else ", for it was stopped"
    early = why if len(branch) < iterations else ""
    assert branch.origin is not None
    return (
        f"Below is the film of {counted(len(branch), 'iteration')} from there on{early}; its first "
        f"stands for iteration {branch.origin.iteration} above."
    )
