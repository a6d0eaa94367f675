"""Pictures read back from the page: every number, bar and area is the trace's own."""

from __future__ import annotations

import random
import re
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from films import walks
from invariants import Steps
from playwright.sync_api import Page

from mcts_viz import MCTS, Bandit, ConnectFour, Film, GameTree, MCTSSolver, Nim, TicTacToe
from mcts_viz.film.truth import truth_badge
from mcts_viz.film.words import plain, rule_label, short
from mcts_viz.search import PHASES, ucb1
from mcts_viz.trace import Snapshot

from .bare import Show, ask

READ = """() => {
    const root = document.querySelector(".mcts-player");
    const all = (name, inside = root) => [...inside.querySelectorAll(name)];
    const seen = element => !element.closest('[display="none"]');
    const text = (inside, part) => inside.querySelector(part)?.textContent ?? "";
    const wide = element => element.getBoundingClientRect().width;
    const river = root.querySelector(".river");
    const cards = all(".card[data-node]", river).filter(seen);
    return {
        place: [Number(root.dataset.iteration), root.dataset.phase, root.dataset.view],
        counts: ["nodes", "total", "iteration"].map(name => Number(river.dataset[name])),
        cards: Object.fromEntries(cards.map(card => [card.dataset.node, {
            kind: card.dataset.kind, depth: Number(card.dataset.depth), visits: card.dataset.visits,
            share: text(card, ".share"), score: text(card, ".score"), prior: text(card, ".prior"),
            label: text(card, ".label"), sign: text(card, ".exact"),
            onPath: card.classList.contains("on-path"), piece: card.dataset.piece,
            place: card.getAttribute("transform").match(/-?[\\d.]+/g).map(Number),
        }])),
        added: cards.filter(card => card.hasAttribute("data-new")).map(card => card.dataset.node),
        trail: all(".trail[data-child]", river).map(edge => edge.dataset.child),
        ghosts: all("[data-ghost]", river).map(ghost => ghost.dataset.ghost || ghost.textContent),
        gains: all(".gain", river).map(gain => [Number(gain.dataset.of), gain.textContent]),
        rows: Object.fromEntries(all(".why tr[data-row]").filter(row => !row.hidden).map(row =>
            [row.dataset.node, {
                move: row.dataset.row, share: text(row, ".share"), score: text(row, ".score"),
                chosen: row.classList.contains("chosen"), winner: row.classList.contains("winner"),
                room: wide(row.querySelector(".bars div")),
                bars: ["mean", "exploration", "dot"].map(n => wide(row.querySelector(`.${n}`))),
            }])),
        zoomed: root.querySelector(".why .zoomed") !== null,
        title: text(root, ".why .title"),
        truth: text(root, ".truth-words"),
        words: text(root, ".words"), alert: text(root, ".alert"),
    };
}"""


