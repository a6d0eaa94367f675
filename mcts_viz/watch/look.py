"""Look at a tree after each iteration of a search, and write down how its numbers change.

A look only reads. It starts at the root and goes down where a number or the set of children has
changed, so it costs as much as a path and its siblings, not as much as the tree. The first looks
read all numbers of a node; how these change says which are visits and wins.
"""

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from math import isfinite
from operator import attrgetter
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError, short_repr

EARLY: Final = 25
"""Looks that read all numbers, before the names are settled."""
MOST_READ: Final = 3000
"""Nodes that are read when a change is searched for in the whole tree."""
WINS: Final = re.compile(r"win|reward|value|total|score|util|result|return|(^|_)[qw]($|_)", re.I)
VISITS: Final = re.compile(r"visit|(^|_)n($|_)|count|sims?$|simul|playouts|explor", re.I)
CHILDREN: Final = re.compile(r"child|kid|succ|branch|edge|next|sub", re.I)
CONTAINERS: Final = dict | list | tuple | set | deque | np.ndarray

Array = NDArray[Any]
Number = int | float | np.number


def as_float(value: Any) -> float:
    """The value as a finite number, 0 for what is none; True and False are none."""
    is_number = isinstance(value, Number) and not isinstance(value, bool)
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


def family_of(value: Any) -> tuple[Iterable[Any], Sequence[Any]]:
    """The moves, if they are known, and the children that a dict or another container holds."""
    if isinstance(value, dict):
        return value.keys(), list(value.values())
    children = value if isinstance(value, list) else list(value)
    return [None] * len(children), children


def holds_nodes(value: Any, root: Any) -> bool:
    """True if the container holds nodes of the root's kind, and is no table of all nodes."""
    children = family_of(value)[1] if isinstance(value, CONTAINERS) else []
    there = [child for child in children if child is not None]
    is_table = any(child is root for child in there)
    return bool(there) and not is_table and all(isinstance(child, type(root)) for child in there)


# Names -------------------------------------------------------------------------------------------


class Seen(NamedTuple):
    """The changes of the first looks, one in a row; ``old`` and ``new`` have a column by name."""

    time: Array
    node: Array
    is_new: Array
    old: Array
    new: Array


def visits_among(names: Sequence[str], seen: Seen, parent: Sequence[int]) -> int:
    """The number that grows by one, at the root and along one path."""
    rated = []
    for place, name in enumerate(names):
        step = seen.new[:, place] - seen.old[:, place]
        moved = step != 0
        if not moved.any() or step.min() < 0:
            continue
        there = {*zip(seen.time[moved].tolist(), seen.node[moved].tolist(), strict=True)}
        above = sum(not node or (time, parent[node]) in there for time, node in there) / len(there)
        often = len({time for time, _ in there}) / max(seen.time)
        known = step[moved & ~seen.is_new]
        fit = above + often + ((known == 1).mean() if len(known) else 1)
        is_usual = bool(VISITS.search(name)) and ("visit" in name.lower() or not WINS.search(name))
        rated.append((fit + is_usual, -place, is_usual))
    rated.sort(reverse=True)
    alike = [one for one in rated if one[0] > max(2.4, rated[0][0] - 0.05)]
    if not alike or (len(alike) > 1 and not alike[0][2]):
        said = [names[-place] for _, place, _ in alike]
        raise TraceError(
            "visits must be a number that grows by one in each iteration, from the root to the new "
            f"node; {' and '.join(said) + ' both do' if said else 'no number of a node does'}. "
            "Name it: Watch(root, visits=…), an attribute or a function of a node."
        )
    return -alike[0][1]


def wins_among(names: Sequence[str], seen: Seen, visits: int) -> tuple[int, bool] | None:
    """The other number that changes only where visits change; and True if it is an average.

    Rewards repeat themselves, so its steps have few sizes: as they are for a sum, and times the
    visits for an average.
    """
    before, after = seen.old[:, visits], seen.new[:, visits]
    moved = before != after
    rated = []
    for place, name in enumerate(names):
        old, new = seen.old[:, place], seen.new[:, place]
        inside, outside = (((old != new) & at & ~seen.is_new).sum() for at in (moved, ~moved))
        is_usual = bool(WINS.search(name)) and not VISITS.search(name)
        if place == visits or re.search(r"sq|var|std", name, re.I):
            continue
        sums, means = (new - old)[moved], (new * after - old * before)[moved]
        strays = outside > 0.02 * moved.sum()
        is_other = not is_usual and (strays or (sums == 1).all())
        if name != "wins=" and (is_other or inside < max(1, outside, 0.05 * moved.sum())):
            continue
        kinds = [len(np.unique(abs(steps).round(6))) for steps in (sums, means)]
        spread = round(5 * min(kinds) / len(sums))
        rated.append((name != "wins=", strays, spread, not is_usual, place, kinds[1] < kinds[0]))
    return min(rated)[-2:] if rated else None


