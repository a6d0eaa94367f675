"""Games of X and O on a board, where a line wins."""

from __future__ import annotations

from abc import abstractmethod
from typing import TypeVar

from ..errors import GameError, counted
from .protocol import DRAW, WIN_OF, Game, Returns
from .refusals import NOT_READ, check_over, not_a_position, require_text

Pieces = TypeVar("Pieces", bound=tuple[int, ...])
"""A state: first the pieces of X and those of O, each as bits."""
_EMPTY = str.maketrans("-_", "..")


def letter_of(x: int, o: int, cell: int) -> str:
    """The letter of whose piece has the bit ``cell``; a dot if it is empty."""
    if x >> cell & 1:
        return "X"
    return "O" if o >> cell & 1 else "."


class BoardGame(Game[Pieces, int]):
    """A line on a board wins, and X begins. A state begins with the pieces of X and those of O."""

    players = ("X", "O")
    rows: int
    columns: int

    @abstractmethod
    def has_line(self, pieces: int) -> bool:
        """True if a player's pieces hold a line."""

    @abstractmethod
    def holding(self, letters: str) -> Pieces | None:
        """The state with these letters, by cell and by rows; ``None`` if a piece floats."""

    def returns(self, state: Pieces) -> Returns:
        try:
            for player in (0, 1):
                if self.has_line(state[player]):
                    return WIN_OF[player]
        except NOT_READ:
            raise not_a_position(self, state) from None
        check_over(self, state)
        return DRAW

    def parse(self, text: str) -> Pieces:
        """The state of a board such as ``"XO. .X. ..."``; raises ``GameError`` if impossible.

        Spaces, line breaks or ``/`` may separate all rows, or all cells.
        """
        require_text(text, "XO. .X. ...")
        letters = "".join(text.replace("/", " ").split()).upper().translate(_EMPTY)
        x_count = letters.count("X")
        o_count = letters.count("O")
        cells = self.rows * self.columns
        if not len(letters) == cells == x_count + o_count + letters.count("."):
            raise GameError(
                f"The board {text!r} must have {cells} cells, each X, O, or '.' if it is empty."
            )
        self._check_rows(text)
        state = self.holding(letters) if x_count - o_count in (0, 1) else None
        if state is None or self.has_line(state[self.to_move(state)]):
            rules = "X begins and players take turns, no piece floats, and a line ends the game"
            raise GameError(f"No game leads to the board {text!r}: {rules}.")
        return state

    def _check_rows(self, text: str) -> None:
        """Raise ``GameError`` for rows of another length, which make another board."""
        words = text.replace("/", " ").split()
        lines = ["".join(line.split()) for line in text.replace("/", "\n").splitlines()]
        rows = [line for line in lines if line]
        rows = words if len(rows) == 1 else rows
        if len(rows) == 1 or {*map(len, rows)} == {1} or {*map(len, words)} == {self.columns}:
            return  # there are no rows, or each cell is apart, or all rows are right
        for number, row in enumerate(rows, 1):
            if len(row) != self.columns:
                raise GameError(
                    f"Row {number} of the board {text!r} is {row!r}, which has "
                    f"{counted(len(row), 'cell')}, not {self.columns}: give {self.rows} rows of "
                    f"{self.columns} cells."
                )
