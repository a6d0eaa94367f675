"""Exact values where luck plays or steps pay: expectimax, expectiminimax and value iteration.

All positions that may follow are found first. Where none comes twice on a line of play, their
values follow from the end back, each from those after it. Where some do, as on a lake where one
may walk in circles, these positions are asked again and again until no value changes.

Sources: Michie (1966), "Game-playing and game-learning automata", for expectimax; Bellman (1957),
"A Markovian decision process", for value iteration; Tarjan (1972), "Depth-first search and linear
graph algorithms", for the order.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ..errors import SearchError
from ..games import NATURE, Game, turns
from .checks import comes_again, no_action, outcomes, paid, player_to_move, utility
from .running import stop_if_asked

CHANGE: Final = 1e-13
"""Values that change less, as a part of the range of returns, no longer change."""
ASKING: Final = 64
"""Sweeps between two looks at whether the reader wants to stop: a look costs as much as one."""
SWEEPS: Final = 20_000
"""Rounds after which positions that follow each other in circles have no value: a second or so."""
EQUAL: Final = 1e-9
"""Values nearer to each other, as a part of the range of returns, are equal: sums are rounded."""


@dataclass(slots=True)
class Step:
    """A move, or an outcome of chance: where it leads, and what it is worth to get there."""

    action: Any
    to: Place
    reward: float
    """For player 0."""
    gamma: float
    probability: float
    """Of an outcome; 1 of a move."""

    def worth(self) -> float:
        """For player 0: the reward now and what comes later."""
        return self.reward + self.gamma * self.to.value


@dataclass(slots=True, eq=False)
class Place:
    """A position with its exact value, for player 0."""

    state: Any
    mover: int = NATURE
    """The number of the player who moves, or ``NATURE``; meaningless where the game is over."""
    steps: list[Step] = field(default_factory=list)
    value: float = 0.0
    comes_again: bool = False
    """True if play may come back to it."""

    def worth(self) -> float:
        """The value that follows from those of the positions after it; its own at an end."""
        if not self.steps:
            return self.value
        if self.mover == NATURE:
            return sum(step.probability * step.worth() for step in self.steps)
        choose = max if self.mover == 0 else min
        return choose(step.worth() for step in self.steps)


def needs_averages(game: Game[Any, Any]) -> bool:
    """True if exact play of the game is no plain minimax: for luck, for rewards, for one player."""
    return turns.knows_luck(game) or turns.pays_on_the_way(game) or len(game.players) == 1


class Expectations:
    """The exact values of all positions that may follow those asked for, each worked out once.

    For one player, or for two where one wins what the other loses. ``too_many()`` makes the error
    if there are more than ``limit`` positions; ``found(n)`` receives how many there are.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        limit: int,
        too_many: Callable[[], SearchError],
        found: Callable[[int], object],
    ) -> None:
        self.game, self.limit = game, limit
        self._too_many, self._found = too_many, found
        low, high = turns.value_range(game)
        self.width = high - low
        self._places: dict[Any, Place] = {}

    def __len__(self) -> int:
        return len(self._places)

    def place(self, state: Hashable) -> Place:
        """The position with its value; raises ``SearchError`` if there are too many, or no
        value."""
        if state not in self._places:
            before = len(self._places)
            try:
                self._explore(state, before)
            except BaseException:  # half of them have no value
                for new in [*self._places][before:]:
                    del self._places[new]
                raise
        return self._places[state]

    def clear(self) -> None:
        """Forget all positions."""
        self._places.clear()

    def line(self, place: Place) -> Iterator[Any]:
        """Best moves from a position to the end, to nature's first move, or once around."""
        seen = {place}
        while place.steps and place.mover != NATURE:
            step = next(step for step in place.steps if self.is_equal(step.worth(), place.value))
            yield step.action
            place = step.to
            if place in seen:
                return
            seen.add(place)

    def is_equal(self, one: float, other: float) -> bool:
        """True if two values differ by no more than rounding."""
        return abs(one - other) <= EQUAL * self.width

    # How they are found --------------------------------------------------------------------------

    def _explore(self, state: Hashable, before: int) -> None:
        """Find all positions after ``state``, and value them from the end back."""
        for circle in _circles(self._new(state), lambda place: self._ahead(place, before)):
            self._settle(circle)

    def _new(self, state: Hashable) -> Place:
        place = self._places[state] = Place(state)
        if self.game.is_terminal(state):
            place.value = self._paid(self.game.returns(state), state)
        return place

    def _paid(self, returns: Sequence[float], state: Hashable) -> float:
        """Player 0's return; for two players the other must lose it."""
        if len(returns) == 1:
            return float(returns[0])
        if not turns.pays_on_the_way(self.game):
            return utility(self.game, state)
        first, second = returns
        if abs(first + second) > EQUAL * self.width:
            raise SearchError(
                f"Exact play needs rewards of two players that sum to 0, not {returns}."
            )
        return float(first)

    def _ahead(self, place: Place, before: int) -> Iterator[Place]:
        """Yield the positions after one that are not known yet."""
        if self.game.is_terminal(place.state):
            return
        luck = outcomes(self.game, place.state)
        place.mover = NATURE if luck else player_to_move(self.game, place.state)
        for action in luck or self.game.legal_actions(place.state):
            state = self.game.play(place.state, action)
            to = self._places.get(state)
            if to is None:
                to = self._new(state)
                self._count(before)
            reward = self._reward(place.state, action, state)
            step = Step(action, to, reward, turns.gamma(self.game, state), luck.get(action, 1.0))
            place.steps.append(step)
            yield to
        if not place.steps:
            raise no_action(self.game, place.state)

    def _reward(self, state: Hashable, action: Hashable, after: Hashable) -> float:
        if not turns.pays_on_the_way(self.game):
            return 0.0
        return self._paid(paid(self.game, state, action, after), state)

    def _count(self, before: int) -> None:
        count = len(self._places) - before
        if count > self.limit:
            raise self._too_many()
        if not count & 4095:
            stop_if_asked()
            self._found(count)

    def _settle(self, circle: list[Place]) -> None:
        """Give positions that follow each other their values; those after them have theirs."""
        turns_back = any(step.to is circle[0] for step in circle[0].steps)
        if len(circle) == 1 and not turns_back:
            circle[0].value = circle[0].worth()
            return
        for place in circle:
            place.comes_again = True
        for sweep in range(SWEEPS):
            most = 0.0
            for place in circle:
                value = place.worth()
                most = max(most, abs(value - place.value))
                place.value = value
            if most <= CHANGE * self.width:
                return
            if sweep % ASKING == 0:
                stop_if_asked()
        remedy = "give it a discount below 1, or a rule that ends it"
        raise comes_again(self.game, circle[0].state, remedy)


def _circles(start: Place, ahead: Callable[[Place], Iterator[Place]]) -> Iterator[list[Place]]:
    """Groups of positions that follow each other in circles, the last first (Tarjan).

    A position that never comes again is a group of its own.
    """
    number: dict[Place, int] = {start: 0}
    lowest: dict[Place, int] = {start: 0}
    line = [(start, ahead(start))]
    open_places = [start]
    is_open = {start}
    while line:
        place, after = line[-1]
        following = next(after, None)
        if following is None:
            line.pop()
            if line:
                above = line[-1][0]
                lowest[above] = min(lowest[above], lowest[place])
            if lowest[place] == number[place]:
                yield _closed(place, open_places, is_open)
        elif following in is_open:
            lowest[place] = min(lowest[place], number[following])
        elif following not in number and not following.steps:
            number[following] = lowest[following] = len(number)
            line.append((following, ahead(following)))
            open_places.append(following)
            is_open.add(following)


def _closed(place: Place, open_places: list[Place], is_open: set[Place]) -> list[Place]:
    """Take the group that begins with a position out of those that are open."""
    group = [open_places.pop()]
    while group[-1] is not place:
        group.append(open_places.pop())
    is_open.difference_update(group)
    return group
