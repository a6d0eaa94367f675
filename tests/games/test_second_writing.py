"""Each game of the package, written a second time from the moves alone: what it says and shows.

The texts, boards, labels, legal moves, payments and results of both must be the same, all along
random games.
"""

import random
from collections.abc import Mapping
from functools import reduce
from operator import getitem
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from golden_traces import PENCIL

from mcts_viz.film import board_of
from mcts_viz.games import (
    GAMES,
    NATURE,
    Bandit,
    ConnectFour,
    Nim,
    Pig,
    SlidingPuzzle,
    SlipperyLake,
    TicTacToe,
    mover,
    moves_of,
)
from mcts_viz.games.turns import chances


class Told(NamedTuple):
    """The words on a position, after some moves."""

    text: str
    mover: int
    labels: dict[Any, str]
    """By legal move, in the game's order; none when the game is over."""
    returns: tuple[float, ...] | None
    signs: str = ""
    """Its board, a sign a cell; none where the text is shown."""
    paid: float = 0.0
    """The reward of the last move for player 0."""
    chances: Mapping[Any, float] = MappingProxyType({})


def rows(cells, wide, between="\n"):
    return between.join("".join(cells[at : at + wide]) for at in range(0, len(cells), wide))


def named(moves):
    """Moves whose labels are themselves."""
    return {move: str(move) for move in moves}


