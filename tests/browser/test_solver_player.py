"""The player of a film of MCTS-Solver: what is proven is marked on the screen and told by it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from films import films
from playwright.sync_api import Browser, Page

from mcts_viz import Film, MCTSSolver, Nim, TicTacToe
from mcts_viz.film.captions import caption
from mcts_viz.film.words import fixed, short
from mcts_viz.search import PHASES

from .lab import axe_violations

WORDS = {1: "proven win", -1: "proven loss", 0: ""}
GAME = TicTacToe()
FILMS = [
    Film(MCTSSolver(GAME, seed=2).record(GAME.parse("X.. .O. ..."), iterations=300), 40),
    Film(MCTSSolver(Nim((1, 2, 3)), seed=1).record(iterations=3000), 30),
]


def opened(browser: Browser, folder: Path, film: Film, **profile: Any) -> Page:
    file = folder / "film.html"
    file.write_text(film.to_html(), encoding="utf-8")
    page = browser.new_context(offline=True, **profile).new_page()
    page.goto(file.as_uri())
    page.locator(".mcts-player[data-iteration]").wait_for()
    return page


@pytest.fixture(params=FILMS, ids=lambda film: repr(film.trace))
def shown(
    browser: Browser, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[tuple[Page, Film]]:
    page = opened(browser, tmp_path, request.param)
    yield page, request.param
    page.context.close()


def go(page: Page, iteration: int, phase: str) -> None:
    page.locator("input[type=range]").evaluate(
        "(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }",
        str(iteration),
    )
    page.locator(f".phases .{phase}").click()


def moments(film: Film) -> list[tuple[int, str]]:
    last = film.trace.iterations
    return [(i, p) for i in (1, last // 3, last // 2, last - 1, last) for p in PHASES]


def test_every_card_is_marked_as_in_python(shown: tuple[Page, Film]) -> None:
    page, film = shown
    marked = 0
    for iteration, phase in moments(film):
        go(page, iteration, phase)
        now = film.trace.at(iteration, phase)
        cards = page.evaluate(
            """() => [...document.querySelectorAll("[data-node]")]
                .filter(card => card.getClientRects().length)
                .map(card => ({
                    node: Number(card.dataset.node), classes: [...card.classList],
                    score: card.querySelector(".score").textContent,
                    label: card.getAttribute("aria-label"),
                    inner: getComputedStyle(card.querySelector(".proof")).stroke,
                    dots: getComputedStyle(card.querySelector(".proof")).strokeDasharray,
                }))"""
        )
        assert cards
        for card in cards:
            proof = now.proof(card["node"])
            words = WORDS[proof]
            assert set(card["classes"]) & {"proven", "win", "loss"} == set(words.split())
            assert ("proven" in card["label"]) == bool(proof)
            assert (card["inner"] != "none") == bool(proof)
            if proof:
                marked += 1
                assert card["score"] == words
                assert words in card["label"]
                assert (card["dots"] == "none") == (proof == 1)
            else:
                assert "proven" not in card["score"]
    assert marked > 20


def test_captions_are_those_of_python(shown: tuple[Page, Film]) -> None:
    page, film = shown
    last = film.trace.iterations
    told = set()
    for iteration in {*range(1, last, 7), *film.trace.proofs.since[:40].tolist(), last} - {0}:
        for phase in ("select", "backpropagate"):
            go(page, iteration, phase)
            words = page.locator(".words").text_content()
            assert words == caption(film.reel, iteration, phase)
            told |= {sign for sign in ("passed over", "This proves that") if sign in words}
    assert "This proves that" in told


def test_the_comparison_says_what_is_proven_wins_first_and_losses_last(
    shown: tuple[Page, Film],
) -> None:
    page, film = shown
    seen = set()
    for iteration, phase in moments(film):
        go(page, iteration, phase)
        now = film.trace.at(iteration, phase)
        parents = [node for node in film.reel.families if node in film.reel.cards][:12]
        for parent in [node for node in parents if node < now.nodes and now.children(node)]:
            page.locator(f'[data-node="{parent}"]').first.evaluate(
                "card => card.dispatchEvent(new MouseEvent('click', { bubbles: true }))"
            )
            rows = page.evaluate(
                """() => [...document.querySelectorAll(".why tbody tr")]
                    .filter(row => row.getClientRects().length)
                    .map(row => [row.querySelector(".move").textContent.replace("▸ ", ""),
                        row.children[1].textContent, row.querySelector(".score").textContent])"""
            )
            nodes = {film.trace.label(node): node for node in now.children(parent)}
            assert {row[0] for row in rows} == set(nodes)
            proofs = [now.proof(nodes[label]) for label, _, _ in rows]
            assert proofs == sorted(proofs, reverse=True)
            for (label, share, words), proof in zip(rows, proofs, strict=True):
                node = nodes[label]
                score = now.score(node)
                assert share == f"{short(float(now.wins[node]))}/{now.visits[node]}"
                assert words == (WORDS[proof] or ("–" if score is None else fixed(score)))
            seen |= set(proofs)
    assert seen >= {0, -1}


def test_the_legend_explains_the_mark_only_where_there_is_one(
    browser: Browser, tmp_path: Path
) -> None:
    for film, wanted in ((FILMS[0], 1), (films()[0], 0)):
        page = opened(browser, tmp_path, film)
        assert page.locator(".legend li", has_text="double frame: proven").count() == wanted
        assert page.locator(".mcts-tree .proof").count() == wanted * (
            len(film.reel.cards) + film.reel.longest_strip
        )
        page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_either_theme(browser: Browser, tmp_path: Path, scheme: str) -> None:
    page = opened(browser, tmp_path, FILMS[0], color_scheme=scheme)
    go(page, 300, "backpropagate")
    assert page.locator(".proven").count() > 5
    assert axe_violations(page, ".mcts-player") == []
    page.context.close()
