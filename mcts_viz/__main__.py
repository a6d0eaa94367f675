"""The command line: copy the lessons out of the installed package.

    python -m mcts_viz FOLDER

A file that is there already stays as it is, so that no one's answers are lost.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from . import __version__


def with_links_abroad(text: str, home: str = "", here: str = r"(?!)") -> str:
    """Links that lead out of the folder go to the project's page ``home``, or only name the file.

    Files that match ``here``, such as ``solutions/``, lie beside the folder as they do at home.
    """
    link = rf"\[((?:[^\[\]\\\n]|\\.)*)\]\(\.\./(?!{here})([^)\s]+)\)"
    return re.sub(link, rf"[\1]({home}/blob/HEAD/\2)" if home else r"\1", text)


def copy_lessons(folder: Path) -> int:
    """Copy the lessons and their texts, but over no file that is there; return how many are new."""
    package = Path(__file__).resolve().parent
    clone = package.parent / "notebooks"
    source = clone if clone.is_dir() else package / "lessons"
    folder.mkdir(parents=True, exist_ok=True)
    files = [*source.glob("[0-9][0-9]_*.ipynb"), *source.glob("*.md")]
    new = [file for file in files if not (folder / file.name).exists()]
    for file in new:
        text = with_links_abroad(file.read_text("utf-8"))
        (folder / file.name).write_text(text, "utf-8", newline="\n")
    return len(new)


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m mcts_viz", description="Copy the lessons.")
    parser.add_argument("--version", action="version", version=f"mcts_viz {__version__}")
    parser.add_argument("folder", type=Path, help="where they go; a file that is there stays")
    folder = parser.parse_args().folder
    try:
        print(f"{copy_lessons(folder)} files are new in {folder}. Next: jupyter lab {folder}")
    except OSError as error:
        parser.error(f"the lessons cannot be written to {folder} ({error}): name another folder.")


if __name__ == "__main__":
    main()
