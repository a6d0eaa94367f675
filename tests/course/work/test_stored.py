"""Stored work names lessons by topic; what version 0.2.0 stored by number is still read."""

import json

import pytest
from made_up_class import begin_anew, report_of
from refusals import refused

from mcts_course import class_report, hand_in
from mcts_course.lessons import IN_0_2, MERGED, ORDER, stem_of, stored_topic, topic_of
from mcts_course.work import progress

RIGHT = {"verdicts": ["right"], "misconceptions": [], "hints": 0}
WRONG = RIGHT | {"verdicts": ["wrong"]}
SERIES = {"token": 1, "answers": [[700_000, True]]}


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """Return what starts a kernel of a notebook with that name in a folder."""

    def start(name):
        begin_anew()
        monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / name))
        return tmp_path

    return start


def test_a_report_by_numbers_is_read_by_topic():
    old = report_of(
        again={"03": SERIES, "08": SERIES | {"token": 2}, "perfect_play": SERIES | {"token": 3}},
        exercises={"perfect_play.pruned": RIGHT, "game_tree.count_by_hand": RIGHT},
    )
    read = progress.parse_report(json.dumps(old).encode())
    assert {key: one["token"] for key, one in read["again"].items()} == {
        "four_phases": 1,
        "perfect_play": 3,
    }
    assert read["exercises"].keys() == old["exercises"].keys()
    assert read["left_out"] == 0


@pytest.mark.parametrize("place", range(len(IN_0_2)))
def test_each_lesson_of_0_2_is_found_by_its_number_and_by_its_file(place):
    topic = MERGED.get(IN_0_2[place], IN_0_2[place])
    assert topic in ORDER
    for key in (f"{place:02}", f"{place:02}_{IN_0_2[place]}", IN_0_2[place]):
        assert stored_topic(key) == topic


@pytest.mark.parametrize("topic", ORDER)
def test_a_lesson_is_named_by_topic_number_or_file(topic):
    assert {topic_of(name) for name in (topic, stem_of(topic), stem_of(topic)[:2])} == {topic}
    assert stored_topic(topic) == stored_topic(stem_of(topic)) == topic


@pytest.mark.parametrize("name", ["work", "20", "lesson", "99_x", "03_four_phases-Copy1", "", "3"])
def test_what_is_no_lesson_keeps_its_name(name):
    assert stored_topic(name) == name
    assert topic_of(name) == name


def test_earlier_work_in_the_folder_is_taken_over_named_and_left_as_it_is(kernel, capsys):
    folder = kernel("07_perfect_play.ipynb")
    old = folder / ".08_perfect_play.progress.json"
    older = folder / ".07_game_tree.progress.json"
    old.write_text(json.dumps(report_of(exercises={"perfect_play.pruned": RIGHT})))
    older.write_text(json.dumps(report_of(exercises={"game_tree.count_by_hand": WRONG})))
    before = old.read_bytes(), older.read_bytes()
    progress.keep("exercises", "perfect_play.write_minimax", WRONG)
    said = " ".join(capsys.readouterr().out.split())
    assert said.count(old.name) == said.count(older.name) == 1
    assert (old.read_bytes(), older.read_bytes()) == before
    kept = progress.read_report(folder / ".perfect_play.progress.json")["exercises"]
    assert kept == {
        "game_tree.count_by_hand": WRONG,
        "perfect_play.pruned": RIGHT,
        "perfect_play.write_minimax": WRONG,
    }
    kernel("07_perfect_play.ipynb")
    assert progress.record()["exercises"].keys() == kept.keys()
    assert capsys.readouterr().out == "", "it is said once"


def test_work_of_another_lesson_is_not_taken_over(kernel, capsys):
    folder = kernel("08_near_the_truth.ipynb")
    other = folder / ".08_perfect_play.progress.json"
    other.write_text(json.dumps(report_of(exercises={"perfect_play.pruned": RIGHT})))
    assert progress.record()["exercises"] == {}
    assert capsys.readouterr().out == ""


def test_an_old_notebook_hands_in_what_it_was(kernel, monkeypatch, capsys):
    folder = kernel("08_perfect_play.ipynb")
    progress.keep("exercises", "perfect_play.pruned", RIGHT)
    assert (folder / ".perfect_play.progress.json").exists()
    hand_in("08", name="Ada")
    assert (folder / "Ada_perfect_play.json").exists()
    capsys.readouterr()


@pytest.mark.parametrize("topic", MERGED)
def test_a_lesson_that_was_merged_says_where_it_is(topic):
    said = refused(lambda: exec(f"from mcts_course.lessons import {topic}"), _kind=ImportError)
    assert f"open {stem_of(MERGED[topic])}.ipynb" in said


def test_a_report_of_a_path_is_about_its_lessons_alone(tmp_path):
    handed = {
        "Ada_four_phases": {"four_phases.next_move": RIGHT, "four_phases.gone": WRONG},
        "Ada_luck": {"luck.by_hand": RIGHT},
    }
    for file, work in handed.items():
        report = report_of("Ada", exercises=work)
        (tmp_path / f"{file}.json").write_text(json.dumps(report))
    assert class_report(tmp_path).lessons == ["four_phases", "luck"]
    short = class_report(tmp_path, path="two-sessions")
    assert short.lessons == ["four_phases", "bug_clinic"], "what is handed in is always there"
    assert "four_phases.gone" in short.exercises_of("four_phases"), "nothing is lost"
    assert "A path must be one of two-sessions" in refused(class_report, tmp_path, path="short")
