"""The classical figure of Monte Carlo Tree Search: the four phases side by side, of a real
iteration.

Known from Chaslot et al. (2008) and Browne et al. (2012). Here every number is the search's own:
the ground of a node is filled as far as its mean, in the colour of the player who moved there.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from itertools import pairwise
from math import isfinite, nan
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from xml.etree.ElementTree import Element, tostring

import numpy as np

from ..errors import MctsVizError, among, require
from ..games import NATURE, turns
from ..search import PHASES
from ..search.checks import require_whole
from .boards import draw_board
from .pictures import FORCED, MARKS, THEMES, add, new_svg, still_css
from .words import fixed, move_names, move_order, plain, rounded, rule_label, short, short_name

if TYPE_CHECKING:
    from .search_film import SearchFilm

WIDE: Final = 934.0
HIGH: Final = 300.0
"""The size in which letters have 11 and 13 pixels; others are scaled."""
PANEL: Final = WIDE / 4
MOST: Final = 5
"""Siblings as pills; more do not fit beside each other."""
DEEPEST: Final = 4
"""Nodes of the path that have a row; of a longer one the middle is folded."""
ROWS: Final = (60.0, 112.0, 166.0, 220.0)
"""Where the middles of the path's nodes are."""
PITCH: Final = 44.0
WIDE_LETTER: Final = 8
"""Pixels that a letter has at most."""
PILL: Final = (42.0, 24.0)
TALL: Final = 38.0
"""The height of a pill with a score."""
SIDE: Final = 13.0
"""Left of the pills, for who moved there."""
DOT: Final = 4.0
GHOST: Final = 8.0
"""The radius of an untried move."""
GHOSTS: Final = 3
"""Untried moves that are drawn."""
BOARD: Final = 40.0
FOOT: Final = 292.0
"""The line of text below."""
LETTER: Final = 6.6
"""The mean width of a letter of 11 pixels."""
BESIDE: Final = 5.0
"""Between a node that grows and what is said at its sides."""
GAIN: Final = 30.0
"""The width of what a node's wins grow by."""
CLEAR: Final = 82.0
"""So far from a node that grows, in Backpropagation, other nodes are drawn."""
COLOUR_NAMES: Final = ("blue", "orange")
"""Of the first two players."""
TITLES: Final = ("Selection", "Expansion", "Simulation", "Backpropagation")


class Pill(NamedTuple):
    """A node as the figure shows it."""

    node: int
    x: float
    player: int
    """The player who moved there."""
    shares: tuple[str, str]
    """Wins/visits before the iteration is counted, and after."""
    means: tuple[float, float]
    """The filled part of its ground, 0 to 1, before and after."""
    score: str
    """Before; "" without one."""
    chosen: bool

    @property
    def wide(self) -> float:
        """The width of its pill; the root's numbers are the longest, and it has no siblings."""
        longest = max(map(len, self.shares))
        return PILL[0] if self.node else max(PILL[0], LETTER * longest + 14)


def halves(wins: float) -> str:
    """A sum of wins: 12½, ½, 7."""
    whole, half = divmod(wins, 1)
    if half == 0.5 and 0 <= wins < 1000:
        return f"{whole or '':g}½" if whole else "½"
    return rounded(wins)


def example(data: SearchFilm) -> int:
    """The first iteration with most of what a teacher looks for; what is listed first counts most.

    A path of four nodes with a new one at its end, a playout of at least two moves, families that
    fit, a move selected that is not the one of the highest mean, and no ties on the way.
    """
    trace = data.trace
    best, found = (False,) * 6, int(data.iterations[0])
    for iteration in data.iterations.tolist():
        path = trace.path(int(trace.leaf[iteration - 1]))
        merits = (
            len(path) == DEEPEST,
            bool(trace.created_at[path[-1]] == iteration),
            len(trace.playouts[iteration]) > 1,
            all(len(trace.children[node]) <= MOST for node in path[:-2]),
            _explores(data, path, iteration),
            _leads(data, path, iteration),
        )
        if merits > best:
            best, found = merits, iteration
    return found


