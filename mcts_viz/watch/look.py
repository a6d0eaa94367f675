"""Look at a tree after each iteration of a search, and write down how its numbers change.

A look only reads. It starts at the root and goes down where a number or the set of children has
changed, so it costs as much as a path and its siblings, not as much as the tree. What is visits
and what is wins is guessed from the first looks, which read every number of the tree.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import isfinite, isnan, nan
from operator import attrgetter
from time import perf_counter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..errors import TraceError, short_repr

DUMPS: Final = 25
"""Looks at every number of the whole tree, before the names are settled."""
MOST_READ: Final = 3000
"""Nodes that are read when a change is searched for in the whole tree."""
SLOW: Final = 0.002
"""Seconds; a property that takes longer, three times in a row, is left out from then on."""
WINS: Final = re.compile(r"win|reward|value|total|score|util|result|return|(^|_)[qw]($|_)", re.I)
VISITS: Final = re.compile(r"visit|(^|_)n($|_)|count|sims?$|simul|playouts|explor", re.I)
CONTAINERS: Final = dict | list | tuple | set | frozenset | deque | np.ndarray
CHILDREN: Final = re.compile(r"child|kid|succ|branch|edge|next|sub", re.I)

Place = tuple[Any, Any, Any, int]
"""A node, its parent, its key among the children of that one, and its place there."""
Array = NDArray[Any]


# What an object holds ----------------------------------------------------------------------------


def as_float(value: Any, other: float = 0.0) -> float:
    """The value as a finite number, ``other`` for what is none; True and False are none."""
    plain = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return float(value) if plain and isfinite(value) else other


def fields(node: Any) -> dict[str, Any]:
    """The attributes that an object holds itself: ``__dict__``, slots, fields, or a dict's keys."""
    if isinstance(node, dict):
        return {key: value for key, value in node.items() if isinstance(key, str)}
    names = [getattr(node, "_fields", ()) if isinstance(node, tuple) else ()]
    names += [kind.__dict__.get("__slots__", ()) for kind in type(node).__mro__]
    found = {}
    for slots in names:
        for name in (slots,) if isinstance(slots, str) else slots:
            with suppress(AttributeError):
                found[name] = getattr(node, name)
    return found | getattr(node, "__dict__", {})


def value_of(node: Any, name: str) -> Any:
    """The attribute, or the dict's entry, of that name; a method is called."""
    value = node[name] if isinstance(node, dict) else attrgetter(name)(node)
    return value() if callable(value) else value


def entry_of(value: Any, key: Any, place: int) -> Any:
    """Return the entry for a child in a table on its parent: by its move, else by its place."""
    if isinstance(value, dict):
        return value.get(key)
    index = key if isinstance(key, int | np.integer) else place
    flat = isinstance(value, list | tuple | np.ndarray) and np.ndim(value) == 1
    return value[index] if flat and 0 <= index < len(value) else None


def entries(value: Any) -> dict[str, Any]:
    """Return the entries of a small dict or list, by their keys as they are written."""
    if not isinstance(value, dict | list | tuple | np.ndarray) or len(value) > 4:
        return {}
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    return {f"[{key!r}]": entry for key, entry in pairs}


def told(name: Any, place: Place) -> Any:
    """Return what a node says by a function, or a name: ``visits``, ``N[move]`` or ``stats[0]``.

    ``None`` if it fails.
    """
    with suppress(Exception):
        if callable(name):
            return name(place[0])
        plain, bracket, entry = name.removesuffix("()").partition("[")
        if entry == "move]":
            return entry_of(value_of(place[1], plain), *place[2:])
        value = value_of(place[0], plain)
        return entries(value)[bracket + entry] if bracket else value
    return None


def family_of(value: Any, pairs: bool = True) -> tuple[Sequence[Any] | None, Sequence[Any]]:
    """The keys, if there are some, and the children that a dict, pairs, a list or a set holds."""
    if isinstance(value, dict):
        return list(value), list(value.values())
    children = () if value is None else value if isinstance(value, list) else list(value)
    if pairs and children and type(children[0]) is tuple and len(children[0]) == 2:
        return tuple(zip(*children, strict=True))  # type: ignore[return-value]
    return None, children


def holds_nodes(value: Any, root: Any) -> bool:
    """True if the container holds nodes of the root's kind."""
    if not isinstance(value, CONTAINERS) or not len(value):
        return False
    kinds = set(type(root).__mro__) - set(object.__mro__) - {dict, tuple}
    children = [child for child in family_of(value)[1] if child is not None]
    if isinstance(root, dict):
        return bool(children) and all(isinstance(c, dict) and set(root) & set(c) for c in children)
    is_table = any(child is root for child in children)  # of all nodes that are known
    return bool(children) and not is_table and all(kinds & {*type(c).__mro__} for c in children)


