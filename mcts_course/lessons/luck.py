"""Experiments and exercises of the lesson *What if luck plays?*

``exact`` knows Pig by value iteration, as a table of all positions; a test compares it with
``solve``. Source: Neller and Presser (2004), "Optimal play of the dice game Pig".
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mcts_viz.errors import require_one_of
from mcts_viz.games import Pig
from mcts_viz.search import MCTS

from ..measure.experiments import tracked
from ..play import Play
from ..show.figures import COLOURS, GREYS, Figure, new_figure
from ..show.tables import Table
from ..typed import typed_door
from ..work.exercises import Case, Open, Question, Task, texts_of

SAID: Final = texts_of(__name__)
GOAL: Final = 50
GAME: Final = Pig(GOAL)
PIPS: Final = range(2, 7)
"""The faces of the die that add to a turn; a 1 ends it."""

# Exact values --------------------------------------------------------------------------------

Floats = NDArray[np.float64]
Dare = Callable[[int, int, int], bool]
"""``dare(own, other, turn)``: True to roll once more."""
CHANGE: Final = 1e-10


class Exact(NamedTuple):
    """Chances to win by ``[turn, own, other]`` of who is to move."""

    roll: Floats
    """If the player rolls once more,"""
    hold: Floats
    """if the player holds,"""
    best: Floats
    """and by the move that is chosen: of best play the better one."""


@cache
def exact() -> Exact:
    """The chances under best play by both, from value iteration over whole turns."""
    start = np.full((GOAL, GOAL), 0.5)
    while True:
        # After a 1 the other player begins a turn, and own points are as before.
        found = _swept(1 - start.T, lambda turn, roll, hold: np.maximum(roll, hold))
        change = abs(found.best[0, :GOAL] - start).max()
        start = found.best[0, :GOAL].copy()
        if change < CHANGE:
            return found


def _swept(over: Floats, choose: Callable[[int, Floats, Floats], Floats]) -> Exact:
    """One sweep: the chances of winning in a turn, given ``over[own, other]``, those when it ends.

    ``choose(turn, roll, hold)`` makes of the chances of both moves those of the player; a turn
    begins with a roll. With ``own + turn`` at the goal there is nothing left to do, and the chance
    is 1.
    """
    roll, hold, chosen = np.ones((3, GOAL + 6, GOAL, GOAL))  # one roll may lead 6 beyond the goal
    for turn in reversed(range(GOAL)):
        roll[turn] = (over + sum(chosen[turn + pips] for pips in PIPS)) / 6
        hold[turn, : GOAL - turn] = over[turn:]
        chosen[turn] = choose(turn, roll[turn], hold[turn]) if turn else roll[turn]
        chosen[turn, GOAL - turn :] = 1.0
    return Exact(roll, hold, chosen)


def values(state: Hashable) -> dict[str, float]:
    """The chance to win of the player to move, by each move, if both then play their best."""
    own, other, turn = _seen_by_mover(state)
    if own + turn >= GOAL:
        return {"hold": 1.0}
    roll = float(exact().roll[turn, own, other])
    return {"roll": roll, "hold": float(exact().hold[turn, own, other])} if turn else {"roll": roll}


def _seen_by_mover(state: Any) -> tuple[int, int, int]:
    a, b, turn, player, _ = state
    return (a, b, turn) if player == 0 else (b, a, turn)


def chance_of_a(state: Any) -> float:
    """A's chance to win under best play, also while the die rolls and at the end."""
    if GAME.is_terminal(state):
        return float(state[0] >= GOAL)
    if luck := GAME.chances(state):
        return sum(p * chance_of_a(GAME.play(state, pips)) for pips, p in luck.items())
    best = max(values(state).values())
    return best if state[3] == 0 else 1 - best


# Experiments ---------------------------------------------------------------------------------


@typed_door
def outcomes_of(search: MCTS, move: str) -> Table:
    """The outcomes below a move of the root: visits, and A's mean in them."""
    by_move = {child.action: child for child in search.root.children}
    require_one_of("move", move, by_move)
    node = by_move[move]
    found = sorted(node.children, key=lambda child: int(child.action))
    rows = [(f"a {child.action}", child.visits, f"{child.mean:.2f}") for child in found]
    by = {int(child.action): child.visits for child in found}
    return Table(("the die shows", "visits", "mean for A"), rows, by=by)


@typed_door
def most_visited(outcomes: Table) -> str:
    """Say which outcome has clearly more visits than a sixth of all, if one has: by more than
    three standard deviations."""
    visits: Mapping[int, int] = outcomes.by
    total, most = sum(visits.values()), max(visits, key=lambda pips: visits[pips])
    clear = visits[most] - total / 6 > 3 * sqrt(total * 5 / 36)
    names = {1: "1, which is best for B", 6: "6, which is best for A"}
    return names.get(most, str(most)) if clear else "none"


