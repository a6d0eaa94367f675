"""Look at a tree after each iteration of a search, and write down how its numbers change.

A look only reads. It starts at the root and goes down where a number or the set of children has
changed, so it costs as much as a path and its siblings, not as much as the tree.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from math import isfinite
from operator import attrgetter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError, require

Array = NDArray[Any]
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
    is_number = isinstance(value, int | float | np.number)
    return float(value) if is_number and isfinite(value) else 0.0


def fields(node: Any) -> dict[str, Any]:
    """The attributes that an object holds itself, in slots or in its ``__dict__``."""
    slots = [name for kind in type(node).__mro__ for name in getattr(kind, "__slots__", ())]
    found = {name: getattr(node, name) for name in slots if hasattr(node, name)}
    return found | getattr(node, "__dict__", {})


def told(source: Any, node: Any) -> Any:
    """Return what a node says by a function or the name of an attribute; ``None`` if it fails."""
    with suppress(Exception):
        return source(node) if callable(source) else getattr(node, source)
    return None


def usual_name(kind: str, thing: Any, but: Any = None) -> str | None:
    """The attribute or property of a thing with the likeliest name of that kind, but this one."""
    own = [name for name in fields(thing) if name != but]
    own += [name for of in type(thing).__mro__ for name, v in vars(of).items() if isinstance(v, property)]
    found = (name for usual in USUAL[kind] for name in own if re.search(usual, name, re.I))
    return next(found, None)


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
        self._quick: Any = (
            attrgetter(*numbers) if all(isinstance(one, str) for one in numbers) else self._slowly
        )
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
            known = f"an attribute of nodes{' that grows' * (kind in grown)}, or a function: Watch(root, {kind}=…)"
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
        touched, todo = set(), [[0]]
        while todo:
            for number in todo.pop():
                try:
                    now = self._quick(self.nodes[number])
                except Exception:  # a property may fail on some nodes
                    now = self._slowly(self.nodes[number])
                if now != self.last[number] or not number:
                    self.last[number] = now
                    touched.add(number)
                    todo.append(self.children(number))
        for number in [*touched]:
            while (number := self.parent[number]) >= 0 and number not in touched:
                touched.add(number)
        for number in sorted(touched):
            row = self.looks, number, *map(as_float, self.last[number])
            for column, value in zip(self.rows, row, strict=True):
                column.append(value)
