"""Wide trees: stubs that open, a part of the tree alone, more cards or fewer; by mouse and keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from mcts_viz import MCTS, ConnectFour, Film, MCTSSolver, TicTacToe, alpha_beta
from mcts_viz.trace import MinimaxTrace, Trace, record_minimax

from .lab import DARK, LIGHT, JupyterLab, Notebook, axe_violations
from .test_page import opened

T = TicTacToe()


@cache
def traces() -> dict[str, tuple[Trace | MinimaxTrace, int]]:
    """A trace of each kind, and the iteration that is looked at."""
    return {
        "search": (MCTS(ConnectFour(), seed=4).record(iterations=1500), 1200),
        "solver": (MCTSSolver(T, seed=2).record(T.parse("X.. .O. ..."), iterations=300), 250),
        "alpha-beta": (record_minimax(alpha_beta, T, T.parse("XO. .X. ...")), 300),
    }


@dataclass
class Shown:
    """A player on the page, and the trace that it shows."""

    page: Page
    root: Locator
    trace: Trace | MinimaxTrace
    iteration: int

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name)

    def card(self, node: int) -> Locator:
        return self.root.locator(f'.card[data-node="{node}"]:not(.slot)')

    def nodes(self) -> list[int]:
        """The nodes that have a card in this view, on the screen by now or not."""
        cards = self.root.locator(".card:not(.slot)")
        return [int(node) for node in cards.evaluate_all("all => all.map(c => c.dataset.node)")]

    def texts(self) -> dict[int, list[str]]:
        """What the visible cards say, those of the strip too."""
        told: list[Any] = self.root.evaluate(
            """root => [...root.querySelectorAll("[data-node]")]
                .filter(card => card.getClientRects().length)
                .map(card => [
                    Number(card.dataset.node), card.querySelector(".share").textContent,
                    card.querySelector(".score").textContent,
                    card.classList.contains("on-path")])"""
        )
        return {node: said for node, *said in told}

    def place(self, node: int) -> list[float]:
        box = self.card(node).bounding_box()
        return [box["x"], box["y"], box["width"]]

    def around(self, nodes: list[int]) -> tuple[float, float, float, float]:
        """The box around those of the cards that are on the screen by now."""
        found = [self.card(node).bounding_box() for node in nodes]
        boxes = [box for box in found if box]
        x, y = min(box["x"] for box in boxes), min(box["y"] for box in boxes)
        right = max(box["x"] + box["width"] for box in boxes)
        low = max(box["y"] + box["height"] for box in boxes)
        return x, y, right - x, low - y

    def ask_for(self, cards: int) -> None:
        """Type a number of cards."""
        self.root.locator(".zoom input").fill(str(cards))
        self.page.keyboard.press("Enter")
        self.rest()

    def rest(self) -> None:
        """Wait until no card glides any more."""
        self.page.evaluate(
            "() => Promise.all(document.getAnimations().map(glide => glide.finished))"
        )

    def stub(self) -> tuple[Locator, int]:
        """A stub that is on the screen and holds nodes, and its card."""
        stub = self.root.locator('.stub:not([display="none"])', has_text="+").first
        return stub, int(stub.get_attribute("data-stub"))


def go(shown: Shown) -> None:
    shown.root.locator("input[type=range]").evaluate(
        "(input, value) => { input.value = value; input.dispatchEvent(new Event('input')); }",
        str(shown.iteration),
    )
    # A drag is painted with the next frame of the screen.
    expect(shown.root).to_have_attribute("data-iteration", str(shown.iteration))


@pytest.fixture(params=["search", "solver", "alpha-beta"])
def shown(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Shown]:
    """The film of a trace as a file, opened without a network."""
    trace, iteration = traces()[request.param]
    html = Film(trace, 20).to_html()
    page, noted = opened(browser, tmp_path, html, viewport={"width": 950, "height": 1400})
    shown = Shown(page, page.locator(".mcts-player"), trace, iteration)
    go(shown)
    yield shown
    expect(shown.root.locator(".alert")).to_be_hidden()
    assert noted == []
    page.context.close()


def check_texts(shown: Shown, cards: int) -> None:
    """The screen says what Python's film with so many cards says."""
    film = Film(shown.trace, cards)
    phase = shown.root.get_attribute("data-phase")
    frame, reel, texts = film.frame(shown.iteration, phase), film.reel, shown.texts()
    for card in frame.cards:
        assert texts.pop(card.node) == [*reel.texts(card), card.on_path]
    assert sorted(texts) == sorted(frame.strip)
    for card in frame.slots:
        share, _, on_path = texts[card.node]
        assert (share, on_path) == (reel.texts(card)[0], True)
    stubs = shown.root.locator('.stub:not([display="none"]) .count').all_text_contents()
    assert stubs == [stub.text for stub in frame.stubs]


