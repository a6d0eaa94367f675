"""The files that a class has handed in, by student: in folders, or in zips of Moodle and Canvas.

The owner of a file is taken from the name of the folder or file that the learning platform made;
else from the student's folder; else from the student's name in the file; else from the file's own
name. With a roster, only a name on the roster counts.
"""

from __future__ import annotations

import csv
import io
import os
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple, TypeVar
from zipfile import ZipFile, ZipInfo

from mcts_viz.errors import MctsVizError, short_repr
from mcts_viz.trace.storage import read_file

from ..lessons import ORDER, stored_topic

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
CANVAS: Final = re.compile(r"^([^_A-Z]+)_(?:LATE_)?\d+_\d+_")
"""Canvas's files, such as ``lovelaceada_LATE_42_4711_Ada_03.json``; the name has no capitals."""
NBGRADER: Final = "submitted"
"""The folder of nbgrader whose folders are students."""
SUFFIX: Final = re.compile(rf"(?:[_ -](?:\d\d|{'|'.join(ORDER)}))?(?: ?\(\d+\)|-\d)?$")
"""The end of ``Ada_luck (1).json``: a lesson, and the count that a browser or Canvas adds."""
COUNT: Final = re.compile(r" ?\(\d+\)$|-\d$")
"""The count alone."""
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


def require_there(place: str | Path) -> None:
    """Raise ``MctsVizError`` for a place that is neither a folder nor a file."""
    there = False
    with suppress(OSError, TypeError, ValueError):  # a name that no folder can have
        there = Path(place).exists()
    if not there:
        raise MctsVizError(
            f"{short_repr(str(place))} is not a folder or a zip. Give the one with what was "
            "handed in."
        )


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
        else:
            yield from _unpacked(archive, full, member, suffix, most)


def _unpacked(
    archive: ZipFile, full: str, member: ZipInfo, suffix: str, most: int
) -> Iterator[Found]:
    """A file in a zip, or the files of a zip in it."""
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


def _words(name: str) -> list[str]:
    return [word for word in map(_plain, re.split(r"[\s,_]+", name[:300])) if word]


def _forms(name: str) -> list[str]:
    """The ways in which a name is written, in one word each: its last words may come first."""
    words = _words(name)[:WORDS]
    turned = ["".join(words[at:] + words[:at]) for at in range(len(words))]
    return list(dict.fromkeys(turned))


class Owner(NamedTuple):
    """The student that a file belongs to, and how sure that is."""

    key: str
    """The id of a student of the roster, else a name, spelled as in the first file."""
    student: Student | None
    """The student of the roster, if it is one."""
    sure: bool
    """True if the platform or a folder of the roster says so, and not the student alone."""
    origin: str
    """The student's folder, else the file: what comes from one place is of one student."""


class _Claims(NamedTuple):
    """The names in a file's path and content that may say whose it is."""

    platform: str
    """The name or id that Moodle, Canvas or nbgrader gave, else ""."""
    by_others: list[str]
    """Names of folders, then those that platforms gave, the outermost first."""
    folders: list[str]
    """The paths of the folders that the file is in, but for those of lessons; the outermost
    first.
    """
    own: list[str]
    """The name that is in the file, then the file's own."""
    file: str


def owner_of(name: str, said: str, roster: Roster) -> Owner:
    """Return whose file that is, by its path and by what is ``said`` in it."""
    return owners_of({name: said}, roster)[name]


def owners_of(said: Mapping[str, str], roster: Roster) -> dict[str, Owner]:
    """Return whose each file is, by its path and by the name that is ``said`` in it.

    What a platform says is believed and nothing else: a student could give another's name. So is
    the outermost folder that is on the roster, as students can make folders in theirs. Then comes
    a folder that is a student's by what is in it, and last what the student says.
    """
    claims = {name: _claims(name, one) for name, one in said.items()}
    folders = _students_folders(list(claims.values()))
    spelled: dict[str, str] = {}
    owners = {}
    for name, one in claims.items():
        owner = _owner(name, one, roster, folders)
        same = unicodedata.normalize("NFKC", owner.key).casefold()
        owners[name] = owner._replace(key=spelled.setdefault(same, owner.key))
    return owners


def _owner(name: str, claims: _Claims, roster: Roster, folders: Mapping[str, str]) -> Owner:
    """The owner of that file; ``folders`` are those of students, with the name in their files."""
    folder = next((one for one in claims.folders if one in folders), "")
    origin = folder or name
    if student := roster.find(claims.by_others):
        return Owner(student.id, student, True, origin)
    if claims.platform:
        return Owner(claims.platform, None, True, origin)
    if student := roster.find([*claims.own, folders.get(folder, "")]):
        return Owner(student.id, student, False, origin)
    if folder:
        return Owner(_last(folder), None, False, origin)
    if claims.own:
        return Owner(claims.own[0], None, False, origin)
    return Owner(_last(claims.folders[-1]) if claims.folders else claims.file, None, False, origin)


