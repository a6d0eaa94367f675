"""The exact truth beside a search: the value of each card's position under best play."""

from __future__ import annotations

from collections.abc import Iterator
from time import process_time
from typing import Any, Final, NamedTuple

import numpy as np

from ..errors import SearchError
from ..games import Game, turns
from ..search import Solver
from ..search.checks import remembered
from ..search.expectation import EQUAL, needs_averages
from ..search.solver import Solution, TooManyError
from .cards import MOST_CARDS
from .search_film import SearchFilm
from .words import plain, short

QUICK: Final = 20_000
"""Positions that are looked at for a film."""
SECONDS: Final = 1.0
"""The limit by the clock, in processor time: a position of a large game costs a thousand others."""


class Oracle(Solver):
    """A solver for the films of one position, which remembers what it answered or could not."""

    def __init__(self, game: Game[Any, Any], root: Any) -> None:
        super().__init__(game, QUICK)
        self._answers: dict[Any, Solution | SearchError] = {}
        self.deadline = 0.0
        """Of the film that asks now, in processor time."""

    def solve(self, state: Any) -> Solution:
        if state not in self._answers:
            try:
                self._answers[state] = super().solve(state)
            except (TooManyError, TooLongError) as error:
                self._answers[state] = error
        answer = self._answers[state]
        if isinstance(answer, SearchError):
            raise answer
        return answer

    def _actions(self, state: Any) -> Iterator[Any]:
        for action in super()._actions(state):
            self._look_at_the_clock()
            yield action

    def _found(self, count: int) -> None:
        self._look_at_the_clock()
        super()._found(count)

    def _look_at_the_clock(self) -> None:
        if process_time() > self.deadline:
            raise TooLongError("The time is over.")


class TooLongError(SearchError):
    """A film waits no longer."""


_oracle = remembered(8, Oracle)


class Truth(NamedTuple):
    """Exact values beside a search; each speaks for the player who moved into the node."""

    values: dict[int, float]
    """By node: its exact mean, in the game's units; of plain games 1 is a forced win, -1 a loss.

    All cards and children of the root have one, and of the 300 heaviest nodes those that cost
    little more: a reader may walk there.
    """
    distances: dict[int, int]
    """By the same: moves to the end, when winners hurry and losers delay."""
    regrets: dict[int, float]
    """By child of the root: what the move gives away, as a reward: 0 nothing, 1 a won game."""
    since: int | None
    """The iteration from which the most visited move is optimal and stays so; ``None`` if none."""
    averages: bool = False
    """True where values are averages over chance, or sums of what steps pay: no win is forced."""


def truth_of(data: SearchFilm) -> Truth | str:
    """Solve every card's position, or say in a sentence why that cannot be done here."""
    trace, game = data.trace, data.game
    if game.misread:
        return "There are no exact values here: the search goes by wrong rules."
    values: dict[int, float] = {}
    distances: dict[int, int] = {}
    needed = sorted({0, *data.heaviest(data.count), *trace.children[0]})
    try:
        solver = _oracle(game, trace.root_state)
        solver.deadline = process_time() + SECONDS
        for node in (*needed, *data.heaviest(MOST_CARDS)):
            before = solver.positions
            values[node], distances[node] = _exact(solver, data, node)
            if len(values) > len(needed) and solver.positions < before:
                break  # the table was full, and has started again
    except SearchError as error:
        if len(values) < len(needed):
            return f"The exact values are not known here: {plain(_why(error, data))}"
    best = solver.solve(trace.root_state).value
    averages = needs_averages(game)
    regrets = _regrets(data, best, values, EQUAL if averages else 0.0)
    return Truth(values, distances, regrets, _right_since(data, regrets), averages)


def _right_since(data: SearchFilm, regrets: dict[int, float]) -> int | None:
    """The iteration from which on the most visited move is a best one; ``None`` without one."""
    wrong = np.flatnonzero(
        np.isin(data.most_visited, [child for child in regrets if regrets[child] > 0])
    )
    since = int(wrong[-1]) + 2 if len(wrong) else 1
    return since if since <= data.trace.iterations else None


def _why(error: SearchError, data: SearchFilm) -> str:
    """The reason why a position cannot be solved here, in a sentence."""
    if isinstance(error, TooManyError | TooLongError):
        return (
            f"{data.game.name} has more than {QUICK:,} positions to look at, or they take more "
            "than a second: start from a later position."
        )
    return str(error)


def _regrets(
    data: SearchFilm, best: float, values: dict[int, float], least: float
) -> dict[int, float]:
    """The regret of each move of the root, 0 to 1; 0 up to ``least``."""
    low, high = turns.value_range(data.game)
    found = {}
    for child in data.trace.children[0]:
        regret = (best - values[child]) / (high - low)
        found[child] = regret if regret > least else 0.0
    return found


def _exact(solver: Oracle, data: SearchFilm, node: int) -> tuple[float, int]:
    """Return the node's value for the player who moved there, and the moves to the end."""
    trace, game = data.trace, data.game
    state, player_just_moved = trace.state(node), int(trace.player_just_moved[node])
    solution = solver.solve(state)
    if game.is_terminal(state):
        value = float(game.returns(state)[player_just_moved])
    else:
        whose = max(0, turns.mover(game, state))  # where nature moves, it is player 0's
        value = solution.value if whose == player_just_moved else 0.0 - solution.value
    if node and turns.pays_on_the_way(game):  # as a node's mean, it counts what the move pays
        before, action = trace.state(int(trace.parent[node])), trace.action_of(node)
        reward = game.reward(before, action, state)[player_just_moved]
        value = reward + turns.gamma(game, state) * value
    return value, solution.distance


def truth_facts(truth: Truth | str) -> dict[str, Any]:
    """The player's words about the truth, but for the badges."""
    if isinstance(truth, str):
        return {"unknown": truth}
    if truth.since is None:
        stays = "At the end of this search it is not optimal."
    elif truth.since == 1:
        stays = "The most visited move is optimal from the first iteration on."
    else:
        stays = f"From iteration {truth.since} on the most visited move is optimal."
    return {
        "stays": stays,
        "regrets": {str(child): regret for child, regret in truth.regrets.items()},
    }


BADGES: Final = {1: ("win", "▲"), 0: ("draw", "●"), -1: ("loss", "▼")}
"""By the sign of a value: the kind of a badge, and its shape."""


def truth_badge(truth: Truth, node: int) -> tuple[str, str]:
    """The words of a card's badge, and its kind."""
    value = truth.values[node]
    if truth.averages:
        return f"● {_said(truth, node)}", "draw"
    kind, sign = BADGES[int(np.sign(value))]
    return f"{sign} {_said(truth, node)}", kind


def _said(truth: Truth, node: int) -> str:
    value, distance = truth.values[node], truth.distances[node]
    if truth.averages or value not in (-1, 0, 1):
        return f"value {short(value)}"
    if not distance:
        return {1.0: "won", 0.0: "drawn", -1.0: "lost"}[value]
    return {1.0: f"win in {distance}", 0.0: "draw", -1.0: f"loss in {distance}"}[value]
