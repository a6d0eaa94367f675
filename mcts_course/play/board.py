"""A position as something to click on: what each cell shows, means, and why it means nothing.

All of it is found by looking at positions before and after a move, so it holds for any game that
has a board, and knows the rules of none.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, TypedDict
from xml.etree.ElementTree import tostring

from mcts_viz.film.boards import board_of, draw_board, won_path
from mcts_viz.film.pictures import THEMES, add, new_svg, output_forms, still_css
from mcts_viz.film.words import plain
from mcts_viz.games import Game, moves_of, turns

SCALE = 6
"""Pixels a unit in the picture of a board, whose cells have 10 units."""


class Choice(TypedDict):
    """A legal action as the page knows it."""

    label: str
    changes: tuple[int, ...]
    """The cells that look different after it."""


class Shown(TypedDict):
    """A position as the page shows it; lists have an entry a cell, none without a board."""

    text: str
    cells: list[int]
    before: list[int]
    """The cells before the last move."""
    won: str
    """The line through pieces that have won, as SVG path data."""
    names: list[str]
    """The cell's name for a screen reader."""
    means: list[int | None]
    """The choice that a click means, by number; ``None`` where it means no single one."""
    why: list[str]
    """The reason why a click there does nothing."""
    closed: str
    """The reason why no move can be made now; "" if one can."""
    listed: bool
    """True if choices need buttons: some are no click on a cell, or nature moves too."""
    choices: list[Choice]


