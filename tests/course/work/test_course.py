"""The course room: every exercise with right, wrong, empty and broken answers; the first check."""

import inspect
import itertools
import json
import math
import random
import re
import sys
from collections import Counter
from decimal import Decimal
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from invariants import answer, boom

from mcts_course import lessons, show_source
from mcts_course.lessons import (
    costs,
    explore_or_exploit,
    four_phases,
    luck,
    my_game,
    near_the_truth,
    perfect_play,
    random_games,
    reasoning,
    what_uct_weighs,
)
from mcts_course.show import feedback
from mcts_course.work import exercises as exercises_module
from mcts_course.work.exercises import Exercise, Question, Task, Texts
from mcts_viz import MCTS, ucb1
from mcts_viz.search.variants import blocks, wins_at_once

pytestmark = pytest.mark.many

ROOT = Path(__file__).parents[3]
LESSONS = lessons.ORDER


def exercises():
    for lesson in LESSONS:
        for name, value in vars(import_module(f"mcts_course.lessons.{lesson}")).items():
            if isinstance(value, Question | Task):  # others have tests of their own
                yield f"{lesson}.{name}", value


def of_kind(kind):
    found = [(name, exercise) for name, exercise in exercises() if isinstance(exercise, kind)]
    return pytest.mark.parametrize(
        "exercise", [exercise for _, exercise in found], ids=[name for name, _ in found]
    )


def right_answer(exercise):
    return exercise.right if isinstance(exercise, Question) else exercise.solution


# Every exercise of every lesson


def words_of(text):
    """Words by their first five letters, so that endings do not count, and numbers."""
    return {word[:5].lower() for word in re.findall(r"[^\W\d]+|\d+(?:[.,/]\d+)*", text)}


def tasks():
    """The words of each exercise, from its statement to the end of its texts, without its hint."""
    found = {}
    for lesson in LESSONS:
        source = (ROOT / f"mcts_course/lessons/{lesson}.md").read_text("utf-8")
        begun = source.find("## Exercises")
        for block in re.finditer(r"```texts (\w+)\n.*?\n```", source, re.S):
            task = source[begun if 0 <= begun < block.start() else 0 : block.end()]
            found[f"{lesson}.{block[1]}"] = words_of(re.sub(r"(?m)^hint = .*$", "", task))
            begun = block.end()
    return found


SPEAK_OF_BOTH = {
    ("a win for all", "no visits"),
    ("a win for all", "a draw is won"),
    ("all blamed on the luck", "measured from the better move"),
    ("one loss", "nothing open"),
    ("of all attempts", "all claims"),
    ("the leader alone", "all the others"),
    ("no visits", "no wins"),
}
"""Mistakes whose replies say the words of the other's name, too."""


def fit_among(texts):
    """How well two texts fit, of which these are all: by the words that both say, the rarer, the
    more."""
    often = Counter(word for text in texts for word in text)
    every = often.total()
    return lambda one, other: sum(math.log(every / often[word]) for word in one & other)


def test_no_two_replies_of_an_exercise_fit_better_when_they_are_exchanged():
    """A reply says words of its mistake's name, the rarer, the more; some say none of them."""
    told = [exercise.said.replies for _, exercise in exercises()]
    by_words = fit_among([words_of(text) for replies in told for text in replies.values()])

    def fit(name, text):
        return by_words(words_of(name), words_of(text))

    compared = 0
    for replies in told:
        named = [name for name, text in replies.items() if fit(name, text)]
        for one, other in itertools.combinations(named, 2):
            own = fit(one, replies[one]) + fit(other, replies[other])
            exchanged = fit(one, replies[other]) + fit(other, replies[one])
            is_known = (one, other) in SPEAK_OF_BOTH
            assert own >= exchanged - 1e-9 or is_known, f"{one}, {other} could be exchanged"
            compared += own > exchanged
    assert compared > 700


def test_a_reply_that_two_exercises_give_is_to_one_mistake():
    """Word for word the same only where the name of the mistake says the same."""
    names = {}
    for _, exercise in exercises():
        for name, text in exercise.said.replies.items():
            names.setdefault(text, set()).add(name)
    assert len(names) > 250
    same = [found for found in names.values() if len(found) > 1]
    alike = [{"swapped sides", "the other's reward"}, {"no visit for a loss", "winners alone"}]
    assert [names for names in same if names not in alike] == []


