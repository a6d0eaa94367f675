"""Predictions: asked, answered, locked, compared, drawn and summed up."""

from importlib import import_module

import pytest

from mcts_course import class_poll, predict, predictions
from mcts_course.predict import MADE, PredictionWidget, short_name
from mcts_course.progress import RECORD
from mcts_course.teacher.room import poll
from mcts_viz import MctsVizError


@pytest.fixture(autouse=True)
def none_made():
    MADE.clear()
    RECORD.clear()
    yield
    MADE.clear()
    RECORD.clear()


def told(capsys):
    return " ".join(capsys.readouterr().out.split())


def test_a_guess_is_compared_in_words(capsys):
    guess = predict("What share does X win?", low=0, high=1)
    assert told(capsys) == "Predict: What share does X win? (a number from 0 to 1)"
    guess.value = 0.4
    guess.reveal(0.62)
    assert told(capsys) == "What share does X win? Your guess: 0.4. Answer: 0.62. 0.22 too low."


@pytest.mark.parametrize(
    ("asked", "answer", "measured", "words"),
    [
        ({"low": 0, "high": 1}, 0.601, 0.6012, "spot on"),
        ({"low": 0, "high": 1}, 0.65, 0.6, "close, a little too high"),
        ({"low": 0, "high": 100}, 80, 20, "60 too high"),
        ({}, 5000, 549_946, "110 times too low"),
        ({}, 500_000, 549_946, "close, a little too low"),
        ({}, 70, 110, "40 too low"),
        ({"low": 0, "high": 1000}, 0, 70, "70 too low"),
        ({"low": 0, "high": 2000}, 100, 0, "100 too high"),
        ({"low": 0, "high": 1}, 0.05, 0.1, "0.05 too low"),
        ({"low": 0, "high": 1}, 0.33, 1 / 3, "spot on"),
        ({"low": 0, "high": 1}, 0, 0, "spot on"),
        ({}, 0, 4, "4 too low"),
        ({}, -3, 3, "6 too low"),
        ({"choices": ["corner", "edge"]}, "edge", "edge", "as you predicted"),
        ({"choices": ["corner", "edge"]}, "edge", "corner", "a surprise"),
        ({"choices": [0, 4]}, 4, 4, "as you predicted"),
    ],
)
def test_the_difference_has_words(asked, answer, measured, words):
    guess = predict("How much?", **asked, answer=answer)
    guess.reveal(measured)
    assert guess.compared()[2] == words


def test_what_explains_the_answer_comes_with_it(monkeypatch, capsys):
    module = import_module("mcts_course.predict")
    monkeypatch.setattr(module, "explanations", lambda: {"Why?": "**So** it is."})
    guess = predict("Why?", choices=["a", "b"])
    assert "So" not in told(capsys)
    guess.reveal("a")
    assert told(capsys) == "Why? You gave no guess. Answer: a. **So** it is."


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
    assert guess.miss == 1


def test_no_guess_is_no_error_and_gets_no_grade(capsys):
    predict("What share?", low=0, high=1).reveal(0.62)
    assert told(capsys).endswith("You gave no guess. Answer: 0.62.")


def test_a_guess_is_locked_when_the_result_is_shown(capsys):
    guess = predict("What share?", low=0, high=1, answer=0.4)
    guess.value = 0.5
    guess.reveal(0.62)
    guess.value = 0.62
    assert guess.value == 0.5
    assert "your prediction stays as it was" in told(capsys)
    again = predict("What share?", low=0, high=1, answer=0.5)  # the cell is run again
    assert again is guess
    assert "stays" not in told(capsys)


@pytest.mark.parametrize(
    ("asked", "answer", "words"),
    [
        ({"low": 0, "high": 1}, 4, "must be a number from 0 to 1; you gave 4"),
        ({}, "many", "must be a number; you gave 'many'"),
        ({}, float("nan"), "you gave nan"),
        ({"choices": ["a", "b"]}, "c", "must be one of a, b; you gave 'c'"),
        ({}, 10**400, "must be a number; you gave"),
    ],
)
def test_an_answer_of_another_kind_is_refused_in_a_sentence(asked, answer, words):
    with pytest.raises(MctsVizError, match=words):
        predict("?", **asked, answer=answer)


@pytest.mark.parametrize("measured", [float("nan"), float("inf"), "many", None, (1, 2)])
def test_an_answer_that_cannot_be_saved_is_refused_and_the_guess_stays_open(measured):
    guess = predict("How many nodes?", answer=5)
    with pytest.raises(MctsVizError, match=r"^The answer must be a number; you gave "):
        guess.reveal(measured)
    assert guess.measured is None
    guess.reveal(5)


def test_the_sum_names_the_biggest_surprise(capsys):
    print(predictions())
    assert "No result has been shown yet" in told(capsys)
    predict("How many nodes?", answer=5000).reveal(549_946)
    predict("What share?", low=0, high=1, answer=0.6).reveal(0.62)
    predict("Which?", choices=["x", "y"]).reveal("y")
    predict("Not shown?", answer=1)
    told(capsys)
    print(predictions())
    said = told(capsys)
    assert said.startswith("You made 2 of 3 predictions; 1 came close. Your biggest surprise: “How")
    assert "What share? 0.6 0.62 close, a little too low" in said
    assert "Not shown?" not in said


def test_the_page_answers_until_the_result_is_shown():
    guess = predict("?", low=0, high=1)
    guess.widget = widget = PredictionWidget(guess)
    widget.answer = 0.5
    assert guess.value == 0.5
    guess.value = 0.25
    assert widget.answer == 0.25
    assert not widget.locked
    guess.reveal(0.3)
    assert widget.locked
    widget.answer = 0.3  # came too late
    assert widget.answer == guess.value == 0.25


def test_a_class_is_polled_from_what_it_pasted(capsys):
    asked = {
        "How many nodes?": {},
        "Which cell?": {"choices": ["corner", "centre & more"]},
        "How wide?": {"low": 0, "high": 1},
    }
    lines = []
    for student, answers in enumerate([(70, "corner", 0.5), (1e6, "centre & more", ...)]):
        MADE.clear()
        for (question, kinds), answer in zip(asked.items(), answers, strict=True):
            predict(question, **kinds, answer=answer)
        lines.append(f"[10:0{student}] Kim: my code is {predictions().code}, good luck")
        assert len(predictions().code) < 80
    hostile = ["mcts?x=1", f"mcts?{short_name('Which cell?')}=<img>", "mcts?=&&&", "mcts?"]
    hostile += [f"mcts?{short_name('How many nodes?')}={text}" for text in ("nan", "1e999", "x")]
    found = {question.text: question.guesses for question in poll("\n".join(lines + hostile))}
    assert found == {
        "How many nodes?": [70.0, 1e6],
        "Which cell?": ["corner", "centre & more"],
        "How wide?": [0.5],
    }
    assert len(class_poll("\n".join(lines)).axes) == 4
    with pytest.raises(MctsVizError, match="No code of a student fits"):
        class_poll("hello")
