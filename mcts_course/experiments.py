"""Many searches at once: every combination of policies, positions, budgets and seeds.

They run one after the other, or over any :class:`concurrent.futures.Executor`: the processes of
this machine, ``client.get_executor()`` of a Dask cluster, ``view.executor`` of ipyparallel. What
they find does not depend on where they run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future
from itertools import product
from typing import Any, Final, NamedTuple

from mcts_viz.errors import SearchError, shown
from mcts_viz.games import Game
from mcts_viz.games.boards import listed
from mcts_viz.search.checks import is_whole, require_list, require_names
from mcts_viz.search.mcts import MCTS
from mcts_viz.search.policies import TAKES
from mcts_viz.search.positions import check_rules
from mcts_viz.search.progress import Progress

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


SETTINGS: Final = ("c", *TAKES)
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
            f"executor is {shown(executor)}, but an executor takes work to its workers: write "
            "executor=ProcessPoolExecutor(4), from concurrent.futures."
        )


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
    return [executor.submit(_search_all, batch) for batch in batches] if executor else batches


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
