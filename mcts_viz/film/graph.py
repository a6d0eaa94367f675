"""A graph that Graphviz draws: by pygraphviz in this process, by the program ``dot``, or by us."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterable
from importlib import import_module
from threading import Lock
from typing import Any, Final

import graphviz

from ..search.running import held_back
from .drawing import FAMILY, FONT
from .pictures import output_forms, with_words

ENGINE: Final = "nop2"
"""Graphviz's engine that leaves nodes and edges where they are."""

_graphviz_lock = Lock()  # the Graphviz library keeps global state: one picture at a time


class Graph(graphviz.Digraph):  # type: ignore[misc]
    """A graph that a notebook shows by pygraphviz, else by ``dot``, else by a picture of ours."""

    def __init__(self, lines: Iterable[str], words: str, own: Callable[[], str], page: str) -> None:
        super().__init__(
            graph_attr={"layout": ENGINE, "outputorder": "edgesfirst", "pad": "0", "bgcolor": page},
            node_attr={"fixedsize": "true", "margin": "0"},
            edge_attr={"dir": "none"},
        )
        self.body += [f"\t{line}\n" for line in lines]
        self.words, self.own = words, own

    @property
    def svg(self) -> str:
        """Its picture."""
        return painted(self.source) or self.own()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **_: Any) -> Any:
        forms, metadata = with_words(output_forms(self.svg, self.words, 1.5))
        return forms | {"text/plain": self.source}, metadata


def painted(source: str) -> str | None:
    """The graph as SVG; ``None`` if neither pygraphviz nor ``dot`` works here."""
    try:
        drawn = render(source, "svg", ENGINE).decode()
    except Exception:  # missing or broken: the program may work
        try:
            drawn = str(graphviz.pipe("dot", "svg", source.encode(), quiet=True), "utf-8")
        except (OSError, graphviz.ExecutableNotFound, subprocess.SubprocessError):
            return None
    drawn = re.sub(r'(width|height)="([\d.]+)pt"', r'\1="\2"', drawn, count=2)
    # A browser knows no typeface of that name, and falls back to one that has other widths.
    drawn = drawn.replace(f'"{FONT} Bold"', f'"{FAMILY}" font-weight="bold"')
    return drawn.replace(f'font-family="{FONT}"', f'font-family="{FAMILY}"')


def render(source: str, form: str, engine: str) -> bytes:
    """A graph in DOT, drawn by Graphviz within pygraphviz, as "plain", "svg" and so on.

    Measuring text, the library may complain on stderr, which is closed to it.
    """
    with held_back(), _graphviz_lock, open(os.devnull, "w") as nowhere:
        graph = import_module("pygraphviz").AGraph(string=source)
        stderr = os.dup(2)
        try:
            os.dup2(nowhere.fileno(), 2)
            return bytes(graph.draw(format=form, prog=engine))
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
            graph.close()
