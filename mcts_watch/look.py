"""Look at a tree after each iteration of a search, and write down which numbers have changed.

A look only reads. It starts at the root and goes down where a number or the set of children has
changed, so it costs as much as a path and its siblings, not as much as the tree.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import attrgetter, is_
from typing import Any, Final

import numpy as np

from mcts_viz.errors import TraceError, require

from .names import (
    USUAL,
    among_values,
    answer,
    as_float,
    fields,
    is_by_move,
    is_table,
    likely_first,
    linked,
    player_to_move,
    text_of,
    usual_name,
)

MOST_NEW: Final = 3_000
"""New nodes without a visit in one look: a search adds a few, a property that builds adds all."""
LOOKS_TO_GROW: Final = 3
"""Looks after which a tree must have grown; some programs add nothing in the first ones."""


WHOLE_LOOKS: Final = 100
"""First looks that read every node: a change below a node that stays the same shows only there."""
MOST_WHOLE_LOOKS: Final = 600
"""Looks that read every node where such changes were seen."""


STILL: Final = (
    "; or the root, if each iteration makes a new one, as a function: Watch(lambda: search.root)"
)
"""What else may be the reason if nothing grows."""
BY_MOVE: Final = ("visits", "wins", "priors")
"""Numbers of a child that its parent may keep by the child's move."""


class ByMove:
    """The numbers of nodes that their parents keep by move, in a dict, a list or an array."""

    def __init__(self, looker: Looker, name: str) -> None:
        self._looker, self._name = looker, name

    def __call__(self, node: object) -> Any:
        above, key = self._looker.place_of(node)
        if above is None:
            held = getattr(node, self._name)
            return sum(held.values() if isinstance(held, dict) else held)
        return getattr(above, self._name)[key]

    def __repr__(self) -> str:
        return f"{self._name} of the parent, by move"


