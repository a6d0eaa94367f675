"""A still: the river at one moment, with a card for each node that has room for one.

What the player paints on a canvas (``widgets/picture/water.js``) and puts above it (``view.js``,
``card.js``), as one SVG.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, log2
from textwrap import wrap
from typing import Any, Final, NamedTuple, TypeAlias
from xml.etree.ElementTree import Element, tostring

from ..errors import MctsVizError, among, counted, require
from ..search import PHASES
from ..trace.minimax_trace import EVENTS
from .boards import Piece, draw_board
from .minimax_film import MinimaxFilm
from .pictures import OF_EVENT, THEMES, add, new_svg, phase_badge, still_css
from .river import FOOT, STUB, Band, CardPlace, Fan, Ghost, River, Spare, lay_out, width_of
from .search_film import SearchFilm
from .threads import STEPS, UNSEEN, SearchThreads, WalkThreads
from .words import PROOFS, gained, plain, plain_lines, rounded, score_text

AnyFilm: TypeAlias = SearchFilm | MinimaxFilm
AnyThreads: TypeAlias = SearchThreads | WalkThreads

WIDE: Final = 640.0
HIGH: Final = 440.0
"""The size of the river."""
HEADER: Final = 44.0
FOOTER_LINE: Final = 15.0
MARGIN: Final = 10.0
BADGE: Final = 24.0
"""The room that a phase's number and shape take in the header."""
LETTER: Final = 6.8
"""The width of a letter of the lines around the river, of 11 points."""

CALM: Final = 0.75
"""The opacity of all threads but those of the walk, which are at 1."""
SHADES: Final = 4
"""Of opacity between one and half of it: shapes of one shade are one path."""
FAINT: Final = 1 / 400
"""Paler than this nothing is seen."""
STRIPS: Final = 5
"""A fan pales in so many steps as it spreads."""

LINE: Final = 13.0
PIECE: Final = 10.0
EDGE: Final = 3.0
BOARDS: Final = {"root": 44.0, "full": 40.0, "small": 27.0}
"""The side of a board, by kind of card."""
SIGN: Final = 7.5
"""Half of a badge at the corner."""
SIGNED: Final = {"full", "small"}
"""Kinds of cards with room for a badge."""
SPOKEN: Final = 22.0
"""A diamond with its move's name beside it."""
PILL: Final = (30.0, 15.0)
BY_ROOT: Final = 9.0
"""From the root's card: what it is given."""
ABOVE: Final = 3.0
"""Above a card's upper edge: what it is given."""
CORNER: Final = 10.0
"""From a card's right edge, where signs stand."""
FALL: Final = 150.0
"""Kept free below the deepest row while a playout falls."""
PLAYED: Final = 132.0
"""The side of the playout's board."""
BESIDE: Final = 18.0
"""From the thread of a playout to its board."""
RESULT: Final = 26.0
"""At the foot, for the result."""
EACH: Final = 8.0
"""Points a move of a playout: less is no row of dots."""
PLACED: Final = "translate({:.1f} {:.1f})"


def river_at(
    data: AnyFilm, iteration: int, phase: str, width: float, height: float, foot: float = FOOT
) -> tuple[AnyThreads, River]:
    """The tree of a film at a moment, and where everything is in a pane of that size."""
    if isinstance(data, MinimaxFilm):
        walk = WalkThreads(data, iteration)
        entered = data.trace.path(int(data.trace.node[iteration - 1]))
        return walk, lay_out(walk, width, height, entered, foot=foot)
    tree, trace = SearchThreads(data, iteration, phase), data.trace
    every = list(trace.path(int(trace.leaf[iteration - 1])))
    walked = [node for node in every if trace.created_at[node] < iteration or not node]
    path = walked if phase == PHASES[0] else every
    way = [tree.own[node] for node in path]
    return tree, lay_out(tree, width, height, way, stop=tree.own[walked[-1]], foot=foot)


