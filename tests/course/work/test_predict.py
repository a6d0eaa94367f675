"""Predictions: asked, answered, locked, compared, drawn and summed up."""

import re
from importlib import import_module
from itertools import product

import pytest
from injections import INJECTIONS
from refusals import refused

from mcts_course import predict, predictions
from mcts_course.lessons import ORDER, read_texts
from mcts_course.work.progress import RECORD, record
from mcts_viz import MctsVizError


def told(capsys):
    return " ".join(capsys.readouterr().out.split())


SHARE = {"question": "What share does X win?", "choices": ["a third", "half"]}


def test_a_guess_is_compared_in_words(capsys):
    guess = predict(**SHARE)
    assert told(capsys) == "Predict: What share does X win? (one of a third, half)"
    guess.value = "half"
    guess.reveal("a third")
    asked = "What share does X win? Your guess: half. "
    assert told(capsys) == f"{asked}Answer: a third. A surprise."


def test_to_run_a_cell_is_no_guess(monkeypatch, capsys):
    """Run All runs what asks and what reveals: no answer is shown, and the question stays open."""
    module = import_module("mcts_course.work.predict")
    monkeypatch.setattr(module, "explanations", lambda: {"Why?": "**So** it is."})
    for _ in range(2):
        guess = predict("Why?", choices=["yes", "no"])
        told(capsys)
        guess.reveal("yes")
        said = told(capsys)
        assert said.startswith("Why? ○ Open: you have not made a guess. Click a guess above")
        assert not re.search(r"Answer|\byes\b|So", said)
        assert (guess.locked, guess.measured, guess.compared) == (False, None, "")
        kept = RECORD["predictions"].get("Why?", {"guess": None, "measured": None})
        assert kept == {"guess": None, "measured": None}
    guess.answer = "no"  # a click
    guess.reveal("yes")
    assert told(capsys) == "Why? Your guess: no. Answer: yes. A surprise. **So** it is."
    assert guess.locked


def test_what_an_older_notebook_locked_without_a_guess_is_open_again():
    record()["predictions"]["Why?"] = {"guess": None, "measured": "yes"}
    assert not predict("Why?", choices=["yes", "no"]).locked


def test_a_number_is_answered_by_the_nearest_choice():
    guess = predict("How many?", choices=["0", "about 1,000", "all 50,000"], answer="about 1,000")
    for number, nearest in {
        3: "0",
        400: "about 1,000",
        6999: "about 1,000",
        7200: "all 50,000",
    }.items():
        guess.reveal(number)
        assert guess.measured == nearest
        told = {True: "as you predicted", False: "a surprise"}
        assert guess.compared == told[nearest == guess.value]


def test_a_guess_is_locked_when_the_result_is_shown(capsys):
    guess = predict(**SHARE, answer="half")
    guess.value = "a third"
    guess.reveal("half")
    guess.value = "half"
    assert guess.value == "a third"
    assert "your prediction stays as it was" in told(capsys)
    again = predict(**SHARE, answer="a third")  # the cell is run again
    assert again is guess
    assert "stays" not in told(capsys)


@pytest.mark.parametrize("answer", ["c", 3, float("nan")])
def test_an_answer_that_is_no_choice_is_refused_in_a_sentence(answer):
    with pytest.raises(MctsVizError, match=r"The guess must be one of a, b; you gave ."):
        predict("?", choices=["a", "b"], answer=answer)


def test_a_guess_among_other_choices_is_forgotten():
    predict("How many?", choices=["few", "many"], answer="few").reveal("many")
    again = predict("How many?", choices=["ten", "twenty"])
    assert (again.value, again.measured, again.locked) == (None, None, False)


