#!/usr/bin/env python3
"""Write notebooks/GLOSSARY.md: the words of all lessons, in alphabetical order.

    python .ci/glossary.py

The lessons are where a word is explained; this collects their tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
TARGET = NOTEBOOKS / "GLOSSARY.md"
HEAD = """# Glossary

The words of the course, as its lessons explain them, each with its name in the code.

| term | meaning | in the code | lesson |
|---|---|---|---|
"""


def main() -> None:
    TARGET.write_text(glossary(), encoding="utf-8", newline="\n")


def glossary() -> str:
    """The page as it should be."""
    found = {row: None for path in sorted(NOTEBOOKS.glob("*.ipynb")) for row in rows(path)}
    return HEAD + "".join(f"{row}\n" for row in sorted(found, key=letters))


def rows(path: Path) -> Iterator[str]:
    """The table of a lesson's words, each row with a link to the lesson."""
    cells = nbformat.read(path, as_version=4).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    words = re.search(r"^## The words\n(.*?)(?=^## )", text, re.M | re.S)
    table = [line for line in words[1].splitlines() if line.startswith("| ")] if words else []
    for line in table[1:]:
        yield f"{line.strip()} [{path.name[:2]}]({path.name}) |"


def letters(row: str) -> str:
    """What a row is sorted by: its term, without signs."""
    return re.sub(r"[^\w ]", "", row.split("|")[1]).strip().casefold()


if __name__ == "__main__":
    main()