def _explores(data: SearchFilm, path: Sequence[int], iteration: int) -> bool:
    """True if the move selected at the root was not the one with the highest mean."""
    moves = [n for n in data.trace.children[0] if data.trace.created_at[n] < iteration]
    visits, wins = data.statistics(np.array(moves, np.intp), iteration - 1)
    means = {node: w / v for node, v, w in zip(moves, visits, wins, strict=True) if v}
    return len(path) > 1 and path[1] in means and means[path[1]] < max(means.values())


def _leads(data: SearchFilm, path: Sequence[int], iteration: int) -> bool:
    """True if each move selected scored higher than all others."""
    trace = data.trace
    for above, node in pairwise(path):
        family = [n for n in trace.children[above] if trace.created_at[n] < iteration]
        scores = data.scores(family, iteration - 1)
        if node in family and scores.count(scores[family.index(node)]) > 1:
            return False
    return True


def _with_room(pill: Pill) -> Pill:
    left = pill.wide / 2 + BESIDE + LETTER * len(f"{pill.shares[0]} →")
    right = pill.wide / 2 + BESIDE + GAIN
    return pill._replace(x=max(left, min(PANEL - right, pill.x)))


class Iteration:
    """One iteration, as the four panels show it."""

    def __init__(self, data: SearchFilm, number: int) -> None:
        trace = data.trace
        path = list(trace.path(int(trace.leaf[number - 1])))
        self.data = data
        self.trace = trace
        self.number = number
        self.order = move_order(trace)
        self.new = path[-1] if path[1:] and trace.created_at[path[-1]] == number else None
        self.folded = max(0, len(path) - DEEPEST)
        """Nodes of the path between the second and the last but one, which are not drawn."""
        self.births = int(np.count_nonzero(data.source.created_at == number))
        """How many nodes the iteration adds."""
        self.is_by_score = True
        """Whether no sibling of a node on the way scores higher than the node."""
        self.path = [*path[:2], *path[-2:]] if self.folded else path
        self.rows: list[list[Pill]] = []
        """By depth: the node of the path and its siblings that are drawn, in the order of moves."""
        for depth in range(len(self.path)):
            self.rows.append(self._row(depth))

    def _row(self, depth: int) -> list[Pill]:
        node = self.path[depth]
        middle = self.chosen(depth - 1).x if depth else PANEL / 2
        if not depth:
            return [self._pill(node, middle)]
        siblings = self._siblings(node)
        scores = dict(zip(siblings, self.data.scores(siblings, self.number - 1), strict=True))
        known = [n for n in siblings if n != node and isfinite(scores[n])]
        if node != self.new and any(scores[n] > scores[node] for n in known):
            self.is_by_score = False
        best = sorted(known, key=lambda n: -scores[n])[: MOST - 1]
        shown = [n for n in siblings if n in (node, *best)]
        if node == self.new:
            shown = [node]
        wide = PITCH * len(shown)
        left = max(SIDE, min(PANEL - 2 - wide, middle - wide / 2))
        return [
            self._pill(n, left + PITCH * (place + 0.5), scores.get(n, nan))
            for place, n in enumerate(shown)
        ]

    def _siblings(self, node: int) -> list[int]:
        """The node and those beside it that are there before the iteration, in the order of
        moves."""
        trace, order = self.trace, self.order
        family = trace.children[int(trace.parent[node])]
        there = [n for n in family if trace.created_at[n] < self.number or n == node]
        return sorted(there, key=lambda n: (order[n], n))

    def _pill(self, node: int, x: float, score: float = nan) -> Pill:
        low, high = self.data.reward_range
        shares: list[str] = []
        means: list[float] = []
        for moment in (self.number - 1, self.number):
            visits, wins = map(float, self.data.statistics(node, moment))
            shares.append(f"{halves(wins)}/{rounded(visits)}")
            means.append((wins / visits - low) / (high - low) if visits else 0.0)
        return Pill(
            node=node,
            x=x,
            player=int(self.trace.player_just_moved[node]) % 3,
            shares=(shares[0], shares[1]),
            means=(means[0], means[1]),
            score=fixed(score) if isfinite(score) and node != self.new else "",
            chosen=node in self.path,
        )

    def chosen(self, depth: int) -> Pill:
        """The node of the path in this depth."""
        return next(pill for pill in self.rows[depth] if pill.chosen)

    def with_room(self) -> Iteration:
        """The same, but that nodes of the path have room beside them for what they had and get."""
        moved = copy(self)
        moved.rows = [[_with_room(p) if p.chosen else p for p in row] for row in self.rows]
        return moved

    @property
    def walked(self) -> int:
        """The number of rows that Selection goes through."""
        return len(self.path) - (self.new is not None)

    @property
    def untried(self) -> list[str]:
        """Short names of moves without a node where selection stopped."""
        trace = self.trace
        game = self.data.game
        end = self.path[self.walked - 1]
        state = trace.state(end)
        tried = {
            trace.action_of(n) for n in trace.children[end] if trace.created_at[n] <= self.number
        }
        return [name for move, name in move_names(game, state).items() if move not in tried]

    @cached_property
    def playout(self) -> tuple[list[str], Any, Any]:
        """The playout's moves, each with its player, and the last two positions."""
        game = self.data.game
        trace = self.trace
        said = []
        states = trace.played_out(self.number)
        for state, code in zip(states, trace.playouts[self.number].tolist(), strict=False):
            action = trace.actions[code]
            mover = turns.mover(game, state)
            who = "chance" if mover == NATURE else plain(game.players[mover])
            said.append(f"{who} {move_names(game, state)[action]}")
        return said, states[-2:][0], states[-1]

    @property
    def result(self) -> str:
        """The end of the playout in words: X wins."""
        return self.data.result(self.number)

    @property
    def hidden(self) -> int:
        """Nodes that are there before the iteration, and not drawn as pills."""
        there = int(np.count_nonzero(self.data.source.created_at < self.number))
        return there - sum(len(row) for row in self.rows[: self.walked])

    def gain(self, node: int) -> str:
        """The growth of the node's wins: +1, +½, +0."""
        rewards = self.trace.outcomes[self.trace.outcome[self.number - 1]].rewards
        reward = rewards[self.trace.player_just_moved[node]]
        return f"+{halves(reward)}" if reward >= 0 else short(reward)


