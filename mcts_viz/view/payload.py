"""A film as data for the player: one small JSON object, and typed arrays packed into bytes.

The player is told no formula and no rule: it looks numbers up, and fills them in. The arrays are
little-endian, end to end, and deflated. The names of the fields are those that ``film.js`` reads.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree.ElementTree import tostring

import numpy as np
from numpy.typing import NDArray

from ..search import PHASES
from .boards import grid_path, piece_class
from .captions import PATTERNS, algorithm, caption_numbers
from .drawing import PAD, STUB_HEIGHT, Drawing
from .reel import Reel
from .words import outcome_text, plain, plain_lines, rewards_text, rule_label, subtitle, title

__all__ = ["payload"]

Array = NDArray[Any]


def payload(drawing: Drawing) -> dict[str, Any]:
    """``{"facts": JSON values, "columns": bytes}``; the facts say where each column begins."""
    reel = drawing.reel
    facts, columns = _facts(drawing), _columns(reel)
    moves, move_columns = _playout_moves(reel)
    labels = [plain(reel.trace.label(node)) for node in _nodes(reel)]
    facts["labels"], columns["label"] = _numbered(labels)
    facts["move_labels"], columns["move_label"] = _numbered(moves)
    if reel.board is None:
        facts["texts"], columns["text"] = _numbered(
            ["\n".join(plain_lines(reel.game.text(reel.trace.state(n)))) for n in _nodes(reel)]
        )
    columns |= move_columns
    facts["columns"], packed = _packed(columns)
    return {"facts": facts, "columns": packed}


def _facts(drawing: Drawing) -> dict[str, Any]:
    """All that is not a long list of numbers."""
    reel, trace = drawing.reel, drawing.reel.trace
    lines, phase_lines = algorithm()
    low, high = reel.reward_range
    return {
        "title": title(trace),
        "subtitle": subtitle(trace),
        "rule": rule_label(trace),
        "iterations": trace.iterations,
        "nodes": len(trace.parent),
        "phases": list(PHASES),
        "players": [plain(player) for player in trace.game.players],
        "algorithm": {"lines": lines, "phase_lines": phase_lines},
        "patterns": list(PATTERNS),
        "outcomes": [
            {
                "result": outcome_text(trace.game, outcome.returns),
                "rewards": rewards_text(trace.game, outcome.rewards),
            }
            for outcome in trace.outcomes
        ],
        "reward_range": [low, high],
        "cards": list(reel.cards),
        "stubs": list(reel.stubs),
        "families": [
            {"parent": family.parent, "children": list(family.children)}
            for family in reel.families.values()
        ],
        "board": _board(reel),
        "drawing": {
            "svg": tostring(drawing.svg, encoding="unicode"),
            "width": drawing.width,
            "height": drawing.height,
            "bar": drawing.bar_width,
            "board_scale": drawing.board_scale,
            "stubs": [drawing.stub_place(card) for card in reel.stubs],
            "stub_height": STUB_HEIGHT,
            "strip": {
                "columns": drawing.strip_columns,
                "step": drawing.card_width + PAD,
                "top": drawing.strip_top,
                "left_of": drawing.card_width / 2,
            },
        },
    }


def _board(reel: Reel) -> dict[str, Any] | None:
    board = reel.board
    if board is None:
        return None
    return {
        "rows": board.rows,
        "columns": board.columns,
        "grid": grid_path(board),
        "pieces": [{"path": piece.path, "class": piece_class(piece)} for piece in board.pieces],
    }


def _columns(reel: Reel) -> dict[str, Array]:
    """By node, by iteration, by moment, and over time for each node and family."""
    trace = reel.trace
    births = list(reel.stubs.values())
    cells = b""
    if reel.board:
        cells = b"".join(bytes(reel.board.cells(trace.state(node))) for node in _nodes(reel))
    # By term, child and visit, so that what seldom changes is a long run of the same bytes.
    terms = [family.terms.transpose(2, 1, 0).ravel() for family in reel.families.values()]
    return {
        "parent": trace.parent,
        "birth": trace.birth.astype(np.uint32),
        "mover": trace.mover.astype(np.uint8),
        "owner": reel.owner.astype(np.uint32),
        "cells": np.frombuffer(cells, np.uint8),
        "leaf": trace.leaf.astype(np.uint32),
        "outcome": trace.outcome.astype(np.uint32),
        "walked": reel.walked.astype(np.uint16),
        "margin": reel.margins,
        "pattern": caption_numbers(reel),
        "visit_times": reel.visit_times,
        "visit_wins": reel.visit_wins,
        "visit_ends": reel.visit_ends.astype(np.uint32),
        "visits_before": trace.visits_before.astype(np.uint32),
        "wins_before": trace.wins_before.astype(np.float32),
        "terms": _joined(terms, np.float32),
        "stub_births": _joined(births, np.uint32),
        "stub_ends": np.cumsum([0, *map(len, births)]).astype(np.uint32),
    }


def _playout_moves(reel: Reel) -> tuple[list[str], dict[str, Array]]:
    """Each playout move's label, and on a board the cells it changes, all playouts end to end."""
    trace, game, board = reel.trace, reel.game, reel.board
    labels: list[str] = []
    changes, places, pieces = [], bytearray(), bytearray()
    for iteration, leaf in enumerate(trace.leaf.tolist(), start=1):
        state = trace.state(leaf)
        before = board.cells(state) if board else ()
        for code in trace.playouts[iteration].tolist():
            action = trace.actions[code]
            labels.append(plain(game.action_label(state, action)))
            state = game.play(state, action)
            if board:
                after = board.cells(state)
                changed = [i for i, cell in enumerate(after) if cell != before[i]]
                changes.append(len(changed))
                places.extend(changed)
                pieces.extend([after[i] for i in changed])
                before = after
    return labels, {
        "moves": trace.playouts.lengths.astype(np.uint16),
        "changes": np.array(changes, np.uint8),
        "change_place": np.frombuffer(bytes(places), np.uint8),
        "change_piece": np.frombuffer(bytes(pieces), np.uint8),
    }


def _nodes(reel: Reel) -> Iterable[int]:
    return range(len(reel.trace.parent))


def _numbered(labels: Sequence[str]) -> tuple[list[str], Array]:
    """The different labels, and each one's number among them."""
    table: dict[str, int] = {}
    numbers = [table.setdefault(label, len(table)) for label in labels]
    return list(table), np.array(numbers, np.uint16 if len(table) <= 2**16 else np.uint32)


def _joined(parts: Sequence[Array], kind: type) -> Array:
    return np.concatenate([np.zeros(0, kind), *parts]).astype(kind)


_TYPES = {"u1": "Uint8", "u2": "Uint16", "u4": "Uint32", "i4": "Int32", "f4": "Float32"}


def _packed(columns: dict[str, Array]) -> tuple[dict[str, Any], bytes]:
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
