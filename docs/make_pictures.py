"""Make README's pictures again: python docs/make_pictures.py [NAME ...]

Each picture is a widget in a real JupyterLab, in a Chromium window as wide as a notebook's cell.
Needs tests/requirements.txt and a Chromium.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Locator, sync_playwright

from mcts_viz import MCTS, Film, TicTacToe

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent / "tests"))

from browser.lab import CHROMIUM_FLAGS, DARK, LIGHT, JupyterLab, Notebook, find_chromium, serve  # noqa: E402 (the folder of the tests is no package)

WINDOW = {"width": 1366, "height": 768}  # a laptop's
TALL = {"width": 1366, "height": 880}  # two trees and their table, side by side
COLOURS = 128  # enough for a widget without photographs, and a third of the bytes

PLAYER = """
from mcts_viz import MCTS, Player, TicTacToe
game = TicTacToe()
trace = MCTS(game, c=1.41, seed=4).record(game.parse("XX. .O. ..."), iterations=64)
Player(trace, iteration=61, phase="simulate")
"""
TRUTH = """
from mcts_viz import MCTS, Player, TicTacToe
game = TicTacToe()
trace = MCTS(game, seed=4).record(game.parse("X.. ... ..."), iterations=150)
Player(trace, iteration=150, phase="backpropagate")
"""
CLINIC = """
from mcts_course import published
from mcts_viz import Compare, TicTacToe
state = TicTacToe().parse("OO. XX. ...")
liu = published("liu")
faulty, mended = (s.search(seed=1).record(state, iterations=80) for s in (liu, liu.repair_all()))
Compare(faulty, mended, iteration=80)
"""
WATCH = """
from mcts_course.lessons.write_it_yourself import program
from mcts_viz import Player
watch = program("A", seed=1, iterations=120)  # every node counts the root player's wins
Player(watch, iteration=watch.findings[0].iteration)
"""
MINIMAX = """
from mcts_viz import MCTS, Compare, TicTacToe, minimax, record_minimax
game = TicTacToe()
position = game.parse("XX. .O. ...")
search = MCTS(game, seed=4).record(position, iterations=200)
Compare(record_minimax(minimax, game, position), search)
"""
PLAY = """
from mcts_viz import MCTS, ConnectFour
from mcts_course import Play
play = Play(ConnectFour(), MCTS(ConnectFour(), seed=1), iterations=1000)
for move in (3, 3, 2):
    play.play(move)
    await play.wait()
