"""The boards of the package's games: what each cell of a position holds.

Numbers are drawn by lines of a few strokes, as on a pocket calculator, so that they look the same
in every picture and on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from ..games import ConnectFour, Game, Nim, Pig, SlidingPuzzle, SlipperyLake, TicTacToe
from ..games.adapters.openspiel import Moves, OpenSpielGame
from ..games.lake import STEPS, LakeState
from ..games.pig import PigState
from ..games.sliding import Slid
from .boards import CROSS, DISC, RING, STICK, Array, Board, Piece, set_board

_YELLOW = Piece("m8.6 5a3.6 3.6 0 1 1 -7.2 0a3.6 3.6 0 1 1 7.2 0", player=0, look="disc")
_RED = Piece(
    "m9 5a4 4 0 1 1 -8 0a4 4 0 1 1 8 0z"
    "m-1.2 0a2.8 2.8 0 1 0 -5.6 0a2.8 2.8 0 1 0 5.6 0z"
    "m-1 0a1.8 1.8 0 1 1 -3.6 0a1.8 1.8 0 1 1 3.6 0z",
    player=1,
    look="disc",
    sign="◉",
)
"""With a ring cut out, so that its shape tells whose it is."""
_EMPTY_X_O = bytes.maketrans(b".XO", b"\0\1\2")


def _letters(game: Game[Any, Any]) -> Callable[[Any], Sequence[int]]:
    """The cells of a board whose text is rows of X, O and dots."""
    text = game.text
    return lambda state: text(state).replace("\n", "").encode().translate(_EMPTY_X_O)


def _tic_tac_toe(game: TicTacToe) -> Board:
    own = type(game) is TicTacToe  # not a student's own rules
    lands = (lambda cells, actions: actions) if own else None
    return Board(3, 3, (CROSS, RING), _letters(game), lands=lands, in_row=3 * own)


def _connect_four(game: ConnectFour) -> Board:
    def lands(cells: Array, actions: Array) -> Array:
        boards = cells.reshape(-1, game.rows, game.columns)
        filled = np.count_nonzero(boards[np.arange(len(actions)), :, actions], axis=1)
        cell: Array = (game.rows - 1 - filled) * game.columns + actions
        return cell

    own = type(game) is ConnectFour
    size = game.rows, game.columns
    row, land = game.connect * own, lands if own else None
    return Board(*size, (_YELLOW, _RED), _letters(game), grid="holes", in_row=row, lands=land)


def _nim(game: Nim) -> Board | None:
    """A row of sticks a heap; large heaps cannot be counted by eye, and text serves better."""
    columns = max(game.heaps)
    if columns > 9 or len(game.heaps) > 9:
        return None

    def cells(state: tuple[int, ...]) -> list[int]:
        return [int(place < heap) for heap in state[1:] for place in range(columns)]

    return Board(len(game.heaps), columns, (STICK,), cells, grid="frame")


def _in_text(game: OpenSpielGame) -> Board | None:
    """The board in the text of a library's game; ``None`` if it has none, or no rectangle.

    A row of the board is a line with nothing but pieces, between labels at either end.
    """
    if not game.symbols:
        return None
    empty, first, second = game.symbols
    letter = f"[{re.escape(empty + first + second)}]"
    row = re.compile(rf"\s*\d*\s*({letter}(?: ?{letter})*)\s*\w?\s*")

    def rows(state: Moves) -> list[str]:
        lines = game.text(state).replace("[", " ").replace("]", " ").splitlines()
        return [found[1].replace(" ", "") for line in lines if (found := row.fullmatch(line))]

    start = rows(game.initial_state())
    widths = {*map(len, start)}
    if len(widths) != 1:
        return None
    (width,) = widths
    number_of = dict.fromkeys(first, 1) | dict.fromkeys(second, 2)

    def cells(state: Moves) -> list[int]:
        return [number_of.get(letter, 0) for line in rows(state) for letter in line]

    pieces = (CROSS if (len(start), width) == (3, 3) else DISC, RING)
    return Board(len(start), width, pieces, cells)


# Numbers ------------------------------------------------------------------------------------------

STROKES: Final = {
    "0": ("00 20 24 04 00",),
    "1": ("01 10 14",),
    "2": ("00 20 22 02 04 24",),
    "3": ("00 20 24 04", "02 22"),
    "4": ("00 02 22", "20 24"),
    "5": ("20 00 02 22 24 04",),
    "6": ("20 00 04 24 22 02",),
    "7": ("00 20 14",),
    "8": ("00 20 24 04 00", "02 22"),
    "9": ("04 24 20 00 02 22",),
}
"""By digit: its strokes through points of two digits each, x from 0 to 2 and y from 0 to 4."""
NEUTRAL: Final = 2
"""The colour of pieces that belong to no player."""


def _number(number: int, sides: tuple[float, float]) -> str:
    """A number as a path from its cell's corner, between these sides of it; one or two digits."""
    digits, (left, right) = str(number), sides
    each = (right - left - (len(digits) - 1) * 1.6) / len(digits)
    path, at = "", (0.0, 0.0)
    for place, digit in enumerate(digits):
        for stroke in STROKES[digit]:
            points = [
                (left + place * (each + 1.6) + int(p[0]) * each / 2, 2.2 + int(p[1]) * 1.4)
                for p in stroke.split()
            ]
            path += f"m{_moved(at, points[0])}"
            path += "".join(f"l{_moved(*pair)}" for pair in pairwise(points))
            at = points[-1]
    return path


