"""The check of lesson 00: a line and a remedy for each part that is missing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from packaging.requirements import Requirement

from mcts_viz.errors import door
from mcts_viz.film import layout
from mcts_viz.film.pictures import png

PARTS: Final = {
    "JupyterLab": "jupyterlab>=4.2,<5",
    "ipywidgets": "ipywidgets>=7.7,<9",
    "anywidget": "anywidget>=0.9.18,<1",
    "matplotlib": "matplotlib>=3.8,<4",
    "networkx": "networkx>=3.2,<4",
}
"""The name of each part for a reader, and its requirement for pip."""
DOT: Final = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'


@door
def check_environment() -> None:
    """Print what is missing and how to get it, or nothing; nothing is changed or installed.

    A page that runs Python in the browser brings all parts with it.
    """
    rows = [] if sys.platform == "emscripten" else [*_packages(), *_drawing()]
    for part, found, ready, remedy in rows:
        print(f"{part:<13} {found:<13} {'ok' if ready else 'NOT READY'}: {remedy}")
    if not all(ready for _, _, ready, _ in rows):
        print("Follow the remedies above, then restart the kernel and run this cell again.")


def _packages() -> Iterator[tuple[str, str, bool, str]]:
    """Each part that is missing, too old or too new: its name, its version, False, and a remedy."""
    for part, wanted in PARTS.items():
        if part == "JupyterLab" and "google.colab" in sys.modules:
            continue  # Colab has a front end of its own
        needed, found = Requirement(wanted), "missing"
        with suppress(PackageNotFoundError):
            found = version(needed.name)
        if found == "missing" or found not in needed.specifier:
            yield part, found, False, f'run %pip install "{wanted}" in a cell'


def _drawing() -> Iterator[tuple[str, str, bool, str]]:
    """Trees are always laid out, with Graphviz more beautifully; pictures need a library."""
    try:
        layout.render("digraph {}", "plain")
    except Exception:
        remedy = f"for the layout of Graphviz, {layout.remedy()}"
        yield "tree layout", "built in", True, remedy
    try:
        png(DOT, 1)
    except Exception:  # missing or broken, the remedy is the same
        remedy = "run %pip install resvg-py matplotlib in a cell"
        yield "PNG pictures", "not drawn", False, remedy