def still(
    data: AnyFilm, moment: tuple[int, str], texts: Sequence[str], theme: str, crop: bool
) -> str:
    """The moment as a stand-alone SVG, with two lines above and its caption below."""
    require(among(theme, THEMES), "theme", " or ".join(map(repr, THEMES)), theme, MctsVizError)
    *heads, words = texts
    picture = _Picture(data, moment, THEMES[theme])
    high = picture.bottom if crop else HIGH
    width = max(WIDE, 9.4 * len(heads[0]), LETTER * len(heads[1]) + BADGE)
    lines = wrap(words, int(width / 6.6))
    if not data.board:
        text = data.game.text(data.trace.state(picture.path[-1]))
        lines += [f"The position: {plain(' / '.join(plain_lines(text, 60)))}"]
    height = HEADER + high + MARGIN + FOOTER_LINE * len(lines)
    size = {"width": f"{width:.0f}", "height": f"{height:.0f}"}
    root = new_svg((0, 0, round(width), round(height)), role="img", aria_label=words, **size)
    add(root, "style", text=still_css(theme, picture.phase))
    add(root, "rect", width="100%", height="100%", fill=THEMES[theme]["page"])
    _heads(root, heads, picture.phase, THEMES[theme])
    root.append(picture.drawn((width - WIDE) / 2, HEADER))
    look = {"font_family": "DejaVu Sans, Verdana, sans-serif", "fill": THEMES[theme]["ink"]}
    for row, line in enumerate(lines):
        y = round(HEADER + high + FOOTER_LINE * (row + 1))
        add(root, "text", "", line, x=MARGIN, y=y, font_size=11, **look)
    return tostring(root, encoding="unicode")


def _heads(root: Element, heads: Sequence[str], phase: str, colours: dict[str, str]) -> None:
    """The game and who moves; the phase's badge, and the moment and the search."""
    look = {"font_family": "DejaVu Sans, Verdana, sans-serif", "fill": colours["ink"]}
    bold = {"font_size": "13", "font_weight": "bold"}
    add(root, "text", "", heads[0], x=MARGIN, y=18, **look, **bold)
    phases = PHASES if phase in PHASES else EVENTS
    phase_badge(root, phase, phases.index(phase) + 1, MARGIN, 24)
    muted = look | {"fill": colours["muted"]}
    add(root, "text", "", heads[1], x=MARGIN + BADGE, y=35, font_size=11, **muted)


class Said(NamedTuple):
    """The texts of a card."""

    share: str
    few: str
    """The visits, or the value, where there is room for no more."""
    score: str
    beside: Sequence[str] = ()
    """How likely the move is, and other statistics, each in a line of its own."""
    mark: str = ""
    """The proof, in words; "" without one."""
    dashed: bool = False
    """The walk has not been there."""


