"""Paths through the lessons: what is copied leads along the path, and presupposes nothing else."""

import json
import re
import sys

import pytest
from repository import ROOT

from mcts_course import build
from mcts_course.lessons import CORE, OPENS, ORDER, number_of, stem_of
from mcts_course.lessons.paths import NEXT, PATHS, copy_lessons, former_lessons
from mcts_viz.__main__ import main

LINKS = r"\]\((\d\d_[a-z_]+)\.ipynb\)"
NUMBERS = r"\b[Ll]essons? (\d\d)\b"
VAGUE = r"\b(next|last|following|previous) (two|three|four)? ?lessons?\b"
"""Words that mean lessons by their place: on another path others are there."""


def read(folder, topic):
    """The texts of a copied lesson's cells."""
    made = json.loads((folder / f"{stem_of(topic)}.ipynb").read_text("utf-8"))
    return ["".join(cell["source"]) for cell in made["cells"] if cell["cell_type"] == "markdown"]


@pytest.fixture(scope="module", params=PATHS)
def copied(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param)
    copy_lessons(folder, request.param)
    return PATHS[request.param], folder


def test_a_path_has_its_lessons_and_no_others(copied):
    way, folder = copied
    assert {path.stem for path in folder.glob("*.ipynb")} == set(map(stem_of, way.topics))
    assert len(set(way.topics)) == len(way.topics)
    assert {*way.handed_in, *way.parts} <= set(way.topics)


def test_previous_and_next_follow_the_path(copied):
    way, folder = copied
    assert len(way.topics) > 5
    for place, topic in enumerate(way.topics):
        head = read(folder, topic)[0]
        found = dict(re.findall(rf"(Previous|Next): \[[^\]]+{LINKS}", head))
        wanted = {"Previous": way.topics[:place][-1:], "Next": way.topics[place + 1 :][:1]}
        assert found == {word: stem_of(one[0]) for word, one in wanted.items() if one}


def test_no_lesson_of_a_path_speaks_of_one_that_is_not_on_it(copied):
    """By link, by number, or by its place; the appendix may, if it needs nothing of it."""
    way, folder = copied
    numbers = set(map(number_of, way.topics))
    assert len(numbers) > 5
    for topic in way.topics:
        text = "\n\n".join(read(folder, topic))
        reveals = build.texts(build.SOURCES / f"{topic}.md")["reveals"].values()
        linked = re.findall(LINKS, " ".join([text, *reveals]))
        assert set(linked) <= set(map(stem_of, way.topics)), topic
        body = text.split(build.CURIOUS)[0]
        assert set(re.findall(NUMBERS, body)) <= numbers, topic
        assert not re.search(VAGUE, body), topic


@pytest.mark.parametrize("name", PATHS)
def test_what_a_lesson_needs_comes_before_it(name):
    """In the sources: what is named before the goals is had by then."""
    topics = PATHS[name].topics
    assert len(topics) > 5
    for place, topic in enumerate(topics):
        source = (build.SOURCES / f"{topic}.md").read_text("utf-8")
        needs = re.search(r"^\*.*\bYou need (.*)\*$", source, re.M)
        assert needs, topic
        assert set(re.findall(r"\{(\w+)\}", needs[1])) <= set(topics[:place]), (name, topic)


def test_the_contents_say_minutes_parts_and_what_is_handed_in(copied):
    way, folder = copied
    page = (folder / "CONTENTS.md").read_text("utf-8")
    rows = re.findall(
        r"^\| (\d+) \| \[.+?\]\((.+?)\.ipynb\) \| (.+?) \| (.+?) \|(.*?)\|$", page, re.M
    )
    assert [row[1] for row in rows] == list(map(stem_of, way.topics))
    assert all(re.fullmatch(r"(2 × )?\d+ minutes( in class)?", row[3]) for row in rows)
    assert sum("✓" in row[4] for row in rows) == len(way.handed_in)
    assert [int(row[0]) for row in rows] == [
        number for number, meeting in enumerate(way.meetings, 1) for _ in meeting
    ]


def test_four_weeks_are_the_core_and_a_term_is_all():
    assert PATHS["four-weeks"].topics == CORE
    assert PATHS["term"].topics == ORDER
    opened = [elective for electives in OPENS.values() for elective in electives]
    assert sorted(opened) == sorted(ORDER[len(CORE) :])


@pytest.mark.parametrize("topic", OPENS)
def test_the_end_of_a_lesson_says_which_electives_it_opens(topic):
    path = ROOT / "notebooks" / f"{stem_of(topic)}.ipynb"
    text = "\n\n".join(read(path.parent, topic))
    [line] = re.findall(r"^Electives: (.*)$", text, re.M)
    assert re.findall(LINKS, line) == list(map(stem_of, OPENS[topic]))
    assert NEXT.search(text)


def test_an_unknown_path_gets_one_sentence(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["mcts_viz", str(tmp_path / "x"), "--path", "short"])
    with pytest.raises(SystemExit):
        main()
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said.endswith("A path must be one of two-sessions, four-weeks, term; you gave 'short'.")
    assert not (tmp_path / "x").exists()


def test_notebooks_of_an_earlier_version_are_named_and_stay(tmp_path, capsys, monkeypatch):
    (tmp_path / "08_perfect_play.ipynb").write_text("mine", "utf-8")
    (tmp_path / "07_game_tree.ipynb").write_text("mine", "utf-8")
    monkeypatch.setattr(sys, "argv", ["mcts_viz", str(tmp_path)])
    main()
    said = capsys.readouterr().out
    for old in ("08_perfect_play", "07_game_tree"):
        assert f"{old}.ipynb is of version 0.2.0: its lesson is now 07_perfect_play.ipynb." in said
        assert (tmp_path / f"{old}.ipynb").read_text("utf-8") == "mine"
    assert len(list(former_lessons(tmp_path))) == 2
