"""The layout of the river: from the tree at one moment to plain numbers. No picture and no state.

The same as ``widgets/picture/river.js`` and ``card_places.js``, function by function; a test holds
both together over all moments of several films. All lengths are pixels.

An iteration is a thread from the root down to the node where its playout began. A node is as wide
as the threads through it, its visits; within it they are sorted by result. So a ribbon's coloured
share is its wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

SPREAD: Final = 0.4
"""Of the pane's width, for all threads side by side: the rest is room to part."""
THICKEST: Final = 14.0
"""A single thread: thicker ones look like trunks, and the first 16 are alike."""
THINNEST: Final = 0.35
"""A ribbon below it leaves no trace on a screen: it becomes a fan."""
MARGIN: Final = 6.0
"""Left and right of everything."""
FLOOR: Final = 54.0
"""The width of each move of the top before its visits count: a card with its numbers."""
FLOOR_SHARE: Final = 0.8
"""But no more than this part of an equal share, so that the widest has room."""
POWER: Final = 0.7
"""(visits + 1)^0.7: the widest does not starve the others, as visits alone would."""
TRIED_ONCE: Final = 2**POWER
"""The weight of an untried move where there is room: nothing moves when it is tried."""
ROOMY: Final = (12.0, 36.0)
"""Pixels a move. Below the first all untried ones together weigh one, so that those that were tried
have room for a card, and from the second on there is room for all."""
APART: Final = (0.06, 4.0)
"""Between two families: a part of the slot, and at most so much."""

ROOT_TOP: Final = 4.0
ROOT_HIGH: Final = 68.0
"""The card at the top."""
ROW_1: Final = 104.0
"""Where the top's moves are, for the whole film,"""
ROW_2: Final = 198.0
"""and where their answers are,"""
LOWER: Final = (0.25, 0.45)
"""in a higher pane lower by these parts of what it has more."""
PITCH: Final = 0.237
"""Of the height, a deeper row with its share of threads: 110 pixels of 464."""
FULL_SHARE: Final = 20
"""A row is that many times the share of threads that cross it high, at most one pitch."""
EACH: Final = 10.0
"""But no thread lengthens it by more, so that nothing jumps in a small tree."""
WALKED: Final = 17.0
"""The least height of a row that the walk crosses: one line of text."""
USUAL: Final = 464.0
"""The height of a pane on a laptop; in a lower one less is kept free below."""
FOOT: Final = 48.0
"""Below the deepest row's top: a small card."""
STUB: Final = 9.0
"""A thread that ends at a node goes on a little, with a round end."""

LETTER: Final = 6.4
"""The mean width of a letter of 11 pixels, bold digits included."""
GAP: Final = 4.0
"""Between two cards."""
FULL_WIDE: Final = 50.0
FULL_NARROW: Final = 44.0
FULL_HIGH: Final = 46.0
FULL_LINE: Final = 14.0
FULL_TEXT: Final = 22.0
"""Of a full card: its least width and height, a line of text, and what is around the longest one.
"""
SMALL_WIDE: Final = 30.0
SMALL_HIGH: Final = 44.0
SMALL_PLAIN: Final = 30.0
"""A board and its visits; the height of a card with a name instead of a board."""
LUCK: Final = ((40.0, 22.0), (16.0, 14.0), (9.0, 8.0))
"""By the least width of a slot: the side of a diamond where nature moves."""
PILL: Final = 20.0
"""Pixels above a card of the next row."""
NAME_SLOT: Final = 13.0
NAME_HIGH: Final = 16.0
NAME_TEXT: Final = 7.0
"""A short name."""
LARGEST: Final = 9
"""Moves of the top that have a card also where there are too many for all: the largest beside
each other."""
DOT: Final = 8.0
GHOST_HIGH: Final = 22.0
GHOST_LONG: Final = 20.0
GHOST_EACH: Final = 5.0
GHOST_TOLD: Final = 70.0
"""A dashed card and line; a dashed line needs 5 pixels, "88 untried" 70."""