class ClickableBoard:
    """The board of a game, or its text, for a person who plays on it."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game, self.board = game, board_of(game)
        self.columns = self.board.columns if self.board else 1
        self.is_lucky = turns.knows_luck(game)
        """True if nature moves, too: then a move decides what is at stake, and not just a place."""
        moves = [move["changes"] for move in self.choices(game.initial_state())]
        columns = {cells[0] % self.columns for cells in moves if len(cells) == 1}
        several = self.board is not None and self.board.rows > 1 and not self.is_lucky
        self.pieces_fall = several and 0 < len(moves) == len(columns)
        """True if one chooses a column: at the start each move changes one cell of its own."""

    def facts(self) -> dict[str, Any] | None:
        """The board's shapes, as the page draws them; ``None`` for a game without a board."""
        return self.board.facts if self.board else None

    def cells(self, state: Hashable) -> list[int]:
        """One number a cell, row by row; nothing for a game without a board."""
        return [int(cell) for cell in self.board.cells(state)] if self.board else []

    def written(self, cells: Sequence[int]) -> str:
        """Cells as the text of a position: the letter of each piece's player, row by row."""
        letters = [(self.holder(cell)[:1] if cell else ".") for cell in cells]
        starts = range(0, len(letters), self.columns)
        return " ".join("".join(letters[start : start + self.columns]) for start in starts)

    def can_be_set(self) -> bool:
        """True if the game reads a position from the letters of its cells."""
        start = self.game.initial_state()
        try:
            return bool(self.game.parse(self.written(self.cells(start))) == start)
        except Exception:  # a game need not read anything
            return False

    def setting(self, cells: list[int]) -> Shown:
        """Cells that the reader sets, one by one, as the page shows them."""
        kinds = len(self.board.pieces) + 1 if self.board else 1
        return {
            "text": self.written(cells),
            "cells": cells,
            "before": cells,
            "won": "",
            "names": [
                f"{self._named(place, cell, cells)}, press for {self.holder((cell + 1) % kinds)}"
                for place, cell in enumerate(cells)
            ],
            "means": [None] * len(cells),
            "why": [""] * len(cells),
            "closed": "",
            "listed": False,
            "choices": [],
        }

    def choices(self, state: Hashable) -> list[Choice]:
        """The label of each legal action, in the game's order, and the cells that it changes."""
        legal = moves_of(self.game, state)
        return [
            {"label": self.label(state, action), "changes": self.changes(state, action)}
            for action in legal
        ]

    def changes(self, state: Hashable, action: Hashable) -> tuple[int, ...]:
        """The cells that look different after ``action``."""
        after = self.cells(self.game.play(state, action))
        return tuple(i for i, cell in enumerate(self.cells(state)) if cell != after[i])

    def position(self, state: Hashable, before: Hashable, closed: str) -> Shown:
        """A position as the page shows it; ``closed`` says why no move can be made now, if so."""
        cells, earlier = self.cells(state), self.cells(before)
        choices = self.choices(state)
        meant = [self.meanings(cell, choices) for cell in range(len(cells))]
        single = [choice[0] if len(choice) == 1 else None for choice in meant]
        clickable = {choice for choice in single if choice is not None}
        return {
            "text": self.game.text(state),
            "cells": cells,
            "before": earlier,
            "won": won_path(self.board, cells) if self.board else "",
            "names": [self._named(cell, value, earlier) for cell, value in enumerate(cells)],
            "means": [None] * len(cells) if closed else single,
            "why": [
                closed or self._refusal(cell, value, [choices[choice]["label"] for choice in many])
                for cell, (value, many) in enumerate(zip(cells, meant, strict=True))
            ],
            "closed": closed,
            "listed": self.is_lucky or len(clickable) < len(choices),
            "choices": choices,
        }

    def _named(self, cell: int, value: int, earlier: Sequence[int]) -> str:
        """A cell for a reader who hears it: where it is, and what is in it."""
        last = ", changed by the last move" if value != earlier[cell] else ""
        return f"{self.place(cell)}: {self.holder(value)}{last}"

    def meanings(self, cell: int, choices: Sequence[Choice]) -> list[int]:
        """The numbers of the choices that a click on a cell may mean; best if just one.

        A cell means the least change that it is part of: of a row of objects, the last one means
        one object, the one before it two. Where pieces fall, any cell means its column.
        """
        step = self.columns if self.pieces_fall else 10**9  # no other cell is so far away
        sizes = {
            number: len(choice["changes"])
            for number, choice in enumerate(choices)
            if any((cell - changed) % step == 0 for changed in choice["changes"])
        }
        return [number for number, size in sizes.items() if size == min(sizes.values())]

    # Words -----------------------------------------------------------------------------------

    def label(self, state: Hashable, action: Hashable) -> str:
        return plain(self.game.action_label(state, action))

    def move(self, state: Hashable, action: Hashable) -> str:
        """A move in a sentence: ``move 4 (row 2, column 2)``, ``2 from heap 1``."""
        label, changes = self.label(state, action), self.changes(state, action)
        has_place = len(changes) == 1 and not self.is_lucky
        where = f" ({self.place(changes[0])})" if has_place else ""
        return ("move " if label.isdigit() else "") + label + where

    def place(self, cell: int) -> str:
        """Say where a cell is, counted from 1 at the top left."""
        return f"row {cell // self.columns + 1}, column {cell % self.columns + 1}"

    def holder(self, value: int) -> str:
        """Say who or what is in a cell: ``X``, or ``a piece`` that is no player's."""
        if not value or self.board is None:
            return "empty"
        piece = self.board.pieces[value - 1]
        if piece.name:
            return piece.name
        players, owner = self.game.players, piece.player
        return plain(players[owner]) if owner < len(players) else "a piece"

    def _refusal(self, cell: int, value: int, meant: Sequence[str]) -> str:
        """Say why a click on a cell does nothing; "" where it means one move."""
        place = self.place(cell)
        if len(meant) == 1:
            return ""
        if len(meant) > 1:
            could = f"A click on {place} could mean {', '.join(meant)}"
            return f"{could}: choose one from the list of moves."
        if self.pieces_fall:
            return f"{place.split(', ')[1].capitalize()} is full: choose another column."
        if value:
            return f"{place.capitalize()} is taken by {self.holder(value)}: choose another cell."
        return f"No move changes {place}: choose another cell."

    # Where no widget lives -------------------------------------------------------------------

    def still_forms(self, shown: Shown, words: str) -> dict[str, str]:
        """A :meth:`position` as text and, if it has a board, as PNG; what has changed glows."""
        text, board = f"{shown['text']}\n{words}", self.board
        if board is None:
            return {"text/plain": text}
        wide, high = 10 * board.columns + 2, 10 * board.rows + 2
        size = {"width": str(SCALE * wide), "height": str(SCALE * high)}
        root = new_svg((-1, -1, wide, high), "mcts-board", **size)
        add(root, "style", text=still_css("light", "select"))
        add(root, "rect", x=-1, y=-1, width="100%", height="100%", fill=THEMES["light"]["page"])
        draw_board(root, board, shown["cells"], shown["before"])
        add(root, "path", "won", d=shown["won"])
        return output_forms(tostring(root, encoding="unicode"), text)
