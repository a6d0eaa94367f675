"""A program: each cell of a lesson alone, right after the set-up cell, in a process of its own.

Prints one JSON object: by number of the cell, "" if it works, else what it says when it fails.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys

import matplotlib
import nbformat
from IPython.core.interactiveshell import InteractiveShell


def main(path: str) -> None:
    matplotlib.use("agg")
    os.environ["JPY_SESSION_NAME"] = path
    os.chdir(os.path.dirname(path))
    codes = [c.source for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    shell = InteractiveShell.instance()
    with contextlib.redirect_stdout(io.StringIO()):
        shell.run_cell(codes[0]).raise_error()
    said = {number: alone(shell, code) for number, code in enumerate(codes) if number}
    print(json.dumps(said))


def alone(shell: InteractiveShell, code: str) -> str:
    """What running the cell in a copy of this process says about its failure."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        told: list[str] = []
        shell._showtraceback = lambda kind, error, lines: told.append("\n".join(lines))  # type: ignore[method-assign]
        nowhere = io.StringIO()
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            result = shell.run_cell(code)
        text = "" if result.success else "\n".join(told) or repr(result.error_in_exec)
        os.write(write, text.encode()[:4000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        text = answer.read().decode()
    os.waitpid(child, 0)
    return text


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
