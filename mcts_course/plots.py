"""Plots of the lessons: arms of a bandit, shares, tournaments, learning.

Curves differ in colour and in dashes, and the legend lists them from top to bottom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import fmean
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mcts_viz.errors import SearchError, TraceError, short_repr
from mcts_viz.film import Film
from mcts_viz.film.search_film import SearchFilm
from mcts_viz.trace import Trace

from .arena import ArenaResult, Tally
from .figures import COLOURS, Axes, Figure, label_of, new_figure
from .intervals import mean_interval, wilson_interval
from .q_learning import QLearner

LINES: Final[tuple[Any, ...]] = (
    "-",
    (0, (6, 2.5)),
    (0, (1.2, 1.4)),
    (0, (7, 2, 1.2, 2)),
    (0, (3, 1.5)),
)
"""By curve: its dashes."""
MOST: Final = len(LINES)
POINTS: Final = 400
"""The most iterations that are drawn; more cannot be distinguished on a page."""
SHADE: Final = 0.16

Array = NDArray[Any]


def plot_means(
    trace: Trace, moves: Sequence[Any] | None = None, exact: Mapping[Any, float] | None = None
) -> Figure:
    """The mean reward of each move at the root after each iteration, in its 95 % interval.

    The mean speaks for the player to move at the root; rewards must be in [0, 1], and the
    interval is Wilson's. ``moves`` are actions, five at most; without them the first five are
    taken. ``exact`` marks some number in [0, 1] of each move by a thin line. Raises
    ``TraceError`` for a move that is not at the root.
    """
    data = _film_data(trace)
    trace = data.trace
    low, high = data.reward_range
    if (low, high) != (0, 1):
        raise TraceError(
            f"The rewards of this trace go from {low:g} to {high:g}, but an interval of Wilson's "
            "is for rewards in [0, 1]: record the search without another reward rule."
        )
    figure, (axes,) = new_figure()
    for node, (colour, dashes) in zip(_nodes(data, moves), _looks(), strict=False):
        times, counts, wins = _course(data, node)
        ends = [wilson_interval(w, n) for n, w in zip(counts.tolist(), wins.tolist(), strict=True)]
        bottom, top = np.array(ends).T
        axes.fill_between(times, bottom, top, color=colour, alpha=SHADE, linewidth=0)
        label = label_of(trace.label(node))
        axes.plot(times, wins / counts, color=colour, linestyle=dashes, label=label)
        action = trace.action_of(node)
        if exact and action in exact:
            axes.axhline(exact[action], color=colour, linewidth=0.9, linestyle=dashes)
    to_move = trace.game.players[trace.game.to_move(trace.root_state)]
    axes.set(xlabel="iteration", ylabel=f"mean reward of {label_of(to_move)}", ylim=(0, 1))
    _finish(axes, "95 % intervals" + (", and the exact mean" if exact else ""))
    return figure


def plot_terms(trace: Trace, moves: Sequence[Any] | None = None) -> Figure:
    """Both terms of the selection score of each move at the root, after each iteration.

    On the left the first term, which for UCB1 is the mean reward; on the right the second, the
    exploration. ``moves`` as in :func:`plot_means`.
    """
    data = _film_data(trace)
    trace = data.trace
    figure, (first, second) = new_figure(columns=2)
    nodes = _nodes(data, moves)
    times = np.append(0, data.visits.times[data.visits.ends[0] : data.visits.ends[1]])
    for node, (colour, dashes) in zip(nodes, _looks(), strict=False):
        terms = data.terms(node, times)
        look = {"color": colour, "linestyle": dashes, "label": label_of(trace.label(node))}
        first.plot(times, terms[:, 0], **look)
        second.plot(times, terms[:, 1], **look)
    first.set(xlabel="iteration", ylabel="mean reward", ylim=(0, 1))
    second.set(xlabel="iteration", ylabel=f"exploration, c = {trace.c:.2f}")
    second.set_ylim(bottom=0)
    for axes, title in ((first, "first term"), (second, "second term")):
        axes.set_title(title, fontsize=10)
        _finish(axes)
    return figure


def plot_scores(trace: Trace, iteration: int, highest: float = 3.0) -> Figure:
    """The score of each move at the root against c, from 0 to ``highest``, when it was selected.

    A move is a straight line: it starts at its first term, for UCB1 the mean reward, and rises
    with its second. For each c, selection follows the line on top. The trace's own c is marked,
    and so is each c where another line comes to the top. Shows up to five moves. Raises
    ``TraceError`` where no scores were compared, or c is no plain factor of the second term.
    """
    data = _film_data(trace)
    trace = data.trace
    compared = data.bars[1] and 1 <= iteration <= len(trace)
    if not compared or not np.isfinite(data.lead(iteration)[0]):
        raise TraceError(
            f"In iteration {short_repr(iteration)} the root compared no scores that grow with c: "
            "choose an iteration after every move there has been tried."
        )
    figure, (axes,) = new_figure()
    nodes, ends = _nodes(data, None), np.array([0.0, highest])
    lines = {node: data.terms(node, iteration - 1) / (1, trace.c) for node in nodes}
    for (node, (mean, width)), (colour, dashes) in zip(lines.items(), _looks(), strict=False):
        label = label_of(trace.label(node))
        axes.plot(ends, mean + width * ends, color=colour, linestyle=dashes, label=label)
    ink = COLOURS["ink"]
    for c, score in _turns(list(lines.values()), highest):
        axes.plot([c], [score], "o", color=ink, markersize=5)
        axes.annotate(f"{c:.2f}", (c, score), (-4, 6), textcoords="offset points", ha="right")
    axes.axvline(trace.c, color=ink, linewidth=0.9, linestyle=LINES[2])
    place: Any = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points"}
    axes.annotate(f"c = {trace.c:.2f}", (trace.c, 0), (4, 4), **place)
    axes.set(xlabel="c", ylabel=f"score in iteration {iteration}", xlim=(0, highest))
    _finish(axes)
    return figure


def _film_data(source: object) -> SearchFilm:
    """A trace of a search made ready to be looked at; that of a film will do."""
    trace = source.trace if isinstance(source, Film) else source
    if not isinstance(trace, Trace):
        raise TraceError(
            f"trace must be the trace of a search; you gave {short_repr(trace)}. Record one, "
            "search.record(iterations=200)."
        )
    return SearchFilm(trace)


def _turns(lines: Sequence[Array], highest: float) -> list[tuple[float, float]]:
    """Each c in reach where another line comes to the top, with the score there."""
    found, (mean, width) = [], max(lines, key=lambda line: (line[0], line[1]))
    while steeper := [line for line in lines if line[1] > width]:
        meeting = [(mean - line[0]) / (line[1] - width) for line in steeper]
        c = min(meeting)
        if c > highest:
            break
        found.append((float(c), float(mean + width * c)))
        level = (line for line, at in zip(steeper, meeting, strict=True) if at == c)
        mean, width = max(level, key=lambda line: line[1])
    return found


LONG: Final = 5000
"""A course of more pulls is drawn over their logarithm."""


def plot_regrets(curves: Mapping[str, NDArray[np.float64]]) -> Figure:
    """The mean regret over some seeds after each pull, in its 95 % interval.

    ``curves`` is what :func:`mcts_course.regret.regrets` returns, five policies at most.
    """
    if not 1 <= len(curves) <= MOST:
        raise TraceError(f"There are {len(curves)} policies, but a figure holds 1 to {MOST}.")
    figure, (axes,) = new_figure()
    ranked = sorted(curves.items(), key=lambda item: -item[1][:, -1].mean())
    for (name, rows), (colour, dashes) in zip(ranked, _looks(), strict=False):
        pulls, mean = np.arange(1, rows.shape[1] + 1), rows.mean(axis=0)
        if len(rows) > 1:
            half = 1.96 * rows.std(axis=0, ddof=1) / sqrt(len(rows))
            bottom, top = mean - half, mean + half
            axes.fill_between(pulls, bottom, top, color=colour, alpha=SHADE, linewidth=0)
        axes.plot(pulls, mean, color=colour, linestyle=dashes, label=label_of(name))
        if len(pulls) > LONG:
            axes.set(xscale="log", xlim=(10, len(pulls)))
    axes.set(xlabel="pull", ylabel="regret, in wins")
    axes.set_ylim(bottom=0)
    _finish(axes)
    return figure


def _looks() -> list[tuple[str, Any]]:
    """A colour and dashes for each curve."""
    return [(COLOURS[f"move-{place}"], dashes) for place, dashes in enumerate(LINES)]


def _finish(axes: Axes, title: str = "") -> None:
    axes.margins(x=0)
    handles, labels = axes.get_legend_handles_labels()
    last = [float(np.asarray(handle.get_ydata())[-1]) for handle in handles]  # type: ignore[attr-defined]
    order = sorted(range(len(labels)), key=lambda place: -last[place])
    axes.legend(
        [handles[place] for place in order],
        [labels[place] for place in order],
        title=title or None,
        frameon=False,
        fontsize=9,
        title_fontsize=9,
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        handlelength=3.2,
    )


def _nodes(data: SearchFilm, moves: Sequence[Any] | None) -> list[int]:
    """The children of the root that are asked for."""
    trace = data.trace
    nodes = {trace.action_of(node): node for node in trace.children[0]}
    wanted = sorted(nodes, key=str)[:MOST] if moves is None else list(moves)
    unknown = [move for move in wanted if move not in nodes]
    if unknown or not 1 <= len(wanted) <= MOST:
        raise TraceError(
            f"moves is {short_repr(moves)}, but a figure shows 1 to {MOST} moves of the root, "
            f"which are {', '.join(map(str, nodes)) or 'none'}."
        )
    return [nodes[move] for move in wanted]


def _course(data: SearchFilm, node: int) -> tuple[Array, Array, Array]:
    """The iterations of a node's visits, thinned out, with its visits and wins after each."""
    part = slice(data.visits.ends[node], data.visits.ends[node + 1])
    times, wins = data.visits.times[part], data.visits.wins[part].astype(float)
    counts = data.trace.visits_before[node] + np.arange(1, len(times) + 1)
    if not len(times):
        raise TraceError(f"The move {data.trace.label(node)} was never visited: search longer.")
    kept = np.unique(np.geomspace(1, len(times), min(len(times), POINTS)).astype(int)) - 1
    return times[kept], counts[kept], wins[kept]


