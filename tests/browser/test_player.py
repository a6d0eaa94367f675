"""The player in JupyterLab: what is painted, what moves it, what it says and to whom."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from films import hostile_film
from playwright.sync_api import Locator, Page

from mcts_viz import MCTS, ConnectFour, Film, TicTacToe
from mcts_viz.film.captions import caption
from mcts_viz.film.words import fixed, short
from mcts_viz.search import PHASES

from .lab import DARK, HIGH_CONTRAST, LIGHT, JupyterLab, Notebook, eventually

CELLS = [
    """
import ipywidgets
from mcts_viz import MCTS, Player, TicTacToe
trace = MCTS(TicTacToe(), seed=4).record(iterations=200)
heard = []

def cross():
    def late(told):
        if told["iteration"] == 101:
            del player.set_state
            player.iteration = 50
        Player.set_state(player, told)
    player.set_state = late
""",
    """
player = Player(trace)
player.observe(lambda change: heard.append((change.name, change.new)), ["iteration", "phase"])
player
""",
    "twin = Player(trace, cards=12)\ntwin",
    """
slider = ipywidgets.IntSlider(min=0, max=500)
link = ipywidgets.jslink((slider, "value"), (twin, "iteration"))
slider
""",
]
VIEWPORT = {"width": 1400, "height": 3000}
MOST_PAUSE = 120  # milliseconds between two key presses, well below the pause that means rest


@cache
def film(cards: int | None = None) -> Film:
    """The film that the notebook shows: same seed, same film."""
    return Film(MCTS(TicTacToe(), seed=4).record(iterations=200), cards)


@dataclass
class Screen:
    """One player on the page, and hands to use it with."""

    notebook: Notebook
    root: Locator

    @property
    def page(self) -> Page:
        return self.notebook.page

    def place(self) -> tuple[int, str]:
        """Where the player stands, as its attributes say."""
        at = self.root.evaluate("root => [root.dataset.iteration, root.dataset.phase]")
        return int(at[0]), at[1]

    def press(self, *keys: str) -> tuple[int, str]:
        for key in keys:
            self.page.keyboard.press(key)
        self.page.evaluate("() => new Promise(requestAnimationFrame)")  # that paints a slide
        return self.place()

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name, exact=True)

    def go(self, iteration: int, phase: str) -> None:
        """Go to a moment by slider and phase strip."""
        self.root.locator("input[type=range]").evaluate(
            """(input, value) => {
                input.value = value;
                input.dispatchEvent(new Event("input"));
            }""",
            str(iteration),
        )
        self.root.locator(f".phases .{phase}").click()
        assert self.place() == (iteration, phase)

    def cards(self) -> Locator:
        return self.root.locator('[data-node]:not([display="none"])').locator("visible=true")

    def read(self) -> dict[str, Any]:
        """All the numbers and words on the screen."""
        read: dict[str, Any] = self.root.evaluate(
            """root => {
                const shown = element => element.getClientRects().length > 0;
                const all = selector => [...root.querySelectorAll(selector)].filter(shown);
                const text = (element, part) => element.querySelector(part).textContent;
                return {
                    cards: all("[data-node]").map(card => [
                        Number(card.dataset.node), text(card, ".share"), text(card, ".score"),
                        card.classList.contains("on-path"), card.classList.contains("new")]),
                    stubs: all("[data-stub]").map(stub => [
                        Number(stub.dataset.stub), text(stub, ".count"),
                        stub.classList.contains("on-path")]),
                    rows: all(".why tbody tr").map(row => [...row.children].map(c => c.innerText)),
                    chosen: all(".why tr.chosen").length,
                    words: text(root, ".words"), line: text(root, "code.now"),
                    shots: all(".shot").length, counter: text(root, ".counter"),
                    pressed: all(".phase[aria-pressed=true]").map(b => b.innerText.trim()),
                    slider: Number(root.querySelector("input").value),
                };
            }"""
        )
        return read

    def view(self) -> list[float]:
        """Which part of the tree is looked at: x, y, width, height."""
        box = self.root.locator("svg.mcts-tree").get_attribute("viewBox")
        return [float(number) for number in box.split()]

    def focused(self) -> str:
        """What has the keyboard, if it is in the player."""
        told: str = self.root.evaluate(
            """root => {
                const held = document.activeElement;
                return root.contains(held) ? held.getAttribute("class") || held.tagName : "";
            }"""
        )
        return told

    def notebook_state(self) -> list[Any]:
        """What a key that escapes the player would change."""
        state: list[Any] = self.page.evaluate(
            """() => {
                const { content } = jupyterapp.shell.currentWidget;
                return [content.activeCellIndex, content.mode, content.widgets.length];
            }"""
        )
        return state


def screen_of(notebook: Notebook, cell: int) -> Screen:
    screen = Screen(notebook, notebook.output(cell).locator(".mcts-player"))
    screen.root.scroll_into_view_if_needed()
    screen.page.wait_for_function(
        "root => root.dataset.iteration", arg=screen.root.element_handle()
    )
    return screen


@pytest.fixture(scope="module")
def notebook(lab: JupyterLab) -> Iterator[Notebook]:
    with lab.open(CELLS, viewport=VIEWPORT) as notebook:
        notebook.run_all()
        yield notebook
        assert notebook.errors == []
        assert notebook.outside == []


@pytest.fixture
def screen(notebook: Notebook) -> Screen:
    """The player, whole tree in view, at iteration 100, with the keyboard's focus."""
    screen = screen_of(notebook, 1)
    whole = screen.button("Whole tree, as it was before (Escape)")
    if whole.is_visible():
        whole.click()
    screen.button("Fit: all cards in the frame (0)").click()
    screen.go(100, "select")
    screen.root.focus()
    screen.press("Escape")
    eventually(lambda: notebook.python("(player.iteration, player.phase)"), (100, "select"))
    return screen


