"""Pictures read back from the page: every number, bar, edge and colour is the trace's own."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any

import pytest
from films import walks
from invariants import Steps
from playwright.sync_api import Page

from mcts_viz import MCTS, Bandit, ConnectFour, Film, GameTree, MCTSSolver, Nim, TicTacToe
from mcts_viz.film.truth import badge
from mcts_viz.film.words import plain, short
from mcts_viz.search import PHASES, ucb1
from mcts_viz.trace import Snapshot

from .bare import Show, ask

READ = """() => {
    const root = document.querySelector(".mcts-player");
    const seen = element => element.getAttribute("display") !== "none";
    const all = (name, inside = root) => [...inside.querySelectorAll(name)];
    const text = (inside, part) => inside.querySelector(part)?.textContent ?? "";
    const number = (element, name) => Number(element.getAttribute(name));
    const numbers = text => text.match(/-?[\\d.]+/g).map(Number);
    const wide = element => element.getBoundingClientRect().width;
    const svg = root.querySelector(`.mcts-tree.${root.dataset.view}`) ?? new DocumentFragment();
    const cards = all(".card[data-node]", svg).filter(seen).filter(
        card => !card.classList.contains("ghost"));
    const bar = (card, name) => ["x", "width"].map(side =>
        number(card.querySelector(`.${name}`), side));
    return {
        place: [Number(root.dataset.iteration), root.dataset.phase, root.dataset.view],
        cards: Object.fromEntries(cards.map(card => [card.dataset.node, {
            share: text(card, ".share"), score: text(card, ".score"), prior: text(card, ".prior"),
            onPath: card.classList.contains("on-path"), piece: card.dataset.piece,
            truth: card.classList.contains("full") ? text(card, ".truth") : "",
            place: numbers(card.getAttribute("transform")).slice(0, 2),
            size: ["width", "height"].map(side => number(card.querySelector(".frame"), side)),
            bars: card.querySelector(".exploration") && ["track", "mean", "exploration"].map(name =>
                bar(card, name)),
            colour: card.querySelector(".colour")?.getAttribute("class"),
        }])),
        added: all("[data-new]", svg).filter(seen).map(e => e.dataset.node),
        edges: Object.fromEntries(all("[data-child]", svg).filter(seen).map(edge =>
            [edge.dataset.child, [number(edge, "stroke-width"), numbers(edge.getAttribute("d"))]])),
        ghosts: all(".walk .ghost[data-ghost]").filter(ghost => !ghost.closest("[hidden]"))
            .map(ghost => ghost.dataset.ghost),
        gains: all(".gain").map(gain => [Number(gain.dataset.of), gain.textContent]),
        rows: Object.fromEntries(all(".why tr[data-row]").filter(row => !row.hidden).map(row =>
            [row.dataset.node, {
                move: row.dataset.row, share: text(row, ".share"), score: text(row, ".score"),
                chosen: row.classList.contains("chosen"), winner: row.classList.contains("winner"),
                colour: row.querySelector(".swatch").className.split(" ").at(-1),
                room: wide(row.querySelector(".bars div")),
                bars: ["mean", "exploration", "dot"].map(n => wide(row.querySelector(`.${n}`))),
            }])),
        zoomed: root.querySelector(".why .zoomed") !== null,
        truth: text(root, ".truth-words"),
        words: text(root, ".words"), alert: text(root, ".alert"),
    };
}"""


AREAS = """() => Object.fromEntries([...document.querySelectorAll(".area")].map(path => [
    path.getAttribute("class"), [...path.getAttribute("d").matchAll(/[ML](\\d+) (\\d+)/g)]
        .map(([, x, y]) => [+x, +y])]))"""


class Guided:
    """UCB1 with a prior, which the cards show."""

    def prior(self, state: Any) -> dict[int, float]:
        legal = TicTacToe().legal_actions(state)
        return {action: (place + 1) / 100 for place, action in enumerate(legal)}

    def __call__(self, child: Any, parent: Any, c: float) -> Any:
        return ucb1(child, parent, c)


def eager(child: Any, parent: Any, c: float) -> Any:
    """A student's rule: c for every fourth root of the parent's visits that the child lacks."""
    return child.wins / child.visits, c * parent.visits**0.25 / child.visits**0.5


GAME = TicTacToe()
SOLVED = GAME.parse("X.. .O. ...")
TREE = GameTree({"a": {"c": 1, "d": -1}, "b": {"e": 0, "f": {"g": 0.5, "h": -0.25}}, "z": 0})
FILMS = {
    "tic-tac-toe": lambda: MCTS(GAME, seed=4).record(iterations=200),
    "tied": lambda: MCTS(GAME, seed=4, c=1.41).record(GAME.parse("XX. .O. ..."), iterations=200),
    "guided": lambda: MCTS(GAME, seed=4, selection=Guided()).record(SOLVED, iterations=160),
    "solver": lambda: MCTSSolver(GAME, seed=2).record(SOLVED, iterations=300),
    "tree": lambda: MCTS(TREE, seed=8).record(iterations=60),
    "a long search": lambda: MCTS(ConnectFour(), seed=4).record(iterations=6000),
    "connect four": lambda: MCTS(ConnectFour(), seed=4).record(iterations=400),
    "nim": lambda: MCTS(Nim(), seed=4).record(iterations=150),
    "bandit": lambda: MCTS(Bandit([0.2, 0.8]), seed=8).record(iterations=40),
    "a student's": lambda: MCTS(Steps(), seed=3, selection=eager).record(iterations=150),
}
QUICK = ("tied", "guided", "solver", "tree", "a long search")


def quick(names: Any, *quick: Any) -> list[Any]:
    """These as parameters, of which all but some are slow."""
    return [n if n in quick else pytest.param(n, marks=pytest.mark.slow) for n in names]


@cache
def film_of(name: str) -> Film:
    return Film(FILMS[name]())


def go(page: Page, film: Film, iteration: int, phase: str) -> dict[str, Any]:
    """Go there by slider and phase button, and read the page."""
    place = film.iterations.index(iteration) + 1
    page.locator(".mcts-player[data-iteration]").wait_for()
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
    read: dict[str, Any] = ask(page, READ)
    return read


@pytest.mark.parametrize("name", quick(FILMS, *QUICK))
def test_the_page_shows_what_the_trace_holds(show: Show, name: str) -> None:
    """In either view, and with exact play beside the walk."""
    film, draw = film_of(name), random.Random(7)
    page = show(film.to_html(film.iterations[0]), viewport={"width": 1300, "height": 800})
    page.keyboard.press("+")  # the tree's key, before anybody has seen the tree
    whole = film.data.trace is film.data.source
    best = film.data.most_visited
    colours = film.payload()["facts"]["top_moves"]
    led = [k for k in film.iterations[12:] if whole and best[k - 1] != best[k - 2]]
    places: dict[tuple[int, str], Any] = {}
    for keys in ("v", "v", "t"):
        for key in keys:
            page.keyboard.press(key)
        view = page.locator(".mcts-player").get_attribute("data-view")
        few = [film.iterations[0], film.iterations[-1], *draw.sample(film.iterations, 3)]
        moments = [(k, phase) for k in few for phase in PHASES]
        moments += [(k, PHASES[-1]) for k in (few[0], *led[::3])]  # the first again, too
        for iteration, phase in moments:
            read, now = go(page, film, iteration, phase), film.data.trace.at(iteration, phase)
            assert read["place"] == [iteration, phase, view]
            assert (read["alert"], read["words"]) == ("", film.caption(iteration, phase))
            check_cards(read, film, now, view == "walk")
            if keys == "t":
                check_root(read, film, now, colours)
                continue
            check_rows(read, film, now)
            if view == "walk":
                for node, card in read["cards"].items():  # a moment has one picture, and
                    at = (iteration, node)  # within an iteration nothing moves
                    assert places.setdefault(at, card["place"]) == card["place"]
    check_ribbon(ask(page, AREAS), film)


def check_cards(read: dict[str, Any], film: Film, now: Snapshot, walk: bool) -> None:
    """Every node of the path has a card or stands for it, and an edge joins the new one."""
    trace, cards, edges = film.data.trace, read["cards"], read["edges"]
    last = now.phase == PHASES[-1]
    over = now.iteration - (not last)  # iterations whose numbers are seen
    all_visits = max(1, film.data.statistics(0, over)[0])
    ends = [str(now.new_node)] if now.new_node is not None else []
    assert set(ends) & set(read["added"]) <= set(edges)
    for node, card in cards.items():
        visits, wins = film.data.statistics(int(node), over)
        if card["share"] and card["share"] != "new":
            assert card["share"] == f"{short(wins)}/{visits}"
        if card["score"] and trace is film.data.source:
            proven = {1: "proven win", -1: "proven loss"}.get(now.proof(int(node)))
            if proven:
                assert card["score"] == proven
            else:
                assert float(card["score"]) == pytest.approx(now.score(int(node)), abs=0.0051)
    for node, (wide, _) in edges.items():
        share = film.data.statistics(int(node), over)[0] / all_visits
        assert wide == pytest.approx(1.2 + 4 * share, abs=0.051)
    if not walk:
        return
    assert {node for node, card in cards.items() if card["onPath"]} == set(map(str, now.path))
    assert read["added"] == ends
    for node, (_, line) in edges.items():
        parent, own = cards[str(trace.parent[int(node)])], cards[node]
        if 0 in (parent["size"][0], own["size"][0]):
            continue  # a dot
        start = [parent["place"][0] + parent["size"][0], middle(parent)]
        assert line[:2] == pytest.approx(start, abs=0.2)
        ends_at = [line[0] + line[-2], line[1] + line[-1]]
        assert ends_at == pytest.approx([own["place"][0], middle(own)], abs=0.3)
    if trace.game is not GAME:
        return
    for node, card in cards.items():
        assert card["piece"] == GAME.players[trace.player_just_moved[int(node)]]
    for parent in now.path:  # rivals are below each other, in the order of their moves
        column = sorted(map(int, cards.keys() & set(map(str, trace.children[parent]))), key=trace.action_of)
        middles = [middle(cards[str(node)]) for node in column]
        assert middles == sorted(middles)
    if last:
        before = trace.at(now.iteration, "simulate")
        for node, told in read["gains"]:
            given = short(now.wins[node] - before.wins[node])
            assert told == f"+{given}"
        assert {0, now.path[-1]} <= {node for node, _ in read["gains"]} <= set(now.path)


def middle(card: dict[str, Any]) -> float:
    return float(card["place"][1] + card["size"][1] / 2)


def check_rows(read: dict[str, Any], film: Film, now: Snapshot) -> None:
    """A row a move that was compared; the two highest scores are never printed alike."""
    trace, rows = film.data.trace, {int(node): row for node, row in read["rows"].items()}
    compared = [n for n in trace.children[0] if trace.created_at[n] < now.iteration]
    assert sorted(rows) == sorted(compared)
    path = trace.at(now.iteration, "select").path
    assert [node for node in rows if rows[node]["chosen"]] == [*path[1:2]]
    scores = {n: now.score(n) for n in rows if re.fullmatch(r"-?\d+\.\d+", rows[n]["score"])}
    for node, row in rows.items():
        assert row["move"] == plain(trace.label(node))
        if node in scores:
            digits = len(row["score"].split(".")[1])
            assert float(row["score"]) == pytest.approx(scores[node], abs=0.51 * 10.0**-digits)
    highest = sorted(scores, key=lambda node: -scores[node])[:2]
    if len({scores[node] for node in highest}) == 2:
        assert len({rows[node]["score"] for node in highest}) == 2
    if trace.game is not GAME or len(scores) < len(rows) or not rows:
        return
    low, high = min(scores.values()), max(scores.values())
    room = rows[highest[0]]["room"]
    for node, row in rows.items():
        if read["zoomed"]:
            start = low - 0.15 * (high - low)
            part = (scores[node] - start) / (high - start)
            assert row["bars"][2] == pytest.approx(part * room, abs=1.5)
        else:
            wanted = [room * term / high for term in now.terms(node)]
            assert row["bars"][:2] == pytest.approx(wanted, abs=1.5)


def check_root(read: dict[str, Any], film: Film, now: Snapshot, colours: list[int]) -> None:
    """The root's moves, tints of moves, priors, exact values, bars on the cards."""
    trace, cards, children = film.data.trace, read["cards"], film.data.trace.children[0]
    over = now.iteration - (now.phase != PHASES[-1])
    if trace.game is GAME and over and trace is film.data.source:
        leader = int(film.data.most_visited[over - 1])
        told, regret = badge(film.truth, leader)[0][2:], short(film.truth.regrets[leader])
        wanted = f"Most visited so far: {trace.label(leader)}, {told}, regret {regret}."
        assert read["truth"].startswith(wanted)
    terms = {node: now.terms(node) for node in children if str(node) in cards}
    longest = max((sum(term) for term in terms.values() if term), default=0)
    for node, term in terms.items():
        card = cards[str(node)]
        tint = f"move-{colours.index(node)}" if node in colours else "others"
        assert card["colour"] == f"colour {tint}"
        if card["truth"]:
            told, _ = badge(film.truth, node)
            assert card["truth"] == told[2:].replace(" in ", " ")
        if card["prior"]:
            prior = Guided().prior(trace.state(0))[trace.action_of(node)]
            assert card["prior"] == f"P {prior:.2f}"
        if card["bars"] and term and longest and trace.game is GAME:
            (x, whole), filled, rest = card["bars"]
            end = x + whole * term[0] / longest
            assert filled == pytest.approx([x, end - x], abs=0.11)
            assert rest == pytest.approx([end, whole * term[1] / longest], abs=0.11)


