"""A board to play on against a search, and the film of every search that answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from threading import RLock
from time import perf_counter
from typing import Any

import anywidget
import traitlets

from ..errors import GameError, shown
from ..film import Film
from ..games import Game, Returns
from ..search.positions import blaming
from ..trace import Trace
from .bundle import script_with, style_with
from .match import Match, capital
from .opponent import Chooser, Opponent
from .scene import facts, refusal, scene, status
from .table import Table
from .thinking import Job, Thinking, launch, sentence

__all__ = ["Play"]

PAUSE = 0.1
"""Seconds between two messages about the progress of a search."""
ACTS = ("new_game", "take_back", "swap_sides", "hint", "stop", "look_inside", "close_film", "retry")
"""What the page may ask for beside a move."""


class Play(anywidget.AnyWidget):
    """A game to be played by mouse or keyboard against a search, or any other opponent.

    ``opponent`` is an :class:`MCTS` (with the policies and the seed it was made with), any other
    player, such as an :class:`ExactPlayer`, a :class:`QLearner` or a :class:`RandomPlayer`, or any
    function that answers a position with a legal action; without one it is a new MCTS.
    ``iterations`` and ``seconds`` are what a search may use for one move or one hint; if neither
    is given, the budget of an :class:`MCTSPlayer`, or 1,000 iterations. Its tree is begun anew for
    each. ``first`` says who begins, ``"you"`` or ``"opponent"``; ``state`` is where the game
    starts, if not at its beginning.

    In a notebook the opponent answers after the cell has ended, and ``await play.wait()`` waits
    for it; in a script it has answered when a call returns. What goes wrong while it thinks is
    shown in the widget and kept in ``error``. Raises ``SearchError`` or ``GameError`` for what
    cannot be played.
    """

    _esm = script_with("play.js")
    _css = style_with("play.css", ".mcts-play")

    facts = traitlets.Dict().tag(sync=True)
    scene = traitlets.Dict().tag(sync=True)
    progress = traitlets.Dict().tag(sync=True)
    film = traitlets.Dict().tag(sync=True)
    error = traitlets.Unicode().tag(sync=True)
    heard = traitlets.Int().tag(sync=True)

    def __init__(
        self,
        game: Game[Any, Any],
        opponent: Chooser | None = None,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        first: str = "you",
        state: Any = None,
    ) -> None:
        self.game = game
        self._opponent = Opponent(game, opponent, iterations, seconds)
        self._match, self._table = Match(game, state, first), Table(game)
        self._job: Job | None = None
        self._hint: int | None = None
        self._said, self._version, self._told = "", 0, 0.0
        self._tasks: set[asyncio.Task[None]] = set()
        self._lock = RLock()  # messages of the page may come in another thread than the cells'
        with blaming(game, "The game cannot be shown."):
            super().__init__(facts=facts(self._match, self._opponent, self._table))
            self.on_msg(self._on_message)
            self.new_game()

    # The game, for notebooks and tests ---------------------------------------------------------

    @property
    def state(self) -> Any:
        """The position on the board."""
        return self._match.state

    @property
    def history(self) -> tuple[Any, ...]:
        """The actions played so far, by both sides."""
        return tuple(turn.action for turn in self._match.turns)

    @property
    def seat(self) -> int:
        """The number of the player who you are."""
        return self._match.seat

    @property
    def result(self) -> Returns | None:
        """What each player got, in [-1, 1]; ``None`` while the game is on."""
        return self._match.result

    @property
    def said(self) -> str:
        """The last sentence about the game, as the widget shows it."""
        return self._said

    @property
    def thinking(self) -> bool:
        """Whether a reply or a hint is being looked for."""
        return self._job is not None

    @property
    def trace(self) -> Trace | None:
        """The search that chose the opponent's last move; ``None`` if no search did."""
        turn = self._match.searched()
        return turn.trace if turn else None

    def play(self, action: Any) -> None:
        """Make your move, to which the opponent replies.

        Raises ``GameError`` if it is illegal, not your turn, or the game is over.
        """
        with self._lock:
            if not self._match.is_yours():
                raise GameError(f"{shown(action)} cannot be played. {self._refusal()}")
            self._match.make(action)
            self._moved(f"You played {self._last_move()}.")
        self._go_on()

    def new_game(self) -> None:
        """Begin again; the sides stay as they are."""
        with self._lock:
            self._match.turns.clear()
            self.film = {}
            begins = "you begin" if self._match.is_yours() else f"{self._opponent.name} begins"
            self._settle(f"A new game. You are {self._match.name(self.seat)}; {begins}.")
        self._go_on()

    def take_back(self) -> None:
        """Undo your last move and what was played after it."""
        with self._lock:
            turn = self._match.take_back()
            if turn is None:
                return self._say("There is no move of yours to take back.")
            self._settle(f"Taken back: {self._table.move(turn.state, turn.action)}.")

    def swap_sides(self) -> None:
        """Take the other side from here on; the opponent moves if it is now its turn."""
        with self._lock:
            self._match.seat = (self.seat + 1) % len(self.game.players)
            self._settle(f"Sides swapped: you are {self._match.name(self.seat)} now.")
        self._go_on()

    def hint(self) -> None:
        """Ask for a good move: of exact play if the game is small from here, else of a search."""
        if self._match.is_yours() and not self.thinking:
            self._begin(self._find_hint)
        else:
            self._say(self._refusal())

    def stop(self) -> None:
        """End the search now; it plays the best move that it has found so far."""
        if self._job:
            self._job.stop()

    def retry(self) -> None:
        """Ask the opponent again, after an error."""
        if not self.thinking:
            self._go_on()

    def look_inside(self) -> None:
        """Open the film of the search that chose the opponent's last move, below the board."""
        turn = self._match.searched()
        if turn is None or turn.trace is None:
            return self._say("There is no film yet: it comes with a move that a search chooses.")
        move = self._table.move(turn.state, turn.action)
        self._say(f"The film of {turn.trace.iterations:,} iterations is being laid out …")
        self.film = {"title": f"The search that chose {move}", **Film(turn.trace).payload()}
        self._say(f"Below the board is the film of the search that chose {move}.")

    def close_film(self) -> None:
        """Close the film below the board."""
        self.film = {}

    async def wait(self) -> None:
        """Wait until the opponent has replied, or the hint is there."""
        while self.thinking:
            await asyncio.sleep(0.01)

    # Replies and hints -------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Let the opponent move, if it is its turn."""
        if self._match.is_the_opponents():
            self._begin(self._reply)

    def _begin(self, work: Callable[[Job], Coroutine[Any, Any, None]]) -> None:
        """Work in the running event loop; to the end, where there is none."""
        with self._lock:
            job = Job()
            self._settle(self._said, job)
        launch(self._guarded(job, work), self._tasks)

    async def _guarded(self, job: Job, work: Callable[[Job], Coroutine[Any, Any, None]]) -> None:
        """What fails in a task would be seen nowhere, so the widget shows it."""
        await asyncio.sleep(0)
        try:
            await work(job)
        except (Exception, KeyboardInterrupt) as error:
            with self._lock:
                if not job.dropped:
                    self._job, self.progress, self.error = None, {}, sentence(error)
                    with suppress(Exception):  # it may fail for the same reason
                        self._say(self._said)

    async def _reply(self, job: Job) -> None:
        while self._match.is_the_opponents():  # who may move twice in a row
            found = await self._opponent.reply(self.state, job, self._lock, self._tell)
            with self._lock:
                if found is None or job.dropped:
                    return
                self._match.make(found.action, found.trace)
                how = f": {found.how}" if found.how else ""
                said = f"{capital(self._opponent.name)} played {self._last_move()}{how}."
                self._moved(said, job if self._match.is_the_opponents() else None)

    async def _find_hint(self, job: Job) -> None:
        state = self.state
        found = await self._opponent.hint(state, job, self._lock, self._tell)
        with self._lock:
            if found is None or job.dropped:
                return
            hint = list(self.game.legal_actions(state)).index(found.action)
            self._settle(f"Hint: {self._table.move(state, found.action)}, {found.how}.", hint=hint)

    def _tell(self, thinking: Thinking) -> None:
        with self._lock:
            if self._job and perf_counter() >= self._told + PAUSE:
                self._told = perf_counter()
                self.progress = thinking.progress()

    # What the page is told, and what it asks for -----------------------------------------------

    def _settle(self, said: str, job: Job | None = None, hint: int | None = None) -> None:
        """Something has happened: whatever was looked for is out of date."""
        if self._job and self._job is not job:
            self._job.drop()
        self._job, self._hint = job, hint
        self._told, self.progress, self.error = perf_counter(), {}, ""
        self._say(said)

    def _moved(self, said: str, job: Job | None = None) -> None:
        """A move was made, and maybe the last one."""
        end = f" {self._match.outcome()}." if self._match.is_over() else ""
        self._settle(said + end, job)

    def _say(self, said: str) -> None:
        self._said = said
        told = {"said": said, "hint": self._hint, "version": self._version + 1}
        self.scene = scene(self._match, self._opponent, self._table, self.thinking) | told
        self._version += 1

    def _refusal(self) -> str:
        return refusal(self._match, self._opponent, self.thinking)

    def _last_move(self) -> str:
        turn = self._match.turns[-1]
        return self._table.move(turn.state, turn.action)

    def _on_message(self, widget: Any, content: dict[str, Any], buffers: Any) -> None:
        """Do what the page asks for; an error here would be seen nowhere but in the widget."""
        self.heard += 1
        try:
            if content["act"] in ACTS:
                getattr(self, content["act"])()
            elif content["version"] == self._version:  # else it was meant for another position
                self.play(list(self.game.legal_actions(self.state))[content["choice"]])
        except Exception as error:
            self.error = sentence(error)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle: Any = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        match = self._match
        words = f"{self._said}\n{status(self._match, self._opponent, self.thinking)}"
        return {**data, **self._table.still_forms(match.state, match.before, words)}, metadata
