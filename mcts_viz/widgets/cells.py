"""What each cell of a notebook shows: a cell that runs again closes the widgets it showed before.

So pages and kernels do not fill up with widgets that nobody sees. And where a notebook is opened
again without its kernel, pictures stand in place of its widgets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from IPython.core.getipython import get_ipython
from IPython.display import display
from ipywidgets import Widget

GONE: Final = (
    '<div class="mcts-gone" style="display: none">{}'
    "<p>The kernel of this output is gone: run the cell again.</p></div>"
)
STYLE: Final = """<style>
.jp-OutputArea-child:has(> .jupyter-widgets):has(~ * .mcts-gone) { display: none; }
.jp-OutputArea-child:has(> .jupyter-widgets) ~ * .mcts-gone { display: block !important; }
</style>"""
"""Where JupyterLab misses a widget, it puts this class on the output itself, and a sentence."""

_shown: Final[dict[str, tuple[str, list[Any]]]] = {}
"""By cell: its last run, and the widgets that it shows."""
_pictures: Final[list[str]] = []
"""Of the widgets of this run, in base64; an empty one where there is none."""


def note(widget: Any, png: str = "") -> None:
    """Note that the cell that is running shows a widget, with a picture for later."""
    shell: Any = get_ipython()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    cell, run = parent.get("metadata", {}).get("cellId"), parent.get("header", {}).get("msg_id")
    if not cell:  # not in a notebook, or nobody tells in which cell
        return
    before, widgets = _shown.get(cell, (run, []))
    if before != run or cell not in _shown:
        _shown[cell] = (run, [])
        for old in widgets:
            shown = [widget, *(other for _, others in _shown.values() for other in others)]
            if not any(old is other for other in shown):
                for part in _parts(old):
                    part.close()
    if not _pictures:
        shell.events.register("post_run_cell", _show_pictures)
    if widget.comm is None:  # it was closed, and is shown again
        for part in _parts(widget):
            part.open()
    _shown[cell][1].append(widget)
    _pictures.append(png)


def _parts(widget: Any) -> Iterator[Any]:
    """The widgets inside a widget, such as its layout, and then itself."""
    for name in widget.keys:
        value = getattr(widget, name)
        for part in value if isinstance(value, list | tuple) else (value,):
            if isinstance(part, Widget):
                yield from _parts(part)
    yield widget


def _show_pictures(result: Any) -> None:
    """Put the pictures below the cell, hidden as long as there are widgets."""
    image = '<img alt="a picture of one moment" src="data:image/png;base64,{}">'
    images = "".join(image.format(png) for png in _pictures if png)
    _pictures.clear()
    shell: Any = get_ipython()
    shell.events.unregister("post_run_cell", _show_pictures)
    forms = {"text/html": STYLE + GONE.format(images), "text/plain": ""}
    display(forms, raw=True)  # type: ignore[no-untyped-call]
