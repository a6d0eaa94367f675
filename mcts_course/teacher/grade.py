"""Grade plain notebooks: each is run from top to bottom, and what it has kept says how it went.

A kernel belongs to its student's code, which may do whatever a program may, such as claim a point.
"""

from __future__ import annotations

import ast
import csv
import math
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory
from typing import Any, Final

import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from jupyter_core.utils import run_sync
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from mcts_viz.trace.storage import read_file

from ..lessons import ORDER, read_texts
from ..progress import misunderstood, read_report, standing
from ..tables import printable

SECONDS: Final = 120
"""A cell of a student's that runs longer is interrupted."""
BUDGET: Final = 300
"""Seconds for all cells of a notebook: ten times those of the longest lesson."""
GRACE: Final = 10
"""Seconds that an interrupted kernel has to come back."""
LARGEST: Final = 50_000_000
"""Bytes of a notebook that is read."""
HEADS: Final = ("notebook", "exercise", "points", "verdict", "misconception", "remark")

SILENCE: Final = "import os, sys\nsys.stdout = sys.stderr = open(os.devnull, 'w')"
"""Run before the notebook, as an endless cell may print without end."""
NOTHING: Final[dict[str, Any]] = {"verdicts": [], "misconceptions": [], "hints": 0}
LESSONS: Final = "mcts_course.lessons"
MAGIC: Final[Any] = TransformerManager()  # type: ignore[no-untyped-call]
"""Makes plain Python of a cell, which may hold %magic."""

Row = tuple[str, str, int, str, str, str]


def grade(folder: Path) -> int:
    """Run the notebooks below a folder and write ``grades.csv`` into it; 2 if there is none.

    Each gets a line, and its rows in the table, as soon as it is done. The folder may be nbgrader's
    ``submitted``.
    """
    paths = [p for p in sorted(folder.rglob("*.ipynb")) if ".ipynb_checkpoints" not in p.parts]
    if not paths:
        print(f"There is no notebook in {folder}.", file=sys.stderr)
        return 2
    place = folder / "grades.csv"
    place.unlink(missing_ok=True)  # what was handed in may be a link to another file
    with place.open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.writer(file)
        table.writerow(HEADS)
        for path in paths:
            name = path.relative_to(folder).as_posix()
            rows = graded(path, name)
            table.writerows([guarded(cell) for cell in row] for row in rows)
            file.flush()
            points, remark = sum(row[2] for row in rows), rows[0][5]
            tried = sum(bool(row[1]) for row in rows)
            print(f"{name!r}: {points} of {tried}{remark and f' ({remark})'}", flush=True)
    print(f"Graded {len(paths)} notebooks; the table is {place}.")
    return 0


def guarded(cell: object) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    text = printable(str(cell))
    return f"'{text}" if text.lstrip()[:1] in ("=", "+", "-", "@") else text


def graded(path: Path, name: str) -> list[Row]:
    """Return a row for each exercise of a notebook: its point, verdict, misconception, remark."""
    remark = ""
    try:
        text = read_file(path, LARGEST).decode("utf-8-sig")
        notebook = nbformat.reads(text, as_version=4)
        done, remark = _run(notebook)
        rows = [_row(name, exercise, facts, remark) for exercise, facts in done.items()]
    except Exception as error:  # whatever was handed in: the others are still graded
        rows, remark = [], f"unreadable: {type(error).__name__}"
    return rows or [(name, "", 0, "no exercise in it", "", remark)]


def _row(name: str, exercise: str, work: dict[str, Any], remark: str) -> Row:
    last = standing(work) if work["verdicts"] else "not reached"
    return (name, exercise, int(last == "right"), last, misunderstood(work), remark)


def _run(notebook: Any) -> tuple[dict[str, Any], str]:
    """Run the cells in a new kernel; return what was done of each exercise, and remarks.

    Every verdict is saved immediately, so what was right stays right.
    """
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    remarks = []
    with TemporaryDirectory() as folder:
        place = Path(folder, "work.ipynb")
        silence = nbformat.v4.new_code_cell(SILENCE)
        plain = nbformat.v4.new_notebook(cells=[silence, *cells])
        where = {"metadata": {"path": folder}}
        client: Any = NotebookClient(plain, timeout=SECONDS, allow_errors=True, resources=where)
        client.output = lambda *_: None  # an endless loop that prints would fill the memory
        env = {**os.environ, "JPY_SESSION_NAME": str(place)}
        with client.setup_kernel(env=env, stdout=DEVNULL, stderr=DEVNULL):
            client.execute_cell(silence, 0)
            until = time.monotonic() + BUDGET
            for number, cell in enumerate(cells, 1):
                left = until - time.monotonic()
                if left <= 0:
                    remarks.append(f"stopped before code cell {number}, after {BUDGET} seconds")
                    break
                client.timeout = min(SECONDS, math.ceil(left))
                try:
                    client.execute_cell(cell, number)
                except (CellTimeoutError, DeadKernelError):
                    remarks.append(f"code cell {number} did not end")
                    if not _comes_back(client):
                        remarks[-1] += ", or ended the kernel"
                        break
        kept = read_report(place.with_name(".work.progress.json"))
    done = dict.fromkeys(_named_in(cells), NOTHING) | (kept["exercises"] if kept else {})
    return done, "; ".join(remarks)


def _comes_back(client: Any) -> bool:
    """Interrupt a kernel; true if it then runs code again."""
    client.timeout = GRACE
    try:
        run_sync(client.km.interrupt_kernel)()
        client.execute_cell(client.nb.cells[0], 0)
    except (CellTimeoutError, DeadKernelError, RuntimeError):
        return False
    return True


def _named_in(cells: list[Any]) -> list[str]:
    """The exercises of all lessons that the code imports."""
    named = {name for cell in cells for name in _imported(cell.source)}
    topics = [topic for topic in ORDER if f"{LESSONS}.{topic}" in named]
    found = [f"{topic}.{name}" for topic in topics for name in read_texts(topic)["exercises"]]
    return [name for name in found if not name.endswith(".replies")]


def _imported(code: str) -> Iterator[str]:
    """The full names that a cell imports; none if it is not Python."""
    try:
        plain: str = MAGIC.transform_cell(code)
        tree = ast.parse(plain)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
