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
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from subprocess import DEVNULL
from tempfile import TemporaryDirectory
from typing import IO, Any, Final, NamedTuple

import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from jupyter_core.utils import run_sync
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError

from ..lessons import ORDER
from ..show.paper import new_file
from ..show.tables import printable
from ..work.progress import HINTS, misunderstood, parse_report, read_report, standing
from ..work.progress import LARGEST as LARGEST_REPORT
from .handed_in import Roster, Student, found_files, owner_of, owners_of, read_roster, require_there
from .report import NOTHING, Person, exercises_of, people_of

SECONDS: Final = 120
"""A cell of a student's that runs longer is interrupted."""
BUDGET: Final = 300
"""Seconds for all cells of a notebook: ten times those of the longest lesson."""
GRACE: Final = 10
"""Seconds that an interrupted kernel has to come back."""
LARGEST: Final = 50_000_000
"""Bytes of a notebook that is read."""
HEADS: Final = (
    "notebook",
    "exercise",
    "points",
    "verdict",
    "misconception",
    "remark",
    "student",
    "id",
    "hints",
    "solution seen",
    "supported",
)
"""The last three come from the file that the student's notebook wrote, if it was handed in: what
the student saw, and "yes" beside a point if the student's own last verdict was right, too, else
"no".
"""
MOODLE: Final = ("ID number", "Full name")
"""Moodle's import reads its users by the first column, and a grade item from each column of a
lesson.
"""
CANVAS: Final = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
"""The columns that Canvas's gradebook wants first, in this order; a row of points follows."""

SILENCE: Final = "import os, sys\nsys.stdout = sys.stderr = open(os.devnull, 'w')"
"""Run before the notebook, as an endless cell may print without end."""
LESSONS: Final = "mcts_course.lessons"
MAGIC: Final[Any] = TransformerManager()  # type: ignore[no-untyped-call]
"""Makes plain Python of a cell, which may hold %magic."""


class NoKernelError(Exception):
    """No kernel has started, which is no fault of the notebook."""


class Row(NamedTuple):
    """An exercise of a notebook, as the table says it."""

    notebook: str
    exercise: str
    points: int
    verdict: str
    misconception: str
    remark: str


Totals = dict[tuple[str, str], dict[str, int]]
"""By id and name of a student: for each exercise the point."""


def _add_points(points: dict[str, int], rows: Sequence[Row]) -> None:
    """Count a notebook's points; of an exercise in two notebooks the better one counts."""
    for row in rows:
        points[row.exercise] = max(row.points, points.get(row.exercise, 0))


def _in_short(rows: Sequence[Row]) -> str:
    """The points of one notebook, of how many, and what the teacher should know of it."""
    earned = sum(row.points for row in rows)
    most = sum(row.exercise != "" for row in rows)
    remark = f" ({rows[0].remark})" if rows[0].remark else ""
    return f"{earned} of {most}{remark}"


def grade(folder: Path, students: Path | None = None, by_student: bool = False) -> int:
    """Run the notebooks below a folder, or in a zip, and write ``grades.csv`` beside them.

    Each gets a line, and its rows in the table, as soon as it is done. The folder may be nbgrader's
    ``submitted``. ``students`` is a roster; ``by_student`` also writes ``moodle.csv`` and
    ``canvas.csv``, with a total for each lesson. Returns 2 if there is no notebook.
    """
    roster = read_roster(students) if students else Roster()
    reports = _reports(folder)
    said = {file.name: "" for file in found_files(folder, ".ipynb", 0)}
    said |= {name: report["name"] for name, report in reports.items()}
    owners = owners_of(said, roster)
    people = people_of(reports, roster, owners)
    totals: Totals = {(student.id, student.name): {} for student in roster.students}
    place = (folder if folder.is_dir() else folder.parent) / "grades.csv"
    count = 0
    with _table(place) as table:
        written = table.place
        table.writerow(HEADS)
        for file in found_files(folder, ".ipynb", LARGEST):
            count += 1
            owner = owners.get(file.name) or owner_of(file.name, "", roster)  # a new one
            who = owner.student or Student("", owner.key)
            rows = graded(file.data, file.name)
            own = _own_work(people, who)
            _add_points(totals.setdefault((who.id, who.name), {}), rows)
            for row in rows:
                table.writerow([*map(guarded, row), guarded(who.name), who.id, *_history(row, own)])
            table.flush()
            print(f"{file.name!r}: {_in_short(rows)}", flush=True)
    if not count:
        written.unlink()
        require_there(folder)
        print(f"There is no notebook in {folder}.", file=sys.stderr)
        return 2
    print(f"Graded {count} notebooks; the table is {written}.")
    if by_student:
        _write_gradebooks(place.parent, totals)
    return 0


