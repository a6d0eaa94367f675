"""The run of a search: its budget, the hooks that observe it, what stops it, and what it returns.

A hook is any object with one or more of the four methods ``on_select``, ``on_expand``,
``on_simulate`` and ``on_backpropagate``. It is given one frozen record a phase, made of ids and
values. It observes; it cannot change the search.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    MutableSequence,
    MutableSet,
)
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass
from math import inf
from time import perf_counter
from traceback import walk_stack
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from ..errors import SearchError, printable, require
from ..games import Game, Playout, Returns
from ..games.protocol import State
from .checks import check_position, comes_again, coming_again, explain_game_error, require_list
from .policies import RecommendationRule, one_of

if TYPE_CHECKING:
    from .mcts import MCTS, Node


@dataclass(frozen=True, repr=False)
class SearchResult:
    """The result of a search, which shows itself as a table of the root's moves."""

    game: Game[Any, Any]
    root: Node
    iterations: int
    """Iterations of this run."""
    seconds: float
    interrupted: bool
    """True if the user stopped it before its budget was used."""
    recommendation: RecommendationRule

    @property
    def best_child(self) -> Node:
        """The root's recommended child; raises ``SearchError`` if none was visited."""
        visited = [child for child in self.root.children if child.visits]
        if not visited:
            raise SearchError("The search has had no iteration yet: give it iterations or seconds.")
        return one_of(visited, "recommendation", self.recommendation(visited))

    @property
    def best_action(self) -> Any:
        """The recommended move."""
        return self.best_child.action

    def __repr__(self) -> str:
        rows = sorted(self.root.children, key=lambda child: (-child.visits, -child.mean))
        lines = [f"{'move':>12} {'wins/visits':>16} {'mean':>6}"]
        for child in rows:
            move = printable(str(self.game.action_label(self.root.state, child.action)))
            share = f"{child.wins:g}/{child.visits}"
            lines.append(f"{move:>12} {share:>16} {child.mean:6.3f}")
        stopped = ", stopped by the user" if self.interrupted else ""
        return "\n".join([*lines, f"{self.iterations} iterations{stopped}"])


def run(
    search: MCTS,
    iterations: int | None,
    seconds: float | None,
    hooks: Iterable[object],
    progress: bool | None,
) -> SearchResult:
    """Iterate until a limit is reached, the user stops it, or the root is proven."""
    begun = perf_counter()
    before = search.iterations
    done = 0
    with (
        interrupts() as stop,
        no_reentry(search),
        phases_told(search, hooks),
        progress_bar(iterations, progress) as show,
        rare_collections(),
    ):
        iterate = search.iteration
        try:
            while not (done == iterations or stop.requested or search.solved):
                iterate()
                done += 1
                if seconds is not None and perf_counter() - begun >= seconds:
                    break
                if not done & 15:
                    show(done)
        except Stopped:  # a search inside a policy or a hook: this iteration does not count
            pass
        finally:
            if search.nodes[-1].created_at > search.iterations:
                forget_unfinished(search)
    spent, grown = perf_counter() - begun, search.iterations - before
    recommend = copy(search).recommend  # which keeps the proofs of this tree, if there are some
    return SearchResult(search.game, search.root, grown, spent, stop.requested, recommend)


def along(search: MCTS, actions: tuple[Any, ...], hooks: Iterable[object]) -> None:
    """Run the iteration that :meth:`MCTS.iteration_along` describes."""
    hooks = require_list("hooks", hooks, "of hooks")
    listeners_of(hooks)  # which refuses what is no hook
    with no_reentry(search):
        try:
            _check_walk(search, actions)
            with begun_at(search, search.path_along(actions)), phases_told(search, hooks):
                search.iteration()
        finally:
            if search.nodes[-1].created_at > search.iterations:
                forget_unfinished(search)
    if len(search.chosen) == search.iterations - 1:
        search.chosen += (actions,)


def _check_walk(search: MCTS, actions: tuple[Any, ...]) -> None:
    """Raise ``SearchError`` unless the walk ends with its one new node, or where the game is
    over."""
    node, old = search.root, 0
    for action in actions:
        known = [child for child in node.children if child.action == action]
        if not known:
            break
        node, old = known[0], old + 1
    new = len(actions) - old
    if new != 1 and not (new == 0 and search.game.is_terminal(node.state)):
        fault = f"adds {new} nodes" if new else "ends at a node where play goes on"
        raise SearchError(
            "The walk of an iteration must end with one new node, or where the game is over; "
            f"{list(actions)} {fault}. Give the moves from the root to such an end."
        )


