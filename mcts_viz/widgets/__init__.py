"""The widgets, all that a person touches."""

from .compare import Compare
from .play import Play
from .player import Player, display_bundle

__all__ = ["Compare", "Play", "Player", "display_bundle"]
