"""What a person touches."""

from .play import Play
from .player import Player, display_bundle

__all__ = ["Play", "Player", "display_bundle"]
