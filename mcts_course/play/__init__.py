"""A game to play against a search, whose every reply can be looked into."""

from .play import Play

__all__ = ["Play"]
