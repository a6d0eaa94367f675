"""The choice of the nodes that a picture of a tree shows at a moment, each in one place for good.

The legal moves of the root have a lane each, from left to right; if there are many, a group of
neighbouring moves has one. Within a lane the moves after that move have lanes of their own, as
many as there is room for. So where a node is follows from the rules of the game alone: no card
that stays ever moves, nothing crosses, and films of any length agree.

Of a group the node with most visits is shown, or the one on the walk. The rows below the third
belong to the walk, which is folded where it is too long for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, Protocol

WIDE: Final = 934.0
HIGH: Final = 560.0
"""The size of a picture, in points."""
HALF_WIDE: Final = 462.0
"""The width of one of two pictures side by side."""
SLOT: Final = 51.3
"""The least width of a lane."""
GROUP: Final = 71.0
"""The least width of a lane of the root where moves share one."""
APART: Final = (0.0, 200.0, 130.0, 130.0)
"""For each row: so far siblings are from each other at most."""
LAST_ROW: Final = 3
"""The deepest row with cards beside the walk."""
DEEP: Final = 150.0
"""The width of a card below it."""
ROWS: Final = 7
FOLDED: Final = -1
"""The row of a node of the walk that is folded away."""


class Place(NamedTuple):
    """The place of a node: its middle and its row, and the borders of its lane."""

    node: int
    """-1 of a place that is free."""
    x: float
    row: int
    left: float
    right: float
    room: float
    """The width of the place itself: its neighbours are so far away."""
    moves: range = range(0)
    """The moves whose place it is, by their number among all in the position above."""


class Tree(Protocol):
    """A tree at a moment, as far as places depend on it."""

    @property
    def way(self) -> Sequence[int]:
        """The walk, from the root to its last node, be that there yet or not."""

    @property
    def path(self) -> Sequence[int]:
        """As much of the walk as is there."""

    @property
    def is_played_out(self) -> bool:
        """True if a playout hangs from the end of the walk."""

    def count(self, node: int) -> int:
        """The number of legal moves there."""

    def children(self, node: int) -> Sequence[int]:
        """The children that are there."""

    def rank(self, child: int) -> int:
        """The number of a child's move among the legal moves, from 0."""

    def weights(self, nodes: Sequence[int]) -> list[int]:
        """For each node: how much it counts; none counts more than its parent."""

    @property
    def least(self) -> float:
        """So much a node below the first row must count to be shown."""


class Layout(NamedTuple):
    """The places of a moment."""

    shown: dict[int, Place]
    """By node, parents first, siblings in the order of their moves."""
    free: dict[int, list[Place]]
    """By node that is shown: the places of its moves that have no card."""
    folded: int
    """How many nodes of the walk are not drawn."""
    wide: float = WIDE
    """The width of the picture."""

    @property
    def groups(self) -> int:
        """The number of groups that the root's moves form; 0 if each has a place of its own."""
        places = [*self.free.get(0, ()), *(each for each in self.shown.values() if each.row == 1)]
        return len(places) if any(len(place.moves) > 1 for place in places) else 0


def row_of(depth: int, deepest: int, rows: int = ROWS) -> int:
    """The row of a node of a walk: the middle of a long one is folded."""
    if deepest < rows or depth <= LAST_ROW:
        return depth
    row = rows - 1 - (deepest - depth)
    return row if row > LAST_ROW else FOLDED


def lay_out(tree: Tree, count: int, wide: float = WIDE) -> Layout:
    """Place at most ``count`` nodes, the walk and those that count most, in a picture so wide."""
    rows = _Rows(tree, wide)
    level = [*rows.shown.values()]
    while level:
        level = rows.below(level)
    return _with_the_end(tree, rows.heaviest(count), rows.free, wide)


def along_the_walk(tree: Tree, count: int, wide: float) -> Layout:
    """Place the walk alone, each of its nodes amid those siblings that count most."""
    kept = {0: Place(0, wide / 2, 0, 0.0, wide, WIDE)}
    most = int(wide / SLOT)
    step = wide / most
    for row, (above, node) in enumerate(pairwise(tree.path[: LAST_ROW + 1]), 1):
        family = tree.children(above)
        weights = dict(zip(family, tree.weights(family), strict=True))
        best = sorted(family, key=lambda child: (child != node, -weights[child], child))[:most]
        shown = sorted(best, key=tree.rank)
        left = kept[above].x - step * len(shown) / 2
        left = max(0.0, min(wide - step * len(shown), left))
        for place, child in enumerate(shown):
            x = left + step * (place + 0.5)
            kept[child] = Place(child, x, row, x - wide / 4, x + wide / 4, step)
    return _with_the_end(tree, kept, {}, wide, ROWS - 1)


