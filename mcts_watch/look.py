"""Look at a tree after each iteration of a search, and write down which numbers have changed.

A look only reads. It starts at the root and goes down where a number or the set of children has
changed, so it costs as much as a path and its siblings, not as much as the tree.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping
from operator import attrgetter
from typing import Any, Final

from mcts_viz.errors import TraceError, require

from .names import USUAL, answer, as_float, fields, usual_name

MOST_NEW: Final = 3_000
"""New nodes without a visit in one look: a search adds a few, a property that builds adds all."""
LOOKS_TO_GROW: Final = 3
"""Looks after which a tree must have grown; some programs add nothing in the first ones."""


WHOLE_LOOKS: Final = 100
"""First looks that read every node: a change below a node that stays the same shows only there."""
MOST_WHOLE_LOOKS: Final = 600
"""Looks that read every node where such changes were seen."""


class Looker:
    """The record of one tree: its nodes, in the order in which they were first seen, and rows."""

    def __init__(self, root: object, given: Mapping[str, Any]) -> None:
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
            known = usual_name(kind, root, self.sources.get("visits"))
            self.sources[kind] = self.given.get(kind) or known
        numbers, family = (
            [self.sources[kind] for kind in ("visits", "wins")],
            self.sources["children"],
        )
        is_named = all(isinstance(name, str) for name in numbers)
        self._quick: Any = attrgetter(*numbers) if is_named else self._slowly
        self._family = family if callable(family) else attrgetter(str(family))
        self._may_build = callable(family) or family not in fields(root)
        """True if asking for children may make some, as a property can."""
        self._whole = WHOLE_LOOKS
        self._number_of(root, -1, None)
        self._write()

    def look(self) -> None:
        """Read what an iteration has changed; ``TraceError`` if a name is of no use after three."""
        self.looks += 1
        self._write()
        if self.looks == LOOKS_TO_GROW:
            self._check_names()

    def knows(self, node: object) -> bool:
        """True for a node that was seen in this tree."""
        return isinstance(node, Hashable) and self._key(node) in self._number

    def children(self, number: int) -> list[int]:
        """The numbers of the children that the node has now."""
        held = answer(self._held, self.nodes[number]) or ()
        return [self._number_of(child, number, key) for key, child in held if child is not None]

    def _new_children(self, number: int) -> list[int]:
        """Children that the node did not have at the last look, though its numbers are the same."""
        known = len(self.nodes)
        return [kid for kid in self.children(number) if kid >= known]

    def _check_names(self) -> None:
        grown = {"children": len(self.nodes) > 1, "visits": any(self.rows[2])}
        for kind, source in ({kind: self.sources[kind] for kind in grown} | self.given).items():
            is_told = any(answer(source, node) is not None for node in self.nodes)
            grows = " that grows" if kind in grown else ""
            known = f"an attribute{grows}, or a function: Watch(root, {kind}=…)"
            require(is_told and grown.get(kind, True), kind, known, source, TraceError)

    def _held(self, node: object) -> list[tuple[Any, Any]]:
        """The children that a node holds, each after its key."""
        held = self._family(node)
        return [*held.items()] if isinstance(held, dict) else [(None, child) for child in held]

    def _number_of(self, node: object, parent: int, key: object) -> int:
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

    def _slowly(self, node: object) -> tuple[float, ...]:
        return tuple([as_float(answer(self.sources[kind], node)) for kind in ("visits", "wins")])

    def _write(self) -> None:
        """Write a row for the root and each node that has changed or is new, and for all above
        it."""
        touched = self._changed()
        if any(number and self.parent[number] not in touched for number in touched):
            self._whole = MOST_WHOLE_LOOKS
        for number in [*touched]:
            while (number := self.parent[number]) >= 0 and number not in touched:
                touched.add(number)
        for number in sorted(touched):
            row = self.looks, number, *map(as_float, self.last[number])
            for column, value in zip(self.rows, row, strict=True):
                column.append(value)

    def _changed(self) -> set[int]:
        """The root, and the nodes whose numbers are new or others than at the last look."""
        touched, known = set[int](), len(self.nodes)
        is_whole = self.looks < self._whole and not self.shared
        todo: list[Iterable[int]] = [range(known) if is_whole else (0,)]
        while todo:
            for number in todo.pop():
                if self._is_changed(number):
                    touched.add(number)
                    todo.append(self.children(number))
                elif is_whole and not self._may_build:
                    todo.append(self._new_children(number))
            if len(self.nodes) - known > MOST_NEW:
                self._check_growth(known)
        return touched

    def _is_changed(self, number: int) -> bool:
        """True for the root, and if a node's numbers are others than at the last look; keep
        them."""
        try:
            now = self._quick(self.nodes[number])
        except Exception:  # a property may fail on some nodes
            now = self._slowly(self.nodes[number])
        is_changed = now != self.last[number] or not number
        if is_changed:
            self.last[number] = now
        return bool(is_changed)

    def _check_growth(self, known: int) -> None:
        """Raise ``TraceError`` if asking for children makes them: the whole game would follow."""
        new = [number for number in range(known, len(self.nodes)) if self.last[number]]
        is_visited = any(as_float(self.last[number][0]) for number in new)
        levels = {self.depth[number] for number in new}
        kind = (
            f"a field, or a function, that only reads: one look met {len(self.nodes) - known:,} "
            "new nodes without a visit; give Watch(root, children=…)"
        )
        is_built = self._may_build and not is_visited and len(levels) > 2
        require(not is_built, "children", kind, self.sources["children"], TraceError)
