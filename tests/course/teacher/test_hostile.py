"""Texts of others, such as students' reports and names, are shown as text in every place."""

import pytest
from injections import INJECTIONS, Seen

from mcts_course import arena, predict
from mcts_course.lessons import random_games
from mcts_course.show import feedback as feedback_module
from mcts_course.show.feedback import forms, say
from mcts_course.show.tables import Table
from mcts_viz import TicTacToe
from mcts_viz.search.agents import RandomAgent

HOSTILE = [
    "``<img src='x' onerror='planted(100)'>``",
    "`<img src=x onerror=planted(101)>",
    "a` <img src=x onerror=planted(102)> `b",
    "x | <img src=x onerror=planted(103)> | `y` |",
    "$\\href{javascript:planted(104)}{x}$",
    "\\(x\\)",
    "# x\n- y\n1. z\n\n    code",
    *INJECTIONS,
]


def visible(text):
    return "".join("".join(c if c.isprintable() else " " for c in text).split())


def assert_text(page, *texts):
    """The page holds these texts as they are, nothing that acts, and no formula."""
    seen = Seen(page)
    assert seen.foreign == []
    for text in seen.texts:  # a formula has two signs in one text
        assert text in "$\\" or not set(text) & set("$\\")
    whole = visible("".join(seen.texts))
    for text in texts:
        assert visible(text) in whole


@pytest.fixture
def pages(monkeypatch):
    """The HTML of all that is displayed, as in a notebook."""
    shown = []
    monkeypatch.setattr(feedback_module, "get_ipython", lambda: object())
    monkeypatch.setattr(
        feedback_module, "display", lambda data, raw: shown.append(data["text/html"])
    )
    return shown


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_text_is_text(text, pages, monkeypatch):
    say(text.replace("`", "'"), Table((text, "b"), [(text, 1)]), code=text)
    assert_text(pages[-1], text)
    random_games.games_needed.check(text)
    assert_text(pages[-1])
    monkeypatch.setattr(RecordedPrediction, "show", lambda self: None)
    predict(text, choices=[text, "b"], answer="b").reveal(text)
    assert_text(pages[-1])


RecordedPrediction = type(predict("x", choices=["a"]))


def test_an_arena_of_attackers_is_a_table():
    game = TicTacToe()

    for name in HOSTILE[:40]:
        players = {name: RandomAgent(game), "chance": RandomAgent(game)}
        assert_text(arena(players, game, games=2)._repr_mimebundle_()["text/html"], name)


def test_our_own_words_keep_their_code_and_their_sign():
    page = forms("✗ Not yet: use `log` & not `log10`.")["text/html"]
    assert page == "<p><b>✗ Not yet</b>: use <code>log</code> &amp; not <code>log10</code>.</p>"