# The picture --------------------------------------------------------------------------------------


def four_phases(data: SearchFilm, iteration: int | None, width: int, theme: str, page: str) -> str:
    """The figure as a stand-alone SVG; each panel is a link into the player of ``page``."""
    require(among(theme, THEMES), "theme", " or ".join(map(repr, THEMES)), theme, MctsVizError)
    require_whole("width", width, 200, 10_000)
    shown = Iteration(data, example(data) if iteration is None else iteration)
    said = f"The four phases of iteration {shown.number}: " + " ".join(
        data.caption(shown.number, phase) for phase in PHASES
    )
    size = {"width": str(width), "height": f"{width * HIGH / WIDE:.0f}"}
    picture = new_svg((0, 0, WIDE, HIGH), "mcts-phases", role="img", aria_label=said, **size)
    add(picture, "style", text=_style(theme))
    add(picture, "rect", "page", width="100%", height="100%")
    for number, phase in enumerate(PHASES):
        link = add(
            picture, "a", href=f"{page}{'&' if '#' in page else '#'}at={shown.number}.{phase}"
        )
        panel = add(link, "g", f"panel {phase}", transform=f"translate({number * PANEL:g} 0)")
        add(panel, "rect", "page", width=PANEL, height=HIGH)
        if number:
            add(panel, "line", "border", x1=0, y1=10, x2=0, y2=HIGH - 10)
        _head(panel, shown, number, phase)
        DRAW[phase](panel, shown)
    return tostring(picture, encoding="unicode")


