"""Two films side by side, moved together."""

from __future__ import annotations

from typing import Any

import traitlets

from ..film import Film
from ..trace import MinimaxTrace, Trace, first_difference
from .bundle import script_with, style_with
from .player import film_of
from .stepper import Stepper

__all__ = ["Compare"]


class Compare(Stepper):
    """Two traces or films side by side; whichever the reader moves, the other goes along.

    They may differ in anything: c, seed, policy, position, or one is a walk by minimax. ``differ``
    is the first iteration in which two searches did not do the same (``None`` if they never part,
    or if they cannot be compared); a button leads there. ``iteration`` and ``phase`` say where
    both stand, as in a :class:`Player`; the shorter film waits at its end. ``large`` is large
    type for a projector.
    """

    _esm = script_with("compare.js")
    _css = style_with("compare.css", ".mcts-compare")

    first_facts = traitlets.Dict().tag(sync=True)
    first_columns = traitlets.Bytes().tag(sync=True)
    second_facts = traitlets.Dict().tag(sync=True)
    second_columns = traitlets.Bytes().tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    differ = traitlets.Int(None, allow_none=True).tag(sync=True)

    def __init__(
        self,
        first: Trace | MinimaxTrace | Film,
        second: Trace | MinimaxTrace | Film,
        iteration: int = 1,
        cards: int | None = None,
        large: bool = False,
    ) -> None:
        traces = [getattr(source, "trace", source) for source in (first, second)]
        differ, note = _difference(*traces)
        also = (iteration, differ) if differ else (iteration,)
        self.films = film_of(first, cards, also), film_of(second, cards, also)
        facts: dict[str, Any] = {}
        for name, film in zip(("first", "second"), self.films, strict=True):
            payload = film.payload()
            facts |= {f"{name}_facts": payload["facts"], f"{name}_columns": payload["columns"]}
        begin = self.films[0].frame(iteration, self.films[0].first_phase)
        super().__init__(
            self.films,
            note=note,
            differ=differ,
            iteration=begin.iteration,
            phase=begin.phase,
            large=large,
            **facts,
        )

    def to_html(self, iteration: int | None = None, phase: str | None = None) -> str:
        """Both as one HTML file, which opens from a disk, without a kernel or a network.

        It opens at that moment, else where the widget stands. Raises ``TraceError`` for a moment
        that is not in the first film.
        """
        from .page import pair_page

        if iteration is None:
            iteration, phase = self.iteration, self.phase
        return pair_page(self.films, iteration, phase, self.large, self.note, self.differ)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle: Any = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        texts = [film.to_text() for film in self.films]
        return {**data, "text/plain": "\n\n".join([self.note, *texts])}, metadata


def _difference(one: object, other: object) -> tuple[int | None, str]:
    if not isinstance(one, Trace) or not isinstance(other, Trace):
        return None, "Two ways to look at a game, step by step."
    differ = first_difference(one, other)
    if differ is None:
        return None, "Both searches do the same in every iteration."
    if differ > min(len(one), len(other)):
        return None, "Both searches do the same, as far as the shorter one goes."
    return differ, f"The searches first differ in iteration {differ}."
