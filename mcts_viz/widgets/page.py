"""A film as one HTML file that needs nothing else: no kernel, no network, no server."""

from __future__ import annotations

import base64
import json
from html import escape
from typing import Any

from ..view import Film
from .player import script, style

__all__ = ["page"]

# The page may run what stands in it and ask nobody for anything.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"

OPEN = """
const data = (name) => JSON.parse(document.getElementById(name).textContent);
const bytes = Uint8Array.from(atob(data("columns")), (letter) => letter.charCodeAt(0));
const host = document.getElementById("film");
mount(host, data("facts"), bytes, () => {}).then(
  (player) => player.go(...data("moment")),
  (error) => host.append(`The film cannot be shown in this browser (${error.message}).`),
);
"""


def page(film: Film, iteration: int | None = None, phase: str | None = None) -> str:
    """The player of a film as an HTML document, which opens at that moment (else at the start)."""
    payload = film.payload()
    facts, phases = payload["facts"], payload["facts"]["phases"]
    begin = film.frame(
        1 if iteration is None else iteration, film.first_phase if phase is None else phase
    )
    head = (
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(facts['title'], quote=False)}</title>"
        f"<style>{style()}\n"
        ":root { color-scheme: light dark; }\n"
        "h1, h2 { max-width: 1240px; margin: 8px auto; font: bold 18px sans-serif; }\n"
        "h2 { font: 14px sans-serif; }\n"
        ".mcts-player { margin: 0 auto; }</style>"
    )
    body = (
        "<main><h1>Monte Carlo Tree Search, step by step</h1>"
        "<h2>The keys ← and → go from phase to phase, with Shift from iteration to iteration</h2>"
        '<div id="film"></div></main>'
        f"<noscript>{film.to_svg(begin.iteration, begin.phase, crop=True)}</noscript>"
        + _data("facts", facts)
        + _data("columns", base64.b64encode(payload["columns"]).decode("ascii"))
        + _data("moment", [begin.iteration, phases.index(begin.phase)])
        + f'<script type="module">{script()}\n{OPEN}</script>'
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _data(name: str, value: Any) -> str:
    """JSON that a page holds; no text in it can end the element it stands in."""
    text = json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'
