"""The moves at the root over time: how the visits were shared among them, and how each fared.

A small picture that lies below the player's slider. The most visited moves have a name, and the
rest are taken together.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import tostring

import numpy as np
from numpy.typing import NDArray

from ..search.mcts_solver import proven_first
from ..search.policies import robust_child
from ..trace.trace import Stats
from .pictures import add, new_svg
from .search_film import SearchFilm

NAMED: Final = 5
POINTS: Final = 240
"""At most so many iterations are looked at; nobody could see more on a screen."""
DASHES: Final = ("none", "7 3", "2 2.5", "9 3 2 3", "4 2")
"""By named move: its line in the player."""
OTHERS: Final = "others"
APART: Final = 0.16
"""Numbers below the ribbon are at least so far apart, as a part of its width."""
HALF: Final = 95
"""The height of the player's pictures, whose units across are iterations that are shown."""

Array = NDArray[Any]


class RootCourse(NamedTuple):
    """The root's moves after some iterations, the most visited at the end first."""

    iterations: Array
    """Rising from the first that is shown to the last."""
    places: Array
    """Their places among those that are shown, from 1."""
    moves: tuple[int, ...]
    """The nodes that have a name, five at most; all other children are taken together."""
    shares: Array
    """By move, then iteration: its share of the visits of all moves, 0 to 1; the last row holds
    the others. All are 0 before the first visit."""
    rates: Array
    """By move, then iteration: its mean reward for the player to move at the root, who moved into
    it; not-a-number before its first visit."""


def root_course(data: SearchFilm) -> RootCourse:
    """The root's moves at 240 of the iterations shown, evenly spaced; at all, if they are fewer."""
    last = len(data.iterations)
    places = np.unique(np.linspace(1, last, min(last, POINTS)).round().astype(np.int64))
    times = data.iterations[places - 1]
    children = np.array(data.trace.children[0], np.int64)
    visits, wins = data.statistics(children[:, None], times)
    order = np.argsort(-visits[:, -1], kind="stable")
    shares = (visits / np.maximum(1, visits.sum(axis=0)))[order]
    shares = np.vstack([shares[:NAMED], shares[NAMED:].sum(axis=0)])
    with np.errstate(invalid="ignore"):
        rates = np.where(visits > 0, wins / visits, np.nan)[order[:NAMED]]
    return RootCourse(times, places, tuple(children[order[:NAMED]].tolist()), shares, rates)


def played(data: SearchFilm) -> NDArray[np.int32]:
    """By iteration of the search: the root's child that it would take as its move after it.

    The recommendation rule of the search is asked, as for :attr:`SearchResult.best_child`, at the
    moments that the film shows; elsewhere the entry means nothing. It is -1 before the first visit
    and where the rule fails: when it was not handed in with a trace that was loaded, or wants to
    know what a film does not have, such as the children of a child.
    """
    trace, rule = data.trace, data.trace.spec.recommendation
    if rule is robust_child and not trace.solver:
        most, visits = data.most_visited
        return np.where(visits > 0, most, -1).astype(np.int32)
    chosen = np.full(trace.iterations, -1, np.int32)
    moves = {child: data.root_move(child) for child in trace.children[0]}
    for time in data.moments.tolist():
        visited = {
            child: Stats(trace, child, visits[time - 1].item(), wins[time - 1].item())
            for child, (visits, wins) in moves.items()
            if visits[time - 1]
        }
        stats: list[Any] = list(visited.values())
        proofs = [trace.proofs.at(child, time) for child in visited]
        with suppress(Exception):  # it may be anybody's, and only a star depends on it
            made: Any = rule(proven_first(stats, proofs))
            chosen[time - 1] = next(child for child, known in visited.items() if known is made)
    return chosen


# The ribbon below the slider --------------------------------------------------------------------


def root_facts(data: SearchFilm) -> dict[str, Any] | None:
    """The picture below the slider as SVG, the nodes it names, and the rest.

    A unit across is an iteration that is shown, so the player asks the picture itself where one
    lies. ``None`` if the root has no child.
    """
    course = root_course(data)
    if not course.moves:
        return None
    last = max(2, len(data.iterations))
    box = (1, 0, last - 1, HALF)
    ribbon, rates = (new_svg(box, preserveAspectRatio="none") for _ in range(2))
    for name, path in _areas(course):
        add(ribbon, "path", f"area {name}", d=path)
    low, high = data.reward_range
    for place, rate in enumerate(course.rates):
        line = _line(course.places, HALF * (1 - (rate - low) / (high - low)))
        add(rates, "path", f"rate move-{place}", d=line, stroke_dasharray=DASHES[place])
    return {
        "ribbon": tostring(ribbon, encoding="unicode"),
        "rates": tostring(rates, encoding="unicode"),
        "moves": list(course.moves),
        "rest": [node for node in data.trace.children[0] if node not in course.moves],
        "others": OTHERS,
        "scale": [] if data.is_whole else _scale(data),
    }


def _scale(data: SearchFilm) -> list[tuple[int, float]]:
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
    known = np.isfinite(y)
    x, y = across[known], y[known].round().astype(int)
    turns = np.ones(len(y), bool)
    turns[1:-1] = (y[1:-1] != y[:-2]) | (y[1:-1] != y[2:])
    points = zip(x[turns].tolist(), y[turns].tolist(), strict=True)
    path = "L".join(f"{x} {y}" for x, y in points)
    return path and f"M{path}"
