"""The player, for all films: on its own, two side by side, and as a page without a kernel."""

from .player import Compare, Player, display_bundle

__all__ = ["Compare", "Player", "display_bundle"]
