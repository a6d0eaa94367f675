"""A reader who clicks everything: at the end nothing has broken, and page and kernel agree."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial

import pytest

from .lab import JupyterLab, Notebook, eventually

CELLS = [
    "from mcts_course import Play\nfrom mcts_viz import *\n"
    "trace = MCTS(TicTacToe(), seed=4).record(iterations=150)\n"
    "player = Player(trace)\nplayer",
    "film = Film(record_minimax(alpha_beta, Nim((1, 2))), 20)\nwalk = Player(film)\nwalk",
    "pair = Compare(trace, MCTS(TicTacToe(), c=0.3, seed=4).record(iterations=90), cards=10)\npair",
    "play = Play(TicTacToe(), MCTSAgent(TicTacToe(), 60, seed=1))\nplay",
]
KEYS = [
    *("ArrowRight", "ArrowLeft", "Shift+ArrowRight", "Control+ArrowLeft", "Home", "End", "Escape"),
    *("t", "p", "b", "f", "+", "-", "0", "Tab", "Shift+Tab", "Enter", " ", "x", "7"),
    *("ArrowUp", "ArrowDown", "PageUp", "PageDown", "Backspace", "Delete"),
]
ACTIONS = 500
PAUSE = """() => [...document.querySelectorAll(".transport button")]
    .filter(button => button.textContent.endsWith("Pause")).forEach(button => button.click())"""


@pytest.fixture
def notebook(lab: JupyterLab) -> Iterator[Notebook]:
    with lab.open(CELLS, viewport={"width": 1200, "height": 8000}) as notebook:
        notebook.run_all()
        notebook.page.locator(".mcts-player[data-iteration]").nth(3).wait_for()
        notebook.page.locator(".mcts-play").wait_for()
        yield notebook


CLICKED = "button, .card, .stub, .cell, .choices input"
INSIDE = (
    ".mcts-player, .mcts-play, .mcts-compare"  # elsewhere keys are JupyterLab's, and delete cells
)


def act(notebook: Notebook, lot: random.Random) -> str:
    """One click, key or move of a slider in one of the widgets, picked at random."""
    page, widget = notebook.page, notebook.output(lot.randrange(len(CELLS)))
    kind = lot.choice(["click", "click", "press", "press", "slide"])
    wanted = CLICKED if kind == "click" else "button, .track input"
    found = widget.locator(f":is({wanted}):visible")
    count = found.count()  # what is found may go while Play thinks
    one = found.nth(lot.randrange(count)) if count else widget
    if kind == "click":
        one.evaluate_all("([it]) => it?.dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    elif kind == "press":
        one.evaluate_all("([it]) => it?.focus()")
        if page.evaluate(f"() => !!document.activeElement?.closest('{INSIDE}')"):
            page.keyboard.press(lot.choice(KEYS))
    else:
        for slider in widget.locator(".track input:visible").all()[:1]:
            slider.fill(str(lot.randint(1, int(slider.get_attribute("max") or 1))))
    return kind


def difference(notebook: Notebook, cell: int, name: str) -> list[object]:
    """The moments of a cell's (first) player and of its kernel, if these are two."""
    shown = notebook.output(cell).locator(".mcts-player[data-iteration]").first
    here = shown.evaluate("root => [Number(root.dataset.iteration), root.dataset.phase]")
    known = notebook.python(f"[{name}.iteration, {name}.phase]")
    return [] if here == known else [here, known]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_clicked_nothing_breaks(notebook: Notebook, seed: int) -> None:
    lot = random.Random(seed)
    alerts = notebook.page.locator(".alert")
    for _ in range(ACTIONS):
        done = act(notebook, lot)
        assert notebook.errors == [], done
        assert notebook.state()[-1] == len(CELLS), done
        assert "could not" not in "".join(alerts.all_text_contents()), done
    notebook.page.evaluate(PAUSE)
    notebook.wait_for_kernel()
    for cell, name in ((0, "player"), (1, "walk"), (2, "pair")):
        notebook.scroll_to(cell)
        eventually(partial(difference, notebook, cell, name), [])
    eventually(lambda: bool(notebook.python("play.thinking")), False)
    notebook.scroll_to(len(CELLS) - 1)
    board = notebook.page.locator(".mcts-play").first
    eventually(
        lambda: board.get_attribute("data-version"),
        str(notebook.python("play.position['version']")),
    )
    # A click that cannot be meant is refused by the page alone, with a sentence it was given.
    scene = notebook.python("{name: play.position[name] for name in ('said', 'why', 'closed')}")
    said = board.locator(".said").text_content()
    assert said in {scene["said"], scene["closed"], *(scene["why"] or ())}
    for alert in notebook.page.locator(".mcts-player > .alert:visible").all():
        assert not alert.text_content()
