"""The places of a tree's boxes, as a textbook has them: for graphs, and for small trees in lessons.

Two engines: Graphviz inside this process (pygraphviz), and a tidy layout of our own, which needs
nothing. Both put the boxes of one depth on one row and keep siblings in the order of their numbers.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from functools import cache
from math import inf
from typing import NamedTuple

from .graph import render

INCH = 72.0  # points
BOX_GAP = 0.06 * INCH  # between neighbours of one row
ROW_GAP = 0.3 * INCH  # between one row and the next
SYSTEM_LIBRARIES = ("libexpat1", "libglib2.0-0", "libxext6", "libxrender1")
"""Libraries that pygraphviz's wheels lack on Linux: a desktop has them, a container may not."""

Point = tuple[float, float]
Sizes = Sequence[tuple[float, float]]
Outline = list[tuple[float, float]]  # of a subtree: (left, right) of each row, from its root's x


class Layout(NamedTuple):
    """The place of everything, in points (1/72 inch), x to the right, y down, origin top left."""

    engine: str  # "pygraphviz" or "tidy"
    width: float
    height: float
    centers: tuple[Point, ...]  # the centre of each box, by box number


def lay_out(sizes: Sizes, parents: Sequence[int], tidy: bool = False) -> Layout:
    """Place the boxes of a tree: by Graphviz, or by our own `tidy` layout, which is faster.

    `sizes[i]` is the (width, height) of box i in points, the same height for all boxes of a depth;
    `parents[i]`, a smaller number, is the box above it, and -1 for box 0, the root. Where Graphviz
    does not work, ours takes its place, with one warning.
    """
    try:
        text = "" if tidy else str(render(_dot_source(sizes, parents), "plain", "dot"), "ascii")
        engine, centers = "pygraphviz", _parse_plain(text, len(sizes))
    except Exception:  # not wanted, missing, broken or talking nonsense
        if not tidy and sys.platform != "emscripten":  # a browser has no better one to install
            _warn_once()
        engine, centers = "tidy", _tidy(sizes, parents)
    left = min(x - w / 2 for (x, _), (w, _) in zip(centers, sizes, strict=True))
    top = min(y - h / 2 for (_, y), (_, h) in zip(centers, sizes, strict=True))
    centers = [(round(x - left, 1), round(y - top, 1)) for x, y in centers]
    width = max(x + w / 2 for (x, _), (w, _) in zip(centers, sizes, strict=True))
    height = max(y + h / 2 for (_, y), (_, h) in zip(centers, sizes, strict=True))
    return Layout(engine, round(width, 1), round(height, 1), tuple(centers))


@cache
def _warn_once() -> None:
    warnings.warn(
        "Graphviz is not available, so trees are drawn with the built-in layout; for the better "
        "one, run `pip install --force-reinstall pygraphviz` (on Linux its libraries are "
        f"{' '.join(SYSTEM_LIBRARIES)}).",
        stacklevel=3,
    )


def rows_of(parents: Sequence[int]) -> list[list[int]]:
    """The numbers of the boxes of every depth."""
    depths = [0]
    for parent in parents[1:]:
        depths.append(depths[parent] + 1)
    rows: list[list[int]] = [[] for _ in range(max(depths) + 1)]
    for box, depth in enumerate(depths):
        rows[depth].append(box)
    return rows


def _dot_source(sizes: Sizes, parents: Sequence[int]) -> str:
    """The tree in DOT: generated names and numbers only, never a label."""
    boxes = [f"n{i} [width={w / INCH:.4f} height={h / INCH:.4f}]" for i, (w, h) in enumerate(sizes)]
    edges = [f"n{parent} -> n{i}" for i, parent in enumerate(parents) if i]
    head = f"""digraph {{
graph [ordering=out splines=false nodesep={BOX_GAP / INCH:.2f} ranksep={ROW_GAP / INCH:.2f}]
node [shape=box fixedsize=true label=""]"""
    return "\n".join([head, *boxes, *edges, "}"])


def _parse_plain(text: str, count: int) -> list[Point]:
    """The centres in Graphviz's "plain" format (inches, y up), or an error if it is not that."""
    centers: dict[str, Point] = {}
    for line in text.replace("\\\n", "").splitlines():  # a backslash continues a long line
        match line.split():
            case ["node", name, x, y, *_]:
                centers[name] = float(x) * INCH, -float(y) * INCH
    if not all(-inf < number < inf for center in centers.values() for number in center):
        raise ValueError("Graphviz gave a box no place.")
    return [centers[f"n{i}"] for i in range(count)]


def _tidy(sizes: Sizes, parents: Sequence[int]) -> list[Point]:
    """Rows by depth, parents centred over their children, subtrees as close as their outlines let.

    After A. Kennedy, "Drawing trees", Journal of Functional Programming 6(3), 1996. A parent comes
    before its children, so loops over the numbers do what a recursion would, at any depth.
    """
    ys, top = [0.0] * len(sizes), 0.0
    for row in rows_of(parents):
        height = max(sizes[box][1] for box in row)
        for box in row:
            ys[box] = top + height / 2
        top += height + ROW_GAP
    return list(zip(_columns(sizes, parents), ys, strict=True))


def _columns(sizes: Sizes, parents: Sequence[int]) -> list[float]:
    """The x of the centre of every box."""
    children: list[list[int]] = [[] for _ in sizes]
    for box in range(1, len(sizes)):
        children[parents[box]].append(box)
    outlines: dict[int, Outline] = {}
    xs = [0.0] * len(sizes)  # from the parent at first
    for box in reversed(range(len(sizes))):
        below = [outlines.pop(child) for child in children[box]]
        places = _spread(below)
        for child, x in zip(children[box], places, strict=True):
            xs[child] = x
        outlines[box] = [(-sizes[box][0] / 2, sizes[box][0] / 2), *_outer(below, places)]
    for box in range(1, len(sizes)):
        xs[box] += xs[parents[box]]
    return xs


def _outer(outlines: Sequence[Outline], places: Sequence[float]) -> Outline:
    """The outline of several side by side, from left to right."""
    rows: Outline = []
    for outline, x in zip(outlines, places, strict=True):
        for depth, (left, right) in enumerate(outline):
            first = rows[depth][0] if depth < len(rows) else x + left
            rows[depth : depth + 1] = [(first, x + right)]
    return rows


def _spread(outlines: Sequence[Outline]) -> list[float]:
    """Places of siblings, 0 in the middle: the mean of packing them leftwards and rightwards."""
    mirrored = [[(-right, -left) for left, right in outline] for outline in reversed(outlines)]
    both = zip(_pack(outlines), reversed(_pack(mirrored)), strict=True)
    means = [(left - right) / 2 for left, right in both]
    return [x - (means[0] + means[-1]) / 2 for x in means]


def _pack(outlines: Sequence[Outline]) -> list[float]:
    """Push each subtree as far left as the ones before it allow, row by row."""
    edge: list[float] = []  # the right edge so far of each row
    xs: list[float] = []
    for outline in outlines:
        pairs = zip(edge, outline, strict=False)
        x = max((right + BOX_GAP - left for right, (left, _) in pairs), default=0.0)
        edge[: len(outline)] = [x + right for _, right in outline]
        xs.append(x)
    return xs
