"""Cells out of order: what is missing is named, with the cell that makes it."""

from __future__ import annotations

import json
import os
import symtable
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from IPython.core.getipython import get_ipython


def explain_missing_names() -> None:
    """From now on, in a notebook, a name that another cell makes is missed in one sentence.

    Any other ``NameError``, such as a slip in an answer, is shown as ever.
    """
    shell: Any = get_ipython()
    if shell is not None:
        shell.set_custom_exc((NameError,), _explain)


def cell_to_run_first(name: str, notebook: Path) -> str | None:
    """A sentence on the first cell of ``notebook`` that makes ``name``; ``None`` without one."""
    for source in _code_cells(notebook):
        if name in _made_in(source):
            first = next(line for line in source.splitlines() if line.strip() and line[0] != "#")
            return f"Run the cell that begins with `{first}` first: it makes `{name}`."
    return None


def _explain(shell: Any, kind: Any, error: Any, trace: Any, tb_offset: int | None = None) -> None:
    notebook = os.environ.get("JPY_SESSION_NAME", "")  # told by the server that runs the kernel
    missing = getattr(error, "name", None) or ""
    said = None if missing in shell.user_ns else cell_to_run_first(missing, Path(notebook))
    if said is None:
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
    else:
        shell._showtraceback(kind, NameError(said), [said])


def _code_cells(notebook: Path) -> Iterator[str]:
    """The code of a notebook, cell by cell; nothing, where it cannot be read."""
    with suppress(OSError, ValueError, LookupError, TypeError, AttributeError):
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                yield "".join(cell["source"])


def _made_in(source: str) -> set[str]:
    """The names that a cell assigns, defines or imports."""
    try:
        symbols = symtable.symtable(source, "cell", "exec").get_symbols()
    except SyntaxError:  # a magic command, or an answer half written
        return set()
    return {s.get_name() for s in symbols if s.is_assigned() or s.is_imported()}
