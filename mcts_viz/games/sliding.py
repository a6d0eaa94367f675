"""A sliding puzzle: one player, no luck, and every move costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from ..errors import GameError, fits, items, require
from .protocol import Game, Returns
from .refusals import check_over, legal_action, reads_positions, require_text

LARGEST: Final = 16
"""Cells of a puzzle."""
LONGEST: Final = 1000
"""Moves that may be made."""
Slid: TypeAlias = tuple[tuple[int, ...], int]
"""The tiles by rows, 0 for the gap, and how many moves have been made."""


@reads_positions
@dataclass(frozen=True)
class SlidingPuzzle(Game[Slid, int]):
    """One player slides tiles into the gap until they are in order, the gap last.

    ``start`` is the first position, by rows, 0 for the gap. An action is the number of the tile
    that slides. A move pays -1; after ``most`` moves the puzzle is over, and if it is not in order
    by then, ``most`` more are lost. From some positions no moves lead to the order.

    >>> SlidingPuzzle().legal_actions(SlidingPuzzle().initial_state())
    (1, 2, 5)
    """

    start: tuple[int, ...] = (1, 0, 2, 4, 5, 3)
    columns: int = 3
    most: int = 20

    name = "Sliding puzzle"
    players = ("Player",)

    def __post_init__(self) -> None:
        start = tuple([int(n) for n in items(self.start, LARGEST) if fits(n, 0, whole=True)])
        whole = fits(self.columns, 2, LARGEST, whole=True)
        right = whole and sorted(start) == [*range(len(start))] and len(start) >= 4
        right = right and not len(start) % self.columns and len(start) > self.columns
        kind = f"the numbers from 0, each once, in rows of {self.columns}, at most {LARGEST}"
        require(right, "start", kind, self.start, GameError)
        right = fits(self.most, 1, LONGEST, whole=True)
        require(right, "most", f"a whole number from 1 to {LONGEST}", self.most, GameError)
        require(
            start != self.order_of(len(start)), "start", "not in order yet", self.start, GameError
        )
        for name, value in (
            ("start", start),
            ("columns", int(self.columns)),
            ("most", int(self.most)),
        ):
            object.__setattr__(self, name, value)

    @staticmethod
    def order_of(cells: int) -> tuple[int, ...]:
        """The tiles in order, the gap last."""
        return (*range(1, cells), 0)

    @property
    def value_range(self) -> tuple[float, float]:  # type: ignore[override]  # it depends on most
        return (-2.0 * self.most, 0.0)

    def initial_state(self) -> Slid:
        return (self.start, 0)

    def to_move(self, state: Slid) -> int:
        return 0

    def legal_actions(self, state: Slid) -> tuple[int, ...]:
        tiles = state[0]
        row, column = divmod(tiles.index(0), self.columns)
        cells = [
            (row + down) * self.columns + column + right
            for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0))
            if 0 <= column + right < self.columns and 0 <= row + down < len(tiles) // self.columns
        ]
        return tuple([tiles[cell] for cell in cells])

    def play(self, state: Slid, action: int) -> Slid:
        legal = () if self.is_terminal(state) else self.legal_actions(state)
        tile = legal_action(self, state, action, legal)
        return (tuple([{0: tile, tile: 0}.get(each, each) for each in state[0]]), state[1] + 1)

    def is_terminal(self, state: Slid) -> bool:
        return state[1] >= self.most or state[0] == self.order_of(len(state[0]))

    def returns(self, state: Slid) -> Returns:
        check_over(self, state)
        return (0.0 if state[0] == self.order_of(len(state[0])) else -1.0 * self.most,)

    def reward(self, state: Slid, action: int, next_state: Slid) -> Returns:
        return (-1.0,)

    def text(self, state: Slid) -> str:
        """The tiles by rows, ``.`` for the gap, and the moves made: ``1 . 2 / 4 5 3 (0)``."""
        tiles, made = state
        shown = [str(tile or ".") for tile in tiles]
        rows = [shown[start : start + self.columns] for start in range(0, len(shown), self.columns)]
        return " /\n".join(map(" ".join, rows)) + f" ({made})"

    def parse(self, text: str) -> Slid:
        """The state of a text such as ``"1 . 2 / 4 5 3 (0)"``; raises ``GameError`` for others."""
        require_text(text, "1 . 2 / 4 5 3 (0)")
        *words, last = text.replace("/", " ").split() or [""]
        names = {str(tile or "."): tile for tile in self.start}
        tiles = [names.get(word, -1) for word in words]
        made = last[1:-1]
        right = sorted(tiles) == sorted(self.start) and last == f"({made})" and made.isdecimal()
        right = right and len(made) <= 4 and int(made) <= self.most
        kind = "every tile once, '.' for the gap, and the moves made in brackets"
        require(right, "A position's text", kind, text, GameError)
        return (tuple(tiles), int(made))
