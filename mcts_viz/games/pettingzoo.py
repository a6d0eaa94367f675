"""PettingZoo's classic boards (Terry et al., 2021), by ``pip install pettingzoo pygame``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..errors import GameError, short_repr
from .boards import listed
from .replayed import Position, Replayed, library

# PettingZoo does not say which of its games hide cards or throw dice; these two do not.
BOARDS: Final = {"tictactoe_v3": "Tic-tac-toe", "connect_four_v3": "Connect Four"}


class _Board:
    """An environment of PettingZoo at the start of a game."""

    def __init__(self, environment: Any) -> None:
        self._environment = environment
        environment.reset()

    def current_player(self) -> int:
        agents: list[str] = self._environment.possible_agents
        return agents.index(self._environment.agent_selection)

    def legal_actions(self) -> Sequence[int]:
        seen = self._environment.observe(self._environment.agent_selection)
        legal: list[int] = seen["action_mask"].nonzero()[0].tolist()
        return legal

    def apply_action(self, action: int) -> None:
        self._environment.step(action)

    def is_terminal(self) -> bool:
        return all(self._environment.terminations.values())

    def returns(self) -> Sequence[float]:
        return [self._environment.rewards[agent] for agent in self._environment.possible_agents]

    def action_to_string(self, action: int) -> str:
        return str(action)

    def __str__(self) -> str:
        rows = self._environment.observe(self._environment.possible_agents[0])["observation"]
        return "\n".join("".join(".XO"[own + 2 * other] for own, other in row) for row in rows)


class PettingZooGame(Replayed):
    """``PettingZooGame("tictactoe_v3")`` or ``"connect_four_v3"``, by PettingZoo's own rules.

    Raises ``GameError`` for other games, and where pettingzoo is not installed. (OpenSpiel has
    many more boards, chess and Go among them.)
    """

    players = ("X", "O")
    symbols = (".", "X", "O")

    def __init__(self, name: str) -> None:
        if name not in BOARDS:
            raise GameError(
                f"{short_repr(name)} is none of PettingZoo's boards without chance or hidden "
                f"cards: take one of {listed(BOARDS)}."
            )
        board = name.rpartition("_v")[0]
        module = library(f"pettingzoo.classic.{board}.{board}", "pettingzoo")
        self._environment = module.raw_env()
        super().__init__(name=name)

    @property
    def name(self) -> str:
        return BOARDS[self._parameters["name"]]

    def _start(self) -> Position:
        return _Board(self._environment)
