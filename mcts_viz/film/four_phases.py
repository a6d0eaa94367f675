"""The classical figure of Monte Carlo Tree Search: the four phases side by side, of a real
iteration.

Known from Chaslot et al. (2008) and Browne et al. (2012). Each panel is the textbook's tree of its
phase, of which it shows the path alone, each node amid its most visited siblings.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import tostring

import numpy as np

from ..errors import MctsVizError, among, require
from ..search import PHASES
from ..search.checks import require_whole
from .drawing import Edge, Node, draw, look_of, style
from .lanes import LAST_ROW, WIDE, along_the_walk
from .letters import shortened
from .pictures import THEMES, add, new_svg
from .textbook import Line, Picture, swatch
from .words import rule_label

if TYPE_CHECKING:
    from .search_film import SearchFilm

PANEL: Final = WIDE / 4
MARGIN: Final = 4.0
"""At both sides of a panel."""
HEAD: Final = 40.0
"""The height of a panel's title, above its tree."""
FOOT: Final = 22.0
TITLES: Final = ("Selection", "Expansion", "Simulation", "Backpropagation")


def example(data: SearchFilm) -> int:
    """The first iteration with most of what a teacher looks for; what is listed first counts most.

    A path of four nodes with a new one at its end, a playout of at least two moves, families that
    fit, a move selected that is not the one of the highest mean, and no tie at the root.
    """
    trace = data.trace
    best, found = (False,) * 6, int(data.iterations[0])
    for iteration in data.iterations.tolist():
        path = trace.path(int(trace.leaf[iteration - 1]))
        merits = (
            len(path) == LAST_ROW + 1,
            bool(trace.created_at[path[-1]] == iteration),
            len(trace.playouts[iteration]) > 1,
            all(len(trace.children[node]) <= LAST_ROW + 2 for node in path[:-2]),
            _explores(data, path, iteration),
            data.lead(iteration)[0] > 0,
        )
        if merits > best:
            best, found = merits, iteration
    return found


def _explores(data: SearchFilm, path: tuple[int, ...], iteration: int) -> bool:
    """True if the move selected at the root was not the one with the highest mean."""
    moves = [n for n in data.trace.children[0] if data.trace.created_at[n] < iteration]
    visits, wins = data.statistics(np.array(moves, np.intp), iteration - 1)
    means = {node: w / v for node, v, w in zip(moves, visits, wins, strict=True) if v}
    return len(path) > 1 and path[1] in means and means[path[1]] < max(means.values())


def four_phases(data: SearchFilm, iteration: int | None, width: int, theme: str, page: str) -> str:
    """The figure as a stand-alone SVG; each panel is a link into the player of ``page``."""
    require(among(theme, THEMES), "theme", " or ".join(map(repr, THEMES)), theme, MctsVizError)
    require_whole("width", width, 200, 10_000)
    number = example(data) if iteration is None else iteration
    panels = [_panel(data, number, phase) for phase in PHASES]
    high = max(node.y + node.high / 2 for nodes, _ in panels for node in nodes) + FOOT
    said = f"The four phases of iteration {number}: " + " ".join(
        data.caption(number, phase) for phase in PHASES
    )
    size = {"width": str(width), "height": f"{width * (high + HEAD) / WIDE:.0f}"}
    picture = new_svg((0, -HEAD, WIDE, high + HEAD), role="img", aria_label=said, **size)
    add(picture, "style", text=style(theme))
    for place, (phase, (nodes, edges)) in enumerate(zip(PHASES, panels, strict=True)):
        address = f"{page}{'&' if '#' in page else '#'}at={number}.{phase}"
        at = f"translate({place * PANEL:g} 0)"
        link = add(picture, "a", look_of(theme, phase), href=address, transform=at)
        add(link, "rect", "paper", y=-HEAD, width=PANEL, height=high + HEAD)
        if place:
            add(link, "path", "edge", d=f"M0 {10 - HEAD:g}V{high - 10:g}")
        tree = add(link, "g", transform=f"translate({MARGIN:g} 0)")
        draw(tree, [*nodes, *_foot(data, number, phase, high)], edges)
    return tostring(picture, encoding="unicode")


def tree_of(data: SearchFilm, iteration: int, phase: str) -> Picture:
    """The tree of a phase; what is not drawn is said of the path alone."""
    frame = data.frame(iteration, phase, PANEL - 2 * MARGIN, along_the_walk)
    of_walk = [{n: of[n] for n in frame.path if n in of} for of in (frame.more, frame.untried)]
    return Picture(data, replace(frame, more=of_walk[0], untried=of_walk[1]))


def _panel(data: SearchFilm, iteration: int, phase: str) -> tuple[list[Node], list[Edge]]:
    """The tree of a phase, under its number, its name, and what happens in it."""
    picture = tree_of(data, iteration, phase)
    picture.badge(18, 14 - HEAD)
    said = {
        "select": _way(data, iteration),
        "expand": _births(data, iteration),
        "simulate": _played(data, iteration),
        "backpropagate": "the result climbs back",
    }
    title = Line(TITLES[PHASES.index(phase)], 13, True)
    for row, line in enumerate((title, Line(said[phase], 11, False, "muted"))):
        picture.say("title", 32 + 98, 11 - HEAD + 15 * row, 196, line, "start")
    return [node for layer in picture.layers.values() for node in layer], picture.edges


def _way(data: SearchFilm, iteration: int) -> str:
    """A few words on the way down: if no node beside the path scored higher."""
    trace, before = data.trace, iteration - 1
    for above, node in pairwise(trace.path(int(trace.leaf[before]))):
        family = [n for n in trace.children[above] if trace.created_at[n] <= before]
        scores = dict(zip(family, data.scores(family, before), strict=True))
        if any(score > scores.get(node, inf) for score in scores.values()):
            return "the way down"
    return f"down by the highest {rule_label(trace)}"


def _births(data: SearchFilm, iteration: int) -> str:
    """A few words on the nodes that an iteration adds."""
    births = int(np.count_nonzero(data.source.created_at == iteration))
    if births:
        return f"{births} new nodes join the tree" if births > 1 else "one new node joins the tree"
    is_over = data.game.is_terminal(data.trace.state(int(data.trace.leaf[iteration - 1])))
    return "the game is over: no new node" if is_over else "no node is added"


def _played(data: SearchFilm, iteration: int) -> str:
    """A few words on the policy that plays on, and if it does to the end of the game."""
    trace = data.trace
    if trace.watched:
        return "from the end of the path"
    if not len(trace.playouts[iteration]):
        return "nothing is played"
    ending = " to the end" if data.is_over[data.place(iteration)] else ""
    return f"{'random moves' if trace.plays_at_random else 'moves by a policy'}{ending}"


def _foot(data: SearchFilm, iteration: int, phase: str, high: float) -> list[Node]:
    """At the foot of the first panel the iteration, of the others whose numbers have a colour."""
    place = PHASES.index(phase)
    words = [f"iteration {iteration}", *data.legend][place : place + 1]
    if not words:
        return []
    room, y = PANEL - 30, high - 9
    left = 8.0
    nodes = []
    if place:
        nodes.append(swatch("who", left + 6, y, place - 1))
        left += 17
    said = shortened(words[0], room, 11)
    return [
        *nodes,
        Node("foot", left + room / 2, y, room, 13, text=said, size=11, ink="muted", align="start"),
    ]