class Move(NamedTuple):
    """A move from a node."""

    name: str
    node: int | None
    """The node that it leads to, if it ever gets one."""


class Tree(Protocol):
    """A tree at a moment; nodes are numbered parents first."""

    @property
    def total(self) -> int:
        """How many nodes are there: those numbered below it."""

    @property
    def parent(self) -> Sequence[int]:
        """By node: the one above."""

    @property
    def below(self) -> Sequence[Sequence[int]]:
        """By node: its children in the order of their moves, also later ones."""

    @property
    def visits(self) -> Sequence[float]:
        """By node: the threads through it."""

    @property
    def results(self) -> Sequence[Sequence[float]]:
        """By result, in the order in which they lie in a ribbon: of these, threads that ended
        so."""

    @property
    def boarded(self) -> bool:
        """True if cards have a board."""

    def moves(self, node: int) -> list[Move]:
        """All moves from a node, in their order."""

    def order(self, node: int) -> Sequence[int | None]:
        """Of all its moves in order the node, also a later one; ``None`` if it never gets one."""

    def spare(self, node: int) -> Sequence[float]:
        """How many threads of such moves reach each row below: of minimax the games that it did
        not need, of a search none.
        """

    def name(self, node: int) -> str:
        """A short name of its move."""

    def said(self, node: int) -> str:
        """The longest line on its card."""

    def lines(self, node: int) -> int:
        """How many lines of text its full card has."""

    def luck(self, node: int) -> bool:
        """Whether nature moves there: it gets a diamond instead of a card."""


@dataclass
class Place:
    """Where a node is: its slot, its ribbon and its row."""

    node: int
    depth: int
    left: float
    right: float
    x: float
    y: float
    spring: float
    """Where its ribbon begins to part: the top's below its card, others' at their row."""
    wide: float
    children: list[int] = field(default_factory=list)
    free: list[tuple[float, float]] = field(default_factory=list)
    """For untried moves."""


class Band(NamedTuple):
    """A ribbon of threads with one result, from a node to its child."""

    node: int
    result: int
    start: float
    end: float
    wide: float
    above: float
    below: float


class End(NamedTuple):
    """Threads with one result that end at a node."""

    node: int
    result: int
    x: float
    wide: float
    y: float


@dataclass
class Fan:
    """Threads too thin for a ribbon, spread over their slot, and all below them."""

    node: int
    depth: int
    start: float
    wide: float
    y: float
    left: float
    right: float
    counts: list[float]
    """Threads by result."""
    deeper: list[list[float] | None] = field(default_factory=list)
    """The same of each row below."""


class Spare(NamedTuple):
    """Games that were not needed."""

    node: int
    start: float
    wide: float
    y: float
    left: float
    right: float
    below: float
    deeper: Sequence[float]
    """How many threads of them reach each row from there on."""


class Ghost(NamedTuple):
    """An untried move, or ``many`` of them in one dashed fan."""

    left: float
    right: float
    start: float
    above: float
    below: float
    name: str = ""
    wide: float = 0.0
    high: float = 0.0
    many: int = 0
    told: bool = False


class CardPlace(NamedTuple):
    """A card: its kind, the middle of its upper edge, and its size."""

    node: int
    depth: int
    x: float
    y: float
    kind: str
    """root, full, small, name or dot."""
    width: float
    height: float


class Size(NamedTuple):
    """A card before it has its place."""

    kind: str
    width: float
    height: float


@dataclass
class River:
    """Everything of one moment."""

    width: float
    height: float
    thread: float
    """The width of one."""
    rows: list[float]
    """The top of each."""
    top: int
    places: dict[int, Place] = field(default_factory=dict)
    bands: list[Band] = field(default_factory=list)
    ends: list[End] = field(default_factory=list)
    fans: list[Fan] = field(default_factory=list)
    spares: list[Spare] = field(default_factory=list)
    ghosts: list[Ghost] = field(default_factory=list)
    cards: list[CardPlace] = field(default_factory=list)