# Shares that were measured under several conditions ---------------------------------------------

Course: TypeAlias = Mapping[float, Sequence[float]]
"""By condition, such as a c or a budget: the share, in [0, 1], that was found in each position."""

MARKERS = "os^Dv"
APART = 0.06
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
    if not 1 <= len(courses) <= MOST:
        raise SearchError(f"There are {len(courses)} courses, but a figure holds 1 to {MOST}.")
    conditions = list(next(iter(courses.values())))
    figure, (axes,) = new_figure()
    looks = zip(courses.items(), _looks(), strict=False)
    for number, ((name, course), (colour, dashes)) in enumerate(looks):
        shift = APART * (number - (len(courses) - 1) / 2)
        places = [place + shift for place in range(len(conditions))]
        ends = [mean_interval(course[condition]) for condition in conditions]
        axes.vlines(places, *zip(*ends, strict=True), color=colour, linewidth=1.4)
        axes.plot(
            places,
            [fmean(course[condition]) for condition in conditions],
            color=colour,
            marker=MARKERS[number],
            linestyle=dashes,
            label=label_of(name),
        )
    names = [f"{c:,}" if isinstance(c, int) else f"{c:.3g}" for c in conditions]
    axes.set_xticks(range(len(conditions)), names)
    axes.set(xlabel=xlabel, ylabel=ylabel, ylim=(0, 1.02))
    axes.legend(title="95 % intervals", frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


# Who won in the arena, and how a learner came on ------------------------------------------------

SEATS: Final = (
    (None, "all games", "o", "ink", -0.22),
    (0, "moving first", "s", "move-0", 0.0),
    (1, "moving second", "^", "move-1", 0.22),
)
"""Which games, what they are called, their marker, colour and distance from the player's line."""
ROW: Final = 0.62
"""Inches of height for one player."""


def plot_arena(result: ArenaResult) -> Figure:
    """Each player's score, in all games and by colour, in 95 % intervals; the best on top.

    Next to it, where more than two played, the score of each against each. A score is the share of
    points, in [0, 1], a draw being half a point. Raises ``SearchError`` if no game has a result.
    """
    ranking = [name for name in result.ranking if result.tally(name).games]
    if not ranking:
        raise SearchError("No game has a result, so there is nothing to plot: play some first.")
    height = 1.3 + ROW * len(ranking)
    several = len(ranking) > 2
    figure, axes = new_figure(10 if several else 6.4, height, 1 + several)
    _scores(axes[0], result, ranking)
    if several:
        _crosses(axes[1], result, ranking)
    return figure


def plot_learning(learner: QLearner) -> Figure:
    """The learning curve: positions met and the size of the errors, and the score if measured.

    Raises ``SearchError`` if the learner has not been trained.
    """
    if not learner.curve:
        raise SearchError("The learner has no learning curve yet: train it first.")
    measured = [point for point in learner.curve if point.score is not None]
    curves: dict[str, Any] = {
        "positions in the table": [(point.episodes, point.positions) for point in learner.curve],
        "mean error of a step": [(point.episodes, point.error) for point in learner.curve],
        "score": [(point.episodes, point.score) for point in measured],
    }
    shown = {label: points for label, points in curves.items() if points}
    figure, row = new_figure(3.4 * len(shown), 2.8, len(shown))
    for place, (axes, (label, points)) in enumerate(zip(row, shown.items(), strict=True)):
        axes.plot(*zip(*points, strict=True), color=COLOURS[f"move-{place}"], linewidth=1.6)
        axes.set_title(label, fontsize=10)
        axes.set_xlabel("games against itself")
        axes.set_xlim(left=0)
        axes.locator_params(axis="x", nbins=4)
        axes.set_ylim(bottom=min(0, *(value for _, value in points)))
    return figure


def _scores(axes: Axes, result: ArenaResult, ranking: list[str]) -> None:
    for moving, label, marker, colour, shift in SEATS:
        tallies = [result.tally(name, moving=moving) for name in ranking]
        shown = [(place + shift, tally) for place, tally in enumerate(tallies) if tally.games]
        axes.errorbar(
            [tally.score for _, tally in shown],
            [place for place, _ in shown],
            xerr=list(zip(*(_arms(tally) for _, tally in shown), strict=True)) or None,
            fmt=marker,
            color=COLOURS[colour],
            markersize=6 if moving is None else 5,
            markerfacecolor=COLOURS[colour] if moving is None else COLOURS["page"],
            elinewidth=1.6 if moving is None else 1.0,
            capsize=3,
            label=label,
        )
    axes.axvline(0.5, color=COLOURS["muted"], linewidth=0.9, linestyle=(0, (4, 3)), zorder=0)
    axes.set_yticks(range(len(ranking)), [label_of(name)[:40] for name in ranking])
    axes.set(xlim=(-0.02, 1.02), ylim=(len(ranking) - 0.5, -0.5))
    axes.set_xlabel("score (a draw is half a point), 95 % intervals")
    axes.legend(
        frameon=False,
        fontsize=9,
        ncols=3,
        loc="lower left",
        bbox_to_anchor=(-0.02, 1.0),
        handletextpad=0.3,
        columnspacing=1.2,
    )


def _arms(tally: Tally) -> tuple[float, float]:
    """The distances from the score to the ends of its interval; rounding makes none negative."""
    low, high = tally.interval
    return max(0.0, tally.score - low), max(0.0, high - tally.score)


def _crosses(axes: Axes, result: ArenaResult, ranking: list[str]) -> None:
    tallies = [[result.tally(name, other) for other in ranking] for name in ranking]
    scores = [[tally.score for tally in row] for row in tallies]
    axes.imshow(scores, cmap="cividis", vmin=0, vmax=1, aspect="auto")
    for row, line in enumerate(tallies):
        for column, tally in enumerate(line):
            dark = tally.games and tally.score > 0.55
            axes.text(
                column,
                row,
                f"{tally.score:.2f}" if tally.games else "–",
                color=COLOURS["ink" if dark or not tally.games else "page"],
                ha="center",
                va="center",
            )
    names = [label_of(name)[:40] for name in ranking]
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), names)
    axes.set_title("score of the row against the column", fontsize=10)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
