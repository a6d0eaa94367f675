"""Two films side by side in JupyterLab: one leads, the other follows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from .lab import DARK, LIGHT, JupyterLab, Notebook, eventually

CELL = """from mcts_viz import MCTS, Compare, TicTacToe
game = TicTacToe()
compare = Compare(*(MCTS(game, c, seed=4).record(iterations=n) for c, n in ((1.4, 120), (0.3, 90))))
compare"""
LINKED = """import ipywidgets
slider = ipywidgets.IntSlider(min=0, max=500)
link = ipywidgets.jslink((slider, "value"), (compare, "iteration"))
slider"""


@pytest.fixture(scope="module")
def notebook(lab: JupyterLab) -> Iterator[Notebook]:
    with lab.open([CELL, LINKED], viewport={"width": 1700, "height": 1300}) as notebook:
        notebook.run_all()
        expect(notebook.page.locator(".mcts-player[data-iteration]")).to_have_count(2)
        yield notebook


def player(notebook: Notebook, side: int) -> Locator:
    return notebook.page.locator(".mcts-compare .mcts-player").nth(side)


def place(notebook: Notebook, side: int) -> tuple[int, str]:
    root = player(notebook, side)
    return int(root.get_attribute("data-iteration")), root.get_attribute("data-phase")


@pytest.mark.parametrize("leader", [0, 1])
def test_either_takes_the_other_along(notebook: Notebook, leader: int) -> None:
    player(notebook, leader).locator("input[type=range]").focus()
    notebook.page.keyboard.press("Home")
    for key in ("ArrowRight", "Shift+ArrowRight", "ArrowRight"):
        notebook.page.keyboard.press(key)
        assert place(notebook, 0) == place(notebook, 1)
    assert place(notebook, 0) == (2, "simulate")


def test_the_shorter_film_waits_at_its_end(notebook: Notebook) -> None:
    player(notebook, 0).locator("input[type=range]").focus()
    notebook.page.keyboard.press("End")
    assert (place(notebook, 0)[0], place(notebook, 1)[0]) == (120, 90)


def test_the_keys_of_its_button_stay_out_of_the_notebook(notebook: Notebook) -> None:
    """It lies outside both players, and in command mode X would cut the cell with all of them."""
    button = notebook.page.locator(".mcts-compare .difference").get_by_role("button")
    button.focus()
    for key in ("a", "b", "x", "d", "d", "ArrowDown", "m"):
        notebook.page.keyboard.press(key)
    expect(button).to_be_focused()
    assert notebook.cells() == 2


def test_a_button_leads_to_the_first_difference(notebook: Notebook) -> None:
    differ = notebook.python("compare.differ")
    note = notebook.page.locator(".mcts-compare .difference")
    expect(note).to_contain_text(f"first differ in iteration {differ}")
    note.get_by_role("button").click()
    assert place(notebook, 0) == place(notebook, 1) == (differ, "select")
    eventually(lambda: notebook.python("(compare.iteration, compare.phase)"), (differ, "select"))


def test_python_moves_both(notebook: Notebook) -> None:
    notebook.python("setattr(compare, 'iteration', 33)")
    for side in (0, 1):
        expect(player(notebook, side)).to_have_attribute("data-iteration", "33")
    notebook.python("setattr(compare, 'error', 'Something went wrong.')")
    expect(player(notebook, 0).locator("> .alert")).to_have_text("Something went wrong.")
    assert notebook.errors == []


def test_a_linked_slider_goes_along_with_both(notebook: Notebook) -> None:
    slider = notebook.output(1)
    player(notebook, 1).locator("input[type=range]").focus()
    for key in ("Home", "Shift+ArrowRight"):
        notebook.page.keyboard.press(key)
    expect(slider.locator(".widget-readout")).to_have_text("2")
    slider.locator(".noUi-handle").focus()
    for key, places in (("ArrowRight", (3, 3)), ("End", (120, 90))):
        notebook.page.keyboard.press(key)
        for side, iteration in enumerate(places):
            expect(player(notebook, side)).to_have_attribute("data-iteration", str(iteration))
        eventually(lambda: notebook.python("(compare.iteration, compare.error)"), (max(places), ""))
    assert notebook.errors == []


def test_they_stand_side_by_side_if_there_is_room(notebook: Notebook) -> None:
    boxes = [player(notebook, side).bounding_box() for side in (0, 1)]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_axe_finds_nothing(notebook: Notebook, theme: str) -> None:
    notebook.set_theme(theme)
    assert notebook.axe(".mcts-compare") == []
