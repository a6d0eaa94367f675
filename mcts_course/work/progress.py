"""The work of a student in this notebook, saved next to it, so that it outlives the kernel.

It holds verdicts, misconceptions, hints and predictions, no answer's text, and no name unless the
student gives one. Nothing is sent anywhere. To start afresh, restart the kernel and delete the
file.

A report is read here and nowhere else. All that it holds is bounded where it is read, since a
student can write anything into the file: what no notebook would have written is left out.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any, Final

from mcts_viz.errors import MctsVizError, reason, require, short_repr
from mcts_viz.trace.storage import put, read_file

from ..lessons import ORDER, stored_exercise, stored_topic
from ..show.feedback import say

FORMAT: Final = "mcts_course report 3"
KINDS: Final = ("exercises", "predictions", "hands", "again")
"""The parts of a report: answers, guesses, iterations carried out by hand, later items."""
LARGEST: Final = 200_000
"""Bytes of a report that is read: ten times those of the busiest student."""
AGE: Final = 1e9
"""Seconds that a choice by hand may take: thirty years, and no number that cannot be added up."""
WALKED: Final = 3000
"""Moves on all walks by hand."""
CHOICES: Final = 400
"""Choices by hand that are kept: a careful reader makes 80 in twelve iterations."""
MOST: Final = 50
"""Verdicts on an exercise that are kept."""
ENTRIES: Final = 200
"""Exercises or predictions of a report that are read: all lessons together have fewer."""
LONGEST: Final = 1000
"""Characters of a text that is read: the longest reply of a lesson has half of them."""
SERIES: Final = 50
"""Answers to items of one lesson that are kept."""
VERDICTS: Final = ("open", "right", "misconception", "wrong", "error")
HINTS: Final = 2
"""Hints that an exercise has: one, and then the solution."""
NAME: Final = 60
"""Characters of a name that are in the name of a file, and of a table."""
ENDING: Final = ".progress.json"
"""Of the hidden files that keep the work of notebooks."""
PATIENCE: Final = 2.0
"""Seconds to wait for another kernel: a save takes milliseconds, so a longer one was killed."""

RECORD: Final[dict[str, Any]] = {}
"""The report of this notebook, once something has been done or asked for."""
_UNSAVED: Final[set[tuple[str, str]]] = set()
"""Entries that could not be saved: for these this kernel knows more than the file."""


def record() -> dict[str, Any]:
    """Return the report of this notebook, with what other kernels have saved up to now.

    A file that cannot be read in full when this kernel first looks at it is put aside, as the next
    save would write over it.
    """
    place = _place()
    saved = _saved(place) if place and place.is_file() and not place.is_symlink() else None
    if not RECORD:
        RECORD.update({"format": FORMAT, "name": "", **{kind: {} for kind in KINDS}})
        if place and saved is None:
            _take_over(place)
    _add(saved or {})
    return RECORD


def _add(saved: dict[str, Any]) -> None:
    """Add what is saved to what this kernel knows; of what it could not save, the further one."""
    for kind in KINDS:
        known = RECORD[kind]
        for key, facts in saved.get(kind, {}).items():
            ours = known.get(key) if (kind, key) in _UNSAVED else None
            known[key] = facts if ours is None else further(kind, facts, ours)


def _saved(place: Path) -> dict[str, Any] | None:
    """Return what the file holds that can be read; what cannot is put aside by a new kernel."""
    saved = read_report(place)
    if not RECORD and (saved is None or saved["left_out"]):
        _put_aside(place)
    return saved


def _take_over(place: Path) -> None:
    """Start with what files of version 0.2.0 hold, which were called after numbers."""
    topic = place.name.removeprefix(".").removesuffix(ENDING)
    for former in sorted(place.parent.glob(f".[0-9][0-9]_*{ENDING}")):
        stem = former.name.removeprefix(".").removesuffix(ENDING)
        found = read_report(former) if stored_topic(stem) == topic else None
        if found is not None:
            _add(found)
            say(f"Your earlier work, in {former.name}, counts here, too. That file stays as it is.")


def further(kind: str, known: dict[str, Any] | None, more: dict[str, Any]) -> dict[str, Any]:
    """Return what goes on further of two entries; ``more``, which came later, if neither does.

    A new kernel knows nothing of what was done before, and must not write that over.
    """
    return more if known is None or REACH[kind](more) >= REACH[kind](known) else known


def keep(kind: str, key: str, facts: dict[str, Any]) -> str:
    """Note something in ``kind``, one of ``KINDS``, and save it where there is a notebook.

    What goes on further stays, also what another kernel has saved. Returns "", or a sentence for
    the student if it could not be saved, such as on a full disk: the next call tries that again.
    """
    place = _place()
    if place is None:
        _note(kind, key, facts)
        return ""
    with _alone(place):
        _note(kind, key, facts)
        _UNSAVED.add((kind, key))
        try:
            _write(place, record())
        except MctsVizError as error:
            return f"{UNSAVED} {error} It is tried again with your next answer."
        _UNSAVED.clear()
    return ""


UNSAVED: Final = "Not saved."
"""How a sentence begins that says why something could not be saved."""


def _note(kind: str, key: str, facts: dict[str, Any]) -> None:
    known = record()[kind]
    known[key] = further(kind, known.get(key), facts)


def kept(kind: str, key: str) -> dict[str, Any] | None:
    """Return what is saved of this notebook, ``None`` without it or without a notebook."""
    found: dict[str, Any] | None = record()[kind].get(key) if _place() else None
    return found


def standing(work: dict[str, Any]) -> str:
    """Return how an exercise is judged: by its last verdict, "not started" if there is none.

    A grade and every report go by this one rule: a point is a last verdict of "right".
    """
    verdicts = work["verdicts"]
    return str(verdicts[-1]) if verdicts else "not started"


def misunderstood(work: dict[str, Any]) -> str:
    """Return the reply to the last misconception if that is how the exercise is judged, else ""."""
    told = work["misconceptions"]
    return str(told[-1]) if told and standing(work) == "misconception" else ""


def write_report(path: str | Path, name: str = "") -> None:
    """Write the verdicts and predictions of this notebook to a small file, such as ``me.json``.

    It holds no name unless you give one. Raises ``MctsVizError`` where it cannot be written.
    """
    _write(path, {**record(), "name": str(name)})


def hand_in(lesson: str, name: object = "") -> None:
    """Write the work of this notebook to ``NAME_TOPIC.json`` beside it; ``lesson`` is the topic.

    The name, or a number in its place, is the student's to give; without one nothing is written.
    A number as ``lesson`` is that of version 0.2.0. Raises ``MctsVizError`` for a lesson that is
    not in the course, and where nothing can be written.
    """
    topic = stored_topic(lesson) if isinstance(lesson, str) else ""
    kind = "the topic of one, such as 'four_phases'"
    require(topic in ORDER, "The lesson", kind, lesson, MctsVizError)
    given = " ".join(str(name).split()) if name is not None and name is not ... else ""
    file = re.sub(r"[^\w.-]+", "_", given[:NAME]).strip("._")
    if not file:
        say(
            "○ Open: put your name between the quotes, or the number that you go by, and run this "
            f"cell. It writes a file such as Ada_{topic}.json, to hand in with this notebook. "
            "Nothing is sent anywhere."
        )
        return
    place = _place()
    written = (place.parent if place else Path()) / f"{file}_{topic}.json"
    write_report(written, name=given)
    say(f"Written: {written.name}, beside this notebook. Hand in this file and the notebook.")


# Reading -----------------------------------------------------------------------------------------


def read_report(path: str | Path) -> dict[str, Any] | None:
    """Return a report, or ``None`` where a file is not one, whatever it holds."""
    with suppress(MctsVizError):
        return parse_report(read_file(path, LARGEST))
    return None


def parse_report(data: bytes) -> dict[str, Any] | None:
    """Return the report that a file holds, or ``None`` where it is not one.

    ``left_out`` counts the entries that no notebook would have written.
    """
    try:
        said = json.loads(data[:LARGEST].decode("utf-8-sig"))
        if said["format"] != FORMAT or not isinstance(said["name"], str):
            return None
        found = {"hands": {}, "again": {}, **said}  # a file without these is as sound
        kept = {kind: _sound(found[kind], fits) for kind, fits in SOUND.items()}
        left_out = sum(len(found[kind]) - len(kept[kind]) for kind in KINDS)
        kept["exercises"] = _renamed(kept["exercises"], stored_exercise)
        kept["again"] = _renamed(kept["again"], stored_topic)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    return {"format": FORMAT, "name": said["name"][:LONGEST], **kept, "left_out": left_out}


def _sound(entries: dict[str, Any], fits: Callable[[Any], bool]) -> dict[str, Any]:
    """Return the first entries that a notebook could have written."""
    first = list(entries.items())[:ENTRIES]
    return {key: facts for key, facts in first if _is_text(key) and fits(facts)}


def _renamed(entries: dict[str, Any], name: Callable[[str], str]) -> dict[str, Any]:
    """Return the entries under the names of today; what has one already is not written over."""
    return {name(key): facts for key, facts in entries.items()} | {
        key: facts for key, facts in entries.items() if name(key) == key
    }


def _is_work(facts: object) -> bool:
    """True for what an exercise keeps: its verdicts, the replies to misconceptions, and hints."""
    match facts:
        case {"verdicts": list(verdicts), "misconceptions": list(told), "hints": int(hints)}:
            short = len(verdicts) <= MOST and len(told) <= MOST
            known = all(isinstance(kind, str) and kind in VERDICTS for kind in verdicts)
            return short and known and all(map(_is_text, told)) and 0 <= hints <= HINTS
    return False


def _is_guess(facts: object) -> bool:
    """True for what a prediction keeps: the guess and the answer, each ``None`` before it is
    given."""
    match facts:
        case {"guess": guess, "measured": measured}:
            return all(text is None or _is_text(text) for text in (guess, measured))
    return False


def _is_by_hand(facts: Any) -> bool:
    """True for what iterations by hand keep: how many were done, and every choice.

    With its ``walks`` and ``seed`` a new kernel can go on; earlier files have none.
    """
    match facts:
        case {"iterations": int(count), "events": list(events)}:
            sound = 0 <= count <= CHOICES and len(events) <= CHOICES
            resumed = _are_walks(facts.get("walks", [])) and _is_seed(facts.get("seed"))
            return sound and resumed and all(map(is_choice, events))
    return False


def _is_seed(seed: object) -> bool:
    return seed is None or type(seed) is int


def is_choice(event: Any) -> bool:
    """True for a choice that a reader made as the search; ``mistake`` is its name, or "" without
    one.
    """
    match event:
        case {
            "iteration": int() as i,
            "attempt": int() as j,
            "sums": bool(),
            "seconds": int() | float() as s,
        }:
            texts = [event.get(name) for name in ("phase", "card", "choice", "mistake")]
            counts = 0 <= i <= LARGEST and 0 <= j <= LARGEST and 0 <= s <= AGE
            return counts and len(event) == 8 and all(map(_is_text, texts))
    return False


def _are_walks(walks: object) -> bool:
    """True for walks by hand: each a list of places among moves."""
    return (
        isinstance(walks, list)
        and len(walks) <= CHOICES
        and all(isinstance(walk, list) for walk in walks)
        and sum(map(len, walks)) <= WALKED
        and all(type(place) is int and 0 <= place <= LARGEST for walk in walks for place in walk)
    )


def _is_series(facts: object) -> bool:
    """True for what later items keep: which ones come, and of each answer the day and if it was
    right.
    """
    match facts:
        case {"token": int(token), "answers": list(answers)}:
            sound = [_is_answer(answer) for answer in answers]
            return 0 <= token < 2**31 and len(sound) <= SERIES and all(sound)
    return False


def _is_answer(answer: object) -> bool:
    match answer:
        case [int(day), bool()]:
            return 0 < day < date.max.toordinal()
    return False


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST


REACH: Final[dict[str, Callable[[dict[str, Any]], int]]] = {
    "exercises": lambda work: len(work["verdicts"]) + work["hints"],
    "predictions": lambda made: made["guess"] is not None,
    "hands": lambda done: len(done["events"]),
    "again": lambda series: len(series["answers"]),
}
"""For each kind: how far an entry goes."""
SOUND: Final[dict[str, Callable[[Any], bool]]] = {
    "exercises": _is_work,
    "predictions": _is_guess,
    "hands": _is_by_hand,
    "again": _is_series,
}
"""For each kind: whether a notebook could have written an entry."""


# Writing -----------------------------------------------------------------------------------------


def _place() -> Path | None:
    """The hidden file next to the notebook; ``None`` where no server says which that is.

    It is called after the topic of a lesson, so it is found again if the lessons change places.
    """
    path = Path(os.environ.get("JPY_SESSION_NAME", ""))
    name = stored_topic(path.stem)
    return path.with_name(f".{name}{ENDING}") if path.suffix == ".ipynb" else None


def _write(path: str | Path, report: dict[str, Any]) -> None:
    """Replace a file as a whole; a link is refused, as it may lead to another person's file.

    The new file takes the place of anything that has its name by then, so a link that is made in
    the meantime is not followed either. Raises ``MctsVizError`` where it cannot be written.
    """
    kept = {name: report[name] for name in ("format", "name", *KINDS)}
    data = json.dumps(kept, indent=1).encode()  # ASCII, so halves of signs are no trouble
    try:
        place = Path(path)
        if place.is_symlink() or (place.exists() and not place.is_file()):
            raise OSError("it is a link, or no regular file")
        put(place, data)
    except (OSError, TypeError, ValueError) as error:
        name = short_repr(path if isinstance(path, str) else str(path), most=300)
        why = f"The file {name} cannot be written ({reason(error)}): check its name and folder."
        raise MctsVizError(why) from error


def _put_aside(place: Path) -> None:
    """Give a file another name, and say so; where that cannot be done, do nothing."""
    names = (place.with_name(f"{place.name}.{number}.bak") for number in count(1))
    free = next(name for name in names if not name.exists())
    with suppress(OSError):
        place.rename(free)
        say(
            f"The work kept in {place.name} could not be read in full. The file is now named "
            f"{free.name}: keep it, and show it to your teacher. A new one is begun."
        )


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Keep other kernels from saving to the same file; where no lock can be made, do nothing."""
    lock = place.with_name(f"{place.name}.lock")
    until = time.monotonic() + PATIENCE
    while (mine := _made(lock)) is False and time.monotonic() < until:
        time.sleep(0.005)
    try:
        yield
    finally:
        if mine is not None:  # after so long it is the lock of a kernel that was killed
            with suppress(OSError):
                lock.unlink(missing_ok=True)


def _made(lock: Path) -> bool | None:
    """Return True if this call made the file, False if there is one, None if none can be made."""
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    except OSError:
        return None
    return True
