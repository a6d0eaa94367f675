"""The facts and columns of a walk by minimax."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...trace.minimax_trace import EVALUATE, MinimaxTrace
from ..minimax_film import MinimaxFilm
from .columns import Array, Columns, numbered
from .tree import cells


def of_minimax(data: MinimaxFilm) -> tuple[dict[str, Any], Columns]:
    """Each node has a short history: the steps that happened there, and what its card says then."""
    trace, (leaves, estimated) = data.trace, data.leaves
    cards = [data.card(step) for step in data.steps.tolist()]
    columns: Columns = {
        "order": data.order,
        "created_at": data.created_at,
        "event": trace.event,
        "leaf": trace.node,
        "steps": data.steps,
        "step_ends": data.step_ends,
        "cut": data.cut,
        "pruned": trace.pruned,
        "skipped": np.array([n for counts in data.skipped for n in counts], np.float32),
        "skipped_ends": np.cumsum([0, *map(len, data.skipped)]),
        "leaves": leaves.astype(np.float32),
        "ended": _ended(trace),
        "fill": np.array([card.fill for card in cards], np.float32),
    }
    heads = ["move", "value", "for MAX", "window" if data.narrows else ""]
    facts: dict[str, Any] = {"heads": heads, "estimated": estimated}
    steps = data.iterations.tolist()
    for fact, column, texts in (
        ("labels", "label", data.labels),
        ("values", "value", [card.share for card in cards]),
        ("windows", "window", [card.score for card in cards]),
        ("captions", "caption", [data.caption(step) for step in steps]),
        ("code", "line", [data.line(step) for step in steps]),
    ):
        facts[fact], columns[column] = numbered(texts)
    if data.board:
        columns["cells"] = cells(trace, data.board).ravel()
    return facts, columns


def _ended(trace: MinimaxTrace) -> Array:
    """The result of each step that ends a game: 0 MAX won, 1 a draw, 2 MIN won; else 3."""
    return np.where(trace.event == EVALUATE, 1 - np.sign(np.nan_to_num(trace.value)), 3)
