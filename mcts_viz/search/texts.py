"""Policies and games in words: ``rewards_of(win=1, draw=0, loss=0)``.

A plain function is written by its name, a policy with parameters as the call that makes it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from inspect import Parameter, signature
from typing import Any, Final, TypeAlias

import numpy as np

from ..games import Game
from .checks import require_function, require_number, require_whole
from .mcts import DEFAULTS, MCTS
from .policies import KINDS

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
    "PlayoutPolicy": partial(require_function, given=KINDS["playout"]),
    "RewardRule": partial(require_function, given=KINDS["reward"]),
}
"""By annotation of a parameter: what it must be."""


@dataclass(frozen=True)
class Parameters:
    """Base of the policies with parameters: frozen dataclasses that can be called.

    The ``repr`` is the call that makes an equal policy. Each parameter is checked when the policy
    is made: by its annotation, as in :data:`CHECKS`, or by the subclass's own ``__post_init__``.
    """

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.type in CHECKS:
                CHECKS[field.type](field.name, getattr(self, field.name))

    def __repr__(self) -> str:
        return _call(type(self), vars(self))


def describe(value: Any) -> str:
    """A policy, a game or a plain value as text."""
    if isinstance(value, Game):
        return _call(type(value), value.parameters())
    if callable(value) and not isinstance(value, Parameters):
        return str(getattr(value, "__name__", type(value).__name__))
    if isinstance(value, np.generic | list):
        value = tuple(value) if isinstance(value, list) else value.item()
    return repr(value)


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
    """What it was given, but for the game and what are the defaults: numbers and texts."""
    said = {"c": search.c, "seed": search.seed, "selection": describe(search.selection)}
    for kind, usual in DEFAULTS.items():
        policy = getattr(search, kind)
        if policy != usual:
            text = describe(policy)
            said[kind] = f"another {text}" if text == describe(usual) else text
    return said | ({"solver": True} if search.solver else {})
