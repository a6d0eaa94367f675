"""A policy or a game as a short text, and back: ``rewards_of(win=1, draw=0, loss=0)``.

A plain function is written by its name, a policy with parameters as the call that makes it. A text
is parsed and looked up here, never run. To make another policy known, register it.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from inspect import Parameter, signature
from math import sqrt
from typing import Any, Final, NoReturn, TypeAlias

import numpy as np

from ..errors import MctsVizError, SearchError, require, short_repr
from ..games import GAMES, Game
from ..games.boards import listed
from .checks import require_function, require_number, require_whole
from .mcts import DEFAULTS, MCTS
from .mcts_solver import MCTSSolver
from .policies import KINDS

LONGEST: Final = 4000
"""Characters of a text that is read."""
POLICIES: Final[dict[str, dict[str, Callable[..., Any]]]] = {kind: {} for kind in KINDS}
"""By kind and name: the policies that can be written and read."""
_NESTED: Final = {"PlayoutPolicy": "playout", "RewardRule": "reward"}
"""By annotation of a parameter that is itself a policy: its kind."""
Share: TypeAlias = float
"""A number between 0 and 1."""
NotNegative: TypeAlias = float
"""A number of at least 0."""
Positive: TypeAlias = float
"""A number above 0."""
Count: TypeAlias = int
"""A whole number from 0 to 10,000: of moves, more than any game has."""
CHECKS: Final[dict[Any, Callable[[str, Any], object]]] = {
    "float": require_number,
    "Share": partial(require_number, least=0, most=1, kind="a number between 0 and 1"),
    "NotNegative": partial(require_number, least=0, kind="a number of at least 0"),
    "Positive": partial(require_number, least=sys.float_info.min, kind="a number above 0"),
    "Count": partial(require_whole, least=0, most=10_000),
    **{name: partial(require_function, given=KINDS[kind]) for name, kind in _NESTED.items()},
}
"""By annotation of a parameter: what it must be."""


def register_policies(**kinds: tuple[Callable[..., Any], ...]) -> None:
    """Let files and links name policies, by kind: ``register_policies(playout=(my_playout,))``.

    They are functions, or subclasses of :class:`Parameters`.
    """
    for kind, policies in kinds.items():
        POLICIES[kind].update({policy.__name__: policy for policy in policies})


@dataclass(frozen=True)
class Parameters:
    """Base of the policies with parameters: frozen dataclasses that can be called.

    The ``repr`` is the call that makes an equal policy, and what is saved of it. Each parameter is
    checked when the policy is made, since a text may come from anywhere: by its annotation, as in
    :data:`CHECKS`, or by the subclass's own ``__post_init__``.
    """

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.type in CHECKS:
                CHECKS[field.type](field.name, getattr(self, field.name))

    def __repr__(self) -> str:
        return _call(type(self), vars(self))


class Missing:
    """Stands for a policy of which only the text is known: a call raises why."""

    def __init__(self, text: str, error: MctsVizError) -> None:
        self.text, self.error = text, error

    def __call__(self, *args: Any, **options: Any) -> NoReturn:
        raise self.error


# Writing -----------------------------------------------------------------------------------


def describe(value: Any) -> str:
    """A policy, a game or a plain value as text.

    Of a policy that is not registered it is a name that :func:`read` refuses. Raises
    ``SearchError`` for a parameter that is more than numbers, strings, and tuples or dicts of them.
    """
    if isinstance(value, Missing):
        return value.text
    if isinstance(value, Parameters):
        return repr(value)
    if isinstance(value, Game):
        return _call(type(value), value.parameters())
    if callable(value):
        name = str(getattr(value, "__name__", type(value).__name__))
        known = [policies[name] for policies in POLICIES.values() if name in policies]
        return f"another {name}" if known and value not in known else name
    if isinstance(value, np.generic | list):
        value = tuple(value) if isinstance(value, list) else value.item()
    try:
        ast.literal_eval(text := repr(value))
    except (ValueError, SyntaxError):
        raise SearchError(
            f"{short_repr(value)} cannot be written as text: use numbers and strings."
        ) from None
    return text


def _call(maker: Callable[..., Any], arguments: Mapping[str, Any]) -> str:
    """The call, without the parameters that have their defaults."""
    parameters = signature(maker).parameters
    texts = []
    for name, value in arguments.items():
        text = describe(value)
        default = parameters[name].default if name in parameters else Parameter.empty
        if default is Parameter.empty or text != describe(default):
            texts.append(text if len(parameters) == 1 else f"{name}={text}")
    return f"{maker.__name__}({', '.join(texts)})"


def written(search: MCTS) -> dict[str, Any]:
    """The settings that differ from the defaults, but for the game: numbers and texts."""
    usual = {"c": sqrt(2), **DEFAULTS}
    said = {
        name: describe(value) if name in KINDS else value
        for name, value in search.given.items()
        if name != "game" and (name not in usual or value != usual[name])
    }
    return said | ({"solver": True} if search.solver else {})


# Reading -----------------------------------------------------------------------------------


def read_search(game: Game[Any, Any], said: Mapping[str, Any], own: Mapping[str, Any]) -> MCTS:
    """The search that was :func:`written`, without a tree; other entries are passed over.

    Policies that cannot be read are :class:`Missing`, unless they are among your ``own``. Raises
    ``SearchError`` if anything else is wrong.
    """
    if unknown := sorted(set(own) - set(KINDS)):
        raise SearchError(f"{unknown[0]!r} is not a policy of a search: hand in {listed(KINDS)}.")
    solver = said.get("solver", False)
    require(solver in (True, False), "solver", "True or False", solver)
    policies = {
        kind: own[kind] if kind in own else _read_or_missing(kind, said[kind])
        for kind in KINDS
        if kind in own or kind in said
    }
    make = MCTSSolver if solver else MCTS
    return make(game, said.get("c", sqrt(2)), said.get("seed"), **policies)


def _read_or_missing(kind: str, text: Any) -> Any:
    try:
        return read(text, kind)
    except MctsVizError as error:
        if not isinstance(text, str):
            raise
        return Missing(text, error)


def read(text: str, kind: str | None = None) -> Any:
    """Read what :func:`describe` wrote: a policy of that ``kind``, a ``"game"`` or a plain value.

    Raises ``SearchError``, or the game's ``GameError``, for every other text.
    """
    try:
        if not isinstance(text, str) or len(text) > LONGEST:
            raise ValueError
        with warnings.catch_warnings(action="ignore"):
            return _made(ast.parse(text.strip(), mode="eval").body, kind)
    except MctsVizError:
        raise
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError):
        raise SearchError(
            f"{short_repr(text)} cannot be read: write a name or a call, with numbers, strings and "
            "tuples, such as rewards_of(win=1, draw=0, loss=0)."
        ) from None


def _made(node: ast.expr, kind: str | None) -> Any:
    """The value of an expression, which is looked up and never run."""
    if kind is None:
        return ast.literal_eval(node)
    call = node if isinstance(node, ast.Call) else None
    head = call.func if call else node
    if not isinstance(head, ast.Name):
        raise ValueError
    maker = known_as(kind, head.id)
    if isinstance(maker, type) != bool(call):
        right = f"{head.id}(...), with" if isinstance(maker, type) else f"{head.id}, without"
        raise SearchError(f"{kind} must be written {right} brackets; you gave another form.")
    if call is None:
        return maker
    named: dict[Any, ast.expr] = {word.arg: word.value for word in call.keywords}
    if len(named) < len(call.keywords):
        raise ValueError  # a parameter is there twice
    takes = signature(maker).parameters
    try:
        bound = signature(maker).bind(*call.args, **named)
    except TypeError as fault:
        raise SearchError(f"{head.id} takes {listed(takes)}: {fault}.") from None
    kinds = {name: _NESTED.get(str(takes[name].annotation)) for name in bound.arguments}
    return maker(**{name: _made(value, kinds[name]) for name, value in bound.arguments.items()})


def known_as(kind: str, name: str) -> Any:
    """The policy or class of that name; raises ``SearchError`` if none is registered."""
    known = GAMES if kind == "game" else POLICIES[kind]
    if name not in known:
        raise SearchError(
            f"{kind} must be one of {listed(known)}; you gave {short_repr(name)}: hand in your "
            f"own, {kind}=..., or first import the package that has it, such as mcts_course."
        )
    return known[name]
