"""Work that is done here, or over any :class:`concurrent.futures.Executor`.

Such as the processes of this machine, ``client.get_executor()`` of a Dask cluster, or
``view.executor`` of ipyparallel. What comes of the work does not depend on where it is done.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from typing import TypeVar

from mcts_viz.errors import SearchError, reason, short_repr

Task = TypeVar("Task")
Result = TypeVar("Result")


def check_executor(executor: Executor | None, work: object) -> None:
    """Raise ``SearchError`` for what is none, and for ``work`` that its processes cannot be sent.

    Asked before anything is sent, because a pool of processes may hang when it cannot send.
    """
    if executor is not None and not callable(getattr(executor, "submit", None)):
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
    act: Callable[[Task], Sequence[Result]],
    tasks: Sequence[Task],
    show: Callable[[int], object],
) -> tuple[list[Result], str]:
    """The results of the tasks, in their order, and what ended it early, if anything did."""
    results: list[Result] = []
    try:
        for part in _parts(executor, act, tasks):
            results += part
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


def _parts(
    executor: Executor | None, act: Callable[[Task], Sequence[Result]], tasks: Sequence[Task]
) -> Iterator[Sequence[Result]]:
    """Yield the result of each task; those that are not needed are not started."""
    if executor is None:
        yield from map(act, tasks)
        return
    futures = [executor.submit(act, task) for task in tasks]
    try:
        for future in futures:
            yield future.result()
    finally:
        for future in futures:
            future.cancel()
