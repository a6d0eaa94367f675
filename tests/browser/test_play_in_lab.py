"""The board to play on in JupyterLab: mouse, keyboard, stop, films, and what is read out."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from .lab import DARK, HIGH_CONTRAST, LIGHT, JupyterLab, Notebook, eventually

VIEWPORT = {"width": 1366, "height": 768}
TIC_TAC_TOE = """
from mcts_course import Play
from mcts_viz import *
game = TicTacToe()
play = Play(game, MCTS(game, seed=1), iterations=400)
play
"""
SLOW = """
from mcts_course import Play
from mcts_viz import *
game = ConnectFour()
play = Play(game, MCTS(game, seed=1), iterations=10**9)
play
"""


@dataclass
class Board:
    """The widget on the page, and hands to use it with."""

    notebook: Notebook
    root: Locator

    @property
    def page(self) -> Page:
        return self.notebook.page

    def cell(self, number: int) -> Locator:
        return self.root.locator(f'[data-cell="{number}"]')

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name, exact=True)

    def text(self, part: str) -> str:
        return self.root.locator(part).first.inner_text()

    def names(self) -> list[str]:
        """The label of each cell for a screen reader."""
        return [cell.get_attribute("aria-label") or "" for cell in self.root.locator(".cell").all()]

    def history(self) -> tuple[Any, ...]:
        answer: tuple[Any, ...] = self.notebook.python("play.history")
        return answer

    def version(self) -> int:
        """The number of the position that Python sent last."""
        return int(self.notebook.python("play.position['version']"))

    def settled(self, moves: int) -> None:
        """Wait until so many moves were made, and painted."""
        self._painted(f"len(play.history) == {moves} and not play.position['thinking']")

    def replied(self, version: int) -> None:
        """Wait until a position after this one is painted, in which you move or the game is over.

        Python sends both in one position: between your move and the reply it is not thinking yet.
        """
        told = "('Your turn', 'Game over')"
        self._painted(f"p['version'] > {version} and p['status'].startswith({told})")

    def _painted(self, condition: str) -> None:
        def is_painted() -> bool:
            ask = f"(lambda p: p['version'] if {condition} else 0)(play.position)"
            return self.root.get_attribute("data-version") == str(self.notebook.python(ask))

        eventually(is_painted, True)

    def focused(self) -> str:
        """The element with the keyboard's focus: the number of a cell, or its text."""
        told: str = self.root.evaluate(
            """root => {
                const held = document.activeElement;
                return root.contains(held) ? held.dataset.cell ?? held.textContent : "";
            }"""
        )
        return told

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)


@contextmanager
def board_of(lab: JupyterLab, *cells: str, subshells: str = "perCommTarget") -> Iterator[Board]:
    with lab.open(cells, viewport=VIEWPORT) as notebook:
        notebook.page.evaluate(
            """subshells => {
                const { session } = jupyterapp.shell.currentWidget.sessionContext;
                session.kernel.commsOverSubshells = subshells;
            }""",
            subshells,
        )
        notebook.run_all()
        root = notebook.output(0).locator(".mcts-play")
        root.wait_for()
        yield Board(notebook, root)


@pytest.fixture(scope="module")
def kept(lab: JupyterLab) -> Iterator[Board]:
    with board_of(lab, TIC_TAC_TOE) as board:
        yield board


@pytest.fixture
def board(kept: Board) -> Board:
    """The game of tic-tac-toe, started again; one notebook serves all tests."""
    kept.notebook.python("play.new_game()")
    kept.settled(0)
    return kept


def insist(target: Locator) -> None:
    """Click what says that it is disabled, and answers why."""
    target.click(force=True)


def shown_by(names: list[str]) -> str:
    """The pieces that the cells' names tell of, as the game writes them."""
    letters = {"X": "X", "O": "O", "empty": "."}
    return "".join(letters[name.split(": ")[1].split(",")[0]] for name in names)


# At once, or not at all: the agent may end by itself between a look and a click.
STOP = """root => [...root.querySelectorAll("button")]
    .find(button => button.textContent === "Stop" && button.checkVisibility())?.click()"""


