"""Hooks and what they are told: one frozen record a phase, made of ids and values.

A hook is any object with one or more of the four methods ``on_select``, ``on_expand``,
``on_simulate`` and ``on_backpropagate``. It observes; it cannot change the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ..errors import SearchError, short_repr
from ..games import Playout, Returns
from ..games.boards import listed
from .checks import require_list

if TYPE_CHECKING:
    from .mcts import MCTS, Node

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


new: Final[Callable[..., Any]] = tuple.__new__
Listener: TypeAlias = Callable[[Any], object]


@contextmanager
def observe(search: MCTS, hooks: Iterable[object]) -> Iterator[None]:
    """Tell the ``hooks`` of every phase, for the length of a ``with`` block.

    The methods of the ``search`` that a hook wants to hear of are wrapped. The phases themselves
    know of no hook: without one, they run as they stand in the class.
    """
    tell = listeners_of(hooks, PHASES)
    select, add_child = search.select, search.add_child
    simulate, backpropagate = search.simulate, search.backpropagate

    def hooked_select(path: list[Node] | None = None) -> list[Node]:
        path = select(path)
        tell["select"](Selection(search.iterations + 1, _ids(path)))
        return path

    def hooked_add_child(parent: Node, action: Any) -> Node:
        child = add_child(parent, action)
        tell["expand"](Expansion(child.created_at, child.id, parent.id, action))
        return child

    def hooked_simulate(node: Node) -> Playout:
        playout = simulate(node)
        actions, returns = playout
        fields = search.iterations + 1, node.id, tuple(actions), returns
        tell["simulate"](new(Simulation, fields))  # which every recording hears: faster than a call
        return playout

    def hooked_backpropagate(path: list[Node], playout: Playout) -> None:
        backpropagate(path, playout)
        rewards = search.rewards(playout.returns)
        tell["backpropagate"](Backpropagation(search.iterations, _ids(path), rewards))

    hooked = (hooked_select, hooked_add_child, hooked_simulate, hooked_backpropagate)
    methods = zip(PHASES, WRAPPED, hooked, strict=True)
    wrapped = {name: method for phase, name, method in methods if phase in tell}
    for name, method in wrapped.items():  # not by vars(), which makes all attributes slower
        setattr(search, name, method)
    try:
        yield
    finally:
        for name in wrapped:
            delattr(search, name)


def _ids(path: list[Node]) -> tuple[int, ...]:
    return tuple([node.id for node in path])


def listeners_of(hooks: Iterable[object], events: Sequence[str]) -> dict[str, Listener]:
    """By event that one of the ``hooks`` wants to hear of: what tells all those that do.

    Raises ``SearchError`` for anything but a hook.
    """
    listeners: dict[str, list[Listener]] = {}
    known = [f"on_{event}" for event in events]
    for hook in require_list("hooks", hooks, "of hooks"):
        methods = {name: getattr(hook, name) for name in dir(hook) if name.startswith("on_")}
        methods = {name: method for name, method in methods.items() if callable(method)}
        unknown = sorted({*methods} - {*known})
        if isinstance(hook, type) or unknown or not methods:
            wrong = f"{short_repr(hook)}, which has {unknown[0] if unknown else 'none'}"
            if isinstance(hook, type):
                wrong = f"a class: write {hook.__name__}()"
            raise SearchError(f"A hook must have one of {listed(known)}; you gave {wrong}.")
        for name, method in methods.items():
            listeners.setdefault(name.removeprefix("on_"), []).append(method)
    return {
        event: some[0] if len(some) == 1 else partial(_tell_all, some) for event, some in listeners.items()
    }


def _tell_all(listeners: list[Listener], record: Any) -> None:
    for listener in listeners:
        listener(record)
