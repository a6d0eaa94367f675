"""What the data of all films have in common: typed arrays packed into bytes, boards, sizes."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree.ElementTree import tostring

import numpy as np
from numpy.typing import NDArray

from .arrangement import PAGE
from .boards import Board, grid_path, piece_class
from .drawing import (
    MARGIN,
    PAD,
    STRIP_GAP,
    STRIP_TITLE,
    STUB_ENDS,
    STUB_HEIGHT,
    STUB_LETTER,
    AnyReel,
    Drawing,
)
from .words import plain, plain_lines

__all__ = [
    "Array",
    "board_facts",
    "drawing_facts",
    "joined",
    "numbered",
    "packed",
    "position_columns",
]

Array = NDArray[Any]


def board_facts(board: Board | None) -> dict[str, Any] | None:
    """How a board is drawn; ``None`` for a game without one."""
    if board is None:
        return None
    return {
        "rows": board.rows,
        "columns": board.columns,
        "grid": grid_path(board),
        "pieces": [{"path": piece.path, "class": piece_class(piece)} for piece in board.pieces],
    }


def drawing_facts(drawing: Drawing) -> dict[str, Any]:
    """How cards look and where they stand at first; the player lays out what a reader opens."""
    layout = drawing.layout
    return {
        "blank": tostring(drawing.blank(), encoding="unicode"),
        "card": [drawing.card_width, drawing.card_height],
        "bar": drawing.bar_width,
        "board_scale": drawing.board_scale,
        "board_width": drawing.board_width,
        "stub": {"height": STUB_HEIGHT, "ends": STUB_ENDS, "letter": STUB_LETTER},
        "strip": {"gap": STRIP_GAP, "title": STRIP_TITLE},
        "margin": MARGIN,
        "pad": PAD,
        "page": PAGE,
        "layout": {
            "width": layout.width,
            "height": layout.height,
            "corners": layout.corners,
            "edges": layout.edges,
        },
    }


def position_columns(reel: AnyReel) -> tuple[dict[str, Any], dict[str, Array]]:
    """By node: the label of its move, and its cells, or its text where there is no board."""
    facts: dict[str, Any] = {}
    columns: dict[str, Array] = {}
    nodes: Iterable[int] = range(len(reel.trace.parent))
    facts["labels"], columns["label"] = numbered([plain(reel.trace.label(n)) for n in nodes])
    if reel.board is None:
        facts["texts"], columns["text"] = numbered(
            ["\n".join(plain_lines(reel.game.text(reel.trace.state(node)))) for node in nodes]
        )
    else:
        cells = b"".join(bytes(reel.board.cells(reel.trace.state(node))) for node in nodes)
        columns["cells"] = np.frombuffer(cells, np.uint8)
    return facts, columns


def numbered(labels: Sequence[str]) -> tuple[list[str], Array]:
    """The different labels, and each one's number among them."""
    table: dict[str, int] = {}
    numbers = [table.setdefault(label, len(table)) for label in labels]
    return list(table), np.array(numbers, np.uint16 if len(table) <= 2**16 else np.uint32)


def joined(parts: Sequence[Array], kind: type) -> Array:
    """All parts end to end."""
    return np.concatenate([np.zeros(0, kind), *parts]).astype(kind)


_TYPES = {
    "i1": "Int8",
    "u1": "Uint8",
    "u2": "Uint16",
    "u4": "Uint32",
    "i4": "Int32",
    "f4": "Float32",
}


def packed(columns: dict[str, Array]) -> tuple[dict[str, Any], bytes]:
    """Where each column begins, its type and length; and all of them, deflated."""
    index, parts, offset = {}, [], 0
    for name, values in columns.items():
        kind = f"{values.dtype.kind}{values.dtype.itemsize}"
        index[name] = {"type": _TYPES[kind], "offset": offset, "length": len(values)}
        part = values.astype(values.dtype.newbyteorder("<")).tobytes()
        part += bytes(-len(part) % 4)  # typed arrays begin at multiples of their item's size
        parts.append(part)
        offset += len(part)
    return index, zlib.compress(b"".join(parts))