class _Table:
    """A CSV file that is written row by row."""

    def __init__(self, file: IO[str]) -> None:
        self.place = Path(file.name)
        self.writerow, self.flush = csv.writer(file).writerow, file.flush


@contextmanager
def _table(place: Path) -> Iterator[_Table]:
    with new_file(place, "utf-8-sig", "") as file:
        yield _Table(file)


def _reports(folder: Path) -> dict[str, dict[str, Any]]:
    """The files that the students' own notebooks wrote, by their names."""
    found = {file.name: file.data for file in found_files(folder, ".json", LARGEST_REPORT)}
    read = {name: parse_report(data) for name, data in found.items() if data}
    return {name: report for name, report in read.items() if report}


def _own_work(people: list[Person], who: Student) -> dict[str, dict[str, Any]]:
    """The exercises kept by a student's own notebook; empty if it was not handed in, or if
    another file has the same name, so that it is not sure which one is the student's.
    """
    named = [one for one in people if (one.id == who.id if one.id else one.name == who.name)]
    return named[0].exercises if len(named) == 1 else {}


def _history(row: Row, own: dict[str, dict[str, Any]]) -> tuple[str, str, str]:
    """The hints, whether the solution was seen, and whether the point is supported."""
    work = own.get(row.exercise)
    known = work is not None and standing(work) == "right"
    supported = ""
    if row.points and own:
        supported = "yes" if known else "no"
    if work is None:
        return "", "", supported
    return str(work["hints"]), "yes" if work["hints"] == HINTS else "no", supported


def _write_gradebooks(folder: Path, totals: Totals) -> None:
    """Write the totals for Moodle and for Canvas: a row for each student, a column for each lesson.

    Of an exercise in two notebooks the better one counts. Who has handed in nothing has no grade,
    which is not the same as 0: what that is worth is the teacher's to say.
    """
    names = set(chain.from_iterable(totals.values()))
    met = {name.split(".")[0] for name in names if name}
    topics = [topic for topic in ORDER if topic in met]
    heads = [topic.replace("_", " ") for topic in topics]
    with _table(folder / "moodle.csv") as table:
        moodle = table.place
        table.writerow([*MOODLE, *heads])
        for (key, name), points in totals.items():
            table.writerow([key or guarded(name), guarded(name), *_sums(points, topics)])
    with _table(folder / "canvas.csv") as table:
        canvas = table.place
        table.writerow([*CANVAS, *heads])
        table.writerow(
            ["    Points Possible", *[""] * 4, *(len(exercises_of(one)) for one in topics)]
        )
        for (key, name), points in totals.items():
            known = key or guarded(name)
            table.writerow([guarded(name), "", known, "", "", *_sums(points, topics)])
    print(f"The totals for gradebooks are {moodle} and {canvas}.")


def _sums(points: dict[str, int], topics: Sequence[str]) -> list[int | str]:
    """The points of a student in each lesson; "" for one of which nothing was handed in."""
    by_topic = {
        topic: [points[name] for name in exercises_of(topic) if name in points] for topic in topics
    }
    return [sum(found) if found else "" for found in by_topic.values()]


def guarded(cell: object) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    text = printable(str(cell))
    return f"'{text}" if text.lstrip()[:1] in ("=", "+", "-", "@") else text


def graded(data: bytes | None, name: str) -> list[Row]:
    """Return a row for each exercise of a notebook: its point, verdict, misconception, remark."""
    remark = ""
    try:
        if data is None:
            raise OSError("it is no file, or a damaged one")
        notebook = nbformat.reads(data.decode("utf-8-sig"), as_version=4)
        done, remark = _run_or_again(notebook)
        rows = [_row(name, exercise, facts, remark) for exercise, facts in done.items()]
    except NoKernelError:
        return [Row(name, "", 0, "not graded", "", "no kernel has started: grade it again")]
    except Exception as error:  # whatever was handed in: the others are still graded
        rows, remark = [], f"unreadable: {type(error).__name__}"
    return rows or [Row(name, "", 0, "no exercise in it", "", remark)]


