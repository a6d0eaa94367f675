"""A film: a trace that can be looked at, as a still of any moment or whole in the player."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import graphviz
import networkx

from ..errors import TraceError
from ..search import PHASES
from ..trace import Trace
from . import stills
from .captions import caption
from .drawing import Drawing
from .payload import payload
from .reel import CARDS, Frame, Reel
from .words import fixed, plain, plain_lines, rule_label, short, subtitle, title

__all__ = ["Film"]

MOST_PICTURES = 400
"""In one GIF."""
SHORTEST, LONGEST = 0.02, 60.0
"""Seconds for which a GIF shows one picture; browsers slow down what is faster."""


class Film:
    """The pictures of a trace, with at most ``cards`` cards (1 to 300).

    The most visited nodes get a card; the others are counted in stubs, "+n". Moments are given as
    an iteration (from 1; the last if none is given) and a phase. ``engine`` forces a layout
    engine, see :func:`mcts_viz.view.layout.lay_out`.
    """

    def __init__(self, trace: Trace, cards: int = CARDS, engine: str | None = None) -> None:
        if not isinstance(trace, Trace):
            raise TraceError(
                f"A film shows a trace, not {trace!r}: record one with "
                "search.record(iterations=200)."
            )
        self.trace = trace
        self.reel = Reel(trace, cards)
        self._engine = engine

    @cached_property
    def drawing(self) -> Drawing:
        """All that will ever be seen, drawn once."""
        return Drawing(self.reel, self._engine)

    def frame(self, iteration: int | None = None, phase: str = "backpropagate") -> Frame:
        """What is on the screen at a moment."""
        return self.reel.frame(self.trace.iterations if iteration is None else iteration, phase)

    def payload(self) -> dict[str, Any]:
        """The whole film as data for the player, see :mod:`mcts_viz.view.payload`."""
        return payload(self.drawing)

    def to_svg(
        self,
        iteration: int | None = None,
        phase: str = "backpropagate",
        theme: str = "light",
        crop: bool = False,
    ) -> str:
        """A moment as a stand-alone SVG, ``theme`` "light" or "dark".

        All pictures of a film have the same frame, so that none jumps when they follow each other;
        ``crop`` leaves out the parts that are still empty.
        """
        return stills.svg(self.drawing, self.frame(iteration, phase), theme, crop)

    def to_png(
        self,
        iteration: int | None = None,
        phase: str = "backpropagate",
        theme: str = "light",
        crop: bool = False,
        zoom: float = 1.5,
    ) -> bytes:
        """The same as PNG; ``zoom`` is in pixels a point."""
        return stills.png(self.to_svg(iteration, phase, theme, crop), zoom)

    def to_dot(
        self, iteration: int | None = None, phase: str = "backpropagate"
    ) -> graphviz.Digraph:
        """A moment as Graphviz source, one box a card, for figures of one's own."""
        frame, trace = self.frame(iteration, phase), self.trace
        graph = graphviz.Digraph(
            graph_attr={"ordering": "out"},
            node_attr={"shape": "box", "fontname": "Courier"},
            edge_attr={"arrowhead": "none"},
        )
        for card in frame.cards:
            lines = plain_lines(trace.game.text(trace.state(card.node)))
            lines.append(f"{short(card.wins)}/{card.visits}")
            if card.score is not None:
                lines.append(f"{rule_label(trace)} {fixed(card.score)}")
            style = {"penwidth": "3"} if card.on_path else {}
            graph.node(
                f"n{card.node}",
                # Graphviz frees an empty line twice, so it gets a space.
                graphviz.nohtml(graphviz.escape("\n".join(line or " " for line in lines))),
                style="dashed" if card.new else "solid",
                **style,
            )
            if card.node:
                move = graphviz.nohtml(graphviz.escape(plain(trace.label(card.node))))
                graph.edge(f"n{trace.parent[card.node]}", f"n{card.node}", label=move)
        for stub in frame.stubs:
            graph.node(f"s{stub.card}", f"+{stub.hidden}", shape="oval", style="dashed")
            graph.edge(f"n{stub.card}", f"s{stub.card}")
        return graph

    def to_networkx(
        self, iteration: int | None = None, phase: str = "backpropagate"
    ) -> networkx.DiGraph[int]:
        """The whole tree of a moment, cards or none, as a ``networkx.DiGraph``.

        Its nodes are numbered by birth and carry ``position`` (the game's text), ``action`` (its
        label), ``player`` (who moved into it), ``visits``, ``wins`` (that player's), ``score``
        (``None`` where there is none) and ``on_path``; an edge runs from parent to child.
        """
        frame, trace = self.frame(iteration, phase), self.trace
        moment, path = trace.at(frame.iteration, phase), set(frame.path)
        graph: networkx.DiGraph[int] = networkx.DiGraph()
        for node in range(moment.nodes):
            graph.add_node(
                node,
                position=trace.game.text(trace.state(node)),
                action=trace.label(node),
                player=trace.game.players[trace.mover[node]],
                visits=int(moment.visits[node]),
                wins=float(moment.wins[node]),
                score=moment.score(node),
                on_path=node in path,
            )
            if node:
                graph.add_edge(int(trace.parent[node]), node)
        return graph

    def to_gif(
        self,
        first: int = 1,
        last: int | None = None,
        phases: Sequence[str] = PHASES,
        *,
        theme: str = "light",
        seconds: float = 0.8,
        zoom: float = 1.0,
    ) -> bytes:
        """The iterations ``first`` to ``last`` (the film's last if none is given) as moving GIF.

        Each picture stays for ``seconds``; ``phases`` are the phases that are shown of each
        iteration. Raises ``TraceError`` for more than 400 pictures, or none.
        """
        last = self.trace.iterations if last is None else last
        moments = [(i, phase) for i in range(first, last + 1) for phase in phases]
        if not 1 <= len(moments) <= MOST_PICTURES:
            raise TraceError(
                f"The iterations {first!r} to {last!r} make {len(moments)} pictures, but a moving "
                f"picture has 1 to {MOST_PICTURES}: choose other ends, or fewer phases."
            )
        if not SHORTEST <= seconds <= LONGEST:
            raise TraceError(
                f"seconds is {seconds!r}, but a picture stays for {SHORTEST} to {LONGEST} seconds."
            )
        return stills.gif([self.to_png(*m, theme=theme, zoom=zoom) for m in moments], seconds)

    def to_html(self, iteration: int | None = None, phase: str | None = None) -> str:
        """The player as one HTML file, which opens at that moment, else at the start.

        It works from a disk, without a kernel and without a network.
        """
        from ..widgets.page import page  # the one call from this room to the next

        return page(self, iteration, phase)

    def to_text(self, iteration: int | None = None, phase: str = "backpropagate") -> str:
        """A moment as text: the tree, indented, and what happens."""
        frame, trace = self.frame(iteration, phase), self.trace
        stubs = {stub.card: stub.hidden for stub in frame.stubs}
        cards = {card.node: card for card in frame.cards}
        lines = [title(trace), f"{subtitle(trace)} · iteration {frame.iteration}, {phase}"]

        def write(node: int, depth: int) -> None:
            card = cards[node]
            score = "" if card.score is None else f"  {rule_label(trace)} {fixed(card.score)}"
            mark = ">" if card.on_path else " "
            move = plain(trace.label(node)) or "root"
            share = f"{short(card.wins)}/{card.visits}"
            lines.append(f"{mark} {'   ' * depth}{move}: {share}{score}{'  new' * card.new}")
            for child in trace.children[node]:
                if child in cards:
                    write(child, depth + 1)
            if node in stubs:
                lines.append(f"  {'   ' * (depth + 1)}+{stubs[node]}")

        write(0, 0)
        if frame.strip:
            lines.append("> on to " + ", ".join(plain(trace.label(node)) for node in frame.strip))
        return "\n".join([*lines, caption(self.reel, frame.iteration, phase)])
