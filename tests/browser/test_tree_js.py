"""The scripts that draw the tree, each by itself: board.js, marks.js, cards.js, camera.js, tree.js
and tree_bar.js."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from .bare import bare_page, film, payload


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with bare_page(browser) as page:
        yield page


# board.js, marks.js ------------------------------------------------------------------------------


def test_a_board_is_one_path_for_each_kind_of_piece(page: Page) -> None:
    told = page.evaluate(
        """async () => {
            const { MiniBoard } = await module("board.js");
            const pieces = [{ class: "a", path: "h1" }, { class: "b", path: "v1" }];
            const board = new MiniBoard({ rows: 2, columns: 3, grid: "M1 1", pieces });
            const read = () => [...board.svg.children].map(part => part.getAttribute("d"));
            board.draw([1, 0, 2, 0, 0, 1], [1, 0, 0, 2, 0, 1]);
            const first = read();
            board.draw([0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]);
            return [board.svg.getAttribute("viewBox"), first, read()];
        }"""
    )
    glow = "m.5 .5h9v9h-9z"
    first = [f"M20 0{glow}M0 10{glow}", "M1 1", "M0 0h1M20 10h1", "M20 0v1"]
    assert told == ["0 0 30 20", first, ["", "M1 1", "", ""]]


def test_the_same_text_is_not_written_twice(page: Page) -> None:
    told = page.evaluate(
        """async () => {
            const { write } = await module("board.js");
            const holder = put(document.createElement("p"));
            const watch = new MutationObserver(() => {});
            watch.observe(holder, { childList: true, characterData: true, subtree: true });
            return ["<b>one</b>", "<b>one</b>", "two", "", "", "three"].map(text => {
                write(holder, text);
                return [holder.textContent, watch.takeRecords().length, holder.children.length];
            });
        }"""
    )
    assert [text for text, _, _ in told] == ["<b>one</b>", "<b>one</b>", "two", "", "", "three"]
    assert [changes for _, changes, _ in told] == [1, 0, 1, 1, 0, 1]
    assert {elements for _, _, elements in told} == {0}


def test_a_phase_has_its_shape_its_number_and_its_line(page: Page) -> None:
    told = page.evaluate(
        """async marks => {
            const { badge, drawBadge, lineOf } = await module("marks.js");
            const svg = badge(marks[0], 1);
            return marks.map((mark, phase) => {
                drawBadge(svg, mark, phase + 1);
                const line = lineOf(mark).firstChild.getAttribute("stroke-dasharray");
                return [svg.firstChild.getAttribute("d"), svg.textContent, line];
            });
        }""",
        marks := film().payload()["facts"]["marks"],
    )
    assert told == [[m["shape"], str(n), m["dash"]] for n, m in enumerate(marks, 1)]
    assert len({shape for shape, _, _ in told}) == len({dash for _, _, dash in told}) == 4


# cards.js ----------------------------------------------------------------------------------------


def test_cards_slots_and_stubs_come_from_the_blank(page: Page) -> None:
    page.evaluate("payload => open_(payload)", payload(film()))
    card, slot, again, stub, badge = page.evaluate(
        """async () => {
            const { CardMaker } = await module("cards.js");
            const maker = new CardMaker(film);
            const read = ({ group }) => [group.dataset.node, group.tabIndex,
                group.querySelector(".glow").getAttribute("d").length > 0,
                group.getAttribute("role"), group.getAttribute("class")];
            const card = maker.card(3), slot = maker.slot(2);
            maker.place(slot, 5);
            const first = read(slot);
            maker.place(slot, 0);
            maker.badge(card, ["<i>win</i>", "win"]);
            const stub = maker.stub(7).group;
            return [read(card), first, read(slot), [stub.dataset.stub, stub.tabIndex],
                [card.badge, card.group.querySelector(".truth.win text").textContent]];
        }"""
    )
    assert card == ["3", 0, True, "button", "card"]
    assert slot == ["5", 0, True, "button", "card slot"]
    assert again == ["0", 0, False, "button", "card slot"], "nothing was played before the root"
    assert stub == ["7", 0]
    assert badge == ["<i>win</i>"] * 2


# camera.js ---------------------------------------------------------------------------------------

CAMERA = """
async ask => {
    const { Camera } = await module("camera.js");
    const { svgElement } = await module("board.js");
    const svg = put(svgElement("svg", {}));
    const camera = new Camera(svg);
    const see = () => svg.getAttribute("viewBox").split(" ").map(Number);
    return ask(camera, see, svg);
}
"""


def camera(page: Page, ask: str) -> Any:
    return page.evaluate(f"() => ({CAMERA})({ask})")


def test_a_whole_picture_is_fitted_and_a_small_one_not_enlarged(page: Page) -> None:
    told = camera(
        page,
        """(camera, see, svg) => {
            const sizes = [[900, 500, false], [100, 60, true], [100, 60, false]];
            return sizes.map(size => {
                camera.show(...size);
                return [see(), Number(svg.getAttribute("width")), camera.fitted];
            });
        }""",
    )
    assert told == [
        [[0, 0, 900, 500], 900, True],
        [[0, 0, 100, 60], 100, True],
        [[-160, -100, 420, 260], 420, True],
    ]


def test_zoom_keeps_its_point_has_an_end_and_comes_back_to_the_whole(page: Page) -> None:
    near, far, middle, back = camera(
        page,
        """(camera, see) => {
            camera.show(1000, 500, true);
            camera.zoom(2, [250, 100]);
            const near = see();
            for (let turn = 0; turn < 50; turn++) camera.zoom(2);
            const far = see();
            camera.fit();
            camera.zoom(2);
            const middle = see();
            camera.zoom(0.1);
            return [near, far, middle, [see(), camera.fitted]];
        }""",
    )
    assert near == [125, 50, 500, 250], "the point stands where it stood, a quarter from the left"
    assert far[2:] == pytest.approx([150, 75])
    assert middle == [250, 125, 500, 250]
    assert back == [[0, 0, 1000, 500], True]


def test_a_box_is_followed_no_farther_than_it_must(page: Page) -> None:
    still, right, up, corner, large, whole = camera(
        page,
        """(camera, see) => {
            camera.show(1000, 500, true);
            const box = (x, y, width, height) => ({ x, y, width, height });
            camera.follow(box(900, 450, 50, 40));
            const whole = see();
            camera.zoom(4, [500, 250]);
            const seen = [box(450, 220, 50, 50), box(640, 220, 50, 50), box(500, 100, 50, 50),
                box(960, 460, 40, 40)].map(one => { camera.follow(one); return see(); });
            camera.include(box(400, 100, 500, 50));
            return [...seen, see(), whole];
        }""",
    )
    assert whole == [0, 0, 1000, 500], "in the whole picture there is nothing to follow"
    assert still == [375, 187.5, 250, 125]
    assert right == [640 + 50 + 8 - 250, 187.5, 250, 125]
    assert up == [448, 92, 250, 125]
    assert corner == [750, 375, 250, 125], "not beyond the picture"
    x, y, width, height = large
    assert [width, height] == [516, 258], "as far away as a large box asks for"
    assert x == 392
    assert y <= 92
    assert y + height >= 158


def test_another_picture_keeps_a_point_in_place(page: Page) -> None:
    before, after = camera(
        page,
        """(camera, see) => {
            camera.show(1000, 500, true);
            camera.zoom(2);
            const before = see();
            camera.swap(1400, 900, [300, 200], [410, 260]);
            return [before, see()];
        }""",
    )
    assert after == [before[0] + 110, before[1] + 60, *before[2:]]


def test_a_drag_pans_and_a_small_move_is_a_click(page: Page) -> None:
    told = camera(
        page,
        """(camera, see, svg) => {
            camera.show(1000, 500, true);
            camera.zoom(2);
            const scale = svg.getScreenCTM().a;
            const at = (type, x, y, target, button = 0) => target.dispatchEvent(
                new PointerEvent(type, { clientX: x, clientY: y, button, bubbles: true }));
            const seen = [];
            for (const [x, button] of [[102, 0], [150, 2], [150, 0]]) {
                at("pointerdown", 100, 100, svg, button);
                at("pointermove", x, 100, window);
                at("pointerup", x, 100, window);
                seen.push([camera.dragged, see()[0]]);
            }
            at("pointermove", 400, 100, window);
            return [...seen, [camera.dragged, see()[0]], 250 - 50 / scale];
        }""",
    )
    assert told[:2] == [[False, 250], [False, 250]]
    assert told[2] == [True, pytest.approx(told[4])]
    assert told[3] == told[2], "after the button is let go, nothing moves"


# tree.js -----------------------------------------------------------------------------------------

TREE = """
async ask => {
    const { Tree } = await module("tree.js");
    await open_(window.sent);
    const heard = [];
    const tree = new Tree(film, node => heard.push(node), () => heard.push("view"));
    put(tree.svg);
    tree.paint(film.frame(200, 3), 0);
    const nodes = () => [...tree.svg.querySelectorAll(".boxes .card")].map(c => +c.dataset.node);
    return ask(tree, heard, nodes);
}
"""


def tree(page: Page, ask: str) -> Any:
    page.evaluate("payload => { window.sent = payload; }", payload(film()))
    return page.evaluate(f"() => ({TREE})({ask})")


def test_what_has_not_changed_is_not_touched(page: Page) -> None:
    same, other = tree(
        page,
        """tree => {
            const watch = new MutationObserver(() => {});
            const all = { attributes: true, childList: true, characterData: true, subtree: true };
            watch.observe(tree.svg, all);
            return [200, 150].map(iteration => {
                tree.paint(film.frame(iteration, 3), 0);
                return watch.takeRecords().length;
            });
        }""",
    )
    assert same == 0
    assert other > 0


def test_a_stub_is_opened_and_its_nodes_come_into_view_in_their_order(page: Page) -> None:
    before, card, after, heard, hidden = tree(
        page,
        """(tree, heard, nodes) => {
            const before = nodes();
            const { card } = film.view.stubs.at(-1);
            tree.open(card);
            const stage = tree.svg.getBoundingClientRect();
            const hidden = nodes().filter(node => !before.includes(node)).filter(node => {
                const [x, y] = film.view.corners.get(node);
                const [wide, high] = film.view.card;
                const view = tree.camera.view;
                return x < view.x || y < view.y || x + wide > view.x + view.width
                    || y + high > view.y + view.height;
            });
            return [before, card, nodes(), heard, hidden];
        }""",
    )
    assert set(before) < set(after)
    assert after == sorted(after)
    assert {int(film().trace.parent[node]) for node in set(after) - set(before)} == {card}
    assert heard == ["view", card]
    assert hidden == []


def test_a_part_is_looked_at_and_left_again(page: Page) -> None:
    before, part, back, heard, left = tree(
        page,
        """(tree, heard, nodes) => {
            const before = nodes();
            tree.chosen = before[1];
            tree.keys.f();
            const part = nodes();
            const left = [tree.leave(), tree.leave()];
            return [before, part, nodes(), heard, left];
        }""",
    )
    assert part[0] == before[1]
    assert back == before
    assert heard == ["view", "view"]
    assert left == [True, False], "the second time there is nothing to leave"


def test_keys_zoom_and_choose(page: Page) -> None:
    zoomed, heard, node = tree(
        page,
        """(tree, heard, nodes) => {
            const width = () => Math.round(tree.camera.view.width);
            const whole = width();
            const zoomed = ["+", "-", "−", "=", "0"].map(name => {
                tree.keys[name]();
                return width() < whole;
            });
            const card = tree.cards.get(nodes()[2]).group;
            key(card, "Enter");
            key(card, "Enter", { shiftKey: true });
            return [zoomed, heard, nodes()[2]];
        }""",
    )
    assert zoomed == [True, False, False, True, False]
    assert heard == [node], "Shift and Enter runs the cell instead"


def test_cards_that_are_asked_for_come_into_view(page: Page) -> None:
    whole, told = tree(
        page,
        """(tree, heard, nodes) => {
            const see = () => Object.values(tree.camera.view);
            tree.bring(nodes());
            const whole = [see(), Object.values(tree.camera.whole)];
            for (let turn = 0; turn < 4; turn++) tree.zoom(1.4);
            const inside = () => {
                const [x, y, width, height] = see();
                const box = film.view.around(nodes().slice(0, 2));
                return box.x >= x && box.y >= y && box.x + box.width <= x + width
                    && box.y + box.height <= y + height;
            };
            tree.camera.follow({ x: 1e6, y: 1e6, width: 1, height: 1 });
            const before = inside();
            tree.bring([...nodes().slice(0, 2), 99_999, undefined]);
            return [whole, [before, inside()]];
        }""",
    )
    assert whole[0] == whole[1]
    assert told == [False, True]


def test_truth_stands_on_cards_that_are_opened_later(page: Page) -> None:
    told = tree(
        page,
        """(tree, heard, nodes) => {
            const badges = () => tree.svg.querySelectorAll(".boxes .truth").length;
            const known = () => nodes().filter(node => film.facts.truth.badges[node]).length;
            const none = badges();
            tree.showTruth(true);
            const first = [badges(), known()];
            tree.open(film.view.stubs[0].card);
            return [none, first, [badges(), known()]];
        }""",
    )
    assert told[0] == 0
    assert told[1][0] == told[1][1] > 0
    assert told[2][0] == told[2][1] > told[1][0]


# tree_bar.js -------------------------------------------------------------------------------------


def test_the_number_of_cards_is_kept_in_its_bounds(page: Page) -> None:
    told = tree(
        page,
        """async (tree, heard, nodes) => {
            const { TreeBar } = await module("tree_bar.js");
            const bar = new TreeBar(film, tree);
            tree.onView = () => bar.update();
            const asked = ["12", "1", "9999", "", "20"].map(text => {
                bar.cards.value = text;
                bar.cards.dispatchEvent(new Event("change"));
                return [nodes().length, Number(bar.cards.value), bar.wholeButton.hidden];
            });
            const passed = [];
            document.body.append(bar.element);
            bar.element.addEventListener("keydown", ({ key }) => passed.push(key));
            ["ArrowLeft", "5", "t", "Escape", "Tab"].forEach(name => key(bar.cards, name));
            return [asked, passed, film.columns.parent.length];
        }""",
    )
    most = min(300, told[2])
    assert told[0] == [
        [12, 12, False],
        [5, 5, False],
        [most, most, False],
        [20, 20, True],
        [20, 20, True],
    ]
    assert told[1] == ["Escape", "Tab"]
