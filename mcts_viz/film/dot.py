"""A graph written with the `graphviz` package, as a picture, with or without the program `dot`."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any, Final

import graphviz

from ..errors import MctsVizError, short_repr
from .images import output_forms
from .layout import remedy

FONT: Final = "DejaVu Sans"
_DRAW: Final = """
import sys
import pygraphviz
graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
graph.layout(prog="dot")
sys.stdout.buffer.write(graph.draw(format="svg"))
"""


class DotPicture:
    """What a notebook shows of a graph: its picture, and as text its source."""

    def __init__(self, graph: graphviz.Digraph | graphviz.Graph) -> None:
        copy: Any = graph.copy()
        for attributes in (copy.graph_attr, copy.node_attr, copy.edge_attr):
            attributes.setdefault("fontname", FONT)
        copy.node_attr.setdefault("label", r"\N")  # a node without a label shows its name
        self.source: str = graph.source
        self.svg = _svg(copy.source)
        """``None`` where there is no Graphviz at all; then the source stands alone."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        if self.svg is None:
            words = f"{remedy('pygraphviz')} or {remedy('dot')}"
            return {"text/plain": f"{self.source}(For the picture, {words}.)"}
        svg = re.sub(r'(width|height)="([\d.]+)pt"', r'\1="\2"', self.svg, count=2)
        return output_forms(svg, self.source, 1.5)


class Graph(graphviz.Digraph):  # type: ignore[misc]
    """A graph that a notebook shows without the program ``dot`` too."""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **_: Any) -> Any:
        return DotPicture(self)._repr_mimebundle_()


def draw_digraph(graph: graphviz.Digraph | graphviz.Graph) -> DotPicture:
    """The picture of a ``graphviz.Digraph``, drawn by pygraphviz, else by the program ``dot``.

    What the graph says about its looks is kept. Raises ``MctsVizError`` for anything else.
    """
    if not isinstance(graph, graphviz.Digraph | graphviz.Graph):
        raise MctsVizError(f"{short_repr(graph)} is no graph to draw: give a graphviz.Digraph.")
    return DotPicture(graph)


def _svg(source: str) -> str | None:
    """The graph as SVG; ``None`` if neither pygraphviz nor ``dot`` works here.

    Measuring text, the library may complain on stderr, and so it gets a process of its own.
    """
    child = [sys.executable, "-c", _DRAW]
    try:
        run = subprocess.run(child, input=source.encode(), capture_output=True, check=True)
        return run.stdout.decode()
    except (OSError, subprocess.SubprocessError):
        pass
    try:
        return str(graphviz.pipe("dot", "svg", source.encode(), quiet=True), "utf-8")
    except (OSError, graphviz.ExecutableNotFound, subprocess.SubprocessError):
        return None
