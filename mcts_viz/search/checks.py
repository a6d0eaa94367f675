"""What an argument must be, and a game: what it is not is said in one sentence.

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

from ..errors import GameError, MctsVizError, SearchError, reason, short_repr
from ..games import Game, check_game, is_built_in
from ..games.check import inside

Made = TypeVar("Made")
MOST: Final = sys.float_info.max
LONGEST: Final = 10**15
"""Iterations of a search: of some thousand years."""
LARGEST: Final = 10**1000
"""Of seeds: Python refuses to write numbers with many more digits, and a seed is to be saved."""


# Arguments -----------------------------------------------------------------------------------


def is_whole(value: object) -> TypeGuard[int]:
    """True if it is a whole number, NumPy's included; True and False are none."""
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def fits(value: object, least: float = -MOST, most: float = MOST) -> TypeGuard[float]:
    """True if it is a real number in these limits, NumPy's included; True and False are none."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    with suppress(OverflowError):  # as a float: NumPy's small ones know no large numbers
        return least <= float(value) <= most
    return False


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
) -> float:
    """A number from ``least`` to ``most``, which ``limits`` says in words."""
    if fits(value, least, most):
        return float(value)
    kind = f"number{limits}" if limits else "finite number"
    raise SearchError(f"{name} is {short_repr(value)}, but it is a {kind}.")


def require_list(
    name: str, value: object, of: str, error: type[MctsVizError] = SearchError
) -> list[Any]:
    """What ``value`` goes through, as a range does."""
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | type):
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
    return require_number("c", c, 0, MOST, limits)


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


# Games and positions -------------------------------------------------------------------------


def check_rules(game: object) -> None:
    """Raise ``SearchError`` for what is no game at all."""
    if isinstance(game, type) or not callable(getattr(game, "legal_actions", None)):
        raise SearchError(
            f"{short_repr(game)} is no game: make one from a class of rules, such as TicTacToe(), "
            "and pass that."
        )


def check_two_players(
    game: Game[Any, Any], what: str = "minimax is for two: compare searches by playing them instead"
) -> None:
    check_rules(game)
    if len(game.players) != 2:
        count = len(game.players)
        raise SearchError(f"{game.name} has {count} players, but {what}.")


def check_position(game: Game[Any, Any], state: Any, hashed: bool = False) -> None:
    """Raise ``SearchError`` unless the rules understand a ``state`` that was handed in.

    A game of the package reads its own texts, so there only what is read back is a position. If
    the rules do not even understand the game's start, the error is the game's and stays what it is.
    """
    try:
        if is_built_in(game) and not isinstance(state, tuple):
            raise TypeError("it is no tuple")
        if hashed:
            hash(state)
        game.is_terminal(state)
        if is_built_in(game) and game.parse(game.text(state)) != state:
            raise ValueError("no game leads to it")
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
        with explain_game_error(game, "The position cannot be looked at."):
            game.is_terminal(game.initial_state())
        raise SearchError(
            f"{short_repr(state)} is no position of {game.name} that its rules understand "
            f"({reason(error)}): pass what game.parse(text) or game.play(state, action) returns, "
            "and a budget by its name, iterations=200."
        ) from error


def check_start(game: Game[Any, Any], state: Any) -> Any:
    """The position to search from, the game's start if it is ``None``.

    Raises an error for one that no search can start from. Whether a move changes the position it is
    played in is asked here, once a search.
    """
    if state is None:
        state = game.initial_state()
        if state is None:
            raise GameError("initial_state() returned None: did you forget `return`?")
    else:
        check_position(game, state)
    if game.is_terminal(state):
        raise SearchError(
            f"The game is over in the position {game.text(state)!r}, so there is no move to "
            "search for: start from a position that is still in play."
        )
    if not is_built_in(game):
        before = inside(state)
        game.play(state, game.legal_actions(state)[0])
        if inside(state) != before:
            raise GameError(
                f"{game.name}: play changes the state that it is given, {before}: build a new "
                "state and return it, since the search comes back to the old one."
            )
    return state


def utility(game: Game[Any, Any], state: Any) -> float:
    """What player 0 gets at the end of a game, in [-1, 1]; player 1 gets its negative."""
    first, second = game.returns(state)
    if abs(first + second) > 1e-9 or not -1 <= first <= 1:
        raise SearchError(
            f"The returns {(first, second)} of {game.name} are not in [-1, 1] or do not sum to "
            "zero, so minimax does not apply: a gain of one player must be the loss of the other."
        )
    return first


def no_action(game: Game[Any, Any], state: Any) -> SearchError:
    return SearchError(
        f"{game.name} has no legal action in {game.text(state)!r}, yet the game is not over "
        "there: ask check_game(game) what is wrong with it."
    )


class UnusableError(TypeError):
    """What a game or a policy has returned cannot be used: which of them is seen to later."""


@contextmanager
def explain_game_error(
    game: Game[Any, Any], what: str = "The search cannot go on with this game."
) -> Iterator[None]:
    """See whose fault an error is, in a ``with`` block that asks the ``game`` and others.

    An error raised in somebody's own code, a game's or a policy's, stays what it is; a note says
    so if :func:`check_game` meets the same error in the game. What the game returned and the
    package could not use is a ``GameError``; its sentence begins with ``what`` could not be done.
    """
    try:
        yield
    except (MctsVizError, RecursionError):
        raise
    except Exception as error:
        problems = () if is_built_in(game) else check_game(game, games=3).problems
        if isinstance(error, UnusableError) and not problems:
            raise SearchError(str(error)) from None
        last = error.__traceback__
        while last and last.tb_next:
            last = last.tb_next
        ours = last and last.tb_frame.f_globals.get("__name__", "").startswith("mcts_viz.")
        if ours and problems:
            raise GameError(f"{what} {problems[0]}") from error
        for problem in problems:
            note = f"{what} {problem}"
            same = f"raises {type(error).__name__}" in problem
            same |= problem.startswith(("play(", "initial_state("))  # may lead to wrong states
            if same and note not in getattr(error, "__notes__", ()):
                error.add_note(note)
        raise


def remembered(most: int, make: Callable[..., Made]) -> Callable[..., Made]:
    """``make(game, ...)``, whose last ``most`` answers are kept, but for a game without a hash."""
    kept = lru_cache(maxsize=most)(make)

    def answer(*asked: Any) -> Made:
        try:
            return kept(*asked)
        except TypeError:
            return make(*asked)

    return answer
