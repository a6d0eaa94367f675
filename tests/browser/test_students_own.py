"""A rule and a game from a notebook's cells, in JupyterLab: shown, compared, played to the end.

What the player then says is held against the trace in test_player.py.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from students import BOARD, GAME, RULE

from .lab import JupyterLab, eventually

CELLS = [
    GAME,
    RULE,
    BOARD,
    """from mcts_viz import MCTS, Compare, Play, Player
game = ToadsAndFrogs()
trace = MCTS(game, c=0.8, seed=3, selection=eager).record(iterations=150)
Player(trace, cards=12)""",
    "Compare(trace, MCTS(game, c=0.8, seed=3).record(iterations=150))",
    "play = Play(game, MCTS(game, c=0.8, seed=3, selection=eager), iterations=60)\nplay",
]


@pytest.mark.slow
def test_everything_takes_them(lab: JupyterLab) -> None:
    with lab.open(CELLS, viewport={"width": 1500, "height": 4000}) as notebook:
        notebook.run_all()
        player = notebook.output(3).locator(".mcts-player[data-iteration]")
        expect(player).to_contain_text("eager")
        assert player.locator(".piece.player-0").count(), "the board that was registered"
        expect(notebook.output(4).locator(".mcts-compare")).to_contain_text("eager")
        board = notebook.output(5).locator(".mcts-play")
        while notebook.python("play.result is None"):
            moves = notebook.python("len(play.history)")
            move = notebook.python("game.legal_actions(play.state)[0]")
            board.locator(f'.cell[data-cell="{move}"]').click()
            eventually(lambda n=moves: notebook.python("len(play.history)") > n, True)
            eventually(lambda: notebook.python("play.thinking"), False)
        expect(board).to_contain_text(re.compile("(Toad|Frog) wins"))
        assert notebook.errors == []
        assert notebook.outside == []
