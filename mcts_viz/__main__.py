"""Copy the lessons out of the installed package.

    python -m mcts_viz lessons            # into the folder mcts_lessons
    python -m mcts_viz lessons FOLDER

A file that is there already stays as it is, so that nobody's answers are lost.
"""

from __future__ import annotations

import argparse
import re
import sys
from importlib.metadata import PackageNotFoundError, metadata
from importlib.util import find_spec
from pathlib import Path

PATTERNS = ("*.ipynb", "solutions/*.ipynb", "*.md")
_LINK = r"\[((?:[^\[\]\\\n]|\\.)*)\]\(%s(?!\.\./)([^)\s]+)\)"


def lessons_folder() -> Path:
    """Where this installation keeps the lessons: in a clone beside the package, else inside."""
    package = Path(__file__).resolve().parent
    clone = package.parent / "notebooks"
    return clone if clone.is_dir() else package / "lessons"


def home_page() -> str:
    """The project's page, or "" where this copy of it has none."""
    try:
        urls = metadata("mcts_viz").get_all("Project-URL") or []
    except PackageNotFoundError:
        urls = []
    found = [url.partition(", ")[2] for url in urls if url.startswith("Source, ")]
    return "".join(url for url in found[:1] if "OWNER" not in url)


def with_links_abroad(text: str, home: str, *, solution: bool = False) -> str:
    """Links that lead out of the lessons' folder go to the project's page, or name the file."""
    words = rf"[\1]({home}/blob/HEAD/\2)" if home else r"\1"
    return re.sub(_LINK % re.escape("../../" if solution else "../"), words, text)


def copy_lessons(target: Path) -> tuple[int, int]:
    """Copy lessons, solutions and the teacher's texts; how many were new, how many were there."""
    source, home, new, kept = lessons_folder(), home_page(), 0, 0
    for pattern in PATTERNS:
        for path in sorted(source.glob(pattern)):
            copy = target / path.relative_to(source)
            if copy.exists():
                kept += 1
                continue
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = with_links_abroad(
                path.read_text("utf-8"), home, solution=path.parent.name == "solutions"
            )
            copy.write_text(text, "utf-8", newline="\n")
            new += 1
    return new, kept


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m mcts_viz", description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["lessons"])
    parser.add_argument("folder", nargs="?", default="mcts_lessons", type=Path)
    folder = parser.parse_args().folder
    try:
        new, kept = copy_lessons(folder)
    except OSError as error:
        print(f"The lessons cannot be written to {folder} ({error}): name another folder.")
        return 1
    print(f"{new} files are new in {folder}" + (f", {kept} were there and stay." if kept else "."))
    if find_spec("jupyterlab") is None:
        print("To open them, first run: python -m pip install jupyterlab")
    print(f"Open the lessons with: jupyter lab {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
