"""A game in play: whose turn it is, what was played, and how to go back."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ..errors import GameError, SearchError, short_repr
from ..film.words import outcome_text, plain
from ..games import Game, Returns
from ..games.boards import among
from ..search.checks import check_position
from .agent import Found

FIRST: Final = ("you", "agent")


class Turn(NamedTuple):
    """A move that was made: from which position, by which side; how the agent found it."""

    state: Any
    side: int
    action: Any
    found: Found | None


class Match:
    """One reader against an agent, who moves for all sides but ``side``."""

    def __init__(self, game: Game[Any, Any], start: Any, first: str) -> None:
        if not among(first, FIRST):
            raise SearchError(f"first is {short_repr(first)}: say who begins, 'you' or 'agent'.")
        self.game = game
        self.start = game.initial_state() if start is None else start
        check_position(game, self.start)
        if game.is_terminal(self.start):
            raise GameError(
                f"The game is over in {game.text(self.start)!r}: begin from a position that is "
                "still in play."
            )
        to_move = game.to_move(self.start)
        self.side = to_move if first == "you" else (to_move + 1) % len(game.players)
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
        """What each side got; ``None`` while the game is on."""
        state = self.state
        return self.game.returns(state) if self.game.is_terminal(state) else None

    @property
    def to_move(self) -> int | None:
        """The side to move; ``None`` if the game is over."""
        state = self.state
        return None if self.game.is_terminal(state) else self.game.to_move(state)

    @property
    def yours(self) -> bool:
        """Whether the reader is to move."""
        return self.to_move == self.side

    @property
    def agents(self) -> bool:
        """Whether the agent is to move."""
        return self.to_move not in (None, self.side)

    def make(self, action: Any, found: Found | None = None) -> None:
        """Play ``action`` for the side to move; raises ``GameError`` if it is illegal."""
        state = self.state
        legal = list(self.game.legal_actions(state))
        if not among(action, legal):
            raise GameError(f"{short_repr(action)} is no legal action here: choose one of {legal}.")
        self.turns.append(Turn(state, self.game.to_move(state), action, found))

    def take_back(self) -> Turn | None:
        """Undo the reader's last move and all after it; ``None`` if there is none."""
        if not self.has_moved():
            return None
        while (turn := self.turns.pop()).side != self.side:
            pass
        return turn

    def has_moved(self) -> bool:
        """Whether the reader has made a move."""
        return any(turn.side == self.side for turn in self.turns)

    def searched(self) -> Turn | None:
        """The last move that a search chose."""
        return next(
            (turn for turn in reversed(self.turns) if turn.found and turn.found.trace), None
        )

    # Words -----------------------------------------------------------------------------------

    def name(self, side: int) -> str:
        return plain(self.game.players[side])

    def winner(self) -> int | None:
        """The one side that did better than all others, if the game is over."""
        result = self.result or (0.0,)
        best = [side for side, value in enumerate(result) if value == max(result) > 0]
        return best[0] if len(best) == 1 else None

    def outcome(self) -> str:
        """How a game that is over has ended, as one who played it sees it."""
        returns = self.result
        assert returns is not None
        mine = returns[self.side]
        yours = ", you win" if mine > 0 else ", you lose" if mine < 0 else ""
        return capital(outcome_text(self.game, returns)) + yours


def capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]
