"""The work of a student in this notebook, saved next to it, so that it outlives the kernel.

It holds verdicts, misconceptions, hints and predictions, no answer's text, and no name unless the
student gives one. Nothing is sent anywhere. Delete the file to start afresh.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from mcts_viz.errors import MctsVizError, door
from mcts_viz.trace.storage import read_file, write_file

FORMAT: Final = "mcts_course report 3"
LARGEST: Final = 200_000
"""Bytes of a report that is read: ten times those of the busiest student."""
RECORD: Final[dict[str, Any]] = {}
"""The report of this notebook, once something has been done or asked for."""


def record() -> dict[str, Any]:
    """Return the report of this notebook, with what earlier kernels have saved."""
    if not RECORD:
        place = _place()
        saved = read_report(place) if place else None
        RECORD.update(saved or {"format": FORMAT, "name": "", "exercises": {}, "predictions": {}})
    return RECORD


def keep(kind: str, key: str, facts: dict[str, Any]) -> None:
    """Note something in ``kind``, exercises or predictions, and save it where that can be done."""
    record()[kind][key] = facts
    if place := _place():
        with suppress(MctsVizError):  # a folder may be read-only, or a disk full
            write_file(place, _bytes(record()))


@door
def write_report(path: str | Path, name: str = "") -> None:
    """Write the verdicts and predictions of this notebook to a small file, such as ``me.json``.

    It holds no name unless you give one. Raises ``MctsVizError`` where it cannot be written.
    """
    write_file(path, _bytes({**record(), "name": str(name)}))


def read_report(path: str | Path) -> dict[str, Any] | None:
    """Return a report, or ``None`` where a file is not one, whatever it holds."""
    try:
        text = read_file(path, LARGEST).decode("utf-8")
        student: dict[str, Any] = json.loads(text)
        sound = student["format"] == FORMAT and isinstance(student["name"], str)
        for work in student["exercises"].values():
            sound &= _all(str, work["verdicts"]) and _all(str, work["misconceptions"])
            sound &= isinstance(work["hints"], int)
        for made in student["predictions"].values():
            sound &= _all(str | None, [made["guess"], made["measured"]])
    except (MctsVizError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    return student if sound else None


def _all(kind: Any, values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, kind) for value in values)


def _bytes(report: dict[str, Any]) -> bytes:
    return json.dumps(report, indent=1).encode()  # ASCII, so halves are no trouble


def _place() -> Path | None:
    """The hidden file next to the notebook; ``None`` where no server says which that is."""
    notebook = os.environ.get("JPY_SESSION_NAME", "")
    path = Path(notebook)
    return path.with_name(f".{path.stem}.progress.json") if path.suffix == ".ipynb" else None
