"""The command line: copy the lessons out of the installed package, or film a log.

    python -m mcts_viz FOLDER
    python -m mcts_watch log.jsonl > film.html

The folder is ``lessons`` if none is given. A file that is there already stays as it is, so that no
one's answers are lost.
"""

from __future__ import annotations

import argparse
import re
import sys
from importlib.util import find_spec
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


def opens(folder: Path) -> str:
    """The command that opens the folder in JupyterLab, or installs that first."""
    if find_spec("jupyterlab") is None:
        return f"pip install jupyterlab, then jupyter lab {folder}"
    return f"jupyter lab {folder}"


def main() -> None:
    """Do what the command line asks for."""
    if sys.argv[1:2] == ["watch"]:
        said = "A log is filmed by another package now: python -m mcts_watch log.jsonl"
        argparse.ArgumentParser(prog="python -m mcts_viz").error(said)
    parser = argparse.ArgumentParser(prog="python -m mcts_viz", description="Copy the lessons.")
    parser.add_argument("--version", action="version", version=f"mcts_viz {__version__}")
    told = "where they go, by default to a folder lessons; a file that is there stays"
    parser.add_argument("folder", nargs="?", type=Path, default=Path("lessons"), help=told)
    folder = parser.parse_args().folder
    try:
        new = copy_lessons(folder)
    except OSError as error:
        parser.error(f"the lessons cannot be written to {folder} ({error}): name another folder.")
    print(f"mcts_viz {__version__}: Monte Carlo Tree Search from the inside, in short lessons.")
    print(f"{new} files are new in {folder}. Next: {opens(folder)}")
    print("Films a log of your own search: python -m mcts_watch log.jsonl > film.html")
    print("For teachers: python -m mcts_course.teacher --help")


if __name__ == "__main__":
    main()
