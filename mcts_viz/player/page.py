"""One script and one style sheet for all widgets; and a page that shows films without a kernel.

The page is one HTML file, with one film or two side by side, that needs no network.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from posixpath import dirname, join, normpath
from typing import Any, Final, TypeAlias

from ..errors import TraceError, among, require
from ..film import Film
from ..film.pictures import FORCED, THEMES, css_variables, tree_css
from ..trace import Trace

Moment: TypeAlias = tuple[int | None, str | None]
Payload: TypeAlias = dict[str, Any]
"""The parts of a film that a page gets, by name; or those that a page has besides its films."""
TOOLS = ("truth", "predict", "whatif")

IMPORT: Final = re.compile(r'^import (\{[^}]*\}) from "(\.{1,2}/[\w./]+\.js)";$', re.M)
LENT: Final = re.compile(r'^import (\{[^}]*\}) from "mcts_viz/player";$', re.M)
EXPORT: Final = re.compile(r"^export ((?:async )?(?:function|class|const) )(\w+)", re.M)
DEFAULT: Final = re.compile(r"^export default .*$", re.M)


def script() -> str:
    """The script of the widgets: what ``bundle`` exports, and what a front end calls."""
    return f"{bundle()}\n{DEFAULT.findall(source_of('widget.js'))[0]}"


@cache
def bundle() -> str:
    """The modules as one, in the order of ``modules``; each keeps its private names to itself."""
    found = modules()
    return "\n".join(map(enclosed, found, found.values()))


def modules(name: str = "widget.js", found: dict[str, str] | None = None) -> dict[str, str]:
    """For each name: the sources of a module and of all that it imports, which come before it."""
    found = {} if found is None else found
    if name not in found:
        source = source_of(name)
        for _, other in IMPORT.findall(source):
            modules(beside(name, other), found)
        found[name] = source
    return found


def beside(name: str, other: str) -> str:
    """The name of the module that ``name`` imports as ``other``, a path from its own folder."""
    return normpath(join(dirname(name), other))


def source_of(name: str) -> str:
    """The text of a file of this folder."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


LOADER: Final = """const shared = (globalThis.mctsVizScripts ??= new Map());
function imported(code) {
  if (!shared.has(code)) {
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    shared.set(code, import(url).finally(() => URL.revokeObjectURL(url)));
  }
  return shared.get(code);
}
async function load(model) {
  const player = await imported(model.get("code"));
  const part = model.get("part");
  return part ? { ...player.default, ...(await imported(part)).default(player) } : player.default;
}
const LARGE = ["code", "part", "_css", "facts", "film", "branch_film", "payloads"];
export default {
  async initialize(context) {
    (await load(context.model)).initialize?.(context);
    // JupyterLab holds closed models for as long as a kernel runs, twice: as they were, and before.
    return () => [1, 2].forEach(() => {
      for (const name of LARGE) context.model.set(name, "", { silent: true });
    });
  },
  render: async (context) => (await load(context.model)).render(context),
};
"""
"""A page keeps each script that it has imported for ever, so that of the widgets is shared."""


def part(package: str, *names: str) -> str:
    """The modules that a widget of another ``package`` adds to the script, each after its imports.

    The last of ``names`` exports ``render``. What they import from "mcts_viz/player" is handed over
    by the loader, so a page loads the player once.
    """
    sources = {name: files(package).joinpath(name).read_text(encoding="utf-8") for name in names}
    bodies = "\n".join(enclosed(name, sources[name], whole=False) for name in names)
    return (
        f"export default (player) => {{\n{bodies}\n"
        f"return {{ render: {namespace(names[-1])}.render }};\n}};"
    )


def enclosed(name: str, source: str, *, whole: bool = True) -> str:
    """The module ``name`` within a function, and what it exports as names of the ``whole``."""
    exported = ", ".join(found for _, found in EXPORT.findall(source))
    source = LENT.sub(r"const \1 = player;", source)
    source = IMPORT.sub(
        lambda found: f"const {found[1]} = {namespace(beside(name, found[2]))};", source
    )
    source = DEFAULT.sub("", EXPORT.sub(r"\1\2", source))
    body = f"const {namespace(name)} = (() => {{\n{source}\nreturn {{ {exported} }};\n}})();"
    return f"{body}\nexport const {{ {exported} }} = {namespace(name)};" if whole else body


def namespace(name: str) -> str:
    """A module's name as one of JavaScript's."""
    return re.sub(r"\W", "_", name)


DARK_PAGES = (
    '[data-jp-theme-light="false"]',  # JupyterLab, Notebook
    '[data-vscode-theme-kind="vscode-dark"]',
    '[data-vscode-theme-kind="vscode-high-contrast"]',
    'html[theme="dark"]',  # Colab
    ".dark",  # marimo
)
"""Selectors by which pages say that they are dark."""
UNTHEMED = (
    "html:not([theme]) body:not([data-jp-theme-light], [data-vscode-theme-kind], .light, "
    ".notebook_app)"
)
"""Pages that may be dark and do not say so: the reader's system decides. (nbclassic is light.)"""


def themed(selector: str) -> str:
    """The colours of an element, on light and on dark pages."""
    light, dark, forced = map(css_variables, (*THEMES.values(), FORCED))
    return (
        f"{selector} {{ {light} }}\n"
        f":is({', '.join(DARK_PAGES)}) {selector} {{ {dark} }}\n"
        f"@media (prefers-color-scheme: dark) {{ {UNTHEMED} {selector} {{ {dark} }} }}\n"
        # Repeated, it outdoes the rules above, whatever the theme.
        f"@media (forced-colors: active) {{ {selector * 4} {{ {forced} }} }}\n"
    )


