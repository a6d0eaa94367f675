"""A film of minimax or alpha-beta as data for the player; ``minimax_film.js`` reads these fields.

Each node has a short history: the steps that happened there, and what its card says after each.
Few different texts occur, so they are sent once, and numbers point at them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .drawing import Drawing
from .minimax_film import MinimaxCard, MinimaxFilm
from .packing import Array, film_payload, numbered


def code(data: MinimaxFilm) -> list[str]:
    """By step: the line of the algorithm, as a textbook writes it, in which it happens."""
    best = {
        "MAX": "best = max(best, value)" + "; alpha = max(alpha, best)" * data.narrows,
        "MIN": "best = min(best, value)" + "; beta = min(beta, best)" * data.narrows,
    }
    called = (
        "value = self.value(child, alpha, beta)" if data.narrows else "value = self.value(child)"
    )
    lines = [called, "return self.utility(state)", "", "if alpha >= beta: break"]
    pairs = zip(data.trace.event.tolist(), data.trace.node.tolist(), strict=True)
    return [lines[event] or best[data.whose(node)] for event, node in pairs]


def minimax_payload(drawing: Drawing, data: MinimaxFilm) -> dict[str, Any]:
    """``{"facts": JSON values, "columns": bytes}``, as :func:`mcts_viz.film.payload.payload`."""
    facts: dict[str, Any] = {
        "heads": ["move", "value", "for MAX", "window" if data.narrows else ""],
    }
    trace = data.trace
    columns: dict[str, Array] = {
        "created_at": data.entry.astype(np.uint32),
        "event": trace.event.astype(np.uint8),
        "leaf": trace.node.astype(np.uint32),
        "steps": data.steps,
        "step_ends": data.step_ends.astype(np.uint32),
        "cut": data.cut,
        "pruned": trace.pruned.astype(np.uint16),
        "leaves": data.leaves.astype(np.float32),
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