# What is painted -------------------------------------------------------------------------------


def check_picture(screen: Screen, film: Film, iteration: int, phase: str) -> None:
    """The screen shows the numbers of Python's frame."""
    seen, frame = screen.read(), film.frame(iteration, phase)
    expected = [
        (card.node, f"{short(card.wins)}/{card.visits}", card.on_path, card.new)
        for card in frame.cards
    ]
    now = film.trace.at(iteration, phase)
    for node in frame.strip:
        wins = short(float(now.wins[node]))
        expected.append((node, f"{wins}/{now.visits[node]}", True, node == now.new_node))
    cards = sorted((node, share, path, new) for node, share, _, path, new in seen["cards"])
    assert cards == sorted(expected)
    scores = {node: score for node, _, score, _, _ in seen["cards"]}
    for card in frame.cards:
        plain = "root" if not card.node else "new" if card.new else ""
        assert scores[card.node] == (plain if card.score is None else f"UCT {fixed(card.score)}")
    assert seen["stubs"] == [[s.card, f"+{s.hidden}", s.on_path] for s in frame.stubs]
    assert seen["words"] == caption(film.reel, iteration, phase)
    assert f"self.{phase}(" in seen["line"]
    assert seen["counter"] == f"{iteration} / {film.trace.iterations}"
    assert seen["slider"] == iteration
    number = PHASES.index(phase)
    assert [name[1:].strip().lower() for name in seen["pressed"]] == [phase]
    assert seen["shots"] == (len(now.playout) if number >= 2 else 0)
    check_comparison(seen["rows"], film, iteration, phase, 0)


def check_comparison(
    rows: list[list[str]], film: Film, iteration: int, phase: str, parent: int
) -> None:
    """The table shows every child of ``parent``, best first."""
    now = film.trace.at(iteration, phase)
    scores = {child: now.score(child) for child in now.children(parent)}
    best_first = sorted(scores, key=lambda n: -1 if scores[n] is None else scores[n], reverse=True)
    assert sorted(row[0].split()[-1] for row in rows) == sorted(map(film.trace.label, best_first))
    for row, best in zip(rows, best_first, strict=True):
        node = next(n for n in scores if film.trace.label(n) == row[0].split()[-1])
        assert row[1] == f"{short(float(now.wins[node]))}/{now.visits[node]}"
        assert row[3] == ("–" if scores[node] is None else fixed(scores[node]))
        level = None if scores[best] is None else pytest.approx(scores[best], rel=1e-6)
        assert scores[node] == level
        assert row[0].startswith("▸") == (node in now.path)


def test_what_is_on_the_screen_is_what_python_says(screen: Screen) -> None:
    draw = random.Random(5)
    for _ in range(30):
        iteration, phase = draw.randint(1, 200), draw.choice(PHASES)
        screen.go(iteration, phase)
        check_picture(screen, film(), iteration, phase)


def test_the_page_has_the_promised_marks(screen: Screen) -> None:
    assert "mcts-player" in screen.root.get_attribute("class").split()
    assert screen.root.locator("input[type=range]").count() == 1
    tags = screen.root.locator("[data-node]").evaluate_all("all => all.map(e => e.tagName)")
    assert set(tags) == {"g"}
    shown = {card.node for card in film().frame(100, "select").cards}
    visible = screen.cards().evaluate_all("all => all.map(e => Number(e.dataset.node))")
    assert shown <= set(visible)


