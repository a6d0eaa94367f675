"""Loads the plotting packages in JupyterLite while a reader looks at the first board."""

from __future__ import annotations

import asyncio
from typing import Any

import pyodide_js
from IPython.core.getipython import get_ipython

_kernel: Any = getattr(get_ipython(), "kernel", None)
_run = getattr(_kernel, "run", None)


async def _load() -> None:
    await asyncio.sleep(2)  # in which the board appears
    await pyodide_js.loadPackage(["matplotlib", "networkx"])


async def _run_once_loaded(code: str) -> Any:
    """Run the next cell when all is there: its plots cannot wait by themselves."""
    _kernel.run = _run
    await _loading
    return await _run(code)  # type: ignore[misc]


_loading = asyncio.ensure_future(_load())
if _kernel:
    _kernel.run = _run_once_loaded
