"""The ladder: at every moment of many films each decision of the walk has its row, and each row
says why its move was chosen.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from films import READ, excerpts, films, wide
from playwright.sync_api import Browser, Page

from .bare import bare_page, payload

PANES = {"a laptop": [584, 464], "a phone": [352, 340], "a projector": [1200, 800]}


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with bare_page(browser, viewport={"width": 1300, "height": 900}) as page:
        page.evaluate(f"() => {{ {RUNGS} }}")
        yield page


@pytest.fixture
def part(request: pytest.FixtureRequest) -> int:
    return 0 if request.config.getoption("--slow") else SPARSE


RUNGS = """
window.ladderOf = async (payload, [width, height]) => {
    const film = await opened(payload), view = new modules.View(film);
    Object.assign(view.element.style, { width: `${width}px`, height: `${height}px` });
    const player = document.createElement("div");
    player.className = "mcts-player";
    player.append(view.element);
    put(player);
    view.resize(width, height);
    view.mode = "walk";
    return view;
};

window.printed = text => Number(text.replace(/^[^-0-9]*/, ""));

// What a reader could be misled by at one moment; nothing if all is well.
window.faultsAt = (view, index, phase, level) => {
    const { film, tree } = view, found = [];
    const frame = film.frame(index, phase, level);
    view.paint(frame, { focus: 0 });
    const rows = new Map(); // by node: the cards of its moves
    for (const card of view.cards.values()) {
        const above = film.columns.parent[card.node];
        rows.set(above, [...(rows.get(above) ?? []), card]);
    }
    const heads = [...view.heads.querySelectorAll("text")].map(text => text.textContent);
    const fold = heads.map(text => /^⋮ (\\d+) more$/.exec(text)).find(Boolean);
    const decided = frame.path.slice(0, -1).filter(node => film.below[node].length);
    const end = frame.walk.at(-1);
    const all = decided.includes(end) || !frame.path.includes(end)
        || tree.moves(tree.inTree(end)).length === 0 ? decided : [...decided, end];
    const lacking = all.filter(node => !rows.has(node));
    const untried = lacking.filter(node => node === end); // a row of moves without nodes
    if (lacking.length - untried.length !== Number(fold?.[1] ?? 0))
        found.push(`${lacking.length} decisions have no row, ${fold?.[0] ?? "none"} said`);
    if (lacking.includes(0) && end) found.push("the root's decision has no row");
    for (const node of decided.filter(one => rows.has(one)))
        found.push(...faultsOf(view, frame, node, rows.get(node)));
    const [wide, high] = view.size, cards = [...view.next.cards, ...view.next.ghosts.map(
        ({ above, high: height, left, right, wide: width }) =>
            ({ x: (left + right) / 2, y: above, width, height }))];
    cards.forEach(({ x, y, width, height }, place) => {
        if (x - width / 2 < 0 || x + width / 2 > wide + 0.01 || y < 0 || y + height > high + 0.01)
            found.push("a card sticks out");
        for (const one of cards.slice(0, place)) {
            const isOver = Math.abs(one.x - x) < (one.width + width) / 2 - 0.01
                && one.y < y + height - 0.01 && y < one.y + one.height - 0.01;
            if (isOver) found.push("cards lie on each other");
        }
    });
    return found.map(text => `${frame.iteration}, phase ${phase}: ${text}`);
};

