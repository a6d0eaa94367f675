"""The base of all widgets, and of those with films: a moment that the page and Python agree on.

A cell that runs again closes the widgets it showed before, so pages and kernels do not fill up with
widgets that are not seen. And where a notebook is opened again without its kernel, pictures are
in place of its widgets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from html import escape
from math import inf
from threading import RLock
from typing import Any, Final

import anywidget
import traitlets
from IPython.core.getipython import get_ipython
from IPython.display import display
from ipywidgets import Widget as AnyOtherWidget

from ..errors import TraceError, among, fits, require
from ..film import Film
from ..film.pictures import with_words
from ..search.checks import require_whole
from .page import LOADER, Moment, leading, opening, script, style

LOCK: Final = RLock()
"""One for all widgets: each of two that are linked sets the other."""


class Whole(anywidget.AnyWidget):
    """A widget that keeps all of its state in an exported page, its script above all.

    ``ipywidgets.embed`` leaves out what is the default of the class, and no page knows ours. Its
    text, also inside a box, is the same in each run.
    """

    _ipython_display_: Any = None
    """Else ipywidgets 7 shows a widget by this method of its own, without picture and text."""

    def get_state(self, key: str | Sequence[str] | None = None, drop_defaults: bool = False) -> Any:
        return super().get_state(key)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Widget(Whole):
    """A widget that knows its names: another one, mistyped, would be set in silence.

    Its output holds a picture and text too, for places where no widget lives.
    """

    _esm = LOADER
    code = traitlets.Unicode(script()).tag(sync=True)
    _css = style()
    error = traitlets.Unicode().tag(sync=True)
    _still_forms: Callable[[], dict[str, str]]
    """Makes the picture and the text, by MIME type."""
    _ipython_display_: Any = None
    """Widgets of ipywidgets 7 display themselves by it, without picture and text."""

    def __init__(self, **state: Any) -> None:
        super().__init__(**state)
        _look_into_boxes()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        still, words = with_words(self._still_forms())
        note(self, still.get("image/png", ""), words)
        bundle: Any = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        return {**data, **still}, {**metadata, **words}

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_") and self.comm is not None and not hasattr(self, name):
            near = "".join(get_close_matches(name, self.trait_names(sync=True), 1))
            meant = f": it has {near}" if near else ""
            raise TraceError(f"A {type(self).__name__} has no {name} to set{meant}.")
        super().__setattr__(name, value)


class Place(traitlets.Any):
    """A part of a moment: what is none is never set, and one thread sets it at a time."""

    allow_none = False

    def validate(self, obj: FilmWidget, value: object) -> Any:
        return obj.checked(str(self.name), value)

    def set(self, obj: traitlets.HasTraits, value: object) -> None:
        with LOCK:
            super().set(obj, value)


class FilmWidget(Widget):
    """A widget that shows films, at a moment that can be set, observed and linked.

    The page tells of its moves when the reader rests, and what it says may cross with what Python
    says, or come in another thread. So its messages tell how many of Python's words it had
    ``heard``: a move that was made before the last of them is out of date and dropped, and the
    page, which hears that word a moment later, shows what Python says.
    """

    payloads: traitlets.List[Any] = traitlets.List().tag(sync=True)
    # No echo: the page knows where it is, and a late echo would pull the slider back.
    iteration = Place(1).tag(sync=True, echo_update=False)
    phase = Place("").tag(sync=True, echo_update=False)
    at: traitlets.List[Any] = traitlets.List().tag(sync=True, echo_update=False)
    """The moment at which the page says that it is, iteration and phase."""
    words = traitlets.Int().tag(sync=True)
    """The number of times that Python has moved the films."""
    heard = traitlets.Int().tag(sync=True, echo_update=False)
    """Of these, how many the page knew when it last told a move."""

    def __init__(self, films: tuple[Film, ...], more: list[Any], at: Moment, **state: Any) -> None:
        self._films, self._from_page = films, dict[str, Any]()
        iteration, phase = opening(leading(films), *at)
        payloads = [film.payload(**facts) for film, facts in zip(films, more, strict=True)]
        super().__init__(payloads=payloads, iteration=iteration, phase=phase, **state)

    def checked(self, name: str, value: Any) -> Any:
        """A ``value`` for ``iteration`` or ``phase``; raises ``TraceError`` for what is none."""
        if name == "phase":
            phases = list(dict.fromkeys(phase for film in self._films for phase in film.phases))
            require(among(value, phases), name, f"one of {', '.join(phases)}", value, TraceError)
            return value
        last = max(len(film.trace) for film in self._films)
        iteration = require_whole(name, value, 1, last, TraceError)
        if len(self._films) == 1:  # two show what each of them has
            self._films[0].moment(iteration)
        return iteration

    @traitlets.observe("iteration", "phase")
    def _speak(self, change: Any) -> None:
        """Python has moved the films: the page must show Python's moment, in both."""
        if self.comm is not None and self._from_page.get(change.name) != change.new:
            self.words += 1
            self.send_state(["iteration", "phase", "words"])

    def set_state(self, sync_data: Any) -> None:
        """Hear from the page; an error in an observer would be seen nowhere but in the widget."""
        state = dict(sync_data)
        with LOCK:
            try:
                if "heard" in state:  # whatever becomes of the rest: it is not said again
                    super().set_state({"heard": state.pop("heard")})
                if place := state.pop("at", None):  # what else it says of this may be older
                    state["iteration"], state["phase"] = place
                if self.heard != self.words:
                    state = {name: state[name] for name in state.keys() - {"iteration", "phase"}}
                if fits(state.get("iteration"), -inf, inf):  # a linked widget may lead outside
                    here = state["iteration"]
                    state["iteration"] = max(film.nearest(here) for film in self._films)
                self._from_page = state
                super().set_state(state)
                self.error = ""
            except Exception as error:
                self.error = f"{type(error).__name__}: {error}"
                raise
            finally:
                self._from_page = {}


