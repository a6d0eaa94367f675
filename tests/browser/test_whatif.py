"""What if: a search goes on otherwise from the moment on the screen, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from mcts_viz import MCTS, Film, TicTacToe

from .lab import DARK, HIGH_CONTRAST, LIGHT, PATIENCE, JupyterLab, Notebook, eventually

CELLS = [
    """from mcts_viz import *
player = Player(MCTS(TicTacToe(), seed=4).record(iterations=200), iteration=60, phase="select")
player""",
]
LONG = PATIENCE * 1000  # milliseconds, for what a kernel under load has to do first
SLOW = [
    """from mcts_viz import *
slow = Player(MCTS(ConnectFour(), seed=4).record(iterations=60), iteration=3)
slow""",
]


class Hands:
    """One player with its panel, and what a reader does with them."""

    def __init__(self, notebook: Notebook) -> None:
        self.page: Page = notebook.page
        self.root = self.page.locator(".mcts-player").first
        self.switch = self.root.get_by_role("button", name="What if", exact=True)
        self.panel = self.root.locator(".whatif")
        self.move = self.panel.get_by_label("Next move at the root")
        self.c = self.panel.get_by_label("c from here on")
        self.iterations = self.panel.get_by_label("Iterations")
        self.search = self.panel.get_by_role("button", name="Search on")
        self.said = self.panel.locator("[role=status]")
        self.alert = self.panel.locator("[role=alert]")
        self.below = self.page.locator(".mcts-branch")
        self.branch = self.below.locator(".mcts-player")

    def open(self) -> None:
        if self.panel.is_hidden():
            self.switch.click()

    def place(self, player: Locator) -> tuple[int, str]:
        at = player.evaluate("root => [root.dataset.iteration, root.dataset.phase]")
        return int(at[0]), at[1]

    def close(self) -> None:
        self.below.get_by_role("button", name="Close").click()
        expect(self.below).to_be_hidden(timeout=LONG)


@pytest.fixture(scope="module")
def notebook(lab: JupyterLab) -> Iterator[Notebook]:
    with lab.open(CELLS, viewport={"width": 1400, "height": 2600}) as notebook:
        notebook.run_all()
        expect(notebook.page.locator(".mcts-player[data-iteration]")).to_have_count(1)
        yield notebook
        assert notebook.errors == []
        assert notebook.outside == []


def test_another_move_and_another_c_by_mouse(notebook: Notebook) -> None:
    hands = Hands(notebook)
    expect(hands.panel).to_be_hidden()
    hands.open()
    expect(hands.panel).to_contain_text("in another way from iteration 60?")
    moves = hands.move.locator("option").all_text_contents()
    assert moves == ["as the search chooses", *map(str, range(9))]
    expect(hands.iterations).to_have_value("141")
    hands.move.select_option(label="3")
    hands.c.fill("0.5")
    hands.iterations.fill("50")
    hands.search.click()
    expect(hands.branch).to_have_attribute("data-iteration", "1", timeout=LONG)
    expect(hands.said).to_contain_text(
        "What if iteration 60 had begun with 3, and c had been 0.5 from there on?"
    )
    expect(hands.below.locator("> .head")).to_contain_text("What if iteration 60 had begun with 3")
    assert hands.place(hands.root) == (60, "select"), "the first film stays where it is"
    assert hands.place(hands.branch) == (1, "select")
    expect(hands.branch.locator(".counter")).to_have_text("1 / 50")
    assert notebook.python("(len(player.branch), player.branch.c)") == (50, 0.5)
    assert notebook.python("player.branch.turns[-1][:]") == (60, (3,), 0.5)
    hands.branch.locator("input[type=range]").focus()
    hands.page.keyboard.press("End")
    assert hands.place(hands.branch) == (50, "backpropagate")
    assert hands.place(hands.root) == (60, "select")
    visits = notebook.python("int(player.branch.visits(50)[0])")
    assert visits == 59 + 50
    expect(hands.branch.locator('.card[data-node="0"] .share')).to_contain_text(f"/{visits}")
    hands.close()
    assert notebook.python("player.branch is None")
    expect(hands.search).to_be_focused()


def test_the_whole_way_by_keyboard(notebook: Notebook) -> None:
    hands = Hands(notebook)
    hands.open()
    hands.move.focus()
    hands.page.keyboard.press("Escape")
    expect(hands.panel).to_be_hidden()
    expect(hands.switch).to_be_focused()
    hands.page.keyboard.press("Enter")
    expect(hands.move).to_be_focused()
    hands.page.keyboard.press("Home")
    hands.page.keyboard.press("ArrowDown")
    expect(hands.move).to_have_value("0")
    hands.page.keyboard.press("Tab")
    expect(hands.c).to_be_focused()
    hands.page.keyboard.press("Control+a")
    hands.page.keyboard.type("2")
    hands.page.keyboard.press("Tab")
    hands.page.keyboard.press("Control+a")
    hands.page.keyboard.type("30")
    assert hands.place(hands.root) == (60, "select"), "the keys of a form do not move the film"
    hands.page.keyboard.press("Tab")
    expect(hands.search).to_be_focused()
    hands.page.keyboard.press("Enter")
    expect(hands.branch.locator(".counter")).to_have_text("1 / 30", timeout=LONG)
    assert notebook.python("(player.branch.c, player.branch.turns[-1].moves)") == (2.0, (0,))
    hands.below.get_by_role("button", name="Close").focus()
    hands.page.keyboard.press("Enter")
    expect(hands.below).to_be_hidden(timeout=LONG)
    expect(hands.search).to_be_focused()


def test_the_moment_of_the_film_is_the_moment_of_the_branch(notebook: Notebook) -> None:
    hands = Hands(notebook)
    hands.open()
    hands.root.locator("input[type=range]").fill("100")
    expect(hands.panel).to_contain_text("from iteration 100?")
    hands.move.select_option(label="as the search chooses")
    hands.c.fill("")
    hands.iterations.fill("20")
    hands.search.click()
    expect(hands.said).to_contain_text("once more from iteration 100 on.", timeout=LONG)
    recorded = "player.film.trace.leaf[99:119].tolist()"
    assert notebook.python(f"player.branch.leaf.tolist() == {recorded}")
    hands.close()


def test_what_cannot_be_searched_is_said_in_a_sentence(notebook: Notebook) -> None:
    hands = Hands(notebook)
    hands.open()
    hands.c.fill("-1")
    hands.search.click()
    too_low = "the exploration constant is a number of at least 0"
    expect(hands.alert).to_contain_text(too_low, timeout=LONG)
    hands.c.fill("1")
    hands.iterations.fill("0")
    hands.search.click()
    expect(hands.alert).to_contain_text("a whole number of iterations", timeout=LONG)
    expect(hands.below).to_be_hidden()
    hands.iterations.fill("10")
    hands.search.click()
    expect(hands.branch.locator(".counter")).to_have_text("1 / 10", timeout=LONG)
    expect(hands.alert).to_be_hidden()
    hands.close()


def test_a_long_branch_shows_how_far_it_is_and_can_be_stopped(lab: JupyterLab) -> None:
    with lab.open(SLOW, viewport={"width": 1400, "height": 2600}) as notebook:
        notebook.run_all()
        hands = Hands(notebook)
        hands.open()
        hands.iterations.fill("900000")
        hands.search.click()
        stop = hands.panel.get_by_role("button", name="Stop")
        expect(hands.panel.locator("progress")).to_be_visible(timeout=LONG)
        expect(hands.panel.locator(".thinking")).to_contain_text("searching on", timeout=LONG)
        stop.click()
        expect(hands.said).to_contain_text("for it was stopped", timeout=LONG)
        expect(hands.search).to_be_focused()
        eventually(lambda: notebook.python("0 < len(slow.branch) < 900000"), True)
        assert notebook.errors == []


@pytest.mark.parametrize("theme", [LIGHT, DARK, HIGH_CONTRAST])
def test_axe_finds_nothing_with_the_panel_and_a_branch_open(
    notebook: Notebook, theme: str, tmp_path: Path
) -> None:
    hands = Hands(notebook)
    notebook.set_theme(theme)
    hands.open()
    hands.iterations.fill("20")
    hands.search.click()
    expect(hands.branch.locator(".counter")).to_have_text("1 / 20", timeout=LONG)
    assert notebook.axe(".mcts-player") == []
    assert notebook.axe(".mcts-branch") == []
    notebook.screenshot(".jp-OutputArea-output", tmp_path / f"{theme}.png")
    hands.close()


def test_the_panel_is_not_offered_where_no_kernel_is(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "film.html"
    film = Film(MCTS(TicTacToe(), seed=4).record(iterations=20))
    file.write_text(film.to_html(), encoding="utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    page.locator(".mcts-player[data-iteration]").wait_for()
    assert page.get_by_role("button", name="What if").count() == 0
    assert page.get_by_role("button", name="Copy link").count() == 1
    context.close()
