"""The texts and marks on the controls of a player and of a comparison are right at every moment.

Marks sit where their slider's thumb is, spoken values are the shown ones, and a c that is dragged
is the one in the table.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from films import READ, walks
from playwright.sync_api import Browser, Page
from read_back import Decision, check_title, moment

from mcts_viz import MCTS, Compare, ConnectFour, Film, TicTacToe, alpha_beta, record_minimax
from mcts_viz.search import PHASES
from mcts_viz.search.variants import win_then_block

from .bare import ask, bare_page, payload, put_widgets, states_of

MOUNT = """async sent => {
    const { facts, columns } = unpacked(sent);
    const host = put(document.createElement("div"));
    window.player = await modules.mount(host, facts, columns, () => {});
}"""
STANDS = """indices => {
    const root = player.element;
    const text = part => root.querySelector(part)?.textContent ?? "";
    return indices.flatMap(index => player.film.facts.phases.map((phase, number) => {
        if (player.film.phaseAt(index, number) !== number) return null;
        player.go(index, number);
        const { slider } = player.screen;
        return {
            iteration: Number(root.dataset.iteration), phase,
            thumb: (slider.value - slider.min) / Math.max(1, slider.max - slider.min),
            spoken: slider.getAttribute("aria-valuetext"),
            marks: [".now", ".future"].map(mark => parseFloat(
                root.querySelector(`.ribbon ${mark}`).style.left)),
            counter: text(".counter"), code: text(".side pre"),
            pressed: [...root.querySelectorAll(".phase.now")]
                .map(one => one.textContent),
            walked: [...root.querySelectorAll(".area.walked")].map(area => area.dataset.move),
            panel: text(".playout"), note: player.film.playoutPanel(player.frame).note,
            truth: player.film.facts.truth ? player.film.truth(player.frame) : null,
        };
    })).filter(Boolean);
}"""


def mounted(page: Page, film: Film) -> None:
    page.evaluate(MOUNT, payload(film))
    page.wait_for_function("() => player.frame")


def stands(page: Page, film: Film) -> list[dict[str, Any]]:
    places = [*range(1, len(film.iterations) + 1)][:: max(1, len(film.iterations) // 40)]
    mounted(page, film)
    found: list[dict[str, Any]] = ask(page, STANDS, places)
    return found


def check_place(film: Film, said: dict[str, Any]) -> None:
    iteration, phase = said["iteration"], said["phase"]
    assert said["spoken"] == f"{film.data.unit} {iteration}, {phase}"
    total = len(film.data.source)
    assert said["counter"] == f"{iteration} / {total}"
    last = max(1, len(film.iterations) - 1)
    assert said["thumb"] == pytest.approx(film.iterations.index(iteration) / last)
    assert said["marks"] == [pytest.approx(100 * said["thumb"], abs=0.001)] * 2
    name = phase.replace("_", " ").capitalize()
    assert [one.split(" ", 1)[1] for one in said["pressed"]] == [name]


EXCERPT = MCTS(ConnectFour(3, 4, connect=3), seed=4).record(iterations=500)


@pytest.mark.parametrize("name", ["late", "nim", "excerpt"])
def test_the_controls_of_a_search_say_where_it_stands(page: Page, name: str) -> None:
    film = Film(EXCERPT, 30, iterations=range(7, 500, 13)) if name == "excerpt" else READ[name]()
    trace = film.data.trace
    found = stands(page, film)
    assert len(found) >= 4 * 35
    for said in found:
        check_place(film, said)
        path = trace.at(said["iteration"]).path
        assert said["walked"] == [trace.label(node) for node in path[1:2]]
        check_truth(film, said)


def check_truth(film: Film, said: dict[str, Any]) -> None:
    """The line on the most visited move states its exact value, what it gives away, and since
    which iteration it is optimal.
    """
    if said["truth"] is None or isinstance(film.truth, str):
        return
    trace, regrets, best = film.data.source, film.truth.regrets, leaders(film)
    wrong = [k for k, node in enumerate(best, 1) if node is None or regrets[node] > 0]
    since = 1 + max(wrong, default=0)
    stays = re.search(
        r"From iteration (\d+) on|(from the first iteration)|(not optimal)", said["truth"]
    )
    assert stays, said["truth"]
    if stays[3]:
        assert since > len(trace)
    else:
        assert since == (int(stays[1]) if stays[1] else 1)
    over = said["iteration"] - (said["phase"] != PHASES[-1])
    if over and best[over - 1] is not None:
        node = best[over - 1]
        told = re.match(r"Most visited so far: (.+?), .+?, regret ([\d.]+)\.", said["truth"])
        assert told
        assert told[1] == trace.label(node)
        assert abs(float(told[2]) - regrets[node]) <= 0.0051


@cache
def leaders(film: Film) -> list[int | None]:
    """The most visited move's node by iteration, from the first."""
    return [leader(film.data.source.at(k)) for k in range(1, len(film.data.source) + 1)]


