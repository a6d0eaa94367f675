"""In "What if?" a search goes on with one thing changed; both films keep its moment."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from .lab import DARK, HIGH_CONTRAST, LIGHT, Notebook, eventually

CELLS = [
    """from mcts_viz import *
player = Player(MCTS(TicTacToe(), seed=4).record(iterations=200), iteration=60, phase="select",
                tools=["whatif"])
player"""
]
VIEWPORT = {"width": 1366, "height": 768}


class Hands:
    """A player with its open panel, and methods for a reader's acts."""

    def __init__(self, notebook: Notebook) -> None:
        self.page: Page = notebook.page
        self.root = self.page.locator(".mcts-player").first
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
        assert notebook.axe(".mcts-compare") == []
    hands.back()
    eventually(lambda: notebook.python("player.branch is None"), True)
    assert hands.root.get_attribute("data-iteration") == "60"
