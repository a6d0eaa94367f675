"""The player in JupyterLab: its keys, what Python hears and says, and a kernel left alone."""

from __future__ import annotations

from dataclasses import dataclass

import nbformat
import pytest
from playwright.sync_api import Locator, Page, expect
from repository import ROOT

from mcts_viz.search import PHASES

from .lab import Notebook, eventually


def lesson_cell(number: str, words: str) -> str:
    """The code of a lesson that holds these words, as the student has it."""
    (path,) = (ROOT / "notebooks").glob(f"{number}_*.ipynb")
    cells = nbformat.read(path, as_version=4).cells
    codes = [str(cell.source) for cell in cells if cell.cell_type == "code"]
    (source,) = (code for code in codes if words in code)
    return source


CELLS = [
    """import ipywidgets
from mcts_viz import MCTS, Player, TicTacToe
trace = MCTS(TicTacToe(), seed=4).record(iterations=200)
heard = []
""",
    """own = Player(trace, 1)
own.observe(lambda change: heard.append((change.name, change.new)), ["iteration", "phase"])
own""",
    "twin = Player(trace, 1)\ntwin",
    """slider = ipywidgets.IntSlider(min=0, max=500)
link = ipywidgets.jslink((slider, "value"), (twin, "iteration"))
slider""",
    """game, SEED = TicTacToe(), 4
position = game.parse("... ..X OX.")""",
    lesson_cell("05", "dlink"),
    """choice = ToggleButtons(options=["simulate", "expand", "select"])
dlink((choice, "value"), (player, "phase"))
choice""",
]
VIEWPORT = {"width": 1400, "height": 1300}


@dataclass
class Screen:
    """A player on the page, with methods for a reader's keys and clicks."""

    notebook: Notebook
    root: Locator

    @property
    def page(self) -> Page:
        return self.notebook.page

    def place(self) -> tuple[int, str]:
        at = self.root.evaluate("root => [root.dataset.iteration, root.dataset.phase]")
        return int(at[0]), at[1]

    def press(self, *keys: str) -> tuple[int, str]:
        for key in keys:
            self.page.keyboard.press(key)
        self.page.evaluate("() => new Promise(requestAnimationFrame)")  # that paints a slide
        return self.place()

    def go(self, iteration: int, phase: str) -> None:
        self.root.locator(".track input").fill(str(iteration))
        self.root.locator(".phases input").fill(str(PHASES.index(phase)))
        eventually(self.place, (iteration, phase))


def screen_of(notebook: Notebook, cell: int) -> Screen:
    screen = Screen(notebook, notebook.output(cell).locator(".mcts-player[data-iteration]"))
    screen.root.scroll_into_view_if_needed()
    return screen


@pytest.fixture
def screen(notebook: Notebook) -> Screen:
    """The player at iteration 100, with the focus."""
    screen = screen_of(notebook, 1)
    screen.root.focus()
    screen.go(100, "select")
    screen.root.focus()
    eventually(lambda: notebook.python("(own.iteration, own.phase)"), (100, "select"))
    return screen


@pytest.mark.parametrize("holder", [".track input", ".card"])
def test_keys_move_the_player_and_nothing_else(screen: Screen, holder: str) -> None:
    """In command mode A and B add a cell, D D deletes one, M changes it, Enter opens it."""
    screen.root.locator(holder).first.focus()
    before = screen.notebook.state()
    assert screen.press("Shift+ArrowRight") == (101, "select")
    assert screen.press("2", "Control+ArrowRight") == (102, "expand")
    assert screen.press("Shift+ArrowLeft") == (101, "expand")
    screen.press("a", "x", "d", "d", "y", "j", "k", "z", "b", "b", "m", "m", "0", "0")
    screen.press("ArrowDown", "ArrowUp", "PageDown", "PageUp", "Shift+ArrowDown", "Escape")
    assert screen.press("Home") == (1, "select")
    assert screen.notebook.state() == before
    assert screen.root.evaluate("root => root.contains(document.activeElement)")
    expect(screen.root.locator(".hint")).to_contain_text("Space plays")


def test_python_hears_where_the_reader_rests_and_moves_the_page(screen: Screen) -> None:
    screen.notebook.python("heard.clear()")
    assert screen.press("Control+ArrowRight", "2") == (101, "expand")
    eventually(lambda: screen.notebook.python("(own.iteration, own.phase)"), (101, "expand"))
    heard = screen.notebook.python("heard")
    assert sorted(heard) == [("iteration", 101), ("phase", "expand")]
    screen.notebook.python("setattr(own, 'iteration', 7)")
    eventually(lambda: screen.place()[0], 7)
    screen.notebook.python("setattr(own, 'phase', 'simulate')")
    eventually(screen.place, (7, "simulate"))


def test_the_dashboard_of_a_lesson_moves_its_player(notebook: Notebook) -> None:
    """Lesson 05: each of its buttons, a place dragged to in between, and a phase that is linked."""
    screen = screen_of(notebook, 5)
    for iteration in (170, 200, 1000, 50):
        notebook.output(5).get_by_role("button", name=str(iteration), exact=True).click()
        eventually(lambda: screen.place()[0], iteration)
        eventually(lambda: notebook.python("player.iteration"), iteration)
    screen.go(180, "simulate")
    eventually(lambda: notebook.python("(player.iteration, player.phase)"), (180, "simulate"))
    for phase in ("expand", "select"):
        notebook.output(6).get_by_role("button", name=phase, exact=True).click()
        eventually(screen.place, (180, phase))


def test_a_linked_slider_goes_along_on_the_page_alone(notebook: Notebook) -> None:
    twin = screen_of(notebook, 2)
    twin.go(100, "select")
    eventually(lambda: notebook.python("twin.iteration"), 100)
    readout = notebook.output(3).locator(".widget-readout")
    eventually(readout.inner_text, "100")
    for told, taken in [(33, 33), (450, 200), (0, 1), (20, 20)]:
        readout.click()
        readout.fill(str(told))
        readout.press("Enter")
        eventually(lambda: twin.place()[0], taken)
    eventually(lambda: notebook.python("(twin.iteration, twin.error)"), (20, ""))
