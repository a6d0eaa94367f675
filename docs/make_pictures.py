"""Make README's pictures anew: python docs/make_pictures.py [NAME ...]

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
from playwright.sync_api import Locator, sync_playwright

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent / "tests"))

from browser.lab import (  # noqa: E402 (the folder of the tests is no package)
    CHROMIUM_FLAGS,
    DARK,
    LIGHT,
    JupyterLab,
    Notebook,
    find_chromium,
    serve,
)

WINDOW = {"width": 1280, "height": 1000}
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
COMPARE = """
from mcts_viz import MCTS, Compare, TicTacToe
game = TicTacToe()
state = game.parse("X.. .O. ..X")
careful, greedy = (MCTS(game, c=c, seed=4).record(state, iterations=80) for c in (1.41, 0.2))
Compare(careful, greedy)
"""
CLINIC = """
from mcts_course import published
from mcts_viz import Compare, TicTacToe
state = TicTacToe().parse("OO. XX. ...")
liu = published("liu")
faulty, mended = (s.search(seed=1).record(state, iterations=80) for s in (liu, liu.repair_all()))
Compare(faulty, mended, iteration=80)
"""
PLAY = """
from mcts_viz import MCTS, Play, TicTacToe
play = Play(TicTacToe(), MCTS(TicTacToe(), seed=1), iterations=400)
play.play(4)
play
"""


class Picture(NamedTuple):
    """A picture of a widget. The keys are pressed in its first player before it is taken."""

    name: str
    code: str
    widget: str
    theme: str = LIGHT
    keys: tuple[str, ...] = ()
    button: str = ""


PICTURES = [
    Picture("player.png", PLAYER, ".mcts-player"),
    Picture("player-dark.png", PLAYER, ".mcts-player", DARK),
    Picture("truth.png", TRUTH, ".mcts-player", keys=("t",)),
    Picture("play.png", PLAY, ".mcts-play"),
    Picture("compare.png", COMPARE, ".mcts-compare", button="Go to iteration"),
    Picture("clinic.png", CLINIC, ".mcts-compare"),
]
MOVING = Picture("iteration.gif", PLAYER, ".mcts-player")


def shown(notebook: Notebook, picture: Picture) -> Locator:
    """Run the cell; the widget, at rest in the moment of the picture."""
    notebook.run_all()
    widget = notebook.page.locator(picture.widget).first
    widget.wait_for()
    player = notebook.page.locator(".mcts-player[data-phase]").first
    if picture.widget != ".mcts-play":
        player.wait_for()
    if picture.button:
        notebook.page.get_by_role("button", name=picture.button).first.click()
    for key in picture.keys:
        player.locator("input[type=range]").first.focus()
        notebook.page.keyboard.press(key)
    notebook.page.mouse.move(0, 0)
    notebook.page.wait_for_timeout(1500)
    return widget


def shot(widget: Locator) -> Image.Image:
    return Image.open(io.BytesIO(widget.screenshot())).convert("RGB")


def small(image: Image.Image) -> Image.Image:
    return image.quantize(COLOURS, dither=Image.Dither.NONE)


def make_still(lab: JupyterLab, picture: Picture) -> None:
    with lab.open([picture.code.strip()], theme=picture.theme, viewport=WINDOW) as notebook:
        image = shot(shown(notebook, picture))
    small(image).save(DOCS / picture.name, optimize=True)


def make_moving(lab: JupyterLab) -> None:
    """The four phases of one iteration, with what moves between them."""
    code = MOVING.code.strip().replace('phase="simulate"', 'phase="backpropagate"')
    code = code.replace("iteration=61", "iteration=60")
    images, times = [], []
    with lab.open([code], viewport=WINDOW) as notebook:
        widget = shown(notebook, MOVING)
        widget.locator("input[type=range]").first.focus()
        for _ in range(4):
            notebook.page.keyboard.press("ArrowRight")
            for _ in range(5):
                images.append(shot(widget))
                times.append(120)
            notebook.page.wait_for_timeout(900)
            images.append(shot(widget))
            times.append(2000)
    first, *others = [image.quantize(64, dither=Image.Dither.NONE) for image in images]
    target = DOCS / MOVING.name
    first.save(target, save_all=True, append_images=others, duration=times, loop=0, optimize=True)


def main(*names: str) -> None:
    """Make the pictures of these names, or all."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        path = find_chromium(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        with serve(browser, Path(folder)) as lab:
            for picture in PICTURES:
                if not names or picture.name in names:
                    make_still(lab, picture)
            if not names or MOVING.name in names:
                make_moving(lab)
        browser.close()
    for file in sorted([*DOCS.glob("*.png"), *DOCS.glob("*.gif")]):
        with Image.open(file) as image:
            print(f"{file.name}: {image.width} x {image.height}, {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
