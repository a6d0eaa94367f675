"""The player on its exported page: a reader's clicks and keys, its motion, and how it fits."""

from __future__ import annotations

import re
from itertools import pairwise, starmap
from math import dist, inf
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from mcts_viz import MCTS, Bandit, Film, TicTacToe
from mcts_viz.film.words import plain
from mcts_viz.search import PHASES

from .bare import Show, ask
from .lab import eventually
from .test_picture import FILMS, READ, film_of, go, quick

PLAYER = ".mcts-player"


def open_film(show: Show, film: Film, **profile: Any) -> Page:
    """A page of the film at its start; the keys are the player's."""
    page = show(film.to_html(film.iterations[0]), "#view=river", **{"viewport": SIZE, **profile})
    page.locator(PLAYER).focus()
    return page


SIZE = {"width": 1000, "height": 640}


class FourLetters(TicTacToe):
    """Names of moves as in Breakthrough, beside a board."""

    def action_label(self, state: Any, action: int) -> str:
        return f"a{action}b{action}"


LAID_OUT = """() => {
    const box = part => document.querySelector(part).getBoundingClientRect();
    const { height } = box(".mcts-player");
    const why = document.querySelector(".why");
    const out = [".controls", ".track", ".stage", ".river canvas", ".words", ".why"]
        .filter(part => box(part).top < 0 || box(part).bottom > innerHeight);
    if (height < 470 || height > 900) out.push(`${height} high`);
    if (why.scrollWidth > why.clientWidth) out.push("why is cut off");
    return out;
}"""
"""A script that lists the parts that do not fit, by their classes."""


def test_one_screen_with_few_controls_and_few_stops(show: Show) -> None:
    letters = Film(MCTS(FourLetters(), seed=4).record(iterations=60))
    for film in (letters, film_of("connect four"), film_of("tree"), film_of("tic-tac-toe")):
        page = open_film(show, film)
        page.locator(PLAYER).press("End")
        for width, height in ((934, 560), (1240, 647), (934, 800)):
            page.set_viewport_size({"width": width + 16, "height": height})
            eventually(lambda page=page: page.evaluate(LAID_OUT), [])
    page.locator(PLAYER).press("Home")
    controls = page.locator(f"{PLAYER} :is(button, input, select):visible")
    assert controls.count() <= 12, "eleven and the menu"
    page.evaluate("() => document.activeElement.blur()")
    stops = 0
    while stops < 16:
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement === document.body"):
            break
        stops += 1
    assert stops <= 14


def place(page: Page) -> tuple[str, ...]:
    root = page.locator(PLAYER)
    return tuple(str(root.get_attribute(f"data-{name}")) for name in ("iteration", "phase"))


def test_keys(show: Show) -> None:
    film = film_of("tic-tac-toe")
    page = show(film.to_html(1), viewport=SIZE)
    expect(page.locator(PLAYER)).to_have_attribute("data-iteration", "1")
    for key, wanted in (  # at once, before any click
        ("ArrowRight", ("1", "expand")),
        ("Shift+ArrowRight", ("2", "expand")),
        ("ArrowLeft", ("2", "select")),
        ("Control+ArrowLeft", ("1", "select")),
        ("End", ("200", "backpropagate")),
        ("Home", ("1", "select")),
    ):
        page.keyboard.press(key)
        assert place(page) == wanted
    told = re.search(r"(\d) to (\d): a phase", page.locator(".help").text_content() or "")
    assert told, "the help names a key for each phase"
    for number in range(int(told[1]), int(told[2]) + 1):
        page.keyboard.press(str(number))
        assert place(page) == ("1", PHASES[number - 1])
    assert number == len(PHASES)
    page.keyboard.press("Home")
    for key in "ss ":  # the whole film in half a minute
        page.keyboard.press(key)
    eventually(lambda: place(page)[0] != "1", True)
    expect(page.locator(".transport")).to_contain_text("Pause")
    page.keyboard.press(" ")
    expect(page.locator(".transport")).not_to_contain_text("Pause")
    assert page.evaluate("() => scrollY") == 0
    stood = place(page)
    for full in (True, False):
        page.keyboard.press("f")
        is_full = "() => document.fullscreenElement?.matches('.mcts-player') ?? false"
        eventually(lambda is_full=is_full: page.evaluate(is_full), full)
    assert place(page) == stood
    # Into another part of the tree, and back.
    path = go(page, film, 150, "select")["cards"]
    other = next(node for node, card in path.items() if not card["onPath"])
    page.keyboard.press("v")
    page.locator(f'.river .card[data-node="{other}"]').click()
    assert page.locator(".focused").get_attribute("data-node") == other
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    eventually(lambda: ask(page, READ)["cards"], path)
    for key in ("m", "Escape", "?", "Escape", "v", "v", "t"):
        page.keyboard.press(key)
        inside = "() => document.activeElement.closest('.mcts-player') !== null"
        assert page.evaluate(inside), key
        assert page.locator(".help:visible").count() == (key == "?")


