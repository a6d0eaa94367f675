"""A board to play on against a search, and the film of every search that replied."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from contextlib import suppress
from importlib.resources import files
from random import Random
from time import perf_counter
from typing import Any, cast

import traitlets

from mcts_viz.errors import GameError, among, require, short_repr
from mcts_viz.film import Film
from mcts_viz.film.words import fixed, plain
from mcts_viz.games import NATURE, Game, turns
from mcts_viz.player.base import Widget
from mcts_viz.player.page import part as part_of
from mcts_viz.player.page import style, themed
from mcts_viz.player.worker import Steps, Worker, sentence
from mcts_viz.search.checks import explain_game_error, outcomes
from mcts_viz.trace import Trace

from .board import ClickableBoard, Shown
from .match import Match, Reply, Turn, capital
from .opponent import Chooser, Chosen, Opponent, Thought

ACTS = (
    *("new_game", "take_back", "stop", "look_inside", "close_film"),
    *("set_up", "play_here", "search_here", "leave_set_up"),
)
"""The requests that the page may make beside a move."""
ROLL = 0.2
"""Seconds before chance decides, so that a reader sees what she decides about."""
SCRIPTS = ("clickable_board.js", "strip.js", "play.js")
LOOK = files(__package__).joinpath("play.css").read_text(encoding="utf-8")
BARS = 9
"""Moves whose visits are shown; of more, the most visited."""


class Play(Match, Widget):
    """A game to be played by mouse or keyboard against a search, or any other agent.

    ``agent`` is an :class:`MCTS` (with the policies and the seed it was made with), any other
    agent, such as an :class:`ExactAgent`, a :class:`QLearner` or a :class:`RandomAgent`, or any
    function that takes a position and returns a legal action; without one it is a new MCTS.
    ``iterations`` and ``seconds`` are what a search may use for one move; if
    neither is given, the budget of an :class:`MCTSAgent`, or 1,000 iterations. Its tree is begun
    again for each.
    ``first`` says who begins, ``"you"`` or ``"agent"``; ``state`` is where the game starts, if not
    at its beginning.

    Where the game reads a board from letters, as tic-tac-toe and Connect Four do, a position can
    be set up by clicks: then the game goes on there, or the film of a search from there opens.

    While a search thinks, the visits of its moves are shown as bars that grow. In a notebook the
    agent replies after the cell has ended, and ``await play.wait()`` waits for it; in a script it
    has replied when a call returns. What goes wrong while it thinks is shown in the widget and
    kept in ``error``. After a game all its replies are side by side, and any of them can be
    looked into; ``replies`` has them in Python. Raises ``SearchError`` or ``GameError`` for what
    cannot be played.

    >>> from mcts_course.play import Play
    >>> from mcts_viz import ExactAgent, Nim
    >>> play = Play(Nim((1, 2)), ExactAgent(Nim((1, 2))))
    >>> play.play((1, 1))
    >>> play.said
    'Exact play played 1 from heap 1 (row 1, column 1).'
    """

    part = traitlets.Unicode(part_of(__package__, *SCRIPTS)).tag(sync=True)
    _css = f"{style()}\n{themed('.mcts-play')}\n{LOOK}"
    facts = traitlets.Dict().tag(sync=True)
    position = traitlets.Dict().tag(sync=True)
    thought = traitlets.Dict().tag(sync=True)
    """The search's progress, or its last numbers before its last move."""
    decided = traitlets.Dict().tag(sync=True)
    """After a game, all replies of the search; empty before, and where no search has moved."""
    film = traitlets.Dict().tag(sync=True)
    heard = traitlets.Int().tag(sync=True)

    def __init__(
        self,
        game: Game[Any, Any],
        agent: Chooser | None = None,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        first: str = "you",
        state: Hashable | None = None,
    ) -> None:
        self._worker = Worker(self._think, self._failed)
        self._opponent = Opponent(game, agent, iterations, seconds, self._worker)
        with explain_game_error(game):
            Match.__init__(self, game, state, first)
            self._board = ClickableBoard(game)
        self._luck = Random()
        self._version = 0
        self._cells: list[int] | None = None  # of the position that is being set up
        self.said = ""
        """The last sentence about the game, as the widget shows it."""
        with explain_game_error(game):
            name, alone = plain(game.name), len(game.players) == 1
            facts = {
                "title": name if alone else f"{name} against {self._opponent.name}",
                "subtitle": f"{self._opponent.budget} a move" if self._opponent.is_search else "",
                "board": self._board.facts(),
                "side": self.side,
                "can_be_set": self._board.can_be_set(),
            }
            Widget.__init__(self, facts=facts)
            self.on_msg(self._on_message)
            self.new_game()

    # The game, for notebooks and tests ---------------------------------------------------------

    @property
    def thinking(self) -> bool:
        """True while a search is running, or a reply is being looked for."""
        return self._worker.busy

    def play(self, action: Hashable) -> None:
        """Make your move, to which the agent replies.

        Raises ``GameError`` if it is illegal, not your turn, or the game is over.
        """
        with self._worker.lock:
            if self._to_move != self.side:
                raise GameError(f"{short_repr(action)} cannot be played. {self._turn()[1]}")
            self._settle(f"You played {self._move(self._make(Chosen(action), 'action'))}.")
        self._go_on()

    def new_game(self) -> None:
        """Begin again; the sides stay as they are."""
        with self._worker.lock:
            self._begin_again()
            self.film = {}
            self._cells = None
            begins = "you begin" if self._to_move == self.side else f"{self._opponent.name} begins"
            self._settle(f"A new game. You are {plain(self.game.players[self.side])}; {begins}.")
        self._go_on()

    def take_back(self) -> None:
        """Undo your last move and what was played after it."""
        with self._worker.lock:
            turn = self._undo()
            if turn is None:
                return self._say("There is no move of yours to take back.")
            self._settle(f"Taken back: {self._move(turn)}.")

    # A position that is set up -----------------------------------------------------------------

    def set_up(self) -> None:
        """Let the reader change the cells of the position on the board."""
        if not self.facts["can_be_set"]:
            return self._say("This game does not read a position from its cells.")
        with self._worker.lock:
            self._worker.drop()
            self._cells = self._board.cells(self.state)
            self._say(f"Each click on a cell changes what is in it. {self._verdict()}")

    def place(self, cell: int) -> None:
        """Put the next kind of piece into a cell, after the last kind none."""
        if self._cells is not None and self._board.board:
            self._cells[cell] = (self._cells[cell] + 1) % (len(self._board.board.pieces) + 1)
            self._say(self._verdict())

    def leave_set_up(self) -> None:
        """Go back to the game as it was."""
        self._cells = None
        self._say("The game goes on.")
        self._go_on()

    def play_here(self) -> None:
        """Go on from the position that was set up; the move is yours."""
        with self._worker.lock:
            self._begin_at(self._set_position())
            self._cells = None
            self._settle(f"You are {plain(self.game.players[self.side])}, and it is your move.")

    def search_here(self) -> None:
        """Search from the position that was set up, and open the film; the move is then yours."""
        self.play_here()
        self._worker.begin(self._search_here())

    def _set_position(self) -> Any:
        """The position that was set up; raises ``GameError`` if no game leads to it."""
        cells = self._cells
        return self.state if cells is None else self.game.parse(self._board.written(cells))

    def _search_here(self) -> Steps:
        self._say(self.said)
        chosen = yield from self._opponent.search(self.state)
        move = self._board.move(self.state, chosen.action)
        self._settle(f"The search prefers {move}: {chosen.how}.")
        if chosen.thought and chosen.thought.trace:
            self._open(move, chosen.thought.trace)

    def stop(self) -> None:
        """End the search now; it plays the best move that it has found so far."""
        self._worker.stop()

    def look_inside(self, reply: int | None = None) -> None:
        """Open the film of a search that chose a move, in place of the board.

        ``reply`` counts from 0. Without it, it is the last one while a game is on, and after it
        the one in which the search's mean changed most.
        """
        replies = self.replies
        if not replies:
            return self._say("There is no film yet: it comes with a move that a search chooses.")
        if reply is None:
            reply = self._decisive if self._to_move is None else len(replies) - 1
        known = range(len(replies))
        require(among(reply, known), "reply", f"0 to {len(replies) - 1}", reply, GameError)
        self._open(self._move(replies[reply].turn), replies[reply].trace)

    def _open(self, move: str, trace: Trace) -> None:
        """Open the film of the search that chose a move."""
        title = f"The search that chose {move}"
        self._say(f"The film of {trace.iterations:,} iterations is being laid out …")
        self.film = {"title": title, **Film(trace).payload()}
        self._say(f"{title}: its film is open.")

    def close_film(self) -> None:
        """Go back from the film to the board."""
        self.film = {}

    async def wait(self) -> None:
        """Wait until the agent has replied, or a search has ended."""
        while self.thinking:
            await asyncio.sleep(0.01)

    # Replies -----------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Let the agent move, if it is its turn."""
        if self._agent_moves:
            self._worker.begin(self._reply())

    @property
    def _agent_moves(self) -> bool:
        return self._to_move not in (None, self.side)

    def _reply(self) -> Steps:
        self._say(self.said)
        while self._agent_moves:  # which may move twice in a row
            if self._to_move == NATURE:
                yield from self._roll()
                continue
            chosen = yield from self._opponent.reply(self.state)
            turn = self._make(chosen, f"the move of {self._opponent.name}")
            how = f": {turn.chosen.how}" if turn.chosen.how else ""
            said = f"{capital(self._opponent.name)} played {self._move(turn)}{how}."
            if self._board.is_lucky:  # a turn may be many rolls, and all of them are told
                said = f"{self.said} {said}"
            self._settle(said, self._agent_moves)

    def _roll(self) -> Steps:
        """Let chance decide, after a moment in which the position before it is seen."""
        until = perf_counter() + ROLL
        while perf_counter() < until:
            yield None
        outcome = turns.drawn(outcomes(self.game, self.state), self._luck)
        turn = self._make(Chosen(outcome), "the outcome")
        label = self._board.label(turn.before, outcome)
        self._settle(f"{self.said} Chance decides: {label}.", self._agent_moves)

    def _failed(self, error: BaseException) -> None:
        with suppress(Exception):  # it may fail for the same reason
            self._think(self._thought)
            self._say(self.said)
        self.error = sentence(error)

    # What the page shows, and what it asks for ---------------------------------------------------

    def _settle(self, said: str, thinking: bool = False) -> None:
        """Something has happened; whatever was looked for is out of date, unless still thinking."""
        if not thinking:
            self._worker.drop()
        self._think(self._thought)
        self._say(said + (f" {self._outcome()}." if self._to_move is None else ""))

    def _say(self, said: str) -> None:
        self.said, self.error = said, ""
        self._version += 1
        to_move, thinking = self._to_move, self.thinking
        status, closed = self._turn()
        before = self._turns[-1].before if self._turns else self.state
        setting = self._cells is not None
        shown = self._board.position(self.state, before, closed)
        self.position = {
            **(self._board.setting([*self._cells]) if self._cells is not None else shown),
            "setting": setting,
            "status": status,
            "over": to_move is None,
            "rolling": to_move == NATURE,
            "thinking": thinking,
            "stoppable": thinking and (self._opponent.is_search or to_move == self.side),
            "can_take_back": any(turn.side == self.side for turn in self._turns),
            "can_look": self.trace is not None,
            "said": said,
            "version": self._version,
        }
        self.decided = self._decided() if to_move is None else {}

    def _decided(self) -> dict[str, Any]:
        """The search's replies, as they are shown once the game is over."""
        replies = self.replies
        if not replies:
            return {}
        place = self._decisive
        reply = replies[place]
        told = ""
        if reply.change:
            ends = f"from {fixed(reply.mean - reply.change)} to {fixed(reply.mean)}"
            told = f"Its mean changed most with reply {place + 1}, {ends}. "
        shown = [self._shown(number, each) for number, each in enumerate(replies, 1)]
        return {"said": f"{told}Click a reply to see its search.", "at": place, "replies": shown}

    def _shown(self, number: int, reply: Reply) -> dict[str, Any]:
        """A reply as the page shows it: the position after it, and the visits of its moves."""
        before, chosen = reply.turn.before, reply.turn.chosen.action
        mean = fixed(reply.mean)
        legal = [action for action in self.game.legal_actions(before) if action in reply.visits]
        most = sorted(legal, key=lambda action: -reply.visits[action])[:BARS]
        label, longest = self._board.label(before, chosen), max(reply.visits.values())
        bars = [
            {"share": reply.visits[action] / longest, "chosen": action == chosen}
            for action in legal
            if action in most
        ]
        visits = f"{reply.visits[chosen]:,} of {sum(reply.visits.values()):,} visits"
        return {
            "cells": self._board.cells(reply.turn.after),
            "before": self._board.cells(before),
            "label": label,
            "bars": bars,
            "mean": mean,
            "said": f"Reply {number}: {label}, {visits}, mean {mean}",
        }

    def _think(self, thought: Thought | None) -> None:
        """Show what a search thinks, or what it thought when it had chosen a move."""
        if thought is None:
            self.thought = {}
            return
        moves, done = thought.moves, thought.trace is not None
        legal = [action for action in self.game.legal_actions(thought.state) if action in moves]
        most = sorted(legal, key=lambda action: -moves[action][0])[:BARS]
        self.thought = {
            "title": f"What the search {'thought' if done else 'thinks'}",
            "share": thought.share,
            "done": done,
            "words": thought.words,
            "rows": [self._row(thought, action) for action in legal if action in most],
        }

    def _row(self, thought: Thought, action: Hashable) -> dict[str, Any]:
        """A move in the table: its visits, as a bar too, and its mean.

        Bars grow while a search thinks: the longest is as long as the share of the budget that is
        used up, drawn out by a root so that it moves from the first seconds on.
        """
        visits, mean = thought.moves[action]
        most = max(visits for visits, _ in thought.moves.values())
        longest = 1.0 if thought.trace else thought.share**0.5
        return {
            "label": self._board.label(thought.state, action),
            "share": f"{visits:,}",
            "terms": [longest * visits / most, 0.0],
            "said": fixed(mean),
            "chosen": thought.trace is not None and action == thought.chosen,
        }

    def _turn(self) -> tuple[str, str]:
        """Say whose turn it is, or how the game ended; and why you cannot move, if so."""
        if self._cells is not None:
            return "Set up a position.", ""
        name, yours = self._opponent.name, self._to_move == self.side
        if self._to_move is None:
            end, remedy = self._outcome(), "begin a new game, or take back a move"
            return f"Game over: {end}.", f"The game is over. {end}: {remedy}."
        if yours and self.thinking:
            return "The search is running.", "A search is running: wait for it, or stop it."
        if yours:
            return f"Your turn: you are {plain(self.game.players[self.side])}.", ""
        if self._to_move == NATURE:
            return "Chance decides.", "Chance decides now: wait for it."
        if self.thinking:
            why = f"{name} is thinking: wait for it, or stop it"
            return f"{capital(name)} thinks.", f"It is not your turn, {why}."
        why = f"and {name} has failed: take back your move, or start again"
        return f"{capital(name)} has not moved.", f"It is not your turn, {why}."

    def _verdict(self) -> str:
        """Say who moves in the position that is being set up, or why it cannot occur."""
        try:
            state = self._set_position()
        except GameError as error:
            return str(error)
        if self.game.is_terminal(state):
            return "The game is over in this position."
        return f"{plain(self.game.players[turns.mover(self.game, state)])} moves in this position."

    def _move(self, turn: Turn) -> str:
        return self._board.move(turn.before, turn.chosen.action)

    def _on_message(self, widget: Widget, content: dict[str, Any], buffers: list[bytes]) -> None:
        """Do what the page asks for; an error here would be seen nowhere but in the widget."""
        self.heard += 1
        try:
            if content["act"] == "look_at":
                self.look_inside(content["reply"])
            elif content["act"] in ACTS:
                getattr(self, content["act"])()
            elif content["act"] == "place":
                self.place(content["cell"])
            elif content["version"] == self._version:  # else it was meant for another position
                self.play(list(self.game.legal_actions(self.state))[content["choice"]])
        except Exception as error:
            self.error = sentence(error)

    def _still_forms(self) -> dict[str, str]:
        shown = cast("Shown", self.position)
        replies = [f"{reply['said']}." for reply in self.decided.get("replies", [])]
        said = [self.said, self.position["status"], *replies]
        return self._board.still_forms(shown, "\n".join(said))
