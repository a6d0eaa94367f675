"""Who replies, and who is asked for a hint."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, TypeAlias

from ..errors import SearchError, shown
from ..film.words import plain
from ..games import Game
from ..games.boards import among
from ..search import MCTS, Solver
from ..search.agents import MCTSPlayer, same_game
from ..trace import Trace
from .thinking import Budget, Job, Thinking

__all__ = ["Chooser", "Found", "Opponent"]

Chooser: TypeAlias = MCTS | Callable[[Any], Any]

SOLVABLE = 20_000
"""Positions that exact play may look at for a hint; more would keep the reader waiting."""


class Found(NamedTuple):
    """A move, how it was found in words, and the trace of the search that found it, if one did."""

    action: Any
    how: str
    trace: Trace | None = None


class Opponent:
    """A search or a function that chooses moves, with what it may use for each.

    The budget is that of the ``iterations`` and ``seconds`` given, or else of the chooser.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        chooser: Chooser | None,
        iterations: int | None,
        seconds: float | None,
    ) -> None:
        self.game = game
        chooser = MCTS(game) if chooser is None else _checked(chooser, game)
        if isinstance(chooser, MCTSPlayer):
            if iterations is None and seconds is None:
                iterations, seconds = chooser.iterations, chooser.seconds
            chooser = chooser.search
        self.chooser = chooser
        self.budget = Budget(iterations, seconds)
        self._solver: Solver | None = None

    @property
    def is_search(self) -> bool:
        """Whether it chooses by a search, which can be stopped and looked into."""
        return isinstance(self.chooser, MCTS)

    @property
    def name(self) -> str:
        """What sentences call it."""
        if isinstance(self.chooser, MCTS):
            return "the search"
        named = getattr(self.chooser, "name", None) or getattr(self.chooser, "__name__", "")
        return "the opponent" if named in ("", "<lambda>") else plain(str(named))

    def description(self) -> str:
        """What it is and may use, where its name does not say it."""
        if isinstance(self.chooser, MCTS):
            return f"Monte Carlo Tree Search, {self.budget} a move"
        return ""

    async def reply(
        self,
        state: Any,
        job: Job,
        lock: AbstractContextManager[Any],
        tell: Callable[[Thinking], object],
    ) -> Found | None:
        """Its move in ``state``; ``None`` if the job was dropped meanwhile."""
        if isinstance(self.chooser, MCTS):
            return await self._search(self.chooser, state, job, lock, tell)
        action, legal = self.chooser(state), list(self.game.legal_actions(state))
        if not among(action, legal):
            raise SearchError(
                f"{self.name} answered {shown(action)}, but the legal actions are {legal}: an "
                "opponent answers a position with one of these."
            )
        return Found(action, "")

    async def hint(
        self,
        state: Any,
        job: Job,
        lock: AbstractContextManager[Any],
        tell: Callable[[Thinking], object],
    ) -> Found | None:
        """A good move in ``state``: by exact play where it soon knows, else by a search."""
        exact = self._exactly(state)
        if exact:
            return exact
        own = isinstance(self.chooser, MCTS)
        search = self.chooser if isinstance(self.chooser, MCTS) else MCTS(self.game, seed=1)
        found = await self._search(search, state, job, lock, tell)
        whose = "the opponent’s own search" if own else "a search"
        return found and found._replace(how=f"by {whose}, {found.how}")

    async def _search(
        self,
        search: MCTS,
        state: Any,
        job: Job,
        lock: AbstractContextManager[Any],
        tell: Callable[[Thinking], object],
    ) -> Found | None:
        thinking = Thinking(search, state, self.budget)
        if not await thinking.run(job, lock, tell):
            return None
        return Found(thinking.action, thinking.finding(), thinking.trace)

    def _exactly(self, state: Any) -> Found | None:
        try:
            self._solver = self._solver or Solver(self.game, limit=SOLVABLE)
            solution = self._solver.solve(state)
        except SearchError:  # too large, or not a game of two players whose returns sum to zero
            return None
        value = solution.value
        worth = "it wins" if value > 0 else "it draws" if value == 0 else "it loses latest"
        return Found(
            solution.principal_variation[0], f"by exact play: if nobody errs after it, {worth}"
        )


def _checked(chooser: Chooser, game: Game[Any, Any]) -> Chooser:
    if isinstance(chooser, MCTS | MCTSPlayer):
        other = chooser.game
        if not same_game(other, game):
            raise SearchError(
                f"The search plays {other.name}, but the board is for {game.name}: make both with "
                "the same game."
            )
    elif isinstance(chooser, type) or not callable(chooser):
        raise SearchError(
            f"The opponent is {shown(chooser)}, but an opponent is an MCTS, an MCTSPlayer, an "
            "ExactPlayer, a RandomPlayer, a QLearner, or a function that answers a state with a "
            "legal action."
        )
    return chooser
