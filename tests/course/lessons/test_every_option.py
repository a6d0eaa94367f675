"""Every option is tried, and what is saved is what is shown: one answer is right, and it is counted
once.
"""

import ast
import random
import re
from importlib import import_module
from itertools import combinations
from pathlib import Path
from string import ascii_lowercase, digits

import nbformat
import pytest
from made_up_class import begin_anew

from mcts_course import build, predict
from mcts_course.lessons import ORDER, stem_of
from mcts_course.teacher.handed_in import Roster
from mcts_course.teacher.report import SIGNS, ClassReport, people_of
from mcts_course.work import exercises, progress
from mcts_course.work.exercises import Exercise, Question
from mcts_course.work.predict import in_words

pytestmark = pytest.mark.many

ROOT = Path(__file__).parents[3]
WORDS = ("first", "second", "open", "turns", "ends", "view", "block", "dogs", "cats", "yes", "no")


def all_exercises(kind=Exercise):
    for topic in ORDER:
        for name, value in vars(import_module(f"mcts_course.lessons.{topic}")).items():
            if isinstance(value, kind):
                yield f"{topic}.{name}", value


QUESTIONS = dict(all_exercises(Question))


# Exercises


def other_leaves(value):
    """Other numbers or words that a student could have written in place of this one."""
    if isinstance(value, str):
        return [*ascii_lowercase, *digits, *WORDS]
    near = [value + step for step in (-1, -0.1, -0.02, 0.02, 0.1, 1)]
    return [*near, -value, 10 * value, value / 2, 1 - value, *range(21)]


def others(value):
    """The options beside an answer: one part is another one, or two parts are exchanged."""
    if not isinstance(value, dict | list | tuple):
        return other_leaves(value)
    parts = value if isinstance(value, dict) else dict(enumerate(value))
    changes = [{key: leaf} for key, part in parts.items() for leaf in other_leaves(part)]
    changes += [{a: parts[b], b: parts[a]} for a, b in combinations(parts, 2)]
    made = [parts | change for change in changes]
    return made if isinstance(value, dict) else [type(value)(each.values()) for each in made]


