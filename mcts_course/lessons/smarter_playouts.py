"""Experiments and exercises of the lesson *Do smarter playouts help?*"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final

import numpy as np

from mcts_viz.errors import require_one_of
from mcts_viz.games import ConnectFour, Game, Nim, TicTacToe
from mcts_viz.games.protocol import State
from mcts_viz.search import MCTS, random_playout, solve
from mcts_viz.search.variants import Consideration, blocks, truncated, win_then_block, wins_at_once

from ..measure.experiments import (
    Counts,
    Shares,
    best_moves,
    by_budget,
    contested,
    count_table,
    right_by_position,
    share_table,
)
from ..measure.intervals import paired_gain
from ..measure.plots import plot_shares
from ..measure.random_play import RandomPlay
from ..show.fields import Fields
from ..show.figures import Curve, Figure, draw_curves, look, new_figure
from ..show.tables import Table
from ..typed import typed_door
from ..work.exercises import Case, Task, in_any_order, texts_of

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()
PLAYOUTS: Final = {"light": random_playout, "heavy": win_then_block}


# Experiments --------------------------------------------------------------------


@typed_door
def exact_mean(state: Hashable, *choices: Consideration) -> Fraction:
    """Return what X gets on average, in [0, 1], in playouts whose moves these ``choices`` pick."""
    mean = (RandomPlay(GAME, *choices).returns(state)[0] + 1) / 2
    return Fraction(mean).limit_denominator(10**6)


@typed_door
def means_of_moves(state: Hashable, *choices: Consideration) -> dict[int, float]:
    """By move, the exact mean of its playouts for the player to move, the highest first."""
    means = RandomPlay(GAME, *choices).rewards(state)
    return {move: round(means[move], 2) for move in sorted(means, key=lambda move: -means[move])}


BUDGETS: Final = (20, 80, 320)
"""Iterations of the searches that are compared."""


def your_curves() -> Fields:
    """Two curves to draw before they are measured: how many searches are right, in per cent."""
    names = {f"{name}, {budget}": 50 for name in PLAYOUTS for budget in BUDGETS}

    def figure(values: Mapping[str, int]) -> Figure:
        drawn, (axes,) = new_figure(height=2.8)
        draw_curves(axes, {name: _drawn(values, name) for name in PLAYOUTS}, points=True)
        axes.set_xticks(range(len(BUDGETS)), map(str, BUDGETS))
        axes.set(xlabel="iterations", ylabel="searches that are right", ylim=(0, 1.02))
        return drawn

    return Fields(names, figure)


def _drawn(values: Mapping[str, int], name: str) -> Curve:
    """One of the two curves, as shares."""
    heights = [values[f"{name}, {budget}"] / 100 for budget in BUDGETS]
    return Curve(list(range(len(BUDGETS))), heights)


@typed_door
def next_to(found: Shares, curves: Fields) -> Table:
    """Return your two curves next to those that were measured."""
    rows = []
    for name in PLAYOUTS:
        mine = _drawn(curves.values, name).y
        for budget, guess in zip(BUDGETS, mine, strict=True):
            share = found[name, budget]
            rows.append((name, budget, f"{guess:.2f}", f"{share:.2f}", f"{guess - share:+.2f}"))
    heads = ("playouts", "iterations", "yours", "measured", "difference")

    def picture() -> Figure:
        figure = plot_shares(found.courses, found.unit)
        (axes,) = figure.axes
        for place, name in enumerate(PLAYOUTS):
            mine = _drawn(curves.values, name)
            axes.plot(mine.x, mine.y, "x:", color=look(place)["color"], markersize=9)
        axes.set_title("measured, and yours as ×", fontsize=10, loc="left")
        return figure

    return Table(heads, rows, picture=picture)


@typed_door
def compare_playouts(positions: int = 100, seeds: int = 2) -> Shares:
    """Search the same positions with light and with heavy playouts."""
    states = contested(3, positions, seed=8)

    def course(playout: Any) -> dict[int, list[float]]:
        return right_by_position(
            states, lambda seed: MCTS(GAME, seed=seed, playout=playout), seeds, BUDGETS
        )

    return share_table({name: course(playout) for name, playout in PLAYOUTS.items()}, "iterations")


@typed_door
def price(positions: int = 100, iterations: int = 80, times: int = 5) -> float:
    """Return how many light iterations take as long as a heavy one, in the positions compared.

    In each position the fastest of its runs counts: a busy machine slows that one least.
    """

    def seconds(state: State, playout: Any) -> float:
        searches = (MCTS(GAME, seed=seed, playout=playout) for seed in range(times))
        return min(
            search.search(state, iterations=iterations, progress=False).seconds
            for search in searches
        )

    states = contested(3, positions, seed=8)
    light, heavy = (
        sum(seconds(state, playout) for state in states) for playout in PLAYOUTS.values()
    )
    return heavy / light


@typed_door
def holds_the_draw(state: Hashable, iterations: int = 30, seeds: int = 200) -> Counts:
    """Count, by kind of playout, the searches that play a best move."""
    best = sorted(best_moves(state))
    found = {
        name: by_budget(GAME, state, best, [iterations], seeds, {"playout": playout})[iterations]
        for name, playout in PLAYOUTS.items()
    }
    return count_table("playouts", "draw", found, seeds)


# Stop early and guess ------------------------------------------------------------------------

FOUR: Final = ConnectFour(5, 5, 4)
LINES: Final = 28
"""Rows of four cells on that board."""


def open_lines(state: Any, lines: int = LINES) -> tuple[float, float]:
    """Guess from the lines that one player alone has pieces in: their squares, as a value."""
    x_count, o_count, *_ = state  # of every line, three bits count the pieces in it
    total = 0
    for place in range(0, 3 * lines, 3):
        mine, theirs = x_count >> place & 7, o_count >> place & 7
        if mine and theirs:
            continue  # neither can fill it
        total += mine**2 - theirs**2
    value = max(-0.9, min(0.9, total / 40))
    return (value, -value)


def four_positions(number: int = 60, empty: int = 13, seed: int = 1) -> dict[Any, Sequence[Any]]:
    """Positions of random play on five by five in which some moves are mistakes: the best moves."""
    chance = Random(seed)
    found: dict[Any, Sequence[Any]] = {}
    while len(found) < number:
        state = FOUR.initial_state()
        while not FOUR.is_terminal(state) and sum(state[2:]) < 25 - empty:
            state = FOUR.play(state, chance.choice(FOUR.legal_actions(state)))
        if not FOUR.is_terminal(state):
            best = solve(FOUR, state).best_actions
            if len(best) < len(FOUR.legal_actions(state)):
                found[state] = best
    return found


@typed_door
def stop_and_guess(number: int = 240, iterations: int = 30) -> Counts:
    """Count, in positions of Connect Four, the right moves of searches that stop or do not.

    ``gain`` is how much more the one that guesses at once finds than the one with full playouts,
    position by position, with its interval.
    """
    positions = four_positions(number)
    playouts: dict[str, Any] = {
        "full playouts": random_playout,
        "4 moves, then a guess": truncated(4, open_lines),
        "a guess at once": truncated(0, open_lines),
    }
    right = {
        name: [
            MCTS(FOUR, seed=seed, playout=playout)
            .search(state, iterations=iterations, progress=False)
            .best_action
            in best
            for seed, (state, best) in enumerate(positions.items())
        ]
        for name, playout in playouts.items()
    }
    gain = paired_gain(right["a guess at once"], right["full playouts"])
    counts = {name: sum(found) for name, found in right.items()}
    return count_table("search", "right", counts, number, gain=gain)


@typed_door
def all_moves_as_first(state: Any, move: Hashable, seed: int, iterations: int = 1000) -> Table:
    """The mean of a move at the root, its AMAF mean, and RAVE's, after each iteration of a search.

    The AMAF mean counts every game in which the player made the move at all, in the tree or in
    the playout. All are rewards of the player to move, in [0, 1].
    """
    legal = GAME.legal_actions(state)
    require_one_of("move", move, legal)
    player = GAME.to_move(state)
    trace = MCTS(GAME, seed=seed).record(state, iterations=iterations, progress=False)
    counted = []
    rewards = []
    for iteration in range(1, iterations + 1):
        moment: Any = trace.at(iteration, "backpropagate")
        own = [*(trace.action_of(node) for node in moment.path[1:]), *moment.playout][::2]
        counted.append((own[0] == move, move in own))
        rewards.append((moment.returns[player] + 1) / 2)
    visits, games = np.cumsum(counted, axis=0).T
    wins, all_wins = np.cumsum(np.transpose(counted) * rewards, axis=1)
    mean, amaf = wins / np.maximum(visits, 1), all_wins / np.maximum(games, 1)
    parent = np.arange(1, iterations + 1)  # the root, which every iteration visits
    beta = np.sqrt(50 / (3 * parent + 50))
    curves = {
        f"mean of its visits, {visits[-1]} games": mean,
        f"AMAF mean, {games[-1]} games": amaf,
        "RAVE": (1 - beta) * mean + beta * amaf,
    }

    def picture() -> Figure:
        figure, (axes,) = new_figure(height=2.8)
        times = range(10, iterations + 1)  # by then each move has its first visit
        draw_curves(axes, {name: Curve(times, course[9:]) for name, course in curves.items()})
        axes.set(xscale="log", xlabel="iterations", ylabel=f"mean of move {move}", ylim=(0, 1))
        return figure

    rows = [("visits", visits[-1], f"{mean[-1]:.2f}"), ("AMAF", games[-1], f"{amaf[-1]:.2f}")]
    return Table(("", "games", "mean"), rows, picture=picture)


# Write it yourself ---------------------------------------------------------------------------


def _considered(game: Game[State, Any], state: State, legal: Sequence[Any]) -> Sequence[Any]:
    """Return the moves that win; else those that stop the opponent's win; else all."""
    wins = wins_at_once(game, state, legal)
    return wins if len(wins) < len(legal) else blocks(game, state, legal)


