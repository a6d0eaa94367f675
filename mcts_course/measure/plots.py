"""Plots of the lessons: arms of a bandit, shares, tournaments, learning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mcts_viz.errors import TraceError, fits, require, short_repr
from mcts_viz.trace import Trace

from ..show.figures import (
    COLOURS,
    DASHES,
    Curve,
    Figure,
    draw_curves,
    label_of,
    look,
    mean_curve,
    new_figure,
)
from .arena import ArenaResult
from .intervals import wilson_interval

POINTS: Final = 400
"""The most iterations that are drawn; more cannot be distinguished on a page."""
HIGHEST: Final = 3.0
"""The largest c of a picture over c."""


def plot_means(
    trace: Trace, moves: Sequence[Any] | None = None, exact: Mapping[Any, float] | None = None
) -> Figure:
    """The mean reward of each move at the root after each iteration, in its 95 % interval.

    The mean speaks for the player to move at the root; rewards must be in [0, 1], and the
    interval is Wilson's. ``moves`` are actions, five at most; without them the first five are
    taken. ``exact`` marks some number in [0, 1] of each move by a thin line. Raises
    ``TraceError`` for a move that was not visited, and for other rewards.
    """
    nodes = _visited(trace, moves)
    kind = "a dict with a number for each move that is shown"
    right = isinstance(exact, Mapping) and {*map(trace.action_of, nodes)} <= {*exact}
    require(exact is None or right, "exact", kind, exact, TraceError)
    if not all(0 <= reward <= 1 for outcome in trace.outcomes for reward in outcome.rewards):
        raise TraceError(
            "The rewards of this trace must be from 0 to 1, for Wilson's interval: record the "
            "search without its reward rule."
        )
    figure, (axes,) = new_figure()
    times = np.unique(np.geomspace(1, len(trace), min(len(trace), POINTS)).astype(int))
    counts = np.array([(trace.wins(int(k))[nodes], trace.visits(int(k))[nodes]) for k in times])
    curves = {}
    for place, node in enumerate(nodes):
        wins, visits = counts[:, :, place].T
        seen = visits > 0
        ends = map(wilson_interval, wins[seen], visits[seen])
        curves[trace.label(node)] = Curve(
            times[seen], wins[seen] / visits[seen], *zip(*ends, strict=True)
        )
        if exact:
            axes.axhline(exact[trace.action_of(node)], linewidth=0.9, **look(place))
    draw_curves(axes, curves, "95 % intervals" + (", and the exact mean" if exact else ""))
    to_move = trace.game.players[trace.game.to_move(trace.root_state)]
    axes.set(xlabel="iteration", ylabel=f"mean reward of {label_of(to_move)}", ylim=(0, 1))
    return figure


def plot_scores(trace: Trace, iteration: int) -> Figure:
    """The score of each move at the root against c, from 0 to 3, when it was selected.

    A move is a straight line: it starts at its first term, for UCB1 the mean reward, and rises
    with its second. For each c, selection follows the line on top. The trace's own c is marked,
    and so is each c where another line comes to the top. Shows up to five moves. Raises
    ``TraceError`` where no scores were compared.
    """
    nodes = _visited(trace)
    require(fits(iteration, whole=True), "iteration", "a whole number", iteration, TraceError)
    lines: dict[str, tuple[float, float]] = {}
    if 1 <= iteration <= len(trace) and trace.c > 0:
        moment = trace.at(iteration, "select")
        if len(moment.children(0)) == trace.n_legal_moves(0):
            terms = [moment.terms(node) for node in nodes]
            lines = {
                trace.label(node): (found[0], found[1] / trace.c)
                for node, found in zip(nodes, terms, strict=True)
                if found
            }
    if len(lines) < len(nodes):
        raise TraceError(
            f"In iteration {short_repr(iteration)} the root compared no scores that grow with c. "
            "Choose an iteration after every move there has been tried."
        )
    return plot_lines(lines, trace.c, f"score in iteration {iteration}")


def plot_lines(lines: Mapping[str, tuple[float, float]], c: float, ylabel: str) -> Figure:
    """Scores over c, each line from its mean at 0 and its slope, with the place of ``c``."""
    figure, (axes,) = new_figure()
    ends = {name: (mean, mean + HIGHEST * rise) for name, (mean, rise) in lines.items()}
    draw_curves(axes, {name: Curve((0, HIGHEST), scores) for name, scores in ends.items()})
    for at, score in _turns(list(lines.values())):
        axes.plot([at], [score], "o", color=COLOURS["ink"], markersize=5)
        axes.annotate(f"{at:.2f}", (at, score), (-4, 6), textcoords="offset points", ha="right")
    axes.axvline(c, color=COLOURS["ink"], linewidth=0.9, linestyle=DASHES[2])
    place: Any = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points"}
    axes.annotate(f"c = {c:.2f}", (c, 0), (4, 4), **place)
    axes.set(xlabel="c", ylabel=ylabel, xlim=(0, HIGHEST))
    return figure


def _turns(lines: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Each c in reach where another line comes to the top, with the score there."""
    pairs = [(a, b) for a, b in combinations(sorted(set(lines)), 2) if a[1] > b[1]]
    meetings = {(b[0] - a[0]) / (a[1] - b[1]): b for a, b in pairs}
    scores = {c: mean + rise * c for c, (mean, rise) in meetings.items() if 0 <= c <= HIGHEST}
    tops = {c: max(mean + rise * c for mean, rise in lines) for c in scores}
    return [(c, scores[c]) for c in sorted(scores) if scores[c] >= tops[c] - 1e-9]


