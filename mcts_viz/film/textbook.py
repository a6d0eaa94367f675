"""A moment of a film as a textbook draws it: a tree of cards, each with wins/visits and its score.

The walk is always there, outlined in the phase's colour: Select shows it so far, Expand the new
node, dashed, Simulate the playout that hangs from it, and Backpropagate what each node is given.
Where cards are, :mod:`mcts_viz.film.lanes` says; :mod:`mcts_viz.film.drawing` paints them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ..errors import counted
from ..search import PHASES
from .cards import Card, Ending, FilmData, Frame
from .drawing import Drawing, Edge, Node
from .lanes import DEEP, HIGH, LAST_ROW, ROWS, WIDE, Place
from .letters import shortened, width, wrapped
from .pictures import OF_EVENT
from .words import plain, plain_lines, short_name

TOP: Final = (8.0, 82.0, 192.0, 298.0, 404.0, 461.0, 518.0)
"""For each row: the upper edge of its cards."""
TALL: Final = (41.0, 74.0, 70.0, 70.0, 40.0, 40.0, 40.0)
"""For each row: how high its cards are."""
ROOT: Final = 156.0
CARD: Final = 78.0
"""The widths of the root's card and of those below it, at most."""
SHARE: Final = (15.0, 12.0, 10.0, 10.0, 11.0, 11.0, 11.0)
"""For each row: the size of wins and visits."""
BETWEEN: Final = 2.8
"""Between two cards, at least."""
BORDER: Final = 3.0
"""Between a card's side and its words."""
EDGE: Final = 5.0
"""Within a card, above and below what is in it."""
PITCH: Final = 12.0
"""From one line of a card to the next."""
TAG: Final = 11.0
"""From one line below a card to the next."""
BELOW: Final = 2.0
"""From a card's lower edge, which may be thick, to the lines below it."""
CELL: Final = 12.0
"""The side of a board's cell at most."""
LEAST_BOARD: Final = 18.0
"""A board that would be less high is left out."""
POSITION: Final = 3
"""Lines of a position without a board."""
DIAMOND: Final = 26.0
"""The sign of a node where chance decides."""
HALF: Final = 46.0
"""The width of the position in a card whose lines are at its right."""
NOTE: Final = 120.0
"""The width of a playout's note where there is room, and from where on its board is at its left."""
BROAD: Final = 104.0
NOTE_LINES: Final = 6
"""Lines of a note that has room to grow."""
PILL: Final = 12.0
GAIN: Final = 21.0
"""The width of what a node is given, at the upper right corner of its card."""
FOOT: Final = 16.0
"""The height of a line of the caption."""
CORNERS: Final = ("rounded", "box", "rounded")
"""By player: the shape of a card, which tells the owners of numbers apart without colour."""
BADGES: Final = ("ellipse", "box", "diamond", "triangle")
"""For each phase: the shape around its number."""
THINNEST: Final = 0.8
THICKEST: Final = 9.0
"""The width of an edge that no visits, and that all of them come through."""


SHORT: Final = ("not needed", "cut")
"""A word where there is no room for the clearer one."""
MINUS: Final = re.compile(r"-(?=\d)")


class Line(NamedTuple):
    """A line of text."""

    text: str
    size: float = 10.0
    bold: bool = False
    ink: str = "ink"

    @property
    def width(self) -> float:
        """Its width, in points."""
        return width(self.text, self.size, self.bold)


class Box(NamedTuple):
    """A card's place on the page."""

    x: float
    y: float
    """Its upper edge."""
    wide: float
    high: float
    row: int

    @property
    def left(self) -> float:
        """Its left edge."""
        return self.x - self.wide / 2

    @property
    def foot(self) -> float:
        """Its lower edge."""
        return self.y + self.high


def fit(forms: Sequence[str], room: float, line: Line) -> list[Line]:
    """The first of the forms that fits, as lines like ``line``; else the last one, broken."""
    for form in forms:
        if width(form, line.size, line.bold) <= room:
            return [line._replace(text=form)]
    parts = wrapped(forms[-1].replace("/", "/ ", 1), room, line.size, line.bold)
    return [line._replace(text=part) for part in parts]


