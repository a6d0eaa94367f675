"""Somebody who clicks everything: at the end nothing has broken, and page and kernel agree."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator

from .lab import JupyterLab, Notebook, eventually

CELLS = [
    "from mcts_viz import *\ntrace = MCTS(TicTacToe(), seed=4).record(iterations=150)\n"
    "player = Player(trace)\nplayer",
    "film = Film(record_minimax(alpha_beta, Nim((1, 2))), 20)\nwalk = Player(film)\nwalk",
    "pair = Compare(trace, MCTS(TicTacToe(), c=0.3, seed=4).record(iterations=90), cards=10)\npair",
    "play = Play(TicTacToe(), MCTSAgent(TicTacToe(), 60, seed=1))\nplay",
]
KEYS = [
    *("ArrowRight", "ArrowLeft", "Shift+ArrowRight", "Control+ArrowLeft", "Home", "End", "Escape"),
    *("t", "p", "r", "b", "l", "f", "+", "-", "0", "Tab", "Shift+Tab", "Enter", " ", "x", "7"),
    *("ArrowUp", "ArrowDown", "PageUp", "PageDown", "Backspace", "Delete"),
]
ACTIONS = 500
PAUSE = """() => [...document.querySelectorAll(".transport button")]
    .filter(button => button.textContent.endsWith("Pause")).forEach(button => button.click())"""


@pytest.fixture
def notebook(lab: JupyterLab) -> Iterator[Notebook]:
    with lab.open(CELLS, viewport={"width": 1200, "height": 8000}) as notebook:
        notebook.run_all()
        notebook.page.locator(".mcts-player[data-iteration]").nth(3).wait_for()
        notebook.page.locator(".mcts-play").wait_for()
        yield notebook


class Monkey:
    """Does one thing after another to the widgets of a notebook, by lot."""

    def __init__(self, notebook: Notebook, seed: int) -> None:
        self.page, self.random = notebook.page, random.Random(seed)
        self.widgets = [notebook.output(cell) for cell in range(len(CELLS))]
        self.done: list[str] = []

    def act(self) -> None:
        """A click (or two) on something or anywhere, keys, a drag, or a place on the slider."""
        kind = self.random.choices(["click", "press", "drag", "slide"], [5, 5, 1, 2])[0]
        self.done.append(kind)
        wanted = WANTED[kind]
        found = self.random.choice(self.widgets).locator(wanted)
        count = found.count()  # what is found may go while Play thinks
        one = found.nth(self.random.randrange(count)) if count else None
        if kind == "press":
            if one and self.random.random() < 0.3:
                one.evaluate_all("([found]) => found?.focus()")
            inside = ".mcts-player, .mcts-play, .mcts-compare"  # else JupyterLab deletes cells
            if self.page.evaluate(f"() => !!document.activeElement?.closest('{inside}')"):
                key = self.random.choice(KEYS)
                for _ in range(self.random.choice([1, 1, 2, 8])):
                    self.page.keyboard.press(key)
        elif one and kind == "slide":
            last = int(one.get_attribute("max") or 1)
            one.fill(str(self.random.randint(1, last)))
        elif one and (place := self.place_in(one)):
            self.page.mouse.move(*place)
            self.page.mouse.down()
            if kind == "drag" and (end := self.place_in(one)):
                self.page.mouse.move(*end, steps=4)
            self.page.mouse.up()
            if kind == "click" and self.random.random() < 0.25:
                self.page.mouse.click(*place, click_count=2)

    def place_in(self, element: Locator) -> tuple[float, float] | None:
        """A point of an element, which is scrolled into sight; ``None`` if it has gone."""
        element.evaluate_all("([found]) => found?.scrollIntoView({ block: 'center' })")
        box = element.bounding_box() if element.count() else None
        if box is None:
            return None
        x = box["x"] + box["width"] * self.random.random()
        return x, box["y"] + box["height"] * self.random.random()


WANTED = {
    "click": "button:visible, .card:visible, .stub:visible, [role=row]:visible, input:visible",
    "press": "input[type=range]:visible, button:visible",
    "drag": "svg.mcts-tree:visible",
    "slide": ".track input:visible",
}


def agree(notebook: Notebook, cell: int, name: str) -> bool:
    """Whether the kernel has heard where the (first) player of a cell stands."""
    shown = notebook.output(cell).locator(".mcts-player[data-iteration]").first
    here = shown.evaluate("root => [Number(root.dataset.iteration), root.dataset.phase]")
    return tuple(here) == notebook.python(f"({name}.iteration, {name}.phase)")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_clicked_nothing_breaks(notebook: Notebook, seed: int) -> None:
    monkey = Monkey(notebook, seed)
    for _ in range(ACTIONS):
        monkey.act()
        assert notebook.errors == [], monkey.done[-5:]
        assert notebook.state()[-1] == len(CELLS), monkey.done[-5:]
    notebook.page.evaluate(PAUSE)
    # A point of a card that lies beyond its picture may be JupyterLab's own, which folds a cell.
    notebook.page.evaluate("jupyterapp.commands.execute('notebook:show-all-cell-outputs')")
    notebook.wait_for_kernel()
    for cell, name in ((0, "player"), (1, "walk"), (2, "pair")):
        notebook.scroll_to(cell)
        while not agree(notebook, cell, name):
            notebook.page.wait_for_timeout(50)
    while notebook.python("play.thinking"):
        notebook.page.wait_for_timeout(50)
    notebook.scroll_to(len(CELLS) - 1)
    board = notebook.page.locator(".mcts-play").first
    eventually(
        lambda: board.get_attribute("data-version"),
        str(notebook.python("play.position['version']")),
    )
    # A click that cannot be meant is refused by the page alone, with a sentence it was given.
    scene = notebook.python("{name: play.position[name] for name in ('said', 'why', 'closed')}")
    said = board.locator(".said").text_content()
    assert said in {scene["said"], scene["closed"], *(scene["why"] or ())}
    for alert in notebook.page.locator(".mcts-player > .alert:visible").all():
        assert not alert.text_content(), monkey.done[-5:]
    assert notebook.errors == []
    assert notebook.outside == []
