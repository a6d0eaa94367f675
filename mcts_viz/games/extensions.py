"""Other packages' games and policies, so that files and links that name them can be opened."""

from __future__ import annotations

from functools import cache


@cache
def load_extensions() -> None:
    """Import, once, each module that an installed package lists under ``mcts_viz.extensions``.

    On import such a module registers its games (:func:`mcts_viz.games.register_game`) and its
    policies (:func:`mcts_viz.search.register_policies`).
    """
    from importlib.metadata import entry_points  # slow, and needed for others' games only

    for extension in entry_points(group="mcts_viz.extensions"):
        extension.load()
