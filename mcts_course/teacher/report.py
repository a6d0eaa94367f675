"""A class at a glance, from the small files that notebooks have written.

First a table of students and exercises, then the advice, with the students it is for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from mcts_viz.errors import MctsVizError, short_repr

from ..by_hand.deal import mistakes
from ..lessons import ORDER, number_of, read_texts
from ..lessons.paths import way_of
from ..measure.intervals import matched_gain
from ..show.feedback import Shown, forms, inert
from ..show.paper import page
from ..show.tables import Table, span
from ..work.progress import HINTS, LARGEST, NAME, further, misunderstood, parse_report, standing
from .handed_in import (
    Owner,
    Roster,
    copies_among,
    found_files,
    owners_of,
    read_roster,
    require_there,
)

GUESSES: Final = 8
"""The guesses of a question that are counted, the most frequent ones."""
COLUMNS: Final = 40
"""Exercises and questions of no lesson that are shown: a student's file can name any number."""
SIGNS: Final = {
    "right": "✓",
    "misconception": "✗",
    "wrong": "✗",
    "error": "!",
    "open": "○",
    "not started": "–",
}
LEGEND: Final = (
    "✓ right, ✗ wrong, ! ends in an error, ○ left open, – not started. The number counts the "
    "tries. h: saw a hint. S: saw the solution. The last verdict counts."
)
ADVICE: Final = {
    "wrong": "The answer is wrong, and it is no mistake that we know. Let them show you how they "
    "got it.",
    "error": "The function ends in an error. Run its smallest case by hand together.",
    "open": "It is not answered. Ask which word of the question is unclear.",
}
"""Advice by verdict; a misconception has advice of its own."""
SHOWN: Final = "Right, but the solution was shown. Let them explain it in their own words."
SAY: Final = "What to say to whom"
PREDICTED: Final = "What they predicted"
BY_HAND: Final = "Where they went wrong as the search"
STAYED: Final = "What has stayed: an item at the end of a lesson, and another one weeks later"
LATER: Final = 7
"""Days after the first item from which on an item counts as a later one."""
PEOPLE: Final = 1000
"""Students of a report: more are no class, but a zip that was made to have many."""
NOTHING: Final[dict[str, Any]] = {"verdicts": [], "misconceptions": [], "hints": 0}


@dataclass
class Person:
    """The work of one student, from all the files that they handed in."""

    name: str
    id: str = ""
    files: list[str] = field(default_factory=list)
    exercises: dict[str, dict[str, Any]] = field(default_factory=dict)
    predictions: dict[str, dict[str, Any]] = field(default_factory=dict)
    hands: dict[str, dict[str, Any]] = field(default_factory=dict)
    """For each position: the iterations that were carried out by hand."""
    again: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By the topic of a lesson: the items that were answered at its end, and later."""

    origins: set[str] = field(default_factory=set)
    """The places that the files are from, as their owners have them."""
    by_name: list[str] = field(default_factory=list)
    """The files that are the student's by a name that only students gave."""

    def add(self, file: str, report: dict[str, Any]) -> None:
        """Add a report; of an exercise that was handed in twice, the longer history counts."""
        self.files.append(file)
        for kind, known in self._by_kind().items():
            for name, facts in report[kind].items():
                known[name] = further(kind, known.get(name), facts)
        for question, made in report["predictions"].items():
            if question not in self.predictions or self.predictions[question]["guess"] is None:
                self.predictions[question] = made

    def _by_kind(self) -> dict[str, dict[str, Any]]:
        """The parts of which the longer history counts; of guesses the first one does."""
        return {"exercises": self.exercises, "hands": self.hands, "again": self.again}

    def pair(self, lesson: str) -> tuple[bool, bool] | None:
        """Return whether the first item was right, and the first one that was answered weeks
        later."""
        answers = sorted(self.again.get(lesson, {"answers": []})["answers"])
        later = [right for day, right in answers if day >= answers[0][0] + LATER]
        return (answers[0][1], later[0]) if later else None

    def work(self, exercise: str) -> dict[str, Any]:
        """Return what was done of an exercise, nothing if it was not started."""
        return self.exercises.get(exercise, NOTHING)

    @property
    def topics(self) -> set[str]:
        """The lessons that something was done of."""
        asked = topics_of_questions()
        of_questions = {asked[question] for question in self.predictions if question in asked}
        return {topic_of_exercise(name) for name in self.exercises} | of_questions


class Talk(NamedTuple):
    """Advice on an exercise, and the students it is for."""

    exercise: str
    what: str
    who: tuple[str, ...]


