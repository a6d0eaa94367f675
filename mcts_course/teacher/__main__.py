"""Work with what a class hands in, with nbgrader or without.

    python -m mcts_course.teacher collect four_phases    # nbgrader's source, in ./source
    python -m mcts_course.teacher report FOLDER   # the class report, also FOLDER/report.html
    python -m mcts_course.teacher grade FOLDER    # plain notebooks, graded to FOLDER/grades.csv
    python -m mcts_course.teacher items four_phases --students roster.csv --seed SECRET
    python -m mcts_course.teacher handout         # two pages for one class, to print
    python -m mcts_course.teacher gallery FOLDER  # the projects of a class on one page

FOLDER is read with all folders and zips in it. With ``--students roster.csv`` (columns id and name)
the report says who has not handed in; ``grade --by student`` adds totals for Moodle and Canvas.
Grading runs the notebooks, and with them their students' code: do it where that does no harm.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mcts_viz.errors import MctsVizError

from ..lessons import topic_of
from ..show.paper import write
from ..work.items import KINDS
from .collect import nbgrader_source
from .gallery import gallery
from .grade import grade
from .handout import handout
from .report import class_report
from .sheets import make_sheets


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m mcts_course.teacher", description=(__doc__ or "").splitlines()[0]
    )
    commands = parser.add_subparsers(dest="command", required=True)
    collects = commands.add_parser("collect")
    collects.add_argument("lessons", nargs="+", help="such as four_phases, or 03")
    for name in ("grade", "report"):
        reads = commands.add_parser(name)
        reads.add_argument("folder", type=Path, help="a folder, or a zip of Moodle's or Canvas's")
        reads.add_argument("--students", type=Path, help="a CSV file with the columns id and name")
        if name == "report":
            reads.add_argument("--path", default="", help="only the lessons of this path")
        else:
            reads.add_argument(
                "--by", choices=["student"], help="also totals for Moodle and Canvas"
            )
    items = commands.add_parser("items")
    items.add_argument("lesson", help=f"one of {', '.join(KINDS)}")
    items.add_argument("--students", type=Path, required=True)
    items.add_argument(
        "--seed", required=True, help="a secret text: with it the same sheets come again"
    )
    commands.add_parser("handout")
    pages = commands.add_parser("gallery")
    pages.add_argument("folder", type=Path, help="with the pages of a class's projects")
    given = parser.parse_args()
    try:
        return run(given)
    except MctsVizError as error:
        print(error, file=sys.stderr)
        return 2


def run(given: argparse.Namespace) -> int:
    """Do what the command says; return what the shell gets."""
    if given.command == "collect":
        return nbgrader_source(given.lessons, Path())
    if given.command == "grade":
        return grade(given.folder, given.students, by_student=given.by == "student")
    if given.command == "items":
        print(
            "The sheets and the key are in "
            f"{make_sheets(topic_of(given.lesson), given.students, given.seed, Path())}."
        )
        return 0
    if given.command == "handout":
        place = write(Path("handout.html"), handout())
        print(f"The hand-out of one class is {place}: two pages to print.")
        return 0
    if given.command == "gallery":
        place, count = gallery(given.folder)
        print(f"{count} {'project is' if count == 1 else 'projects are'} in {place}.")
        return 0
    report = class_report(given.folder, given.students, given.path)
    print(report)
    place = (given.folder if given.folder.is_dir() else given.folder.parent) / "report.html"
    place = write(place, report.to_html())
    print(f"\nTo keep or to print: {place}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