def _with_the_end(
    tree: Tree,
    kept: dict[int, Place],
    free: dict[int, list[Place]],
    wide: float,
    rows: int = ROWS,
) -> Layout:
    """The layout with what is shown of the walk below the third row."""
    way = tree.way
    for depth, node in enumerate(tree.path[LAST_ROW + 1 :], LAST_ROW + 1):
        row, above = row_of(depth, len(way) - 1, rows), kept[way[LAST_ROW]]
        if row != FOLDED:
            x = min(max(above.x, DEEP / 2 + 2), wide - DEEP / 2 - 2)
            kept[node] = above._replace(node=node, x=x, row=row, room=DEEP)
    return Layout(kept, free, len(tree.path) - len({*tree.path} & {*kept}), wide)


class _Rows:
    """The rows that have room beside the walk."""

    def __init__(self, tree: Tree, wide: float) -> None:
        self.tree = tree
        self.shown = {0: Place(0, wide / 2, 0, 0.0, wide, wide)}
        self.weights = {0: tree.weights([0])[0]}
        self.free: dict[int, list[Place]] = {}
        way = tree.way
        self.end = way[-1] if tree.is_played_out and len(way) > 1 else -1
        """Its playout is drawn below it, so its children are not."""

    def below(self, level: Sequence[Place]) -> list[Place]:
        """The next row; nothing below the last one."""
        tree, found = self.tree, list[Place]()
        if level[0].row == LAST_ROW:
            return found
        children = {above.node: tree.children(above.node) for above in level}
        children.pop(self.end, None)
        every = [child for family in children.values() for child in family]
        self.weights |= zip(every, tree.weights(every), strict=True)
        for above in level:
            found += self._family(above, children.get(above.node))
        self.shown |= {place.node: place for place in found}
        return found

    def _family(self, above: Place, children: Sequence[int] | None) -> Iterator[Place]:
        """The places of a node's children that are shown; the others are noted as free."""
        if children is None:
            return
        places = _places(above, self.tree.count(above.node))
        taken = self._chosen(places, children)
        self.free[above.node] = [place for n, place in enumerate(places) if n not in taken]
        yield from (place._replace(node=taken[n]) for n, place in enumerate(places) if n in taken)

    def _chosen(self, places: Sequence[Place], children: Sequence[int]) -> dict[int, int]:
        """The child that has each place, by the number of the place."""
        best: dict[int, tuple[bool, int, int]] = {}
        of = [number for number, place in enumerate(places) for _ in place.moves]
        if not of:
            return {}
        for child in children:
            number = of[min(self.tree.rank(child), len(of) - 1)]
            claim = (child in self.tree.way, self.weights[child], -child)
            seen = claim[0] or places[0].row == 1 or claim[1] >= self.tree.least
            if seen and claim > best.get(number, (False, -1, 0)):
                best[number] = claim
        return {number: -claim[2] for number, claim in best.items()}

    def heaviest(self, count: int) -> dict[int, Place]:
        """The walk, and of the other nodes as many as there may be."""
        walk = {*self.tree.path} & {*self.shown}
        others = [node for node in self.shown if node not in walk]
        others.sort(key=lambda node: (-self.weights[node], node))
        kept = walk.union(others[: max(0, count - len(self.tree.path))])
        return {node: place for node, place in self.shown.items() if node in kept}


def _places(above: Place, count: int) -> list[Place]:
    """The places below a node, for so many moves."""
    if not count:
        return []
    wide = above.right - above.left
    most = max(1, int(wide / SLOT))
    places = min(count, most)
    if count > most and not above.row:
        places = int(wide / GROUP)
    step = min(wide / places, APART[above.row + 1])
    first = above.x - step * (places - 1) / 2
    first = min(max(first, above.left + step / 2), above.right - step * (places - 0.5))
    found = []
    for number in range(places):
        x = first + step * number
        left = x - step / 2 if number else above.left
        right = x + step / 2 if number < places - 1 else above.right
        moves = range(-(-number * count // places), -(-(number + 1) * count // places))
        found.append(Place(-1, x, above.row + 1, left, right, step, moves))
    return found
