"""A picture that follows an ipywidgets slider; and a search as Graphviz draws it, step by step."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from html import escape
from typing import Any, Final

import traitlets

from ..errors import TraceError, require
from .film import Film
from .lanes import HALF_WIDE, WIDE
from .minimax_film import MinimaxFilm
from .pictures import beside, output_forms, with_words
from .search_film import SearchFilm

BEFORE: Final = "◂"
AFTER: Final = "▸"
"""The ends of the slider of phases: on to the iteration before, or to the next one."""
TITLES: Final = re.compile(r"<title>[^<]*</title>\n?|<!--.*?-->\n?")
"""The names of nodes in DOT, which a browser would show under the mouse."""


@dataclass(repr=False)
class Slider:
    """Drag along ``values``; ``draw(value)`` makes the figure or graph. It starts at ``start``."""

    draw: Callable[[Any], Any]
    name: str
    values: Sequence[Any]
    start: Any

    def __repr__(self) -> str:
        return f"a figure to drag: {self.name} from {self.values[0]} to {self.values[-1]}"

    def _repr_mimebundle_(self, **_: Any) -> Any:
        """The widget, and for places where none lives the picture at which it begins."""
        forms, words = self.draw(self.start)._repr_mimebundle_()
        return {**forms_of(self.widget()), **forms, "text/plain": repr(self)}, words

    def widget(self) -> Any:
        """The slider and the picture below it."""
        import ipywidgets  # slow to load, and of no use without a notebook

        control = self._control(ipywidgets)
        picture = ipywidgets.HTML(self._picture(self.start))

        def follow(change: Any) -> None:
            picture.value = self._picture(change.new)

        control.observe(follow, "value")
        return ipywidgets.VBox([control, picture])

    def _control(self, ipywidgets: Any) -> Any:
        return ipywidgets.SelectionSlider(
            options=list(self.values),
            value=self.start,
            description=self.name,
            style={"description_width": "initial"},
            layout={"width": "100%", "max_width": "500px"},
        )

    def still(self, value: Any) -> dict[str, str]:
        """Return what a notebook shows of one value; a graph is SVG in a browser's Python."""
        forms: dict[str, str] = self.draw(value)._repr_mimebundle_()[0]
        return forms

    def _picture(self, value: Any) -> str:
        """An image with a text; an output widget would need a kernel that keeps its state."""
        words = escape(f"{self.name} {value}")
        content = self.still(value)["image/png"]
        return f'<img alt="{words}" src="data:image/png;base64,{content}" style="max-width:100%">'


def forms_of(widget: Any) -> dict[str, Any]:
    """Return what shows a widget on a page, the same for ipywidgets 7 (Colab's) and 8."""
    view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    return {"application/vnd.jupyter.widget-view+json": view}


class Place(traitlets.HasTraits):
    """A moment that widgets share."""

    iteration: Any = traitlets.Any()
    phase: Any = traitlets.Any()


