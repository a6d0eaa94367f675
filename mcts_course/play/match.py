"""A game in play: whose turn it is, and what was played."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from mcts_viz.errors import GameError, among, require
from mcts_viz.film.words import outcome_text
from mcts_viz.games import Game, Returns, turns
from mcts_viz.search.checks import check_position
from mcts_viz.trace import Trace

from .opponent import Chosen, Thought, by_sign


class Turn(NamedTuple):
    """A move that was made: from and to which position, by which side, and how it was chosen."""

    before: Any
    side: int
    chosen: Chosen
    after: Any


class Reply(NamedTuple):
    """A move that a search chose."""

    turn: Turn
    visits: dict[Any, int]
    """For each action: how many of its iterations began with it."""
    mean: float
    """The mean of the move it chose, as its own side sees it."""
    change: float
    """By how much that is more than at its reply before; 0 at the first one."""
    trace: Trace


class Match:
    """One reader against an agent, who moves for all sides but ``side``."""

    def __init__(self, game: Game[Any, Any], start: Hashable | None, first: str) -> None:
        require(among(first, ("you", "agent")), "first", "'you' or 'agent', who begins", first)
        self.game = game
        self._start = game.initial_state() if start is None else start
        check_position(game, self._start)
        on = not game.is_terminal(self._start)
        require(on, "state", "a position that is still in play", game.text(self._start), GameError)
        to_move = max(0, turns.mover(game, self._start))
        self.side = to_move if first == "you" else (to_move + 1) % len(game.players)
        """The number of the side that you play."""
        self._turns: list[Turn] = []
        self._first = self._start, self.side

    def _begin_at(self, state: Any) -> None:
        """Begin again at ``state``, where it is the reader's move."""
        on = not self.game.is_terminal(state)
        require(on, "The position", "one that is still in play", self.game.text(state), GameError)
        self._start, self.side = state, max(0, turns.mover(self.game, state))
        self._turns.clear()

    def _begin_again(self) -> None:
        """Go back to where the match began, and to its sides."""
        self._start, self.side = self._first
        self._turns.clear()

    @property
    def state(self) -> Any:
        """The position on the board."""
        return self._turns[-1].after if self._turns else self._start

    @property
    def history(self) -> tuple[Any, ...]:
        """The actions played so far, by both sides."""
        return tuple(turn.chosen.action for turn in self._turns)

    @property
    def result(self) -> Returns | None:
        """The return of each side, in [-1, 1]; ``None`` while the game is on."""
        return self.game.returns(self.state) if self.game.is_terminal(self.state) else None

    @property
    def trace(self) -> Trace | None:
        """The search that chose the agent's last move; ``None`` if no search did."""
        return self._thought.trace if self._thought else None

    @property
    def replies(self) -> list[Reply]:
        """The moves that a search chose, in order."""
        found: list[Reply] = []
        for turn in self._turns:
            thought = turn.chosen.thought
            if thought is None or thought.trace is None:
                continue
            visits = {action: visits for action, (visits, _) in thought.moves.items()}
            mean = thought.moves[turn.chosen.action][1]
            change = mean - found[-1].mean if found else 0.0
            found.append(Reply(turn, visits, mean, change, thought.trace))
        return found

    @property
    def _decisive(self) -> int:
        """The place of the reply in which the search's mean changed most, among the replies."""
        changes = [abs(reply.change) for reply in self.replies]
        return changes.index(max(changes))

    @property
    def _thought(self) -> Thought | None:
        """The thought of that search."""
        thoughts = (turn.chosen.thought for turn in reversed(self._turns))
        return next(filter(None, thoughts), None)

    @property
    def _to_move(self) -> int | None:
        """The side to move, or nature; ``None`` if the game is over."""
        over = self.game.is_terminal(self.state)
        return None if over else turns.mover(self.game, self.state)

    def _make(self, chosen: Chosen, name: str) -> Turn:
        """Play a move of that name for the side to move; raises ``GameError`` if it is illegal."""
        state, legal = self.state, list(turns.moves_of(self.game, self.state))
        require(among(chosen.action, legal), name, f"one of {legal}", chosen.action, GameError)
        after = self.game.play(state, chosen.action)
        self._turns.append(Turn(state, turns.mover(self.game, state), chosen, after))
        return self._turns[-1]

    def _undo(self) -> Turn | None:
        """Undo the reader's last move and all after it; ``None`` if there is none."""
        mine = [place for place, turn in enumerate(self._turns) if turn.side == self.side]
        turn = self._turns[mine[-1]] if mine else None
        del self._turns[mine[-1] if mine else len(self._turns) :]
        return turn

    # Words -----------------------------------------------------------------------------------

    def _outcome(self) -> str:
        """Say how a game that is over has ended, as one who played it sees it."""
        returns = self.result or ()
        mine = returns[self.side]
        yours = by_sign(mine, ", you win", "", ", you lose")
        return capital(outcome_text(self.game, returns)) + yours


def capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]
