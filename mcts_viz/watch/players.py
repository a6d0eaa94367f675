"""Who moves where in a tree of which only the objects are known."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

import numpy as np

from .look import Looker
from .names import MOVE, fields

PLAYER: Final = re.compile(r"player|to_?move|turn|to_?play|mover|side|colou?r", re.I)
ASKED: Final = ("current_player", "get_current_player", "getCurrentPlayer", "to_move", "to_play")
ASKED_TOO: Final = ("turn", "player", "get_player", "player_to_move", "next_player")
NODES: Final = 300
"""Nodes that are asked before a number is taken for a player."""


class Players(NamedTuple):
    """Who moves in a tree."""

    chooser: list[int]
    """By node: the number of the player who chose it, in the order of first appearance."""
    many: int
    """How many players there are; 0 if nothing tells, and then two are assumed to take turns."""


def players_of(looker: Looker, states: Any) -> Players:
    """Who chose each node, from what nodes and positions say of players, else by depth."""
    depth = [0]
    for parent in looker.parent[1:]:
        depth.append(depth[parent] + 1)
    inner = [node for node in range(len(depth)) if looker.kids[node]][:NODES]
    voices: dict[str, dict[int, Any]] = defaultdict(dict)
    for node in inner:
        for name, value in _said(looker.nodes[node], states(node)):
            voices[name][node] = value
    for name, values in voices.items():
        if len(values) == len(inner) and 2 <= len(set(values.values())) <= 4:
            steps = Counter(
                (values[looker.parent[node]], value) for node, value in values.items() if node
            )
            if _rotates(steps) or (PLAYER.search(name) and not MOVE.search(name)):
                return _choosers(looker, states, name, values)
    turns = _takes_turns(looker, states, depth)
    return Players([level % 2 for level in depth], 2 if turns else 0)


def _rotates(steps: Counter[tuple[Any, Any]]) -> bool:
    """True if each value is always followed by the same other one, as players in turn are."""
    follows = dict(steps.keys())
    return (
        len(follows) == len(steps) >= 2
        and set(follows) == set(follows.values())
        and all(a != b for a, b in follows.items())
        and min(steps.values()) >= 2
        and steps.total() >= 8
    )


def _said(node: Any, state: Any) -> Iterator[tuple[str, Any]]:
    """What a node and its position say that may be the number or the name of a player."""
    for holder, thing in (("", node), ("state.", state)):
        for name, value in fields(thing).items():
            if isinstance(value, int | str | np.integer):
                yield holder + name, value
    for name in (*ASKED, *ASKED_TOO):
        asked = getattr(state, name, None)
        if callable(asked):
            with suppress(Exception):
                yield f"state.{name}()", asked()
    for place, value in enumerate(cells_of(state)):
        yield f"state[{place}]", value


def cells_of(state: Any) -> list[Any]:
    """A position as a flat list of plain values, empty if it is no such thing."""
    if isinstance(state, np.ndarray):
        return list(state.ravel().tolist())
    if isinstance(state, str):
        return list(state)
    if isinstance(state, dict):
        state = list(state.values())
    elif not isinstance(state, list | tuple):
        state = list(fields(state).values()) if hasattr(state, "__dict__") else [state]
    flat: list[Any] = []
    for entry in state:
        if isinstance(entry, list | tuple | np.ndarray) or (
            isinstance(entry, str) and len(entry) > 1
        ):
            flat += cells_of(entry)
        elif isinstance(entry, int | float | str | bool | type(None) | np.generic):
            flat.append(entry)
    return flat[:400]


def _choosers(looker: Looker, states: Any, name: str, values: dict[int, Any]) -> Players:
    """Players by a voice: that of the parent if it says who is to move, else the node's own."""
    follows = defaultdict(set)
    siblings = defaultdict(set)
    for node, value in values.items():
        if node and looker.parent[node] in values:
            follows[values[looker.parent[node]]].add(value)
            siblings[looker.parent[node]].add(value)
    own = all(len(s) == 1 for s in siblings.values()) and any(len(f) > 1 for f in follows.values())

    def voice(node: int) -> Any:
        if node not in values:
            values[node] = dict(_said(looker.nodes[node], states(node))).get(name)
        return values[node]

    number: dict[Any, int] = {}
    chooser = [0]
    for node in range(1, len(looker.nodes)):
        said = voice(node if own else looker.parent[node])
        chooser.append(number.setdefault(said, len(number)))
    return Players(chooser, len(number))


def player_stays(looker: Looker, states: Any) -> bool:
    """True if nodes say who is to move, or moves put pieces, and it is always the same player."""
    said: dict[str, set[Any]] = defaultdict(set)
    put: set[Any] = set()
    inner = [node for node in range(1, len(looker.nodes)) if looker.kids[node]][:NODES]
    for node in inner:
        for name, value in _said(looker.nodes[node], states(node)):
            if PLAYER.search(name) and not MOVE.search(name):
                said[name].add(value)
        before, after = cells_of(states(looker.parent[node])), cells_of(states(node))
        put |= {b for a, b in zip(before, after, strict=False) if a != b}
    return len(inner) > 5 and (any(len(v) == 1 for v in said.values()) or len(put) == 1)


def _takes_turns(looker: Looker, states: Any, depth: list[int]) -> bool:
    """True if a move puts one piece on a board, of another kind at odd depths than at even ones."""
    put: dict[int, set[Any]] = {0: set(), 1: set()}
    for node in range(1, min(NODES, len(depth))):
        before, after = cells_of(states(looker.parent[node])), cells_of(states(node))
        changed = [b for a, b in zip(before, after, strict=False) if a != b]
        if len(before) != len(after) or len(changed) != 1:
            return False
        put[depth[node] % 2] |= set(changed)
    return all(len(kinds) == 1 for kinds in put.values()) and put[0] != put[1]