def _or_nothing(game: Game[State, Any], state: State, legal: Sequence[Any]) -> Sequence[Any]:
    found = _considered(game, state, legal)
    return found if len(found) < len(legal) else []


def _case(words: str, game: Game[Any, Any], text: str) -> Case:
    state = game.parse(text)
    return Case(f"{words}, in {text!r}", (game, state, game.legal_actions(state)))


write_considered: Final = Task(
    SAID["write_considered"],
    solution=_considered,
    cases=(
        _case("where X can win at 2", GAME, "XX. OO. ..."),
        _case("where O can win at 5", GAME, "XX. OO. X.."),
        _case("where X can win at 2 and O threatens nothing", GAME, "XX. O.. ..O"),
        _case("where O must stop X at 2", GAME, "XX. O.. ..."),
        _case("where X can win at 2 and at 6", GAME, "XX. XOO ..O"),
        _case("where O cannot stop X at 2 and at 6", GAME, "XX. XO. ..O"),
        _case("where no one threatens", GAME, "X.. ... ..."),
        _case("in Nim, with heaps of 1 and 2", Nim((1, 2)), "1 2"),
    ),
    observe=in_any_order,
    wrong={
        "block first": {"wins_at_once(": "blocks(", "else blocks(": "else wins_at_once("},
        "wins alone": wins_at_once,
        "blocks alone": blocks,
        "one win": {"return wins if": "return wins[:1] if"},
        "player 0": {
            "len(wins) < len(legal)": "len(wins) < len(legal) and not game.to_move(state)"
        },
        "nothing left": _or_nothing,
        "one block": {"blocks(game, state, legal)": "blocks(game, state, legal)[:1]"},
    },
)
