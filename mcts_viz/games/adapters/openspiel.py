"""Games of OpenSpiel. A state is the tuple of moves made so far.

OpenSpiel's position after them changes in place, so it cannot be the state; it is kept beside, and
a position further on is a clone that is moved on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from math import floor
from typing import Any, Final, TypeAlias

from ...errors import GameError, must_be, reason, short_repr
from ..moves import GameOfMoves
from ..protocol import NO_CHANCES, Playout, RandomSource, Returns
from ..refusals import check_over, legal_action
from ..turns import drawn

Moves: TypeAlias = tuple[int, ...]

NEAR: Final = 0.5
"""Names are taken for one mistyped if they are so alike, by difflib's measure."""
_KEPT: Final = 5_000  # positions beside the states; the memory of a search is larger

# Pieces on the boards of the texts: empty, the first player's, the second's. Hex has letters of its
# own for stones that are joined to an edge.
SYMBOLS: Final = {
    "breakthrough": (".", "b", "w"),
    "clobber": (".", "o", "x"),
    "connect_four": (".", "x", "o"),
    "go": ("+", "X", "O"),
    "hex": (".", "xyzX", "opqO"),
    "othello": ("-", "x", "o"),
    "tic_tac_toe": (".", "x", "o"),
}


@dataclass(unsafe_hash=True)
class OpenSpielGame(GameOfMoves):
    """A game by OpenSpiel's name for it: ``OpenSpielGame("hex(board_size=5)")``.

    Two players take turns, one wins what the other loses, and nothing is hidden; dice are nature's
    moves. Two orders of the same moves are two states: only OpenSpiel could say whether they are
    the same position. Returns are OpenSpiel's, divided by the largest that the game knows. Raises
    ``GameError`` for other games, and where open_spiel is not installed. Source: Lanctot et al.
    (2019), "OpenSpiel: a framework for reinforcement learning in games".
    """

    game: str
    name = ""

    def __post_init__(self) -> None:
        try:
            import pyspiel
        except ImportError as error:
            raise GameError(
                f"OpenSpiel is missing ({reason(error)}): pip install open_spiel."
            ) from None
        name, known = str(self.game).partition("(")[0], pyspiel.registered_names()
        if name not in known:
            near = get_close_matches(name.lower(), known, 1, NEAR) or ["hex"]
            kind = f"one of pyspiel.registered_names(), such as {near[0]!r}"
            raise must_be("game", kind, self.game, GameError)
        try:
            self._game = pyspiel.load_game(self.game)
        except RuntimeError as error:
            raise GameError(
                f"OpenSpiel cannot make {short_repr(self.game)}: {reason(error)}."
            ) from None
        kind = self._game.get_type()
        found = [kind.dynamics, kind.chance_mode, kind.information, kind.utility]
        needed = ["SEQUENTIAL", "PERFECT_INFORMATION", "ZERO_SUM"]
        dynamics, chance, *others = [each.name for each in found]
        known = chance in ("DETERMINISTIC", "EXPLICIT_STOCHASTIC")
        if not known or [dynamics, *others] != needed or self._game.num_players() != 2:
            games = "two players in turn, without hidden cards, where one wins what the other loses"
            raise GameError(f"{short_repr(self.game)} cannot be searched: take a game of {games}.")
        self.without_luck = chance == "DETERMINISTIC"
        self.name = kind.long_name
        self.symbols: tuple[str, ...] = SYMBOLS.get(kind.short_name, ())
        """The letters of an empty cell and of both players' pieces; empty without a board."""
        if self.symbols:
            self.players = (self.symbols[1][0], self.symbols[2][0])
        self._most = self._game.max_utility()
        self._at = lru_cache(_KEPT)(self._position_after)
        """The position after the moves of a state, only to be asked."""

    def _position_after(self, state: Moves) -> Any:
        if not state:
            return self._game.new_initial_state()
        before = self._at(state[:-1])
        # Of a position where nature moves, these are her outcomes.
        action = legal_action(self, state[:-1], state[-1], before.legal_actions())
        position = before.clone()
        position.apply_action(action)
        return position

    def to_move(self, state: Moves) -> int:
        return int(max(0, self._at(state).current_player()))  # which is negative at the end

    def legal_actions(self, state: Moves) -> Moves:
        return tuple(self._at(state).legal_actions())

    def chances(self, state: Moves) -> Mapping[int, float]:
        position = self._at(state)
        return dict(position.chance_outcomes()) if position.is_chance_node() else NO_CHANCES

    def is_terminal(self, state: Moves) -> bool:
        return bool(self._at(state).is_terminal())

    def returns(self, state: Moves) -> Returns:
        check_over(self, state)
        return tuple(number / self._most for number in self._at(state).returns())

    def action_label(self, state: Moves, action: int) -> str:
        return str(self._at(state).action_to_string(action))

    def text(self, state: Moves) -> str:
        """OpenSpiel's own text, and below it the moves by number."""
        board = str(self._at(state)).strip("\n")
        return f"{board}\nmoves: {super().text(state)}"

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
            if position.is_chance_node():
                actions.append(drawn(dict(position.chance_outcomes()), random))
            else:
                legal = position.legal_actions()
                actions.append(legal[floor(random.random() * len(legal))])
            position.apply_action(actions[-1])
        return Playout(actions, tuple(number / self._most for number in position.returns()))
