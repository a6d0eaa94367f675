"""The moves at the root over time: how the visits were shared among them, and how each fared.

Once as a figure for a page of one's own, and once as a small picture that lies below the player's
slider. In both the most visited moves have a name, and the rest are taken together.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import inf, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError, shown
from ..search import Node
from ..search.mcts import robust_child
from ..search.mcts_solver import proven_first
from ..trace import Trace
from .film_data import FilmData
from .theme import THEMES
from .words import counted, fixed, label_of, plain, without_formulas

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .figures import Figure

NAMED: Final = 5
POINTS: Final = 240
"""At most so many iterations are looked at; more cannot be told apart on a screen."""
DASHES: Final = ("none", "7 3", "2 2.5", "9 3 2 3", "4 2")
"""By named move: its line in the player."""
LINES: Final[tuple[Any, ...]] = (
    "-",
    (0, (6, 2.5)),
    (0, (1.2, 1.4)),
    (0, (7, 2, 1.2, 2)),
    (0, (3, 1.5)),
)
"""The same for matplotlib."""
HATCHES: Final = ("", "///", "...", "\\\\\\", "xx")
OTHERS: Final = "others"
APART: Final = 0.16
"""Numbers below the strip are at least so far apart, as a part of its width."""
HALF: Final = 95
"""The height of the player's pictures, whose units across are iterations that are shown."""
SVG: Final = "http://www.w3.org/2000/svg"
STRETCHED: Final = {"preserveAspectRatio": "none"}

Array = NDArray[Any]


class RootCourse(NamedTuple):
    """The root's moves after some iterations, the most visited at the end first."""

    iterations: Array
    """Rising from the first that is shown to the last."""
    places: Array
    """Where they stand among those that are shown, from 1."""
    moves: tuple[int, ...]
    """The nodes that have a name, five at most; all other children are taken together."""
    shares: Array
    """By move, then iteration: its share of the visits of all moves, 0 to 1; the last row holds
    the others. All are 0 before the first visit."""
    rates: Array
    """By move, then iteration: its mean reward for the player to move at the root, who moved into
    it; not-a-number before its first visit."""


def root_course(data: FilmData, points: int = POINTS) -> RootCourse:
    """The root's moves at no more than so many of the iterations shown, evenly spaced."""
    last = len(data.iterations)
    places = np.unique(np.linspace(1, last, min(last, points)).round().astype(np.int64))
    times = data.iterations[places - 1]
    children = data.trace.children[0]
    visits, wins = data.statistics(np.array(children, np.int64)[:, None], times)
    order = np.argsort(-visits[:, -1], kind="stable")
    visits, wins = visits[order], wins[order]
    shares = visits / np.maximum(1, visits.sum(axis=0))
    shares = np.vstack([shares[:NAMED], shares[NAMED:].sum(axis=0)])
    with np.errstate(invalid="ignore"):
        rates = np.where(visits > 0, wins / visits, np.nan)[:NAMED]
    moves = tuple(children[place] for place in order[:NAMED].tolist())
    return RootCourse(times, places, moves, shares, rates)


def _moments(data: FilmData) -> Array:
    """The numbers of iterations after which the film shows the tree."""
    return np.setdiff1d(np.append(data.iterations - 1, data.iterations), [0])


def played(data: FilmData) -> NDArray[np.int32]:
    """By iteration of the search: the root's child that it would take as its move after it.

    The final-move rule of the search is asked, as for :attr:`SearchResult.best_child`, at the
    moments that the film shows; elsewhere the entry is -1. So it is before the first visit, and
    where the rule fails: when it was not handed in with a trace that was loaded, or wants to know
    what a film does not have, such as the children of a child.
    """
    trace, rule = data.trace, data.trace.spec.final_move
    if rule is robust_child and not trace.solver:
        most, visits = data.most_visited
        shown_then = np.zeros(trace.iterations, bool)
        shown_then[_moments(data) - 1] = True
        if not len(most):
            return np.full(trace.iterations, -1, np.int32)
        return np.where((visits > 0) & shown_then, most, -1).astype(np.int32)
    chosen = np.full(trace.iterations, -1, np.int32)
    times = _moments(data)
    root = _stand_in(trace, 0)
    children = [_stand_in(trace, child) for child in trace.children[0]]
    courses = [
        (
            node,
            *(column[times - 1].tolist() for column in data.root_move(node.id, trace.iterations)),
        )
        for node in (root, *children)
    ]
    for place, time in enumerate(times.tolist()):
        for node, visits, wins in courses:
            _count(node, visits[place], wins[place])
        visited = [child for child in children if child.visits]
        proofs = [trace.proofs.at(child.id, time) for child in visited]
        with suppress(Exception):  # it may be anybody's, and only a star depends on it
            made = rule(proven_first(visited, proofs))
            chosen[time - 1] = made.id if made in visited else -1
    return chosen