def test_select_stops_at_every_decision_of_the_walk(show: Show) -> None:
    """The moves that are untried where it ends are ghosts."""
    film = film_of("tic-tac-toe")
    trace, game = film.data.trace, film.data.trace.game
    page = open_film(show, film)
    root = page.locator(PLAYER)
    for iteration in (60, 150, 190):
        go(page, film, iteration - 1, "backpropagate")
        now = trace.at(iteration, "select")
        for level, (node, chosen) in enumerate(pairwise(now.path)):
            page.keyboard.press("ArrowRight")
            expect(root).to_have_attribute("data-level", str(level))
            expect(root).to_have_attribute("data-phase", "select")
            read = ask(page, READ)
            assert sorted(map(int, read["rows"])) == sorted(now.children(node))
            assert [n for n, row in read["rows"].items() if row["winner"]] == [str(chosen)]
            # The cards at that level carry numbers, and the trail ends with the choice.
            assert read["cards"][str(chosen)]["share"]
            assert sum(card["onPath"] for card in read["cards"].values()) == level + 2
        page.keyboard.press("ArrowRight")
        expect(root).to_have_attribute("data-phase", "expand")
        page.keyboard.press("ArrowLeft")
        expect(root).to_have_attribute("data-level", str(len(now.path) - 2))
    for iteration in (3, 9, 150):
        read, now = go(page, film, iteration, "select"), trace.at(iteration, "select")
        state = trace.state(now.path[-1])
        legal = {game.action_label(state, action) for action in game.legal_actions(state)}
        left = legal - {trace.label(n) for n in now.children(now.path[-1])}
        fans = [text for text in read["ghosts"] if text.endswith(" untried")]
        count = sum(int(text.split()[0]) for text in fans)
        assert count == len(left) if fans else set(read["ghosts"]) == left


def test_keys_drag_c_and_move_no_film(show: Show) -> None:
    film = film_of("tied")
    page = open_film(show, film)
    go(page, film, 61, "expand")
    page.get_by_role("slider", name="c, the exploration constant").focus()
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    assert 0.9 < float(page.locator(".c-drag output").text_content() or "nan") < 1.3
    assert place(page) == ("61", "expand")


def test_one_hover_links_row_and_card_and_a_playout_falls_from_its_node(show: Show) -> None:
    film = film_of("tied")
    page = open_film(show, film)
    lengths = {k: len(film.data.trace.playouts[k]) for k in range(120, 200)}
    iteration = next(k for k, length in lengths.items() if length > 1)
    go(page, film, iteration, "simulate")
    expect(page.locator(".playout")).to_have_attribute("data-move", str(lengths[iteration]))
    result, _, _ = film.caption(iteration, "simulate").partition(". None")
    expect(page.locator(".playout .title")).to_have_text(result.split("then ")[-1])
    foot, fall, stage = (
        box(page, part) for part in (".playout .title", ".playout .thread", ".stage")
    )
    leaf = box(page, f'.river .card[data-node="{film.data.trace.leaf[iteration - 1]}"]')
    assert abs(fall["y"] - leaf["y"] - leaf["height"]) < 2, "the thread begins at the new card"
    assert foot["y"] + foot["height"] <= stage["y"] + stage["height"], "and ends in the picture"
    go(page, film, iteration, "expand")
    expect(page.locator(".playout")).to_be_hidden()
    row = page.locator(".why tr[data-row]").nth(1)
    row.hover()
    node, name = row.get_attribute("data-node"), row.get_attribute("data-row")
    expect(page.locator(f'.river .card[data-node="{node}"].hovered')).to_have_count(1)
    page.locator('.river .card[data-node="1"]').hover()
    expect(page.locator('.why tr[data-node="1"].hovered')).to_have_count(1)
    row.click()
    expect(page.locator(".why .title")).to_contain_text(f"after {name}", ignore_case=True)