def test_no_card_moves_on_the_page(screen: Screen) -> None:
    places: dict[str, list[float]] = {}
    for _ in range(24):
        screen.press("ArrowRight")
        found = screen.root.evaluate(
            """root => Object.fromEntries(
                [...root.querySelectorAll(".card[data-node]:not(.slot)")]
                    .filter(card => card.getClientRects().length).map(card => {
                        const { x, y } = card.getBoundingClientRect();
                        const stage = root.querySelector(".stage").getBoundingClientRect();
                        return [card.dataset.node, [x - stage.x, y - stage.y]];
                    }))"""
        )
        for node, place in found.items():
            # A thicker outline marks the path, so the box around a card grows by a point or so.
            assert place == pytest.approx(places.setdefault(node, place), abs=2)
    assert len(places) == len(film().reel.cards) > 30


# Keys --------------------------------------------------------------------------------------


@pytest.mark.parametrize("holder", ["root", "input", ".card", ".phase", "button[title^=Next]"])
def test_keys_move_the_player_and_nothing_else(screen: Screen, holder: str) -> None:
    held = screen.root if holder == "root" else screen.root.locator(holder).first
    held.focus()
    before = screen.notebook_state()
    assert screen.press("ArrowRight") == (100, "expand")
    assert screen.press("ArrowRight", "ArrowRight", "ArrowRight") == (101, "select")
    assert screen.press("ArrowLeft") == (100, "backpropagate")
    assert screen.press("Control+ArrowRight") == (101, "backpropagate")
    assert screen.press("Control+ArrowLeft", "Control+ArrowLeft") == (99, "backpropagate")
    assert screen.press("Shift+ArrowRight") == (100, "backpropagate")
    assert screen.press("End") == (200, "backpropagate")
    assert screen.press("ArrowRight", "Control+ArrowRight") == (200, "backpropagate")
    assert screen.press("Home") == (1, "select")
    assert screen.press("ArrowLeft", "Control+ArrowLeft") == (1, "select")
    assert screen.notebook_state() == before
    assert screen.focused()


@pytest.mark.parametrize("holder", ["root", "input", ".card", ".phase"])
def test_keys_of_the_notebook_stay_out(screen: Screen, holder: str) -> None:
    """In command mode A and B add a cell, D D deletes one, M changes it, Enter opens it."""
    held = screen.root if holder == "root" else screen.root.locator(holder).first
    held.focus()
    before = screen.notebook_state()
    screen.press("a", "b", "x", "d", "d", "m", "y", "j", "k", "z", "0", "0")
    screen.press("ArrowDown", "ArrowUp", "PageDown", "PageUp", "Enter", "Space", "Shift+ArrowDown")
    assert screen.notebook_state() == before
    assert screen.focused()


def test_the_slider_has_its_own_keys_too(screen: Screen) -> None:
    screen.root.locator("input[type=range]").focus()
    assert screen.press("ArrowUp") == (101, "select")
    assert screen.press("ArrowDown", "ArrowDown") == (99, "select")
    assert screen.press("PageUp")[0] > 100


def test_keys_go_on_when_the_focused_card_is_gone(screen: Screen) -> None:
    screen.go(200, "select")
    screen.cards().last.focus()
    assert screen.press("Home") == (1, "select")
    assert screen.focused() == "mcts-player"
    assert screen.press("ArrowRight") == (1, "expand")


# Mouse ---------------------------------------------------------------------------------------


def test_buttons_move_the_player(screen: Screen) -> None:
    for name, place in [
        ("Next phase (→)", (100, "expand")),
        ("Phase before (←)", (100, "select")),
        ("Phase before (←)", (99, "backpropagate")),
        ("First moment (Home)", (1, "select")),
        ("Last moment (End)", (200, "backpropagate")),
    ]:
        screen.button(name).click()
        assert screen.place() == place
    for phase in PHASES:
        screen.root.locator(f".phases .{phase}").click()
        assert screen.place() == (200, phase)


def test_play_runs_to_the_end_and_pauses(screen: Screen) -> None:
    screen.go(199, "backpropagate")
    screen.button("Play or pause").click()
    eventually(lambda: screen.place()[0] > 199, True)
    screen.button("Play or pause").click()
    paused = screen.place()
    screen.page.wait_for_timeout(1600)  # more than two steps of playing
    assert screen.place() == paused
    screen.button("Play or pause").click()
    eventually(screen.place, (200, "backpropagate"))
    eventually(lambda: screen.button("Play or pause").inner_text(), "Play")


def test_a_slider_drag_scrubs(screen: Screen) -> None:
    box = screen.root.locator("input[type=range]").bounding_box()
    y = box["y"] + box["height"] / 2
    mouse, seen = screen.page.mouse, []
    mouse.move(box["x"] + box["width"] / 2, y)
    mouse.down()
    for step in range(21):
        mouse.move(box["x"] + box["width"] * (0.5 + 0.025 * step), y)
        seen.append(screen.place()[0])
    mouse.up()
    assert seen == sorted(seen)
    assert len(set(seen)) > 15
    assert seen[-1] == 200
    assert screen.place()[1] == "select"