@dataclass(repr=False)
class ClassReport(Shown):
    """The work of a class; it shows itself as tables."""

    people: list[Person]
    unreadable: list[str] = field(default_factory=list)
    """Files that are not reports, and files with entries that no notebook writes."""
    roster: Roster = field(default_factory=Roster)
    path: str = ""
    """The name of a path: the report is about its lessons alone."""
    left_out: int = 0
    """Reports of more students than a class has."""

    @property
    def lessons(self) -> list[str]:
        """The lessons that something was handed in of, in their order, then "" for the rest."""
        met = set().union(*(person.topics for person in self.people))
        if self.path:
            way = way_of(self.path)
            return [topic for topic in way.topics if topic in met or topic in way.handed_in]
        known = [topic for topic in ORDER if topic in met]
        return [*known, ""] if met - set(ORDER) else [*known]

    def exercises_of(self, topic: str) -> list[str]:
        """Return the exercises of a lesson, and the most frequent ones that it has no more.

        Without a lesson, those of none.
        """
        known = exercises_of(topic) if topic else []
        every = chain.from_iterable(person.exercises for person in self.people)
        others = Counter(n for n in every if topic_of_exercise(n) == topic and n not in known)
        return [*known, *(name for name, _ in others.most_common(COLUMNS))]

    def overview(self, topic: str) -> Table:
        """Return a row for each student and a column for each exercise of a lesson.

        With a roster all its students are there, else those who have done something of the lesson.
        """
        exercises = self.exercises_of(topic)
        names = self._names()
        rows = [
            (names[place], *(cell_of(person.work(name)) for name in exercises))
            for place, person in enumerate(self.people)
            if self.roster.students or self._takes_part(person, topic)
        ]
        right = [
            sum(standing(person.work(name)) == "right" for person in self.people)
            for name in exercises
        ]
        total = [f"{count} of {len(rows)}" for count in right]
        heads = ("student", *(name.removeprefix(f"{topic}.") for name in exercises))
        return Table(heads, [*rows, ("right", *total)])

    def missing(self, topic: str) -> list[str]:
        """Return the students of the roster who have handed in nothing of a lesson."""
        names = self._names()
        return [
            names[place]
            for place, person in enumerate(self.people)
            if person.id and not self._takes_part(person, topic)
        ]

    def talks(self) -> list[Talk]:
        """Return the advice, each piece with its students; what most students need comes first."""
        found: dict[tuple[str, str], list[str]] = {}
        names = self._names()
        for topic in self.lessons:
            for exercise in self.exercises_of(topic):
                for place, person in enumerate(self.people):
                    if what := advice_on(person.work(exercise)):
                        found.setdefault((exercise, what), []).append(names[place])
        talks = [Talk(*key, tuple(who)) for key, who in found.items()]
        return sorted(talks, key=lambda talk: -len(talk.who))

    def predictions(self) -> Table:
        """Return by question: how many guessed, how many rightly, who guessed what, the answer.

        Where the files do not agree on an answer, each guess is compared with the one in its file.
        """
        rows = []
        for question, made in self._guesses().items():
            guesses = Counter(one["guess"] for one in made if one["guess"] is not None)
            answer = _answer(made)
            true = sum(
                one["guess"] == (answer or one["measured"])
                for one in made
                if one["guess"] is not None
            )
            given = ", ".join(f"{guess} × {count}" for guess, count in guesses.most_common(GUESSES))
            rows.append((question, guesses.total(), true, given, answer or "–"))
        return Table(("question", "guesses", "came true", "which", "answer"), rows)

    def mistakes_by_hand(self) -> Table:
        """Return the mistakes made in "Be the search", each with its count and its students."""
        said = mistakes_said()
        found: dict[str, Counter[str]] = {}
        for name, person in zip(self._names(), self.people, strict=True):
            for event in (event for done in person.hands.values() for event in done["events"]):
                if event["mistake"] in said:
                    found.setdefault(event["mistake"], Counter())[name] += 1
        rows = [(said[key], who.total(), len(who), ", ".join(who)) for key, who in found.items()]
        rows.sort(key=lambda row: (-row[2], -row[1]))
        return Table(("by hand they", "times", "students", "who"), rows)

    def gains(self) -> Table:
        """Return by lesson how many were right at its end, and of the same students weeks later."""
        rows = []
        answered = set(chain.from_iterable(person.again for person in self.people))
        for lesson in sorted(answered):
            pairs = [pair for person in self.people if (pair := person.pair(lesson))]
            if not pairs:
                continue
            counts = Counter(pairs)
            gain, interval = matched_gain(counts[False, True], counts[True, False], len(pairs))
            first, later = (sum(pair[place] for pair in pairs) for place in (0, 1))
            name = lesson.replace("_", " ")
            rows.append((name, len(pairs), first, later, f"{gain:+.2f}", span(interval, "+.2f")))
        heads = (
            "lesson",
            "students with both",
            "right first",
            "right later",
            "gain",
            "interval (95 %)",
        )
        return Table(heads, rows)

    def _guesses(self) -> dict[str, list[dict[str, Any]]]:
        """The guesses by question: those of the course, and the most frequent other ones."""
        found: dict[str, list[dict[str, Any]]] = {}
        for person in self.people:
            for question, made in person.predictions.items():
                found.setdefault(question, []).append(made)
        asked = topics_of_questions()
        others = [question for question in found if question not in asked]
        others.sort(key=lambda question: -len(found[question]))
        shown = {*others[:COLUMNS], *asked}
        return {question: made for question, made in found.items() if question in shown}

    def _takes_part(self, person: Person, topic: str) -> bool:
        return topic in person.topics if topic else bool(person.topics - set(ORDER))

    def _names(self) -> list[str]:
        """The name of each student; where two have the same, with the id, or with the files if
        these do not say for sure whose they are.
        """
        names = [person.name[:NAME] for person in self.people]
        often = Counter(names)
        unsure = {name for name, one in zip(names, self.people, strict=True) if not one.id}
        told = []
        for name, person in zip(names, self.people, strict=True):
            files = ", ".join(person.files)
            more = (files or person.id) if name in unsure else person.id
            told.append(f"{name} ({more})" if often[name] > 1 else name)
        return told

    def parts(self) -> list[str | Table]:
        """Return the tables, from each student to each question."""
        handed = sum(bool(person.files) for person in self.people)
        who = "1 student has" if handed == 1 else f"{handed} students have"
        shown: list[str | Table] = [f"{who} handed in."]
        if self.left_out:
            shown.append(
                f"{self.left_out:,} more reports are of no one among the first {PEOPLE:,} "
                "students, and are not in this report: give a part of the folder, or a roster."
            )
        shown += self._in_no_table()
        if self.unreadable:
            shown.append(f"Not read, or only in part: {', '.join(self.unreadable)}.")
        for topic in self.lessons:
            shown += self._lesson_parts(topic)
        if self.lessons:
            shown.append(LEGEND)
        tables = {
            SAY: self._talk_table(),
            PREDICTED: self.predictions(),
            BY_HAND: self.mistakes_by_hand(),
            STAYED: self.gains(),
        }
        for words, table in tables.items():
            if table.rows:
                shown += [words, table]
        return shown

    def _in_no_table(self) -> list[str]:
        """The students who have handed in nothing that is done, and files taken for one's."""
        names = self._names()
        empty = [
            name
            for name, person in zip(names, self.people, strict=True)
            if person.files and not person.topics
        ]
        told = [f"Handed in, with nothing done in it: {', '.join(empty)}."] if empty else []
        for name, person in zip(names, self.people, strict=True):
            if files := copies_among(person.by_name):
                told.append(
                    f"These files count as one student, {name}, by their names: "
                    f"{', '.join(files)}. They may be of two."
                )
        return told

    def _lesson_parts(self, topic: str) -> list[str | Table]:
        """One lesson's title and table, and the students who have not handed it in."""
        parts: list[str | Table] = [_title(topic), self.overview(topic)]
        if missing := self.missing(topic):
            parts.append(f"Not handed in ({len(missing)}): {', '.join(missing)}.")
        return parts

    def _talk_table(self) -> Table:
        """The table of advice, with the students it is for."""
        rows = [
            (len(talk.who), ", ".join(talk.who), talk.exercise, talk.what) for talk in self.talks()
        ]
        return Table(("students", "who", "exercise", "what to say"), rows)

    def to_html(self) -> str:
        """Return the report as one page, to keep or to print."""
        heads = {SAY, PREDICTED, BY_HAND, STAYED, *map(_title, self.lessons)}
        body = "\n".join(
            f"<h2>{inert(part)}</h2>" if part in heads else forms(part)["text/html"]
            for part in self.parts()
        )
        return page("Class report", body)


