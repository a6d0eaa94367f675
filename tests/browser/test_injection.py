"""Strings of attackers in a real browser: nothing runs, and no request leaves the page.

Code that ran would call `planted`, which no page has, and the test sees that error.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from injections import INJECTIONS, Injected
from playwright.sync_api import Browser, Page

from mcts_course import Play
from mcts_viz import MCTS, Compare, Film, Player
from mcts_viz.search import PHASES

from .bare import Show, bare_page, put_widgets, states_of

FOREIGN = """roots => roots.flatMap(root => [...root.querySelectorAll("*")]).filter((element) =>
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
    for (let place = 1; place <= player.querySelector(".track input").max; place++) {
        for (const card of player.querySelectorAll(".card")) seen.add(card.dataset.node);
        press("ArrowRight", true);
    }
    return seen.size;
}"""


@cache
def film() -> Film:
    return Film(MCTS(Injected(), seed=1).record(iterations=200), 200)


def look_at_everything(page: Page) -> int:
    """Every tool, phase and iteration of the first player; returns how many cards there were."""
    slider = page.locator(".track input").first
    slider.focus()
    for key in ("p", "t", "v", "b", "v"):
        page.keyboard.press(key)
    for iteration in (1, 2, 75, 100, 200):
        slider.fill(str(iteration))
        for phase in PHASES:
            page.locator(".phases input").first.fill(str(PHASES.index(phase)))
            page.keyboard.press("ArrowRight")
    return int(page.locator(".mcts-player").first.evaluate(EVERY_ITERATION))


def test_an_exported_page_runs_nothing_foreign(show: Show) -> None:
    page = show(film().to_html(1))
    page.locator(".mcts-player[data-iteration]").wait_for()
    assert look_at_everything(page) > len(INJECTIONS), "each walk's move has a card"
    assert page.locator(".mcts-player").evaluate_all(FOREIGN) == []
    assert page.title() == Injected().name.strip() or "script" in page.title()


def test_no_widget_runs_anything_foreign(browser: Browser) -> None:
    def widgets() -> list[Player | Compare | Play]:
        play = Play(Injected(), iterations=50)
        play.play(0)
        short = Film(MCTS(Injected(40), seed=1).record(iterations=80), 40)
        return [Player(short, 40), Compare(short, short, 40), play]

    with bare_page(browser) as page:
        amiss: list[str] = []
        page.on("pageerror", lambda error: amiss.append(str(error)))
        page.on("request", lambda asked: amiss.append(asked.url))
        put_widgets(page, states_of(widgets))
        assert look_at_everything(page)
        assert page.locator(".mcts-player, .mcts-compare, .mcts-play").evaluate_all(FOREIGN) == []
        assert amiss == []


def test_a_page_without_scripts_shows_shapes_and_text_alone(
    browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "film.html").write_text(film().to_html(200), encoding="utf-8")
    page = browser.new_page(offline=True, java_script_enabled=False)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((tmp_path / "film.html").as_uri())
    assert page.locator("svg").count()
    assert page.locator("svg image, svg a, svg script, svg foreignObject, body img").count() == 0
    assert asked == [page.url]
    page.close()
