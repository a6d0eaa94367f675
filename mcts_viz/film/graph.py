"""A graph that Graphviz draws: by pygraphviz in this process, by the program ``dot``, or by us."""

from __future__ import annotations

import os
import re
import subprocess
from importlib import import_module
from threading import Lock
from typing import Any, Final

import graphviz

from ..search.running import held_back
from .drawing import FAMILY, FONT, Drawing, boards_svg, dot_lines, svg
from .pictures import THEMES, output_forms, with_words

ENGINE: Final = "nop2"
"""Graphviz's engine that leaves nodes and edges where they are."""

_graphviz_lock = Lock()  # the Graphviz library keeps global state: one picture at a time


class Graph(graphviz.Digraph):  # type: ignore[misc]
    """A graph that a notebook shows by pygraphviz, else by ``dot``, else by a picture of ours."""

    def __init__(self, drawing: Drawing, theme: str, phase: str) -> None:
        page = THEMES[theme]["page"]
        super().__init__(
            graph_attr={"layout": ENGINE, "outputorder": "edgesfirst", "pad": "0", "bgcolor": page},
            # Else Graphviz warns of each text that it takes to be wider than it is.
            node_attr={"fixedsize": "shape", "margin": "0"},
            edge_attr={"dir": "none"},
        )
        self.body += [f"\t{line}\n" for line in dot_lines(drawing, theme, phase)]
        self.drawing = drawing
        self.theme, self.phase = theme, phase

    @property
    def svg(self) -> str:
        """Its picture, in which boards are our own: in Graphviz they are text."""
        boards = [node for node in self.drawing.nodes if node.board]
        names = tuple(f"\t{node.name} [" for node in boards)
        lines = self.source.splitlines(keepends=True)
        drawn = painted("".join(line for line in lines if not line.startswith(names)))
        if not drawn:
            return self.own()
        tree, end, rest = drawn.rpartition("</g>")
        return tree + boards_svg(boards, self.drawing.high, self.theme) + end + rest

    def own(self) -> str:
        """The same without Graphviz."""
        return svg(self.drawing, self.theme, self.phase)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **_: Any) -> Any:
        forms, metadata = with_words(output_forms(self.svg, self.drawing.words, 1.5))
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
