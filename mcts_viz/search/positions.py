"""Checks of games and of what they answer, where a search begins; and whose fault an error is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from traceback import walk_tb
from types import FrameType
from typing import Any, TypeVar

from ..errors import GameError, MctsVizError, SearchError, reason, short_repr
from ..games import Game, check_game, is_built_in
from ..games.check import inside, remedy_of
from .collector import rare_collections

Made = TypeVar("Made")


def remembered(most: int, make: Callable[..., Made]) -> Callable[..., Made]:
    """``make(game, ...)``, whose last ``most`` answers are kept, but for a game without a hash."""
    kept = lru_cache(maxsize=most)(make)

    def answer(*asked: Any) -> Made:
        try:
            return kept(*asked)
        except TypeError:
            return make(*asked)

    return answer


def check_two_players(
    game: Game[Any, Any], what: str = "minimax is for two: compare searches by playing them instead"
) -> None:
    check_rules(game)
    if len(game.players) != 2:
        count = len(game.players)
        raise SearchError(f"{game.name} has {count} players, but {what}.")


def check_position(game: Game[Any, Any], state: Any, hashed: bool = False) -> None:
    """Raise ``SearchError`` unless the rules understand ``state``.

    A game of the package reads its own texts, so there only what is read back is a position.
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
        raise SearchError(
            f"{short_repr(state)} is no position of {game.name} that its rules understand "
            f"({reason(error)}): pass what game.parse(text) or game.play(state, action) returns, "
            "and a budget by its name, iterations=200."
        ) from error


def check_rules(game: object) -> None:
    """Raise ``SearchError`` for what is no game at all."""
    if isinstance(game, type) or not callable(getattr(game, "legal_actions", None)):
        raise SearchError(
            f"{short_repr(game)} is no game: make one from a class of rules, such as "
            "TicTacToe(), and pass that."
        )


def utility(game: Game[Any, Any], state: Any) -> float:
    """What player 0 gets at the end of a game, in [-1, 1]; player 1 gets its negative."""
    first, second = game.returns(state)
    if abs(first + second) > 1e-9 or not -1 <= first <= 1:
        raise SearchError(
            f"The returns {(first, second)} of {game.name} are not in [-1, 1] or do not sum to "
            "zero, so minimax does not apply: a gain of one player must be the loss of the other."
        )
    return first


def check_returns(game: Game[Any, Any], returns: Any) -> None:
    """Raise ``SearchError`` for what is no result of the game."""
    if remedy := remedy_of(game, "returns", returns):
        raise SearchError(
            f"A game of {game.name} ended with the returns {short_repr(returns)}: {remedy}, in the "
            "game's returns or in the playout policy."
        )


@contextmanager
def explain_game_error(
    game: Game[Any, Any], what: str = "The search cannot go on with this game."
) -> Iterator[None]:
    """See whose fault an error is, in a ``with`` block that asks the ``game`` and others.

    An error raised in somebody's own code, in the game or in a policy, stays what it is. If it
    was a method of the game that failed, a note says what :func:`check_game` finds in that
    method, or in ``play``. What the game answered and the package could not use is a
    ``GameError``; ``what`` could not be done begins its sentence.
    """
    try:
        yield
    except (MctsVizError, RecursionError):
        raise
    except Exception as error:
        frames = [frame for frame, _ in walk_tb(error.__traceback__)]
        methods = {_code_of(game, name): name for name in dir(type(game))}
        method = next((methods[f.f_code] for f in frames if f.f_code in methods), None)
        if method is None and any(map(_is_somebodys, frames)):
            raise  # a policy's or a hook's
        problems = check_game(game, games=3).problems
        if method is None and problems:
            raise GameError(f"{what} {problems[0]}") from error
        for problem in problems:
            if method and problem.startswith((method, "play(")):  # may have led to a wrong state
                error.add_note(f"{what} {problem}")
        raise


@contextmanager
def exact_play(
    game: Game[Any, Any], state: Any, what: str = "The game cannot be walked through."
) -> Iterator[None]:
    """See to a ``with`` block in which exact play looks at all that may follow ``state``.

    It remembers positions, so that they must have a hash.
    """
    check_position(game, state, hashed=True)
    try:
        with rare_collections(), explain_game_error(game, what):
            yield
    except RecursionError:
        raise SearchError(
            f"Games of {game.name} are too long to be solved from the position "
            f"{game.text(state)!r}: start from a later position."
        ) from None


def _code_of(game: object, name: str) -> object:
    return getattr(getattr(type(game), name, None), "__code__", None)


def _is_somebodys(frame: FrameType) -> bool:
    """Whether what runs there is neither the package's nor a library's."""
    module = frame.f_globals.get("__name__", "").split(".")[0]
    known = {"mcts_viz", *sys.stdlib_module_names} - {"__main__"}
    return module not in known and "site-packages" not in frame.f_code.co_filename


def check_root(game: Game[Any, Any], state: Any) -> None:
    """Raise an error for a position that no search can start from.

    Whether a move changes the position it is played in is asked here, once a search.
    """
    check_position(game, state)
    if game.is_terminal(state):
        raise SearchError(
            f"The game is over in the position {game.text(state)!r}, so there is no "
            "move to search for: start from a position that is still in play."
        )
    if is_built_in(game):
        return
    before = inside(state)
    game.play(state, game.legal_actions(state)[0])
    if inside(state) != before:
        raise GameError(
            f"{game.name}: play changes the state that it is given, {before}: build a new state "
            "and return it, since the search comes back to the old one."
        )


def no_state(state: Any, action: Any) -> GameError:
    return GameError(
        f"play({short_repr(state)}, {short_repr(action)}) answered None: did you forget `return`?"
    )


def no_action(game: Game[Any, Any], state: Any) -> SearchError:
    return SearchError(
        f"{game.name} has no legal action in {game.text(state)!r}, yet the game is not over "
        "there: ask check_game(game) what is wrong with it."
    )
