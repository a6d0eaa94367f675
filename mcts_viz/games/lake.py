"""A slippery lake: one player walks over ice, every step costs, and the ice decides with him."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from typing import Final, TypeAlias

from ..errors import GameError, fits, items, require
from .protocol import NO_CHANCES, Game, Returns
from .refusals import check_over, legal_action, reads_positions, require_text

STEPS: Final = {"left": (0, -1), "down": (1, 0), "right": (0, 1), "up": (-1, 0)}
"""For each direction: how the row and the column change; each is a quarter turn from the next."""
LARGEST: Final = 400
"""Cells of a lake."""
LakeState: TypeAlias = tuple[int, str]
"""The walker's cell, by rows from 0, and the direction chosen, if the ice is to decide now."""


@cache
def _ways(slip: float) -> Mapping[str, Mapping[str, float]]:
    """The ways that the ice may lead from each direction chosen, with their probabilities."""
    names = list(STEPS)
    found = {}
    for place, name in enumerate(names):
        sides = (names[place - 1], names[(place + 1) % 4])
        ways = {name: 1 - slip, **dict.fromkeys(sides, slip / 2)}
        found[name] = MappingProxyType({way: p for way, p in ways.items() if p})
    return found


@reads_positions
@dataclass(frozen=True)
class SlipperyLake(Game[LakeState, str]):
    """One player walks from S to G over ice, past the holes H.

    A move is a direction. The ice lets it be with probability ``1 - slip``; else the walker slides
    to one side, both equally likely. Against the edge he stays where he is. A step pays -1, one
    into a hole -20 and one to the goal 10, and both end the walk; what comes a step later is worth
    ``discount`` as much. So two steps on ice and a third to the goal return
    -1 - 0.9 + 0.81 * 10 = 6.2. After the ``FrozenLake`` of Gymnasium.

    >>> lake = SlipperyLake()
    >>> [round(p, 2) for p in lake.chances(lake.play(lake.initial_state(), "right")).values()]
    [0.8, 0.1, 0.1]
    """

    rows: tuple[str, ...] = ("S...", ".H.H", "...H", "H..G")
    slip: float = 0.2
    discount: float = 0.9

    name = "Slippery lake"
    players = ("Walker",)
    value_range = (-20.0, 10.0)
    cost = -1.0
    hole = -20.0
    goal = 10.0

    def __post_init__(self) -> None:
        rows = items(self.rows, LARGEST)
        right = rows and all(isinstance(row, str) and len(row) == len(rows[0]) for row in rows)
        cells = "".join(rows) if right else ""
        right = 0 < len(cells) <= LARGEST and not {*cells} - {*"S.HG"} and cells.count("S") == 1
        kind = f"rows of one length of S . H G, with one S, of at most {LARGEST} cells"
        require(right, "rows", kind, self.rows, GameError)
        for name, low in (("slip", 0.0), ("discount", 0.01)):
            value = getattr(self, name)
            right = fits(value, low, 1)
            require(right, name, f"a number from {low:g} to 1", value, GameError)
            object.__setattr__(self, name, float(value))
        if self.discount > 0.95:  # then many steps may cost more than a hole
            object.__setattr__(self, "value_range", (self._least(), 10.0))
        object.__setattr__(self, "rows", rows)

    def _least(self) -> float:
        """The return of a walk that goes on for long: at most a thousand steps, then a hole."""
        kept = self.discount**1000
        steps = 1000.0 if self.discount == 1 else (1 - kept) / (1 - self.discount)
        return self.cost * steps + self.hole * kept

    @cached_property
    def cells(self) -> str:
        """The lake's cells by rows: S, G, H, or ``.`` for ice."""
        return "".join(self.rows)

    def initial_state(self) -> LakeState:
        return (self.cells.index("S"), "")

    def to_move(self, state: LakeState) -> int:
        return 0

    def legal_actions(self, state: LakeState) -> tuple[str, ...]:
        return tuple(STEPS)

    def chances(self, state: LakeState) -> Mapping[str, float]:
        return _ways(self.slip)[state[1]] if state[1] else NO_CHANCES

    def play(self, state: LakeState, action: str) -> LakeState:
        cell, chosen = state
        legal = () if self.is_terminal(state) else [*self.chances(state)] or [*STEPS]
        action = legal_action(self, state, action, legal)
        return (self._after(cell, action), "") if chosen else (cell, action)

    def _after(self, cell: int, way: str) -> int:
        """The cell to which a step leads."""
        wide, high = len(self.rows[0]), len(self.rows)
        row, column = divmod(cell, wide)
        row, column = row + STEPS[way][0], column + STEPS[way][1]
        return row * wide + column if 0 <= row < high and 0 <= column < wide else cell

    def is_terminal(self, state: LakeState) -> bool:
        return self.cells[state[0]] in "HG"

    def returns(self, state: LakeState) -> Returns:
        check_over(self, state)
        return (0.0,)

    def reward(self, state: LakeState, action: str, next_state: LakeState) -> Returns:
        if not state[1]:
            return (0.0,)  # the step is paid when the ice has decided
        return ({"H": self.hole, "G": self.goal}.get(self.cells[next_state[0]], self.cost),)

    def text(self, state: LakeState) -> str:
        """The lake with the walker as @, and below it the direction that the ice has to decide."""
        cell, chosen = state
        wide = len(self.rows[0])
        cells = f"{self.cells[:cell]}@{self.cells[cell + 1 :]}"
        rows = [cells[start : start + wide] for start in range(0, len(cells), wide)]
        return "\n".join([*rows, chosen] if chosen else rows)

    def parse(self, text: str) -> LakeState:
        """The state of a text: the lake with one @, and a direction if the ice is to decide."""
        require_text(text, self.text(self.initial_state()))
        words = text.split()
        chosen = words.pop() if words and words[-1] in STEPS else ""
        cells = "".join(words)
        cell = cells.find("@")
        same = cells.count("@") == 1 and cells.replace("@", self.cells[cell]) == self.cells
        over = same and self.cells[cell] in "HG"
        kind = "this lake with one @ for the walker, and a direction if the ice is to decide"
        require(same and not (over and chosen), "A position's text", kind, text, GameError)
        return (cell, chosen)