def exercises_of(topic: str) -> list[str]:
    """Return the full names of a lesson's exercises, in their order."""
    return [f"{topic}.{name}" for name in read_texts(topic)["exercises"] if name != "replies"]


def topic_of_exercise(name: str) -> str:
    """Return the lesson that an exercise is named after, "" if it is none of the course."""
    topic = name.split(".")[0]
    return topic if topic in ORDER else ""


def _answer(made: list[dict[str, Any]]) -> str:
    """Return the answer that most files have, "" if there is none, or two are as frequent."""
    answers = Counter(one["measured"] for one in made if one["measured"] is not None)
    (answer, most), (_, second) = [*answers.most_common(2), ("", 0), ("", 0)][:2]
    return answer if most > second else ""


@cache
def mistakes_said() -> dict[str, str]:
    """Return by its name what a mistake by hand is called."""
    return {name: said["report"] for name, said in mistakes().items() if said.get("report")}


@cache
def topics_of_questions() -> dict[str, str]:
    """Return by question the lesson that asks for that prediction."""
    return {question: topic for topic in ORDER for question in read_texts(topic)["reveals"]}


def cell_of(work: dict[str, Any]) -> str:
    """Return an exercise of a student in a few signs, as the legend explains them."""
    tries = sum(kind != "open" for kind in work["verdicts"])
    hint = ("", "h", "S")[work["hints"]]
    return " ".join(part for part in (SIGNS[standing(work)], f"{tries or ''}", hint) if part)


