"""The delay of the player's new picture next to the naive design, in one run in JupyterLab.

    python -m pip install -r tests/requirements.txt
    python benchmarks/player.py

Both show the same film. The player's key press is answered in the page; the naive design, as
found in many notebooks, lets ``interact`` call Python, which lays the tree out with Graphviz and
displays it as SVG, for each step. The player is measured in both views, with the exact truth over
the cards too, and twice beside each other in ``Compare``. All times are taken in the page, from the
key's own time stamp: to the frame that brings the new picture, and to the moment when the page has
painted that frame. Last come the frames of the motion that explains a phase, beside those of a page
on which nothing moves.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter, sleep
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import Locator, WebSocket, sync_playwright
from websocket import create_connection

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from browser.lab import CHROMIUM_FLAGS, HOST, JupyterLab, Notebook, find_chromium, free_port, serve

SETUP = """
import pygraphviz
from IPython.display import SVG, display
from ipywidgets import IntSlider, interact
from mcts_viz import MCTS, Compare, Film, Player, TicTacToe
from mcts_viz.search import PHASES
trace = MCTS(TicTacToe(), seed=4).record(iterations={iterations})
other = MCTS(TicTacToe(), c=0.5, seed=4).record(iterations={other})
"""
CARDS = 40
PLAYER = "Player(trace, iteration={begin}, cards={cards})"
WALK = "Player(trace, iteration={begin}, cards={cards}, view='walk')"
COMPARE = "Compare(trace, other, iteration={begin}, cards={cards})"
NAIVE = """
film = Film(trace, {cards})
def show(moment):
    iteration, phase = divmod(moment, 4)
    moment = film.nearest(iteration + 1), PHASES[phase]
    graph = pygraphviz.AGraph(string=film.to_dot(*moment).source)
    display(SVG(graph.draw(format="svg", prog="dot")))