@cache
def style() -> str:
    """Their style sheet, with its colours for light and dark pages.

    A comparison looks like a player that holds two others.
    """
    own = map(source_of, ("player.css", "compare.css"))
    sheet = "\n".join([themed(".mcts-player"), tree_css(), *own])
    return sheet.replace(".mcts-player", ":is(.mcts-player, .mcts-compare)")


# A page of its own --------------------------------------------------------------------------------

# The page runs only the script in it, and loads nothing.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"

OPEN = """
const data = JSON.parse(document.getElementById("data").textContent);
const host = document.getElementById("film");
if (top !== window) document.documentElement.classList.add("embedded");
const open = async () => {
  // In a frame that has no address, its name says where to open.
  const shown = await showAlone(host, data, location.hash.slice(1) || window.name);
  const follow = () => openAt(shown, location.hash.slice(1), shown.film.facts, data.moment);
  addEventListener("hashchange", follow);  // a link to another moment, as of the four phases
  if (top === window) shown.element.focus({ preventScroll: true }); // the keys are heard at once
};
open().catch((error) => {
  host.append(`The film cannot be shown in this browser (${error.message}).`);
});
"""


def document(
    films: tuple[Film, ...],
    payloads: list[Payload],
    moment: Moment,
    more: Payload,
) -> str:
    """One film as an HTML document, or two that are moved together; it opens at that moment.

    ``film.html#at=120.select&end=140&view=walk&autoplay`` opens it at another, stops after
    iteration 140, shows the ladder of its walk and plays; each part may be left out. Of two films
    ``more`` has a ``note`` on where they part, and ``differ`` leads there.
    """
    first = leading(films)
    iteration, phase = opening(first, *moment)
    title = escape(" · ".join(payload["facts"]["title"] for payload in payloads), quote=False)
    sheet = (
        f"{style()}\n"
        ":root { color-scheme: light dark; background: Canvas; }\n"
        f".mcts-compare {{ max-width: {1240 * len(films)}px; }}\n"
        "h1 { font: bold 16px sans-serif; margin: 8px 0; }\n"
        ".embedded body { margin: 0; }\n"
        ".embedded h1 { display: none; }\n"
        "#film > * { margin: 0 auto; }\n"
        "#film > svg { max-width: 100%; height: auto; }"  # a still, on a phone too
    )
    stills = "".join(  # where the players will be: they stay where no script may run
        film.to_svg(film.nearest(iteration), phase if film is first else None, crop=True)
        for film in films
    )
    data = alone(films, payloads, moment) | more
    searches = all(isinstance(film.trace, Trace) for film in films)
    heading = f"{'Monte Carlo Tree Search' if searches else 'Game tree search'}, step by step"
    main = f'<h1>{heading}</h1><div id="film">{stills}</div>'
    return page_with(title, sheet, main, data, f"{bundle()}{OPEN}")


def alone(films: tuple[Film, ...], payloads: list[Payload], moment: Moment) -> Payload:
    """The data of a page without a kernel: the films, their columns as text, and a moment."""
    in_text = [p | {"columns": base64.b64encode(p["columns"]).decode("ascii")} for p in payloads]
    iteration, phase = opening(leading(films), *moment)
    return {"films": in_text, "moment": [iteration, leading(films).phases.index(phase)]}


def page_with(
    title: str, sheet: str, main: str, data: Payload, program: str, policy: str = POLICY
) -> str:
    """One HTML file whose ``program`` finds its ``data`` in the element of that name.

    Title and main part are HTML. Beyond what is in the page, only what the ``policy`` names is
    loaded.
    """
    # No text in the data can end the element it is in.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{sheet}</style></head><body><main>{main}</main>"
        f'<script type="application/json" id="data">{text}</script>'
        f'<script type="module">{program}</script></body></html>\n'
    )


# A part of a page of MyST -------------------------------------------------------------------------

DIRECTIVE = """:::{{anywidget}} {name}
{{ "open": "at={at}" }}
:::
"""
HEAD = "/* This file shows a film on a page of MyST beside it, which says:\n\n{}*/\n"


def for_myst(film: Film, moment: Moment, name: str) -> tuple[str, str]:
    """A film as a module that needs no other file, and MyST's directive that shows it."""
    iteration, phase = opening(film, *moment)
    directive = DIRECTIVE.format(name=name, at=f"{iteration}.{phase}")
    data = json.dumps(alone((film,), [film.payload()], moment))
    program = f"{bundle()}\nexport default {{ render: embedded({data}, {json.dumps(style())}) }};\n"
    return HEAD.format(directive) + program, directive


def leading(films: Sequence[Film]) -> Film:
    """The longest of the films, the first of equals: their slider is its."""
    return max(films, key=lambda film: len(film.trace))


def opening(film: Film, iteration: int | None, phase: str | None) -> tuple[int, str]:
    """Return the moment a film opens at; of a search a third into it, where there is a tree."""
    is_search = isinstance(film.trace, Trace)
    if iteration is None:
        iteration = film.iterations[len(film.iterations) // 3 if is_search else 0]
    return film.moment(iteration, film.phases[0] if phase is None and is_search else phase)


def tools_of(tools: Sequence[str]) -> list[str]:
    """The tools that are switched on from the beginning."""
    known = isinstance(tools, Sequence) and not isinstance(tools, str)
    known = known and all(among(tool, TOOLS) for tool in tools)
    require(known, "tools", f"a list of some of {', '.join(TOOLS)}", tools, TraceError)
    return [*tools]