play
"""


class Picture(NamedTuple):
    """A picture of a widget. The keys are pressed in its first player before it is taken."""

    name: str
    code: str
    widget: str
    theme: str = LIGHT
    window: dict[str, int] = WINDOW
    keys: tuple[str, ...] = ()
    mark: tuple[str, str] = ("", "")
    """A ring around the first card that is read out so, and what is written next to it."""


PICTURES = [
    Picture("player.png", PLAYER, ".mcts-player"),
    Picture("player-dark.png", PLAYER, ".mcts-player", DARK),
    Picture("truth.png", TRUTH, ".mcts-player", keys=("t",)),
    Picture("watch.png", WATCH, ".mcts-player"),
    Picture("minimax.png", MINIMAX, ".mcts-compare", window=TALL),
    Picture("play.png", PLAY, ".mcts-play"),
    Picture(
        *("clinic.png", CLINIC, ".mcts-compare"),
        mark=("after 5", "A overlooks this win"),
    ),
]
GROWTH = "growth.gif"
GROWN = 32  # iterations
WIDE = 930  # pixels, of a picture that grows
GLANCE = 300  # milliseconds an iteration
MARK = """([start, words]) => {
    const cards = [...document.querySelectorAll(".stage .card")];
    const card = cards.find(card => card.getAttribute("aria-label")?.startsWith(start)
        && card.getBoundingClientRect().width > 25);
    const [stage, box] = [card.closest(".stage"), card.getBoundingClientRect()];
    const ground = stage.getBoundingClientRect();
    const [x, y] = [box.x - ground.x, box.y - ground.y];
    const place = (left, top, style, text = "") => {
        const note = stage.appendChild(document.createElement("div"));
        note.textContent = text;
        const at = { position: "absolute", left: `${left}px`, top: `${top}px`, color: "#c8400a" };
        Object.assign(note.style, at, style);
    };
    const size = { width: `${box.width + 6}px`, height: `${box.height + 4}px` };
    place(x - 6, y - 5, { ...size, border: "3px solid", borderRadius: "12px" });
    const under = { background: "var(--mcts-panel)", padding: "1px 4px" };
    place(x - 10, y + box.height + 6, { font: "bold 14px sans-serif", ...under }, words);
}"""
FOUR_PHASES = "four_phases.svg"
MOVING = "iteration.gif"
WALK_AND_RACE = """.mcts-player:is(.mcts-player) {
    container-type: normal; width: 640px; height: 360px; padding: 6px; border: 0;
    .transport, .tools, .timeline, .hint, pre, .c-drag, .detail {
        display: none;
    }
    .controls { display: block; }
    .screen { grid-template-columns: minmax(0, 1fr) 230px; }
    .words { font-size: 12px; min-height: 4.8em; }
}"""
FRAME = 80  # milliseconds
FRAMES = 8  # of motion in a phase, which takes 600 milliseconds at most
SEEK = """time => document.getAnimations().forEach((animation) => {
    const { endTime } = animation.effect.getComputedTiming();
    if (time >= endTime) animation.finish(); else animation.currentTime = time;
})"""


def shown(notebook: Notebook, picture: Picture) -> Locator:
    """Run the cell; the widget, at rest in the moment of the picture."""
    notebook.run_all()
    widget = notebook.page.locator(picture.widget).first
    widget.wait_for()
    player = notebook.page.locator(".mcts-player[data-phase]").first
    if picture.widget != ".mcts-play":
        player.wait_for()
    for key in picture.keys:
        player.locator("input[type=range]").first.focus()
        notebook.page.keyboard.press(key)
    notebook.page.evaluate("document.activeElement.blur()")  # no ring around what has the keys
    notebook.page.mouse.move(0, 0)
    notebook.page.wait_for_timeout(1500)
    if picture.mark[0]:
        notebook.page.evaluate(MARK, picture.mark)
    return widget


def shot(widget: Locator) -> Image.Image:
    return Image.open(io.BytesIO(widget.screenshot())).convert("RGB")


def small(image: Image.Image) -> Image.Image:
    return image.quantize(COLOURS, dither=Image.Dither.NONE)


def make_still(lab: JupyterLab, picture: Picture) -> None:
    with lab.open([picture.code.strip()], theme=picture.theme, viewport=picture.window) as notebook:
        image = shot(shown(notebook, picture))
    small(image).save(DOCS / picture.name, optimize=True)


def make_four_phases() -> None:
    """The figure that textbooks print, of the film that README begins with."""
    figure = film().four_phases(61)
    (DOCS / FOUR_PHASES).write_text(str(figure), encoding="utf-8")


def make_moving(browser: Browser, folder: Path) -> None:
    """The four phases of one iteration. The page's clocks are stopped, and moved by hand."""
    page = browser.new_page(viewport={"width": 660, "height": 400})
    page.clock.install(time=0)
    file = folder / "film.html"
    file.write_text(film().to_html(60, "backpropagate"), encoding="utf-8")
    page.goto(file.as_uri())
    widget = page.locator(".mcts-player[data-phase]").first
    widget.wait_for()
    page.add_style_tag(content=WALK_AND_RACE)
    page.clock.pause_at(3600)
    page.context.new_cdp_session(page).send("Animation.setPlaybackRate", {"playbackRate": 0})
    images, times = [], []
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        for frame in range(1, FRAMES + 1):
            page.clock.run_for(FRAME)
            page.evaluate(SEEK, frame * FRAME)
            images.append(Image.open(io.BytesIO(widget.screenshot())).convert("RGB"))
            times.append(FRAME)
        times[-1] = 2200  # to read what happened
    first, *others = [image.quantize(64, dither=Image.Dither.NONE) for image in images]
    first.save(
        DOCS / MOVING, save_all=True, append_images=others, duration=times, loop=0, optimize=True
    )


def make_growth() -> None:
    """The tree, as Graphviz draws it, iteration by iteration."""
    grown = film(GROWN)
    images = []
    for iteration in range(1, GROWN + 1):
        still = Image.open(io.BytesIO(grown.to_png(iteration, "backpropagate")))
        size = WIDE, round(WIDE * still.height / still.width)
        images.append(still.convert("RGB").resize(size, Image.Resampling.LANCZOS))
    palette = images[-1].quantize(64, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    first, *others = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
    times = [*[GLANCE] * (GROWN - 1), 3000]
    first.save(
        DOCS / GROWTH, save_all=True, append_images=others, duration=times, loop=0, optimize=True
    )


def film(iterations: int = 64) -> Film:
    game = TicTacToe()
    start = game.parse("XX. .O. ...")
    return Film(MCTS(game, c=1.41, seed=4).record(start, iterations=iterations, progress=False))


def main(*names: str) -> None:
    """Make the pictures of these names, or all."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        path = find_chromium(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        if stills := [picture for picture in PICTURES if not names or picture.name in names]:
            with serve(browser, Path(folder)) as lab:
                for picture in stills:
                    make_still(lab, picture)
        if not names or FOUR_PHASES in names:
            make_four_phases()
        if not names or GROWTH in names:
            make_growth()
        if not names or MOVING in names:
            make_moving(browser, Path(folder))
        browser.close()
    for file in sorted([*DOCS.glob("*.png"), *DOCS.glob("*.gif")]):
        with Image.open(file) as image:
            print(f"{file.name}: {image.width} x {image.height}, {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
