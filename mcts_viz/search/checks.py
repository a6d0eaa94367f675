"""What an argument is, a number, a list or a function; what it is not is said in a sentence.

Every function named ``require`` raises ``SearchError``, or the ``error`` that it is given.
"""

from __future__ import annotations

import inspect
import random
import sys
from collections.abc import Callable, Iterable
from math import inf
from numbers import Integral, Real
from typing import Any, Final, TypeGuard

from ..errors import MctsVizError, SearchError, short_repr

MOST: Final = sys.float_info.max
LONGEST: Final = 10**15
"""Iterations of a search: of some thousand years."""
LARGEST: Final = 10**1000
"""Of seeds: Python refuses to write numbers with many more digits, and a seed is to be saved."""


def is_whole(value: object) -> TypeGuard[int]:
    """Whether it is a whole number, NumPy's included; True and False are none."""
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def is_number(value: object) -> TypeGuard[float]:
    """Whether it is a real number, NumPy's included; True and False are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def require_whole(
    name: str,
    value: object,
    least: int,
    most: int | None = None,
    error: type[MctsVizError] = SearchError,
) -> int:
    """A whole number from ``least`` to ``most``, or without an end."""
    if is_whole(value) and least <= value <= (inf if most is None else most):
        return int(value)
    limits = f"of at least {least}" if most is None else f"from {least} to {most:,}"
    raise error(f"{name} is {short_repr(value)}, but it is a whole number {limits}.")


def require_number(
    name: str, value: object, least: float = -MOST, most: float = MOST, limits: str = ""
) -> None:
    """A number from ``least`` to ``most``, which ``limits`` says in words."""
    if not fits(value, least, most):
        raise SearchError(
            f"{name} is {short_repr(value)}, but it is a "
            f"{'' if limits else 'finite '}number{limits}."
        )


def fits(value: object, least: float, most: float) -> TypeGuard[float]:
    """Whether it is a number from ``least`` to ``most``."""
    try:  # as a float, since NumPy's small ones cannot be compared with large numbers
        return is_number(value) and least <= float(value) <= most
    except OverflowError:
        return False


def require_list(
    name: str,
    value: object,
    of: str,
    error: type[MctsVizError] = SearchError,
    letters: bool = False,
) -> list[Any]:
    """What ``value`` goes through, as a range does; with ``letters`` also those of a string."""
    refused = (bytes, type) if letters else (str, bytes, type)
    if isinstance(value, Iterable) and not isinstance(value, refused):
        return list(value)
    raise error(f"{name} is {short_repr(value)}, but it is a list {of}: write {name}=[...].")


def require_function(name: str, value: object, given: str) -> Callable[..., Any]:
    """What can be called with what is ``given``, the names of that in order."""
    if not callable(value):
        raise SearchError(
            f"{name} is {short_repr(value)}, but it is a function of ({given}): pass it by its "
            "name, without quotes or brackets."
        )
    try:
        signature = inspect.signature(value, follow_wrapped=False)
    except Exception:  # some do not tell, such as functions written in C
        return value
    try:
        signature.bind(*given.split(", "))
    except TypeError:
        raise SearchError(
            f"{name} is {called(value)}, which takes {signature}, but it is called with ({given}): "
            "let it take these."
        ) from None
    return value


def called(function: Callable[..., object]) -> str:
    """What an error calls a function."""
    return repr(getattr(getattr(function, "func", function), "__name__", function))


def checked_c(c: float) -> float:
    """The exploration constant as a float; raises ``SearchError`` if it is none."""
    limits = " of at least 0: an exploration constant of 0 explores nothing, 1.41 is usual"
    require_number("c", c, 0, MOST, limits)
    return float(c)


def resolve_seed(seed: int | None) -> int:
    """The seed as an int, picked if there is none; raises ``SearchError`` for anything else."""
    if seed is None:
        return random.SystemRandom().randrange(2**32)
    if not (is_whole(seed) and 0 <= seed <= LARGEST):
        raise SearchError(
            f"seed is {short_repr(seed)}, but a seed is a whole number from 0, of at most 1,000 "
            "digits, such as 4."
        )
    return int(seed)


def check_budget(iterations: int | None, seconds: float | None) -> None:
    """Raise ``SearchError`` unless it says how long a search runs."""
    if iterations is None and seconds is None:
        raise SearchError(
            "The search has no budget: say how long it runs, with iterations=1000 or seconds=1."
        )
    if iterations is not None:
        require_whole("iterations", iterations, 1, LONGEST)
    if seconds is not None:
        require_number("seconds", seconds, sys.float_info.min, MOST, " above 0")
