"""Checks of arguments, games and positions: what is wrong is refused in one sentence.

Every function named ``require`` raises ``SearchError``, or the ``error`` that it is given.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from inspect import signature
from math import inf
from random import SystemRandom
from types import BuiltinFunctionType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from ..errors import (
    MOST,
    GameError,
    MctsVizError,
    SearchError,
    counted,
    fits,
    must_be,
    require,
    short_repr,
)
from ..games import GAMES, Bandit, Game, Returns, check_game, turns
from ..games.check import check_answer, holds, inside, kind_of_returns
from ..games.protocol import NO_CHANCES, Action, State
from ..games.refusals import not_a_position, refusal

if TYPE_CHECKING:
    from .mcts import Node

Error: TypeAlias = type[MctsVizError]
Actions: TypeAlias = tuple[Any, ...]
Made = TypeVar("Made")
NUMBERS: Final = {
    "c": (0.0, MOST, "a number of at least 0, such as 1.41"),
    "seconds": (sys.float_info.min, MOST, "a number above 0"),
    "alpha": (sys.float_info.min, 1.0, "a number above 0 and at most 1"),
    "epsilon": (0.0, 1.0, "a number from 0 to 1"),
    "caution": (0.0, MOST, "a number of at least 0"),
}
"""By the name of an argument: the least and the most, and the same in words."""
SLACK: Final = 1e-9
"""By this part of its range a return may be outside: sums of rewards are rounded."""
MOST_REWARD: Final = 1e9
"""The largest reward of one iteration: what a million iterations add up to is still exact."""
MOST_PLAYERS: Final = 100
"""A trace keeps the number of a player in one byte, of which one half is for other things."""
METHODS: Final = tuple(name for name in vars(Game) if not name.startswith("_"))
"""What a game has, each its own or that of :class:`Game`: a picture asks for what a search does
not.
"""
SEED_DIGITS: Final = 120
"""More than any clock or hash has; a film writes all of them."""
BUILT_IN: Final = frozenset(GAMES.values())
"""The package's own games, whose texts are known to be read back exactly."""


# Arguments -----------------------------------------------------------------------------------


def require_number(name: str, value: Any) -> float:
    """A number as :data:`NUMBERS` has it, or any that is finite."""
    least, most, kind = NUMBERS.get(name, (-MOST, MOST, "a finite number"))
    require(fits(value, least, most), name, kind, value)
    return float(value)


def require_whole(
    name: str, value: Any, least: int, most: float = inf, error: Error = SearchError
) -> int:
    """A whole number from ``least`` to ``most``, or without an end."""
    if not fits(value, least, most, whole=True):  # each look at a trace asks
        limits = f"of at least {least}" if most == inf else f"from {least} to {most:,}"
        raise must_be(name, f"a whole number {limits}", value, error)
    return int(value)


def require_list(name: str, value: Any, of: str, error: Error = SearchError) -> list[Any]:
    """The items of a list, a range or another iterable that is not a text."""
    right = isinstance(value, Iterable) and not isinstance(value, str | bytes | type)
    require(right, name, f"a list {of}, {name}=[...]", value, error)
    return list(value)


def actions_along(
    game: Game[State, Any], state: State, moves: Iterable[Hashable], error: Error = SearchError
) -> Actions:
    """The actions of ``moves`` played from ``state``, each given as an action or by its label.

    Raises ``GameError`` for a move that is not legal where it is played.
    """
    actions = []
    for move in require_list("moves", moves, "of moves", error):
        legal = turns.moves_of(game, state)
        meant = [action for action in legal if move in (action, game.action_label(state, action))]
        if not meant:
            raise refusal(game, state, move)
        actions.append(meant[0])
        state = game.play(state, meant[0])
    return tuple(actions)


def require_function(name: str, value: Any, given: str) -> None:
    """A function that can be called with what is ``given``, the names of that in order.

    Functions that Python brings, such as ``min``, are refused: none of them takes these.
    """
    kind = f"a function of ({given})"
    right = callable(value) and not isinstance(value, BuiltinFunctionType)
    require(right, name, f"{kind}, passed by its name, without quotes or brackets", value)
    try:
        takes = signature(value, follow_wrapped=False)
    except ValueError:  # some functions do not tell, such as those written in C
        return
    try:
        takes.bind(*given.split(", "))
    except TypeError:
        raise SearchError(
            f"{name} must be {kind}; you gave {called(value)}, which takes {takes}."
        ) from None


def called(function: Callable[..., object]) -> str:
    """The name of a function in errors."""
    return repr(getattr(getattr(function, "func", function), "__name__", function))


def resolve_seed(seed: int | None) -> int:
    """The seed as an int, picked if there is none."""
    if seed is None:
        return SystemRandom().randrange(2**32)
    kind = f"a whole number of at least 0, with at most {SEED_DIGITS} digits"
    require(fits(seed, 0, 10**SEED_DIGITS - 1, whole=True), "seed", kind, seed)
    return int(seed)


