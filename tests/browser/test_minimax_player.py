"""Minimax and alpha-beta in the player: look-ups like Python's, and the keys in JupyterLab."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from test_minimax_film import walks

from mcts_viz import Film
from mcts_viz.search import EVENTS

from .bare import bare_page, payload
from .lab import DARK, LIGHT, JupyterLab, Notebook

CELL = """
from mcts_viz import Player, TicTacToe, alpha_beta
from mcts_viz.trace import record_minimax
game = TicTacToe()
player = Player(record_minimax(alpha_beta, game, game.parse("XO. .X. ...")), cards=30)
player
"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with bare_page(browser) as page:
        yield page


@pytest.mark.parametrize("number", range(8))
def test_frames_are_those_of_python(page: Page, number: int) -> None:
    film, draw = walks()[number], random.Random(number)
    steps = sorted({1, len(film.trace), *draw.choices(range(1, len(film.trace) + 1), k=60)})
    frames = page.evaluate(
        """async ([payload, steps]) => {
            await open_(payload);
            return steps.map(step => {
                const frame = film.frame(step);
                const seen = card => {
                    const { share, score, level } = film.look(card, frame);
                    return [card.node, share, score, level, card.onPath, card.added];
                };
                return {
                    phase: film.facts.phases[frame.phase], caption: film.caption(step),
                    path: frame.path, strip: frame.strip,
                    cards: frame.cards.filter(card => card.shown).map(seen),
                    slots: frame.slots.map(seen),
                    stubs: frame.stubs.filter(s => s.count).map(s => [s.card, s.text, s.onPath]),
                };
            });
        }""",
        [payload(film), steps],
    )
    for step, frame in zip(steps, frames, strict=True):
        wanted, reel = film.frame(step), film.reel
        assert frame["phase"] == wanted.phase
        assert frame["caption"] == film.caption(step)
        assert frame["path"] == list(wanted.path)
        assert frame["strip"] == list(wanted.strip)
        assert frame["stubs"] == [[s.card, s.text, s.on_path] for s in wanted.stubs]
        for cards, named in ((wanted.cards, "cards"), (wanted.slots, "slots")):
            assert frame[named] == [
                [c.node, *reel.texts(c), pytest.approx(reel.level(c)), c.on_path, c.new]
                for c in cards
            ]


@pytest.fixture(scope="module")
def notebook(lab: JupyterLab) -> Iterator[Notebook]:
    with lab.open([CELL], viewport={"width": 1300, "height": 1200}) as notebook:
        notebook.run_all()
        notebook.page.locator(".mcts-player[data-iteration]").wait_for()
        yield notebook


def place(notebook: Notebook) -> tuple[int, str]:
    root = notebook.page.locator(".mcts-player")
    return int(root.get_attribute("data-iteration")), root.get_attribute("data-phase")


def events(film: Film) -> list[str]:
    return [EVENTS[event] for event in film.trace.event]


def test_keys_and_buttons_go_through_the_walk(notebook: Notebook) -> None:
    count = notebook.python("len(player.film.trace)")
    told = notebook.python("player.film.trace.event.tolist()")
    slider = notebook.page.locator(".mcts-player input[type=range]")
    slider.focus()
    keyboard = notebook.page.keyboard
    keyboard.press("Home")
    assert place(notebook) == (1, "enter")
    for step in range(2, 12):
        keyboard.press("ArrowRight")
        assert place(notebook) == (step, EVENTS[told[step - 1]])
    first_cut = told.index(EVENTS.index("cut_off")) + 1
    keyboard.press("Home")
    notebook.page.get_by_role("button", name="Cut off").click()
    assert place(notebook) == (first_cut, "cut_off")
    expect(notebook.page.locator(".words")).to_contain_text("cutoff")
    slider.focus()
    keyboard.press("Shift+ArrowRight")
    second_cut = told.index(EVENTS.index("cut_off"), first_cut) + 1
    assert place(notebook) == (second_cut, "cut_off")
    keyboard.press("Shift+ArrowLeft")
    assert place(notebook) == (first_cut, "cut_off")
    keyboard.press("End")
    assert place(notebook) == (count, "back_up")
    root = notebook.page.locator('.card[data-node="0"]')
    expect(root.locator(".share")).to_have_text("MIN 1")
    assert notebook.errors == []


def test_python_moves_it_and_hears_where_it_rests(notebook: Notebook) -> None:
    notebook.python("setattr(player, 'iteration', 9)")
    notebook.page.wait_for_function(
        "() => document.querySelector('.mcts-player').dataset.iteration === '9'"
    )
    notebook.page.locator(".mcts-player input[type=range]").focus()
    notebook.page.keyboard.press("ArrowRight")
    notebook.page.wait_for_timeout(500)
    notebook.wait_for_kernel()
    step, phase = notebook.python("(player.iteration, player.phase)")
    assert (step, phase) == place(notebook)
    assert step == 10


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_axe_finds_nothing(notebook: Notebook, theme: str) -> None:
    notebook.set_theme(theme)
    assert notebook.axe(".mcts-player") == []
