"""The return of a walk where steps pay, part by part; and whether nodes got this return.

A step is a move with the luck that follows it, as in a Markov decision process.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games import turns
from ..search import half_for_a_draw
from ..search.statistics import RETURNS, WINS
from ..trace import Trace
from .words import ROUNDING, plain, short, small

RUN: Final = 4
"""So many equal parts in a row are counted, not listed."""
LISTED: Final = 6
"""Parts of a return that are listed; of more, those in the middle are left out."""
NOTHING: Final = 1e-9
"""A part smaller than this is none: it comes of rounding."""


class _Step(NamedTuple):
    """The reward of a move or an outcome, by player, and the worth of what comes later."""

    paid: tuple[float, ...]
    gamma: float
    goes_on: bool
    """True if nature moves next, so that the step is not over."""


def told(trace: Trace, iteration: int) -> str:
    """The returns that an iteration backs up, by their parts: of its first step and of its last.

    Each is the return of the step and all after it, for the player whose wins the node counts to
    which it leads.
    """
    path = trace.path(int(trace.leaf[iteration - 1]))
    steps, rest = _walked(trace, iteration, path)
    if len(path) == 1:
        return f"The playout brings {_parts(trace, steps, rest, path[0])}."
    if len(path) == 2:
        return f"The step and all after it bring {_parts(trace, steps, rest, path[1])}."
    first = _parts(trace, steps, rest, path[1])
    last = _parts(trace, steps[len(path) - 2 :], rest, path[-1])
    return (
        f"The first step and all after it bring {first}. "
        f"The step to the last node and all after it bring {last}."
    )


def _walked(
    trace: Trace, iteration: int, path: tuple[int, ...]
) -> tuple[list[_Step], tuple[float, ...]]:
    """All steps of an iteration, those of its playout too, and what the end is worth itself."""
    steps = [_step(trace, *pair) for pair in _pairs(trace, path)]
    game = trace.game
    state, factor = game.playout_from(trace.state(path[-1])), 1.0
    rest = np.array(trace.outcomes[trace.outcome[iteration - 1]].returns, float)
    largest = max(1.0, *abs(rest))
    for code in trace.playouts[iteration].tolist():
        action = trace.actions[code]
        after = game.play(state, action)
        steps.append(_step(trace, state, action, after))
        part = factor * np.array(steps[-1].paid)
        rest -= part
        largest = max(largest, *abs(part))
        factor *= steps[-1].gamma
        state = after
    end = np.array(game.returns(state) if game.is_terminal(state) else np.zeros(len(rest)))
    # A division by a discount over many steps would make a number of what was rounded.
    is_rounded = np.allclose(rest, factor * end, rtol=0, atol=ROUNDING * largest)
    worth = end if is_rounded or not factor else rest / factor
    return steps, tuple(worth.tolist())


def _pairs(trace: Trace, path: tuple[int, ...]) -> Iterator[tuple[Any, Any, Any]]:
    """Along a path: the position before each step, its action, and the position after it."""
    for before, after in pairwise(path):
        yield trace.state(before), trace.action_of(after), trace.state(after)


def _step(trace: Trace, state: Any, action: Any, after: Any) -> _Step:
    game = trace.game
    goes_on = bool(turns.chances(game, after))
    return _Step(game.reward(state, action, after), turns.gamma(game, after), goes_on)


def _parts(trace: Trace, steps: list[_Step], rest: tuple[float, ...], node: int) -> str:
    """A return by its parts: "-1 -1 +10, discounted by 0.9 a step: 6.2"; "+10" of one part."""
    player, game = int(trace.player_just_moved[node]), trace.game
    parts: list[float] = []
    total = paid = 0.0
    factor = 1.0
    for step in steps:
        total += factor * step.paid[player]
        factor *= step.gamma
        paid += step.paid[player]
        if not step.goes_on:
            parts.append(paid)
            paid = 0.0
    total += factor * rest[player]
    if abs(rest[player]) > NOTHING or not parts:
        parts.append(rest[player] + paid)
    elif paid:
        parts.append(paid)
    who = f"{plain(game.players[player])} " if len(game.players) > 1 else ""
    if len(parts) == 1:
        return f"{who}{_signed(total)}"
    discount = turns.discount(game)
    by = f", discounted by {small(discount)} a step" if discount != 1 else ""
    return f"{who}{_listed(parts)}{by}: {short(total)}"


def _listed(parts: list[float]) -> str:
    """Parts with their signs, equal ones in a row counted, and not endless."""
    words: list[tuple[str, int]] = []
    for said, run in groupby(map(_signed, parts)):
        many = len([*run])
        if many < RUN:
            words += [(said, 1)] * many
        else:
            words.append((f"{many}\N{MULTIPLICATION SIGN}({said})", many))
    half = LISTED // 2
    between = words[half:-half] if len(words) > LISTED else []
    if between:
        left_out = sum(many for _, many in between)
        words[half:-half] = [(f"… {left_out} more …", left_out)]
    return " ".join(said for said, _ in words)


def _signed(part: float) -> str:
    """A part of a sum."""
    text = short(abs(part))
    if text == "0":
        return text
    return f"{'-' if part < 0 else '+'}{text}"


def are_backed_up(trace: Trace) -> bool:
    """True if the nodes have been given these returns: else the search counts its own way."""
    spec, game = trace.spec, trace.game
    low, high = turns.value_range(game)
    sums = {name: trace.ledger.before[name].astype(float) for name in trace.ledger.before}
    nodes, returns = trace.leaf, np.array([each.returns for each in trace.outcomes], float)
    returns = returns.reshape(-1, len(game.players))[trace.outcome]
    paid, gamma = _of_nodes(trace)
    while len(nodes):
        returns = paid[nodes] + gamma[nodes, None] * returns
        gained = returns[np.arange(len(nodes)), trace.player_just_moved[nodes]]
        for name, gain in ((RETURNS.name, gained), (WINS.name, (gained - low) / (high - low))):
            if name in sums:
                sums[name] += np.bincount(nodes.astype(np.intp), gain, len(paid))
        nodes = trace.parent[nodes]
        returns, nodes = returns[nodes >= 0], nodes[nodes >= 0]
    names = [RETURNS.name]
    if spec.reward is half_for_a_draw:  # of another rule no more is known than its results
        names.append(WINS.name)
    last = {name: trace.numbers(name, trace.iterations) for name in names if name in sums}
    return all(np.allclose(sums[name], now, rtol=1e-9, atol=1e-6) for name, now in last.items())


def _of_nodes(trace: Trace) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each node: what the step to it paid, by player, and what comes after is worth."""
    paid = np.zeros((len(trace.parent), len(trace.game.players)))
    gamma = np.ones(len(trace.parent))
    for node in range(1, len(paid)):
        (step,) = _pairs(trace, (int(trace.parent[node]), node))
        found = _step(trace, *step)
        paid[node], gamma[node] = found.paid, found.gamma
    return paid, gamma