// One row: all siblings, the chosen one outlined, bars that add up, digits that tell them apart.
window.faultsOf = (view, frame, node, cards) => {
    const { film, tree } = view, found = [], say = text => found.push(`after ${node}: ${text}`);
    const next = frame.path[frame.path.indexOf(node) + 1];
    const there = film.below[node].filter(child => film.births[child] <= frame.addedAt);
    const heads = [...view.heads.querySelectorAll("text")];
    const [{ at: { y }, height }] = cards;
    const rest = heads.map(text => [text, /^⋮ (\\d+)$/.exec(text.textContent)])
        .find(([text, said]) => said && text.getAttribute("y") > y
            && text.getAttribute("y") < y + height);
    const ghosts = view.next.ghosts.filter(({ above }) => above === y).length;
    const left = tree.moves(tree.inTree(node)).length - ghosts - cards.length;
    const isEnd = node === frame.walk.at(-1);
    if (!isEnd && cards.length + Number(rest?.[1][1] ?? 0) !== there.length)
        say(`${cards.length} cards, ${rest?.[1][0] ?? "no others"}, of ${there.length}`);
    if (isEnd && Number(rest?.[1][1] ?? 0) !== left) say(`${left} others are not counted`);
    if (cards.length > 10) say("more cards than nine and the chosen one");
    const chosen = cards.find(card => card.node === next);
    if (!chosen?.group.classList.contains("on-path")) say("the chosen move is not outlined");
    if (cards.some(card => card !== chosen && card.group.classList.contains("on-path")))
        say("another move is outlined");
    const isNew = card => card.node === frame.added && !film.card(card.node, frame).visits;
    const scores = cards.map(card => isNew(card) ? { score: NaN }
        : film.scoreOf(card.node, frame.counted));
    const known = scores.map(({ mean, score }) => [mean, score]).flat().filter(Number.isFinite);
    const low = Math.min(0, ...known), high = Math.max(1e-9, ...known);
    const head = heads.find(text => /head/.test(text.getAttribute("class"))
        && Math.abs(text.getAttribute("y") - y) < 21);
    const words = [...head.querySelectorAll("tspan")].map(one => one.textContent).join(" ");
    const owner = film.facts.players[film.playerOf(cards[0].node)];
    if (!words.includes(`wins of ${owner}`)) say(`whose wins? ${words}`);
    const table = film.table(frame, node);
    const isTie = frame.phase < 3 && table.level > 0;
    if (!isEnd && isTie !== words.includes("tie:")) say(`${table.level} level: ${words}`);
    const level = there.filter(child => table.chosen !== undefined && child !== table.chosen
        && film.scoreOf(child, frame.iteration - 1).score === table.own
        && !film.proof(child, frame.iteration - 1));
    if (film.facts.tie === "added first" && level.some(child => child < table.chosen))
        say("an earlier one of equals was passed over");
    cards.forEach((card, place) => {
        const { mean, exploration, score } = scores[place];
        const figures = card.first.textContent + card.second.textContent;
        const terms = /^(-?[\\d.]+)([+-][\\d.]+)$/.exec(figures);
        if (card.rung.figures && Number.isFinite(score) && !film.card(card.node, frame).mark) {
            const near = (text, number) => Math.abs(Number(text) - number)
                <= 0.51 * 10 ** -card.rung.digits + 1e-15 * Math.abs(number);
            if (!terms || !near(terms[1], mean) || !near(terms[2], exploration))
                say(`${figures} for ${mean} and ${exploration}`);
            for (const line of [card.first, card.second])
                if (line.hasAttribute("textLength") && line.getAttribute("textLength")
                    < 4.9 * line.textContent.length) say(`${line.textContent} is squeezed`);
        } else if (figures) say(`${figures} without a score`);
        const [first, second] = card.terms.map(term =>
            ["x", "width"].map(name => Number(term.getAttribute(name))));
        if (!Number.isFinite(score)) return;
        const at = number => 6 + (card.width - 12) * (number - low) / (high - low);
        const isEach = (rect, from, to) =>
            Math.abs(rect[0] - Math.min(at(from), at(to))) < 0.01
            && Math.abs(rect[1] - Math.abs(at(to) - at(from))) < 0.01;
        if (!isEach(first, 0, mean) || !isEach(second, mean, score))
            say(`the bars of ${card.node} do not end at its score`);
        const { mark } = film.card(card.node, frame);
        if (mark) return;
        const text = card.score.textContent, digits = text.split(".")[1]?.length ?? 0;
        if (!(Math.abs(printed(text) - score) <= 0.51 * 10 ** -digits + 1e-15 * Math.abs(score)))
            say(`${text} for ${score}`);
    });
    const place = cards.indexOf(chosen);
    if (frame.phase < 3 && chosen && Number.isFinite(scores[place].score)) {
        const rivals = cards.filter((card, other) => other !== place
            && scores[other].score !== scores[place].score && Number.isFinite(scores[other].score)
            && !film.card(card.node, frame).mark);
        const best = rivals.toSorted((one, other) =>
            scores[cards.indexOf(other)].score - scores[cards.indexOf(one)].score)[0];
        const apart = best && Math.abs(scores[cards.indexOf(best)].score - scores[place].score);
        // no double has digits for less
        if (best && apart > 1e-14 * Math.abs(scores[place].score) && apart > 1e-15
            && !film.card(next, frame).mark && best.score.textContent === chosen.score.textContent)
            say(`${chosen.score.textContent} twice, ${apart} apart`);
        const [, lead] = / by (\\S+)$/.exec(table.title) ?? [];
        if (best && lead && !film.card(next, frame).mark) {
            const digits = lead.split(".")[1]?.length ?? 0;
            const told = printed(chosen.score.textContent) - printed(best.score.textContent);
            const isRound = digits > 14 || !best.score.textContent.includes(".");
            if (!isRound && told.toFixed(digits) !== lead)
                say(`${chosen.score.textContent} is ${lead} more than ${best.score.textContent}`);
        }
    }
    return found;
};
"""

SPARSE = 32
"""From iteration 60 on, the next that is looked at is later by this part; with --slow, each is."""

EVERY = """async ([payload, pane, phases, part]) => {
    const view = await ladderOf(payload, pane), { film } = view, found = [];
    const { iterations } = film.facts;
    let rows = 0;
    const next = index => index < 60 || !part ? 1 : Math.ceil(index / part);
    for (let index = 1; index <= iterations && found.length < 6; index += next(index)) {
        for (const phase of phases) {
            found.push(...faultsAt(view, index, phase));
            rows += view.next.rows.length;
        }
        const { levels } = film.frame(index, 0);
        if (index <= 60) for (let level = 0; level < levels; level++)
            found.push(...faultsAt(view, index, 0, level));
    }
    return [rows, found];
}"""


@pytest.mark.parametrize("number", range(13))
def test_each_decision_has_its_row_and_the_row_says_why(page: Page, number: int, part: int) -> None:
    film = films()[number]
    phases = [0, 1, 2, 3] if film.trace.iterations <= 300 else [0, 3]
    rows, found = page.evaluate(EVERY, [payload(film), PANES["a laptop"], phases, part])
    assert found == []
    assert rows >= min(150, film.trace.iterations)


@pytest.mark.parametrize("number", range(3))
def test_an_excerpt_has_its_rows_too(page: Page, number: int, part: int) -> None:
    rows, found = page.evaluate(EVERY, [payload(excerpts()[number]), PANES["a laptop"], [0], part])
    assert found == []
    assert rows > 50


@pytest.mark.slow
@pytest.mark.parametrize("name", READ)
def test_films_of_every_kind_have_their_rows(page: Page, name: str) -> None:
    rows, found = page.evaluate(EVERY, [payload(READ[name]()), PANES["a laptop"], [0, 1, 2, 3], 0])
    assert found == []
    assert rows > 20


@pytest.mark.parametrize("pane", ["a phone", "a projector"])
def test_in_a_slim_pane_and_in_a_large_one(page: Page, pane: str) -> None:
    for film in (films()[3], films()[7], wide()):
        rows, found = page.evaluate(EVERY, [payload(film), PANES[pane], [0, 2], SPARSE])
        assert found == []
        assert rows > 50


def test_of_many_moves_nine_and_the_chosen_one_are_in_the_row(page: Page) -> None:
    rows, found = page.evaluate(EVERY, [payload(wide()), PANES["a laptop"], [0, 1, 2, 3], SPARSE])
    assert found == []
    assert rows > 300
