"""Sheets for an examination in class: an item for each student, with a key for the teacher.

All follows from the roster and a secret seed: the same two give the same sheets again, and the
sheets cannot be made without the seed.
"""

from __future__ import annotations

import base64
import csv
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final

import nbformat

from mcts_viz.errors import MctsVizError, require
from mcts_viz.film import Film

from ..lessons import number_of
from ..show.feedback import inert
from ..show.paper import page, write
from ..show.tables import printable
from ..work.items import KINDS, Item
from .grade import guarded
from .handed_in import Roster, Student, read_roster

LINES: Final = 6
"""Lines to write on, below a question."""
LINE: Final = "<div class='line'></div>"
TRIES: Final = 100
"""Of items that another student has already."""

Sheet = tuple[Student, list[Item]]


def make_sheets(lesson: str, students: Path, seed: str, folder: Path) -> Path:
    """Write the sheets of a class below ``folder``, and return where.

    ``sheets.html`` is to print, ``key.csv`` and ``key.html`` are the teacher's, and each student
    has a notebook, which asks the same. Raises ``MctsVizError`` for a lesson without items, a seed
    that is none, and a roster that cannot be read.
    """
    require(lesson in KINDS, "The lesson", f"one of {', '.join(KINDS)}", lesson, MctsVizError)
    require(seed.strip() != "", "The seed", "a secret text", seed, MctsVizError)
    roster = read_roster(students)
    kind = "a CSV file with a student in each row"
    require(roster.students, "The roster", kind, str(students), MctsVizError)
    sheets = sheets_of(lesson, roster, seed)
    place = folder / f"items_{lesson}"
    for part in ("notebooks", "films"):
        (place / part).mkdir(parents=True, exist_ok=True)
    title = f"Lesson {number_of(lesson)}"
    write(place / "sheets.html", page(title, "\n".join(_sheet(title, *sheet) for sheet in sheets)))
    write(place / "key.html", page(f"{title}: key", _key(sheets)))
    _write_key(place / "key.csv", sheets)
    for student, items in sheets:
        write(
            place / "notebooks" / f"{student.id}_{lesson}_item.ipynb",
            _notebook(title, student, items),
        )
        for item in items:
            if item.film:
                write(place / "films" / f"{student.id}.html", Film(item.film).to_html())
    if not any((place / "films").iterdir()):
        (place / "films").rmdir()
    return place


def sheets_of(lesson: str, roster: Roster, seed: str) -> list[Sheet]:
    """Return the items of each student: no two get the same one."""
    given: set[str] = set()
    return [
        (student, [_own(kind, f"{seed}\n{lesson}\n{student.id}", given) for kind in KINDS[lesson]])
        for student in roster.students
    ]


def _own(kind: Callable[[Random], Item], secret: str, given: set[str]) -> Item:
    """Return an item that no student has yet, and add it to ``given``."""
    for attempt in range(TRIES):
        digest = sha256(f"{secret}\n{kind.__name__}\n{attempt}".encode()).hexdigest()
        item = kind(Random(int(digest, 16)))
        if (same := f"{item.question}{item.picture}{item.why}") not in given:
            given.add(same)
            return item
    raise MctsVizError(
        f"There are not enough items for so many students: make two rosters of {len(given)}."
    )


def _sheet(title: str, student: Student, items: list[Item]) -> str:
    """A page of one student."""
    asked = "\n".join(
        f"<p><b>{number}.</b> {inert(item.question)}</p><figure>{item.picture}</figure>"
        f"{_film_link(student, item)}{LINE * LINES}"
        for number, item in enumerate(items, 1)
    )
    return f"<section class='sheet'><h2>{title}: {inert(_named(student))}</h2>\n{asked}</section>"


def _film_link(student: Student, item: Item) -> str:
    if item.film is None:
        return ""
    return f"<p>The film is the file <code>films/{inert(student.id)}.html</code>.</p>"


def _named(student: Student) -> str:
    return f"{student.name} ({student.id})" if student.name else student.id


def _key(sheets: list[Sheet]) -> str:
    rows = "\n".join(
        f"<tr><td>{inert(_named(student))}</td><td>{number}</td><td>{inert(item.key)}</td>"
        f"<td>{inert(item.why)}</td></tr>"
        for student, items in sheets
        for number, item in enumerate(items, 1)
    )
    return (
        f"<table><tr><th>student</th><th>item</th><th>right</th><th>why</th></tr>\n{rows}</table>"
    )


def _write_key(place: Path, sheets: list[Sheet]) -> None:
    place.unlink(missing_ok=True)
    with place.open("x", encoding="utf-8-sig", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "name", "item", "right", "why"])
        for student, items in sheets:
            for number, item in enumerate(items, 1):
                told = map(guarded, (student.name, number, f" {item.key}", item.why))
                table.writerow([student.id, *told])


def _notebook(title: str, student: Student, items: list[Item]) -> str:
    """The same questions, to be answered in a notebook; it holds no key."""
    cells = [nbformat.v4.new_markdown_cell(f"# {title}: {_markdown(_named(student))}")]
    for number, item in enumerate(items, 1):
        text = f"**{number}.** {item.question}\n\n![the picture](attachment:item.svg)"
        if item.film:
            text += f"\n\nThe film is [films/{student.id}.html](../films/{student.id}.html)."
        asked = nbformat.v4.new_markdown_cell(text)
        picture = base64.b64encode(item.picture.encode()).decode("ascii")
        asked["attachments"] = {"item.svg": {"image/svg+xml": picture}}
        cells += [asked, nbformat.v4.new_code_cell('answer = ...\nwhy = "..."')]
    for number, cell in enumerate(cells):
        cell.id = f"item-{number}"
    made: str = nbformat.writes(nbformat.v4.new_notebook(cells=cells))
    return made


def _markdown(text: str) -> str:
    """A name in Markdown: nothing in it is a link, a tag or a formula."""
    return "".join(
        sign if sign.isalnum() or sign in " .,'" else f"&#{ord(sign)};" for sign in printable(text)
    )