def test_the_tables_come_to_the_place_where_a_drag_ends(screen: Screen) -> None:
    tables = [screen.root.locator(".why tbody"), screen.root.locator(".playout")]
    screen.go(137, "simulate")
    whole = [table.inner_text() for table in tables]
    screen.go(3, "simulate")
    assert [table.inner_text() for table in tables] != whole
    pictures = screen.root.locator("input[type=range]").evaluate(
        """async slider => {
            const player = slider.closest(".mcts-player");
            let pictures = 0;
            const look = { attributeFilter: ["data-iteration"] };
            new MutationObserver(changes => { pictures += changes.length; }).observe(player, look);
            const slide = place => {
                slider.value = place;
                slider.dispatchEvent(new Event("input"));
            };
            const frame = () => new Promise(requestAnimationFrame);
            for (const places of [[20, 60], [100, 180, 137]]) {
                places.forEach(slide);
                await frame();
            }
            return [pictures, Number(player.dataset.iteration)];
        }"""
    )
    assert pictures == [2, 137], "one picture a frame, and the tree follows at once"
    eventually(lambda: [table.inner_text() for table in tables], whole)


def test_a_key_goes_on_from_where_a_slide_has_just_come(screen: Screen) -> None:
    screen.go(3, "simulate")
    screen.root.locator("input[type=range]").evaluate(
        """slider => {
            slider.value = 137;
            slider.dispatchEvent(new Event("input"));
            const key = { key: "ArrowRight", bubbles: true };
            slider.dispatchEvent(new KeyboardEvent("keydown", key));
        }"""
    )
    assert screen.place() == (137, "backpropagate")


def test_a_click_goes_on_from_where_a_slide_has_just_come(screen: Screen) -> None:
    screen.go(3, "simulate")
    screen.root.evaluate(
        """player => {
            const slider = player.querySelector("input[type=range]");
            slider.value = 137;
            slider.dispatchEvent(new Event("input"));
            player.querySelector(".phases .expand").click();
        }"""
    )
    assert screen.place() == (137, "expand")


def test_a_click_on_a_card_compares_its_children(screen: Screen) -> None:
    screen.go(200, "select")
    trace = film().trace
    parent = next(n for n in film().reel.cards if n and trace.at(200, "select").children(n))
    screen.root.locator(f'.card[data-node="{parent}"]').click()
    assert screen.place() == (200, "select")
    assert "focused" in screen.focused()
    check_comparison(screen.read()["rows"], film(), 200, "select", parent)
    assert f"played {trace.label(parent)}" in screen.root.locator(".detail").inner_text()
    screen.root.get_by_role("button", name="at the root", exact=True).click()
    check_comparison(screen.read()["rows"], film(), 200, "select", 0)
    screen.root.locator(f'.card[data-node="{parent}"]').focus()
    screen.press("Enter")
    check_comparison(screen.read()["rows"], film(), 200, "select", parent)
    screen.press("Escape")
    check_comparison(screen.read()["rows"], film(), 200, "select", 0)


def moment_with_strip(length: int = 1) -> tuple[int, str]:
    return next(
        (k, "expand") for k in range(200, 0, -1) if len(film().frame(k, "expand").strip) >= length
    )


def test_a_click_on_a_stub_or_a_card_of_the_strip_tells_about_it(screen: Screen) -> None:
    iteration, phase = moment_with_strip()
    screen.go(iteration, phase)
    frame, trace = film().frame(iteration, phase), film().trace
    owner = next(stub.card for stub in frame.stubs if stub.on_path)
    screen.root.locator(f'[data-stub="{owner}"]').click()
    check_comparison(screen.read()["rows"], film(), iteration, phase, owner)
    node = frame.strip[-1]
    screen.root.locator(f'.slot[data-node="{node}"]:not([display="none"])').click()
    now = trace.at(iteration, phase)
    share = f"played {trace.label(node)}: {short(now.wins[node])} of {now.visits[node]}"
    assert share in screen.root.locator(".detail").inner_text()
    assert screen.read()["rows"] == []


# Zoom and pan ----------------------------------------------------------------------------------


def in_view(screen: Screen) -> list[int]:
    """The cards of the path's end that lie wholly within the stage."""
    nodes: list[int] = screen.root.evaluate(
        """root => {
            const stage = root.querySelector("svg.mcts-tree").getBoundingClientRect();
            return [...root.querySelectorAll(".card.on-path")]
                .filter(card => card.getClientRects().length)
                .filter(card => {
                    const box = card.getBoundingClientRect();
                    return box.left >= stage.left - 1 && box.right <= stage.right + 1
                        && box.top >= stage.top - 1 && box.bottom <= stage.bottom + 1;
                }).map(card => Number(card.dataset.node));
        }"""
    )
    return nodes


