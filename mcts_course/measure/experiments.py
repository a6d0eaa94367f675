"""Experiments: positions to measure in, searches that play a move, and bandits."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import cache, partial
from random import Random
from statistics import fmean
from types import MappingProxyType
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from mcts_viz.errors import require, require_one_of
from mcts_viz.games import Game, TicTacToe
from mcts_viz.games.bandit import Bandit
from mcts_viz.search import MCTS, SearchResult, solve
from mcts_viz.search.checks import require_list
from mcts_viz.search.running import progress_bar
from mcts_viz.search.variants import expand_root_only, pre_expanded

from ..show.figures import COLOURS, Axes, Curve, Figure, draw_curves, mark_budgets, new_figure
from ..show.tables import Table, span
from ..typed import typed_door
from .intervals import Interval, difference_interval, paired_gain, verdict, wilson_interval
from .plots import Course, plot_shares
from .workers import done_by

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
    search: MCTS, state: Hashable, budgets: Iterable[int]
) -> Iterator[tuple[int, SearchResult]]:
    """The result of one search after each of the budgets, which rise."""
    search.start(state)
    for budget in budgets:
        yield budget, whole(search.run(iterations=budget - search.iterations, progress=False))


def whole(result: SearchResult) -> SearchResult:
    """The result of a search that was not interrupted; else the interrupt ends the experiment,
    too."""
    if result.interrupted:
        raise KeyboardInterrupt
    return result


def right_by_position(
    positions: Sequence[Any],
    search: Callable[[int], MCTS],
    seeds: int,
    budgets: Sequence[int],
    executor: Executor | None = None,
) -> dict[int, list[float]]:
    """The share of searches that keep what a position is worth, for each budget and position.

    Every search has another seed, so what they find is independent.
    """
    tasks = [
        (search, seed, state, tuple(budgets), best_moves(state))
        for place, state in enumerate(positions)
        for seed in range(place * seeds, (place + 1) * seeds)
    ]
    found = _all_done(executor, tasks)
    shares: dict[int, list[float]] = {budget: [] for budget in budgets}
    for place in range(len(positions)):
        mine = [found[one] for one in range(place * seeds, (place + 1) * seeds) if one in found]
        for budget, counts in zip(budgets, zip(*mine, strict=True), strict=True):
            shares[budget].append(fmean(counts))
    return shares


def _right(
    search: Callable[[int], MCTS],
    seed: int,
    state: Hashable,
    budgets: Sequence[int],
    wanted: Container[Any],
) -> list[bool]:
    """For each budget: whether the search with that seed would then play a ``wanted`` move."""
    one, (*earlier, last) = search(seed), budgets
    results = results_at_budgets(one, state, earlier)
    right = [result.best_action in wanted for _, result in results]
    return [*right, move_after(one, last) in wanted]


def _all_done(executor: Executor | None, tasks: Sequence[tuple[Any, ...]]) -> dict[int, list[bool]]:
    """The results of :func:`_right` for each task; an interrupt ends the whole experiment."""
    done = done_by(executor, _right, tasks, "searches")
    if done.stopped:
        raise KeyboardInterrupt
    return done.by_place


def moves_played(searches: Iterable[MCTS], state: Hashable, iterations: int) -> list[Any]:
    """The move of each search after ``iterations``."""
    return [move_after(search, iterations) for search in searches if search.start(state)]


BY_VISITS: Final = {"robust_child", "first_most_visited"}
"""The rules for the final move that make the most visited one, by name."""
FEW: Final = 250
"""Iterations that are run without a look at whether they can change the move."""


def move_after(search: MCTS, iterations: int) -> Any:
    """The move of a search that has been started, after ``iterations``.

    Where the most visited move is made, the search stops once no other can catch up.
    """
    by_visits = type(search) is MCTS and search.recommendation.__name__ in BY_VISITS
    root = search.root
    while (needed := iterations - search.iterations) and not search.solved:
        if by_visits and needed > FEW:
            *_, second, first = sorted([0, 0, *(child.visits for child in root.children)])
            if first - second > needed:
                break
            needed = (needed - first + second) // 2 + 1  # before that, another may catch up
        whole(search.run(iterations=needed, progress=False))
    return search.recommend([child for child in root.children if child.visits]).action


# Counts, and shares by position -----------------------------------------------------------------


class Counts(Table):
    """``counts[key]`` of ``seeds`` searches, or positions, did something, each with its
    interval."""

    def interval(self, key: Any) -> Interval:
        """The 95 % interval of a share."""
        return wilson_interval(self[key], self.seeds)

    def verdict(self, one: Any, other: Any, more: str, fewer: str, level: str) -> str:
        """``more`` or ``fewer``, if the interval of their difference lies wholly on that side of 0.

        Else ``level``, which can only mean that these searches do not tell.
        """
        difference = difference_interval(self[one], self[other], self.seeds)
        return verdict(difference, (0, 0), more, fewer, level)

    def figure(self) -> Figure:
        """The counts by budget, beside what moves picked at random would do."""
        figure, axes = plot_counts({f"play {self.words}": self})
        axes.axhline(self.seeds * self.chance, color=COLOURS["ink"], linestyle="--", linewidth=1)
        words = "a move picked at random"
        axes.annotate(words, (1.01, self.chance / 1.03), xycoords="axes fraction", fontsize=9)
        return figure


def count_table(head: str, did: str, counts: Mapping[Any, int], seeds: int, **facts: Any) -> Counts:
    """A row for each key below ``head``: how many of ``seeds`` ``did`` it, and how sure that is.

    >>> count_table("playouts", "draw", {"light": 9, "heavy": 5}, seeds=10)
    playouts  of 10, draw  share, 95 % interval
    light               9          0.60 to 0.98
    heavy               5          0.24 to 0.76
    """
    rows = [(key, count, span(wilson_interval(count, seeds))) for key, count in counts.items()]
    heads = (head, f"of {seeds}, {did}", "share, 95 % interval")
    return Counts(heads, rows, counts, seeds=seeds, **facts)


def by_budget(
    game: Game[Any, Any],
    state: Hashable,
    wanted: Sequence[Any],
    budgets: Sequence[int],
    seeds: int = 100,
    settings: Mapping[str, Any] = MappingProxyType({}),
    executor: Executor | None = None,
) -> Counts:
    """Run one search a seed, and count those that would play a ``wanted`` move after each budget.

    One search serves all budgets: with the same seed, a longer search starts like a shorter one.
    """
    rising = tuple(sorted({*budgets}))
    make = partial(_search_of, game, dict(settings))
    tasks = [(make, seed, state, rising, tuple(wanted)) for seed in range(seeds)]
    found = _all_done(executor, tasks)
    counts = map(sum, zip(*found.values(), strict=True))
    played, seeds = dict(zip(rising, counts, strict=True)), len(found)
    words = " or ".join(map(str, wanted))
    chance = len(wanted) / len(game.legal_actions(state))
    return count_table(
        "iterations", f"play {words}", played, seeds, wanted={*wanted}, words=words, chance=chance
    )


def _search_of(game: Game[Any, Any], settings: Mapping[str, Any], seed: int) -> MCTS:
    return MCTS(game, seed=seed, **settings)


def plot_counts(courses: Mapping[str, Counts]) -> tuple[Figure, Axes]:
    """Draw how many searches play a wanted move, by budget, in 95 % intervals."""
    figure, (axes,) = new_figure(height=3.0)
    curves = {}
    for name, found in courses.items():
        budgets, seeds = list(found.by), found.seeds
        ends = np.array([found.interval(budget) for budget in budgets]).T
        curves[name] = Curve(budgets, list(found.by.values()), *(seeds * ends))
    draw_curves(axes, curves, "95 % intervals", points=True)
    axes.set(ylim=(0, 1.03 * seeds), ylabel=f"of {seeds} searches")
    mark_budgets(axes, budgets)
    return figure, axes


class Shares(Table):
    """Mean shares, ``shares[name, condition]``; each position's are in
    ``courses[name][condition]``.

    It is shown as the curves of :func:`mcts_course.plot_shares`.
    """

    def gain(self, one: str, other: str, form: str = "+.3f") -> Table:
        """Return how much more ``one`` finds than ``other`` under each condition, position by
        position.
        """
        for name in (one, other):
            require_one_of("The name", name, self.courses)
        rows = []
        for condition, found in self.courses[one].items():
            gain, interval = paired_gain(found, self.courses[other][condition])
            rows.append((condition, f"{gain:{form}}", span(interval, form)))
        return Table((self.unit, f"{one} minus {other}", "95 % interval"), rows)


def share_table(courses: Mapping[str, Course], unit: str, **shown: Any) -> Shares:
    """A row for each course: the mean of the shares under each condition, such as a budget.

    ``unit`` says what the conditions are, and ``shown`` is for ``plot_shares``, such as ``ylabel``.
    """
    means = {
        (name, c): fmean(found) for name, course in courses.items() for c, found in course.items()
    }
    conditions = list(next(iter(courses.values())))
    rows = [(name, *(f"{means[name, c]:.2f}" for c in conditions)) for name in courses]
    heads = ("right", *(f"{c:,} {unit}" for c in conditions))
    return Shares(
        heads, rows, means, lambda: plot_shares(courses, unit, **shown), courses=courses, unit=unit
    )


# The regret of a policy on a bandit -----------------------------------------------------

Floats = NDArray[np.float64]


@typed_door
def one_decision(bandit: Bandit, seed: int | None = None, **policies: Any) -> MCTS:
    """A search whose tree is the one decision: a child for each arm, and nothing below."""
    return MCTS(
        bandit, seed=seed, initial_expansion=pre_expanded(1), expansion=expand_root_only, **policies
    )


@typed_door
def pull(bandit: Bandit, pulls: int, seed: int | None = None, **policies: Any) -> str:
    """The arms that a search on a ``bandit`` pulls, one letter a pull.

    The search is an ordinary :class:`MCTS` with these ``policies``, UCB1 if there are none, whose
    tree is the one decision. With the same ``seed``, policies that draw nothing themselves meet
    the same luck: pull number n draws the same ticket for each of them.
    """
    trace = one_decision(bandit, seed, **policies).record(iterations=pulls, progress=False)
    if len(trace) < pulls:
        raise KeyboardInterrupt  # it was stopped
    labels = list(map(trace.label, range(len(trace.parent))))
    return "".join(labels[leaf] for leaf in trace.leaf.tolist())


def regret(bandit: Bandit, pulls: Sequence[str]) -> Floats:
    """After each of these ``pulls``: how much the best arm would have won more, on average.

    A pull adds the best arm's chance less that of the pulled arm, whatever the luck was: so it
    never falls, and a pull of the best arm adds nothing. Source: Auer, Cesa-Bianchi, Fischer
    (2002), where it is the expected regret.
    """
    require(isinstance(bandit, Bandit), "bandit", "a Bandit, such as Bandit((0.3, 0.6))", bandit)
    require(isinstance(pulls, Iterable), "pulls", "the letters that pull returned", pulls)
    require({*pulls} <= {*bandit.arms}, "pulls", f"letters among {', '.join(bandit.arms)}", pulls)
    best = max(bandit.chances)
    lost = {arm: best - bandit.chance(arm) for arm in bandit.arms}
    return np.cumsum([lost[arm] for arm in pulls], dtype=np.float64)


def regrets(
    bandit: Bandit,
    policies: Mapping[str, Mapping[str, Any]],
    *,
    pulls: int,
    seeds: Iterable[int],
    executor: Executor | None = None,
) -> dict[str, Floats]:
    """The :func:`regret` of each policy, for each seed (rows) after each pull (columns).

    ``policies`` gives each name the keyword arguments of :class:`MCTS`, such as
    ``{"UCB1": {}, "greedy": {"selection": win_rate}}``.
    """
    right = isinstance(policies, Mapping) and all(isinstance(p, Mapping) for p in policies.values())
    require(right, "policies", 'a dict of dicts, such as {"UCB1": {}}', policies)
    seeds = require_list("seeds", seeds, "of whole numbers")
    require(seeds, "seeds", "one whole number or more, such as range(20)", seeds)
    tasks = [(bandit, pulls, dict(policies[name]), seed) for name in policies for seed in seeds]
    done = done_by(executor, _regret_of, tasks, "searches")
    if done.stopped:
        raise KeyboardInterrupt
    rows: dict[str, list[Floats]] = {name: [] for name in policies}
    for place, found in done.by_place.items():
        rows[[*policies][place // len(seeds)]].append(found)
    return {name: np.array(found) for name, found in rows.items()}


def _regret_of(bandit: Bandit, pulls: int, policies: Mapping[str, Any], seed: int) -> Floats:
    return regret(bandit, pull(bandit, pulls, seed, **policies))
