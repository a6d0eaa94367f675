"""The decision and the walk on the page, read back against the trace; and how they move."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import pairwise, starmap
from math import dist
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from mcts_viz import (
    MCTS,
    ConnectFour,
    Film,
    MCTSSolver,
    Nim,
    TicTacToe,
    alpha_beta,
    record_minimax,
)
from mcts_viz.film.words import plain, short
from mcts_viz.search import PHASES, ucb1
from mcts_viz.trace import Snapshot

from .test_player import film_of, go, player

ROWS = """() => Object.fromEntries([...document.querySelectorAll(".why tr[data-row]")]
    .filter(row => !row.hidden).map(row => [row.dataset.row, {
        share: row.querySelector(".share").textContent,
        score: row.querySelector(".score").textContent,
        winner: row.classList.contains("winner"),
        bars: ["mean", "exploration", "dot"].map(name =>
            row.querySelector(`.${name}`).getBoundingClientRect().width),
    }]))"""
WALK = """async key => {
    const cards = () => Object.fromEntries([...document.querySelectorAll(
        ".pane > svg [data-node]:has(> .frame)")]
        .filter(card => card.getClientRects().length).map(card => {
            const { x, y, width, height } = card.querySelector(".frame").getBoundingClientRect();
            return [card.dataset.node, [x + width / 2, y + height / 2]];
        }));
    const untilRest = async painted => {
        const places = frame => JSON.stringify(painted.at(frame));
        for (let still = 0; still < 8;) { // frames in which nothing moves
            await new Promise(requestAnimationFrame);
            painted.push(cards());
            still = places(-1) === places(-2) ? still + 1 : 0;
        }
        return painted;
    };
    await new Promise(done => setTimeout(done, 300)); // a key that repeats wants no motion
    const painted = (await untilRest([cards()])).slice(-1);
    const target = document.querySelector(".mcts-player");
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    return untilRest(painted);
}"""


@contextmanager
def opened(browser: Browser, folder: Path, film: Film, **profile: Any) -> Iterator[Page]:
    with player(browser, folder, film, **profile) as page:
        page.locator(".mcts-player").focus()
        yield page


@cache
def tied() -> Film:
    """From this position O's scores at the root are often close."""
    game = TicTacToe()
    return Film(MCTS(game, seed=4, c=1.41).record(game.parse("XX. .O. ..."), iterations=200))


def test_select_stops_at_every_decision_of_the_walk(browser: Browser, tmp_path: Path) -> None:
    film = film_of("tic-tac-toe")
    trace = film.data.trace
    with opened(browser, tmp_path, film) as page:
        root = page.locator(".mcts-player")
        for iteration in (60, 150, 190):
            go(page, film, iteration - 1, "backpropagate")
            now = trace.at(iteration, "select")
            for level in range(len(now.path) - 1):
                page.keyboard.press("ArrowRight")
                expect(root).to_have_attribute("data-level", str(level))
                expect(root).to_have_attribute("data-phase", "select")
                node = now.path[level]
                rows = page.evaluate(ROWS)
                compared = [n for n in trace.children[node] if trace.created_at[n] < iteration]
                assert list(rows) == sorted((plain(trace.label(n)) for n in compared), key=int)
                chosen = [label for label, row in rows.items() if row["winner"]]
                assert chosen == [plain(trace.label(now.path[level + 1]))]
                # The cards at that level carry numbers, and the trail ends with the choice.
                card = page.locator(f'.walk .card[data-node="{now.path[level + 1]}"] .share')
                assert card.text_content()
                on_path = page.locator(".walk .card.on-path[data-node]:visible")
                assert on_path.count() == level + 2
            page.keyboard.press("ArrowRight")
            expect(root).to_have_attribute("data-phase", "expand")
            page.keyboard.press("ArrowLeft")
            expect(root).to_have_attribute("data-level", str(len(now.path) - 2))


