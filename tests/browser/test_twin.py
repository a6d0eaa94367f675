"""The tree as a table: the same cards, numbers and marks, and the same answer to a choice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from mcts_viz import MCTS, Film, TicTacToe, alpha_beta, record_minimax
from mcts_viz.film.words import fixed, short

from .lab import axe_violations
from .test_page import opened


@pytest.fixture(scope="module")
def film() -> Film:
    return Film(MCTS(TicTacToe(), seed=4).record(iterations=200))


@pytest.fixture
def page(browser: Browser, film: Film, tmp_path: Path) -> Iterator[Page]:
    page, noted = opened(browser, tmp_path, film.to_html(64, "simulate"))
    page.locator(".mcts-player").focus()
    yield page
    assert noted == []
    page.context.close()


def rows(page: Page) -> list[list[str]]:
    read: list[list[str]] = page.locator(".twin tbody tr:not([hidden])").evaluate_all(
        "rows => rows.map(row => [row.dataset.row, ...[...row.children].map(c => c.textContent)])"
    )
    return read


def check(page: Page, film: Film, iteration: int, phase: str) -> None:
    frame, trace = film.frame(iteration, phase), film.trace
    cards: dict[int, Any] = {card.node: card for card in (*frame.cards, *frame.slots)}
    seen = rows(page)
    assert sorted(int(row[0]) for row in seen) == sorted(cards)
    levels: dict[int, int] = {}
    for number, level, move, who, share, score, marks in seen:
        node, card = int(number), cards[int(number)]
        levels[node] = int(level)
        if node:
            assert int(level) == levels[int(trace.parent[node])] + 1, "a parent comes before"
        assert move == (trace.label(node) or "root")
        assert who == trace.game.players[trace.mover[node]]
        assert share == f"{short(card.wins)}/{card.visits}"
        if node in {c.node for c in frame.cards}:
            assert score == ("–" if card.score is None else f"UCT {fixed(card.score)}")
        assert ("on the path" in marks) == card.on_path
        assert ("new" in marks.split(", ")) == card.new
    stubs = {stub.card: stub.hidden for stub in frame.stubs}
    for row in seen:
        assert (f"{stubs[int(row[0])]} more node" in row[6]) if int(row[0]) in stubs else True


def test_it_holds_every_card_of_the_moment_and_follows(page: Page, film: Film) -> None:
    expect(page.locator(".twin")).to_be_hidden()
    page.keyboard.press("b")
    check(page, film, 64, "simulate")
    for key, moment in [
        ("ArrowRight", (64, "backpropagate")),
        ("ArrowRight", (65, "select")),
        ("End", (200, "backpropagate")),
        ("Home", (1, "select")),
    ]:
        page.keyboard.press(key)
        check(page, film, *moment)


def test_while_closed_it_costs_nothing(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    assert page.locator(".twin tbody tr").count() == 0
    page.keyboard.press("b")
    before = rows(page)
    page.keyboard.press("b")
    page.keyboard.press("End")
    page.keyboard.press("b")
    assert rows(page) != before
    button = page.get_by_role("button", name="The tree as a table (B)")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(page.locator(".twin")).to_be_hidden()


def test_a_row_is_chosen_as_a_card_is(page: Page, film: Film) -> None:
    page.keyboard.press("End")
    page.keyboard.press("b")
    trace = film.trace
    now = trace.at(200)
    parents = [node for node in film.reel.cards if node and now.children(node)][:2]
    by_card = []
    for node in parents:
        page.locator(f'.card[data-node="{node}"]').click()
        by_card.append(page.locator(".why").inner_text())
        expect(page.locator(f'.twin tr[data-row="{node}"] button')).to_have_attribute(
            "aria-pressed", "true"
        )
    page.locator(f'.twin tr[data-row="{parents[0]}"] td').last.click()
    assert page.locator(".why").inner_text() == by_card[0]
    page.locator(f'.twin tr[data-row="{parents[1]}"] button').focus()
    page.keyboard.press("Enter")
    assert page.locator(".why").inner_text() == by_card[1]
    assert page.locator(f'.card[data-node="{parents[1]}"]').evaluate(
        "card => card.classList.contains('focused')"
    )


def test_arrows_lead_through_the_rows_and_through_the_film(page: Page) -> None:
    page.keyboard.press("b")
    buttons = page.locator(".twin tbody tr:not([hidden]) button")
    stops = [stop for stop in buttons.evaluate_all("all => all.map(b => b.tabIndex)") if stop == 0]
    assert len(stops) == 1, "one stop for Tab"
    buttons.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(buttons.nth(2)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(buttons.nth(1)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".mcts-player")).to_have_attribute("data-phase", "backpropagate")
    expect(buttons.nth(1)).to_be_focused()


def test_exact_values_stand_beside_while_they_are_shown(page: Page, film: Film) -> None:
    page.keyboard.press("b")
    assert not any("in truth" in row[6] for row in rows(page))
    page.keyboard.press("t")
    badges = page.locator('.card[data-node="0"] .truth text').text_content()
    assert f"in truth {badges}" in rows(page)[0][6]
    cards = {card.node for card in film.frame(64, "simulate").cards}
    assert all("in truth" in row[6] for row in rows(page) if int(row[0]) in cards)
    page.keyboard.press("t")
    assert not any("in truth" in row[6] for row in rows(page))


def test_it_is_a_table_that_a_screen_reader_understands(page: Page) -> None:
    page.keyboard.press("b")
    table = page.locator(".twin table")
    expect(table.locator("caption")).to_contain_text("cards of iteration 64 (simulate)")
    heads = table.locator("thead th")
    assert heads.evaluate_all("all => all.every(h => h.scope === 'col')")
    assert heads.all_text_contents() == [
        *("level", "move", "played by", "wins/visits", "UCT", "marks")
    ]
    assert table.locator("tbody th").evaluate_all("all => all.every(h => h.scope === 'row')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_while_it_is_open(page: Page, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    page.keyboard.press("b")
    page.keyboard.press("t")
    assert axe_violations(page, ".mcts-player") == []


def test_a_walk_by_minimax_has_values_and_windows(browser: Browser, tmp_path: Path) -> None:
    game = TicTacToe()
    walk = Film(record_minimax(alpha_beta, game, game.parse("XO. .X. ...")), 30)
    page, noted = opened(browser, tmp_path, walk.to_html())
    page.locator(".mcts-player").focus()
    page.keyboard.press("b")
    heads = page.locator(".twin thead th").all_text_contents()
    assert heads == ["level", "move", "value", "window", "marks"]
    for step in (1, 2, 40, len(walk.trace)):
        page.locator(".timeline input").evaluate(
            "(s, k) => { s.value = k; s.dispatchEvent(new Event('input')); }", step
        )
        expect(page.locator(".mcts-player")).to_have_attribute("data-iteration", str(step))
        frame = walk.frame(step)
        cards: list[Any] = [*frame.cards, *frame.slots]
        texts = {card.node: walk.reel.texts(card) for card in cards}  # type: ignore[arg-type]
        page.wait_for_timeout(120)  # in a drag the tables follow as fast as one can read
        seen = rows(page)
        assert {int(row[0]): (row[3], row[4]) for row in seen} == texts
    assert axe_violations(page, ".mcts-player") == []
    assert noted == []
    page.context.close()
