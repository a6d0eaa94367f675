"""One film, or two side by side, as one HTML file that needs no kernel and no network."""

from __future__ import annotations

import base64
import json
from html import escape
from typing import Any

from ..film import Film
from ..trace import Trace
from .bundle import script, style
from .player import tools_of

# The page may run what stands in it and ask nobody for anything.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"

OPEN = """
const data = JSON.parse(document.getElementById("data").textContent);
const host = document.getElementById("film");
const films = data.films.map(({ facts, columns }) => (
  { facts, columns: Uint8Array.from(atob(columns), (letter) => letter.charCodeAt(0)) }
));
if (top !== window) document.documentElement.classList.add("embedded");
const address = location.href.split("#")[0];
const named = { "file:": address.split("/").at(-1), "about:": "" }; // srcdoc has no address
films[0].facts.address = named[location.protocol] ?? address;
const open = async () => {
  const shown = await (films.length > 1
    ? mountPair(host, films, mount, { note: data.note, differ: data.differ })
    : mount(host, films[0].facts, films[0].columns, () => {}));
  // In a frame that has no address, its name says where to open.
  openAt(shown, location.hash.slice(1) || window.name, films[0].facts, data.moment);
  if (top === window) shown.element.focus({ preventScroll: true }); // the keys are heard at once
};
open().catch((error) => {
  host.append(`The film cannot be shown in this browser (${error.message}).`);
});
"""


def page(
    film: Film, iteration: int | None = None, phase: str | None = None, large: bool = False
) -> str:
    """The player of a film as an HTML document, which opens at that moment (else at the start).

    ``film.html#at=120.select&end=140&view=tree&autoplay`` opens it at another, stops after
    iteration 140, shows the whole tree and plays; each part may be left out. ``large`` opens it in
    large type, for a projector.
    """
    return document((film,), (iteration, phase), tools_of((), large), {})


def document(
    films: tuple[Film, ...],
    moment: tuple[int | None, str | None],
    tools: list[str],
    more: dict[str, Any],
) -> str:
    """One film, or two that are moved together: then ``more`` has a ``note`` on where they part.

    Its ``differ`` leads there.
    """
    payloads = [film.payload() for film in films]
    facts = payloads[0]["facts"]
    for payload, differs in zip(payloads, more.get("apart", ("", "")), strict=False):
        payload["facts"] |= {"options": {"tools": tools}, "apart": differs}
    iteration, phase = moment
    begin = films[0].frame(
        1 if iteration is None else iteration, films[0].first_phase if phase is None else phase
    )
    title = escape(" · ".join(payload["facts"]["title"] for payload in payloads), quote=False)
    head = (
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{style()}\n"
        ":root { color-scheme: light dark; background: Canvas; }\n"
        f"h1, .mcts-compare {{ max-width: {1240 * len(films)}px; margin: 8px auto; }}\n"
        "h1 { font: bold 16px sans-serif; }\n"
        ".embedded body { margin: 0; }\n"
        ".embedded h1 { display: none; }\n"
        "#film > * { margin: 0 auto; }\n"
        "body:has(.mcts-player.large) h1 { display: none; }</style>"
    )
    stills = "".join(  # where the players will be: they stay where no script may run
        film.to_svg(film.nearest(begin.iteration), None if number else begin.phase, crop=True)
        for number, film in enumerate(films)
    )
    data = more | {
        "films": [
            {
                "facts": payload["facts"],
                "columns": base64.b64encode(payload["columns"]).decode("ascii"),
            }
            for payload in payloads
        ],
        "moment": [begin.iteration, facts["phases"].index(begin.phase)],
    }
    # No text in the data can end the element it stands in.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    searches = all(isinstance(film.trace, Trace) for film in films)
    heading = f"{'Monte Carlo Tree Search' if searches else 'Game tree search'}, step by step"
    body = (
        f"<main><h1>{heading}</h1>"
        f'<div id="film">{stills}</div></main>'
        f'<script type="application/json" id="data">{text}</script>'
        f'<script type="module">{script()}{OPEN}</script>'
    )
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{body}</body></html>\n'
