"""The player: a film in JupyterLab, moved by slider, buttons and keys; and two films side by side.

What if: its search resumed from a moment of the film with one thing changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import traitlets

from ..errors import TraceError, among, counted, require
from ..film import Film
from ..film.drawing import svg
from ..film.film import Source, trace_of
from ..film.lanes import HALF_WIDE
from ..film.pictures import beside, output_forms
from ..film.words import plain
from ..search.policies import GIVEN, describe
from ..trace import MinimaxTrace, Trace, first_difference, forked
from ..trace.fork import Rerun
from ..trace.minimax_trace import EVALUATE
from ..trace.subsample import iterations_shown
from .base import FilmWidget
from .page import document, tools_of
from .worker import SLICE, Steps, Worker, sentence

STILL = "(A picture of one moment. Run this cell to step through it.)"


class Player(FilmWidget):
    """A trace (of a search, or of minimax) or a film, to be stepped through in JupyterLab.

    ``iteration`` (from 1) and ``phase`` say where it is; both can be set, observed, and linked
    to other widgets. Without an ``iteration`` the film of a search opens a third into it, where
    there is a tree to see. (In a film of minimax the step decides the phase.) Of more than 5,000
    iterations some are left out, as in :class:`Film`, but not the one it begins at. ``cards`` (1
    to 300) bounds what the tree shows. ``tools`` are switched on from the beginning: some of
    "truth", "predict" and "whatif"; the others wait behind ⋯. ``view`` is "river" for
    the whole tree, or "walk" for the ladder, a row for each decision of one iteration's walk;
    without it a step to Select shows the ladder up to iteration 60, and else the tree. While the
    reader moves through the film nothing is asked of Python; ``observe`` hears of the moment where
    it rests, and an error in an observer is shown in the player, as ``error`` is. Where widgets
    cannot live, the output is a picture and text.

    >>> from mcts_viz import MCTS, Player, TicTacToe
    >>> player = Player(MCTS(TicTacToe(), seed=4).record(iterations=60), tools=["truth"])
    >>> player.iteration, player.phase
    (21, 'select')
    """

    branching = traitlets.Dict().tag(sync=True)
    """The progress of a branch that the reader asked for."""
    branch_film = traitlets.Dict().tag(sync=True)

    def __init__(
        self,
        source: Source,
        iteration: int | None = None,
        phase: str | None = None,
        cards: int | None = None,
        *,
        tools: Sequence[str] = (),
        view: str | None = None,
    ) -> None:
        require(among(view, ("river", "walk", None)), "view", "'river' or 'walk'", view, TraceError)
        opened = {"tools": tools_of(tools), "view": view}
        self.film = film_of(source, cards, () if iteration is None else (iteration,))
        self._still = (self.film.last, None) if iteration is None and phase is None else None
        facts = {"what_if": offer(self.film), "options": opened}
        self.branch: Trace | None = None
        """The branch that was searched last in this player; ``None`` without one."""
        self._worker = Worker(self._show, lambda error: self._report(alert=sentence(error)))
        super().__init__((self.film,), [facts], (iteration, phase))
        self.on_msg(lambda widget, content, buffers: self._hear(content))

    def _still_forms(self) -> dict[str, str]:
        iteration, phase = self._still or (self.iteration, self.phase)
        picture = self.film.to_svg(iteration, phase, crop=True, note=STILL)
        return output_forms(picture, self.film.to_text(iteration, phase))

    # What if ----------------------------------------------------------------------------------

    def _report(self, **status: Any) -> None:
        told = self.branching.get("told", 0)
        self.branching = {**status, "told": told + 1}

    def _show(self, rerun: Rerun) -> None:
        doing = "repeating the search up to there" if rerun.repeating else "searching on"
        self._report(share=rerun.share, words=f"{100 * rerun.share:.0f} %, {doing}")

    def _hear(self, content: dict[str, Any]) -> None:
        """Do what the page asks for; an error here would be seen nowhere but in the player."""
        try:
            match content:
                case {"act": "stop"}:
                    self._worker.stop()
                case {"act": "close"}:
                    self._forget()
                case {"act": "search_on", **asked}:
                    self._forget()
                    self._worker.begin(self._search(**asked))
        except Exception as error:
            self._report(alert=sentence(error))

    def _forget(self) -> None:
        """Forget the branch, and what is being searched of one."""
        with self._worker.lock:
            self._worker.drop()
            self.branch = None
            self.branch_film = {}
            self._report(said="")

    def _search(self, iteration: int, move: int | None, c: float | None, iterations: int) -> Steps:
        trace = self.film.trace
        if not isinstance(trace, Trace):
            raise TraceError("Minimax leaves nothing to chance: there is no what if.")
        if move is None and c in (None, trace.c):
            raise TraceError("Nothing is changed yet: choose another move, or another c.")
        game, state = trace.game, trace.root_state
        moves = None if move is None else [list(game.legal_actions(state))[move]]
        branching = forked(trace, iteration, moves, c, iterations)
        self._show(branching)
        yield None
        for _ in branching.stages(SLICE):
            yield branching
            if self._worker.stopped:
                break
        branch = branching.trace
        count = counted(len(branch), "iteration")
        self._report(share=1.0, words=f"laying out {count}")
        yield None  # the page hears of it before the kernel is silent for long
        changed = []
        there = f"from iteration {iteration} on"
        if moves:
            label = plain(game.action_label(state, moves[0]))
            changed = [f"iteration {iteration} had begun with {label}"]
            there = "from there on"
        if branch.c != trace.c:
            changed.append(f"c had been {branch.c:g} {there}")
        question = f"What if {', and '.join(changed)}?"
        film = Film(branch, self.film.data.count)
        self.branch_film = {"title": question, "begin": iteration, **film.payload()}
        self.branch = branch
        why = "then its root was proven" if branch.proofs.sign[0] else "then it was stopped"
        early = f": {why}" if len(branch) < branching.iterations else ""
        self._report(said=f"{question} The branch has {count} from there on{early}.")


class Compare(FilmWidget):
    """Two traces or films side by side, under one control bar, with both decisions in one table.

    They may differ in anything: c, seed, policy, position, or one is a walk by minimax. ``differ``
    is the first iteration in which two searches did not do the same (``None`` if they never part,
    or if they cannot be compared); a button leads there. ``iteration`` and ``phase`` say where
    both are, as in a :class:`Player`; the shorter film waits at its end. A search beside minimax
    opens at the end of both: all games, and the few that the search has played.

    >>> from mcts_viz import MCTS, Compare, TicTacToe
    >>> low, high = (MCTS(TicTacToe(), c=c, seed=4).record(iterations=60) for c in (0.2, 2))
    >>> Compare(low, high).note
    'The searches first differ in iteration 14.'
    """

    note = traitlets.Unicode().tag(sync=True)
    differ = traitlets.Int(None, allow_none=True).tag(sync=True)

    def __init__(
        self,
        first: Source,
        second: Source,
        iteration: int | None = None,
        cards: int | None = None,
    ) -> None:
        traces: list[Any] = [trace_of(source) for source in (first, second)]
        differ, note = _difference(*traces)
        if iteration is None and len({type(trace) for trace in traces}) > 1:
            # All games that minimax saw, beside the search's.
            iteration = max(len(trace) for trace in traces)
        also = tuple(number for number in (iteration, differ) if number)
        self.films = film_of(first, cards, also), film_of(second, cards, also)
        self._still = iteration or differ or min(film.last for film in self.films)
        facts = [{"apart": differs} for differs in apart(*traces)]
        super().__init__(self.films, facts, (iteration, None), note=note, differ=differ)

    def to_html(self, iteration: int | None = None, phase: str | None = None) -> str:
        """Both as one HTML file, which opens from a disk, without a kernel or a network.

        It opens at that moment, else where the widget is. Raises ``TraceError`` for a moment
        that is not in the longer film.
        """
        if iteration is None:
            iteration, phase = self.iteration, self.phase
        more = {"note": self.note, "differ": self.differ}
        return document(self.films, self.payloads, (iteration, phase), more)

    def _still_forms(self) -> dict[str, str]:
        pairs = [(film, film.nearest(self._still)) for film in self.films]
        halves = [svg(film.drawing(moment, crop=True, wide=HALF_WIDE)) for film, moment in pairs]
        picture = beside(halves, f"{self.note} Run this cell to step through both.")
        texts = [film.to_text(moment) for film, moment in pairs]
        return output_forms(picture, "\n\n".join([self.note, *texts]))


def film_of(source: Source, cards: int | None, also: tuple[int, ...] = ()) -> Film:
    """The film of a trace, with the iterations that must be there ``also``, or the film given."""
    if isinstance(source, Film):
        known = f"left out for a film, which has up to {source.data.count} cards already"
        require(cards is None, "cards", known, cards, TraceError)
        return source
    trace = trace_of(source)
    if isinstance(trace, Trace) and len(trace):
        return Film(trace, cards, iterations=iterations_shown(trace, also=also))
    return Film(trace, cards)


def display_bundle(trace: Any) -> Any:
    """Return a trace's output: a player, a picture and text; text alone while it is empty."""
    return Player(trace)._repr_mimebundle_() if len(trace) else {"text/plain": repr(trace)}