def equal(one, other, tolerance):
    """The same answer, but for rounding."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        one, other = dict(enumerate(one)), dict(enumerate(other))
    if isinstance(one, dict) and isinstance(other, dict):
        same = one.keys() == other.keys()
        return same and all(equal(one[key], other[key], tolerance) for key in one)
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= tolerance
    return str(one).lower() == str(other).lower()


def numbers_in(answer):
    parts = answer.values() if isinstance(answer, dict) else [answer]
    return [part for part in parts if isinstance(part, int | float)]


@pytest.mark.parametrize("exercise", QUESTIONS.values(), ids=QUESTIONS)
def test_of_all_options_one_is_right_and_a_mistake_is_told_to_who_made_it(exercise):
    least = min(map(abs, numbers_in(exercise.right)), default=0)
    assert exercise.tolerance <= max(0.5, least / 20), "whole numbers are told apart"
    right, tolerance = exercise.right, exercise.tolerance

    def is_right(option):
        return equal(option, right, tolerance) or (
            not exercise.in_order and sorted(option) == sorted(right)
        )

    options = [option for option in others(right) if not is_right(option)]
    assert len(options) > 20
    for option in [*options, *exercise.wrong.values()]:
        made = [name for name, wrong in exercise.wrong.items() if equal(option, wrong, tolerance)]
        made = [n for n, parts in exercise.telling.items() if {*parts} & {*option}] or made
        told = exercise.judge(option)
        if len(made) == 1:
            said = f"✗ Not yet: {exercise.said.replies[made[0]]}"
            assert told == ("misconception", said), option
        else:
            assert told.kind == "wrong", option
    assert exercise.judge(right).kind == "right"


# Predictions


def asked_in(topic):
    """The choices of each question, as the source has them."""
    found, lists = {}, {}
    for cell in build._read(ROOT / "mcts_course" / "lessons" / f"{topic}.md").cells:
        for node in ast.walk(ast.parse(cell.source)) if cell.cell_type == "code" else ():
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.List):
                lists[ast.unparse(node.targets[0])] = node.value
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "predict":
                [choices] = [part.value for part in node.keywords if part.arg == "choices"]
                choices = lists.get(ast.unparse(choices), choices)
                found[ast.literal_eval(node.args[0])] = [*map(in_words, ast.literal_eval(choices))]
    return found


def revealed_in(topic):
    """The guess, the answer and the verdict of each question in the solution."""
    notebook = nbformat.read(ROOT / "solutions" / f"{stem_of(topic)}.ipynb", as_version=4)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    texts = [output.data.get("text/plain", "") for output in outputs if "data" in output]
    found = {}
    for text in (" ".join(text.split()) for text in texts):
        if shown := re.search(
            r"^(.*) Your guess: (.*)\. Answer: (.*)\. (As you predicted|A surprise)\.$", text
        ):
            found[shown[1]] = shown.groups()[1:]
    return found


@pytest.mark.parametrize("topic", ORDER)
def test_of_all_guesses_one_comes_true(topic, capsys):
    asked, revealed = asked_in(topic), revealed_in(topic)
    assert asked.keys() == revealed.keys() != set()
    for question, choices in asked.items():
        guess, answer, verdict = revealed[question]
        assert answer in choices, question
        assert guess in choices, question
        assert (verdict == "As you predicted") == (guess == answer)
        true = []
        for choice in choices:
            begin_anew()
            made = predict(question, choices=choices, answer=choice)
            made.reveal(answer)
            said = " ".join(capsys.readouterr().out.split())
            assert (made.compared == "as you predicted") == ("As you predicted." in said)
            true += [choice] if made.compared == "as you predicted" else []
        assert true == [answer]


# What is above a question


def above(topic, mark):
    """The text that a student has read before the cell with this mark: no solution, no reveal."""
    text = ""
    for cell in build._read(ROOT / "mcts_course" / "lessons" / f"{topic}.md").cells:
        if mark in cell.source:
            return text + cell.source.split(mark)[0]
        if "solution" not in cell.metadata.get("tags", ()):
            text += "\n" + cell.source
    raise AssertionError(mark)


def is_said(answer, text):
    """True if the text has these words or this number. Small numbers, yes and no are everywhere."""
    if answer in ("yes", "no"):
        return False
    number = re.fullmatch(r"(?:about |near |below )?([\d,.]+)( %)?", answer)
    if not number:
        return re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text) is not None
    value = float(number[1].replace(",", ""))
    found = [float(n.replace(",", "")) for n in re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?", text)]
    return not ((2 * value).is_integer() and value < 13) and value in found


IN_ANOTHER_SENSE = {
    "In what share of their matches does one of them still win 7 to 3 or more clearly?": "35 min",
    "Which way solves more puzzles with 25 calls?": "compare best-of-*n* and tree search",
    "With 100 calls best-of-n now claims a solution in every puzzle. What share is true?": (
        "At 0.5 it is right as often as a coin"
    ),
}
"""By question: where its answer is the only choice above it, but says something else there."""


@pytest.mark.parametrize("topic", ORDER)
def test_no_prediction_is_answered_above_it(topic):
    """Of all choices, the right one is not the only one that the text has named."""
    revealed = revealed_in(topic)
    for question, choices in asked_in(topic).items():
        right, text = revealed[question][1], above(topic, question)
        said = [choice for choice in choices if is_said(choice, text)]
        assert said != [right] or IN_ANOTHER_SENSE[question] in text, (question, right)


TELLING = {
    "can_you_beat_it": ("A second search", r"fixes everything|same tree|same games"),
    "random_games": ("Flat searches with 60", r"surer of|more games only|prefer a losing|not help"),
    "explore_or_exploit": ("After 20,000 pulls", r"pays? forever|cross|in the long run"),
    "four_phases": ("With how many iterations", r"30 %|90 %|learns slowly"),
    "what_uct_weighs": ("Which constant", r"too large|both ends are|smaller \*c\* is"),
    "which_move": ("One worker finds cell 7", r"cost something|is worse|same old numbers"),
    "write_it_yourself": (
        "In how many of the 40",
        r"often finds|a third of|still finds|good move",
    ),
    "perfect_play": ("After X's 5 both play", r"mistake|two threats|loses"),
    "near_the_truth": ("Of 50 searches", r"fools|for long|forgets|early games"),
    "smarter_playouts": ("Which kind of search", r"astray|worse|mislead|balanced"),
    "bug_clinic": ("Which single repair", r"mask|not the reason|suspicion .* wrong"),
    "who_wins": ("In what share", r"proves nothing|one match in three|by luck"),
    "my_game": ("How many of the three", r"never will|cannot know|no program"),
    "hints": ("Plain UCT meets", r"still make|is the stronger one|helps? a search"),
    "teach_itself": ("Which program finds", r"narrow is|repeats a few|off that path"),
    "reasoning": ("With 100 calls best-of-n", r"confident mistake|more claims|blind spot"),
}
"""By lesson: the start of a question, and words above it that would answer it."""


@pytest.mark.parametrize("topic", TELLING)
def test_no_text_tells_what_is_to_be_found_out(topic):
    """Goals are skills, never findings: in a title, an opening or a word's gloss, too."""
    start, words = TELLING[topic]
    [question] = [question for question in asked_in(topic) if question.startswith(start)]
    assert not re.search(words, above(topic, question)), question