# Names -------------------------------------------------------------------------------------------


class Change:
    """The changes of a number in the first looks, as arrays of looks by nodes."""

    def __init__(self, values: Array, born: Array) -> None:
        self.old, self.new = np.nan_to_num(values[:-1]), np.nan_to_num(values[1:])
        self.there = ~np.isnan(values[1:])
        self.step = np.where(self.there, self.new - self.old, 0).round(9)
        self.moved = self.step != 0
        self.old_nodes = born < np.arange(1, len(values))[:, None]


def visits_among(changes: Mapping[str, Change], parent: Array) -> str:
    """The number that grows by one, at the root and along one path."""
    rated = []
    for name, change in changes.items():
        moved, on_parent = change.moved, name.endswith("[move]")
        if not moved.any() or change.step.min() < 0:
            continue
        above = moved[:, parent] | (on_parent & (parent == 0))
        known = change.old != 0
        known[:, 0] = True
        steps = change.step[moved & known]
        usual = np.unique(steps, return_counts=True)[1].max() / len(steps) if len(steps) else 1.0
        one = (steps == 1).mean() if len(steps) else 1.0
        fit = above[moved].mean() + moved.any(axis=1).mean() + usual + one
        is_visits = "visit" in name.lower()
        hint = 2 if is_visits or re.search(r"(^|_)n($|_)", name, re.I) else bool(VISITS.search(name))
        if WINS.search(name) and not is_visits:
            hint = 0
        plain = 0.2 if on_parent else not name.endswith((")", "]"))
        rated.append((fit + plain + 0.7 * hint, fit, hint, name))
    rated.sort(reverse=True)
    if not rated or (rated[0][1] < 3.2 and not rated[0][2]):
        raise TraceError(
            "visits must be a number that grows by one in each iteration, from the root to the new "
            f"node; none of {', '.join(sorted(changes)[:8]) or 'no number'} does. Name it: "
            "Watch(root, visits=…)."
        )
    best, rival = rated[0], [*rated, (0.0, 0.0, 0, "")][1]
    if rival[0] > best[0] - 0.05 and rival[2] == best[2]:
        raise TraceError(
            f"visits must be one number; both {best[3]} and {rival[3]} behave like visits. Say "
            f'which is meant: Watch(root, visits="{best[3]}").'
        )
    return best[3]


def wins_among(changes: Mapping[str, Change], visits: str) -> tuple[str, bool]:
    """The other number that changes only where visits change; and True if it is an average.

    Rewards repeat themselves, so its steps have few sizes: as they are for a sum, and times the
    visits for an average.
    """
    n = changes[visits]
    total = (n.moved & n.old_nodes).sum()
    rated = []
    for name, w in changes.items():
        at = n.moved & w.there
        sums, averages = w.step[at], (w.new * n.new - w.old * n.old)[at]
        both, elsewhere = ((w.moved & w.old_nodes & at).sum() for at in (n.moved, ~n.moved))
        hint = WINS.search(name.removesuffix("()")) and not VISITS.search(name.split("[")[0])
        strays = elsewhere > 0.02 * total  # only a faulty search changes wins where visits stay
        rare = not both or both < 0.05 * total or elsewhere > total
        if name == visits or re.search(r"sq|var|std", name, re.I):
            continue
        if name != "wins=" and (rare or (not hint and (strays or (sums == 1).all()))):
            continue
        counts = [len(np.unique(abs(steps).round(6))) for steps in (sums, averages)]
        kind = 0 if name.endswith("[move]") else 1 + ")]".find(name[-1])
        spread = round(5 * min(counts) / max(1, len(sums)))
        order = name != "wins=", strays, spread, not hint, kind, counts[1] < counts[0]
        rated.append((*order, name))
    return (min(rated)[-1], min(rated)[-2]) if rated else ("", False)


# Looking -----------------------------------------------------------------------------------------


