"""Make nbgrader's source of a lesson: each exercise is an answer of one point."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from ..lessons import ORDER, number_of, stem_of, topic_of

CHECK = re.compile(rf"^((?:{'|'.join(ORDER)})\.\w+)\.check\(.*\)$", re.M)
CONFIG = """c = get_config()
# The stub is above the solution, so nothing takes the solution's place.
c.ClearSolutions.code_stub = {"python": ""}
c.ClearSolutions.enforce_metadata = False
"""


def nbgrader_source(names: list[str], course: Path) -> int:
    """Write nbgrader's source of some lessons below the folder of a course; 2 if one is missing.

    A lesson is named by its topic or its number.
    """
    from ..build import sources  # the clone has the sources, an installed package has not

    topics = {topic_of(name): name for name in names}
    found = [path for path in sources() if path.stem in topics]
    for path in found:
        folder = course / "source" / path.stem
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / f"{stem_of(path.stem)}.ipynb"
        nbformat.write(assignment(path), target)
        print(f"nbgrader's source of lesson {number_of(path.stem)} is {target}.")
    config = course / "nbgrader_config.py"
    if found and not config.exists():
        config.write_text(CONFIG, encoding="utf-8")
    missing = sorted(topics[topic] for topic in topics.keys() - {path.stem for path in found})
    if missing:
        print(
            f"There is no lesson {' or '.join(missing)}: give topics such as four_phases, or 03.",
            file=sys.stderr,
        )
    return 2 if missing else 0


def assignment(source: Path) -> NotebookNode:
    """The lesson with nbgrader's metadata: each stub holds its solution, and a test follows it."""
    from ..build import lesson

    made: NotebookNode = lesson(source)
    solved = _solved(source)
    cells: list[NotebookNode] = []
    for cell in made.cells:
        found = CHECK.search(cell.source) if cell.cell_type == "code" else None
        cells += _with_test(cell, found, solved[found[1]]) if found else [cell]
    made.cells = cells
    return made


def _solved(source: Path) -> dict[str, str]:
    """The code of each exercise that the solution has and the lesson has not, up to its check."""
    from ..build import lesson, solution

    shared = {cell.source for cell in lesson(source).cells}
    solved = {}
    before = ""
    for cell in solution(source).cells:
        if cell.cell_type != "code" or "check" in _tags(cell):
            continue
        found = CHECK.search(cell.source)
        if cell.source in shared and not found:
            continue
        before += f"{cell.source}\n"
        if found:
            solved[found[1]] = before
            before = ""
    return solved


def _with_test(cell: NotebookNode, found: re.Match[str], solution: str) -> list[NotebookNode]:
    """The student's cell, with the solution for nbgrader to take out, and the test below it."""
    name = found[1]
    call: Any = ast.parse(found[0], mode="eval").body
    answer = ast.unparse(call.args[0])
    stub = cell.source[: found.start()]
    check = cell.source[found.start() :]
    region = CHECK.sub("", solution).strip()
    cell.source = f"{stub}### BEGIN SOLUTION\n{region}\n### END SOLUTION\n{check}"
    cell.metadata["nbgrader"] = _nbgrader(name, solution=True)
    test = f"{name}.require_right({answer})"
    tested = nbformat.v4.new_code_cell(test, id=f"{cell.id}-test")
    tested.metadata["nbgrader"] = _nbgrader(f"{name}-test", grade=True, points=1)
    tested.metadata["jupyter"] = NotebookNode(source_hidden=True)
    return [cell, tested]


def _tags(cell: Any) -> Any:
    return cell.metadata.get("tags", ())


def _nbgrader(name: str, solution: bool = False, grade: bool = False, **more: Any) -> NotebookNode:
    kind = {"grade": grade, "solution": solution, "locked": grade, "task": False}
    return NotebookNode(schema_version=3, grade_id=name.replace(".", "-"), **kind, **more)