class _Picture:
    """The river of one moment, drawn."""

    def __init__(self, data: AnyFilm, moment: tuple[int, str], colours: dict[str, str]) -> None:
        self.data, self.colours = data, colours
        self.iteration, self.phase = moment
        self.played = self._playout() if self.phase == "simulate" else []
        foot = FALL if self.played else FOOT
        self.tree, self.river = river_at(data, *moment, WIDE, HIGH, foot)
        self.path = self._path()
        self.walked = {self.tree.own[node] for node in self.path}
        self.cards = {self.tree.shown[card.node]: card for card in self.river.cards}
        """By node of the film."""
        self.cards.pop(-1, None)

    def _path(self) -> list[int]:
        """The nodes of the film on the walk, as far as it leads at this moment."""
        if isinstance(self.data, MinimaxFilm):
            return list(self.data.trace.path(int(self.data.trace.node[self.iteration - 1])))
        trace = self.data.trace
        path = trace.path(int(trace.leaf[self.iteration - 1]))
        there = self.iteration - (self.phase == PHASES[0])
        return [node for node in path if trace.created_at[node] <= there]

    def _playout(self) -> list[Any]:
        """The positions of the playout, the first one and one after each move; none of a watched
        one.
        """
        if isinstance(self.data, MinimaxFilm) or self.data.trace.watched:
            return []
        states = self.data.trace.played_out(self.iteration)
        return states if len(states) > 1 else []

    @property
    def bottom(self) -> float:
        """The lowest line of what is drawn."""
        if self.played:
            return HIGH
        river = self.river
        cards = [card.y + card.height for card in river.cards]
        ribbons = [band.below + STUB for band in river.bands] + [end.y + STUB for end in river.ends]
        fans = [river.rows[fan.depth] for fan in river.fans]
        ghosts = [ghost.below + max(18.0, ghost.high) for ghost in river.ghosts]
        return min(HIGH, max([*cards, *ribbons, *fans, *ghosts]) + MARGIN)

    def drawn(self, x: float, y: float) -> Element:
        """The picture, its corner at that place."""
        tree = Element("g", {"class": "mcts-tree mcts-river", "transform": PLACED.format(x, y)})
        layers = {
            name: add(tree, "g", name) for name in ("water", "lines", "ghosts", "boxes", "over")
        }
        self._water(layers["water"])
        for ghost in self.river.ghosts:
            _draw_ghost(layers["ghosts"], ghost)
        self._trail(layers["lines"])
        for node in sorted(self.cards):
            self._card(layers["boxes"], node, self.cards[node])
        if self.phase == PHASES[-1]:
            self._gains(layers["over"])
        if self.phase == "simulate":
            self._fall(layers["over"])
        return tree

    # Water
    # ------------------------------------------------------------------------------------------

    def _water(self, layer: Element) -> None:
        """The ribbons: shapes of one colour are one path, so what lies over itself is not
        darker."""
        river = self.river
        self._fans(layer)
        paths: dict[tuple[bool, str], str] = {}
        for band in river.bands:
            key = (band.node in self.walked, self._colour(band.node, band.result))
            paths[key] = paths.get(key, "") + _ribbon(self._seen(band, key[1]))
        for end in river.ends:
            key = (end.node in self.walked, self._colour(end.node, end.result))
            paths[key] = paths.get(key, "") + _stub(end)
        for spare in river.spares:
            key = (False, UNSEEN)
            shape = _spread(spare.start, spare.wide, spare.y, spare.left, spare.right, spare.below)
            paths[key] = paths.get(key, "") + shape + self._below_spare(spare)
        for (is_walked, colour), path in sorted(paths.items()):
            if colour == UNSEEN:
                add(layer, "path", "unseen", d=path)
                continue
            look = {"fill": colour, "fill_opacity": "1" if is_walked else str(CALM)}
            if colour == self.colours["drawn"]:  # pale: an edge tells it from the page
                look |= {"stroke": self.colours["line"], "stroke_opacity": str(CALM / 2)}
            add(layer, "path", d=path, **look)

    def _below_spare(self, spare: Spare) -> str:
        """The rows that games reach which were not needed, below their fan."""
        row = self.river.rows.index(spare.below)
        foot = self.river.rows[row + len(spare.deeper)]
        if foot == spare.below:
            return ""
        return f"M{spare.left:.1f} {spare.below:.1f}H{spare.right:.1f}V{foot:.1f}H{spare.left:.1f}z"

    def _colour(self, node: int, result: int) -> str:
        """The colour of threads with that result; of means one of seven steps."""
        tree = self.tree
        if not tree.kinds:
            assert isinstance(tree, SearchThreads)
            return self._mean(tree.step(node))
        return self._kind(tree.kinds[result])

    def _kind(self, kind: str) -> str:
        if kind == UNSEEN:
            return UNSEEN
        return self.colours["drawn" if kind == "draw" else f"wins-{int(kind.split('-')[1]) % 4}"]

    def _mean(self, step: int) -> str:
        part = step / (STEPS - 1)
        first, drawn, second = (self.colours[name] for name in ("wins-0", "drawn", "wins-1"))
        return _mixed(second, drawn, 2 * part) if part < 0.5 else _mixed(drawn, first, 2 * part - 1)

    def _blend(self, node: int, counts: Sequence[float]) -> str:
        """The mixed colour of so many threads of each result."""
        tree = self.tree
        if not tree.kinds:
            return self._colour(node, 0)
        colours = [self._kind(kind) for kind in tree.kinds]
        known = [(c, n) for c, n in zip(colours, counts, strict=True) if n > 0]
        if len(known) <= 1 or UNSEEN in dict(known):
            return known[0][0] if known else UNSEEN
        every = sum(n for _, n in known)
        channels = [
            8 * round(sum(n * _channels(c)[place] for c, n in known) / every / 8)
            for place in range(3)
        ]
        return "#" + "".join(f"{min(255, channel):02x}" for channel in channels)

    def _seen(self, band: Band, colour: str) -> Band:
        """A ribbon as it is drawn: what minimax has looked at is never thinner than a line."""
        lacking = 0.0 if colour == UNSEEN else self.tree.finest - band.wide
        if lacking <= 0:
            return band
        start, end = band.start - lacking / 2, band.end - lacking / 2
        return band._replace(start=start, end=end, wide=self.tree.finest)

    def _fans(self, layer: Element) -> None:
        """Threads too thin for ribbons, spread over their slot, paler as they spread."""
        river, paths = self.river, dict[tuple[str, float], str]()
        for fan in river.fans:
            colour, opacity = self._blend(fan.node, fan.counts), fan.wide / (fan.right - fan.left)
            for strip in range(STRIPS):
                pale = _shade(min(1.0, opacity / max(opacity, _smooth((strip + 0.5) / STRIPS))))
                shape = _strip(fan, river.rows[fan.depth], strip)
                paths[colour, pale] = paths.get((colour, pale), "") + shape
            self._deeper(fan, paths)
        for (colour, opacity), path in paths.items():
            if colour == UNSEEN:
                add(layer, "path", "unseen", d=path)
            else:
                add(layer, "path", d=path, fill=colour, fill_opacity=f"{CALM * opacity:.3f}")

    def _deeper(self, fan: Fan, paths: dict[tuple[str, float], str]) -> None:
        """The rows below a fan, each as pale as its threads are few."""
        rows, span = self.river.rows, fan.right - fan.left
        for level, counts in enumerate(fan.deeper):
            below = fan.depth + level + 1
            if counts is None or below >= len(rows):
                continue
            opacity = sum(counts) * self.river.thread / span
            high = rows[below] - rows[below - 1]
            if opacity >= FAINT and high > 0:
                key = self._blend(fan.node, counts), _shade(opacity)
                box = f"M{fan.left:.1f} {rows[below - 1]:.1f}h{span:.1f}v{high:.1f}h{-span:.1f}z"
                paths[key] = paths.get(key, "") + box

    # The walk
    # -----------------------------------------------------------------------------------------

    def _trail(self, layer: Element) -> None:
        """The walk over the ribbons; on the way back in the colour of the result."""
        places, own, path = self.river.places, self.tree.own, ""
        for above, node in zip(self.path, self.path[1:], strict=False):
            start, end = places.get(own[above]), places.get(own[node])
            if start and end:
                half = (start.spring + end.y) / 2
                path += f"M{start.x:.1f} {start.spring:.1f}C{start.x:.1f} {half:.1f} "
                path += f"{end.x:.1f} {half:.1f} {end.x:.1f} {end.y:.1f}"
        if not path:
            return
        if self.phase == PHASES[-1]:
            add(layer, "path", "under", d=path)
            add(
                layer,
                "path",
                "trail",
                d=path,
                style=f"stroke:{self._result_colour()};stroke-width:5",
            )
        else:
            add(layer, "path", "trail", d=path)

    def _result_colour(self) -> str:
        data, tree = self.data, self.tree
        if isinstance(data, MinimaxFilm) or not tree.kinds:
            return self.colours[OF_EVENT.get(self.phase, self.phase)]
        _, ended = data.results
        return self._kind(tree.kinds[ended[data.trace.outcome[self.iteration - 1]]])

    def _gains(self, layer: Element) -> None:
        """In the last phase, above each card of the path what it is given: +1, +½ or +0."""
        data = self.data
        assert isinstance(data, SearchFilm)
        taken: list[tuple[float, float, float]] = []
        for node in self.path:
            card = self.cards.get(node)
            if card is None:
                continue
            wins = [float(data.statistics(node, self.iteration - n)[1]) for n in (1, 0)]
            text = gained(*wins)
            wide, high = max(PILL[0], width_of(text) + 9), PILL[1]
            x, y = _pill_place(card, wide, taken)
            taken.append((x, y, wide))
            box = {"x": -wide / 2, "y": -high / 2, "width": wide, "height": high, "rx": high / 2}
            group = add(layer, "g", "gain", data_of=str(node), transform=PLACED.format(x, y))
            _rect(group, "", box)
            add(group, "text", "", text, y=4, text_anchor="middle")

    def _fall(self, layer: Element) -> None:
        """The playout: a dotted thread to the foot, a board beside it, and the result."""
        data = self.data
        if isinstance(data, MinimaxFilm) or data.trace.watched:
            return
        card = self.cards.get(self.path[-1]) or self.cards[0]
        x, y, foot = card.x, card.y + card.height, HIGH - RESULT
        kind = self._result_colour()
        said = data.result(self.iteration)
        wide = width_of(said) + 16
        group = add(layer, "g", "playout")
        moves = len(self.played) - 1
        add(group, "path", "thread", d=f"M{x:.1f} {y:.1f}V{foot:.1f}", stroke=kind)
        if moves > 0 and foot - y >= EACH * moves:
            for move in range(1, moves + 1):
                cy = y + (foot - y) * move / (moves + 1)
                add(group, "circle", cx=x, cy=cy, r=3.5, fill=kind)
        if moves > 0 and data.board:
            self._played_board(group, x, max(BESIDE, wide / 2 + EDGE))
        middle = max(wide / 2 + 2, min(WIDE - wide / 2 - 2, x))
        _rect(
            group,
            "result",
            {"x": middle - wide / 2, "y": foot, "width": wide, "height": 20, "rx": 10},
        )
        add(group, "text", "result", said, x=middle, y=foot + 14, text_anchor="middle")

    def _played_board(self, group: Element, x: float, beside: float) -> None:
        """The last position, on the side that covers fewer cards, so far beside the thread."""
        data = self.data
        board = data.board
        assert board
        top, right, left = HIGH - PLAYED - 6, x + beside, x - beside - PLAYED
        places = [at for at in (right, left) if at >= 4 and at + PLAYED <= WIDE - 4] or [4.0]
        at = min(places, key=lambda side: self._covered(side, top))
        _rect(group, "box", {"x": at, "y": top, "width": PLAYED, "height": PLAYED, "rx": 6})
        unit = (PLAYED - 12) / (10 * max(board.rows, board.columns))
        corner = (
            at + (PLAYED - 10 * unit * board.columns) / 2,
            top + (PLAYED - 10 * unit * board.rows) / 2,
        )
        place = f"{PLACED.format(*corner)} scale({unit:.3f})"
        last, before = self.played[-1], self.played[-2]
        draw_board(
            add(group, "g", "board", transform=place), board, board.cells(last), board.cells(before)
        )

    def _covered(self, left: float, top: float) -> int:
        """How many cards lie below a board there."""
        return sum(
            card.x + card.width / 2 > left
            and card.x - card.width / 2 < left + PLAYED
            and card.y + card.height > top
            for card in self.river.cards
        )

    # Cards
    # ------------------------------------------------------------------------------------------

    def said(self, node: int) -> Said:
        """The texts of a node's card at this moment."""
        data, tree = self.data, self.tree
        if isinstance(tree, WalkThreads):
            assert isinstance(data, MinimaxFilm)
            return _said_of_walk(data, node, self.iteration)
        assert isinstance(data, SearchFilm)
        visits, _ = data.statistics(node, tree.counted)
        share = tree.share(node)
        mark = PROOFS.get(data.trace.proofs.at(node, tree.counted), "")
        score = data.scores([node], tree.counted)[0] if node else float("nan")
        return Said(
            share=share,
            few="new" if share == "new" else rounded(float(visits)),
            score=mark or (score_text(score) if isfinite(score) else ""),
            beside=data.lines_beside(node, tree.counted),
            mark=mark,
        )

    def _card(self, layer: Element, node: int, card: CardPlace) -> None:
        data, said = self.data, self.said(node)
        is_new = isinstance(data, SearchFilm) and data.trace.created_at[node] == self.iteration
        looks = {
            "card": True,
            card.kind: True,
            "on-path": node in self.path,
            "new": is_new and node,
            said.mark: said.mark,
            "dashed": said.dashed,
        }
        group = add(
            layer,
            "g",
            " ".join(look for look, is_so in looks.items() if is_so),
            transform=PLACED.format(card.x - card.width / 2, card.y),
            data_node=str(node),
            data_depth=str(card.depth),
        )
        if card.kind == "luck":
            self._diamond(group, node, card)
            return
        _rect(group, "frame", {"width": card.width, "height": card.height, "rx": 5})
        if data.board and card.kind in BOARDS:
            self._board(group, node, card)
        self._texts(group, node, card, said)
        if said.mark and card.kind in SIGNED:
            at = PLACED.format(card.width - 2, 2)
            sign = add(group, "g", f"proof {said.mark.split()[1]}", transform=at)
            add(sign, "circle", r=SIGN)
            add(sign, "text", "", "✓" if said.mark == PROOFS[1] else "✗", y=4, text_anchor="middle")

    def _diamond(self, group: Element, node: int, card: CardPlace) -> None:
        """Where nature moves, with the move's name beside it where there is room."""
        side, half = card.width, card.width / 2
        add(group, "path", "frame", d=f"M{half} 0L{side} {half}L{half} {side}L0 {half}Z")
        if side >= SPOKEN:
            name = self.tree.name(self.tree.own[node])
            add(group, "text", "label", name, x=side + EDGE, y=half + 4)

    def _board(self, group: Element, node: int, card: CardPlace) -> None:
        board, trace, side = self.data.board, self.data.trace, BOARDS[card.kind]
        assert board
        unit = min((card.width - 2 * EDGE) / board.columns, side / board.rows) / 10
        left = (card.width - 10 * unit * board.columns) / 2
        top = (EDGE + side - 10 * unit * board.rows + EDGE) / 2
        place = f"{PLACED.format(left, top)} scale({unit:.3f})"
        cells, before = (
            board.cells(trace.state(n)) for n in (node, max(0, int(trace.parent[node])))
        )
        draw_board(add(group, "g", "board", transform=place), board, cells, before)

    def _lines(self, node: int, card: CardPlace, said: Said) -> dict[str, str]:
        """By part of a card, its text; parts without one are left out."""
        lines = {}
        if card.kind == "name" or (not self.data.board and card.kind != "dot"):
            lines["label"] = self.tree.name(self.tree.own[node]) if node else "root"
        if card.kind in ("full", "root"):
            lines["share"] = said.share
        elif card.kind == "small":
            lines["share"] = said.few
        if card.kind == "full":
            lines |= {
                "score": said.score,
                **dict(zip(("prior", "more"), said.beside, strict=False)),
            }
        return {part: text for part, text in lines.items() if text}

    def _texts(self, group: Element, node: int, card: CardPlace, said: Said) -> None:
        """The lines below the board, one below the other, and the piece before the share."""
        lines = self._lines(node, card, said)
        y = card.height - 5 - LINE * (len(lines) - 1)
        if card.kind == "name" or (card.kind == "root" and not self.data.board):
            y = card.height / 2 + 4 - LINE * (len(lines) - 1) / 2
        room = card.width - 2 * EDGE
        for part, text in lines.items():
            x = card.width / 2
            wide = width_of(text) + PIECE + 2  # with the piece before it
            if part == "share" and card.kind == "full" and wide <= room:
                x += self._piece_before(group, node, x - wide / 2, y)
            narrow: dict[str, Any] = {}
            if width_of(text) > room:
                narrow = {"textLength": room, "lengthAdjust": "spacingAndGlyphs"}
            add(group, "text", part, text, text_anchor="middle", x=x, y=y, **narrow)
            y += LINE

    def _piece_before(self, group: Element, node: int, x: float, y: float) -> float:
        """Show whose wins they are; returns how far the text moves, 0 where there is no piece."""
        piece = self._piece(node)
        if piece is None:
            return 0.0
        place = f"{PLACED.format(x, y - 9.5)} scale({PIECE / 10:g})"
        look = f"piece player-{piece.player} {piece.look}".strip()
        add(group, "path", look, d=f"M0 0{piece.path}", transform=place)
        return PIECE / 2 + 1

    def _piece(self, node: int) -> Piece | None:
        """The piece of who moved there, whose wins they are; ``None`` where players have none."""
        player, board = self.data.player(node), self.data.board
        if isinstance(self.data, MinimaxFilm) or not board or player is None:
            return None
        own = [piece for piece in board.pieces if piece.player == player]
        return own[0] if own else None


