"""The widgets, all that a person touches."""

from .play import Play
from .player import Compare, Player, display_bundle

__all__ = ["Compare", "Play", "Player", "display_bundle"]
