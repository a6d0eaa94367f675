"""The player: a film in JupyterLab, moved by slider, buttons and keys.

What if: its search resumed from a moment of the film with one thing changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import traitlets

from ..errors import TraceError, door, require
from ..film import Film
from ..film.pictures import output_forms
from ..film.words import counted, plain
from ..games import Game
from ..games.boards import among
from ..trace import MOST, MinimaxTrace, Trace, forked, open_link
from ..trace.subsample import iterations_shown
from ..watch import Watch
from .base import FilmWidget
from .match import SLICE, Steps, Worker, sentence
from .page import opening, tools_of

STILL = "(A picture of one moment. Run this cell to step through it.)"


class Player(FilmWidget):
    """A trace (of a search, or of minimax) or a film, to be stepped through in JupyterLab.

    ``iteration`` (from 1) and ``phase`` say where it stands; both can be set, observed, and linked
    to other widgets. Without an ``iteration`` the film of a search opens a third into it, where
    there is a tree to see. (In a film of minimax the step decides the phase.) Of more than 5,000
    iterations some are left out, as in :class:`Film`, but not the one it begins at. ``cards`` (1
    to 300) bounds what the tree shows. ``large`` is large type for a projector, as the tool of
    that name; the key L switches it too. ``tools`` are switched on from the beginning: some of
    "truth", "predict", "root", "whatif", "table", "large", "link" and "zoom"; the others wait
    behind ⋯. ``view`` is "walk" for the path of one iteration, or "tree"; without it, the tree if
    all of it can be read. ``task`` is a sentence that stands in the player, next to its buttons.
    While the reader moves through the film nothing is asked of Python; ``observe`` hears of the
    moment where it rests, and an error in an observer is shown in the player, as ``error`` is.
    Where widgets cannot live, the output is a picture and text.

    >>> from mcts_viz import MCTS, Player, TicTacToe
    >>> player = Player(MCTS(TicTacToe(), seed=4).record(iterations=60), tools=["truth"])
    >>> player.iteration, player.phase
    (21, 'select')
    >>> player.iteration, player.phase = 20, "expand"
    >>> player.link
    'mcts-viz:TicTacToe()?seed=4&n=60&sum=736ea3da&at=20.expand'
    """

    facts = traitlets.Dict().tag(sync=True)
    columns = traitlets.Bytes().tag(sync=True)
    branching = traitlets.Dict().tag(sync=True)
    """The progress of a branch that the reader asked for."""
    branch_film = traitlets.Dict().tag(sync=True)

    @door
    def __init__(
        self,
        source: Trace | MinimaxTrace | Film | Watch,
        iteration: int | None = None,
        phase: str | None = None,
        cards: int | None = None,
        large: bool = False,
        *,
        tools: Sequence[str] = (),
        view: str | None = None,
        task: str = "",
    ) -> None:
        require(among(view, ("walk", "tree", None)), "view", "'walk' or 'tree'", view, TraceError)
        require(isinstance(task, str), "task", "a sentence for the reader", task, TraceError)
        opened = {"tools": tools_of(tools, large), "view": view, "task": task}
        self.film = film = film_of(source, cards, () if iteration is None else (iteration,))
        self._still = (film.last, None) if iteration is None and phase is None else None
        begin, phase = opening(film, iteration, phase)
        payload = film.payload(what_if=offer(film), options=opened)
        super().__init__((film,), iteration=begin, phase=phase, **payload)
        self._what_if = WhatIf(self)
        self.on_msg(lambda widget, content, buffers: self._what_if.hear(content))

    @classmethod
    @door
    def from_link(
        cls, link: str, *, game: Game[Any, Any] | None = None, most: int = MOST, **policies: Any
    ) -> Player:
        """The film of a moment link, opened at its moment: what was searched is searched again.

        A game and policies of your own must be handed in again (``game=MyGame()``,
        ``selection=my_rule``). ``most`` bounds the iterations. Nothing in a link is executed;
        raises ``TraceError``, ``GameError`` or ``SearchError`` with the first thing that is wrong.
        """
        trace, iteration, phase, cards = open_link(link, game, most, **policies)
        return cls(trace, iteration, phase, cards)

    @property
    def link(self) -> str:
        """The moment on the screen as a short text for :meth:`from_link`; see :meth:`Film.link`."""
        return self.film.link(self.iteration, self.phase)

    @property
    def branch(self) -> Trace | None:
        """The branch that was searched last in this player; ``None`` without one."""
        return self._what_if.trace

    def _still_forms(self) -> dict[str, str]:
        return still_forms(self.film, *(self._still or (self.iteration, self.phase)))


def film_of(
    source: Trace | MinimaxTrace | Film | Watch, cards: int | None, also: tuple[int, ...] = ()
) -> Film:
    """The film of a trace, with the iterations that must be there ``also``, or the film given."""
    if isinstance(source, Film):
        known = f"left out for a film, which has its {len(source.data.cards)} cards already"
        require(cards is None, "cards", known, cards, TraceError)
        return source
    trace = source.trace if isinstance(source, Watch) else source
    moments = None
    if isinstance(trace, Trace) and len(trace):
        moments = iterations_shown(trace, also=also)
    return Film(trace, cards, iterations=moments)


def still_forms(film: Film, iteration: int, phase: str | None) -> dict[str, str]:
    """A moment as PNG and as text, for places where no widget lives."""
    picture = film.to_svg(iteration, phase, crop=True, note=STILL)
    return output_forms(picture, film.to_text(iteration, phase))


def display_bundle(trace: Any) -> Any:
    """Return a trace's output: a player, a picture and text; text alone while it is empty."""
    if not len(trace):
        return {"text/plain": repr(trace)}
    return Player(trace)._repr_mimebundle_()