def _said_of_walk(data: MinimaxFilm, node: int, step: int) -> Said:
    """A card of minimax after a step: a value or a bound, and a window or its games."""
    share = data.share_after(node, step)
    leaves, estimated = data.leaves
    ends = counted(round(float(leaves[node])), "end")
    if estimated:
        ends = f"about {ends}"
    if data.created_at[node] > step:
        return Said(share, "?", ends, dashed=True)
    card = data.card(data.last_step(node, step))
    return Said(share, card.share.split(" ", 1)[1], card.score or ends)


# Shapes -------------------------------------------------------------------------------------------


def _pill_place(
    card: CardPlace, wide: float, taken: Sequence[tuple[float, float, float]]
) -> tuple[float, float]:
    """Above its card, left of a sign at its corner, and beside the root; towards the middle where
    one is there already.
    """
    if card.kind == "root":
        return card.x + card.width / 2 + BY_ROOT + wide / 2, card.y + card.height / 2
    left = min(card.x, card.x + card.width / 2 - CORNER - wide / 2)
    x, y = max(wide / 2, left), card.y - ABOVE  # and in the picture
    inward = -1 if card.x > WIDE / 2 else 1

    def lies_on(pill: tuple[float, float, float]) -> bool:
        middle, top, width = pill
        return abs(middle - x) < (wide + width) / 2 and abs(top - y) < PILL[1]

    while under := next(filter(lies_on, taken), None):
        x = under[0] + inward * (wide + under[2]) / 2
    return x, y