LONG: Final = 5000
"""A course of more pulls is drawn over their logarithm."""


def plot_regrets(curves: Mapping[str, NDArray[np.float64]]) -> Figure:
    """The mean regret over some seeds after each pull, in its 95 % interval.

    ``curves`` is what :func:`~mcts_course.measure.experiments.regrets` returns, five policies at
    most.
    """
    require(isinstance(curves, Mapping), "curves", "what regrets(...) returns", curves)
    figure, (axes,) = new_figure()
    drawn = {name: mean_curve(range(1, len(rows.T) + 1), rows.T) for name, rows in curves.items()}
    draw_curves(axes, drawn)
    longest = max(len(curve.x) for curve in drawn.values())
    if longest > LONG:
        axes.set(xscale="log", xlim=(10, longest))
    axes.set(xlabel="pull", ylabel="regret, in wins", ylim=(0, None))
    return figure


def _visited(trace: Any, moves: Sequence[Any] | None = None) -> list[int]:
    """The children of the root asked for, else the first few that have been visited."""
    require(isinstance(trace, Trace), "trace", "the trace of a search", trace, TraceError)
    right = moves is None or isinstance(moves, Iterable)
    require(right, "moves", "a list of moves, moves=[...]", moves, TraceError)
    visits, most = trace.visits(len(trace)), len(DASHES)
    nodes = {trace.action_of(node): node for node in trace.children[0] if visits[node]}
    wanted = sorted(nodes, key=str)[:most] if moves is None else list(moves)
    right = 1 <= len(wanted) <= most and all(move in nodes for move in wanted)
    kind = (
        f"1 to {most} visited moves of the root, which are {', '.join(map(str, nodes)) or 'none'}"
    )
    require(right, "moves", kind, moves, TraceError)
    return [nodes[move] for move in wanted]


Course: TypeAlias = Mapping[Any, Sequence[float]]
"""By condition, such as a c or a budget: the share, in [0, 1], that was found in each position."""
APART: Final = 0.06
"""The distance between the points of neighbouring curves, in conditions."""


def plot_shares(
    courses: Mapping[str, Course],
    xlabel: str,
    ylabel: str = "searches that play a best move",
) -> Figure:
    """The mean share under each condition, in its 95 % interval, five courses at most.

    The conditions are side by side in their order, whatever lies between them, and are the same
    in each course. Raises ``SearchError`` for no course or too many.
    """
    require(isinstance(courses, Mapping) and courses, "courses", "a dict of courses", courses)
    conditions = list(next(iter(courses.values())))
    figure, (axes,) = new_figure()
    curves = {}
    for number, (name, course) in enumerate(courses.items()):
        places = np.arange(len(conditions)) + APART * (number - (len(courses) - 1) / 2)
        curves[name] = mean_curve(places, [course[condition] for condition in conditions])
    draw_curves(axes, curves, "95 % intervals", points=True)
    names = [f"{c:,}" if isinstance(c, int) else f"{c:.3g}" for c in conditions]
    axes.set_xticks(range(len(conditions)), names)
    axes.set(xlabel=xlabel, ylabel=ylabel, ylim=(0, 1.02))
    return figure


# Who won in the arena, and how a learner came on ------------------------------------------------

SEATS: Final = (
    (None, "all games", "o", "ink", -0.22),
    (0, "moving first", "s", "muted", 0.0),
    (1, "moving second", "^", "muted", 0.22),
)
"""Which games, what they are called, their marker, colour and distance from the player's line."""
ROW: Final = 0.62
"""Inches of height for one player."""


def plot_arena(result: ArenaResult) -> Figure:
    """Each player's score, in all games and by colour, in 95 % intervals; the best on top.

    A score is the share of points, in [0, 1], a draw being half a point.
    """
    require(isinstance(result, ArenaResult), "result", "what arena(...) returns", result)
    ranking = result.ranking
    figure, (axes,) = new_figure(6.4, 1.3 + ROW * len(ranking))
    for moving, label, marker, colour, shift in SEATS:
        tallies = [result.tally(name, moving=moving) for name in ranking]
        places = np.arange(len(ranking)) + shift
        low, high = zip(*(tally.interval for tally in tallies), strict=True)
        axes.hlines(places, low, high, COLOURS[colour], linewidth=1.4)
        scores, face = (
            [tally.score for tally in tallies],
            COLOURS[colour if moving is None else "page"],
        )
        axes.plot(scores, places, marker, color=COLOURS[colour], mfc=face, ms=6, label=label)
    axes.axvline(0.5, color=COLOURS["muted"], linewidth=0.9, linestyle=DASHES[1], zorder=0)
    axes.set_yticks(range(len(ranking)), [label_of(name)[:40] for name in ranking])
    axes.set(xlim=(-0.02, 1.02), ylim=(len(ranking) - 0.5, -0.5))
    axes.set_xlabel("score (a draw is half a point), 95 % intervals")
    axes.legend(frameon=False, fontsize=9, ncols=3, loc="lower left", bbox_to_anchor=(0, 1))
    said = (f"{name} {result.tally(name).score:.2f}" for name in ranking)
    figure.said = f"Plot of the scores of all games: {'; '.join(said)}"
    return figure
