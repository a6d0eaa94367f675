"""Nothing is left over by a cell that runs again, and a page survives a restart of its kernel."""

from __future__ import annotations

import nbformat
import pytest
from playwright.sync_api import CDPSession, Locator, expect

from .lab import JupyterLab, Notebook, close_notebook, eventually, open_notebook

CELLS = [
    """from mcts_course import Play, predict
from mcts_viz import *
Player(MCTS(TicTacToe(), seed=4).record(iterations=200), iteration=60, phase="select",
       tools=["whatif"])""",
    """game = ConnectFour()
Play(game, MCTS(game, seed=1), iterations=10_000_000)""",
    "guess = predict('Who wins?', choices=['X', 'O'])",
    "Compare(*(MCTS(TicTacToe(), c, seed=4).record(iterations=30) for c in (0.2, 2)))",
]
VIEWPORT = {"width": 1400, "height": 2000}
SENTENCE = "If it was restarted, run this cell again."
WIDGETS = "len(__import__('ipywidgets').widgets.widget._instances)"
OTHERS = [
    "from mcts_course import BeTheSearch\nBeTheSearch(TicTacToe())",
    "from mcts_course.lessons.perfect_play import leaves_to_skip\nleaves_to_skip()",
]
HELD = r"""function () {
    const isOurs = (node) => !node.isConnected && /\bmcts-/.test(node.getRootNode().outerHTML);
    const isPrototype = (node) => Object.hasOwn(node, "constructor");
    return this.filter((node) => !isPrototype(node) && isOurs(node)).length;
}"""


def held(session: CDPSession) -> int:
    """The number of nodes of our elements that the browser keeps though they have left the page."""
    session.send("HeapProfiler.collectGarbage")
    node = session.send("Runtime.evaluate", {"expression": "Node.prototype"})["result"]
    asked = {"prototypeObjectId": node["objectId"], "objectGroup": "nodes"}
    found = session.send("Runtime.queryObjects", asked)["objects"]["objectId"]
    ask = {"objectId": found, "functionDeclaration": HELD, "returnByValue": True}
    number = int(session.send("Runtime.callFunctionOn", ask)["result"]["value"])
    session.send("Runtime.releaseObjectGroup", {"objectGroup": "nodes"})
    return number


def settled(session: CDPSession) -> int:
    """The number held once it stays the same: the page may still be busy with the cells."""
    numbers = [held(session)]

    def stays() -> bool:
        numbers.append(held(session))
        return numbers[-1] == numbers[-2]

    eventually(stays, True)
    return numbers[-1]


@pytest.mark.slow
def test_no_element_of_ours_outlives_its_cell(lab: JupyterLab) -> None:
    """On a page without JupyterLab, test_widgets_js.py asks the same each time.

    JupyterLab keeps two empty elements of every widget, of two widgets now and then later.

    So what counts is the growth over some runs: what outlives its cell grows by one in each.
    """
    runs = 6
    with lab.open([*CELLS, *OTHERS]) as notebook:
        session = notebook.page.context.new_cdp_session(notebook.page)
        notebook.run_all()
        notebook.run_all()
        before = settled(session)
        for _ in range(runs):
            notebook.run_all()
        eventually(lambda: held(session) - before < runs, True)


def check_widgets(notebook: Notebook) -> None:
    for widget in (".mcts-player[data-iteration]", ".mcts-play[data-version]"):
        expect(notebook.page.locator(widget)).to_have_count(1)


@pytest.mark.slow
def test_cells_that_run_again_leave_nothing_behind(lab: JupyterLab) -> None:
    """Of a player and a board, 1,000 elements each: page and kernel forget what they showed."""
    with lab.open(CELLS[:2], viewport=VIEWPORT) as notebook:
        notebook.run_all()
        check_widgets(notebook)  # Playwright's own script is in the page from then on
        session = notebook.page.context.new_cdp_session(notebook.page)

        def nodes() -> int:
            session.send("HeapProfiler.collectGarbage")
            return int(session.send("Memory.getDOMCounters")["nodes"])

        def heap() -> float:
            """Megabytes."""
            return float(session.send("Runtime.getHeapUsage")["usedSize"]) / 1e6

        runs = 12
        for _ in range(4):
            notebook.run_all()
        before, size, widgets = nodes(), heap(), notebook.python(WIDGETS)
        for _ in range(runs):
            notebook.run_all()
        check_widgets(notebook)
        notebook.settle()
        assert nodes() - before < 500 * runs
        assert heap() - size < 0.15 * runs
        assert notebook.python(WIDGETS) == widgets


def restart(notebook: Notebook) -> None:
    notebook.page.evaluate(
        "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
    )


def is_readable(notebook: Notebook, player: Locator) -> bool:
    """True if keys move the film, and its words change too."""
    words, seen = player.locator(".words"), []
    player.focus()
    for _ in range(4):
        notebook.page.keyboard.press("ArrowRight")
        seen.append((player.get_attribute("data-phase"), words.inner_text()))
    return len(set(seen)) == 4 and player.locator(".card.on-path").count() > 0


def test_a_restart_while_an_opponent_thinks_and_a_guess_is_noted(notebook: Notebook) -> None:
    """The page says what is saved: nothing, until the cell has been run again."""
    output, status = notebook.output(2), notebook.output(2).locator(".status")
    output.get_by_label("X", exact=True).check()
    expect(status).to_contain_text("Noted")
    board = notebook.page.locator(".mcts-play")
    board.locator(".cell").nth(3).click()
    expect(board.get_by_role("progressbar", name="Thinking")).to_be_visible()
    eventually(lambda: board.locator("progress").evaluate("p => p.value > 0"), True)
    restart(notebook)
    expect(board.get_by_role("alert")).to_contain_text(SENTENCE)
    assert is_readable(notebook, notebook.page.locator(".mcts-player").first)
    output.get_by_label("O", exact=True).check()
    expect(status).to_contain_text("Not saved: run this cell again.")
    notebook.run_all()
    expect(output.get_by_label("X", exact=True)).to_be_checked()
    expect(status).to_contain_text("Noted")
    output.get_by_label("O", exact=True).check()
    expect(status).to_contain_text("Noted")
    eventually(lambda: notebook.python("guess.value"), "O")


def test_without_its_kernel_a_notebook_shows_pictures(lab: JupyterLab, notebook: Notebook) -> None:
    page = notebook.page
    gone, pictures = (
        page.locator(f"{name}:visible") for name in (".mcts-gone", ".jp-OutputArea-output img")
    )
    expect(page.locator(".mcts-predict")).to_be_visible()
    expect(gone).to_have_count(0)
    path = page.evaluate("() => jupyterapp.shell.currentWidget.context.path")
    page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    close_notebook(page)
    open_notebook(page, path)
    expect(pictures).to_have_count(3)
    expect(gone).to_have_count(4)
    expect(page.get_by_text("model not found").locator("visible=true")).to_have_count(0)
    # As a notebook that was sent by mail: no output of it is trusted.
    saved = nbformat.read(lab.folder / path, as_version=4)
    saved.cells[0].source += "  # changed"
    nbformat.write(saved, lab.folder / path)
    close_notebook(page)
    open_notebook(page, path)
    expect(pictures).to_have_count(3)
    notebook.errors.clear()  # JupyterLab tells the console of each missing widget