def box(page: Page, part: str) -> dict[str, float]:
    found: dict[str, float] = page.locator(part).first.evaluate(
        "e => e.getBoundingClientRect().toJSON()"
    )
    return found


SCORES = (".why:visible", ".river .score:visible")


def test_predict_asks_every_decision_or_says_why_not(show: Show) -> None:
    """Answered by a click on a card, by keyboard or not at all; and nothing is given away."""
    film = film_of("connect four")
    trace, asked = film.data.source, 0
    page = open_film(show, film)
    page.keyboard.press("p")
    for iteration in range(200, 240, 4):
        go(page, film, iteration - 1, "backpropagate")
        before = [page.locator(shown).count() for shown in SCORES]
        page.locator(PLAYER).focus()
        page.keyboard.press("ArrowRight")
        now = trace.at(iteration, "select")
        scores = sorted(
            (s for n in now.children(0) if (s := now.score(n)) is not None), reverse=True
        )
        if len(scores) < 2 or scores[0] == scores[1]:
            expect(page.locator(".predict .feedback")).to_contain_text("Not asked")
            assert all(before)
            continue
        expect(page.locator(PLAYER)).to_have_attribute("data-asking", "select")
        assert [page.locator(shown).count() for shown in SCORES] == before == [0, 0]
        assert page.locator(".future").evaluate("e => getComputedStyle(e).opacity") == "1"
        # In the picture of a selection no place is kept free for the node to come.
        added = trace.at(iteration, "expand").new_node
        assert page.locator(f'.river .card[data-node="{added}"]').count() == 0
        asked += 1
        if asked % 3 == 0:
            page.get_by_role("button", name="Show me").click()
        elif asked % 3 == 1:
            verdict = page.evaluate(  # at once
                """node => {
                    document.querySelector(`.river .card[data-node="${node}"]`)
                        .dispatchEvent(new MouseEvent("click", { bubbles: true }));
                    return document.querySelector(".feedback").textContent.slice(0, 8);
                }""",
                now.path[1],
            )
            assert (verdict, place(page)) == ("✓ Right.", (str(iteration), "select"))
        else:
            chosen = plain(trace.label(now.path[1]))
            for _ in range(15):
                page.keyboard.press("Tab")
                if page.evaluate("() => document.activeElement.innerText") == chosen:
                    break
            page.keyboard.press("Enter")
            expect(page.locator(".feedback")).to_contain_text("✓ Right.")
            assert page.evaluate("() => document.activeElement.closest('.mcts-player') !== null")
    assert asked > 5


# How it moves ----------------------------------------------------------------------------------