def _style(theme: str) -> str:
    """The look of all parts, in a theme's colours, and in the system's own where it forces them."""
    look = """
.mcts-phases text { font: 11px "DejaVu Sans", Verdana, sans-serif; fill: INK; text-anchor: middle; }
.mcts-phases .title { font-size: 13px; font-weight: bold; text-anchor: start; }
.mcts-phases .said { fill: MUTED; text-anchor: start; }
.mcts-phases .told { text-anchor: end; fill: MUTED; }
.mcts-phases .strong { font-weight: bold; }
.mcts-phases .first { text-anchor: start; }
.mcts-phases .last { text-anchor: end; }
.mcts-phases .on { fill: ON-PHASE; font-weight: bold; }
.mcts-phases .page { fill: PAGE; }
.mcts-phases .ground { fill: CARD; }
.mcts-phases .border, .mcts-phases .edge { stroke: LINE; stroke-width: 1; fill: none; }
.mcts-phases .frame { fill: none; stroke-width: 1.4; }
.mcts-phases .chosen, .mcts-phases .wave { stroke-width: 2.8; fill: none; }
.mcts-phases .gain { stroke-width: 1.4; fill: CARD; }
.mcts-phases .thick { stroke-width: 3.4; fill: none; }
.mcts-phases .fresh { stroke-dasharray: 5 3; }
.mcts-phases .way { stroke: INK; stroke-width: 2; fill: none; }
.mcts-phases .ghost { fill: none; stroke: LINE; stroke-dasharray: 2.5 2; }
"""
    look += "".join(
        f".mcts-phases .fill.of-{n} {{ fill: PLAYER-{n}; fill-opacity: .35; }}\n"
        f".mcts-phases .frame.of-{n} {{ stroke: PLAYER-{n}; }}\n"
        f".mcts-phases .dot.of-{n} {{ fill: PLAYER-{n}; fill-opacity: .6; }}\n"
        for n in range(3)
    )
    for phase in PHASES:  # each part on its own: not every reader of SVG knows :is()
        for part in ("chosen", "wave", "thick"):
            look += f".mcts-phases .{phase} .{part} {{ stroke: {phase.upper()}; }}\n"
        for part in ("solid", "arrow"):
            look += f".mcts-phases .{phase} .{part} {{ fill: {phase.upper()}; }}\n"
    forced = _coloured(look, FORCED)
    boards = still_css(theme, PHASES[0])
    return f"{boards}{_coloured(look, THEMES[theme])}@media (forced-colors: active) {{{forced}}}"


def _coloured(look: str, colours: dict[str, str]) -> str:
    for name in sorted(colours, key=len, reverse=True):  # ON-PHASE before PHASE
        look = look.replace(f": {name.upper()};", f": {colours[name]};")
    return look


def _head(panel: Element, shown: Iteration, number: int, phase: str) -> None:
    """The phase's number in its shape, its name, and what happens in it."""
    badge = add(panel, "g", transform="translate(9 6)")
    add(badge, "path", "solid", d=MARKS[phase], transform="scale(.84)")
    add(badge, "text", "on", str(number + 1), x=10, y=15.5 if phase == "backpropagate" else 14)
    add(panel, "text", "title", TITLES[number], x=36, y=16)
    said = {
        "select": f"down by the highest {rule_label(shown.trace)}"
        if shown.is_by_score
        else "the way down",
        "expand": _births(shown),
        "simulate": _play(shown),
        "backpropagate": "the result climbs back",
    }
    add(panel, "text", "said", said[phase], x=36, y=30)


def _births(shown: Iteration) -> str:
    """A few words on the nodes that an iteration adds."""
    if shown.births < 2:
        return "one new node joins the tree" if shown.births else "no node is added"
    return f"{shown.births} new nodes join the tree"


def _play(shown: Iteration) -> str:
    """A few words on the policy that plays on, and whether to the end of the game."""
    if shown.trace.watched:
        return "from the end of the path"
    moves, _, last = shown.playout
    if not moves:
        return "nothing is played"
    ending = " to the end" if shown.data.game.is_terminal(last) else ""
    return f"{'random moves' if shown.data.trace.plays_at_random else 'moves by a policy'}{ending}"


