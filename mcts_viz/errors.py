"""The one family of errors that the package raises.

Every message is a sentence that names the offending value and says what to do instead.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import suppress
from decimal import Decimal
from functools import wraps
from inspect import signature
from itertools import islice
from numbers import Integral, Real
from typing import Any, Final, NoReturn, Self, TypeGuard, TypeVar, cast

Door = TypeVar("Door", bound=Callable[..., Any])

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


class NoSuchNameError(MctsVizError, AttributeError):
    """A name that an object does not have, and where it is."""


class Elsewhere:
    """A name that readers look for in the wrong class: asking for it says where it is.

    It costs the class nothing, while a method ``__getattr__`` would slow down every other name.

    >>> class Search:
    ...     tree = Elsewhere("its tree is search.root")
    >>> Search().tree
    Traceback (most recent call last):
    mcts_viz.errors.NoSuchNameError: Search has no 'tree': its tree is search.root.
    """

    def __init__(self, place: str) -> None:
        self.place = place
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, asked: object, owner: type) -> Self:
        if asked is None:  # of the class: traitlets 4 looks at all names of a widget's
            return self
        raise NoSuchNameError(f"{owner.__name__} has no {self.name!r}: {self.place}.")


def no_items(remedy: str) -> Callable[[object, object], NoReturn]:
    """Return the ``__getitem__`` of a class without items, which says what to write instead."""

    def refuse(asked: object, item: object) -> NoReturn:
        name = type(asked).__name__
        raise SearchError(f"{name} has no items, so [{short_repr(item)}] has no meaning: {remedy}.")

    return refuse


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
    """An error in a few words, to stand in brackets."""
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
    if whole and type(value) is int:
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
    """The error of :func:`require`, for a door so busy that it makes the words only if wrong."""
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


def door(public: Door, remedy: str = "") -> Door:
    """Make mistyped arguments of a public function, or class, one sentence, a ``SearchError``.

    The sentence ends with a ``remedy``, if there is one.
    """
    if isinstance(public, type):
        public.__init__ = door(public.__init__)  # type: ignore[misc]
        return cast("Door", public)

    form, name = signature(public), public.__qualname__
    takes = ", ".join(known for known in form.parameters if known not in ("self", "cls"))
    is_method = next(iter(form.parameters), "") == "self"

    @wraps(public)
    def checked(*given: Any, **named: Any) -> Any:
        try:
            return public(*given, **named)
        except (AttributeError, TypeError):
            if is_method:
                _require_own_object(name, given)
            try:
                form.bind(*given, **named)
            except TypeError as fault:
                called = type(given[0]).__name__ if name.endswith(".__init__") else name
                said = f"{called} takes {takes or 'no argument'}: {fault}.{remedy}"
                raise SearchError(said) from None
            raise  # the call was right, the error came later

    checked.__signature__ = form  # type: ignore[attr-defined]  # for those who do not unwrap it
    return cast("Door", checked)


def _require_own_object(method: str, given: tuple[Any, ...]) -> None:
    """Raise ``SearchError`` if a method such as ``MCTS.search`` was called on its class.

    Then the first of what it was ``given`` is no object of the class, but such as a game.
    """
    owner = method.rpartition(".")[0]
    known = type(given[0]).__mro__ if given else ()
    if all(kind.__qualname__ != owner for kind in known):
        said = short_repr(given[0]) if given else "nothing"
        raise SearchError(
            f"{method} must be called on an object of the class {owner}, which stands before the "
            f"dot; you gave {said}."
        )