def test_no_two_hints_fit_better_when_they_are_exchanged():
    """A hint shares words with its own task, the rarer, the more; so a copy of another one, or
    two that are exchanged, are seen."""
    hints_of = {name: words_of(exercise.said.hint) for name, exercise in exercises()}
    task_of = {name: words for name, words in tasks().items() if name in hints_of}
    assert task_of.keys() == hints_of.keys()
    assert len(task_of) > 30
    by_words = fit_among(task_of.values())

    def fit(hint, task):
        return by_words(hints_of[hint], task_of[task])

    for one, other in itertools.combinations(task_of, 2):
        own, exchanged = fit(one, one) + fit(other, other), fit(one, other) + fit(other, one)
        assert own > exchanged + 1e-9, f"The hints of {one} and {other} could be exchanged."


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_reply_belongs_to_an_answer(lesson):
    """Its own, or one that exercises of the lesson share; and no text is left over."""
    module = import_module(f"mcts_course.lessons.{lesson}")
    found = [value for value in vars(module).values() if isinstance(value, Exercise)]
    made = Path(module.__file__ or "").with_suffix(".json").read_text("utf-8")
    texts = json.loads(made)["exercises"]
    shared = texts.pop("replies", {})
    assert len(found) == len(texts)
    for exercise in found:
        assert exercise.wrong.keys() <= exercise.said.replies.keys()
        assert exercise.said.replies.keys() <= exercise.wrong.keys() | shared.keys()
    assert shared.keys() <= {name for exercise in found for name in exercise.wrong}


@of_kind(Exercise)
def test_the_right_answer_is_right(exercise):
    verdict = exercise.judge(right_answer(exercise))
    assert verdict.kind == "right"
    assert verdict.sentence == f"✓ Right: {exercise.why}"


@of_kind(Exercise)
def test_every_misconception_gets_its_own_hint(exercise):
    """So no wrong answer is right by chance, and none is taken for another one."""
    assert len(exercise.misconceptions) >= 4
    for wrong, hint in exercise.misconceptions:
        assert exercise.judge(wrong) == ("misconception", f"✗ Not yet: {hint}")
    assert len({hint for _, hint in exercise.misconceptions}) == len(exercise.misconceptions)


class Hostile:
    """An answer that does nothing but fail."""

    __eq__ = __iter__ = __repr__ = boom
    __hash__ = None


ODD = [{}, [], object(), float("nan"), itertools.count(), "seven", -1, {1: 2}, [[]], {"root": 1}]


@of_kind(Exercise)
def test_no_answer_is_open_and_an_odd_one_gets_feedback(exercise):
    for empty in (None, ...):
        kind, sentence = exercise.judge(empty)
        assert (kind, sentence[:8]) == ("open", "○ Open: ")
    for odd in (Hostile(), *ODD):
        kind, sentence = exercise.judge(odd)
        assert kind in ("wrong", "error", "misconception")
        assert sentence.startswith("✗ Not yet: ")
        assert "\n" not in sentence


NUMBER_IN_WORDS = re.compile(r"(?<![\w.])[−-]?\d[\d,]*(?:\.\d+)?")


def parts(value):
    """The numbers and words of an answer."""
    if isinstance(value, dict):
        return [part for entry in value.values() for part in parts(entry)]
    if isinstance(value, list | tuple):
        return [part for entry in value for part in parts(entry)]
    return [value]


def gives_away(reply, right, known):
    """True if a reply contains a part of the right answer that the student has not been shown."""

    def stands_in(part, text):
        if isinstance(part, str) and not part.replace(".", "").isdigit():
            return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) is not None
        numbers = [n.replace(",", "").replace("−", "-") for n in NUMBER_IN_WORDS.findall(text)]
        return any(abs(float(number) - float(part)) <= 0.006 for number in numbers)

    return any(stands_in(part, reply) and not stands_in(part, known) for part in parts(right))


def statement(exercise):
    """The lesson's text just before it checks an answer."""
    topic, _ = exercise.said.name.split(".")
    source = Path(lessons.__path__[0], f"{topic}.md").read_text("utf-8")
    return source.split(f"{exercise.said.name}.check(")[0].rsplit("\n**", 1)[-1]


@of_kind(Question)
def test_a_wrong_answer_never_shows_the_right_one(exercise):
    wrong = [answer for answer, _ in exercise.misconceptions]
    unforeseen = "rubbish" if not isinstance(exercise.right, dict) else {"rubbish": 1}
    for given in (*wrong, unforeseen, -77):
        known = f"{statement(exercise)} {exercise.said.advice} {' '.join(map(str, parts(given)))}"
        reply = exercise.judge(given).sentence
        assert not gives_away(reply, exercise.right, known), reply


