"""Boards for the games of other libraries, drawn from the library's own text.

A row of the board is a line with nothing but pieces, between labels at either end. Where a row
stands half a cell further to the right, as on boards of hexagons, so do its pieces here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ..games.libraries import LibraryGame, Moves
from .boards import CROSS, DISC, MOST_CELLS, RING, Board, Piece, set_board

_DOT = Piece("m5.7 5a.7 .7 0 1 1 -1.4 0a.7 .7 0 1 1 1.4 0", player=2)


def _board(game: LibraryGame) -> Board | None:
    """The board in the game's text; ``None`` if it shows none, or one that is too large."""
    if not game.symbols:
        return None
    empty, first, second = game.symbols
    letter = f"[{re.escape(empty + first + second)}]"
    row = re.compile(rf"\s*\d*\s*({letter}(?: ?{letter})*)\s*\w?\s*")

    def pieces(state: Moves) -> Iterator[tuple[int, int, str]]:
        """The row of each cell, its distance from the left edge of the text, and its letter."""
        lines = game.text(state).replace("[", " ").replace("]", " ").splitlines()
        rows = [found for line in lines if (found := row.fullmatch(line))]
        left = min((found.start(1) for found in rows), default=0)
        for number, found in enumerate(rows):
            for place, sign in enumerate(found[1], found.start(1) - left):
                if sign != " ":
                    yield number, place, sign

    start = list(pieces(game.initial_state()))
    step = 2 if len({place % 2 for number, place, _ in start if number == 0}) == 1 else 1
    width = 1 + max(place for _, place, _ in start) // step
    height = 1 + start[-1][0]
    if width * height > MOST_CELLS:
        return None
    square = len(start) == width * height
    kinds = [CROSS if (width, height) == (3, 3) else DISC, RING, *([] if square else [_DOT])]
    shifted = [replace(piece, path=f"m{10 / step} 0{piece.path}") for piece in kinds]
    number_of = {**dict.fromkeys(first, 1), **dict.fromkeys(second, 2)}
    if not square:
        number_of |= dict.fromkeys(empty, 3)

    def cells(state: Moves) -> list[int]:
        numbers = [0] * (width * height)
        for number, place, sign in pieces(state):
            kind = number_of.get(sign, 0)
            numbers[number * width + place // step] = kind + len(kinds) * (
                place % step and kind > 0
            )
        return numbers

    return Board(
        height,
        width,
        (*kinds, *([] if square else shifted)),
        cells,
        grid="lines" if square else "frame",
    )


set_board(LibraryGame, _board)
