"""A position as something to click on: what each cell shows, means, and why it means nothing.

All of it is found by looking at positions before and after a move, so it holds for any game that
has a board, and knows the rules of none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from xml.etree.ElementTree import tostring

from ..film.boards import board_of, draw_board, won_path
from ..film.payload import board_facts
from ..film.pictures import THEMES, add, new_svg, output_forms, still_css
from ..film.words import plain
from ..games import Game

SCALE = 6
"""Pixels a unit in the picture of a board, whose cells have 10 units."""


class Choice(NamedTuple):
    """A legal action and the cells that it changes."""

    action: Any
    label: str
    changes: tuple[int, ...]


class ClickableBoard:
    """The board of a game, or its text, for a person who plays on it."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.board = board_of(game)
        self.pieces_fall = self._pieces_fall()

    def facts(self) -> dict[str, Any] | None:
        """The board's shapes, as the page draws them; ``None`` for a game without a board."""
        facts = board_facts(self.board)
        return facts and facts | {"falls": self.pieces_fall}

    def cells(self, state: Any) -> list[int]:
        """One number a cell, row by row; nothing for a game without a board."""
        return [int(cell) for cell in self.board.cells(state)] if self.board else []

    def piece_of(self, player: int) -> int | None:
        """The number of the player's first piece; ``None`` if the board has none of theirs."""
        pieces = self.board.pieces if self.board else ()
        return next((n for n, piece in enumerate(pieces, 1) if piece.player == player), None)

    def choices(self, state: Any) -> list[Choice]:
        """The legal actions, in the game's order."""
        if self.game.is_terminal(state):
            return []
        return [
            Choice(action, self.label(state, action), self.changes(state, action))
            for action in self.game.legal_actions(state)
        ]

    def changes(self, state: Any, action: Any) -> tuple[int, ...]:
        """The cells that look different after ``action``."""
        after = self.cells(self.game.play(state, action))
        return tuple(i for i, cell in enumerate(self.cells(state)) if cell != after[i])

    def meanings(self, choices: Sequence[Choice]) -> list[list[int]]:
        """By cell: the numbers of the choices that a click on it may mean; best if just one.

        A cell means the least change that it is part of: of a row of objects, the last one means
        one object, the one before it two. Where pieces fall, any other cell means its column.
        """
        if self.board is None:
            return []
        meanings = []
        for cell in range(self.board.rows * self.board.columns):
            touching = [i for i, choice in enumerate(choices) if cell in choice.changes]
            if not touching and self.pieces_fall:
                touching = [i for i, c in enumerate(choices) if self._in_column(cell, c.changes)]
            least = min((len(choices[i].changes) for i in touching), default=0)
            meanings.append([i for i in touching if len(choices[i].changes) == least])
        return meanings

    def _pieces_fall(self) -> bool:
        """True if one chooses a column: at the start each move changes one cell of its own column.

        In a board of one row a column is a cell, and nothing falls.
        """
        if self.board is None or self.board.rows == 1:
            return False
        changes = [choice.changes for choice in self.choices(self.game.initial_state())]
        columns = {cells[0] % self.board.columns for cells in changes if len(cells) == 1}
        return 0 < len(changes) == len(columns)

    def _in_column(self, cell: int, changes: tuple[int, ...]) -> bool:
        assert self.board is not None
        return any((cell - change) % self.board.columns == 0 for change in changes)

    def position(self, state: Any, before: Any, closed: str) -> dict[str, Any]:
        """A position as the page shows it; ``closed`` says why nobody may move now, if so.

        ``listed`` says whether some move is no click on a cell, so that moves need buttons.
        """
        cells, choices = self.cells(state), self.choices(state)
        earlier = self.cells(before)
        means, why = [], []
        clickable: set[int] = set()
        for cell, meant in enumerate(self.meanings(choices)):
            clickable.update(meant if len(meant) == 1 else ())
            single = len(meant) == 1 and not closed
            means.append(meant[0] if single else None)
            refused = closed or self.refusal(cell, cells[cell], [choices[i] for i in meant])
            why.append("" if single else refused)
        return {
            "text": self.game.text(state),
            "cells": cells,
            "before": earlier,
            "won": won_path(self.board, cells) if self.board else "",
            "names": [self._name(cell, cells, earlier) for cell in range(len(cells))],
            "means": means,
            "why": why,
            "closed": closed,
            "listed": len(clickable) < len(choices),
            "choices": [{"label": label, "changes": changes} for _, label, changes in choices],
        }

    # Words -----------------------------------------------------------------------------------

    def label(self, state: Any, action: Any) -> str:
        return plain(self.game.action_label(state, action))

    def move(self, state: Any, action: Any) -> str:
        """A move in a sentence: ``move 4 (row 2, column 2)``, ``2 from heap 1``."""
        label, changes = self.label(state, action), self.changes(state, action)
        where = f" ({self.place(changes[0])})" if len(changes) == 1 else ""
        return ("move " if label.isdigit() else "") + label + where

    def place(self, cell: int) -> str:
        """Say where a cell is, counted from 1 at the top left."""
        assert self.board is not None
        return f"row {cell // self.board.columns + 1}, column {cell % self.board.columns + 1}"

    def holder(self, value: int) -> str:
        """Say who or what is in a cell: ``X``, or ``a piece`` that belongs to nobody."""
        if not value or self.board is None:
            return "empty"
        owner = self.board.pieces[value - 1].player
        if owner >= len(self.game.players):
            return "a piece"
        kinds = [n for n, piece in enumerate(self.board.pieces, 1) if piece.player == owner]
        kind = f" (kind {kinds.index(value) + 1})" if len(kinds) > 1 else ""
        return plain(self.game.players[owner]) + kind

    def _name(self, cell: int, cells: Sequence[int], before: Sequence[int]) -> str:
        last = ", changed by the last move" if cells[cell] != before[cell] else ""
        return f"{self.place(cell)}: {self.holder(cells[cell])}{last}"

    def refusal(self, cell: int, value: int, meant: Sequence[Choice]) -> str:
        """Say why a click on a cell that does not mean one move does nothing."""
        place = self.place(cell)
        if len(meant) > 1:
            labels = ", ".join(choice.label for choice in meant)
            return f"A click on {place} could mean {labels}: choose one from the list of moves."
        if self.pieces_fall:
            return f"{place.split(', ')[1].capitalize()} is full: choose another column."
        if value:
            return f"{place.capitalize()} is taken by {self.holder(value)}: choose another cell."
        return f"No move changes {place}: choose another cell."

    # Where no widget lives -------------------------------------------------------------------

    def still_forms(self, state: Any, before: Any, words: str) -> dict[str, str]:
        """A position as text and, if it has a board, as PNG; what differs from ``before`` glows."""
        text = f"{self.game.text(state)}\n{words}"
        return output_forms(self._svg(state, before), text) if self.board else {"text/plain": text}

    def _svg(self, state: Any, before: Any) -> str:
        board = self.board
        assert board is not None
        wide, high = 10 * board.columns + 2, 10 * board.rows + 2
        size = {"width": str(SCALE * wide), "height": str(SCALE * high)}
        root = new_svg((-1, -1, wide, high), "mcts-board", **size)
        add(root, "style", text=still_css("light", "select"))
        add(root, "rect", x=-1, y=-1, width="100%", height="100%", fill=THEMES["light"]["page"])
        draw_board(root, board, self.cells(state), self.cells(before))
        add(root, "path", "won", d=won_path(board, self.cells(state)))
        return tostring(root, encoding="unicode")
