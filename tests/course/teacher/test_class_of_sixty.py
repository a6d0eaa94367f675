"""A class of sixty whose work is known: every number of every table, read back and recomputed."""

import re
from collections import Counter

import pytest
from made_up_class import ABSENT, ANSWERS, HERE, MISTAKES, TOPICS, exercises, hand_in, made_up_class

from mcts_course import class_report
from mcts_course.teacher import report as report_module

SIGN_OF = {"right": "✓", "misconception": "✗", "wrong": "✗", "error": "!", "open": "○"}
SEEDS = (1, 2, 3)


@pytest.fixture(scope="module", params=SEEDS)
def known(request):
    return made_up_class(request.param)


@pytest.fixture(scope="module")
def report(known, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sixty")
    hand_in(folder, known)
    return class_report(folder, students=folder / "roster.csv")


def cell(work):
    """The entry of an exercise that the table must have, by the legend."""
    if work is None:
        return "–"
    tries = len([kind for kind in work["verdicts"] if kind != "open"])
    parts = [
        SIGN_OF[work["verdicts"][-1]],
        str(tries) if tries else "",
        ["", "h", "S"][work["hints"]],
    ]
    return " ".join(part for part in parts if part)


def test_every_student_is_in_every_table_with_what_was_done(known, report):
    assert (len(report.people), report.unreadable) == (HERE + ABSENT, [])
    assert report.lessons == list(TOPICS)
    for topic in TOPICS:
        *rows, total = report.overview(topic).rows
        names = exercises(topic)
        assert rows == [(one.name, *(cell(one.work.get(name)) for name in names)) for one in known]
        right = [sum(cell(one.work.get(name))[0] == "✓" for one in known) for name in names]
        assert total == ("right", *(f"{count} of {HERE + ABSENT}" for count in right))


def test_who_has_not_handed_in_a_lesson_is_named(known, report):
    for topic in TOPICS:
        none = [one.name for one in known if not any(name.startswith(topic) for name in one.work)]
        assert report.missing(topic) == none
        assert f"Not handed in ({len(none)}): {', '.join(none)}." in " ".join(repr(report).split())
        assert len(none) > ABSENT


def test_everybody_who_needs_a_word_gets_it_once_for_each_exercise(known, report):
    """A sentence for every last verdict but a right one without the solution."""
    wanted = {}
    for one in known:
        for name, work in one.work.items():
            last = work["verdicts"][-1]
            if last == "misconception":
                wanted[one.name, name] = work["misconceptions"][-1].removeprefix("✗ Not yet: ")
            elif last != "right":
                wanted[one.name, name] = {
                    "wrong": "is wrong",
                    "error": "ends in an error",
                    "open": "not answered",
                }[last]
            elif work["hints"] == 2:
                wanted[one.name, name] = "the solution was shown"
    said = {(who, talk.exercise): talk.what for talk in report.talks() for who in talk.who}
    assert said.keys() == wanted.keys()
    assert all(wanted[key] in said[key] for key in said)
    assert sum(len(talk.who) for talk in report.talks()) == len(wanted)
    sizes = [len(talk.who) for talk in report.talks()]
    assert sizes == sorted(sizes, reverse=True)


def test_guesses_are_counted_by_student_and_not_by_file(known, report):
    for question, guesses, true, which, answer in report.predictions().rows:
        made = Counter(one.guesses[question] for one in known if one.guesses.get(question))
        assert (guesses, true, answer) == (made.total(), made[ANSWERS[question]], ANSWERS[question])
        told = [(text, int(count)) for text, count in re.findall(r"(\w+) × (\d+)", which)]
        assert dict(told) == made
        assert [count for _, count in told] == [count for _, count in made.most_common()]
    assert len(report.predictions().rows) == len(ANSWERS)


def test_mistakes_by_hand_are_counted_by_kind_and_by_student(known, report):
    said = report_module.mistakes_said()
    wanted = {}
    for name in MISTAKES[1:]:
        who = [one.name for one in known if name in one.mistakes]
        wanted[said[name]] = (
            sum(one.mistakes.count(name) for one in known),
            len(who),
            ", ".join(who),
        )
    rows = report.mistakes_by_hand().rows
    assert {row[0]: row[1:] for row in rows} == wanted
    assert [row[2] for row in rows] == sorted((row[2] for row in rows), reverse=True)


def test_the_gain_is_that_of_students_who_answered_twice_at_least_a_week_apart(known, report):
    pairs = []
    for one in known:
        later = [right for day, right in one.again if day >= one.again[0][0] + 7]
        pairs += [(one.again[0][1], later[0])] if later else []
    first, later = sum(a for a, _ in pairs), sum(b for _, b in pairs)
    [(lesson, count, was, now, gain, interval)] = report.gains().rows
    assert (lesson, count, was, now) == ("four phases", len(pairs), first, later)
    assert float(gain) == pytest.approx((later - first) / len(pairs), abs=0.006)
    low, high = map(float, interval.split(" to "))
    assert low < (later - first) / len(pairs) < high
