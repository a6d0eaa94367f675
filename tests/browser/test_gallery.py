"""The README's pictures, made from real searches in a real JupyterLab.

`REFRESH_GALLERY=1 python -m pytest tests/browser/test_gallery.py` makes them anew in docs/.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest

from .lab import DARK, LIGHT, JupyterLab

DOCS = Path(__file__).parents[2] / "docs"

PLAYER = """
from mcts_viz import MCTS, Player, TicTacToe
game = TicTacToe()
trace = MCTS(game, c=1.41, seed=4).record(game.parse("XX. .O. ..."), iterations=64)
Player(trace, iteration=61, phase="simulate", cards=32)
"""
TRUTH = """
from mcts_viz import MCTS, Player, TicTacToe
game = TicTacToe()
trace = MCTS(game, seed=4).record(game.parse("X.. ... ..."), iterations=150)
Player(trace, iteration=150, phase="backpropagate", cards=24)
"""
COMPARE = """
from mcts_viz import MCTS, Compare, TicTacToe
game = TicTacToe()
state = game.parse("X.. .O. ..X")
careful, greedy = (MCTS(game, c=c, seed=4).record(state, iterations=80) for c in (1.41, 0.2))
Compare(careful, greedy, cards=12)
"""
CLINIC = """
from mcts_viz import Compare, TicTacToe, published
state = TicTacToe().parse("OO. XX. ...")
liu = published("liu")
faulty, mended = (s.search(seed=1).record(state, iterations=80) for s in (liu, liu.repair_all()))
Compare(faulty, mended, iteration=80, cards=14)
"""


class Picture(NamedTuple):
    """``keys`` are pressed in the player, or the first of two, before the picture is taken."""

    name: str
    code: str
    theme: str
    element: str = ".mcts-player"
    keys: tuple[str, ...] = ()
    width: int = 1340


PICTURES = [
    Picture("player.png", PLAYER, LIGHT),
    Picture("player-dark.png", PLAYER, DARK),
    Picture("truth.png", TRUTH, LIGHT, keys=("t", "r")),
    Picture("compare.png", COMPARE, LIGHT, ".mcts-compare", ("r",), 2100),
    Picture("clinic.png", CLINIC, LIGHT, ".mcts-compare", ("r",), 2100),
]


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_picture(lab: JupyterLab, tmp_path: Path, picture: Picture) -> None:
    folder = DOCS if os.environ.get("REFRESH_GALLERY") == "1" else tmp_path
    window = {"width": picture.width, "height": 1700}
    code = picture.code.strip()
    with lab.open([code], theme=picture.theme, viewport=window) as notebook:
        notebook.run_all()
        page = notebook.page
        page.wait_for_selector(f"{picture.element} [data-phase], {picture.element}[data-phase]")
        if picture.element == ".mcts-compare" and "iteration=" not in code:
            page.get_by_role("button", name="Go to iteration").click()
        for player in page.locator(".mcts-player").all() if picture.keys else ():
            player.locator("input[type=range]").first.focus()
            for key in picture.keys:
                page.keyboard.press(key)
        page.mouse.move(0, 0)
        notebook.settle()
        shot = notebook.screenshot(picture.element, folder / picture.name)
        assert not notebook.errors
    assert (DOCS / picture.name).is_file()
    assert (DOCS / picture.name).stat().st_size < 400_000
    assert len(shot.getcolors(maxcolors=shot.width * shot.height) or ()) > 50
