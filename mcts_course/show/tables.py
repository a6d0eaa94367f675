"""Tables of experiments, with their numbers by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Any

from mcts_viz.errors import fits, listed, require, require_one_of
from mcts_viz.search import Node

from ..typed import typed_door
from .figures import Figure


class Table:
    """Rows under ``heads``, shown as aligned text, or as the ``picture`` that is called for it.

    ``table[key]`` is that of ``by``, and ``facts`` are its attributes.
    """

    picture: Callable[[], Figure] | None = None

    def __init__(
        self,
        heads: Sequence[str],
        rows: Sequence[Sequence[Any]],
        by: Mapping[Any, Any] | None = None,
        picture: Callable[[], Figure] | None = None,
        **facts: Any,
    ) -> None:
        self.heads, self.rows = tuple(heads), [tuple(row) for row in rows]
        self.by = by or {}
        vars(self).update(facts)
        if picture:
            self.picture = picture

    def __getitem__(self, key: Any) -> Any:
        require_one_of("What this table is asked for", key, self.by)
        return self.by[key]

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        if self.picture is None:
            return {"text/plain": repr(self)}
        forms, words = self.picture()._repr_mimebundle_()
        return {**forms, "text/plain": repr(self)}, words

    def __getattr__(self, name: str) -> Any:  # for type checkers: facts differ from table to table
        raise AttributeError(f"This table has no {name!r}: it has {listed(vars(self))}.")

    @property
    def cells(self) -> list[list[str]]:
        """The heads, and the rows, each cell as one line of text."""
        return [[_cell(value) for value in row] for row in (self.heads, *self.rows)]

    def __repr__(self) -> str:
        cells = self.cells
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        return "\n".join(
            "  ".join(
                cell.rjust(width) if place else cell.ljust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in cells
        )


def _cell(value: object) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.3g}"
    return printable(str(value))


def printable(text: str) -> str:
    """Return the text on one line, a space for every sign that is not shown."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def span(interval: tuple[float, float], form: str = ".2f") -> str:
    """An interval in words, such as ``0.42 to 0.58``."""
    low, high = interval
    form = form.replace(".", "z.", 1)  # 0.00, and never -0.00
    return f"{low:{form}} to {high:{form}}"


# Wins and visits by move ---------------------------------------------------------------------

Share = tuple[float, int]
"""Wins and visits."""


def require_shares(shares: Mapping[Any, Any]) -> None:
    """Raise ``SearchError`` unless each move has its wins and its visits, at least one of these."""
    for move, share in shares.items():
        right = isinstance(share, tuple | list) and len(share) == 2
        right = right and fits(share[1], 1, whole=True) and fits(share[0], 0, share[1])
        require(right, f"The share of {move!r}", "its wins and its visits, such as (3, 4)", share)


@typed_door
def children(shares: Mapping[Any, Share]) -> list[Node]:
    """Nodes as the children of a root have them, each visited at least once."""
    require_shares(shares)
    nodes = []
    for number, (move, (wins, visits)) in enumerate(shares.items(), 1):
        node = Node(number, move, None, 0, created_at=number)
        node.wins, node.visits = wins, visits
        node.mean, node.inv_sqrt_visits = wins / visits, 1 / sqrt(visits)
        nodes.append(node)
    return nodes
