"""Predict first: what the player asks before it shows a step, and what each answer would mean.

Three steps can be predicted: which child of the root selection takes, which move expansion
can add, and what one card says after backpropagation. The right answer and the misconception behind
each wrong one are found here; the player looks them up. An option of the last kind is kept as what
it adds to the card.
"""

from __future__ import annotations

import random
from functools import cache, lru_cache, partial
from itertools import permutations
from typing import Any, Final, NamedTuple

import numpy as np

from ..trace import Trace
from .packing import Array
from .search_film import SearchFilm
from .words import plain, short

LOOKED_INTO: Final = 1000
"""Iterations of which it is asked what is added and what a card says afterwards: the first ones.

To ask about all of a long film would take longer than all else that makes it ready.
"""
CLEAR: Final = 0.01
"""A smaller lead cannot be read off the cards, so nothing is asked."""
ORDERS: Final = list(permutations(range(4)))

BEGIN: Final = "Go on with →: what can be told beforehand is asked before it is shown."
LATER: Final = f"After the first {LOOKED_INTO:,} iterations only the selected move is asked for."
SELECT: Final = "Iteration {k} begins. Which move will be selected at the root?"
EXPAND: Final = "Selection stops {where}. Which move can be added to the tree there?"
ADDED: Final = {
    "right": "Right: {right} is legal there and has no node yet.",
    "had": "{answer} has its node already; expansion adds a move without one. {right} is added.",
    "past": "{answer} was played on the way down and is not legal there. {right} is added.",
    "nothing": "A legal move is left there that has no node yet, so one is added: {right}.",
}
"""What is said to each answer about the move that is added."""
BACK_NEW: Final = (
    "The result: {result}. The new card, after {move}, was moved into by {player}. What will its "
    "wins/visits be?"
)
BACK_OLD: Final = (
    "The result: {result}. The last card of the path that was there before, after {move}, was "
    "moved into by {player} and stands at {share}. What will its wins/visits be?"
)
WRONG: Final = {
    "rate": "{answer} has the highest win rate, but the score decides: win rate and exploration "
    "together. {right} scores {lead} more.",
    "visits": "{answer} has the most visits, but these decide only which move is played in the "
    "end. {right} scores {lead} more.",
    "rate visits": "{answer} has the highest win rate and the most visits, but the score decides: "
    "win rate and exploration together. {right} scores {lead} more.",
    "passed": "{answer} is proven, so the search passes it over. {right} is selected.",
    "score": "{right} is selected: it scores {lead} more than {answer}, and the highest score "
    "decides.",
}
"""By what the chosen move is the best at, what is said to who chose it."""
MISTAKES: Final = {
    "right": "Right.",
    "side": "That is the reward of the other player. {player} moved into this card, so it gets "
    "{player}'s reward; the side changes from card to card.",
    "visit": "The visit is missing: each card of the path gets one, no matter who wins.",
    "win": "That counts a win, whatever the result. The card gets {player}'s reward for it.",
    "player": "Those are the other player's wins. The card counts for {player}, who moved into it.",
    "reward": "The reward is missing: the card gets {player}'s reward for this result.",
}
"""By name: what is said to an answer; the first is the right one."""
_NAMES: Final = list(MISTAKES)


class Option(NamedTuple):
    """An answer to the last question: ``wins`` and ``visits`` are added to the card's own.

    ``wins`` is ``None`` where the other player's wins stand in place of the sum. ``mistake`` is
    a number in ``MISTAKES``, 0 for the right answer.
    """

    wins: float | None
    visits: int
    mistake: int


def question_columns(data: SearchFilm) -> tuple[dict[str, Any], dict[str, Array]]:
    """The sentences, and by iteration shown what is asked; both empty if nothing can be.

    ``ask_right`` is the root's child that is selected (0: do not ask), ``ask_rate`` and
    ``ask_visits`` those with the highest win rate and the most visits before. ``ask_added`` is the
    node that is added (0: do not ask), ``ask_had`` one that is there already, ``ask_past`` one of
    the path whose move is no longer legal (0: there is none). ``ask_set`` is the number of the
    options of the last question, the right one first (0: do not ask), ``ask_other`` the other
    player's wins, ``ask_above`` how far above the leaf the card stands, and
    ``ask_order`` a number in ``ORDERS``.
    """
    columns, sets = _backpropagations(data)
    columns |= _selections(data) | _expansions(data)
    if not any(columns[name].any() for name in ("ask_right", "ask_added", "ask_set")):
        return {}, {}
    facts = {
        "select": SELECT,
        "expand": EXPAND,
        "added": ADDED,
        "backpropagate": [BACK_NEW, BACK_OLD],
        "wrong": WRONG,
        "mistakes": list(MISTAKES.values()),
        "sets": sets,
        "orders": ORDERS,
        "begin": BEGIN if len(data.iterations) <= LOOKED_INTO else f"{BEGIN} {LATER}",
        "shown": {
            "select": "{right} is selected.",
            "expand": "{right} is added.",
            "backpropagate": "It becomes {right}.",
        },
        "score": "{right} of {asked} predicted",
    }
    return facts, columns


# Which move is selected --------------------------------------------------------------------------


