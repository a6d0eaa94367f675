"""The real source of a function, shown where a lesson speaks of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from textwrap import dedent
from typing import Any

from IPython.display import display

from mcts_viz.errors import MctsVizError


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
