"""The player on its exported page: what it says is what the trace says, in both views."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from films import walks
from playwright.sync_api import Browser, Page, expect
from students import cells

from mcts_viz import MCTS, Bandit, ConnectFour, Film, GameTree, MCTSSolver, Nim, TicTacToe
from mcts_viz.film.truth import badge
from mcts_viz.film.words import fixed, plain, short
from mcts_viz.search import PHASES

from .lab import eventually
from .test_page import opened

READ = """() => {
    const root = document.querySelector(".mcts-player");
    const seen = element => element.getAttribute("display") !== "none";
    const text = (card, part) => card.querySelector(`.${part}`)?.textContent ?? "";
    const svg = root.querySelector(`.mcts-tree.${root.dataset.view}`) ?? new DocumentFragment();
    return {
        place: [Number(root.dataset.iteration), root.dataset.phase, root.dataset.view],
        cards: Object.fromEntries([...svg.querySelectorAll(".card[data-node]")].filter(
            card => seen(card) && !card.classList.contains("ghost")).map(
            card => [card.dataset.node, [text(card, "share"), text(card, "score"),
                card.classList.contains("on-path")]])),
        added: [...svg.querySelectorAll("[data-new]")].filter(seen).map(e => e.dataset.node),
        edges: [...svg.querySelectorAll("[data-child]")].filter(seen).map(e => e.dataset.child),
        rows: [...root.querySelectorAll(".why tbody tr:not([hidden])")].map(row => [
            ...[".move", ".share div", ".score div"].map(p => row.querySelector(p).textContent),
            row.classList.contains("chosen"), row.dataset.row]),
        words: root.querySelector(".words").textContent,
        alert: root.querySelector(".alert").textContent,
    };
}"""


TREE = GameTree({"a": {"c": 1, "d": -1}, "b": {"e": 0, "f": {"g": 0.5, "h": -0.25}}, "z": 0})
FILMS = {
    "tic-tac-toe": lambda: MCTS(TicTacToe(), seed=4).record(iterations=200),
    "short": lambda: MCTS(TicTacToe(), seed=4).record(iterations=12),
    "connect four": lambda: MCTS(ConnectFour(), seed=4).record(iterations=400),
    "a long search": lambda: MCTS(ConnectFour(), seed=4).record(iterations=6000),
    "nim": lambda: MCTS(Nim(), seed=4).record(iterations=150),
    "tree": lambda: MCTS(TREE, seed=8).record(iterations=60),
    "bandit": lambda: MCTS(Bandit([0.2, 0.8]), seed=8).record(iterations=40),
    "solver": lambda: MCTSSolver(TicTacToe(), seed=2).record(
        TicTacToe().parse("X.. .O. ..."), iterations=300
    ),
    "a student's": lambda: MCTS(
        cells()["ToadsAndFrogs"](), seed=3, selection=cells()["eager"]
    ).record(iterations=150),
}


@cache
def film_of(name: str) -> Film:
    return Film(FILMS[name]())


@contextmanager
def player(browser: Browser, folder: Path, film: Film, **profile: Any) -> Iterator[Page]:
    profile = {"viewport": {"width": 1000, "height": 640}, **profile}
    page, noted = opened(browser, folder, film.to_html(film.iterations[0]), **profile)
    yield page
    assert noted == []
    page.context.close()


def go(page: Page, film: Film, iteration: int, phase: str) -> dict[str, Any]:
    """Go there by slider and phase button, and read the page."""
    place = film.iterations.index(iteration) + 1
    page.evaluate(
        """async ([place, phase]) => {
            const slider = document.querySelector("input[type=range]");
            slider.value = place;
            slider.dispatchEvent(new Event("input"));
            const frame = () => new Promise(requestAnimationFrame);
            await frame().then(frame); // a second place within a frame waits for the next
            document.querySelector(`.phase.${phase}`).click();
        }""",
        [place, phase],
    )
    read: dict[str, Any] = page.evaluate(READ)
    return read


@pytest.mark.parametrize(
    "name",
    [
        n if n in ("short", "tree", "solver") else pytest.param(n, marks=pytest.mark.slow)
        for n in FILMS
    ],
)
def test_the_page_says_what_the_trace_says(browser: Browser, tmp_path: Path, name: str) -> None:
    film, draw = film_of(name), random.Random(7)
    trace, numbers = film.data.trace, film.data.source
    whole = trace is numbers
    with player(browser, tmp_path, film) as page:
        page.keyboard.press("+")  # the tree's key, before anybody has seen the tree
        for turn in range(24):
            if turn % 12 == 0:
                page.keyboard.press("v")
                view = page.locator(".mcts-player").get_attribute("data-view")
            iteration, phase = draw.choice(film.iterations), draw.choice(PHASES)
            read, now = go(page, film, iteration, phase), trace.at(iteration, phase)
            assert read["alert"] == ""
            assert read["place"] == [iteration, phase, view]
            assert read["words"] == film.caption(iteration, phase)
            # Every node of the path has a card or stands for it, and an edge joins the new one.
            ends = [str(now.new_node)] if now.new_node is not None else []
            if view == "walk" and name != "bandit":  # whose rows have a test of their own
                assert {n for n, c in read["cards"].items() if c[2]} == set(map(str, now.path))
                assert read["added"] == ends
            assert set(ends) & set(read["added"]) <= set(read["edges"])
            for node, (share, score, _) in read["cards"].items():
                visits, wins = film.data.statistics(int(node), iteration - (phase != PHASES[-1]))
                if share and share != "new" and node != "0":
                    assert share == f"{short(wins)}/{visits}"
                if score and whole and not score.startswith("proven"):
                    assert score == fixed(now.score(int(node)))
            before = trace.at(iteration, "select")
            compared = [n for n in trace.children[0] if trace.created_at[n] < iteration]
            assert len(read["rows"]) == len(compared)
            check_race(read["rows"], trace, iteration, phase, compared)
            if len(before.path) > 1:
                chosen = [row[4] for row in read["rows"] if row[3]]
                assert chosen == [plain(trace.label(before.path[1]))]


def check_race(
    rows: list[list[Any]], trace: Any, iteration: int, phase: str, compared: list[int]
) -> None:
    """Rows stand in the order of moves, and the two highest scores are never printed alike."""
    now = trace.at(iteration, phase)
    labels = [plain(trace.label(node)) for node in compared]
    assert sorted(row[4] for row in rows) == sorted(labels)
    scores = {plain(trace.label(node)): now.score(node) for node in compared}
    told = {row[4]: row[2] for row in rows if re.fullmatch(r"-?\d+\.\d+", row[2])}
    for label, text in told.items():
        digits = len(text.split(".")[1])
        assert float(text) == pytest.approx(scores[label], abs=0.51 * 10.0**-digits)
    highest = sorted(told, key=lambda label: -scores[label])[:2]
    if len(highest) == 2 and scores[highest[0]] != scores[highest[1]]:
        assert told[highest[0]] != told[highest[1]]


@pytest.mark.parametrize("number", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
def test_a_walk_by_minimax_is_told_step_by_step(
    browser: Browser, tmp_path: Path, number: int
) -> None:
    film = walks()[number]
    with player(browser, tmp_path, film) as page:
        for step in range(1, len(film.trace) + 1, max(1, len(film.trace) // 25)):
            read = go(page, film, step, film.frame(step).phase)
            frame = film.frame(read["place"][0])
            assert read["words"] == film.caption(frame.iteration)
            known = {str(card.node): (card.share, card.score) for card in frame.cards}
            for node, (share, window, _) in read["cards"].items():
                if share and node in known:
                    assert (share, window) == known[node]


def test_a_moment_has_one_picture_and_within_an_iteration_nothing_moves(
    browser: Browser, tmp_path: Path
) -> None:
    film = film_of("tic-tac-toe")
    places = """() => [...document.querySelectorAll(".walk .card[data-node]")]
        .filter(card => card.getAttribute("display") !== "none")
        .map(card => [card.dataset.node, card.getAttribute("transform")]).sort()"""
    with player(browser, tmp_path, film) as page:
        for iteration in (30, 61, 190):
            seen = {}
            for phase in PHASES:
                go(page, film, iteration, phase)
                for node, place in page.evaluate(places):
                    assert seen.setdefault(node, place) == place
            go(page, film, 3, "select")
            go(page, film, iteration, PHASES[-1])
            assert dict(page.evaluate(places)) == seen


class FourLetters(TicTacToe):
    """Names of moves as in Breakthrough, beside a board."""

    def action_label(self, state: Any, action: int) -> str:
        return f"a{action}b{action}"


LAID_OUT = """() => {
    const box = part => document.querySelector(part).getBoundingClientRect();
    const { height } = box(".mcts-player");
    const why = document.querySelector(".why");
    const out = [".controls", ".track", ".stage", ".words", ".why", ".playout"]
        .filter(part => box(part).top < 0 || box(part).bottom > innerHeight);
    if (height < 470 || height > 720) out.push(`${height} high`);
    if (why.scrollWidth > why.clientWidth) out.push("why is cut off");
    return out;
}"""
"""What does not fit, by its class."""


def test_one_screen(browser: Browser, tmp_path: Path) -> None:
    films_to_fit = [film_of(name) for name in ("connect four", "tree")]
    films_to_fit.append(Film(MCTS(FourLetters(), seed=4).record(iterations=60)))
    for film in films_to_fit:
        with player(browser, tmp_path, film) as page:
            page.locator(".mcts-player").press("End")
            for width, height in ((934, 560), (1240, 647), (934, 800)):
                page.set_viewport_size({"width": width + 16, "height": height})
                eventually(lambda page=page: page.evaluate(LAID_OUT), [])


def test_few_controls_and_few_stops(browser: Browser, tmp_path: Path) -> None:
    with player(browser, tmp_path, film_of("tic-tac-toe")) as page:
        controls = page.locator(".mcts-player :is(button, input, select):visible")
        assert controls.count() <= 12, "eleven and the menu"
        stops = 0
        while stops < 30:
            page.keyboard.press("Tab")
            if page.evaluate("() => document.activeElement === document.body"):
                break
            stops += 1
        assert stops <= 14


def test_keys(browser: Browser, tmp_path: Path) -> None:
    def place(page: Page) -> tuple[str, str]:
        root = page.locator(".mcts-player")
        return root.get_attribute("data-iteration"), root.get_attribute("data-phase")

    with player(browser, tmp_path, film_of("tic-tac-toe")) as page:
        for key, wanted in (  # at once, before any click
            ("ArrowRight", ("1", "expand")),
            ("Shift+ArrowRight", ("2", "expand")),
            ("ArrowLeft", ("2", "select")),
            ("Shift+ArrowRight", ("2", "expand")),  # the levels are skipped
            ("End", ("200", "backpropagate")),
            ("Home", ("1", "select")),
        ):
            page.keyboard.press(key)
            assert place(page) == wanted
        page.keyboard.press(" ")
        page.wait_for_function(
            "() => document.querySelector('.mcts-player').dataset.phase !== 'select'"
        )
        page.keyboard.press(" ")
        assert page.evaluate("() => scrollY") == 0
        stood = place(page)
        page.wait_for_timeout(1200)
        assert place(page) == stood
        page.keyboard.press("f")
        page.wait_for_function("() => document.fullscreenElement?.matches('.mcts-player')")
        page.keyboard.press("f")
        page.wait_for_function("() => document.fullscreenElement === null")
        # Into another part of the tree, and back.
        go(page, film_of("tic-tac-toe"), 150, "select")
        path = page.evaluate(READ)["cards"]
        other = next(node for node, (_, _, on_path) in path.items() if not on_path)
        page.locator(f'.walk .card[data-node="{other}"]').click()
        assert page.locator(".focused").get_attribute("data-node") == other
        page.keyboard.press("Escape")
        assert page.evaluate(READ)["cards"] == path
        for key in ("m", "Escape", "?", "Escape", "v", "v", "b", "b", "r", "t", "l", "l"):
            page.keyboard.press(key)
            inside = "() => document.activeElement.closest('.mcts-player') !== null"
            assert page.evaluate(inside), key
            assert page.locator(".legend-layer:visible").count() == (key == "?")


def test_predict_is_answered_on_a_card_and_gives_nothing_away(
    browser: Browser, tmp_path: Path
) -> None:
    film = film_of("tic-tac-toe")
    with player(browser, tmp_path, film) as page:
        page.get_by_role("button", name="Predict").click()
        asked = next(k for k in range(30, 200) if film.data.lead(k)[0] > 0.02)
        go(page, film, asked - 1, "backpropagate")
        page.locator(".mcts-player").focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".mcts-player")).to_have_attribute("data-asking", "select")
        expect(page.locator(".why")).to_be_hidden()
        assert page.locator(".walk .score:visible").count() == 0
        future = page.locator(".future").evaluate("element => getComputedStyle(element).opacity")
        assert future == "1"
        chosen = film.trace.at(asked, "select").path[1]
        verdict = page.evaluate(  # at once
            """node => {
                document.querySelector(`.walk .card[data-node="${node}"]`)
                    .dispatchEvent(new MouseEvent("click", { bubbles: true }));
                return document.querySelector(".verdict").textContent;
            }""",
            chosen,
        )
        assert verdict == "✓"
        read = page.evaluate(READ)
        assert read["place"][:2] == [asked, "select"]
        # In the picture of a selection no place is kept free for the node to come.
        added = film.trace.at(asked, "expand").new_node
        assert str(added) not in read["edges"]


def test_truth_stands_on_the_cards(browser: Browser, tmp_path: Path) -> None:
    film = film_of("solver")
    with player(browser, tmp_path, film) as page:
        page.keyboard.press("t")
        go(page, film, 100, "select")
        for node in film.trace.children[0]:
            card = page.locator(f'.walk .card.full[data-node="{node}"] .truth')
            if card.count():
                told, _, _ = badge(film.data, film.truth, node)
                expect(card).to_have_text(told[2:].replace(" in ", " "))
        expect(page.locator(".truth-words")).to_contain_text("optimal")


POINTS = """look => [...document.querySelectorAll(look)].map(path => [
    path.getAttribute("class").split(" ")[1],
    [...path.getAttribute("d").matchAll(/[ML](\\d+) (\\d+)/g)].map(([, x, y]) => [+x, +y])])"""


@pytest.mark.parametrize("name", ["tree", "solver", "a long search"])
def test_the_root_s_moves_over_time_are_the_trace_s(
    browser: Browser, tmp_path: Path, name: str
) -> None:
    film = film_of(name)
    trace, shown = film.data.trace, film.iterations
    with player(browser, tmp_path, film) as page:
        page.keyboard.press("r")
        areas, rates = (dict(page.evaluate(POINTS, look)) for look in (".area", ".rate"))
    last = trace.visits(shown[-1])
    ranked = sorted(trace.children[0], key=lambda node: -last[node])
    assert areas.keys() == {f"move-{place}" for place in range(len(ranked[:5]))} | (
        {"others"} if ranked[5:] else set()
    )
    low, high = film.data.reward_range
    for place, node in enumerate(ranked[:5]):
        area, rate = areas[f"move-{place}"], dict(rates[f"move-{place}"])
        assert len(area) == min(240, len(shown))
        assert (area[0][0], area[-1][0]) == (1, len(shown))
        for x, y in random.Random(place).sample(area, k=min(25, len(area))):
            visits, wins = trace.visits(shown[x - 1]), trace.wins(shown[x - 1])
            above = sum(visits[ranked[: place + 1]]) / max(1, sum(visits[ranked]))
            assert y == pytest.approx(95 * above, abs=0.51)
            assert (x in rate) == bool(visits[node])
            if visits[node]:
                mean = (wins[node] / visits[node] - low) / (high - low)
                assert rate[x] == pytest.approx(95 * (1 - mean), abs=0.51)


def test_motion_ends_at_once_on_a_key_and_is_not_forced_on_anybody(
    browser: Browser, tmp_path: Path
) -> None:
    film = film_of("tic-tac-toe")
    pressed = """key => {
        const player = document.querySelector(".mcts-player");
        player.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        const running = player.getAnimations({ subtree: true })
            .filter(one => one.playState === "running");
        const playing = document.querySelectorAll(".playing");
        return [player.dataset.phase, running.length + playing.length > 0];
    }"""
    for motion, moves in (("no-preference", True), ("reduce", False)):
        with player(browser, tmp_path, film, reduced_motion=motion) as page:
            go(page, film, 61, "select")
            for phase in PHASES[1:]:
                page.wait_for_timeout(300)  # a key that repeats wants no motion
                assert page.evaluate(pressed, "ArrowRight") == [phase, moves]
            assert page.evaluate(pressed, "Home") == ["select", False]
            page.keyboard.press("End")
            assert page.evaluate(READ)["place"][:2] == [200, "backpropagate"]
