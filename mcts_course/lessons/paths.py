"""Paths through the lessons: which ones a class takes, in which order, and what it hands in.

``python -m mcts_viz lessons --path four-weeks`` copies the lessons of a path. There *Previous* and
*Next* follow the path, and ``CONTENTS.md`` is its first page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from mcts_viz.errors import MctsVizError, require

from . import CORE, ELECTIVES, IN_0_2, MERGED, ORDER, number_of, stem_of

HOME: Final = Path(str(files("mcts_viz"))).resolve()
"""Of the package; a clone has the lessons beside it, an installed package in it."""


class Way(NamedTuple):
    """The lessons of a course."""

    title: str
    meetings: tuple[tuple[str, ...], ...]
    """The topics of each meeting, or week, in order."""
    handed_in: tuple[str, ...]
    """Topics whose notebook is handed in."""
    parts: Mapping[str, tuple[str, int]] = {}
    """By topic: what is done of a lesson, if it is not all of it, and the minutes in class."""

    @property
    def topics(self) -> tuple[str, ...]:
        """All topics, in order."""
        return tuple(topic for meeting in self.meetings for topic in meeting)


PATHS: Final = {
    "two-sessions": Way(
        "Two sessions of 90 minutes",
        (
            ("can_you_beat_it", "random_games", "four_phases"),
            ("what_uct_weighs", "perfect_play", "bug_clinic"),
        ),
        ("four_phases", "bug_clinic"),
        {
            "can_you_beat_it": ("one game, and *Watch it grow*", 20),
            "random_games": ("*By hand*, then the width and the trap in *Experiment*", 20),
            "four_phases": ("up to *By hand*; the rest is homework", 50),
            "what_uct_weighs": ("up to *By hand*", 20),
            "perfect_play": (
                "*By hand*, *The same answer for less*, and the last film of *Experiment*",
                25,
            ),
            "bug_clinic": ("up to *Experiment*, and exercise 1; exercise 2 is homework", 35),
        },
    ),
    "four-weeks": Way(
        "Four weeks: the core",
        (CORE[:3], CORE[3:6], CORE[6:8], CORE[8:]),
        ("write_it_yourself", "bug_clinic"),
    ),
    "term": Way(
        "A term: the core, then electives",
        (*(CORE[at : at + 2] for at in range(0, len(CORE), 2)), *((one,) for one in ELECTIVES)),
        ("write_it_yourself", "bug_clinic", "my_game"),
    ),
}
"""For each name: the paths."""

NEXT: Final = re.compile(r"^\*\*The next question:\*\* .*$", re.M)
LESSON: Final = re.compile(rf"\[([^\]\n]*)\]\(\d\d_({'|'.join(ORDER)})\.ipynb\)")


def way_of(name: str) -> Way:
    """Return the path of that name. Raises ``MctsVizError`` for another one."""
    kind = f"one of {', '.join(PATHS)}"
    require(name in PATHS, "A path", kind, name, MctsVizError)
    return PATHS[name]


def along(text: str, topic: str, way: Way, titles: Mapping[str, str]) -> str:
    """Return the text of a lesson's cell as a path has it: what is next, and no link off it."""
    after = dict(pairwise(way.topics)).get(topic)
    before = dict(pairwise(way.topics[::-1])).get(topic)
    beside = {"Previous": before, "Next": after}
    links = [f"{word}: {link_to(other, titles)}" for word, other in beside.items() if other]
    text = re.sub(r"^(Previous|Next): \[.*$", " · ".join(links), text, flags=re.M)
    found = NEXT.search(text)
    if found and stem_of(after or topic) not in found[0]:
        said = f"**Next:** {link_to(after, titles)}" if after else "This is the end of the path."
        text = text.replace(found[0], said)
    if found := re.search(r"^Electives: (.*)$", text, re.M):
        kept = [one[0] for one in LESSON.finditer(found[1]) if one[2] in way.topics]
        text = text.replace(found[0], f"Electives: {', '.join(kept)}" if kept else "").rstrip()
    return within(text, way)


def within(text: str, way: Way) -> str:
    """Return the text with links to lessons of the path only; of others their words are left."""
    return LESSON.sub(lambda link: link[0] if link[2] in way.topics else link[1], text)


