"""The one family of errors that the package raises.

Every message is a sentence that names the offending value and says what to do instead.
"""

import sys
from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from decimal import Decimal
from itertools import islice
from numbers import Integral, Real
from typing import Any, Final, TypeGuard

MOST: Final = sys.float_info.max
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
    """The ``repr`` of a value on one line and of bounded length, even if its repr raises."""
    try:
        words = repr(value)
    except Exception:  # a number may have too many digits, and a class of one's own a faulty repr
        return f"<a {type(value).__name__} whose repr raises>"
    if "\n" in words:  # a table, such as a search result's: half of it says less than its name
        return f"<a {type(value).__name__}>"
    return words if len(words) <= most else f"{words[: most - 3]}..."


def reason(error: Exception) -> str:
    """An error in a few words, for use in brackets."""
    said = str(getattr(error, "strerror", None) or error or type(error).__name__)
    return said.rstrip(".") if len(said) <= 300 else said[:297] + "..."


def require(
    right: Any, name: str, kind: str, given: Any, error: type[MctsVizError] = SearchError
) -> None:
    """Raise ``error`` unless what was ``given`` as ``name`` is ``right``; it must be of a ``kind``.

    >>> require(-1 >= 0, "c", "a number of at least 0", -1)
    Traceback (most recent call last):
    mcts_viz.errors.SearchError: c must be a number of at least 0; you gave -1.
    """
    if not right:
        raise must_be(name, kind, given, error)


def fits(
    value: Any, least: float = -MOST, most: float = MOST, *, whole: bool = False
) -> TypeGuard[float]:
    """True for a real or ``whole`` number in these limits, such as NumPy's; False for True."""
    if type(value) is (int if whole else float):  # which nearly all are
        return least <= value <= most
    kind: Any = Integral if whole else Real | Decimal
    if isinstance(value, bool) or not isinstance(value, kind):
        return False
    with suppress(OverflowError, ValueError):  # NumPy's small numbers know no large ones
        return bool(least <= (int if whole else float)(value) <= most)
    return False


def items(value: Any, most: int) -> tuple[Any, ...]:
    """The items of a list, a range, an array or another row; () for all else, and for too many."""
    with suppress(TypeError):
        if not isinstance(value, str | bytes | type | Set | Mapping):
            found = tuple(islice(value, most + 1))
            return found if len(found) <= most else ()
    return ()


def must_be(
    name: str, kind: str, given: Any, error: type[MctsVizError] = SearchError
) -> MctsVizError:
    """The error of :func:`require`, for a check so busy that it makes the words only if wrong."""
    return error(f"{name} must be {kind}; you gave {short_repr(given)}.")


def listed(values: Iterable[object]) -> str:
    """``values`` as a reader lists them: ``1, 2, 5``, or ``none``."""
    return ", ".join(map(str, values)) or "none"


def counted(number: int, noun: str) -> str:
    """``1 move``, ``2 moves``."""
    return f"{number} {plural(number, noun)}"


def plural(number: int, noun: str) -> str:
    """A regular ``noun`` behind that number."""
    return noun if number == 1 else f"{noun}s"


def among(action: object, actions: Iterable[object]) -> bool:
    """True if ``action`` is one of ``actions``; False if it cannot be compared with them."""
    try:
        return action in actions
    except (TypeError, ValueError):  # an array is compared entry by entry
        return False


def require_one_of(
    name: str, value: object, known: Iterable[Any], error: type[MctsVizError] = SearchError
) -> None:
    """Raise ``error`` unless ``value``, given as ``name``, is one of those ``known``."""
    if not among(value, known):
        raise must_be(name, f"one of {listed(known)}", value, error)
