"""Experiments and exercises of the lesson *Do smarter playouts help?*"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from math import sqrt
from statistics import fmean
from time import perf_counter
from typing import Any, Final

from mcts_viz.games import Game, Nim, Playout, RandomSource, TicTacToe
from mcts_viz.search import MCTS, random_playout
from mcts_viz.search.variants import Consideration, block_then_win, blocks, win_then_block, wins_at_once

from ..exercises import Case, Question, Task, in_any_order, texts_of
from ..experiments import best_moves, by_budget, contested, right_by_position, tracked
from ..figures import Curve, Figure, draw_curves, mark_budgets, new_figure
from ..intervals import mean_interval, paired_gain, verdict, wilson_interval
from ..random_play import RandomPlay
from ..tables import Table, span

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()


@cache
def all_playouts(*choices: Consideration) -> RandomPlay:
    """All playouts in which moves are picked as these ``choices`` say; light ones without."""
    return RandomPlay(GAME, *choices)


def exact_mean(state: Any, *choices: Consideration) -> Fraction:
    """Return what X gets on average in such playouts from ``state``, in [0, 1]."""
    mean = (all_playouts(*choices).returns(state)[0] + 1) / 2
    return Fraction(mean).limit_denominator(10**6)


# Experiments --------------------------------------------------------------------


def share_right(iterations: int, playout: Any, seeds: int = 4, positions: int = 100) -> list[float]:
    """Return, by position, the share of searches with this playout policy that play a best move."""
    states = contested(3, positions, seed=8)
    return right_by_position(
        states, lambda seed: MCTS(GAME, seed=seed, playout=playout), seeds, [iterations]
    )[iterations]


class Playouts(Table):
    """Light against heavy playouts: ``shares[name, budget]`` by position, and ``ms`` a search."""

    def __repr__(self) -> str:
        rows = [row[:-1] for row in self.rows]  # times differ from computer to computer
        return repr(Table(self.heads[:-1], rows))

    def figure(self) -> Figure:
        """The shares by iteration and by time."""
        figure, (left, right) = new_figure(9, 3.2, 2, sharey=True)
        by_budget, by_time = {}, {}
        for name in ("light", "heavy"):
            budgets = [budget for kind, budget in self.shares if kind == name]
            found = [self.shares[name, budget] for budget in budgets]
            ends = zip(*map(mean_interval, found), strict=True)
            by_budget[name] = Curve(budgets, [*map(fmean, found)], *ends)
            by_time[name] = by_budget[name]._replace(x=[self.ms[name, b] for b in budgets])
        draw_curves(left, by_budget, points=True)
        draw_curves(right, by_time, points=True)
        left.legend().remove()  # the same as on the right
        left.set(ylabel="find a best move", ylim=(0, 1.03))
        mark_budgets(left, by_budget["light"].x)
        right.set(xscale="log", xlabel="milliseconds per search, on this computer")
        right.xaxis.set_major_formatter("{x:g}")
        return figure


def compare_playouts(seeds: int = 2, positions: int = 100) -> Playouts:
    """Search the same positions with light and with heavy playouts, and take the time."""
    plans = [("light", random_playout, budget) for budget in (20, 80, 320, 1280)]
    plans += [("heavy", win_then_block, budget) for budget in (20, 80, 320)]
    shares: dict[tuple[str, int], list[float]] = {}
    ms: dict[tuple[str, int], float] = {}
    for state in contested(3):
        best_moves(state)  # once, before the clock starts
    for name, playout, budget in tracked(plans, "budgets"):
        begun = perf_counter()
        shares[name, budget] = share_right(budget, playout, seeds, positions)
        ms[name, budget] = 1000 * (perf_counter() - begun) / (seeds * positions)
    rows = [
        (name, budget, f"{fmean(found):.2f}", f"{ms[name, budget]:.1f}")
        for (name, budget), found in shares.items()
    ]
    means = {key: fmean(found) for key, found in shares.items()}
    table = Playouts(("playouts", "iterations", "right", "ms"), rows, means, shares=shares, ms=ms)
    table.picture = table.figure
    return table


def holds_the_draw(
    state: Any,
    iterations: int = 30,
    seeds: int = 200,
    kinds: Sequence[str] = ("light", "heavy"),
) -> Table:
    """Count, by kind of playout, the searches that play a best move."""
    playouts = {"light": random_playout, "heavy": win_then_block}
    best = sorted(best_moves(state))
    found = {}
    for name in kinds:
        settings = {"playout": playouts[name]}
        found[name] = by_budget(GAME, state, best, [iterations], seeds, settings)[iterations]
    rows = [(f"{name} playouts", right, span(wilson_interval(right, seeds))) for name, right in found.items()]
    heads = ("searches with", f"of {seeds}, draw", "share, 95 % interval")
    return Table(heads, rows, found, seeds=seeds)


def who_finds_more(found: Table) -> str:
    """Which kind of search holds the draw more often, if chance does not explain it."""
    light, heavy = (wilson_interval(found[name], found.seeds) for name in ("light", "heavy"))
    words = ("the one with random games", "the one that wins and blocks", "no clear difference")
    return verdict(light, heavy, *words)


def order_matters(iterations: int = 20, seeds: int = 10) -> Table:
    """Win first or block first, in all 186 positions; the difference position by position."""
    number = len(contested(3))
    first, second = (
        share_right(iterations, playout, seeds, number) for playout in (win_then_block, block_then_win)
    )
    gain, (low, high) = paired_gain(first, second)
    rows = [
        ("win, then block", f"{fmean(first):.3f}", ""),
        ("block, then win", f"{fmean(second):.3f}", ""),
        ("difference by position", f"{gain:+.3f}", span((low, high), "+.3f")),
    ]
    return Table(("order", "right", "95 % interval"), rows, gain=gain, low=low, high=high)


def favourites(state: Any, *choices: Consideration) -> dict[int, float]:
    """The moves whose playouts look best to the player to move, with their exact mean."""
    means = all_playouts(*choices).rewards(state)
    highest = max(means.values()) - 1e-9
    return {action: round(mean, 3) for action, mean in means.items() if mean >= highest}


def misled() -> Table:
    """In all positions where a move can be a mistake: whose favourite is right?"""
    states = [state for pieces in range(9) for state in contested(pieces)]
    light = {s for s in states if favourites(s).keys() <= best_moves(s)}
    heavy = {s for s in states if favourites(s, wins_at_once, blocks).keys() <= best_moves(s)}
    rows = [
        ("positions where a move can be a mistake", len(states)),
        ("light playouts are right in", len(light)),
        ("heavy playouts are right in", len(heavy)),
        ("heavy are wrong where light are right in", len(light - heavy)),
    ]
    return Table(("", "positions"), rows, only_light=len(light - heavy), all=len(states))


def all_moves_as_first(state: Any, move: Any, seed: int, iterations: int = 1000) -> Table:
    """The mean of a move at the root, its AMAF mean, and RAVE's, after each iteration of a search.

    The AMAF mean counts every game in which the player made the move at all, in the tree or in
    the playout. All are rewards of the player to move, in [0, 1].
    """
    player = GAME.to_move(state)
    trace = MCTS(GAME, seed=seed).record(state, iterations=iterations, progress=False)
    means: dict[str, list[float]] = {"mean of its visits": [], "AMAF mean": []}
    courses: dict[str, list[tuple[int, float]]] = {name: [] for name in (*means, "RAVE")}
    for iteration in range(1, iterations + 1):
        moment: Any = trace.at(iteration, "backpropagate")
        own = [*(trace.action_of(node) for node in moment.path[1:]), *moment.playout][::2]
        reward = (moment.returns[player] + 1) / 2
        for name, counts in zip(means, (own[:1] == [move], move in own), strict=True):
            if counts:
                means[name].append(reward)
            if means[name]:
                courses[name].append((iteration, fmean(means[name])))
        if visits := len(means["mean of its visits"]):
            beta = sqrt(50 / (3 * visits + 50))
            seen, amaf = (courses[name][-1][1] for name in means)
            courses["RAVE"].append((iteration, (1 - beta) * seen + beta * amaf))
    rows = [(name, len(found), f"{fmean(found):.2f}") for name, found in means.items()]

    curves = {
        f"{name}, {len(means[name])} games" if name in means else name: Curve(*zip(*course, strict=True))
        for name, course in courses.items()
    }

    def picture() -> Figure:
        figure, (axes,) = new_figure(height=2.8)
        draw_curves(axes, curves)
        axes.set(xscale="log", xlabel="iterations", ylabel=f"mean of move {move}", ylim=(0, 1))
        return figure

    return Table(("", "games", "mean"), rows, picture=picture)


def playout_that_considers(
    considered: Callable[[Any, Any, Sequence[Any]], Any],
) -> Callable[[Any, Any, RandomSource], Playout]:
    """Return a playout policy that picks at random among the moves that ``considered`` returns."""

    def playout(game: Any, state: Any, random: RandomSource) -> Playout:
        actions = []
        while not game.is_terminal(state):
            legal = game.legal_actions(state)
            some = considered(game, state, legal)
            some = legal if some is None or some is ... or not len(some) else some
            actions.append(some[int(random.random() * len(some))])
            state = game.play(state, actions[-1])
        return Playout(actions, game.returns(state))

    return playout


# Which comes first? --------------------------------------------------------------------------

_ORDER: Final = GAME.parse("... .OX XOX")
_BOTH: Final = (wins_at_once, blocks)


def _shares(*orders: Sequence[Consideration]) -> tuple[float, ...]:
    return tuple(float(exact_mean(_ORDER, *choices)) for choices in orders)


order: Final = Question(
    SAID["order"],
    right=_shares(_BOTH, _BOTH[::-1]),
    wrong={
        "swapped": _shares(_BOTH[::-1], _BOTH),
        "no difference": (0, 0),
        "a win is a block": (0, float(exact_mean(GAME.play(_ORDER, 2), *_BOTH))),
        "light": _shares((), ()),
        "what O gets": (1, 1 - _shares(_BOTH[::-1])[0]),
    },
)


# Write it yourself ---------------------------------------------------------------------------


def _considered(game: Game[Any, Any], state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    """Return the moves that win; else those that stop the opponent's win; else all."""
    wins = wins_at_once(game, state, legal)
    return wins if len(wins) < len(legal) else blocks(game, state, legal)