def test_zoom_buttons_and_fit(screen: Screen) -> None:
    whole = screen.view()
    screen.button("Zoom in (+)").click()
    assert screen.view()[2] == pytest.approx(whole[2] / 1.4)
    screen.button("Zoom out (-)").click()
    assert screen.view() == whole
    for _ in range(20):
        screen.button("Zoom in (+)").click()
    assert screen.view()[2] >= 0.14 * whole[2]
    screen.button("Fit: all cards in the frame (0)").click()
    assert screen.view() == whole


def test_a_wheel_zooms_with_ctrl_only_around_the_pointer(screen: Screen) -> None:
    whole, mouse = screen.view(), screen.page.mouse
    card = screen.root.locator('.card[data-node="0"]')
    box = card.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(x, y)
    screen.page.keyboard.down("Control")
    mouse.wheel(0, -100)
    screen.page.keyboard.up("Control")
    eventually(lambda: screen.view()[2] < whole[2], True)
    after, zoomed = card.bounding_box(), screen.view()
    assert after["width"] > box["width"]
    assert after["x"] <= x <= after["x"] + after["width"]
    mouse.wheel(0, -100)
    screen.page.wait_for_timeout(300)
    assert screen.view() == zoomed


def test_a_drag_pans_without_choosing_a_card(screen: Screen) -> None:
    for _ in range(3):
        screen.button("Zoom in (+)").click()
    detail = screen.root.locator(".detail").inner_text()
    before, mouse = screen.view(), screen.page.mouse
    box = screen.root.locator("svg.mcts-tree").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 40, y + 25, steps=5)
    mouse.up()
    after = screen.view()
    assert after[0] < before[0]
    assert after[1] < before[1]
    assert after[2:] == before[2:]
    assert screen.root.locator(".detail").inner_text() == detail
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 5000, y + 5000, steps=5)
    mouse.up()
    assert screen.view()[:2] == [0, 0], "one cannot get lost beyond the tree"


def test_the_paths_end_stays_in_view_when_zoomed(screen: Screen) -> None:
    for _ in range(3):
        screen.button("Zoom in (+)").click()
    screen.root.focus()
    for iteration in range(100, 140):
        screen.press("Control+ArrowRight")
        path = film().frame(iteration + 1, "select").path
        assert path[-1] in in_view(screen)
    screen.go(*moment_with_strip())
    assert film().frame(*moment_with_strip()).path[-1] in in_view(screen)


def test_the_whole_path_is_in_view_when_fitted(screen: Screen) -> None:
    for iteration in range(150, 170):
        screen.go(iteration, "expand")
        assert set(in_view(screen)) == set(film().frame(iteration, "expand").path)


# Python and other widgets ------------------------------------------------------------------


def test_python_hears_where_the_reader_rests(screen: Screen) -> None:
    screen.notebook.python("heard.clear()")
    assert screen.press("Control+ArrowRight", "ArrowRight") == (101, "expand")
    eventually(lambda: screen.notebook.python("(player.iteration, player.phase)"), (101, "expand"))
    heard = screen.notebook.python("heard")
    assert heard[-2:] == [("iteration", 101), ("phase", "expand")] or sorted(heard) == sorted(
        [("iteration", 101), ("phase", "expand")]
    )


def test_python_moves_the_page(screen: Screen) -> None:
    screen.notebook.python("setattr(player, 'iteration', 7)")
    eventually(screen.place, (7, "select"))
    screen.notebook.python("setattr(player, 'phase', 'simulate')")
    eventually(screen.place, (7, "simulate"))
    check_picture(screen, film(), 7, "simulate")


def test_python_has_the_last_word_against_a_move_that_still_rests(screen: Screen) -> None:
    """The page has not told its move yet when Python sets another: it must not tell it later."""
    screen.press("Control+ArrowRight")
    screen.notebook.python("setattr(player, 'iteration', 50)")
    eventually(screen.place, (50, "select"))
    screen.page.wait_for_timeout(500)  # more than the pause that means rest
    assert screen.place() == (50, "select")
    eventually(lambda: screen.notebook.python("player.iteration"), 50)


def test_python_has_the_last_word_against_a_move_that_is_on_its_way(screen: Screen) -> None:
    screen.notebook.python("cross()")
    screen.root.evaluate(  # both in one go, so that the page rests after the second only
        """player => {
            for (const ctrlKey of [true, false])
                player.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", ctrlKey }));
        }"""
    )
    assert screen.place() in ((101, "expand"), (50, "select"))
    eventually(screen.place, (50, "select"))
    assert screen.notebook.python("(player.iteration, player.phase)") == (50, "select")


