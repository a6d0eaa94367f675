"""What if: a search resumed from a moment of its film with one thing changed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..errors import TraceError
from ..film import Film
from ..film.words import counted, plain
from ..trace import Forking, MinimaxTrace, Trace
from .worker import SLICE, Steps, Worker, sentence


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

    ``report(status)`` hears how it goes, ``show(film)`` gets a branch's film as data, or none.
    """

    def __init__(
        self,
        film: Film,
        report: Callable[[dict[str, Any]], object],
        show: Callable[[dict[str, Any]], object],
    ) -> None:
        self._film, self._report, self._show = film, report, show
        self._worker = Worker(lambda error: report({"alert": sentence(error)}))
        self.trace: Trace | None = None
        """The last branch; ``None`` while there is none."""

    @property
    def busy(self) -> bool:
        """Whether a branch is being searched."""
        return self._worker.busy

    def hear(self, content: dict[str, Any]) -> None:
        """Do what the page asks for; an error here would be seen nowhere but in the player."""
        try:
            if content["act"] == "search_on":
                self.close()
                self._worker.begin(self._search(**content))
            elif content["act"] == "stop":
                self._worker.stop()
            elif content["act"] == "close":
                self.close()
        except Exception as error:
            self._report({"alert": sentence(error)})

    def close(self) -> None:
        """Forget the branch, and what is being searched of one."""
        with self._worker.lock:
            self._worker.drop()
            self.trace = None
            self._show({})
            self._report({"said": ""})

    def _search(
        self, act: str, iteration: int, move: int | None, c: float | None, iterations: int
    ) -> Steps:
        trace = self._film.trace
        if not isinstance(trace, Trace):
            raise TraceError("Minimax leaves nothing to chance: there is no what if.")
        if move is None and c in (None, trace.c):
            raise TraceError("Nothing is changed yet: choose another move, or another c.")
        actions = list(trace.game.legal_actions(trace.root_state))
        moves = None if move is None else [actions[move]]
        branching = Forking(trace, iteration, moves, c, iterations)
        report = partial(self._report_progress, branching)
        report()
        yield None
        while not (branching.done or self._worker.stopped or branching.advance(SLICE)):
            yield report
        branch = branching.trace
        self._report({"share": 1.0, "words": f"laying out {counted(len(branch), 'iteration')}"})
        yield None  # the page hears of it before the kernel is silent for long
        question = _question(branch)
        self._show(
            {"title": question, "begin": iteration, **Film(branch, self._film.asked).payload()}
        )
        self.trace = branch
        self._report({"said": f"{question} {_size(branch, branching.iterations)}"})

    def _report_progress(self, branching: Forking) -> None:
        words = "repeating the search up to there" if branching.repeating else "searching on"
        share = branching.share
        self._report({"share": share, "words": f"{100 * share:.0f} %, {words}"})


def _question(branch: Trace) -> str:
    """What was changed, and from which moment on."""
    iteration, moves, c = branch.branch_points[-1]
    before = branch.branch_points[-2].c if branch.branch_points[1:] else branch.first_spec.c
    asked = branch.at(1).path[1 : 1 + len(moves)]
    labels = ", ".join(plain(branch.label(node)) for node in asked)
    begun = f"iteration {iteration} had begun with {labels}" if moves else ""
    if c == before:
        return f"What if {begun}?"
    if begun:
        return f"What if {begun}, and c had been {c:g} from there on?"
    return f"What if c had been {c:g} from iteration {iteration} on?"


def _size(branch: Trace, iterations: int) -> str:
    """How far the branch went, of so many iterations."""
    why = ": then its root was proven" if branch.proofs.sign[0] else ": then it was stopped"
    early = why if len(branch) < iterations else ""
    return f"The branch has {counted(len(branch), 'iteration')} from there on{early}."
