"""``Watch`` films any search, and says what it computes and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, Final

from ..errors import TraceError, door, require, short_repr
from ..games import Game
from ..trace.trace import Finding, Trace
from .film import trace_of
from .find import find
from .look import CHILDREN, CONTAINERS, Looker, fields
from .replay import Replay
from .rules import Reading

LATER: Final = object()
"""Stands for a root that is not made yet."""


def is_root(thing: Any, children: Any) -> bool:
    """True if a thing has a place for children, with this name or a usual one."""
    return not isinstance(thing, type) and any(
        isinstance(value, CONTAINERS) and (name == children or CHILDREN.search(name))
        for name, value in fields(thing).items()
    )


class Watch:
    """A film of any search: make one with the root, and look after each iteration.

    >>> watch = Watch(root)  # doctest: +SKIP
    >>> for _ in range(300):  # doctest: +SKIP
    ...     my_iteration(root)
    ...     watch.look()

    What ``names`` says was guessed from how the numbers behave. Each can be given instead, as the
    name of an attribute or as a function of a node: ``visits``, ``wins`` (a sum, or an average of
    rewards), ``children``, ``move``, ``state``, ``priors``. A ``game`` checks moves, players and
    results by its rules, and the film shows its boards and exact values. A watch only reads; the
    search stays as it is. Raises ``TraceError`` with the name to give where one
    cannot be guessed.
    """

    @door
    def __init__(
        self,
        root: Any,
        *,
        visits: Any = None,
        wins: Any = None,
        children: Any = None,
        move: Any = None,
        state: Any = None,
        priors: Any = None,
        game: Game[Any, Any] | None = None,
    ) -> None:
        is_game = game is None or isinstance(game, Game)
        require(is_game, "game", "a Game, such as TicTacToe()", game, TraceError)
        names = {"visits": visits, "wins": wins, "children": children, "move": move}
        self._given, self.game = names | {"state": state, "priors": priors}, game
        self._watched = None if root is LATER else Looker(root, self._given)
        self._replay: Replay | None = None
        self._trace: Trace | None = None

    @classmethod
    @door
    @contextmanager
    def each(cls, owner: Any, method: str, **names: Any) -> Iterator[Watch]:
        """Watch a search whose loop you cannot change, for the time of a ``with`` block.

        ``method`` is called once in each iteration, and is given the root or belongs to an object
        that holds it. It is wrapped for the time of the block: the tree is looked at before each
        call and at the end. If another search begins, the film shows that one. ``names`` are those
        of :class:`Watch`.

        >>> with Watch.each(bot, "_apply_tree_policy") as watch:  # doctest: +SKIP
        ...     bot.mcts_search(state)
        """
        from unittest.mock import patch  # slow to import

        original = getattr(owner, method, None)
        if not callable(original):
            raise TraceError(
                f"method must be the name of a method that runs once in each iteration; "
                f"{short_repr(owner)} has no {method}()."
            )
        watch = cls(LATER, **names)

        @wraps(original)
        def looked(*given: Any, **more: Any) -> Any:
            things = [*given, *more.values(), *fields(owner).values()]
            root = next((thing for thing in things if is_root(thing, names.get("children"))), None)
            if root is not None and (watch._watched is None or watch.nodes[0] is not root):
                watch._watched = Looker(root, watch._given)
            elif root is not None:
                watch.look()
            return original(*given, **more)

        with patch.object(owner, method, looked):
            try:
                yield watch
            finally:
                if watch._watched:
                    watch.look()

    @door
    def look(self) -> None:
        """Read what the last iteration has changed."""
        self._looker.look()
        self._replay = self._trace = None

    @property
    def _looker(self) -> Looker:
        if self._watched is None:
            raise TraceError(
                "No root was found: the method must be given the root, or belong to an object that "
                "holds it. Name its children, children=…, or write Watch(root) and watch.look() in "
                "your loop."
            )
        return self._watched

    # What was found -----------------------------------------------------------------------------

    @property
    def _result(self) -> Replay:
        """The replay of all looks until now."""
        looker = self._looker
        if self._replay is None:
            self._replay = Replay(looker, self.game)
            self._replay.findings = find(self._replay)
        return self._replay

    @property
    def rule(self) -> Reading:
        """The rule of selection: its name, c as an interval, and whose wins a node counts."""
        return self._result.rule

    @property
    def findings(self) -> list[Finding]:
        """The faults, most serious first; empty if nothing is wrong."""
        return [found for found in self._result.findings if found.fault]

    @property
    def notes(self) -> list[Finding]:
        """The facts that are worth knowing but no fault, and faults that are only suspected."""
        return [found for found in self._result.findings if not found.fault]

    @property
    def nodes(self) -> list[Any]:
        """The program's own nodes, by their number in the film."""
        return list(self._looker.nodes)

    @property
    def trace(self) -> Trace:
        """The trace that the player shows."""
        replay = self._result
        if self._trace is None:
            self._trace = trace_of(replay)
        return self._trace

    @property
    def names(self) -> dict[str, str]:
        """The attributes that were taken for visits, wins and children."""
        kinds = "visits", "wins", "children"
        return {kind: str(self._result.looker.sources.get(kind)) for kind in kinds}

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return self.trace._repr_mimebundle_(include, exclude)

    def __repr__(self) -> str:
        return f"<Watch: {self._looker.looks} iterations, {len(self._looker.nodes)} nodes>"
