"""What a person touches."""

from .player import Player, display_bundle

__all__ = ["Player", "display_bundle"]
