"""A moment of a film in DOT, as Graphviz draws it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

import graphviz

from ..search import PHASES
from .layout import render
from .pictures import OF_EVENT, THEMES, output_forms
from .words import plain, plain_lines, short

if TYPE_CHECKING:
    from .cards import Card, Frame

FONT: Final = "DejaVu Sans"
SHAPES: Final = {"box": "filled", "rounded": "rounded,filled", "ellipse": "filled"}
"""The shapes of nodes, by the player who moved there; of minimax, by who moves next, or the end."""
FILLS: Final = ("#eef0f4", "#fbe9e0", "#efe7de")


class Graph(graphviz.Digraph):  # type: ignore[misc]
    """A graph that a notebook shows by pygraphviz, else by ``dot``, else by a picture of ours."""

    own: Callable[[], str]
    """Makes an SVG of the same without Graphviz."""

    @property
    def svg(self) -> str:
        """Its picture."""
        return _svg(self.source) or self.own()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None, **_: Any) -> Any:
        svg = re.sub(r'(width|height)="([\d.]+)pt"', r'\1="\2"', self.svg, count=2)
        return output_forms(svg, self.source, 1.5)


def _svg(source: str) -> str | None:
    """The graph as SVG; ``None`` if neither pygraphviz nor ``dot`` works here."""
    try:
        return render(source, "svg").decode()
    except Exception:  # missing or broken: the program may work
        pass
    try:
        return str(graphviz.pipe("dot", "svg", source.encode(), quiet=True), "utf-8")
    except (OSError, graphviz.ExecutableNotFound, subprocess.SubprocessError):
        return None


def moment_in_dot(data: Any, frame: Frame, texts: Sequence[str]) -> Graph:
    """Draw a moment of a search or a walk: a node a card, the path thick, players by shape."""
    trace = data.trace
    colours = THEMES["light"]
    phase = colours[OF_EVENT.get(frame.phase, frame.phase)]
    *heads, words = texts
    title = _text("\n".join([*heads, "", *wrap(words, 90), *wrap(_key(data), 90)]), r"\l")
    graph = Graph(
        graph_attr={"label": title, "labelloc": "t", "labeljust": "l", "ordering": "out", "fontname": FONT},
        node_attr={"style": "filled", "fontname": "DejaVu Sans Mono", "fontsize": "11"},
        edge_attr={"dir": "none", "fontsize": "11", "fontname": FONT, "color": colours["line"]},
    )
    for card in frame.cards:
        node, score = card.node, f"{card.rule} {card.score}".lstrip()
        lines = [*plain_lines(trace.game.text(trace.state(node))), _share(data, frame, card), score]
        player = data.player(node)
        shape = [*SHAPES][player % 2 if player is not None else 2]
        graph.node(
            f"n{node}",
            _text("\n".join(filter(str.strip, lines))),  # Graphviz frees an empty line twice
            shape="ellipse" if shape == "ellipse" else "box",
            style=SHAPES[shape] + ",dashed" * card.new,
            fillcolor="white" if player is None else FILLS[player % 3],
            color=phase if card.on_path else colours[f"player-{(player or 0) % 3}"],
            penwidth="3" if card.on_path else "1",
            peripheries="2" if card.mark else "1",
        )
        if node:
            pen = {"penwidth": f"{max(3 * card.on_path, 1 + 4 * card.visit_share):.1f}"}
            line = {"color": phase} if card.on_path else {}
            move = _text(f" {plain(trace.label(node))} ")
            graph.edge(f"n{trace.parent[node]}", f"n{node}", label=move, **pen, **line)
    for node, count in frame.hidden.items():
        graph.node(f"s{node}", f"+{count} below", shape="plaintext", style="")
        graph.edge(f"n{node}", f"s{node}", style="dashed")
    return graph


def _share(data: Any, frame: Frame, card: Card) -> str:
    """Wins by visits, of the root too; of a walk its value."""
    if data.kind == "minimax":
        return card.share
    counted = frame.iteration - (frame.phase != PHASES[-1])
    visits, wins = map(float, data.statistics(card.node, counted))
    return f"{short(wins)}/{visits:.0f}"


def _key(data: Any) -> str:
    """The meaning of shapes and lines, in a sentence."""
    names = ("MAX", "MIN") if data.kind == "minimax" else data.game.players
    here = "moves here" if data.kind == "minimax" else "moved here"
    shapes = [f"{[*SHAPES][n % 2]}: {plain(name)} {here}" for n, name in enumerate(names)]
    return f"({'; '.join([*shapes, 'thick: the path', 'dashed: the new node'])})"


def _text(text: str, line: str = r"\n") -> str:
    """Text that Graphviz takes as it is, lines ended by ``line``."""
    escaped = graphviz.nohtml(graphviz.escape(text))
    return str(escaped).replace("\n", line) + (line if line != r"\n" else "")