def test_dots_and_bars_are_as_long_as_the_scores(browser: Browser, tmp_path: Path) -> None:
    film = tied()
    trace = film.data.trace
    zoomed = 0
    with opened(browser, tmp_path, film) as page:
        for iteration in range(20, 200, 12):
            go(page, film, iteration, "expand")
            now, rows = trace.at(iteration, "expand"), page.evaluate(ROWS)
            terms = {plain(trace.label(n)): now.terms(n) for n in now.children(0)}
            terms = {label: terms[label] for label in rows}
            scores = {label: sum(term) for label, term in terms.items()}
            low, high = min(scores.values()), max(scores.values())
            if page.locator(".why .zoomed").count():
                zoomed += 1
                assert high - low < 0.1 * high
                longest = max(row["bars"][2] for row in rows.values())
                start = low - 0.15 * (high - low)
                for label, row in rows.items():
                    part = (scores[label] - start) / (high - start)
                    assert row["bars"][2] == pytest.approx(part * longest, abs=1.5)
            else:
                whole = max(sum(row["bars"][:2]) for row in rows.values()) / high
                for label, row in rows.items():
                    assert row["bars"][:2] == pytest.approx(
                        [whole * term for term in terms[label]], abs=1.5
                    )
    assert 3 < zoomed < 15


def test_c_is_dragged_and_the_rule_of_another_c_is_shown(browser: Browser, tmp_path: Path) -> None:
    film, iteration = tied(), 61
    trace = film.data.trace
    now = trace.at(iteration, "select")
    with opened(browser, tmp_path, film) as page:
        go(page, film, iteration, "expand")
        page.get_by_role("slider", name="c, the exploration constant").focus()
        for _ in range(10):
            page.keyboard.press("ArrowLeft")
        c = float(page.locator(".c-drag output").text_content() or "nan")
        assert 0.9 < c < 1.3
        assert page.locator(".mcts-player").get_attribute("data-phase") == "expand"
        rows = page.evaluate(ROWS)
        scores = {}
        for node in now.children(0):
            mean, width = now.terms(node)
            scores[plain(trace.label(node))] = mean + width / trace.c * c
        for label, row in rows.items():
            digits = len(row["score"].split(".")[1])
            assert float(row["score"]) == pytest.approx(scores[label], abs=0.51 * 10**-digits)
        best = max(scores, key=scores.__getitem__)
        assert [label for label, row in rows.items() if row["winner"]] == [best]
        page.keyboard.press("Delete")
        expect(page.locator(".c-drag output")).to_have_text("1.41")


def test_another_c_is_said_with_bounds_that_hold(browser: Browser, tmp_path: Path) -> None:
    """Where it says that another c chooses otherwise it does, and a step nearer it does not."""
    film, checked = tied(), 0
    with opened(browser, tmp_path, film) as page:
        for iteration in range(15, 200, 10):
            go(page, film, iteration, "expand")
            text = page.locator(".why .detail").text_content() or ""
            now = film.data.trace.at(iteration, "select")
            for other, way, bound in re.findall(r"(\S+) if c ([<>]) ([\d.]+\d)", text):
                c, step = float(bound), 10.0 ** -len(bound.partition(".")[2])
                out = -1 if way == "<" else 1
                beyond, within = scores_at(now, c + out * 1e-9), scores_at(now, c - out * step)
                chosen = plain(film.data.trace.label(now.path[1]))
                assert beyond[other] > beyond[chosen]
                assert within[chosen] >= max(within.values()) - 1e-9
                checked += 1
    assert checked > 8


def scores_at(now: Snapshot, c: float) -> dict[str, float]:
    """By move: its score at the root, if c were another."""
    terms = {plain(now.trace.label(child)): now.terms(child) for child in now.children(0)}
    return {move: mean + wide / now.trace.c * c for move, (mean, wide) in terms.items()}