WALK = """async key => {
    const cards = () => Object.fromEntries([...document.querySelectorAll(
        ".river .card[data-node]")]
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


def next_iteration(page: Page, film: Film, iteration: int) -> tuple[dict[str, Any], int]:
    """From the end of an iteration to the next: where cards come to rest, and how many move.

    No card that stays covers much of its way between two frames.
    """
    go(page, film, iteration, film.phases[-1])
    page.locator(PLAYER).focus()
    painted, moved = ask(page, WALK, "ArrowRight"), 0
    for node in painted[0].keys() & painted[-1].keys():
        places = [frame[node] for frame in painted if node in frame]
        way = dist(places[0], places[-1])
        if way > 24:
            moved += 1
            assert max(starmap(dist, pairwise(places))) <= 0.3 * way
    return painted[-1], moved


@pytest.mark.parametrize("name", quick(FILMS, "connect four"))
def test_nothing_jumps_between_iterations(
    show: Show, name: str, request: pytest.FixtureRequest
) -> None:
    """A card that stays glides; those of the root's moves stay, or come nearer to the root."""
    film = film_of(name)
    shown, boundaries = film.iterations, 60 if request.config.getoption("--slow") else 4
    still = [0, *(node for node, parent in enumerate(film.data.trace.parent) if parent == 0)]
    page = open_film(show, film)
    lines: dict[str, float] = {}
    for iteration in shown[:-1][:: max(1, len(shown) // boundaries)]:
        end, _ = next_iteration(page, film, iteration)
        for node in map(str, still):
            if node in end:
                assert end[node][1] <= lines.get(node, inf) + 0.6
                lines[node] = end[node][1]
    assert len(lines) > 1


WRITTEN = """() => [...document.querySelectorAll("[data-ghost]:has(text)")]
    .map(ghost => [ghost.dataset.ghost, ghost.textContent])"""
COVERS = """() => document.querySelector("[data-ghost]")
    .compareDocumentPosition(document.querySelector(".mcts-tree .lines")) & 4"""


def test_untried_moves_are_counted_where_there_is_no_room_for_each(show: Show) -> None:
    film = Film(MCTS(Bandit((0.3, 0.5)), seed=1).record(iterations=60))  # 100 tickets an arm
    page = open_film(show, film)
    read = go(page, film, 20, "select")
    fans = [re.fullmatch(r"(\d+) untried", told) for told in read["ghosts"]]
    assert any(fans), read["ghosts"]
    node = film.data.trace.at(20, "select").path[-1]
    tried = len(film.data.trace.at(20, "select").children(node))
    assert sum(int(fan[1]) if fan else 1 for fan in fans) == 100 - tried
    written = ask(page, WRITTEN)
    assert any(name.endswith(" untried") for name, _ in written)
    assert all(name == text for name, text in written), "the reader sees what was counted"
    go(page, film, 20, "backpropagate")
    assert not ask(page, COVERS), "the walk lies on the count"


def test_a_click_makes_a_node_the_top_and_escape_leads_back(show: Show) -> None:
    film = film_of("tic-tac-toe")
    page = open_film(show, film)
    go(page, film, 150, "backpropagate")
    whole = ask(page, READ)["cards"]
    page.locator('.river .card[data-node="1"]').click()
    eventually(
        lambda: page.locator(".crumbs button").all_inner_texts(), ["root", film.data.trace.label(1)]
    )
    inside = ask(page, READ)["cards"]
    assert min(inside.values(), key=lambda card: card["depth"])["depth"] == 0
    assert set(inside) <= {"1", *map(str, below(film, 1))}, "what is not below it is gone"
    page.keyboard.press("Escape")
    expect(page.locator(".crumbs")).to_be_hidden()
    page.keyboard.press("Escape")
    eventually(lambda: ask(page, READ)["cards"], whole)


def below(film: Film, top: int) -> list[int]:
    """All nodes below one."""
    trace = film.data.trace
    return [node for node in range(len(trace.parent)) if node != top and top in trace.path(node)]


def test_motion_ends_at_once_on_a_key_and_is_not_forced_on_anybody(show: Show) -> None:
    film = film_of("tic-tac-toe")
    pressed = """key => {
        const player = document.querySelector(".mcts-player");
        player.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        const running = player.getAnimations({ subtree: true })
            .filter(one => one.playState === "running");
        const playing = document.querySelectorAll("[data-playing]");
        return [player.dataset.phase, running.length + playing.length > 0];
    }"""
    page = open_film(show, film)
    for moves in (True, False):
        page.emulate_media(reduced_motion="no-preference" if moves else "reduce")
        go(page, film, 61, "select")
        for phase in PHASES[1:]:
            page.wait_for_timeout(300)  # a key that repeats wants no motion
            assert page.evaluate(pressed, "ArrowRight") == [phase, moves]
        assert page.evaluate(pressed, "Home") == ["select", False]
        page.keyboard.press("End")
        assert place(page) == ("200", "backpropagate")


DRAGGED = """async () => {
    const player = document.querySelector(".mcts-player");
    const slider = player.querySelector(".track input");
    const left = new Set(); // what rests is painted again when the hand rests
    const observer = new MutationObserver((changes) => {
        for (const { oldValue } of changes) left.add(oldValue);
    });
    observer.observe(player, { attributeFilter: ["data-iteration"], attributeOldValue: true });
    for (let index = 40; index >= 1; index -= 1) {
        slider.value = index;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const atOnce = player.dataset.iteration;
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    const last = player.dataset.iteration;
    left.delete(last);
    return [atOnce, last, [...left]];
}"""


def test_a_drag_paints_once_a_frame_and_ends_where_the_hand_rests(show: Show) -> None:
    """Painted at every move, a large film showed no frame for three seconds of a drag."""
    page = open_film(show, film_of("tic-tac-toe"))
    first, last, left = ask(page, DRAGGED)
    assert int(first) - int(last) == 39, "the first move at once, the last one in the end"
    assert left == [first], "and none between"


def test_the_phases_are_a_slider(show: Show) -> None:
    """Four stops, each below its name; by click, drag and arrows, and as large as a finger."""
    film = film_of("tic-tac-toe")
    page = open_film(show, film)
    go(page, film, 100, "select")
    slider = page.get_by_role("slider", name="Phase")
    assert slider.evaluate("one => [one.min, one.max, one.step]") == ["0", "3", ""]
    names = page.locator(".phase")
    for place_of, (number, phase) in zip(names.all(), enumerate(PHASES), strict=True):
        middle = box_of(place_of)
        page.mouse.click(*middle)
        assert place(page) == ("100", phase), "a click on a name is one on its stop"
        assert slider.get_attribute("aria-valuetext") == phase.capitalize()
        assert slider.input_value() == str(number)
        expect(page.locator(".phase.now")).to_have_text(f"{number + 1} {phase.capitalize()}")
    first, last = box_of(names.first), box_of(names.last)
    page.mouse.move(*last)
    page.mouse.down()
    for part in (0.7, 0.4, 0):
        page.mouse.move(first[0] + part * (last[0] - first[0]), first[1] + 6)
    page.mouse.up()
    assert place(page) == ("100", "select")
    slider.focus()
    for wanted in ("expand", "simulate", "backpropagate"):
        page.keyboard.press("ArrowRight")
        assert place(page) == ("100", wanted)
    page.keyboard.press("ArrowRight")
    assert place(page) == ("101", "select"), "from the last one on to the next iteration"
    page.keyboard.press("ArrowLeft")
    assert place(page) == ("100", "backpropagate")
    page.keyboard.press("Home")
    assert place(page) == ("100", "select")


def box_of(part: Locator) -> tuple[float, float]:
    found = part.bounding_box()
    assert found
    return found["x"] + found["width"] / 2, found["y"] + found["height"] / 2


def test_a_step_to_select_opens_the_ladder_while_a_tree_is_small(show: Show) -> None:
    """A drag through the iterations shows the tree; V keeps either."""
    film = film_of("tic-tac-toe")
    for iteration, view in ((61, "river"), (5, "river"), (57, "walk")):
        page = show(film.to_html(iteration, "select"), viewport=SIZE)
        expect(page.locator(PLAYER)).to_have_attribute("data-view", view)
    page.locator(PLAYER).focus()
    before = (("2", "river"), ("ArrowLeft", "walk"))
    after = (("1", "walk"), ("v", "river"), ("2", "river"), ("1", "river"))
    for keys in (before, after):
        for key, view in keys:
            page.keyboard.press(key)
            expect(page.locator(PLAYER)).to_have_attribute("data-view", view)
        page.locator(".track input").fill("40")
        expect(page.locator(PLAYER)).to_have_attribute("data-view", "river")