def leader(now: Any) -> int | None:
    """The most visited child of the root, of equals the one of better mean, then the first."""
    there = [child for child in now.children(0) if now.visits[child]]
    return max(there, key=lambda n: (now.visits[n], now.wins[n] / now.visits[n], -n), default=None)


def test_the_controls_of_a_walk_say_where_it_stands(page: Page) -> None:
    film = walks()[5]
    found = stands(page, film)
    assert len(found) >= 20
    kinds = [film.frame(step).phase for step in range(1, len(film.trace) + 1)]
    for said in found:
        check_place(film, said)
        so_far = kinds[: said["iteration"]]
        counts = [f"{so_far.count(kind)} × {kind.replace('_', ' ')}" for kind in film.phases]
        assert said["note"] == ", ".join(counts)
        check_code(film, said)


def check_code(film: Film, said: dict[str, Any]) -> None:
    """The line of the algorithm is that of the player who moves there."""
    node = int(film.trace.node[said["iteration"] - 1])
    state, game = film.trace.state(node), film.trace.game
    own = {
        "enter": "value = self.value(child, alpha, beta)",
        "evaluate": "return self.utility(state)",
        "cut_off": "if alpha >= beta: break",
    }
    if said["phase"] == "back_up":
        best, bound = ("min", "beta") if game.to_move(state) else ("max", "alpha")
        own["back_up"] = f"best = {best}(best, value); {bound} = {best}({bound}, best)"
    assert said["code"] == own[said["phase"]]


DRAGGED = """([indices, values]) => {
    const root = player.element;
    const { film, selectionTable } = player;
    const text = part => root.querySelector(part).textContent;
    return indices.flatMap(index => film.facts.phases.flatMap((phase, number) => {
        player.go(index, number);
        if (selectionTable.drag.hidden) return [];
        const read = c => ({
            iteration: Number(root.dataset.iteration), phase, c,
            thumb: Number(selectionTable.slider.value), said: text(".c-drag output"),
            title: text(".why .title"), zoomed: root.querySelector(".why .zoomed") !== null,
            head: root.querySelectorAll(".why thead th, .why thead td")[2].textContent,
            rows: [...root.querySelectorAll(".why tr[data-row]")].filter(row => !row.hidden)
                .map(row => ({ node: Number(row.dataset.node), score: row.querySelector(".score")
                    .textContent, dot: parseFloat(row.querySelector(".dot").style.width),
                    chosen: row.matches(".chosen.winner") })),
        });
        const found = [read(null)];
        for (const c of values) {
            selectionTable.slider.value = c;
            selectionTable.slider.dispatchEvent(new Event("input"));
            found.push(read(c));
        }
        return found;
    }));
}"""


def test_c_is_dragged_in_every_phase_and_the_table_is_that_of_the_new_c(page: Page) -> None:
    """The thumb stays below the finger, and the next step brings the search's own c back."""
    film = READ["late"]()
    trace = film.data.trace
    mounted(page, film)
    found = ask(page, DRAGGED, [[*range(12, 150, 9)], [0, 0.37, 1.2, 2.64]])
    assert len(found) >= 5 * 4 * 14
    zoomed = 0
    for said in found:
        iteration, phase, c = said["iteration"], said["phase"], said["c"]
        assert said["thumb"] == pytest.approx(trace.c if c is None else c, abs=1e-6)
        assert float(said["said"]) == pytest.approx(said["thumb"], abs=0.0006)
        named = check_title(film, iteration, phase, 0, c, said["title"])
        assert [row["node"] for row in said["rows"] if row["chosen"]] == [named]
        now = moment(trace, iteration - (phase != PHASES[-1]))
        scores = Decision(now, 0, c).scores
        rows = sorted(said["rows"], key=lambda row: scores[row["node"]])
        for row in rows:
            digits = len(row["score"].partition(".")[2])
            assert float(row["score"]) == pytest.approx(
                scores[row["node"]], abs=0.51 * 10.0**-digits
            )
        if said["zoomed"]:
            zoomed += 1
            assert said["head"] == f"{rows[0]['score']} {rows[-1]['score']}", "from left to right"
            spread = scores[rows[-1]["node"]] - scores[rows[0]["node"]]
            for row in rows:
                part = 1 - (scores[rows[-1]["node"]] - scores[row["node"]]) / (1.15 * spread)
                assert row["dot"] == pytest.approx(100 * part, abs=0.5)
    assert zoomed > 10


NAMES = """() => [...player.element.querySelectorAll(".ribbon .name")]
    .map(name => [name.textContent, parseFloat(name.style.top)])"""


def test_names_and_numbers_beside_the_ribbon_are_where_their_bands_and_iterations_are(
    page: Page,
) -> None:
    for film in (READ["late"](), Film(EXCERPT, 30, iterations=range(1, 500, 3))):
        mounted(page, film)
        names = ask(page, NAMES)
        numbers = ask(page, NAMES.replace(".name", ".number").replace("top", "left"))
        trace, last = film.data.source, film.data.source.at(film.iterations[-1])
        moves = sorted(trace.children[0], key=trace.action_of)
        shares = [last.visits[node] / sum(last.visits[n] for n in moves) for node in moves]
        assert names
        for name, top in names:
            rank = [trace.label(node) for node in moves].index(name)
            assert shares[rank] >= 0.23
            assert top == pytest.approx(100 * (sum(shares[:rank]) + shares[rank] / 2), abs=0.6)
        whole = len(film.iterations) == len(trace)
        assert whole or len(numbers) > 2
        for number, left in numbers:
            reached = sum(k <= int(number) for k in film.iterations) - 1
            assert abs(left / 100 * (len(film.iterations) - 1) - reached) <= 1


