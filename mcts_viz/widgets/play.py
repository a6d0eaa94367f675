"""A board to play on against a search, and the film of every search that replied."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import traitlets

from ..errors import GameError, door, short_repr
from ..film import Film
from ..film.words import fixed, plain
from ..games import Game, Returns
from ..search.checks import explain_game_error
from ..trace import Trace
from .base import Widget
from .board import ClickableBoard
from .match import Agent, Chooser, Found, Match, Steps, Thought, Worker, capital, sentence

ACTS = ("new_game", "take_back", "hint", "stop", "look_inside", "close_film")
"""The requests that the page may make beside a move."""
BARS = 9
"""Moves whose visits are shown; of more, the most visited."""


class Play(Widget):
    """A game to be played by mouse or keyboard against a search, or any other agent.

    ``agent`` is an :class:`MCTS` (with the policies and the seed it was made with), any other
    agent, such as an :class:`ExactAgent`, a :class:`QLearner` or a :class:`RandomAgent`, or any
    function that takes a position and returns a legal action; without one it is a new MCTS.
    ``iterations`` and ``seconds`` are what a search may use for one move or one hint; if
    neither is given, the budget of an :class:`MCTSAgent`, or 1,000 iterations. Its tree is begun
    anew for each.
    ``first`` says who begins, ``"you"`` or ``"agent"``; ``state`` is where the game starts, if not
    at its beginning.

    While a search thinks, the visits of its moves are shown as bars that grow. In a notebook the
    agent replies after the cell has ended, and ``await play.wait()`` waits for it; in a script it
    has replied when a call returns. What goes wrong while it thinks is shown in the widget and
    kept in ``error``. Raises ``SearchError`` or ``GameError`` for what cannot be played.

    >>> from mcts_viz import ExactAgent, Nim, Play
    >>> play = Play(Nim((1, 2)), ExactAgent(Nim((1, 2))))
    >>> play.play((1, 1))
    >>> play.said
    'Exact play played 1 from heap 1 (row 1, column 1).'
    """

    facts = traitlets.Dict().tag(sync=True)
    position = traitlets.Dict().tag(sync=True)
    thought = traitlets.Dict().tag(sync=True)
    """The search's progress, or its last numbers before its last move."""
    film = traitlets.Dict().tag(sync=True)
    error = traitlets.Unicode().tag(sync=True)
    heard = traitlets.Int().tag(sync=True)

    @door
    def __init__(
        self,
        game: Game[Any, Any],
        agent: Chooser | None = None,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        first: str = "you",
        state: Any = None,
    ) -> None:
        self.game = game
        self._worker = Worker(self._failed)
        self._agent = Agent(game, agent, iterations, seconds, self._worker, self._think)
        self._match, self._board = Match(game, state, first), ClickableBoard(game)
        self.said, self._version = "", 0
        """The last sentence about the game, as the widget shows it."""
        with explain_game_error(game, "The game cannot be shown."):
            super().__init__(facts=self._facts())
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
        return tuple(turn.found.action for turn in self._match.turns)

    @property
    def side(self) -> int:
        """The number of the side that you play."""
        return self._match.side

    @property
    def result(self) -> Returns | None:
        """The return of each side, in [-1, 1]; ``None`` while the game is on."""
        return self._match.result

    @property
    def thinking(self) -> bool:
        """True while a reply or a hint is being looked for."""
        return self._worker.busy

    @property
    def trace(self) -> Trace | None:
        """The search that chose the agent's last move; ``None`` if no search did."""
        turn = self._match.searched()
        return turn.found.trace if turn else None

    def play(self, action: Any) -> None:
        """Make your move, to which the agent replies.

        Raises ``GameError`` if it is illegal, not your turn, or the game is over.
        """
        with self._worker.lock:
            if not self._match.yours:
                raise GameError(f"{short_repr(action)} cannot be played. {self._turn()[1]}")
            self._match.make(Found(action))
            self._settle(f"You played {self._last_move()}.")
        self._go_on()

    def new_game(self) -> None:
        """Begin again; the sides stay as they are."""
        with self._worker.lock:
            self._match.begin()
            self.film, self.thought = {}, {}
            begins = "you begin" if self._match.yours else f"{self._agent.name} begins"
            self._settle(f"A new game. You are {self._match.name(self.side)}; {begins}.")
        self._go_on()

    def take_back(self) -> None:
        """Undo your last move and what was played after it."""
        with self._worker.lock:
            turn = self._match.take_back()
            if turn is None:
                return self._say("There is no move of yours to take back.")
            self._settle(f"Taken back: {self._board.move(turn.state, turn.found.action)}.")

    def hint(self) -> None:
        """Ask for a good move: of exact play if the game is small from here, else of a search."""
        if self._match.yours and not self.thinking:
            self._worker.begin(self._find_hint())
        else:
            self._say(self._turn()[1])

    def stop(self) -> None:
        """End the search now; it plays the best move that it has found so far."""
        self._worker.stop()

    def look_inside(self) -> None:
        """Open the film of the search that chose the agent's last move, in place of the board."""
        turn = self._match.searched()
        if turn is None or turn.found.trace is None:
            return self._say("There is no film yet: it comes with a move that a search chooses.")
        title = f"The search that chose {self._board.move(turn.state, turn.found.action)}"
        self._say(f"The film of {turn.found.trace.iterations:,} iterations is being laid out …")
        self.film = {"title": title, **Film(turn.found.trace).payload()}
        self._say(f"{title}: its film is open.")

    def close_film(self) -> None:
        """Go back from the film to the board."""
        self.film = {}

    async def wait(self) -> None:
        """Wait until the agent has replied, or the hint is there."""
        while self.thinking:
            await asyncio.sleep(0.01)

    # Replies and hints -------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Let the agent move, if it is its turn."""
        if self._match.agents:
            self._worker.begin(self._reply())

    def _reply(self) -> Steps:
        self.error = ""
        self._say(self.said)
        while self._match.agents:  # which may move twice in a row
            found = yield from self._agent.reply(self.state)
            self._match.make(found)
            how = f": {found.how}" if found.how else ""
            said = f"{capital(self._agent.name)} played {self._last_move()}{how}."
            self._settle(said, self._match.agents)

    def _find_hint(self) -> Steps:
        self.error = ""
        self._say(self.said)
        state = self.state
        found = yield from self._agent.hint(state)
        self._settle(f"Hint: {self._board.move(state, found.action)}, {found.how}.")

    def _failed(self, error: BaseException) -> None:
        self.error = sentence(error)
        with suppress(Exception):  # it may fail for the same reason
            self._show_last_thought()
            self._say(self.said)

    # What the page shows, and what it asks for ---------------------------------------------------

    def _settle(self, said: str, thinking: bool = False) -> None:
        """Something has happened; whatever was looked for is out of date, unless still thinking."""
        if not thinking:
            self._worker.drop()
        self.error = ""
        self._show_last_thought()
        self._say(said + (f" {self._match.outcome()}." if self._match.to_move is None else ""))

    def _say(self, said: str) -> None:
        self.said = said
        self._version += 1
        match, thinking = self._match, self.thinking
        status, closed = self._turn()
        side = match.winner() if match.to_move is None else match.to_move
        self.position = {
            **self._board.position(match.state, match.before, closed),
            "mark": None if side is None else self._board.piece_of(side),
            "status": status,
            "over": match.to_move is None,
            "thinking": thinking,
            "stoppable": thinking and (self._agent.is_search or match.yours),
            "can_take_back": match.has_moved(),
            "can_look": self.trace is not None,
            "said": said,
            "version": self._version,
        }

    def _facts(self) -> dict[str, Any]:
        """The facts that stay the same from game to game."""
        game, agent = plain(self.game.name), self._agent
        alone = len(self.game.players) == 1
        return {
            "title": game if alone else f"{game} against {agent.name}",
            "subtitle": f"{agent.budget} a move" if agent.is_search else "",
            "board": self._board.facts(),
        }

    def _think(self, thought: Thought, *chosen: Any) -> None:
        """Show what a search thinks, or what it thought when it had ``chosen`` a move."""
        game, state, moves = self.game, thought.state, thought.moves
        done = bool(chosen)
        actions = [action for action in game.legal_actions(state) if action in moves]
        most = sorted(actions, key=lambda action: -moves[action][0])[:BARS]
        best = max((visits for visits, _ in moves.values()), default=1)
        self.thought = {
            "title": f"What the search {'thought' if done else 'thinks'}",
            "before": self._board.cells(state),
            "share": thought.share,
            "done": done,
            "words": thought.words,
            "rows": [
                {
                    "label": self._board.label(state, action),
                    "cells": self._board.cells(game.play(state, action)),
                    "visits": moves[action][0],
                    "size": (1.0 if done else thought.share**0.5) * moves[action][0] / best,
                    "mean": fixed(moves[action][1]),
                    "chosen": action in chosen,
                }
                for action in actions
                if action in most
            ],
        }

    def _show_last_thought(self) -> None:
        turn = self._match.searched()
        if turn and turn.found.thought:
            self._think(turn.found.thought, turn.found.action)
        else:
            self.thought = {}

    def _turn(self) -> tuple[str, str]:
        """Say whose turn it is, or how the game ended; and why you cannot move, if so."""
        match, name = self._match, self._agent.name
        if match.to_move is None:
            end, remedy = match.outcome(), "begin a new game, or take back a move"
            return f"Game over: {end}.", f"The game is over. {end}: {remedy}."
        if self.thinking and match.yours:
            return "Looking for a hint.", "A hint is being looked for: wait for it, or stop it."
        if match.yours:
            return f"Your turn: you are {match.name(match.side)}.", ""
        if self.thinking:
            why = f"{name} is thinking: wait for it, or stop it"
            return f"{capital(name)} thinks.", f"It is not your turn, {why}."
        why = f"and {name} has failed: take back your move, or begin anew"
        return f"{capital(name)} has not moved.", f"It is not your turn, {why}."

    def _last_move(self) -> str:
        turn = self._match.turns[-1]
        return self._board.move(turn.state, turn.found.action)

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

    def _still_forms(self) -> dict[str, str]:
        words = f"{self.said}\n{self._turn()[0]}"
        return self._board.still_forms(self._match.state, self._match.before, words)
