"""The player in the front ends beside JupyterLab: drawn, scrubbed, and its moves reach Python."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

import nbformat
import pytest
from playwright.sync_api import Page, expect

from .lab import PATIENCE, JupyterLab, axe_violations

CELLS = [
    """from ipywidgets import HTML
from mcts_viz import *

said = HTML()
player = Player(MCTS(TicTacToe(), seed=4).record(iterations=200), 100, tools=["whatif"])
player.observe(
    lambda _: setattr(said, "value", f"Python is at {player.iteration}, {player.phase}"),
    ["iteration", "phase"],
)
display(player, said)""",
    "play = Play(TicTacToe(), MCTS(TicTacToe(), seed=1), iterations=300)\nplay",
    """Compare(
    MCTS(TicTacToe(), seed=4).record(iterations=60),
    MCTS(TicTacToe(), seed=4, c=0.2).record(iterations=60),
)""",
]


@contextmanager
def notebook(lab: JupyterLab, path: str, cells: list[str]) -> Iterator[Page]:
    """A notebook of these cells at that path of the server, run by the front end's own menu."""
    name = f"test-{secrets.token_hex(4)}.ipynb"
    document = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    nbformat.write(document, lab.folder / name)
    context = lab.browser.new_context(viewport={"width": 1400, "height": 1000})
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    try:
        page.goto(f"{lab.address}/{path}/{name}?token={lab.token}")
        yield page
    finally:
        page.goto("about:blank")
        context.close()


def scrub(page: Page) -> None:
    """Keys move the player, and Python hears of it."""
    player = page.locator(".mcts-player[data-iteration]").first
    expect(player.locator(".card").first).to_be_visible()
    player.focus()
    page.keyboard.press("Control+ArrowRight")
    page.keyboard.press("Control+ArrowRight")
    expect(player).to_have_attribute("data-iteration", "102")
    expect(page.get_by_text("Python is at 102")).to_be_visible()
    assert player.locator(".phases").bounding_box()["width"] > 200


@pytest.mark.parametrize("path", ["notebooks", "nbclassic/notebooks"])
def test_the_player_and_the_board(lab: JupyterLab, path: str) -> None:
    with notebook(lab, path, CELLS) as page:
        try:
            if path == "notebooks":
                page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for()
                page.get_by_role("menuitem", name="Run", exact=True).click()
                page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
            else:
                page.locator("#kernel_indicator_icon.kernel_idle_icon").wait_for()
                page.get_by_role("link", name="Cell", exact=True).click()
                page.get_by_role("menuitem", name="Run All", exact=True).click()
            scrub(page)
        finally:
            page.wait_for_timeout(8000)
            page.screenshot(path=f"/tmp/w/site/fe-{path[:4]}.png")
            open(f"/tmp/w/site/fe-{path[:4]}.html","w").write(page.content())
