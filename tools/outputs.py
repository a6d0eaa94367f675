"""Show which stored outputs of lessons have changed: python tools/outputs.py [REVISION]

Run it after a lesson was built, and read it: what a cell prints is part of the lesson, and building
writes it again, right or wrong. The texts of all notebooks are compared with those of ``REVISION``,
by default the last commit; a picture is known by a number that changes with it.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("notebooks", "solutions")


def said(notebook: str) -> list[str]:
    """The lines of all outputs, each with the first line of its cell before it."""
    cells = json.loads(notebook)["cells"] if notebook else []
    return [line for cell in cells for line in lines_of(cell)]


def lines_of(cell: dict[str, Any]) -> Iterator[str]:
    """The outputs of one cell, a line each."""
    outputs = cell.get("outputs", [])
    if outputs:
        yield "In: " + "".join(cell["source"]).partition("\n")[0]
    for output in outputs:
        for kind, content in {"text": output.get("text"), **output.get("data", {})}.items():
            text = "".join(content) if isinstance(content, list) else content
            if isinstance(text, str) and kind in ("text", "text/plain", "text/markdown"):
                yield from text.splitlines()
            elif kind.startswith("image/"):
                yield f"[{kind} {hashlib.sha256(text.encode()).hexdigest()[:8]}]"


def main() -> None:
    revision = sys.argv[1] if len(sys.argv) > 1 else "HEAD"
    files = sorted(path for name in FOLDERS for path in (ROOT / name).glob("*.ipynb"))
    changed = 0
    for path in files:
        name = path.relative_to(ROOT).as_posix()
        show = ["git", "show", f"{revision}:{name}"]
        before = subprocess.run(show, cwd=ROOT, capture_output=True, text=True, check=False).stdout
        pair = said(before), said(path.read_text(encoding="utf-8"))
        lines = [*difflib.unified_diff(*pair, f"{name} before", f"{name} now", lineterm="", n=1)]
        if lines:
            print("\n".join(lines))
            changed += 1
    print(f"Stored outputs of {changed} of {len(files)} notebooks have changed.")


if __name__ == "__main__":
    main()