def test_the_number_of_cards_is_chosen(shown: Shown) -> None:
    for cards in (60, 5, 33, 20):
        shown.ask_for(cards)
        check_texts(shown, cards)
    shown.ask_for(100_000)
    assert len(shown.nodes()) == min(300, len(shown.trace.parent))
    check_texts(shown, 300)
    shown.root.locator(".zoom input").press("ArrowDown")
    shown.rest()
    assert len(shown.nodes()) < 300
    shown.button("Whole tree").click()
    check_texts(shown, 20)
    expect(shown.button("Whole tree")).to_be_hidden()


@pytest.mark.parametrize("hand", ["mouse", "keyboard"])
def test_a_stub_opens_and_what_was_in_it_is_seen(shown: Shown, hand: str) -> None:
    stub, card = shown.stub()
    before, said = shown.nodes(), stub.text_content()
    if hand == "mouse":
        stub.click()
    else:
        stub.focus()
        shown.page.keyboard.press("Enter")
    shown.rest()
    after = shown.nodes()
    new = sorted(set(after) - set(before))
    assert new
    x, y, width, height = shown.around([card, *new])
    frame = shown.root.locator("svg.mcts-tree").bounding_box()
    spare = (x - frame["x"], frame["x"] + frame["width"] - x - width)
    spare += (y - frame["y"], frame["y"] + frame["height"] - y - height)
    assert min(spare) > -2.5
    assert set(before) < set(after)
    assert {int(shown.trace.parent[node]) for node in new} == {card}
    left = shown.root.locator(f'.stub[data-stub="{card}"]')
    assert left.count() == 0 or left.text_content() != said
    expect(shown.root.locator(".zoom input")).to_have_value(str(len(after)))
    expect(shown.card(card)).to_have_class(re.compile("focused"))
    if hand == "keyboard":
        held = shown.page.evaluate(
            "() => document.activeElement.closest('[data-node], .stub') !== null"
        )
        assert held, "the keys stay with the tree"
    shown.button("Fit").click()
    frame = shown.root.locator("svg.mcts-tree").bounding_box()
    for node in (0, card):
        x, y, width = shown.place(node)
        assert frame["x"] - 2 <= x
        assert x + width <= frame["x"] + frame["width"] + 2
        assert y >= frame["y"] - 2


def test_moving_through_the_film_moves_no_card_of_an_opened_view(shown: Shown) -> None:
    shown.stub()[0].click()
    shown.rest()
    shown.button("Fit").click()
    places = """root => Object.fromEntries([...root.querySelectorAll(".card:not(.slot)")]
        .map(card => [card.dataset.node, card.getAttribute("transform")]))"""
    before = shown.root.evaluate(places)
    for key in ("Home", "ArrowRight", "Shift+ArrowRight", "End", "ArrowLeft"):
        shown.page.keyboard.press(key)
        assert shown.root.evaluate(places) == before


def inner(shown: Shown) -> int:
    """The number of a card, not the root's, that has cards below it."""
    cards = set(shown.nodes())
    return next(n for n in sorted(cards) if n and set(children(shown, n)) & cards)


def children(shown: Shown, node: int) -> list[int]:
    return [n for n, parent in enumerate(shown.trace.parent.tolist()) if parent == node]


@pytest.mark.parametrize("hand", ["button", "double click", "key"])
def test_a_part_of_the_tree_alone_and_back(shown: Shown, hand: str) -> None:
    before, top = shown.nodes(), inner(shown)
    if hand == "double click":
        shown.card(top).dblclick()
    elif hand == "button":
        shown.card(top).click()
        shown.button("Focus").click()
    else:
        shown.card(top).focus()
        shown.page.keyboard.press("f")
    shown.rest()
    seen = shown.nodes()
    assert seen[0] == top
    assert len(seen) > 1
    for node in seen[1:]:
        while node > top:
            node = int(shown.trace.parent[node])
        assert node == top
    path = {node for node, (*_, on_path) in shown.texts().items() if on_path}
    phase = shown.root.get_attribute("data-phase")
    assert path == set(Film(shown.trace, 20).frame(shown.iteration, phase).path), "never hidden"
    if hand == "button":
        shown.button("Whole tree").click()
    else:
        shown.page.keyboard.press("Escape")
    shown.rest()
    assert shown.nodes() == before
    check_texts(shown, 20)


def test_keys_zoom_wherever_the_player_has_the_focus(shown: Shown) -> None:
    def width() -> float:
        box = shown.root.locator("svg.mcts-tree").get_attribute("viewBox")
        return float(box.split()[2])

    whole = width()
    shown.root.locator("input[type=range]").focus()
    shown.page.keyboard.press("+")
    assert width() == pytest.approx(whole / 1.4)
    shown.page.keyboard.press("+")
    shown.page.keyboard.press("-")
    assert width() == pytest.approx(whole / 1.4)
    shown.page.keyboard.press("0")
    assert width() == whole


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_other_views(browser: Browser, tmp_path: Path, scheme: Any) -> None:
    trace, iteration = traces()["search"]
    page, noted = opened(browser, tmp_path, Film(trace).to_html(), color_scheme=scheme)
    shown = Shown(page, page.locator(".mcts-player"), trace, iteration)
    go(shown)
    shown.stub()[0].click()
    shown.rest()
    assert axe_violations(page, ".mcts-player") == []
    shown.card(inner(shown)).dblclick()
    shown.rest()
    assert axe_violations(page, ".mcts-player") == []
    assert noted == []
    page.context.close()