def _foot(panel: Element, text: str, at_the_right: bool = False) -> None:
    """A line of text below."""
    if at_the_right:
        add(panel, "text", "told", text, x=PANEL - 9, y=FOOT)
    else:
        add(panel, "text", "said", text, x=9, y=FOOT)


def _select(panel: Element, shown: Iteration) -> None:
    """All siblings with their scores; the one with the highest is where the path goes on."""
    for depth in range(1, shown.walked):
        _edges(panel, shown, depth, "thick", ends=TALL)
    for depth in range(shown.walked):
        y = ROWS[depth]
        if depth:
            name = plain(shown.data.game.players[shown.chosen(depth).player])
            add(panel, "text", "strong", short_name(name)[:2], x=SIDE / 2 + 1, y=y + 4)
        for pill in shown.rows[depth]:
            _pill(panel, pill, y, "chosen" if pill.chosen else "", with_score=depth > 0)
    if shown.data.board:
        _board(
            panel,
            shown.chosen(0).x + shown.chosen(0).wide / 2 + 8,
            ROWS[0] - 18,
            shown.trace.state(0),
            None,
            shown,
        )
    counted = f" · {shown.hidden} nodes not drawn" if shown.hidden > 1 else ""
    _foot(panel, f"iteration {shown.number}{counted}")


def _expand(panel: Element, shown: Iteration) -> None:
    """The path, the moves without a node where it stopped, and the new node."""
    _path(panel, shown, "way")
    if shown.new is None:
        is_over = shown.data.game.is_terminal(shown.trace.state(shown.path[-1]))
        nothing = "nothing to add: the game is over" if is_over else "nothing is added here"
        _foot(panel, "the tree grows below the path" if shown.births else nothing)
        return
    depth, pill = len(shown.path) - 1, shown.chosen(len(shown.path) - 1)
    above = shown.chosen(depth - 1)
    step = -1 if pill.x > PANEL / 2 else 1
    names = shown.untried[:GHOSTS][::step]
    for place, name in enumerate(names):
        x = pill.x + step * (PILL[0] / 2 + 14 + 24 * place)
        add(
            panel,
            "path",
            "ghost",
            d=_curve(above.x, ROWS[depth - 1] + PILL[1] / 2, x, ROWS[depth] - GHOST),
        )
        add(panel, "circle", "ghost", cx=x, cy=ROWS[depth], r=GHOST)
        add(panel, "text", "", name[:2], x=x, y=ROWS[depth] + 4)
    _edges(panel, shown, depth, "thick", ends=PILL[1])
    _new(panel, pill, depth)
    if shown.data.board:
        left = max(2.0, min(PANEL - BOARD - 4, pill.x - BOARD / 2))
        state, before = shown.trace.state(pill.node), shown.trace.state(above.node)
        _board(panel, left, ROWS[depth] + PILL[1] / 2 + 4, state, before, shown)
    players = map(plain, shown.data.game.players)
    said = ", ".join(f"{word}: {name}" for word, name in zip(COLOUR_NAMES, players, strict=False))
    _foot(panel, said, at_the_right=pill.x < PANEL / 2)


def _simulate(panel: Element, shown: Iteration) -> None:
    """The path, and from its end a wave to the last position of the playout."""
    _path(panel, shown, "way")
    depth = len(shown.path) - 1
    end = shown.chosen(depth)
    if shown.new is not None:
        _edges(panel, shown, depth, "way", ends=PILL[1])
        _new(panel, end, depth)
    if shown.trace.watched:
        _foot(panel, "the playout was not seen")
        return
    moves, before, last = shown.playout
    left = 9.0 if end.x > PANEL / 2 else PANEL - BOARD - 12
    top = FOOT - BOARD - 4
    to = left + BOARD + 3 if left < end.x else left - 3
    wave = (
        end.x - 12 if left < end.x else end.x + 12,
        ROWS[depth] + PILL[1] / 2 + 2,
        to,
        top + BOARD / 2,
    )
    add(panel, "path", "wave", d=_wave(*wave))
    tip = -8 if to < end.x else 8
    add(panel, "path", "arrow", d=f"M{to:.1f} {wave[3]:.1f}l{-tip} -5v10z")
    if shown.data.board:
        _board(panel, left, top, last, before if moves else None, shown)
    said = _listed(moves, PANEL - BOARD - 26)
    if left < PANEL / 2:
        add(panel, "text", "strong first", shown.result, x=left, y=top - 6)
        add(panel, "text", "said", said, x=left + BOARD + 8, y=FOOT)
    else:
        add(panel, "text", "strong last", shown.result, x=left + BOARD, y=top - 6)
        add(panel, "text", "told", said, x=left - 8, y=FOOT)