def offer(film: Film) -> dict[str, Any] | None:
    """The changes that the page may make to a film's search; ``None`` for a film of minimax."""
    trace = film.trace
    if isinstance(trace, MinimaxTrace):
        return None
    game, state = trace.game, trace.root_state
    labels = [plain(game.action_label(state, action)) for action in game.legal_actions(state)]
    return {"moves": labels, "c": trace.c}


# Two side by side --------------------------------------------------------------------------------


def apart(one: Trace | MinimaxTrace, other: Trace | MinimaxTrace) -> tuple[str, str]:
    """Say what tells two searches apart beside c and the seed: the policies and the game.

    Those of a watched search are not known; what was read of it is in its subtitle.
    """
    its, others = _given(one), _given(other)
    games = [plain(trace.game.name) for trace in (one, other)]
    if its and others and games[0] != games[1]:  # two names of games say more than their fields
        its["game"], others["game"] = games
    differ = [name for name in its if name in others and its[name] != others[name]]
    return _listed(its, differ), _listed(others, differ)


def _listed(given: dict[str, str], names: Sequence[str]) -> str:
    return ", ".join(f"{name}: {given[name]}" for name in names)


def _given(trace: Trace | MinimaxTrace) -> dict[str, str]:
    """The settings of a search but c and the seed, by name and in words; empty for minimax."""
    if isinstance(trace, MinimaxTrace) or trace.watched:
        return {}
    names = [name for name in GIVEN if name not in ("c", "seed", "random")]
    given = {name: getattr(trace.spec, name) for name in names if hasattr(trace.spec, name)}
    return {name: _described(value) for name, value in given.items()}