def check_budget(iterations: int | None, seconds: float | None) -> None:
    """Raise ``SearchError`` unless it says how long a search runs."""
    if iterations is None and seconds is None:
        raise SearchError("The search has no budget: give it iterations=1000 or seconds=1.")
    if iterations is not None:
        require_whole("iterations", iterations, 1)
    if seconds is not None:
        require_number("seconds", seconds)


# Games and positions -------------------------------------------------------------------------


def check_rules(game: Any) -> None:
    """Raise ``SearchError`` for anything that has no rules, or lacks what every game has."""
    right = hasattr(game, "legal_actions") and not isinstance(game, type)
    require(right, "game", "made from a class of rules, such as TicTacToe()", game)
    name = type(game).__name__
    for method in METHODS:
        if not hasattr(game, method):
            raise SearchError(f"{name} has no {method}: write class {name}(Game).")
    players = game.players
    right = isinstance(players, tuple | list) and 0 < len(players) <= MOST_PLAYERS
    kind = f"a tuple of 1 to {MOST_PLAYERS} different names, one a player"
    require(right, f"The players of {name}", kind, players)
    for name in ("discount", "value_range"):
        if getattr(game, name) is not getattr(Game, name):
            check_answer(game, name, getattr(game, name))


def check_one_or_two(game: Game[Any, Any]) -> None:
    """Raise ``SearchError`` for a game that has no exact value: one of more than two players."""
    check_rules(game)
    if len(game.players) > 2:
        raise SearchError(
            f"{game.name} has {len(game.players)} players, but exact play is for one or two."
        )
    if isinstance(game, Bandit):  # its draw is a move of the one player's, who would choose it
        raise SearchError(
            "A bandit's ticket is luck and not a choice, so exact play cannot value it: on average "
            "an arm returns 2 * bandit.chance(arm) - 1."
        )


def check_two_players(game: Game[Any, Any], what: str = "minimax is for two") -> None:
    check_rules(game)
    count = len(game.players)
    if count != 2:
        raise SearchError(f"{game.name} has {counted(count, 'player')}, but {what}.")


def check_without_luck(game: Game[Any, Any], what: str) -> None:
    check_rules(game)
    if turns.knows_luck(game):
        raise SearchError(
            f"{what} needs a game without luck, and in {game.name} nature moves. Choose another "
            "game."
        )


def check_position(game: Game[State, Any], state: State, hashed: bool = False) -> None:
    """Raise ``SearchError`` unless the rules understand a ``state`` that was handed in.

    A game of the package reads its own texts, so there a position is what is read back. The error
    of any other game stays what it is.
    """
    known = type(game) not in BUILT_IN
    with suppress(Exception):
        known = known or game.parse(game.text(state)) == state
    if not known:
        raise SearchError(str(not_a_position(game, state)))
    with explain_game_error(game):
        game.is_terminal(state)
        if hashed:
            hash(state)


def check_in_play(game: Game[State, Any], state: State) -> None:
    """Raise ``SearchError`` unless ``state`` is a position in which a player moves."""
    check_position(game, state)
    _check_a_player_moves(game, state)


def _check_a_player_moves(game: Game[State, Any], state: State) -> None:
    if game.is_terminal(state):
        raise SearchError(f"The game is over in {game.text(state)!r}: take an earlier position.")
    if luck := outcomes(game, state):
        remedy = f"play one of her outcomes, such as game.play(state, {next(iter(luck))!r})"
        raise SearchError(f"Nature moves in {game.text(state)!r}: {remedy}.")


def check_start(game: Game[State, Any], state: State) -> Any:
    """The position to search from, the game's start if it is ``None``.

    Raises an error for one that no search can start from. Whether a move changes the position it is
    played in is asked here, once a search.
    """
    if state is None:
        state = game.initial_state()
    else:
        check_position(game, state)
    _check_a_player_moves(game, state)
    if type(game) not in BUILT_IN:
        before = inside(state)
        game.play(state, next(iter(game.legal_actions(state))))
        if inside(state) != before:
            raise GameError(
                f"{game.name}: play changes the state that it is given, {before}: copy it."
            )
    return state


def player_to_move(game: Game[State, Any], state: State) -> int:
    """The number of the player who moves; raises ``GameError`` if it is none."""
    mover = game.to_move(state)
    if not isinstance(mover, bool):
        check_answer(game, "to_move", mover, state)
    return int(mover)


def check_distinct(game: Game[State, Any], state: State, actions: Sequence[Any]) -> None:
    """Raise ``GameError`` if a move is listed twice."""
    with suppress(TypeError):  # moves without a hash are refused where one is needed
        if len({*actions}) < len(actions):
            check_answer(game, "legal_actions", actions, state)


