"""Connect Four of any size, on integers wide enough to test all four directions at once.

A player's pieces are one integer that holds four copies of the board side by side: by columns,
by rows and by both diagonals. Within a copy the cells of each line are neighbouring bits, and
every line is followed by one bit that is never set. So four in a row, in whatever direction, is
four neighbouring bits, and two shifts find them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from math import floor
from operator import getitem
from typing import Any

from ..errors import GameError, shown
from .boards import DRAW, WIN_OF, among, check_lines, listed, read_pieces
from .protocol import Game, Playout, RandomSource, Returns

__all__ = ["ConnectFour", "wide_cells"]

_MAX_SIDE = 20
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # (columns, rows) from a cell to the next


@cache
def wide_cells(rows: int, columns: int, connect: int) -> tuple[tuple[int, ...], ...]:
    """The bits of each cell, as ``[column][row]`` with row 0 at the bottom.

    A cell has one bit for each line of ``connect`` cells or more that runs through it.
    """
    masks = [[0] * rows for _ in range(columns)]
    bit = 1
    for columns_on, rows_on in _DIRECTIONS:
        lines = defaultdict(list)
        for column in range(columns):
            for row in range(rows):  # a step along the line leaves its key as it is
                lines[column * rows_on - row * columns_on].append((column, row))
        for line in lines.values():
            if len(line) >= connect:
                for column, row in line:
                    masks[column][row] |= bit
                    bit <<= 1
                bit <<= 1  # the gap
    return tuple(map(tuple, masks))


def _tops(column: int, cells: tuple[int, ...]) -> tuple[Any, ...]:
    """By height, a column's top: its number, the bits of the cell to fill next, the top after that.

    The top of a full column is ``None``.
    """
    tops: list[Any] = [None]
    for cell in reversed(cells):
        tops.append((column, cell, tops[-1]))
    return tuple(reversed(tops))


@dataclass(frozen=True)
class ConnectFour(Game[tuple[int, ...], int]):
    """Pieces fall to the bottom of a column; ``connect`` in a row win; X begins.

    A state is ``(x_bits, o_bits, height of column 0, height of column 1, ...)``, with the bits of
    :func:`wide_cells`. An action is the number of a column that is not full, 0 at the left.
    """

    rows: int = 6
    columns: int = 7
    connect: int = 4
    _cells: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    _tops: tuple[tuple[Any, ...], ...] = field(init=False, repr=False, compare=False)
    _all_cells: int = field(init=False, repr=False, compare=False)
    _all_columns: tuple[int, ...] = field(init=False, repr=False, compare=False)

    players = ("X", "O")

    def __post_init__(self) -> None:
        self._check_size()
        cells = wide_cells(self.rows, self.columns, self.connect)
        object.__setattr__(self, "_cells", cells)
        object.__setattr__(self, "_tops", tuple(map(_tops, range(self.columns), cells)))
        object.__setattr__(self, "_all_cells", sum(map(sum, cells)))
        object.__setattr__(self, "_all_columns", tuple(range(self.columns)))

    def _check_size(self) -> None:
        limits = {"rows": (1, _MAX_SIDE), "columns": (1, _MAX_SIDE), "connect": (2, 4)}
        for name, (low, high) in limits.items():
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise GameError(f"{name}={shown(value)}: give a whole number from {low} to {high}.")
        if max(self.rows, self.columns) < self.connect:
            raise GameError(
                f"No line of {self.connect} fits on {self.rows} rows and {self.columns} columns: "
                "enlarge the board or connect fewer."
            )

    @property
    def name(self) -> str:
        size = f"{self.rows} by {self.columns}"
        number = {2: "Two", 3: "Three", 4: "Four"}[self.connect]
        return f"Connect {number}" + ("" if self == ConnectFour() else f", {size}")

    def parameters(self) -> dict[str, int]:
        return {"rows": self.rows, "columns": self.columns, "connect": self.connect}

    def has_line(self, bits: int) -> bool:
        """Whether the pieces in ``bits`` hold ``connect`` in a row."""
        pairs = bits & bits >> 1
        return pairs & pairs >> self.connect - 2 != 0

    def initial_state(self) -> tuple[int, ...]:
        return (0, 0, *[0] * self.columns)

    def to_move(self, state: tuple[int, ...]) -> int:
        return sum(state[2:]) & 1

    def legal_actions(self, state: tuple[int, ...]) -> tuple[int, ...]:
        heights = state[2:]
        if self.rows not in heights:
            return self._all_columns
        return tuple([c for c, height in enumerate(heights) if height < self.rows])

    def play(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        first, second, *heights = state
        mover = sum(heights) & 1
        last = first if mover else second  # only who moved last may have a line
        if not among(action, self._all_columns) or self.has_line(last):
            raise self._refusal(state, action)
        column = self._all_columns.index(action)  # an int, whatever equals it
        if heights[column] == self.rows:
            raise self._refusal(state, action)
        cell = self._cells[column][heights[column]]
        heights[column] += 1
        return (first, second | cell, *heights) if mover else (first | cell, second, *heights)

    def is_terminal(self, state: tuple[int, ...]) -> bool:
        first, second = state[0], state[1]
        shift = self.connect - 2
        pairs, others = first & first >> 1, second & second >> 1
        return (  # has_line of either player, without the price of two calls
            pairs & pairs >> shift != 0
            or others & others >> shift != 0
            or first | second == self._all_cells
        )

    def returns(self, state: tuple[int, ...]) -> Returns:
        first, second = state[:2]
        if self.has_line(first):
            return WIN_OF[0]
        if self.has_line(second):
            return WIN_OF[1]
        if first | second == self._all_cells:
            return DRAW
        raise GameError(f"The game {self.text(state)!r} is not over: play on to get its returns.")

    def text(self, state: tuple[int, ...]) -> str:
        """The rows from the top, as letters X and O, with ``.`` for an empty cell."""
        first, second = state[:2]
        return "\n".join(
            "".join(
                "X" if first & column[row] else "O" if second & column[row] else "."
                for column in self._cells
            )
            for row in reversed(range(self.rows))
        )

    def parse(self, text: str) -> tuple[int, ...]:
        """The state of a board written as :meth:`text` does; raises ``GameError`` if impossible."""
        pieces = read_pieces(text, self.rows * self.columns)
        bits = [0, 0]
        heights = []
        for column, cells in enumerate(self._cells):
            stack = pieces[column :: self.columns][::-1]  # from the bottom
            height = len(stack) - stack.count(None)
            if None in stack[:height]:
                raise GameError(
                    f"On the board {text!r} a piece floats in column {column}: fill the empty "
                    "cells below it, or leave it out."
                )
            for cell, player in zip(cells, stack[:height], strict=False):
                bits[player or 0] |= cell
            heights.append(height)
        moved_last = 1 - sum(heights) % 2
        check_lines(text, (self.has_line(bits[0]), self.has_line(bits[1])), moved_last)
        tops = [cells[h - 1] for cells, h in zip(self._cells, heights, strict=True) if h]
        if tops and all(self.has_line(bits[moved_last] & ~top) for top in tops):
            raise GameError(
                f"On the board {text!r} the line of {self.players[moved_last]} was there before "
                "the last move: a line ends the game, so let one piece on top complete it."
            )
        return (*bits, *heights)

    def fast_playout(self, state: tuple[int, ...], random: RandomSource) -> Playout:
        """Play uniformly at random to the end, one random number a move.

        The same random numbers give the same game as in ``random_playout``, several times sooner.
        """
        draw, shift = random.random, self.connect - 2
        mine, theirs, *heights = state
        mover = sum(heights) & 1
        if mover:
            mine, theirs = theirs, mine
        tops = list(map(getitem, self._tops, heights))
        if self.rows in heights:
            tops = [top for top in tops if top]
        choices = float(len(tops))  # because a float times a float is sooner done
        actions: list[int] = []
        while True:
            pairs = theirs & theirs >> 1
            if pairs & pairs >> shift:  # has_line, without the price of a call
                returns = WIN_OF[mover ^ len(actions) & 1 ^ 1]
                break
            if choices == 0.0:
                returns = DRAW
                break
            drawn = floor(draw() * choices)
            column, cell, above = tops[drawn]
            actions.append(column)
            mine, theirs = theirs, mine | cell
            if above is not None:
                tops[drawn] = above
            else:
                del tops[drawn]
                choices -= 1.0
        return tuple.__new__(Playout, (actions, returns))  # Playout(...), in a third of the time

    def _refusal(self, state: tuple[int, ...], action: object) -> GameError:
        if self.is_terminal(state):
            return GameError(
                f"Column {shown(action)} cannot be played, the game is over and no column is "
                "legal: start from another state."
            )
        known = among(action, self._all_columns)
        why = "is full" if known else f"is not a column from 0 to {self.columns - 1}"
        return GameError(
            f"Column {shown(action)} {why}: choose one of the legal columns "
            f"{listed(self.legal_actions(state))}."
        )
