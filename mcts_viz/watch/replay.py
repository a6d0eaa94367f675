"""Look at a tree after each iteration of a search, and replay what each iteration has changed.

A look only reads. It starts at the root and goes down where a number or the set of children has
changed, so it costs as much as a path and its siblings, not as much as the tree. A replay finds the
path of each iteration in that record, and which child was chosen from which.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from itertools import groupby
from math import isfinite
from operator import attrgetter, itemgetter
from typing import Any, Final, NamedTuple

import numpy as np

from ..errors import TraceError, require
from ..games import Game
from ..trace.ledger import Rows
from .rules import Array, Choices, read_rule

ANALYSED: Final = 5_000
"""Iterations that are looked into, from the first."""
USUAL: Final = {
    "children": ("^_*(children|childs|kids|successors|branches|edges)$", "child.*(node|list|ren)"),
    "visits": ("visit", "explor", "(^|_)n$", "sims?$|simul|playouts|plays|count"),
    "wins": ("(^|_)wins?$", "total|sum", "(^|_)[wq]($|_)", "value|reward|score|result|util"),
    "move": ("^_*((last|parent|prior|from|prev|incoming)_?)?(move|action|act|a)(_taken)?$",),
    "state": ("^_*(game_?)?(state|board|position|pos|game|env|grid|s)$",),
    "priors": ("prior|^_*p$|prob",),
}
"""The usual names of each kind of attribute, as patterns, likely ones first."""


def as_float(value: Any) -> float:
    """The value as a finite number, 0 for what is none."""
    return float(value) if isinstance(value, int | float | np.number) and isfinite(value) else 0.0


def fields(node: Any) -> dict[str, Any]:
    """The attributes that an object holds itself, in slots or in its ``__dict__``."""
    own = [name for kind in type(node).__mro__ for name in getattr(kind, "__slots__", ())]
    return {name: getattr(node, name) for name in own if hasattr(node, name)} | getattr(node, "__dict__", {})


def told(source: Any, node: Any) -> Any:
    """Return what a node says by a function or the name of an attribute; ``None`` if it fails."""
    try:
        return source(node) if callable(source) else getattr(node, source)
    except Exception:
        return None


def usual_name(kind: str, thing: Any, but: Any = None) -> str | None:
    """The attribute or property of a thing with the likeliest name of that kind, but this one."""
    own = [name for name in fields(thing) if name != but]
    own += [name for of in type(thing).__mro__ for name, v in vars(of).items() if isinstance(v, property)]
    return next((name for usual in USUAL[kind] for name in own if re.search(usual, name, re.I)), None)


class Looker:
    """The record of one tree: its nodes, in the order in which they were first seen, and rows."""

    def __init__(self, root: Any, given: Mapping[str, Any]) -> None:
        self.given = {name: value for name, value in given.items() if value is not None}
        self.sources: dict[str, Any] = {}
        """How a node is asked, by kind: the name of an attribute, or a function, or nothing."""
        self.looks = 0
        self.nodes: list[Any] = []
        self.keys: list[Any] = []
        """The move under which a node's parent keeps it, if it says one."""
        self.parent: list[int] = []
        self.depth: list[int] = []
        self.created_at: list[int] = []
        self.kids: list[list[int]] = []
        self.last: list[tuple[Any, ...]] = []
        """Visits and wins of each node at the last look; nothing before the first."""
        self.shared = False
        """True if a node has several parents; its first one is its parent here."""
        self.rows: tuple[array[Any], ...] = array("i"), array("i"), array("d"), array("d")
        """Look, node, visits and wins, for each node that a look found changed or new."""
        self.by_value = any(map(callable, self.given.values())) and isinstance(root, Hashable)
        """True if nodes may be plain values, which are looked up in tables."""
        self._key: Callable[[Any], Any] = (lambda node: node) if self.by_value else id
        self._number: dict[Any, int] = {}
        for kind in USUAL:
            self.sources[kind] = self.given.get(kind) or usual_name(kind, root, self.sources.get("visits"))
        numbers, family = [self.sources[kind] for kind in ("visits", "wins")], self.sources["children"]
        self._quick: Any = attrgetter(*numbers) if all(isinstance(n, str) for n in numbers) else self._slowly
        self._family = family if callable(family) else attrgetter(str(family))
        self._number_of(root, -1, None)
        self._write()

    def look(self) -> None:
        """Read what an iteration has changed; ``TraceError`` if a name is of no use after three."""
        self.looks += 1
        self._write()
        grown = {"children": len(self.nodes) > 1, "visits": any(self.rows[2])}
        asked = {kind: self.sources[kind] for kind in grown} | self.given if self.looks == 3 else {}
        for kind, source in asked.items():
            is_told = any(told(source, node) is not None for node in self.nodes)
            known = f"an attribute{' that grows' * (kind in grown)}, or a function: Watch(root, {kind}=…)"
            require(is_told and grown.get(kind, True), kind, known, source, TraceError)

    def children(self, number: int) -> list[int]:
        """The numbers of the children that the node has now."""
        held = told(self._held, self.nodes[number]) or ()
        return [self._number_of(child, number, key) for key, child in held if child is not None]

    def _held(self, node: Any) -> list[tuple[Any, Any]]:
        """The children that a node holds, each after its key."""
        held = self._family(node)
        return [*held.items()] if isinstance(held, dict) else [(None, child) for child in held]

    def _number_of(self, node: Any, parent: int, key: Any) -> int:
        """The number of a node, which is given one if it is new."""
        number = self._number.setdefault(self._key(node), len(self.nodes))
        is_new = number == len(self.nodes)
        if is_new:
            self.nodes.append(node)  # held, so that no other object can get its identity
            self.keys.append(key)
            self.parent.append(parent)
            self.depth.append(self.depth[parent] + 1 if number else 0)
            self.created_at.append(self.looks)
            self.kids.append([])
            self.last.append(())
        elif self.parent[number] == parent:
            return number
        self.shared |= not is_new
        if number and number not in self.kids[parent]:
            self.kids[parent].append(number)
        return number

    def _slowly(self, node: Any) -> tuple[float, ...]:
        return tuple([as_float(told(self.sources[kind], node)) for kind in ("visits", "wins")])

    def _write(self) -> None:
        """Write a row for the root and each node that has changed or is new, and for all above it."""
        last, touched, todo = self.last, set(), [[0]]
        while todo:
            for number in todo.pop():
                try:
                    now = self._quick(self.nodes[number])
                except Exception:  # a property may fail on some nodes
                    now = self._slowly(self.nodes[number])
                if now != last[number] or not number:
                    last[number] = now
                    touched.add(number)
                    todo.append(self.children(number))
        for number in [*touched]:
            while (number := self.parent[number]) >= 0 and number not in touched:
                touched.add(number)
        for number in sorted(touched):
            row = self.looks, number, *map(as_float, last[number])
            for column, value in zip(self.rows, row, strict=True):
                column.append(value)


