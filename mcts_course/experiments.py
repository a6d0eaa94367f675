"""Experiments: many searches, one after the other or many at once.

``run_searches`` tries every combination of policies, positions, budgets and seeds. It runs them one
after the other, or over any :class:`concurrent.futures.Executor`: the processes of this machine,
``client.get_executor()`` of a Dask cluster, ``view.executor`` of ipyparallel. What it finds does
not depend on where they run.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from itertools import product
from math import gcd
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from mcts_viz.errors import SearchError, shown
from mcts_viz.games import Game
from mcts_viz.games.boards import listed
from mcts_viz.search import MCTS, SearchResult
from mcts_viz.search.checks import is_whole, require_list, require_names
from mcts_viz.search.policies import KINDS
from mcts_viz.search.positions import check_rules
from mcts_viz.search.progress import Progress

from .figures import COLOURS, Axes, Figure, Slider, new_figure
from .intervals import wilson_interval
from .predict import Prediction, draw_guesses
from .tables import Table, span

Item = TypeVar("Item")


def tracked(items: Sequence[Item], unit: str, progress: bool | None = None) -> Iterator[Item]:
    """The items one by one; a bar shows how many are done, if that takes long."""
    with Progress(len(items), progress, unit) as bar:
        for done, item in enumerate(items, 1):
            yield item
            bar.show(done)


def staged(search: MCTS, state: Any, budgets: Sequence[int]) -> Iterator[tuple[int, SearchResult]]:
    """The result of one search after each of the budgets, which rise."""
    search.start(state)
    for budget in budgets:
        yield budget, search.run(iterations=budget - search.iterations, progress=False)


def moves_played(searches: Iterable[MCTS], state: Any, iterations: int) -> list[Any]:
    """What each of the searches plays after so many iterations."""
    return [
        search.search(state, iterations=iterations, progress=False).best_action
        for search in searches
    ]


# How many play a move, by their number of iterations --------------------------------------------

STEP = 10
"""Iterations between two places of the slider, at most."""


class ByBudget(Table):
    """``found[budget]`` searches of ``seeds`` play one of the ``wanted`` moves."""

    def figure(self, guesses: Mapping[int, Prediction] | None = None) -> Figure:
        """The counts in their 95 % intervals, beside your ``guesses`` by budget."""
        figure, axes = plot_counts({f"play {self.words}": self})
        told = guesses or {}
        draw_guesses(axes, [guess.value for guess in told.values()], list(told))
        look: dict[str, Any] = {"color": COLOURS["ink"], "linestyle": "--", "linewidth": 1}
        axes.axhline(self.seeds * self.chance, label="a move picked at random", **look)
        axes.legend(frameon=False, fontsize=9)
        return figure

    def shares(self, iterations: int) -> Figure:
        """After so many iterations: the mean share of the visits that each move has, as bars."""
        figure, (axes,) = new_figure(7.2, 2.4)
        visits = self.visits[iterations]
        means = (visits / visits.sum(axis=1, keepdims=True)).mean(axis=0)
        look = [COLOURS["move-1" if move in self.wanted else "move-0"] for move in self.moves]
        axes.bar([str(move) for move in self.moves], means, color=look)
        axes.set(ylabel="share of the visits", ylim=(0, 1), xlabel="move")
        title = f"{iterations} iterations: {self[iterations]} of {self.seeds} play {self.words}"
        axes.set_title(title, fontsize=10)
        return figure

    def slider(self) -> Slider:
        """Drag the number of iterations, and watch the visits move."""
        steps = list(self.by)
        return Slider(lambda iterations: self.shares(iterations), "iterations", steps, steps[0])


def by_budget(
    game: Any,
    state: Any,
    wanted: Sequence[Any],
    budgets: Sequence[int],
    seeds: int = 100,
    settings: Mapping[str, Any] | None = None,
    kind: type[MCTS] = MCTS,
) -> ByBudget:
    """Run one search a seed, and note what it would play after each of the ``budgets``.

    One search serves all budgets: with the same seed, a longer search begins like a shorter one.
    """
    budgets = sorted(budgets)
    step = gcd(STEP, *budgets)
    steps = sorted({*range(step, budgets[-1] + 1, step), *budgets})
    moves = list(game.legal_actions(state))
    played = dict.fromkeys(steps, 0)
    visits = {each: np.zeros((seeds, len(moves))) for each in steps}
    for seed in tracked(range(seeds), "searches"):
        search = kind(game, seed=seed, **(settings or {}))
        for each, result in staged(search, state, steps):
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
    """How many searches play a wanted move, by budget, in 95 % intervals."""
    figure, (axes,) = new_figure(7.2, 3.0)
    for number, (name, found) in enumerate(courses.items()):
        ends = [wilson_interval(found[each], found.seeds) for each in found.budgets]
        low, high = ([found.seeds * end for end in side] for side in zip(*ends, strict=True))
        colour = COLOURS[f"move-{number}"]
        axes.vlines(found.budgets, low, high, color=colour)
        counts = [found[each] for each in found.budgets]
        axes.plot(found.budgets, counts, "so"[number - 1] + "-", color=colour, label=name)
        axes.set(xscale="log", xlabel="iterations", ylim=(0, 1.03 * found.seeds))
        axes.set_ylabel(f"of {found.seeds} searches, 95 % intervals")
        axes.set_xticks(found.budgets, [f"{each:,}" for each in found.budgets])
    axes.minorticks_off()
    return figure, axes


# Many at once -----------------------------------------------------------------------------------

BATCH: Final = 25
"""Searches sent to a worker at a time: enough to outweigh the sending."""


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


SETTINGS: Final = ("c", *KINDS)
"""What a policy of an experiment may set; seeds are given apart."""
Task = tuple[Game[Any, Any], str, Mapping[str, Any], Any, int, int]


def run_searches(
    game: Game[Any, Any],
    *,
    seeds: Iterable[int],
    iterations: int | Iterable[int],
    states: Sequence[Any] | None = None,
    policies: Mapping[str, Mapping[str, Any]] | None = None,
    executor: Executor | None = None,
    progress: bool | None = None,
) -> list[Run]:
    """Search with every policy, from every state, with every budget and seed, in this order.

    ``policies`` gives each name the keyword arguments of :class:`MCTS`, such as
    ``{"light": {}, "heavy": {"playout": win_then_block}}``; without it there is one, "UCT".
    ``states`` defaults to the game's start. Other processes must be able to load a policy by its
    name, so define your own in a module.
    """
    check_rules(game)
    require_executor(executor)
    one = is_whole(iterations)
    budgets = [iterations] if one else require_list("iterations", iterations, "of budgets")
    named = require_settings(policies or {"UCT": {}})
    starts = (
        [game.initial_state()] if states is None else require_list("states", states, "of states")
    )
    require_sendable(executor, (game, [*named.values()], starts))
    tasks: list[Task] = [
        (game, name, settings, state, budget, seed)
        for (name, settings), state, budget, seed in product(
            named.items(),
            starts,
            budgets,
            require_list("seeds", seeds, "of seeds"),
        )
    ]
    if not tasks:
        raise SearchError("The experiment is empty: give at least one seed, budget and state.")
    runs: list[Run] = []
    with Progress(len(tasks), progress, unit="searches") as bar:
        for batch in _batches(tasks, executor):
            runs += batch.result() if isinstance(batch, Future) else _search_all(batch)
            bar.show(len(runs))
    return runs


def require_executor(executor: object) -> None:
    """Raise ``SearchError`` for what is neither an executor nor ``None``."""
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise SearchError(
            f"executor is {shown(executor)}: give an executor, such as ProcessPoolExecutor(4) from "
            "concurrent.futures."
        )


def require_sendable(executor: Executor | None, work: object) -> None:
    """Raise ``SearchError`` for what processes cannot be sent.

    Asked before anything is sent, because a pool of processes may hang when it cannot send.
    """
    # Where there is such a pool, its module is loaded; a browser's Python cannot load it.
    processes = sys.modules.get("concurrent.futures.process")
    if processes and isinstance(executor, processes.ProcessPoolExecutor):
        try:
            pickle.dumps(work)
        except Exception as error:
            raise SearchError(
                f"This cannot be sent to the executor's workers ({error}): define players, rules "
                "and games of your own in a module and not in a cell, or leave the executor out."
            ) from error


def require_settings(policies: object) -> Mapping[str, Mapping[str, Any]]:
    """Raise ``SearchError`` unless ``policies`` gives each name keyword arguments of a search."""
    named = require_names("policies", policies, "the keyword arguments of MCTS")
    for name, settings in named.items():
        require_names(f"policies[{shown(name)}]", settings, "of an argument of MCTS its value")
        unknown = [setting for setting in settings if setting not in SETTINGS]
        if unknown:
            raise SearchError(
                f"policies[{shown(name)}] has {shown(unknown[0])}, but the settings are "
                f"{listed(SETTINGS)}."
            )
    return named


def _batches(
    tasks: list[Task], executor: Executor | None
) -> Sequence[list[Task]] | Sequence[Future[list[Run]]]:
    size = BATCH if executor else 1
    batches = [tasks[start : start + size] for start in range(0, len(tasks), size)]
    if not executor:
        return batches
    return [executor.submit(_search_all, batch) for batch in batches]


def _search_all(tasks: list[Task]) -> list[Run]:
    return [_search(*task) for task in tasks]


def _search(
    game: Game[Any, Any],
    name: str,
    settings: Mapping[str, Any],
    state: Any,
    iterations: int,
    seed: int,
) -> Run:
    search = MCTS(game, seed=seed, **settings)
    result = search.search(state, iterations=iterations, progress=False)
    children = search.root.children
    return Run(
        policy=name,
        state=state,
        iterations=iterations,
        seed=seed,
        best_action=result.best_action,
        visits={child.action: child.visits for child in children},
        wins={child.action: child.wins for child in children},
    )