def link_to(topic: str, titles: Mapping[str, str]) -> str:
    """Return a link to a lesson, with its number and title."""
    return f"[{number_of(topic)} · {titles[topic]}]({stem_of(topic)}.ipynb)"


def contents(way: Way, titles: Mapping[str, str], minutes: Mapping[str, str]) -> str:
    """Return the first page of a path, in Markdown: meetings, lessons, minutes, and hand-ins."""
    parts = {
        topic: (words, f"{long} minutes in class") for topic, (words, long) in way.parts.items()
    }
    parts = {topic: ("all of it", said) for topic, said in minutes.items()} | parts
    rows = [
        f"| {number} | {link_to(topic, titles)} | {' | '.join(parts[topic])} "
        f"| {'✓' if topic in way.handed_in else ''} |"
        for number, meeting in enumerate(way.meetings, 1)
        for topic in meeting
    ]
    return "\n".join(
        [
            f"# {way.title}",
            "",
            "Open the first lesson, and follow *Next*. Each lesson ends with a cell that writes "
            "the file to hand in.",
            "",
            "| | lesson | what you do of it | how long | hand in |",
            "|---|---|---|---|---|",
            *rows,
            "",
        ]
    )


# Copying -----------------------------------------------------------------------------------------


def with_links_abroad(text: str, home: str = "", here: str = r"(?!)") -> str:
    """Links that lead out of the folder go to the project's page ``home``, or only name the file.

    Files that match ``here``, such as ``solutions/``, lie beside the folder as they do at home.
    """
    link = rf"\[((?:[^\[\]\\\n]|\\.)*)\]\(\.\./(?!{here})([^)\s]+)\)"
    return re.sub(link, rf"[\1]({home}/blob/HEAD/\2)" if home else r"\1", text)


def copy_lessons(folder: Path, name: str = "term") -> int:
    """Copy the lessons of a path and their texts, but over no file that is there.

    Return how many are new. ``CONTENTS.md`` is written each time. Raises ``MctsVizError`` for a
    path that is not one.
    """
    way = way_of(name)
    source = HOME.parent / "notebooks"
    source = source if source.is_dir() else HOME / "lessons"
    read = {
        topic: json.loads((source / f"{stem_of(topic)}.ipynb").read_text("utf-8"))
        for topic in ORDER
    }
    firsts = {topic: "".join(made["cells"][0]["source"]) for topic, made in read.items()}
    titles = {topic: first.splitlines()[0].split(" · ", 1)[1] for topic, first in firsts.items()}
    minutes = {topic: said_minutes(first) for topic, first in firsts.items()}
    texts = {
        text.name: within(with_links_abroad(text.read_text("utf-8")), way)
        for text in source.glob("*.md")
    }
    for topic in way.topics:
        for cell in read[topic]["cells"]:
            _lead(cell, topic, way, titles)
        written = json.dumps(read[topic], indent=1, ensure_ascii=False)
        texts[f"{stem_of(topic)}.ipynb"] = f"{written}\n"
    folder.mkdir(parents=True, exist_ok=True)
    new = {file: text for file, text in texts.items() if not (folder / file).exists()}
    for file, text in (new | {"CONTENTS.md": contents(way, titles, minutes)}).items():
        (folder / file).write_text(text, "utf-8", newline="\n")
    return len(new)


def _lead(cell: dict[str, Any], topic: str, way: Way, titles: Mapping[str, str]) -> None:
    """Let the links of a cell of text follow the path."""
    if cell["cell_type"] == "markdown":
        text = along(with_links_abroad("".join(cell["source"])), topic, way, titles)
        cell["source"] = text.splitlines(keepends=True)


def said_minutes(first: str) -> str:
    """Return how long a lesson takes, as its first cell says."""
    found = re.search(r"^\*(?:About |Two sittings of about )?(\d+ minutes(?: each)?)", first, re.M)
    said = found[1] if found else ""
    return f"2 × {said.removesuffix(' each')}" if said.endswith("each") else said


def former_lessons(folder: Path) -> Iterator[str]:
    """Say of each notebook of version 0.2.0 in the folder what its lesson is called now."""
    for number, topic in enumerate(IN_0_2):
        file, now = f"{number:02}_{topic}.ipynb", f"{stem_of(MERGED.get(topic, topic))}.ipynb"
        if file != now and (folder / file).exists():
            yield f"{file} is of version 0.2.0: its lesson is now {now}. It stays as it is."
