"""Two films side by side in JupyterLab: one bar, one slider, both decisions in one table.

And "What if?", where a search goes on with one thing changed; both films keep its moment.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from .lab import DARK, HIGH_CONTRAST, LIGHT, Notebook, eventually

CELLS = [
    """from mcts_viz import MCTS, Compare, Player, TicTacToe
game = TicTacToe()
two = [MCTS(game, c, seed=4).record(iterations=n) for c, n in ((1.4, 120), (0.3, 90))]
compare = Compare(*two, iteration=1)
compare""",
    """player = Player(MCTS(game, seed=4).record(iterations=200), iteration=60, phase="select",
                tools=["whatif"])
player""",
]
VIEWPORT = {"width": 1366, "height": 768}


def root(notebook: Notebook) -> Locator:
    return notebook.output(0).locator(".mcts-compare")


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
    before = notebook.state()
    notebook.page.keyboard.press("Home")
    notebook.page.keyboard.press("ArrowRight")
    assert places(notebook) == [(1, "expand")] * 2
    for key in ("a", "b", "x", "d", "d", "ArrowDown", "b"):
        notebook.page.keyboard.press(key)
    assert notebook.state() == before
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


# "What if?" -------------------------------------------------------------------------------------


class Hands:
    """A player with its open panel, and methods for a reader's acts."""

    def __init__(self, notebook: Notebook) -> None:
        self.page: Page = notebook.page
        self.root = notebook.output(1).locator(".mcts-player").first
        self.panel = self.root.locator(".whatif")
        if self.panel.is_hidden():
            self.root.get_by_role("button", name="What if", exact=True).click()
        self.c = self.panel.get_by_label("c from here on")
        self.iterations = self.panel.get_by_label("Iterations")
        self.search = self.panel.get_by_role("button", name="Search on")
        self.alert = self.panel.locator("[role=alert]")
        self.pair = self.page.locator(".mcts-whatif .mcts-compare")

    def places(self) -> list[str]:
        players = self.pair.locator(".mcts-player").all()
        return [player.get_attribute("data-iteration") or "" for player in players]

    def back(self) -> None:
        self.page.keyboard.press("Escape")
        expect(self.pair).to_have_count(0)
        expect(self.root).to_be_visible()
        assert self.page.evaluate("() => document.activeElement !== document.body")


def test_nothing_is_searched_before_something_is_changed(notebook: Notebook) -> None:
    notebook.scroll_to(1)
    hands = Hands(notebook)
    bar = hands.root.locator(".controls")
    wide, shown = bar.evaluate("bar => [bar.scrollWidth, bar.clientWidth]")
    assert wide <= shown, "a button is cut off"
    expect(hands.panel).to_contain_text("differently from iteration 60?")
    expect(hands.iterations).to_have_value("141")
    hands.search.click()
    unchanged = "Nothing is changed yet: choose another move, or another c."
    expect(hands.alert).to_have_text(unchanged)
    hands.c.fill("")
    hands.c.press_sequentially("-1")
    hands.c.press("ArrowLeft")
    assert hands.root.get_attribute("data-iteration") == "60", "the keys of a form move no film"
    hands.c.press("Enter")
    too_low = "must be a number of at least 0"
    expect(hands.alert).to_contain_text(too_low)


def test_the_comparison_takes_the_place_of_the_film_and_escape_goes_back(
    notebook: Notebook,
) -> None:
    hands = Hands(notebook)
    before = hands.root.bounding_box()
    hands.panel.get_by_label("Next move at the root").select_option(label="3")
    hands.c.fill("0.5")
    hands.iterations.fill("50")
    hands.search.click()
    expect(hands.pair).to_be_visible()
    question = "What if iteration 60 had begun with 3, and c had been 0.5 from there on?"
    expect(hands.pair.locator(".name").nth(1)).to_contain_text(question)
    expect(hands.root).to_be_hidden()
    eventually(hands.places, ["60", "1"])
    eventually(hands.pair.bounding_box, before)
    assert notebook.python("(len(player.branch), player.branch.branch_points[-1][:])") == (
        50,
        (60, (3,), 0.5),
    )
    hands.page.keyboard.press("Shift+ArrowRight")
    assert hands.places() == ["61", "2"]
    hands.page.keyboard.press("End")
    assert hands.places() == ["109", "50"]
    for theme in (DARK, HIGH_CONTRAST, LIGHT):
        notebook.set_theme(theme)
        assert notebook.axe(".mcts-whatif .mcts-compare") == []
    hands.back()
    eventually(lambda: notebook.python("player.branch is None"), True)
    assert hands.root.get_attribute("data-iteration") == "60"
