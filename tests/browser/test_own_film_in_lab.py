"""A wrong answer about a film of one's own opens it at the moment that it is about."""

from __future__ import annotations

from playwright.sync_api import expect

from .lab import JupyterLab

ASK = """from mcts_course.work import FilmQuestions
from mcts_course.work.own_search import SOUND, watched

asked = FilmQuestions()
asked.about(watched(*SOUND.values(), iterations=120, seed=6), 17)"""
WRONG = """right = asked.right
asked.check([next(one for one in ("mean", "neither") if one != right[0]), right[1]])"""


def test_a_wrong_answer_opens_the_film_at_its_moment(lab: JupyterLab) -> None:
    with lab.open([ASK, WRONG, "asked.check(right)"]) as notebook:
        notebook.run_all()
        expect(notebook.output(0)).to_contain_text("Question 2.")
        player = notebook.output(1).locator(".mcts-player").first
        expect(player).to_be_visible()
        moment = notebook.python("(asked.asked[0].iteration, asked.asked[0].phase)")
        expect(player).to_have_attribute("data-iteration", str(moment[0]))
        expect(player).to_have_attribute("data-phase", moment[1])
        expect(notebook.output(2)).to_contain_text("✓ Right")
