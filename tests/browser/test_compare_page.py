"""Two films as one HTML file: opened from a disk, with the network off, and moved together."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from mcts_viz import MCTS, Compare, Nim, TicTacToe, alpha_beta, record_minimax
from mcts_viz.games import SlipperyLake

from .bare import Show, settle
from .lab import eventually

GAME = TicTacToe()


def places(page: Page) -> list[tuple[int, str]]:
    players = page.locator(".mcts-player[data-iteration]")
    expect(players).to_have_count(2)
    at = players.evaluate_all("all => all.map(p => [p.dataset.iteration, p.dataset.phase])")
    return [(int(iteration), phase) for iteration, phase in at]


LAID_OUT = """() => {
    const box = part => document.querySelector(part).getBoundingClientRect();
    const halves = [...document.querySelectorAll(".halves, .half")]
        .map(half => half.getBoundingClientRect());
    const [whole, decisions] = [".mcts-compare", ".decisions"].map(box);
    return {
        over: halves.some(({ bottom }) => bottom > decisions.top + 1),
        low: halves.some(({ height }) => height <= 150) || decisions.height <= 100,
        out: decisions.bottom > whole.bottom,
    };
}"""


PILLS = """() => {
    const pills = [...document.querySelectorAll(".gain rect")]
        .map(pill => pill.getBoundingClientRect());
    const liesOn = one => pills.filter(other => other !== one
        && Math.abs(other.x - one.x) < one.width - 0.2
        && Math.abs(other.y - one.y) < one.height - 0.2);
    return { many: pills.length > 3 && pills[0].width > 0, over: pills.flatMap(liesOn).length };
}"""


FITS = """wide => {
    const seen = part => [...document.querySelectorAll(part)].filter(one => one.offsetWidth);
    const isCut = one => one.getBoundingClientRect().right >= wide - 12;
    return [seen(".controls button").filter(isCut),
        seen(".stage").filter(one => one.clientHeight <= 200)]
        .map(all => all.map(one => one.className));
}"""
"""Buttons outside a window of that width, and pictures that are too low."""


def test_both_are_scrubbed_without_a_request(show: Show) -> None:
    """And in a narrow window nothing lies on anything else."""
    compare = Compare(*(MCTS(GAME, c, seed=4).record(iterations=200) for c in (1.4, 0.3)))
    page = show(compare.to_html(60, "expand"), viewport={"width": 1700, "height": 1200})
    assert places(page) == [(60, "expand")] * 2
    page.keyboard.press("ArrowRight")  # the keys are heard at once
    assert places(page) == [(60, "simulate")] * 2
    for leader in (0, 1):
        page.locator(".mcts-compare .mcts-player").nth(leader).focus()
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        assert places(page) == [(1, "expand")] * 2
        page.keyboard.press("End")
        assert places(page) == [(200, "backpropagate")] * 2
        for key in ("1", "ArrowLeft", "p", "ArrowRight"):  # Predict, which is for one film
            page.keyboard.press(key)
        assert places(page) == [(200, "select")] * 2  # has not held the step back
    page.get_by_role("button", name=f"First difference: {compare.differ}").click()
    assert places(page) == [(compare.differ, "select")] * 2
    page.keyboard.press("t")
    expect(page.locator(".told").first).to_be_visible()
    page.keyboard.press("t")
    for width in (470, 620, 780):
        page.set_viewport_size({"width": width, "height": 768})
        eventually(lambda: page.evaluate(LAID_OUT), {"over": False, "low": False, "out": False})


def test_a_search_beside_a_walk_by_minimax(show: Show) -> None:
    state = GAME.parse("XO. .X. ...")
    search = MCTS(GAME, seed=1).record(state, iterations=40)
    pair = Compare(search, record_minimax(alpha_beta, GAME, state), iteration=7)
    at = [iteration for iteration, _ in places(show(pair.to_html()))]
    assert at == [7, 7], "it opens at the widget's moment"


def test_the_truth_is_shown_whichever_film_has_the_focus(show: Show) -> None:
    """Of two, the walk by minimax has no values to show: its key T is the search's."""
    state = GAME.parse("XO. .X. ...")
    films = [
        record_minimax(alpha_beta, GAME, state),
        MCTS(GAME, seed=1).record(state, iterations=40),
    ]
    for pair in (films, films[::-1]):
        page = show(Compare(*pair, iteration=7).to_html(), viewport={"width": 1700, "height": 1200})
        for side in (0, 1):
            page.locator(".mcts-compare .mcts-player").nth(side).focus()
            page.keyboard.press("t")
            expect(page.locator(".told").first).to_be_visible()
            page.keyboard.press("t")
            expect(page.locator(".told")).to_have_count(0)


