"""Large type: what a class sees from the back of a room, on a projector of 1280 by 720."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from mcts_viz import MCTS, ConnectFour, Film, Nim, TicTacToe, alpha_beta, record_minimax
from mcts_viz.search import PHASES

from .lab import DARK, HIGH_CONTRAST, LIGHT, JupyterLab, axe_violations, eventually
from .test_page import opened

ROOM: Any = {"width": 1280, "height": 720}


def films() -> dict[str, Film]:
    game = TicTacToe()
    return {
        "tic-tac-toe": Film(MCTS(game, seed=4).record(iterations=200)),
        "connect-four": Film(MCTS(ConnectFour(), seed=4).record(iterations=300)),
        "nim": Film(MCTS(Nim((2, 3)), seed=1).record(iterations=60)),
        "minimax": Film(record_minimax(alpha_beta, game, game.parse("XO. .X. ...")), 30),
    }


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "nim", "minimax"])
def test_tree_phases_and_sentence_are_on_one_screen(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    film = films()[name]
    page, noted = opened(browser, tmp_path, film.to_html(40, large=True), viewport=ROOM)
    expect(page.locator(".mcts-player.large")).to_be_visible()
    for part in (".phases", ".timeline", ".stage", ".words"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 720, part
    for part in (".phase", ".words", ".counter", ".head strong"):
        assert size(page, part) >= 20
    assert size(page, ".why td") >= 18
    for part in (".head span", ".legend", "pre"):
        expect(page.locator(part).first).to_be_hidden()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 1280
    assert noted == []
    page.context.close()


def size(page: Page, selector: str) -> float:
    read: float = page.locator(selector).first.evaluate(
        "e => parseFloat(getComputedStyle(e).fontSize)"
    )
    return read


def test_cards_are_few_and_their_numbers_tall(browser: Browser, tmp_path: Path) -> None:
    film = films()["tic-tac-toe"]
    still = {"viewport": ROOM, "reduced_motion": "reduce"}  # else the cards are still on their way
    page, noted = opened(browser, tmp_path, film.to_html(200, large=True), **still)
    cards = page.locator(".card:not(.slot)").locator("visible=true")
    assert cards.count() <= 12
    tall = page.locator('.card[data-node="0"] .share').evaluate(
        "text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a"
    )
    assert tall >= 15
    edges = page.locator(".mcts-tree .edge").first
    line = edges.evaluate("edge => getComputedStyle(edge).stroke")
    page.locator(".mcts-player").focus()
    page.keyboard.press("l")
    assert edges.evaluate("edge => getComputedStyle(edge).stroke") != line, "stronger when large"
    assert cards.count() == 40
    assert noted == []
    page.context.close()


def test_the_key_and_the_button_switch_it_and_all_comes_back(
    browser: Browser, tmp_path: Path
) -> None:
    page, noted = opened(browser, tmp_path, films()["tic-tac-toe"].to_html(64), viewport=ROOM)
    player = page.locator(".mcts-player")
    button = page.get_by_role("button", name="Large type, for a projector (L)")
    before = page.screenshot()
    player.focus()
    page.keyboard.press("l")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".root-strip")).to_be_hidden()
    page.keyboard.press("r")
    expect(page.locator(".root-strip")).to_be_visible()
    for phase in PHASES:
        page.locator(f".phases .{phase}").click()
        expect(player).to_have_attribute("data-phase", phase)
    page.locator(".phases .select").click()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    page.mouse.move(2, 2)
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    page.wait_for_timeout(600)  # cards glide
    assert page.screenshot() == before
    assert noted == []
    page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, tmp_path: Path, scheme: str) -> None:
    html = films()["tic-tac-toe"].to_html(64, large=True)
    page, noted = opened(browser, tmp_path, html, viewport=ROOM, color_scheme=scheme)
    page.locator(".mcts-player").focus()
    for key in ("r", "b", "t"):
        page.keyboard.press(key)
    page.wait_for_timeout(600)  # cards glide
    assert axe_violations(page, ".mcts-player") == []
    assert noted == []
    page.context.close()


CELLS = [
    """from mcts_viz import MCTS, Compare, Player, TicTacToe
trace = MCTS(TicTacToe(), seed=4).record(iterations=60)
player = Player(trace, large=True)
player""",
    "compare = Compare(trace, trace)\ncompare",
]


def test_python_and_the_page_agree_about_it(lab: JupyterLab) -> None:
    with lab.open(CELLS, viewport={"width": 1500, "height": 3000}) as notebook:
        notebook.run_all()
        player = notebook.output(0).locator(".mcts-player.large")
        expect(player).to_be_visible()
        player.focus()
        notebook.page.keyboard.press("l")
        eventually(lambda: notebook.python("player.large"), False)
        expect(player).to_have_count(0)
        notebook.python("setattr(player, 'large', True)")
        expect(player).to_be_visible()
        for theme in (DARK, HIGH_CONTRAST, LIGHT):
            notebook.set_theme(theme)
            assert notebook.axe(".mcts-player") == []
        both = notebook.output(1).locator(".mcts-player.large")
        expect(both).to_have_count(0)
        notebook.python("setattr(compare, 'large', True)")
        expect(both).to_have_count(2)
        both.nth(1).focus()
        notebook.page.keyboard.press("l")
        expect(both).to_have_count(0)
        eventually(lambda: notebook.python("compare.large"), False)
        assert notebook.errors == []