AREAS = """() => Object.fromEntries([...document.querySelectorAll(".area")].map(path => [
    path.dataset.move, [...path.getAttribute("d").matchAll(/[ML](\\d+) ([\\d.]+)/g)]
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


TOUR = f"""async places => {{
    const read = {READ};
    const frame = () => new Promise(requestAnimationFrame);
    const slider = document.querySelector(".track input");
    const phases = document.querySelector(".phases input");
    const found = [];
    for (const [number, [place, phase]] of places.entries()) {{
        if (place !== places[number - 1]?.[0]) {{
            slider.value = place;
            slider.dispatchEvent(new Event("input"));
            await frame().then(frame); // a second place within a frame waits for the next
        }}
        phases.value = {list(PHASES)}.indexOf(phase);
        phases.dispatchEvent(new Event("input"));
        found.push(read());
    }}
    return found;
}}"""


def tour(page: Page, film: Film, moments: list[tuple[int, str]]) -> list[dict[str, Any]]:
    """Go to each of them by slider and phase button, and read the page there."""
    page.locator(".mcts-player[data-iteration]").wait_for()
    places = {iteration: place for place, iteration in enumerate(film.iterations, 1)}
    found: list[dict[str, Any]] = ask(page, TOUR, [(places[k], phase) for k, phase in moments])
    return found


def go(page: Page, film: Film, iteration: int, phase: str) -> dict[str, Any]:
    """Go there, and read the page."""
    [read] = tour(page, film, [(iteration, phase)])
    return read


@pytest.mark.parametrize("name", quick(FILMS, *QUICK))
def test_the_page_shows_what_the_trace_holds(show: Show, name: str) -> None:
    """In the river, in the ladder, and with exact play beside."""
    film, draw = film_of(name), random.Random(7)
    page = show(
        film.to_html(film.iterations[0]), "#view=river", viewport={"width": 1300, "height": 800}
    )
    page.keyboard.press("+")  # no key of the player
    whole = film.data.trace is film.data.source
    best = film.data.most_visited
    led = [k for k in film.iterations[12:] if whole and best[k - 1] != best[k - 2]]
    for key, view in (("", "river"), ("v", "walk"), ("v", "river"), ("t", "river")):
        if key:
            page.keyboard.press(key)
        few = [film.iterations[0], film.iterations[-1], *draw.sample(film.iterations, 3)]
        phases = PHASES[::3] if key == "t" else PHASES  # exact play is that of the tree so far
        moments = [(k, phase) for k in few for phase in phases]
        moments += [(k, PHASES[-1]) for k in (few[0], *led[::3])]  # the first again, too
        if (key, view) == ("v", "river"):
            moments = moments[-3:]  # the picture of before has come back
        for (iteration, phase), read in zip(moments, tour(page, film, moments), strict=True):
            now = film.data.trace.at(iteration, phase)
            assert read["place"] == [iteration, phase, view]
            assert (read["alert"], read["words"]) == ("", film.caption(iteration, phase))
            if key == "t":
                check_root(read, film, now)
                continue
            check_cards(read, film, now)
            check_rows(read, film, now)
    check_ribbon(ask(page, AREAS), film)


def check_cards(read: dict[str, Any], film: Film, now: Snapshot) -> None:
    """The walk has a card at every node, siblings are in the order of their moves."""
    trace, cards = film.data.trace, read["cards"]
    last = now.phase == PHASES[-1]
    over = now.iteration - (not last)  # iterations whose numbers are seen
    ends = [str(now.new_node)] if now.new_node is not None else []
    on_path = {node for node, card in cards.items() if card["onPath"]}
    path = list(map(str, now.path))
    if read["place"][2] == "river":
        assert (on_path, set(read["trail"])) == (set(path), set(path[1:]))
    else:  # a row has what was chosen; rows in the middle may be left out
        assert {*path[1:2], *path[-1:]} - {"0"} <= on_path <= set(path[1:])
        linked = {node for above, node in pairwise(path) if {above, node} <= on_path}
        assert set(read["trail"]) == linked
    assert read["added"] == ends
    whole = film.data.source.at(now.iteration, now.phase)
    assert read["counts"] == [len(cards), whole.nodes, now.iteration]
    for node, card in cards.items():
        check_card(card, film, now, int(node), over)
    for parent in now.path:
        row = sorted(
            map(int, cards.keys() & set(map(str, trace.children[parent]))), key=trace.action_of
        )
        places = [cards[str(node)]["place"] for node in row]
        assert places == sorted(places), "from left to right"
        assert len({y for _, y in places}) < 2, "and level"
    if last:
        before = trace.at(now.iteration, "simulate")
        for node, told in read["gains"]:
            given = short(now.wins[node] - before.wins[node])
            assert told == f"+{given}".replace("+0.5", "+½").replace("+-", "−")
        assert {str(node) for node, _ in read["gains"]} == on_path


def check_card(card: dict[str, Any], film: Film, now: Snapshot, node: int, over: int) -> None:
    """The texts of one card agree with the trace."""
    trace = film.data.trace
    visits, wins = film.data.statistics(node, over)
    assert card["depth"] == len(trace.path(node)) - 1
    assert card["visits"] == str(visits)
    if card["share"] not in ("", "new"):
        many = card["kind"] != "small"
        assert card["share"] == (f"{rounded(wins)}/{rounded(visits)}" if many else rounded(visits))
    if trace.game is GAME:
        assert card["piece"] == GAME.players[trace.player_just_moved[node]]
    if card["score"] and trace is film.data.source:
        proven = {1: "proven win", -1: "proven loss"}.get(now.proof(node))
        if proven:
            assert card["score"] == proven
        else:
            said = card["score"].removeprefix(rule_label(trace)).strip()
            digits = len(said.partition(".")[2])
            assert float(said) == pytest.approx(now.score(node), abs=0.51 * 10.0**-digits)


def rounded(number: float) -> str:
    """A count as cards have it: in thousands from 1,000 on."""
    if abs(number) < 1000:
        return short(number)
    return f"{number / 1000:.1f}k" if number < 99_950 else f"{number / 1000:.0f}k"


def check_rows(read: dict[str, Any], film: Film, now: Snapshot) -> None:
    """A row a move that was counted; the two highest scores are never printed alike."""
    trace, rows = film.data.trace, {int(node): row for node, row in read["rows"].items()}
    counted = now.iteration - (now.phase != PHASES[-1])
    compared = [n for n in trace.children[0] if trace.created_at[n] <= counted]
    assert sorted(rows) == sorted(compared)
    marked = [node for node in rows if rows[node]["chosen"]]
    if now.phase != PHASES[-1]:
        assert marked == [*trace.at(now.iteration, "select").path[1:2]]
    for node in marked:  # the title names the move that is marked, in all phases
        assert f": {rows[node]['move']} " in read["title"]
    assert marked or "othing to compare" in read["title"] or "not compared" in read["title"]
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
            wanted = [room * term / (high or 1) for term in now.terms(node)]
            assert row["bars"][:2] == pytest.approx(wanted, abs=1.5)


def check_root(read: dict[str, Any], film: Film, now: Snapshot) -> None:
    """The root's moves: priors and exact values."""
    trace, cards, children = film.data.trace, read["cards"], film.data.trace.children[0]
    over = now.iteration - (now.phase != PHASES[-1])
    if trace.game is GAME and over and trace is film.data.source:
        leader = int(film.data.most_visited[over - 1])
        told, regret = truth_badge(film.truth, leader)[0][2:], short(film.truth.regrets[leader])
        wanted = f"Most visited so far: {trace.label(leader)}, {told}, regret {regret}."
        assert read["truth"].startswith(wanted)
    for node in children:
        card = cards.get(str(node))
        if card is None or isinstance(film.truth, str):
            continue
        told = truth_badge(film.truth, node)[0]
        if card["kind"] == "full":
            assert card["score"] == told.replace(" in ", " ")
        else:
            assert card["sign"] == told[0]
        if card["prior"]:
            prior = Guided().prior(trace.state(0))[trace.action_of(node)]
            assert card["prior"] == f"P {prior:.2f}"


