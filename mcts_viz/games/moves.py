"""Games whose positions are the moves that led there, so that no board is needed."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from .protocol import Game
from .refusals import NOT_READ, legal_action, not_a_position, require_text
from .turns import moves_of


class GameOfMoves(Game[tuple[Any, ...], Any]):
    """A state is the tuple of the moves made so far."""

    at_start = "."
    """The text of the start."""

    def initial_state(self) -> tuple[Any, ...]:
        return ()

    def play(self, state: tuple[Any, ...], action: Hashable) -> tuple[Any, ...]:
        move = legal_action(self, state, action, moves_of(self, state))
        return (*state, move)

    def text(self, state: tuple[Any, ...]) -> str:
        """The moves so far, such as ``a c``."""
        try:
            return " ".join(map(str, state)) or self.at_start
        except NOT_READ:
            raise not_a_position(self, state) from None

    def parse(self, text: str) -> tuple[Any, ...]:
        """The state after some moves, each as it is or by its label, such as ``a c``.

        Raises ``GameError`` if one of them is not legal.
        """
        require_text(text, "a c")
        state = self.initial_state()
        words = [] if text.strip() == self.at_start else text.split()
        for word in words:
            legal = moves_of(self, state)
            named = {str(action): action for action in legal}
            named |= {self.action_label(state, action): action for action in legal}
            state = self.play(state, named.get(word, word))
        return state