def lay_out(
    tree: Tree,
    width: float,
    height: float,
    walk: Sequence[int] = (),
    stop: int | None = None,
    top: int = 0,
    foot: float = FOOT,
) -> River:
    """Everything of one moment, for a pane of ``width`` by ``height``.

    ``walk`` is the path of nodes, and ``stop`` the node where selection stopped, whose untried
    moves are shown. ``top`` is the node at the top; ``foot`` is kept free below the deepest row.
    """
    thread = thread_width(tree.visits[top], width)
    threads, deeper = _census(tree, top, thread)
    way = list(walk)[list(walk).index(top) :] if top in walk else []
    deepest = max(len(threads), len(way)) - 1
    rows = row_tops(threads, deepest, height, foot, len(way))
    river = River(width, height, thread, rows, top)
    _place_all(river, tree, set(way))
    for fan in river.fans:
        fan.deeper = deeper.get(fan.node, [])
    river.cards = _cards_of(river, tree, way)
    if stop in river.places:
        river.ghosts = _ghosts_of(river, tree, river.places[stop])
    return river


def thread_width(threads: float, width: float) -> float:
    """The width of one thread, so that all of them fill two fifths of the pane."""
    return min(THICKEST, (SPREAD * width) / max(1, threads))


def _census(
    tree: Tree, top: int, thread: float
) -> tuple[list[float], dict[int, list[list[float] | None]]]:
    """Threads by depth; and of each node that is too thin for a ribbon, what is below it.

    Of such a node, which is the first on its way: how many threads of each result reach each depth.
    """
    depth = [-1] * tree.total
    owner = [-1] * tree.total  # the first too thin node on the way to it
    threads: list[float] = [tree.visits[top]]
    deeper: dict[int, list[list[float] | None]] = {}
    depth[top] = 0
    _add_to_rows(threads, 1, tree.spare(top))
    for node in range(top + 1, tree.total):
        above = tree.parent[node]
        if depth[above] < 0:
            continue
        depth[node] = depth[above] + 1
        _add_to_rows(threads, depth[node], [tree.visits[node]])
        _add_to_rows(threads, depth[node] + 1, tree.spare(node))
        if owner[above] >= 0:
            owner[node] = owner[above]
            level = depth[node] - depth[owner[node]] - 1
            _add_threads(
                deeper.setdefault(owner[node], []), level, [of[node] for of in tree.results]
            )
        elif tree.visits[node] * thread < THINNEST:
            owner[node] = node
    return threads, deeper


def _add_to_rows(threads: list[float], first: int, counts: Sequence[float]) -> None:
    """Add these counts to the rows from ``first`` on."""
    threads += [0] * (first + len(counts) - len(threads))
    for row, count in enumerate(counts, first):
        threads[row] += count


def _add_threads(levels: list[list[float] | None], level: int, counts: list[float]) -> None:
    levels += [None] * (level + 1 - len(levels))
    known = levels[level]
    levels[level] = counts if known is None else [a + b for a, b in zip(known, counts, strict=True)]


def row_tops(
    threads: Sequence[float], deepest: int, height: float, foot: float, walked: int
) -> list[float]:
    """The top of each row.

    The first three never move; a deeper row is as high as its share of the threads allows, and all
    of these are compressed together until the deepest fits.
    """
    more = max(0.0, height - USUAL)
    tops = [ROOT_TOP, ROW_1 + LOWER[0] * more, ROW_2 + LOWER[1] * more]
    wanted: list[float] = []
    least: list[float] = []
    for depth in range(2, deepest):
        across = threads[depth + 1] if depth + 1 < len(threads) else 0
        share = min(1, (FULL_SHARE * across) / max(1, threads[0]))
        high = min(PITCH * height * share, EACH * across)
        least.append(WALKED if depth < walked else 0.0)
        wanted.append(PITCH * height if depth == 2 else max(least[-1], high))
    room = max(0.0, height - tops[2] - foot * min(1.0, height / USUAL))
    every, needed = sum(wanted), sum(least)
    scale = max(0.0, room - needed) / max(1e-9, every - needed) if every > room else 1.0
    squeezed = room / needed if needed > room else 1.0  # a path of 27 gets 9 pixels a row
    for high, low in zip(wanted, least, strict=True):
        tops.append(tops[-1] + (low + (high - low) * scale) * squeezed)
    return tops