def swatch(name: str, x: float, y: float, player: int) -> Node:
    """A small card of a player, for a legend."""
    look = f"card of-{player % 3} on-{player % 3} swatch"
    return Node(name, x, y, 13, 9, CORNERS[player % 3], look)


def _signed(text: str) -> str:
    """Text with a minus before its negative numbers."""
    return MINUS.sub("−", text)


def box_of(place: Place) -> Box:
    """The card at a place."""
    row = place.row
    wide = min(CARD, place.room - BETWEEN) if row <= LAST_ROW else DEEP
    wide = wide if row else min(ROOT, 0.28 * place.room)
    return Box(place.x, TOP[row], wide, TALL[row], row)


class Picture:
    """The drawing of one moment; ``exact`` has values that are known, by node."""

    def __init__(self, data: FilmData, frame: Frame, exact: dict[int, str] | None = None) -> None:
        self.data = data
        self.frame = frame
        self.exact = exact or {}
        self.layers: dict[str, list[Node]] = {
            name: [] for name in ("ghosts", "frames", "boards", "texts", "pills")
        }
        self.edges: list[Edge] = []
        self.places = frame.layout.shown
        self.wide = frame.layout.wide
        self.boxes = {node: box_of(place) for node, place in self.places.items()}
        self.tags = {node: self._tags(node) for node in self.boxes}
        self.gains = data.gains(frame)
        for above, places in frame.layout.free.items():
            self._ghosts(above, places)
        for card in frame.cards:
            self._edge(card)
            self._card(card)
        ending = data.ending(frame)
        if ending:
            self._note(ending)

    def drawing(self, texts: Sequence[str], words: str, crop: bool = False) -> Drawing:
        """The whole picture: two lines left of the root, one right of it, the rest below."""
        lowest = max(node.y + node.high / 2 for layer in self.layers.values() for node in layer)
        high = min(HIGH, lowest + 10) if crop else HIGH
        tall, wide = high + 3, self.wide
        self._heads(*texts[:3])
        for line in texts[3:]:
            for part in wrapped(line, wide - 16, 11):
                self.say("said", wide / 2, tall + FOOT / 2, wide - 16, Line(part, 11), "start")
                tall += FOOT
        nodes = [node for layer in self.layers.values() for node in layer]
        return Drawing(nodes, self.edges, wide, tall + 4 if texts[3:] else high, words)

    def say(
        self, name: str, x: float, y: float, wide: float, line: Line, align: str = "middle"
    ) -> None:
        """Add a line of text, its middle there."""
        layer = self.layers["texts"]
        text, size, bold, ink = line
        name = f"{name}_{len(layer)}"
        layer.append(Node(name, x, y, wide, size * 1.2, "", "", text, size, bold, ink, align))

    # Around the tree ------------------------------------------------------------------------------

    def badge(self, x: float, y: float) -> None:
        """The number of the phase in its shape."""
        phase = self.frame.phase
        shape = BADGES[PHASES.index(OF_EVENT.get(phase, phase))]
        self.layers["frames"].append(Node("badge", x, y, 15, 15, shape, "gain"))
        low = y + 2 if shape == "triangle" else y  # it is wide below
        number = str(self.data.phases.index(phase) + 1)
        self.say("badge", x, low, 15, Line(number, 10, True, "on-phase"))

    def _heads(self, title: str, moment: str, about: str) -> None:
        """The game and the moment at the left, the search at the right; who has which colour."""
        room = (self.wide - self.boxes[0].wide) / 2 - 16
        x = 8 + room / 2
        size = 13.0 if self.wide == WIDE else 11.0
        line = Line(shortened(title, room, size, True), size, True)
        self.say("title", x, 12, room, line, "start")
        self.badge(16, 29)
        for row, part in enumerate(wrapped(moment, room - 20, 11, between=" · ")[:2]):
            self.say("moment", x + 10, 29 + 13 * row, room - 20, Line(part, 11), "start")
        self._legend(room)
        if self.wide < WIDE:
            return
        if not self.frame.path[1:]:  # a playout hangs from the root
            room -= NOTE + 20
        lines = wrapped(about, room, 10, between=" · ")[:2]
        for row, text in enumerate([*lines, *wrapped(self._groups(), room, 10)]):
            line = Line(text, 10, False, "muted")
            self.say("about", self.wide - 8 - room / 2, 11 + PITCH * row, room, line, "end")

    def _legend(self, room: float) -> None:
        """Draw the players' colours: below the moment, or in a narrow picture right of the root."""
        narrow = self.wide < WIDE
        x = self.wide - room if narrow else 14.0
        y = 12.0 if narrow else 47.0
        for player, words in enumerate(self.data.legend):
            self.layers["frames"].append(swatch(f"who{player}", x, y, player))
            line = Line(shortened(words, room - 20, 10), 10, False, "muted")
            self.say(f"who{player}", x + 10 + line.width / 2, y, line.width + 2, line)
            x, y = (x, y + 14) if narrow else (x + 32 + line.width, y)

    def _groups(self) -> str:
        """That some moves of the root share a place, if they do."""
        count, groups = len(self.data.moves(0)), self.frame.layout.groups
        if not groups:
            return ""
        return f"{count} moves in {groups} groups: of each {self.data.first_choice} is drawn"

    def _tags(self, node: int) -> list[Line]:
        """The lines below a card: the number of its moves that are not drawn, and why."""
        frame, place = self.frame, self.places[node]
        best = self.data.best_hidden(frame, node)
        more = f"more ≤{best}" if best else "more"
        counts = {
            more: frame.more.get(node, 0),
            self.data.untried_word(node): frame.untried.get(node, 0),
            "not needed": frame.pruned.get(node, 0),
        }
        free = frame.layout.free.get(node, [])
        if not node and not frame.layout.groups:  # these are drawn as empty places
            counts[self.data.untried_word(node)] = 0
        if node in frame.pruned:
            counts["not needed"] -= sum(len(self._untouched(node, each)) for each in free)
        words = [f"{count} {word}" for word, count in counts.items() if count > 0]
        if node in self.exact:  # there is room for two lines
            words = [f"{sum(counts.values())} left"] if words[1:] else words
            words.append(f"exact {self.exact[node]}")
        return self._below(place, words)

    def _below(self, place: Place, words: list[str]) -> list[Line]:
        """Words below a card, on one line if they fit, else each on a line of its own."""
        room = place.room - 2 if place.row else ROOT
        joined, line = ", ".join(words), Line("", 10, False, "muted")
        if joined and width(joined, 10) <= room:
            words = [joined]
        return [part for each in words for part in fit([each, each.replace(*SHORT)], room, line)]

    def _foot(self, node: int) -> float:
        """The height where edges leave a card: below its lines."""
        box = self.boxes[node]
        tags = len(self.tags[node]) if box.row <= LAST_ROW else 0
        return box.foot + (BELOW + TAG * tags if tags else 0)

    def _edge(self, card: Card) -> None:
        """The line that leads to a card."""
        node, box = card.node, self.boxes[card.node]
        if not node:
            return
        above = int(self.data.trace.parent[node])
        mover, luck = self.data.mover(node), self.data.trace.chance[above]
        wide = max(THINNEST, THICKEST * card.visit_share)
        look = "" if mover is None or luck else f"by-{mover % 3}"
        if card.on_path:
            wide, look = max(3.0, wide), "way"
        if above not in self.boxes:
            above = self.frame.path[LAST_ROW]
            self._folded(box)
        x0, y0 = self.boxes[above].x, self._foot(above)
        self.edges.append(Edge(f"n{above}", f"n{node}", x0, y0, box.x, box.y, wide, look))

    def _folded(self, box: Box) -> None:
        """Say how much of the walk is folded above a card: beside it, where there is more room."""
        is_left = box.left > self.wide - box.left - box.wide
        room = (box.left if is_left else self.wide - box.left - box.wide) - 8
        moves = f"⋮ {counted(self.frame.layout.folded, 'move')}"
        line = fit([f"{moves} not drawn", moves], room, Line("", 10, True))[0]
        wide = min(DEEP, room)
        x = box.x + (-1 if is_left else 1) * (box.wide / 2 + 6 + wide / 2)
        self.say("folded", x, box.y + 6, wide, line, "end" if is_left else "start")

    def _untouched(self, above: int, place: Place) -> list[Any]:
        """The moves whose place it is that have no node."""
        tried = {self.data.trace.action_of(child) for child in self.data.below(above)}
        moves = [*self.data.moves(above)]
        names = [moves[number] for number in place.moves]
        return [name for name in names if name not in tried]

    def _ghosts(self, above: int, places: Sequence[Place]) -> None:
        """The moves without a card: untried ones of the root, and those that were cut off."""
        data, cut = self.data, above in self.frame.pruned
        for place in places:
            if cut:
                moves = self._untouched(above, place)
                self._ghost(above, place, moves, "not needed", "hatched")
            elif not above and not self.frame.layout.groups:
                moves = [[*data.moves(0)][place.moves.start]]
                self._ghost(above, place, moves, data.untried_word(0), "rounded")

    def _ghost(self, above: int, place: Place, moves: Sequence[Any], word: str, shape: str) -> None:
        """The empty place of a move, or of several."""
        if not moves:
            return
        box, name = box_of(place), f"free{above}_{place.moves.start}"
        y, layer = box.y + box.high / 2, self.layers["ghosts"]
        look = "cut" if shape == "hatched" else "ghost"
        layer.append(Node(name, box.x, y, box.wide, box.high, shape, look))
        said = f"{len(moves)} {word}" if moves[1:] else word
        lines = fit([said], box.wide - 4, Line("", 10, False, "muted"))
        for row, line in enumerate(lines):
            at = y + PITCH * (row - (len(lines) - 1) / 2)
            layer.append(
                Node(f"{name}_band{row}", box.x, at, line.width + 4, PITCH, "box", "paper")
            )
            self.say(name, box.x, at, box.wide, line)
        if not moves[1:]:
            label = plain(self.data.game.action_label(self.data.trace.state(above), moves[0]))
            self._pill(name, box, (label, short_name(label)), "pill")
        foot = self.boxes[above].x, self._foot(above)
        self.edges.append(Edge(f"n{above}", name, *foot, box.x, box.y, 1.0, "untried"))

    # Cards ----------------------------------------------------------------------------------------

    def _card(self, card: Card) -> None:
        """A card: its frame, its position, its lines, its move's name, and what it is given."""
        node, box = card.node, self.boxes[card.node]
        look, player = self._look(card), self.data.player(node)
        middle = box.y + box.high / 2
        shape = CORNERS[(player or 0) % 3]
        self.layers["frames"].append(
            Node(f"n{node}", box.x, middle, box.wide, box.high, shape, look)
        )
        if 1 <= box.row <= LAST_ROW:
            self._tall(card, box)
        else:
            self._broad(card, box)
        given = self._gain(box, node) if node in self.gains else 0.0
        if node:
            names = plain(self.data.trace.label(node)), self.data.name(node)
            self._pill(f"n{node}", box, names, look, given)

    def _look(self, card: Card) -> str:
        """The look of a card: its player, and if it is on the walk, new, or proven."""
        player = self.data.player(card.node)
        looks = ["card", *([] if player is None else [f"of-{player % 3}"])]
        if card.on_path:
            looks += ["walk", *([] if player is None else [f"on-{player % 3}"])]
        looks += ["new"] if card.new else []
        looks += ["proven"] if card.mark else []
        return " ".join(looks)

    def _tall(self, card: Card, box: Box) -> None:
        """A card with its position above its lines, and what is not drawn below it."""
        name, lines = f"n{card.node}", self._lines(card, box.wide - 2 * BORDER)
        pitch = PITCH if len(lines) <= POSITION else TAG
        y = box.foot - EDGE - pitch * len(lines)
        self._position(card.node, box.x, box.y + EDGE + 2, y, box.wide - 4)
        for row, line in enumerate(lines):
            self.say(name, box.x, y + pitch * (row + 0.5), box.wide, line)
        for row, tag in enumerate(self.tags[card.node]):
            self.say(name, box.x, box.foot + BELOW + TAG * (row + 0.5), tag.width + 2, tag)

    def _broad(self, card: Card, box: Box) -> None:
        """A card with its position at the left and its lines at the right."""
        node, half = card.node, HALF
        top = box.y + (EDGE if box.row else 3.0)
        wide = self._position(node, box.left + 3 + half / 2, top, box.foot - 3, half)
        left = box.left + 4 + (half if wide else 0)
        room = box.wide - (left - box.left) - 4
        lines = self._lines(card, room)
        if box.row > LAST_ROW:
            lines += self.tags[node]
        lines = lines[:3] if box.row else lines[:2]
        pitch = min(PITCH, (box.high - 6) / max(1, len(lines))) if len(lines) > 2 else 13.0
        y = box.y + box.high / 2 - pitch * (len(lines) - 1) / 2 + (1 if box.row else 0)
        for row, line in enumerate(lines):
            short = line._replace(text=shortened(line.text, room, line.size, line.bold))
            self.say(f"n{node}", left + room / 2, y + pitch * row, room, short)
        if not box.row:
            for tag in self.tags[node]:
                self.say(f"n{node}", box.x, box.foot + BELOW + TAG / 2, tag.width + 2, tag)

    def _lines(self, card: Card, room: float) -> list[Line]:
        """Wins/visits, the score or what is proven, and other statistics."""
        row = self.boxes[card.node].row
        player = self.data.player(card.node)
        ink = "ink" if player is None else f"player-{player % 3}"
        bold, light = Line("", SHARE[row], True, ink), Line("", 10, False, "muted")
        share, score, note = map(_signed, (card.share, card.score, card.note))
        sizes = [size for size in (15.0, 12.0, 11.0, 10.0) if size <= bold.size]
        fitting = (size for size in sizes if width(share, size, True) <= room)
        bold = bold._replace(size=next(fitting, 10.0))
        lines = fit([share, share.replace(".5/", "½/")], room, bold)
        if card.mark:
            lines += fit([card.mark, "is won" if "win" in card.mark else "is lost"], room, light)
        elif score not in ("", "root"):
            lines += fit([f"{card.rule} {score}".strip(), score], room, light)
        joins = width(note, light.size) <= room
        for part in filter(None, [note] if joins else note.split(" · ")):
            lines += fit([part], room, light)
        return lines

    def _position(self, node: int, x: float, top: float, foot: float, room: float) -> float:
        """The position between two heights: its board, its text, or a diamond where chance
        decides; returns its width, 0 where there is no room."""
        trace = self.data.trace
        above = max(0, int(trace.parent[node]))
        if trace.chance[node]:
            side = min(DIAMOND, foot - top, room)
            middle = top + (foot - top) / 2
            shape = Node(f"b{node}", x, middle, side, side, "diamond", "card")
            self.layers["boards"].append(shape)
            return side
        return self._state(f"b{node}", trace.state(node), trace.state(above), x, top, foot, room)

    def _state(
        self, name: str, state: Any, before: Any, x: float, top: float, foot: float, room: float
    ) -> float:
        """A board, or a position's text, between two heights; returns its width."""
        board, high = self.data.board, foot - top
        if not board:
            return self._spelt(name, state, x, (top, foot), room)
        cell = min(CELL, room / board.columns, high / board.rows)
        if cell * board.rows < LEAST_BOARD and board.rows > 1:
            return 0.0
        wide, tall = cell * board.columns, cell * board.rows
        node = Node(name, x, top + high / 2, wide, tall, board=board)
        cells = board.cells(state), board.cells(before)
        self.layers["boards"].append(node._replace(cells=cells[0], before=cells[1]))
        return wide

    def _spelt(
        self, name: str, state: Any, x: float, ends: tuple[float, float], room: float
    ) -> float:
        """A position's text, its first lines; returns its width."""
        top, high = ends[0], ends[1] - ends[0]
        text = [each.strip() for each in plain_lines(self.data.game.text(state), 60)]
        lines = [line for each in text for line in fit([each], room, Line(""))]
        lines = lines[: min(POSITION, int(high / TAG))]
        y = top + (high - TAG * len(lines)) / 2
        for row, line in enumerate(lines):
            self.say(name, x, y + TAG * (row + 0.5), room, line)
        return room if lines else 0.0

    def _pill(
        self, name: str, box: Box, names: tuple[str, str], look: str, given: float = 0.0
    ) -> None:
        """The name of a move, on the upper edge of its card, left of what that is ``given``."""
        bold, room = " walk" in look, box.wide - 6 - given
        label = next((each for each in names if width(each, 10, bold) <= room), "")
        label = label or shortened(names[-1], room, 10, bold)
        wide = max(PILL, width(label, 10, bold) + 6)
        left = box.x - wide / 2
        if wide > max(16.0, box.wide - 2 * GAIN + 5) or box.row > LAST_ROW:
            left = box.left
        if given:
            left = max(box.left, min(left, box.left + box.wide + 1 - given - wide))
        edge = [part for part in look.split() if part.startswith("of-")]
        looks = " ".join(["pill", *edge, *(["on-walk"] if bold else [])])
        pill = Node(f"{name}_move", left + wide / 2, box.y, wide, PILL, "rounded", looks)
        self.layers["pills"].append(pill._replace(text=label, bold=bold))

    def _gain(self, box: Box, node: int) -> float:
        """Draw the gain of a node; returns how wide that is."""
        gain = self.gains[node]
        wide = max(GAIN - 1, width(gain, 10, True) + 3)
        x = min(box.left + box.wide + 1, self.wide - 1) - wide / 2
        look, ink = ("nothing", "phase") if gain == "+0" else ("gain", "on-phase")
        pill = Node(f"n{node}_gain", x, box.y, wide, 14, "rounded", look, gain, 10, True, ink)
        self.layers["pills"].append(pill)
        return wide

    # The playout ----------------------------------------------------------------------------------

    def _note(self, ending: Ending) -> None:
        """The playout's last position and its result, hanging from the end of the walk."""
        end = self.frame.path[-1]
        if end not in self.boxes:
            return
        box, room = self.boxes[end], self._room(end)
        broad, half = room >= BROAD, HALF if ending.state is not None else 0.0
        wide = room - half - 8 if broad else room - 3
        lines = fit([f"{ending.played}:"], wide, Line(""))
        most = (NOTE_LINES if 0 < box.row < LAST_ROW else 3) - len(lines)
        result = _signed(ending.result)
        told = fit([result], wide, Line("", 10, True))
        if told[min(most, 2) :]:  # of two players' returns one follows from the other
            told = fit([result.removeprefix("the return is ").split(", ")[0]], wide, told[0])
        lines += told[:most]
        picture = 38.0 if half and not broad else 0.0
        high = max(42.0, (6 if broad else 10) + picture + PITCH * len(lines))
        line, x, top = self._hung(box, room, high)
        middle = top + high / 2
        self.layers["frames"].append(Node("end", x, middle, room, high, "note", "note"))
        self.edges.append(Edge(f"n{end}", "end", *line, 1.8, "fall"))
        at, y = x, top + 6 + picture
        if broad:
            at, y = x + half / 2, middle - PITCH * len(lines) / 2
        for row, said in enumerate(lines):
            self.say("end", at, y + PITCH * (row + 0.5), wide, said)
        if half and broad:
            left = x - room / 2 + 3 + half / 2
            self._last(ending, left, top + 3, top + high - 3, half - 2)
        elif half:
            self._last(ending, x, top + 4, top + 4 + picture, room - 12)

    def _room(self, end: int) -> float:
        """The width of a playout's note: within the lane of the node that it hangs from."""
        place = self.places[end]
        if place.row in (0, *range(LAST_ROW, ROWS)):
            return NOTE
        return min(NOTE, 2 * min(place.x - place.left, place.right - place.x) - BETWEEN)

    def _hung(
        self, box: Box, room: float, high: float
    ) -> tuple[tuple[float, float, float, float], float, float]:
        """The line to a note, the middle of the note, and its upper edge.

        It is below its card; beside it in the first row, where the tree is below, and the last.
        """
        if box.row == ROWS - 1 or (not box.row and box.left > room + 16):
            side = -1 if box.row and box.x > self.wide / 2 else 1
            x, y = box.x + side * (box.wide / 2 + 16 + room / 2), box.y + box.high / 2
            return (box.x + side * box.wide / 2, y, x - side * room / 2, y), x, y - high / 2
        x = min(max(box.x, room / 2 + 2), self.wide - room / 2 - 2)
        top = TOP[box.row + 1]
        return (box.x, self._foot(self.frame.path[-1]), x, top), x, top

    def _last(self, ending: Ending, x: float, top: float, foot: float, room: float) -> None:
        """The playout's last position."""
        self._state("b_end", ending.state, ending.state, x, top, foot, room)
