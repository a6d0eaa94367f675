"""Figures of the lessons, in the colours of the films and without pyplot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from mcts_viz.errors import require
from mcts_viz.film.pictures import THEMES
from mcts_viz.film.slider import Slider as Slider
from mcts_viz.film.slider import forms_of as forms_of
from mcts_viz.film.words import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes as Axes

    from .notebook_figure import Figure as Figure
else:  # only who wants a figure waits for matplotlib
    Axes = Figure = Any

COLOURS: Final = THEMES["light"]


def new_figure(
    width: float = 7.6, height: float = 3.6, columns: int = 1, rows: int = 1, **shared: Any
) -> tuple[Figure, list[Axes]]:
    """A figure of that size in inches, with its plots row by row; each is open on two sides."""
    from .notebook_figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    plots: list[Axes] = list(figure.subplots(rows, columns, squeeze=False, **shared).flat)
    for axes in plots:
        axes.spines[["top", "right"]].set_visible(False)
    return figure, plots


DASHES: Final[tuple[Any, ...]] = (
    "-",
    (0, (6, 2.5)),
    (0, (1.2, 1.4)),
    (0, (7, 2, 1.2, 2)),
    (0, (3, 1.5)),
)
MARKERS: Final = "os^Dv"


GREYS: Final = (COLOURS["ink"], "#5c6675", "#99a2af")
"""Three clear steps. Colours mean players and phases; a curve is known by its dashes and name."""


def look(place: int) -> dict[str, Any]:
    """The grey and the dashes of a curve, by its place."""
    return {"color": GREYS[place % len(GREYS)], "linestyle": DASHES[place]}


class Curve(NamedTuple):
    """Points, and the ends of the interval of each, where there are intervals."""

    x: Any  # a list or an array, like the others
    y: Any
    low: Any = None
    high: Any = None


def mean_curve(places: Any, samples: Any) -> Curve:
    """The mean of the values at each of these places, of each as many, in its 95 % interval."""
    rows = np.asarray(samples, dtype=float)
    mean, number = rows.mean(axis=1), rows.shape[1]
    half = 1.96 * rows.std(axis=1, ddof=min(1, number - 1)) / number**0.5
    return Curve(places, mean, mean - half, mean + half)


def draw_curves(
    axes: Axes, curves: Mapping[str, Curve], title: str = "", points: bool = False
) -> None:
    """Draw one to five curves, each in its own grey and dashes, with its intervals.

    With ``points`` each point has a marker and its interval is a bar; otherwise the intervals are a
    band. The names are beside the plot in the order of the curves' ends, below their ``title``.
    """
    few = isinstance(curves, Mapping) and 1 <= len(curves) <= len(DASHES)
    require(few, "curves", f"a dict of 1 to {len(DASHES)} of them", curves)
    for place, (name, curve) in enumerate(curves.items()):
        marker = MARKERS[place] if points else ""
        label = label_of(name)
        axes.plot(curve.x, curve.y, label=label, marker=marker, markersize=5, **look(place))
        if curve.low is not None:
            _draw_interval(axes, curve, look(place)["color"], points)
    if not points:
        axes.margins(x=0)
    if len(curves) > 1 or title:
        _draw_legend(axes, curves, title)


def _draw_interval(axes: Axes, curve: Curve, colour: str, points: bool) -> None:
    """Draw a curve's intervals: bars for ``points``, otherwise one band."""
    if points:
        axes.vlines(curve.x, curve.low, curve.high, color=colour, linewidth=1.4)
    else:
        axes.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=0.1, linewidth=0)


def _draw_legend(axes: Axes, curves: Mapping[str, Curve], title: str) -> None:
    """List the curves next to the plot in the order of their last points, from top to bottom."""
    handles, labels = axes.get_legend_handles_labels()
    last = [curve.y[-1] for curve in curves.values()]
    order = sorted(range(len(last)), key=lambda place: -last[place])
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


def mark_budgets(axes: Axes, budgets: Sequence[int]) -> None:
    """Lay budgets out by their logarithm, each with its number, smaller where two are near."""
    near = any(later < 2 * earlier for earlier, later in pairwise(budgets))
    axes.set(xscale="log", xlabel="iterations")
    axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets], fontsize=8 if near else 10)
    axes.minorticks_off()


def label_of(name: object) -> str:
    """A name in a figure, as it is: matplotlib reads formulas between dollars, and skips ``_x``."""
    label = plain(str(name)).replace("$", r"\$")
    return f" {label}" if label.startswith("_") else label
