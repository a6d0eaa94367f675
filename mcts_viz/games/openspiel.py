"""The games of OpenSpiel (Lanctot et al., 2019), by ``pip install open_spiel``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..errors import GameError, reason, short_repr
from .protocol import Returns
from .replayed import Position, Replayed, library

# Pieces on the boards of OpenSpiel's texts: empty, the first player's, the second's. Hex has
# letters of its own for stones that are joined to an edge.
SYMBOLS: Final = {
    "breakthrough": (".", "b", "w"),
    "clobber": (".", "o", "x"),
    "connect_four": (".", "x", "o"),
    "go": ("+", "X", "O"),
    "havannah": (".", "O", "@"),
    "hex": (".", "xyzX", "opqO"),
    "othello": ("-", "x", "o"),
    "tic_tac_toe": (".", "x", "o"),
    "y": (".", "O", "@"),
}


class OpenSpielGame(Replayed):
    """A game by OpenSpiel's name for it: ``OpenSpielGame("hex(board_size=5)")``.

    Players take turns, nothing is hidden and nothing is left to chance; there may be any number of
    players. Returns are OpenSpiel's, divided by the largest that the game knows. Raises
    ``GameError`` for other games, and where open_spiel is not installed.
    """

    def __init__(self, game: str) -> None:
        pyspiel = library("pyspiel", "open_spiel")
        try:
            self._game = pyspiel.load_game(game)
        except (TypeError, pyspiel.SpielError) as error:
            raise GameError(
                f"OpenSpiel cannot make {short_repr(game)} ({reason(error)}): "
                "pyspiel.registered_names() lists its games."
            ) from None
        kind = self._game.get_type()
        why = {
            "its players move at the same time": kind.dynamics.name != "SEQUENTIAL",
            "it has chance in it": kind.chance_mode.name != "DETERMINISTIC",
            "it hides something from a player": kind.information.name != "PERFECT_INFORMATION",
        }
        for fault in filter(why.get, why):
            raise GameError(
                f"{short_repr(game)} cannot be searched here, because {fault}: take another."
            )
        super().__init__(game=str(self._game))
        self.symbols = SYMBOLS.get(kind.short_name, ())
        self._title: str = kind.long_name
        self._most = max(abs(self._game.min_utility()), abs(self._game.max_utility()))
        count = self._game.num_players()
        self.players = tuple(f"Player {number}" for number in range(1, count + 1))
        if self.symbols and count == 2:
            self.players = (self.symbols[1][0], self.symbols[2][0])

    @property
    def name(self) -> str:
        return self._title

    def _start(self) -> Position:
        position: Position = self._game.new_initial_state()
        return position

    def _scaled(self, returns: Sequence[float]) -> Returns:
        return tuple(number / self._most for number in returns)
