"""A million iterations in JupyterLab: what the page hears, whether it stays awake, and Stop.

    python -m pip install -r tests/requirements.txt
    python benchmarks/size.py

Each game is recorded in a cell while the page counts the kernel's messages and its own frames;
then again, interrupted in the middle as by the notebook's Stop. Last the player shows the film
of what was stopped, with as many cards as it draws.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser.lab import CHROMIUM_FLAGS, JupyterLab, Notebook, find_chromium, serve

GAMES = ("TicTacToe()", "ConnectFour()")
SETUP = "from mcts_viz import *"
RECORD = """trace = MCTS({game}, seed=1).record(iterations={iterations})
trace.iterations"""
SHOW = "Player(trace, cards=300)"
MEMORY = "__import__('resource').getrusage(0).ru_maxrss"

WATCH = """
() => {
    const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    const seen = window.seen = {};
    kernel.anyMessage.connect((_, { direction }) => { seen.messages += direction === "recv"; });
    const frame = now => {
        seen.longest = Math.max(seen.longest, now - seen.last);
        seen.last = now;
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
}
"""
RUN = """
cell => {
    jupyterapp.shell.currentWidget.content.activeCellIndex = cell;
    Object.assign(window.seen, { messages: 0, longest: 0, last: performance.now() });
    window.begun = performance.now();
    window.ended = null;
    const ended = () => { window.ended = performance.now(); };
    jupyterapp.commands.execute("notebook:run-cell").then(ended);
}
"""
STOP = """
async () => {
    window.asked = performance.now();
    await jupyterapp.shell.currentWidget.sessionContext.session.kernel.interrupt();
}
"""


def run(notebook: Notebook, cell: int, stop_after: float | None = None) -> dict[str, float]:
    """Run a cell, and interrupt it after so many seconds; answers what the page has noted."""
    page = notebook.page
    page.evaluate(RUN, cell)
    if stop_after is not None:
        page.wait_for_timeout(1000 * stop_after)
        page.evaluate(STOP)
    page.wait_for_function("() => window.ended !== null", timeout=600_000)
    seen: dict[str, float] = page.evaluate(
        """() => ({ seconds: (window.ended - window.begun) / 1000, messages: window.seen.messages,
            longest: window.seen.longest,
            stop: (window.ended - (window.asked ?? window.ended)) / 1000 })"""
    )
    return seen


class Figures(NamedTuple):
    """The figures of one game."""

    seconds: float
    """To record all iterations."""
    messages: float
    """A second, from the kernel to the page, while it records."""
    longest: float
    """Milliseconds without a frame of the page meanwhile."""
    reached: int
    """Iterations that a stopped recording kept."""
    stop: float
    """Seconds from Stop to the cell's end."""
    shown: float
    """Seconds until the player shows its first picture."""
    cards: int
    peak: float
    """Megabytes of the kernel at most."""


def measure(lab: JupyterLab, game: str, iterations: int) -> Figures:
    cells = [SETUP, RECORD.format(game=game, iterations=iterations), SHOW]
    with lab.open(cells, viewport={"width": 1400, "height": 1800}) as notebook:
        notebook.page.evaluate(WATCH)
        run(notebook, 0)
        whole = run(notebook, 1)
        stopped = run(notebook, 1, stop_after=whole["seconds"] / 2)
        reached = int(notebook.python("trace.iterations"))
        begun = perf_counter()
        run(notebook, 2)
        notebook.page.locator(".mcts-player[data-iteration]").wait_for(timeout=600_000)
        shown = perf_counter() - begun
        cards = notebook.page.locator(".mcts-player .card:not(.slot)").count()
        peak = int(notebook.python(MEMORY)) / 1000
        return Figures(
            whole["seconds"],
            whole["messages"] / whole["seconds"],
            whole["longest"],
            reached,
            stopped["stop"],
            shown,
            cards,
            peak,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--iterations", type=int, default=1_000_000)
    iterations = parser.parse_args().iterations
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        path = find_chromium(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        print(f"Python {platform.python_version()}, Chromium {browser.version}\n")
        print(
            f"| {iterations:,} iterations, recorded | seconds | messages a second | longest "
            "without a frame, ms | stopped at | Stop answers, s | player shown, s | cards | "
            "kernel's peak, MB |"
        )
        print("|---|---|---|---|---|---|---|---|---|", flush=True)
        with serve(browser, Path(folder)) as lab:
            for game in GAMES:
                seen = measure(lab, game, iterations)
                print(
                    f"| {game} | {seen.seconds:.1f} | {seen.messages:.1f} | {seen.longest:.0f} | "
                    f"{seen.reached:,} | {seen.stop:.2f} | {seen.shown:.1f} | {seen.cards} | "
                    f"{seen.peak:.0f} |",
                    flush=True,
                )
        browser.close()


if __name__ == "__main__":
    main()
