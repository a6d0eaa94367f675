"""How the course speaks to a student: formatted where it can be, broken at words everywhere."""

from __future__ import annotations

import re
from textwrap import fill

from IPython.core.getipython import get_ipython
from IPython.display import display

SIGNS = ("✓ Right", "✗ Not yet", "○ Open")
"""What a reply begins with: right, wrong, or not answered yet."""


def say(text: str, code: str = "") -> None:
    """Show some paragraphs or a Markdown table, then lines of code; plain without a notebook.

    The text may hold `code` between backticks; what else Markdown would read as a sign is shown
    as it stands, so a student's own words stay whole.
    """
    plain = "\n".join(_wrapped(line) for line in text.splitlines()) + _below(code)
    if get_ipython() is None:
        print(plain)
        return
    formatted = "\n".join(map(_formatted, text.splitlines()))
    if code:
        formatted += f"\n\n```python\n{code}\n```"
    display({"text/markdown": formatted, "text/plain": plain}, raw=True)  # type: ignore[no-untyped-call]


def _below(code: str) -> str:
    return f"\n\n{code}" if code else ""


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