def divided(room: float, weights: Sequence[float], least: Sequence[float]) -> list[float]:
    """How ``room`` is divided: by ``weights``, but none gets less than its ``least``."""
    claim = sum(least)
    if claim > room:  # a watched search may count oddly
        return [own * room / claim for own in least]
    widths = [-1.0] * len(weights)
    while short := _too_little(room, weights, least, widths):
        for place in short:
            widths[place] = least[place]
    unit = _unit(room, weights, widths)
    return [
        weight * unit if wide < 0 else wide for weight, wide in zip(weights, widths, strict=True)
    ]


def _too_little(
    room: float, weights: Sequence[float], least: Sequence[float], widths: Sequence[float]
) -> list[int]:
    """The places without a width yet that would get less than their least."""
    unit = _unit(room, weights, widths)
    return [
        place
        for place, wide in enumerate(widths)
        if wide < 0 and weights[place] * unit < least[place]
    ]


def _unit(room: float, weights: Sequence[float], widths: Sequence[float]) -> float:
    """The width of one unit of weight, where some have a width already; the others have -1."""
    waiting = [place for place, wide in enumerate(widths) if wide < 0]
    taken = sum(wide for wide in widths if wide >= 0)
    weight = sum(weights[place] for place in waiting)
    return (room - taken) / weight if weight else 0.0


# Places -------------------------------------------------------------------------------------------


def _place_all(river: River, tree: Tree, walked: set[int]) -> None:
    """Give the top its place, and from there on all that is wide enough, or walked."""
    top = Place(
        node=river.top,
        depth=0,
        left=MARGIN,
        right=river.width - MARGIN,
        x=river.width / 2,
        y=river.rows[0],
        spring=ROOT_TOP + ROOT_HIGH,
        wide=tree.visits[river.top] * river.thread,
    )
    waiting = [top]
    while waiting:
        place = waiting.pop()
        river.places[place.node] = place
        children = _slots(river, tree, place)
        if place.wide >= THINNEST or place is top:
            _attach(river, tree, place, children)
        for child in children:
            if child.wide >= THINNEST or child.depth == 1 or child.node in walked:
                waiting.append(child)


def _slots(river: River, tree: Tree, place: Place) -> list[Place]:
    """The children of a placed node that are there, each with its slot."""
    is_top = place.node == river.top
    place.children = [child for child in tree.below[place.node] if child < tree.total]
    if not is_top and not place.children:
        place.free = [(place.left, place.right)]
        return []
    items = [_there(tree, child) for child in tree.order(place.node)]
    pad = 0.0 if is_top else _pad(place)
    left = place.left + pad
    children = []
    widths = _widths(river, tree, place, items, place.right - place.left - 2 * pad)
    for child, wide in zip(items, widths, strict=True):
        right = left + wide
        if child is None:
            place.free.append((left, right))
        else:
            x, y = (left + right) / 2, river.rows[place.depth + 1]
            ribbon = tree.visits[child] * river.thread
            children.append(Place(child, place.depth + 1, left, right, x, y, y, ribbon))
        left = right
    return children


def _there(tree: Tree, child: int | None) -> int | None:
    """A child, ``None`` if it is not there at this moment."""
    return child if child is not None and child < tree.total else None


