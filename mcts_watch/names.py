"""The numbers and links of a node of another program, found by their usual names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final, TypeAlias

import numpy as np

USUAL: Final = {
    "children": (
        "^_*(children|childs|kids|successors|branches|edges)$",
        "child.*(node|list|ren)",
    ),
    "visits": (
        r"^_*(n|num|number_?of)?_?visits?(_?count)?$",
        "visit",
        "explor",
        "(^|_)n$",
        "sims?$|simul|playouts|plays|games|count",
    ),
    "wins": (
        "(^|_)wins?$",
        "total|sum",
        "(^|_)[wq]($|_)",
        "value|reward|score|result|util",
    ),
    "move": (
        "^_*((last|parent|prior|from|prev|incoming|simulated)_?)?(move|action|act|a|column|col)"
        "(_?(taken|column|col|index))?$",
    ),
    "state": ("^_*(game_?)?(state|board|position|pos|game|env|grid|s)$",),
    "priors": ("prior|^_*p$|prob",),
    "played": ("^_*(best|chosen|selected|played)_?(move|action|child)$",),
    "outcome": ("^_*outcome$",),
}
"""The usual names of each kind of attribute, as patterns, likely ones first."""
Source: TypeAlias = str | Callable[[Any], Any]
"""How a node is asked: the name of an attribute, or a function of the node."""
INFINITE: Final = 1e9
"""The number that is kept for an infinite one, such as a proven win's."""
MARKS: Final = {0: ".", 1: "X", -1: "O", 2: "O"}
"""How programs write pieces as numbers."""
PLAYER: Final = cache(
    re.compile(
        r"^_*(get_?)?(current_?|next_?)?(player|turn)(_?to_?move)?$|^_*to_(move|play)$", re.I
    ).search
)
"""The usual names of the player to move; each name is looked at once."""
FIRST: Final = r"first_?(child|born|son)|^_*(child|down|son)$"
NEXT: Final = r"next|sibling|brother"
"""The usual names of a node's first child, and of the next one beside a node."""
ROWS: Final = r"^_*(row|r|y)$"
COLUMNS: Final = r"^_*(column|col|c|x)$"
"""The usual names of both halves of a move that names a cell."""


def as_float(value: object) -> float:
    """The value as a finite number, 0 for what is none, and a large one for what is infinite."""
    if not isinstance(value, int | float | np.number) or value != value:
        return 0.0
    return float(min(max(value, -INFINITE), INFINITE))


def may_be_number(value: object) -> bool:
    """True for a number, and for nothing, which may become one."""
    return value is None or isinstance(value, int | float | np.number)


def board_text(state: object) -> str:
    """A board of numbers as text: "." for 0, X for 1, O for -1 or 2; nothing for any other
    state."""
    held = [state, *(answer(name, state) for name in usual_names("state", state))]
    for board in held:
        if isinstance(board, np.ndarray | list | tuple):
            marks = np.ravel(np.array(board, dtype=object)).tolist()
            if len(marks) > 1 and all(is_mark(mark) for mark in marks):
                return "".join(MARKS[int(mark)] for mark in marks)
    return ""


def is_mark(value: object) -> bool:
    """True for a number that means a piece, or for none."""
    return isinstance(value, int | float | np.number) and value in MARKS


def fields(node: object) -> dict[str, Any]:
    """The attributes that an object holds itself, in slots or in its ``__dict__``."""
    own = [name for kind in type(node).__mro__ for name in getattr(kind, "__slots__", ())]
    held = {name: getattr(node, name) for name in own if hasattr(node, name)}
    return held | getattr(node, "__dict__", {})


def answer(source: Source, node: object) -> Any:
    """The answer of a function, or an attribute, of a node; ``None`` if it fails."""
    try:
        return source(node) if callable(source) else getattr(node, source)
    except Exception:
        return None


