"""Who replies in a game, and who is asked for a hint."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from ..errors import SearchError, short_repr
from ..film.words import counted, plain, short
from ..games import Game
from ..games.boards import among
from ..search import MCTS, Solver
from ..search.agents import MCTSAgent, same_game
from ..search.checks import check_budget, remembered
from ..trace import Recorder, Trace
from .worker import SLICE, Worker

Chooser: TypeAlias = MCTS | Callable[[Any], Any]

SOLVABLE = 20_000
"""Positions that exact play may look at for a hint; more would keep the reader waiting."""
_solver = remembered(8, partial(Solver, limit=SOLVABLE))


@dataclass(frozen=True)
class Thought:
    """How far a search is: by action of its root, the visits and the mean reward."""

    state: Any
    moves: dict[Any, tuple[int, float]]
    share: float
    """Of the budget that is used up, in [0, 1]."""
    words: str


class Found(NamedTuple):
    """A move and how it was found, in words; if a search found it, what it thought, and a trace."""

    action: Any
    how: str
    thought: Thought | None = None
    trace: Trace | None = None


Finding: TypeAlias = Generator[Callable[[], object] | None, None, Found]
"""Steps of a :class:`Worker` that end with a move."""


class Agent:
    """A search or a function that chooses moves, with what it may use for each.

    The budget is the ``iterations`` and ``seconds`` given, else the chooser's, else 1,000
    iterations. A search reports to ``show`` what it thinks; ``worker.stopped`` ends it early.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        chooser: Chooser | None,
        iterations: int | None,
        seconds: float | None,
        worker: Worker,
        show: Callable[[Thought], object],
    ) -> None:
        chooser = MCTS(game) if chooser is None else _checked(chooser, game)
        given = iterations is not None or seconds is not None
        if isinstance(chooser, MCTSAgent):
            if not given:
                iterations, seconds, given = chooser.iterations, chooser.seconds, True
            chooser = chooser.search
        if not given:
            iterations = 1000
        check_budget(iterations, seconds)
        self.game, self.chooser = game, chooser
        self.iterations, self.seconds = iterations, seconds
        self._worker, self._show = worker, show

    @property
    def is_search(self) -> bool:
        """Whether it chooses by a search, which can be stopped and looked into."""
        return isinstance(self.chooser, MCTS)

    @property
    def name(self) -> str:
        """What sentences call it."""
        if self.is_search:
            return "the search"
        named = getattr(self.chooser, "name", None) or getattr(self.chooser, "__name__", "")
        return "the agent" if named in ("", "<lambda>") else plain(str(named))

    @property
    def budget(self) -> str:
        parts = [f"{self.iterations:,} iterations"] if self.iterations else []
        return " or ".join(parts + ([f"{short(self.seconds)} s"] if self.seconds else []))

    def reply(self, state: Any) -> Finding:
        """Its move in ``state``."""
        if isinstance(self.chooser, MCTS):
            return (yield from self._search(self.chooser, state))
        yield None  # the page hears who is to move before the kernel is silent
        action, legal = self.chooser(state), list(self.game.legal_actions(state))
        if not among(action, legal):
            raise SearchError(
                f"{self.name} returned {short_repr(action)}, but the legal actions are {legal}: an "
                "agent takes a position and returns one of these."
            )
        return Found(action, "")

    def hint(self, state: Any) -> Finding:
        """A good move in ``state``: by exact play where it soon knows, else by a search."""
        yield None
        try:
            solution = _solver(self.game).solve(state)
        except SearchError:  # too large, or not a game of two players whose returns sum to zero
            search = self.chooser if isinstance(self.chooser, MCTS) else MCTS(self.game, seed=1)
            found = yield from self._search(search, state)
            return found._replace(how=f"by a search, {found.how}")
        value = solution.value
        worth = "it wins" if value > 0 else "it draws" if value == 0 else "it loses latest"
        how = f"by exact play: if both sides play well after it, {worth}"
        return Found(solution.principal_variation[0], how)

    def _search(self, search: MCTS, state: Any) -> Finding:
        """Begin a tree at ``state`` and grow it; there is a move even if it is stopped at once."""
        yield None
        search.start(state)
        recorder, spent = Recorder(), 0.0

        def thought() -> Thought:
            return Thought(state, _moves(search), self._share(search, spent), self._used(search))

        while True:
            left = None if self.iterations is None else self.iterations - search.iterations
            time = SLICE if self.seconds is None else min(SLICE, self.seconds - spent)
            run = search.run(iterations=left, seconds=time, hooks=[recorder], progress=False)
            spent += run.seconds
            # A search may also end by itself, because its root is proven.
            if run.seconds < time or self._share(search, spent) >= 1:
                break
            if self._worker.stopped:
                break
            yield lambda: self._show(thought())
        early = run.interrupted or (self._worker.stopped and self._share(search, spent) < 1)
        how = f"stopped after {counted(search.iterations, 'iteration')}, " if early else ""
        how += f"{run.best_child.visits:,} of {search.root.visits:,} visits"
        return Found(run.best_action, how, thought(), recorder.trace(search))

    def _share(self, search: MCTS, spent: float) -> float:
        shares = [search.iterations / self.iterations] if self.iterations else []
        return min(1.0, max(shares + ([spent / self.seconds] if self.seconds else [])))

    def _used(self, search: MCTS) -> str:
        whole = f" of {self.iterations:,}" if self.iterations else ""
        return f"{search.iterations:,}{whole} iterations"


def _moves(search: MCTS) -> dict[Any, tuple[int, float]]:
    visited = [child for child in search.root.children if child.visits]
    return {child.action: (child.visits, child.wins / child.visits) for child in visited}


def _checked(chooser: Chooser, game: Game[Any, Any]) -> Chooser:
    if isinstance(chooser, MCTS | MCTSAgent):
        if not same_game(chooser.game, game):
            raise SearchError(
                f"The search plays {chooser.game.name}, but the board is for {game.name}: make "
                "both with the same game."
            )
    elif isinstance(chooser, type) or not callable(chooser):
        raise SearchError(
            f"The agent is {short_repr(chooser)}, but an agent is an MCTS, an MCTSAgent, an "
            "ExactAgent, a RandomAgent, a QLearner, or a function that takes a state and returns "
            "a legal action."
        )
    return chooser
