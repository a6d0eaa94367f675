"""The one family of errors that the package raises.

Every message is a sentence that names the offending value and says what to do instead.
"""

__all__ = ["GameError", "MctsVizError", "SearchError", "TraceError"]


class MctsVizError(ValueError):
    """Base class: bad input, explained in one sentence."""


class GameError(MctsVizError):
    """A state, an action or a board text that the rules of the game do not know."""


class SearchError(MctsVizError):
    """A parameter, a budget or a policy with which no search can run."""


class TraceError(MctsVizError):
    """A trace, a moment of it, or a saved file that cannot be used."""
