"""Collect the work of a class, with nbgrader or without.

    python -m mcts_course.collect source 03          # nbgrader's source of a lesson, in ./source
    python -m mcts_course.collect grade FOLDER       # plain notebooks, graded to FOLDER/grades.csv

For nbgrader, each exercise of the lesson is an answer of one point, graded automatically. Without
it, each notebook of the folder is run, and a row of the table says how each exercise went and
which misconception its last wrong answer shows. Running a notebook runs its student's code: do it
where that does no harm.
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

CHECK = re.compile(r"^(lesson_\d\d\.\w+)\.check\(.*\)$", re.M)
CONFIG = """c = get_config()
# The stub stands above the solution, so nothing takes the solution's place.
c.ClearSolutions.code_stub = {"python": ""}
c.ClearSolutions.enforce_metadata = False
"""
TOLD = """from json import dumps
from mcts_course.report import summary
print(dumps(summary(), default=float))"""
SECONDS = 120
"""A cell of a student's that runs longer is stopped."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("source").add_argument("numbers", nargs="+", help="such as 03")
    commands.add_parser("grade").add_argument("folder", type=Path)
    given = parser.parse_args()
    if given.command == "grade":
        return grade(given.folder)
    return nbgrader_source(given.numbers, Path())


# With nbgrader ---------------------------------------------------------------------------------


def nbgrader_source(numbers: list[str], course: Path) -> int:
    """Write nbgrader's source of some lessons below the folder of a course; 2 if one is missing."""
    from .build import sources  # the clone has the sources, an installed package has not

    found = [path for path in sources() if path.name[:2] in numbers]
    for path in found:
        folder = course / "source" / f"lesson_{path.name[:2]}"
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(assignment(path), folder / f"{path.stem}.ipynb")
        print(f"{folder / path.stem}.ipynb")
    config = course / "nbgrader_config.py"
    if found and not config.exists():
        config.write_text(CONFIG, encoding="utf-8")
    return 0 if len(found) == len(set(numbers)) else 2


def assignment(source: Path) -> NotebookNode:
    """The lesson with nbgrader's metadata: each stub holds its solution, and a test follows it."""
    from .build import lesson, solution

    solved, before = {}, ""
    shared = {cell.source for cell in lesson(source).cells}
    for cell in solution(source).cells:
        if cell.cell_type != "code" or cell.source in shared or "check" in _tags(cell):
            continue
        before += f"{cell.source}\n"
        if found := CHECK.search(cell.source):
            solved[found[1]], before = before, ""
    made: NotebookNode = lesson(source)
    cells = []
    for cell in made.cells:
        found = CHECK.search(cell.source) if cell.cell_type == "code" else None
        if found is None:
            cells.append(cell)
            continue
        name, call = found[1], ast.parse(found[0], mode="eval").body
        answer = ast.unparse(call.args[0])  # type: ignore[attr-defined]
        stub, check = cell.source[: found.start()], cell.source[found.start() :]
        region = CHECK.sub("", solved[name]).strip()
        cell.source = f"{stub}### BEGIN SOLUTION\n{region}\n### END SOLUTION\n{check}"
        cell.metadata["nbgrader"] = _nbgrader(name, solution=True)
        test = f"verdict = {name}.judge({answer})\nassert verdict.kind == 'right', verdict.sentence"
        tested = nbformat.v4.new_code_cell(test, id=f"{cell.id}-test")
        tested.metadata["nbgrader"] = _nbgrader(f"{name}-test", grade=True, points=1)
        tested.metadata["jupyter"] = NotebookNode(source_hidden=True)
        cells += [cell, tested]
    made.cells = cells
    return made


def _tags(cell: Any) -> Any:
    return cell.metadata.get("tags", ())


def _nbgrader(name: str, solution: bool = False, grade: bool = False, **more: Any) -> NotebookNode:
    kind = {"grade": grade, "solution": solution, "locked": grade, "task": False}
    return NotebookNode(schema_version=3, grade_id=name.replace(".", "-"), **kind, **more)


# Without it ------------------------------------------------------------------------------------


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


if __name__ == "__main__":
    sys.exit(main())
