"""The widgets in front ends other than JupyterLab: drawn, scrubbed, and moves reach Python."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pythons import copy_project, environment_of
from repository import needs

from .lab import HOST, PATIENCE, JupyterLab, free_port, running

WIDGETS = [
    """from ipywidgets import HTML
from mcts_course import Play
from mcts_viz import *

said = HTML()
player = Player(MCTS(TicTacToe(), seed=4).record(iterations=200), 100, tools=["whatif"])
player.observe(
    lambda _: setattr(said, "value", f"Python is at {player.iteration}"), "iteration"
)
display(player, said)""",
    """Compare(
    MCTS(TicTacToe(), seed=4).record(iterations=60),
    MCTS(TicTacToe(), seed=4, c=0.2).record(iterations=60),
)""",
    "Play(TicTacToe(), MCTS(TicTacToe(), seed=1), iterations=300)",
]
COURSE = """from ipywidgets import HTML
from mcts_course import predict
from mcts_course.lessons import random_games

guessed = HTML()
guess = predict("How many?", choices=["six", "nine"])
guess.observe(lambda _: setattr(guessed, "value", f"Python heard {guess.value}"), "answer")
display(guessed)
random_games.games_needed.check(400)"""
VIEWPORT = {"width": 1400, "height": 2600}


@contextmanager
def opened(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(viewport=VIEWPORT)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    try:
        page.goto(address)
        yield page
    finally:
        context.close()


def check_widgets(page: Page) -> None:
    """The player is drawn, its moves reach Python; What if, Compare, Play and Set up work."""
    player = page.locator(".mcts-player[data-iteration]").first
    expect(player.locator(".card").first).to_be_visible()
    box = player.locator(".phases").bounding_box()
    assert box is not None
    assert box["width"] > 200
    player.focus()
    page.keyboard.press("Control+ArrowRight")
    page.keyboard.press("Control+ArrowRight")
    expect(player).to_have_attribute("data-iteration", "102")
    expect(page.get_by_text("Python is at 102")).to_be_visible()
    player.get_by_role("button", name="What if", exact=True).click()
    player.get_by_label("c from here on").fill("3")
    player.get_by_role("button", name="Search on").click()
    expect(page.locator(".mcts-whatif .mcts-compare .mcts-player[data-iteration]")).to_have_count(2)
    pair = page.locator(".mcts-compare").last.locator(".mcts-player[data-iteration]")
    expect(pair).to_have_count(2)
    pair.first.focus()
    page.keyboard.press("End")
    for half in pair.all():
        expect(half).to_have_attribute("data-iteration", "60")
    board = page.locator(".mcts-play")
    board.locator('[data-cell="4"]').click()
    expect(board.get_by_role("button", name="Look inside")).to_be_enabled()  # it has replied
    board.get_by_role("button", name="Set up").click()
    board.locator('.cell[aria-label*="empty, press for X"]').first.click()
    expect(board.locator(".said")).to_have_text("O moves in this position.")
    board.get_by_role("button", name="Search from here").click()
    expect(board.locator(".mcts-player")).to_have_attribute("data-iteration", "300")


def check_course(page: Page) -> None:
    """A prediction reaches Python, and an exercise gives feedback."""
    page.get_by_label("nine", exact=True).last.check()
    expect(page.get_by_text("Python heard nine")).to_be_visible()
    expect(page.get_by_text("with twice the games it is only")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("front_end", ["notebooks", "nbclassic/notebooks"])
def test_notebook_and_nbclassic(lab: JupyterLab, front_end: str) -> None:
    """Both are served beside JupyterLab; cells are run by the front end's own menu."""
    classic = front_end.startswith("nbclassic")
    needs("nbclassic" if classic else "notebook")
    name = lab.write([*WIDGETS, COURSE])
    with opened(lab.browser, f"{lab.address}/{front_end}/{name}?token={lab.token}") as page:
        if classic:
            page.locator("#kernel_indicator_icon.kernel_idle_icon").wait_for()
            page.get_by_role("link", name="Cell", exact=True).click()
            page.get_by_role("menuitem", name="Run All", exact=True).click()
        else:
            page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for()
            page.get_by_role("menuitem", name="Run", exact=True).click()
            page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        check_widgets(page)
        check_course(page)


MARIMO_PIN = "marimo==0.25.2"
MARIMO = """import marimo
app = marimo.App()


@app.cell
def _():
    import marimo as mo
    from mcts_viz import MCTS, Compare, Player, TicTacToe
    from mcts_course import Play
    trace = MCTS(TicTacToe(), seed=4).record(iterations=200)
    player = mo.ui.anywidget(Player(trace, 100, tools=["whatif"]))
    player
    return MCTS, Compare, Play, TicTacToe, mo, player


@app.cell
def _(mo, player):
    mo.md(f"Python is at {player.iteration}")
    return


@app.cell
def _(MCTS, Compare, TicTacToe, mo):
    one = MCTS(TicTacToe(), seed=4).record(iterations=60)
    other = MCTS(TicTacToe(), seed=4, c=0.2).record(iterations=60)
    pair = mo.ui.anywidget(Compare(one, other))
    pair
    return


@app.cell
def _(MCTS, Play, TicTacToe, mo):
    play = mo.ui.anywidget(Play(TicTacToe(), MCTS(TicTacToe(), seed=1), iterations=300))
    play
    return
"""


@pytest.mark.slow
def test_marimo(browser: Browser, tmp_path: Path) -> None:
    """In an environment of its own, which takes a minute to make."""
    here = environment_of(sys.executable, tmp_path / "environment", home=tmp_path)
    python = str(tmp_path / "environment/bin/python")
    project = copy_project(tmp_path / "project")
    install = [python, "-m", "pip", "install", "--quiet", MARIMO_PIN, str(project)]
    subprocess.run(install, env=here, check=True)
    (tmp_path / "film.py").write_text(MARIMO)
    port = free_port()
    command = [python, "-m", "marimo", "run", "film.py", "--headless", "--no-token"]
    command += ["--host", HOST, "--port", str(port)]
    address = f"http://{HOST}:{port}"
    with running(command, f"{address}/health", tmp_path, here), opened(browser, address) as page:
        check_widgets(page)
