"""Sixty-four made-up students whose work is known: sixty hand in, in every way in which one can.

python tests/made_up_class.py FOLDER    # write their files and their roster, to try things out
"""

import csv
import json
import random
import sys
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcts_course.lessons import number_of, read_texts
from mcts_course.work.predict import MADE
from mcts_course.work.progress import FORMAT, RECORD

TOPICS = ("four_phases", "what_uct_weighs", "perfect_play")
NAMES = ("Ada", "Bo", "Chloé", "Dag", "Ünal", "Eve", "Zoë", "Ali")
LAST = ("Lovelace", "Öz", "O'Neil", "van Dijk", "Ng", "Łoś", "Smith", "de la Cruz")
QUESTIONS = {"Which way?": ("left", "right", "up"), "How many?": ("few", "many")}
ANSWERS = {"Which way?": "left", "How many?": "many"}
MISTAKES = ("", "highest_mean", "most_visits", "fewest_visits")
HERE, ABSENT = 60, 4


def begin_anew():
    """Forget all answers, as a new kernel does."""
    RECORD.clear()
    MADE.clear()


def report_of(name="", **parts):
    """A student's file with these parts."""
    empty = {kind: {} for kind in ("exercises", "predictions", "hands", "again")}
    return {"format": FORMAT, "name": name} | empty | parts


@dataclass
class Known:
    """A student, and what was done of each exercise and question; nothing for one who is absent."""

    id: str
    name: str
    work: dict[str, dict[str, Any]] = field(default_factory=dict)
    guesses: dict[str, str | None] = field(default_factory=dict)
    mistakes: list[str] = field(default_factory=list)
    """Made by hand, as the search; "" is a choice without one."""
    again: list[tuple[int, bool]] = field(default_factory=list)
    """Of the items of lesson 03: the day, and if it was right."""


def exercises(topic):
    return [f"{topic}.{name}" for name in read_texts(topic)["exercises"] if name != "replies"]


def replies(exercise):
    topic, name = exercise.split(".")
    return [
        f"✗ Not yet: {text}" for text in read_texts(topic)["exercises"][name]["replies"].values()
    ]


def history(chance, exercise):
    """The work of one student on an exercise: random verdicts in a random order."""
    kinds = ["open", "right", "wrong", "error"] + ["misconception"] * bool(replies(exercise))
    verdicts = chance.choices(kinds, k=chance.randint(1, 6))
    told = [chance.choice(replies(exercise)) for kind in verdicts if kind == "misconception"]
    return {"verdicts": verdicts, "misconceptions": told, "hints": chance.randint(0, 2)}


def made_up_class(seed=1):
    chance = random.Random(seed)
    made = []
    for number in range(HERE + ABSENT):
        name = f"{NAMES[number % 8]} {LAST[number // 8]}"
        student = Known(f"s{number:03}", name)
        if number < HERE:
            topics = chance.sample(TOPICS, chance.randint(1, 3))
            every = [exercise for topic in topics for exercise in exercises(topic)]
            student.work = {one: history(chance, one) for one in every if chance.random() < 0.8}
            student.work = student.work or {every[0]: history(chance, every[0])}
            student.guesses = {
                question: chance.choice((*choices, None)) for question, choices in QUESTIONS.items()
            }
            student.mistakes = chance.choices(MISTAKES, k=chance.randint(0, 9))
            days = sorted(chance.sample(range(1, 30), chance.randint(0, 3)))
            student.again = [(day, chance.random() < 0.6) for day in days]
        made.append(student)
    return made


def hand_in(folder, students):
    """Write a file for each lesson of each student, a fourth each in one way, and the roster."""
    zips = {name: zipfile.ZipFile(folder / f"{name}.zip", "w") for name in ("moodle", "canvas")}
    for number, student in enumerate(students):
        for topic in dict.fromkeys(name.split(".")[0] for name in student.work):
            lesson = number_of(topic)
            own = {name: work for name, work in student.work.items() if name.split(".")[0] == topic}
            made = {
                asked: {"guess": guess, "measured": ANSWERS[asked]}
                for asked, guess in student.guesses.items()
            }
            report = report_of(exercises=own, predictions=made)
            report["again"] = {"03": {"token": number, "answers": student.again}}
            rest = {"iteration": 1, "attempt": 1, "sums": False, "seconds": 1.5, "phase": "select"}
            events = [
                rest | {"card": "a", "choice": "b", "mistake": name} for name in student.mistakes
            ]
            report["hands"] = {"Tic-tac-toe: ... ... ...": {"iterations": 2, "events": events}}
            first, last = student.name.split(" ", 1)
            if number % 4 == 0:
                path = f"{student.name}_{number}_assignsubmission_file/me_{lesson}.json"
                zips["moodle"].writestr(path, json.dumps(report))
            elif number % 4 == 1:
                path = f"{last}{first}".lower().replace(" ", "").replace("'", "")
                path = f"{path}_{number}_7_x_{lesson}.json"
                zips["canvas"].writestr(path, json.dumps(report | {"name": "me"}))
            elif number % 4 == 2:
                place = folder / "submitted" / student.id / topic
                place.mkdir(parents=True)
                (place / f".{lesson}_{topic}.progress.json").write_text(json.dumps(report))
            else:
                file = folder / f"{student.name.replace(' ', '_')}_{lesson}.json"
                file.write_text(json.dumps(report | {"name": student.name}))
    for archive in zips.values():
        archive.close()
    with (folder / "roster.csv").open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([("id", "name"), *((one.id, one.name) for one in students)])


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    hand_in(Path(sys.argv[1]), made_up_class())
