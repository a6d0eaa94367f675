"""A game in play: whose turn it is, what was played, who replies, and who is asked for a hint.

Replies are looked for in slices beside the cells of a notebook, and so are the branches of What if.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator
from functools import partial
from threading import RLock
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

from ..errors import GameError, MctsVizError, SearchError, require
from ..film.words import counted, outcome_text, plain, short
from ..games import Game, Returns, turns
from ..games.boards import among
from ..search import MCTS, Solver
from ..search.agents import MCTSAgent, same_game
from ..search.checks import check_budget, check_position, remembered
from ..search.expectation import needs_averages
from ..trace import Recorder, Trace

SLICE = 0.05
"""Seconds that a step of the work may take; so long the kernel hears nothing."""
YIELD = 0.001
"""Seconds between two steps; another thread that waits for the lock gets it then."""
PAUSE = 0.2
"""Seconds between two reports of progress."""

Steps: TypeAlias = Iterator[Any]
"""Work that stops after each step, with a report of how far it is, or ``None``."""


class Worker:
    """Does one thing at a time, and lets the kernel listen between two steps of it.

    ``begin`` takes the place of what was being done. The first step is done at once; the others
    after the cell has ended, or here and now where no event loop runs. What the page asks for may
    come in another thread, so each step holds ``lock``. ``show`` is given a report now and then.
    An error ends the work, and ``failed`` hears of it.
    """

    def __init__(self, show: Callable[[Any], object], failed: Callable[[Any], object]) -> None:
        self.lock = RLock()
        self.stopped = False
        """True if the work should make do with what it has found."""
        self._show, self._failed = show, failed
        self._work: Steps | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def busy(self) -> bool:
        return self._work is not None

    def begin(self, work: Steps) -> None:
        with self.lock:
            self._work, self.stopped = work, False
            self._step(work)
        going_on = self._go_on(work)
        try:
            self._task = asyncio.get_running_loop().create_task(going_on)  # held here alone
        except RuntimeError:
            asyncio.run(going_on)

    def stop(self) -> None:
        """Ask for what has been found by now."""
        self.stopped = True

    def drop(self) -> None:
        """Forget the work: nobody waits for it any longer."""
        self._work = None

    async def _go_on(self, work: Steps) -> None:
        reported = perf_counter()
        while self._work is work:
            await asyncio.sleep(YIELD)
            with self.lock:
                report = self._step(work)
                if report and self._work is work and perf_counter() >= reported + PAUSE:
                    reported = perf_counter()
                    self._show(report)

    def _step(self, work: Steps) -> Any:
        """Do one step of the work, unless it was dropped, and return its report."""
        if self._work is not work:
            return None
        try:
            return next(work)
        except StopIteration:
            failure = None
        except (Exception, KeyboardInterrupt) as error:
            failure = error
        if self._work is work:
            self._work = None
            if failure:
                self._failed(failure)
        return None


def sentence(error: BaseException) -> str:
    """The sentence that a widget shows for an error."""
    return str(error) if isinstance(error, MctsVizError) else f"{type(error).__name__}: {error}"


# Who replies --------------------------------------------------------------------------------------

Chooser: TypeAlias = MCTS | Callable[[Any], Any]

SOLVABLE = 20_000
"""Positions that exact play may look at for a hint; more would keep the reader waiting."""
_solver = remembered(8, partial(Solver, limit=SOLVABLE))


class Thought(NamedTuple):
    """The progress of a search: by action of its root, the visits and the mean reward."""

    state: Any
    moves: dict[Any, tuple[int, float]]
    share: float
    """Of the budget that is used up, in [0, 1]."""
    words: str
    chosen: Any = None
    """The move, once it is chosen."""
    trace: Trace | None = None
    """All that was thought, by then."""


class Found(NamedTuple):
    """A move and how it was found, in words; what a search thought, if one found it."""

    action: Any
    how: str = ""
    thought: Thought | None = None


Finding: TypeAlias = Generator[Thought | None, None, Found]
"""Steps of a :class:`Worker` that end with a move."""


class Agent:
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
        if isinstance(chooser, MCTS | MCTSAgent):
            same, its = same_game(chooser.game, game), chooser.game.name
            require(same, "The game of the search", f"{game.name}, as that of the board", its)
        else:
            kind = "an MCTS, another agent, or a function that takes a state and returns a legal "
            right = callable(chooser) and not isinstance(chooser, type)
            require(right, "agent", f"{kind}action", chooser)
        own = chooser if isinstance(chooser, MCTSAgent) else None
        if iterations is None and seconds is None:
            iterations, seconds = (own.iterations, own.seconds) if own else (1000, None)
        check_budget(iterations, seconds)
        self.game, self.chooser = game, own.search if own else chooser
        self.iterations, self.seconds = iterations, seconds
        self._worker = worker
        self.is_search = isinstance(self.chooser, MCTS)
        """True if it chooses by a search, which can be stopped and looked into."""
        named = getattr(chooser, "name", None) or getattr(chooser, "__name__", "")
        said = "the agent" if named in ("", "<lambda>") else plain(str(named))
        self.name = "the search" if self.is_search else said
        """Its name in a sentence."""

    @property
    def budget(self) -> str:
        parts = [f"{self.iterations:,} iterations"] if self.iterations else []
        return " or ".join(parts + ([f"{short(self.seconds)} s"] if self.seconds else []))

    def reply(self, state: Any) -> Finding:
        """Its move in ``state``."""
        if isinstance(self.chooser, MCTS):
            return (yield from self._search(self.chooser, state))
        yield None  # the page hears who is to move before the kernel is silent
        return Found(self.chooser(state))

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
        if needs_averages(self.game):
            average = "on average " if turns.knows_luck(self.game) else ""
            how = f"by exact play: {average}it returns {short(value)}"
            return Found(solution.best_actions[0], how)
        worth = "it wins" if value > 0 else "it draws" if value == 0 else "it loses latest"
        how = f"by exact play: if both sides play well after it, {worth}"
        return Found(solution.principal_variation[0], how)

    def _search(self, search: MCTS, state: Any) -> Finding:
        """Begin a tree at ``state`` and grow it; there is a move even if it is stopped at once."""
        yield None
        search.start(state)
        recorder, spent, share = Recorder(), 0.0, 0.0

        def thought() -> Thought:
            visited = [child for child in search.root.children if child.visits]
            moves = {child.action: (child.visits, child.wins / child.visits) for child in visited}
            whole = f" of {self.iterations:,}" if self.iterations else ""
            return Thought(state, moves, share, f"{search.iterations:,}{whole} iterations")

        while True:
            left = None if self.iterations is None else self.iterations - search.iterations
            time = SLICE if self.seconds is None else min(SLICE, self.seconds - spent)
            run = search.run(iterations=left, seconds=time, hooks=[recorder], progress=False)
            spent += run.seconds
            budgets = ((search.iterations, self.iterations), (spent, self.seconds))
            share = min(1.0, max(used / given for used, given in budgets if given))
            # A search may also end by itself, because its root is proven.
            if run.seconds < time or share == 1 or self._worker.stopped:
                break
            yield thought()
        early = run.interrupted or (self._worker.stopped and share < 1)
        how = f"stopped after {counted(search.iterations, 'iteration')}, " if early else ""
        best = run.best_child
        how += f"{best.visits:,} of {search.root.visits:,} visits"
        trace = recorder.trace(search)
        return Found(best.action, how, thought()._replace(chosen=best.action, trace=trace))


# The game -----------------------------------------------------------------------------------------


class Turn(NamedTuple):
    """A move that was made: from and to which position, by which side, and how it was found."""

    before: Any
    side: int
    found: Found
    after: Any


class Match:
    """One reader against an agent, who moves for all sides but ``side``."""

    def __init__(self, game: Game[Any, Any], start: Any, first: str) -> None:
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

    @property
    def state(self) -> Any:
        """The position on the board."""
        return self._turns[-1].after if self._turns else self._start

    @property
    def history(self) -> tuple[Any, ...]:
        """The actions played so far, by both sides."""
        return tuple(turn.found.action for turn in self._turns)

    @property
    def result(self) -> Returns | None:
        """The return of each side, in [-1, 1]; ``None`` while the game is on."""
        return self.game.returns(self.state) if self.game.is_terminal(self.state) else None

    @property
    def trace(self) -> Trace | None:
        """The search that chose the agent's last move; ``None`` if no search did."""
        return self._thought.trace if self._thought else None

    @property
    def _thought(self) -> Thought | None:
        """The thought of that search."""
        thoughts = (turn.found.thought for turn in reversed(self._turns))
        return next(filter(None, thoughts), None)

    @property
    def _to_move(self) -> int | None:
        """The side to move, or nature; ``None`` if the game is over."""
        over = self.game.is_terminal(self.state)
        return None if over else turns.mover(self.game, self.state)

    def _make(self, found: Found, name: str) -> Turn:
        """Play a move of that name for the side to move; raises ``GameError`` if it is illegal."""
        state, legal = self.state, list(turns.moves_of(self.game, self.state))
        require(among(found.action, legal), name, f"one of {legal}", found.action, GameError)
        after = self.game.play(state, found.action)
        self._turns.append(Turn(state, turns.mover(self.game, state), found, after))
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
        yours = ", you win" if mine > 0 else ", you lose" if mine < 0 else ""
        return capital(outcome_text(self.game, returns)) + yours


def capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]
