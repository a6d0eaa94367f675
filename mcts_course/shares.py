"""Shares that were measured under several conditions: a figure for the lessons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TypeAlias

from mcts_viz.errors import SearchError, shown
from mcts_viz.film.root_view import LINES
from mcts_viz.search.checks import require_list, require_names

from .figures import COLOURS, Figure, label_of, new_figure
from .intervals import mean_interval
from .predict import Prediction, draw_guesses

Course: TypeAlias = Mapping[float, Sequence[float]]
"""By condition, such as a c or a budget: the share, in [0, 1], that was found in each position."""

MARKERS = "os^Dv"
APART = 0.06
"""How far from each other the curves put their points, in conditions."""


def plot_shares(
    courses: Mapping[str, Course],
    xlabel: str,
    guess: Prediction | Sequence[float | None] = (),
    ylabel: str = "searches that play a best move",
) -> Figure:
    """The mean share under each condition, in its 95 % interval, five courses at most.

    The conditions stand side by side in their order, whatever lies between them, and are the same
    in each course. ``guess`` is a prediction with an entry for each, or a list of numbers.
    Raises ``SearchError`` for no course or too many.
    """
    require_names("courses", courses, "a course")
    guessed = guess.numbers if isinstance(guess, Prediction) else guess
    guessed = require_list("guess", guessed, "of guesses")
    if not 1 <= len(courses) <= len(LINES):
        raise SearchError(f"There are {len(courses)} courses, but a figure holds 1 to 5.")
    for name, course in courses.items():
        require_names(f"courses[{shown(name)}]", course, "of a condition its shares")
    conditions = list(next(iter(courses.values())))
    odd = [name for name, course in courses.items() if set(course) != set(conditions)]
    if odd:
        raise SearchError(
            f"courses[{shown(odd[0])}] has the conditions {shown(list(courses[odd[0]]))}, but the "
            f"first course has {shown(conditions)}: measure all under the same."
        )
    figure, (axes,) = new_figure()
    for number, (name, course) in enumerate(courses.items()):
        colour = COLOURS[f"move-{number}"]
        shift = APART * (number - (len(courses) - 1) / 2)
        places = [place + shift for place in range(len(conditions))]
        ends = [mean_interval(course[condition]) for condition in conditions]
        axes.vlines(places, *zip(*ends, strict=True), color=colour, linewidth=1.4)
        axes.plot(
            places,
            [fmean(course[condition]) for condition in conditions],
            color=colour,
            marker=MARKERS[number],
            linestyle=LINES[number],
            label=label_of(name),
        )
    draw_guesses(axes, guessed, range(len(conditions)))
    names = [f"{c:,}" if isinstance(c, int) else f"{c:.3g}" for c in conditions]
    axes.set_xticks(range(len(conditions)), names)
    axes.set(xlabel=xlabel, ylabel=ylabel, ylim=(0, 1.02))
    axes.legend(title="95 % intervals", frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure
