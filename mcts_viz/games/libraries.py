"""Games whose rules live in another library: OpenSpiel's, and gymnasium's puzzles for one player.

A state is the tuple of moves made so far. The library's position after them changes in place, so it
cannot be the state; it is kept beside, and a position one move further is a clone that is moved on.
What cannot be cloned is moved along, and played again from the start where a search goes elsewhere.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from math import floor
from threading import RLock
from typing import Any, Final, TypeAlias, TypeVar

from ..errors import GameError, reason, short_repr
from .boards import GameOfMoves, legal_action, not_over
from .protocol import Playout, RandomSource, Returns

Answer = TypeVar("Answer")
Moves: TypeAlias = tuple[int, ...]

_KEPT: Final = 5_000  # positions beside the states; the memory of a search is larger
_WALKS: Final = 20  # in which chance would show itself
_HERE: Final = re.compile("\x1b\\[4\\dm.\x1b\\[0m")  # the cell that gymnasium's texts colour
_COLOUR: Final = re.compile("\x1b\\[[\\d;]*m")

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


def _library(module: str, package: str) -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise GameError(f"This game needs {package} ({error}): pip install {package}.") from None


class LibraryGame(GameOfMoves):
    """A deterministic game of perfect information whose rules live in another library.

    Two orders of the same moves are two states: only the library could say whether they are the
    same position. ``symbols`` are the letters of the board's text, if it has a board: those of an
    empty cell, of the first player's pieces, and of the second's.
    """

    name = ""
    symbols: tuple[str, ...] = ()
    _start: Callable[[], Any]
    """Make the library's position at the start, which has the methods of OpenSpiel's."""
    _range: tuple[float, float]
    """The library's lowest and highest return."""

    def __init__(self, **parameters: Any) -> None:
        self._parameters = parameters
        self._lock = RLock()  # a widget asks for moves while its opponent thinks
        self._positions: dict[Moves, Any] = {}

    def __reduce__(self) -> Any:
        return partial(type(self), **self._parameters), ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LibraryGame) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self._parameters.items())
        return f"{type(self).__name__}({given})"

    def parameters(self) -> dict[str, Any]:
        return dict(self._parameters)

    def _scaled(self, returns: Sequence[float]) -> Returns:
        """The library's returns, in [-1, 1]."""
        low, high = self._range
        return tuple(min(max((2 * r - low - high) / (high - low), -1.0), 1.0) for r in returns)

    def _moved(self, state: Moves) -> Any:
        """A position after the moves of ``state``, free to be moved on."""
        known, done = self._positions, len(state)
        while done and state[:done] not in known:
            done -= 1
        position = known.pop(state[:done], None) or self._start()
        if hasattr(position, "clone"):
            known[state[:done]], position = position, position.clone()
        for number in range(done, len(state)):
            legal = () if position.is_terminal() else position.legal_actions()
            position.apply_action(legal_action(self, state[:number], state[number], legal))
        return position

    def _ask(self, state: Moves, answer: Callable[[Any], Answer]) -> Answer:
        """Ask the library's position after the moves of ``state``."""
        with self._lock:
            if state not in self._positions:
                position = self._moved(state)
                if len(self._positions) >= _KEPT or not hasattr(position, "clone"):
                    self._positions.clear()
                self._positions[state] = position
            return answer(self._positions[state])

    def to_move(self, state: Moves) -> int:
        return self._ask(state, lambda at: 0 if at.is_terminal() else int(at.current_player()))

    def legal_actions(self, state: Moves) -> tuple[int, ...]:
        return self._ask(state, lambda at: tuple(at.legal_actions()))

    def is_terminal(self, state: Moves) -> bool:
        return self._ask(state, lambda at: bool(at.is_terminal()))

    def returns(self, state: Moves) -> Returns:
        if self.is_terminal(state):
            return self._scaled(self._ask(state, lambda at: at.returns()))
        raise not_over(self, state)

    def action_label(self, state: Moves, action: int) -> str:
        return self._ask(state, lambda at: str(at.action_to_string(action)))

    def text(self, state: Moves) -> str:
        """The library's own text, and below it the moves by number."""
        board = self._ask(state, str).strip("\n")
        return "\n".join([board, " ".join(["moves:", *map(str, state)])])

    def parse(self, text: str) -> Moves:
        """The state after some moves: the text of a state, or numbers or labels such as ``a1 b2``.

        Raises ``GameError`` if one of them is not legal.
        """
        return super().parse(text.rpartition("moves:")[2] if isinstance(text, str) else text)

    def fast_playout(self, state: Moves, random: RandomSource) -> Playout:
        """Play uniformly at random to the end, one random number a move."""
        actions: list[int] = []
        with self._lock:
            position = self._moved(state)
            while not position.is_terminal():
                legal = position.legal_actions()
                actions.append(legal[floor(random.random() * len(legal))])
                position.apply_action(actions[-1])
            return Playout(actions, self._scaled(position.returns()))