SOLVED, LATE = TicTacToe().parse("X.. .O. ..."), TicTacToe().parse("XOX .O. ...")
CONSTANT: dict[str, Callable[[], Film]] = {
    "tic-tac-toe": lambda: film_of("tic-tac-toe"),
    "connect four": lambda: Film(MCTS(ConnectFour(), seed=4).record(iterations=300)),
    "nim": lambda: Film(MCTS(Nim(), seed=4).record(iterations=200)),
    "solver": lambda: Film(MCTSSolver(TicTacToe(), seed=2).record(SOLVED, iterations=300)),
    "long": lambda: Film(MCTS(TicTacToe(), seed=4).record(iterations=15_000)),
    "long connect four": lambda: film_of("a long search"),
    "tied": tied,
    "one heap": lambda: Film(MCTS(Nim((20,)), seed=4).record(iterations=200)),
    "tree": lambda: film_of("tree"),
    "bandit": lambda: film_of("bandit"),
    "a student's": lambda: film_of("a student's"),
    "guided": lambda: Film(MCTS(TicTacToe(), seed=4, selection=Guided()).record(iterations=200)),
    "alpha-beta": lambda: Film(record_minimax(alpha_beta, TicTacToe(), LATE)),
}


@pytest.mark.parametrize(
    ("name", "boundaries"),
    [("connect four", 8), *(pytest.param(n, 60, marks=pytest.mark.slow) for n in CONSTANT)],
)
def test_nothing_jumps_between_iterations(
    browser: Browser, tmp_path: Path, name: str, boundaries: int
) -> None:
    film = CONSTANT[name]()
    shown = film.iterations
    moves = (node for node, parent in enumerate(film.data.trace.parent) if parent == 0)
    still = ["0", *map(str, moves)]
    with opened(browser, tmp_path, film) as page:
        page.keyboard.press("v") if page.locator(".mcts-player[data-view=tree]").count() else None
        first: dict[str, list[float]] = {}
        for iteration in shown[:: max(1, len(shown) // boundaries)][:boundaries]:
            if iteration == shown[-1]:
                continue
            painted = next_iteration(page, film, iteration)
            assert_calm(painted)
            for node in still:
                if node in painted[-1]:
                    there = first.setdefault(node, painted[-1][node])
                    assert painted[-1][node] == pytest.approx(there, abs=0.6)
    assert len(first) > 1


def next_iteration(page: Page, film: Film, iteration: int) -> list[dict[str, list[float]]]:
    """Where cards are painted, frame by frame, from the end of an iteration to the next one."""
    go(page, film, iteration, film.phases[-1])
    page.locator(".mcts-player").focus()
    painted: list[dict[str, list[float]]] = page.evaluate(WALK, "ArrowRight")
    return painted


def assert_calm(painted: list[dict[str, list[float]]]) -> int:
    """No card that stays covers much of its way between two frames; returns how many move."""
    moved = 0
    for node in painted[0].keys() & painted[-1].keys():
        places = [frame[node] for frame in painted if node in frame]
        way = dist(places[0], places[-1])
        if way > 24:
            moved += 1
            assert max(starmap(dist, pairwise(places))) <= 0.3 * way
    return moved


@pytest.mark.parametrize(
    "game",
    [TicTacToe(), *(pytest.param(game, marks=pytest.mark.slow) for game in (ConnectFour(), Nim()))],
    ids=repr,
)
def test_a_larger_tree_is_scrolled_with_its_walk(
    browser: Browser, tmp_path: Path, game: Any
) -> None:
    """Sixty nodes have cards that can be read; each walk is in sight, and Expand moves nothing."""
    film = Film(MCTS(game, seed=4).record(iterations=60))
    moved = 0
    with opened(browser, tmp_path, film, viewport={"width": 1366, "height": 768}) as page:
        page.keyboard.press("v") if page.locator(".mcts-player[data-view=walk]").count() else None
        assert page.locator(".tree .card").count() == len(film.data.trace.parent)
        for iteration in range(6, len(film.iterations), 6):
            moved += assert_calm(next_iteration(page, film, iteration))
            look = page.evaluate(IN_SIGHT, film.data.trace.at(iteration + 1, "expand").path[-1:])
            assert look["letters"] >= 11
            assert look["outside"] == []
            before = look["scroll"]
            for phase in PHASES:
                go(page, film, iteration + 1, phase)
                assert page.evaluate(IN_SIGHT, [])["scroll"] == before
    assert moved


IN_SIGHT = """nodes => {
    const svg = document.querySelector(".mcts-tree.tree"), pane = svg.parentNode;
    const { left, right, top, bottom } = pane.getBoundingClientRect();
    const scale = svg.getScreenCTM().a;
    const texts = [...svg.querySelectorAll("text")].filter(text => text.textContent);
    return {
        scroll: [pane.scrollLeft, pane.scrollTop],
        letters: scale * Math.min(...texts.map(t => parseFloat(getComputedStyle(t).fontSize))),
        outside: nodes.filter(node => {
            const card = svg.querySelector(`.card[data-node="${node}"] .frame`);
            const box = card.getBoundingClientRect();
            return box.left < left || box.right > right || box.top < top || box.bottom > bottom;
        }),
    };
}"""


def test_each_card_of_the_path_gets_its_own(browser: Browser, tmp_path: Path) -> None:
    film = film_of("tic-tac-toe")
    trace = film.data.trace
    with opened(browser, tmp_path, film) as page:
        for iteration in (20, 61, 133):
            go(page, film, iteration, "backpropagate")
            before, after = trace.at(iteration, "simulate"), trace.at(iteration, "backpropagate")
            told = page.locator(".gain").evaluate_all(
                "gains => gains.map(gain => [Number(gain.dataset.of), gain.textContent])"
            )
            for node, text in told:
                given = short(after.wins[node] - before.wins[node]).replace("0.5", "½")
                assert text == f"+{given}"
            assert {0, after.path[-1]} <= {node for node, _ in told} <= set(after.path)
            pieces = page.locator(".walk .card[data-node]").evaluate_all(
                "cards => cards.map(card => [card.dataset.node, card.dataset.piece])"
            )
            for node, piece in pieces:
                mover = trace.game.players[trace.player_just_moved[int(node)]]
                assert piece == mover


def test_untried_moves_stand_as_ghosts(browser: Browser, tmp_path: Path) -> None:
    film = film_of("tic-tac-toe")
    trace = film.data.trace
    with opened(browser, tmp_path, film) as page:
        for iteration in (3, 9, 150):
            go(page, film, iteration, "select")
            path = trace.at(iteration, "select").path
            state = trace.state(path[-1])
            tried = {n for n in trace.children[path[-1]] if trace.created_at[n] < iteration}
            legal = {trace.game.action_label(state, a) for a in trace.game.legal_actions(state)}
            left = legal - {trace.label(node) for node in tried}
            ghosts = page.locator(".walk .ghost[data-ghost]:visible").evaluate_all(
                "ghosts => ghosts.map(ghost => ghost.dataset.ghost)"
            )
            assert set(ghosts) == left


def test_a_playout_stays_and_is_looked_at_move_by_move(browser: Browser, tmp_path: Path) -> None:
    film = film_of("tic-tac-toe")
    with opened(browser, tmp_path, film) as page:
        go(page, film, 61, "backpropagate")
        board = page.locator(".playout-board")
        count = len(film.data.trace.playouts[61])
        expect(board).to_have_attribute("data-move", str(count))
        page.locator(".shot").first.click()
        expect(board).to_have_attribute("data-move", "1")


def test_one_hover_links_row_card_and_ribbon(browser: Browser, tmp_path: Path) -> None:
    film = tied()
    with opened(browser, tmp_path, film) as page:
        go(page, film, 120, "expand")
        row = page.locator(".why tr[data-row]").nth(1)
        node = row.get_attribute("data-node")
        row.hover()
        expect(page.locator(f'.walk .card[data-node="{node}"].hovered')).to_have_count(1)
        page.locator('.walk .card[data-node="1"]').hover()
        expect(page.locator('.why tr[data-node="1"].hovered')).to_have_count(1)
        name = row.get_attribute("data-row")
        row.click()
        expect(page.locator(".why .title")).to_contain_text(f"after {name}", ignore_case=True)


def test_predict_asks_every_decision_or_says_why_not(browser: Browser, tmp_path: Path) -> None:
    film = film_of("connect four")
    trace = film.data.source
    with opened(browser, tmp_path, film) as page:
        page.keyboard.press("p")
        asked = 0
        for iteration in range(200, 240, 4):
            go(page, film, iteration - 1, "backpropagate")
            page.locator(".mcts-player").focus()
            page.keyboard.press("ArrowRight")
            now = trace.at(iteration, "select")
            scores = sorted(
                (s for n in now.children(0) if (s := now.score(n)) is not None), reverse=True
            )
            said = page.locator(".mcts-player").get_attribute("data-asking")
            if len(scores) > 1 and scores[0] > scores[1]:
                assert said == "select"
                expect(page.locator(".why")).to_be_hidden()
                asked += 1
                if asked % 2:
                    page.get_by_role("button", name="Show me").click()
                    continue
                chosen = plain(trace.label(now.path[1]))
                for _ in range(15):  # by keyboard
                    page.keyboard.press("Tab")
                    if page.evaluate("() => document.activeElement.innerText") == chosen:
                        break
                page.keyboard.press("Enter")
                expect(page.locator(".verdict")).to_have_text("✓")
                assert page.evaluate(
                    "() => document.activeElement.closest('.mcts-player') !== null"
                )
            else:
                expect(page.locator(".predict .feedback")).to_contain_text("Not asked")
        assert asked > 5


class Guided:
    """UCB1 with a prior, which the cards show."""

    def prior(self, state: Any) -> dict[int, float]:
        legal = TicTacToe().legal_actions(state)
        return {action: (place + 1) / 100 for place, action in enumerate(legal)}

    def __call__(self, child: Any, parent: Any, c: float) -> Any:
        return ucb1(child, parent, c)


PICTURE = """() => {
    const seen = element => element.getAttribute("display") !== "none";
    const number = (element, name) => Number(element.getAttribute(name));
    const numbers = text => text.match(/-?[\\d.]+/g).map(Number);
    const bar = (card, name) => ["x", "width"].map(side =>
        number(card.querySelector(`.${name}`), side));
    const cards = [...document.querySelectorAll(".walk .card[data-node]")].filter(seen);
    const rows = [...document.querySelectorAll(".why tr[data-row]")].filter(row => !row.hidden);
    const wide = element => element.getBoundingClientRect().width;
    return {
        cards: Object.fromEntries(cards.map(card => [card.dataset.node, {
            place: numbers(card.getAttribute("transform")).slice(0, 2),
            size: wide(card.querySelector(".frame")) && ["width", "height"].map(side =>
                number(card.querySelector(".frame"), side)),
            bars: card.querySelector(".exploration") && ["track", "mean", "exploration"].map(name =>
                bar(card, name)),
            colour: card.querySelector(".colour")?.getAttribute("class"),
            prior: card.querySelector(".prior")?.textContent,
        }])),
        edges: Object.fromEntries([...document.querySelectorAll(".walk .edge[data-child]")]
            .filter(seen).map(edge => [edge.dataset.child,
                [number(edge, "stroke-width"), numbers(edge.getAttribute("d"))]])),
        rows: Object.fromEntries(rows.map(row => [row.dataset.node,
            [row.querySelector(".swatch").className, wide(row.querySelector(".bars div")),
                ...["mean", "exploration"].map(name => wide(row.querySelector(`.${name}`)))]])),
        zoomed: document.querySelector(".why .zoomed") !== null,
        played: document.querySelector(".root .played .move")?.textContent,
        truth: document.querySelector(".truth-words")?.textContent,
    };
}"""


@pytest.mark.parametrize("guided", [False, True])
def test_bars_edges_colours_and_the_star_are_the_search_s(
    browser: Browser, tmp_path: Path, guided: bool
) -> None:
    game = TicTacToe()
    search = MCTS(game, seed=4, selection=Guided()) if guided else MCTS(game, seed=4)
    film = Film(search.record(game.parse("X.. .O. ..."), iterations=160))
    trace, payload = film.trace, film.payload()["facts"]
    children, colours = trace.children[0], payload["top_moves"]
    best = film.data.played()  # by iteration
    changes = [k for k in range(12, 161) if best[k - 1] != best[k - 2]]
    moments = [(k, "backpropagate") for k in changes]
    moments += [(k, phase) for k in (31, 77) for phase in PHASES]
    bars_seen = 0
    with opened(browser, tmp_path, film, viewport={"width": 1300, "height": 800}) as page:
        page.keyboard.press("r")
        page.keyboard.press("t")
        for iteration, phase in moments:
            go(page, film, iteration, phase)
            now, read = trace.at(iteration, phase), page.evaluate(PICTURE)
            counted = iteration - (phase != "backpropagate")
            leader = int(best[counted - 1])
            assert now.visits[leader] == max(now.visits[n] for n in children)
            assert read["played"] == (trace.label(leader) if leader in colours else "others")
            assert f"Most visited so far: {trace.label(leader)}," in read["truth"]
            cards, edges = read["cards"], read["edges"]
            longest = max(sum(now.terms(n)) for n in children)
            for node, (mean, width) in ((n, now.terms(n)) for n in children):
                card = cards[str(node)]
                place = colours.index(node) if node in colours else None
                tint = "others" if place is None else f"move-{place}"
                assert card["colour"] == f"colour {tint}"
                if card["bars"]:
                    bars_seen += 1
                    (x, whole), filled, rest = card["bars"]
                    end = x + whole * mean / longest
                    assert filled == pytest.approx([x, end - x], abs=0.11)
                    assert rest == pytest.approx([end, whole * width / longest], abs=0.11)
            for node, (wide, line) in edges.items():
                share = now.visits[int(node)] / max(1, now.visits[0])
                assert wide == pytest.approx(1.2 + 5 * share, abs=0.051)
                parent, own = cards[str(trace.parent[int(node)])], cards[node]
                start = [parent["place"][0] + parent["size"][0], middle(parent)]
                assert line[:2] == pytest.approx(start, abs=0.2)
                ends = [line[0] + line[-2], line[1] + line[-1]]
                assert ends == pytest.approx([own["place"][0], middle(own)], abs=0.3)
            if guided:
                prior = Guided().prior(trace.state(0))
                for node in children:
                    assert cards[str(node)]["prior"] == f"P {prior[trace.action_of(node)]:.2f}"
        page.keyboard.press("r")
        page.keyboard.press("t")
        for iteration in (30, 60, 90):
            go(page, film, iteration, "expand")
            read = page.evaluate(PICTURE)
            if not read["zoomed"]:
                swatch, room, *_ = next(iter(read["rows"].values()))
                sums = [sum(row[2:]) for row in read["rows"].values()]
                assert max(sums) == pytest.approx(room, abs=1.5)
            for node, (swatch, *_) in read["rows"].items():
                assert swatch.split()[-1] == cards[node]["colour"].split()[-1]
    assert bars_seen > 40


def middle(card: dict[str, Any]) -> float:
    return float(card["place"][1] + card["size"][1] / 2)