@of_kind(Question)
def test_the_first_hint_does_not_show_the_answer(exercise):
    """README: the solution comes only with the second hint, for those who ask for it."""
    known = f"{statement(exercise)} {exercise.said.advice}"
    assert not gives_away(exercise.said.hint, exercise.right, known)


@of_kind(Task)
def test_a_wrong_function_never_shows_the_right_one(exercise):
    _, *lines = inspect.getsource(exercise.solution).splitlines()
    stripped = [line.strip().removeprefix("return ") for line in lines]
    telling = [line for line in stripped if len(line) > 9]
    assert telling
    for _, reply in exercise.misconceptions:
        assert not any(line in reply for line in telling), reply


@of_kind(Task)
def test_the_solution_in_the_hint_can_be_pasted(exercise):
    """The solution needs only names that the lesson has imported."""
    names = {name: getattr(math, name) for name in ("inf", "log", "sqrt")}
    names |= {"wins_at_once": wins_at_once, "blocks": blocks}
    given = set(names)
    exec(exercise._solution()[1], names)
    [written] = names.keys() - given - {"__builtins__"}
    assert exercise.judge(names[written]).kind == "right"


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        (perfect_play.pruned, ["v", "u", "l"]),
        (perfect_play.pruned, {"v", "u", "l"}),
        (perfect_play.pruned, "l, u, V"),
        (explore_or_exploit.regret_of_five, Decimal("0.9")),
        (random_games.games_needed, np.array(3200)),
        (what_uct_weighs.read_c, {"A": "√2", "B": 10, "C": 0}),
        (what_uct_weighs.read_c, {"A": "sqrt(2)", "B": 10, "C": 0}),
        (my_game.large_boards, ["Dogs ", "CATS"]),
        (random_games.games_needed, "3,200"),
        (explore_or_exploit.regret_of_five, "0,9"),
        (explore_or_exploit.regret_of_five, "90 %"),
        (explore_or_exploit.regret_of_five, "9/10"),
        (what_uct_weighs.read_c, {"A": "1,41", "B": "10", "C": "0"}),
        (near_the_truth.regrets, {"4": 0, "5": "½", "6": 1, "7": 1, "8": 1}),
    ],
)
def test_another_right_answer_is_right(exercise, answer):
    assert exercise.judge(answer).kind == "right"


@pytest.mark.parametrize(
    ("exercise", "answer", "said"),
    [
        (explore_or_exploit.regret_of_five, 90, "in percent"),
        (explore_or_exploit.regret_of_five, -0.9, "Check the sign"),
        (near_the_truth.regrets, {4: 0, 5: 50, 6: 100, 7: 100, 8: 100}, "in percent"),
        (near_the_truth.regrets, {4: 0, 5: -0.5, 6: -1, 7: -1, 8: -1}, "Check the sign"),
        (random_games.games_needed, -3200, "Check the sign"),
        (what_uct_weighs.read_c, {"A": 2, "B": 10, "C": 0}, "A is not 2."),
        (what_uct_weighs.read_c, {"A": "√3", "B": 10, "C": 0}, "A is not 1.73205."),
        (reasoning.three_attempts, 49, "in percent"),
        (luck.by_hand, {"roll": 87.5, "hold": 31, "move": "roll"}, "in percent"),
        (luck.move_and_luck, {"move": -8, "luck": -32, "better": "hold"}, "in percent"),
        (luck.move_and_luck, {"move": -8, "luck": -32, "better": "roll"}, "move is not -8."),
        (costs.by_hand, [-4.58, -6.2, -8, -10], "Check the sign"),
        (random_games.games_needed, [3200], "give the answer alone, without brackets."),
        (random_games.games_needed, {3200}, "give the answer alone, without brackets."),
    ],
)
def test_a_slip_of_unit_or_sign_is_named(exercise, answer, said):
    kind, sentence = exercise.judge(answer)
    assert kind == "wrong"
    assert said in sentence


@pytest.mark.parametrize("word", ["1,2,3", "1/0", "%", "l,u", "inf", ""])
def test_what_is_no_number_stays_a_word(word):
    assert exercises_module.plain(word) == word


def sampled(kind, values, chances):
    if kind == "chance":
        return random.choices(values, chances)[0]
    return luck.worth(kind, values, chances)


def test_a_function_that_changes_its_mind_is_told_so_and_nothing_else():
    for _ in range(20):
        _, sentence = luck.write_worth.judge(sampled)
        told = re.search("gives first (.*) and then (.*)[.] What makes it change", sentence)
        assert told, sentence
        assert told[1] != told[2]


def test_an_arm_is_not_called_like_the_constant():
    sentence = explore_or_exploit.write_next_arm.judge(lambda wins, pulls, c: max(wins)).sentence
    assert "expected arm A, got arm " in sentence or "expected arm C, got arm " in sentence


