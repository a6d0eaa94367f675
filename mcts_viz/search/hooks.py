"""What a hook is told: one frozen record a phase, made of ids and values.

A hook is any object with one or more of the four methods ``on_select``, ``on_expand``,
``on_simulate`` and ``on_backpropagate``. It observes; it cannot change the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..errors import SearchError, shown
from ..games import Playout, Returns

if TYPE_CHECKING:
    from .mcts import MCTS, Node

__all__ = [
    "PHASES",
    "WRAPPED",
    "Backpropagation",
    "Expansion",
    "Record",
    "Selection",
    "Simulation",
    "telling",
]

PHASES = ("select", "expand", "simulate", "backpropagate")
"""The four phases of an iteration, in order; a hook's methods are ``on_`` and one of these."""


WRAPPED = ("select", "add_child", "simulate", "backpropagate")
"""By phase, the method of a search that is wrapped: each new node is told on its own."""


class Selection(NamedTuple):
    """The walk down is over. ``path`` holds node ids, root first; iterations count from 1."""

    iteration: int
    path: tuple[int, ...]


class Expansion(NamedTuple):
    """The node ``node`` was added below ``parent``, for the move ``action``."""

    iteration: int
    node: int
    parent: int
    action: Any


class Simulation(NamedTuple):
    """A playout ran from ``node``; none of its ``actions`` enter the tree.

    ``returns`` holds one number a player, in [-1, 1].
    """

    iteration: int
    node: int
    actions: tuple[Any, ...]
    returns: Returns


class Backpropagation(NamedTuple):
    """Every node of ``path`` got one visit, and ``rewards[player who moved into it]`` wins."""

    iteration: int
    path: tuple[int, ...]
    rewards: tuple[float, ...]


Record: TypeAlias = Selection | Expansion | Simulation | Backpropagation
Listener: TypeAlias = Callable[[Any], object]


def telling(search: MCTS, hooks: Iterable[object]) -> dict[str, Callable[..., Any]]:
    """By name, the methods of ``search`` that a hook wants to hear of, wrapped so that it does.

    The phases themselves know of no hook: without one, they run as they stand in the class.
    """
    heard = _listeners(hooks)
    on_select, on_expand, on_simulate, on_backpropagate = map(_as_one, heard.values())
    select, add_child = search.select, search.add_child
    simulate, backpropagate = search.simulate, search.backpropagate

    def told_select(path: list[Node] | None = None) -> list[Node]:
        path = select(path)
        on_select(Selection(search.iterations + 1, _ids(path)))
        return path

    def told_add_child(parent: Node, action: Any) -> Node:
        child = add_child(parent, action)
        on_expand(Expansion(child.birth, child.id, parent.id, action))
        return child

    def told_simulate(node: Node) -> Playout:
        playout = simulate(node)
        actions, returns = playout
        on_simulate(Simulation(search.iterations + 1, node.id, tuple(actions), returns))
        return playout

    def told_backpropagate(path: list[Node], playout: Playout) -> None:
        backpropagate(path, playout)
        rewards = search.rewards(playout.returns)
        on_backpropagate(Backpropagation(search.iterations, _ids(path), rewards))

    told: tuple[Callable[..., Any], ...] = (
        told_select,
        told_add_child,
        told_simulate,
        told_backpropagate,
    )
    by_phase = zip(PHASES, WRAPPED, told, strict=True)
    return {name: method for phase, name, method in by_phase if heard[phase]}


def _as_one(listeners: list[Listener]) -> Listener:
    if len(listeners) == 1:
        return listeners[0]

    def tell(record: Record) -> None:
        for listener in listeners:
            listener(record)

    return tell


def _ids(path: list[Node]) -> tuple[int, ...]:
    return tuple([node.id for node in path])


def _listeners(hooks: Iterable[object]) -> dict[str, list[Listener]]:
    """By phase, what the hooks have for it."""
    try:
        hooks = list(hooks)
    except TypeError:
        raise SearchError(
            f"hooks is {shown(hooks)}, but hooks come in a list: write hooks=[...]."
        ) from None
    heard: dict[str, list[Listener]] = {phase: [] for phase in PHASES}
    for hook in hooks:
        found = {phase: getattr(hook, f"on_{phase}", None) for phase in PHASES}
        named = {name.removeprefix("on_") for name in dir(hook) if name.startswith("on_")}
        unknown = sorted(named - set(PHASES))
        if unknown or not any(map(callable, found.values())):
            wrong = f"method on_{unknown[0]}" if unknown else f"no such method: {shown(hook)}"
            raise SearchError(
                f"A hook is an object with methods {', '.join('on_' + phase for phase in PHASES)}, "
                f"but this one has {'a ' if unknown else ''}{wrong}."
            )
        for phase, listener in found.items():
            if callable(listener):
                heard[phase].append(listener)
    return heard
