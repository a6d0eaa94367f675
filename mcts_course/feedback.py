"""How the course speaks to a student: formatted where it can be, broken at words everywhere.

Where a lesson speaks of a function, its real source is shown.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from textwrap import dedent, fill
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import display

from mcts_viz.errors import MctsVizError

SIGNS = ("✓ Right", "✗ Not yet", "○ Open")
"""What a reply begins with: right, wrong, or not answered yet."""


def say(text: str, code: str = "") -> None:
    """Show some paragraphs or a Markdown table, then lines of code; plain without a notebook.

    The text may hold `code` between backticks; what else Markdown would read as a sign is shown
    as it stands, so a student's own words stay whole.
    """
    plain = "\n".join(_wrapped(line) for line in text.splitlines())
    plain += f"\n\n{code}" if code else ""
    if get_ipython() is None:
        print(plain)
        return
    formatted = "\n".join(map(_formatted, text.splitlines()))
    if code:
        formatted += f"\n\n```python\n{code}\n```"
    display({"text/markdown": formatted, "text/plain": plain}, raw=True)  # type: ignore[no-untyped-call]


def explain(markdown: str) -> None:
    """Show sentences of a lesson, formatted; in plain words without a notebook."""
    if get_ipython() is None:
        print(markdown)
    else:
        display({"text/markdown": markdown, "text/plain": markdown}, raw=True)  # type: ignore[no-untyped-call]


def markdown_table(head: str, rows: Iterable[Iterable[object]]) -> list[str]:
    """The lines of a Markdown table below the line ``head``."""
    lines = [" | ".join(str(cell).replace("|", "/") for cell in row) for row in rows]
    return [head, "|---" * (head.count("|") - 1) + "|", *(f"| {line} |" for line in lines)]


def _wrapped(line: str) -> str:
    return line if line.startswith("|") else fill(line, 88, break_long_words=False)


def _formatted(line: str) -> str:
    """A line of Markdown that reads as the plain line does, with the sign and its word in bold."""
    parts = re.split(r"(`[^`]*`)", line)
    inner = "".join(
        part if part.startswith("`") else re.sub(r"([\\*_<>#$\[\]~])", r"\\\1", part)
        for part in parts
    )
    for sign in SIGNS:
        inner = inner.replace(sign, f"**{sign}**", 1) if inner.startswith(sign) else inner
    return inner


def show_source(*functions: Callable[..., Any]) -> None:
    """Show each function as it stands in the package, below the name of its file."""
    source = "\n\n".join(_source(function) for function in functions)
    forms = {"text/markdown": f"```python\n{source}```", "text/plain": source}
    display(forms, raw=True)  # type: ignore[no-untyped-call]


def _source(function: Callable[..., Any]) -> str:
    try:
        text = dedent(inspect.getsource(function))
    except (OSError, TypeError):
        raise MctsVizError(
            f"{function!r} has no Python source to show: give a function or a class, such as "
            "MCTS.select, without brackets after it."
        ) from None
    module = function.__module__
    file = "this notebook" if module == "__main__" else module.replace(".", "/") + ".py"
    return f"# {file}\n{text}"