def test_nothing_glides_for_those_who_wish_so(browser: Browser, tmp_path: Path) -> None:
    trace, iteration = traces()["search"]
    for wish, wanted in (("reduce", False), ("no-preference", True)):
        page, _ = opened(browser, tmp_path, Film(trace).to_html(), reduced_motion=wish)
        shown = Shown(page, page.locator(".mcts-player"), trace, iteration)
        go(shown)
        moving = shown.stub()[0].evaluate(
            "stub => { stub.dispatchEvent(new MouseEvent('click', { bubbles: true }));"
            " return document.getAnimations().length > 0; }"
        )
        assert moving == wanted
        page.context.close()


def test_cards_begin_where_they_were(browser: Browser, tmp_path: Path) -> None:
    """At the first moment of the glide every card that stays is where it was on the screen."""
    trace, iteration = traces()["search"]
    page, _ = opened(browser, tmp_path, Film(trace, 20).to_html())
    shown = Shown(page, page.locator(".mcts-player"), trace, iteration)
    go(shown)
    jumps = page.evaluate(
        """() => {
            const cards = () => [...document.querySelectorAll(".card:not(.slot)")]
                .filter(card => card.getClientRects().length);
            const place = card => {
                const { x, y, width } = card.querySelector(".bar-track").getBoundingClientRect();
                return [x, y, width];
            };
            const before = new Map(cards().map(card => [card.dataset.node, place(card)]));
            const input = document.querySelector(".zoom input");
            input.value = 60;
            input.dispatchEvent(new Event("change"));
            const glides = document.getAnimations();
            glides.forEach(glide => { glide.pause(); glide.currentTime = 0; });
            return cards().filter(card => before.has(card.dataset.node)).map(card =>
                place(card).map((value, i) => Math.abs(value - before.get(card.dataset.node)[i])));
        }"""
    )
    assert len(jumps) == 20
    assert max(max(jump) for jump in jumps) < 0.5
    page.context.close()


# In JupyterLab ---------------------------------------------------------------------------------

CELL = """
from mcts_viz import MCTS, ConnectFour, Player
Player(MCTS(ConnectFour(), seed=4).record(iterations=1500), iteration=1200, cards=20)
"""


@pytest.fixture(scope="module")
def notebook(lab: JupyterLab) -> Iterator[Notebook]:
    with lab.open([CELL], viewport={"width": 1200, "height": 1600}) as notebook:
        notebook.run_all()
        notebook.page.locator(".mcts-player[data-iteration]").wait_for()
        yield notebook
        assert notebook.errors == []


@pytest.mark.parametrize("theme", [DARK, LIGHT])
def test_in_jupyterlab_stubs_focus_and_number_work_without_the_kernel(
    notebook: Notebook, theme: str
) -> None:
    notebook.set_theme(theme)
    trace, iteration = traces()["search"]
    shown = Shown(notebook.page, notebook.page.locator(".mcts-player"), trace, iteration)
    go(shown)
    notebook.page.wait_for_timeout(500)  # the reader rests, and the kernel is told
    messages, state = notebook.kernel_messages(), notebook_state(notebook)
    shown.stub()[0].focus()
    notebook.page.keyboard.press("Enter")
    shown.rest()
    assert len(shown.nodes()) > 20
    shown.card(inner(shown)).dblclick()
    shown.rest()
    assert notebook.axe(".mcts-player") == []
    notebook.page.keyboard.press("Escape")
    shown.rest()
    assert shown.nodes()[0] == 0
    shown.ask_for(45)
    check_texts(shown, 45)
    shown.root.locator(".zoom input").press("d")
    shown.root.locator(".zoom input").press("d")
    shown.card(0).focus()
    for key in ("f", "0", "0", "+", "-"):
        notebook.page.keyboard.press(key)
    assert notebook_state(notebook) == state, "no key reaches the notebook"
    assert notebook.kernel_messages() == messages
    shown.button("Whole tree").click()
    check_texts(shown, 45)
    shown.button("Whole tree").click()
    check_texts(shown, 20)


def notebook_state(notebook: Notebook) -> list[Any]:
    """What a key that escapes the player would change."""
    state: list[Any] = notebook.page.evaluate(
        """() => {
            const { content } = jupyterapp.shell.currentWidget;
            return [content.activeCellIndex, content.mode, content.widgets.length];
        }"""
    )
    return state
