"""A policy or a game as a short text, and back: ``rewards_of(win=1, draw=0, loss=0)``.

What the package offers is written by its name; what was made from parameters, as the call that
makes it. A text is parsed and looked up here, never run. To make another policy known, register
it. A function that makes policies answers with a ``functools.partial`` of the
function beside it that has its name after an underscore, all parameters by keyword: so that what
it has made is known again.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from inspect import Parameter, signature
from math import isfinite
from typing import Any, Final, NoReturn

import numpy as np

from ..errors import GameError, MctsVizError, SearchError, shown
from ..games import Game, game_class, game_from_parameters
from ..games.boards import listed
from ..games.extensions import load_extensions
from . import policies, variants
from .saving import reason

__all__ = [
    "LONGEST",
    "POLICIES",
    "Missing",
    "describe",
    "describe_game",
    "read",
    "read_game",
    "register_policies",
]

LONGEST: Final = 4000
"""Characters of a text that is read."""
POLICIES: Final[dict[str, tuple[Callable[..., Any], ...]]] = {
    "selection": (
        policies.ucb1,
        variants.ucb1_tuned,
        variants.win_rate,
        variants.puct,
        variants.uniform,
        variants.smoothed_ucb1,
    ),
    "choice": (
        policies.first_best,
        variants.random_best,
        variants.visited_best,
        variants.epsilon_greedy,
        variants.following,
    ),
    "expansion": (
        policies.expand_one,
        variants.expand_all,
        variants.expand_root_only,
        variants.expand_all_play_leaf,
    ),
    "playout": (
        policies.random_playout,
        variants.win_then_block,
        variants.block_then_win,
        variants.epsilon_heavy,
        variants.truncated,
    ),
    "credit": (policies.half_for_a_draw, variants.rewards_of, variants.root_players_view),
    "final_move": (
        policies.robust_child,
        variants.max_child,
        variants.robust_max_child,
        variants.secure_child,
    ),
    "prepare": (variants.pre_expanded,),
}
"""By what a search calls it: the policies that can be written, and the functions that make some."""
_NAMED = {policy.__name__: policy for kind in POLICIES.values() for policy in kind}
_RULES: Final = {
    "SelectionRule": "selection",
    "ChoiceRule": "choice",
    "ExpansionRule": "expansion",
    "PlayoutPolicy": "playout",
    "CreditRule": "credit",
    "FinalMoveRule": "final_move",
}
"""What a parameter that is itself a policy is annotated with, and its kind."""


def register_policies(**kinds: tuple[Callable[..., Any], ...]) -> None:
    """Let files and links name policies, by kind: ``register_policies(playout=(my_playout,))``."""
    for kind, offered in kinds.items():
        POLICIES[kind] += offered
        _NAMED.update({policy.__name__: policy for policy in offered})


class Missing:
    """Stands for a policy of which only the text is known; whoever calls it learns what to do."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind, self.text = kind, text

    def __call__(self, *args: Any, **options: Any) -> NoReturn:
        raise SearchError(
            f"The {_worded(self.kind)} of this search is {shown(self.text)}, which the package "
            f"does not have: hand it in, {self.kind}=..., where the search is loaded or opened."
        )


# Writing -----------------------------------------------------------------------------------


def describe(policy: Callable[..., Any]) -> str:
    """The policy as text; of one that is not the package's a name, which :func:`read` refuses."""
    if isinstance(policy, Missing):
        return policy.text
    text = _text_of_policy(policy)
    if text is not None:
        return text
    function = policy.func if isinstance(policy, partial) else policy
    name: str = getattr(function, "__name__", type(policy).__name__)
    return f"another {name}" if name.removeprefix("_") in _NAMED else name


def describe_game(game: Game[Any, Any]) -> str:
    """The game as text: the call that builds an equal one.

    Raises ``GameError`` if its parameters are no numbers, strings, or tuples or dicts of them.
    """
    text = _text_of_call(type(game), game.parameters())
    if text is None:
        raise GameError(
            f"The parameters {shown(game.parameters())} of {type(game).__name__} cannot be "
            "written as text: make them numbers, strings, and tuples or dicts of them."
        )
    return text


