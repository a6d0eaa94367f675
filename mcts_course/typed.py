"""The check of what a notebook hands to the functions of its lesson, by the types of parameters.

A cell hands in what the cells before it made. A slip, such as a search in place of its trace, is
refused here in one sentence, so the functions check only what a type does not say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from inspect import Parameter, signature
from math import inf
from types import UnionType
from typing import Any, Final, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from mcts_viz.errors import fits, require
from mcts_viz.games import Game
from mcts_viz.search.checks import check_rules, require_list, require_number, require_whole

Public = TypeVar("Public", bound=Callable[..., Any])
MOST: Final = 10_000_000
"""The largest count: ten million iterations take minutes in the smallest game."""
LIMITS: Final = {
    **dict.fromkeys(("prior", "score", "gullible"), (0, 1)),
    **dict.fromkeys(("to_move", "winner"), (0, 1)),
    **dict.fromkeys(("cell", "cells"), (0, 8)),
    **dict.fromkeys(("rows", "columns"), (1, 100)),
    **dict.fromkeys(("iteration", "lead", "points", "turn", "wins"), (0, MOST)),
    "seed": (0, inf),
}
"""The least and the most by the name of a number; what is not here counts from 1 to ``MOST``.

A lesson's cells are those of tic-tac-toe, and its players are two.
"""
KINDS: Final = {
    "ArenaResult": "what arena(...) returns",
    "BeTheSearch": "the tree that BeTheSearch(...) returns",
    "Counts": "the counts that an experiment of a lesson returns",
    "Fields": "the fields to fill in that a lesson shows, such as your_curves()",
    "MCTS": "a search, such as MCTS(game)",
    "MinimaxTrace": "what record_minimax(...) returns",
    "Pupil": "what taught(...) returns",
    "Shares": "the shares that an experiment of a lesson returns",
    "Table": "the table that an experiment of a lesson returns",
    "Trace": "a trace, as search.record(iterations=200) returns it",
    "Watch": "a watched search, as write_it_yourself.program(...) returns it",
    "str": "a text, in quotes",
}
"""By the name of a class, its objects in words that say where a cell gets one."""


def typed_door(public: Public) -> Public:
    """Refuse in one sentence what does not fit the parameters of a public function, or class.

    A parameter's type and name say what fits: ``seed: int`` is a whole number of at least 0, and
    ``games: Sequence[int]`` is a list of counts. Raises ``SearchError``.
    """
    if isinstance(public, type):
        public.__init__ = typed_door(public.__init__)  # type: ignore[misc]
        return cast("Public", public)

    form = signature(public)
    kinds = cache(lambda: get_type_hints(public))  # when all that they name is defined

    @wraps(public)
    def checked(*given: Any, **named: Any) -> Any:
        try:
            bound = form.bind(*given, **named)
        except TypeError:
            return public(*given, **named)  # Python says what is missing, and of which function
        for name, value in bound.arguments.items():
            is_open = form.parameters[name].kind is Parameter.VAR_POSITIONAL
            check = _all_fitting if is_open else _fitting
            bound.arguments[name] = check(name, value, kinds().get(name, Any))
        return public(*bound.args, **bound.kwargs)

    return cast("Public", checked)


def _all_fitting(name: str, values: tuple[Any, ...], kind: Any) -> tuple[Any, ...]:
    """The ``values`` of a parameter that takes any number of them, such as ``*moves``."""
    return tuple(_fitting(name, each, kind) for each in values)


def _fitting(name: str, value: Any, kind: Any) -> Any:
    """The ``value`` as a parameter of this ``name`` and ``kind`` takes it."""
    if get_origin(kind) in (Union, UnionType):  # of a kind, or None
        if value is None:
            return value
        kind = get_args(kind)[0]
    made_of = get_origin(kind) or kind
    if made_of is Sequence:
        return _list(name, value, *get_args(kind))
    if made_of in (int, float):
        return _number(name, name, value, made_of)
    if isinstance(made_of, type) and (made_of is str or made_of.__module__.startswith("mcts_")):
        _require_object(name, value, made_of)
    else:
        _require_form(name, value, made_of)
    return value


def _list(name: str, value: Any, kind: Any) -> list[Any]:
    """The items of a list, none of them a number that does not fit."""
    items = require_list(name, value, "with one item or more")
    require(items, name, "a list with one item or more", value)
    if kind in (int, float):
        return [_number(name, f"Each of the {name}", item, kind) for item in items]
    return items


def _number(name: str, said: str, value: Any, kind: type) -> float:
    """A whole number, or any, within the limits of its ``name``; an error calls it ``said``."""
    least, most = LIMITS.get(name, (1, MOST))
    if kind is int:
        return require_whole(said, value, int(least), most)
    if name in LIMITS:
        require(fits(value, least, most), said, f"a number from {least} to {most}", value)
    number = require_number(said, value)
    return value if isinstance(value, int) else number


def _require_object(name: str, value: Any, kind: type) -> None:
    """Raise ``SearchError`` for an object of another class, and for the class itself."""
    if kind is Game:  # what has the rules of a game need not be of that class
        check_rules(value)
        return
    words = KINDS.get(kind.__name__, f"a {kind.__name__}, such as {kind.__name__}(...)")
    require(isinstance(value, kind), name, words, value)


def _require_form(name: str, value: Any, made_of: Any) -> None:
    """Raise ``SearchError`` for what its name, or its kind, does not allow."""
    if name == "state":
        right = value is not None and not isinstance(value, list | dict | set)
        require(right, name, "a position, as game.parse(text) returns it", value)
    elif made_of is Mapping:
        require(isinstance(value, Mapping) and value, name, "a dict with one entry or more", value)
    elif made_of is Callable:
        right = callable(value) and not isinstance(value, type)
        require(right, name, "a function, its name without brackets", value)
