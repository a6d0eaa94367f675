"""Run a notebook, with its films as pages that need no kernel: for the site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from IPython.core.getipython import get_ipython
from nbclient import NotebookClient

from mcts_viz.film import Film
from mcts_viz.player import Compare, Player
from mcts_viz.trace import MinimaxTrace, Trace

from .by_hand import BeTheSearch
from .work.picks import Picks

FILM = "<!doctype html>"
"""The start of a film's HTML, and of no other output in a notebook."""


def show_films() -> None:
    """Show each player, pair and trace of this notebook as a page of HTML."""
    shell: Any = get_ipython()
    as_html = shell.display_formatter.formatters["text/html"].for_type
    as_html(Player, lambda player: player.film.to_html(player.iteration, player.phase))
    as_html(Compare, lambda pair: pair.to_html())
    as_html(BeTheSearch, lambda hands: hands.to_html())
    as_html(Picks, lambda picks: picks.to_html())
    for kind in (Trace, MinimaxTrace):
        as_html(kind, lambda trace: Film(trace).to_html())


def run(notebook: Any, folder: Path) -> None:
    """Restart and run all, in that folder."""
    NotebookClient(
        notebook,
        timeout=None,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        coalesce_streams=True,
        record_timing=False,
        store_widget_state=False,
    ).execute()