def _text_of_policy(policy: Any) -> str | None:
    """The text from which the package builds an equal policy; ``None`` if there is none."""
    if isinstance(policy, partial):
        maker = _NAMED.get(policy.func.__name__.removeprefix("_"))
        if maker is None or _made_by(maker) is not policy.func or policy.args:
            return None
        return _text_of_call(maker, policy.keywords)
    name = str(getattr(policy, "__name__", ""))
    known = _NAMED.get(name)
    return name if known is not None and known is policy and not _made_by(known) else None


def _made_by(policy: Callable[..., Any]) -> Any:
    """Of a function that makes policies: what it makes partials of; ``None`` of a policy."""
    return vars(sys.modules[policy.__module__]).get(f"_{policy.__name__}")


def _text_of_call(maker: Callable[..., Any], arguments: Mapping[str, Any]) -> str | None:
    parameters = signature(maker).parameters
    texts = []
    for name, value in arguments.items():
        text = _text_of(value)
        if text is None:
            return None
        if name not in parameters or text != _text_of(parameters[name].default):
            texts.append(text if len(parameters) == 1 else f"{name}={text}")
    return f"{maker.__name__}({', '.join(texts)})"


def _text_of(value: Any) -> str | None:
    """A value of a parameter as text."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, Game):
        return describe_game(value)
    if callable(value):
        return _text_of_policy(value)
    if isinstance(value, (tuple, list)):
        parts = [_text_of(part) for part in value]
        inside = ", ".join(part for part in parts if part is not None)
        return None if None in parts else f"({inside},)" if len(parts) == 1 else f"({inside})"
    if isinstance(value, Mapping):
        pairs = [(_text_of(key), _text_of(below)) for key, below in value.items()]
        whole = all(None not in pair for pair in pairs)
        return "{" + ", ".join(f"{key}: {below}" for key, below in pairs) + "}" if whole else None
    plain = value is None or isinstance(value, (bool, int, str))
    return repr(value) if plain or (isinstance(value, float) and isfinite(value)) else None


# Reading -----------------------------------------------------------------------------------


def read(kind: str, text: str) -> Any:
    """The policy of that kind (a key of ``POLICIES``) that :func:`describe` wrote as ``text``.

    Raises ``SearchError`` for every other text.
    """
    return _policy(kind, _parsed(text, "a policy"))


def read_game(text: str) -> Game[Any, Any]:
    """The game that :func:`describe_game` wrote as ``text``.

    Raises ``GameError`` for a game that is not the package's, and ``SearchError`` or
    ``GameError`` for a text that is none.
    """
    return _game(_parsed(text, "a game"))


def _parsed(text: str, what: str) -> ast.expr:
    if not isinstance(text, str) or len(text) > LONGEST:
        raise SearchError(
            f"{shown(text)} cannot be {what}: give a text of at most {LONGEST} characters."
        )
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _unreadable(text) from None


def _policy(kind: str, node: ast.expr) -> Any:
    called = isinstance(node, ast.Call)
    head = node.func if isinstance(node, ast.Call) else node
    name = head.id if isinstance(head, ast.Name) else None
    if name not in _NAMED:
        load_extensions()
    known = {policy.__name__: policy for policy in POLICIES[kind]}
    if name is None:
        raise _unreadable(_source(node))
    if name not in known:
        raise SearchError(
            f"The {_worded(kind)} {shown(name)} is not one of the package's "
            f"({listed(known)}): take one of these, or hand in your own, {kind}=..."
        )
    policy = known[name]
    makes = _made_by(policy) is not None
    if makes != called:
        remedy = f"{name}(...), with its parameters" if makes else f"{name}, without brackets"
        raise SearchError(f"{shown(_source(node))} is no {_worded(kind)}: write {remedy}.")
    return _made(policy, node) if isinstance(node, ast.Call) else policy


def _made(maker: Callable[..., Any], call: ast.Call) -> Any:
    parameters = signature(maker).parameters
    arguments = {
        name: _argument(parameters[name], node) for name, node in _bound(maker, call).items()
    }
    try:
        return maker(**arguments)
    except MctsVizError:
        raise
    except (TypeError, ValueError, ArithmeticError) as error:
        raise SearchError(
            f"{shown(_source(call))} makes no policy ({reason(error)}): check its parameters."
        ) from None


def _bound(maker: Callable[..., Any], call: ast.Call) -> dict[str, ast.expr]:
    """What the call gives each parameter of the function."""
    named = [(word.arg, word.value) for word in call.keywords]
    names = [name for name, _ in named if name is not None]
    starred = len(names) < len(named) or any(isinstance(arg, ast.Starred) for arg in call.args)
    try:
        if starred or len(set(names)) < len(names):
            raise TypeError("each parameter is written once, without stars")
        return signature(maker).bind(*call.args, **{str(k): node for k, node in named}).arguments
    except TypeError as error:
        raise SearchError(
            f"{shown(_source(call))} cannot be read ({error}): the parameters of "
            f"{maker.__name__} are {listed(signature(maker).parameters)}."
        ) from None


def _argument(parameter: Parameter, node: ast.expr) -> Any:
    """The value of a parameter, of the kind that its annotation asks for."""
    wanted = parameter.annotation
    if wanted in _RULES:
        return _policy(_RULES[wanted], node)
    if "Callable" in wanted:
        raise SearchError(
            f"{parameter.name} is a function of your own, which no text holds: hand in the whole "
            "policy."
        )
    value = _value(node)
    kinds = {"int": (int,), "float": (int, float)}.get(wanted, (tuple,))
    if not isinstance(value, kinds) or isinstance(value, bool):
        noun = {"int": "a whole number", "float": "a number"}.get(wanted, "a tuple, such as (1, 2)")
        raise SearchError(f"{parameter.name} is {shown(value)}, but it must be {noun}.")
    return value


def _game(call: ast.expr) -> Game[Any, Any]:
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise SearchError(
            f"{shown(_source(call))} is no game: write its name and its parameters in "
            "brackets, such as TicTacToe() or Nim((3, 4, 5))."
        )
    name = call.func.id
    maker = game_class(name)
    arguments = {
        parameter: _game(node) if isinstance(node, ast.Call) else _value(node)
        for parameter, node in _bound(maker, call).items()
    }
    try:
        return game_from_parameters(name, arguments)
    except MctsVizError:
        raise
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
        raise GameError(
            f"{shown(_source(call))} builds no game ({reason(error)}): check its parameters."
        ) from None


def _value(node: ast.expr) -> Any:
    """A number, a text, ``None``, a truth value, or a tuple or dict of them."""
    match node:
        case ast.Constant(value=None | bool() | str() as value):
            return value
        case ast.Constant(value=int() | float() as value):
            return _finite(value, node)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return _finite(-value, node)
        case ast.Tuple(elts=parts):
            return tuple(_value(part) for part in parts)
        case ast.Dict(keys=keys, values=values):
            if all(isinstance(key, ast.Constant) for key in keys):
                pairs = zip(keys, values, strict=True)
                return {_value(key): _value(below) for key, below in pairs if key is not None}
    raise _unreadable(_source(node))


def _finite(number: float, node: ast.expr) -> float:
    if not -sys.float_info.max <= number <= sys.float_info.max:
        raise SearchError(f"The number {shown(_source(node))} is too large: write a smaller.")
    return number


def _source(node: ast.expr) -> str:
    try:
        return ast.unparse(node)
    except (RecursionError, ValueError):  # nested too deeply, or digits without end
        return "a part of it"


def _unreadable(text: str) -> SearchError:
    return SearchError(
        f"{shown(text)} cannot be read: write a name or a call, with numbers, strings and "
        "tuples, such as rewards_of(win=1, draw=0, loss=0)."
    )


def _worded(kind: str) -> str:
    words = {
        "selection": "selection rule",
        "choice": "choice rule",
        "expansion": "expansion rule",
        "playout": "playout policy",
        "credit": "credit rule",
        "final_move": "final-move rule",
        "prepare": "preparation",
    }
    return words[kind]
