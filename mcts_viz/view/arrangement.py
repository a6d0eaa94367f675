"""Where the cards stand. Laid out once, for the final tree, so that no card ever moves.

A page is narrow and a game tree is wide. Where one row a depth would be too wide, leaves of the
same parent hang in two columns from a stem, as in an organisation chart, and Graphviz is handed
each such bundle as one box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .layout import lay_out

__all__ = ["Arrangement", "arrange"]

PAGE: Final = 900.0
"""Points across that a page shows at full size."""
BUNDLE: Final = 3
"""Leaves of one parent that are worth bundling."""
STEM: Final = 14.0
ROW_GAP: Final = 14.0


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
    size: tuple[float, float],
    overhang: float = 0.0,
    engine: str | None = None,
) -> Arrangement:
    """Place cards of one ``size``; ``parents[i] < i`` is the card above card i, -1 for the root.

    Below each card, ``overhang`` points are kept free.
    """
    leaves: list[list[int]] = [[] for _ in parents]
    inner = set(parents)
    for card, parent in enumerate(parents):
        if card and card not in inner:
            leaves[parent].append(card)
    flat = _arrange(parents, [[] for _ in parents], size, overhang, engine)
    if flat.width <= PAGE:
        return flat
    bundles = [cards if len(cards) >= BUNDLE else [] for cards in leaves]
    return _arrange(parents, bundles, size, overhang, engine)


def _arrange(
    parents: Sequence[int],
    bundles: Sequence[Sequence[int]],
    size: tuple[float, float],
    overhang: float,
    engine: str | None,
) -> Arrangement:
    wide, high = size[0], size[1] + overhang
    bundled = {card for cards in bundles for card in cards}
    alone = [card for card in range(len(parents)) if card not in bundled]
    box = {card: place for place, card in enumerate(alone)}
    owners = [card for card, cards in enumerate(bundles) if cards]
    above = [box[parents[card]] if card else -1 for card in alone] + [box[card] for card in owners]
    widths = [wide] * len(alone) + [2 * wide + STEM] * len(owners)
    heights = [high] * len(alone) + [_height(bundles[card], high) for card in owners]
    heights = _tallest_of_each_depth(heights, above)
    layout = lay_out(list(zip(widths, heights, strict=True)), above, engine)
    tops = [y - height / 2 for (_, y), height in zip(layout.centers, heights, strict=True)]
    corners = [(0.0, 0.0)] * len(parents)
    edges = [""] * len(parents)
    for card in alone:
        place = box[card]
        corners[card] = (layout.centers[place][0] - wide / 2, tops[place])
        edges[card] = _from_card(layout.edges[place], tops, above[place], size[1])
    for place, owner in enumerate(owners, start=len(alone)):
        cards = bundles[owner]
        x, top = layout.centers[place][0], tops[place]
        stem = _from_card(layout.edges[place], tops, above[place], size[1])
        for number, card in enumerate(cards):
            row, right = divmod(number, 2)
            left = x + STEM / 2 if right else x - STEM / 2 - wide
            corner = (left, top + row * (high + ROW_GAP))
            side = corner[0] if right else corner[0] + wide
            corners[card] = corner
            edges[card] = f"{stem}V{corner[1] + size[1] / 2:.1f}H{side:.1f}"
    return Arrangement(layout.engine, layout.width, layout.height, tuple(corners), tuple(edges))


def _height(cards: Sequence[int], high: float) -> float:
    return (len(cards) + 1) // 2 * (high + ROW_GAP) - ROW_GAP


def _tallest_of_each_depth(heights: Sequence[float], above: Sequence[int]) -> list[float]:
    """Equal heights within a depth, so that all cards of a depth begin on one line."""
    depths = [0]
    for parent in above[1:]:
        depths.append(depths[parent] + 1)
    tallest = [0.0] * (max(depths) + 1)
    for depth, height in zip(depths, heights, strict=True):
        tallest[depth] = max(tallest[depth], height)
    return [tallest[depth] for depth in depths]


def _from_card(edge: str, tops: Sequence[float], parent: int, card: float) -> str:
    """An edge that starts at the parent's card, not below the room kept for its depth."""
    x = edge[1:].split(",", 1)[0]
    return f"M{x},{tops[parent] + card:.1f}L{edge[1:]}" if edge else ""
