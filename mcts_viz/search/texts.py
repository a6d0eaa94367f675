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
from math import isfinite, sqrt
from typing import Any, Final, NoReturn, TypeAlias

import numpy as np

from ..errors import MctsVizError, SearchError, short_repr
from ..games import Game, game_class, load_extensions
from ..games.boards import listed
from .checks import checked_c, require_function, require_number, require_whole, resolve_seed
from .mcts import DEFAULTS, MCTS
from .mcts_solver import MCTSSolver
from .policies import KINDS

LONGEST: Final = 4000
"""Characters of a text that is read."""
POLICIES: Final[dict[str, dict[str, Callable[..., Any]]]] = {kind: {} for kind in KINDS}
"""By kind and name: the policies that can be written and read."""
_NESTED: Final = {"PlayoutPolicy": "playout", "RewardRule": "reward"}
"""What a parameter that is itself a policy is annotated with, and its kind."""
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
    "Share": partial(require_number, least=0, most=1, limits=" between 0 and 1"),
    "NotNegative": partial(require_number, least=0, limits=" of at least 0"),
    "Positive": partial(require_number, least=sys.float_info.min, limits=" above 0"),
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

    Of a policy that is not registered it is a name that :func:`read_policy` refuses. Raises
    ``SearchError`` if a parameter is no number, string, ``None``, or tuple or dict of them.
    """
    if isinstance(value, np.generic):
        value = value.item()
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
    if isinstance(value, (tuple, list)):
        inside = ", ".join(map(describe, value))
        return f"({inside},)" if len(value) == 1 else f"({inside})"
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{describe(key)}: {describe(below)}" for key, below in value.items())
        return "{" + pairs + "}"
    finite = isinstance(value, float) and isfinite(value)
    if finite or value is None or isinstance(value, int | str):
        return repr(value)
    raise SearchError(
        f"The parameter {short_repr(value)} cannot be written as text: make a game's parameters "
        "numbers, strings, and tuples or dicts of them."
    )


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
    """What differs from the defaults, but for the game: numbers, and policies as texts."""
    given = {name: value for name, value in search.given.items() if name != "game"}
    usual = {"c": sqrt(2), **DEFAULTS}
    texts = {
        name: describe(value) if name in KINDS else value
        for name, value in given.items()
        if name not in usual or value != usual[name]
    }
    return texts | ({"solver": True} if isinstance(search, MCTSSolver) else {})


# Reading -----------------------------------------------------------------------------------


def read_search(game: Game[Any, Any], said: Mapping[str, Any], own: Mapping[str, Any]) -> MCTS:
    """The search that was :func:`written`, without a tree; what else is in there is passed over.

    Policies that cannot be read are :class:`Missing`, unless they are among your ``own``. Raises
    ``SearchError`` if anything else is wrong.
    """
    solver = said.get("solver", False)
    if solver not in (True, False) or (solver and len(game.players) != 2):
        raise SearchError(
            f"solver is {short_repr(solver)}, but it is True or False, and True (for MCTSSolver) "
            "only in games of two players."
        )
    policies = {
        kind: own[kind] if kind in own else _read_or_missing(kind, said[kind])
        for kind in KINDS
        if kind in own or kind in said
    }
    c, seed = checked_c(said.get("c", sqrt(2))), resolve_seed(said.get("seed"))
    return (MCTSSolver if solver else MCTS)(game, c, seed, **policies)


def require_kinds(own: Mapping[str, Any]) -> None:
    """Raise ``SearchError`` unless these are kinds of policies."""
    if unknown := sorted(set(own) - set(KINDS)):
        raise SearchError(f"{unknown[0]!r} is no policy of a search: hand in {listed(KINDS)}.")


def _read_or_missing(kind: str, text: Any) -> Any:
    try:
        return read_policy(kind, text)
    except MctsVizError as error:
        if not isinstance(text, str):
            raise
        return Missing(text, error)


def read_policy(kind: str, text: str) -> Any:
    """The policy of that kind (of ``KINDS``) that :func:`describe` wrote as ``text``.

    Raises ``SearchError`` for every other text.
    """
    return _read(text, partial(_policy, kind))


def read_game(text: str) -> Game[Any, Any]:
    """The game that :func:`describe` wrote as ``text``.

    Raises ``GameError`` for a game that is not registered, and ``SearchError`` or ``GameError``
    for a text that is none.
    """
    game: Game[Any, Any] = _read(text, _game)
    return game


def read_value(text: str) -> Any:
    """A number, a string, ``None``, a truth value, or a tuple or dict of them."""
    return _read(text, _value)


def _read(text: str, make: Callable[[ast.expr], Any]) -> Any:
    """What can be made of a text's expression, which is not run."""
    try:
        if not isinstance(text, str) or len(text) > LONGEST:
            raise ValueError
        with warnings.catch_warnings(action="ignore"):
            return make(ast.parse(text.strip(), mode="eval").body)
    except MctsVizError:
        raise
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError):
        raise SearchError(
            f"{short_repr(text)} cannot be read: write a name or a call, with numbers, strings and "
            "tuples, such as rewards_of(win=1, draw=0, loss=0)."
        ) from None


def _game(node: ast.expr) -> Any:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _made(game_class(node.func.id), node)
    raise SearchError(
        "This is no game: write its name and its parameters in brackets, such as TicTacToe() or "
        "Nim((3, 4, 5))."
    )


def _policy(kind: str, node: ast.expr) -> Any:
    head = node.func if isinstance(node, ast.Call) else node
    if not isinstance(head, ast.Name):
        raise ValueError
    name, known = head.id, POLICIES[kind]
    if name not in known:
        load_extensions()
    if name not in known:
        raise SearchError(
            f"{kind} is {short_repr(name)}, which is not one of the package's "
            f"({listed(known)}): take one of these, or hand in your own, {kind}=..."
        )
    if not isinstance(known[name], type):
        if isinstance(node, ast.Call):
            raise SearchError(f"{kind} is {name}(...): write {name}, without brackets.")
        return known[name]
    if not isinstance(node, ast.Call):
        raise SearchError(f"{kind} is {name}: write {name}(...), with its parameters.")
    return _made(known[name], node)


def _made(maker: Callable[..., Any], call: ast.Call) -> Any:
    """What the call makes, a game or a policy."""
    known = signature(maker).parameters
    named: dict[Any, ast.expr] = {word.arg: word.value for word in call.keywords}
    if len(named) < len(call.keywords):
        raise ValueError  # a parameter is there twice
    try:
        bound = signature(maker).bind(*call.args, **named).arguments
    except TypeError as error:
        raise SearchError(
            f"{maker.__name__}(...) cannot be read ({error}): its parameters are {listed(known)}."
        ) from None
    values = {}
    for name, node in bound.items():
        kind = _NESTED.get(str(known[name].annotation))
        values[name] = _policy(kind, node) if kind else _value(node)
    return maker(**values)


def _value(node: ast.expr) -> Any:
    value = ast.literal_eval(node)
    describe(value)  # which refuses what is neither a number nor a string
    return value
