"""Feedback in HTML that trusts no text, and in plain lines broken at words.

Where a lesson speaks of a function, its real source is shown.
"""

from __future__ import annotations

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from html import escape
from textwrap import dedent, fill
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import display

from mcts_viz.errors import MctsVizError, require
from mcts_viz.player.base import note

from .figures import forms_of
from .tables import Table, printable

SIGNS = re.compile("^(✓ Right|✗ Not yet|○ Open)")
"""The start of a reply: right, wrong, or not answered yet."""


def inert(text: object) -> str:
    """Return HTML that shows the text unchanged and does nothing, even if the text attacks.

    No tag, no Markdown and no formula is left in it: JupyterLab looks for formulas between dollars
    and after backslashes, but not across the borders of an element.
    """
    return re.sub(r"[\\$]", r"<span>\g<0></span>", escape(printable(str(text))))


def forms(*parts: str | Table, code: str = "") -> dict[str, str]:
    """Return paragraphs, tables and lines of code as HTML and as plain text, by MIME type."""
    plain = [repr(p) if isinstance(p, Table) else _wrapped(p) for p in parts]
    pages = [_html(part) for part in parts]
    if code:
        plain.append(code)
        pages.append(f"<pre><code>{_lines(code)}</code></pre>")
    return {"text/html": "\n".join(pages), "text/plain": "\n\n".join(plain)}


class Shown(ABC):
    """A value that a notebook shows as paragraphs and tables, in HTML and in plain text."""

    @abstractmethod
    def parts(self) -> list[str | Table]:
        """Return what it shows, from top to bottom."""

    def __repr__(self) -> str:
        return forms(*self.parts())["text/plain"]

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return forms(*self.parts())


def say(*parts: str | Table, code: str = "") -> None:
    """Show paragraphs and tables, then lines of code; plain without a notebook.

    A paragraph may hold `code` between backticks.
    """
    shown = forms(*parts, code=code)
    if get_ipython() is None:
        print(shown["text/plain"])
    else:
        display(shown, raw=True)  # type: ignore[no-untyped-call]


def show_button(name: str, tell: Callable[[], tuple[str, str]], most: int) -> None:
    """Show a button, and below it what ``tell`` returns at each press, ``most`` times."""
    import ipywidgets  # slow to load, and of no use without a notebook

    if most < 1:
        return
    button, told = ipywidgets.Button(description=name), ipywidgets.HTML()
    left = iter(range(most - 1, -1, -1))

    def press(_: Any) -> None:
        text, code = tell()
        told.value += forms(text, code=code)["text/html"]
        button.disabled = next(left) == 0

    button.on_click(press)
    box = ipywidgets.VBox([button, told])
    note(box)
    display({**forms_of(box), "text/plain": ""}, raw=True)  # type: ignore[no-untyped-call]


def explain(markdown: str) -> None:
    """Show sentences of a lesson, formatted; in plain words without a notebook."""
    if get_ipython() is None:
        print(markdown)
    else:
        display({"text/markdown": markdown, "text/plain": markdown}, raw=True)  # type: ignore[no-untyped-call]


def _wrapped(text: str) -> str:
    return fill(printable(text), 88, break_long_words=False)


def _html(part: str | Table) -> str:
    if isinstance(part, Table):
        head, *rows = (map(inert, row) for row in part.cells)
        body = "\n".join(f"<tr><td>{'</td><td>'.join(row)}</td></tr>" for row in rows)
        return f"<table><tr><th>{'</th><th>'.join(head)}</th></tr>\n{body}</table>"
    sign, rest = SIGNS.match(part), SIGNS.sub("", part)
    parts = rest.split("`") if rest.count("`") % 2 == 0 else [rest]
    words = (f"<code>{inert(p)}</code>" if at % 2 else inert(p) for at, p in enumerate(parts))
    return f"<p>{f'<b>{sign[0]}</b>' if sign else ''}{''.join(words)}</p>"


def _lines(code: str) -> str:
    return "\n".join(map(inert, code.splitlines()))


def show_source(*functions: Callable[..., Any]) -> None:
    """Show the source of each function, below the name of its file."""
    source = "\n\n".join(map(_source, functions))
    shown = {"text/markdown": f"````python\n{source}````", "text/plain": source}
    display(shown, raw=True)  # type: ignore[no-untyped-call]


def _source(function: Callable[..., Any]) -> str:
    module = getattr(function, "__module__", None)
    right = callable(function) and module not in (None, "builtins")
    require(
        right,
        "What is shown",
        "a function or a class in Python, such as MCTS.select",
        function,
        MctsVizError,
    )
    file = "this notebook" if module == "__main__" else f"{str(module).replace('.', '/')}.py"
    return f"# {file}\n{dedent(inspect.getsource(function))}"