def forget_unfinished(search: MCTS) -> None:
    """Take out what an error or an interrupt left of an iteration that did not end."""
    nodes, last = search.nodes, search.iterations
    while nodes[-1].created_at > last:
        nodes.pop()
    for node in nodes:
        lost = [child.action for child in node.children if child.created_at > last]
        if lost:
            node.children = [child for child in node.children if child.created_at <= last]
            _leave_untried(node, lost)


def _leave_untried(node: Node, moves: list[Any]) -> None:
    """Let these moves wait to be tried; of nature's outcomes none ever does."""
    if not node.chances:
        untried = node.untried or []
        node.untried = untried + [move for move in moves if move not in untried]


@contextmanager
def no_reentry(search: MCTS) -> Iterator[None]:
    """Refuse what a hook or a policy may not do: start the search again while it is at work.

    An error in the game is explained to its author.
    """
    if search._running:
        raise SearchError(
            "The search is running, so it cannot be started again: wait, or use another MCTS."
        )
    try:
        search._running = True
        with explain_game_error(search.game):
            yield
    finally:
        search._running = False


@contextmanager
def exact_play(game: Game[State, Any], state: State) -> Iterator[None]:
    """See to a ``with`` block in which exact play looks at all that may follow ``state``.

    It remembers positions, so that they must have a hash.
    """
    check_position(game, state, hashed=True)
    try:
        with rare_collections(), explain_game_error(game):
            yield
    except RecursionError:
        again = coming_again(game, state)
        if again is not None:
            remedy = "count the moves in the state and end the game, or take MCTS(game)"
            raise comes_again(game, again, remedy) from None
        raise SearchError(f"{game.name} is too long from here: take a later position.") from None


# Hooks -----------------------------------------------------------------------------------------

PHASES = ("select", "expand", "simulate", "backpropagate")
"""The four phases of an iteration, in order; a hook's methods are ``on_`` and one of these."""


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
    """Every node of ``path`` got one visit, and ``rewards[player who moved into it]`` wins.

    In a game that pays on the way these are the rewards of the path's end, from where on the
    playout went; each node above has a return of its own.
    """

    iteration: int
    path: tuple[int, ...]
    rewards: tuple[float, ...]


Listener: TypeAlias = Callable[[Any], object]
Phase: TypeAlias = Callable[..., Any]
make: Final[Callable[..., Any]] = tuple.__new__


@contextmanager
def phases_told(search: MCTS, hooks: Iterable[object]) -> Iterator[None]:
    """Let the hooks hear of the phases of a search, for the length of a ``with`` block.

    A phase that a hook listens to is wrapped, in this one object; the order of the phases is
    that of its ``iteration``, which may be a subclass's own. That one need not simulate at all, so
    hooks receive its playouts when they are backpropagated.
    """
    from .mcts import MCTS

    hooks = require_list("hooks", hooks, "of hooks")
    listeners_of(hooks)
    for hook in hooks:
        if begin := getattr(hook, "_on_run", None):  # a recorder sees what it has to listen to
            begin(search)
    tell = dict(zip(PHASES, listeners_of(hooks), strict=True))
    late: list[Listener] = []
    if type(search).iteration is not MCTS.iteration:
        tell["simulate"], late = late, tell["simulate"]
    # Asking for vars(search) would make all its attributes slower, in CPython from 3.11 on.
    before = {phase: getattr(search, phase) for phase in PHASES}
    try:
        for phase, wrap in WRAPPERS.items():
            if tell[phase]:
                setattr(search, phase, wrap(search, before[phase], tell[phase]))
        if late:
            search.backpropagate = _told_late(search, search.backpropagate, late)  # type: ignore[method-assign]
        yield
    finally:
        for phase, method in before.items():
            if getattr(search, phase) is not method:
                _put_back(search, phase, method)


def _put_back(search: MCTS, phase: str, method: Phase) -> None:
    """Undo the wrapping: a method of the class needs no attribute of the object."""
    with suppress(AttributeError):
        delattr(search, phase)
    if getattr(search, phase) != method:
        setattr(search, phase, method)