def test_what_two_rows_are_given_lies_apart(show: Show) -> None:
    """In low or narrow panes: pills side by side, whole rows, and all buttons inside."""
    state = GAME.parse("XO. .X. ...")
    search = MCTS(GAME, seed=1).record(state, iterations=200)
    pair = Compare(search, record_minimax(alpha_beta, GAME, state))
    page = show(pair.to_html(), viewport={"width": 900, "height": 600})
    expect(page.locator(".decisions")).to_be_visible()
    eventually(lambda: page.evaluate(PILLS), {"many": True, "over": 0})
    rows, foot = page.evaluate(
        """() => [[...document.querySelectorAll(".decisions tbody tr")]
            .map(row => row.getBoundingClientRect()),
            document.querySelector(".decisions").getBoundingClientRect().bottom]"""
    )
    shown = [row for row in rows if row["top"] < foot - 4]
    assert len(shown) >= 3
    assert shown[-1]["bottom"] <= foot + 1, "no row is cut"
    two = Compare(*(MCTS(GAME, c, seed=4).record(iterations=60) for c in (1.4, 0.3)))
    page = show(two.to_html(), viewport={"width": 980, "height": 700})
    for width in (980, 900, 840, 760, 660):
        page.set_viewport_size({"width": width, "height": 700})
        settle(page)
        assert page.evaluate(FITS, width) == [[], []], width


CUT = """async () => {
    const compare = document.querySelector(".mcts-compare"), found = { seen: 0, cut: [] };
    for (let step = 0; step < 4 * 20; step++) {
        for (const words of compare.querySelectorAll(".words")) {
            found.seen += words.textContent !== "";
            if (words.scrollHeight > words.clientHeight) found.cut.push(words.textContent);
        }
        const right = { key: "ArrowRight", bubbles: true };
        compare.dispatchEvent(new KeyboardEvent("keydown", right));
    }
    return found;
}"""
"""Captions that would have to be scrolled, of all moments."""


def test_a_caption_is_seen_whole(show: Show) -> None:
    """A box that scrolls would need a stop of the Tab key."""
    pair = (MCTS(GAME, c, seed=4).record(iterations=20) for c in (1.4, 0.3))
    html = Compare(*pair).to_html(1)
    for width in (720, 960, 1366):
        page = show(html, viewport={"width": width, "height": 768})
        expect(page.locator(".mcts-player[data-iteration]")).to_have_count(2)
        assert page.evaluate(CUT) == {"seen": 160, "cut": []}


def test_the_table_is_no_wider_than_a_phone(show: Show) -> None:
    pair = (MCTS(GAME, c, seed=4).record(iterations=60) for c in (1.4, 0.3))
    page = show(Compare(*pair, iteration=40).to_html(), viewport={"width": 390, "height": 844})
    expect(page.locator(".decisions [data-row]")).to_have_count(9)
    wide, shown = page.locator(".decisions").evaluate("all => [all.scrollWidth, all.clientWidth]")
    assert wide <= shown
    assert page.locator(".decisions .score").last.is_visible()


NAMES = """() => {
    const names = [...document.querySelectorAll(".ribbon .name")];
    const seen = names.map(name => name.getBoundingClientRect()).filter(box => box.height > 0);
    const over = (one, other) => Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    const pairs = seen.flatMap((one, place) =>
        seen.slice(place + 1).map(other => over(one, other)));
    return { hidden: names.length - seen.length, seen: seen.length, over: Math.max(0, ...pairs) };
}"""


def test_names_beside_the_two_ribbons_do_not_lie_on_each_other(show: Show) -> None:
    """Four moves that share the visits have no room for names; one that has most of them has."""
    seen = []
    for game, c in ((SlipperyLake(), 1.4), (Nim((2, 3, 2)), 0.1)):
        films = [MCTS(game, c, seed=seed).record(iterations=200) for seed in (3, 4)]
        page = show(Compare(*films).to_html(60), viewport={"width": 1366, "height": 900})
        assert places(page) == [(60, "select")] * 2
        found = page.evaluate(NAMES)
        assert found["over"] < 3, found
        seen.append((found["seen"], found["hidden"]))
    assert seen[0][1] > 0
    assert seen[1][0] > 0
