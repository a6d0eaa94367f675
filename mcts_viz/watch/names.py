"""Which of a node's attributes are its children, its visits and its wins, read from behaviour."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from math import isfinite
from operator import attrgetter
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ..errors import TraceError

if TYPE_CHECKING:
    from .look import Looker

SLOW: Final = 0.002
"""Seconds; a property that takes longer, three times, is left out from then on."""
WINS: Final = re.compile(r"win|reward|value|total|score|util|result|return|(^|_)[qw]($|_)", re.I)
VISITS: Final = re.compile(r"visit|(^|_)n($|_)|count|sims?$|simul|playouts|explor", re.I)
CHILDREN: Final = re.compile(r"child|kid|succ|branch|edge|next|sub", re.I)
MOVE: Final = re.compile(
    r"^_*((last|parent|prior|from|prev|incoming|in)_?)?(move|action|mv|act|a|play|step)(_taken)?$",
    re.I,
)
STATE: Final = re.compile(r"^_*(game_?)?(state|board|position|pos|game|env|grid|s)$", re.I)
PRIORS: Final = re.compile(r"prior|^_*p$|prob", re.I)

Place = tuple[Any, Any, Any, int]
"""A node, its parent, its key among the children of that one, and its place there."""


class Source(NamedTuple):
    """Where a number of a node is found."""

    name: str
    read: Callable[[Place], Any]
    mean: bool = False
    """True if the number is an average: then wins are this number times the visits."""


def reader(sources: Mapping[str, Source], sample: Any) -> Callable[[Any], Any] | None:
    """A quick way to read visits and wins, if both are plain attributes that hold plain numbers."""
    names = [source.name for source in sources.values()]
    if isinstance(sample, dict) or any("[" in name or "=" in name for name in names):
        return None
    get = attrgetter(*names) if len(names) > 1 else lambda node: (getattr(node, names[0]), 0.0)
    with suppress(Exception):
        if all(isinstance(value, int | float) for value in get(sample)):
            return get
    return None


def number_of(source: Source, place: Place) -> float:
    """What the source reads there, 0 where there is nothing to read yet."""
    with suppress(Exception):
        value = source.read(place)
        if isfinite(value):
            return float(value)
    return 0.0


def as_float(value: Any) -> float:
    """The value as a finite number, 0 for what is none."""
    return float(value) if is_number(value) else 0.0


def is_number(value: Any) -> bool:
    """True for a finite number, not for True and False."""
    return (
        isinstance(value, int | float | np.number)
        and not isinstance(value, bool)
        and isfinite(value)
    )


def fields(node: Any) -> dict[str, Any]:
    """The attributes that an object holds itself: ``__dict__``, slots, fields, or a dict's keys."""
    if isinstance(node, dict):
        return {key: value for key, value in node.items() if isinstance(key, str)}
    found = (
        dict(zip(getattr(node, "_fields", ()), node, strict=False))
        if isinstance(node, tuple)
        else {}
    )
    for kind in type(node).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            with suppress(AttributeError):
                found[name] = getattr(node, name)
    found |= getattr(node, "__dict__", {})
    return found


def properties(node: Any) -> Iterator[str]:
    """The names of the properties of the node's class."""
    for kind in type(node).__mro__:
        yield from (name for name, value in vars(kind).items() if isinstance(value, property))


def value_of(node: Any, name: str) -> Any:
    """The attribute, or the dict's entry, of that name; a method is called."""
    value = node[name] if isinstance(node, dict) else attrgetter(name)(node)
    return value() if callable(value) else value


def entry_of(value: Any, key: Any, place: int) -> Any:
    """What a table on the parent holds for a child: by its move, else by its place."""
    if isinstance(value, dict):
        return value.get(key)
    if isinstance(value, list | tuple | np.ndarray) and np.ndim(value) == 1:
        index = key if isinstance(key, int | np.integer) else place
        return value[index] if 0 <= index < len(value) else None
    return None


def numbers_at(place: Place, given: Mapping[str, Any], slow: Counter[str]) -> dict[str, float]:
    """All numbers of a node: its own, those of its properties, those that its parent keeps."""
    found: dict[str, Any] = {}
    node, parent, key, where = place
    for kind in ("visits", "wins"):
        if kind in given:
            found[f"{kind}="] = number_of(source_of(f"{kind}=", given[kind]), place)
    if len(found) < 2:
        for name, value in fields(node).items():
            found[name] = value
            if isinstance(value, dict | list | tuple | np.ndarray) and len(value) <= 4:
                entries = value.items() if isinstance(value, dict) else enumerate(value)
                found |= {f"{name}[{entry!r}]": number for entry, number in entries}
        for name in properties(node):
            if slow[name] < 3:
                start = perf_counter()
                with suppress(Exception):
                    found[f"{name}()"] = getattr(node, name)
                if perf_counter() - start >= SLOW:
                    slow[name] += 1
                    found.pop(f"{name}()", None)
        for name, value in fields(parent).items():
            with suppress(Exception):
                found[f"{name}[move]"] = entry_of(value, key, where)
    return {name: float(value) for name, value in found.items() if is_number(value)}


