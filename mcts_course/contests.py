"""Who won in the arena, and how a learner came on: figures for the lessons."""

from __future__ import annotations

from typing import Any, Final

from mcts_viz.errors import SearchError, shown

from .arena import ArenaResult, Tally
from .figures import COLOURS, Axes, Figure, label_of, new_figure
from .q_learning import QLearner

SEATS: Final = (
    (None, "all games", "o", "ink", -0.22),
    (0, "moving first", "s", "move-0", 0.0),
    (1, "moving second", "^", "move-1", 0.22),
)
"""Which games, what they are called, their marker, colour and place beside the player's line."""
ROW: Final = 0.62
"""Inches of height for one player."""


def plot_arena(result: ArenaResult) -> Figure:
    """Each player's score, in all games and by colour, in 95 % intervals; the best on top.

    Beside it, where more than two played, the score of each against each. A score is the share of
    points, in [0, 1], a draw being half a point. Raises ``SearchError`` if no game has a result.
    """
    if not isinstance(result, ArenaResult):
        raise SearchError(f"{shown(result)} is no result of an arena: give what arena() answers.")
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
    if not isinstance(learner, QLearner):
        raise SearchError(f"{shown(learner)} is no learner: give a QLearner that was trained.")
    if not learner.curve:
        raise SearchError("The learner has no learning curve yet: train it first.")
    games = [point.episodes for point in learner.curve]
    curves: list[tuple[str, list[Any]]] = [
        ("positions in the table", [point.positions for point in learner.curve]),
        ("mean error of a step", [point.error for point in learner.curve]),
    ]
    measured = [point for point in learner.curve if point.score is not None]
    if measured:
        curves.append(("score", [point.score for point in learner.curve]))
    figure, row = new_figure(3.4 * len(curves), 2.8, len(curves))
    for place, (axes, (label, values)) in enumerate(zip(row, curves, strict=True)):
        known = [(x, y) for x, y in zip(games, values, strict=True) if y is not None]
        axes.plot(*zip(*known, strict=True), color=COLOURS[f"move-{place}"], linewidth=1.6)
        axes.set_title(label, fontsize=10)
        axes.set_xlabel("games against itself")
        axes.set_xlim(left=0)
        axes.locator_params(axis="x", nbins=4)
        axes.set_ylim(bottom=min(0, *(y for _, y in known)))
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
    """How far the interval reaches below and above the score; rounding makes none negative."""
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
