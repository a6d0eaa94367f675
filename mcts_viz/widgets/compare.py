"""Two films side by side, moved together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any
from xml.etree.ElementTree import fromstring, tostring

import traitlets

from ..errors import door
from ..film import Film
from ..film.pictures import THEMES, add, new_svg, output_forms
from ..film.words import plain
from ..search.texts import describe
from ..trace import MinimaxTrace, Trace, first_difference
from ..watch import Watch
from .base import FilmWidget
from .page import document, tools_of
from .player import film_of


class Compare(FilmWidget):
    """Two traces or films side by side, under one control bar, with both decisions in one table.

    They may differ in anything: c, seed, policy, position, or one is a walk by minimax. ``differ``
    is the first iteration in which two searches did not do the same (``None`` if they never part,
    or if they cannot be compared); a button leads there. ``iteration`` and ``phase`` say where
    both stand, as in a :class:`Player`; the shorter film waits at its end. ``large`` is large
    type for a projector.

    >>> from mcts_viz import MCTS, Compare, TicTacToe
    >>> low, high = (MCTS(TicTacToe(), c=c, seed=4).record(iterations=60) for c in (0.2, 2))
    >>> Compare(low, high).note
    'The searches first differ in iteration 14.'
    """

    note = traitlets.Unicode().tag(sync=True)
    differ = traitlets.Int(None, allow_none=True).tag(sync=True)

    @door
    def __init__(
        self,
        first: Trace | MinimaxTrace | Film | Watch,
        second: Trace | MinimaxTrace | Film | Watch,
        iteration: int | None = None,
        cards: int | None = None,
        large: bool = False,
    ) -> None:
        traces = [getattr(source, "trace", source) for source in (first, second)]
        differ, note = _difference(*traces)
        also = tuple(number for number in (iteration, differ) if number)
        self.films = film_of(first, cards, also), film_of(second, cards, also)
        self._still = iteration or differ or min(film.last for film in self.films)
        options = {"tools": tools_of((), large)}
        facts = [{"options": options, "apart": differs} for differs in apart(*traces)]
        super().__init__(self.films, facts, (iteration, None), note=note, differ=differ)

    @door
    def to_html(self, iteration: int | None = None, phase: str | None = None) -> str:
        """Both as one HTML file, which opens from a disk, without a kernel or a network.

        It opens at that moment, else where the widget stands. Raises ``TraceError`` for a moment
        that is not in the first film.
        """
        if iteration is None:
            iteration, phase = self.iteration, self.phase
        more = {"note": self.note, "differ": self.differ}
        return document(self.films, self.payloads, (iteration, phase), more)

    def _still_forms(self) -> dict[str, str]:
        moments = [film.nearest(self._still) for film in self.films]
        pairs = list(zip(self.films, moments, strict=True))
        picture = beside([film.to_svg(moment, crop=True) for film, moment in pairs], self.note)
        texts = [film.to_text(moment) for film, moment in pairs]
        return output_forms(picture, "\n\n".join([self.note, *texts]))


def beside(pictures: Sequence[str], note: str) -> str:
    """SVG pictures side by side, with a line above."""
    parts = [fromstring(picture) for picture in pictures]
    left = 0.0
    for part in parts:
        part.set("x", f"{left:g}")
        part.set("y", "26")
        left += float(part.attrib["width"])
    high = 26 + max(float(part.attrib["height"]) for part in parts)
    box = (0, 0, left, high)
    root = new_svg(box, width=f"{left:g}", height=f"{high:g}", role="img")
    colours = THEMES["light"]
    add(root, "rect", width="100%", height="100%", fill=colours["page"])
    said = f"{note} Run this cell to step through both."
    add(root, "text", "", said, x=10, y=18, fill=colours["ink"], font_size=13, font_weight="bold")
    root.extend(parts)
    return tostring(root, encoding="unicode")


def apart(one: object, other: object) -> tuple[str, str]:
    """Say what tells two searches apart beside c and the seed: the policies and the game.

    Of a watched search nobody knows them; what was read of it stands in its subtitle.
    """
    if any(getattr(trace, "rows", None) for trace in (one, other)):
        return "", ""
    specs = [getattr(trace, "spec", None) for trace in (one, other)]
    given: list[dict[str, Any]] = [getattr(spec, "given", {}) for spec in specs]
    names = [name for name in given[0] if name in given[1] and name not in ("c", "seed", "random")]
    said = [{name: _described(of[name]) for name in names} for of in given]
    games = [plain(of["game"].name) if "game" in names else "" for of in given]
    if games[0] != games[1]:  # two names of games say more than their fields
        said = [{**of, "game": game} for of, game in zip(said, games, strict=True)]
    differ = [name for name in names if said[0][name] != said[1][name]]
    first, second = (", ".join(f"{name}: {of[name]}" for name in differ) for of in said)
    return first, second


def _described(value: Any) -> str:
    with suppress(Exception):  # a student's own policy may have no text
        return plain(describe(value))[:60]
    return plain(getattr(value, "__name__", type(value).__name__))


def _difference(one: object, other: object) -> tuple[int | None, str]:
    if not isinstance(one, Trace) or not isinstance(other, Trace):
        return None, "Two ways to look at a game, step by step."
    differ = first_difference(one, other)
    if differ is None:
        return None, "Both searches do the same in every iteration."
    if differ > min(len(one), len(other)):
        return None, "Both searches do the same, as far as the shorter one goes."
    return differ, f"The searches first differ in iteration {differ}."
