"""Exported pages on a phone: nothing sideways, targets for a finger, what moves always in sight."""

from __future__ import annotations

import pytest

from mcts_viz import MCTS, Compare, ConnectFour, Film, Nim, TicTacToe, alpha_beta, record_minimax
from mcts_viz.games import Bandit

from .bare import Show
from .lab import eventually

SEEN = """() => {
    const small = [...document.querySelectorAll("button, select, input:not([type=range])")]
        .filter(one => one.checkVisibility() && one.offsetParent)
        .map(one => [one.textContent || one.ariaLabel, one.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < 43.5 || height < 43.5);
    const out = (name) => {
        const { bottom, left, right, top } = document.querySelector(name).getBoundingClientRect();
        return top < 0 || left < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5;
    };
    return {
        sideways: document.documentElement.scrollWidth - innerWidth,
        small: small.map(([name]) => name),
        out: [".timeline", ".phases", ".transport"].filter(out),
    };
}"""
FINE = {"sideways": 0, "small": [], "out": []}


def page_of(name: str) -> str:
    """An exported page, in the midst of its film."""
    game, connect_four = TicTacToe(), ConnectFour()
    match name:
        case "compare":
            first, second = (MCTS(game, c=c, seed=4).record(iterations=60) for c in (1.41, 0.2))
            return Compare(first, second, iteration=30).to_html()
        case "alpha-beta":
            return Film(record_minimax(alpha_beta, game, game.parse("XO. .XO ..."))).to_html(60)
        case "connect four":
            trace = MCTS(connect_four, seed=1).record(iterations=300)
        case "nim":
            trace = MCTS(Nim((3, 9, 10)), seed=1).record(iterations=100)
        case _:
            trace = MCTS(Bandit(), seed=1).record(iterations=60)
    return Film(trace).to_html(50, "simulate")


@pytest.mark.parametrize("name", ["connect four", "nim", "bandit", "alpha-beta", "compare"])
def test_a_film_on_a_phone(show: Show, name: str) -> None:
    phone = {"width": 390, "height": 844}
    page = show(page_of(name), viewport=phone, has_touch=True, is_mobile=True)
    page.locator("[data-phase]").first.wait_for()
    eventually(lambda: page.evaluate(SEEN), FINE)
    page.evaluate("scrollTo(0, 200)")
    assert page.evaluate(SEEN) == FINE, "time, phases and steps stay in sight"
    page.evaluate("scrollTo(0, 0)")
    page.get_by_role("button", name="More (M)").first.tap()
    left = page.locator(".menu:not([hidden])").evaluate("one => one.getBoundingClientRect().left")
    assert left >= 0
    assert page.evaluate(SEEN) == FINE
    page.keyboard.press("Escape")
    for key in "v?":
        page.keyboard.press(key)
        assert page.evaluate(SEEN)["sideways"] == 0, key