def unwritten(*_):
    raise NotImplementedError


@of_kind(Task)
def test_a_function_that_is_empty_fails_or_is_called_too_early_is_told_so(exercise):
    for stub in (answer(None), answer(...), unwritten):
        kind, sentence = exercise.judge(stub)
        assert (kind, sentence[:8]) == ("open", "○ Open: ")
    words = "your function ends in ZeroDivisionError: division by zero."
    failed = ("error", f"✗ Not yet: {exercise.cases[0].words}, {words}")
    assert exercise.judge(lambda *_: 1 / 0) == failed
    kind, sentence = exercise.judge(7)
    assert kind == "error"
    assert "without ()" in sentence


def without_end(*_):
    while True:
        pass


def without_end_though_caught(*_):
    while True:
        try:
            sum(range(9))
        except Exception:
            continue


def too_deep(*arguments):
    return too_deep(*arguments)


def leaves(*_):
    sys.exit()


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (without_end, "ends in 100,000 steps without a result: a loop without an end, or "),
        (without_end_though_caught, "ends in 100,000 steps without a result: a loop without an "),
        (too_deep, "ends in RecursionError"),
        (leaves, "ends in SystemExit."),
        (lambda: None, "ends in TypeError"),
    ],
)
def test_however_a_function_fails_it_is_said(function, words):
    exercise = four_phases.write_backpropagate
    kind, sentence = exercise.judge(function)
    assert kind == "error"
    assert sentence.startswith(f"✗ Not yet: {exercise.cases[0].words}, your function {words}")


@of_kind(Task)
def test_no_answer_can_change_the_cases(exercise):
    before = [describe(case.arguments) for case in exercise.cases]

    def destroy(*arguments):
        for argument in arguments:
            for part in argument if isinstance(argument, list) else ():
                for name in getattr(part, "__slots__", ()):
                    setattr(part, name, None)
            if isinstance(argument, list | dict):
                argument.clear()

    exercise.judge(destroy)
    assert [describe(case.arguments) for case in exercise.cases] == before


def describe(value):
    """A value with all its attributes, to compare."""
    if isinstance(value, list | tuple):
        return [describe(part) for part in value]
    names = getattr(value, "__slots__", ())
    return {name: repr(getattr(value, name)) for name in names} or value


YES = {"a": (1, 2), "b": "yes"}
ENTRIES = Question(Texts("so it is.", {}, "Look again."), YES, {})
KEYS = "answer with a dict whose keys are a, b. Look again."


@pytest.mark.parametrize(
    ("given", "kind", "said"),
    [
        ({"a": [1.0, 2], "b": "Yes "}, "right", "so it is."),
        ({"b": "yes", "A": ("1", 2)}, "right", "so it is."),
        (YES | {"a": (1, ...)}, "open", ""),
        (YES | {"b": None}, "open", ""),
        (YES | {"a": [1, 3]}, "wrong", "a is not (1, 3). Look again."),
        (YES | {"a": (1, 2, 3)}, "wrong", "a is not (1, 2, 3). Look again."),
        (YES | {"b": "no"}, "wrong", "b is not no. Look again."),
        ({"a": (1, 2)}, "wrong", KEYS),
        (YES | {"c": 0}, "wrong", KEYS),
        ("yes", "wrong", KEYS),
    ],
)
def test_an_answer_may_be_written_in_any_way_and_the_first_difference_is_named(given, kind, said):
    verdict = ENTRIES.judge(given)
    assert verdict.kind == kind
    assert verdict.sentence.removeprefix("✗ Not yet: ").removeprefix("✓ Right: ").startswith(said)


def test_a_tracer_is_left_as_it_was():
    before = sys.gettrace()
    four_phases.write_backpropagate.judge(without_end)
    assert sys.gettrace() is before


# Sources and intervals


def test_a_source_is_shown_as_it_stands_in_its_file(monkeypatch):
    shown = []
    monkeypatch.setattr(feedback, "display", lambda forms, raw: shown.append(forms))
    show_source(MCTS.iteration, ucb1)
    text = shown[0]["text/plain"]
    assert text.startswith("# mcts_viz/search/mcts.py\ndef iteration(self) -> None:\n    path =")
    for function in ("# mcts_viz/search/mcts.py", "return child.mean, c"):
        assert function in text
    assert shown[0]["text/markdown"] == f"````python\n{text}````"
    body = text.split("\n\n\n")[1].split("\n", 1)[1]
    assert body in (ROOT / "mcts_viz/search/mcts.py").read_text(encoding="utf-8")