@contextmanager
def begun_at(search: MCTS, path: list[Node]) -> Iterator[None]:
    """Let selection go on from the end of ``path``, for the length of a ``with`` block.

    If that is a new node, no other is added. Raises ``SearchError`` if the search has a ``select``
    of its own that begins another walk.
    """
    select, asked = search.select, [*path]

    def go_on() -> list[Node]:
        walk = select(path)
        if walk[: len(asked)] != asked:
            raise SearchError(
                f"{type(search).__name__}.select does not go on from the path that it is given, "
                "so its walk cannot be chosen: let it begin with path or [self.root]."
            )
        return walk

    try:
        search.select = go_on  # type: ignore[method-assign, assignment]
        if path[-1].created_at > search.iterations:
            search.expand = lambda path: path[-1]  # type: ignore[method-assign]
        yield
    finally:
        del search.select
        with suppress(AttributeError):
            del search.expand


def _selecting(search: MCTS, select: Phase, listeners: list[Listener]) -> Phase:
    def heard_select(*given: object) -> Any:
        path = select(*given)
        _tell(listeners, Selection(search.iterations + 1, ids(path)))
        return path

    return heard_select


def _expanding(search: MCTS, expand: Phase, listeners: list[Listener]) -> Phase:
    known = len(search.nodes)

    def heard_expand(path: list[Node]) -> Any:
        nonlocal known
        node = expand(path)
        number = search.iterations + 1
        nodes = search.nodes
        new, known = nodes[known:], len(nodes)
        for child in new:
            parent = next(above for above in (*path[::-1], *new) if child in above.children)
            _tell(listeners, Expansion(number, child.id, parent.id, child.action))
        return node

    return heard_expand


def _simulating(search: MCTS, simulate: Phase, listeners: list[Listener]) -> Phase:
    def heard_simulate(node: Node) -> Any:
        playout = simulate(node)
        actions, returns = playout
        for hear in listeners:  # as every recording does: this is faster than a call of the class
            hear(make(Simulation, (search.iterations + 1, node.id, tuple(actions), returns)))
        return playout

    return heard_simulate


def _told_late(search: MCTS, backpropagate: Phase, listeners: list[Listener]) -> Phase:
    def heard_before(path: list[Node], playout: Playout) -> Any:
        number, actions = search.iterations + 1, tuple(playout.actions)
        _tell(listeners, Simulation(number, path[-1].id, actions, playout.returns))
        return backpropagate(path, playout)

    return heard_before


def _backpropagating(search: MCTS, backpropagate: Phase, listeners: list[Listener]) -> Phase:
    def heard_in_the_end(path: list[Node], playout: Playout) -> Any:
        number, walked = search.iterations + 1, ids(path)  # which a backpropagation may use up
        answer = backpropagate(path, playout)
        rewards = search.rewards(playout.returns)
        _tell(listeners, Backpropagation(number, walked, rewards))
        return answer

    return heard_in_the_end


WRAPPERS: Final = dict(
    zip(PHASES, (_selecting, _expanding, _simulating, _backpropagating), strict=True)
)


def ids(path: list[Node]) -> tuple[int, ...]:
    """The numbers of the nodes."""
    return tuple([node.id for node in path])  # faster than by a generator


def _tell(listeners: list[Listener], record: object) -> None:
    for hear in listeners:
        hear(record)


def listeners_of(hooks: Iterable[object]) -> list[list[Listener]]:
    """For each phase: the methods of the ``hooks`` that hear of it.

    Raises ``SearchError`` for anything but a hook.
    """
    tell: list[list[Listener]] = [[] for _ in PHASES]
    for hook in require_list("hooks", hooks, "of hooks"):
        methods = [getattr(hook, f"on_{phase}", None) for phase in PHASES]
        right = any(map(callable, methods)) and not isinstance(hook, type)
        require(
            right,
            "A hook",
            f"an object, such as Recorder(), with one of on_{', on_'.join(PHASES)}",
            hook,
        )
        for listeners, method in zip(tell, methods, strict=True):
            if callable(method):
                listeners.append(method)
    return tell


# Interrupts ------------------------------------------------------------------------------------


class Stopped(KeyboardInterrupt):
    """Work inside other work was stopped: it has no result, and the other work stops, too."""


class StopRequest:
    """Set when the user has asked for an end."""

    requested = False


_asked: StopRequest | None = None
"""That of the main thread's outermost block."""


