"""Pictures of positions: a board is a grid of cells, each empty or holding a numbered piece.

A game draws nothing; its board is registered here. Without one, a reader sees the position's text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from xml.etree.ElementTree import Element, SubElement

import numpy as np
from numpy.typing import NDArray

from ..games import ConnectFour, Game, Nim, TicTacToe

MOST_CELLS = 250
GLOW = "m.5 .5h9v9h-9z"
"""What lies below a cell that has just changed."""

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True)
class Piece:
    """A shape in a cell of 10 by 10 units, as SVG path data that starts from the cell's corner.

    The data must be relative (lower-case commands), so that one path can draw all such pieces.
    ``player`` chooses the colour; pieces must differ in shape too, never in colour alone.
    """

    path: str
    player: int
    filled: bool = False


CROSS = Piece("m2.2 2.2l5.6 5.6m0 -5.6l-5.6 5.6", player=0)
RING = Piece("m7.9 5a2.9 2.9 0 1 1 -5.8 0a2.9 2.9 0 1 1 5.8 0", player=1)
DISC = Piece("m8.6 5a3.6 3.6 0 1 1 -7.2 0a3.6 3.6 0 1 1 7.2 0", player=0, filled=True)
HOLED = Piece(
    "m8.6 5a3.6 3.6 0 1 1 -7.2 0a3.6 3.6 0 1 1 7.2 0z"
    "m-1.7 0a1.9 1.9 0 1 0 -3.8 0a1.9 1.9 0 1 0 3.8 0z",
    player=1,
    filled=True,
)
"""A disc with a hole, so that its shape tells whose it is."""
STICK = Piece("m5 1.5l0 7", player=2)


@dataclass(frozen=True)
class Board:
    """How positions of a game look: ``cells(state)`` gives one number a cell, row by row.

    0 is an empty cell, n the n-th of ``pieces``. There may be at most 250 cells.
    """

    rows: int
    columns: int
    pieces: tuple[Piece, ...]
    cells: Callable[[Any], Sequence[int]]
    lines: bool = True
    """Whether lines are drawn between the cells."""
    lands: Callable[[Array, Array], Array] | None = None
    """For many positions at once: on which cell of ``cells[i]`` the action ``actions[i]`` puts the
    piece of the player who moves, numbered from 1. For games where that is all that a move does,
    and where its label depends on the action alone."""


BoardMaker: TypeAlias = Callable[[Any], Board | None]
_boards: dict[type, BoardMaker] = {}


def set_board(game_type: type, maker: BoardMaker) -> None:
    """Draw games of this type by ``maker(game)``: a board, or ``None`` where text is better."""
    _boards[game_type] = maker


def board_of(game: Game[Any, Any]) -> Board | None:
    """The board registered for the game's type or one of its bases.

    ``None`` if there is none, or if it has more than 250 cells, where text serves better.
    """
    for game_type in type(game).__mro__:
        if game_type in _boards:
            board = _boards[game_type](game)
            small = board is not None and board.rows * board.columns <= MOST_CELLS
            return board if small else None
    return None


def draw_board(parent: Element, board: Board, cells: Sequence[int], before: Sequence[int]) -> None:
    """Add a board to an SVG element, 10 units a cell; cells that differ from ``before`` glow.

    Without cells it is one that the player fills in.
    """
    changed = [i for i, cell in enumerate(cells) if cell != before[i]]
    SubElement(parent, "path", {"class": "glow", "d": _at_cells(board, changed, GLOW)})
    SubElement(parent, "path", {"class": "grid", "d": grid_path(board)})
    for number, piece in enumerate(board.pieces, start=1):
        places = [i for i, cell in enumerate(cells) if cell == number]
        look = f"piece player-{piece.player}" + (" filled" if piece.filled else "")
        SubElement(parent, "path", {"class": look, "d": _at_cells(board, places, piece.path)})


def grid_path(board: Board) -> str:
    """The board's frame and the lines between its cells."""
    wide, high = 10 * board.columns, 10 * board.rows
    path = f"M0 0H{wide}V{high}H0Z"
    if board.lines:
        path += "".join(f"M{10 * column} 0V{high}" for column in range(1, board.columns))
        path += "".join(f"M0 {10 * row}H{wide}" for row in range(1, board.rows))
    return path


def _at_cells(board: Board, places: Sequence[int], path: str) -> str:
    return "".join(
        f"M{10 * (place % board.columns)} {10 * (place // board.columns)}{path}" for place in places
    )


_EMPTY_X_O = bytes.maketrans(b".XO", b"\0\1\2")


def _letters(game: Game[Any, Any]) -> Callable[[Any], Sequence[int]]:
    """The cells of a board whose text is rows of X, O and dots."""
    text = game.text
    return lambda state: text(state).replace("\n", "").encode().translate(_EMPTY_X_O)


def _tic_tac_toe(game: TicTacToe) -> Board:
    own = type(game) is TicTacToe  # not a student's own rules
    lands = (lambda cells, actions: actions) if own else None
    return Board(3, 3, (CROSS, RING), _letters(game), lands=lands)


def _connect_four(game: ConnectFour) -> Board:
    def lands(cells: Array, actions: Array) -> Array:
        boards = cells.reshape(-1, game.rows, game.columns)
        filled = np.count_nonzero(boards[np.arange(len(actions)), :, actions], axis=1)
        cell: Array = (game.rows - 1 - filled) * game.columns + actions
        return cell

    own = type(game) is ConnectFour
    pieces = (DISC, HOLED)
    return Board(game.rows, game.columns, pieces, _letters(game), lands=lands if own else None)


def _nim(game: Nim) -> Board | None:
    """A row of sticks a heap; large heaps cannot be counted by eye, and text serves better."""
    columns = max(game.heaps)
    if columns > 12 or len(game.heaps) > 12:
        return None

    def cells(state: tuple[int, ...]) -> list[int]:
        return [int(place < heap) for heap in state[1:] for place in range(columns)]

    return Board(len(game.heaps), columns, (STICK,), cells, lines=False)


set_board(TicTacToe, _tic_tac_toe)
set_board(ConnectFour, _connect_four)
set_board(Nim, _nim)