# Two films ---------------------------------------------------------------------------------------

PAIR = """c => {
    const root = document.querySelector(".mcts-compare");
    const all = (part, inside = root) => [...inside.querySelectorAll(part)];
    const lead = root.querySelector(".timeline input");
    all("button.differ")[0].click();
    const jump = { thumb: (lead.value - 1) / (lead.max - 1), mark: parseFloat(
        root.querySelector(".apart").style.left), said: all("button.differ")[0].textContent };
    return { jump, heads: all(".half > p.name").map(one => one.textContent) };
}"""
COMPARED = """() => {
    const root = document.querySelector(".mcts-compare");
    const all = (part, inside = root) => [...inside.querySelectorAll(part)];
    const wide = one => parseFloat(one.style.width);
    return {
        place: all(".mcts-player[data-iteration]").map(one => Number(one.dataset.iteration)),
        titles: all(".decisions th.title").map(one => one.textContent),
        rows: all(".decisions tr[data-row]").filter(row => !row.hidden).map(row => ({
            move: row.dataset.row, share: all(".share", row).map(one => one.textContent),
            mean: all(".mean", row).map(wide), exploration: all(".exploration", row).map(wide),
        })),
    };
}"""


def test_two_searches_are_told_apart_and_compared_on_one_scale(browser: Browser) -> None:
    game = TicTacToe()
    one = MCTS(game, 1.4, seed=4).record(iterations=90)
    other = MCTS(game, 1.4, seed=4, playout=win_then_block).record(iterations=120)
    films = [Film(one), Film(other)]
    with bare_page(browser, viewport={"width": 1500, "height": 900}) as page:
        put_widgets(page, states_of(lambda: [Compare(*films)]))
        page.wait_for_selector(".decisions tr[data-row]", state="attached")
        told = ask(page, PAIR)
        page.wait_for_function(
            "differ => document.querySelector('.mcts-player').dataset.iteration == differ",
            arg=Compare(*films).differ,
        )
        lead = page.locator(".mcts-compare .timeline input").first
        lead.evaluate("(e) => { e.value = 80; e.dispatchEvent(new Event('input')); }")
        page.wait_for_function(
            "() => [...document.querySelectorAll('.mcts-player')]"
            ".every(p => p.dataset.iteration === '80')"
        )
        page.wait_for_timeout(300)  # the table follows a drag when it rests
        read = ask(page, COMPARED)
    differ = Compare(*films).differ
    assert told["jump"]["said"] == f"First difference: {differ}"
    assert told["jump"]["mark"] == pytest.approx(100 * told["jump"]["thumb"], abs=0.001)
    for letter, head, policy in zip("AB", told["heads"], ("random", "win"), strict=True):
        assert head.startswith(letter)
        assert ("playout: random_playout" in head) == (policy == "random")
        assert ("playout: win_then_block" in head) == (policy == "win")
    assert read["place"] == [80, 80]
    moments = [
        trace.at(80, read_phase) for trace, read_phase in ((one, "select"), (other, "select"))
    ]
    scale = []
    for side, (film, now) in enumerate(zip(films, moments, strict=True)):
        assert read["titles"][side].startswith(f"{'AB'[side]}: ")
        title = read["titles"][side].removeprefix(f"{'AB'[side]}: ")
        check_title(film, 80, "select", 0, None, title)
        before = film.data.trace.at(79)
        for node in now.children(0):
            row = next(row for row in read["rows"] if row["move"] == now.trace.label(node))
            share = row["share"][side]
            assert share == f"{before.wins[node]:g}/{before.visits[node]}"
            for name, term in zip(("mean", "exploration"), before.terms(node), strict=True):
                if term > 0.05:
                    scale.append(row[name][side] / term)
    assert len(scale) > 20
    assert max(scale) == pytest.approx(min(scale), rel=0.02), "equal terms have bars of one length"


def test_a_search_beside_a_walk_has_letters_too(browser: Browser) -> None:
    game = TicTacToe()
    state = game.parse("XO. .X. ...")
    pair = [
        MCTS(game, seed=1).record(state, iterations=30),
        record_minimax(alpha_beta, game, state),
    ]
    with bare_page(browser, viewport={"width": 1500, "height": 900}) as page:
        put_widgets(page, states_of(lambda: [Compare(*pair, iteration=7)]))
        page.wait_for_selector(".decisions tr[data-row]", state="attached")
        read = ask(page, COMPARED)
    assert [title[:3] for title in read["titles"]] == ["A: ", "B: "]
    assert "MA" in read["titles"][1] or "MI" in read["titles"][1]
