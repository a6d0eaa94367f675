"""A film: a trace that can be looked at, as a still of any moment or whole in the player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, TypeVar, cast

import graphviz
import numpy as np
from numpy.typing import NDArray

from ..errors import MctsVizError, TraceError, among, fits, require
from ..search.checks import explain_game_error, require_whole
from ..trace import MinimaxTrace, Trace
from ..trace.subsample import iterations_shown
from .cards import CARDS, Card, Frame
from .drawing import Drawing, svg
from .four_phases import four_phases
from .graph import Graph
from .lanes import WIDE
from .minimax_film import MinimaxFilm
from .payload import AnyFilm, payload
from .pictures import THEMES, Svg, png
from .search_film import SearchFilm
from .textbook import Picture
from .truth import Truth, truth_of
from .words import plain, plain_lines, small

if TYPE_CHECKING:
    import networkx

INDENT: Final = "   "
"""The indent of a line of text, compared with its parent's."""
Method = TypeVar("Method", bound=Callable[..., Any])


def _by_the_rules(method: Method) -> Method:
    """Name the fault in a student's game for which a method may fail."""

    @wraps(method)
    def explained(self: Film, /, *args: Any, **kwargs: Any) -> Any:
        with explain_game_error(self.trace.game):
            return method(self, *args, **kwargs)

    return cast("Method", explained)


class Traced(Protocol):
    """An object that has a trace: a watched search, a player, a film."""

    @property
    def trace(self) -> Trace | MinimaxTrace: ...


Source: TypeAlias = Trace | MinimaxTrace | Traced
"""What can be filmed."""


def trace_of(source: Source) -> Trace | MinimaxTrace:
    """The trace that is given, or that ``source`` has; raises ``TraceError`` if there is none."""
    trace = getattr(source, "trace", source)
    kinds = "a trace, as search.record(iterations=200) returns one"
    require(isinstance(trace, Trace | MinimaxTrace), "source", kinds, source, TraceError)
    return trace  # type: ignore[return-value]