def shown_by_slider(notebook: Notebook) -> int:
    return int(notebook.output(3).locator(".widget-readout").inner_text())


def test_a_linked_slider_goes_along_on_the_page_alone(notebook: Notebook) -> None:
    twin = screen_of(notebook, 2)
    eventually(lambda: notebook.python("(twin.iteration, twin.error)"), (1, ""))
    twin.go(100, "select")
    eventually(lambda: notebook.python("twin.iteration"), 100)
    notebook.page.evaluate(
        """() => {
            const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            kernel.requestExecute({ code: "input('wait')", allow_stdin: true });
            return new Promise(done => kernel.iopubMessage.connect((_, message) =>
                message.content.execution_state === "busy" && done()));
        }"""
    )  # a kernel that waits for its reader hears of nothing else
    twin.root.focus()
    twin.press("Control+ArrowRight")
    eventually(lambda: shown_by_slider(notebook), 101)
    for told, taken in [(33, 33), (450, 200), (0, 1), (20, 20)]:
        set_slider(notebook, told)
        eventually(twin.place, (taken, "select"))
    notebook.page.evaluate(
        """() => jupyterapp.shell.currentWidget.sessionContext.session.kernel
            .sendInputReply({ status: "ok", value: "" }, {})"""
    )
    eventually(lambda: notebook.python("(twin.iteration, twin.error)"), (20, ""))


def set_slider(notebook: Notebook, value: int) -> None:
    """Type a number into the slider's read-out, as a reader does."""
    readout = notebook.output(3).locator(".widget-readout")
    readout.click()
    readout.fill(str(value))
    readout.press("Enter")


def test_two_players_do_not_disturb_each_other(screen: Screen) -> None:
    twin = screen_of(screen.notebook, 2)
    twin.go(30, "expand")
    check_picture(twin, film(12), 30, "expand")
    screen.root.focus()
    screen.press("ArrowRight", "ArrowRight")
    assert (screen.place(), twin.place()) == ((100, "simulate"), (30, "expand"))
    twin.root.focus()
    twin.press("End")
    assert (screen.place(), twin.place()) == ((100, "simulate"), (200, "backpropagate"))
    check_picture(screen, film(), 100, "simulate")
    check_picture(twin, film(12), 200, "backpropagate")


# The kernel is left alone --------------------------------------------------------------------


def be_quiet(screen: Screen) -> None:
    """Wait until nothing is on its way to the kernel or from it."""
    told = -1
    while told != (now := screen.notebook.kernel_messages()):
        told = now
        screen.page.wait_for_timeout(800)
        screen.notebook.wait_for_kernel()


def unhurried(screen: Screen, scrub: Callable[[], None]) -> int:
    """Kernel messages while scrubbing, from a run in which the machine did not pause by itself."""
    for _ in range(50):
        be_quiet(screen)
        screen.page.evaluate(
            """() => {
                window.moves = [performance.now()];
                window.note = () => moves.push(performance.now());
                for (const name of ["keydown", "input"]) addEventListener(name, note, true);
            }"""
        )
        before = screen.notebook.kernel_messages()
        scrub()
        after = screen.notebook.kernel_messages()
        pause = screen.page.evaluate(
            """() => {
                for (const name of ["keydown", "input"]) removeEventListener(name, note, true);
                moves.push(performance.now());
                return Math.max(...moves.slice(1).map((t, i) => i ? t - moves[i] : 0));
            }"""
        )
        if pause < MOST_PAUSE:
            return after - before
    raise AssertionError("The machine paused in every run.")


def test_fifty_key_presses_send_nothing(screen: Screen) -> None:
    def scrub() -> None:
        for _ in range(25):
            screen.press("ArrowRight")
        for _ in range(25):
            screen.press("Control+ArrowRight")

    assert unhurried(screen, scrub) == 0
    place = screen.place()
    assert place != (100, "select")
    eventually(lambda: screen.notebook.python("(player.iteration, player.phase)"), place)


def test_a_drag_sends_nothing(screen: Screen) -> None:
    box = screen.root.locator("input[type=range]").bounding_box()
    y, mouse = box["y"] + box["height"] / 2, screen.page.mouse

    def scrub() -> None:
        mouse.move(box["x"] + box["width"] / 2, y)
        mouse.down()
        for step in range(60):
            mouse.move(box["x"] + box["width"] * (0.5 + 0.006 * step), y)
        mouse.up()

    assert unhurried(screen, scrub) == 0
    assert screen.place()[0] > 150


# Trouble ---------------------------------------------------------------------------------------


