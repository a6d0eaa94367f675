"""What all widgets have in common on a page: one script, and one style sheet."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

from ..film.theme import FORCED, THEMES, css_variables, tree_css

IMPORT: Final = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.M)
EXPORT: Final = re.compile(r"^export ((?:async )?(?:function|class|const) )(\w+)", re.M)
DEFAULT: Final = re.compile(r"^export default .*$", re.M)


@cache
def script() -> str:
    """The modules as one, in the order of ``modules``; each keeps its private names to itself."""
    found = modules()
    return "\n".join([*map(enclosed, found, found.values()), *DEFAULT.findall(found["widget.js"])])


def modules(name: str = "widget.js", found: dict[str, str] | None = None) -> dict[str, str]:
    """By name: the sources of a module and of all that it imports, which come before it."""
    found = {} if found is None else found
    if name not in found:
        source = files(__package__).joinpath(name).read_text(encoding="utf-8")
        for _, other in IMPORT.findall(source):
            modules(f"{other}.js", found)
        found[name] = source
    return found


LOADER: Final = """const shared = (globalThis.mctsVizScripts ??= new Map());
async function load(model) {
  const code = model.get("code");
  if (!shared.has(code)) {
    const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    shared.set(code, import(url).finally(() => URL.revokeObjectURL(url)));
  }
  return (await shared.get(code)).default;
}
export default {
  initialize: async (context) => (await load(context.model)).initialize?.(context),
  render: async (context) => (await load(context.model)).render(context),
};
"""
"""A page keeps each script that it has imported for ever, so that of the widgets is shared."""


def enclosed(name: str, source: str) -> str:
    """The module ``name`` within a function, and what it exports as names of the whole."""
    namespace = name.replace(".", "_")
    exported = ", ".join(found for _, found in EXPORT.findall(source))
    source = IMPORT.sub(r"const \1 = \2_js;", source)
    source = DEFAULT.sub("", EXPORT.sub(r"\1\2", source))
    body = f"const {namespace} = (() => {{\n{source}\nreturn {{ {exported} }};\n}})();"
    return f"{body}\nexport const {{ {exported} }} = {namespace};"


DARK_PAGES = (
    '[data-jp-theme-light="false"]',  # JupyterLab, Notebook
    '[data-vscode-theme-kind="vscode-dark"]',
    '[data-vscode-theme-kind="vscode-high-contrast"]',
    'html[theme="dark"]',  # Colab
    ".dark",  # marimo
)
"""How pages say that they are dark."""
UNTHEMED = (
    "html:not([theme]) "
    "body:not([data-jp-theme-light], [data-vscode-theme-kind], .light, .notebook_app)"
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
    own = [
        files(__package__).joinpath(name).read_text(encoding="utf-8")
        for name in ("player.css", "compare.css", "play.css")
    ]
    sheet = "\n".join([themed(":is(.mcts-player, .mcts-play)"), tree_css(), *own])
    return sheet.replace(".mcts-player", ":is(.mcts-player, .mcts-compare)")