def advice_on(work: dict[str, Any]) -> str:
    """Return what to say to a student about an exercise, "" if nothing needs to be said."""
    kind = standing(work)
    if kind == "right":
        return SHOWN if work["hints"] == HINTS else ""
    if told := misunderstood(work):
        return f"They read: {told.removeprefix('✗ Not yet: ')}"
    return ADVICE.get("wrong" if kind == "misconception" else kind, "")


def _title(topic: str) -> str:
    return (
        f"Lesson {number_of(topic)}, {topic.replace('_', ' ')}"
        if topic
        else "Exercises of no lesson"
    )


# Reading -----------------------------------------------------------------------------------------


def class_report(
    folder: str | Path, students: str | Path | None = None, path: str = ""
) -> ClassReport:
    """Read all reports below a folder, or in a zip, by student; with a ``path``, of its lessons.

    ``students`` is a roster: a CSV file with the columns ``id`` and ``name``. With it the report
    says who has not handed in. Raises ``MctsVizError`` where there is no report, or no such roster.
    """
    if path:
        way_of(path)  # which refuses another name
    roster = read_roster(students) if students is not None else Roster()
    read: dict[str, dict[str, Any] | None] = {}
    with suppress(TypeError, ValueError):  # a name that no folder can have
        for file in found_files(folder, ".json", LARGEST):
            read[file.name] = parse_report(file.data) if file.data else None
    if not read:
        require_there(folder)
        raise MctsVizError(f"There is no report (*.json) in {short_repr(str(folder))}.")
    reports = {name: report for name, report in read.items() if report}
    doubtful = [name for name, report in read.items() if report is None or report["left_out"]]
    people = people_of(reports, roster)
    kept = people[: max(PEOPLE, len(roster.students))]
    left_out = sum(len(person.files) for person in people[len(kept) :])
    return ClassReport(kept, doubtful, roster, path, left_out)


def people_of(
    reports: dict[str, dict[str, Any]],
    roster: Roster,
    owners: Mapping[str, Owner] | None = None,
) -> list[Person]:
    """Return the students, those of the roster first, each with all that is theirs.

    A name that only students give may be that of two: if files from two places have the same
    exercise, they are two. ``owners`` are by file those that are known already.
    """
    people = {
        student.id: Person(student.name or student.id, student.id) for student in roster.students
    }
    if owners is None:
        owners = owners_of({file: report["name"] for file, report in reports.items()}, roster)
    for file in sorted(reports, key=lambda one: not owners[one].sure):
        report, owner = reports[file], owners[file]
        key = _key_in(people, owner, report)
        if key not in people:
            people[key] = Person((owner.student and owner.student.name) or owner.key)
        people[key].add(file, report)
        people[key].origins.add(owner.origin)
        if not owner.sure:
            people[key].by_name.append(file)
    return list(people.values())


def _key_in(people: Mapping[str, Person], owner: Owner, report: dict[str, Any]) -> str:
    """The key of a report's student: the owner, or another student with the same name."""
    key = owner.key if owner.student else f" {owner.key}"  # no name is taken for an id
    apart = f" {key} {owner.origin}"
    if apart in people or (key in people and _is_another(people[key], owner, report)):
        return apart
    return key


def _is_another(known: Person, owner: Owner, report: dict[str, Any]) -> bool:
    """True if a report may be of another student with the same name."""
    both = known.exercises.keys() & report["exercises"].keys()
    return bool(both) and not owner.sure and owner.origin not in known.origins
