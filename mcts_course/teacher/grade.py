"""Grade a folder of plain notebooks: each is run, and a table says how its exercises went."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from .collect import CHECK

TOLD = """from json import dumps
from mcts_course.teacher.report import summary
print(dumps(summary(), default=float))"""
SECONDS = 120
"""A cell of a student's that runs longer is stopped."""


def grade(folder: Path) -> int:
    """Run the notebooks of a folder and write ``grades.csv`` into it; 2 if there is none."""
    paths = sorted(folder.glob("*.ipynb"))
    if not paths:
        print(f"There is no notebook in {folder}.", file=sys.stderr)
        return 2
    rows = [row for path in paths for row in graded(path)]
    with (folder / "grades.csv").open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.writer(file)
        table.writerow(["notebook", "exercise", "points", "verdict", "misconception"])
        table.writerows(rows)
    print(f"{len(paths)} notebooks, {folder / 'grades.csv'}")
    return 0


def graded(path: Path) -> list[tuple[str, str, int, str, str]]:
    """By exercise of a notebook: the point, the verdict, and the misconception that it shows."""
    file = f"'{path.name}" if path.name[0] in "=+-@" else path.name  # a spreadsheet's formulas
    try:
        notebook = nbformat.read(path, as_version=4)
        names = [
            name
            for cell in notebook.cells
            if cell.cell_type == "code"
            for name in CHECK.findall(cell.source)
        ]
        work = _run(notebook) if names else {}
    except (CellTimeoutError, DeadKernelError) as error:
        return [(file, "", 0, f"stopped: {type(error).__name__}", "")]
    except Exception as error:  # whatever was handed in: the others are still graded
        return [(file, "", 0, f"unreadable: {type(error).__name__}", "")]
    rows = []
    for name in dict.fromkeys(names):
        done = work.get(name, {"verdicts": ["not reached"], "misconceptions": []})
        last = done["verdicts"][-1]
        told = done["misconceptions"][-1] if last == "misconception" else ""
        rows.append((file, name, int(last == "right"), last, told))
    return rows or [(file, "", 0, "no exercise in it", "")]


def _run(notebook: Any) -> dict[str, Any]:
    """Run a notebook, errors and all, and ask its kernel how the exercises went."""
    told = nbformat.v4.new_code_cell(TOLD)
    notebook.cells.append(told)
    with TemporaryDirectory() as folder:
        NotebookClient(
            notebook,
            timeout=SECONDS,
            kernel_name="python3",
            allow_errors=True,
            resources={"metadata": {"path": folder}},
            coalesce_streams=True,
        ).execute()
    text = "".join(output.get("text", "") for output in told.outputs)
    exercises: dict[str, Any] = json.loads(text.splitlines()[-1])["exercises"]
    return exercises