# What if ----------------------------------------------------------------------------------------


def offer(film: Film) -> dict[str, Any] | None:
    """The changes that the page may make to a film's search; ``None`` for a film of minimax."""
    trace = film.trace
    if isinstance(trace, MinimaxTrace):
        return None
    game, state = trace.game, trace.root_state
    labels = [plain(game.action_label(state, action)) for action in game.legal_actions(state)]
    return {"moves": labels, "c": trace.c}


class WhatIf:
    """The branches of a player's film, one at a time."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._worker = Worker(lambda error: self._report(alert=sentence(error)))
        self.trace: Trace | None = None
        """The last branch; ``None`` while there is none."""

    def _report(self, **status: Any) -> None:
        told = self._player.branching.get("told", 0)
        self._player.branching = {**status, "told": told + 1}

    def hear(self, content: dict[str, Any]) -> None:
        """Do what the page asks for; an error here would be seen nowhere but in the player."""
        try:
            act, asked = content["act"], {name: content[name] for name in content.keys() - {"act"}}
            if act == "stop":
                self._worker.stop()
            if act in ("search_on", "close"):
                with self._worker.lock:  # forget the branch, and what is being searched of one
                    self._worker.drop()
                    self.trace = None
                    self._player.branch_film = {}
                    self._report(said="")
            if act == "search_on":
                self._worker.begin(self._search(**asked))
        except Exception as error:
            self._report(alert=sentence(error))

    def _search(self, iteration: int, move: int | None, c: float | None, iterations: int) -> Steps:
        trace = self._player.film.trace
        if not isinstance(trace, Trace):
            raise TraceError("Minimax leaves nothing to chance: there is no what if.")
        if move is None and c in (None, trace.c):
            raise TraceError("Nothing is changed yet: choose another move, or another c.")
        actions = list(trace.game.legal_actions(trace.root_state))
        moves = None if move is None else [actions[move]]
        branching = forked(trace, iteration, moves, c, iterations)

        def report() -> None:
            share, repeating, _ = branching.stage
            doing = "repeating the search up to there" if repeating else "searching on"
            self._report(share=share, words=f"{100 * share:.0f} %, {doing}")

        report()
        yield None
        for _ in branching.stages(SLICE):
            yield report
            if self._worker.stopped:
                break
        branch = branching.trace
        self._report(share=1.0, words=f"laying out {counted(len(branch), 'iteration')}")
        yield None  # the page hears of it before the kernel is silent for long
        question, film = _question(branch), Film(branch, self._player.film.asked)
        self._player.branch_film = {"title": question, "begin": iteration, **film.payload()}
        self.trace = branch
        self._report(said=f"{question} {_size(branch, branching.iterations)}")


def _question(branch: Trace) -> str:
    """Ask in a sentence what was changed, and from which moment on."""
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
    """Say how far the branch went, of so many iterations."""
    why = ": then its root was proven" if branch.proofs.sign[0] else ": then it was stopped"
    early = why if len(branch) < iterations else ""
    return f"The branch has {counted(len(branch), 'iteration')} from there on{early}."
