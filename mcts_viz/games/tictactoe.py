"""Tic-tac-toe on two 9-bit masks: 5,478 positions, small enough to check everything exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import floor

from .boards import BoardGame, letter_of
from .protocol import DRAW, WIN_OF, Playout, RandomSource
from .refusals import NOT_READ, not_a_position, refusal

_FULL = 0b111_111_111
_LINES = (
    *(0b111 << 3 * row for row in range(3)),
    *(0b001_001_001 << column for column in range(3)),
    0b100_010_001,
    0b001_010_100,
)
# One entry for each of the 512 masks: whether it holds a line, and which cells it leaves empty.
_HAS_LINE = tuple(any(mask & line == line for line in _LINES) for mask in range(_FULL + 1))
_EMPTY_CELLS = tuple(
    tuple(cell for cell in range(9) if not mask >> cell & 1) for mask in range(_FULL + 1)
)


@cache
def completing_cells(own: int, occupied: int) -> tuple[int, ...]:
    """The free cells that complete a line of the pieces in ``own``.

    They come in the order of the lines: rows, columns, diagonals.
    """
    missing = [line & ~own for line in _LINES if (line & ~own).bit_count() == 1]
    return tuple(bit.bit_length() - 1 for bit in missing if not bit & occupied)


@dataclass(frozen=True)
class TicTacToe(BoardGame[tuple[int, int]]):
    """Three in a row on a board of three by three; X begins.

    A state is ``(x_mask, o_mask)``: bit i of a mask is set if that player holds cell i. An action
    is the number of an empty cell. Cells are numbered by rows, 0 to 8 from the top left.

    >>> TicTacToe().text(TicTacToe().play((0, 0), 4))
    '...\\n.X.\\n...'
    """

    name = "Tic-tac-toe"
    rows = columns = 3

    def has_line(self, mask: int) -> bool:
        return _HAS_LINE[mask]

    def initial_state(self) -> tuple[int, int]:
        return (0, 0)

    def to_move(self, state: tuple[int, int]) -> int:
        try:
            return (state[0] | state[1]).bit_count() & 1
        except NOT_READ:
            raise not_a_position(self, state) from None

    def legal_actions(self, state: tuple[int, int]) -> tuple[int, ...]:
        try:
            return _EMPTY_CELLS[state[0] | state[1]]
        except NOT_READ:
            raise not_a_position(self, state) from None

    def play(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        try:
            x, o = state
            empty = () if _HAS_LINE[x] or _HAS_LINE[o] else _EMPTY_CELLS[x | o]
        except NOT_READ:
            raise not_a_position(self, state) from None
        if action not in empty:
            raise refusal(self, state, action)
        bit = 1 << int(action)
        return (x | bit, o) if len(empty) & 1 else (x, o | bit)

    def is_terminal(self, state: tuple[int, int]) -> bool:
        try:
            x, o = state
            return _HAS_LINE[x] or _HAS_LINE[o] or x | o == _FULL
        except NOT_READ:
            raise not_a_position(self, state) from None

    def text(self, state: tuple[int, int]) -> str:
        try:
            x, o = state
            cells = "".join(letter_of(x, o, cell) for cell in range(9))
        except NOT_READ:
            raise not_a_position(self, state) from None
        return "\n".join((cells[:3], cells[3:6], cells[6:]))

    def holding(self, letters: str) -> tuple[int, int]:
        x, o = (
            sum(1 << i for i, letter in enumerate(letters) if letter == name)
            for name in self.players
        )
        return (x, o)

    def fast_playout(self, state: tuple[int, int], random: RandomSource) -> Playout:
        """Play uniformly at random to the end, one random number a move.

        The same random numbers give the same game as in ``random_playout``, about twice as fast.
        """
        draw = random.random
        x, o = state
        cells = [*_EMPTY_CELLS[x | o]]
        mine, theirs = (x, o) if len(cells) & 1 else (o, x)
        actions: list[int] = []
        while cells and not _HAS_LINE[theirs]:
            cell = cells.pop(floor(draw() * len(cells)))
            actions.append(cell)
            mine, theirs = theirs, mine | 1 << cell
        returns = WIN_OF[len(cells) & 1] if _HAS_LINE[theirs] else DRAW
        return tuple.__new__(Playout, (actions, returns))  # Playout(...), in a third of the time
