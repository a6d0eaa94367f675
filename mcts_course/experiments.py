"""Experiments: positions to measure in, many searches, here or on many machines, and bandits."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor
from functools import cache, partial
from itertools import chain, product
from math import gcd
from random import Random
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mcts_viz.errors import SearchError, door, reason, require, short_repr
from mcts_viz.games import Game, TicTacToe
from mcts_viz.games.bandit import Bandit
from mcts_viz.search import MCTS, SearchResult, solve
from mcts_viz.search.checks import require_list
from mcts_viz.search.running import progress_bar
from mcts_viz.search.variants import expand_root_only, pre_expanded

from .feedback import say
from .figures import COLOURS, Axes, Curve, Figure, Slider, draw_bars, draw_curves, mark_budgets, new_figure
from .intervals import wilson_interval
from .tables import Table, span

# Positions in which a move can be a mistake --------------------------------------------

GAME = TicTacToe()


def one_name(state: Any) -> str:
    """The first, in the alphabet, of the eight boards that a board can be turned into."""
    board, boards = GAME.text(state).replace("\n", ""), []
    for _ in range(4):
        board = "".join(board[cell] for cell in (6, 3, 0, 7, 4, 1, 8, 5, 2))
        boards += [board, board[0::3] + board[1::3] + board[2::3]]
    return min(boards)


def levels(name: Callable[[Any], Hashable] = lambda state: state) -> Iterator[list[Any]]:
    """The positions in play with 0, 1, 2 … pieces; of those with the same name the first met."""
    level = [GAME.initial_state()]
    while level:
        yield level
        after: dict[Hashable, Any] = {}
        for state in level:
            for action in GAME.legal_actions(state):
                child = GAME.play(state, action)
                after.setdefault(name(child), child)
        level = [state for state in after.values() if not GAME.is_terminal(state)]


@cache
def best_moves(state: Any) -> frozenset[int]:
    """The moves that keep the value of perfect play."""
    return frozenset(solve(GAME, state).best_actions)


def is_contested(state: Any) -> bool:
    """True if some move gives something away, and some move does not."""
    return len(best_moves(state)) < len(GAME.legal_actions(state))


@cache
def _all() -> tuple[list[Any], ...]:
    return tuple(sorted(filter(is_contested, level)) for level in levels())


def contested(pieces: int = 3, number: int | None = None, seed: int = 0) -> list[Any]:
    """Return the contested positions with ``pieces``, or ``number`` of them, by ``seed``."""
    every = _all()[pieces]
    return every[:] if number is None else Random(seed).sample(every, number)


# Searches in some positions ---------------------------------------------------------

Item = TypeVar("Item")


def tracked(items: Sequence[Item], unit: str) -> Iterator[Item]:
    """Yield the items one by one, with a progress bar if that takes long."""
    with progress_bar(len(items), None, unit) as show:
        for done, item in enumerate(items, 1):
            yield item
            show(done)


def results_at_budgets(
    search: MCTS, state: Any, budgets: Iterable[int]
) -> Iterator[tuple[int, SearchResult]]:
    """The result of one search after each of the budgets, which rise."""
    search.start(state)
    for budget in budgets:
        yield budget, search.run(iterations=budget - search.iterations, progress=False)


def right_by_position(
    positions: Sequence[Any], search: Callable[[int], MCTS], seeds: int, budgets: Sequence[int]
) -> dict[int, list[float]]:
    """By budget and position: the share of the searches, one a seed, that keep what it is worth."""
    shares: dict[int, list[float]] = {budget: [] for budget in budgets}
    for state in tracked(positions, "positions"):
        right = dict.fromkeys(budgets, 0)
        for seed in range(seeds):
            for budget, result in results_at_budgets(search(seed), state, budgets):
                right[budget] += result.best_action in best_moves(state)
        for budget, count in right.items():
            shares[budget].append(count / seeds)
    return shares


def moves_played(searches: Iterable[MCTS], state: Any, iterations: int) -> list[Any]:
    """The move of each search after ``iterations``."""
    return [search.search(state, iterations=iterations, progress=False).best_action for search in searches]


# Searches that play a move, by budget -----------------------------------------------------------

STEP = 10
"""Iterations between two places of the slider, at most."""


class ByBudget(Table):
    """``found[budget]`` searches of ``seeds`` play one of the ``wanted`` moves."""

    def figure(self) -> Figure:
        """The counts in their 95 % intervals."""
        figure, axes = plot_counts({f"play {self.words}": self})
        axes.axhline(self.seeds * self.chance, color=COLOURS["ink"], linestyle="--", linewidth=1)
        words = "a move picked at random"
        axes.annotate(words, (1.01, self.chance / 1.03), xycoords="axes fraction", fontsize=9)
        return figure

    def shares(self, iterations: int) -> Figure:
        """Draw the mean share of the visits of each move after ``iterations``."""
        visits = self.visits[iterations]
        means = (visits / visits.sum(axis=1, keepdims=True)).mean(axis=0)
        title = f"{iterations} iterations: {self[iterations]} of {self.seeds} play {self.words}"
        bars = dict(zip(self.moves, means, strict=True))
        return draw_bars(bars, self.wanted, title, "share of the visits")

    def slider(self) -> Slider:
        """Return a slider for the iterations, with the visits below it."""
        steps = list(self.by)
        return Slider(lambda iterations: self.shares(iterations), "iterations", steps, steps[0])


def by_budget(
    game: Any,
    state: Any,
    wanted: Sequence[Any],
    budgets: Sequence[int],
    seeds: int = 100,
    settings: Mapping[str, Any] | None = None,
) -> ByBudget:
    """Run one search a seed, and note what it would play after each of the ``budgets``.

    One search serves all budgets: with the same seed, a longer search starts like a shorter one.
    """
    budgets = sorted(budgets)
    step = gcd(STEP, *budgets)
    step *= max(1, budgets[-1] // (100 * step))  # a slider has no use for more places
    steps = sorted({*range(step, budgets[-1] + 1, step), *budgets})
    moves = list(game.legal_actions(state))
    played = dict.fromkeys(steps, 0)
    visits = {each: np.zeros((seeds, len(moves))) for each in steps}
    for seed in tracked(range(seeds), "searches"):
        search = MCTS(game, seed=seed, **(settings or {}))
        for each, result in results_at_budgets(search, state, steps):
            played[each] += result.best_action in wanted
            for child in search.root.children:
                visits[each][seed, moves.index(child.action)] = child.visits
    rows = [(each, played[each], span(wilson_interval(played[each], seeds))) for each in budgets]
    words = " or ".join(str(move) for move in wanted)
    return ByBudget(
        ("iterations", f"of {seeds}, play {words}", "share, 95 % interval"),
        rows, played,
        budgets=budgets, seeds=seeds, wanted=set(wanted), words=words, moves=moves,
        chance=len(wanted) / len(moves), visits=visits,
    )  # fmt: skip


def plot_counts(courses: Mapping[str, ByBudget]) -> tuple[Figure, Axes]:
    """Draw how many searches play a wanted move, by budget, in 95 % intervals."""
    figure, (axes,) = new_figure(height=3.0)
    curves = {}
    for name, found in courses.items():
        counts, seeds = [found[each] for each in found.budgets], found.seeds
        ends = np.array([wilson_interval(count, seeds) for count in counts]).T
        curves[name] = Curve(found.budgets, counts, *(seeds * ends))
    draw_curves(axes, curves, "95 % intervals", points=True)
    axes.set(ylim=(0, 1.03 * seeds), ylabel=f"of {seeds} searches")
    mark_budgets(axes, found.budgets)
    return figure, axes


# Many searches -----------------------------------------------------------------------------------


class Run(NamedTuple):
    """One search of an experiment, and what it found."""

    policy: str
    state: Any
    iterations: int
    seed: int
    best_action: Any
    visits: dict[Any, int]
    """By move of the root."""
    wins: dict[Any, float]
    """By move of the root, for the player who makes it."""


@door
def run_searches(
    game: Game[Any, Any],
    *,
    seeds: Iterable[int],
    iterations: Sequence[int],
    states: Sequence[Any] = (None,),
    policies: Mapping[str, Mapping[str, Any]] = MappingProxyType({"UCT": {}}),
    executor: Executor | None = None,
    progress: bool | None = None,
) -> list[Run]:
    """Search with every policy, from every state, with every budget and seed, in this order.

    ``policies`` gives each name the keyword arguments of an :class:`MCTS`, such as
    ``{"light": {}, "heavy": {"playout": win_then_block}}``; a state of ``None`` is the game's
    start. A progress bar counts what has come back; if you stop it, or a worker of the
    ``executor`` dies, what has come back is kept, and a sentence says so. Its processes load a
    policy by its name, so define your own in a module. Raises ``SearchError`` for an experiment
    without a search, and for what a search refuses.
    """
    of = require_list("seeds", seeds, "of whole numbers")
    budgets = require_list("iterations", iterations, "of whole numbers")
    starts = require_list("states", states, "of positions")
    right = isinstance(policies, Mapping) and all(isinstance(p, Mapping) for p in policies.values())
    kind = 'a dict of what each search is given, such as {"bold": {"c": 3}}'
    require(right, "policies", kind, policies)
    asked = list(product(policies, starts, budgets, of))
    if not asked:
        raise SearchError("The experiment is empty: give at least one seed, budget and state.")
    check_executor(executor, (game, [*policies.values()], starts))
    with progress_bar(len(asked), progress, "searches") as show:
        runs, stopped = gathered(executor, partial(_run, game, policies), asked, show)
    if stopped:
        count = f"{len(runs):,} of {len(asked):,}"
        say(f"Only {count} searches came back before {stopped}. These are kept.")
    return runs


def _run(
    game: Game[Any, Any],
    policies: Mapping[str, Mapping[str, Any]],
    asked: tuple[str, Any, int, int],
) -> Run:
    policy, state, iterations, seed = asked
    search = MCTS(game, seed=seed, **policies[policy])
    result = search.search(state, iterations=iterations, progress=False)
    visits = {child.action: child.visits for child in search.root.children}
    wins = {child.action: child.wins for child in search.root.children}
    return Run(*asked, result.best_action, visits, wins)


# Work that is done here, or by an executor --------------------------------------------

BATCH: Final = 10
"""Tasks sent to a worker at a time: enough to outweigh the sending; an even number of games."""
Task = TypeVar("Task")
Result = TypeVar("Result")


def check_executor(executor: Executor | None, work: object) -> None:
    """Raise ``SearchError`` for what is none, and for ``work`` that its processes cannot be sent.

    Asked before anything is sent, because a pool of processes may hang when it cannot send.
    """
    if executor is not None and not callable(getattr(executor, "map", None)):
        raise SearchError(
            f"executor is {short_repr(executor)}: give an executor, such as "
            "ProcessPoolExecutor(4) from concurrent.futures."
        )
    # Where there is such a pool, its module is loaded; a browser's Python cannot load it.
    processes = sys.modules.get("concurrent.futures.process")
    if processes and isinstance(executor, processes.ProcessPoolExecutor):
        try:
            pickle.dumps(work)
        except Exception as error:
            raise SearchError(
                f"This cannot be sent to the executor's workers ({error}): define your players, "
                "rules and games in a module and not in a cell, or leave the executor out."
            ) from error


def gathered(
    executor: Executor | None,
    act: Callable[[Task], Result],
    tasks: Sequence[Task],
    show: Callable[[int], object],
) -> tuple[list[Result], str]:
    """The results of the tasks, in their order, and what ended it early, if anything did."""
    results: list[Result] = []
    try:
        if executor is None:
            found: Iterator[Result] = map(act, tasks)
        else:
            batches = [tasks[start : start + BATCH] for start in range(0, len(tasks), BATCH)]
            found = chain.from_iterable(executor.map(partial(_each, act), batches))
        for result in found:
            results.append(result)
            show(len(results))
    except KeyboardInterrupt:
        return results, "you stopped it"
    except Exception as error:
        if not isinstance(error, BrokenExecutor) and type(error).__name__ != "KilledWorker":
            raise  # the second is Dask's
        if not results:
            raise SearchError(
                f"A worker of the executor has died ({reason(error)}): make a new executor, and "
                "define players and policies of your own in a module and not in a cell."
            ) from error
        return results, "a worker of the executor died"
    return results, ""


def _each(act: Callable[[Task], Result], batch: Sequence[Task]) -> list[Result]:
    return list(map(act, batch))


# The regret of a policy on a bandit -----------------------------------------------------

Floats = NDArray[np.float64]


def one_decision(bandit: Bandit, seed: int | None = None, **policies: Any) -> MCTS:
    """A search whose tree is the one decision: a child for each arm, and nothing below."""
    return MCTS(bandit, seed=seed, initial_expansion=pre_expanded(1), expansion=expand_root_only, **policies)


@door
def pull(bandit: Bandit, pulls: int, seed: int | None = None, **policies: Any) -> str:
    """The arms that a search on a ``bandit`` pulls, one letter a pull.

    The search is an ordinary :class:`MCTS` with these ``policies``, UCB1 if there are none, whose
    tree is the one decision. With the same ``seed``, policies that draw nothing themselves meet
    the same luck: pull number n draws the same ticket for each of them.
    """
    trace = one_decision(bandit, seed, **policies).record(iterations=pulls, progress=False)
    return "".join(trace.label(leaf) for leaf in trace.leaf)


@door
def regret(bandit: Bandit, pulls: Sequence[str]) -> Floats:
    """After each of these ``pulls``: how much the best arm would have won more, on average.

    A pull adds the best arm's chance less that of the pulled arm, whatever the luck was: so it
    never falls, and a pull of the best arm adds nothing. Source: Auer, Cesa-Bianchi, Fischer
    (2002), where it is the expected regret.
    """
    require(isinstance(bandit, Bandit), "bandit", "a Bandit, such as Bandit((0.3, 0.6))", bandit)
    best = max(bandit.chances)
    return np.cumsum([best - bandit.chance(arm) for arm in pulls], dtype=np.float64)


@door
def regrets(
    bandit: Bandit,
    policies: Mapping[str, Mapping[str, Any]],
    *,
    pulls: int,
    seeds: Iterable[int],
) -> dict[str, Floats]:
    """By name of a policy: the :func:`regret` of each seed (rows) after each pull (columns).

    ``policies`` gives each name the keyword arguments of :class:`MCTS`, such as
    ``{"UCB1": {}, "greedy": {"selection": win_rate}}``.
    """
    right = isinstance(policies, Mapping) and all(isinstance(p, Mapping) for p in policies.values())
    require(right, "policies", 'a dict of dicts, such as {"UCB1": {}}', policies)
    seeds = require_list("seeds", seeds, "of whole numbers")
    rows: dict[str, list[Floats]] = {name: [] for name in policies}
    for name, seed in tracked(list(product(policies, seeds)), "searches"):
        rows[name].append(regret(bandit, pull(bandit, pulls, seed, **policies[name])))
    return {name: np.array(found) for name, found in rows.items()}