def check_taken_out(rule: Callable[..., object], leaf: Node) -> None:
    """Raise ``SearchError`` if an expansion rule added a move and left it in ``untried``."""
    if not leaf.children or not leaf.untried:
        return
    action = leaf.children[-1].action
    if action in leaf.untried:
        raise SearchError(
            f"The expansion rule {called(rule)} added the move {short_repr(action)} and left it in "
            "leaf.untried, so it would be added again: take it out, as leaf.untried.pop(0) does."
        )


def check_returns(game: Game[Any, Any], returns: Returns, whose: Callable[[], str]) -> None:
    """Raise ``SearchError`` unless ``returns`` holds one number a player, each in the range."""
    low, high = turns.value_range(game)
    slack = (high - low) * SLACK if turns.pays_on_the_way(game) else 0.0
    right = holds(returns, len(game.players), low - slack, high + slack)
    if not (right and isinstance(returns, tuple)):
        raise must_be(whose(), kind_of_returns(game), returns)


def outcomes(game: Game[State, Any], state: State) -> Mapping[Any, float]:
    """The outcomes where nature moves, with their probabilities.

    Raises ``GameError`` if they are wrong, or others when they are asked for again.
    """
    found = turns.chances(game, state)
    if found is NO_CHANCES:
        return found
    check_answer(game, "chances", found, state)
    if type(game) not in BUILT_IN and (again := turns.chances(game, state)) != found:
        raise GameError(
            f"{game.name}: chances({short_repr(state)}) returns {short_repr(found)} and, asked "
            f"again, {short_repr(again)}: let it depend on the state alone."
        )
    return found


def paid(game: Game[State, Action], state: State, action: Action, after: State) -> Returns:
    """The reward of a step, by player; raises ``GameError`` for anything but finite numbers."""
    reward = getattr(game, "reward", None)
    found: Returns = reward(state, action, after) if reward else (0.0,) * len(game.players)
    check_answer(game, "reward", found, state, action, after)
    return found


def utility(game: Game[State, Any], state: State) -> float:
    """Player 0's result at the end of a game, in its range; player 1 gets its negative."""
    first, second = game.returns(state)
    most = turns.largest(game)
    if abs(first + second) > SLACK * most or not -most <= first <= most:
        raise SearchError(
            f"Minimax needs two returns in [{-most:g}, {most:g}] that sum to 0, not "
            f"{(first, second)}."
        )
    return float(first)


def coming_again(game: Game[State, Any], start: State, most: int = 20_000) -> State | None:
    """A position that play from ``start`` may come back to; ``None`` if so many moves show none."""
    line = [(start, iter(turns.moves_of(game, start)))]
    is_open = {start: True}  # False once all after it is known
    while line and most:
        most -= 1
        state, moves = line[-1]
        after = next((game.play(state, move) for move in moves), None)
        if after is None:
            is_open[state] = False
            line.pop()
        elif after not in is_open:
            is_open[after] = True
            line.append((after, iter(turns.moves_of(game, after))))
        elif is_open[after]:
            return after
    return None


def comes_again(game: Game[State, Any], state: State, remedy: str) -> SearchError:
    """The error where looking ahead has no end, as play may come back to ``state``."""
    again = short_repr(game.text(state))
    return SearchError(
        f"Play in {game.name} can come back to a position, such as {again}, and so go on for ever: "
        f"{remedy}."
    )


def no_action(game: Game[State, Any], state: State) -> SearchError:
    return SearchError(
        f"{game.name} has no legal action in {game.text(state)!r}: ask check_game(game)."
    )


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
        for problem in _problems(game):
            if f"raises {type(error).__name__}" in problem and not hasattr(error, "__notes__"):
                error.add_note(f"check_game(game) says: {problem}")
            elif RETURNS in problem:
                raise GameError(f"{game.name}: {problem}") from error
        raise


RETURNS: Final = ") returns "
"""In the sentence of :func:`check_game` about a wrong result of a method."""


def wrong_result(game: Game[Any, Any]) -> str:
    """The sentence about a wrong result of one of the game's methods; "" if there is none."""
    return next((problem for problem in _problems(game) if RETURNS in problem), "")


def _problems(game: Game[Any, Any]) -> tuple[str, ...]:
    """The problems that some random games show; the package's own games have none."""
    return () if type(game) in BUILT_IN else check_game(game, games=3).problems


def remembered(most: int, make: Callable[..., Made]) -> Callable[..., Made]:
    """``make(game, ...)``, whose last ``most`` results are kept, but for a game without a hash."""
    kept = lru_cache(maxsize=most)(make)

    def find(*asked: object) -> Made:
        try:
            return kept(*asked)
        except TypeError:  # it has no hash
            return make(*asked)

    return find