class OpenSpielGame(LibraryGame):
    """A game by OpenSpiel's name for it: ``OpenSpielGame("hex(board_size=5)")``.

    Players take turns, nothing is hidden and nothing is left to chance; there may be any number of
    players. Returns are OpenSpiel's, divided by the largest that the game knows. Raises
    ``GameError`` for other games, and where open_spiel is not installed. Source: Lanctot et al.
    (2019), "OpenSpiel: a framework for reinforcement learning in games".
    """

    def __init__(self, game: str) -> None:
        pyspiel = _library("pyspiel", "open_spiel")
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
        super().__init__(game=str(self._game))
        self.symbols = SYMBOLS.get(kind.short_name, ())
        most = max(abs(self._game.min_utility()), abs(self._game.max_utility()))
        self.name, self._range = kind.long_name, (-most, most)
        self._start = self._game.new_initial_state
        count = self._game.num_players()
        self.players = tuple(f"Player {number}" for number in range(1, count + 1))
        if self.symbols and count == 2:
            self.players = (self.symbols[1][0], self.symbols[2][0])


class _Puzzle:
    """A puzzle on its way: the rewards so far, and what its last move told."""

    def __init__(self, environment: Any, seed: int, most: int) -> None:
        self._environment, self._left = environment, most
        self.seen, info = environment.reset(seed=seed)
        self._mask, self._total = info.get("action_mask"), 0.0
        self.current_player, self.action_to_string = int, str  # one player, number 0

    def legal_actions(self) -> Sequence[int]:
        space, mask = self._environment.action_space, self._mask
        return [int(space.start) + i for i in range(int(space.n)) if mask is None or mask[i]]

    def apply_action(self, action: int) -> None:
        self.seen, reward, ended, cut_off, info = self._environment.step(action)
        self._mask = info.get("action_mask")
        self._total += float(reward)
        self._left = 0 if ended or cut_off else self._left - 1

    def is_terminal(self) -> bool:
        return self._left <= 0

    def returns(self) -> Sequence[float]:
        return [self._total]

    def __str__(self) -> str:
        if self._environment.render_mode != "ansi":
            return str(self.seen)
        return _COLOUR.sub("", _HERE.sub("@", self._environment.render()))


class GymnasiumGame(LibraryGame):
    """A puzzle of gymnasium's: ``GymnasiumGame("FrozenLake-v1", is_slippery=False)``.

    It ends after ``most_moves`` at the latest. Its rewards are added up; of their sum, ``worst``
    and less counts as -1, ``best`` and more as 1, what is between in proportion. ``seed`` chooses
    the start where there are several; ``settings`` are the puzzle's own. Raises ``GameError`` if
    moves are not numbered or chance has a part in them (twenty random walks are made, each with
    two sources of chance), and where gymnasium is not installed.
    """

    players = ("You",)

    def __init__(
        self,
        id: str,
        worst: float = 0.0,
        best: float = 1.0,
        most_moves: int = 100,
        seed: int = 0,
        **settings: Any,
    ) -> None:
        gymnasium = _library("gymnasium", "gymnasium")
        if not worst < best:
            raise GameError(f"worst={short_repr(worst)} must be less than best={short_repr(best)}.")
        try:
            modes = gymnasium.spec(id).make(**settings).metadata.get("render_modes", ())
            text = {"render_mode": "ansi"} if "ansi" in modes else {}
            self._environment = gymnasium.make(id, **text, **settings).unwrapped
        except (AttributeError, TypeError, gymnasium.error.Error) as error:
            raise GameError(f"gymnasium cannot make {short_repr(id)} ({error}).") from None
        if not isinstance(self._environment.action_space, gymnasium.spaces.Discrete):
            raise GameError(f"The moves of {short_repr(id)} are not numbered: take another puzzle.")
        self.name, self._range = id, (worst, best)
        self._start = partial(_Puzzle, self._environment, seed, most_moves)
        limits = {"worst": worst, "best": best, "most_moves": most_moves, "seed": seed}
        super().__init__(id=id, **limits, **settings)
        if any(self._walk(number, 1) != self._walk(number, 2) for number in range(_WALKS)):
            raise GameError(
                f"{short_repr(id)} depends on chance: take a setting without it, is_slippery=False."
            )

    def _walk(self, number: int, chance: int) -> list[str]:
        """The outcomes of random moves when the puzzle's own chance starts from ``chance``."""
        puzzle, choices, seen = self._start(), random.Random(number), []
        seeding = import_module("gymnasium.utils.seeding")
        self._environment.np_random, _ = seeding.np_random(chance)
        while not puzzle.is_terminal():
            puzzle.apply_action(choices.choice(puzzle.legal_actions()))
            seen.append(f"{puzzle.seen} {puzzle.returns()} {puzzle.is_terminal()}")
        return seen
