"""A book of puzzles: below each board, the best moves, which the tests prove by exact minimax.

X and A begin, so the pieces tell who is to move. The kinds:

- ``win``: a move wins at once;
- ``plan``: a win can be forced, but not at once;
- ``block``: one move stops a win on the opponent's next move;
- ``draw``: the moves named hold the draw, all others lose.
"""

import re
from textwrap import dedent
from typing import Any, NamedTuple

from mcts_viz import ConnectFour, Game, Nim, TicTacToe


class Puzzle(NamedTuple):
    """``best`` holds the labels of all best moves; a search finds one in ``iterations``."""

    game: Game[Any, Any]
    kind: str
    iterations: int
    board: str
    best: tuple[str, ...]


def read(game, kind, iterations, page):
    """The puzzles of a page: rows of boards side by side, with the answers in the last line."""
    for row in dedent(page).strip().split("\n\n"):
        lines = [re.split(" {2,}", line) for line in row.split("\n")]
        for *board, best in zip(*lines, strict=True):
            yield Puzzle(game, kind, iterations, "\n".join(board), tuple(best.split(", ")))


PUZZLES = [
    *read(
        TicTacToe(),
        "win",
        500,
        """
        .O.    .XX   X.O   .OX   X.X   X.X   .XX    .OX
        X.X    .OX   O.O   .OX   .O.   XO.   X..    ..X
        OOX    O.O   XX.   ...   .OX   .O.   .OO    XO.
        2, 4   0     8     8     1     1     0, 6   4
        """,
    ),
    *read(
        TicTacToe(),
        "plan",
        1000,
        """
        OO.   .X.   .OX   ...   XXO   .X.
        .X.   X..   X.O   X..   X..   ...
        ..X   OO.   ...   .XO   .O.   OX.
        2     8     6     2     6     4
        """,
    ),
    *read(
        TicTacToe(),
        "block",
        1000,
        """
        OXX   X..   XXO   .OX   .XX   X.X   XO.   ...
        XO.   OOX   ..X   OX.   XOO   O..   ...   XX.
        O..   XO.   .OO   OX.   XO.   .XO   OXX   O..
        8     1     6     0     0     1     4     5
        """,
    ),
    *read(
        TicTacToe(),
        "draw",
        2000,
        """
        O..    ..X   ...    .X.
        X.O    ...   X.O    ...
        X..    ...   ..X    X.O
        2, 8   4     0, 6   2
        """,
    ),
    *read(
        Nim(),
        "plan",
        10000,
        """
        2 4 0 A         2 1 4 A         3 1 0 A         1 1 2 A
        2 from heap 2   1 from heap 3   2 from heap 1   2 from heap 3

        1 3 5 A         1 1 3 A         1 1 4 B         0 1 4 B
        3 from heap 3   3 from heap 3   4 from heap 3   3 from heap 3

        2 2 1 B         2 4 0 B         2 4 1 B
        1 from heap 3   2 from heap 2   1 from heap 2
        """,
    ),
    *read(
        ConnectFour(4, 5),
        "plan",
        4000,
        """
        O..O.   .....   ....O   .X..X   ....O   X..OX
        X..XO   O..X.   ....X   .OX.O   X...O   X..XO
        X.OOX   OO.XO   XX..O   .XOOO   XOXXX   X..OO
        XOXXO   XX.OX   OOOXX   .XXOX   OXXOO   O.OXX
        2       1       1, 3    0, 2    2       2
        """,
    ),
    *read(
        ConnectFour(4, 5),
        "draw",
        2000,
        """
        X..O.   .X...   ....X   .....
        OO.X.   .O.O.   ....O   O....
        XX.O.   .XXO.   ..XXO   OXX..
        XXOO.   .XOXO   O.XOX   XOXXO
        1       2, 4    2, 3    1, 2
        """,
    ),
    *read(
        ConnectFour(),
        "win",
        500,
        """
        X.X..X.   OO.O.XX   .O.....   .O..X.X   .X.....   X....O.
        O.O.XO.   OX.X.XO   XX..XX.   .O.OX.O   .OXX.O.   X..XXX.
        O.X.OXX   XOXO.OX   OXX.OO.   .O.XO.X   .XOO.XO   OO.OOX.
        X.XOOOX   OOOX.XX   OOO.XXO   XX.XOXX   .OXXXOO   XX.OXXO
        OXXOOXO   XOXXOOO   OXOOXXX   OXXOXOO   .XOXXXO   OXOOXOX
        XOOOXXO   XXXOOOX   XXOXOOO   XOXOOOX   OXOXOOX   OXOXOOX
        3         4         3, 6      2, 5      6         2
        """,
    ),
    *read(
        ConnectFour(),
        "plan",
        1000,
        """
        OO....O   .OX.X..   .XO..O.   .O.X.O.
        OO....X   .OO.OOO   .OX..X.   OX.X.X.
        OX.OO.X   .XX.XOX   XXO..O.   OOXO.X.
        XO.XXXO   OOX.OXX   OOX.XOO   XXXO.OX
        XX.OXOO   OXO.OXO   XOX.OXX   OOOX.XO
        XXXOXXO   XOXXOXX   XOXXOOX   XOXOOXX
        2         3         4         6
        """,
    ),
    *read(
        ConnectFour(),
        "block",
        500,
        """
        .O..O.X   .X.XO..   ...O.XO   ..O..X.   ...XO..   ..X.O..
        .XO.X.O   OX.OX..   .OOX.XO   O.O..X.   ..OOX.O   ..X.OO.
        .OX.XOO   XO.XOOO   XOXO.OX   OOXXXOX   ..XXOOX   OOO.XX.
        .XOOOXX   OXOOXXO   XXXO.XX   XXXOXOX   X.OOXXO   XXX.XO.
        XOOXXXO   OOXXOOX   OOOXOOX   OOOXOOO   XXXOXOO   OXXOXOX
        XOXXOOX   XXXOXOX   XXXOOXO   XXXOXXO   XXXOXOO   OOXXOOX
        3         2         4         4         0         3
        """,
    ),
    *read(
        ConnectFour(),
        "draw",
        4000,
        """
        X.O.O..   .X...X.   OO...X.   XO...OO
        O.X.O..   .O.O.XO   OOX..X.   XO...XX
        XOO.X..   OO.XOOX   XOO.XX.   OX.XOXO
        OXXXOX.   XX.OXXX   OXXXOOX   XOXXOOO
        XOOXXOO   XOOXOOO   XOOOXXO   XOXOXOX
        OXOOXXX   OXOOXXX   OOXXOXX   XXOXOOX
        3         4         4         4
        """,
    ),
]