def _listed(moves: Sequence[str], room: float) -> str:
    """The moves of a playout, as many as fit, and else how many there are."""
    most = f"… {len(moves)} moves"
    for count in range(len(moves), 0, -1):
        said = ", ".join([*moves[:count], *([most] if count < len(moves) else [])])
        if LETTER * len(said) <= room:
            return said
    return f"{len(moves)} moves" if moves else "nothing is played"


def _backpropagate(panel: Element, shown: Iteration) -> None:
    """The result on its way up: what each node had, what it has now, and what it got."""
    shown = shown.with_room()
    for depth in range(1, len(shown.path)):
        _edges(panel, shown, depth, "thick", ends=PILL[1], arrow=True, clear=CLEAR)
    for depth, node in enumerate(shown.path):
        pill, y = shown.chosen(depth), ROWS[depth]
        _dots(panel, shown, depth, clear=CLEAR)
        _pill(panel, pill, y, "chosen", after=True)
        left, right = pill.x - pill.wide / 2 - BESIDE, pill.x + pill.wide / 2 + BESIDE
        had, of = f"{pill.shares[0]} →", str(node)
        add(panel, "text", "told", had, x=left, y=y + 4, data_had=of)
        add(panel, "rect", "chosen gain", x=right, y=y - 8, width=GAIN - 2, height=16, rx=8)
        x = right + GAIN / 2 - 1
        add(panel, "text", "strong", shown.gain(node), x=x, y=y + 4, data_gain=of)
    _foot(panel, "nodes count for who moved there")


DRAW: Final = {
    "select": _select,
    "expand": _expand,
    "simulate": _simulate,
    "backpropagate": _backpropagate,
}


# Parts --------------------------------------------------------------------------------------------


def _path(panel: Element, shown: Iteration, look: str) -> None:
    """The path as it is before the iteration, its siblings as dots."""
    for depth in range(1, shown.walked):
        _edges(panel, shown, depth, look, ends=PILL[1])
    for depth in range(shown.walked):
        _dots(panel, shown, depth)
        _pill(panel, shown.chosen(depth), ROWS[depth], "chosen")


def _edges(
    panel: Element,
    shown: Iteration,
    depth: int,
    look: str,
    ends: float,
    arrow: bool = False,
    clear: float = 0.0,
) -> None:
    """The lines to a row from the node above; the path's own has this ``look``."""
    above, start = shown.chosen(depth - 1), ROWS[depth - 1]
    start += (ends if depth > 1 else PILL[1]) / 2
    y = ROWS[depth] - ends / 2
    for pill in shown.rows[depth]:
        if pill.chosen or abs(pill.x - shown.chosen(depth).x) >= clear:
            line = _curve(above.x, start + 6 * arrow, pill.x, y)
            add(panel, "path", look if pill.chosen else "edge", d=line)
    if arrow:
        add(panel, "path", "arrow", d=f"M{above.x:.1f} {start + 1:.1f}l6 8h-12z")
    if shown.folded and depth == 2:
        middle = (above.x + shown.chosen(depth).x) / 2, (start + y) / 2
        _on_page(panel, f"{shown.folded} more", *middle)


