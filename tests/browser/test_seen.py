"""Widgets can be read and used with few colours or none, on paper, enlarged and by touch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from mcts_course import Play
from mcts_viz import MCTS, Compare, ConnectFour, Nim, Player, TicTacToe
from mcts_viz.film import board_of
from mcts_viz.film.pictures import THEMES

from .bare import bare_page, put_widgets, states_of

PHASES = ("select", "expand", "simulate", "backpropagate")
WIDGETS = (".mcts-player", ".mcts-compare", ".mcts-play")


def lightness(colour: str) -> float:
    """The lightness of a colour, 0 (black) to 100 (white): L* of CIELAB."""
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(116 * np.cbrt([0.2126, 0.7152, 0.0722] @ linear) - 16)


@pytest.mark.parametrize("theme", THEMES)
def test_what_colour_alone_tells_is_told_by_how_light_it_is(theme: str) -> None:
    """Bars of mean and exploration lie beside each other, and threads of every result."""
    light = {role: lightness(colour) for role, colour in THEMES[theme].items() if colour[0] == "#"}
    pairs = [("mean", "exploration"), ("mean", "track")]
    pairs += [(role, "page") for role in (*PHASES, "mean", "line")]
    pairs += [("wins-0", "drawn"), ("wins-0", "wins-1")]  # who won, in a ribbon
    for one, other in pairs:
        assert abs(light[one] - light[other]) >= 20, (one, other)
    assert abs(light["drawn"] - light["wins-1"]) >= 12, "lighter, and with a darker edge"


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Nim()])
def test_pieces_of_two_players_differ_in_shape(game: Any) -> None:
    board = board_of(game)
    assert board is not None
    assert len({piece.path for piece in board.pieces}) == len(board.pieces)


# On the page -----------------------------------------------------------------------------------


def widgets() -> list[Any]:
    """A player, a comparison and a game."""
    game = TicTacToe()
    search = MCTS(game, seed=4).record(iterations=60)
    play = Play(game, iterations=50)
    play.play(4)
    return [Player(search, 40, "backpropagate"), Compare(search, search, 40), play]


@contextmanager
def shown(browser: Browser, **profile: Any) -> Iterator[Page]:
    """A player, a comparison and a game, one below the other."""
    with bare_page(browser, **profile) as page:
        put_widgets(page, states_of(widgets))
        expect(page.locator(".mcts-player[data-iteration]")).to_have_count(3)
        yield page


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with shown(browser) as page:
        yield page


def style(page: Page, selector: str, name: str) -> list[str]:
    script = "(all, name) => all.map(e => getComputedStyle(e).getPropertyValue(name))"
    found: list[str] = page.locator(selector).evaluate_all(script, name)
    assert found, selector
    return found


def test_words_and_lines_say_what_colours_say(page: Page) -> None:
    names = [text[:1] for text in page.locator(".mcts-player > div .phase").all_inner_texts()]
    assert names[:4] == list("1234")
    thick = {float(width[:-2]) for width in style(page, ".river .on-path .frame", "stroke-width")}
    thin = style(page, ".river .card:not(.on-path, .focused) .frame", "stroke-width")
    assert min(thick) >= 2 * max(float(width[:-2]) for width in thin)
    assert set(style(page, ".river .card.new .frame", "stroke-dasharray")) != {"none"}
    assert page.locator(".why tbody tr.chosen.winner").count() == 1
    assert set(style(page, ".why .chosen .score", "font-weight")) == {"700"}


def test_what_has_the_keys_shows_it(page: Page) -> None:
    for widget in (".mcts-player", ".mcts-play"):
        page.locator(widget).first.focus()
        for _ in range(5):
            page.keyboard.press("Tab")
            assert style(page, ":focus", "outline-style") == ["solid"]
            assert style(page, ":focus", "outline-width") == ["3px"]


def test_forced_colours_keep_what_areas_tell(page: Page) -> None:
    page.emulate_media(forced_colors="active")
    for bar in (".why .mean", ".decisions .mean", ".mcts-play .mean"):
        track = "background-color"
        assert not set(style(page, bar, track)) & set(style(page, ".mcts-player", track)), bar
    pressed = style(page, ".phase.now", "background-color")
    others = style(page, ".phase:not(.now)", "background-color")
    assert not set(pressed) & set(others)
    frames = style(page, ".river .on-path .frame", "stroke")
    assert not set(frames) & set(style(page, ".river .card .frame", "fill"))
    assert {colour != "none" for colour in style(page, ".mcts-play .piece", "stroke")} == {True}
    page.emulate_media(forced_colors="none")


def outside(page: Page) -> list[str]:
    """The parts that stick out of their widget, and the page if it scrolls sideways."""
    found: list[str] = page.evaluate(
        """widgets => {
            const out = [];
            const { clientWidth, scrollWidth } = document.documentElement;
            if (scrollWidth > clientWidth) out.push(`the page: ${scrollWidth} > ${clientWidth}`);
            for (const widget of widgets.map(one => document.querySelector(one))) {
                const { left, right } = widget.getBoundingClientRect();
                for (const part of widget.querySelectorAll("button, input, select, p, th, td")) {
                    const box = part.getBoundingClientRect();
                    if (box.width && part.checkVisibility() && !part.closest(".track, .stage")
                        && (box.left < left - 1 || box.right > right + 1)) out.push(part.outerHTML);
                }
            }
            return out;
        }""",
        WIDGETS,
    )
    return found


def test_on_a_page_that_runs_from_right_to_left(page: Page) -> None:
    page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    assert outside(page) == []
    stage, side = (page.locator(part).first.bounding_box() for part in (".stage", ".side"))
    assert stage["x"] < side["x"], "a film runs from left to right"
    assert style(page, ".mcts-play .field", "direction") == ["ltr"]
    page.evaluate("() => { document.documentElement.dir = ''; }")


def test_on_paper_each_stands_on_one_page(page: Page) -> None:
    page.emulate_media(media="print")
    for widget in WIDGETS:
        assert set(style(page, f"div > {widget}", "break-inside")) == {"avoid"}
        assert page.locator(widget).first.bounding_box()["height"] < 1000
    assert page.pdf().startswith(b"%PDF")
    page.emulate_media(media="screen")


def test_twice_as_large_nothing_is_cut_off(browser: Browser) -> None:
    """As a browser enlarges a page: half the room, twice the pixels."""
    size = {"width": 640, "height": 400}
    with shown(browser, viewport=size, device_scale_factor=2) as page:
        assert outside(page) == []
        letters = page.locator(".mcts-player .river text:visible").evaluate_all(
            """all => all.map(e => parseFloat(getComputedStyle(e).fontSize)
                * e.ownerSVGElement.getScreenCTM().a)"""
        )
        assert min(letters) >= 11


COVERED = """() => {
    const covered = [], seen = [];
    const parts = document.querySelectorAll(
        "button, input, select, .river .card[data-kind='full'] .frame");
    for (const part of parts) {
        if (!part.checkVisibility({ visibilityProperty: true })) continue;
        if (part.matches(":disabled")) continue;
        part.scrollIntoView({ block: "center", inline: "center" });
        const { left, top, width, height } = part.getBoundingClientRect();
        if (!width) continue;
        const own = part.closest(".card") ?? part.closest("label") ?? part;
        const found = document.elementFromPoint(left + width / 2, top + height / 2);
        seen.push(own);
        const said = one => one?.outerHTML.slice(0, 90);
        if (!own.contains(found)) covered.push(`${said(part)} lies below ${said(found)}`);
    }
    scrollTo(0, 0);
    return [seen.length, covered];
}"""
STUCK = """() => {
    const player = document.querySelector(".mcts-player");
    const { top, bottom } = player.getBoundingClientRect();
    const lost = [];
    for (const part of [0, 0.3, 0.6]) {
        scrollTo(0, scrollY + top + part * (bottom - top));
        for (const button of player.querySelectorAll(".transport button")) {
            const box = button.getBoundingClientRect();
            if (!button.checkVisibility() || !box.width) continue;
            const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
            const found = document.elementFromPoint(x, y);
            if (!button.contains(found)) lost.push([part, button.textContent]);
        }
        scrollTo(0, 0);
    }
    return lost;
}"""
KEYS = [("playout", "3"), ("menu", "m"), ("closed", "Escape"), ("predict", "p"), ("walk", "v")]
PRESS = """key => document.querySelector(".mcts-player")
    .dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))"""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.mark.parametrize("profile", [{}, PHONE], ids=["window", "phone"])
def test_a_control_in_the_window_is_in_sight(browser: Browser, profile: dict[str, Any]) -> None:
    """At its middle lies the control itself: at rest, while a playout falls, with open menus."""
    with shown(browser, **profile) as page:
        for state, key in (("at rest", ""), *KEYS):
            page.evaluate(PRESS, key)
            count, covered = page.evaluate(COVERED)
            assert covered == [], state
            assert count > 30
        if profile:
            assert page.evaluate(STUCK) == [], "the steps stay in reach"