@contextmanager
def interrupts(inside: str = "iteration", outside: str = "backpropagate") -> Iterator[StopRequest]:
    """Let Ctrl+C and Jupyter's stop button request a stop, for the length of a ``with`` block.

    A second interrupt raises ``KeyboardInterrupt`` at once, so a playout that never ends can be
    left, but only while the function called ``inside`` runs, and there not while ``outside`` does,
    whose work is all or nothing. A block within another one shares its request, and ends with
    :class:`Stopped`. Outside the main thread Python delivers no signals, and nothing is changed.
    """
    global _asked
    if threading.current_thread() is not threading.main_thread():
        yield StopRequest()
    elif _asked:
        yield _asked
        stop_if_asked()
    else:
        stop, previous = StopRequest(), signal.getsignal(signal.SIGINT)

        def interrupt(number: int, frame: FrameType | None) -> None:
            again, stop.requested = stop.requested, True
            names = {each.f_code.co_name for each, _ in walk_stack(frame)}
            if again and inside in names and outside not in names:
                raise KeyboardInterrupt

        try:
            signal.signal(signal.SIGINT, interrupt)
            _asked = stop
            yield stop
        finally:
            _asked = None
            signal.signal(signal.SIGINT, previous)


def stop_if_asked() -> None:
    """End long work in the main thread if it is inside other work that was asked to stop."""
    here = threading.current_thread() is threading.main_thread()
    if here and _asked and _asked.requested:
        raise Stopped


@contextmanager
def held_back() -> Iterator[None]:
    """Let an interrupt wait until the block is done: it would break what a C library holds."""
    with interrupts(inside="") as stop:
        yield
    if stop.requested:
        signal.raise_signal(signal.SIGINT)


# The collector ---------------------------------------------------------------------------------

BETWEEN_COLLECTIONS: Final = 200_000
"""New objects before the collector looks for cycles."""
_collecting: Final = threading.Lock()
_thresholds: Final[list[tuple[int, int, int]]] = []
"""What each open block has found, of any thread: the first has the usual, which the last restores.
"""
_frozen: Final = [0]
"""The objects that others had frozen when they were counted."""


def _others_froze() -> bool:
    """True if others have frozen objects. They are counted once: many take long."""
    _frozen[0] = _frozen[0] or gc.get_freeze_count()
    return _frozen[0] > 0


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let the collector run seldom: by default it walks the whole tree again as the tree grows.

    A search makes no cycles, so there is nothing to be found in between.
    """
    with _collecting:
        _thresholds.append(gc.get_threshold())
        gc.set_threshold(BETWEEN_COLLECTIONS, *_thresholds[0][1:])
    try:
        yield
    finally:
        with _collecting:
            usual = _thresholds[0]
            _thresholds.pop()
            if not _thresholds:
                # Else the collector would at once walk all that has grown meanwhile, and the search
                # would last longer than it was given. What others have frozen must stay so.
                if gc.get_count()[0] > usual[0] and not _others_froze():
                    gc.freeze()
                    gc.unfreeze()
                gc.set_threshold(*usual)


# The bar ---------------------------------------------------------------------------------------

PATIENCE: Final = 2.0
"""Seconds before a bar appears; even an invisible one costs a notebook a dozen widgets."""
PACE: Final = 0.5
"""Seconds between two changes of the bar, each of which is several messages to a notebook."""


@contextmanager
def progress_bar(
    total: int | None, wanted: bool | None, unit: str = "iterations"
) -> Iterator[Callable[[int], None]]:
    """Give a function that shows how much of ``total`` is done, when it is time to.

    That is at once if the bar is ``wanted``, and never if that is false.
    """
    patience, bar = perf_counter() + (0.0 if wanted else PATIENCE), None
    # tqdm reads this variable when it is imported, and its bars in notebooks do not obey it.
    if wanted is False or os.environ.get("TQDM_DISABLE") == "1":
        patience = inf

    def show(done: int) -> None:
        nonlocal bar
        if perf_counter() < patience:
            return
        if bar is None:
            from tqdm.auto import tqdm  # slow, and a short search shows no bar

            if sys.platform == "emscripten":
                tqdm.monitor_interval = 0  # a browser has no thread that could watch the bar
            bar = tqdm(total=total, unit=f" {unit}", leave=False, mininterval=PACE, disable=False)
        bar.update(done - bar.n)

    try:
        yield show
    finally:
        if bar is not None:
            bar.total = None  # else a notebook keeps what ended early, as a red bar
            bar.close()


def copied(value: Any) -> Any:
    """A list, dict, set or array apart from the given one, with those in it; else the same."""
    if hasattr(value, "__array__") or isinstance(value, MutableSet):
        return copy(value)
    if not isinstance(value, MutableMapping | MutableSequence):
        return value
    other = copy(value)
    pairs = value.items() if isinstance(value, Mapping) else enumerate(value)
    for key, each in pairs:
        other[key] = copied(each)
    return other
