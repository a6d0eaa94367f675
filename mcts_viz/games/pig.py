"""Pig: roll the die as often as you dare; a one loses what this turn has brought."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from ..errors import GameError, fits, require
from .protocol import NO_CHANCES, WIN_OF, Game, Playout, RandomSource, Returns
from .refusals import check_over, legal_action, reads_positions, require_text
from .turns import moves_of

MOST: Final = 1000
"""Points of the longest game."""
DIE: Final[Mapping[str | int, float]] = dict.fromkeys(range(1, 7), 1 / 6)
PigState: TypeAlias = tuple[int, int, int, int, bool]
"""Points of A and of B, points of this turn, whose turn it is, and whether the die is rolling."""


@reads_positions
@dataclass(frozen=True)
class Pig(Game[PigState, str | int]):
    """Two players roll a die in turn; who first has ``goal`` points wins; A begins.

    In a turn one rolls, and adds up, until one holds and keeps the sum; or until a 1 falls, which
    ends the turn with nothing. An action is ``"roll"`` or ``"hold"``; after a roll nature moves,
    and her outcomes are 1 to 6. The first action of a turn is always a roll, and with enough points
    to win there is nothing but to hold. Source: Scarne (1945),
    "Scarne on dice"; solved by Neller and Presser (2004), "Optimal play of the dice game Pig".

    >>> game = Pig(goal=20)
    >>> game.chances(game.play(game.initial_state(), "roll"))[6] == 1 / 6
    True
    """

    goal: int = 100

    players = ("A", "B")

    def __post_init__(self) -> None:
        right = fits(self.goal, 2, MOST, whole=True)
        require(right, "goal", f"a whole number from 2 to {MOST}", self.goal, GameError)
        object.__setattr__(self, "goal", int(self.goal))

    @property
    def name(self) -> str:
        return "Pig" if self.goal == Pig.goal else f"Pig to {self.goal}"

    def initial_state(self) -> PigState:
        return (0, 0, 0, 0, False)

    def to_move(self, state: PigState) -> int:
        return state[3]

    def legal_actions(self, state: PigState) -> tuple[str | int, ...]:
        turn, points = state[2], state[state[3]]
        if points + turn >= self.goal:
            return ("hold",)
        return ("roll", "hold") if turn else ("roll",)

    def chances(self, state: PigState) -> Mapping[str | int, float]:
        return DIE if state[4] else NO_CHANCES

    def play(self, state: PigState, action: str | int) -> PigState:
        a, b, turn, player, _ = state
        action = legal_action(self, state, action, moves_of(self, state))
        if action == "roll":
            return (a, b, turn, player, True)
        if action == 1:
            return (a, b, 0, 1 - player, False)
        if action != "hold":
            return (a, b, turn + int(action), player, False)
        points = (a + turn, b) if player == 0 else (a, b + turn)
        return (*points, 0, 1 - player, False)

    def is_terminal(self, state: PigState) -> bool:
        return max(state[:2]) >= self.goal

    def returns(self, state: PigState) -> Returns:
        check_over(self, state)
        return WIN_OF[0 if state[0] >= self.goal else 1]

    def fast_playout(self, state: PigState, random: RandomSource) -> Playout:
        """Play uniformly at random to the end, one random number a move or a roll of the die.

        The same random numbers give the same game as in ``random_playout``, in a tenth of the time.
        """
        *points, turn, player, rolling = state
        draw, goal = random.random, self.goal
        actions: list[str | int] = []
        while max(points) < goal:
            chance = draw()
            if rolling:
                pips = 1 + int(6 * chance)
                actions.append(pips)
                turn, player = (turn + pips, player) if pips > 1 else (0, 1 - player)
                rolling = False
            elif turn and (chance >= 1 / 2 or points[player] + turn >= goal):
                actions.append("hold")
                points[player] += turn
                turn, player = 0, 1 - player
            else:
                actions.append("roll")
                rolling = True
        return Playout(actions, WIN_OF[points[0] < goal])

    def action_label(self, state: PigState, action: str | int) -> str:
        return str(action)

    def text(self, state: PigState) -> str:
        """Both players' points, this turn's, and whose it is: ``12 7 +5 A``, or ``A rolls``."""
        a, b, turn, player, rolling = state
        return f"{a} {b} +{turn} {self.players[player]}{' rolls' if rolling else ''}"

    def parse(self, text: str) -> PigState:
        """The state of ``"12 7 +5 A"``; raises ``GameError`` for another text."""
        require_text(text, "12 7 +5 A")
        found = re.fullmatch(r"\s*(\d{1,4})\s+(\d{1,4})\s+\+(\d{1,4})\s+([AB])(\s+rolls)?\s*", text)
        kind = (
            f"the points of A and B below {self.goal}, this turn's, and whose it is, such as "
            "'12 7 +5 A'"
        )
        require(found, "A position's text", kind, text, GameError)
        assert found
        a, b, turn = map(int, found.groups()[:3])
        player, rolling = self.players.index(found[4]), bool(found[5])
        over = max(a, b) >= self.goal
        reachable = a != 1 and b != 1 and turn != 1 and min(a, b) < self.goal
        own = (a, b)[player]
        # Only a turn's points lead to the end, and with them the other player's turn begins.
        right = reachable and (not (over and (turn or rolling)) and not (over and own >= self.goal))
        require(right, "A position's text", kind, text, GameError)
        return (a, b, turn, player, rolling)
