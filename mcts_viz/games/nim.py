"""Nim under normal play: the player who takes the last object wins.

Its exact solution (C. L. Bouton, 1901: the player to move loses if and only if the heap sizes
XOR to 0) makes it a test for every search.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import gt

from ..errors import GameError, fits, items, listed, require
from .protocol import WIN_OF, Game, Returns
from .refusals import NOT_READ, check_over, legal_action, not_a_position, refusal, require_text

_MAX_HEAP = 1000
_MOST = 10_000
"""Objects in all: every one of them is a legal move."""


@dataclass(frozen=True)
class Nim(Game[tuple[int, ...], tuple[int, int]]):
    """Take one object or more from one heap; the last object wins; A begins.

    A state is ``(player to move, size of heap 0, size of heap 1, ...)``. An action is
    ``(heap, count)``, with heaps numbered from 0; texts for readers number them from 1.

    >>> Nim((3, 4, 5)).play((0, 3, 4, 5), (2, 4))
    (1, 3, 4, 1)
    """

    heaps: tuple[int, ...] = (3, 4, 5)

    players = ("A", "B")

    def __post_init__(self) -> None:
        heaps = items(self.heaps, _MOST)
        sizes = tuple([int(n) for n in heaps if fits(n, 1, _MAX_HEAP, whole=True)])
        right = 0 < len(sizes) == len(heaps) and sum(sizes) <= _MOST
        kind = f"sizes from 1 to {_MAX_HEAP}, together at most {_MOST:,}, such as (3, 4, 5)"
        require(right, "heaps", kind, self.heaps, GameError)
        object.__setattr__(self, "heaps", sizes)

    def initial_state(self) -> tuple[int, ...]:
        return (0, *self.heaps)

    def to_move(self, state: tuple[int, ...]) -> int:
        try:
            return state[0]
        except NOT_READ:
            raise not_a_position(self, state) from None

    def legal_actions(self, state: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        try:
            return tuple(
                [(heap, n) for heap, size in enumerate(state[1:]) for n in range(1, size + 1)]
            )
        except NOT_READ:
            raise not_a_position(self, state) from None

    def play(self, state: tuple[int, ...], action: tuple[int, int]) -> tuple[int, ...]:
        heap, count = legal_action(self, state, action, self.legal_actions(state))
        player, *sizes = state
        sizes[heap] -= count
        return (1 - player, *sizes)

    def is_terminal(self, state: tuple[int, ...]) -> bool:
        try:
            return not sum(state[1:])
        except NOT_READ:
            raise not_a_position(self, state) from None

    def returns(self, state: tuple[int, ...]) -> Returns:
        check_over(self, state)
        return WIN_OF[1 - self.to_move(state)]  # who is to move now did not take the last object

    def action_label(self, state: tuple[int, ...], action: tuple[int, int]) -> str:
        try:
            heap, count = action
            return f"{count} from heap {heap + 1}"
        except NOT_READ:
            raise refusal(self, state, action) from None

    def text(self, state: tuple[int, ...]) -> str:
        """The heap sizes, then who is to move: ``3 4 5 A``."""
        try:
            player, *heaps = state
            return " ".join([*map(str, heaps), self.players[player]])
        except NOT_READ:
            raise not_a_position(self, state) from None

    def parse(self, text: str) -> tuple[int, ...]:
        """The state of ``"3 4 5"`` (A to move) or ``"3 4 5 B"``; commas may replace spaces."""
        require_text(text, "3 4 5 A")
        words = text.replace(",", " ").split()
        player = 0
        if words and words[-1].upper() in self.players:
            player = self.players.index(words.pop().upper())
        sizes = [int(word) for word in words if re.fullmatch("[0-9]{1,4}", word)]
        if not len(sizes) == len(words) == len(self.heaps) or any(map(gt, sizes, self.heaps)):
            kind = f"heaps of at most {listed(self.heaps)}, and who is to move, A or B"
            raise GameError(f"{text!r} is not a position here: write {kind}.")
        return (player, *sizes)