def _rect(parent: Element, look: str, box: dict[str, float]) -> None:
    add(parent, "rect", look, None, **box)


def _draw_ghost(layer: Element, ghost: Ghost) -> None:
    """Untried moves: a dashed line each, with a card if it has room, or one dashed fan for all."""
    if ghost.many:
        group = add(layer, "g", "ghost", data_ghost=f"{ghost.many} untried")
        corners = f"L{ghost.left:.1f} {ghost.below:.1f}H{ghost.right:.1f}Z"
        add(group, "path", "fan", d=f"M{ghost.start:.1f} {ghost.above:.1f}{corners}")
        if ghost.told:
            said = f"{ghost.many:,} untried"
            add(group, "text", "", said, x=ghost.right - 6, y=ghost.below - 4, text_anchor="end")
        return
    x, half = (ghost.left + ghost.right) / 2, (ghost.above + ghost.below) / 2
    group = add(layer, "g", "ghost", data_ghost=ghost.name)
    curve = f"C{ghost.start:.1f} {half:.1f} {x:.1f} {half:.1f} {x:.1f} {ghost.below:.1f}"
    add(group, "path", d=f"M{ghost.start:.1f} {ghost.above:.1f}{curve}")
    if ghost.high:
        left = x - ghost.wide / 2
        _rect(
            group,
            "",
            {"x": left, "y": ghost.below, "width": ghost.wide, "height": ghost.high, "rx": 5},
        )
        middle = {"x": x, "y": ghost.below + ghost.high / 2 + 4}
        add(group, "text", "", ghost.name, text_anchor="middle", **middle)


