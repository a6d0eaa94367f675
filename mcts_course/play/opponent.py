"""The opponent of the reader, who can also be asked to search: a search, or any other agent."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from typing import Any, NamedTuple, TypeAlias

from mcts_viz.errors import plural, require
from mcts_viz.film.words import plain, short
from mcts_viz.games import Game
from mcts_viz.player.worker import SLICE, Worker
from mcts_viz.search import MCTS
from mcts_viz.search.agents import MCTSAgent, same_game
from mcts_viz.search.checks import check_budget, check_rules
from mcts_viz.trace import Recorder, Trace

Chooser: TypeAlias = MCTS | Callable[[Any], Any]


class Thought(NamedTuple):
    """The progress of a search: by action of its root, the visits and the mean reward."""

    state: Any
    """The position at the root."""
    moves: dict[Any, tuple[int, float]]
    share: float
    """Of the budget that is used up, in [0, 1]."""
    words: str
    """The same for a reader."""
    chosen: Any = None
    """The move, once it is chosen."""
    trace: Trace | None = None
    """All that was thought, by then."""


class Chosen(NamedTuple):
    """A move and how it was found, in words; what a search thought, if one found it."""

    action: Any
    how: str = ""
    thought: Thought | None = None


Choosing: TypeAlias = Generator[Thought | None, None, Chosen]
"""Steps of a :class:`Worker` that end with a move."""


class Opponent:
    """A search or a function that chooses moves, with what it may use for each.

    The budget is the ``iterations`` and ``seconds`` given, else the chooser's, else 1,000
    iterations. A search reports what it thinks; ``worker.stopped`` ends it early.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        chooser: Chooser | None,
        iterations: int | None,
        seconds: float | None,
        worker: Worker,
    ) -> None:
        chooser = MCTS(game) if chooser is None else chooser
        _check_chooser(chooser, game)
        agent = chooser if isinstance(chooser, MCTSAgent) else None
        if iterations is None and seconds is None:
            iterations, seconds = (agent.iterations, agent.seconds) if agent else (1000, None)
        check_budget(iterations, seconds)
        self.game = game
        self.chooser = agent.search if agent else chooser
        self.iterations = iterations
        self.seconds = seconds
        self._worker = worker
        self.is_search = isinstance(self.chooser, MCTS)
        """True if it chooses by a search, which can be stopped and looked into."""
        self.name = "the search" if self.is_search else _name_of(self.chooser)
        """Its name in a sentence."""

    @property
    def budget(self) -> str:
        """Its budget for a move, in words."""
        parts = [f"{self.iterations:,} iterations"] if self.iterations else []
        return " or ".join(parts + ([f"{short(self.seconds)} s"] if self.seconds else []))

    def reply(self, state: Hashable) -> Choosing:
        """Its move in ``state``."""
        if isinstance(self.chooser, MCTS):
            return (yield from self._search(self.chooser, state))
        yield None  # the page hears who is to move before the kernel is silent
        return Chosen(self.chooser(state))

    def search(self, state: Hashable) -> Choosing:
        """A search from ``state``: its own, or plain UCT where it chooses in another way."""
        search = self.chooser if isinstance(self.chooser, MCTS) else MCTS(self.game, seed=1)
        return (yield from self._search(search, state))

    def _search(self, search: MCTS, state: Hashable) -> Choosing:
        """Begin a tree at ``state`` and grow it; there is a move even if it is stopped at once."""
        yield None
        search.start(state)
        recorder = Recorder()
        spent = 0.0  # seconds
        while True:
            left = None if self.iterations is None else self.iterations - search.iterations
            time = SLICE if self.seconds is None else min(SLICE, self.seconds - spent)
            run = search.run(iterations=left, seconds=time, hooks=[recorder], progress=False)
            spent += run.seconds
            share = self._share(search.iterations, spent)
            proven = run.seconds < time  # a search ends by itself when its root is proven
            if proven or share == 1 or self._worker.stopped:
                break
            yield self._thought(search, share)
        best = run.best_child
        how = f"{best.visits:,} of {search.root.visits:,} visits"
        if run.interrupted or (self._worker.stopped and share < 1):
            done = search.iterations
            how = f"stopped after {done:,} {plural(done, 'iteration')}, {how}"
        thought = self._thought(search, share)
        trace = recorder.trace(search)
        return Chosen(best.action, how, thought._replace(chosen=best.action, trace=trace))

    def _share(self, iterations: int, seconds: float) -> float:
        """The share of the budget that is used up, in [0, 1]: of what runs out first."""
        used = [iterations / self.iterations] if self.iterations else []
        used += [seconds / self.seconds] if self.seconds else []
        return min(1.0, *used)

    def _thought(self, search: MCTS, share: float) -> Thought:
        visited = [child for child in search.root.children if child.visits]
        moves = {child.action: (child.visits, child.wins / child.visits) for child in visited}
        whole = f" of {self.iterations:,}" if self.iterations else ""
        words = f"{search.iterations:,}{whole} iterations"
        return Thought(search.root.state, moves, share, words)


def _check_chooser(chooser: Chooser, game: Game[Any, Any]) -> None:
    """Refuse what chooses no moves, and a search of another game."""
    check_rules(game)
    if isinstance(chooser, MCTS | MCTSAgent):
        same, its = same_game(chooser.game, game), chooser.game.name
        require(same, "The game of the search", f"{game.name}, as that of the board", its)
        return
    kind = "an MCTS, another agent, or a function that takes a state and returns a legal action"
    right = callable(chooser) and not isinstance(chooser, type)
    require(right, "agent", kind, chooser)


def _name_of(chooser: object) -> str:
    """The name of an agent in a sentence; for a function, the function's name."""
    name = getattr(chooser, "name", None) or getattr(chooser, "__name__", "")
    return "the agent" if name in ("", "<lambda>") else plain(str(name))


def by_sign(value: float, win: str, draw: str, loss: str) -> str:
    """The words for a result: above 0, 0, or below."""
    if not value:
        return draw
    return win if value > 0 else loss
