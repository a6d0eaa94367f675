"""Checks of arguments, games and positions: what is wrong is refused in one sentence.

Every function named ``require`` raises ``SearchError``, or the ``error`` that it is given.
"""

from __future__ import annotations

import inspect
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from math import inf
from numbers import Integral, Real
from typing import Any, Final, TypeGuard, TypeVar

from ..errors import GameError, MctsVizError, SearchError, reason, require, short_repr
from ..games import GAMES, Game, check_game
from ..games.check import inside, remedy_of

Made = TypeVar("Made")
MOST: Final = sys.float_info.max
LARGEST: Final = 10**1000
"""Of seeds: Python refuses to write numbers with many more digits, and a seed is to be saved."""


# Arguments -----------------------------------------------------------------------------------


def fits(value: Any, least: float = -MOST, most: float = MOST, *, whole: bool = False) -> TypeGuard[float]:
    """True for a real or ``whole`` number in these limits, NumPy's included, but not for True."""
    kind: Any = Integral if whole else Real
    if isinstance(value, bool) or not isinstance(value, kind):
        return False
    with suppress(OverflowError):  # NumPy's small numbers cannot be compared with large ones
        return bool(least <= (int if whole else float)(value) <= most)
    return False


def require_whole(
    name: str,
    value: object,
    least: int,
    most: int | None = None,
    error: type[MctsVizError] = SearchError,
) -> int:
    """A whole number from ``least`` to ``most``, or without an end."""
    limits = f"of at least {least}" if most is None else f"from {least} to {most:,}"
    right = fits(value, least, inf if most is None else most, whole=True)
    require(right, name, f"a whole number {limits}", value, error)
    return int(value)  # type: ignore[call-overload, no-any-return]


def require_number(
    name: str, value: Any, least: float = -MOST, most: float = MOST, kind: str = "a finite number"
) -> float:
    """A number from ``least`` to ``most``, which ``kind`` says in words."""
    require(fits(value, least, most), name, kind, value)
    return float(value)


def require_list(name: str, value: object, of: str, error: type[MctsVizError] = SearchError) -> list[Any]:
    """The items of a list, a range or another iterable that is not a text."""
    right = isinstance(value, Iterable) and not isinstance(value, str | bytes | type)
    require(right, name, f"a list {of}, {name}=[...]", value, error)
    return list(value)  # type: ignore[call-overload, no-any-return]


def require_function(name: str, value: Any, given: str) -> Callable[..., Any]:
    """A function that can be called with what is ``given``, the names of that in order."""
    kind = f"a function of ({given}), passed by its name, without quotes or brackets"
    require(callable(value), name, kind, value)
    try:
        signature = inspect.signature(value, follow_wrapped=False)
    except Exception:  # some do not tell, such as functions written in C
        return value  # type: ignore[no-any-return]
    try:
        signature.bind(*given.split(", "))
    except TypeError:
        raise SearchError(
            f"{name} must take ({given}); you gave {called(value)}, which takes {signature}."
        ) from None
    return value  # type: ignore[no-any-return]


def called(function: Callable[..., object]) -> str:
    """The name of a function in errors."""
    return repr(getattr(getattr(function, "func", function), "__name__", function))


def checked_c(c: float) -> float:
    """The exploration constant as a float; raises ``SearchError`` unless it is one."""
    return require_number("c", c, 0, MOST, "a number of at least 0, such as 1.41")


def resolve_seed(seed: int | None) -> int:
    """The seed as an int, picked if there is none; raises ``SearchError`` for anything else."""
    if seed is None:
        return random.SystemRandom().randrange(2**32)
    kind = "a whole number from 0, of at most 1,000 digits, such as 4"
    require(fits(seed, 0, LARGEST, whole=True), "seed", kind, seed)
    return int(seed)


def check_budget(iterations: int | None, seconds: float | None) -> None:
    """Raise ``SearchError`` unless it says how long a search runs."""
    if iterations is None and seconds is None:
        raise SearchError("The search has no budget: give it iterations=1000 or seconds=1.")
    if iterations is not None:
        require_whole("iterations", iterations, 1)
    if seconds is not None:
        require_number("seconds", seconds, sys.float_info.min, MOST, "a number above 0")


# Games and positions -------------------------------------------------------------------------


def is_built_in(game: object) -> bool:
    """True for a registered game, whose texts are known to be read back exactly."""
    return type(game) in GAMES.values()