def _described(value: object) -> str:
    with suppress(Exception):  # a student's own policy may have no text
        return plain(describe(value))[:60]
    return plain(getattr(value, "__name__", type(value).__name__))


def _looked_at(trace: Trace | MinimaxTrace) -> str:
    """Say how many games were looked at: each end of a game once, or playouts."""
    if isinstance(trace, MinimaxTrace):
        ends = int(np.count_nonzero(trace.event == EVALUATE))
        name = "Alpha-beta" if np.isfinite([trace.alpha, trace.beta]).any() else "Minimax"
        return f"{name} looks at {counted(ends, 'end')} of games."
    does = "plays" if trace.playouts.lengths.any() else "values"
    noun = "game" if does == "plays" else "position"
    return f"The search {does} {counted(len(trace), noun)}."


def _difference(one: Trace | MinimaxTrace, other: Trace | MinimaxTrace) -> tuple[int | None, str]:
    if not isinstance(one, Trace) or not isinstance(other, Trace):
        return None, f"{_looked_at(one)} {_looked_at(other)}"
    differ = first_difference(one, other)
    if differ is None:
        same = all(np.array_equal(one.wins(n), other.wins(n)) for n in (1, len(one)))
        counts = "" if same else ", but they count in different ways"
        return None, f"Both searches do the same in every iteration{counts}."
    if differ > min(len(one), len(other)):
        return None, "Both searches do the same, as far as the shorter one goes."
    return differ, f"The searches first differ in iteration {differ}."
