"""Where films stand: a moment that both the page and Python move, and agree about."""

from __future__ import annotations

from math import inf
from typing import Any

import traitlets

from ..errors import TraceError, shown
from ..film import Film
from ..search.checks import fits
from .traits import LOCK, Number, Widget, Word


class FilmWidget(Widget):
    """A widget that shows films, at a moment that can be set, observed and linked.

    The page tells of its moves when the reader rests, and what it says may cross with what Python
    says, or come in another thread. So its messages tell how many of Python's words it had
    ``heard``: a move that was made before the last of them is out of date and dropped, and the
    page, which hears that word a moment later, shows what Python says.
    """

    # No echo: the page knows where it is, and a late echo would pull the slider back.
    iteration = Number(1).tag(sync=True, echo_update=False)
    phase = Word().tag(sync=True, echo_update=False)
    error = Word().tag(sync=True)
    at: traitlets.List[Any] = traitlets.List().tag(sync=True, echo_update=False)
    """Where the page says that it stands, iteration and phase."""
    words = traitlets.Int().tag(sync=True)
    """How often Python has moved the films."""
    heard = traitlets.Int().tag(sync=True, echo_update=False)
    """Of these, how many the page knew when it last told a move."""

    def __init__(self, films: tuple[Film, ...], **state: Any) -> None:
        self._films = films
        self._told: dict[str, Any] = {}
        super().__init__(**state)

    def _nearest(self, iteration: Any) -> int:
        """The moment for one that a widget linked on the page asks for; it may lie outside."""
        if not fits(iteration, -inf, inf):
            raise TraceError(f"iteration is {shown(iteration)}, but it must be a whole number.")
        return round(max(1, min(iteration, self._last)))

    @property
    def _last(self) -> int:
        return max(len(film.trace) for film in self._films)

    def _require(self, iteration: int) -> None:
        """Raise ``TraceError`` unless a film has this iteration."""
        if not 1 <= iteration <= self._last:
            last = f"this film has the iterations 1 to {self._last}"
            raise TraceError(f"iteration is {shown(iteration)}, but {last}.")

    @traitlets.validate("iteration")
    def _check_iteration(self, proposal: Any) -> int:
        iteration: int = proposal["value"]
        self._require(iteration)
        return iteration

    @traitlets.validate("phase")
    def _check_phase(self, proposal: Any) -> str:
        phase: str = proposal["value"]
        phases = list(dict.fromkeys(name for film in self._films for name in film.phases))
        if phase not in phases:
            raise TraceError(f"phase is {shown(phase)}, but the phases are {', '.join(phases)}.")
        return phase

    @traitlets.observe("iteration", "phase")
    def _speak(self, change: Any) -> None:
        """Python has moved the films: the page is to stand where Python does, in both."""
        if self.comm is not None and self._told.get(change.name) != change.new:
            self.words += 1
            self.send_state(["iteration", "phase", "words"])

    def set_state(self, sync_data: Any) -> None:
        """Hear from the page; an error in an observer would be seen nowhere but in the widget."""
        told = dict(sync_data)
        with LOCK:
            try:
                if "heard" in told:  # whatever becomes of the rest: it is not said again
                    super().set_state({"heard": told.pop("heard")})
                if place := told.pop("at", None):  # what else it says of this may be older
                    told["iteration"], told["phase"] = place
                if self.heard != self.words:
                    told = {name: told[name] for name in told.keys() - {"iteration", "phase"}}
                if "iteration" in told:
                    told["iteration"] = self._nearest(told["iteration"])
                self._told = told
                super().set_state(told)
                self.error = ""
            except Exception as error:
                self.error = f"{type(error).__name__}: {error}"
                raise
            finally:
                self._told = {}