@pytest.mark.parametrize("exercise", QUESTIONS.values(), ids=QUESTIONS)
def test_no_exercise_is_answered_above_it(exercise):
    """Its number is not in a table, a cell or a sentence before its statement."""
    topic, _ = exercise.said.name.split(".")
    read = above(topic, f"{exercise.said.name}.check(")
    before, _, statement = read.rpartition("\n**")
    numbers = [f"{number:g}" for number in numbers_in(exercise.right)]
    assert not [n for n in numbers if is_said(n, before) and not is_said(n, statement)]


# What is saved


ACTS = {
    "right": ("✓ Right: ", lambda one: one.check(one.right)),
    "misconception": ("✗ Not yet: ", lambda one: one.check(one.misconceptions[0][0])),
    "open": ("○ Open: ", lambda one: one.check(...)),
    "wrong": ("✗ Not yet: ", lambda one: one.check({"no": "answer"})),
    "": ("Hint ", Question.hint),
}
"""Acts of a student, by the verdict that each must leave: the first words of the sentence that is
shown, and the act."""


def shown_on_the_page(report):
    """The words of a report's page on each exercise and each guess of one student."""
    tables = [
        [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", table)]
        for table in re.findall(r"<table>(.*?)</table>", report.to_html(), re.S)
    ]
    found = {}
    students = [table for table in tables if table[0][0] == "student"]
    for topic, (heads, row, _) in zip(report.lessons, students, strict=True):
        found |= {f"{topic}.{name}": cell for name, cell in zip(heads[1:], row[1:], strict=True)}
    [guesses] = [table for table in tables if table[0][0] == "question"]
    return found, {row[0]: row[3] for row in guesses[1:]}


@pytest.mark.parametrize("seed", range(6))
def test_after_each_act_the_file_holds_what_is_shown_and_a_point_is_a_last_verdict_of_right(
    seed, tmp_path, monkeypatch, capsys
):
    """A hint changes no verdict; an empty stub or a wrong answer takes the point back. The page
    of the class says what the file says."""
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "work.ipynb"))
    chance = random.Random(seed)
    chosen = dict(chance.sample(list(QUESTIONS.items()), 3))
    last, hints = dict.fromkeys(chosen, "not started"), dict.fromkeys(chosen, 0)
    guess = predict("Which?", choices=["a", "b"])
    for _ in range(20):
        name = chance.choice(list(chosen))
        verdict = chance.choice(list(ACTS))
        opening, act = ACTS[verdict]
        capsys.readouterr()
        act(chosen[name])
        told = " ".join(capsys.readouterr().out.split())
        assert told.startswith(opening)
        last[name] = verdict or last[name]
        hints[name] = min(2, hints[name] + (not verdict))
        guess.answer = chance.choice("ab")
        saved = progress.read_report(tmp_path / ".work.progress.json")
        [person] = people_of({"x.json": saved}, Roster())
        cells, guesses = shown_on_the_page(ClassReport([person]))
        work = person.work(name)
        assert verdict or told.startswith(f"Hint {work['hints']} of 2. ")
        assert verdict != "misconception" or told == work["misconceptions"][-1]
        assert guesses == {"Which?": f"{guess.value} × 1"}
        for each, exercise in chosen.items():
            assert progress.standing(person.work(each)) == last[each]
            assert person.work(each)["hints"] == hints[each] == exercise.progress["hints"]
            sign, *parts = cells.get(each, "–").split()
            assert sign[0] == SIGNS[last[each]]
            assert [part for part in parts if part in "hS"] == [[], ["h"], ["S"]][hints[each]]
        assert saved["predictions"]["Which?"]["guess"] == guess.answer == guess.kept == guess.value


def test_a_hint_belongs_to_its_exercise(monkeypatch):
    """Each button, pressed after all were shown: first the hint of the source, then the
    solution."""
    written = {
        f"{source.stem}.{name}": texts["hint"]
        for source in build.sources()
        for name, texts in build.texts(source)["exercises"].items()
        if name != "replies"
    }
    shown = []
    monkeypatch.setattr(exercises, "get_ipython", lambda: object())
    monkeypatch.setattr(
        exercises, "show_button", lambda *button, most: shown.append((*button, most))
    )
    names = {name: one for name, one in all_exercises() if one.misconceptions}
    for exercise in names.values():
        exercise.check(exercise.misconceptions[0][0])
    assert names.keys() == written.keys() - {"write_it_yourself.own_film"}  # it has its own tests
    for (_, tell, most), (name, exercise) in zip(shown, names.items(), strict=True):
        assert most == 2
        assert tell()[0] == f"Hint 1 of 2. {written[name]}"
        assert exercise.progress["hints"] == 1
        for _ in range(2):
            assert exercise.why in tell()[0]
    exercise.check(...)
    assert shown[-1][-1] == 0