def properties(thing: object) -> Iterator[str]:
    """The names of all properties of a thing's class."""
    for kind in type(thing).__mro__:
        yield from (name for name, value in vars(kind).items() if isinstance(value, property))


def usual_names(kind: str, thing: object, but: object = None) -> list[str]:
    """The attributes of a thing with a usual name of that kind: its own first, likely ones first.

    Visits and wins are numbers, so a table of them by player is left out.
    """
    is_number = kind in ("visits", "wins")
    own = [
        name
        for name in fields(thing)
        if name != but and (not is_number or may_be_number(answer(name, thing)))
    ]
    found = [*likely_first(kind, own), *likely_first(kind, list(properties(thing)))]
    return list(dict.fromkeys(found))


def likely_first(kind: str, names: Sequence[str]) -> Iterator[str]:
    """Those of the names that are usual for that kind; a name that is usual twice comes twice."""
    for usual in USUAL[kind]:
        yield from (name for name in names if re.search(usual, name, re.I))


def usual_name(kind: str, thing: object, but: object = None) -> str | None:
    """The likeliest of a thing's attributes for that kind; ``None`` if none has a usual name."""
    return next(iter(usual_names(kind, thing, but)), None)


def text_of(thing: object) -> str:
    """A move or a position of a stranger's program as text; nothing for none."""
    return str(answer(str, thing) or "") if thing is not None else ""


def squeezed(text: str) -> str:
    """A text without spaces and line breaks."""
    return "".join(text.split())


def player_name(thing: object) -> str:
    """The attribute in which a node or a position names a player; "" for none."""
    return next((name for name in dir(thing) if PLAYER(name)), "")


def player_to_move(thing: object) -> Any:
    """The player whom a node or a position names; ``None`` if it names none."""
    name = player_name(thing)
    said = answer(name, thing)
    return answer(lambda ask: ask(), said) if callable(said) and "current" in name.lower() else said


def among_values(given: Sequence[Any], is_wanted: Callable[[Any], bool]) -> Any:
    """The first wanted thing among those given, or among what their lists and dicts hold."""
    for thing in given:
        if is_wanted(thing):
            return thing
    for thing in given:
        held = list(thing.values()) if isinstance(thing, dict) else thing
        if isinstance(held, list | tuple):
            found = next(filter(is_wanted, held), None)
            if found is not None:
                return found
    return None


def is_table(value: object) -> bool:
    """True for numbers by player: a list, a tuple, an array or a dict of them."""
    held: Any = [*value.values()] if isinstance(value, dict) else value
    is_several = isinstance(held, list | tuple | np.ndarray) and len(held) > 1
    return is_several and all(isinstance(one, int | float | np.number) for one in held)


def unread_wins(source: Source | None, is_given: bool, node: object) -> str:
    """The reason why no number of a node was taken for wins, and what to give."""
    seen = [source] if isinstance(source, str) and is_given else []
    names = [*seen, *likely_first("wins", [*fields(node)])]
    if table := next((name for name in names if is_table(answer(name, node))), None):
        return (
            f"{table} holds several numbers, as one a player: give that of who moved there, as by "
            f"wins=lambda node: node.{table}[node.parent.player] if node.parent else 0"
        )
    if is_given:
        return f"wins={source!r} never changes: name a number that does, or a function of a node"
    return "no number changes as wins do: give wins=…, an attribute or a function of a node"


def is_by_move(value: object) -> bool:
    """True for a dict or an array that may hold numbers by move."""
    return isinstance(value, dict) or is_table(value)


def linked(node: object) -> Callable[[Any], list[Any]] | None:
    """A function that follows a node's list of children from the first one to the next, if the
    node has attributes for both."""
    first, after = (
        next((name for name in fields(node) if re.search(usual, name, re.I)), None)
        for usual in (FIRST, NEXT)
    )
    if not first or not after:
        return None

    def children(node: Any) -> list[Any]:
        found, child = [], getattr(node, first)
        while child is not None:
            found.append(child)
            child = getattr(child, after)
        return found

    return children