def source_of(name: str, given: Any = None, mean: bool = False) -> Source:
    """How to read the number of that name, or what was given for it: a name or a function."""
    if callable(given):
        return Source(name, lambda place: given(place[0]), mean)
    plain = given if isinstance(given, str) else name.removesuffix("()")
    if plain.endswith("[move]"):
        table = plain.removesuffix("[move]")
        return Source(plain, lambda place: entry_of(value_of(place[1], table), *place[2:]), mean)
    if plain.endswith("]"):
        holder, _, entry = plain[:-1].partition("[")

        def read(place: Place) -> Any:
            value = value_of(place[0], holder)
            if isinstance(value, dict):
                return next(number for key, number in value.items() if repr(key) == entry)
            return value[int(entry)]

        return Source(plain, read, mean)
    return Source(plain, lambda place: value_of(place[0], plain), mean)


# Children ----------------------------------------------------------------------------------------


Family = tuple[Sequence[Any] | None, Sequence[Any]]
"""The keys of a node's children, if they have some, and the children."""


def family_of(value: Any) -> Family:
    """The children that a dict, pairs, a list or a set holds; some may be None."""
    if isinstance(value, dict):
        return list(value), list(value.values())
    children = () if value is None else value if isinstance(value, list) else list(value)
    if children and type(children[0]) is tuple and len(children[0]) == 2:
        return tuple(zip(*children, strict=True))  # type: ignore[return-value]
    return None, children


def children_of_name(root: Any, given: Any) -> Callable[[Any], Family] | None:
    """How to find a node's children; None as long as the root shows none."""
    if callable(given):
        return lambda node: family_of(given(node))
    name = given
    with suppress(Exception):
        value_of(root, name)
        given = None
    if given is not None:
        raise TraceError(f"children={given!r} must be an attribute of the root; it has none.")
    if name is None:
        names = [
            name
            for name, value in fields(root).items()
            if isinstance(value, dict | list | tuple | set | frozenset | np.ndarray)
            and _holds(value, root)
        ]
        if not names:
            return None
        name = min(names, key=lambda name: (not CHILDREN.search(name), names.index(name)))
    if isinstance(root, dict) or callable(value_of(root, name)):
        return lambda node: family_of(value_of(node, name))
    get = attrgetter(name)
    return lambda node: family_of(get(node))


def _holds(value: Any, root: Any) -> bool:
    """True if the container holds nodes of the root's kind."""
    kinds = set(type(root).__mro__) - set(object.__mro__) - {dict, tuple}
    children = [child for child in family_of(value)[1] if child is not None] if len(value) else []
    if isinstance(root, dict):
        return bool(children) and all(isinstance(c, dict) and set(root) & set(c) for c in children)
    return bool(children) and all(kinds & set(type(child).__mro__) for child in children)


# Visits and wins ---------------------------------------------------------------------------------


class Names(NamedTuple):
    """What was taken for what."""

    visits: str
    wins: tuple[str | None, bool]
    """The name, and True if it is an average."""
    start: float
    """The visits that a node starts with."""


Dumps = list[dict[int, dict[str, float]]]


def guess(looker: Looker, dumps: Dumps) -> Names:
    """Which numbers are visits and wins, from what they did in the first looks.

    Raises ``TraceError`` with the name to give if no number, or more than one, can be the visits.
    """
    names = sorted({name for found in dumps[-1].values() for name in found})
    visits = "visits=" if "visits=" in names else _visits_among(names, looker, dumps)
    start = _start(visits, looker, dumps)
    if "wins=" in names:
        return Names(visits, ("wins=", _is_mean(_jumps("wins=", visits, dumps))), start)
    rivals: list[tuple[Any, ...]] = []
    for stray, order in product((0.02, 1.0), range(len(names))):
        if stray == 1 and rivals:
            break  # only a faulty search changes wins where visits stay
        name = names[order]
        jumps = _jumps(name, visits, dumps, stray)
        mean = _is_mean(jumps)
        if name == visits or not jumps or re.search(r"sq|var|std", name, re.I):
            continue
        hinted = bool(WINS.search(name.removesuffix("()"))) and not VISITS.search(
            name.split("[")[0]
        )
        same = all(change == 1 for look in jumps for change, _ in look)
        if (same or stray == 1) and not hinted:
            continue
        spread = round(5 * _spread(jumps, mean))
        kind = 0 if name.endswith("[move]") else 1 + (")]".find(name[-1]))
        rivals.append((spread, not hinted, kind, mean, order, name))
    if not rivals:
        return Names(visits, (None, False), start)
    best = min(rivals)
    return Names(visits, (best[-1], best[3]), start)


