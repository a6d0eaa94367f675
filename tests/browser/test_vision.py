"""What is seen with other eyes, and what is heard: colours, forced colours, motion, live text.

Colours are simulated by the matrices of Machado, Oliveira and Fernandes (2009), "A Physiologically-
based Model for Simulation of Color Vision Deficiency", for dichromats, in linear RGB; contrast is
that of WCAG 2.
"""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from mcts_viz import MCTS, Film, TicTacToe, alpha_beta, record_minimax
from mcts_viz.film.theme import THEMES
from mcts_viz.search import EVENTS, PHASES

from .lab import axe_violations
from .test_page import opened

MATRICES = {
    "protanopia": [
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ],
    "deuteranopia": [
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ],
    "tritanopia": [
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ],
}


def linear(colour: NDArray[np.float64]) -> NDArray[np.float64]:
    """sRGB, each part from 0 to 1, as amounts of light."""
    return np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)


def rgb(text: str) -> NDArray[np.float64]:
    """A colour written as ``#rrggbb`` or as a browser does."""
    if text.startswith("#"):
        return np.array([int(text[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.array([float(part) / 255 for part in re.findall(r"[\d.]+", text)[:3]])


def contrast(one: str, other: str, deficiency: str) -> float:
    light = []
    for text in (one, other):
        seen = np.clip(np.array(MATRICES[deficiency]) @ linear(rgb(text)), 0, 1)
        light.append(float(np.array([0.2126, 0.7152, 0.0722]) @ seen))
    return (max(light) + 0.05) / (min(light) + 0.05)


@pytest.mark.parametrize("deficiency", MATRICES)
@pytest.mark.parametrize("theme", THEMES)
def test_the_colours_of_a_theme_can_be_read(theme: str, deficiency: str) -> None:
    colours = THEMES[theme]
    for phase in PHASES:
        assert contrast(colours["on-phase"], colours[phase], deficiency) >= 4.5
        for ground in ("page", "panel", "card"):
            assert contrast(colours[phase], colours[ground], deficiency) >= 4.5
    for text, ground in itertools.product(("ink", "muted"), ("page", "panel", "card")):
        assert contrast(colours[text], colours[ground], deficiency) >= 4.5
    for number in range(5):  # lines, not text
        assert contrast(colours[f"move-{number}"], colours["page"], deficiency) >= 3


def film(kind: str) -> Film:
    game = TicTacToe()
    if kind == "minimax":
        return Film(record_minimax(alpha_beta, game, game.parse("XO. .X. ...")), 30)
    return Film(MCTS(game, seed=4).record(iterations=200))


@pytest.fixture(scope="module", params=["mcts", "minimax"])
def page(
    request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Page]:
    folder = tmp_path_factory.mktemp(request.param)
    page, noted = opened(browser, folder, film(request.param).to_html())
    page.locator(".timeline input").evaluate(
        "s => { s.value = 30; s.dispatchEvent(new Event('input')); }"
    )
    expect(page.locator(".mcts-player")).to_have_attribute("data-iteration", "30")
    yield page
    assert noted == []
    page.context.close()


def names(page: Page) -> tuple[str, ...]:
    return PHASES if page.locator(".phase.select").count() else EVENTS


def see(page: Page, deficiency: str) -> None:
    page.context.new_cdp_session(page).send(
        "Emulation.setEmulatedVisionDeficiency", {"type": deficiency}
    )


def picture(place: Locator) -> NDArray[np.int16]:
    """As seen, in shades of grey."""
    image = Image.open(io.BytesIO(place.screenshot())).convert("L").resize((32, 32))
    return np.asarray(image).astype(np.int16)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("deficiency", [*MATRICES, "achromatopsia"])
def test_phases_are_told_apart_with_other_eyes(page: Page, deficiency: str, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    normal = page.locator(".phases").screenshot()
    see(page, deficiency)
    assert page.locator(".phases").screenshot() != normal, "the browser does simulate it"
    shapes, lines, grounds = [], [], []
    for phase in names(page):
        button = page.locator(f".phase.{phase}")
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
        shapes.append(picture(button.locator(".badge")))
        shape = button.locator(".badge .shape").get_attribute("d")
        expect(page.locator(".what .badge .shape")).to_have_attribute("d", shape)
        style = "e => getComputedStyle(e).strokeDasharray"
        lines.append(page.locator(".mcts-tree .trail").evaluate(style))
        assert button.locator(".line path").evaluate(style) == lines[-1], "the legend is the line"
        told = button.evaluate(
            "b => [getComputedStyle(b).color, getComputedStyle(b).backgroundColor]"
        )
        grounds.append(told)
        if deficiency in MATRICES:
            assert contrast(*told, deficiency) >= 4.5
    assert len(set(lines)) == 4
    for one, other in itertools.combinations(shapes, 2):
        assert (abs(one - other) > 60).mean() > 0.05, "shapes differ without colour"
    see(page, "none")


def test_shapes_of_the_page_are_those_of_stills(page: Page) -> None:
    drawn = page.locator(".phase .badge .shape").evaluate_all(
        "all => all.map(s => s.getAttribute('d'))"
    )
    assert len(set(drawn)) == 4
    kind = "mcts" if names(page) == PHASES else "minimax"
    made = film(kind)
    for phase, shape in zip(names(page), drawn, strict=True):
        moment = (
            (30, phase)
            if kind == "mcts"
            else (1 + made.trace.event.tolist().index(EVENTS.index(phase)),)
        )
        still = made.to_svg(*moment)
        assert f'd="{shape}"' in still
        dash = page.locator(f".phase.{phase} .line path").get_attribute("stroke-dasharray")
        assert f"stroke-dasharray: {dash};" in still
        number = names(page).index(phase) + 1
        assert f">{number}</text>" in still


# What the reader's system asks for ----------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_vanishes_where_the_system_forces_its_colours(page: Page, scheme: Any) -> None:
    page.emulate_media(forced_colors="active", color_scheme=scheme)
    seen = page.evaluate(
        """() => {
            const style = (selector) => getComputedStyle(document.querySelector(selector));
            const ground = style(".mcts-player").backgroundColor;
            return {
                ground,
                lines: [".frame", ".trail", ".edge", ".piece"]
                    .map((part) => style(`.mcts-tree ${part}`).stroke),
                texts: [".share", ".count"].map((part) => style(`.mcts-tree ${part}`).fill),
                card: style(".mcts-tree .frame").fill,
                pressed: style('.phase[aria-pressed="true"]').backgroundColor,
                bar: style(".mcts-tree .bar").fill,
            };
        }"""
    )
    assert seen["ground"] not in seen["lines"]
    assert seen["card"] not in seen["texts"]
    assert seen["pressed"] != seen["ground"]
    assert seen["bar"] not in (seen["card"], seen["ground"])
    assert axe_violations(page, ".mcts-player") == []
    page.emulate_media(forced_colors="none")


def test_who_wants_no_motion_sees_none_and_can_still_play(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    player = page.locator(".mcts-player")
    player.focus()
    page.keyboard.press("Home")
    for key in ("l", "r", "b", "ArrowRight", "l", "r", "b", "End", "Home"):
        page.keyboard.press(key)
        assert page.evaluate("() => document.getAnimations().length") == 0
    page.get_by_role("button", name="Play or pause").click()
    page.wait_for_function(
        """() => {
            const { iteration, phase } = document.querySelector(".mcts-player").dataset;
            const first = document.querySelector(".phase").classList[1];
            return Number(iteration) > 1 || phase !== first;
        }"""
    )
    assert page.evaluate("() => document.getAnimations().length") == 0
    page.get_by_role("button", name="Play or pause").click()
    page.emulate_media(reduced_motion="no-preference")


def test_every_step_is_told_to_who_listens(page: Page) -> None:
    words = page.locator(".words")
    expect(words).to_have_attribute("aria-live", "polite")
    page.locator(".mcts-player").focus()
    page.keyboard.press("Home")
    kind = "mcts" if names(page) == PHASES else "minimax"
    made = film(kind)
    told = [words.text_content()]
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        told.append(words.text_content())
    moments: list[tuple[Any, ...]] = [(1 + k // 4, PHASES[k % 4]) for k in range(13)]
    if kind == "minimax":
        moments = [(step,) for step in range(1, 14)]
    assert told == [made.caption(*moment) for moment in moments]
    assert page.locator(".mcts-player [aria-live=assertive]").count() == 0
