"""The textbook's tree with sliders, in JupyterLab: keys, drags, a player beside it, two trees."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from mcts_viz.film.pictures import THEMES

from .lab import Notebook, eventually

pytestmark = pytest.mark.graphviz

CELLS = [
    """from mcts_viz import MCTS, Player, TicTacToe, alpha_beta, graphviz_slider
from mcts_viz.trace import record_minimax
game = TicTacToe()
late = game.parse("XX. .O. ...")
trace = MCTS(game, seed=4).record(late, iterations=60)
walk = record_minimax(alpha_beta, game, late)""",
    "tree = graphviz_slider(trace)\ntree",
    "player = Player(trace, 20)\nplayer",
    "follower = graphviz_slider(player)\nfollower",
    "graphviz_slider(trace, walk, theme='dark')",
]
VIEWPORT = {"width": 1366, "height": 1500}


def words(notebook: Notebook, cell: int, picture: int = 0) -> str:
    """The words with which the picture describes itself."""
    shown = notebook.output(cell).locator("svg[role=img]").nth(picture)
    return str(shown.get_attribute("aria-label"))


def handle(notebook: Notebook, cell: int, number: int) -> Locator:
    return notebook.output(cell).locator(".noUi-handle, .ui-slider-handle").nth(number)


def test_keys_step_through_iterations_and_phases(notebook: Notebook) -> None:
    notebook.scroll_to(1)
    eventually(lambda: words(notebook, 1), "iteration 30, backpropagate: Tic-tac-toe: O to move")
    handle(notebook, 1, 0).focus()
    notebook.page.keyboard.press("ArrowRight")
    eventually(lambda: words(notebook, 1)[:26], "iteration 31, backpropagat")
    phases = handle(notebook, 1, 1)
    phases.focus()
    for key, said in [
        ("ArrowLeft", "iteration 31, simulate"),
        ("ArrowLeft", "iteration 31, expand"),
        ("ArrowRight", "iteration 31, simulate"),
        ("ArrowRight", "iteration 31, backpropagate"),
        ("ArrowRight", "iteration 32, select"),
        ("ArrowLeft", "iteration 31, backpropagate"),
    ]:
        notebook.page.keyboard.press(key)
        eventually(lambda: words(notebook, 1).split(":")[0], said)
    caption = notebook.output(1).locator(".widget-html").last
    expect(caption).to_contain_text("Back up the path")
    assert notebook.python("(tree.iteration, tree.phase)") == (31, "backpropagate")
    notebook.python("setattr(tree, 'iteration', 7)")
    eventually(lambda: words(notebook, 1).split(":")[0], "iteration 7, backpropagate")
    notebook.python("setattr(tree, 'phase', 'expand')")
    eventually(lambda: words(notebook, 1).split(":")[0], "iteration 7, expand")
    assert not notebook.errors


def test_a_drag_leads_through_the_pictures(notebook: Notebook) -> None:
    notebook.scroll_to(1)
    at = handle(notebook, 1, 0).bounding_box()
    assert at
    mouse = notebook.page.mouse
    mouse.move(at["x"] + 5, at["y"] + 5)
    mouse.down()
    for step in range(1, 21):
        mouse.move(at["x"] + 5 + 8 * step, at["y"] + 5)
    mouse.up()
    eventually(lambda: notebook.python("tree.iteration") > 20, True)
    notebook.wait_for_kernel()

    def is_shown() -> bool:  # Python's moment, which may learn of the last steps late
        here = notebook.python("tree.iteration")
        return words(notebook, 1).split(",")[0] == f"iteration {here}"

    eventually(is_shown, True)


def test_a_player_and_the_picture_follow_each_other(notebook: Notebook) -> None:
    notebook.scroll_to(2)
    root = notebook.output(2).locator(".mcts-player[data-iteration]")
    root.focus()
    root.locator(".track input").fill("25")
    eventually(lambda: words(notebook, 3).split(",")[0], "iteration 25")
    root.focus()
    notebook.page.keyboard.press("2")
    eventually(lambda: words(notebook, 3).split(":")[0], "iteration 25, expand")
    notebook.python("setattr(follower, 'iteration', 12)")
    eventually(lambda: root.get_attribute("data-iteration"), "12")
    assert notebook.output(3).locator(".noUi-handle, .ui-slider-handle").count() == 0
    notebook.scroll_to(3)


def test_two_trees_stand_side_by_side(notebook: Notebook) -> None:
    notebook.scroll_to(4)
    eventually(lambda: words(notebook, 4, 1).split(",")[0], "step 104")
    boxes = [notebook.output(4).locator("svg[role=img]").nth(n).bounding_box() for n in (0, 1)]
    assert boxes[0]
    assert boxes[1]
    assert boxes[0]["y"] == pytest.approx(boxes[1]["y"], abs=60), "beside each other"
    assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"] + 1
    assert boxes[0]["width"] > 420, "large enough to be read"
    for picture in (0, 1):
        drawn = notebook.output(4).locator("svg[role=img]").nth(picture).inner_html()
        assert THEMES["dark"]["page"] in drawn
        assert THEMES["light"]["page"] not in drawn
    handle(notebook, 4, 2).focus()
    notebook.page.keyboard.press("ArrowRight")
    eventually(lambda: words(notebook, 4, 1).split(",")[0], "step 105")
    eventually(lambda: words(notebook, 4).split(",")[0], "iteration 30")


def test_text_keeps_within_its_room_in_the_browser(notebook: Notebook) -> None:
    """As wide as it was taken to be, in the typeface of the pictures."""
    notebook.python("setattr(tree, 'iteration', 57)")
    eventually(lambda: words(notebook, 1).split(",")[0], "iteration 57")
    outside = (
        notebook.output(1)
        .locator("svg[role=img]")
        .evaluate(
            """svg => {
            const frame = svg.getBoundingClientRect();
            return [...svg.querySelectorAll("text")].filter(text => {
                const box = text.getBoundingClientRect();
                return box.left < frame.left - 1 || box.right > frame.right + 1;
            }).map(text => text.textContent);
        }"""
        )
    )
    assert outside == []
