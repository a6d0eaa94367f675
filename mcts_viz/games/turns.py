"""The mover, the player whose wins are counted, and the outcomes of luck: asked here alone.

A game that knows no luck or no rewards need not define them, and a game of one's own that is no
:class:`Game` may lack them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from .protocol import NATURE, NO_CHANCES, Game, Playout, RandomSource, Returns, State

Action = TypeVar("Action")
RULES: Final = {"to_move", "legal_actions", "play", "is_terminal", "returns", "chances", "has_line"}
"""The names of the methods that say how a game goes on and ends."""


def knows_luck(game: Game[Any, Any]) -> bool:
    """True if nature moves in some positions of the game."""
    asked = getattr(type(game), "chances", Game.chances)  # a bandit has a field of this name
    can_say = callable(asked) and asked is not Game.chances
    return can_say and not getattr(game, "without_luck", False)


def pays_on_the_way(game: Game[Any, Any]) -> bool:
    """True if a return is more than the result at the end: steps pay, or there is a discount."""
    pays = getattr(type(game), "reward", Game.reward) is not Game.reward
    return pays or getattr(game, "discount", 1.0) != 1


def fast_playout(game: Game[Any, Any]) -> Callable[[Any, RandomSource], Playout] | None:
    """The faster form of a random playout, if the game has one for the rules that it has now.

    A class that inherits it and changes a rule plays by that rule, and so without it.
    """
    for kind in type(game).__mro__:
        if "fast_playout" in vars(kind):
            break
        if not vars(kind).keys().isdisjoint(RULES):
            return None
    fast: Callable[[Any, RandomSource], Playout] | None = getattr(game, "fast_playout", None)
    return fast


def discount(game: Game[Any, Any]) -> float:
    """The worth of a return a step earlier, in (0, 1]; 1 if the game does not say it."""
    return float(getattr(game, "discount", 1.0))


def value_range(game: Game[Any, Any]) -> tuple[float, float]:
    """The least and the largest return of the game, from -1 to 1 if it does not say them."""
    low, high = getattr(game, "value_range", Game.value_range)
    return float(low), float(high)


def largest(game: Game[Any, Any]) -> float:
    """The size that no return exceeds, 1 or more."""
    return max(1.0, *map(abs, value_range(game)))


def chances(game: Game[State, Any], state: State) -> Mapping[Any, float]:
    """The outcomes where nature moves in a state, with their probabilities; else none."""
    if not knows_luck(game) or game.is_terminal(state):
        return NO_CHANCES
    return game.chances(state)


def mover(game: Game[State, Any], state: State) -> int:
    """The number of the player who moves in a state that is in play, or ``NATURE``."""
    return NATURE if chances(game, state) else game.to_move(state)


def counted_for(mover: int, before: int) -> int:
    """The player whose wins a node counts: the one who moved into it.

    ``mover`` made the move, and the wins of the node above are counted for ``before``. After a
    move of nature they stay that player's: so the mean of a chance node is the mean of what luck
    may bring.
    """
    return before if mover == NATURE else mover


def before_the_start(game: Game[State, Any], state: State) -> int:
    """The player whose wins the root of a search counts: the one before the player to move."""
    first = mover(game, state)
    return (max(0, first) - 1) % len(game.players)


def moves_of(game: Game[State, Any], state: State) -> Sequence[Any]:
    """All that may happen next: legal actions, outcomes where nature moves, nothing at an end."""
    if game.is_terminal(state):
        return ()
    return tuple(chances(game, state)) or game.legal_actions(state)


def drawn(outcomes: Mapping[Action, float], random: RandomSource) -> Action:
    """One of the outcomes, each with its probability, by one random number."""
    left = random.random()
    for outcome, probability in outcomes.items():
        left -= probability
        if left < 0:
            return outcome
    return outcome  # what rounding leaves falls to the last


def gamma(game: Game[State, Any], state: State) -> float:
    """The worth of a return in ``state`` in the position before it."""
    return 1.0 if chances(game, state) else discount(game)


def return_before(reward: Returns, gamma: float, after: Returns) -> Returns:
    """The return of a position, by player: ``G = reward + gamma * G`` of the next one."""
    return tuple([paid + gamma * later for paid, later in zip(reward, after, strict=True)])
