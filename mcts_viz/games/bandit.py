"""A row of slot machines, the multi-armed bandit: pull an arm, and chance decides.

Chance is a second move: from the arm's urn of a hundred tickets one is drawn blindly. A random
playout does just that, so the search needs no other rules than those of any game.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ..errors import GameError, among, fits, items, listed, must_be, require
from .moves import GameOfMoves
from .protocol import Playout, RandomSource, Returns
from .refusals import NOT_READ, check_over, not_a_position

ARMS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
TICKETS: Final = 100


@dataclass(frozen=True)
class Bandit(GameOfMoves):
    """One player pulls one arm and draws one ticket: a winner returns 1, any other -1.

    ``chances`` gives each arm's share of winning tickets, in whole per cent between 0 and 1; the
    arms are named A, B, C and so on. A state is the tuple of moves made so far: ``()``, ``("B",)``,
    ``("B", 57)``. Tickets are numbered from 1, and the winning ones come first, so that the same
    ticket from a better arm is never a worse one. Source: Robbins (1952), "Some aspects of the
    sequential design of experiments".

    >>> Bandit((0.3, 0.5)).returns(("B", 50))
    (1.0,)
    """

    # The field hides the method of this name: the draw is a move of the one player's here.
    chances: tuple[float, ...] = (0.3, 0.5, 0.6)  # type: ignore[assignment]

    _by_arm: dict[str, float] = field(init=False, repr=False, compare=False)

    players = ("Gambler",)
    at_start = "pull"

    def __post_init__(self) -> None:
        chances = items(self.chances, len(ARMS))
        right = chances and all(
            fits(c, 0, 1) and abs(TICKETS * float(c) - round(TICKETS * float(c))) < 1e-9
            for c in chances
        )
        kind = f"1 to {len(ARMS)} chances in whole hundredths from 0 to 1, such as (0.3, 0.55)"
        require(right, "chances", kind, self.chances, GameError)
        object.__setattr__(self, "chances", tuple(map(float, chances)))
        object.__setattr__(self, "_by_arm", dict(zip(self.arms, self.chances, strict=True)))

    @property
    def arms(self) -> str:
        """The names of the arms, a letter each."""
        return ARMS[: len(self.chances)]

    def chance(self, arm: str) -> float:
        """The arm's share of winning tickets, in [0, 1]; raises ``GameError`` if there is no such
        arm.
        """
        if not among(arm, self._by_arm):  # each ticket asks: the sentence is made when needed
            raise must_be("arm", f"one of {listed(self._by_arm)}", arm, GameError)
        return self._by_arm[arm]

    def to_move(self, state: tuple[str | int, ...]) -> int:
        return 0

    def legal_actions(self, state: tuple[str | int, ...]) -> tuple[str | int, ...]:
        return _ALL_TICKETS if state else tuple(self.arms)

    def is_terminal(self, state: tuple[str | int, ...]) -> bool:
        try:
            return len(state) == 2
        except NOT_READ:
            raise not_a_position(self, state) from None

    def returns(self, state: tuple[str | int, ...]) -> Returns:
        check_over(self, state)
        arm, ticket = state
        if ticket not in _ALL_TICKETS:
            raise not_a_position(self, state)
        winners = round(self.chance(str(arm)) * TICKETS)
        return (1.0,) if int(ticket) <= winners else (-1.0,)

    def fast_playout(self, state: tuple[str | int, ...], random: RandomSource) -> Playout:
        """Pull an arm, if none is pulled yet, and draw a ticket.

        The same random numbers give the same game as in ``random_playout``, several times faster.
        """
        moves = [*state]
        while len(moves) < 2:
            legal = _ALL_TICKETS if moves else self.arms
            moves.append(legal[int(random.random() * len(legal))])
        return Playout(moves[len(state) :], self.returns(tuple(moves)))

    def action_label(self, state: tuple[str | int, ...], action: str | int) -> str:
        return f"ticket {action}" if state else str(action)


_ALL_TICKETS: Final = tuple(range(1, TICKETS + 1))
