"""The check of lesson 00: a line and a remedy for each part that is missing."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Final

from packaging.requirements import Requirement

from mcts_viz.errors import door

JUPYTERLAB: Final = "jupyterlab>=4.2,<5"


@door
def check_environment() -> None:
    """Print what is missing and how to get it, or nothing; nothing is changed or installed.

    A page that runs Python in the browser brings all parts with it.
    """
    missing = [] if sys.platform == "emscripten" else [*_missing()]
    for needed, found in missing:
        remedy = f'run %pip install "{needed.name}{needed.specifier}" in a cell'
        print(f"{needed.name:<13} {found:<13} NOT READY: {remedy}")
    if missing:
        print("Follow the remedies above, then restart the kernel and run this cell again.")


def _missing() -> Iterator[tuple[Requirement, str]]:
    """Each part that is asked for and that is missing, too old or too new, with its version."""
    parts = [*(requires("mcts_viz") or ())]
    if "google.colab" not in sys.modules:  # Colab has a front end of its own
        parts.append(JUPYTERLAB)
    for needed in map(Requirement, parts):
        if needed.marker is None or needed.marker.evaluate({"extra": ""}):
            found = "missing"
            with suppress(PackageNotFoundError):
                found = version(needed.name)
            if found == "missing" or found not in needed.specifier:
                yield needed, found