def _row(name: str, exercise: str, work: dict[str, Any], remark: str) -> Row:
    last = standing(work) if work["verdicts"] else "not reached"
    return Row(name, exercise, int(last == "right"), last, misunderstood(work), remark)


def _run_or_again(notebook: Any) -> tuple[dict[str, Any], str]:
    """Run a notebook; if no kernel has started, as a machine may be busy, try once more."""
    try:
        return _run(notebook)
    except NoKernelError:
        return _run(notebook)


def _run(notebook: Any) -> tuple[dict[str, Any], str]:
    """Run the cells in a new kernel; return what was done of each exercise, and remarks.

    Every verdict is saved immediately, so what was right stays right.
    """
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    remarks = []
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:  # Windows: still in use
        place = Path(folder, "work.ipynb")
        silence = nbformat.v4.new_code_cell(SILENCE)
        plain = nbformat.v4.new_notebook(cells=[silence, *cells])
        where = {"metadata": {"path": folder}}
        client: Any = NotebookClient(plain, timeout=SECONDS, allow_errors=True, resources=where)
        client.output = lambda *_: None  # an endless loop that prints would fill the memory
        env = {**os.environ, "JPY_SESSION_NAME": str(place)}
        with _kernel(client, env, silence):
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


@contextmanager
def _kernel(client: Any, env: dict[str, str], silence: Any) -> Iterator[None]:
    """A kernel that has run its first cell, which is ours: until then no error is a student's."""
    with ExitStack() as stack:
        try:
            stack.enter_context(client.setup_kernel(env=env, stdout=DEVNULL, stderr=DEVNULL))
            client.execute_cell(silence, 0)
        except Exception as error:
            raise NoKernelError from error
        yield


def _comes_back(client: Any) -> bool:
    """Interrupt a kernel; true if it then runs code again."""
    client.timeout = GRACE
    try:
        run_sync(client.km.interrupt_kernel)()
        client.execute_cell(client.nb.cells[0], 0)
    except (CellTimeoutError, DeadKernelError, RuntimeError, ValueError):
        return False  # ValueError: the interrupt has cut a message in two
    return True


def _named_in(cells: list[Any]) -> list[str]:
    """The exercises of the lesson that the code imports; of several, of those that it works on.

    Two lessons take a tree from *four phases*, whose exercises they do not ask. Without any
    exercise in the code it is the last lesson, as a lesson only takes from earlier ones.
    """
    named = _names(cells)
    imported = [topic for topic in ORDER if f"{LESSONS}.{topic}" in named]
    worked_on = [topic for topic in imported if named & _exercises_in_code(topic)]
    return [name for topic in worked_on or imported[-1:] for name in exercises_of(topic)]


def _exercises_in_code(topic: str) -> set[str]:
    """The full names by which code can reach a lesson's exercises."""
    return {f"{LESSONS}.{name}" for name in (*exercises_of(topic), f"{topic}.*")}


def _names(cells: list[Any]) -> set[str]:
    """The full names of what the cells import, and of its parts that they use."""
    nodes = [node for cell in cells for node in _nodes(cell.source)]
    full: dict[str, str] = {}
    """By the name that code gives to it: what was imported."""
    named = set()
    for node in nodes:
        for own, name in _imported(node):
            full[own] = name
            named.add(name)
    for node in nodes:
        first, *parts = _dotted(node)
        if first in full:
            named.add(".".join([full[first], *parts]))
    return named


def _nodes(code: str) -> list[ast.AST]:
    """The parts of a cell's code; none if it is not Python."""
    try:
        plain: str = MAGIC.transform_cell(code)
        return list(ast.walk(ast.parse(plain)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that a statement imports: the name in the code, and the full name."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.asname or alias.name, alias.name
            if not alias.asname:  # the code says all parts, from the package on
                package = alias.name.partition(".")[0]
                yield package, package
    elif isinstance(node, ast.ImportFrom) and node.module:
        yield node.module, node.module
        for alias in node.names:
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _dotted(node: ast.AST) -> list[str]:
    """The parts of a name such as ``four_phases.next_move``; of other code, one without a name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return [node.id if isinstance(node, ast.Name) else "", *parts]