@typed_door
def points_gained(turn: int) -> str:
    """Say what a roll does on average to a turn that has brought so many points."""
    change = (sum(PIPS) - turn) / 6
    if abs(change) < 1:
        return "it changes nothing"
    return "it adds about 3" if change > 0 else "it costs about 3"


@typed_door
def sampled_against_exact(
    state: Hashable, budgets: Sequence[int] = (50, 200, 800), seeds: int = 40
) -> Table:
    """For each budget: how the mean of rolling varies over seeds, beside its exact value.

    ``seeds`` searches have the largest budget. Smaller ones get more, for as many iterations.
    """
    rows: list[tuple[Any, ...]] = []
    spread = {}
    for budget in tracked(budgets, "budgets"):
        means = []
        for seed in range(seeds * max(budgets) // max(budget, 1)):
            search = MCTS(GAME, seed=seed)
            search.search(state, iterations=budget, progress=False)
            means += [child.mean for child in search.root.children if child.action == "roll"]
        low, high = np.quantile(means, (0.1, 0.9))
        spread[budget] = float(high - low)
        rows.append((budget, f"{np.mean(means):.2f}", f"{low:.2f} to {high:.2f}"))
    rows.append(("exact", f"{values(state)['roll']:.2f}", ""))
    return Table(("iterations", "mean of roll", "8 of 10 searches"), rows, by=spread)


def holds_at(points: int) -> Dare:
    """Roll until the turn has brought this many points, or enough to win."""
    return lambda own, other, turn: turn < points and own + turn < GOAL


def dares(own: int, other: int, turn: int) -> bool:
    """Best play."""
    if own + turn >= GOAL:
        return False
    return not turn or bool(exact().roll[turn, own, other] >= exact().hold[turn, own, other])


@typed_door
@cache
def share_of_wins(points: int) -> float:
    """The share of games that best play wins against ``holds_at(points)``, each beginning half.

    It is computed, not played: the two begin alternately, and their chances follow from each other.
    """
    best, rule = _wins_of(dares), _wins_of(holds_at(points))
    mine = np.full((GOAL, GOAL), 0.5)  # best play begins a turn, with [own, other]
    while True:
        theirs = rule(1 - mine.T)
        new = best(1 - theirs.T)
        if abs(new - mine).max() < CHANGE:
            return float((new[0, 0] + 1 - theirs[0, 0]) / 2)
        mine = new


def _wins_of(dare: Dare) -> Callable[[Floats], Floats]:
    """From the chances if the turn is over, at ``[own, other]``, those at the start of a turn."""
    places = range(GOAL)
    rolls = np.array(
        [[[dare(own, other, turn) for other in places] for own in places] for turn in places]
    )

    def played(turn: int, roll: Floats, hold: Floats) -> Floats:
        return np.where(rolls[turn], roll, hold)

    def before(over: Floats) -> Floats:
        start: Floats = _swept(over, played).best[0, :GOAL]
        return start

    return before


# Is it the move or the luck? -----------------------------------------------------------------


@typed_door
def played(first: int, second: int, seed: int) -> list[Any]:
    """The positions of a game in which A holds at ``first`` points and B at ``second``."""
    random, state = Random(seed), GAME.initial_state()
    rules = (holds_at(first), holds_at(second))
    states = [state]
    while not GAME.is_terminal(state):
        if GAME.chances(state):
            action: Any = random.randint(1, 6)
        else:
            action = "roll" if rules[state[3]](*_seen_by_mover(state)) else "hold"
        state = GAME.play(state, action)
        states.append(state)
    return states


def positions(history: Sequence[Any]) -> list[Any]:
    """The positions of a game of Pig to 50, from all its moves and rolls, such as
    ``play.history``."""
    states = [GAME.initial_state()]
    for action in history:
        states.append(GAME.play(states[-1], action))
    return states


@typed_door
def your_game(play: Play) -> Table | Open:
    """Split the game that was played in this ``Play``; before its first move, say so."""
    if not play.history:
        return Open("play a game of Pig at the start of this lesson, then run this cell again.")
    return move_or_luck(positions(play.history))


def _who_moves(state: Any) -> str:
    *_, player, rolling = state
    return "the die" if rolling else f"{GAME.players[player]}'s moves"


@typed_door
def move_or_luck(states: Sequence[Any]) -> Table:
    """Split a game: what A's moves, B's moves and the die changed in A's chance to win."""
    chances = [chance_of_a(state) for state in states]
    moved = {"A's moves": 0.0, "B's moves": 0.0, "the die": 0.0}
    for before, (here, after) in zip(states, pairwise(chances), strict=False):
        moved[_who_moves(before)] += after - here
    rows = [("at the start", f"{chances[0]:.2f}")]
    rows += [(who, f"{change:+.2f}") for who, change in moved.items()]
    end = "at the end" if GAME.is_terminal(states[-1]) else "now"
    rows += [(end, f"{chances[-1]:.2f}")]

    def draw() -> Figure:
        figure, (axes,) = new_figure(height=2.8)
        for place, (here, after) in enumerate(pairwise(chances)):
            *_, player, rolling = states[place]
            colour = GREYS[2] if rolling else COLOURS[f"player-{player}"]
            axes.plot([place, place + 1], [here, after], color=colour, linewidth=1.8)
        told = ", ".join(f"{who} {change:+.2f}" for who, change in moved.items())
        axes.set_title(f"blue, orange, grey: {told}", fontsize=9)
        axes.set(ylim=(0, 1), xlabel="moves and rolls", ylabel="A's chance to win")
        return figure

    return Table(("", "A's chance"), rows, by=moved, picture=draw)


# By hand -------------------------------------------------------------------------------------

_BUST: Final = 0.25
_HELD: Final = 0.31
"""A's chance after a 1, and after holding, in the position of the lesson."""


def _by_hand(roll: float, hold: float) -> dict[str, Any]:
    return {"roll": roll, "hold": hold, "move": "roll" if roll > hold else "hold"}


by_hand: Final = Question(
    SAID["by_hand"],
    right=_by_hand(5 / 6 + _BUST / 6, _HELD),
    wrong={
        "the one is forgotten": _by_hand(5 / 6, _HELD),
        "a coin": _by_hand((1 + _BUST) / 2, _HELD),
        "luck as a friend": _by_hand(1.0, _HELD),
        "luck as an enemy": _by_hand(_BUST, _HELD),
        "B's chances": _by_hand(5 / 6 + (1 - _BUST) / 6, 1 - _HELD),
    },
    tolerance=0.006,
)


# One node backed up --------------------------------------------------------------------------


def worth(kind: str, values: Sequence[float], chances: Sequence[float]) -> float:
    if kind == "max":
        return max(values)
    if kind == "min":
        return min(values)
    return sum(p * value for p, value in zip(chances, values, strict=True))


def _drawn(seed: int) -> Case:
    """A node at random, with values on both sides of 0 and of 1."""
    draw, kind = Random(seed), ("chance", "max", "min")[seed % 3]
    number = draw.randint(2, 5)
    values = [draw.randint(-30, 30) / 10 for _ in range(number)]
    weights = [draw.randint(1, 9) for _ in range(number)] if kind == "chance" else []
    chances = [weight / sum(weights) for weight in weights]
    shown = f"with the values {', '.join(map(str, values))}"
    if chances:
        shown += f" and the chances {', '.join(f'{p:.2f}' for p in chances)}"
    return Case(f"at a {kind} node {shown}", (kind, values, chances))


write_worth: Final = Task(
    SAID["write_worth"],
    solution=worth,
    cases=(
        Case("at a node where MAX moves", ("max", [0.2, 0.7, 0.4], [])),
        Case("at a node where MIN moves", ("min", [0.2, 0.7, 0.4], [])),
        Case("at a chance node", ("chance", [1.0, 0.4, 0.0], [0.1, 0.6, 0.3])),
        Case("at a coin", ("chance", [0.0, 1.0], [0.5, 0.5])),
        Case("at a node where MAX can only lose", ("max", [-0.5, -0.2], [])),
        Case("at a node where MIN can only lose", ("min", [3.0, 1.5, 2.0], [])),
        Case("at a node of one move", ("max", [0.3], [])),
        *map(_drawn, range(36)),
    ),
    wrong={
        "no weights": lambda kind, values, chances: (
            worth(kind, values, chances) if kind != "chance" else sum(values) / len(values)
        ),
        "luck as a friend": lambda kind, values, chances: (
            min(values) if kind == "min" else max(values)
        ),
        "luck as an enemy": lambda kind, values, chances: (
            max(values) if kind == "max" else min(values)
        ),
        "the likeliest": lambda kind, values, chances: (
            worth(kind, values, chances)
            if kind != "chance"
            else values[list(chances).index(max(chances))]
        ),
        "no opponent": lambda kind, values, chances: worth(
            "max" if kind == "min" else kind, values, chances
        ),
    },
)


# Move or luck? -------------------------------------------------------------------------------


def _split(move: float, luck: float, better: str) -> Mapping[str, Any]:
    return {"move": move, "luck": luck, "better": better}


move_and_luck: Final = Question(
    SAID["move_and_luck"],
    right=_split(-0.08, -0.32, "hold"),
    wrong={
        "all blamed on the move": _split(-0.40, 0.0, "hold"),
        "all blamed on the luck": _split(0.0, -0.40, "roll"),
        "measured from the better move": _split(-0.08, -0.40, "hold"),
        "signs": _split(0.08, 0.32, "hold"),
    },
    tolerance=0.006,
)