# Looking -----------------------------------------------------------------------------------------


class Looker:
    """The record of one tree: its nodes, in the order in which they were first seen, and rows."""

    def __init__(self, root: Any, given: Mapping[str, Any]) -> None:
        if root is None:
            raise TraceError(
                "root must be the root node of a search; you gave None. Make the root first, "
                "then write Watch(root)."
            )
        self.given = {name: value for name, value in given.items() if value is not None}
        self.names: dict[str, str] = {}
        """The attributes of visits, wins and children; empty until they are settled."""
        self.looks = 0
        self.nodes: list[Any] = []
        self.keys: list[Any] = []
        """The move under which a node's parent keeps it, if it says one."""
        self.parent: list[int] = []
        self.depth: list[int] = []
        self.created_at: list[int] = []
        self.kids: list[list[int]] = []
        self.shared = False
        """True if a node has several parents; its first one is its parent here."""
        self.start = 0.0
        """The visits that a node starts with, 0 in most programs."""
        self.first: dict[int, tuple[float, float]] = {}
        """The visits and wins of the nodes that were there before the first iteration."""
        self.rows: tuple[array[Any], ...] = array("i"), array("i"), array("d"), array("d")
        """Look, node, visits and wins, for each node that a look found changed."""
        self.by_value = any(map(callable, self.given.values()))
        """True if nodes may be plain values, which are looked up in tables."""
        numbers = {f"{kind}=": self.given[kind] for kind in ("visits", "wins") if kind in self.given}
        if len(numbers) < 2:
            kinds = [vars(kind).items() for kind in type(root).__mro__]
            own = [name for name, value in fields(root).items() if isinstance(value, Number)]
            own += [name for kind in kinds for name, value in kind if isinstance(value, property)]
            numbers |= dict(zip(own, own, strict=True))
        self._sources: dict[str, Any] = numbers
        self._read: Callable[[Any], tuple[Any, ...]] = self._slowly
        self._is_mean = False
        self._family: Callable[[Any], Any] | None = None
        self._held_in: Any = None
        self._quick: Callable[[Any], Any] = self._slowly
        self._last: list[Any] = []
        self._now: list[tuple[float, float]] = []
        self._number: dict[Any, int] = {}
        self._edges = 0
        self._add(root, -1, None)
        self._find_family()
        self._early = [self._changes()]

    def _slowly(self, node: Any) -> tuple[float, ...]:
        return tuple([as_float(told(source, node)) for source in self._sources.values()])

    def _quickly(self, node: Any) -> tuple[Any, ...]:
        try:
            return self._quick(node)  # type: ignore[no-any-return]
        except Exception:  # a property may fail on some nodes
            return self._slowly(node)

    def _add(self, node: Any, parent: int, key: Any) -> int:
        number = len(self.nodes)
        self._edges += 1
        self._number[self._key(node)] = number
        self.nodes.append(node)  # held, so that no other object can get its identity
        self.keys.append(key)
        self.parent.append(parent)
        self.depth.append(self.depth[parent] + 1 if number else 0)
        self.created_at.append(self.looks)
        self.kids.append([])
        self._last.append(None)
        self._now.append((self.start, 0.0))
        if number:
            self.kids[parent].append(number)
        return number

    def _key(self, node: Any) -> Any:
        with suppress(TypeError):
            if self.by_value and hash(node) is not None:
                return node
        return id(node)

    def _find_family(self) -> None:
        """Find out how to read a node's children, as soon as the root shows some."""
        root, name = self.nodes[0], self.given.get("children")
        names = [name for name, value in fields(root).items() if holds_nodes(value, root)]
        if name is None and names:
            name = min(names, key=lambda name: not CHILDREN.search(name))
        if callable(name) or (name and told(name, root) is not None):
            self._family = name if callable(name) else attrgetter(name)
            self._held_in = name

    def children(self, number: int) -> list[int]:
        """The numbers of the node's children, which are given one if they are new."""
        known, nodes = self.kids[number], self.nodes
        try:
            held = self._family(nodes[number])  # type: ignore[misc]
            is_known = type(held) is list and held and len(held) == len(known)
            if is_known and held[-1] is nodes[known[-1]]:
                return known
            keys, children = family_of(held)
        except (KeyError, IndexError, AttributeError, TypeError):  # none yet
            return []
        found = []
        for key, child in zip(keys, children, strict=True):
            if child is None:
                continue
            kid = self._number.get(self._key(child))
            if kid is None:
                kid = self._add(child, number, key)
            elif self.parent[kid] != number and kid not in known:
                self.shared = True
                self._edges += 1
                known.append(kid)
            found.append(kid)
        return found

    def look(self) -> None:
        """Read what an iteration has changed."""
        self.looks += 1
        if self._family is None:
            self._find_family()
        if self._family is None and self.looks >= 3:
            where = short_repr(self.given.get("children", self.nodes[0]))
            raise TraceError(
                f"root must have children after three iterations; {where} shows none. Say where "
                "they are: Watch(root, children=…), the name of an attribute or a function."
            )
        if self.names:
            self._write(self.looks, self._changes())
            return
        self._early.append(self._changes())
        if len(self._early) > EARLY:
            self.settle()

    def _changes(self) -> dict[int, Any]:
        """The numbers of the nodes that have changed or are new, from the root downwards."""
        count, edges = len(self.nodes), self._edges
        changed = self._changed_among([0])
        if edges == self._edges and count <= MOST_READ and self.kids[next(reversed(changed), 0)]:
            # The tree does not grow, and the last node has children: the program may skip a node.
            for number in range(count):
                self.children(number)
            changed |= self._changed_among(range(len(self.nodes)))
        return changed

    def _changed_among(self, numbers: Sequence[int]) -> dict[int, Any]:
        """The numbers of those that have changed, and of those below them."""
        read, last, changed, families = self._read, self._last, dict[int, Any](), [numbers]
        while families:
            for number in families.pop():
                now = read(self.nodes[number])
                is_other = now != last[number]
                if is_other:
                    last[number] = changed[number] = now
                if is_other or not number:
                    families.append(self.children(number))
        return changed

    def _write(self, look: int, changed: Mapping[int, Any]) -> None:
        """A row for each node that has changed, and for all above it."""
        touched = set()
        for number, (visits, *values) in changed.items():
            count, value = as_float(visits), as_float(values[0]) if values else 0.0
            numbers = count, value * count if self._is_mean else value
            if not look:
                self.first[number] = numbers
            elif numbers != self._now[number]:
                touched.add(number)
            self._now[number] = numbers
        for number in [*touched]:
            while (number := self.parent[number]) >= 0 and number not in touched:
                touched.add(number)
        for number in sorted(touched):
            for column, value in zip(self.rows, (look, number, *self._now[number]), strict=True):
                column.append(value)

    def settle(self) -> None:
        """Decide which numbers are visits and wins, and write down what was seen until now."""
        if self.names or self._family is None:
            return
        for kind, source in self.given.items():
            if not callable(source) and all(told(source, node) is None for node in self.nodes):
                raise TraceError(
                    f"{kind}={short_repr(source)} must be the name of an attribute that nodes have, "
                    "or a function of a node."
                )
        names, last, events = [*self._sources], dict[int, Any](), list[tuple[Any, ...]]()
        for look, changed in enumerate(self._early):
            for node, now in changed.items():
                old = last.get(node, (0.0,) * len(names))
                events += [(look, node, node not in last, old, now)] * (look > 0)
                last[node] = now
        columns = [np.array([event[place] for event in events]) for place in range(5)]
        shape = len(events), len(names)
        seen = Seen(*columns[:3], *(column.reshape(shape) for column in columns[3:]))
        given = "visits=" in names
        picks = [names.index("visits=") if given else visits_among(names, seen, self.parent)]
        wins = wins_among(names, seen, picks[0])
        if wins:
            picks, self._is_mean = [*picks, wins[0]], wins[1]
        self._sources = {names[place]: self._sources[names[place]] for place in picks}
        for kind, (name, source) in zip(("visits", "wins"), self._sources.items(), strict=False):
            self.names[kind] = source if isinstance(source, str) else name
        if isinstance(self._held_in, str):
            self.names["children"] = self._held_in
        if len(picks) > 1 and not any(map(callable, self._sources.values())):
            self._quick, self._read = attrgetter(*self._sources.values()), self._quickly
        self._last = [now and tuple([now[place] for place in picks]) for now in self._last]
        seen_first: dict[int, float] = {}
        for changed in self._early:
            for node, now in changed.items():
                seen_first.setdefault(node, now[picks[0]])
        root, *others = seen_first.values()
        self.start = root if others and min(others) > root else 0.0
        self._now = [(self.start, 0.0)] * len(self.nodes)
        for look, changed in enumerate(self._early):
            self._write(look, {node: [now[place] for place in picks] for node, now in changed.items()})
        self._early = []
