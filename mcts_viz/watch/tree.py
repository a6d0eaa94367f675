"""What nodes say besides their numbers: moves, positions, priors, and who moves where."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property
from math import inf
from typing import Any, Final

import numpy as np

from ..games import ConnectFour, Game, TicTacToe
from .look import Looker, as_float, entry_of, fields, value_of

PATTERNS: Final = {
    "move": re.compile(
        r"^_*((last|parent|prior|from|prev|incoming|in)_?)?(move|action|mv|act|a|play|step)"
        r"(_taken)?$",
        re.I,
    ),
    "state": re.compile(r"^_*(game_?)?(state|board|position|pos|game|env|grid|s)$", re.I),
    "priors": re.compile(r"prior|^_*p$|prob", re.I),
}
"""By kind: names that are usual for it."""
PLAYER: Final = re.compile(r"player|to_?move|turn|to_?play|mover|side|colou?r", re.I)
ASKED: Final = (
    *("current_player", "get_current_player", "getCurrentPlayer", "to_move", "to_play"),
    *("turn", "player", "get_player", "player_to_move", "next_player"),
)
"""Methods of a position that say who is to move."""
NODES: Final = 300
"""Nodes that are asked before something is taken for a player."""


def cells_of(state: Any) -> list[Any]:
    """A position as a flat list of plain values, empty if it is no such thing."""
    if isinstance(state, np.ndarray):
        return list(state.ravel().tolist())
    if isinstance(state, dict):
        state = state.values()
    elif not isinstance(state, str | list | tuple):
        state = fields(state).values()
    flat: list[Any] = []
    for entry in state:
        if isinstance(entry, list | tuple | np.ndarray | str) and len(entry) != 1:
            flat += cells_of(entry)
        elif isinstance(entry, int | float | str | bool | type(None) | np.generic):
            flat.append(entry)
    return flat[:400]


class Tree:
    """What can be read of a watched tree."""

    def __init__(self, looker: Looker, game: Game[Any, Any] | None) -> None:
        self.looker, self.game = looker, game
        self.sources = {kind: looker.given.get(kind) or self._like(kind) for kind in PATTERNS}
        self.positions, self.actions = self.read(game) if game else ([], [])
        self.chooser = [depth % 2 for depth in looker.depth]
        """By node: the number of the player who chose it."""
        self.players = 0
        """How many there are; 0 if nothing tells, and then two are assumed to take turns."""
        self.player_stays = False
        """True if positions say that the same player makes every move."""
        self._find_players()
        if game and self.positions:
            self.players = len(game.players)
            for node, parent in enumerate(looker.parent[1:], 1):
                if self.positions[parent] is not None:
                    self.chooser[node] = game.to_move(self.positions[parent])

    def _like(self, kind: str) -> str | None:
        """The first attribute of a node with a usual name, or one that holds positions as text."""
        node = self.looker.nodes[-1]
        for name in fields(node):
            if PATTERNS[kind].search(name):
                return name
        for name, value in fields(node).items() if kind == "state" else ():
            some = (
                {fields(other).get(name) for other in self.looker.nodes[:10]}
                if isinstance(value, str)
                else set()
            )
            if len(some) > 5 and {*map(type, some)} == {str}:
                return name
        return None

    def _get(self, kind: str, node: int) -> Any:
        source, thing = self.sources[kind], self.looker.nodes[node]
        with suppress(Exception):
            return source(thing) if callable(source) else source and value_of(thing, source)
        return None

    def told_move(self, node: int) -> Any:
        """The move that led to a node, as the program says; ``None`` if it does not."""
        said = self.looker.keys[node]
        return self._get("move", node) if said is None else said

    def move(self, node: int) -> Any:
        """The same, or the node's place among its siblings."""
        said = self.told_move(node)
        return self.looker.places[node] if said is None else said

    def state(self, node: int) -> Any:
        """The node's position, as the program has it."""
        if self.sources["state"] is None and self.looker.by_value:
            return self.looker.nodes[node]
        return self._get("state", node)

    @cached_property
    def priors(self) -> dict[int, float]:
        """By node: its prior, or that of a table on its parent, where the program has priors."""
        if self.sources["priors"] is None:
            return {}
        found = {node: self._get("priors", node) for node in range(1, len(self.looker.nodes))}
        if not any(as_float(value, inf) < inf for value in found.values()):
            for node in found:
                with suppress(Exception):
                    table = self._get("priors", self.looker.parent[node])
                    found[node] = entry_of(table, *self.looker.place(node)[2:])
        numbers = {node: as_float(value) for node, value in found.items()}
        return numbers if any(numbers.values()) else {}

    # Players ------------------------------------------------------------------------------------

    def _said(self, node: int) -> Iterator[tuple[str, Any]]:
        """What a node and its position say that may be the number or the name of a player."""
        state = self.state(node)
        for holder, thing in (("", self.looker.nodes[node]), ("state.", state)):
            for name, value in fields(thing).items():
                if isinstance(value, int | str | np.integer):
                    yield holder + name, value
        for name in ASKED:
            with suppress(Exception):
                yield f"state.{name}()", getattr(state, name)()
        for place, value in enumerate(cells_of(state)):
            yield f"state[{place}]", value

    def _find_players(self) -> None:
        """Who chose each node, from what nodes and positions say of players, else by depth."""
        parent, nodes = self.looker.parent, range(len(self.looker.parent))
        inner = [node for node in nodes if self.looker.kids[node]][:NODES]
        voices: dict[str, dict[int, Any]] = defaultdict(dict)
        for node in inner:
            for name, value in self._said(node):
                voices[name][node] = value
        put: dict[int, set[Any]] = {0: set(), 1: set()}
        single = True
        for node in nodes[1:NODES]:
            pairs = zip(
                cells_of(self.state(parent[node])), cells_of(self.state(node)), strict=False
            )
            changed = [b for a, b in pairs if a != b]
            put[self.chooser[node]].update(changed)
            single = single and len(changed) == 1
        named = [n for n in voices if PLAYER.search(n) and not PATTERNS["move"].search(n)]
        self.player_stays = len(inner) > 6 and (
            any(len({*voices[name].values()}) == 1 for name in named)
            or (single and len(put[0] | put[1]) == 1)
        )
        for name, values in voices.items():
            if len(values) == len(inner) and 2 <= len({*values.values()}) <= 4:
                steps = Counter((values[parent[n]], value) for n, value in values.items() if n)
                if name in named or _rotates(steps):
                    self._choose_by(name, values)
                    return
        if single and all(len(kinds) == 1 for kinds in put.values()) and put[0] != put[1]:
            self.players = 2

    def _choose_by(self, name: str, values: dict[int, Any]) -> None:
        """Players by a voice: that of the parent if it says who is to move, else the node's own."""
        follows, siblings = defaultdict(set), defaultdict(set)
        parent = self.looker.parent
        for node, value in values.items():
            if node:
                follows[values[parent[node]]].add(value)
                siblings[parent[node]].add(value)
        own = all(len(s) == 1 for s in siblings.values()) and max(map(len, follows.values())) > 1
        number: dict[Any, int] = {}
        for node in range(1, len(parent)):
            asked = node if own else parent[node]
            if asked not in values:
                values[asked] = dict(self._said(asked)).get(name)
            self.chooser[node] = number.setdefault(values[asked], len(number))
        self.players = len(number)

    # The rules of a game ------------------------------------------------------------------------

    def read(self, game: Game[Any, Any]) -> tuple[list[Any], list[Any]]:
        """By node: the position that its moves lead to, and its action; ``None`` if one is illegal.

        Both are empty if the program's moves cannot be read as those of the game.
        """
        columns = getattr(game, "columns", 3)

        def changed(node: int) -> int:
            before, after = (cells_of(self.state(n)) for n in (self.looker.parent[node], node))
            return next(i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b)

        def by_label(state: Any, node: int) -> Any:
            said = str(self.told_move(node))
            legal = game.legal_actions(state)
            return next(action for action in legal if game.action_label(state, action) == said)

        ways: list[Callable[[Any, int], Any]] = [
            lambda state, node: self.told_move(node),
            lambda state, node: int(self.told_move(node)),
            lambda state, node: int(np.dot(self.told_move(node), (columns, 1))),
            by_label,
            lambda state, node: int(self.told_move(node)) - 1,
            lambda state, node: changed(node),
            lambda state, node: changed(node) % columns,
        ]
        count = len(self.looker.nodes)
        best: tuple[int, list[Any], list[Any]] = (0, [], [])
        for way in ways:
            states, actions = [self._start(game)], [None]
            for node in range(1, count):
                state, action, after = states[self.looker.parent[node]], None, None
                with suppress(Exception):
                    action = way(state, node)
                    open_ = state is not None and not game.is_terminal(state)
                    if open_ and action in game.legal_actions(state):
                        after = game.play(state, action)
                states.append(after)
                actions.append(action)
                if node == 40 and states.count(None) > 20:
                    break
            legal = sum(state is not None for state in states)
            if len(states) == count and legal > max(best[0] + 5 * bool(best[0]), 0.5 * count):
                best = legal, states, actions
            if legal == count:
                break
        return best[1:]

    def is_over(self, node: int) -> bool:
        """True if the rules are there and say that no game goes on from this node."""
        if not self.game or not self.positions:
            return False
        position = self.positions[node]
        return position is None or self.game.is_terminal(position)

    def _start(self, game: Game[Any, Any]) -> Any:
        """The root's position: as the program has it, if the game reads it, else the first one."""
        said, start = self.state(0), game.initial_state()
        with suppress(Exception):
            if type(said) is type(start) and game.legal_actions(said):
                return said
        with suppress(Exception):
            return game.parse(str(said))
        with suppress(Exception):  # a board of other signs: what the first move puts is the mover's
            cells, after = cells_of(said), cells_of(self.state(self.looker.kids[0][0]))
            blank, mine = next((a, b) for a, b in zip(cells, after, strict=True) if a != b)
            placed = [cell for cell in cells if cell != blank]
            signs = "XO" if 2 * placed.count(mine) == len(placed) else "OX"
            return game.parse("".join("." if c == blank else signs[c != mine] for c in cells))
        return start

    @cached_property
    def likely_game(self) -> tuple[Game[Any, Any], list[Any]] | None:
        """Tic-tac-toe or Connect Four with its positions, if every node is legal there."""
        for size, game in ((9, TicTacToe()), (7, ConnectFour())):
            if len(self.looker.kids[0]) <= size and len(self.looker.nodes) > 30:
                states, _ = self.read(game)
                if (
                    states
                    and None not in states
                    and len(game.legal_actions(states[0])) == len(self.looker.kids[0])
                ):
                    return game, states
        return None


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
