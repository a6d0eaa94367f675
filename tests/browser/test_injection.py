"""Strings of attackers in a real browser: nothing runs, and nobody is asked for anything."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from injections import INJECTIONS, Injected
from playwright.sync_api import Browser, Page

from mcts_viz import MCTS, Film
from mcts_viz.search import PHASES

from .lab import HOST, JupyterLab

WATCH = "window.ran = []; window.planted = (number) => window.ran.push(number); null"
FOREIGN = """root => [...root.querySelectorAll("*")].filter((element) =>
    ["script", "iframe", "object", "embed", "img", "image", "foreignobject", "a", "link", "meta",
     "base", "video", "audio", "animate", "set", "math"].includes(element.localName)
    || element.matches("form[action], button[formaction]")
    || [...element.attributes].some(({ name, value }) => name.startsWith("on")
        || /javascript:|evil\\.invalid/.test(value) && !/^(aria-|data-|title$)/.test(name)))
    .map((element) => element.outerHTML.slice(0, 200))"""
EVERY_ITERATION = """player => {
    const seen = new Set();
    const press = (key, ctrlKey) =>
        player.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey, bubbles: true }));
    press("Home", false);
    for (let place = 1; place <= player.querySelector("input[type=range]").max; place++) {
        for (const card of player.querySelectorAll(".card")) seen.add(card.dataset.node);
        press("ArrowRight", true);
    }
    return seen.size;
}"""
FOLDER = str(Path(__file__).parents[1])
CELLS = [
    f"import sys\nsys.path.insert(0, {FOLDER!r})\nfrom injections import *\n"
    "from mcts_viz import *\ntrace = MCTS(Injected(), seed=1).record(iterations=300)\n"
    "Player(trace, 300, cards=300)",
    "other = MCTS(Injected(70), seed=1).record(iterations=300)\nCompare(trace, other, cards=60)",
    "Play(Injected(), iterations=200)",
    "MCTS(Injected(70), seed=1).search(iterations=300)",
    "Play(Injected(999)).play('<img src=x onerror=planted(200)>')",
]


@cache
def film() -> Film:
    return Film(MCTS(Injected(), seed=1).record(iterations=400), 300)


class Watch:
    """What a page does that it should not."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.noted: list[str] = []
        page.add_init_script(WATCH)
        page.on("dialog", lambda dialog: (self.noted.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: self._heard(request.url))

    def _heard(self, url: str) -> None:
        if urlsplit(url).scheme in ("http", "https") and urlsplit(url).hostname != HOST:
            self.noted.append(url)

    def assert_clean(self, *selectors: str) -> None:
        for selector in selectors:
            for root in self.page.locator(selector).all():
                assert root.evaluate(FOREIGN) == []
        assert self.page.evaluate("window.ran") == []
        assert self.noted == []


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(offline=True)
    yield context.new_page()
    context.close()


def test_an_exported_page_runs_nothing_foreign(page: Page, tmp_path: Path) -> None:
    watch = Watch(page)
    file = tmp_path / "film.html"
    file.write_text(film().to_html(1), encoding="utf-8")
    page.goto(file.as_uri())
    player = page.locator(".mcts-player[data-iteration]")
    player.wait_for()
    page.locator("input[type=range]").first.focus()
    for key in ("p", "t", "v", "r", "b", "v"):
        page.keyboard.press(key)
    for iteration in (1, 2, 150, 200, 400):
        page.locator("input[type=range]").first.fill(str(iteration))
        for phase in PHASES:
            page.locator(f".phases .{phase}").click()
            page.keyboard.press("ArrowRight")
    seen = player.evaluate(EVERY_ITERATION)  # each walk's move has a card, whatever its label
    assert seen > len(INJECTIONS)
    watch.assert_clean(".mcts-player")
    assert page.title() == Injected().name.strip() or "script" in page.title()


def test_a_page_without_scripts_shows_shapes_and_text_alone(
    browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "film.html"
    file.write_text(film().to_html(400), encoding="utf-8")
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    asked: list[Any] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    assert page.locator("svg").count()
    assert page.locator("svg image, svg a, svg script, svg foreignObject, body img").count() == 0
    assert asked == [file.as_uri()]
    context.close()


@pytest.mark.slow
def test_no_widget_in_jupyterlab_runs_anything_foreign(lab: JupyterLab) -> None:
    with lab.open(CELLS, viewport={"width": 1300, "height": 3000}) as book:
        watch = Watch(book.page)
        book.page.evaluate(WATCH)
        with pytest.raises(AssertionError, match="planted"):  # the last cell ends in an error
            book.run_all()
        book.page.locator(".mcts-player[data-iteration]").nth(2).wait_for()
        player = book.page.locator(".mcts-player").first
        player.locator("input[type=range]").first.focus()
        for key in (
            "p",
            "t",
            "ArrowRight",
            "ArrowRight",
            "ArrowRight",
            "ArrowRight",
            "End",
            "Home",
        ):
            book.page.keyboard.press(key)
        for card in player.locator(".card:not([display=none])").all()[:20]:
            card.dispatch_event("click")
        watch.assert_clean(".mcts-player", ".mcts-compare", ".mcts-play")
        # JupyterLab makes a link of every address in a text, which nobody has to follow.
        printed = book.page.locator(".jp-OutputArea-output pre")
        assert printed.locator("img, script, iframe, a[href^='javascript']").count() == 0
        assert "<img src=x onerror=planted(200)>" in printed.last.inner_text()
        assert book.errors == []
