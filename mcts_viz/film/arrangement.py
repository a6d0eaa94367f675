"""Where the cards stand. Laid out once, for the final tree, so that no card ever moves.

A page is narrow and a game tree is wide. Where one row a depth would be too wide, leaves of the
same parent hang from a stem in one or two columns, as in an organisation chart, and Graphviz is
handed each such bundle as one box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .layout import lay_out, rows_of

PAGES: Final = ((580.0, 440.0), (900.0, 570.0))
"""Width and height, in points, of the pane in a notebook on a laptop, and on a page of its own."""
READABLE: Final = 0.93
"""How small the pane may show cards with text: of 12 points, 11 are left."""
STEM: Final = 6.0
LEAD: Final = 4.0
ROW_GAP: Final = 4.0


@dataclass(frozen=True)
class Arrangement:
    """The corners of all cards and the edges to them, in points, y down, by place in the list."""

    engine: str
    width: float
    height: float
    corners: tuple[tuple[float, float], ...]
    edges: tuple[str, ...]
    """SVG path data from the parent's card; "" for the root."""


def arrange(
    parents: Sequence[int],
    sizes: Sequence[tuple[float, float]],
    overhang: float = 0.0,
    engine: str | None = None,
) -> Arrangement:
    """Place cards of these ``sizes``; ``parents[i] < i`` is the card above card i, -1 for the root.

    Leaves of one parent are alike. Below each card, ``overhang`` points are kept free.
    """
    inner = set(parents)
    leaves: list[list[int]] = [[] for _ in parents]
    for card, parent in enumerate(parents):
        if card and card not in inner:
            leaves[parent].append(card)
    ways = [(_arrange(parents, [[] for _ in parents], 1, sizes, overhang, engine), 1.0)]
    if scale_on(PAGES[0], ways[0][0]) < 1:
        for columns, liking in ((2, 1.0), (1, 0.85)):  # one column looks less like a tree
            bundles = [cards if len(cards) > columns else [] for cards in leaves]
            ways.append((_arrange(parents, bundles, columns, sizes, overhang, engine), liking))
    for page in PAGES:
        scales = {way: scale_on(page, way) for way, _ in ways}
        likings = [(scales[way] >= READABLE, scales[way] * liking, way) for way, liking in ways]
        readable, _, best = max(likings, key=lambda way: way[:2])
        if readable:
            break
    return best


def page_scale(arrangement: Arrangement) -> float:
    """How large a page shows it, at most 1."""
    return max(scale_on(page, arrangement) for page in PAGES)


def scale_on(page: tuple[float, float], arrangement: Arrangement) -> float:
    """How large this page shows it, at most 1."""
    return min(1.0, page[0] / arrangement.width, page[1] / arrangement.height)


def _arrange(
    parents: Sequence[int],
    bundles: Sequence[Sequence[int]],
    columns: int,
    sizes: Sequence[tuple[float, float]],
    overhang: float,
    engine: str | None,
) -> Arrangement:
    bundled = {card for cards in bundles for card in cards}
    alone = [card for card in range(len(parents)) if card not in bundled]
    box = {card: place for place, card in enumerate(alone)}
    owners = [card for card, cards in enumerate(bundles) if cards]
    above = [box[parents[card]] if card else -1 for card in alone] + [box[card] for card in owners]
    lead = LEAD if columns == 1 else 0.0  # room for the edge to reach its stem
    widths = [sizes[card][0] for card in alone]
    heights = [sizes[card][1] + overhang for card in alone]
    for owner in owners:
        wide, high = sizes[bundles[owner][0]]
        gap, rows = min(ROW_GAP, high / 2), -(-len(bundles[owner]) // columns)
        widths.append(columns * wide + STEM)
        heights.append(lead + rows * (high + overhang + gap) - gap)
    for row in rows_of(above):  # so that all cards of a depth begin on one line
        tallest = max(heights[place] for place in row)
        for place in row:
            heights[place] = tallest
    layout = lay_out(list(zip(widths, heights, strict=True)), above, engine)
    tops = [y - height / 2 for (_, y), height in zip(layout.centers, heights, strict=True)]
    from_card = [""]  # edges that start at the parent's card, not below the room kept for its depth
    for edge, parent in list(zip(layout.edges, above, strict=True))[1:]:
        start = tops[parent] + sizes[alone[parent]][1]
        from_card.append(f"M{layout.centers[parent][0]:.1f},{start:.1f}L{edge[1:]}")
    corners, edges = [(0.0, 0.0)] * len(parents), [""] * len(parents)
    for place, card in enumerate(alone):
        corners[card] = (layout.centers[place][0] - sizes[card][0] / 2, tops[place])
        edges[card] = from_card[place]
    for place, owner in enumerate(owners, start=len(alone)):
        wide, high = sizes[bundles[owner][0]]
        # One column stands to the right of its stem, two stand on either side.
        stem = layout.centers[place][0] - (wide / 2 if columns == 1 else 0)
        for order, card in enumerate(bundles[owner]):
            number, column = divmod(order, columns)
            y = tops[place] + lead + number * (high + overhang + min(ROW_GAP, high / 2))
            side, x = (-1, stem - STEM / 2 - wide) if column < columns - 1 else (1, stem + STEM / 2)
            corners[card] = (x, y)
            along = f"H{stem:.1f}V{y + high / 2:.1f}H{stem + side * STEM / 2:.1f}"
            edges[card] = from_card[place] + along
    return Arrangement(layout.engine, layout.width, layout.height, tuple(corners), tuple(edges))
