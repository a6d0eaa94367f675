"""A film of minimax or alpha-beta as data for the player; ``minimax_film.js`` reads these fields.

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
from .minimax_film import MinimaxCard, MinimaxFilm
from .packing import Array, film_payload, numbered

MARKS: Final = {
    "enter": r"for action, child in",
    "evaluate": r"child\.end",
    "back_up": r"if maximizing:",
    "cut_off": r"if alpha >= beta",
}
"""By event: what stands in the lines of the algorithm where it happens."""


def minimax_payload(drawing: Drawing, data: MinimaxFilm) -> dict[str, Any]:
    """``{"facts": JSON values, "columns": bytes}``, as :func:`mcts_viz.film.payload.payload`."""
    facts: dict[str, Any] = {"heads": ["move", "value", "for MAX", "window"]}
    trace = data.trace
    columns: dict[str, Array] = {
        "created_at": data.entry.astype(np.uint32),
        "event": trace.event.astype(np.uint8),
        "leaf": trace.node.astype(np.uint32),
        "steps": data.steps,
        "step_ends": data.step_ends.astype(np.uint32),
        "cut": data.cut,
        "pruned": trace.pruned.astype(np.uint16),
    }
    nodes = trace.node.tolist()
    cards = [
        MinimaxCard(nodes[step - 1], *data.after(step), on_path=False, new=False)
        for step in data.steps.tolist()
    ]
    columns["fill"] = np.array([data.fill(card) for card in cards], np.float32)
    texts = [data.texts(card) for card in cards]
    facts["values"], columns["value"] = numbered([value for value, _ in texts])
    facts["windows"], columns["window"] = numbered([window for _, window in texts])
    captions = [data.caption(step) for step in data.iterations.tolist()]
    facts["captions"], columns["caption"] = numbered(captions)
    facts["code"], columns["line"] = numbered(code(data))
    return film_payload(drawing, facts, columns)


def code(data: MinimaxFilm) -> list[str]:
    """By step: the line of the source in which it happens."""
    source = inspect.getsource(Walk.value).splitlines()
    lines = [
        next(line.strip() for line in source if re.search(MARKS[event], line)) for event in EVENTS
    ]
    return [lines[event] for event in data.trace.event.tolist()]