def _widths(
    river: River, tree: Tree, place: Place, items: Sequence[int | None], room: float
) -> list[float]:
    """The widths of the slots of a node's children, and of untried moves, which are ``None``."""
    if not items:
        return []
    is_top = place.node == river.top
    spare = sum(tree.spare(place.node)[:1])
    lacking = TRIED_ONCE if is_top else _untried_weight(room, len(items))
    if spare:
        lacking = (spare + 1) ** POWER
    weights = [lacking if child is None else (tree.visits[child] + 1) ** POWER for child in items]
    ribbons = [(spare if child is None else tree.visits[child]) * river.thread for child in items]
    floor = _floor(room, ribbons) if is_top else 0.0
    least = [max(0.0, ribbon - floor) for ribbon in ribbons]
    return [more + floor for more in divided(room - floor * len(items), weights, least)]


def _pad(place: Place) -> float:
    """The space kept free at each side of a family."""
    span = place.right - place.left
    return max(0.0, min(APART[1], APART[0] * span, (span - place.wide) / 2))


def _untried_weight(room: float, moves: int) -> float:
    """The weight of an untried move below the top: it grows with the room that each move has."""
    least = 1 / max(1, moves - 1)
    roomy = max(0.0, min(1.0, (room / moves - ROOMY[0]) / (ROOMY[1] - ROOMY[0])))
    return least + (TRIED_ONCE - least) * roomy


def _floor(room: float, ribbons: Sequence[float]) -> float:
    """The width that each move of the top gets first, unless the widest ribbons need it."""
    floor = min(FLOOR, (FLOOR_SHARE * room) / len(ribbons))
    wide = [ribbon for ribbon in ribbons if ribbon > floor]
    if len(wide) == len(ribbons):
        return 0.0
    return min(floor, (room - sum(wide)) / (len(ribbons) - len(wide)))


def _attach(river: River, tree: Tree, place: Place, children: Sequence[Place]) -> None:
    """The ribbons from a node to its children: a block of threads a child, in the order of moves.

    They are sorted by result within each. Threads that end at the node itself come last. A child
    that is too thin gets a fan.
    """
    thread, y = river.thread, place.spring
    start = place.x - place.wide / 2
    left = [of[place.node] for of in tree.results]
    for child in children:
        counts = [of[child.node] for of in tree.results]
        if child.wide >= THINNEST:
            river.bands += _bands(child, counts, start, y, thread)
        elif child.wide:
            fan = Fan(
                child.node, child.depth, start, child.wide, y, child.left, child.right, counts
            )
            river.fans.append(fan)
        left = [every - count for every, count in zip(left, counts, strict=True)]
        start += sum(counts) * thread
    spare = tree.spare(place.node)
    if spare and place.free:
        river.spares.append(_spare(river, place, start, spare))
        left[-1] -= spare[0]  # the last result of such a tree: not looked at
        start += spare[0] * thread
    river.ends += _ends(place, left, start, thread)


def _spare(river: River, place: Place, start: float, spare: Sequence[float]) -> Spare:
    """The games that were not needed below a node, as far down as they go."""
    below, wide = river.rows[place.depth + 1], spare[0] * river.thread
    return Spare(place.node, start, wide, place.spring, *place.free[-1], below, spare[1:])


def _ends(place: Place, left: Sequence[float], start: float, thread: float) -> list[End]:
    """The threads that end at a node, one after the other."""
    ends = []
    for result, count in enumerate(left):
        if count > 0:
            ends.append(End(place.node, result, start, count * thread, place.spring))
        start += max(0, count) * thread
    return ends


def _bands(
    child: Place, counts: Sequence[float], start: float, y: float, thread: float
) -> list[Band]:
    """The ribbons to a child, side by side, one for each result that it has."""
    bands = []
    end = child.x - child.wide / 2
    for result, count in enumerate(counts):
        wide = count * thread
        if count:
            bands.append(Band(child.node, result, start, end, wide, y, child.y))
        start += wide
        end += wide
    return bands


