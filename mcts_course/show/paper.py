"""Pages of HTML for the teacher: they open from a disk, print, and load nothing."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import IO, Final

from mcts_viz.errors import MctsVizError, reason

from .feedback import inert

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em;
  color: #111; background: #fff; }
table { border-collapse: collapse; margin: 0 0 1.5em; }
td, th { border: 1px solid #888; padding: 2px 8px; text-align: left; vertical-align: top; }
tr, figure { break-inside: avoid; }
figure { margin: 0 0 1em; }
svg, figure img { max-width: 100%; height: auto; }
.sheet { break-after: page; }
.line { border-bottom: 1px solid #444; height: 1.9em; }
@media print { body { margin: 0; max-width: none; font-size: 11pt; } }
@page { size: A4; margin: 15mm; }
"""


def page(title: str, body: str) -> str:
    """Return a whole page; ``body`` is HTML, and the title a text of anybody's."""
    return (
        "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'>"
        f"<title>{inert(title)}</title><style>{STYLE}</style></head>\n"
        f"<body>\n{body}\n</body></html>\n"
    )


NAMES: Final = 100
"""Numbers that a file may get where its name is taken."""


def write(place: Path, text: str) -> Path:
    """Write a page in place of whatever has its name, and return its place, as ``new_file``."""
    with new_file(place, "utf-8", "\n") as file:
        try:
            file.write(text)
        except OSError as error:
            raise _cannot_write(place, reason(error)) from error
    return Path(file.name)


def new_file(place: Path, encoding: str, newline: str) -> IO[str]:
    """Open a new file in the place of another one; where that stays, beside it, and say so.

    What was handed in may be a link to another file, which is not followed, or a folder. Windows
    keeps a file that a spreadsheet shows. Raises ``MctsVizError`` where no file can be made.
    """
    numbered = (place.with_name(f"{place.stem}_{n}{place.suffix}") for n in range(2, NAMES))
    why = ""
    for free in chain([place], numbered):
        try:
            free.unlink(missing_ok=True)
            file = free.open("x", encoding=encoding, errors="replace", newline=newline)
        except OSError as error:
            why = why or reason(error)
            continue
        if free != place:
            print(f"{place} cannot be replaced ({why}), so this is in {free}.")
        return file
    raise _cannot_write(place, why)


def _cannot_write(place: Path, why: str) -> MctsVizError:
    return MctsVizError(f"{place} cannot be written ({why}): check its folder.")