def check_ribbon(areas: dict[str, list[list[float]]], film: Film) -> None:
    """The root's moves over time, in their order: their shares of visits as areas."""
    trace, shown = film.data.trace, film.iterations
    moves = sorted(trace.children[0], key=trace.action_of)
    assert list(areas) == [plain(trace.label(node)) for node in moves]
    for place, node in enumerate(moves):
        area = areas[plain(trace.label(node))]
        points = min(240, len(shown))
        assert len(area) == 2 * points
        for x, y in random.Random(place).sample(area[points:], k=min(25, points)):
            visits = trace.visits(shown[int(x) - 1])
            above = sum(visits[moves[: place + 1]]) / max(1, sum(visits[moves]))
            assert y == pytest.approx(95 * above, abs=0.06)


@pytest.mark.parametrize("number", quick(range(3), 0))
def test_a_walk_by_minimax_is_told_step_by_step(show: Show, number: int) -> None:
    film = walks()[number]
    page = show(film.to_html())
    steps = range(1, len(film.trace) + 1, max(1, len(film.trace) // 25))
    assert len(steps) > 10
    for read in tour(page, film, [(step, film.frame(step).phase) for step in steps]):
        frame = film.frame(read["place"][0])
        assert read["words"] == film.caption(frame.iteration)
        known = {str(card.node): (card.share, card.score) for card in frame.cards}
        for node, card in read["cards"].items():
            if card["kind"] == "full" and node in known:
                share, window = known[node]
                assert card["share"].split(" ✂")[0] == share
                assert card["score"] == window or (
                    not window and card["score"].endswith(("end", "ends"))
                )
