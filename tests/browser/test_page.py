"""The film as one HTML file: opened from a disk, with the network off."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from mcts_viz import Film, TicTacToe, alpha_beta, record_minimax

from .bare import Show, film, noted
from .lab import axe_violations

PLAYER = ".mcts-player[data-iteration]"


def place(page: Page) -> tuple[int, str]:
    page.locator(PLAYER).wait_for()
    iteration, phase = page.locator(PLAYER).evaluate("p => [p.dataset.iteration, p.dataset.phase]")
    return int(iteration), phase


def test_it_opens_at_its_moment_and_is_scrubbed(show: Show) -> None:
    page = show(film().to_html(60, "expand"))
    assert place(page) == (60, "expand")
    page.locator(".track input").focus()
    page.keyboard.press("ArrowRight")
    assert place(page) == (60, "simulate")
    page.keyboard.press("End")
    assert place(page) == (200, "backpropagate")
    root = page.locator('.river .card[data-node="0"]')
    expect(root.locator(".share")).to_have_text(re.compile("/200$"))
    page.get_by_role("slider", name="Phase").fill("0")
    assert place(page) == (200, "select")
    assert page.get_by_text("What if", exact=True).count() == 0, "there is no kernel"


@pytest.mark.parametrize(
    ("said", "wanted"),
    [("at=120.expand", (120, "expand")), ("at=999", (200, "select")), ("at=x", (60, "select"))],
)
def test_its_address_may_name_a_moment(show: Show, said: str, wanted: tuple[int, str]) -> None:
    assert place(show(film().to_html(60), f"#{said}")) == wanted


def test_a_page_of_someone_else_shows_it_by_one_line(show: Show) -> None:
    """It opens where its address says, plays by itself, stops, and fits 480 pixels."""
    show(film().to_html())
    line = (
        '<iframe src="film.html#at=60.expand&end=60&view=walk&autoplay" width="100%" height="480">'
    )
    page = show(f"<!doctype html><title>A host</title>{line}</iframe>", name="host.html")
    (frame,) = page.frames[1:]
    player = frame.locator(".mcts-player")
    expect(player).to_have_attribute("data-phase", "backpropagate")
    expect(frame.get_by_text("▶ Play")).to_be_visible()
    assert player.get_attribute("data-iteration") == "60", "it has stopped"
    assert frame.evaluate("() => document.documentElement.scrollHeight") == 480


def test_a_film_that_plays_faster_stops_where_its_address_says(show: Show) -> None:
    page = show(film().to_html(), "#at=60.select&end=62&autoplay")
    page.locator(".mcts-player .speed").click()
    expect(page.get_by_text("▶ Play")).to_be_visible()
    expect(page.locator(".mcts-player")).to_have_attribute("data-iteration", "62")


def test_a_link_to_another_moment_moves_the_open_film(show: Show) -> None:
    page = show(film().to_html(5))
    player = page.locator(".mcts-player")
    expect(player).to_have_attribute("data-iteration", "5")
    page.evaluate("() => { location.hash = '#at=40.expand'; }")
    expect(player).to_have_attribute("data-iteration", "40")
    expect(player).to_have_attribute("data-phase", "expand")


def test_it_is_one_small_file_that_names_no_address() -> None:
    html = film().to_html()
    assert len(html.encode()) < 500_000
    addresses = set(re.findall(r"https?://[\w./-]+", html))
    assert addresses == {"http://www.w3.org/2000/svg"}, "the name of SVG, which no page fetches"


@pytest.mark.parametrize("kind", ["search", "minimax"])
def test_axe_finds_nothing_in_either_theme(show: Show, kind: str) -> None:
    game = TicTacToe()
    walk = Film(record_minimax(alpha_beta, game, game.parse("XOX OXO ...")))
    page = show((film() if kind == "search" else walk).to_html(5))
    for scheme, ink in (("light", "rgb(26, 33, 48)"), ("dark", "rgb(238, 241, 246)")):
        page.emulate_media(color_scheme=scheme)
        assert page.locator(".mcts-player").evaluate("p => getComputedStyle(p).color") == ink
        assert axe_violations(page, "html") == []


@pytest.mark.parametrize("enabled", [False, True], ids=["switched off", "forbidden by a policy"])
def test_where_no_script_may_run_a_picture_is_seen(
    browser: Browser, enabled: bool, tmp_path: Path
) -> None:
    html = film().to_html(60, "select").replace("script-src 'unsafe-inline'", "script-src 'none'")
    (tmp_path / "film.html").write_text(html, encoding="utf-8")
    phone = {"width": 390, "height": 844}
    page = browser.new_page(java_script_enabled=enabled, offline=True, viewport=phone)
    page.goto((tmp_path / "film.html").as_uri())
    still = page.locator("#film > svg")
    assert still.is_visible()
    assert 300 < still.bounding_box()["width"] <= phone["width"]
    assert page.get_by_role("heading").count() == 1
    page.close()


STATE = """async () => {
    await new Promise(requestAnimationFrame);
    const media = [["color-scheme", "dark"], ["reduced-motion", "reduce"]];
    return [
        innerWidth, innerHeight, scrollY, document.activeElement.tagName, name,
        localStorage.length, sessionStorage.length, matchMedia("print").matches,
        media.map(([what, value]) => matchMedia(`(prefers-${what}: ${value})`).matches),
        document.querySelector("button").matches(":hover"), Object.keys(window).length,
        matchMedia("(forced-colors: active)").matches,
    ];
}"""
USE = """() => {
    localStorage.one = sessionStorage.one = window.one = name = "one";
    scrollTo(0, 200);
    document.querySelector("button").focus();
    setInterval(() => { throw new Error("left over"); }, 50);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_that_was_used_is_as_new(browser: Browser, tmp_path: Path, scheme: str) -> None:
    """The next test meets nothing of what a test has done to a page, nor of its errors."""
    file = tmp_path / "page.html"
    file.write_text("<!doctype html><button style='width: 90px; height: 2000px'>Press</button>")
    states, used, amiss = [], [], []
    for act in (USE, "() => console.log('seen')"):
        amiss.append([])
        profile = {"viewport": {"width": 401, "height": 300}, "color_scheme": scheme}
        with noted(browser, amiss[-1], **profile) as page:
            page.goto(file.as_uri())
            states.append(page.evaluate(STATE))
            used.append(page)
            page.evaluate(act)
            page.wait_for_timeout(120)
            page.mouse.move(30, 30)
            page.set_viewport_size({"width": 500, "height": 500})
            page.emulate_media(
                media="print",
                color_scheme="no-preference",
                reduced_motion="reduce",
                forced_colors="active",
            )
    assert used[0] == used[1]
    assert states[0] == states[1]
    assert set(amiss[0]) == {"left over"}
    assert amiss[1] == ["seen"]
    failing = noted(browser, [], **profile)
    assert failing.__enter__() == used[0]
    assert not failing.__exit__(ZeroDivisionError, ZeroDivisionError(), None)
    assert used[0].is_closed(), "a page of a test that failed is given to no other"
