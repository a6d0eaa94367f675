"""The one family of errors that the package raises.

Every message is a sentence that names the offending value and says what to do instead.
"""

from typing import Final

LONGEST: Final = 800
"""Characters of a sentence; what is given may be longer, and then its middle is left out."""


class MctsVizError(ValueError):
    """Base class: bad input, explained in one sentence, on one line."""

    def __init__(self, message: str) -> None:
        message = message.replace("\n", " ")
        if len(message) > LONGEST:
            message = f"{message[: LONGEST // 2]} … {message[-LONGEST // 2 + 3 :]}"
        super().__init__(message)


class GameError(MctsVizError):
    """A state, an action or a board text that the rules of the game do not know."""


class SearchError(MctsVizError):
    """A parameter, a budget or a policy with which no search can run."""


class TraceError(MctsVizError):
    """A trace, a moment of it, or a saved file that cannot be used."""


def printable(text: str) -> str:
    """A text on one line, without what cannot be written to a file: halves of characters."""
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())


def short_repr(value: object, most: int = 60) -> str:
    """The ``repr`` of a value on one line and of bounded length, whatever its repr does."""
    try:
        words = repr(value)
    except Exception:  # a number may have too many digits, and a class of one's own a faulty repr
        return f"<a {type(value).__name__} whose repr raises>"
    if "\n" in words:  # a table, such as a search result's: half of it says less than its name
        return f"<a {type(value).__name__}>"
    return words if len(words) <= most else f"{words[: most - 3]}..."


def reason(error: Exception) -> str:
    """An error in a few words, to stand in brackets."""
    said = str(getattr(error, "strerror", None) or error or type(error).__name__)
    return said.rstrip(".") if len(said) <= 300 else said[:297] + "..."