def _moved(start: tuple[float, float], end: tuple[float, float]) -> str:
    return f"{end[0] - start[0]:.2f} {end[1] - start[1]:.2f}"


# Luck, and one player -----------------------------------------------------------------------------

DIE = Piece(
    "m1.5 1.5h7v7h-7zm1.9 1.9h.01m3.1 0h.01m-1.56 1.6h.01m-1.6 1.6h.01m3.1 0h.01",
    NEUTRAL,
    "fine",
    sign="⚄",
    name="the die is rolling",
)
PLUS = Piece("m5 2.5v5m-2.5 -2.5h5", NEUTRAL, "fine", sign="+", name="points of this turn")


def _pig(game: Pig) -> Board:
    """A row of points a player, the mover's with a piece before it; below, this turn's points.

    Before these is a plus, or the die while it is rolling.
    """
    digits = len(str(game.goal + max(range(1, 7))))
    numbers = [
        Piece(_number(each, (1.8, 8.2)), NEUTRAL, "fine", sign=str(each), name=str(each))
        for each in range(10)
    ]
    pieces = (DISC, RING, PLUS, DIE, *numbers)

    def row(head: int, number: int) -> list[int]:
        said = f"{number:>{digits}}"
        return [head, *(0 if digit == " " else 5 + int(digit) for digit in said)]

    def cells(state: PigState) -> list[int]:
        a, b, turn, player, rolling = state
        over = game.is_terminal(state)
        heads = [1 + each if each == player and not over else 0 for each in (0, 1)]
        this_turn = [0] * (1 + digits) if over else row(4 if rolling else 3, turn)
        return [*row(heads[0], a), *row(heads[1], b), *this_turn]

    return Board(3, 1 + digits, pieces, cells, grid="frame")


_DOT = "m7 5a2 2 0 1 1 -4 0a2 2 0 1 1 4 0"
_RING = "a3.7 3.7 0 1 1 -7.4 0a3.7 3.7 0 1 1 7.4 0"
_HOLE = f"m8.7 5{_RING}"
_FLAG = "m2.8 8.8v-7.6l5 1.9l-5 1.9"
_ARROWS = {
    "left": ("←", "m-4 0h-2.2m1.3 -1.3l-1.3 1.3l1.3 1.3"),
    "down": ("↓", "m-2 2v2.2m-1.3 -1.3l1.3 1.3l1.3 -1.3"),
    "right": ("→", "m0 0h2.2m-1.3 -1.3l1.3 1.3l-1.3 1.3"),
    "up": ("↑", "m-2 -2v-2.2m-1.3 1.3l1.3 -1.3l1.3 1.3"),
}
"""For each direction: its letter, and an arrow from the right end of the walker."""
_ON_THE_LAKE: Final = (
    Piece(_HOLE, NEUTRAL, "fine", sign="H", name="a hole"),
    Piece(_FLAG, NEUTRAL, "fine", sign="G", name="the goal"),
    Piece(_DOT, 0, "filled", name="the walker"),
    *(
        Piece(_DOT + _ARROWS[way][1], 0, "filled", _ARROWS[way][0], f"the walker, who goes {way}")
        for way in STEPS
    ),
    Piece(f"{_DOT}m1.7 0{_RING}", 0, sign="✗", name="the walker in a hole"),
    Piece(f"{_DOT}m-4.2 3.8v-7.6l5 1.9l-5 1.9", 0, sign="⚑", name="the walker at the goal"),
)


def _lake(game: SlipperyLake) -> Board:
    """The lake by its cells; an arrow shows where the walker wants to go, until the ice decides."""
    number = {"H": 1, "G": 2}
    walking = dict(zip(STEPS, range(4, 8), strict=True))

    def cells(state: LakeState) -> list[int]:
        shown = [number.get(cell, 0) for cell in game.cells]
        cell, chosen = state
        ended = {1: 8, 2: 9}.get(shown[cell], 3)
        shown[cell] = walking[chosen] if chosen else ended
        return shown

    return Board(len(game.rows), len(game.rows[0]), _ON_THE_LAKE, cells)


def _sliding(game: SlidingPuzzle) -> Board:
    """The tiles with their numbers."""
    pieces = []
    for tile in range(1, len(game.start)):
        sides = (3.3, 6.7) if tile < len(STROKES) else (2.0, 8.0)
        pieces.append(Piece(_number(tile, sides), NEUTRAL, "fine", str(tile), f"tile {tile}"))

    def cells(state: Slid) -> Sequence[int]:
        return state[0]

    return Board(len(game.start) // game.columns, game.columns, tuple(pieces), cells)


set_board(TicTacToe, _tic_tac_toe)
set_board(ConnectFour, _connect_four)
set_board(Nim, _nim)
set_board(OpenSpielGame, _in_text)
set_board(Pig, _pig)
set_board(SlipperyLake, _lake)
set_board(SlidingPuzzle, _sliding)
