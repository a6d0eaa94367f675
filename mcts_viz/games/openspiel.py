"""Games of OpenSpiel. A state is the tuple of moves made so far.

OpenSpiel's position after them changes in place, so it cannot be the state; it is kept beside, and a
position further on is a clone that is moved on.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import Any, Final, TypeAlias

from ..errors import GameError, reason, short_repr
from .boards import GameOfMoves, legal_action, not_over
from .protocol import Playout, RandomSource, Returns

Moves: TypeAlias = tuple[int, ...]

_KEPT: Final = 5_000  # positions beside the states; the memory of a search is larger

# Pieces on the boards of the texts: empty, the first player's, the second's. Hex has letters of its
# own for stones that are joined to an edge.
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


class OpenSpielGame(GameOfMoves):
    """A game by OpenSpiel's name for it: ``OpenSpielGame("hex(board_size=5)")``.

    Players take turns, nothing is hidden and nothing is left to chance; there may be any number of
    players. Two orders of the same moves are two states: only OpenSpiel could say whether they are
    the same position. Returns are OpenSpiel's, divided by the largest that the game knows. Raises
    ``GameError`` for other games, and where open_spiel is not installed. Source: Lanctot et al.
    (2019), "OpenSpiel: a framework for reinforcement learning in games".
    """

    name = ""

    def __init__(self, game: str) -> None:
        try:
            import pyspiel
        except ImportError as error:
            raise GameError(f"This game needs OpenSpiel ({error}): pip install open_spiel.") from None
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
            raise GameError(f"{short_repr(game)} cannot be searched, as {fault}: take another.")
        self.name = kind.long_name
        self.symbols: tuple[str, ...] = SYMBOLS.get(kind.short_name, ())
        """The letters of an empty cell and of both players' pieces; empty without a board."""
        self.players = tuple(f"Player {number}" for number in range(1, self._game.num_players() + 1))
        if self.symbols and len(self.players) == 2:
            self.players = (self.symbols[1][0], self.symbols[2][0])
        self._most = max(abs(self._game.min_utility()), abs(self._game.max_utility()))
        self._positions: dict[Moves, Any] = {}

    def __reduce__(self) -> Any:
        return type(self), (str(self._game),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielGame) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"OpenSpielGame({str(self._game)!r})"

    def parameters(self) -> dict[str, Any]:
        return {"game": str(self._game)}

    def _moved(self, state: Moves) -> Any:
        """A position after the moves of ``state``, free to be moved on."""
        done, known = len(state), None
        while done and (known := self._positions.get(state[:done])) is None:
            done -= 1
        position = known.clone() if known else self._game.new_initial_state()
        for number in range(done, len(state)):
            legal = () if position.is_terminal() else position.legal_actions()
            position.apply_action(legal_action(self, state[:number], state[number], legal))
        return position

    def _at(self, state: Moves) -> Any:
        """The position after the moves of ``state``, only to be asked."""
        position = self._positions.get(state)
        if position is None:
            position = self._moved(state)
            if len(self._positions) >= _KEPT:
                self._positions.clear()
            self._positions[state] = position
        return position

    def to_move(self, state: Moves) -> int:
        return 0 if self.is_terminal(state) else int(self._at(state).current_player())

    def legal_actions(self, state: Moves) -> tuple[int, ...]:
        return tuple(self._at(state).legal_actions())

    def is_terminal(self, state: Moves) -> bool:
        return bool(self._at(state).is_terminal())

    def returns(self, state: Moves) -> Returns:
        if not self.is_terminal(state):
            raise not_over(self, state)
        return self._scaled(self._at(state).returns())

    def _scaled(self, returns: Sequence[float]) -> Returns:
        return tuple(number / self._most for number in returns)

    def action_label(self, state: Moves, action: int) -> str:
        return str(self._at(state).action_to_string(action))

    def text(self, state: Moves) -> str:
        """OpenSpiel's own text, and below it the moves by number."""
        board = str(self._at(state)).strip("\n")
        return "\n".join([board, " ".join(["moves:", *map(str, state)])])

    def parse(self, text: str) -> Moves:
        """The state after some moves: the text of a state, or numbers or labels such as ``a1 b2``.

        Raises ``GameError`` if one of them is not legal.
        """
        return super().parse(text.rpartition("moves:")[2] if isinstance(text, str) else text)

    def fast_playout(self, state: Moves, random: RandomSource) -> Playout:
        """Play uniformly at random to the end, one random number a move."""
        actions: list[int] = []
        position = self._at(state).clone()
        while not position.is_terminal():
            legal = position.legal_actions()
            actions.append(legal[floor(random.random() * len(legal))])
            position.apply_action(actions[-1])
        return Playout(actions, self._scaled(position.returns()))