def _stand_in(trace: Trace, node: int) -> Node:
    """A node to show to a rule; what is not known of it is an error, and no default."""
    state, mover, birth = trace.state(node), int(trace.mover[node]), int(trace.birth[node])
    made = Node(node, trace.action_of(node), state, mover, birth)
    del made.children, made.untried, made.to_move
    return made


def _count(node: Node, visits: int, wins: float) -> None:
    node.visits, node.wins = visits, wins
    node.mean, node.width = (wins / visits, 1 / sqrt(visits)) if visits else (inf, 0.0)


# The figure -------------------------------------------------------------------------------------


def plot_root(data: FilmData, iteration: int | None = None) -> Figure:
    """See :meth:`mcts_viz.Film.plot_root`."""
    from .figures import Figure  # only who wants a figure waits for matplotlib

    trace, course = data.trace, root_course(data, 2000)
    if iteration is not None and iteration not in range(1, trace.iterations + 1):
        raise TraceError(
            f"iteration is {shown(iteration)}, but this film has the iterations 1 to "
            f"{trace.iterations}."
        )
    if not course.moves:
        raise TraceError("The root has no move that could be plotted: the game is over there.")
    figure = Figure(figsize=(8, 5.4), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    figure.suptitle(f"{without_formulas(data.title)}, the moves at the root", fontsize=12)
    _plot_shares(above, data, course)
    _plot_rates(below, data, course)
    for axes in (above, below):
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlim(course.iterations[0], max(2, course.iterations[-1]))
        if iteration is not None:
            axes.axvline(iteration, color=THEMES["light"]["ink"], linewidth=1.2)
    if iteration is not None:
        above.set_title(f"iteration {iteration}", fontsize=9, x=_part(course, iteration))
    return figure


def _part(course: RootCourse, iteration: int) -> float:
    """How far along the axis an iteration lies, kept from the very ends."""
    first, last = int(course.iterations[0]), max(2, int(course.iterations[-1]))
    return min(0.95, max(0.05, (iteration - first) / (last - first)))


def _plot_shares(axes: Axes, data: FilmData, course: RootCourse) -> None:
    colours = THEMES["light"]
    low, ends = np.zeros(len(course.iterations)), []
    for place, share in enumerate(course.shares):
        if not share.any():
            continue
        named = place < len(course.moves)
        axes.fill_between(
            course.iterations,
            low,
            low + share,
            facecolor=colours[f"move-{place}" if named else "others"],
            edgecolor=colours["page"],
            hatch=HATCHES[place] if named else None,
            linewidth=0.8,
        )
        label = label_of(data.trace.label(course.moves[place])) if named else OTHERS
        ends.append((float(low[-1] + share[-1] / 2), label, colours["ink"]))
        low = low + share
    axes.set_ylim(0, 1)
    axes.set_ylabel("share of the visits")
    _label_ends(axes, ends)


def _plot_rates(axes: Axes, data: FilmData, course: RootCourse) -> None:
    ends = []
    low, high = data.reward_range
    for place, (node, rate) in enumerate(zip(course.moves, course.rates, strict=True)):
        colour = THEMES["light"][f"move-{place}"]
        axes.plot(course.iterations, rate, color=colour, linestyle=LINES[place], linewidth=1.8)
        ends.append((float(rate[-1]), label_of(data.trace.label(node)), colour))
    axes.set_ylim(low, high)
    mover = data.game.players[data.game.to_move(data.trace.root_state)]
    unit = "win rate" if (low, high) == (0, 1) else "mean reward"
    axes.set_ylabel(f"{unit} for {label_of(mover)}")
    axes.set_xlabel("iteration")
    _label_ends(axes, ends)


def _label_ends(axes: Axes, ends: list[tuple[float, str, str]]) -> None:
    """Write the names at the right edge, pushed apart where they would lie on each other."""
    low, high = axes.get_ylim()
    step, place = 0.085 * (high - low), -np.inf
    ends = sorted((y, label, colour) for y, label, colour in ends if np.isfinite(y))
    room = high - step * len(ends)
    for number, (y, label, colour) in enumerate(ends):
        place = max(place + step, min(y, room + step * number + step / 2))
        axes.annotate(
            label,
            (1, place),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            color=colour,
            fontsize=9,
        )


# The strip below the slider ---------------------------------------------------------------------


def root_facts(data: FilmData) -> dict[str, Any] | None:
    """The picture below the slider as SVG, the nodes it names and the rest, and it all in words.

    A unit across is an iteration that is shown, so the player asks the picture itself where one
    lies. ``None`` if the root has no child.
    """
    course = root_course(data)
    if not course.moves:
        return None
    last = max(2, len(data.iterations))
    ribbon, rates = (
        Element("svg", {"xmlns": SVG, "viewBox": f"1 0 {last - 1} {HALF}", **STRETCHED})
        for _ in range(2)
    )
    for name, path in _areas(course):
        SubElement(ribbon, "path", {"class": f"area {name}", "d": path})
    low, high = data.reward_range
    for place, rate in enumerate(course.rates):
        line = _line(course.places, HALF * (1 - (rate - low) / (high - low)))
        look = {"class": f"rate move-{place}", "stroke-dasharray": DASHES[place]}
        SubElement(rates, "path", {**look, "d": line})
    return {
        "ribbon": tostring(ribbon, encoding="unicode"),
        "rates": tostring(rates, encoding="unicode"),
        "moves": list(course.moves),
        "rest": [node for node in data.trace.children[0] if node not in course.moves],
        "others": OTHERS,
        "words": _words(data, course),
        "scale": [] if data.is_whole else _scale(data),
    }


def _scale(data: FilmData) -> list[tuple[int, float]]:
    """Round numbers of iterations, rising, and where they lie: 0 is the first shown, 1 the last.

    Where iterations are left out, the numbers lie ever closer together.
    """
    iterations, parts = data.iterations, np.linspace(0, 1, len(data.iterations))
    first, last = int(iterations[0]), int(iterations[-1])
    scale = {first: 0.0, last: 1.0}
    powers = [10**power for power in range(len(str(last)))]
    for number in [*reversed(powers), *(many * power for many in (5, 2) for power in powers)]:
        part = float(np.interp(number, iterations, parts))
        apart = min(abs(part - other) for other in scale.values())
        if first < number < last and apart >= APART:
            scale[number] = part
    return sorted(scale.items())


def _areas(course: RootCourse) -> Iterator[tuple[str, str]]:
    """From the back to the front: each area hangs from the top, and the next covers its upper part.

    So the most visited move lies above, as in the list beside the picture.
    """
    tops = np.cumsum(course.shares, axis=0)
    last = int(course.places[-1])
    for place in reversed(range(len(tops))):
        named = place < len(course.moves)
        if named or course.shares[place].any():
            line = _line(course.places, HALF * tops[place])
            name = f"move-{place}" if named else OTHERS
            yield name, f"{line}H{max(2, last)}V0H1Z"


def _line(across: Array, y: Array) -> str:
    """A path through the points that are known, without those that lie on the way anyway."""
    known = np.flatnonzero(np.isfinite(y))
    points = list(zip(across[known].tolist(), y[known].round().astype(int).tolist(), strict=True))
    turns = [
        point
        for before, point, after in zip([None, *points], points, [*points[1:], None], strict=False)
        if before is None or after is None or not before[1] == point[1] == after[1]
    ]
    return "M" + "L".join(f"{x} {height}" for x, height in turns) if turns else ""


def _words(data: FilmData, course: RootCourse) -> str:
    ends = [
        f"{plain(data.trace.label(node))} {100 * share:.0f} % of the visits, mean {fixed(rate)}"
        for node, share, rate in zip(
            course.moves, course.shares[:, -1], course.rates[:, -1], strict=False
        )
        if np.isfinite(rate)
    ]
    if course.shares[-1].any():
        ends.append(f"all others {100 * course.shares[-1, -1]:.0f} %")
    count = counted(int(data.iterations[-1]), "iteration")
    return f"The moves at the root after {count}: {'; '.join(ends)}."
