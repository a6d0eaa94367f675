"""Where two searches part."""

from __future__ import annotations

from .trace import Trace

__all__ = ["first_difference"]


def first_difference(one: Trace, other: Trace) -> int | None:
    """The first iteration in which two searches did not do the same; ``None`` if they never part.

    The same is: the same moves down the tree, the same playout, the same rewards. Iteration 1, if
    they began elsewhere; one more than the shorter one has, if all that both have is the same.
    """
    if _start(one) != _start(other):
        return 1
    both = min(len(one), len(other))
    for iteration in range(1, both + 1):
        if _deed(one, iteration) != _deed(other, iteration):
            return iteration
    return None if len(one) == len(other) else both + 1


def _start(trace: Trace) -> object:
    game = trace.game
    return type(game), game.name, trace.root_state, int(trace.visits_before[0])


def _deed(trace: Trace, iteration: int) -> object:
    number = iteration - 1
    path = trace.path(int(trace.leaf[number]))
    playout = [trace.actions[code] for code in trace.playouts[iteration]]
    rewards = trace.outcomes[trace.outcome[number]].rewards
    return [trace.action_of(node) for node in path], playout, rewards
