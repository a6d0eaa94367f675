"""The files that a class has handed in, by student: in folders, or in zips of Moodle and Canvas.

The owner of a file is taken from the name of the folder or file that the learning platform made;
else from the student's name in the file; else from the file's own name. With a roster, only a name
on the roster counts.
"""

from __future__ import annotations

import csv
import io
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple, TypeVar
from zipfile import ZipFile, ZipInfo

from mcts_viz.errors import MctsVizError, short_repr
from mcts_viz.trace.storage import read_file

from ..lessons import ORDER, number_of, stem_of

FILES: Final = 10_000
"""Files of one kind in one folder that are read: sixty students, all lessons, and some more."""
ROSTER: Final = 1_000_000
"""Bytes of a roster that is read."""
ZIP: Final = 500_000_000
"""Bytes of a zip that is read, as it lies on the disk."""
NESTED_ZIP: Final = 50_000_000
NESTED_FILES: Final = 100
"""Bytes and files of a zip in a zip: a student may hand one in, which Moodle puts into its own."""
MORE: Final = "(more files)"
"""In the place of a file: what is named where a folder has too many."""
PASSED_OVER: Final = {".ipynb_checkpoints", "__MACOSX"}
MOODLE: Final = re.compile(r"^(.+?)_\d+_assignsubmission_")
"""Moodle's folders, or files, such as ``Ada Lovelace_4711_assignsubmission_file``."""
CANVAS: Final = re.compile(r"^([^_]+)_(?:LATE_)?\d+_\d+_")
"""Canvas's files, such as ``lovelaceada_LATE_42_4711_Ada_03.json``."""
NBGRADER: Final = "submitted"
"""The folder of nbgrader whose folders are students."""
SUFFIX: Final = re.compile(r"(?:[_ -]\d\d)?(?: ?\(\d+\)|-\d)?$")
"""The end of ``Ada_03 (1).json``: a lesson, and the count that a browser or Canvas adds."""
NOBODY: Final = {"me", "report", "work", "notebook", "solution", "untitled", ""}
"""Names of files that name no student."""
WORDS: Final = 8
"""Words of a name."""
ID: Final = re.compile(r"\w[\w.@-]{0,99}")
"""An id that a spreadsheet cannot take for a formula."""


File = TypeVar("File")


# Files -------------------------------------------------------------------------------------------


class Found(NamedTuple):
    """A file that was found, or, without ``data``, one that cannot be read."""

    name: str
    """Its path below the folder, with ``/``; the folders and files of a zip follow on its name."""
    data: bytes | None


def found_files(place: str | Path, suffix: str, most: int) -> Iterator[Found]:
    """Yield the files with that ending below a folder or in a zip, in order, ``most`` bytes of
    each.

    Links to folders are not followed, and nothing is unpacked to the disk. Of a folder with too
    many files the first are read, and one without ``data`` says that there are more: what one
    student hands in keeps no other from being read.
    """
    fitting = (
        (name.rpartition("/")[0], name, path)
        for name, path in _paths(Path(place))
        if path.suffix.lower() in (suffix, ".zip")
    )
    for name, path in _first(fitting, FILES):
        if path is None:
            yield Found(name, None)
        else:
            yield from _opened(name, path, suffix, most)


def _first(files: Iterable[tuple[str, str, File]], most: int) -> Iterator[tuple[str, File | None]]:
    """Yield the first files of each folder by their names; once, for those after them, None."""
    count: Counter[str] = Counter()
    for folder, name, file in files:
        count[folder] += 1
        if count[folder] <= most:
            yield name, file
        elif count[folder] == most + 1:
            yield f"{folder}/{MORE}".lstrip("/"), None


def _paths(place: Path) -> Iterator[tuple[str, Path]]:
    if place.is_file():
        yield place.name, place
        return
    for folder, folders, files in os.walk(place):
        folders[:] = sorted(set(folders) - PASSED_OVER)
        for path in (Path(folder, file) for file in sorted(files)):
            yield path.relative_to(place).as_posix(), path


def _opened(name: str, path: Path, suffix: str, most: int) -> Iterator[Found]:
    is_zip = path.suffix.lower() == ".zip"
    try:
        data = read_file(path, ZIP if is_zip else most)
    except MctsVizError:
        yield Found(name, None)
        return
    if is_zip:
        yield from _in_zip(name, data, suffix, most)
    else:
        yield Found(name, data)


def _in_zip(
    name: str, data: bytes, suffix: str, most: int, nested: bool = False
) -> Iterator[Found]:
    """The files in a zip, and in the zips in it, but no deeper."""
    try:
        archive = ZipFile(io.BytesIO(data))
    except Exception:  # whatever a damaged one does
        yield Found(name, None)
        return
    kinds = {suffix} if nested else {suffix, ".zip"}
    inside = ((f"{name}/{member.filename}", member) for member in _members(archive, kinds))
    files = ((name if nested else full.rpartition("/")[0], full, one) for full, one in inside)
    for full, member in _first(files, NESTED_FILES if nested else FILES):
        if member is None:
            yield Found(full, None)
            continue
        is_zip = member.filename.lower().endswith(".zip")
        read = _read_member(archive, member, NESTED_ZIP if is_zip else most)
        if is_zip and read is not None:
            yield from _in_zip(full, read, suffix, most, nested=True)
        else:
            yield Found(full, read)


