"""The README's pictures, made from real searches in a real JupyterLab.

`REFRESH_GALLERY=1 python -m pytest tests/browser/test_gallery.py` makes them anew in docs/.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .lab import DARK, LIGHT, JupyterLab

DOCS = Path(__file__).parents[2] / "docs"

PLAYER = """
from mcts_viz import MCTS, Player, TicTacToe
game = TicTacToe()
trace = MCTS(game, c=1.41, seed=4).record(game.parse("XX. .O. ..."), iterations=64)
Player(trace, iteration=57, phase="simulate", cards=32)
"""

PICTURES = [("player.png", PLAYER, LIGHT), ("player-dark.png", PLAYER, DARK)]


@pytest.mark.parametrize(("name", "code", "theme"), PICTURES, ids=[name for name, *_ in PICTURES])
def test_picture(lab: JupyterLab, tmp_path: Path, name: str, code: str, theme: str) -> None:
    folder = DOCS if os.environ.get("REFRESH_GALLERY") == "1" else tmp_path
    window = {"width": 1340, "height": 1500}
    with lab.open([code.strip()], theme=theme, viewport=window) as notebook:
        notebook.run_all()
        notebook.page.wait_for_selector(".mcts-player[data-iteration='57']")
        picture = notebook.screenshot(".mcts-player", folder / name)
        assert not notebook.errors
    assert (DOCS / name).is_file()
    assert len(picture.getcolors(maxcolors=picture.width * picture.height) or ()) > 50