class Looker:
    """The record of one tree: its nodes, in the order in which they were first seen, and rows."""

    def __init__(
        self, root: object, given: Mapping[str, Any], root_of: Callable[[], Any] | None = None
    ) -> None:
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
        self.proven: dict[int, tuple[int, float]] = {}
        """By node with an outcome: the look that first saw it, and what it is for who moved there.
        """
        self.numbers = ""
        """The kind of a node's number, where it need not be found out."""
        self.shared = False
        """True if a node has several parents; its first one is its parent here."""
        self.rows: tuple[array[Any], ...] = array("i"), array("i"), array("d"), array("d")
        """Look, node, visits and wins, for each node that a look found changed or new."""
        self.said: list[Any] = []
        """The position that each row's node had then, if it is a plain value."""
        self.by_value = any(map(callable, self.given.values())) and isinstance(root, Hashable)
        """True if nodes may be plain values, which are looked up in tables."""
        self._key: Callable[[Any], Any] = (lambda node: node) if self.by_value else id
        self._number: dict[Any, int] = {}
        self._known: dict[int, tuple[Sequence[Any], list[int]]] = {}
        """For each node: the objects that it held when it was last asked, and their numbers."""
        self._places: dict[tuple[int, Any], int] = {}
        """By parent and move: the node. One that is made again in each iteration keeps its number.
        """
        self._root_of = root_of
        self._kind = type(root)
        self._guess(root)
        self._whole = WHOLE_LOOKS
        self._number_of(root, -1, None)
        self._write()

    def _guess(self, node: object) -> None:
        """Take names that are not known yet from a node: a root may lack what its edges have."""
        for kind in USUAL:
            known = usual_name(kind, node, self.sources.get("visits"))
            self.sources[kind] = self.sources.get(kind) or self.given.get(kind) or known
        self.sources["children"] = self.sources["children"] or linked(node)
        for kind in BY_MOVE:
            if kind not in self.given and (name := self._table_of(kind, node)):
                self.sources[kind] = ByMove(self, name)
        numbers = [self.sources[kind] for kind in ("visits", "wins")]
        self._quick: Any = self._slowly
        if all(isinstance(name, str) for name in numbers):
            self._quick = attrgetter(*numbers)
        family = self.sources["children"]
        self._family = family if callable(family) else attrgetter(str(family))
        self._may_build = callable(family) or family not in fields(node)
        """True if asking for children may make some, as a property can."""

    def _table_of(self, kind: str, node: object) -> str | None:
        """The attribute in which a node keeps its children's numbers of a kind by their moves."""
        name = self.sources[kind]
        if kind == "wins" and not isinstance(self.sources["visits"], ByMove):
            return None  # it may be a table by player
        if name is None or (kind == "priors" and is_by_move(answer(name, node))):
            named = likely_first(kind, [*fields(node)])
            return next((name for name in named if is_by_move(answer(name, node))), None)
        return None

    def look(self) -> None:
        """Read what an iteration has changed; ``TraceError`` if a name is of no use after three."""
        self.looks += 1
        if self._root_of:
            self._replace(0, self._root_of())
        self._write()
        if self.looks == LOOKS_TO_GROW:
            self._check_names()

    def place_of(self, node: object) -> tuple[Any, Any]:
        """A node's parent, and the move under which it is kept there; nothing for the root."""
        number = self._number[self._key(node)]
        if not number:
            return None, None
        return self.nodes[self.parent[number]], self._place(self.keys[number], node)

    def knows(self, node: object) -> bool:
        """True for a node that was seen in this tree."""
        return isinstance(node, Hashable) and self._key(node) in self._number

    def children(self, number: int) -> list[int]:
        """The numbers of the children that the node has now."""
        held = answer(self._all_held, self.nodes[number]) or ()
        objects = held.values() if isinstance(held, dict) else held
        known, numbers = self._known.get(number, ((), []))
        if len(objects) == len(known) and all(map(is_, objects, known)):
            return numbers
        every = held.items() if isinstance(held, dict) else map(self._pair, held)
        pairs = [(key, child) for key, child in every if child is not None]
        there = {self._key(child) for _, child in pairs}
        if self.kids[number] and not there <= self._number.keys():
            self._match(number, pairs, there)
        numbers = [self._number_of(child, number, key) for key, child in pairs]
        self._known[number] = [*objects], numbers
        return numbers

    def _match(self, number: int, held: Sequence[Any], there: set[Any]) -> None:
        """Give children that are made again the numbers of those that are gone."""
        for key, child in held:
            old = self._places.get((number, self._place(key, child)))
            if old is None or self._key(child) in self._number:
                continue
            if self._key(self.nodes[old]) not in there:
                self._replace(old, child)

    def _replace(self, number: int, node: object) -> None:
        """Let another object be that node from now on."""
        if self.nodes[number] is not node:
            self._number.pop(self._key(self.nodes[number]), None)
            self._number[self._key(node)] = number
            self.nodes[number] = node

    def _place(self, key: object, child: object) -> Any:
        """The move into a child, if it is said."""
        move = key if key is not None else answer(self.sources["move"] or "", child)
        return move if isinstance(move, Hashable) else text_of(move)

    def _check_names(self) -> None:
        first = self.nodes[min(1, len(self.nodes) - 1)]
        if isinstance(first, int | str | float | tuple) and not self.by_value:
            kind = (
                f"nodes, and not their keys such as {first!r}: give children=lambda node: "
                "[table[key] for key in …]"
            )
            require(False, "children", kind, self.sources["children"], TraceError)
        is_grown = {"children": len(self.nodes) > 1, "visits": any(self.rows[2])}
        for kind, source in ({kind: self.sources[kind] for kind in is_grown} | self.given).items():
            is_said = any(answer(source, node) is not None for node in self.nodes)
            grows = " that grows" if kind in is_grown else ""
            known = f"an attribute{grows}, or a function: Watch(root, {kind}=…)"
            known += STILL if kind == "children" else ""
            require(is_said and is_grown.get(kind, True), kind, known, source, TraceError)

    def _all_held(self, node: object) -> Any:
        """All that a node holds for its children: objects, alone or by move, or in pairs."""
        if not self.by_value and not isinstance(node, self._kind):
            node = among_values([*fields(node).values()], lambda one: isinstance(one, self._kind))
        held = self._family(node)
        held = held() if callable(held) else held
        return held if isinstance(held, dict | list | tuple) else [*held]

    def _pair(self, child: Any) -> tuple[Any, Any]:
        """The key of a child, and the child, which programs keep alone or in a tuple with it."""
        if not self.by_value and isinstance(child, tuple | list) and len(child) == 2:
            key, node = child
            if isinstance(node, self._kind) or isinstance(key, self._kind):
                return (key, node) if isinstance(node, self._kind) else (node, key)
        return None, child

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
            if number == 1:
                self._guess(node)
            if number:
                self._places.setdefault((parent, self._place(key, node)), number)
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
        for number in sorted(self._with_parents(self._changed())):
            said = answer(self.sources["state"] or "", self.nodes[number])
            self.said.append(said if isinstance(said, tuple) else None)
            row = self.looks, number, *map(as_float, self.last[number])
            for column, value in zip(self.rows, row, strict=True):
                column.append(value)

    def _with_parents(self, touched: set[int]) -> set[int]:
        """These nodes, and all above them."""
        # A new node without a visit says nothing about those above it.
        for number in [number for number in touched if number and self.last[number][0]]:
            while (number := self.parent[number]) >= 0 and number not in touched:
                self._whole = MOST_WHOLE_LOOKS
                touched.add(number)
        return touched

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
                    todo.append(filter(known.__le__, self.children(number)))
            if len(self.nodes) - known > MOST_NEW:
                self._check_growth(known)
        return touched

    def _is_changed(self, number: int) -> bool:
        """True for the root, and if a node's numbers are others than at the last look; keep
        them."""
        node = self.nodes[number]
        try:
            now = self._quick(node)
        except Exception:  # a property may fail on some nodes
            now = self._slowly(node)
        is_changed = now != self.last[number] or not number
        self.last[number] = now
        if is_changed and self.sources["outcome"] and number not in self.proven:
            said = answer(self.sources["outcome"], node)  # a number, or one for each player
            said = answer(lambda one: said[player_to_move(one)], node) if is_table(said) else said
            if isinstance(said, int | float | np.number):
                self.proven[number] = self.looks, float(said)
        return bool(is_changed)

    def _check_growth(self, known: int) -> None:
        """Raise ``TraceError`` if asking for children makes them: the whole game would follow."""
        new = [number for number in range(known, len(self.nodes)) if self.last[number]]
        is_visited = any(as_float(self.last[number][0]) for number in new)
        is_deep = len({self.depth[number] for number in new}) > 2
        kind = (
            f"a field, or a function, that only reads: one look met {len(self.nodes) - known:,} "
            "new nodes without a visit; give Watch(root, children=…)"
        )
        is_right = is_visited or not (self._may_build and is_deep)
        require(is_right, "children", kind, self.sources["children"], TraceError)
