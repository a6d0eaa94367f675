"""Connect Four of any size, on integers that count the pieces of every line.

A player's pieces are one integer. For each row of four cells, in any direction, it has three
bits that count the pieces in them, and above these one bit a cell, to read the board.
So a move is a sum, and four in a row is a third bit that is set, wherever it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from math import floor
from operator import getitem
from typing import Any

from ..errors import GameError, fits, require
from .boards import BoardGame, letter_of
from .protocol import DRAW, WIN_OF, Playout, RandomSource
from .refusals import NOT_READ, legal_action, not_a_position, refusal

_MAX_SIDE = 20
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # (columns, rows) from a cell to the next


def _lines_along(
    across: int, up: int, rows: int, columns: int, connect: int
) -> Iterator[list[tuple[int, int]]]:
    """The lines of ``connect`` cells in one direction, each as (column, row) of its cells."""
    for column in range(columns - across * (connect - 1)):
        for row in range(rows):
            if 0 <= row + up * (connect - 1) < rows:
                yield [(column + i * across, row + i * up) for i in range(connect)]


@cache
def counting_cells(rows: int, columns: int, connect: int) -> tuple[tuple[int, ...], ...]:
    """The number that a piece in each cell adds, as ``[column][row]`` with row 0 at the bottom.

    One in the count of each line of ``connect`` cells that runs through it, and its own bit.
    """
    lines = [line for way in _DIRECTIONS for line in _lines_along(*way, rows, columns, connect)]
    adds = [
        [1 << 3 * len(lines) + column * rows + row for row in range(rows)]
        for column in range(columns)
    ]
    for number, line in enumerate(lines):
        for column, row in line:
            adds[column][row] += 1 << 3 * number
    return tuple(map(tuple, adds))


def _tops(column: int, cells: tuple[int, ...]) -> tuple[Any, ...]:
    """The tops of a column by height: its number, the bits of the next cell, the top after that.

    The top of a full column is ``None``.
    """
    tops: list[Any] = [None]
    for cell in reversed(cells):
        tops.append((column, cell, tops[-1]))
    return tuple(reversed(tops))


@dataclass(frozen=True)
class ConnectFour(BoardGame[tuple[int, ...]]):
    """Pieces fall to the bottom of a column; ``connect`` in a row win; X begins.

    A state is ``(x_count, o_count, height of column 0, height of column 1, ...)``. To each count a
    piece adds its number of :func:`counting_cells`; a line that is full counts 4. An action is the
    number of a column that is not full, 0 at the left.

    >>> ConnectFour(4, 5, connect=3).legal_actions(ConnectFour(4, 5, connect=3).initial_state())
    (0, 1, 2, 3, 4)
    """

    rows: int = 6
    columns: int = 7
    connect: int = 4
    _cells: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    _tops: tuple[tuple[Any, ...], ...] = field(init=False, repr=False, compare=False)
    _start: int = field(init=False, repr=False, compare=False)
    _fours: int = field(init=False, repr=False, compare=False)
    _all_columns: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, low, high in (
            ("rows", 1, _MAX_SIDE),
            ("columns", 1, _MAX_SIDE),
            ("connect", 2, 4),
        ):
            value = getattr(self, name)
            right = fits(value, low, high, whole=True)
            require(right, name, f"a whole number from {low} to {high}", value, GameError)
            object.__setattr__(self, name, int(value))
        longest = max(self.rows, self.columns)
        require(longest > 1, "A side of the board", "longer than 1, or no line fits", 1, GameError)
        if self.connect > longest:
            raise GameError(
                f"connect must be at most {longest}, or no line fits on the board, and it is "
                f"{self.connect} (4 if you do not say it): give connect={longest}."
            )
        cells = counting_cells(self.rows, self.columns, self.connect)
        ones = sum(1 << bit for bit in range(0, cells[0][0].bit_length() - 1, 3))
        object.__setattr__(self, "_cells", cells)
        object.__setattr__(self, "_tops", tuple(map(_tops, range(self.columns), cells)))
        object.__setattr__(self, "_start", (4 - self.connect) * ones)  # so that each line ends at 4
        object.__setattr__(self, "_fours", 4 * ones)
        object.__setattr__(self, "_all_columns", tuple(range(self.columns)))

    @property
    def name(self) -> str:
        size = "" if self == ConnectFour() else f", {self.rows} by {self.columns}"
        return f"Connect {('Two', 'Three', 'Four')[self.connect - 2]}{size}"

    def has_line(self, count: int) -> bool:
        return count & self._fours != 0

    def initial_state(self) -> tuple[int, ...]:
        return (self._start, self._start, *[0] * self.columns)

    def to_move(self, state: tuple[int, ...]) -> int:
        try:
            return sum(state[2:]) & 1
        except NOT_READ:
            raise not_a_position(self, state) from None

    def legal_actions(self, state: tuple[int, ...]) -> tuple[int, ...]:
        try:
            heights = state[2:]
            if self.rows not in heights:
                return self._all_columns
            return tuple([c for c, height in enumerate(heights) if height < self.rows])
        except NOT_READ:
            raise not_a_position(self, state) from None

    def play(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
        try:
            first, second, *heights = state
            to_move = sum(heights) & 1
            over = (first | second) & self._fours
        except NOT_READ:
            raise not_a_position(self, state) from None
        column: int = legal_action(self, state, action, () if over else self._all_columns)
        try:
            if heights[column] == self.rows:
                raise refusal(self, state, action)
            cell = self._cells[column][heights[column]]
            heights[column] += 1
        except IndexError:  # a position of a narrower board
            raise not_a_position(self, state) from None
        return (first, second + cell, *heights) if to_move else (first + cell, second, *heights)

    def is_terminal(self, state: tuple[int, ...]) -> bool:
        try:
            return (state[0] | state[1]) & self._fours != 0 or min(state[2:]) == self.rows
        except NOT_READ:
            raise not_a_position(self, state) from None

    def text(self, state: tuple[int, ...]) -> str:
        """The rows from the top, as letters X and O, with ``.`` for an empty cell."""
        bits = self._cells[0][0].bit_length() - 1  # of the board, above the counts of the lines
        try:
            x, o = state[0] >> bits, state[1] >> bits
        except NOT_READ:
            raise not_a_position(self, state) from None
        rows = [
            range(row, self.rows * self.columns, self.rows) for row in reversed(range(self.rows))
        ]
        return "\n".join("".join(letter_of(x, o, cell) for cell in row) for row in rows)

    def holding(self, letters: str) -> tuple[int, ...] | None:
        counts = [self._start, self._start]
        heights: list[int] = []
        for column, cells in enumerate(self._cells):
            stack = letters[column :: self.columns][::-1].rstrip(".")  # from the bottom
            if "." in stack:
                return None
            heights.append(len(stack))
            for cell, letter in zip(cells, stack, strict=False):
                counts["XO".index(letter)] += cell
        return (*counts, *heights)

    def fast_playout(self, state: tuple[int, ...], random: RandomSource) -> Playout:
        """Play uniformly at random to the end, one random number a move.

        The same random numbers give the same game as in ``random_playout``, several times faster.
        """
        draw, fours = random.random, self._fours
        mine, theirs, *heights = state
        to_move = sum(heights) & 1
        if to_move:
            mine, theirs = theirs, mine
        tops = list(map(getitem, self._tops, heights))
        if self.rows in heights:
            tops = [top for top in tops if top]
        choices = float(len(tops))  # because a float times a float is faster
        actions: list[int] = []
        while tops and not theirs & fours:  # has_line, without the price of a call
            drawn = floor(draw() * choices)
            column, cell, above = tops[drawn]
            actions.append(column)
            mine, theirs = theirs, mine + cell
            if above is not None:
                tops[drawn] = above
            else:
                del tops[drawn]
                choices -= 1.0
        returns = WIN_OF[to_move ^ len(actions) & 1 ^ 1] if theirs & fours else DRAW
        return tuple.__new__(Playout, (actions, returns))  # Playout(...), in a third of the time