@pytest.mark.parametrize("counts", [*product(range(3), repeat=4)])
def test_the_sum_is_that_of_any_history(counts):
    """So many guesses came true, so many did not, so many have no answer yet, so many are open."""
    true, wrong, waiting, none = counts
    rows = []
    for number, kind in enumerate("a" * true + "b" * wrong + "?" * waiting + "-" * none):
        answer = {"?": "a", "-": None}.get(kind, kind)
        guess = predict(f"Question {number}?", choices=["a", "b"], answer=answer)
        if kind != "?":
            guess.reveal("a")
        if kind in "ab":
            word = "as you predicted" if kind == "a" else "a surprise"
            rows.append((f"Question {number}?", kind, "a", word))
    said, *tables = predictions().parts()
    assert [table.rows for table in tables] == [rows] * bool(rows)
    wanted = f"You made {true + wrong + waiting or 'none'} of {sum(counts)} predictions"
    if not true + wrong:
        assert said.startswith(f"{wanted}, and no answer has been shown.")
        return
    wanted += f"; {true or 'none'} came true."
    if waiting:
        wanted += f" {waiting} will have an answer when you run the cell that shows it."
    assert said == wanted + " Can you explain each surprise now?" * bool(wrong)


def test_the_page_answers_until_the_result_is_shown():
    guess = predict(**SHARE)
    guess.answer = "half"
    assert guess.value == "half"
    guess.value = "a third"
    assert guess.answer == "a third"
    guess.answer = "neither"
    assert not guess.locked
    guess.reveal("half")
    assert guess.locked
    guess.answer = "half"  # came too late
    assert guess.answer == guess.value == "a third"


# A live class


ZOOM = """10:31:02 From Ada Lovelace to Everyone:
    {0}-B
10:31:05 From Bo to Everyone:
    hello
    {0}-A
    {0}-C
10:32:00 From Eve to Everyone:
    {0}-A {0}-B
10:33:09 From Bo to Everyone:
    {0}-a
"""
TEAMS = (
    "[10:31] Ada: {0}-B\n[10:31 AM] Bo: I say {0}-A, what else?\nEve: xx{0}-B\n10:40 Eve: {0}-Z\n"
)
BARE = "{0}-A\n{0}-A\n\n{0}-B\nXYZ-C\n"


@pytest.mark.parametrize(
    ("chat", "counts"),
    [
        (ZOOM, [2, 1, 0]),
        (TEAMS, [1, 1, 0]),
        (BARE, [2, 1, 0]),
        ("", [0, 0, 0]),
        ("Eve: " + "{0}-A " * 50_000 + "\nAda: {0}-C", [1, 0, 0]),
        ("Eve:\n" + "{0}-A\n" * 5000 + "Ada: {0}-C", [1, 0, 1]),
        ("Eve: {0}-A\nEve: {0}-B\nEVE : {0}-C", [0, 0, 1]),
    ],
)
def test_a_chat_is_counted_one_vote_a_sender(chat, counts):
    guess = predict("Which way?", choices=["a", "b", "c"])
    assert re.fullmatch("[B-DF-HJ-NP-TV-XZ]{3}", guess.code)
    found = guess.poll(chat.replace("{0}", guess.code))
    assert list(found.counts.values()) == counts
    bars = [row[0] for row in found.parts()[1].rows]
    assert [len(bar) > 0 for bar in bars] == [count > 0 for count in counts]
    assert max(map(len, bars)) in (0, 40)


def test_each_question_of_the_course_has_a_code_of_its_own():
    asked = [question for topic in ORDER for question in read_texts(topic)["reveals"]]
    codes = {predict(question, choices=["a"]).code for question in asked}
    assert len(codes) == len(asked) > 40


@pytest.mark.parametrize(
    "text", ["{", "%s", "(?P<x>", "\x00", "\ud800", "a" * 10**6, ":" * 10**5, *INJECTIONS]
)
def test_a_hostile_chat_ends_nothing_and_is_not_shown(text):
    guess = predict("Which way?", choices=["left", "right"])
    found = guess.poll(f"{text}\nAda: {guess.code}-A\n{text}: {guess.code}-B\n{text}")
    assert found.question == "Which way?"
    assert sum(found.counts.values()) <= 2
    assert text[:40] not in repr(found) or text in ("{", "%s")
    assert "must be a text" in refused(guess.poll, None)
