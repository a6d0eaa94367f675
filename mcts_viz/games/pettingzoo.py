"""PettingZoo's classic boards (Terry et al., 2021), by ``pip install pettingzoo pygame``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..errors import GameError, shown
from .boards import listed
from .protocol import Returns
from .replayed import Replayed, library

# PettingZoo does not say which of its games hide cards or throw dice; these two do not.
BOARDS: Final = {"tictactoe_v3": "Tic-tac-toe", "connect_four_v3": "Connect Four"}


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
                f"{shown(name)} is none of PettingZoo's boards without chance or hidden cards: "
                f"take one of {listed(BOARDS)}."
            )
        board = name.rpartition("_v")[0]
        module = library(f"pettingzoo.classic.{board}.{board}", "pettingzoo")
        self._environment = module.raw_env()
        super().__init__(name=name)

    @property
    def name(self) -> str:
        return BOARDS[self._parameters["name"]]

    def _start(self) -> Any:
        self._environment.reset()
        return self._environment

    def _advance(self, position: Any, action: int) -> None:
        position.step(action)

    def _mover(self, position: Any) -> int:
        return int(position.possible_agents.index(position.agent_selection))

    def _legal(self, position: Any) -> Sequence[int]:
        mask = position.observe(position.agent_selection)["action_mask"]
        return list(mask.nonzero()[0].tolist())

    def _over(self, position: Any) -> bool:
        return all(position.terminations.values())

    def _returns(self, position: Any) -> Returns:
        return tuple(float(position.rewards[agent]) for agent in position.possible_agents)

    def _text(self, position: Any) -> str:
        rows = position.observe(position.possible_agents[0])["observation"]
        return "\n".join("".join(".XO"[own + 2 * other] for own, other in row) for row in rows)
