"""The door of the functions that a lesson lends to a notebook: arguments are checked by their type.

A cell hands in what the cells before it made. A slip, such as a search in place of its trace, is
refused here in one sentence, so the functions check only what a type does not say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Any, Final, cast, get_args, get_origin, get_type_hints

from mcts_viz.errors import Door, door, require
from mcts_viz.games import Game
from mcts_viz.search.checks import check_rules, fits, require_list, require_number, require_whole

FROM_ZERO: Final = frozenset(
    (
        *("seed", "opening", "turn", "points", "first", "second", "cell", "cells", "wins", "lead"),
        *("to_move", "winner"),
    )
)
"""The names of whole numbers that may be 0; all others count what there must be one of."""
SHARES: Final = frozenset(("prior", "score", "gullible"))
"""The names of numbers from 0 to 1."""
MOST: Final = 10_000_000
"""The largest count: ten million iterations take minutes in the smallest game."""
KINDS: Final = {
    "ArenaResult": "what arena(...) returns",
    "BeTheSearch": "the tree that BeTheSearch(...) returns",
    "Counts": "the counts that an experiment of a lesson returns",
    "MCTS": "a search, such as MCTS(game)",
    "MinimaxTrace": "what record_minimax(...) returns",
    "Shares": "the shares that an experiment of a lesson returns",
    "Table": "the table that an experiment of a lesson returns",
    "Trace": "a trace, as search.record(iterations=200) returns it",
    "Watch": "a watched search, as write_it_yourself.program(...) returns it",
    "str": "a text, in quotes",
}
"""By the name of a class, its objects in words that say where a cell gets one."""

VARIABLE: Final = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
"""Parameters that take several arguments, whose type is that of each."""


def typed_door(public: Door) -> Door:
    """Refuse in one sentence what does not fit the parameters of a public function, or class.

    A parameter's type and name say what fits: ``seed: int`` is a whole number of at least 0, and
    ``games: Sequence[int]`` is a list of counts. Raises ``SearchError``.
    """
    if isinstance(public, type):
        public.__init__ = typed_door(public.__init__)  # type: ignore[misc]
        return cast("Door", public)

    form = signature(public)
    single = [each.name for each in form.parameters.values() if each.kind not in VARIABLE]
    kinds = cache(lambda: get_type_hints(public))  # when all that they name is defined

    @wraps(public)
    def checked(*given: Any, **named: Any) -> Any:
        bound = form.bind(*given, **named)
        for name in single:
            if name in bound.arguments:
                value = bound.arguments[name]
                bound.arguments[name] = _fitting(name, value, kinds().get(name, Any))
        return public(*bound.args, **bound.kwargs)

    return cast("Door", door(checked))


def _fitting(name: str, value: Any, kind: Any) -> Any:
    """The ``value`` as a parameter of this ``name`` and ``kind`` takes it."""
    kind, *others = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    if value is None and NoneType in others:
        return value
    made_of = get_origin(kind) or kind
    if made_of is Sequence:
        return _list(name, value, *get_args(kind))
    if made_of is int:
        return _whole(name, value)
    if isinstance(made_of, type) and (made_of is str or made_of.__module__.startswith("mcts_")):
        _require_object(name, value, made_of)
    else:
        _require_form(name, value, made_of)
    return value


def _require_form(name: str, value: Any, made_of: Any) -> None:
    """Raise ``SearchError`` for what its name, or its kind, does not allow."""
    if name == "state":
        right = value is not None and not isinstance(value, list | dict | set)
        require(right, name, "a position, as game.parse(text) returns it", value)
    elif name in SHARES:
        require(fits(value, 0, 1), name, "a number from 0 to 1", value)
    elif made_of is float:
        require_number(name, value)
    elif made_of is Mapping:
        require(isinstance(value, Mapping) and value, name, "a dict with one entry or more", value)
    elif made_of is Callable:
        right = callable(value) and not isinstance(value, type)
        require(right, name, "a function, its name without brackets", value)


def _whole(name: str, value: Any) -> int:
    """A count, or a number of another kind that may be 0; a seed has no upper limit here."""
    least = 0 if name in FROM_ZERO else 1
    if name == "seed":
        return require_whole(name, value, least)
    return require_whole(name, value, least, MOST)


def _list(name: str, value: Any, kind: Any) -> list[Any]:
    """The items of a list, none of them of another kind."""
    items = require_list(name, value, "with one item or more")
    require(items, name, "a list with one item or more", value)
    if kind in (int, float):
        least = 0 if name in FROM_ZERO or kind is float else 1
        for item in items:
            right = fits(item, least, MOST, whole=kind is int)
            words = "whole number" if kind is int else "number"
            require(right, f"Each of the {name}", f"a {words} from {least} to {MOST:,}", item)
    return items


def _require_object(name: str, value: Any, kind: type) -> None:
    """Raise ``SearchError`` for an object of another class, and for the class itself."""
    if issubclass(kind, Game):
        check_rules(value)
    words = KINDS.get(kind.__name__, f"a {kind.__name__}, such as {kind.__name__}(...)")
    require(isinstance(value, kind), name, words, value)