def won(grid, wide, connect, letter):
    cells = {divmod(at, wide) for at, held in enumerate(grid) if held == letter}
    return any(
        {(row + i * down, column + i * across) for i in range(connect)} <= cells
        for row, column in cells
        for down, across in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def in_a_row(game, moves):
    """Tic-tac-toe and Connect Four: a piece takes its cell, or the lowest of its column."""
    falls, wide = isinstance(game, ConnectFour), game.columns
    connect, grid = game.connect if falls else 3, ["."] * game.rows * wide
    for turn, move in enumerate(moves):
        free = [at for at in range(move, len(grid), wide) if grid[at] == "."]
        grid[free[-1] if falls else move] = "XO"[turn % 2]
    x, o = (won(grid, wide, connect, letter) for letter in "XO")
    over = x or o or "." not in grid
    open_moves = [at for at, held in enumerate(grid[:wide] if falls else grid) if held == "."]
    signs = rows(grid, wide).replace("X", "●").replace("O", "◉") if falls else rows(grid, wide)
    labels = named([] if over else open_moves)
    returns = (x - o, o - x) if over else None
    return Told(rows(grid, wide), len(moves) % 2, labels, returns, signs)


def nim(game, moves):
    heaps, who = [*game.heaps], len(moves) % 2
    for heap, count in moves:
        heaps[heap] -= count
    text = f"{' '.join(map(str, heaps))} {'AB'[who]}"
    labels = {
        (heap, count): f"{count} from heap {heap + 1}"
        for heap, left in enumerate(heaps)
        for count in range(1, left + 1)
    }
    signs = "\n".join(("|" * heap).ljust(max(game.heaps), ".") for heap in heaps)
    return Told(text, who, labels, None if labels else ((-1, 1), (1, -1))[who], signs)


def pig(game, moves):
    points, turn, who = [0, 0], 0, 0
    for move in moves:
        points[who] += turn * (move == "hold")
        if move in ("hold", 1):
            turn, who = 0, 1 - who
        elif move != "roll":
            turn += move
    rolls = moves[-1:] == ["roll"]
    over = max(points) >= game.goal
    text = f"{points[0]} {points[1]} +{turn} {'AB'[who]}{' rolls' if rolls else ''}"
    heads = [("●", ".")[who], (".", "O")[who], "⚄" if rolls else "+"]
    numbers = [str(each).rjust(len(str(game.goal + 6)), ".") for each in (*points, turn)]
    if over:
        heads, numbers[2] = "...", numbers[2].replace("0", ".")
    signs = "\n".join(map("".join, zip(heads, numbers, strict=True)))
    if over:
        return Told(text, who, {}, ((1, -1), (-1, 1))[points[0] < game.goal], signs)
    enough = points[who] + turn >= game.goal
    legal = range(1, 7) if rolls else ["hold"] if enough else ["roll", "hold"] if turn else ["roll"]
    if rolls:
        chances = dict.fromkeys(legal, 1 / 6)
        return Told(text, NATURE, named(legal), None, signs, chances=chances)
    return Told(text, who, named(legal), None, signs)


WAYS = {"left": (0, -1), "down": (1, 0), "right": (0, 1), "up": (-1, 0)}
ARROWS = dict(zip(WAYS, "←↓→↑", strict=True))


def lake(game, moves):
    cells, wide = "".join(game.rows), len(game.rows[0])
    at, pays = cells.index("S"), 0.0
    for way in moves[1::2]:
        row, column = (a + b for a, b in zip(divmod(at, wide), WAYS[way], strict=True))
        if 0 <= row < len(game.rows) and 0 <= column < wide:
            at = row * wide + column
        pays = {"H": -20.0, "G": 10.0}.get(cells[at], -1.0)
    chosen = moves[-1] if len(moves) % 2 else ""
    text = rows(cells[:at] + "@" + cells[at + 1 :], wide) + (f"\n{chosen}" if chosen else "")
    over = cells[at] in "HG"
    order = [*WAYS]
    turns = (0, -1, 1) if game.slip else (0,)
    sides = [order[(order.index(chosen) + turn) % 4] for turn in turns] if chosen else order
    chances = dict(zip(sides, (1 - game.slip, game.slip / 2, game.slip / 2), strict=False))
    sign = ARROWS[chosen] if chosen else {"H": "✗", "G": "⚑"}.get(cells[at], "●")
    signs = rows(cells[:at].replace("S", ".") + sign + cells[at + 1 :].replace("S", "."), wide)
    if chosen:
        return Told(text, NATURE, named(sides), None, signs, 0.0, chances)
    labels = named([] if over else sides)
    return Told(text, 0, labels, (0.0,) if over else None, signs, pays)


def sliding(game, moves):
    tiles, wide = [*game.start], game.columns
    for tile in moves:
        here, gap = tiles.index(tile), tiles.index(0)
        tiles[here], tiles[gap] = 0, tile
    gap = divmod(tiles.index(0), wide)
    near = [
        tile
        for at, tile in enumerate(tiles)
        if sum(abs(a - b) for a, b in zip(divmod(at, wide), gap, strict=True)) == 1
    ]
    signs = [str(tile or ".") for tile in tiles]
    text = " /\n".join(" ".join(signs[at : at + wide]) for at in range(0, len(tiles), wide))
    done = tiles == [*range(1, len(tiles)), 0]
    over = done or len(moves) == game.most
    labels = named([] if over else near)
    returns = (0.0 if done else -float(game.most),) if over else None
    return Told(f"{text} ({len(moves)})", 0, labels, returns, rows(signs, wide), -1.0)


def tree(game, moves):
    below = reduce(getitem, moves, game.tree)
    text, who = " ".join(moves) or ".", len(moves) % 2
    if isinstance(below, float):
        return Told(text, who, {}, (below, -below))
    return Told(text, who, named(below), None)


def bandit(game, moves):
    text = " ".join(map(str, moves)) or "pull"
    if len(moves) == 2:
        share = game.chances["ABC".index(moves[0])]
        return Told(text, 0, {}, (1.0 if moves[1] <= 100 * share else -1.0,))
    tickets = {ticket: f"ticket {ticket}" for ticket in range(1, 101)}
    return Told(text, 0, tickets if moves else named("ABC"), None)


AGAIN = {
    TicTacToe(): in_a_row,
    ConnectFour(): in_a_row,
    ConnectFour(3, 5, 3): in_a_row,
    **{ConnectFour(*size): in_a_row for size in ((4, 2, 2), (1, 9, 2), (9, 1, 4), (8, 9, 3))},
    Nim(): nim,
    Nim((2, 7)): nim,
    Pig(): pig,
    Pig(12): pig,
    SlipperyLake(slip=0.5): lake,
    SlipperyLake(slip=0): lake,
    SlipperyLake((".S.G", "HHHH"), 0.9): lake,
    SlidingPuzzle(): sliding,
    SlidingPuzzle((3, 1, 2, 0), 2, 7): sliding,
    PENCIL: tree,
    Bandit((0.25, 0.5, 0.07)): bandit,
}


def test_every_game_is_written_again():
    others = {"OpenSpielGame", "GymnasiumTable", "GymnasiumCopies"}  # of other libraries
    assert {type(game).__name__ for game in AGAIN} == {*GAMES} - others


@pytest.mark.parametrize("game", AGAIN, ids=repr)
def test_a_game_says_what_its_second_writing_says(game):
    assert GAMES[type(game).__name__](**game.parameters()) == game
    board, draw = board_of(game), random.Random(3)
    for _ in range(40):
        state, moves = game.initial_state(), []
        while True:
            told = AGAIN[game](game, moves)
            assert game.text(state) == told.text, moves
            assert game.parse(told.text) == state
            assert game.is_terminal(state) == (told.returns is not None)
            if board:
                signs = [piece.sign for piece in board.pieces]
                shown = [signs[cell - 1] if cell else "." for cell in board.cells(state)]
                assert rows(shown, board.columns) == told.signs, moves
            if told.returns is not None:
                assert game.returns(state) == told.returns
                break
            assert (mover(game, state), chances(game, state)) == (told.mover, told.chances)
            legal = moves_of(game, state)
            assert [*legal] == [*told.labels]
            assert [game.action_label(state, move) for move in legal] == [*told.labels.values()]
            move = draw.choice([*legal])
            before, state = state, game.play(state, move)
            moves.append(move)
            assert game.reward(before, move, state)[0] == AGAIN[game](game, moves).paid
