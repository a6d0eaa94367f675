"""A film of minimax or alpha-beta as data for the player; ``film.js`` reads these fields.

Each node has a short history: the steps that happened there, and what its card says after each.
Few different texts occur, so they are sent once, and numbers point at them.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, Final

import numpy as np

from ..search import EVENTS, Walk
from .drawing import Drawing
from .minimax_reel import MinimaxCard, MinimaxReel
from .packing import (
    Array,
    drawing_facts,
    numbered,
    packed,
    position_columns,
)
from .words import move_order

__all__ = ["minimax_payload"]

MARKS: Final = {
    "enter": r"for action, child in",
    "evaluate": r"child\.end",
    "back_up": r"best = value",
    "cut_off": r"if alpha >= beta",
}
"""By event: what stands in the lines of the algorithm where it happens."""


def minimax_payload(drawing: Drawing, reel: MinimaxReel) -> dict[str, Any]:
    """``{"facts": JSON values, "columns": bytes}``, as :func:`mcts_viz.film.payload.payload`."""
    trace, facts, columns = reel.trace, _facts(drawing, reel), _columns(reel)
    cards = _cards(reel)
    columns["level"] = np.array([reel.level(card) for card in cards], np.float32)
    texts = [reel.texts(card) for card in cards]
    facts["values"], columns["value"] = numbered([value for value, _ in texts])
    facts["windows"], columns["window"] = numbered([window for _, window in texts])
    captions = [reel.caption(step) for step in range(1, len(trace) + 1)]
    facts["captions"], columns["caption"] = numbered(captions)
    facts["code"], columns["line"] = numbered(code(reel))
    position_facts, position = position_columns(reel)
    facts |= position_facts
    facts["columns"], data = packed(columns | position)
    return {"facts": facts, "columns": data}


def _facts(drawing: Drawing, reel: MinimaxReel) -> dict[str, Any]:
    return {
        "kind": "minimax",
        "title": reel.title,
        "subtitle": reel.subtitle,
        "phases": list(EVENTS),
        "iterations": len(reel.trace),
        "total": len(reel.trace),
        "heads": ["move", "value", "for MAX", "window"],
        **drawing_facts(drawing),
    }


def _cards(reel: MinimaxReel) -> list[MinimaxCard]:
    """Beside ``reel.steps``: what the card of the node says after each."""
    trace, table = reel.trace, reel.trace.numbers.tolist()
    cards = []
    for step in reel.steps.tolist():
        node = int(trace.node[step - 1])
        value, alpha, beta = (
            table[column[step - 1]] for column in (trace.value, trace.alpha, trace.beta)
        )
        known = value if np.isfinite(value) else None
        cards.append(MinimaxCard(node, known, alpha, beta, False, False))
    return cards


def _columns(reel: MinimaxReel) -> dict[str, Array]:
    trace = reel.trace
    return {
        "parent": trace.parent,
        "order": move_order(trace),
        "entry": reel.entry.astype(np.uint32),
        "event": trace.event.astype(np.uint8),
        "node": trace.node.astype(np.uint32),
        "steps": reel.steps,
        "step_ends": reel.step_ends.astype(np.uint32),
        "cut": reel.cut,
        "pruned": trace.pruned.astype(np.uint16),
    }


def code(reel: MinimaxReel) -> list[str]:
    """By step: the line of the source in which it happens."""
    source = inspect.getsource(Walk.value).splitlines()
    lines = [
        next(line.strip() for line in source if re.search(MARKS[event], line)) for event in EVENTS
    ]
    return [lines[event] for event in reel.trace.event.tolist()]
