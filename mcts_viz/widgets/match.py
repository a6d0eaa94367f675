"""A game in play: whose turn it is, what was played, and how to go back."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..errors import GameError, SearchError, shown
from ..film.words import outcome_text, plain
from ..games import Game, Returns
from ..games.boards import among
from ..search.positions import check_position
from ..trace import Trace

__all__ = ["Match", "Turn", "capital"]

FIRST: Final = ("you", "opponent")


class Turn(NamedTuple):
    """A move that was made: from which position, by whom, and the search that chose it, if any."""

    state: Any
    player: int
    action: Any
    trace: Trace | None


class Match:
    """One reader against one opponent, who moves for all players but ``seat``."""

    def __init__(self, game: Game[Any, Any], start: Any, first: str) -> None:
        if not among(first, FIRST):
            raise SearchError(f"first is {shown(first)}: say who begins, 'you' or 'opponent'.")
        self.game = game
        self.start = game.initial_state() if start is None else start
        check_position(game, self.start)
        if game.is_terminal(self.start):
            raise GameError(
                f"The game is over in {game.text(self.start)!r}: begin from a position that is "
                "still in play."
            )
        mover, count = game.to_move(self.start), len(game.players)
        self.seat = mover if first == "you" else (mover + 1) % count
        self.turns: list[Turn] = []

    @property
    def state(self) -> Any:
        """The position on the board."""
        if not self.turns:
            return self.start
        return self.game.play(self.turns[-1].state, self.turns[-1].action)

    @property
    def before(self) -> Any:
        """The position before the last move; the same one if none was made."""
        return self.turns[-1].state if self.turns else self.start

    @property
    def result(self) -> Returns | None:
        """What each player got; ``None`` while the game is on."""
        state = self.state
        return self.game.returns(state) if self.game.is_terminal(state) else None

    def is_over(self) -> bool:
        return self.game.is_terminal(self.state)

    def mover(self) -> int:
        """Who is to move; the reader if the game is over."""
        return self.seat if self.is_over() else self.game.to_move(self.state)

    def is_yours(self) -> bool:
        """Whether the reader is to move."""
        return not self.is_over() and self.game.to_move(self.state) == self.seat

    def is_the_opponents(self) -> bool:
        return not self.is_over() and self.game.to_move(self.state) != self.seat

    def make(self, action: Any, trace: Trace | None = None) -> Turn:
        """Play ``action`` for whoever is to move; raises ``GameError`` if it is illegal."""
        state = self.state
        legal = list(self.game.legal_actions(state))
        if not among(action, legal):
            raise GameError(f"{shown(action)} is no legal action here: choose one of {legal}.")
        turn = Turn(state, self.game.to_move(state), action, trace)
        self.turns.append(turn)
        return turn

    def take_back(self) -> Turn | None:
        """Undo the reader's last move and all after it; ``None`` if there is none."""
        if not self.has_moved():
            return None
        while (turn := self.turns.pop()).player != self.seat:
            pass
        return turn

    def has_moved(self) -> bool:
        """Whether the reader has made a move."""
        return any(turn.player == self.seat for turn in self.turns)

    def searched(self) -> Turn | None:
        """The last move that a search chose."""
        return next((turn for turn in reversed(self.turns) if turn.trace), None)

    # Words -----------------------------------------------------------------------------------

    def name(self, player: int) -> str:
        return plain(self.game.players[player])

    def outcome(self) -> str:
        """How a game that is over has ended, as one who played it sees it."""
        returns = self.result
        assert returns is not None
        mine = returns[self.seat]
        yours = ", you win" if mine > 0 else ", you lose" if mine < 0 else ""
        return capital(outcome_text(self.game, returns)) + yours


def capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]
