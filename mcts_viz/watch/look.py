"""Look at anybody's tree after each of its iterations, and write down how its numbers change.

A look only reads. It starts at the root and goes down where a number or the set of children has
changed, so it costs as much as a path and its siblings, not as much as the tree.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from ..errors import TraceError, short_repr
from .names import (
    Family,
    Source,
    as_float,
    children_of_name,
    guess,
    is_number,
    number_of,
    numbers_at,
    reader,
    source_of,
)

DUMPS: Final = 25
"""Looks at every number of the whole tree, before the names are settled."""
MOST_READ: Final = 3000
"""Nodes that are read when a change is searched for in the whole tree."""


class Looker:
    """The record of one tree: its nodes, in the order in which they were first seen, and rows."""

    def __init__(self, root: Any, given: Mapping[str, Any]) -> None:
        if root is None:
            raise TraceError(
                "root must be the root node of a search; you gave None. Make the root first, "
                "then write Watch(root)."
            )
        self.given = {name: value for name, value in given.items() if value is not None}
        for name, value in self.given.items():
            if not (isinstance(value, str) or callable(value)):
                raise TraceError(
                    f"{name} must be the name of an attribute of a node, or a function of a node; "
                    f"you gave {short_repr(value)}."
                )
        self._slow: Counter[str] = Counter()
        self.sources: dict[str, Source] = {}
        self.looks = 0
        self.nodes: list[Any] = []
        self.parent: list[int] = []
        self.keys: list[Any] = []
        self.places: list[int] = []
        self.created_at: list[int] = []
        self.kids: list[list[int]] = []
        self.shared: list[tuple[int, int, int]] = []
        """Links to a node that another parent had before: look, parent and child."""
        self.start = 0.0
        """The visits that a node starts with, 0 in most programs."""
        self.before: dict[int, tuple[float, float]] = {}
        """By node: visits and wins that it had when it was first seen, if not the usual ones."""
        self.rows: tuple[array[Any], ...] = array("i"), array("i"), array("d"), array("d")
        """Look, node, visits and wins, for each node that a look found changed."""
        self.latest: list[int] = [0]
        """What the last look found changed, and what is new."""
        self._shown = 0
        self.by_value = any(callable(value) for value in self.given.values())
        self._last: list[Any] = []
        self._number: dict[Any, int] = {}
        self._dumps: list[dict[int, dict[str, float]]] = []
        self._family: Callable[[Any], Family] | None = None
        self._quick: Callable[[Any], Any] | None = None
        self._add(root, -1, None, 0)
        self.look(first=True)

    # The tree -----------------------------------------------------------------------------------

    def _add(self, node: Any, parent: int, key: Any, place: int) -> int:
        number = len(self.nodes)
        self._number[self._key(node)] = number
        self.nodes.append(node)  # held, so that no other object can get its identity
        self.parent.append(parent)
        self.keys.append(key)
        self.places.append(place)
        self.created_at.append(self.looks)
        self.kids.append([])
        self._last.append(None)
        if parent >= 0:
            self.kids[parent].append(number)
        return number

    def _key(self, node: Any) -> Any:
        own: Any = type(node).__hash__
        if self.by_value and own is not object.__hash__:
            with suppress(TypeError):
                hash(node)
                return node
        return id(node)

    def _children(self, number: int) -> list[int]:
        """The numbers of the node's children, which are given one if they are new."""
        found = []
        assert self._family
        with suppress(KeyError, IndexError, AttributeError):  # a table has no entry for it yet
            keys, children = self._family(self.nodes[number])
            numbers, key_of, parent = self._number, self._key if self.by_value else id, self.parent
            for place, child in enumerate(children):
                known = numbers.get(key_of(child))
                if known is None:
                    if child is None:
                        continue
                    known = self._add(child, number, keys and keys[place], place)
                elif parent[known] != number and known not in self.kids[number]:
                    self.shared.append((self.looks, number, known))
                    self.kids[number].append(known)
                found.append(known)
        return found

    def place(self, number: int) -> tuple[Any, Any, Any, int]:
        """The node, its parent, its key among the children of that one, and its place there."""
        parent = self.parent[number]
        above = self.nodes[parent] if parent >= 0 else None
        return self.nodes[number], above, self.keys[number], self.places[number]

    def begins_anew(self) -> bool:
        """True if the root has fewer visits than before: then another search has begun."""
        return bool(self.sources) and self._read(0)[0] < self._last[0][0]

    # Looking ------------------------------------------------------------------------------------

    def look(self, first: bool = False) -> None:
        """Read what an iteration has changed; ``first`` before the first one."""
        self.looks += not first
        if self._family is None:
            self._family = children_of_name(self.nodes[0], self.given.get("children"))
        if self._family is None:
            if self.looks >= 3:
                raise TraceError(
                    f"root must have children after three iterations; {short_repr(self.nodes[0])} "
                    "has none that can be found. Say where they are: Watch(root, children=…)."
                )
            self._dumps.append({0: numbers_at(self.place(0), self.given, self._slow)})
        elif self.sources:
            self._walk()
        else:
            self._dumps.append(self._dump())
            self.latest = list(self._dumps[-1])
            if len(self._dumps) > DUMPS:
                self.settle()

    def _dump(self) -> dict[int, dict[str, float]]:
        """All numbers of all nodes, while the tree is small."""
        found: dict[int, dict[str, float]] = {}
        todo = [0]
        while todo and len(found) < MOST_READ:
            number = todo.pop()
            numbers = numbers_at(self.place(number), self.given, self._slow)
            found[number] = numbers
            if numbers.get("visits=") != 0:  # below a position without a visit there is nothing
                todo += [child for child in self._children(number) if child not in found]
        return found

    def settle(self) -> None:
        """Decide which numbers are visits and wins, and write down what was seen until now."""
        if self.sources or not self._dumps or self._family is None:
            return
        dumps, self._dumps, last = self._dumps, [], self.looks
        names = guess(self, dumps)
        self.start = names.start
        self.sources = {
            kind: source_of(name, self.given.get(kind), mean)
            for kind, name, mean in (("visits", names.visits, False), ("wins", *names.wins))
            if name
        }
        for kind, source in self.sources.items():
            if isinstance(self.given.get(kind), str) and not self._finds(source):
                raise TraceError(f"{kind}={source.name!r} must be a number of a node; none has it.")
        self._quick = reader(self.sources, self.nodes[-1])
        visits, wins = names.visits, names.wins[0]
        for self.looks, dump in enumerate(dumps, last - len(dumps) + 1):
            changed = [
                number
                for number, found in dump.items()
                if self._note(number, (found.get(visits, 0.0), found.get(wins or "", 0.0)))
            ]
            self._write(changed)
        self.looks = last

    def _finds(self, source: Source) -> bool:
        """True if some node has a number there."""
        for number in range(len(self.nodes)):
            with suppress(Exception):
                if is_number(source.read(self.place(number))):
                    return True
        return False

    def is_still_child(self, number: int) -> bool:
        """True if the program still has the node among the children of its parent."""
        assert self._family
        with suppress(Exception):
            key = self._key(self.nodes[number])
            children = self._family(self.nodes[self.parent[number]])[1]
            return any(self._key(child) == key for child in children)
        return False

    def _read(self, number: int) -> tuple[Any, Any]:
        if self._quick:
            with suppress(Exception):
                return self._quick(self.nodes[number])  # type: ignore[no-any-return]
        place, sources = self.place(number), self.sources
        visits = number_of(sources["visits"], place)
        return visits, number_of(sources["wins"], place) if "wins" in sources else 0.0

    def _note(self, number: int, now: tuple[Any, Any]) -> bool:
        """Keep what a node shows now; True if it has changed."""
        last = self._last[number]
        if now == last:
            return False
        self._last[number] = now
        if last is None:
            self.before[number] = now
            if self.looks and now[0] != self.start:
                self.before[number] = self.start, 0.0
                return True
            return False
        return True

    def _walk(self) -> None:
        changed, end = self._changes([0])
        stops = not changed or (self.kids[end] and self.created_at[self.kids[end][-1]] < self.looks)
        if stops and len(self.nodes) <= MOST_READ:
            # Nothing changes below a node that has children: a program may skip a node.
            changed += self._changes(list(range(len(self.nodes))))[0]
        self._write(changed)

    def _changes(self, todo: list[int]) -> tuple[list[int], int]:
        """The nodes that have changed, and the last of them, from these downwards."""
        changed, seen, end = [], set(todo), todo[0]
        read, last, nodes, quick = self._read, self._last, self.nodes, self._quick
        new: set[int] = set()
        while todo:
            number = todo.pop()
            if self._note(number, read(number)) or number in new:
                changed.append(number)
                end = number
            for child in self._children(number):
                try:
                    now = quick(nodes[child]) if quick else read(child)
                except Exception:  # a property may fail on some nodes
                    now = read(child)
                changes = now != last[child] and child not in seen
                if changes and (last[child] is not None or self._note(child, now)):
                    todo.append(child)
                    seen.add(child)
                    new.add(child)
        return changed, end

    def _write(self, changed: list[int]) -> None:
        """A row for each node that has changed, and for all above it."""
        touched = set(changed)
        self.latest = [*changed, *range(self._shown, len(self.nodes))]
        self._shown = len(self.nodes)
        for number in changed:
            while (number := self.parent[number]) >= 0 and number not in touched:
                touched.add(number)
        wins = self.sources.get("wins")
        mean = wins is not None and wins.mean
        times, nodes, counts, sums = self.rows
        for number in sorted(touched):
            visits, value = map(as_float, self._last[number])
            times.append(self.looks)
            nodes.append(number)
            counts.append(visits)
            sums.append(value * visits if mean else value)