@dataclass(repr=False)
class TreeSlider(Slider):
    """A film as Graphviz draws it, at a moment that its sliders, or a player's, lead to.

    ``iteration`` and ``phase`` may be read, and set: sliders, picture and player follow.
    """

    film: Film = field(kw_only=True)
    theme: str = field(kw_only=True, default="light")
    wide: float = field(kw_only=True, default=WIDE)
    player: Any = field(kw_only=True, default=None)

    def __post_init__(self) -> None:
        self.place = Place(iteration=self.start, phase=self.film.moment(self.start)[1])
        if self.player is not None:
            for name in ("iteration", "phase"):
                traitlets.link((self.player, name), (self.place, name))

    @property
    def iteration(self) -> int:
        """The iteration that is shown; of minimax the step."""
        return int(self.place.iteration)

    @iteration.setter
    def iteration(self, iteration: int) -> None:
        self.place.iteration = self.film.moment(iteration)[0]

    @property
    def phase(self) -> str:
        """The phase that is shown."""
        return str(self.place.phase)

    @phase.setter
    def phase(self, phase: str) -> None:
        self.place.phase = self.film.moment(self.iteration, phase)[1]

    def widget(self) -> Any:
        """The sliders, the picture, and the sentence that says what happens."""
        import ipywidgets

        picture, said = ipywidgets.HTML(), ipywidgets.HTML()
        controls = [] if self.player is not None else self._controls(ipywidgets)

        def show(_: Any = None) -> None:
            picture.value, said.value = self._drawn()

        self.place.observe(show, ["iteration", "phase"])
        show()
        return ipywidgets.VBox([*controls, picture, said])

    def _drawn(self) -> tuple[str, str]:
        """The picture as a part of the page, and the caption."""
        film, iteration = self.film, self.iteration
        is_search = isinstance(film.data, SearchFilm)  # a step of minimax has its own phase
        iteration, phase = film.moment(iteration, self.phase if is_search else None)
        graph = film.graph(iteration, phase, self.theme, wide=self.wide)
        drawn = graph.svg
        drawn = TITLES.sub("", drawn[drawn.index("<svg") :])
        alt = escape(f"{film.data.unit} {iteration}, {phase}: {film.data.title}")
        look = f'<svg role="img" aria-label="{alt}" style="max-width:100%;height:auto"'
        return drawn.replace("<svg", look, 1), escape(film.caption(iteration, phase))

    def _line(self, ipywidgets: Any) -> Any:
        """The line of the algorithm in which a step of minimax happens."""
        data, line = self.film.data, ipywidgets.HTML(layout={"height": "28px"})
        assert isinstance(data, MinimaxFilm)

        def say(_: Any = None) -> None:
            line.value = f"<code>{escape(data.line(self.iteration))}</code>"

        self.place.observe(say, "iteration")
        say()
        return line

    def _controls(self, ipywidgets: Any) -> list[Any]:
        """Play and the slider of iterations; below it that of phases."""
        place = self._control(ipywidgets)
        traitlets.link((self.place, "iteration"), (place, "value"))
        play = ipywidgets.Play(max=len(self.values) - 1, value=place.index, interval=500)
        ipywidgets.jslink((play, "value"), (place, "index"))
        row = ipywidgets.HBox([play, place])
        if not isinstance(self.film.data, SearchFilm):
            return [row, self._line(ipywidgets)]
        phases = self.film.phases
        named = [(phase.capitalize(), phase) for phase in phases]
        steps = ipywidgets.SelectionSlider(
            options=[(BEFORE, BEFORE), *named, (AFTER, AFTER)],
            value=self.place.phase,
            description="phase",
            style={"description_width": "initial"},
            layout={"width": "100%", "max_width": "500px"},
        )

        def step(change: Any) -> None:
            if change.new in phases:
                self.place.phase = change.new
                return
            to = place.index + (1 if change.new == AFTER else -1)
            there = 0 <= to < len(self.values)
            at_start = (change.new == AFTER) == there
            if there:
                place.index = to
            steps.value = self.place.phase = phases[0] if at_start else phases[-1]

        steps.observe(step, "value")
        self.place.observe(lambda change: setattr(steps, "value", change.new), "phase")
        return [row, steps]


class SideBySide:
    """Two trees side by side, each with its own slider; where no widget lives, their pictures."""

    def __init__(self, *trees: TreeSlider) -> None:
        self.trees = trees

    def __repr__(self) -> str:
        return " | ".join(map(repr, self.trees))

    def _repr_mimebundle_(self, **_: Any) -> Any:
        import ipywidgets

        shown = ipywidgets.HBox([tree.widget() for tree in self.trees])
        drawn = [tree.draw(tree.start) for tree in self.trees]
        words = " ".join(graph.drawing.words for graph in drawn)
        forms, more = with_words(output_forms(beside([graph.own() for graph in drawn]), words, 1.5))
        return {**forms_of(shown), **forms, "text/plain": repr(self)}, more


def graphviz_slider(
    source: Any, second: Any = None, cards: int | None = None, theme: str = "light"
) -> TreeSlider | SideBySide:
    """Any trace as Graphviz draws it, with ipywidgets sliders for its iterations and their phases.

    ``source`` is a trace of a search or of minimax, a film, a :class:`Watch`, or a
    :class:`Player`: then there are no sliders, and picture and player follow each other. With a
    ``second`` one both are side by side, each with its own sliders. Each picture is
    :meth:`Film.to_dot`: no card that stays moves. ``cards`` (1 to 300) bounds how many nodes are
    drawn, the most visited ones. At the last phase a step to the right leads to the next iteration.
    Without Graphviz the drawing is our own, and where no widget lives, one picture is shown.

    >>> from mcts_viz import MCTS, TicTacToe, graphviz_slider
    >>> graphviz_slider(MCTS(TicTacToe(), seed=4).record(iterations=20))
    a figure to drag: iteration from 1 to 20
    """
    if second is None:
        return _tree(source, cards, theme, WIDE)
    return SideBySide(*(_tree(each, cards, theme, HALF_WIDE) for each in (source, second)))


def _tree(source: Any, cards: int | None, theme: str, wide: float) -> TreeSlider:
    """The sliders of one film."""
    player = source if isinstance(getattr(source, "film", None), Film) else None
    if player is not None:
        kind = "left out for a player, which has its own"
        require(cards is None, "cards", kind, cards, TraceError)
        source = player.film
    film = source if isinstance(source, Film) else Film(source, cards)
    start = film.nearest(film.last // 2) if player is None else player.iteration
    draw = partial(film.graph, theme=theme, wide=wide)
    named = film.data.unit, film.iterations, start
    return TreeSlider(draw, *named, film=film, theme=theme, wide=wide, player=player)