def _ribbon(band: Any) -> str:
    """A ribbon that leaves its node straight down and comes to its child straight down."""
    half = (band.above + band.below) / 2
    start, end, wide = band.start, band.end, band.wide
    return (
        f"M{start:.1f} {band.above:.1f}C{start:.1f} {half:.1f} {end:.1f} {half:.1f} {end:.1f} "
        f"{band.below:.1f}h{wide:.2f}C{end + wide:.1f} {half:.1f} {start + wide:.1f} {half:.1f} "
        f"{start + wide:.1f} {band.above:.1f}z"
    )


def _spread(start: float, wide: float, y: float, left: float, right: float, below: float) -> str:
    """From a thin ribbon to the whole of a slot."""
    half = (y + below) / 2
    return (
        f"M{start:.1f} {y:.1f}C{start:.1f} {half:.1f} {left:.1f} {half:.1f} {left:.1f} {below:.1f}"
        f"H{right:.1f}C{right:.1f} {half:.1f} {start + wide:.1f} {half:.1f} {start + wide:.1f} "
        f"{y:.1f}z"
    )


def _strip(fan: Fan, below: float, number: int) -> str:
    """One of the steps in which a fan spreads, from the top."""
    corners = []
    for part in (number / STRIPS, (number + 1) / STRIPS):
        spread = _smooth(part)
        left = fan.start + (fan.left - fan.start) * spread
        right = fan.start + fan.wide + (fan.right - fan.start - fan.wide) * spread
        corners.append((left, right, fan.y + (below - fan.y) * part))
    (a, b, top), (c, d, foot) = corners
    return f"M{a:.1f} {top:.1f}H{b:.1f}L{d:.1f} {foot:.1f}H{c:.1f}z"


def _stub(end: Any) -> str:
    """Threads that end here: they hang down a little, with a round end."""
    round_ = min(end.wide / 2, STUB / 2)
    foot = end.y + STUB
    return (
        f"M{end.x:.1f} {end.y:.1f}V{foot - round_:.1f}Q{end.x:.1f} {foot:.1f} "
        f"{end.x + round_:.1f} {foot:.1f}H{end.x + end.wide - round_:.1f}Q{end.x + end.wide:.1f} "
        f"{foot:.1f} {end.x + end.wide:.1f} {foot - round_:.1f}V{end.y:.1f}z"
    )


def _smooth(part: float) -> float:
    return part * part * (3 - 2 * part)


def _shade(opacity: float) -> float:
    """An opacity as one of few, so that shapes can be one path."""
    known = min(1.0, max(FAINT, opacity))
    return float(2 ** (-round(SHADES * log2(1 / known)) / SHADES))


def _channels(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return red, green, blue


def _mixed(one: str, other: str, part: float) -> str:
    ends = zip(_channels(one), _channels(other), strict=True)
    return "#" + "".join(f"{round(start + (end - start) * part):02x}" for start, end in ends)