def check_ribbon(areas: dict[str, list[list[int]]], film: Film) -> None:
    """The root's moves over time: their shares of visits as areas."""
    trace, shown = film.data.trace, film.iterations
    last = trace.visits(shown[-1])
    ranked = sorted(trace.children[0], key=lambda node: -last[node])
    named = [f"move-{place}" for place in range(len(ranked[:5]))]
    wanted = {f"area {name}" for name in named}
    assert set(areas) == wanted | ({"area others"} if ranked[5:] else set())
    for place, name in enumerate(named):
        area = areas[f"area {name}"]
        assert len(area) == min(240, len(shown))
        assert (area[0][0], area[-1][0]) == (1, len(shown))
        for x, y in random.Random(place).sample(area, k=min(25, len(area))):
            visits = trace.visits(shown[x - 1])
            above = sum(visits[ranked[: place + 1]]) / max(1, sum(visits[ranked]))
            assert y == pytest.approx(95 * above, abs=0.51)


@pytest.mark.parametrize("number", quick(range(3), 0))
def test_a_walk_by_minimax_is_told_step_by_step(show: Show, number: int) -> None:
    film = walks()[number]
    page = show(film.to_html())
    for step in range(1, len(film.trace) + 1, max(1, len(film.trace) // 25)):
        read = go(page, film, step, film.frame(step).phase)
        frame = film.frame(read["place"][0])
        assert read["words"] == film.caption(frame.iteration)
        known = {str(card.node): (card.share, card.score) for card in frame.cards}
        for node, card in read["cards"].items():
            if card["share"] and node in known:
                assert (card["share"].split(" ✂")[0], card["score"]) == known[node]
