"""Pages of HTML for the teacher: they open from a disk, print, and load nothing."""

from __future__ import annotations

from pathlib import Path

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


def write(place: Path, text: str) -> None:
    """Write a page in place of whatever has its name; a link that was handed in is not followed.

    Raises ``MctsVizError`` where it cannot be written.
    """
    try:
        place.unlink(missing_ok=True)
        with place.open("x", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
    except OSError as error:
        why = f"{place} cannot be written ({reason(error)}): check its folder."
        raise MctsVizError(why) from error
