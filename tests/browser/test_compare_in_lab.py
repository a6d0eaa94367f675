"""Two films side by side in JupyterLab: one bar, one slider, both decisions in one table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from .lab import Notebook, eventually

CELLS = [
    """from mcts_viz import MCTS, Compare, TicTacToe
game = TicTacToe()
two = [MCTS(game, c, seed=4).record(iterations=n) for c, n in ((1.4, 120), (0.3, 90))]
compare = Compare(*two, iteration=1)
compare"""
]
VIEWPORT = {"width": 1366, "height": 768}


def root(notebook: Notebook) -> Locator:
    return notebook.page.locator(".mcts-compare")


def places(notebook: Notebook) -> list[tuple[int, str]]:
    return [
        (int(player.get_attribute("data-iteration")), player.get_attribute("data-phase"))
        for player in root(notebook).locator(".mcts-player").all()
    ]


def test_it_is_one_screen_with_one_bar_and_the_trees_high_up(notebook: Notebook) -> None:
    box = root(notebook).bounding_box()
    assert box["height"] <= 612
    assert root(notebook).locator("input[type=range]:visible").count() == 2
    assert root(notebook).get_by_role("slider", name="Phase").count() == 1
    stages = [stage.bounding_box() for stage in root(notebook).locator(".stage").all()]
    assert stages[0]["y"] == stages[1]["y"]
    assert stages[0]["y"] - box["y"] <= 128  # bar with its slider of phases, and ribbon
    assert stages[0]["width"] == stages[1]["width"]
    assert stages[0]["x"] + stages[0]["width"] <= stages[1]["x"]
    table = root(notebook).locator(".decisions").bounding_box()
    assert table["y"] + table["height"] <= box["y"] + box["height"]


def test_the_keys_on_the_bar_move_both_and_stay_out_of_the_notebook(notebook: Notebook) -> None:
    button = root(notebook).get_by_role("button", name="First difference")
    button.focus()
    notebook.page.keyboard.press("Home")
    notebook.page.keyboard.press("ArrowRight")
    assert places(notebook) == [(1, "expand")] * 2
    for key in ("a", "b", "x", "d", "d", "ArrowDown", "b"):
        notebook.page.keyboard.press(key)
    assert notebook.state()[-1] == 1
    notebook.page.keyboard.press("v")
    views = root(notebook).locator(".mcts-player[data-view=walk]")
    expect(views).to_have_count(2)
    notebook.page.keyboard.press("v")
    expect(views).to_have_count(0)


def test_a_button_leads_to_the_first_difference_which_is_marked(notebook: Notebook) -> None:
    differ = notebook.python("compare.differ")
    root(notebook).get_by_role("button", name=f"First difference: {differ}").click()
    assert places(notebook) == [(differ, "select")] * 2
    eventually(lambda: notebook.python("(compare.iteration, compare.phase)"), (differ, "select"))
    mark, now = (
        root(notebook).locator(part).first.bounding_box() for part in (".apart", ".ribbon .now")
    )
    assert abs(mark["x"] + mark["width"] / 2 - now["x"] - now["width"] / 2) < 4
    words = root(notebook).locator(".mcts-player .words").all_inner_texts()
    assert words[0] != words[1]


def test_the_table_holds_both_decisions(notebook: Notebook) -> None:
    rows = root(notebook).locator(".decisions tbody tr:visible")
    expect(rows).to_have_count(9)
    for side in (0, 1):
        now = f"two[{side}].at(compare.differ, 'select')"
        scores = notebook.python(
            f"{{two[{side}].label(n): {now}.score(n) for n in {now}.children(0)}}"
        )
        for row in rows.all():
            share, _, score = row.locator("td").all_inner_texts()[3 * side : 3 * side + 3]
            assert "/" in share
            assert float(score) == pytest.approx(scores[row.get_attribute("data-row")], abs=0.006)
    assert root(notebook).locator(".decisions .score.chosen").count() == 2


def test_both_ribbons_have_the_moves_in_one_order(notebook: Notebook) -> None:
    found = notebook.page.evaluate(
        """() => [...document.querySelectorAll(".mcts-compare .ribbon")].map(ribbon =>
            [...ribbon.querySelectorAll(".area")].map(area => area.dataset.move))"""
    )
    assert found == [list("012345678")] * 2


def test_python_moves_both(notebook: Notebook) -> None:
    notebook.python("setattr(compare, 'iteration', 33)")
    eventually(lambda: [place for place, _ in places(notebook)], [33, 33])
    notebook.python("setattr(compare, 'iteration', 120)")
    eventually(lambda: [place for place, _ in places(notebook)], [120, 90])
