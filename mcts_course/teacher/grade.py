"""Grade plain notebooks: each is run from top to bottom, and its kernel says how it went.

A kernel belongs to its student's code, which may do whatever a program may, such as claim a point.
"""

from __future__ import annotations

import ast
import csv
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from subprocess import DEVNULL
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, Final

import nbformat
from jupyter_client.manager import KernelManager

from ..exercises import Exercise
from ..progress import record
from ..tables import printable

SECONDS: Final = 120
"""A cell of a student's that runs longer is interrupted."""
GRACE: Final = 10
"""Seconds that an interrupted kernel has to come back."""
HEADS: Final = ("notebook", "exercise", "points", "verdict", "misconception", "remark")
ASKED: Final = "__import__('mcts_course.teacher.grade', fromlist=['work']).work(globals())"

Row = tuple[str, str, int, str, str, str]


def grade(folder: Path) -> int:
    """Run the notebooks below a folder and write ``grades.csv`` into it; 2 if there is none.

    Each is told on a line, and in the table, as soon as it is done. The folder may be nbgrader's
    ``submitted``.
    """
    paths = [p for p in sorted(folder.rglob("*.ipynb")) if ".ipynb_checkpoints" not in p.parts]
    if not paths:
        print(f"There is no notebook in {folder}.", file=sys.stderr)
        return 2
    with (folder / "grades.csv").open("w", encoding="utf-8-sig", newline="") as file:
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
    print(f"{len(paths)} notebooks, {folder / 'grades.csv'}")
    return 0


def guarded(cell: object) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    text = printable(str(cell))
    return f"'{text}" if text.lstrip()[:1] in ("=", "+", "-", "@") else text


def graded(path: Path, name: str) -> list[Row]:
    """Return a row for each exercise of a notebook: its point, verdict, misconception, remark."""
    remark = ""
    try:
        notebook = nbformat.read(path, as_version=4)
        cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
        done, remark = _run(cells)
        rows = [_row(name, exercise, facts, remark) for exercise, facts in done.items()]
    except Exception as error:  # whatever was handed in: the others are still graded
        rows, remark = [], f"unreadable: {type(error).__name__}"
    return rows or [(name, "", 0, "no exercise in it", "", remark)]


def _row(name: str, exercise: str, facts: dict[str, Any], remark: str) -> Row:
    last = (facts["verdicts"] or ["not reached"])[-1]
    told = facts["misconceptions"][-1] if last == "misconception" else ""
    return (name, str(exercise), int(last == "right"), str(last), str(told), remark)


def work(names: dict[str, Any]) -> str:
    """Return, in a kernel, the exercises of the lessons it has imported and how they went."""
    found = {}
    for value in list(names.values()):
        lesson = value.__name__.rpartition(".")[2] if isinstance(value, ModuleType) else ""
        for exercise in vars(value).values() if lesson else (value,):
            if isinstance(exercise, Exercise) and exercise.said.name.startswith(lesson):
                found[exercise.said.name] = exercise.progress
    return json.dumps({**found, **record()["exercises"]})


def _run(cells: list[str]) -> tuple[dict[str, Any], str]:
    """Run the cells in a new kernel; after each it is asked, so that what was right stays."""
    done: dict[str, Any] = {}
    remarks = []
    with TemporaryDirectory() as folder, _kernel(folder) as kernel:
        for number, source in enumerate(cells, 1):
            ended = kernel.run(source, SECONDS) is not None
            if not ended:
                remarks.append(f"code cell {number} did not end")
                kernel.manager.interrupt_kernel()
            answer = kernel.run("", SECONDS if ended else GRACE, {"work": ASKED})
            if answer is None:
                remarks[-1:] = [f"code cell {number} did not end, or ended the kernel"]
                break
            told = answer.get("user_expressions", {}).get("work", {})
            if told.get("status") == "ok":
                done = json.loads(ast.literal_eval(told["data"]["text/plain"]))
    return done, "; ".join(remarks)


class _Kernel:
    """A kernel that runs code and answers in time, or not."""

    def __init__(self, folder: str) -> None:
        # What the kernel is asked for must not depend on the notebook this was called from.
        env = {key: value for key, value in os.environ.items() if key != "JPY_SESSION_NAME"}
        self.manager: Any = KernelManager(kernel_name="python3")
        self.manager.start_kernel(cwd=folder, env=env, stdout=DEVNULL, stderr=DEVNULL)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=SECONDS)

    def run(
        self, code: str, seconds: float, expressions: dict[str, str] | None = None
    ) -> dict[str, Any] | None:
        """Run some code, and return the kernel's reply; ``None`` if none came in time."""
        asked = self.client.execute(
            code,
            store_history=False,
            user_expressions=expressions,
            allow_stdin=False,
            stop_on_error=False,
        )
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self.manager.is_alive():
            try:
                reply = self.client.get_shell_msg(timeout=0.5)
            except Empty:
                continue
            if reply["parent_header"].get("msg_id") == asked:
                content: dict[str, Any] = reply["content"]
                return content
        return None


@contextmanager
def _kernel(folder: str) -> Iterator[_Kernel]:
    kernel = _Kernel(folder)
    try:
        yield kernel
    finally:
        kernel.client.stop_channels()
        kernel.manager.shutdown_kernel(now=True)
