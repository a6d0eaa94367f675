"""Is everything here that the lessons need? A line and a remedy for each part that is missing."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Final, NamedTuple

from mcts_viz.errors import MctsVizError
from mcts_viz.film import layout
from mcts_viz.film.images import png
from mcts_viz.film.layout import lay_out

PYTHON: Final = (3, 11)
PARTS: Final = {
    "JupyterLab": "jupyterlab>=4.2,<5",
    "ipywidgets": "ipywidgets>=7.7,<9",
    "anywidget": "anywidget>=0.9.18,<1",
    "matplotlib": "matplotlib>=3.8,<4",
    "networkx": "networkx>=3.2,<4",
}
"""What a reader calls a part, and what pip calls it."""

_DOT: Final = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'


class Row(NamedTuple):
    """One line of the table. A part can be ok and still have a remedy, for something better."""

    part: str
    found: str
    ok: bool
    remedy: str = ""


def check_environment() -> None:
    """Print what is missing and how to get it, or nothing; nothing is changed or installed."""
    parts = {
        part: wanted for part, wanted in PARTS.items() if part != "JupyterLab" or not _online()
    }
    rows = [_python(), *(_package(part, wanted) for part, wanted in parts.items())]
    rows += [_layout(), _pictures()]
    for row in rows:
        if row.remedy:
            found = f"{row.part:<13} {row.found:<13} {'ok' if row.ok else 'NOT READY'}"
            print(f"{found}: {row.remedy}")
    if not all(row.ok for row in rows):
        print("Follow the remedies above, then restart the kernel and run this cell again.")


def _online() -> bool:
    """Whether the notebook is shown by a page that brings its own front end: JupyterLite, Colab."""
    return sys.platform == "emscripten" or "google.colab" in sys.modules


def _python() -> Row:
    found, ok = ".".join(map(str, sys.version_info[:3])), sys.version_info >= PYTHON
    return Row("Python", found, ok, "" if ok else "install Python 3.11 or later")


def _package(part: str, wanted: str) -> Row:
    remedy = f'run %pip install "{wanted}" in a cell'
    try:
        found = version(re.split(r"[<>]", wanted)[0])
    except PackageNotFoundError:
        return Row(part, "missing", False, remedy)
    lowest, limit = re.findall(r"[<>]=?([\d.]+)", wanted)
    ok = _numbers(lowest) <= _numbers(found) < _numbers(limit)
    return Row(part, found, ok, "" if ok else remedy)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", text)[:3])


def _layout() -> Row:
    """Trees are always laid out, with Graphviz more beautifully."""
    with suppress(MctsVizError):
        lay_out([(9, 9), (9, 9)], [-1, 0], "pygraphviz")
        return Row("tree layout", "pygraphviz", True)
    if sys.platform == "emscripten":  # no program can be started in a browser
        return Row("tree layout", "built in", True)
    how = f"for the layout of Graphviz, {layout.remedy()}"
    return Row("tree layout", "built in", True, how)


def _pictures() -> Row:
    if sys.platform == "emscripten":
        return Row("pictures", "as SVG", True)
    try:
        ok = png(_DOT, 1).startswith(b"\x89PNG")
    except Exception:  # missing or broken, the remedy is the same
        ok = False
    remedy = "" if ok else "run %pip install resvg-py matplotlib in a cell"
    return Row("PNG pictures", "drawn" if ok else "not drawn", ok, remedy)
