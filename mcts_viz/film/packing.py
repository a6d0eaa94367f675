"""What the data of all films have in common: typed arrays packed into bytes, boards, sizes."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import Element, tostring

import numpy as np
from numpy.typing import NDArray

from .boards import GLOW, Board, draw_board
from .drawing import SVG, AnyFilm, Drawing, blank_card
from .words import move_order, plain

Array = NDArray[Any]


def board_facts(board: Board | None) -> dict[str, Any] | None:
    """How a board is drawn; ``None`` for a game without one."""
    if board is None:
        return None
    box = {"xmlns": SVG, "viewBox": f"0 0 {10 * board.columns} {10 * board.rows}"}
    empty = Element("svg", {"class": "mcts-board", "aria-hidden": "true", **box})
    draw_board(empty, board, (), ())
    return {
        "rows": board.rows,
        "columns": board.columns,
        "picture": tostring(empty, encoding="unicode"),
        "glow": GLOW,
        "pieces": [piece.path for piece in board.pieces],
    }


def film_payload(
    drawing: Drawing, facts: dict[str, Any], columns: dict[str, Array]
) -> dict[str, Any]:
    """``{"facts": JSON values, "columns": bytes}``: these, and what all films have."""
    positions, position_columns = _positions(drawing.data)
    index, data = _packed(position_columns | columns)
    facts = {**_drawing(drawing), **positions, **facts, "columns": index}
    return {"facts": facts, "columns": data}


def _drawing(drawing: Drawing) -> dict[str, Any]:
    """What it is a film of, how positions and cards look, and where they stand in the tree."""
    data, templates = drawing.data, {}
    for kind, template in drawing.card_templates.items():
        card = blank_card(data, kind, template)
        card.set("xmlns", SVG)
        size = {name: template.get(name) for name in ("width", "height", "bar")}
        templates[kind] = {**size, "picture": tostring(card, encoding="unicode")}
    return {
        "kind": data.kind,
        "title": data.title,
        "subtitle": data.subtitle,
        "phases": list(data.phases),
        "iterations": len(data.iterations),
        "total": len(data.source),
        "board": board_facts(data.board),
        "card_templates": templates,
        "tree": _tree(drawing),
    }


def _tree(drawing: Drawing) -> dict[str, Any] | None:
    """Where all nodes stand; ``None`` where they are too many for cards."""
    if drawing.every is None:
        return None
    nodes, layout = drawing.every
    size = {"width": layout.width, "height": layout.height}
    return {"nodes": nodes, "corners": layout.corners, "edges": layout.edges, **size}


def _positions(data: AnyFilm) -> tuple[dict[str, Any], dict[str, Array]]:
    """By node: its parent, its move's label and order, and its cells if there is a board."""
    trace, board = data.trace, data.board
    columns: dict[str, Array] = {"parent": trace.parent, "order": move_order(trace)}
    nodes = range(len(trace.parent))
    if board and board.lands:
        labels = ["", *(plain(str(action)) for action in trace.actions)]
        columns["label"] = np.where(trace.parent < 0, 0, trace.action + 1).astype(np.uint16)
        columns["cells"] = node_cells(data).ravel()
        return {"labels": labels}, columns
    labels, columns["label"] = numbered([plain(trace.label(node)) for node in nodes])
    if board:
        cells = b"".join(bytes(board.cells(trace.state(node))) for node in nodes)
        columns["cells"] = np.frombuffer(cells, np.uint8)
    return {"labels": labels}, columns


def node_cells(data: AnyFilm) -> Array:
    """By node: its cells, each level of the tree at once."""
    trace, board = data.trace, data.board
    assert board
    assert board.lands
    depth, above = np.zeros(len(trace.parent), np.intp), trace.parent
    while (below := above >= 0).any():
        depth += below
        above = np.where(below, trace.parent[above], -1)
    actions = np.array([int(action) for action in trace.actions], np.int64)
    cells = np.zeros((len(depth), board.rows * board.columns), np.uint8)
    cells[0] = list(board.cells(trace.root_state))
    first = data.game.to_move(trace.root_state)
    for level in range(1, depth.max() + 1):
        nodes = np.flatnonzero(depth == level)
        before = cells[trace.parent[nodes]]
        places = board.lands(before, actions[trace.action[nodes]])
        before[np.arange(len(nodes)), places] = (first + level - 1) % 2 + 1
        cells[nodes] = before
    return cells


def numbered(labels: Sequence[str]) -> tuple[list[str], Array]:
    """The different labels, and each one's number among them."""
    table: dict[str, int] = {}
    numbers = [table.setdefault(label, len(table)) for label in labels]
    return list(table), np.array(numbers, np.uint16 if len(table) <= 2**16 else np.uint32)


def _packed(columns: dict[str, Array]) -> tuple[dict[str, Any], bytes]:
    """Where each column begins, its type and length; and all of them, deflated."""
    index, parts, offset = {}, [], 0
    for name, values in columns.items():
        kind = values.dtype.name.capitalize()  # as JavaScript's typed arrays are called
        index[name] = {"type": kind, "offset": offset, "length": len(values)}
        part = values.astype(values.dtype.newbyteorder("<")).tobytes()
        part += bytes(-len(part) % 8)  # typed arrays begin at multiples of their item's size
        parts.append(part)
        offset += len(part)
    # The fastest way: a reader waits for it, and hardly for the transport.
    return index, zlib.compress(b"".join(parts), 1)
