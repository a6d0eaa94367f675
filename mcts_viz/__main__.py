"""The command line: copy the lessons out of the installed package, or film a log.

    python -m mcts_viz FOLDER --path four-weeks
    python -m mcts_watch log.jsonl > film.html

The folder is ``lessons`` if none is given. A file that is there already stays as it is, so that no
one's answers are lost.
"""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

from . import __version__


def opens(folder: Path) -> str:
    """The command that opens the folder in JupyterLab, or installs that first."""
    if find_spec("jupyterlab") is None:
        return f"pip install jupyterlab, then jupyter lab {folder}"
    return f"jupyter lab {folder}"


def main() -> None:
    """Do what the command line asks for."""
    from mcts_course.lessons.paths import copy_lessons, former_lessons

    from .errors import MctsVizError

    if sys.argv[1:2] == ["watch"]:
        said = "A log is filmed by another package now: python -m mcts_watch log.jsonl"
        argparse.ArgumentParser(prog="python -m mcts_viz").error(said)
    parser = argparse.ArgumentParser(prog="python -m mcts_viz", description="Copy the lessons.")
    parser.add_argument("--version", action="version", version=f"mcts_viz {__version__}")
    told = "where they go, by default to a folder lessons; a file that is there stays"
    parser.add_argument("folder", nargs="?", type=Path, default=Path("lessons"), help=told)
    parser.add_argument("--path", default="term", help="two-sessions, four-weeks or term")
    given = parser.parse_args()
    folder = given.folder
    try:
        new = copy_lessons(folder, given.path)
    except OSError as error:
        parser.error(f"the lessons cannot be written to {folder} ({error}): name another folder.")
    except MctsVizError as error:
        parser.error(str(error))
    print(f"mcts_viz {__version__}: Monte Carlo Tree Search from the inside, in short lessons.")
    print(f"{new} files are new in {folder}. Next: {opens(folder)}")
    print(f"The first page is {folder / 'CONTENTS.md'}.")
    for said in former_lessons(folder):
        print(said)
    print("Films a log of your own search: python -m mcts_watch log.jsonl > film.html")
    print("For teachers: python -m mcts_course.teacher --help")


if __name__ == "__main__":
    main()
