"""What an experiment of a lesson found: a table to read, and the numbers in it by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


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
    form = form.replace(".", "z.", 1)  # 0.00, and never -0.00
    return f"{low:{form}} to {high:{form}}"
