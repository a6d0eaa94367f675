"""Predictions, a slider's figure, and questions about one's own film, in JupyterLab."""

from __future__ import annotations

from playwright.sync_api import expect

from .lab import DARK, LIGHT, WINDOW, Notebook, eventually

CELLS = [
    "from mcts_course import predict\nfrom mcts_course.lessons import four_phases, who_wins",
    'side = predict("Who wins?", choices=["X", "O"])',
    'then = predict("And after `b`?", choices=["X", "O"])',
    "four_phases.next_move.check(99)",
    "who_wins.interval_slider(0.7)",
    "from mcts_course import once_more\nonce_more('08')",
    "from mcts_course import hand_in\nhand_in('03', name='Ada')",
    'first = predict("Who is first?", choices=["me", "you"])',
    "first.reveal('you')",
    """from mcts_course.work import FilmQuestions
from mcts_course.work.own_search import SOUND, watched
asked = FilmQuestions()
asked.about(watched(*SOUND.values(), iterations=120, seed=6), 17)""",
    """right = asked.right
asked.check([next(one for one in ("mean", "neither") if one != right[0]), right[1]])""",
    "asked.check(right)",
]
VIEWPORT = WINDOW


def test_everything_is_answered_by_keyboard(notebook: Notebook) -> None:
    page = notebook.page
    expect(notebook.output(2).locator("code")).to_have_text("b")
    for cell, key, answer in ((1, "ArrowRight", "O"), (2, "Space", "X")):
        notebook.output(cell).get_by_label("X", exact=True).focus()
        page.keyboard.press(key)
        expect(notebook.output(cell).locator(".status")).to_contain_text("Noted")
        expect(notebook.output(cell).get_by_label(answer, exact=True)).to_be_checked()
    eventually(lambda: notebook.python("side.value, then.value"), ("O", "X"))
    for cell, name, letter in ((1, "side", "B"), (2, "then", "A")):  # what goes into a chat
        code = f"({notebook.python(f'{name}.code')}-{letter})"
        expect(notebook.output(cell).locator(".status")).to_contain_text(code)
    expect(notebook.output(1).get_by_label("O", exact=True)).to_be_checked()


def test_axe_finds_nothing(notebook: Notebook) -> None:
    for theme in (DARK, LIGHT):
        notebook.set_theme(theme)
        assert notebook.axe(".mcts-predict") == []


def test_a_result_locks_the_answer(notebook: Notebook) -> None:
    notebook.python("side.reveal('X')")
    expect(notebook.output(1).locator(".status")).to_contain_text("Locked")
    expect(notebook.output(1).get_by_label("X", exact=True)).to_be_disabled()
    assert notebook.python("side.compared") == "a surprise"


def test_hints_come_on_a_button_below_a_wrong_answer(notebook: Notebook) -> None:
    output = notebook.output(3)
    notebook.scroll_to(3)
    button = output.get_by_role("button", name="Hint")
    for number in (1, 2):
        button.click()
        expect(output.get_by_text(f"Hint {number} of 2.")).to_be_visible()
    expect(button).to_be_disabled()
    assert notebook.python("four_phases.next_move.progress['hints']") == 2


def test_a_figure_follows_its_slider(notebook: Notebook) -> None:
    notebook.scroll_to(4)
    figure = notebook.output(4).locator("img")
    expect(figure).to_be_visible()
    assert figure.get_attribute("alt") == "games 10"
    before = figure.get_attribute("src")
    notebook.output(4).get_by_role("slider").press("ArrowRight")
    expect(figure).not_to_have_attribute("src", before or "")
    expect(figure).not_to_have_attribute("alt", "games 10")


def test_a_lesson_ends_with_one_more_position_and_a_file_to_hand_in(notebook: Notebook) -> None:
    notebook.scroll_to(5)
    picture = notebook.output(5).locator("img, svg").first
    expect(picture).to_be_visible()
    assert (picture.bounding_box() or {})["width"] > 300
    expect(notebook.output(5)).to_contain_text("If you like, answer")
    expect(notebook.output(6)).to_contain_text("Written: Ada_four_phases.json")
    held = "__import__('json').load(open('Ada_four_phases.json'))"
    assert notebook.python(f"sorted({held}['exercises'])") == ["four_phases.next_move"]


def test_a_wrong_answer_opens_the_film_at_its_moment(notebook: Notebook) -> None:
    notebook.scroll_to(9)
    expect(notebook.output(9)).to_contain_text("Question 2.")
    player = notebook.output(10).locator(".mcts-player").first
    expect(player).to_be_visible()
    moment = notebook.python("(asked.asked[0].iteration, asked.asked[0].phase)")
    expect(player).to_have_attribute("data-iteration", str(moment[0]))
    expect(player).to_have_attribute("data-phase", moment[1])
    expect(notebook.output(11)).to_contain_text("✓ Right")


def test_run_all_makes_no_guess_and_a_click_does(notebook: Notebook) -> None:
    notebook.scroll_to(7)
    status = notebook.output(7).locator(".status")
    expect(status).to_have_text("Answer before you go on.")
    expect(notebook.output(8)).to_contain_text("Open: you have not made a guess.")
    expect(notebook.output(8)).not_to_contain_text("Answer: you")
    notebook.output(7).get_by_label("me", exact=True).check()
    expect(status).to_contain_text("Noted")
    notebook.run_all()
    expect(notebook.output(8)).to_contain_text("Your guess: me. Answer: you. A surprise.")
    expect(status).to_contain_text("Locked")