def _claims(name: str, said: str) -> _Claims:
    *folders, file = (part.removesuffix(".zip") for part in PurePosixPath(name).parts)
    stem = file.lstrip(".").split(".")[0]
    named = SUFFIX.sub("", stem)
    own = [said, "" if _is_lesson(stem) or named.casefold() in NOBODY else named]
    platforms, by_others = _names_by_others(PurePosixPath(name).parts)
    known = [folder for folder in folders if not _is_lesson(folder)]
    paths = ["/".join(known[: count + 1]) for count in range(len(known))]
    return _Claims(platforms, by_others, paths, [claim for claim in own if claim], stem or file)


def _names_by_others(parts: Sequence[str]) -> tuple[str, list[str]]:
    """The name that a platform gave, and all names that may be a student's: of folders, down to
    the first that a platform made, and of what platforms made. What is in that is the student's.
    """
    made = [_platform_name(parts, place) for place in range(len(parts))]
    first = next((place for place, name in enumerate(made) if name), len(parts) - 1)
    folders = [part.removesuffix(".zip") for part in parts[:first] if not _is_lesson(part)]
    names = [name for name in made if name]
    # Moodle's mark is plain, while a teacher's zip may be named like a file of Canvas
    moodle = [found[1] for found in map(MOODLE.match, parts) if found]
    return next(iter(moodle or names), ""), [*folders, *names]


def _platform_name(parts: Sequence[str], place: int) -> str:
    """The name or id that a platform gave to a folder or file of a path, else ""."""
    part = parts[place]
    is_folder = place < len(parts) - 1
    canvas = CANVAS.match(part) if part.lower().endswith(".zip") or not is_folder else None
    if found := MOODLE.match(part) or canvas:
        return found[1]
    in_nbgrader = is_folder and place > 0 and parts[place - 1] == NBGRADER
    return part.removesuffix(".zip") if in_nbgrader else ""


def _students_folders(files: Sequence[_Claims]) -> dict[str, str]:
    """The folders that are a student's by what is in them, with the name in their files.

    Files lie in it, and all say one name, if any; and it has that name, or a file says none.
    """
    in_folders = [claims for claims in files if claims.folders]
    nameless = {claims.folders[-1] for claims in in_folders if not claims.own}
    said = _names_said(in_folders)
    found = {}
    for folder in {claims.folders[-1] for claims in in_folders}:
        name = _name_of_all(said[folder])
        if name is not None and (folder in nameless or _are_alike(name, _last(folder))):
            found[folder] = name
    return found


def _names_said(files: Sequence[_Claims]) -> dict[str, set[str]]:
    """For each folder: the names that the files in it, at any depth, say."""
    said: dict[str, set[str]] = defaultdict(set)
    for claims in files:
        for folder in claims.folders:
            said[folder].update(claims.own[:1])
    return said


def _name_of_all(names: Collection[str]) -> str | None:
    """The longest of the names, if the others are parts of it; "" of none; else ``None``."""
    longest = max(names, key=len, default="")
    return longest if all(_is_part(name, longest) for name in names) else None


def _are_alike(one: str, other: str) -> bool:
    return _is_part(one, other) or _is_part(other, one)


def _is_part(name: str, other: str) -> bool:
    """True if the words of a name are among another's, as ``Ada`` is in ``Lovelace, Ada``."""
    words = _words(name)
    return bool(words) and set(words) <= set(_words(other))


def _last(folder: str) -> str:
    return folder.rpartition("/")[2]


def copies_among(files: Iterable[str]) -> list[str]:
    """Return the files that have one name but for a count, such as ``Ali.json`` and
    ``Ali (1).json``."""
    by_name: dict[str, list[str]] = defaultdict(list)
    for file in files:
        by_name[_plain(COUNT.sub("", PurePosixPath(file).stem))].append(file)
    several = (sorted(same) for same in by_name.values() if len(same) > 1)
    return [file for same in several for file in same]


def _is_lesson(name: str) -> bool:
    """True for a name such as ``03``, ``lesson 3``, ``03_four_phases`` or ``random_games``."""
    known = stored_topic(name) in ORDER
    return known or re.fullmatch(r"(lesson|week)[ _-]?\d+", name, re.I) is not None