class Looker:
    """The record of one tree: its nodes, in the order in which they were first seen, and rows."""

    def __init__(self, root: Any, given: Mapping[str, Any], before: int) -> None:
        if root is None:
            raise TraceError(
                "root must be the root node of a search; you gave None. Make the root first, "
                "then write Watch(root)."
            )
        self.given = {name: value for name, value in given.items() if value is not None}
        self.before = before
        """The iterations of another search, which was watched before this one."""
        self.names: dict[str, str] = {}
        """The attributes of visits, wins and children; empty until they are settled."""
        self._held_in = ""
        self.looks = 0
        self.nodes: list[Any] = []
        self.places: list[Place] = []
        self.parent: list[int] = []
        self.created_at: list[int] = []
        self.kids: list[list[int]] = []
        self.depth: list[int] = []
        self.shared: list[tuple[int, int]] = []
        """The look and the node, whenever a node was found below a second parent."""
        self.start = 0.0
        """The visits that a node starts with, 0 in most programs."""
        self.first: dict[int, tuple[float, float]] = {}
        """The visits and wins of a node before the first change that was seen."""
        self.rows: tuple[array[Any], ...] = array("i"), array("i"), array("d"), array("d")
        """Look, node, visits and wins, for each node that a look found changed."""
        self.changed: tuple[int, int] | None = None
        """The look and the node at which a position changed."""
        self.latest = [0]
        """The nodes that the last look found changed or new."""
        self.by_value = any(map(callable, self.given.values()))
        self._sources: list[Any] = []
        self._quick: Callable[[Any], Any] | None = None
        self._is_mean = False
        self._family: Callable[[Any], Any] | None = None
        self._slow: Counter[str] = Counter()
        self._last: list[Any] = []
        self._number: dict[Any, int] = {}
        self._add(root, -1, None, 0)
        self._find_family()
        self._dumps = [self._dump()]

    def _add(self, node: Any, parent: int, key: Any, place: int) -> int:
        number = len(self.nodes)
        self._number[self._key(node)] = number
        self.nodes.append(node)  # held, so that no other object can get its identity
        self.places.append((node, self.nodes[parent] if number else None, key, place))
        self.parent.append(parent)
        self.created_at.append(self.looks)
        self.kids.append([])
        self._last.append(None)
        self.depth.append(self.depth[parent] + 1 if number else 0)
        if number:
            self.kids[parent].append(number)
        self._grew = parent
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
        self._held_in = name if isinstance(name, str) else ""
        if callable(name) or (name and told(name, self.places[0]) is not None):
            self._family = name if callable(name) else lambda node: value_of(node, name)

    def children(self, number: int) -> list[int]:
        """The numbers of the node's children, which are given one if they are new."""
        known, nodes = self.kids[number], self.nodes
        try:
            held = self._family(nodes[number])  # type: ignore[misc]
            is_known = type(held) is list and held and len(held) == len(known)
            if is_known and held[-1] is nodes[known[-1]]:
                return known
            keys, children = family_of(held, not isinstance(nodes[0], tuple))
        except (KeyError, IndexError, AttributeError):  # a table has no entry for it yet
            return []
        found = []
        for place, child in enumerate(children):
            if child is None:
                continue
            kid = self._number.get(self._key(child))
            if kid is None:
                kid = self._add(child, number, keys and keys[place], place)
            elif self.parent[kid] != number and kid not in known:
                self.shared.append((self.looks, kid))
                known.append(kid)
                self._grew = number
            found.append(kid)
        return found

    def is_still_child(self, number: int) -> bool:
        """True if the program still has the node among the children of its parent."""
        return number in self.children(self.parent[number])

    def begins_anew(self) -> bool:
        """True if the root has fewer visits than before: then another search has begun."""
        return bool(self.names) and self._read(0)[0] < self._last[0][0]

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
            self._walk()
            return
        self._dumps.append(self._dump())
        self.latest = list(self._dumps[-1])
        if len(self._dumps) > DUMPS:
            self.settle()

    # All numbers, at first ----------------------------------------------------------------------

    def _dump(self) -> dict[int, dict[str, float]]:
        """Read all numbers of all nodes, while the tree is small."""
        found: dict[int, dict[str, float]] = {}
        todo = [0]
        while todo and len(found) < MOST_READ:
            number = todo.pop()
            found[number] = self._numbers(self.places[number])
            if self._family and found[number].get("visits=", "visits" not in self.given):
                todo += [child for child in self.children(number) if child not in found]
        return found

    def _numbers(self, place: Place) -> dict[str, float]:
        """Read all numbers of a node: its own, its properties, and those that its parent keeps."""
        given = {f"{kind}=": self.given[kind] for kind in ("visits", "wins") if kind in self.given}
        found = {name: as_float(told(source, place), nan) for name, source in given.items()}
        for name in self._names(place) if len(given) < 2 else ():
            begin = perf_counter()
            found[name] = as_float(told(name, place), nan)
            if name.endswith("()"):
                is_slow = perf_counter() - begin >= SLOW
                self._slow[name] = is_slow * (self._slow[name] + 1)
        return {name: value for name, value in found.items() if not isnan(value)}

    def _names(self, place: Place) -> Iterator[str]:
        """The names of all that may be a number."""
        for name, value in fields(place[0]).items():
            yield name
            yield from (name + entry for entry in entries(value))
        for owner in type(place[0]).__mro__:
            for name, value in vars(owner).items():
                if isinstance(value, property) and self._slow[f"{name}()"] < 3:
                    yield f"{name}()"
        yield from (f"{name}[move]" for name in fields(place[1]))

    def settle(self) -> None:
        """Decide which numbers are visits and wins, and write down what was seen until now."""
        if self.names or self._family is None:
            return
        dumps, last = self._dumps, self.looks
        shape = len(dumps), len(self.nodes)
        values: dict[str, Array] = defaultdict(lambda: np.full(shape, nan))
        for look, dump in enumerate(dumps):
            for node, found in dump.items():
                for name, value in found.items():
                    values[name][look, node] = value
        for kind, name in self.given.items():
            is_told = any(told(name, place) is not None for place in self.places)
            is_number = f"{kind}=" in values or kind not in ("visits", "wins")
            if not callable(name) and not (is_told and is_number):
                raise TraceError(
                    f"{kind}={short_repr(name)} must be the name of an attribute that nodes have, "
                    "or a function of a node."
                )
        born, parent = np.array(self.created_at), np.maximum(0, self.parent)
        changes = {name: Change(values[name], born) for name in sorted(values)}
        visits = "visits=" if "visits" in self.given else visits_among(changes, parent)
        wins, self._is_mean = wins_among(changes, visits)
        root, *others = np.nan_to_num(values[visits])[born, range(len(born))].tolist()
        self.start = root if others and min(others) >= root < max(others) else 0.0
        for kind, name in (("visits", visits), ("wins", wins))[: 1 + bool(wins)]:
            source = self.given.get(kind, name)
            self._sources.append(source)
            self.names[kind] = (source if isinstance(source, str) else name).removesuffix("()")
        quick = attrgetter(*self.names.values())
        with suppress(Exception):
            plain = [isinstance(value, int | float) for value in quick(self.nodes[-1])]
            self._quick = quick if all(plain) else None
        for self.looks, dump in enumerate(dumps):
            numbers = {n: (found.get(visits, 0.0), found.get(wins, 0.0)) for n, found in dump.items()}
            self._write([number for number, now in numbers.items() if self._note(number, now)])
        self.looks, self._dumps = last, []
        if self._held_in:
            self.names["children"] = self._held_in

    # Then what has changed ----------------------------------------------------------------------

    def _read(self, number: int) -> tuple[Any, Any]:
        if self._quick:
            try:
                return self._quick(self.nodes[number])  # type: ignore[no-any-return]
            except Exception:  # a property may fail on some nodes
                pass
        found = [as_float(told(source, self.places[number])) for source in self._sources]
        return found[0], found[1] if found[1:] else 0.0

    def _note(self, number: int, now: tuple[Any, Any]) -> bool:
        """Keep what a node shows now; True if it has changed."""
        last = self._last[number]
        self._last[number] = now
        if last is None:
            unseen = self.looks and now[0] != self.start
            last = self.first[number] = (self.start, 0.0) if unseen else now
        return bool(now != last)

    def _walk(self) -> None:
        self._grew = -1  # the last node that was found to have a new child
        known, changed = len(self.nodes), self._changes([0])
        ends = changed and (not self.kids[changed[-1]] or changed[-1] == self._grew)
        skips = not ends or (self.shared and changed[0])
        if skips and len(self.nodes) <= MOST_READ:
            # The path ends at a node with children, or has no root though nodes have several
            # parents: the program may skip a node.
            changed += self._changes(list(range(len(self.nodes))))
        self._write(changed)
        self.latest = [*changed, *range(known, len(self.nodes))]

    def _changes(self, todo: list[int]) -> list[int]:
        """The nodes that have changed, from these downwards."""
        read, last = self._read, self._last
        changed, seen = [number for number in todo if self._note(number, read(number))], set(todo)
        while todo:
            for child in self.children(todo.pop()):
                now = read(child)
                if now != last[child] and child not in seen and self._note(child, now):
                    changed.append(child)
                    todo.append(child)
                    seen.add(child)
        return changed

    def _write(self, changed: list[int]) -> None:
        """A row for each node that has changed, and for all above it."""
        touched = set(changed)
        for number in changed:
            while (number := self.parent[number]) >= 0 and number not in touched:
                touched.add(number)
        times, nodes, counts, sums = self.rows
        for number in sorted(touched):
            visits, value = map(as_float, self._last[number])
            times.append(self.looks)
            nodes.append(number)
            counts.append(visits)
            sums.append(value * visits if self._is_mean else value)
