"""Copy link: the moment on the screen as a text, in a notebook and in an exported page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from mcts_viz import MCTS, Film, Player, TicTacToe, alpha_beta, record_minimax

from .lab import DARK, LIGHT, JupyterLab, Notebook, axe_violations, eventually

CELLS = [
    """from mcts_viz import *
player = Player(MCTS(TicTacToe(), c=1.4, seed=4).record(iterations=200), iteration=60)
player""",
    "opened = None",
]
NAME = "Copy link"
MORE = "More"
REFUSED = "navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))"


def switch(player: Locator) -> None:
    """Show the link, or put it away: its switch is in the menu."""
    player.get_by_role("button", name=MORE).click()
    player.get_by_role("button", name=NAME).click()


@pytest.fixture(scope="module")
def notebook(lab: JupyterLab) -> Iterator[Notebook]:
    with lab.open(CELLS, viewport={"width": 1400, "height": 1600}) as notebook:
        notebook.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        notebook.run_all()
        expect(notebook.page.locator(".mcts-player[data-iteration]")).to_have_count(1)
        yield notebook
        assert notebook.errors == []
        assert notebook.outside == []


def test_the_link_of_the_moment_goes_to_the_clipboard_and_opens_it(notebook: Notebook) -> None:
    page = notebook.page
    player = page.locator(".mcts-player")
    player.locator("input[type=range]").fill("120")
    player.locator(".phases .expand").click()
    player.get_by_role("button", name=MORE).click()
    player.get_by_role("button", name=NAME).focus()
    page.keyboard.press("Enter")
    expect(player.locator(".link")).to_contain_text("The link to this moment is copied.")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied.startswith("mcts-viz:TicTacToe()?c=1.4&seed=4&n=200&sum=")
    assert copied.endswith("&at=120.expand")
    expect(player.locator(".link input")).to_have_value(copied)
    again = Player.from_link(copied)
    assert (again.iteration, again.phase, again.film.trace.c) == (120, "expand", 1.4)
    leaves = "film.trace.leaf.tolist()"
    assert notebook.python(f"Player.from_link({copied!r}).{leaves} == player.{leaves}")
    player.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    expect(player.locator(".link")).to_be_hidden()  # it was the link of another moment
    switch(player)
    expect(player.locator(".link input")).to_have_value(copied.replace("expand", "simulate"))
    page.keyboard.press("Escape")
    expect(player.locator(".link")).to_be_hidden()


def test_without_permission_the_text_is_there_to_be_taken(notebook: Notebook) -> None:
    page = notebook.page
    player = page.locator(".mcts-player")
    page.evaluate(f"() => {{ {REFUSED} }}")
    switch(player)
    expect(player.locator(".link")).to_contain_text("may not write to the clipboard")
    field = player.locator(".link input")
    expect(field).to_be_focused()
    chosen = field.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")
    assert chosen == field.input_value()
    eventually(lambda: notebook.python("player.link"), chosen)
    before = player.get_attribute("data-iteration")
    page.keyboard.press("Home")
    assert player.get_attribute("data-iteration") == before, "the keys of a text, not of the film"
    page.keyboard.press("Escape")
    expect(player.locator(".link")).to_be_hidden()
    assert page.evaluate("() => document.activeElement.closest('.mcts-player') !== null")


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_axe_finds_nothing_with_the_link_open(notebook: Notebook, theme: str) -> None:
    notebook.set_theme(theme)
    player = notebook.page.locator(".mcts-player")
    switch(player)
    expect(player.locator(".link")).to_be_visible()
    assert notebook.axe(".mcts-player") == []
    switch(player)


def test_an_exported_page_gives_the_link_too(browser: Browser, tmp_path: Path) -> None:
    traces = [
        MCTS(TicTacToe(), seed=4).record(iterations=30),
        record_minimax(alpha_beta, TicTacToe(), TicTacToe().parse("XOX OXO ...")),
    ]
    for trace in traces:
        file = tmp_path / "film.html"
        file.write_text(Film(trace).to_html(5), encoding="utf-8")
        context = browser.new_context(offline=True)
        page = context.new_page()
        page.add_init_script(REFUSED)
        page.goto(file.as_uri())
        page.locator(".mcts-player[data-iteration]").wait_for()
        switch(page.locator(".mcts-player"))
        link = page.locator(".link input").input_value()
        again = Player.from_link(link)
        phase = page.locator(".mcts-player").get_attribute("data-phase")
        assert (again.iteration, again.phase) == (5, phase)
        assert len(again.film.trace) == len(trace)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert axe_violations(page, "html") == []
        context.close()
