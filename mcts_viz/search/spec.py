"""What a search is, as one value: the game, ``c``, the seed and the policies.

A file is a spec and its columns, a link a spec and a moment, a fork a spec and its turns, and a
published system a spec with faults.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import sqrt
from typing import Any

from ..errors import MctsVizError, SearchError, short_repr
from ..games import Game
from ..games.boards import listed
from .checks import checked_c, is_whole, resolve_seed
from .mcts import DEFAULTS, MCTS
from .mcts_solver import MCTSSolver
from .policies import (
    KINDS,
    ExpansionRule,
    InitialExpansion,
    PlayoutPolicy,
    RecommendationRule,
    RewardRule,
    SelectionRule,
    TieBreakRule,
)
from .texts import Missing, describe, read_policy


@dataclass(frozen=True)
class SearchSpec:
    """All that :class:`MCTS` is given; two searches with an equal spec grow the same tree."""

    game: Game[Any, Any]
    c: float = sqrt(2)
    seed: int | None = None
    solver: bool = False
    """Whether it is an :class:`MCTSSolver`."""
    selection: SelectionRule = DEFAULTS["selection"]
    tie_break: TieBreakRule = DEFAULTS["tie_break"]
    expansion: ExpansionRule = DEFAULTS["expansion"]
    playout: PlayoutPolicy = DEFAULTS["playout"]
    reward: RewardRule = DEFAULTS["reward"]
    recommendation: RecommendationRule = DEFAULTS["recommendation"]
    initial_expansion: InitialExpansion | None = None

    @classmethod
    def of(cls, search: MCTS) -> SearchSpec:
        """What that search was given."""
        given = {name: getattr(search, name) for name in ("game", "c", "seed", *KINDS)}
        return cls(**given, solver=isinstance(search, MCTSSolver))

    def search(self) -> MCTS:
        """A new search; raises ``SearchError`` for a policy of which only the text is known."""
        for policy in self.policies.values():
            if isinstance(policy, Missing):
                policy()
        kind = MCTSSolver if self.solver else MCTS
        seed = abs(self.seed) if is_whole(self.seed) else self.seed
        return kind(self.game, self.c, seed, **self.policies)

    @property
    def policies(self) -> dict[str, Any]:
        """The policies, by keyword of :class:`MCTS`."""
        return {kind: getattr(self, kind) for kind in KINDS}

    # As text -----------------------------------------------------------------------------------

    def written(self) -> dict[str, Any]:
        """What differs from the defaults, but for the game: numbers, and policies as texts."""
        differs = {
            field.name: value
            for field in fields(self)[1:]
            if (value := getattr(self, field.name)) != field.default
        }
        return {name: describe(v) if name in KINDS else v for name, v in differs.items()}

    @classmethod
    def read(
        cls, game: Game[Any, Any], written: Mapping[str, Any], own: Mapping[str, Any]
    ) -> SearchSpec:
        """The spec that was ``written``; what else is in there is passed over.

        Policies that cannot be read are :class:`Missing`, unless they are among your ``own``.
        Raises ``SearchError`` if anything else is wrong.
        """
        solver = written.get("solver", False)
        if solver not in (True, False) or (solver and len(game.players) != 2):
            raise SearchError(
                f"solver is {short_repr(solver)}, but it is True or False, and True (for "
                "MCTSSolver) only in games of two players."
            )
        policies = {
            kind: own[kind] if kind in own else _read(kind, written[kind])
            for kind in KINDS
            if kind in own or kind in written
        }
        seed = written.get("seed")
        resolve_seed(
            abs(seed) if is_whole(seed) else seed
        )  # only checked; old ones may be negative
        return cls(game, checked_c(written.get("c", sqrt(2))), seed, bool(solver), **policies)


def require_kinds(own: Mapping[str, Any]) -> None:
    """Raise ``SearchError`` unless these are kinds of policies."""
    if unknown := sorted(set(own) - set(KINDS)):
        raise SearchError(f"{unknown[0]!r} is no policy of a search: hand in {listed(KINDS)}.")


def _read(kind: str, text: Any) -> Any:
    try:
        return read_policy(kind, text)
    except MctsVizError as error:
        if not isinstance(text, str):
            raise
        return Missing(text, error)
