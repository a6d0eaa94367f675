"""The exact truth beside a search: what each card's position is worth when nobody errs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..errors import SearchError
from ..search import Solver
from ..search.solver import TooManyError
from .reel import Reel
from .words import plain, short

__all__ = ["Truth", "Unknown", "truth_facts", "truth_of"]

QUICK: Final = 20_000
"""Positions that are looked at for a film that did not ask for more: half a second at most."""


@dataclass(frozen=True)
class Unknown:
    """No solver reaches so far; ``why`` says so in a sentence."""

    why: str


@dataclass(frozen=True)
class Truth:
    """Exact values beside a reel; each speaks for the player who moved into the node."""

    values: dict[int, float]
    """By card and child of the root: in [-1, 1], 1 a forced win, 0 a draw, -1 a loss."""
    distances: dict[int, int]
    """By the same: moves to the end, when winners hurry and losers delay."""
    recommended: NDArray[np.int32]
    """By iteration: the root's most visited child after it; of equals the one of better mean."""
    regrets: dict[int, float]
    """By child of the root: what the move gives away, as a reward: 0 nothing, 1 a won game."""
    since: int | None
    """The iteration from which the recommended move is optimal and stays so; ``None`` if none."""


def truth_of(reel: Reel, positions: int = QUICK) -> Truth | Unknown:
    """Solve every card's position, looking at that many ``positions`` of the game at most."""
    trace, game = reel.trace, reel.game
    nodes = sorted({*reel.cards, *trace.children[0]})
    values, distances = {}, {}
    try:
        solver = Solver(game, positions)
        for node in nodes:
            state, mover = trace.state(node), int(trace.mover[node])
            solution = solver.solve(state)
            if game.is_terminal(state):
                values[node] = float(game.returns(state)[mover])
            else:
                same = game.to_move(state) == mover
                values[node] = solution.value if same else 0.0 - solution.value
            distances[node] = solution.distance
        best = solver.solve(trace.root_state).value
    except TooManyError:
        return Unknown(
            f"The exact values are not known here: {plain(game.name)} has more than {positions:,} "
            "positions to look at. Film(trace, positions=3_000_000) looks further, for minutes."
        )
    except SearchError as error:
        return Unknown(f"The exact values are not known here. {plain(str(error))}")
    regrets = {child: (best - values[child]) / 2 for child in trace.children[0]}
    recommended = _recommended(reel)
    wrong = np.flatnonzero([regrets[node] > 0 for node in recommended.tolist()])
    since = int(wrong[-1]) + 2 if len(wrong) else 1
    ends_well = since <= trace.iterations
    return Truth(values, distances, recommended, regrets, since if ends_well else None)


def _recommended(reel: Reel) -> NDArray[np.int32]:
    children, count = reel.trace.children[0], reel.trace.iterations
    if not children:
        return np.zeros(0, np.int32)
    visits, means = np.zeros((2, len(children), count))
    for place, child in enumerate(children):
        part = slice(reel.visit_ends[child], reel.visit_ends[child + 1])
        row = np.searchsorted(reel.visit_times[part], np.arange(1, count + 1), side="right")
        wins = np.append(reel.trace.wins_before[child], reel.visit_wins[part])
        visits[place] = reel.trace.visits_before[child] + row
        means[place] = wins[row] / np.maximum(1, visits[place])
    level = visits == visits.max(axis=0)
    chosen = np.where(level, means, -np.inf).argmax(axis=0)
    recommended: NDArray[np.int32] = np.array(children, np.int32)[chosen]
    return recommended


def truth_facts(reel: Reel, truth: Truth | Unknown) -> dict[str, Any]:
    """What the player says about the truth; all in words."""
    if isinstance(truth, Unknown):
        return {"unknown": truth.why}
    label = reel.trace.label
    if truth.since is None:
        stays = "At the end of this search it is not optimal."
    elif truth.since == 1:
        stays = "The most visited move is optimal from the first iteration on."
    else:
        stays = f"From iteration {truth.since} on the most visited move is optimal."
    return {
        "cards": [_badge(truth, node) for node in reel.cards],
        "moves": {
            str(child): f"{plain(label(child))}, {_said(truth, child)}, regret {short(regret)}"
            for child, regret in truth.regrets.items()
        },
        "stays": stays,
        "since": truth.since,
    }


def _badge(truth: Truth, node: int) -> list[str]:
    """What a card's badge says, and its kind."""
    value = truth.values[node]
    kind = "win" if value > 0 else "loss" if value < 0 else "draw"
    sign = {"win": "▲", "draw": "●", "loss": "▼"}[kind]
    return [f"{sign} {_said(truth, node)}", kind]


def _said(truth: Truth, node: int) -> str:
    value, distance = truth.values[node], truth.distances[node]
    if value not in (-1, 0, 1):
        return f"value {short(value)}"
    if not distance:
        return {1.0: "won", 0.0: "drawn", -1.0: "lost"}[value]
    return {1.0: f"win in {distance}", 0.0: "draw", -1.0: f"loss in {distance}"}[value]
