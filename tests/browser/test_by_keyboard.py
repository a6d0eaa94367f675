"""By keyboard alone: all that lesson 05 asks of a reader under "Watch", in JupyterLab."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from .lab import JupyterLab

CELLS = [
    """from mcts_viz import MCTS, Player, TicTacToe
game = TicTacToe()
position = game.parse("OX. ..O ..X")
search = MCTS(game, seed=9)""",
    """trace = search.record(position, iterations=200)
Player(trace, iteration=12, phase="select")""",
    "6 * 7",
]
INSIDE = "() => document.activeElement.closest('.mcts-player') !== null"


def presses_until(page: Page, key: str, reached: str) -> int:
    """How often the key is pressed until a place is reached."""
    for count in range(1, 30):
        page.keyboard.press(key)
        if page.evaluate(reached):
            return count
    raise AssertionError(f"{key} does not lead there.")


def place(player: Locator) -> tuple[Any, Any]:
    return player.get_attribute("data-iteration"), player.get_attribute("data-phase")


def test_the_watch_section_of_lesson_05_by_keyboard_alone(lab: JupyterLab) -> None:
    with lab.open(CELLS, viewport={"width": 1366, "height": 768}) as notebook:
        page = notebook.page
        notebook.run_all()
        page.evaluate("() => { jupyterapp.shell.currentWidget.content.activeCellIndex = 1; }")
        page.evaluate("() => jupyterapp.commands.execute('notebook:enter-command-mode')")
        page.keyboard.press("Shift+Enter")
        notebook.wait_for_kernel()
        player = notebook.output(1).locator(".mcts-player[data-iteration]")
        expect(player).to_have_count(1)
        # The next cell is selected, and the player says that the keys are not its own yet.
        assert not page.evaluate(INSIDE)
        expect(player.get_by_text("Click here to use the keys")).to_be_visible()
        page.keyboard.press("ArrowUp")
        presses_until(page, "Tab", INSIDE)
        expect(player.get_by_text("Space plays")).to_be_visible()

        # 1 to 3: one iteration.
        assert place(player) == ("12", "select")
        top = player.locator(".why tbody tr.chosen")
        assert top.locator(".move").inner_text() == "2"
        expect(top.locator(".share")).to_have_text("0/1")  # exploration alone makes it win
        page.keyboard.press("ArrowRight")
        expect(player.locator(".walk .card.new")).to_be_visible()
        page.keyboard.press("ArrowRight")
        assert player.locator(".shot:visible").count() > 0
        page.keyboard.press("ArrowRight")
        assert place(player) == ("12", "backpropagate")
        expect(player.locator(".words")).to_contain_text("O wins")
        expect(top.locator(".share")).to_have_text("0/2")  # X moved there
        expect(player.locator(".walk .card.new .share")).to_have_text("1/1")

        # 4: a phase of every iteration, and the end.
        page.keyboard.press("Control+ArrowRight")
        assert place(player) == ("13", "backpropagate")
        page.keyboard.press("End")
        assert place(player) == ("200", "backpropagate")
        shares = player.locator(".why .share div:first-child").all_inner_texts()
        visits = [int(share.split("/")[1]) for share in shares]
        moves = player.locator(".why .move").all_inner_texts()
        assert moves[visits.index(max(visits))] == "7"

        # 5: five predictions, from iteration 20 on.
        page.keyboard.press("p")
        page.keyboard.press("Home")
        for _ in range(19):
            page.keyboard.press("Control+ArrowRight")
        assert place(player)[0] == "20"
        right = 0
        for _ in range(60):
            page.keyboard.press("ArrowRight")
            asking = player.get_attribute("data-asking")
            if asking != "select":
                if asking:
                    page.keyboard.press("ArrowRight")  # held back, and nothing is answered
                    show = "() => document.activeElement.classList.contains('show')"
                    presses_until(page, "Tab", show)
                    page.keyboard.press("Enter")
                continue
            deeper = place(player)[1] == "select"  # of the walk that is on the screen
            iteration = int(place(player)[0]) + (not deeper)
            step = int(player.get_attribute("data-level") or 0) + 2 if deeper else 1
            move = notebook.python(f"trace.label(trace.at({iteration}, 'select').path[{step}])")
            presses_until(page, "Tab", f"() => document.activeElement.innerText === '{move}'")
            page.keyboard.press("Enter")
            expect(player.locator(".verdict")).to_have_text("✓")
            assert page.evaluate(INSIDE), "the focus goes back into the player"
            right += 1
            if right == 5:
                break
        expect(player.locator(".predict .score")).to_have_text("5 of 5 predicted")
        page.keyboard.press("Escape")
        assert page.evaluate(INSIDE)
        assert notebook.cells() == len(CELLS), "no key has reached the notebook"
        assert notebook.errors == []