class Film:
    """The pictures of a trace, of a search or of minimax.

    A picture shows the walk of its moment and, of the other nodes, the most visited ones (of
    minimax: those with the most nodes below them), as many as have room, and at most ``cards`` (1
    to 300, 60 if none is given); of the rest it says how many there are. Moments are given as an
    iteration (from 1; the last if none is given) and a phase (the last if none is given). In a film
    of minimax the iterations are the steps of the walk, and a step's phase is what happens in it.

    A film holds at most 5,000 iterations. Of a longer search these are the first 1,000, and then
    ever fewer, up to the last; ``iterations`` names others, such as ``range(734_000, 735_000)``.
    Every number on the screen counts the whole search. Nodes that no iteration of the film needs
    have no card, and the others are numbered without them.

    >>> from mcts_viz import MCTS, Film, TicTacToe
    >>> film = Film(MCTS(TicTacToe(), seed=4).record(iterations=60))
    >>> film.caption(20, "expand")
    'An untried move is picked at random: O plays 0. A new node joins the tree.'
    """

    def __init__(
        self,
        source: Source,
        cards: int | None = None,
        iterations: Sequence[int] | NDArray[np.integer[Any]] | None = None,
    ) -> None:
        trace = self.trace = trace_of(source)
        count = CARDS if cards is None else cards
        self.data: AnyFilm
        if isinstance(trace, Trace):
            self.data = SearchFilm(trace, count, iterations_shown(trace, iterations))
        else:
            every = "left out in a film of minimax, which shows every step"
            require(iterations is None, "iterations", every, iterations, TraceError)
            self.data = MinimaxFilm(trace, count)

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases of an iteration, or the kinds of steps of minimax."""
        return self.data.phases

    @property
    def iterations(self) -> list[int]:
        """The iterations that the film shows, rising; of minimax the steps."""
        return list(map(int, self.data.iterations))

    @property
    def last(self) -> int:
        """The last iteration that the film shows."""
        return int(self.data.iterations[-1])

    def nearest(self, iteration: int) -> int:
        """The last iteration that the film shows up to this one; else its first."""
        require(fits(iteration, whole=True), "iteration", "a whole number", iteration, TraceError)
        place = int(np.searchsorted(self.data.iterations, iteration, side="right")) - 1
        return int(self.data.iterations[max(0, place)])

    @cached_property
    def truth(self) -> Truth | str | None:
        """Exact values beside the search, or why there are none; ``None`` for minimax."""
        return truth_of(self.data) if isinstance(self.data, SearchFilm) else None

    def moment(self, iteration: int | None = None, phase: str | None = None) -> tuple[int, str]:
        """Return the iteration and the phase that are meant; ``TraceError`` for no moment."""
        iteration = self.last if iteration is None else iteration
        iteration = require_whole("iteration", iteration, 1, len(self.trace), TraceError)
        return self.data.moment(iteration, phase)

    def frame(self, iteration: int | None = None, phase: str | None = None) -> Frame:
        """Return the frame of a moment, with all that is on the screen."""
        return self.data.frame(*self.moment(iteration, phase))

    @_by_the_rules
    def payload(self, **more: Any) -> dict[str, Any]:
        """The film as data for the player, with ``more`` facts: :mod:`mcts_viz.film.payload`."""
        sent = payload(self.data, self.truth)
        sent["facts"] |= more
        return sent

    @_by_the_rules
    def caption(self, iteration: int | None = None, phase: str | None = None) -> str:
        """Say what happens at a moment, in a sentence or two."""
        return self.data.caption(*self.moment(iteration, phase))

    def drawing(
        self,
        iteration: int | None = None,
        phase: str | None = None,
        caption: bool = True,
        crop: bool = False,
        note: str = "",
        wide: float = WIDE,
        truth: bool = False,
    ) -> Drawing:
        """A moment as nodes and edges, with its ``caption`` below, by :class:`Picture`."""
        iteration, phase = self.moment(iteration, phase)
        data, (*heads, said) = self.data, self._texts(iteration, phase)
        frame = data.frame(iteration, phase, wide)
        words = f"{said} {note}".rstrip()
        below = [words] if caption else []
        if caption and not data.board:
            text = data.game.text(data.trace.state(frame.path[-1]))
            below.append(f"The position: {plain(' / '.join(plain_lines(text, 60)))}")
        known = self.truth if truth else None
        exact = known.values if isinstance(known, Truth) else {}
        told = {node: small(value).replace("-", "−") for node, value in exact.items()}
        return Picture(data, frame, told).drawing([*heads, *below], words, crop)

    def _texts(self, iteration: int, phase: str) -> tuple[str, str, str, str]:
        """The game and who moves; the moment; the search; what happens."""
        data = self.data
        moment = f"{data.unit} {iteration} of {len(self.trace)} · {phase.replace('_', ' ')}"
        return data.title, moment, data.subtitle, data.caption(iteration, phase)

    @_by_the_rules
    def to_svg(
        self,
        iteration: int | None = None,
        phase: str | None = None,
        theme: str = "light",
        crop: bool = False,
        note: str = "",
    ) -> Svg:
        """A moment as a textbook draws it, as a stand-alone SVG, ``theme`` "light" or "dark".

        It is what :meth:`to_dot` has Graphviz draw, written by ourselves, and the same everywhere.
        All pictures of a film have the same frame, and no card that stays moves from one to the
        next, but where the fold of a long walk changes. ``crop`` leaves out what is still empty
        below, and ``note`` is said at the foot.
        """
        _require_theme(theme)
        iteration, phase = self.moment(iteration, phase)
        drawing = self.drawing(iteration, phase, crop=crop, note=note)
        return Svg(svg(drawing, theme, phase))

    def to_png(
        self, iteration: int | None = None, phase: str | None = None, theme: str = "light"
    ) -> bytes:
        """Return the still as PNG, 1.5 pixels a point, or fewer to stay within 12 million."""
        return png(self.to_svg(iteration, phase, theme), 1.5)

    @_by_the_rules
    def four_phases(
        self, iteration: int | None = None, width: int = 934, theme: str = "light", page: str = ""
    ) -> Svg:
        """The classical figure of the four phases, of a real iteration, as SVG.

        Without an ``iteration`` the first one is taken that shows most: a path of four nodes, a
        playout of at least two moves, and a selected move whose mean is not the highest. At a
        ``width`` of 934 pixels letters have 11. ``theme`` is "light" or "dark". Each of the panels
        is a link to its phase in the player of the ``page``, such as "film.html", or of the page
        around the figure.
        """
        data = self.data
        require(
            isinstance(data, SearchFilm), "four_phases", "asked of a search", data.kind, TraceError
        )
        assert isinstance(data, SearchFilm)
        if iteration is not None:
            iteration, _ = self.moment(iteration)
        return Svg(four_phases(data, iteration, width, theme, page))

    @_by_the_rules
    def to_dot(
        self,
        iteration: int | None = None,
        phase: str | None = None,
        theme: str = "light",
        truth: bool = False,
    ) -> graphviz.Digraph:
        """A moment as a textbook draws it: wins/visits and score on every node, the walk thick.

        Siblings are in the order of their moves, positions are small boards, and no card that stays
        moves from one moment to the next, but where the fold of a long walk changes. A
        ``graphviz.Digraph``: ``.source`` is its DOT, for any Graphviz (its engine ``nop2``); there
        boards are text. With ``truth`` the cards of a search say what exact play is
        worth there for who moved (1 is a forced win), where that is known. Figures of one's own
        may add to it. A notebook shows it drawn by pygraphviz, else by the program ``dot``, else by
        ourselves.
        :func:`~mcts_viz.graphviz_slider` shows all moments.
        """
        _require_theme(theme)
        return self.graph(iteration, phase, theme, truth=truth)

    def graph(
        self,
        iteration: int | None = None,
        phase: str | None = None,
        theme: str = "light",
        wide: float = WIDE,
        truth: bool = False,
    ) -> Graph:
        """The same, in a picture so ``wide``."""
        iteration, phase = self.moment(iteration, phase)
        drawing = self.drawing(iteration, phase, caption=False, wide=wide, truth=truth)
        words = f"{self.data.title}\n{drawing.words}"
        return Graph(drawing._replace(words=words), theme, phase)

    @_by_the_rules
    def to_networkx(
        self, iteration: int | None = None, phase: str | None = None
    ) -> networkx.DiGraph[int]:
        """The whole tree of a moment, cards or none, as a ``networkx.DiGraph``.

        Its nodes are numbered in order of creation and carry ``position`` (the game's text),
        ``action`` (its label, "" at the root) and ``on_path``; an edge runs from parent to child
        and carries the label as ``move``. Of a search nodes carry ``player`` (who moved into it),
        ``visits``, ``wins`` (that player's) and ``score`` (NaN where there is none), and of
        MCTS-Solver ``proof`` (1 for a win of that player, -1 for a loss, else 0); where the search
        keeps more statistics, each by its name, and in a game with luck ``chance`` (true where
        nature moves) and ``probability`` (of the outcome that led here, 0 for a move); of minimax
        ``value`` (for MAX, NaN while unknown), ``bound`` ("=" if that is the node's exact value,
        "≥" or "≤" if the exact value is at least or at most this, "" if no more is known),
        ``alpha`` and ``beta``. The graph carries ``game``, ``iteration``, ``phase`` and ``name``.
        ``networkx.write_graphml`` and ``write_gexf`` take all of it.
        """
        iteration, phase = self.moment(iteration, phase)
        import networkx  # slow, and few ask for it

        trace = self.trace
        graph: networkx.DiGraph[int] = networkx.DiGraph(
            name=self.data.title, game=trace.game.name, iteration=iteration, phase=phase
        )
        columns = self.data.columns_at(iteration, phase)
        for node in range(len(columns["on_path"])):
            known = {name: column[node] for name, column in columns.items()}
            position, label = trace.game.text(trace.state(node)), trace.label(node)
            graph.add_node(node, position=position, action=label, **known)
            if node:
                graph.add_edge(int(trace.parent[node]), node, move=label)
        return graph

    @_by_the_rules
    def to_html(self, iteration: int | None = None, phase: str | None = None) -> str:
        """Return the player as one HTML file, which opens at that moment, or a third into it.

        It works from a disk, without a kernel and without a network. The file grows with the tree:
        4 MB for 100,000 iterations of Connect Four.
        """
        from ..player.page import document

        return document((self,), [self.payload()], (iteration, phase), {})

    def to_myst(
        self, path: str | Path, iteration: int | None = None, phase: str | None = None
    ) -> str:
        """Write the player as a module for MyST or Jupyter Book 2; return the lines that show it.

        The file, "film.mjs" for example, belongs next to the page, which then holds these three
        lines. It needs no kernel and no other file. They name a moment; more can be said there, as
        in the address of a page of :meth:`to_html`: ``at=120.select&end=140&view=walk&autoplay``.
        """
        from ..player.page import for_myst

        path = Path(path)
        require(
            path.suffix == ".mjs",
            "path",
            "the path of a file that ends in .mjs",
            str(path),
            TraceError,
        )
        module, directive = for_myst(self, (iteration, phase), path.name)
        path.write_text(module, encoding="utf-8")
        return directive

    def to_text(self, iteration: int | None = None, phase: str | None = None) -> str:
        """A moment as text: the tree, indented, and what happens."""
        frame, trace = self.frame(iteration, phase), self.data.trace
        title, moment, about, words = self._texts(frame.iteration, frame.phase)
        cards = {card.node: card for card in frame.cards}
        told = dict[int, str]()
        self._indented(frame, cards, 0, "", told)
        rest = [node for node in frame.path if node not in told]
        if rest:
            names = ", ".join(plain(trace.label(node)) for node in rest)
            told[rest[0]] = f"> on to {names}"
            told |= {node: self._line(frame, cards[node], "⋮  ") for node in rest if node in cards}
        return "\n".join([title, f"{moment} · {about}", *told.values(), words])

    def _indented(
        self, frame: Frame, cards: dict[int, Card], node: int, indent: str, told: dict[int, str]
    ) -> None:
        """A line for a node, and lines for all below it."""
        told[node] = self._line(frame, cards[node], indent)
        for child in cards:
            if self.data.trace.parent[child] == node:
                self._indented(frame, cards, child, indent + INDENT, told)

    def _line(self, frame: Frame, card: Card, indent: str) -> str:
        """A card as a line of text; what has no card is counted."""
        node, untried = card.node, self.data.untried_word(card.node)
        counts = {"more": frame.more, untried: frame.untried, "not needed": frame.pruned}
        rest = ", ".join(f"{of[node]} {word}" for word, of in counts.items() if node in of)
        move = plain(self.data.trace.label(node)) or "root"
        said = f"{'>' if card.on_path else ' '} {indent}{move}: {_said(card)}"
        return f"{said}  ({rest})" if rest else said


def _require_theme(theme: object) -> None:
    known = " or ".join(map(repr, THEMES))
    require(among(theme, THEMES), "theme", known, theme, MctsVizError)


def _said(card: Card) -> str:
    """A card as a line of text."""
    score = "" if card.score in ("root", "new") else f"{card.rule} {card.score}".lstrip()
    said = f"{card.share}  {score}".rstrip() + f"  {card.note}".rstrip()
    return f"{said}  new" if card.new else said
