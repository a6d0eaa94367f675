"""The player in JupyterLab: its keys, what Python hears and says, and a kernel left alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from .lab import DARK, HIGH_CONTRAST, LIGHT, JupyterLab, Notebook, eventually

CELLS = [
    """import ipywidgets
from mcts_viz import MCTS, Player, TicTacToe
trace = MCTS(TicTacToe(), seed=4).record(iterations=200)
heard = []

def cross():
    def late(told):
        if told["iteration"] == 101:
            del player.set_state
            player.iteration = 50
        Player.set_state(player, told)
    player.set_state = late

def complain(change):
    1 / (change.new - 5)
""",
    """player = Player(trace, 1)
player.observe(lambda change: heard.append((change.name, change.new)), ["iteration", "phase"])
player.observe(complain, "iteration")
player""",
    "twin = Player(trace, 1)\ntwin",
    """slider = ipywidgets.IntSlider(min=0, max=500)
link = ipywidgets.jslink((slider, "value"), (twin, "iteration"))
slider""",
]
MOST_PAUSE = 120  # milliseconds between two key presses, well below the pause that means rest


@dataclass
class Screen:
    """One player on the page, and hands to use it with."""

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
        self.root.locator("input[type=range]").fill(str(iteration))
        self.root.locator(f".phases .{phase}").click()
        assert self.place() == (iteration, phase)

    def outside(self) -> list[Any]:
        """What a key that escapes the player would change."""
        state: list[Any] = self.page.evaluate(
            """() => {
                const { content } = jupyterapp.shell.currentWidget;
                return [content.activeCellIndex, content.mode, content.widgets.length];
            }"""
        )
        return state


def screen_of(notebook: Notebook, cell: int) -> Screen:
    screen = Screen(notebook, notebook.output(cell).locator(".mcts-player[data-iteration]"))
    screen.root.scroll_into_view_if_needed()
    return screen


@pytest.fixture(scope="module")
def notebook(lab: JupyterLab) -> Iterator[Notebook]:
    with lab.open(CELLS, viewport={"width": 1400, "height": 2600}) as notebook:
        notebook.run_all()
        yield notebook
        assert notebook.errors == []
        assert notebook.outside == []


@pytest.fixture
def screen(notebook: Notebook) -> Screen:
    """The player at iteration 100, with the focus."""
    screen = screen_of(notebook, 1)
    screen.root.focus()
    screen.go(100, "select")
    screen.root.focus()
    eventually(lambda: notebook.python("(player.iteration, player.phase)"), (100, "select"))
    return screen


@pytest.mark.parametrize("holder", ["root", "input[type=range]", ".card", ".phase"])
@pytest.mark.drives("JupyterLab 4", "player")
def test_keys_move_the_player_and_nothing_else(screen: Screen, holder: str) -> None:
    """In command mode A and B add a cell, D D deletes one, M changes it, Enter opens it."""
    (screen.root if holder == "root" else screen.root.locator(holder).first).focus()
    before = screen.outside()
    assert screen.press("Shift+ArrowRight") == (100, "expand")  # past the levels of the walk
    assert screen.press("Control+ArrowRight") == (101, "expand")
    assert screen.press("Shift+ArrowLeft") == (100, "expand")
    screen.press("a", "x", "d", "d", "y", "j", "k", "z", "r", "r", "b", "b", "m", "m", "0", "0")
    screen.press("ArrowDown", "ArrowUp", "PageDown", "PageUp", "Shift+ArrowDown", "Escape")
    assert screen.press("Home") == (1, "select")
    assert screen.outside() == before
    assert screen.root.evaluate("root => root.contains(document.activeElement)")


@pytest.mark.drives("JupyterLab 4", "moves reach Python")
def test_python_hears_where_the_reader_rests_and_moves_the_page(screen: Screen) -> None:
    screen.notebook.python("heard.clear()")
    assert screen.press("Control+ArrowRight", "Shift+ArrowRight") == (101, "expand")
    eventually(lambda: screen.notebook.python("(player.iteration, player.phase)"), (101, "expand"))
    heard = screen.notebook.python("heard")
    assert sorted(heard) == [("iteration", 101), ("phase", "expand")]
    screen.notebook.python("setattr(player, 'iteration', 7)")
    eventually(lambda: screen.place()[0], 7)
    screen.notebook.python("setattr(player, 'phase', 'simulate')")
    eventually(screen.place, (7, "simulate"))


def test_python_has_the_last_word_against_a_move_that_still_rests(screen: Screen) -> None:
    """The page has not told its move yet when Python sets another: it must not tell it later."""
    screen.press("Control+ArrowRight")
    screen.notebook.python("setattr(player, 'iteration', 50)")
    eventually(screen.place, (50, "select"))
    screen.page.wait_for_timeout(500)  # more than the pause that means rest
    assert screen.place() == (50, "select")
    eventually(lambda: screen.notebook.python("player.iteration"), 50)


def test_python_has_the_last_word_against_a_move_that_is_on_its_way(screen: Screen) -> None:
    screen.notebook.python("cross()")
    screen.root.evaluate(  # both in one go, so that the page rests after the second only
        """player => {
            for (const more of [{ ctrlKey: true }, { shiftKey: true }])
                player.dispatchEvent(
                    new KeyboardEvent("keydown", { key: "ArrowRight", ...more }));
        }"""
    )
    assert screen.place() in ((101, "expand"), (50, "select"))
    eventually(screen.place, (50, "select"))
    assert screen.notebook.python("(player.iteration, player.phase)") == (50, "select")


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


def unhurried(screen: Screen, scrub: Callable[[], None]) -> int:
    """Kernel messages while scrubbing, from a run in which the machine did not pause by itself."""
    for _ in range(50):
        told = -1
        while told != (now := screen.notebook.kernel_messages()):
            told = now
            screen.page.wait_for_timeout(800)
            screen.notebook.wait_for_kernel()
        screen.page.evaluate(
            """() => {
                window.moves = [performance.now()];
                window.note = () => moves.push(performance.now());
                for (const name of ["keydown", "input"]) addEventListener(name, note, true);
            }"""
        )
        before = screen.notebook.kernel_messages()
        scrub()
        after = screen.notebook.kernel_messages()
        pause = screen.page.evaluate(
            """() => {
                for (const name of ["keydown", "input"]) removeEventListener(name, note, true);
                moves.push(performance.now());
                return Math.max(...moves.slice(1).map((t, i) => i ? t - moves[i] : 0));
            }"""
        )
        if pause < MOST_PAUSE:
            return after - before
    raise AssertionError("The machine paused in every run.")


@pytest.mark.slow
def test_scrubbing_sends_nothing(screen: Screen) -> None:
    box = screen.root.locator("input[type=range]").bounding_box()
    assert box
    y, mouse = box["y"] + box["height"] / 2, screen.page.mouse

    def keys() -> None:
        for key in ["ArrowRight"] * 15 + ["Control+ArrowRight"] * 15:
            screen.press(key)

    def drag() -> None:
        mouse.move(box["x"] + box["width"] / 2, y)
        mouse.down()
        for step in range(40):
            mouse.move(box["x"] + box["width"] * (0.5 + 0.009 * step), y)
        mouse.up()

    for scrub in (keys, drag):
        assert unhurried(screen, scrub) == 0
    place = screen.place()
    assert place[0] > 150
    eventually(lambda: screen.notebook.python("(player.iteration, player.phase)"), place)


@pytest.mark.slow
def test_an_error_in_an_observer_is_shown(screen: Screen) -> None:
    alert = screen.root.locator(".side > .alert")
    screen.go(5, "select")
    alert.filter(has_text="ZeroDivisionError").wait_for()
    screen.go(6, "select")
    eventually(alert.is_visible, False)


@pytest.mark.parametrize(
    "theme",
    [
        DARK,
        pytest.param(HIGH_CONTRAST, marks=pytest.mark.slow),
        pytest.param(LIGHT, marks=pytest.mark.slow),
    ],
)
@pytest.mark.drives("JupyterLab 4", "dark theme")
def test_axe_finds_nothing(screen: Screen, theme: str) -> None:
    screen.notebook.set_theme(theme)
    assert screen.notebook.axe(".mcts-player") == []
