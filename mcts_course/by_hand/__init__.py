"""Be the search: an empty tree, and a reader who carries out its first iterations."""

from .widget import BeTheSearch

__all__ = ["BeTheSearch"]