def test_what_python_says_is_shown_and_stays_while_scrubbing(screen: Screen) -> None:
    alert = screen.root.locator("> .alert")
    assert not alert.is_visible()
    rests = screen.press("ArrowRight")
    # Nothing of it is still on its way: what the page tells takes an error off the screen.
    eventually(lambda: screen.notebook.python("(player.iteration, player.phase)"), rests)
    screen.notebook.python("setattr(player, 'error', 'Something <b>went</b> wrong.')")
    alert.filter(has_text="Something <b>went</b> wrong.").wait_for()
    # In one go: when the reader rests, Python hears of it, and has nothing more to say.
    hidden = screen.root.evaluate(
        """player => {
            player.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
            return player.querySelector(":scope > .alert").hidden;
        }"""
    )
    assert not hidden
    screen.notebook.python("setattr(player, 'error', '')")
    eventually(alert.is_visible, False)


def test_an_error_in_an_observer_is_shown(lab: JupyterLab) -> None:
    cells = [
        CELLS[0],
        """
player = Player(trace)
def complain(change):
    1 / (change.new - 5)
player.observe(complain, "iteration")
player
""",
    ]
    with lab.open(cells, viewport=VIEWPORT) as notebook:
        notebook.run_all()
        screen = screen_of(notebook, 1)
        screen.go(5, "select")
        screen.root.locator("> .alert").filter(has_text="ZeroDivisionError").wait_for()
        screen.go(6, "select")
        eventually(screen.root.locator("> .alert").is_visible, False)


def test_facts_that_are_none_are_told_in_the_widget(lab: JupyterLab) -> None:
    cells = [
        CELLS[0],
        "empty = Player(trace)\nempty.facts = {}\nempty",
        "cut = Player(trace)\ncut.columns = cut.columns[:100]\ncut",
        "torn = Player(trace)\ntorn.facts = {**torn.facts, 'outcomes': []}\ntorn",
        "late = Player(trace, iteration=3)\nlate.error = 'Said before it was shown.'\nlate",
    ]
    with lab.open(cells, viewport={"width": 1400, "height": 4000}) as notebook:
        notebook.run_all()
        for cell in (1, 2):
            alert = notebook.output(cell).get_by_role("alert")
            alert.filter(has_text="The film cannot be shown in this browser").wait_for()
        torn = notebook.output(3).locator(".mcts-player > .alert")
        torn.filter(has_text="The player could not show this moment").wait_for()
        late = notebook.output(4).locator(".mcts-player > .alert")
        late.filter(has_text="Said before it was shown.").wait_for()
        assert notebook.errors == []


# Accessibility and looks ---------------------------------------------------------------------


@pytest.mark.parametrize("theme", [DARK, HIGH_CONTRAST, LIGHT])
def test_axe_finds_nothing_in_any_phase(screen: Screen, theme: str) -> None:
    screen.notebook.set_theme(theme)
    for phase in PHASES:
        screen.go(moment_with_strip()[0], phase)
        assert screen.notebook.axe(".mcts-player") == []


def test_everything_is_reached_by_tab_and_shows_its_focus(screen: Screen) -> None:
    screen.go(moment_with_strip()[0], "simulate")
    wanted = screen.root.evaluate(
        """root => {
            window.reached = [];
            const all = root.querySelectorAll("button, input, select, [role=button], pre");
            const shown = [...all].filter(element => element.getClientRects().length);
            shown.forEach((element, number) => element.dataset.stop = number);
            root.focus();
            return shown.length;
        }"""
    )
    cards = len(film().frame(moment_with_strip()[0], "simulate").cards)
    assert wanted > cards + 14
    reached, unmarked = [], []
    for _ in range(wanted):
        screen.press("Tab")
        stop, outline = screen.root.evaluate(
            """root => {
                const held = document.activeElement;
                const style = getComputedStyle(held);
                return [Number(held.dataset.stop ?? -1),
                    style.outlineStyle === "solid" ? parseFloat(style.outlineWidth) : 0];
            }"""
        )
        reached.append(stop)
        if outline < 2:
            unmarked.append(stop)
    assert sorted(reached) == list(range(wanted))
    assert unmarked == []


def test_a_focused_card_looks_different(screen: Screen) -> None:
    card = screen.cards().nth(3)
    box = card.bounding_box()
    clip = {k: box[k] + d for k, d in {"x": -6, "y": -6, "width": 12, "height": 12}.items()}
    before = screen.page.screenshot(clip=clip)
    screen.cards().nth(2).focus()
    screen.press("Tab")
    seen = screen.root.evaluate("() => Number(document.activeElement.dataset.node)")
    assert seen == int(card.get_attribute("data-node"))
    assert screen.page.screenshot(clip=clip) != before