# Cards and ghosts ---------------------------------------------------------------------------------


class _Cards:
    """The cards of a moment, row by row, none over another but those of the walk."""

    def __init__(self, river: River, tree: Tree, last: int | None) -> None:
        self.river, self.tree = river, tree
        self.last = last
        """Where the walk ends."""
        self.end: CardPlace | None = None
        """Its card: it may be higher than its row, and then covers the next."""
        self.family = _family_card(river, tree)
        self.taken: dict[int, list[tuple[float, float]]] = {}
        """By depth: from where to where a card lies."""
        self.cards: list[CardPlace] = []

    def put(self, place: Place, is_sure: bool, is_walked: bool = False) -> bool:
        """Give a place its card, if there is room for it; the walk's covers what is there.

        Returns whether it has one.
        """
        is_one = place.depth == 1 and self.family and not self.tree.luck(place.node)
        room = self._below(place) - place.y
        size = self.family if is_one else _card_for(self.river, self.tree, place, is_sure, room)
        if not size:
            return False
        half = size.width / 2
        x = max(half + 1, min(self.river.width - half - 1, place.x))
        row = self.taken.setdefault(place.depth, [])
        card = CardPlace(place.node, place.depth, x, place.y, *size)
        if not is_walked and (_lies_over(row, x - half, x + half) or self._covers_end(card)):
            return False
        row.append((x - half, x + half))
        self.cards.append(card)
        if place.node == self.last:
            self.end = card
        return True

    def _below(self, place: Place) -> float:
        """How far down the card of a place may reach."""
        rows, deeper = self.river.rows, place.depth + 1
        is_free = place.node == self.last or deeper >= len(rows)
        return self.river.height if is_free else rows[deeper]

    def _covers_end(self, card: CardPlace) -> bool:
        """True if a card would cover the one where the walk ends."""
        end = self.end
        if end is None:
            return False
        is_beside = abs(card.x - end.x) >= (card.width + end.width) / 2
        return not is_beside and end.y <= card.y < end.y + end.height


def _cards_of(river: River, tree: Tree, walk: Sequence[int]) -> list[CardPlace]:
    """The cards that there is room for: those of the walk first, then others where they cover
    none."""
    found = _Cards(river, tree, walk[-1] if walk else None)
    for place in filter(None, map(river.places.get, walk)):
        found.put(place, is_sure=True, is_walked=True)
    places = sorted(river.places.values(), key=lambda place: (-place.wide, place.node))
    _put_largest(found, [place for place in places if place.depth == 1], walk)
    carded = {card.node for card in found.cards}
    for place in places:
        if place.right - place.left >= LUCK[-1][0] and place.node not in carded:
            found.put(place, is_sure=False)
    return found.cards


def _put_largest(found: _Cards, moves: Sequence[Place], walk: Sequence[int]) -> None:
    """Put the cards of the top's moves that are the largest beside each other."""
    large = 0
    for place in moves:
        if large == LARGEST:
            return
        large += place.node in walk or found.put(place, is_sure=True)


def _lies_over(row: Sequence[tuple[float, float]], left: float, right: float) -> bool:
    """True if a card from ``left`` to ``right`` would cover one of its row."""
    return any(right > start and left < end for start, end in row)


def width_of(text: str) -> float:
    """The width of a text of 11 pixels, about."""
    return LETTER * len(text)


def _full_high(tree: Tree, node: int) -> float:
    return (FULL_HIGH if tree.boarded else FULL_LINE + 4) + FULL_LINE * tree.lines(node)


def _full_wide(tree: Tree, node: int) -> float:
    named = 0.0 if tree.boarded else width_of(tree.name(node)) + 8
    return max(FULL_WIDE, width_of(tree.said(node)) + FULL_TEXT, named)


