"""Experiments: many searches, here or on many machines, and how many of them play a move."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from itertools import product
from math import gcd
from statistics import fmean
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from mcts_viz.errors import SearchError, door, require
from mcts_viz.games import Game
from mcts_viz.search import MCTS, SearchResult
from mcts_viz.search.checks import require_list
from mcts_viz.search.running import progress_bar

from .contested import best_moves
from .feedback import say
from .figures import COLOURS, Axes, Curve, Figure, Slider, draw_curves, mark_budgets, new_figure
from .intervals import wilson_interval
from .tables import Table, span
from .workers import check_executor, gathered

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


def right_shares(searches: Iterable[MCTS], state: Any, budgets: Sequence[int]) -> dict[int, float]:
    """By budget: the share of the searches that keep what a tic-tac-toe position is worth."""
    best = best_moves(state)
    found = [
        [result.best_action in best for _, result in results_at_budgets(search, state, budgets)]
        for search in searches
    ]
    return dict(zip(budgets, map(fmean, zip(*found, strict=True)), strict=True))


def right_by_position(
    positions: Sequence[Any], search: Callable[[int], MCTS], seeds: int, budgets: Sequence[int]
) -> dict[int, list[float]]:
    """By budget: the share of the searches, one for each seed, that are right, by position."""
    found = [
        right_shares(map(search, range(seeds)), state, budgets)
        for state in tracked(positions, "positions")
    ]
    return {budget: [shares[budget] for shares in found] for budget in budgets}


def moves_played(searches: Iterable[MCTS], state: Any, iterations: int) -> list[Any]:
    """The move of each search after ``iterations``."""
    return [
        search.search(state, iterations=iterations, progress=False).best_action
        for search in searches
    ]


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


class Plan(NamedTuple):
    """Searches of one policy from one state that differ in their seeds alone."""

    game: Game[Any, Any]
    settings: Mapping[str, Any]
    policy: str
    state: Any
    iterations: int
    seeds: Sequence[int]


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
    batches = [of[start : start + BATCH] for start in range(0, len(of), BATCH)]
    plans = [
        Plan(game, settings, name, state, budget, batch)
        for (name, settings), state, budget in product(policies.items(), starts, budgets)
        for batch in batches
    ]
    count = sum(len(plan.seeds) for plan in plans)
    if not count:
        raise SearchError("The experiment is empty: give at least one seed, budget and state.")
    check_executor(executor, (game, [*policies.values()], starts))
    with progress_bar(count, progress, "searches") as show:
        runs, stopped = gathered(executor, _runs, plans, show)
    if stopped:
        say(f"Only {len(runs):,} of {count:,} searches came back before {stopped}. These are kept.")
    return runs


def _runs(plan: Plan) -> list[Run]:
    game, settings, policy, state, iterations, seeds = plan
    runs = []
    for seed in seeds:
        search = MCTS(game, seed=seed, **settings)
        result = search.search(state, iterations=iterations, progress=False)
        children = search.root.children
        visits = {child.action: child.visits for child in children}
        wins = {child.action: child.wins for child in children}
        runs.append(Run(policy, state, iterations, seed, result.best_action, visits, wins))
    return runs