def test_every_control_says_what_it_is(screen: Screen) -> None:
    unnamed = screen.root.evaluate(
        """root => [...root.querySelectorAll("button, input, [role=button]")]
            .filter(element => element.getClientRects().length)
            .filter(e => !(e.getAttribute("aria-label") || e.textContent).trim())
            .map(element => element.outerHTML)"""
    )
    assert unnamed == []
    label = screen.root.locator('.card[data-node="0"]').get_attribute("aria-label")
    root = film().frame(100, "select").cards[0]
    assert label == f"root: {short(root.wins)}/{root.visits} root, on the path"
    value = screen.root.locator("input[type=range]").get_attribute("aria-valuetext")
    assert value == "iteration 100, select"


@pytest.mark.parametrize("wish", ["reduce", "no-preference"])
def test_nothing_moves_by_itself(lab: JupyterLab, wish: Any) -> None:
    """A reader who asks for reduced motion has nothing to be spared."""
    with lab.open(CELLS[:2], viewport=VIEWPORT, reduced_motion=wish) as notebook:
        notebook.run_all()
        screen = screen_of(notebook, 1)
        moving = screen.root.evaluate(
            """root => [root, ...root.querySelectorAll("*")].filter(element => {
                const { transitionDuration, animationName } = getComputedStyle(element);
                return parseFloat(transitionDuration) > 0 || animationName !== "none";
            }).length"""
        )
        assert moving == 0
        assert screen.place() == (1, "select")
        screen.page.wait_for_timeout(1000)
        assert screen.place() == (1, "select")


GAMES = """
from mcts_viz import ConnectFour, GameTree, MCTS, Nim, Player
four = MCTS(ConnectFour(), seed=4).record(iterations=500)
Player(four, 400, 'simulate')
"""


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_nothing_sticks_out_of_a_narrow_page(lab: JupyterLab, theme: str) -> None:
    cells = [*CELLS[:2], GAMES, "Player(MCTS(Nim((20, 3)), seed=1).record(iterations=90), 80)"]
    viewport = {"width": 700, "height": 4000}
    with lab.open(cells, theme=theme, viewport=viewport) as notebook:
        notebook.run_all()
        for cell in (1, 2, 3):
            screen = screen_of(notebook, cell)
            for phase in PHASES:
                screen.root.locator(f".phases .{phase}").click()
                assert sticking_out(screen) == []
            assert notebook.axe(".mcts-player") == []


@pytest.mark.parametrize("width", [700, 1400])
def test_hostile_texts_do_no_harm(lab: JupyterLab, width: int) -> None:
    folder = str(Path(__file__).parents[1])
    cells = [
        f"import sys\nsys.path.insert(0, {folder!r})\n"
        "from films import hostile_film\nfrom mcts_viz import Player\nPlayer(hostile_film(), 200)"
    ]
    with lab.open(cells, viewport={"width": width, "height": 3000}) as notebook:
        dialogs = []
        notebook.page.on("dialog", lambda dialog: (dialogs.append(dialog), dialog.dismiss()))
        notebook.run_all()
        screen = screen_of(notebook, 0)
        for phase in PHASES:
            screen.go(211, phase)
            assert sticking_out(screen) == []
            words = screen.root.locator(".words").inner_text()
            assert words.split() == caption(hostile_film().reel, 211, phase).split()
        tags = screen.root.evaluate(
            """root => [...new Set([...root.querySelectorAll("*")]
                .map(element => element.tagName.toLowerCase()))]"""
        )
        assert {"script", "b", "style", "a"}.isdisjoint(tags)
        assert dialogs == []
        assert notebook.axe(".mcts-player") == []
        assert notebook.errors == []


def test_nothing_sticks_out_of_a_wide_page(screen: Screen) -> None:
    for phase in PHASES:
        screen.go(180, phase)
        assert sticking_out(screen) == []


def sticking_out(screen: Screen) -> list[str]:
    """Elements beyond the player's right edge, or with text cut off and no title to tell it."""
    found: list[str] = screen.root.evaluate(
        """root => {
            const right = root.getBoundingClientRect().right + 1;
            const isCut = element => element.scrollWidth > element.clientWidth + 1
                && element.clientWidth > 0 && getComputedStyle(element).overflowX !== "visible";
            const wrong = element => element.getBoundingClientRect().right > right
                || (isCut(element) && !element.title && !element.matches(".bars span"));
            return [root, ...root.querySelectorAll("*:not(svg *)")]
                .filter(element => element.getClientRects().length).filter(wrong)
                .map(element => element.outerHTML.slice(0, 120));
        }"""
    )
    return found


def test_a_long_film_of_a_large_board_is_shown(lab: JupyterLab) -> None:
    with lab.open([GAMES], viewport=VIEWPORT) as notebook:
        notebook.run_all()
        screen = screen_of(notebook, 0)
        four = Film(MCTS(ConnectFour(), seed=4).record(iterations=500))
        for iteration, phase in [(400, "simulate"), (500, "backpropagate"), (3, "expand")]:
            screen.go(iteration, phase)
            check_picture(screen, four, iteration, phase)