def check_height(board: Board) -> None:
    """The board fits one screen and keeps its height before, during and after the agent's turn."""
    heights = [board.root.bounding_box()["height"]]
    moves = board.root.locator('.cell[aria-disabled="false"], .choices button')
    moves.first.click()
    eventually(lambda: board.root.locator(".thought tbody tr").count() > 0, True)
    heights.append(board.root.bounding_box()["height"])
    board.root.evaluate(STOP)
    board.settled(2)
    heights.append(board.root.bounding_box()["height"])
    assert max(heights) <= 600
    assert len(set(heights)) == 1, heights


# Whole games ----------------------------------------------------------------------------


def test_a_game_of_tic_tac_toe_by_mouse(board: Board) -> None:
    moves = 0
    while not board.notebook.python("play.position['over']"):
        free = board.root.locator('.cell[aria-disabled="false"]').first
        number, version = int(free.get_attribute("data-cell")), board.version()
        free.click()
        board.replied(version)
        moves += 1
        assert board.history()[2 * moves - 2] == number
        text = board.notebook.python("game.text(play.state)")
        assert shown_by(board.names()) == text.replace("\n", "")
        assert board.text(".said") == board.notebook.python("play.said")
        last = board.root.locator(".cell.last")
        assert last.get_attribute("data-cell") == str(board.history()[-1])
    assert board.text(".status").startswith("Game over: ")
    assert board.text(".said").endswith(board.text(".status").removeprefix("Game over: "))
    assert board.notebook.python("play.result is not None")
    insist(board.root.locator(".cell").last)
    assert board.text(".said").startswith("The game is over. ")
    board.button("New game").click()
    board.settled(0)
    assert shown_by(board.names()) == "." * 9


