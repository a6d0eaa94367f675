"""The film as one HTML file: opened from a disk, with the network off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from mcts_viz import (
    MCTS,
    Film,
    Player,
    TicTacToe,
    alpha_beta,
    record_minimax,
)

from .lab import PATIENCE, axe_violations


def opened(browser: Browser, folder: Path, html: str, **profile: Any) -> tuple[Page, list[str]]:
    """The page of a file, ready, and a list of all that went wrong or was asked for."""
    file = folder / "film.html"
    file.write_text(html, encoding="utf-8")
    context = browser.new_context(offline=True, **profile)
    context.set_default_timeout(PATIENCE * 1000)
    page, noted = context.new_page(), []
    page.on("pageerror", lambda error: noted.append(str(error)))
    page.on("console", lambda message: noted.append(message.text))
    page.on("request", lambda request: noted.append(request.url))
    page.goto(file.as_uri())
    page.locator(".mcts-player[data-iteration]").first.wait_for()
    noted.remove(file.as_uri())
    return page, noted


@pytest.fixture(scope="module")
def film() -> Film:
    return Film(MCTS(TicTacToe(), seed=4).record(iterations=200))


@pytest.fixture
def shown(browser: Browser, film: Film, tmp_path: Path) -> Iterator[tuple[Page, list[str]]]:
    page, noted = opened(browser, tmp_path, film.to_html(60, "expand"))
    yield page, noted
    page.context.close()


def place(page: Page) -> tuple[int, str]:
    player = page.locator(".mcts-player")
    return int(player.get_attribute("data-iteration")), player.get_attribute("data-phase")


@pytest.mark.drives("a film from a disk", "player")
def test_it_opens_at_its_moment_and_is_scrubbed_without_a_request(
    shown: tuple[Page, list[str]], film: Film
) -> None:
    page, noted = shown
    assert place(page) == (60, "expand")
    page.locator(".track input").focus()
    page.keyboard.press("ArrowRight")
    assert place(page) == (60, "simulate")
    page.keyboard.press("End")
    assert place(page) == (200, "backpropagate")
    root = page.locator('.walk .card[data-node="0"]')
    expect(root.locator(".share").first).to_have_text(re.compile("^200"))
    page.get_by_role("button", name="Select").click()
    assert place(page) == (200, "select")
    assert page.get_by_text("What if", exact=True).count() == 0, "there is no kernel"
    assert noted == []


@pytest.mark.parametrize(
    ("said", "wanted"),
    [("at=120.expand", (120, "expand")), ("at=999", (200, "select")), ("at=x", (60, "select"))],
)
def test_its_address_may_name_a_moment(
    browser: Browser, film: Film, tmp_path: Path, said: str, wanted: tuple[int, str]
) -> None:
    file = tmp_path / "film.html"
    file.write_text(film.to_html(60), encoding="utf-8")
    page = browser.new_context(offline=True).new_page()
    page.goto(f"{file.as_uri()}#{said}")
    expect(page.locator(".mcts-player")).to_have_attribute("data-iteration", str(wanted[0]))
    assert place(page) == wanted
    page.context.close()


def test_a_page_of_someone_else_shows_it_by_one_line(
    browser: Browser, film: Film, tmp_path: Path
) -> None:
    """It opens where its address says, plays by itself, stops, and fits 480 pixels."""
    (tmp_path / "film.html").write_text(film.to_html(), encoding="utf-8")
    page = browser.new_context(offline=True).new_page()
    page.goto((tmp_path / "film.html").as_uri() + "#at=60.simulate")
    page.locator(".mcts-player[data-iteration]").press("m")
    page.get_by_role("button", name="Embed").click()
    line = page.get_by_role("textbox", name="Line for a web page").input_value()
    assert 'src="film.html#at=60.simulate"' in line
    line = line.replace("60.simulate", "60.expand&end=60&view=walk&autoplay")
    line = line.replace('height="560"', 'height="480"')
    (tmp_path / "host.html").write_text(f"<!doctype html><title>A host</title>{line}", "utf-8")
    page.goto((tmp_path / "host.html").as_uri())
    (frame,) = page.frames[1:]
    player = frame.locator(".mcts-player")
    expect(player).to_have_attribute("data-phase", "backpropagate")
    expect(frame.get_by_text("▶ Play")).to_be_visible()
    assert player.get_attribute("data-iteration") == "60", "it has stopped"
    assert frame.evaluate("() => document.documentElement.scrollHeight") == 480
    page.context.close()


def test_it_is_one_small_file_that_names_no_address(film: Film) -> None:
    html = film.to_html()
    assert len(html.encode()) < 500_000
    addresses = set(re.findall(r"https?://[\w./-]+", html))
    assert addresses == {"http://www.w3.org/2000/svg"}, "the name of SVG, which nobody fetches"


@pytest.mark.drives("a film from a disk", "dark theme")
def test_it_gives_its_link_in_either_theme(browser: Browser, film: Film, tmp_path: Path) -> None:
    """And axe finds nothing."""
    game = TicTacToe()
    walk = Film(record_minimax(alpha_beta, game, game.parse("XOX OXO ...")))
    for shown in (film, walk):
        page, noted = opened(browser, tmp_path, shown.to_html(5))
        page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(1); }")
        page.get_by_role("button", name="More").click()
        page.get_by_role("button", name="Copy link").click()
        if shown is film:
            again = Player.from_link(page.locator(".link input").input_value())
            assert (again.iteration, again.phase) == place(page)
            assert again.iteration == 5
            assert len(again.film.trace) == len(shown.trace)
        else:
            expect(page.locator(".link")).to_contain_text("A walk by minimax has no link")
            expect(page.locator(".link input")).to_be_hidden()
        for scheme, ink in (("light", "rgb(26, 33, 48)"), ("dark", "rgb(238, 241, 246)")):
            page.emulate_media(color_scheme=scheme)
            assert page.locator(".mcts-player").evaluate("p => getComputedStyle(p).color") == ink
            assert axe_violations(page, "html") == []
        assert noted == []
        page.context.close()


@pytest.mark.parametrize("enabled", [False, True], ids=["switched off", "forbidden by a policy"])
def test_where_no_script_may_run_a_picture_is_seen(
    browser: Browser, film: Film, tmp_path: Path, enabled: bool
) -> None:
    html = film.to_html(60, "select").replace("script-src 'unsafe-inline'", "script-src 'none'")
    file = tmp_path / "film.html"
    file.write_text(html, encoding="utf-8")
    phone = {"width": 390, "height": 844}
    context = browser.new_context(java_script_enabled=enabled, offline=True, viewport=phone)
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.locator("#film > svg").is_visible()
    wide = page.locator("#film > svg").bounding_box()["width"]
    assert 300 < wide <= phone["width"]
    assert page.get_by_role("heading").count() == 1
    context.close()
