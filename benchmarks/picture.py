"""The parts of a film that one screen shows: heights, sizes of letters, edges, controls.

    python -m pip install -r tests/requirements.txt
    python benchmarks/picture.py

Opens the films of the lessons and others as exported pages, at three widths of a cell, and goes
through random moments of each.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser.lab import CHROMIUM_FLAGS, find_chromium

from mcts_viz import (
    MCTS,
    Bandit,
    ConnectFour,
    Film,
    GameTree,
    MCTSSolver,
    Nim,
    TicTacToe,
    alpha_beta,
    minimax,
    record_minimax,
)

WIDTHS = (934, 1186, 1240)
WINDOW = 647
"""What JupyterLab leaves of a laptop's screen, in pixels."""


def films() -> dict[str, Film]:
    """The films of the lessons, and larger ones."""
    game, pencil = TicTacToe(), GameTree({"a": {"c": 1, "d": -1}, "b": {"e": 0, "f": 0.5}, "z": 0})
    late = game.parse("XOX .O. ...")
    return {
        "tic-tac-toe, 12": Film(MCTS(game, seed=4).record(iterations=12)),
        "tic-tac-toe, 200": Film(MCTS(game, seed=4).record(iterations=200)),
        "tic-tac-toe, 15,000": Film(MCTS(game, seed=4).record(iterations=15_000)),
        "from a position, 200": Film(
            MCTS(game, seed=4).record(game.parse("X.X .O. ..."), iterations=200)
        ),
        "Connect Four, 1,000": Film(MCTS(ConnectFour(), seed=4).record(iterations=1000)),
        "Connect Four, 15,000": Film(MCTS(ConnectFour(), seed=4).record(iterations=15_000)),
        "Nim, 200": Film(MCTS(Nim(), seed=4).record(iterations=200)),
        "a game tree, 60": Film(MCTS(pencil, seed=8).record(iterations=60)),
        "a bandit, 100": Film(MCTS(Bandit([0.2, 0.5, 0.8]), seed=8).record(iterations=100)),
        "MCTS-Solver, 300": Film(MCTSSolver(game, seed=2).record(late, iterations=300)),
        "minimax": Film(record_minimax(minimax, pencil)),
        "alpha-beta": Film(record_minimax(alpha_beta, game, late)),
    }


LOOK = """() => {
    const root = document.querySelector(".mcts-player");
    const svg = root.querySelector(".river svg");
    const seen = e => e.getAttribute("display") !== "none" && e.getClientRects().length > 0
        && getComputedStyle(e).visibility !== "hidden";
    const box = e => e.getBoundingClientRect();
    const scale = svg.getScreenCTM().a;
    const letters = [...svg.querySelectorAll("text")].filter(e => seen(e) && e.textContent)
        .map(e => scale * parseFloat(getComputedStyle(e).fontSize));
    const parts = [".controls", ".track", ".stage", ".words", ".why"];
    const outside = parts.filter(p => {
        const { top, bottom, height } = box(root.querySelector(p));
        return !height || top < 0 || bottom > innerHeight + 0.5;
    });
    const added = [...svg.querySelectorAll("[data-new]")].filter(seen).map(e => e.dataset.node)
        .filter(node => node !== "0");
    const joined = added.every(n => svg.querySelector(`.trail[data-child="${n}"]`));
    const stage = box(root.querySelector(".stage"));
    const cards = [...svg.querySelectorAll(".card .frame")].filter(seen).map(box);
    return {
        height: box(root).height, letters: Math.min(...letters), outside, joined,
        added: added.length,
        place: [stage.x, stage.y, stage.width, stage.height].join(),
        filled: cards.reduce((s, c) => s + c.width * c.height, 0) / (stage.width * stage.height),
        controls: [...root.querySelectorAll("button, input, select")].filter(seen).length,
    };
}"""
GO = """async ([place, phase]) => {
    const slider = document.querySelector(".track input");
    slider.value = place;
    slider.dispatchEvent(new Event("input"));
    const frame = () => new Promise(requestAnimationFrame);
    await frame().then(frame); // a second place within a frame waits for the next
    const phases = document.querySelector(".phases input");
    phases.value = phase;
    phases.dispatchEvent(new Event("input"));
}"""


def measure(browser: Browser, film: Film, width: int, moments: int, file: Path) -> list[str]:
    """One row of the table."""
    file.write_text(film.to_html(), encoding="utf-8")
    page = browser.new_page(viewport={"width": width + 16, "height": WINDOW})
    page.goto(file.as_uri())
    page.locator(".mcts-player[data-iteration]").wait_for()
    draw, count = random.Random(4), len(film.iterations)
    is_search = film.data.kind == "mcts"
    looks: list[dict[str, Any]] = []
    for _ in range(moments):
        page.evaluate(GO, [draw.randint(1, count), draw.randint(1, 3) if is_search else 0])
        looks.append(page.evaluate(LOOK))
    page.evaluate(GO, [min(5, count), 3 if is_search else 0])
    fifth = page.evaluate(LOOK)["filled"]
    view = page.locator(".mcts-player").get_attribute("data-view")
    new = [look for look in looks if look["added"]]
    row = [
        f"{max(look['height'] for look in looks):.0f}",
        f"{min(look['letters'] for look in looks):.1f}",
        str(sum(bool(look["outside"]) for look in looks)),
        f"{sum(not look['joined'] for look in new)} of {len(new)}",
        str(len({look["place"] for look in looks}) - 1),
        f"{100 * fifth:.0f} %",
        str(looks[0]["controls"]),
        str(stops(page)),
    ]
    page.close()
    return [str(view), *row]


def stops(page: Page) -> int:
    """The number of times that Tab is pressed until the player is left."""
    page.evaluate("() => document.activeElement.blur()")
    count = -1
    while count < 50:
        page.keyboard.press("Tab")
        count += 1
        if page.evaluate("() => document.activeElement === document.body"):
            break
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=int, default=200)
    parser.add_argument("--widths", type=int, nargs="+", default=WIDTHS)
    options = parser.parse_args()
    print(
        "| film | width | view | height | letters | outside | new not joined | tree moved |", end=""
    )
    print(" filled at 5 | controls | Tab stops |\n" + "|---" * 11 + "|")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        path = find_chromium(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        for name, film in films().items():
            for width in options.widths:
                row = measure(browser, film, width, options.moments, Path(folder, "film.html"))
                print("| " + " | ".join([name, str(width), *row]) + " |", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