def _family_card(river: River, tree: Tree) -> Size | None:
    """One full card for all moves of the top; ``None`` where that is too little.

    It is as wide as the narrowest slot allows.
    """
    children = [node for node in river.places[river.top].children if not tree.luck(node)]
    found = [river.places[node] for node in children if node in river.places]
    if not found or len(found) < len(children):
        return None
    room = min(place.right - place.left for place in found) - GAP + 1
    needed = max(_full_wide(tree, node) for node in children)
    if room < FULL_NARROW:
        return None
    width = min(needed, 2 * (room // 2))  # by two pixels, so that it seldom changes
    height = max(_full_high(tree, node) for node in children)
    return Size("full", width, height) if height < river.rows[2] - river.rows[1] else None


def _card_for(river: River, tree: Tree, place: Place, is_sure: bool, room: float) -> Size | None:
    """The largest card that a place has ``room`` below for; what is sure of one gets a small one
    without.
    """
    node = place.node
    if node == river.top:
        return Size("root", max(60, width_of(tree.said(node)) + 12), ROOT_HIGH)
    if tree.luck(node):
        return _diamond(place.right - place.left, is_sure)
    slot = place.right - place.left - GAP
    full = Size("full", _full_wide(tree, node), _full_high(tree, node))
    if slot >= full.width and room >= full.height + PILL:
        return full
    small = _small(tree, node)
    if (slot >= small.width or is_sure) and room >= small.height + GAP:
        return small
    name = Size("name", width_of(tree.name(node)) + NAME_TEXT, NAME_HIGH)
    if is_sure:
        return name if room >= NAME_HIGH - 4 else Size("dot", DOT, DOT)
    return name if slot + GAP >= max(NAME_SLOT, name.width) and room >= NAME_HIGH else None


def _small(tree: Tree, node: int) -> Size:
    """A card with a board and its visits, or with a name instead of a board."""
    if tree.boarded:
        return Size("small", SMALL_WIDE, SMALL_HIGH)
    return Size("small", max(SMALL_WIDE, width_of(tree.name(node)) + NAME_TEXT), SMALL_PLAIN)


def _diamond(slot: float, is_sure: bool) -> Size | None:
    """Where nature moves: a diamond as large as its slot allows."""
    least = LUCK[-1][1] if is_sure else 0.0
    side = next((side for room, side in LUCK if slot >= room), least)
    return Size("luck", side, side) if side else None


def _ghosts_of(river: River, tree: Tree, place: Place) -> list[Ghost]:
    """Untried moves of a node: a dashed line each where there is room, else one fan for all."""
    moves = tree.moves(place.node)
    lacking = [move.name for move in moves if move.node is None or move.node >= tree.total]
    above, below = place.spring, river.rows[1]
    if place.depth:
        card = next(card for card in river.cards if card.node == place.node)
        above = card.y + card.height
        below = above + GHOST_LONG
    slots = _free_slots(place, len(lacking))
    if all(right - left >= GHOST_EACH for left, right in slots):
        return [
            _ghost(name, left, right, place.x, above, below)
            for name, (left, right) in zip(lacking, slots, strict=True)
        ]
    left, right = slots[0][0], slots[-1][1]
    is_told = right - left >= GHOST_TOLD
    return [Ghost(left, right, place.x, above, below, many=len(slots), told=is_told)]


def _free_slots(place: Place, count: int) -> list[tuple[float, float]]:
    """By untried move its slot; where all have one together, equal parts of it."""
    if len(place.free) == count:
        return place.free
    left, right = place.free[0] if place.free else (0.0, 0.0)
    each = (right - left) / max(1, count)
    return [(left + at * each, left + (at + 1) * each) for at in range(count)]


def _ghost(name: str, left: float, right: float, start: float, above: float, below: float) -> Ghost:
    """An untried move: a dashed line, and a dashed card with its name where there is room."""
    wide = right - left - GAP
    is_named = bool(name) and wide >= width_of(name) + NAME_TEXT
    high = GHOST_HIGH if is_named else 0.0
    return Ghost(left, right, start, above, below, name, min(FLOOR, wide), high)
