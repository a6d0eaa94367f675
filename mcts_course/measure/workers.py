"""Work that falls into pieces, done here one by one, or by the workers of an executor.

An executor is anything of the kind of ``concurrent.futures``: processes of this machine, or those
of a cluster. The answers are the same for any number of workers and in any order, because each
piece knows its place, and takes its chance from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from pickle import PicklingError
from queue import SimpleQueue
from typing import Any, Final, NamedTuple
from warnings import warn

from mcts_viz.errors import SearchError, counted, reason, require
from mcts_viz.search.running import progress_bar

DEATHS: Final = ("BrokenExecutor", "KilledWorker", "EngineError", "ArrayLostError")
"""By name, since they are not all here: the errors of a worker that died over its piece."""


class Lost(NamedTuple):
    """In place of an answer: the worker died that had the piece."""

    why: str


class Answers(NamedTuple):
    """The answers by place, in order; those are missing that were lost, or were not begun."""

    by_place: dict[int, Any]
    lost: int
    """Pieces whose worker died."""
    stopped: bool
    """True if an interrupt ended the work early."""


def done_by(
    executor: Executor | None,
    act: Callable[..., Any],
    tasks: Sequence[tuple[Any, ...]],
    unit: str,
    progress: bool | None = None,
    heard: Callable[[Any], object] | None = None,
) -> Answers:
    """``act(*task)`` for each task, by the executor's workers, or here if there is none.

    ``heard`` is called with each answer when it comes. An interrupt cancels what is not begun, and
    keeps what is done. A worker that dies costs its own piece, which a warning tells. An error that
    ``act`` raises ends the work and is raised.
    """
    kind = "an executor, such as concurrent.futures.ProcessPoolExecutor()"
    right = executor is None or callable(getattr(executor, "submit", None))
    require(right, "executor", kind, executor)
    found: dict[int, Any] = {}
    stopped = False
    pieces = _far(executor, act, tasks) if executor else _here(act, tasks)
    try:
        with progress_bar(len(tasks), progress, unit) as show:
            for place, answer in pieces:
                found[place] = answer
                show(len(found))
                if heard and not isinstance(answer, Lost):
                    heard(answer)
    except KeyboardInterrupt:
        stopped = True
    lost = [answer for answer in found.values() if isinstance(answer, Lost)]
    if lost:
        warn(
            f"{counted(len(lost), 'piece')} of {len(tasks):,} ({unit}) had no answer, because the "
            f"worker died ({lost[0].why}): the results are of the others.",
            stacklevel=3,
        )
    whole = {place: found[place] for place in sorted(found) if not isinstance(found[place], Lost)}
    return Answers(whole, len(lost), stopped)


def _here(act: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
    for place, task in enumerate(tasks):
        yield place, act(*task)


def _far(
    executor: Executor, act: Callable[..., Any], tasks: Sequence[tuple[Any, ...]]
) -> Iterator[tuple[int, Any]]:
    """The answers of an executor's workers, as they come; what is not begun is cancelled at an
    end."""
    ready: SimpleQueue[Any] = SimpleQueue()
    futures: dict[Any, int] = {}
    left = dict(enumerate(tasks))
    try:
        for place, task in left.items():
            future = executor.submit(act, *task)
            futures[future] = place
            future.add_done_callback(ready.put)
        while left:
            future = ready.get()
            error = future.exception()
            if isinstance(error, BrokenExecutor):
                break
            place = futures[future]
            del left[place]
            yield place, Lost(reason(error)) if _is_death(error) else _answer(future)
    except BrokenExecutor:
        pass
    finally:
        for future in futures:
            future.cancel()
    if left:  # the pool broke, and does not say over which piece
        yield from _one_by_one(act, left)


def _is_death(error: BaseException | None) -> bool:
    return any(kind.__name__ in DEATHS for kind in type(error).__mro__)


def _answer(future: Any) -> Any:
    """The answer, or the error of the piece."""
    try:
        return future.result()
    except (PicklingError, AttributeError, TypeError) as error:
        if not any(words in str(error) for words in ("pickle", "local object")):
            raise
        raise SearchError(
            f"A piece of the work cannot be sent to the workers ({reason(error)}): they take "
            "functions of a module, none of a cell and no lambda."
        ) from error


def _process() -> Executor:
    """One process of this machine; a browser's Python has none, so it is looked for late."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(1, get_context("spawn"))


def _one_by_one(
    act: Callable[..., Any], tasks: dict[int, tuple[Any, ...]]
) -> Iterator[tuple[int, Any]]:
    """The answers of one process after another, of which each lives as long as it can."""
    pool: Executor | None = None
    try:
        for place, task in tasks.items():
            pool = pool or _process()
            try:
                yield place, pool.submit(act, *task).result()
            except BrokenExecutor as error:
                pool = None
                yield place, Lost(reason(error))
    finally:
        if pool:
            pool.shutdown(cancel_futures=True)