def check_rules(game: object) -> None:
    """Raise ``SearchError`` for anything that has no rules."""
    right = callable(getattr(game, "legal_actions", None)) and not isinstance(game, type)
    require(right, "game", "made from a class of rules, such as TicTacToe()", game)


def check_two_players(
    game: Game[Any, Any], what: str = "minimax is for two: compare searches by playing them instead"
) -> None:
    check_rules(game)
    if len(game.players) != 2:
        count = len(game.players)
        raise SearchError(f"{game.name} has {count} player{'s' * (count != 1)}, but {what}.")


MISREADS = (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, NameError)
"""Errors of rules that do not understand a state; a ``NameError`` is always their own."""


def check_position(game: Game[Any, Any], state: Any, hashed: bool = False) -> None:
    """Raise ``SearchError`` unless the rules understand a ``state`` that was handed in.

    A game of the package reads its own texts, so there a position is what is read back. If the
    game has faults of its own, the error is the game's and stays what it is.
    """
    try:
        if hashed:
            hash(state)
        if is_built_in(game) and game.parse(game.text(state)) != state:
            raise ValueError("no game leads to it")
        game.is_terminal(state)
    except MISREADS as error:
        with explain_game_error(game):
            if isinstance(error, NameError) or not (is_built_in(game) or check_game(game, games=3)):
                raise
        raise SearchError(
            f"The state must be a position of {game.name}, as game.parse(text) or "
            f"game.play(state, action) returns it; you gave {short_repr(state)} ({reason(error)})."
        ) from error


def check_start(game: Game[Any, Any], state: Any) -> Any:
    """The position to search from, the game's start if it is ``None``.

    Raises an error for one that no search can start from. Whether a move changes the position it is
    played in is asked here, once a search.
    """
    if state is None:
        state = game.initial_state()
        if state is None:
            raise wrong(game, "initial_state", state)
    else:
        check_position(game, state)
    if over := game.is_terminal(state):
        if over != 1:  # NumPy's True is true enough
            raise wrong(game, "is_terminal", over)
        raise SearchError(f"The game is over in {game.text(state)!r}: start earlier.")
    if not is_built_in(game):
        before, legal = inside(state), game.legal_actions(state)
        different = dict.fromkeys(legal)  # moves must have a hash
        game.play(state, next(iter(different)))
        if len(different) < len(legal):
            raise wrong(game, "legal_actions", legal)
        if inside(state) != before:
            raise GameError(
                f"{game.name}: play changes the state that it is given, {before}: build a new "
                "state and return it, since the search comes back to the old one."
            )
    return state


def wrong(game: Game[Any, Any], method: str, returned: Any) -> GameError:
    """The error of a ``method`` that returned what it must not."""
    remedy = remedy_of(game, method, returned)
    return GameError(f"{game.name}: {method} returns {short_repr(returned)}: {remedy}.")


def utility(game: Game[Any, Any], state: Any) -> float:
    """Player 0's result at the end of a game, in [-1, 1]; player 1 gets its negative."""
    first, second = game.returns(state)
    if abs(first + second) > 1e-9 or not -1 <= first <= 1:
        raise SearchError(f"Minimax needs two returns in [-1, 1] that sum to 0, not {(first, second)}.")
    return first


def no_action(game: Game[Any, Any], state: Any) -> SearchError:
    return SearchError(f"{game.name} has no legal action in {game.text(state)!r}: ask check_game(game).")


@contextmanager
def explain_game_error(game: Game[Any, Any]) -> Iterator[None]:
    """See whose fault an error is, in a ``with`` block that asks the ``game`` and others.

    If :func:`check_game` meets the same error, it stays its author's and gets a note; if it meets a
    wrong result instead, that is raised as a ``GameError``. Any other error stays what it is.
    """
    try:
        yield
    except (MctsVizError, RecursionError):
        raise
    except Exception as error:
        problems = () if is_built_in(game) else check_game(game, games=3).problems
        for problem in problems:
            if f"raises {type(error).__name__}" in problem and not hasattr(error, "__notes__"):
                error.add_note(f"check_game(game) says: {problem}")
            elif ") returns " in problem:
                raise GameError(f"{game.name}: {problem}") from error
        raise


def remembered(most: int, make: Callable[..., Made]) -> Callable[..., Made]:
    """``make(game, ...)``, whose last ``most`` results are kept, but for a game without a hash."""
    kept = lru_cache(maxsize=most)(make)

    def find(*asked: Any) -> Made:
        try:
            return kept(*asked)
        except TypeError:
            return make(*asked)

    return find
