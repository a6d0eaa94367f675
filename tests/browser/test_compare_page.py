"""Two films as one HTML file: opened from a disk, with the network off, and moved together."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from mcts_viz import MCTS, Compare, TicTacToe, alpha_beta, record_minimax

from .lab import eventually
from .test_page import opened


@pytest.fixture(scope="module")
def compare() -> Compare:
    game = TicTacToe()
    return Compare(*(MCTS(game, c, seed=4).record(iterations=200) for c in (1.4, 0.3)))


@pytest.fixture(scope="module")
def page(
    browser: Browser, compare: Compare, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    """The page, opened at iteration 60; one for all tests."""
    size: Any = {"width": 1700, "height": 1200}
    folder = tmp_path_factory.mktemp("pair")
    page, noted = opened(browser, folder, compare.to_html(60, "expand"), viewport=size)
    expect(page.locator(".mcts-player[data-iteration]")).to_have_count(2)
    assert places(page) == [(60, "expand")] * 2
    page.keyboard.press("ArrowRight")  # the keys are heard at once
    assert places(page) == [(60, "simulate")] * 2
    yield page
    assert noted == []
    page.context.close()


def places(page: Page) -> list[tuple[int, str]]:
    return [
        (int(player.get_attribute("data-iteration")), player.get_attribute("data-phase"))
        for player in page.locator(".mcts-player").all()
    ]


@pytest.mark.drives("a film from a disk", "Compare")
def test_both_are_scrubbed_without_a_request(page: Page, compare: Compare) -> None:
    for leader in (0, 1):
        page.locator(".mcts-compare .mcts-player").nth(leader).focus()
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        assert places(page) == [(1, "expand")] * 2
        page.keyboard.press("End")
        assert places(page) == [(200, "backpropagate")] * 2
    page.get_by_role("button", name=f"First difference: {compare.differ}").click()
    assert places(page) == [(compare.differ, "select")] * 2
    page.keyboard.press("t")
    expect(page.locator(".told").first).to_be_visible()
    page.keyboard.press("t")
    for large in (2, 0):
        page.keyboard.press("l")
        expect(page.locator(".mcts-player.large")).to_have_count(large)


LAID_OUT = """() => {
    const box = part => document.querySelector(part).getBoundingClientRect();
    const halves = [...document.querySelectorAll(".halves, .half")]
        .map(half => half.getBoundingClientRect());
    const [whole, decisions] = [".mcts-compare", ".decisions"].map(box);
    return {
        over: halves.some(({ bottom }) => bottom > decisions.top + 1),
        low: halves.some(({ height }) => height <= 150) || decisions.height <= 100,
        out: decisions.bottom > whole.bottom,
    };
}"""


def test_in_a_narrow_window_nothing_lies_on_anything_else(page: Page) -> None:
    for width in (470, 620, 780):
        page.set_viewport_size({"width": width, "height": 768})
        eventually(lambda: page.evaluate(LAID_OUT), {"over": False, "low": False, "out": False})


def test_the_chosen_row_is_in_sight_in_a_table_that_is_cut_off(page: Page) -> None:
    page.locator(".decisions").evaluate("pane => { pane.style.maxHeight = '80px'; }")
    look = """async () => {
        const frame = () => new Promise(requestAnimationFrame);
        await frame().then(frame);
        const pane = document.querySelector(".decisions");
        const { bottom } = pane.getBoundingClientRect();
        const cut = [...pane.querySelectorAll(".taken")]
            .filter(cell => cell.getBoundingClientRect().bottom > bottom + 1);
        return [cut.length, pane.scrollTop];
    }"""
    page.locator(".mcts-compare .mcts-player").first.press("Home")
    scrolled = set()
    for _ in range(20):
        page.keyboard.press("Shift+ArrowRight")
        cut, top = page.evaluate(look)
        assert cut == 0
        scrolled.add(top)
    assert max(scrolled) > 0, "the table is cut off"
    page.locator(".decisions").evaluate("pane => { pane.style.maxHeight = ''; }")


def test_a_search_beside_a_walk_by_minimax(browser: Browser, tmp_path: Path) -> None:
    game = TicTacToe()
    state = game.parse("XO. .X. ...")
    pair = Compare(
        MCTS(game, seed=1).record(state, iterations=40), record_minimax(alpha_beta, game, state)
    )
    pair.iteration = 7
    page, noted = opened(browser, tmp_path, pair.to_html())
    assert [place for place, _ in places(page)] == [7, 7], "it opens where the widget stands"
    assert noted == []
    page.context.close()