def test_moves_by_keyboard(board: Board) -> None:
    board.cell(0).focus()
    before = board.notebook.state()
    board.press("a", "b", "d", "d", "m", "x")  # keys of JupyterLab
    board.press("ArrowUp", "ArrowLeft")  # the edge holds
    assert board.focused() == "0"
    board.press("ArrowRight", "ArrowDown", "Space")
    board.settled(2)
    assert board.history()[0] == 4
    assert board.focused() == "4"
    board.press("End", "ArrowDown", "Home")
    assert board.focused() == "6"
    wanted = board.notebook.python("game.legal_actions(play.state)[0]")
    board.press(
        *["ArrowUp"] * 2, *["ArrowDown"] * (wanted // 3), *["ArrowRight"] * (wanted % 3), "Enter"
    )
    board.settled(4)
    assert board.history()[2] == wanted
    assert board.notebook.state() == before


# Stop --------------------------------------------------------------------------------------


WATCH = """
import threading
threads = set()
play.observe(lambda change: threads.add(threading.current_thread().name), "heard")
"""


@pytest.mark.slow
@pytest.mark.parametrize("subshells", ["perCommTarget", "disabled"])
def test_stop_plays_the_best_move_so_far(lab: JupyterLab, subshells: str) -> None:
    """In kernels without subshells, too: there, what the page asks for waits between two slices."""
    with board_of(lab, SLOW, WATCH, subshells=subshells) as board:
        board.cell(3).click()
        eventually(lambda: board.button("Stop").is_visible(), True)
        shares = set()
        eventually(lambda: shares.add(board.text(".done")) or len(shares) > 3, True)
        insist(board.cell(0))
        assert "the search is thinking: wait for it, or stop it" in board.text(".said")
        assert len(board.history()) == 1
        assert board.notebook.axe(".mcts-play") == []
        board.button("Stop").click()
        board.settled(2)
        assert "stopped after" in board.text(".said")
        assert not board.button("Stop").is_visible()
        assert board.focused()  # Stop is gone, the focus is not
        assert board.notebook.python("play.trace.iterations") > 0
        board.cell(0).click()
        eventually(lambda: board.button("Stop").is_visible(), True)
        board.button("Take back").click()
        board.settled(2)
        assert board.text(".said") == "Taken back: move 0 (row 6, column 1)."
        heard_in = board.notebook.python("threads")
        assert (heard_in == {"MainThread"}) == (subshells == "disabled")


# Films ----------------------------------------------------------------------------------


def test_a_reply_can_be_looked_into(board: Board) -> None:
    insist(board.button("Look inside"))
    eventually(lambda: "There is no film yet" in board.text(".said"), True)
    board.cell(4).click()
    board.settled(2)
    board.button("Look inside").click()
    film = board.root.locator(".mcts-player")
    film.wait_for()
    eventually(lambda: film.get_attribute("data-iteration"), "400")
    assert "The search that chose move" in board.text(".head")
    assert "of 400 visits went through" in board.text(".words"), "the root's story"
    assert not board.cell(4).is_visible()
    visits = "play.trace.at(400).visits"
    chosen = f"max(play.trace.at(400).children(0), key=lambda n: {visits}[n])"
    best = board.notebook.python(f"play.trace.label({chosen})")
    assert best == str(board.history()[1])
    film.locator(".track input").focus()
    board.press("Home")
    assert film.get_attribute("data-iteration") == "1"
    assert film.get_attribute("data-phase") == "select"
    board.press("ArrowRight")
    assert film.get_attribute("data-phase") == "expand"
    assert board.notebook.axe(".mcts-play") == []
    board.button("Back to the board").click()
    eventually(lambda: film.count(), 0)
    assert board.focused() == "4", "the board has the keys again"
    version = board.version()
    board.root.locator('.cell[aria-disabled="false"]').first.click()
    board.replied(version)
    assert len(board.history()) == 4


def test_a_position_is_set_up_by_keys_and_searched(board: Board) -> None:
    board.button("Set up").click()
    eventually(lambda: board.text(".said").endswith("X moves in this position."), True)
    assert [board.button(name).is_visible() for name in ("New game", "Take back")] == [False] * 2
    board.cell(0).focus()
    for key in ("Enter", "ArrowRight", "Space", "ArrowDown"):
        board.press(key)
    eventually(lambda: "'XX. ... ...'" in board.text(".said"), True)
    board.button("Search from here").click()
    eventually(lambda: "No game leads to the board" in board.text(".alert"), True)
    assert board.names()[0] == "row 1, column 1: X, press for O", "the cells stay as they are"
    for cell in (3, 3, 4, 4):
        board.cell(cell).click()
    eventually(lambda: board.text(".said").endswith("X moves in this position."), True)
    assert board.names()[:2] == [f"row 1, column {place}: X, press for O" for place in (1, 2)]
    assert board.notebook.axe(".mcts-play") == []
    board.button("Search from here").click()
    film = board.root.locator(".mcts-player[data-iteration]")
    film.wait_for()
    assert film.get_attribute("data-iteration") == "400"
    assert "The search that chose move 2" in board.text(".head strong")
    board.button("Back to the board").click()
    eventually(lambda: film.count(), 0)
    assert board.notebook.python("play.game.text(play.state).split()") == ["XX.", "OO.", "..."]
    version = board.version()
    board.cell(2).click()
    board.replied(version)
    assert board.text(".status").startswith("Game over")


def test_it_is_one_screen_in_which_axe_finds_nothing(board: Board) -> None:
    check_height(board)
    board.button("Set up").click()
    eventually(lambda: board.text(".said").endswith(" moves in this position."), True)
    for theme in (DARK, HIGH_CONTRAST, LIGHT):
        board.notebook.set_theme(theme)
        assert board.notebook.axe(".mcts-play") == [], theme


def test_after_a_game_its_replies_are_looked_into_one_by_one(board: Board) -> None:
    """By keyboard, too; axe finds nothing, and it is one screen."""
    strip = board.root.locator(".strip")
    assert not strip.is_visible()
    while not board.notebook.python("play.result is not None"):
        version = board.version()
        board.root.locator('.cell[aria-disabled="false"]').first.click()
        board.replied(version)
    strip.wait_for()
    assert board.root.bounding_box()["height"] <= 600
    replies = strip.get_by_role("button")
    count = board.notebook.python("len(play.replies)")
    at = board.notebook.python("play.decided['at']")
    assert replies.count() == count > 1
    assert [one.get_attribute("aria-current") for one in replies.all()] == [
        str(place == at).lower() for place in range(count)
    ]
    for theme in (DARK, LIGHT):
        board.notebook.set_theme(theme)
        assert board.notebook.axe(".mcts-play") == [], theme
    replies.nth(at).focus()
    board.press("Home")
    board.press("ArrowRight")
    assert replies.nth(1).evaluate("one => one === document.activeElement")
    board.press("Enter")
    film = board.root.locator(".mcts-player")
    film.wait_for()
    label = board.notebook.python("play.decided['replies'][1]['label']")
    assert f"move {label} " in f"{board.text('.head')} "
    board.press("Escape")
    eventually(lambda: film.count(), 0)
    strip.wait_for()