def _members(archive: ZipFile, kinds: Collection[str]) -> Iterator[ZipInfo]:
    """Those files that have such a suffix, in the order of their names."""
    for member in sorted(archive.infolist(), key=lambda one: one.filename):
        inside = PurePosixPath(member.filename)
        if inside.suffix.lower() in kinds and PASSED_OVER.isdisjoint(inside.parts):
            yield member


def _read_member(archive: ZipFile, member: ZipInfo, most: int) -> bytes | None:
    """At most so many bytes of a file in a zip, or None if it cannot be read."""
    try:
        with archive.open(member) as file:
            return file.read(most)
    except Exception:  # encrypted, damaged, or packed in a way that Python does not know
        return None


# Students ----------------------------------------------------------------------------------------


class Student(NamedTuple):
    """One line of a roster; without a roster only the name is known."""

    id: str
    name: str


@dataclass(frozen=True)
class Roster:
    """The students of a class, in the order of its file."""

    students: tuple[Student, ...] = ()
    _known: dict[str, Student | None] = field(default_factory=dict)
    """By every form of a name or an id: who that is; ``None`` if it could be two."""

    def __post_init__(self) -> None:
        for student in self.students:
            for form in _forms(student.name):
                self._known[form] = None if form in self._known else student
        self._known.update((_plain(student.id), student) for student in self.students)

    def find(self, claims: list[str]) -> Student | None:
        """Return the student named by the first claim that names one; ``None`` if none does."""
        named = (self._known.get(form) for claim in claims for form in _forms(claim))
        return next((student for student in named if student), None)


def read_roster(path: str | Path) -> Roster:
    """Return the students of a CSV file with the columns ``id`` and ``name``.

    Its cells may be parted by commas, semicolons or tabs. Raises ``MctsVizError`` where a column is
    missing, an id is given twice or could be taken for a formula.
    """
    text = read_file(path, ROSTER).decode("utf-8-sig", "replace")
    head = (text.splitlines() or [""])[0]
    rows = csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=head.count))
    rows.fieldnames = [name.strip().lower() for name in rows.fieldnames or ()]
    if not {"id", "name"} <= set(rows.fieldnames):
        kind = "must have the columns id and name in its first line"
        raise MctsVizError(f"A roster {kind}; {short_repr(str(path))} has {short_repr(head)}.")
    read = [Student(*((row[c] or "").strip() for c in ("id", "name"))) for row in rows]
    students = [student for student in read if any(student)]
    often = Counter(student.id for student in students)
    for student in students:
        if not ID.fullmatch(student.id) or often[student.id] > 1:
            kind = "must be letters, digits or . _ - @, start with the first two, and be there once"
            raise MctsVizError(f"An id of a roster {kind}; you gave {short_repr(student.id)}.")
    return Roster(tuple(students))


def _plain(text: str) -> str:
    """A text without accents, capitals and signs, so that ``Ünal`` and ``unal`` are one name."""
    parts = unicodedata.normalize("NFKD", text[:300]).casefold()
    return "".join(sign for sign in parts if sign.isalnum())


def _forms(name: str) -> list[str]:
    """The ways in which a name is written, in one word each: its last words may come first."""
    words = [word for word in map(_plain, re.split(r"[\s,_]+", name[:300])) if word][:WORDS]
    turned = ["".join(words[at:] + words[:at]) for at in range(len(words))]
    return list(dict.fromkeys(turned))


class Owner(NamedTuple):
    """The student that a file belongs to, and how sure that is."""

    key: str
    """The id of a student of the roster, else a name."""
    student: Student | None
    """The student of the roster, if it is one."""
    sure: bool
    """True if the platform, a folder or the roster says so, and not the student alone."""


def _platform_names(folders: list[str], file: str) -> list[str]:
    """The student's name or id in the names that Moodle, Canvas and nbgrader give to files."""
    names = [found[1] for part in (*folders, file) if (found := MOODLE.match(part))]
    if found := CANVAS.match(file):
        names.append(found[1])
    if NBGRADER in folders:
        names += folders[folders.index(NBGRADER) + 1 :][:1]
    return names


def owner_of(name: str, said: str, roster: Roster) -> Owner:
    """Return whose file that is, by its path and by what is ``said`` in it.

    What a platform says is believed and nothing else: a student could give another's name.
    """
    *folders, file = (part.removesuffix(".zip") for part in PurePosixPath(name).parts)
    stem = file.lstrip(".").split(".")[0]
    platform = _platform_names(folders, file)
    own_folders = [part for part in reversed(folders) if not _is_lesson(part)]
    named = SUFFIX.sub("", stem)
    own = [said, "" if _is_lesson(stem) or named.casefold() in NOBODY else named]
    own = [claim for claim in own if claim]
    claims = platform or [*own_folders, *own]
    if student := roster.find(claims):
        return Owner(student.id, student, True)
    if platform or not own:
        return Owner((platform or own_folders or [stem or file])[0], None, True)
    return Owner(own[0], None, False)


def _is_lesson(name: str) -> bool:
    """True for a name such as ``03``, ``lesson 3``, ``03_four_phases`` or ``random_games``."""
    stems = {text for topic in ORDER for text in (topic, stem_of(topic), number_of(topic))}
    return name in stems or re.fullmatch(r"(lesson|week)[ _-]?\d+", name, re.I) is not None
