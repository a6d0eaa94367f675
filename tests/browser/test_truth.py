"""The switch that lays the exact truth over the cards, by mouse and by key."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from mcts_viz import MCTS, Film, TicTacToe, solve
from mcts_viz.film.truth import truth_facts

from .lab import DARK, HIGH_CONTRAST, LIGHT, JupyterLab, Notebook

CELLS = [
    """from mcts_viz import MCTS, ConnectFour, Player, TicTacToe
game = TicTacToe()
Player(MCTS(game, seed=4).record(game.parse("X.. .O. ..X"), iterations=200))""",
    "Player(MCTS(ConnectFour(), seed=4).record(iterations=50))",
]


@pytest.fixture(scope="module")
def notebook(lab: JupyterLab) -> Iterator[Notebook]:
    with lab.open(CELLS, viewport={"width": 1300, "height": 1600}) as notebook:
        notebook.run_all()
        expect(notebook.page.locator(".mcts-player[data-iteration]")).to_have_count(2)
        yield notebook


@pytest.fixture(scope="module")
def film() -> Film:
    game = TicTacToe()
    return Film(MCTS(game, seed=4).record(game.parse("X.. .O. ..X"), iterations=200))


def switch(player: Locator) -> Locator:
    return player.get_by_role("button", name="Exact values over the cards (T)")


def test_every_card_says_what_exact_play_says(notebook: Notebook, film: Film) -> None:
    player = notebook.output(0).locator(".mcts-player")
    expect(player.locator(".truth")).to_have_count(0)
    switch(player).click()
    expect(switch(player)).to_have_attribute("aria-pressed", "true")
    player.locator("input[type=range]").focus()
    notebook.page.keyboard.press("End")
    facts = truth_facts(film.reel, film.truth)
    for node in film.reel.cards:
        words, _ = facts["badges"][str(node)]
        card = player.locator(f'.card[data-node="{node}"]')
        expect(card.locator(".truth text")).to_have_text(words)
        assert words in card.get_attribute("aria-label")
        solution = solve(film.trace.game, film.trace.state(node))
        sign = {1: "▼", 0: "●", -1: "▲"}[solution.value]
        assert words.startswith(sign), "what the player to move wins, the other one loses"
    expect(player.locator(".truth-words")).to_contain_text(facts["stays"])
    most = str(film.truth.recommended[-1])
    expect(player.locator(".truth-words")).to_contain_text(facts["moves"][most])


def test_the_sentence_follows_the_film(notebook: Notebook, film: Film) -> None:
    player = notebook.output(0).locator(".mcts-player")
    player.locator("input[type=range]").focus()
    facts = truth_facts(film.reel, film.truth)
    notebook.page.keyboard.press("Home")
    expect(player.locator(".truth-words")).to_have_text(facts["stays"])
    for iteration in range(1, 12):
        notebook.page.keyboard.press("Shift+ArrowRight")
        most = str(film.truth.recommended[iteration - 1])
        expect(player.locator(".truth-words")).to_contain_text(facts["moves"][most])


@pytest.mark.parametrize("theme", [DARK, HIGH_CONTRAST, LIGHT])
def test_axe_finds_nothing_while_it_is_shown(notebook: Notebook, theme: str) -> None:
    notebook.set_theme(theme)
    assert notebook.output(0).locator(".truth-words").is_visible()
    assert notebook.axe(".mcts-player") == []


def test_the_key_takes_it_away(notebook: Notebook) -> None:
    player = notebook.output(0).locator(".mcts-player")
    player.locator("input[type=range]").focus()
    notebook.page.keyboard.press("t")
    expect(player.locator(".truth-words")).to_be_hidden()
    assert not player.locator(".truth").first.is_visible()
    assert "in truth" not in player.locator('.card[data-node="0"]').get_attribute("aria-label")
    expect(switch(player)).to_have_attribute("aria-pressed", "false")
    assert notebook.errors == []


def test_where_no_solver_reaches_the_switch_says_so(notebook: Notebook) -> None:
    player = notebook.output(1).locator(".mcts-player")
    switch(player).click()
    said = player.locator(".truth-words")
    expect(said).to_contain_text("Connect Four has more than 20,000 positions to look at")
    assert player.locator(".truth").count() == 0
    assert notebook.errors == []
