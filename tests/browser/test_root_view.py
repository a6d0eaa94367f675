"""The strip below the slider: its line stands where the slider does, and its bars count visits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from mcts_viz import MCTS, ConnectFour, Film, MCTSSolver, TicTacToe, alpha_beta, record_minimax
from mcts_viz.film.root_view import played, root_facts

from .lab import axe_violations
from .test_page import opened


@pytest.fixture(scope="module")
def film() -> Film:
    return Film(MCTS(TicTacToe(), seed=4).record(iterations=200))


@pytest.fixture(scope="module")
def page(browser: Browser, film: Film, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    page, noted = opened(browser, tmp_path_factory.mktemp("root"), film.to_html())
    yield page
    assert noted == []
    page.context.close()


def go(page: Page, iteration: int, phase: str) -> None:
    page.locator(".mcts-player .timeline input").evaluate(
        "(slider, k) => { slider.value = k; slider.dispatchEvent(new Event('input')); }", iteration
    )
    page.locator(f".phases .{phase}").click()


def bars(page: Page) -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = page.locator(".root-moves li").evaluate_all(
        """rows => rows.map(row => ({
            move: row.querySelector(".move").textContent,
            count: row.querySelector(".count").textContent,
            width: parseFloat(row.querySelector(".bar").style.width),
            played: row.classList.contains("played"),
        }))"""
    )
    return read


@pytest.mark.parametrize("iteration", [1, 2, 3, 50, 127, 200])
@pytest.mark.parametrize("width", [500, 960, 1400])
def test_the_line_stands_below_the_sliders_thumb(page: Page, iteration: int, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 1200})
    go(page, iteration, "select")
    line = page.locator(".root-strip .place").bounding_box()
    track = page.locator(".timeline input").bounding_box()
    share = (iteration - 1) / 199
    thumb = track["x"] + 8 + share * (track["width"] - 16)
    assert line["x"] + line["width"] / 2 == pytest.approx(thumb, abs=1)
    strip = page.locator(".root-strip").bounding_box()
    assert strip["y"] >= track["y"] + track["height"] - 1


@pytest.mark.parametrize("phase", ["select", "backpropagate"])
@pytest.mark.parametrize("iteration", [1, 9, 64, 200])
def test_bars_are_the_visits_of_the_moment(
    page: Page, film: Film, iteration: int, phase: str
) -> None:
    go(page, iteration, phase)
    now, facts = film.trace.at(iteration, phase), root_facts(film.reel)
    visits = [int(now.visits[n]) if n < now.nodes else 0 for n in facts["moves"]]
    visits.append(sum(int(now.visits[n]) for n in facts["rest"] if n < now.nodes))
    counted = iteration - (phase == "select")
    best = int(played(film.reel)[counted - 1]) if counted else None
    rows = bars(page)
    assert [row["move"] for row in rows] == [*map(film.trace.label, facts["moves"]), "others"]
    nodes = [[node] for node in facts["moves"]] + [facts["rest"]]
    for row, mine, count in zip(rows, nodes, visits, strict=True):
        assert row["played"] == (best in mine)
        assert row["count"] == f"{count}{' ★' if best in mine else ''}"
        assert row["width"] == pytest.approx(100 * count / max(1, *visits), abs=0.01)
    words = page.locator(".root-words")
    if best:
        expect(words).to_contain_text(f"Would be played now: {film.trace.label(best)}, with")
    else:
        expect(words).not_to_contain_text("Would be played")


def test_a_click_or_a_drag_goes_to_that_iteration(page: Page) -> None:
    go(page, 100, "simulate")
    strip = page.locator(".root-strip").bounding_box()
    y = strip["y"] + 20
    for share, wanted in ((0.0, 1), (0.25, 51), (0.999, 200)):
        page.mouse.click(strip["x"] + 0.5 + share * (strip["width"] - 1), y)
        told = int(page.locator(".mcts-player").get_attribute("data-iteration"))
        assert told == pytest.approx(wanted, abs=1)
    expect(page.locator(".mcts-player")).to_have_attribute("data-phase", "simulate")
    page.mouse.down()
    page.mouse.move(strip["x"] + strip["width"] / 2, y)
    told = int(page.locator(".mcts-player").get_attribute("data-iteration"))
    page.mouse.up()
    assert told == pytest.approx(100, abs=2)
    page.mouse.move(strip["x"] + 1, y)
    assert int(page.locator(".mcts-player").get_attribute("data-iteration")) == told


def test_it_says_in_words_what_it_shows(page: Page, film: Film) -> None:
    picture = page.get_by_role("img", name="The moves at the root after 200 iterations")
    assert picture.get_attribute("aria-label") == root_facts(film.reel)["words"]
    expect(page.locator(".root-words")).to_contain_text("Moves at the root: shares of the visits")
    expect(page.get_by_role("list", name="Visits of the moves at the root")).to_be_visible()


def test_a_button_and_a_key_hide_it(page: Page) -> None:
    button = page.get_by_role("button", name="The moves at the root over time (R)")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(page.locator(".root-strip")).to_be_hidden()
    expect(page.locator(".root-moves")).to_be_hidden()
    expect(button).to_have_attribute("aria-pressed", "false")
    go(page, 33, "select")
    page.keyboard.press("r")
    expect(page.locator(".root-strip")).to_be_visible()
    assert sum(int(row["count"].split()[0]) for row in bars(page)) == 32


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page: Page, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    assert axe_violations(page, ".mcts-player") == []


def test_minimax_has_none_and_says_nothing_of_it(browser: Browser, tmp_path: Path) -> None:
    game = TicTacToe()
    walk = Film(record_minimax(alpha_beta, game, game.parse("XO. .X. ...")))
    page, noted = opened(browser, tmp_path, walk.to_html())
    expect(page.locator(".root-strip")).to_be_hidden()
    expect(page.get_by_role("button", name="The moves at the root over time (R)")).to_be_hidden()
    page.locator(".mcts-player").focus()
    page.keyboard.press("r")
    expect(page.locator(".root-strip")).to_be_hidden()
    assert noted == []
    page.context.close()


def test_a_solver_marks_the_proven_win(browser: Browser, tmp_path: Path) -> None:
    game = TicTacToe()
    search = MCTSSolver(game, seed=8)
    film = Film(search.record(game.parse("X.. .O. ..X"), iterations=200))
    page, noted = opened(browser, tmp_path, film.to_html())
    told = played(film.reel)
    for iteration in range(1, len(told) + 1, 9):
        go(page, iteration, "backpropagate")
        label = film.trace.label(int(told[iteration - 1]))
        expect(page.locator(".root-words")).to_contain_text(f"played now: {label},")
    assert noted == []
    page.context.close()


def test_a_film_of_one_iteration_and_a_wide_game_show_it_too(
    browser: Browser, tmp_path: Path
) -> None:
    one = Film(MCTS(ConnectFour(), seed=1).record(iterations=1))
    page, noted = opened(browser, tmp_path, one.to_html(1, "backpropagate"))
    assert [row["count"] for row in bars(page)] == ["1 ★"]
    assert noted == []
    page.context.close()
