"""The river's layout at every iteration of thirteen films: nothing is tuned to one size or one
moment.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from films import films, walks, wide
from playwright.sync_api import Browser, Page

from mcts_viz import MCTS, Bandit, ConnectFour, Film, TicTacToe

from .bare import Show, bare_page, payload, settle

PANE = {"width": 584, "height": 464}  # as on a laptop with 1366 by 768 pixels


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with bare_page(browser) as page:
        page.evaluate(f"() => {{ {FAULTS} }}")
        yield page


FAULTS = """
window.near = (one, other) => Math.abs(one - other) < 0.01;

window.moments = async function* (payload, pane) {
    const film = await opened(payload), tree = modules.threadsOf(film);
    for (let index = 1; index <= film.facts.iterations; index++) {
        const frame = film.frame(index, film.facts.kind === "mcts" ? 3 : 0);
        tree.at(frame);
        const walk = frame.path.map(node => tree.inTree(node));
        const stop = tree.inTree(frame.walk.at(-1));
        yield { tree, walk, frame, river: modules.layOut(tree, { ...pane, walk, stop }) };
    }
};

window.faults = ({ tree, walk, river }) => {
    const { bands, cards, ends, fans, height } = river;
    const { places, rows, spares, thread, width } = river;
    const found = [];
    const root = cards.find(card => card.node === 0);
    if (!root || root.y < 0 || root.y + root.height > height)
        found.push("the root is out of sight");
    const isUsual = rows[1] >= 104 && rows[1] <= 158 && rows[2] >= 198 && rows[2] <= 284;
    if (!isUsual) found.push("rows 1 and 2 have moved");
    for (const card of cards) {
        const { node, x, y } = card;
        const isIn = x - card.width / 2 >= 0 && x + card.width / 2 <= width
            && y + card.height <= height + 0.01;
        if (!isIn) found.push(`card ${node} sticks out`);
        for (const one of cards) {
            const isOver = one.node < node
                && Math.abs(one.x - x) < (one.width + card.width) / 2 - 0.01
                && one.y < y + card.height - 0.01 && y < one.y + one.height - 0.01;
            if (isOver) found.push(`cards ${one.node} and ${node} lie on each other`);
        }
    }
    for (const node of walk)
        if (!cards.some(card => card.node === node)) found.push(`${node} has no card`);
    for (const place of places.values()) {
        const row = place.children.map(child => places.get(child)).filter(Boolean);
        if (new Set(row.map(({ y }) => y)).size > 1) found.push(`below ${place.node}: not level`);
        if (row.some(({ left }, at) => at && left < row[at - 1].right - 0.01))
            found.push("not in order");
        if (place.wide > place.right - place.left + 0.01)
                found.push(`${place.node} is wider than its slot`);
    }
    // Every thread is somewhere: ribbons, fans and what lies below fans fill the width of each row.
    const depth = [0], wanted = [], drawn = [];
    const add = (to, level, wide) => { to[level] = (to[level] ?? 0) + wide; };
    for (let node = 1; node < tree.total; node++) {
        depth[node] = depth[tree.parent[node]] + 1;
        add(wanted, depth[node], tree.visits[node] * thread);
    }
    for (const { node, wide } of bands) add(drawn, depth[node], wide);
    for (const { depth: level, wide, deeper } of fans) {
        add(drawn, level, wide);
        deeper.forEach((count, at) =>
            add(drawn, level + 1 + Math.floor(at / tree.results.length), count * thread));
    }
    wanted.forEach((wide, level) => {
        const isLost = Math.abs(wide - (drawn[level] ?? 0)) > 1e-6 * Math.max(1, wide);
        if (isLost) found.push(`row ${level} lacks threads`);
    });
    return found;
};
"""

WHOLE = """async ([payload, pane]) => {
    const found = [];
    for await (const moment of moments(payload, pane)) {
        const { frame, river } = moment;
        found.push(...faults(moment).map(fault => `${frame.iteration}: ${fault}`));
        if (found.length > 5) break;
    }
    return found;
}"""


def test_a_slim_pane_is_whole(page: Page) -> None:
    """As half of a comparison, or on a phone."""
    slim = {"width": 360, "height": 300}
    assert page.evaluate(WHOLE, [payload(films()[3]), slim]) == []


WIDE = """async ([payload, pane]) => {
    const found = [];
    for await (const moment of moments(payload, pane)) {
        const { frame, river, tree } = moment;
        const say = text => found.push(`${frame.iteration}: ${text}`);
        faults(moment).forEach(say);
        const carded = new Set(river.cards.filter(card => card.depth === 1).map(card => card.node));
        const moves = tree.below[0].filter(node => node < tree.total)
            .sort((a, b) => tree.visits[b] - tree.visits[a] || a - b);
        const xs = river.cards.filter(card => card.depth === 1).map(({ x }) => x);
        const isCovered = node => xs.some(x => Math.abs(river.places.get(node).x - x) < 35);
        const free = moves.filter(node => !carded.has(node) && !isCovered(node));
        if (carded.size < 9 && free.length) say(`${carded.size} cards, room for ${free.length}`);
        if (carded.size > 10) say(`${carded.size} cards`); // the walk's may be one more
        const stop = tree.inTree(frame.walk.at(-1)), untried = 121 - moves.length;
        const fans = river.ghosts.map(({ count }) => count);
        if (stop === 0 && untried && fans.join() !== String(untried)) say(`fans of ${fans}`);
        if (found.length > 5) break;
    }
    return found;
}"""


def test_of_many_moves_nine_have_cards_and_the_others_are_counted(page: Page) -> None:
    """One dashed fan for all that is untried."""
    assert page.evaluate(WIDE, [payload(wide()), PANE]) == []


RIBBONS = """async ([payload, pane]) => {
    const { Water } = await module("picture/water.js");
    const Path = window.Path2D;
    window.Path2D = class extends Path { // of each shape the second and the third corner
        corners = [];
        moveTo(...at) { this.corners.push([]); super.moveTo(...at); }
        bezierCurveTo(...ends) {
            this.corners.at(-1).push(ends.at(-2));
            super.bezierCurveTo(...ends);
        }
        lineTo(...at) { this.corners.at(-1).push(at[0]); super.lineTo(...at); }
        get widths() { return this.corners.map(([left, right]) => right - left); }
    };
    let [thinnest, ribbons, water] = [Infinity, 0];
    const found = [];
    for await (const moment of moments(payload, pane)) {
        const { frame, river, tree, walk } = moment;
        found.push(...faults(moment).map(fault => `${frame.iteration}: ${fault}`));
        if (found.length > 5) break;
        if (!water) {
            water = new Water(document.createElement("canvas"), tree);
            document.body.append(water.canvas);
            water.resize(pane.width, pane.height, 1);
            water.mist.draw = () => {};
            water.brush.fill = function (path) {
                if (typeof this.fillStyle === "string") {
                    ribbons += path.widths.length;
                    thinnest = Math.min(thinnest, ...path.widths);
                }
            };
        }
        water.paint({ ...river, ends: [], fans: [], spares: [] }, new Set(walk));
    }
    window.Path2D = Path;
    water.canvas.remove();
    return [found, ribbons, thinnest];
}"""


@pytest.mark.parametrize("number", [0, 1, 2, 4])
def test_each_step_of_minimax_is_whole_and_what_it_needed_is_a_line(
    page: Page, number: int
) -> None:
    """Beside all that is hatched a single game would be a tenth of a pixel."""
    found, ribbons, thinnest = page.evaluate(RIBBONS, [payload(walks()[number]), PANE])
    assert found == []
    assert ribbons > 100
    assert thinnest >= 0.999


STEPS = """async ([payload, pane]) => {
    const early = [], late = [], falls = [], lows = [1], sinks = [0], found = [];
    let cards = new Map(), inks = [], tops;
    for await (const moment of moments(payload, pane)) {
        const { frame, river, tree } = moment;
        if (found.length < 6)
            found.push(...faults(moment).map(fault => `${frame.iteration}: ${fault}`));
        const now = new Map(river.cards.map(card => [card.node, card]));
        for (const [node, { x, y }] of now) {
            const before = cards.get(node);
            if (before)
                (frame.iteration > 30 ? late : early).push(Math.hypot(x - before.x, y - before.y));
        }
        if (frame.iteration >= 60 && river.rows.length > 3) // two levels end at row 2
            lows.push(Math.max(...river.ends.map(({ y }) => y)) / river.height);
        for (const row of tops ? [1, 2] : []) sinks.push(Math.abs(river.rows[row] - tops[row]));
        tops = river.rows;
        const ink = [];
        const add = (row, wide) => { ink[row] = (ink[row] ?? 0) + wide; };
        for (const { below, wide } of river.bands) add(river.rows.indexOf(below), wide);
        for (const { depth, wide, deeper } of river.fans) {
            add(depth, wide);
            deeper.forEach((count, at) =>
                add(depth + 1 + Math.floor(at / tree.results.length), count * river.thread));
        }
        ink.forEach((wide, depth) => {
            const isHigh = depth < river.rows.length - 1
                && river.rows[depth] - river.rows[depth - 1] >= 20;
            if (isHigh && frame.iteration > 30 && inks[depth]) falls.push(1 - wide / inks[depth]);
        });
        [cards, inks] = [now, ink];
    }
    const middle = of => of.toSorted((one, other) => one - other)[of.length >> 1] ?? 0;
    const [first, then, fall, sink] =
        [early, late, falls, sinks].map(of => Math.max(0, ...of));
    const lowest = Math.min(...lows);
    return [found, { early: first, late: then, sink, usual: middle(late), fall, lowest }];
}"""


def strides(page: Page, film: Film) -> dict[str, float]:
    """How far cards go from moment to moment, each of which is whole: the root in sight, siblings
    level and in order, no card over another, no thread lost.
    """
    faults, found = page.evaluate(STEPS, [payload(film), PANE])
    assert faults == []
    far: dict[str, float] = found
    return far


@pytest.mark.parametrize("number", range(13))
def test_each_moment_is_whole_and_no_card_jumps_to_the_next(page: Page, number: int) -> None:
    """In pixels of a pane of 584 by 464; a card that was 519 px away a step later was the median
    once.
    """
    steps = strides(page, films()[number])
    assert steps["early"] <= 26
    # A walk that leaves two rows which no other walk uses gives their 17 pixels each back at once.
    assert steps["late"] <= (18 if number == 9 else 16)
    assert steps["usual"] <= (0.5 if number == 1 else 2), "3,000 iterations move calmly"
    assert steps["sink"] <= 2.5, "rows 1 and 2 come nearer slowly while the tree is young"
    assert steps["lowest"] >= 0.65
    assert steps["fall"] <= (0.04 if number == 1 else 0.05), "no ink is lost"


ROW = """async ([payload, pane, last]) => {
    const all = [];
    for await (const { frame, river } of moments(payload, pane)) {
        if (frame.iteration > last) break;
        const { bands, cards, ends, fans, ghosts, rows } = river;
        const places = cards.map(({ depth, height, kind, width, x, y }) =>
            [depth, height, kind, width, x, y]);
        const ways = bands.map(({ from, to, wide }) => [from, to, wide]);
        all.push([places, ways, ends.length, fans.length, ghosts, rows]);
    }
    return JSON.stringify(all);
}"""


@pytest.mark.parametrize("game", [TicTacToe(), ConnectFour(), Bandit((0.3, 0.6))])
def test_no_picture_tells_the_future(page: Page, game: Any) -> None:
    """Films of 40, 400 and 6,000 iterations, of which some are left out, begin with the same
    pictures.
    """
    few, some, many = (
        page.evaluate(ROW, [payload(Film(MCTS(game, seed=4).record(iterations=count))), PANE, 40])
        for count in (40, 400, 6000)
    )
    assert few == some == many


PAINTED = """() => {
    const canvas = document.querySelector(".river canvas");
    const { width, height } = canvas;
    const copy = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, width, height);
    const filled = new Uint8Array(width * height);
    for (let place = 0; place < filled.length; place++) filled[place] = data[4 * place + 3] > 8;
    const sharp = width / canvas.clientWidth, pane = canvas.getBoundingClientRect();
    let low = 0;
    for (const part of document.querySelectorAll(".river .frame, .river .ghost rect")) {
        const { bottom, left, right, top } = part.getBoundingClientRect();
        const [from, to] = [left, right].map(side => Math.round(sharp * (side - pane.left)));
        const [first, last] = [top, bottom].map(side => Math.round(sharp * (side - pane.top)));
        for (let y = first; y < Math.min(height, last); y++)
            filled.fill(1, y * width + from, y * width + to);
    }
    let all = 0;
    filled.forEach((one, place) => { if (one) { all++; low = Math.floor(place / width); } });
    return [all / filled.length, low / height];
}"""


def test_the_picture_fills_its_pane_more_and_more(show: Show) -> None:
    """Today's cards and ribbons as parts of the pane: 2 to 7 % was the median of short films
    once."""
    film = Film(MCTS(TicTacToe(), seed=4).record(iterations=1200))
    page = show(film.to_html(1, "backpropagate"), viewport={"width": 920, "height": 640})
    page.locator(".mcts-player[data-iteration]").wait_for()
    least = {1: (0.06, 0), 12: (0.14, 0), 60: (0.20, 0.65), 1000: (0.35, 0.65)}
    for iteration, (share, low) in least.items():
        page.locator(".track input").fill(str(iteration))
        settle(page)
        found = page.evaluate(PAINTED)
        assert (found[0] >= share, found[1] >= low) == (True, True), (iteration, found)


INK = """async ([payload, pane]) => {
    const film = await opened(payload), tree = modules.threadsOf(film);
    const canvas = document.body.appendChild(document.createElement("canvas"));
    const water = new modules.Water(canvas, tree), shares = [];
    water.resize(pane.width, pane.height, 1);
    for (const part of [0.02, 0.1, 0.5, 1]) {
        tree.at(film.frame(Math.round(film.facts.iterations * part), 3));
        const river = modules.layOut(tree, pane), { rows, thread } = river;
        const depth = [0], threads = [];
        for (let node = 1; node < tree.total; node++) {
            depth[node] = depth[tree.parent[node]] + 1;
            threads[depth[node]] = (threads[depth[node]] ?? 0) + tree.visits[node];
        }
        water.paint(river, new Set());
        for (let row = 2; row < rows.length - 1; row++) {
            const y = Math.round(rows[row] + 0.9 * (rows[row + 1] - rows[row]));
            const { data } = water.brush.getImageData(0, y, canvas.width, 1);
            let ink = 0;
            for (let at = 3; at < data.length; at += 4) ink += data[at] / 255;
            const wide = threads[row + 1] * thread;
            if (wide > 20) shares.push(ink / (0.75 * wide));
        }
    }
    canvas.remove();
    return shares;
}"""


GAMES = TicTacToe(), ConnectFour()


@cache
def many_threads(game: Any) -> dict[str, Any]:
    return payload(Film(MCTS(game, seed=4).record(iterations=15_000)))


@pytest.mark.parametrize("game", GAMES)
def test_what_is_finer_than_a_pixel_is_painted_with_all_its_ink(page: Page, game: Any) -> None:
    """Near the end of each row there is as much ink as threads cross it, but for overlaps."""
    shares = page.evaluate(INK, [many_threads(game), PANE])
    assert len(shares) > 8
    assert min(shares) > 0.9
    assert max(shares) < 1.1


PAINTS = """async ([payload, pane]) => {
    const film = await opened(payload), tree = modules.threadsOf(film);
    const host = put(document.createElement("div"));
    host.className = "mcts-player"; // whose colours they are
    const canvas = host.appendChild(document.createElement("canvas"));
    const water = new modules.Water(canvas, tree), found = [];
    water.resize(pane.width, pane.height, 1);
    for (const part of [0.2, 0.5, 1]) {
        tree.at(film.frame(Math.round(film.facts.iterations * part), 3));
        const river = modules.layOut(tree, pane), { rows } = river;
        const depth = [0], counted = [];
        for (let node = 1; node < tree.total; node++) {
            depth[node] = depth[tree.parent[node]] + 1;
            const row = counted[depth[node]] ??= tree.results.map(() => 0);
            tree.results.forEach((of, result) => { row[result] += of[node]; });
        }
        water.paint(river, new Set());
        const inks = water.colours.map(() => 0), wanted = water.colours.map(() => 0);
        for (let row = 2; row < rows.length - 1; row++) {
            const y = Math.round(rows[row] + 0.9 * (rows[row + 1] - rows[row]));
            const { data } = water.brush.getImageData(0, y, canvas.width, 1);
            for (let at = 0; at < data.length; at += 4) {
                if (!data[at + 3]) continue;
                const far = colour => [0, 1, 2].reduce(
                    (sum, channel) => sum + (colour[channel] - data[at + channel]) ** 2, 0);
                const gaps = water.colours.map(far);
                inks[gaps.indexOf(Math.min(...gaps))] += data[at + 3];
            }
            counted[row + 1].forEach((count, result) => { wanted[result] += count; });
        }
        const all = of => of.reduce((sum, one) => sum + one, 0);
        found.push([inks, wanted].map(of => of.map(one => 100 * one / all(of))));
    }
    canvas.remove();
    return [tree.kinds, found];
}"""


@pytest.mark.parametrize("game", GAMES)
def test_each_result_is_painted_with_its_share(page: Page, game: Any) -> None:
    """Blue and orange in one pixel would be the grey of a draw, of which Connect Four has few."""
    kinds, found = page.evaluate(PAINTS, [many_threads(game), PANE])
    assert kinds == ["player-0", "draw", "player-1"]
    assert len(found) == 3
    for painted, counted in found:
        for kind, ink, share in zip(kinds, painted, counted, strict=True):
            most = 0.5 if kind == "draw" and game.name == "Connect Four" else 2
            assert abs(ink - share) <= most, (kind, painted, counted)


USED = """() => {
    const pane = document.querySelector(".stage").getBoundingClientRect();
    const parts = [...document.querySelectorAll(".river .frame, .river .ghost rect")]
        .filter(part => !part.closest('[display="none"]'))
        .map(part => part.getBoundingClientRect());
    const covered = new Uint8Array(Math.ceil(pane.width));
    for (const { left, right } of parts)
        covered.fill(1, Math.floor(left - pane.left), Math.ceil(right - pane.left));
    const low = Math.max(...parts.map(({ bottom }) => bottom)) - pane.top;
    return [covered.reduce((sum, one) => sum + one, 0) / pane.width, low / pane.height];
}"""


@pytest.mark.parametrize("game", GAMES)
def test_a_young_tree_uses_its_pane(show: Show, game: Any) -> None:
    """Its width, and its height."""
    film = Film(MCTS(game, seed=4).record(iterations=60))
    page = show(film.to_html(1, "select"), "#view=river", reduced_motion="reduce")
    page.locator(".mcts-player[data-iteration]").wait_for()
    for width, height in ((950, 640), (1536, 1000)):
        page.set_viewport_size({"width": width, "height": height})
        for iteration, least in ((1, 0.5), (12, 0.7)):
            page.locator(".track input").fill(str(iteration))
            settle(page)
            assert min(page.evaluate(USED)) >= least


LETTERS = """() => {
    const seen = text => !text.closest('[display="none"]') && text.textContent;
    const scale = Number(document.querySelector(".mcts-tree").getAttribute("width"))
        / Number(document.querySelector(".mcts-tree").getAttribute("viewBox").split(" ")[2]);
    const sizes = [...document.querySelectorAll(".river text")].filter(seen)
        .map(text => scale * parseFloat(getComputedStyle(text).fontSize));
    const card = document.querySelector('.river .card[data-depth="1"] .frame');
    return [Math.min(...sizes), card.getBoundingClientRect().width, scale];
}"""


def test_cards_and_letters_grow_with_the_pane(show: Show) -> None:
    film = Film(MCTS(TicTacToe(), seed=4).record(iterations=2000))
    page = show(film.to_html(1998, "select"), "#view=river")
    page.locator(".mcts-player[data-iteration]").wait_for()
    for _ in ("river", "walk"):
        found = []
        for width, height in ((952, 640), (1700, 1000), (2600, 1800)):
            page.set_viewport_size({"width": width, "height": height})
            settle(page)
            found.append(page.evaluate(LETTERS))
        (_, before, _), (_, after, scale), (_, _, largest) = found
        assert min(letter for letter, _, _ in found) >= 11
        assert scale > 1.3
        assert after / before >= 0.85 * scale
        assert largest <= 2
        page.locator(".mcts-player").press("v")