def _selections(data: SearchFilm) -> dict[str, Array]:
    asked = np.nan_to_num(data.leads) >= CLEAR
    names = ("ask_right", "ask_rate", "ask_visits")
    if not asked.any():
        return dict.fromkeys(names, np.zeros(len(asked), np.uint32))
    children = np.array(data.trace.children[0])
    right = np.where(asked, data.first_steps[data.iterations - 1], 0)
    visits, wins = data.statistics(children[:, None], data.iterations - 1)
    rates = np.where(visits > 0, wins / np.maximum(visits, 1), -np.inf)
    is_right = children[:, None] == right
    best = [np.where(asked, _best(children, of, is_right), 0) for of in (rates, visits)]
    return dict(zip(names, [column.astype(np.uint32) for column in (right, *best)], strict=True))


def _best(children: Array, values: Array, is_right: Array) -> Array:
    """By iteration: the child of highest value; of equals the selected one, else the first."""
    level = values == values.max(axis=0)
    best: Array = children[(level * 1 + (level & is_right)).argmax(axis=0)]
    return best


# Which move is added -----------------------------------------------------------------------------


def _expansions(data: SearchFilm) -> dict[str, Array]:
    trace = data.trace
    names = ("ask_added", "ask_had", "ask_past")
    columns = np.zeros((3, len(data.iterations)), np.uint32)
    times = data.iterations[:LOOKED_INTO]
    first, end = (np.searchsorted(trace.created_at, times, side) for side in ("left", "right"))
    label = cache(trace.label)

    @cache
    def legal(node: int) -> set[str]:
        state = trace.state(node)
        actions = data.game.legal_actions(state)
        return {data.game.action_label(state, action) for action in actions}

    for place in np.flatnonzero(end - first == 1).tolist():  # one node was added, not several
        node = int(first[place])
        # What may be taken for it: a sibling, or the last move of the path that is not legal now.
        older = trace.children[int(trace.parent[node])][0]
        had = 0 if older == node or plain(label(older)) == plain(label(node)) else older
        *above, parent, _ = trace.path(node)
        past = next((n for n in (parent, *above[::-1]) if n and label(n) not in legal(parent)), 0)
        if had or past:
            columns[:, place] = node, had, past
    return dict(zip(names, columns, strict=True))


# What a card says afterwards ---------------------------------------------------------------------


def _backpropagations(data: SearchFilm) -> tuple[dict[str, Array], list[tuple[Option, ...]]]:
    """The columns, and all different options; the first of these are none."""
    count, trace = len(data.iterations), data.trace
    numbers: dict[tuple[Option, ...], int] = {(): 0}
    asked, above = np.zeros(count, np.uint16), np.zeros(count, np.uint8)
    others = np.zeros(count, np.float32)
    iterations = data.iterations[:LOOKED_INTO]
    node, above[: len(iterations)] = _cards(trace, iterations)
    visits, wins = data.statistics(node, iterations - 1)
    _, after = data.statistics(node, iterations)
    # What a card would say that counted for the other of two players.
    other = ((data.reward_sum or 0.0) * (visits + 1) - after).astype(np.float32)
    candidates = cache(partial(_candidates, data))
    known = (
        trace.outcome[iterations - 1],
        trace.player_just_moved[node],
        visits,
        wins,
        after,
        other,
    )
    moments = zip(*(column.tolist() for column in known), strict=True)
    for place, (result, player_just_moved, *then) in enumerate(moments):
        options = _options(candidates(result, player_just_moved), *then) if node[place] else ()
        if len(options) < 3 or len(numbers) == 2**16:
            continue
        asked[place] = numbers.setdefault(options, len(numbers))
        if any(option.wins is None for option in options):
            others[place] = other[place]
    drawn = random.Random(0).choices(range(len(ORDERS)), k=count)  # the same in every film
    order = np.array(drawn, np.uint8)
    columns: dict[str, Array] = {"ask_set": asked, "ask_above": above}
    return columns | {"ask_other": others, "ask_order": order}, list(numbers)


def _cards(trace: Trace, iterations: Array) -> tuple[Array, Array]:
    """By iteration: the last node of the path that was there before, else the new one (0 if there
    is none but the root); and how far above the path's end it is.
    """
    leaf = trace.leaf[iterations - 1].astype(np.int64)
    node, above = leaf, np.zeros(len(leaf), np.int64)
    while (new := (node > 0) & (trace.created_at[node] == iterations)).any():
        node, above = np.where(new, trace.parent[node], node), above + new
    return np.where(node, node, leaf), np.where(node, above, 0)


def _options(
    candidates: list[Option], visits: int, wins: float, after: float, other: float
) -> tuple[Option, ...]:
    """The right answer and up to three wrong ones, no two alike; none if nothing can be asked."""
    options: dict[str, Option] = {}
    for option in candidates:
        total = other if option.wins is None else wins + option.wins
        options.setdefault(f"{_short(total)}/{visits + option.visits}", option)
    if next(iter(options)) != f"{_short(after)}/{visits + 1}":
        return ()  # rounded another way; nothing is asked rather than something wrong
    return tuple(options.values())[:4]


_short = lru_cache(maxsize=10_000)(short)


def _candidates(data: SearchFilm, result: int, player_just_moved: int) -> list[Option]:
    """What may be answered where a card gets its reward for this result."""
    rewards = data.trace.outcomes[result].rewards
    own, others, number = rewards[player_just_moved], rewards[player_just_moved - 1], _NAMES.index
    options = [Option(own, 1, number("right"))]
    if len(rewards) > 1:
        options.append(Option(others, 1, number("side")))
    options.append(Option(own, 0, number("visit")))
    options.append(Option(float(data.rewards.max()), 1, number("win")))
    if len(rewards) == 2 and data.reward_sum is not None:
        options.append(Option(None, 1, number("player")))
    return [*options, Option(0.0, 1, number("reward"))]
