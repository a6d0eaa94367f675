"""Pictures of positions: a board is a grid of cells, each empty or holding a numbered piece.

A game draws nothing; its board is registered by :func:`set_board`, for the package's own games in
``game_boards``. Without one, a reader sees the position's text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, TypeAlias
from xml.etree.ElementTree import Element, tostring

from numpy.typing import NDArray

from ..errors import GameError, require
from ..games import Game
from .pictures import add, new_svg

MOST_CELLS = 250
_GLOWS = {"holes": "m9.5 5a4.5 4.5 0 1 1 -9 0a4.5 4.5 0 1 1 9 0"}
_HOLE = "m9 5a4 4 0 1 0 -8 0a4 4 0 1 0 8 0z"

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True)
class Piece:
    """A shape in a cell of 10 by 10 units, as SVG path data that starts from the cell's corner.

    The data must be relative (lower-case commands), so that one path can draw all such pieces.
    ``player`` chooses the colour; pieces must differ in shape too, never in colour alone.
    """

    path: str
    player: int
    look: str = ""
    """``filled`` with the player's colour, a ``disc`` of the colours of Connect Four, or ``fine``
    lines in the colour of text, such as a number's."""
    sign: str = "●"
    """Its letter where a board is made of text."""
    name: str = ""
    """Its name for a screen reader; without one, its player's name."""


CROSS = Piece("m2.2 2.2l5.6 5.6m0 -5.6l-5.6 5.6", player=0, sign="X")
RING = Piece("m7.9 5a2.9 2.9 0 1 1 -5.8 0a2.9 2.9 0 1 1 5.8 0", player=1, sign="O")
DISC = Piece("m8.6 5a3.6 3.6 0 1 1 -7.2 0a3.6 3.6 0 1 1 7.2 0", player=0, look="filled")
STICK = Piece("m5 1.5l0 7", player=2, sign="|")


@dataclass(frozen=True)
class Board:
    """The look of a game's positions: ``cells(state)`` gives one number a cell, row by row.

    0 is an empty cell, n the n-th of ``pieces``. There may be at most 250 cells.
    """

    rows: int
    columns: int
    pieces: tuple[Piece, ...]
    cells: Callable[[Any], Sequence[int]]
    grid: str = "lines"
    """The lines around the cells: ``lines``, a plate with ``holes``, or just a ``frame``."""
    in_row: int = 0
    """The number of equal pieces in a row that a line joins, as they end the game; 0 for none."""
    lands: Callable[[Array, Array], Array] | None = None
    """For many positions at once: on which cell of ``cells[i]`` the action ``actions[i]`` puts the
    piece of the player who moves, numbered from 1. A move that is not legal there lands below 0, or
    where a piece is. For games where that is all that a move does, where the start has all of them,
    in order, and where a label depends on the action alone."""

    @property
    def glow(self) -> str:
        """The mark of a cell that has just changed: its ground, or a ring around the hole."""
        return _GLOWS.get(self.grid, "m.5 .5h9v9h-9z")

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Its shapes, for a page."""
        box = (0, 0, 10 * self.columns, 10 * self.rows)
        empty = new_svg(box, "mcts-board", aria_hidden="true")
        draw_board(empty, self, (), ())
        return {
            "rows": self.rows,
            "columns": self.columns,
            "picture": tostring(empty, encoding="unicode"),
            "glow": self.glow,
            "pieces": [piece.path for piece in self.pieces],
        }


BoardMaker: TypeAlias = Callable[[Any], Board | None]
_boards: dict[type, BoardMaker] = {}


def set_board(game_type: type, maker: BoardMaker) -> None:
    """Draw games of this type by ``maker(game)``: a board, or ``None`` where text is better."""
    kind = "the class of a game, its name without brackets"
    require(isinstance(game_type, type), "game_type", kind, game_type, GameError)
    kind = "a function of the game that returns a Board"
    require(callable(maker), "maker", kind, maker, GameError)
    _boards[game_type] = maker


def board_of(game: Game[Any, Any]) -> Board | None:
    """The board registered for the game's type or one of its bases.

    ``None`` if there is none, or if it has more than 250 cells, where text serves better.
    """
    for game_type in type(game).__mro__:
        if game_type in _boards:
            board = _boards[game_type](game)
            what = f"What draws {game_type.__name__}"
            right = board is None or isinstance(board, Board)
            require(right, what, "a function that returns a Board or None", board, GameError)
            small = board is not None and board.rows * board.columns <= MOST_CELLS
            return board if small else None
    return None


def draw_board(
    parent: Element,
    board: Board,
    cells: Sequence[int],
    before: Sequence[int],
    grid: str = "",
) -> None:
    """Add a board to an SVG element, 10 units a cell; cells that differ from ``before`` glow.

    Without cells it is one that the player fills in. A ``grid`` that many boards share is named.
    """
    look = "grid holes" if board.grid == "holes" else "grid"
    if grid:  # the lines inherit its look: a browser matches no rule across a "use"
        add(parent, "use", look, href=f"#{grid}")
    else:
        add(parent, "path", look, d=grid_path(board))
    for look, places, shape in _shapes(board, cells, before):
        if places or not cells:
            add(parent, "path", look, d=_at_cells(board, places, shape))


def _shapes(
    board: Board, cells: Sequence[int], before: Sequence[int]
) -> Iterator[tuple[str, list[int], str]]:
    """The mark of what has changed, and each kind of piece: its look, where it is, its path."""
    holes = " holes" if board.grid == "holes" else ""
    changed = [i for i, cell in enumerate(cells) if cell != before[i]]
    yield f"glow{holes}", changed, board.glow
    for number, piece in enumerate(board.pieces, start=1):
        places = [i for i, cell in enumerate(cells) if cell == number]
        yield f"piece player-{piece.player} {piece.look}".strip(), places, piece.path


def grid_path(board: Board) -> str:
    """The board's frame, and the lines between its cells or a hole in each."""
    wide, high = 10 * board.columns, 10 * board.rows
    path = f"M0 0H{wide}V{high}H0Z"
    if board.grid == "lines":
        path += "".join(f"M{10 * column} 0V{high}" for column in range(1, board.columns))
        path += "".join(f"M0 {10 * row}H{wide}" for row in range(1, board.rows))
    if board.grid == "holes":
        path += _at_cells(board, range(board.rows * board.columns), _HOLE)
    return path


def won_path(board: Board, cells: Sequence[int]) -> str:
    """A line through each row of ``in_row`` equal pieces."""
    path = ""
    for places in _rows_to_win(board):
        held = {cells[y * board.columns + x] for y, x in places}
        if len(held) == 1 and held != {0}:
            (top, left), (y, x) = places[0], places[-1]
            path += f"M{10 * left + 5} {10 * top + 5}L{10 * x + 5} {10 * y + 5}"
    return path


def _rows_to_win(board: Board) -> Iterator[list[tuple[int, int]]]:
    """Each row of ``in_row`` cells that lies on the board; none where rows do not win."""
    if not board.in_row:
        return
    for row, column in product(range(board.rows), range(board.columns)):
        for down, across in ((0, 1), (1, 0), (1, 1), (1, -1)):
            places = [(row + i * down, column + i * across) for i in range(board.in_row)]
            y, x = places[-1]
            if y < board.rows and 0 <= x < board.columns:
                yield places


def _at_cells(board: Board, places: Sequence[int], path: str) -> str:
    return "".join(
        f"M{10 * (place % board.columns)} {10 * (place // board.columns)}{path}" for place in places
    )
