"""Experiments and exercises of the lesson *What does UCT weigh?*"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import log, sqrt
from typing import Final

from mcts_viz.errors import require, require_one_of
from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS

from ..measure.experiments import (
    Counts,
    Shares,
    by_budget,
    contested,
    count_table,
    right_by_position,
    share_table,
)
from ..measure.plots import plot_lines
from ..show.figures import Figure, Slider
from ..show.tables import Share, require_shares
from ..typed import typed_door
from ..work.exercises import Case, Question, Task, texts_of

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("OX. ..O ..X")

# Experiments --------------------------------------------------------------------


@typed_door
class Lines:
    """The scores of some children over c: a line each, from ``(wins, visits)``."""

    def __init__(self, shares: Mapping[str, Share], total: int | None = None) -> None:
        require_shares(shares)
        self.shares = dict(shares)
        self.total = total or sum(visits for _, visits in shares.values())

    def line(self, child: str) -> tuple[float, float]:
        """Return its mean, where c is 0, and its slope, by which the score rises with c."""
        require_one_of("The child", child, self.shares)
        wins, visits = self.shares[child]
        return wins / visits, sqrt(log(self.total) / visits)

    @typed_door
    def on_top(self, c: float) -> str:
        """The child with the highest score."""
        return max(self.shares, key=lambda child: self.line(child)[0] + c * self.line(child)[1])

    def crossing(self, one: str, other: str) -> float:
        """The c at which two children are level."""
        (mean, width), (rival_mean, rival_width) = self.line(one), self.line(other)
        kind = "two children with different numbers of visits, or their lines are parallel"
        require(width != rival_width, "Lines that cross", kind, (one, other))
        return (rival_mean - mean) / (width - rival_width)

    @typed_door
    def figure(self, c: float) -> Figure:
        """The lines, with ``c`` marked and the child that selection takes there."""
        figure = plot_lines({child: self.line(child) for child in self.shares}, c, "UCB score")
        figure.axes[0].set_title(f"selection takes {self.on_top(c)}", fontsize=10)
        return figure

    def slider(self) -> Slider:
        """Return a slider for c that shows which line is on top."""
        values = [round(0.01 * place, 2) for place in range(301)]
        return Slider(lambda c: self.figure(c), "c", values, 0.5)


@typed_door
def times_found(cs: Sequence[float], iterations: int, seeds: int = 500) -> Counts:
    """Count, by c, the searches of ``POSITION`` that play cell 7, the winning move."""
    found = {
        c: by_budget(GAME, POSITION, [7], [iterations], seeds, {"c": c})[iterations] for c in cs
    }
    return count_table("c", f"play 7, {iterations:,} iterations", found, seeds)


@typed_door
def most_often(counts: Counts) -> str:
    """Name the constants whose interval lies above those of all others."""
    top = max(counts.by, key=lambda c: counts[c])
    best = [c for c in counts.by if counts.interval(c)[1] >= counts.interval(top)[0]]
    return " and ".join("√2" if c == 2**0.5 else f"{c:g}" for c in best)


@typed_door
def strength(cs: Sequence[float], budgets: Sequence[int]) -> Shares:
    """Return how often a search finds a best move, over all positions with three pieces."""
    states = contested(3)
    found = {
        f"c = {c:.3g}": right_by_position(states, partial(MCTS, GAME, c), 2, budgets) for c in cs
    }
    return share_table(found, "iterations")


# Where two lines cross -----------------------------------------------------------------------


def _crossing(one: Share, other: Share, total: int) -> float | None:
    lead_in_slope = sqrt(log(total) / one[1]) - sqrt(log(total) / other[1])
    if lead_in_slope == 0:
        return None
    c = (other[0] / other[1] - one[0] / one[1]) / lead_in_slope
    return c if c >= 0 else None


_WITHOUT: Final = "    if lead_in_slope == 0:\n        return None\n"
_SLOPES: Final = "sqrt(log(total) / one[1]) - sqrt(log(total) / other[1])"

_LEAD: Final = "other[0] / other[1] - one[0] / one[1]"

write_crossing: Final = Task(
    SAID["write_crossing"],
    solution=_crossing,
    cases=(
        Case("with 3/4, 1/2 and N = 7", ((3, 4), (1, 2), 7)),
        Case("with 0/1, 1/2 and N = 7", ((0, 1), (1, 2), 7)),
        Case("with 2/2, 1/4 and N = 9, where the more visited is worse", ((2, 2), (1, 4), 9)),
        Case("with 1/2, 1/4 and N = 9, where it is a little worse", ((1, 2), (1, 4), 9)),
        Case("with 3/4, 1/4 and N = 9, where the visits are equal", ((3, 4), (1, 4), 9)),
        Case("with 2/4, 1/2 and N = 8, where the means are equal", ((2, 4), (1, 2), 8)),
        Case("with 2/4, 2/4 and N = 8, where all is equal", ((2, 4), (2, 4), 8)),
        Case("with 10/10, 1/8 and N = 18, where c is large", ((10, 10), (1, 8), 18)),
        Case("with 1/3, 9/20 and N = 40, where it is the other way round", ((1, 3), (9, 20), 40)),
    ),
    wrong={
        "no None": {_WITHOUT: "", "c if c >= 0 else None": "c"},
        "division by 0": {_WITHOUT: ""},
        "c below 0": {"c if c >= 0 else None": "c"},
        "the sign": {"c = (": "c = -("},
        "no square root": {_SLOPES: "log(total) / one[1] - log(total) / other[1]"},
        "no logarithm": {_SLOPES: "sqrt(1 / one[1]) - sqrt(1 / other[1])"},
        "upside down": {
            f"({_LEAD}) / lead_in_slope": f"lead_in_slope / ({_LEAD})",
        },
        "base 10": {_SLOPES: "sqrt(log10(total) / one[1]) - sqrt(log10(total) / other[1])"},
        "their own logarithm": {
            _SLOPES: "sqrt(log(one[1]) / one[1]) - sqrt(log(other[1]) / other[1])"
        },
        "wins for means": {_LEAD: "other[0] - one[0]"},
        "without a sign": {"c if c >= 0 else None": "abs(c)"},
        "0 left out": {"c >= 0": "c > 0"},
        "a 2 too many": {
            _SLOPES: "sqrt(2 * log(total) / one[1]) - sqrt(2 * log(total) / other[1])"
        },
    },
)


# Read c from the tree ------------------------------------------------------------------------

_COURSES: Final = {"A": sqrt(2), "B": 10.0, "C": 0.0}
_NUMBER: Final = 100


def visits_by_c() -> dict[str, list[int]]:
    """Return, by search, the visits of the moves in the order of their cells."""
    found = {}
    for name, c in _COURSES.items():
        root = MCTS(GAME, c, seed=3).search(POSITION, iterations=_NUMBER, progress=False).root
        found[name] = [child.visits for child in sorted(root.children, key=lambda n: n.action)]
    return found


def _in_order(*values: float) -> dict[str, float]:
    return dict(zip(_COURSES, values, strict=True))


_USUAL, _LARGE, _NONE = _COURSES.values()

read_c: Final = Question(
    SAID["read_c"],
    right=_COURSES,
    wrong={
        "extremes swapped": _in_order(_USUAL, _NONE, _LARGE),
        "A and B": _in_order(_LARGE, _USUAL, _NONE),
        "A and C": _in_order(_NONE, _LARGE, _USUAL),
        "turned round": _in_order(_NONE, _USUAL, _LARGE),
        "all wrong": _in_order(_LARGE, _NONE, _USUAL),
    },
    tolerance=0.02,
)
