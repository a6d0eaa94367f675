"""Experiments of a lesson: how they are run, and a table of what was found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from mcts_viz.search import MCTS, SearchResult
from mcts_viz.search.progress import Progress

Item = TypeVar("Item")


class Table:
    """Rows under ``heads``, shown as aligned text; ``facts`` are its attributes."""

    def __init__(self, heads: Sequence[str], rows: Sequence[Sequence[Any]], **facts: Any) -> None:
        self.heads, self.rows = tuple(heads), [tuple(row) for row in rows]
        vars(self).update(facts)

    def __getattr__(self, name: str) -> Any:  # for type checkers: facts differ from table to table
        raise AttributeError(f"This table has no {name!r}: it has {', '.join(vars(self))}.")

    def __repr__(self) -> str:
        cells = [self.heads, *([_cell(value) for value in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        return "\n".join(
            "  ".join(
                cell.rjust(width) if place else cell.ljust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in cells
        )


def _cell(value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def span(interval: tuple[float, float], form: str = ".2f") -> str:
    """An interval in words, such as ``0.42 to 0.58``."""
    low, high = interval
    return f"{low:{form}} to {high:{form}}"


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