def _look_into_boxes() -> None:
    """From now on note the widgets of this kind in a box that is a cell's output."""
    shell: Any = get_ipython()
    if shell is not None and _note_in_box not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _note_in_box)


def _note_in_box(result: Any) -> None:
    """The box shows its parts itself, so their pictures come below the cell, as those of others."""
    box = getattr(result, "result", None)
    if isinstance(box, Whole) or not isinstance(box, AnyOtherWidget):
        return
    waits = bool(_pictures)  # then they are shown with those of this cell
    for part in _parts(box):
        if isinstance(part, Widget):
            still, words = with_words(part._still_forms())
            note(part, still.get("image/png", ""), words)
    if _pictures and not waits:
        _show_pictures(result)


# What each cell of a notebook shows ---------------------------------------------------------------

GONE: Final = (
    '<div class="mcts-gone" style="display: none">{}'
    "<p>The kernel of this output is gone: run the cell again.</p></div>"
)
STYLE: Final = """<style>
.jp-OutputArea-child:has(> .jupyter-widgets):has(~ * .mcts-gone) { display: none; }
.jp-OutputArea-child:has(> .jupyter-widgets) ~ * .mcts-gone { display: block !important; }
</style>"""
"""The class that JupyterLab puts on an output whose widget it misses, with a sentence."""

_shown: Final[dict[str, tuple[str, list[Any]]]] = {}
"""For each cell: its last run, and the widgets that it shows."""
_pictures: Final[list[tuple[str, str]]] = []
"""Of the widgets of this run, in base64, and its words; an empty one where there is none."""


def run_of_cell() -> str:
    """Return what is the same for all that one run of a cell shows; "" outside of a notebook."""
    shell: Any = get_ipython()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    return str(parent.get("header", {}).get("msg_id", ""))


def note(widget: AnyOtherWidget, png: str = "", words: dict[str, Any] | None = None) -> None:
    """Note that the cell that is running shows a widget, with a picture and its words for later."""
    shell: Any = get_ipython()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    cell, run = parent.get("metadata", {}).get("cellId"), parent.get("header", {}).get("msg_id")
    if not cell:  # not in a notebook, or in a cell that is not known
        return
    before, widgets = _shown.get(cell, (run, []))
    _shown[cell] = run, [*(widgets if before == run else []), widget]
    shown = {id(other) for _, others in _shown.values() for other in others}
    for old in widgets:
        if id(old) not in shown:
            close(old)
    if not _pictures:
        shell.events.register("post_run_cell", _show_pictures)
    if widget.comm is None:  # it was closed, and is shown again
        for part in _parts(widget):
            part.open()
    said = (words or {}).get("image/png", {}).get("alt", "a picture of one moment")
    _pictures.append((png, said))


def close(widget: AnyOtherWidget) -> None:
    """Close a widget and the widgets inside it."""
    for part in _parts(widget):
        part.close()


def _parts(widget: AnyOtherWidget) -> Iterator[AnyOtherWidget]:
    """The widgets inside a widget, such as its layout, and then itself."""
    for name in widget.keys:
        value = getattr(widget, name)
        held = value if isinstance(value, list | tuple) else (value,)
        for part in held:
            if isinstance(part, AnyOtherWidget):
                yield from _parts(part)
    yield widget


def _show_pictures(result: object) -> None:
    """Put the pictures below the cell, hidden as long as there are widgets."""
    image = '<img alt="{}" src="data:image/png;base64,{}">'
    images = "".join(image.format(escape(words), png) for png, words in _pictures if png)
    _pictures.clear()
    shell: Any = get_ipython()
    shell.events.unregister("post_run_cell", _show_pictures)
    forms = {"text/html": STYLE + GONE.format(images), "text/plain": ""}
    display(forms, raw=True)  # type: ignore[no-untyped-call]
