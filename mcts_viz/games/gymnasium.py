"""Puzzles for one player with the interface of gymnasium, by ``pip install gymnasium``."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any, Final

from ..errors import GameError, short_repr
from .protocol import Returns
from .replayed import Replayed, library

_WALKS: Final = 20  # in which chance would show itself
_HERE: Final = re.compile("\x1b\\[4\\dm.\x1b\\[0m")  # the cell that gymnasium's texts colour
_COLOUR: Final = re.compile("\x1b\\[[\\d;]*m")


class _Puzzle:
    """A puzzle on its way: the rewards so far, and what its last move told."""

    def __init__(self, environment: Any, seed: int, most: int) -> None:
        self._environment, self._left = environment, most
        self.seen, info = environment.reset(seed=seed)
        self._mask = info.get("action_mask")
        self._total = 0.0

    def current_player(self) -> int:
        return 0

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

    def action_to_string(self, action: int) -> str:
        return str(action)

    def __str__(self) -> str:
        if self._environment.render_mode != "ansi":
            return str(self.seen)
        return _COLOUR.sub("", _HERE.sub("@", self._environment.render()))


class GymnasiumGame(Replayed):
    """A puzzle by its id: ``GymnasiumGame("FrozenLake-v1", is_slippery=False)``.

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
        gymnasium = library("gymnasium", "gymnasium")
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
        self._worst, self._best, self._most, self._seed = worst, best, most_moves, seed
        limits = {"worst": worst, "best": best, "most_moves": most_moves, "seed": seed}
        super().__init__(id=id, **limits, **settings)
        if any(self._walk(number, 1) != self._walk(number, 2) for number in range(_WALKS)):
            raise GameError(
                f"{short_repr(id)} cannot be searched here, because its moves depend on chance: "
                "look for a setting without it, such as is_slippery=False."
            )

    def _walk(self, number: int, chance: int) -> list[str]:
        """What random moves come to when the puzzle's own chance starts from ``chance``."""
        puzzle, choices, seen = self._start(), random.Random(number), []
        seeding = library("gymnasium.utils.seeding", "gymnasium")
        self._environment.np_random, _ = seeding.np_random(chance)
        while not puzzle.is_terminal():
            puzzle.apply_action(choices.choice(puzzle.legal_actions()))
            seen.append(f"{puzzle.seen} {puzzle.returns()} {puzzle.is_terminal()}")
        return seen

    @property
    def name(self) -> str:
        return str(self._parameters["id"])

    def _start(self) -> _Puzzle:
        return _Puzzle(self._environment, self._seed, self._most)

    def _scaled(self, returns: Sequence[float]) -> Returns:
        share = (returns[0] - self._worst) / (self._best - self._worst)
        return (2 * min(max(share, 0.0), 1.0) - 1,)