def _dangers(game: Game[Any, Any], state: Any, action: Any) -> int:
    """Count the opponent's winning moves after ``action``."""
    after = game.play(state, action)
    legal = () if game.is_terminal(after) else game.legal_actions(after)
    wins = wins_at_once(game, after, legal) if legal else ()
    return len(wins) if len(wins) < len(legal) else 0


def _least_danger(game: Game[Any, Any], state: Any, legal: Sequence[Any]) -> Sequence[Any]:
    wins = wins_at_once(game, state, legal)
    dangers = {action: _dangers(game, state, action) for action in legal}
    least = [action for action in legal if dangers[action] == min(dangers.values())]
    return wins if len(wins) < len(legal) else least


def _case(words: str, game: Game[Any, Any], text: str) -> Case:
    state = game.parse(text)
    return Case(f"{words}, in {text!r}", (game, state, game.legal_actions(state)))


_BLOCKS: Final = "blocks(game, state, legal)"

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
        "player 0": {"len(wins) < len(legal)": "len(wins) < len(legal) and not game.to_move(state)"},
        "nothing": {
            "return wins": "some = wins",
            "else blocks(game, state, legal)": "else blocks(game, state, legal)\n"
            "    return some if len(some) < len(legal) else []",
        },
        "no opinion": _least_danger,
        "dangerous moves": {_BLOCKS: f"([action for action in legal if action not in {_BLOCKS}] or legal)"},
        "everything": lambda game, state, legal: legal,
        "a single move": lambda game, state, legal: next(iter(_considered(game, state, legal))),
    },
)
