"""The exercises of lesson 06, What does UCT weigh?

Their numbers come from searches of the position of lesson 05.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import log, sqrt
from statistics import fmean
from typing import Any, Final

from mcts_viz.games import TicTacToe
from mcts_viz.search import MCTS

from ..contested import contested
from ..exercises import Case, Question, Task, texts_of
from ..experiments import by_budget, right_shares, tracked
from ..figures import COLOURS, Figure, Slider, new_figure
from ..intervals import paired_gain
from ..plots import plot_shares
from ..tables import Share, Table, shares_at, shares_in_lines, span

SAID: Final = texts_of(__name__)
GAME: Final = TicTacToe()
POSITION: Final = GAME.parse("OX. ..O ..X")

Width = Callable[[int, int], float]
"""By visits of the parent and the child, what c is multiplied with."""


def _width(total: int, visits: int) -> float:
    return sqrt(log(total) / visits)


# What the lesson measures --------------------------------------------------------------------


class Lines:
    """The scores of some children over c: a line each, from ``(wins, visits)``."""

    def __init__(self, shares: Mapping[str, Share], total: int | None = None) -> None:
        self.shares = dict(shares)
        self.total = total or sum(visits for _, visits in shares.values())

    def line(self, child: str) -> tuple[float, float]:
        """Its mean, where c is 0, and its width, by which the score rises with c."""
        wins, visits = self.shares[child]
        return wins / visits, _width(self.total, visits)

    def on_top(self, c: float) -> str:
        """The child with the highest score."""
        return max(self.shares, key=lambda child: self.line(child)[0] + c * self.line(child)[1])

    def crossing(self, one: str, other: str) -> float:
        """The c at which two children are level."""
        (mean, width), (rival_mean, rival_width) = self.line(one), self.line(other)
        return (rival_mean - mean) / (width - rival_width)

    def figure(self, c: float) -> Figure:
        """The lines, with ``c`` marked and the child that the walk takes there."""
        figure, (axes,) = new_figure(7.2, 3.0)
        for place, (child, dashes) in enumerate(zip(self.shares, ("-", "--", ":"), strict=False)):
            mean, width = self.line(child)
            colour = COLOURS[f"move-{place}"]
            ends = [mean, mean + 3 * width]
            axes.plot([0, 3], ends, color=colour, linestyle=dashes, label=child)
        axes.axvline(c, color=COLOURS["ink"], linewidth=1)
        axes.set(xlabel="c", ylabel="score", xlim=(0, 3), ylim=(0, None))
        axes.set_title(f"c = {c:.2f}: the walk takes {self.on_top(c)}", fontsize=10)
        axes.legend(frameon=False)
        return figure

    def slider(self) -> Slider:
        """Drag c, and see which line is on top."""
        values = [round(0.01 * place, 2) for place in range(301)]
        return Slider(lambda c: self.figure(c), "c", values, 1.41)


def times_found(cs: Sequence[float], iterations: int, seeds: int = 100) -> Table:
    """By c: how many of 100 searches of ``POSITION`` play cell 7, the winning move."""
    found = {
        c: by_budget(GAME, POSITION, [7], [iterations], seeds, {"c": c})[iterations] for c in cs
    }
    rows = [(f"{c:.3g}", count) for c, count in found.items()]
    return Table(("c", f"of {seeds} play 7, {iterations:,} iterations"), rows, by=found)


class Strength(Table):
    """The share of right answers by budget and c, each position one number."""

    def best(self, budget: int) -> float:
        """The c with the highest share for that budget, rounded to two decimals."""
        shares = {c: self[budget, c] for c in self.cs}
        return float(round(max(shares, key=lambda c: shares[c]), 2))

    def difference(self, one: float, other: float) -> Table:
        """By budget: how much better ``one`` is, taken position by position."""
        rows = []
        for budget in self.budgets:
            gain, interval = paired_gain(self.shares[budget, one], self.shares[budget, other])
            rows.append((budget, f"{gain:+.3f}", span(interval, "+.3f")))
        heads = ("iterations", f"c = {one:.3g} less {other:.3g}", "95 % interval")
        return Table(heads, rows)


def strength(
    cs: Sequence[float], budgets: Sequence[int], seed: int, positions: int = 90, seeds: int = 2
) -> Strength:
    """How often a search keeps the value of perfect play, in positions with three pieces."""
    sample = contested(3, positions, seed)
    shares: dict[tuple[int, float], list[float]] = {
        (budget, c): [] for budget, c in product(budgets, cs)
    }
    for c, state in tracked(list(product(cs, sample)), "positions"):
        searches = (MCTS(GAME, c, each) for each in range(seeds))
        for budget, share in right_shares(searches, state, sorted(budgets)).items():
            shares[budget, c].append(share)
    rows = [(f"{c:.3g}", *(f"{fmean(shares[n, c]):.2f}" for n in budgets)) for c in cs]
    heads = ("c", *(f"{budget} iterations" for budget in budgets))
    means = {key: fmean(found) for key, found in shares.items()}
    curves = {
        f"{budget} iterations": {round(c, 2): shares[budget, c] for c in cs} for budget in budgets
    }
    return Strength(
        heads, rows, means, lambda: plot_shares(curves, "c"),
        shares=shares, cs=tuple(cs), budgets=tuple(budgets),
    )  # fmt: skip


def _from_minus_one_to_one(returns: Sequence[float], player: int, root_player: int) -> float:
    return returns[player]


def same_tree(c: float, candidates: Sequence[float], seeds: int = 10) -> float:
    """The candidate that grows, with rewards from -1 to 1, the tree of ``c`` with ours."""

    def leaves(c: float, seed: int, **policies: Any) -> list[int]:
        trace = MCTS(GAME, c, seed, **policies).record(POSITION, iterations=300, progress=False)
        return list(trace.leaf)

    return next(
        other
        for other in candidates
        if all(
            leaves(c, seed) == leaves(other, seed, reward=_from_minus_one_to_one)
            for seed in range(seeds)
        )
    )


# Which c flips the choice? -------------------------------------------------------------------

_ITERATION: Final = 18
_TRACE = MCTS(GAME, seed=47).record(POSITION, iterations=_ITERATION, progress=False)
_TOTAL: Final = _ITERATION - 1
_SHARES: Final = shares_at(_TRACE, _TOTAL)
_CHOSEN: Final = _TRACE.label(_TRACE.at(_ITERATION).path[1])


def _meetings(width: Width = _width) -> Iterator[tuple[float, str]]:
    """By rival: the c at which it is level with the move that was chosen."""
    wins, visits = _SHARES[_CHOSEN]
    for move, (rival_wins, rival_visits) in _SHARES.items():
        wider = width(_TOTAL, visits) - width(_TOTAL, rival_visits)
        if wider:
            yield (rival_wins / rival_visits - wins / visits) / wider, move


def _mean(move: str) -> float:
    wins, visits = _SHARES[move]
    return wins / visits


def _flip(width: Width = _width, pick: Callable[..., Any] = max) -> dict[str, Any]:
    """The highest meeting with a move of higher mean, or another one that ``pick`` picks."""
    c, move = pick((c, move) for c, move in _meetings(width) if _mean(move) > _mean(_CHOSEN))
    return {"c": c, "move": move}


_RIGHT: Final = _flip()
_ABOVE: Final = min((c, move) for c, move in _meetings() if c > _TRACE.c)

which_flip: Final = Question(
    SAID["which_flip"],
    text="\n".join(
        [
            f"{_TOTAL} iterations are done; with c = 1.41 the walk takes {_CHOSEN}.",
            *shares_in_lines(_SHARES),
        ]
    ),
    right=_RIGHT,
    wrong={
        "the highest mean": _flip(pick=min),
        "the flip above": {"c": _ABOVE[0], "move": _ABOVE[1]},
        "the move that leaves": {**_RIGHT, "move": _CHOSEN},
        "no square root": _flip(lambda total, visits: log(total) / visits),
        "no logarithm": _flip(lambda total, visits: 1 / sqrt(visits)),
    },
)


# Where two lines cross -----------------------------------------------------------------------


def _crossing(one: Share, other: Share, total: int) -> float | None:
    lead_in_width = sqrt(log(total) / one[1]) - sqrt(log(total) / other[1])
    if lead_in_width == 0:
        return None
    c = (other[0] / other[1] - one[0] / one[1]) / lead_in_width
    return c if c >= 0 else None


_WITHOUT: Final = "    if lead_in_width == 0:\n        return None\n"
_WIDTHS: Final = "sqrt(log(total) / one[1]) - sqrt(log(total) / other[1])"

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
    ),
    wrong={
        "no None": {_WITHOUT: "", "c if c >= 0 else None": "c"},
        "division by 0": {_WITHOUT: ""},
        "c below 0": {"c if c >= 0 else None": "c"},
        "the sign": {"c = (": "c = -("},
        "abs": {"return None": "return 0", "c if c >= 0 else None": "abs(c)"},
        "wins": {"other[0] / other[1] - one[0] / one[1]": "other[0] - one[0]"},
        "no square root": {_WIDTHS: "log(total) / one[1] - log(total) / other[1]"},
        "no logarithm": {_WIDTHS: "sqrt(1 / one[1]) - sqrt(1 / other[1])"},
        "two children alone": {_WIDTHS: _WIDTHS.replace("total", "(one[1] + other[1])")},
    },
)


# Read c from the tree ------------------------------------------------------------------------

_COURSES: Final = {"A": sqrt(2), "B": 10.0, "C": 0.0}
_NUMBER: Final = 100


def _visits() -> str:
    lines = [f"visits after {_NUMBER} iterations"]
    for name, c in _COURSES.items():
        root = MCTS(GAME, c, seed=3).search(POSITION, iterations=_NUMBER, progress=False).root
        visits = {child.action: child.visits for child in root.children}
        row = ", ".join(f"{move}: {visits[move]:>2}" for move in sorted(visits))
        lines.append(f"{name}   {row}")
    return "\n".join(lines)


def _in_order(*values: float) -> dict[str, float]:
    return dict(zip(_COURSES, values, strict=True))


_USUAL, _LARGE, _NONE = _COURSES.values()

read_c: Final = Question(
    SAID["read_c"],
    text=_visits(),
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