class Step(NamedTuple):
    """An iteration: its path from the root, and how visits and wins changed on it."""

    time: int
    end: int
    """The last node."""
    path: tuple[int, ...]
    visits: tuple[float, ...]
    wins: tuple[float, ...]


def text_of(thing: Any) -> str:
    """A move or a position of a stranger's program as text; nothing for none."""
    return str(told(str, thing) or "") if thing is not None else ""


def squeezed(text: str) -> str:
    """A text without spaces and line breaks."""
    return "".join(text.split())


def changes(node: Array, column: Array) -> Array:
    """By row: how much the column of its node has changed since its last row, or since 0."""
    order, change = np.argsort(node, kind="stable"), np.zeros(len(column))
    is_first = np.diff(node[order], prepend=-1) != 0
    change[order] = np.where(is_first, column[order], np.diff(column[order], prepend=0.0))
    return change.round(9)


class Replay:
    """The steps and choices of a watched search, and the rule by which it selects."""

    def __init__(self, looker: Looker, game: Any) -> None:
        self.looker, self.game, count = looker, game, len(looker.nodes)
        self.chooser = [(depth + 1) % 2 for depth in looker.depth]
        """The player who chose each node: by the rules, else two take turns."""
        self.positions: list[Any] = [None] * count
        self.actions: list[Any] = [None] * count
        """By node, of the rules: its position and its action; ``None`` if they do not know it."""
        with suppress(Exception):  # no game, or one that is not made for such positions
            self._read_moves()
        self.is_read = self.positions[0] is not None
        """True if the program's moves can be read as those of the game."""
        self.is_match = self.is_read and len(game.players) == 2
        time, node, visits, wins = map(np.array, looker.rows)
        # Rewards repeat themselves, so the steps of a sum have few sizes, and those of a mean have
        # many, unless it is multiplied with the visits.
        sums, means = (len(np.unique(abs(changes(node, one)))) for one in (wins, wins * visits))
        wins = wins * visits if means < sums else wins
        is_seen = (visits > 0) | (time == 0) | (np.array(looker.created_at)[node] < time)
        time, node, visits, wins = (column[is_seen] for column in (time, node, visits, wins))
        more, gain, old = changes(node, visits), changes(node, wins), time == 0
        priors = [as_float(self.ask("priors", node)) for node in range(count)]
        self.priors = priors if any(priors) else [1.0] * count
        self.gain = gain[~old]
        """By row: the change of wins."""
        self.before = np.zeros((2, count))
        """Visits and wins of each node before the first iteration."""
        self.before[:, node[old]] = visits[old], wins[old]
        names = ("visits", "wins")
        numbers = dict(zip(names, (visits[~old], wins[~old]), strict=True))
        self.rows = Rows(time[~old], node[~old], numbers, dict(zip(names, self.before, strict=True)))
        self.n, self.w = (column.tolist() for column in self.before)
        """Visits and wins of each node at the end; on the way there, at the time of a step."""
        self.steps: list[Step] = []
        """Iterations with a single path."""
        self._choices, self._children = list[tuple[int, ...]](), list[tuple[float, ...]]()
        columns = (column[~old].tolist() for column in (time, node, more, gain, visits, wins))
        for now, rows in groupby(zip(*columns, strict=True), itemgetter(0)):
            self._replay(now, *zip(*(row[1:] for row in rows), strict=True))
        self.legal = [s for s in self.steps if not self.is_read or self.positions[s.end] is not None]
        """Steps whose last position is known, if any is."""
        every = (zip(step.wins[1:], step.visits[1:], strict=True) for step in self.steps)
        rewards = [won for pairs in every for won, more in pairs if more]
        self.low, self.high = min(rewards, default=0.0), max(rewards, default=1.0)
        choices, children = np.array(self._choices).reshape(-1, 3), np.array(self._children).reshape(-1, 6)
        self.choices = Choices(choices, children, self.chooser)
        self.rule = read_rule(self.choices, self.low, self.high)

    def _replay(self, time: int, path: Any, more: Any, gain: Any, visits: Any, wins: Any) -> None:
        """Replay one iteration."""
        if time <= ANALYSED:
            grown = {node for node, new in zip(path, more, strict=True) if new > 0}
            if len(path) == self.looker.depth[path[-1]] + 1:
                self.steps.append(Step(time, path[-1], path, more, gain))
            for node in path:
                if node in grown or not self.looker.shared:  # else it may have been reached another way
                    self._choose(time, node, grown)
        for node, count, total in zip(path, visits, wins, strict=True):
            self.n[node], self.w[node] = count, total

    def _choose(self, time: int, parent: int, grown: set[int]) -> None:
        """Write down the choice of one child, if the program made one."""
        n, looker = self.n, self.looker
        kids = [kid for kid in looker.kids[parent] if looker.created_at[kid] < time]
        visited = [kid for kid in kids if n[kid] > 0]
        chosen = [kid for kid in kids if kid in grown]
        # Visited again without a child: the game may be over there, and the value an exact one.
        ended = [kid for kid in visited if not looker.kids[kid] and as_float(looker.last[kid][0]) > 1]
        if len(visited) > 1 and len(chosen) == 1 and n[chosen[0]] > 0 and len(ended) in (0, len(visited)):
            first, total = len(self._children), sum(n[kid] for kid in kids)
            above = n[parent] or total, total
            self._choices.append((time, first, first + visited.index(chosen[0])))
            self._children += [(kid, n[kid], self.w[kid], self.priors[kid], *above) for kid in visited]

    def born(self, node: int) -> tuple[int, int]:
        """Return the iteration in which a node was first seen, and the node."""
        return self.looker.created_at[node], node

    # What nodes say -----------------------------------------------------------------------------

    def ask(self, kind: str, node: int) -> Any:
        """Return what a node says of this kind; ``None`` if it says nothing."""
        return self.looker.sources[kind] and told(self.looker.sources[kind], self.looker.nodes[node])

    def move(self, node: int) -> Any:
        """The move that led to a node, as the program says; ``None`` if it does not."""
        key = self.looker.keys[node]
        return self.ask("move", node) if key is None else key

    def state(self, node: int) -> Any:
        """The node's position, as the program has it."""
        is_state = self.looker.sources["state"] is None and self.looker.by_value
        return self.looker.nodes[node] if is_state else self.ask("state", node)

    def is_over(self, node: int) -> bool:
        """True if the rules say that the game is over there."""
        return self.positions[node] is not None and bool(self.game.is_terminal(self.positions[node]))

    def plain(self, node: int) -> str:
        """The program's own text of a position, without spaces and line breaks."""
        return squeezed(text_of(self.state(node)))

    def _start(self) -> Any:
        """The root's position by the rules; ``None`` if that is not sure."""
        game, said, start = self.game, self.state(0), self.game.initial_state()
        with suppress(Exception):
            return game.parse(text_of(said))
        with suppress(Exception):
            is_own = type(game).parse is Game.parse or game.parse(game.text(said)) == said
            if is_own and type(said) is type(start) and game.legal_actions(said):
                return said
        legal = game.legal_actions(start)
        marks = re.sub(r"[][(),'|/]|(?<=\d)\.", "", self.plain(0))
        is_empty = len({*marks}) == 1 and len(marks) > 2 * len(legal)  # a board of zeros, such as NumPy's
        is_unique = {*game.legal_actions(game.play(start, legal[0]))} != {*legal}
        return start if is_empty or (is_unique and len(self.looker.kids[0]) == len(legal)) else None

    def _read_moves(self) -> None:
        """Play the moves by the rules; keep nothing if the position or the moves are not sure."""
        game, looker, start = self.game, self.looker, self._start()
        states, actions, chooser = [start], [None], [(game.to_move(start) - 1) % len(game.players)]
        for node, above in enumerate(looker.parent[1:], 1):
            place, action = states[above], None
            chooser.append(self.chooser[node])
            if place is not None and not game.is_terminal(place):
                chooser[node] = game.to_move(place)
                legal = game.legal_actions(place)
                names = {name: a for a in legal for name in (game.action_label(place, a), str(a))}
                action = names.get(text_of(self.move(node)))
            actions.append(action)
            states.append(None if action is None else game.play(place, action))
        kids = looker.kids[0]
        tried = {actions[kid] for kid in kids}
        is_other = None in tried and not tried >= {*game.legal_actions(start)}  # such as 1 to 9 for 0 to 8
        said = "".join(map(self.plain, kids))
        text = squeezed("".join(game.text(states[kid]) for kid in kids if states[kid] is not None))
        pairs = zip(said, text, strict=True) if len(said) == len(text) else ()
        odd = {one for one, other in pairs if one != other != "."}  # another cell, or O moves first
        is_other |= "." in odd or (game.to_move(start) == 0 and not odd.isdisjoint(text))
        if 2 * states.count(None) < len(states) and not is_other:
            self.positions, self.actions, self.chooser = states, actions, chooser
