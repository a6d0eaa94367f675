"""The command line: copy the lessons out of the installed package.

    python -m mcts_viz                    # what it can do
    python -m mcts_viz lessons            # into the folder mcts_lessons
    python -m mcts_viz lessons FOLDER

A file that is there already stays as it is, so that no one's answers are lost.
"""

from __future__ import annotations

import argparse
import re
import sys
from importlib.metadata import PackageNotFoundError, metadata
from importlib.util import find_spec
from pathlib import Path

from . import __version__

LESSONS = "[0-9][0-9]_*.ipynb"


def lessons_folder() -> Path:
    """The folder of the lessons here: in a clone beside the package, else inside."""
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


def with_links_abroad(text: str, home: str, here: str = r"(?!)") -> str:
    """Links that lead out of the folder go to the project's page, or only name the file.

    Files that match ``here``, such as ``solutions/``, lie beside the folder as they do at home.
    """
    link = rf"\[((?:[^\[\]\\\n]|\\.)*)\]\(\.\./(?!{here})([^)\s]+)\)"
    return re.sub(link, rf"[\1]({home}/blob/HEAD/\2)" if home else r"\1", text)


def copy_lessons(target: Path) -> tuple[int, int]:
    """Copy the lessons and their texts; return how many files were new, and how many there."""
    source, home, new, kept = lessons_folder(), home_page(), 0, 0
    for pattern in (LESSONS, "*.md"):
        for path in sorted(source.glob(pattern)):
            copy = target / path.name
            if copy.exists():
                kept += 1
                continue
            target.mkdir(parents=True, exist_ok=True)
            text = with_links_abroad(path.read_text("utf-8"), home)
            copy.write_text(text, "utf-8", newline="\n")
            new += 1
    return new, kept


def main() -> int:
    """Do what the command line asks for; return 0, or 1 if that failed."""
    parser = argparse.ArgumentParser(
        prog="python -m mcts_viz",
        description="Watch Monte Carlo Tree Search think.",
        epilog=f"The project's page: {home_page()}" if home_page() else None,
    )
    parser.add_argument("--version", action="version", version=f"mcts_viz {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    lessons = commands.add_parser("lessons", help="copy the lessons into a folder of yours")
    lessons.add_argument("folder", nargs="?", default="mcts_lessons", type=Path)
    given = parser.parse_args()
    if given.command is None:
        parser.print_help()
        return 0
    folder = given.folder
    try:
        new, kept = copy_lessons(folder)
    except OSError as error:
        print(f"The lessons cannot be written to {folder} ({error}). Name another folder.")
        return 1
    print(f"{new} files are new in {folder}" + (f", {kept} were there and stay." if kept else "."))
    if find_spec("jupyterlab") is None:
        print("To open them, first run: python -m pip install jupyterlab")
    first = min(folder.glob(LESSONS))
    print(f"Start with: jupyter lab {first}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
