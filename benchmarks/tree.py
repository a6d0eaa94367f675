"""The time to draw the textbook's tree, and the pictures that a drag in JupyterLab shows.

    python -m pip install -r tests/requirements.txt
    python benchmarks/tree.py

First the CPU time of a picture, median of 80 moments in the phase that shows most: nodes and edges,
their SVG by ourselves, and the drawing by pygraphviz; and the sizes of what is made, at most. Then,
in a real browser, the pictures a second while the slider is dragged, and the kernel's memory.
"""

from __future__ import annotations

import platform
import sys
import tempfile
from collections.abc import Callable
from math import sin
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, sleep

from playwright.sync_api import sync_playwright

from mcts_viz import MCTS, ConnectFour, Film, TicTacToe
from mcts_viz.film.drawing import svg

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser.lab import CHROMIUM_FLAGS, Notebook, find_chromium, serve

FILMS = ((TicTacToe, 60), (TicTacToe, 2000), (TicTacToe, 15_000), (ConnectFour, 2000))
SETUP = """from mcts_viz import MCTS, TicTacToe, graphviz_slider
def tree(iterations):
    return graphviz_slider(MCTS(TicTacToe(), seed=4).record(iterations=iterations))
def megabytes():
    return int(open("/proc/self/statm").read().split()[1]) * 4096 // 10**6
def moved(tree, count):
    for place in range(count):
        tree.iteration = tree.values[place % len(tree.values)]
"""
WATCH = """svg => {
    const box = svg.parentElement.parentElement;
    window.seen = [];
    new MutationObserver(() => requestAnimationFrame(() => {
        const words = box.querySelector("svg[role=img]")?.getAttribute("aria-label");
        if (words && window.seen.at(-1)?.[0] !== words) {
            window.seen.push([words, performance.now()]);
        }
    })).observe(box, { childList: true, subtree: true });
}"""
SECONDS = 6.0


def milliseconds(act: Callable[[], object]) -> float:
    begun = process_time()
    act()
    return 1000 * (process_time() - begun)


def row(film: Film) -> str:
    """The times and sizes of a film's pictures."""
    some = film.iterations[len(film.iterations) // 2 :: max(1, len(film.iterations) // 160)]
    times: list[list[float]] = [[], [], []]
    sizes: list[list[int]] = [[], [], []]
    for k in some:
        times[0].append(milliseconds(lambda k=k: film.drawing(k, "simulate", caption=False)))
        drawing = film.drawing(k, "simulate", caption=False)
        times[1].append(milliseconds(lambda of=drawing: svg(of)))
        graph = film.graph(k, "simulate")
        times[2].append(milliseconds(lambda of=graph: of.svg))
        for column, text in zip(sizes, (svg(drawing), graph.source, graph.svg), strict=True):
            column.append(len(text) // 1000)
    said = [f"{median(column):.1f}" for column in times] + [f"{max(column)}" for column in sizes]
    return f"| {film.trace.game.name} | {film.last:,} | {' | '.join(said)} |"


def dragged(notebook: Notebook, cell: int) -> float:
    """The pictures a second while the slider of a cell is dragged to and fro."""
    notebook.scroll_to(cell)
    output, mouse = notebook.output(cell), notebook.page.mouse
    output.locator("svg[role=img]").evaluate(WATCH)
    at = output.locator(".noUi-handle").first.bounding_box()
    assert at
    mouse.move(at["x"] + 6, at["y"] + 6)
    mouse.down()
    begun, moves = perf_counter(), 0
    while perf_counter() - begun < SECONDS:
        moves += 1
        mouse.move(at["x"] + 6 + 120 * sin(moves / 40), at["y"] + 6)
        sleep(0.006)
    seen = notebook.page.evaluate("window.seen")
    mouse.up()
    return len(seen) / SECONDS


def main() -> None:
    print(f"Python {platform.python_version()}, ms of CPU and kB\n")
    print(
        "| game | iterations | nodes and edges | SVG | Graphviz | SVG, kB | DOT | Graphviz's SVG |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for game, iterations in FILMS:
        print(row(Film(MCTS(game(), seed=4).record(iterations=iterations))), flush=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        path = find_chromium(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        cells = [SETUP, "few = tree(60)\nfew", "many = tree(15_000)\nmany"]
        window = {"width": 1366, "height": 2400}
        with serve(browser, Path(folder)) as lab, lab.open(cells, viewport=window) as notebook:
            notebook.run_all()
            for cell, iterations in ((1, 60), (2, 15_000)):
                rate = dragged(notebook, cell)
                print(f"{iterations:,} iterations: {rate:.1f} pictures a second in a drag")
            for _ in range(4):
                notebook.python("moved(many, 500)")
                print(f"after 500 pictures more: {notebook.python('megabytes()')} MB")


if __name__ == "__main__":
    main()