interact(show, moment=IntSlider(4 * {begin}, 0, 4 * {iterations} - 1))
None
"""


@dataclass(frozen=True)
class Design:
    """A design: the code that shows it, and what is switched on before it is measured."""

    name: str
    cell: str
    keys: tuple[str, ...] = ()

    @property
    def is_naive(self) -> bool:
        return self.cell == NAIVE


DESIGNS = (
    Design("`Player`, river", PLAYER),
    Design("`Player`, ladder", WALK),
    Design("`Player`, river, truth on", PLAYER, ("t",)),
    Design("`Compare`, truth on in both", COMPARE, ("t",)),
    Design("`interact` + `display(SVG)`", NAIVE),
)
RECONNECT = "() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.reconnect()"
SWING = 4.0  # seconds from one end of the slider to the other and back
BARS = {"median": 16.7, "p95": 33.0, "updates": 40.0, "frame": 17.0}
MOTION = 600  # milliseconds that a phase may move
FRAMES = """
milliseconds => new Promise(done => {
    const begun = performance.now(), times = [];
    let last;
    const tick = now => {
        if (last !== undefined) times.push(now - last);
        last = now;
        if (now - begun < milliseconds) requestAnimationFrame(tick);
        else done(times);
    };
    requestAnimationFrame(tick);
})
"""

# The picture is in the page when the frame begins that paints it (`shown`); `painted` is when the
# page is done with that frame: a message posted while a frame is prepared arrives after it.
WATCH = """
(watched, isPlayer) => {
    const channel = new MessageChannel();
    window.pressed = window.shown = window.painted = 0;
    channel.port1.onmessage = () => { window.painted = performance.now(); };
    let waiting = false;
    const changed = () => {
        window.changed = true;
        if (waiting) return;
        waiting = true;
        requestAnimationFrame(() => {
            waiting = false;
            window.shown = performance.now();
            channel.port2.postMessage(0);
        });
    };
    const images = changes => changes.flatMap(change => [...change.addedNodes])
        .flatMap(node => [...(node.querySelectorAll?.("img") ?? [])]);
    new MutationObserver(changes => isPlayer ? changed()
        : images(changes).forEach(image => image.decode().then(changed, () => null)),
    ).observe(watched, isPlayer
        ? { attributeFilter: ["data-iteration", "data-phase"] }
        : { childList: true, subtree: true });
    addEventListener("keydown", event => {
        window.pressed = event.timeStamp;
        window.painted = 0;
    }, true);
}
"""

# A picture may change in an event or in the frame itself; each frame is asked when it is done.
COUNT = """
() => {
    const channel = new MessageChannel();
    window.pictures = 0;
    window.changed = false;
    channel.port1.onmessage = () => {
        if (!window.changed) return;
        window.changed = false;
        window.pictures += 1;
        window.last = performance.now();
    };
    const tick = () => {
        channel.port2.postMessage(0);
        window.counting = requestAnimationFrame(tick);
    };
    tick();
    addEventListener("pointermove", event => { window.dragged = event.timeStamp; },
        { capture: true, once: true });
}
"""
COUNTED = """() => {
    cancelAnimationFrame(window.counting);
    return 1000 * window.pictures / (window.last - window.dragged);
}"""


@dataclass
class Measured:
    """One design on one film; times in milliseconds."""

    name: str
    shown: list[float]
    painted: list[float]
    updates: float
    messages: int
    film_bytes: int
    scrub_bytes: int
    frames: list[float]
    """Between two frames while a phase moves; none for a design without motion."""
    still: list[float]
    """The same while nothing moves."""

    def row(self) -> str:
        return (
            f"| {self.name} | {median(self.shown):.1f} | {p95(self.shown):.1f} | "
            f"{median(self.painted):.1f} | {p95(self.painted):.1f} | {self.updates:.0f} | "
            f"{self.messages} | {self.film_bytes:,} | {self.scrub_bytes:,} | "
            + (f"{p95(self.frames):.1f} ({p95(self.still):.1f}) |" if self.frames else "– |")
        )

    def falls_short(self) -> bool:
        slow = median(self.shown) > BARS["median"] or p95(self.shown) > BARS["p95"]
        jerky = p95(self.frames) > max(BARS["frame"], p95(self.still) + 0.3)
        return slow or jerky or self.updates < BARS["updates"] or self.messages > 0


def p95(times: list[float]) -> float:
    return quantiles(times, n=20)[-1]


class Traffic:
    """Messages and bytes between the page and its kernel."""

    def __init__(self) -> None:
        self.messages = self.bytes = 0

    def listen(self, socket: WebSocket) -> None:
        if "/api/kernels/" in socket.url:
            socket.on("framesent", self._note)
            socket.on("framereceived", self._note)

    def _note(self, payload: str | bytes) -> None:
        self.messages += 1
        self.bytes += len(payload)

    def during(self, act: Callable[[], Any]) -> tuple[Any, int, int]:
        """The answer of ``act``, and the messages and bytes of that time."""
        messages, size = self.messages, self.bytes
        answer = act()
        return answer, self.messages - messages, self.bytes - size


def measure(lab: JupyterLab, design: Design, options: argparse.Namespace) -> Measured:
    naive, begin = design.is_naive, options.iterations // 2
    values = {"iterations": options.iterations, "cards": CARDS, "begin": begin}
    values["other"] = options.iterations if design.cell == COMPARE else 1
    cells = [SETUP.format(**values), design.cell.format(**values)]
    with lab.open(cells, viewport={"width": 1400, "height": 1800}) as notebook:
        traffic = Traffic()
        notebook.page.on("websocket", traffic.listen)
        notebook.page.evaluate(RECONNECT)  # so that all of the kernel's traffic is heard
        _, _, film_bytes = traffic.during(notebook.run_all)
        notebook.errors.clear()  # JupyterLab's own, of the connection that was cut
        output = notebook.output(1)
        slider = output.locator("[role=slider]" if naive else ".track input").first
        watched = output.locator(".widget-output" if naive else ".mcts-player").first
        watched.locator("img" if naive else "svg").first.wait_for()
        watched.evaluate(f"element => ({WATCH})(element, {str(not naive).lower()})")
        notebook.page.wait_for_timeout(1000)
        for player in output.locator(".mcts-player").all():
            player.focus()
            for key in design.keys:
                notebook.page.keyboard.press(key)
        slider.focus()
        press(notebook, 10)  # to warm up
        notebook.page.wait_for_timeout(1000)  # the reader rests, and the kernel learns the moment
        (shown, painted), messages, size = traffic.during(lambda: press(notebook, options.presses))
        drag(notebook, slider, options)  # to warm up
        notebook.page.wait_for_timeout(1000)  # and rests again
        updates, more, _ = traffic.during(lambda: drag(notebook, slider, options))
        frames, still = ([], []) if naive else motion(notebook)
        return Measured(
            *(design.name, shown, painted, updates, messages + more, film_bytes, size),
            *(frames, still),
        )


def motion(notebook: Notebook) -> tuple[list[float], list[float]]:
    """The times between frames, for each phase of six iterations, and while nothing moves."""
    page = notebook.page
    page.wait_for_timeout(500)
    still = page.evaluate(FRAMES, 4 * MOTION)
    frames: list[float] = []
    for _ in range(24):
        page.evaluate(f"() => {{ window.noted = ({FRAMES})({MOTION}); }}")
        page.keyboard.press("ArrowRight")
        frames += page.evaluate("() => window.noted")
    return frames, still


def press(notebook: Notebook, count: int) -> tuple[list[float], list[float]]:
    """Press the right arrow so many times, each when the picture of the last has been painted.

    A reader's keys fall anywhere between two frames of the screen. Pressed at once after a
    picture, every key would fall into the same place, and the median would measure this place.
    """
    times, random = [], Random(4)
    for _ in range(count):
        notebook.page.wait_for_timeout(random.uniform(20, 80))
        notebook.page.keyboard.down("ArrowRight")  # a finger lets go after the picture has come
        times.append(
            notebook.page.evaluate(
                """() => new Promise(done => {
                    const look = () => window.painted
                        ? done([window.shown - window.pressed, window.painted - window.pressed])
                        : setTimeout(look, 1);
                    look();
                })"""
            )
        )
        notebook.page.keyboard.up("ArrowRight")
    shown, painted = zip(*times, strict=True)
    return list(shown), list(painted)


def drag(notebook: Notebook, slider: Locator, options: argparse.Namespace) -> float:
    """Drag the slider to and fro; answers how many new pictures were painted a second."""
    page, box = notebook.page, slider.bounding_box()
    track = slider.evaluate(
        "s => { const { left, width } = (s.closest('.noUi-target') ?? s).getBoundingClientRect();"
        " return [left, width]; }"
    )
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.move(track[0] + track[1] / 2, y)
    page.mouse.down()
    page.evaluate(COUNT)
    hand(options.port, page.url, track, y, options.seconds)
    rate = page.evaluate(COUNTED)
    page.mouse.up()
    return float(rate)


def hand(port: int, url: str, track: tuple[float, float], y: float, seconds: float) -> None:
    """Move the mouse as a hand does: 125 times a second, whether the page keeps up or not.

    Playwright's ``mouse.move`` waits until the page has drawn, and so adds the time of its own
    messages to that of every picture.
    """
    with urlopen(f"http://{HOST}:{port}/json/list") as reply:
        target = next(target for target in json.load(reply) if target["url"] == url)
    devtools = create_connection(target["webSocketDebuggerUrl"], suppress_origin=True)
    begun, moves = perf_counter(), 0
    while (passed := perf_counter() - begun) < seconds:
        moves += 1
        swing = abs((2 * passed / SWING + 0.5) % 2 - 1)
        move = {"type": "mouseMoved", "y": y, "button": "left", "buttons": 1}
        move["x"] = track[0] + track[1] * (0.1 + 0.8 * swing)
        message = {"id": moves, "method": "Input.dispatchMouseEvent", "params": move}
        devtools.send(json.dumps(message))
        sleep(1 / 125)
    devtools.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=15_000)
    parser.add_argument("--presses", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=4.0, help="how long the slider is dragged")
    options = parser.parse_args()
    options.port = free_port()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        path = find_chromium(playwright.chromium.executable_path)
        flags = [*CHROMIUM_FLAGS, f"--remote-debugging-port={options.port}"]
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        print(f"Python {platform.python_version()}, Chromium {browser.version}, ", end="")
        print(f"{options.iterations:,} iterations of tic-tac-toe, {options.presses} key presses\n")
        print(
            "| design | key to picture, median ms | p95 ms | key to painted, median ms | "
            "p95 ms | updates a second in a drag | kernel messages while scrubbing | "
            "bytes to show it | bytes of the key presses | frame of a motion, p95 ms (of none) |"
        )
        print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
        with serve(browser, Path(folder)) as lab:
            players = []
            for design in DESIGNS:
                result = measure(lab, design, options)
                print(result.row(), flush=True)
                if not design.is_naive:
                    players.append(result)
        browser.close()
    return int(any(player.falls_short() for player in players))


if __name__ == "__main__":
    raise SystemExit(main())
