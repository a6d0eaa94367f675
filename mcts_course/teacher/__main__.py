"""Work with what a class hands in, with nbgrader or without.

    python -m mcts_course.teacher collect 03      # nbgrader's source of a lesson, in ./source
    python -m mcts_course.teacher grade FOLDER    # plain notebooks, graded to FOLDER/grades.csv
    python -m mcts_course.teacher report FOLDER   # the class report of the files in FOLDER

Grading runs the notebooks, and with them their students' code: do it where that does no harm.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mcts_viz.errors import MctsVizError

from .collect import nbgrader_source
from .grade import grade
from .report import class_report


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m mcts_course.teacher", description=(__doc__ or "").splitlines()[0]
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("collect").add_argument("numbers", nargs="+", help="such as 03")
    for name in ("grade", "report"):
        commands.add_parser(name).add_argument("folder", type=Path)
    given = parser.parse_args()
    if given.command == "collect":
        return nbgrader_source(given.numbers, Path())
    if given.command == "grade":
        return grade(given.folder)
    try:
        print(class_report(given.folder))
    except MctsVizError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