def _history(name: str, dumps: Dumps) -> Iterator[tuple[int, int, float, float]]:
    """Look, node, what it had before (0 for a new node) and what it has, where this differs."""
    for look, (before, after) in enumerate(itertools.pairwise(dumps), start=1):
        for node, found in after.items():
            old, new = before.get(node, {}).get(name, 0.0), found.get(name)
            if new is not None and new != old:
                yield look, node, old, new


def _visits_among(names: list[str], looker: Looker, dumps: Dumps) -> str:
    """The number that grows by one, at the root and along one path."""
    rated = []
    for name in names:
        changes = list(_history(name, dumps))
        grown: dict[int, set[int]] = {}
        steps = Counter(round(new - old, 9) for _, node, old, new in changes if old or node == 0)
        for look, node, *_ in changes:
            grown.setdefault(look, set()).add(node)
        if not grown or any(new < old for *_, old, new in changes):
            continue
        usual = steps.most_common(1)[0][1] / sum(steps.values()) if steps else 1.0
        chain = np.mean(
            [
                node == 0
                or looker.parent[node] in nodes | ({0} if name.endswith("[move]") else set())
                for nodes in grown.values()
                for node in nodes
            ]
        )
        often = len(grown) / max(1, len(dumps) - 1)
        wins = bool(WINS.search(name)) and not re.search(r"visit", name, re.I)
        hint = (
            0
            if wins
            else 2 * bool(re.search(r"visit|(^|_)n($|_)", name, re.I)) or bool(VISITS.search(name))
        )
        is_plain = not name.endswith((")", "]")) or name.endswith("[move]")
        one = steps.get(1.0, 0) / max(1, sum(steps.values())) if steps else 1.0
        fit = float(chain) + often + usual + one + is_plain
        rated.append((fit + 0.7 * hint, fit, hint, name))
    rated.sort(reverse=True)
    if not rated or (rated[0][1] < 4.2 and not rated[0][2]):
        raise TraceError(
            "visits must be a number that grows by one in each iteration, from the root to the new "
            f"node; none of {', '.join(names[:8]) or 'no number'} does. Name it: "
            "Watch(root, visits=…)."
        )
    best, rival = rated[0], ([*rated, (0.0,) * 4])[1]
    if rival[0] > best[0] - 0.05 and rival[2] == best[2]:
        raise TraceError(
            f"visits must be one number; both {best[3]} and {rival[3]} behave like visits. Say "
            f'which is meant: Watch(root, visits="{best[3]}").'
        )
    return str(best[3])


def _start(visits: str, looker: Looker, dumps: Dumps) -> float:
    """The visits that a node starts with: what several new siblings show, or the root at first."""
    first: dict[int, float] = {}
    news: dict[tuple[int, int], list[float]] = {}
    for look, found in enumerate(dumps):
        for node in found.keys() - first.keys():
            first[node] = found[node].get(visits, 0.0)
            if look and node:
                news.setdefault((look, looker.parent[node]), []).append(first[node])
    for (look, parent), values in news.items():
        before, after = (dumps[at].get(parent, {}).get(visits, 0.0) for at in (look - 1, look))
        if len(values) > 1 and min(values) > 0 and after - before < len(values):
            return min(values)
    others = [value for node, value in first.items() if node]
    if others and first[0] > 0 and min(others) > first[0]:
        return first[0]
    return 0.0


def _jumps(
    name: str, visits: str, dumps: Dumps, stray: float = 1
) -> list[list[tuple[float, float]]]:
    """By look: how a number changed along the path, as a sum and as an average times visits.

    Empty if it changes elsewhere too, or hardly ever.
    """
    looks = []
    moved = elsewhere = total = 0
    for before, after in itertools.pairwise(dumps):
        changes = []
        for node, found in after.items():
            old = before.get(node, {})
            n, m = old.get(visits, 0.0), found.get(visits, 0.0)
            w, v = old.get(name, 0.0), found.get(name)
            if v is None:
                continue
            if n != m:
                total += node in before
                moved += node in before and v != w
                changes.append((v - w, v * m - w * n))
            elif v != w and node in before:
                elsewhere += 1
        looks.append(changes)
    return looks if moved and moved >= 0.05 * total and elsewhere <= stray * total else []


def _spread(jumps: list[list[tuple[float, float]]], mean: bool) -> float:
    """How many different sizes the changes have, as a share of all: rewards repeat themselves."""
    sizes = [round(abs(change[mean]), 6) for look in jumps for change in look]
    return len(set(sizes)) / max(1, len(sizes))


def _is_mean(jumps: list[list[tuple[float, float]]]) -> bool:
    """True if a number is an average: its changes are alike only when multiplied by visits."""
    return _spread(jumps, True) < _spread(jumps, False)