def _on_page(panel: Element, text: str, x: float, y: float) -> None:
    """A text with its middle there, on the page's colour, so that no line runs through it."""
    half = WIDE_LETTER / 2 * len(text)
    add(panel, "rect", "page", x=x - half, y=y - 8, width=2 * half, height=15)
    add(panel, "text", "", text, x=x, y=y + 4)


def _dots(panel: Element, shown: Iteration, depth: int, clear: float = 0.0) -> None:
    """The siblings of the path's node."""
    for pill in shown.rows[depth]:
        if not pill.chosen and abs(pill.x - shown.chosen(depth).x) >= clear:
            add(panel, "circle", f"dot of-{pill.player}", cx=pill.x, cy=ROWS[depth], r=DOT)


def _pill(
    panel: Element,
    pill: Pill,
    y: float,
    look: str,
    with_score: bool = False,
    after: bool = False,
) -> None:
    """A node: its wins/visits on a ground that is filled as far as its mean."""
    wide = pill.wide
    high = TALL if with_score else PILL[1]
    left, top = pill.x - wide / 2, y - high / 2
    box: dict[str, Any] = {"x": left, "y": top, "width": wide, "height": high, "rx": 7}
    group = add(panel, "g", "node", data_node=str(pill.node))
    add(group, "rect", "ground", **box)
    part = max(0.0, min(1.0, pill.means[after]))
    add(group, "rect", f"fill of-{pill.player}", **{**box, "width": wide * part})
    add(group, "rect", f"frame of-{pill.player} {look}".strip(), **box)
    weight = "strong" if look else ""
    base = y - 4 if with_score else y + 4
    add(group, "text", f"share {weight}".strip(), pill.shares[after], x=pill.x, y=base)
    if with_score:
        add(group, "text", f"score {weight}".strip(), pill.score or "–", x=pill.x, y=y + 12)


def _new(panel: Element, pill: Pill, depth: int) -> None:
    """The new node, which says nothing yet."""
    wide, high = PILL
    box: dict[str, Any] = {
        "x": pill.x - wide / 2,
        "y": ROWS[depth] - high / 2,
        "width": wide,
        "height": high,
        "rx": 7,
    }
    group = add(panel, "g", "node", data_node=str(pill.node))
    add(group, "rect", "ground", **box)
    add(group, "rect", "frame chosen fresh", **box)
    add(group, "text", "share strong", "new", x=pill.x, y=ROWS[depth] + 4)


def _board(panel: Element, x: float, y: float, state: Any, before: Any, shown: Iteration) -> None:
    """A position in a square of 40 pixels, with what has changed since the one ``before``."""
    board = shown.data.board
    assert board
    cells = board.cells(state)
    scale = BOARD / (10 * max(board.rows, board.columns))
    group = add(
        panel, "g", "mcts-board", transform=f"translate({x:.1f} {y:.1f}) scale({scale:.3f})"
    )
    ground: dict[str, Any] = {"width": 10 * board.columns, "height": 10 * board.rows}
    add(group, "rect", "ground", **ground)
    draw_board(group, board, cells, cells if before is None else board.cells(before))


def _curve(x0: float, y0: float, x1: float, y1: float) -> str:
    """A line that leaves and arrives upright."""
    half = (y0 + y1) / 2
    return f"M{x0:.1f} {y0:.1f}C{x0:.1f} {half:.1f} {x1:.1f} {half:.1f} {x1:.1f} {y1:.1f}"


def _wave(x0: float, y0: float, x1: float, y1: float, waves: int = 3) -> str:
    """A wavy line, as the literature draws moves that are not kept."""
    across, down = (x1 - x0) / (2 * waves), (y1 - y0) / (2 * waves)
    length = max(1.0, (across**2 + down**2) ** 0.5)
    swing = (-down / length * 9, across / length * 9)
    path = f"M{x0:.1f} {y0:.1f}"
    for half in range(2 * waves):
        side = 1 if half % 2 else -1
        bend = (across / 2 + side * swing[0], down / 2 + side * swing[1])
        path += f"q{bend[0]:.1f} {bend[1]:.1f} {across:.1f} {down:.1f}"
    return path
