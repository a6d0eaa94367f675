"""``Watch`` films any search, and says what it computes and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from math import inf
from typing import Any, Final, NamedTuple, TypeGuard

from mcts_viz.errors import TraceError, plural, require, short_repr
from mcts_viz.games import Game
from mcts_viz.search import MCTS
from mcts_viz.trace.columns import Checked, Finding
from mcts_viz.trace.trace import Trace

from .families import FAMILIES, find
from .film import trace_of
from .lines import KEYS, Lines, Log, grown
from .look import Looker
from .mctx_tree import MctxTree
from .names import USUAL, among_values, answer, fields, usual_name, usual_names
from .numbers import MEAN
from .replay import Replay
from .rules import Reading

MANY_SEARCHES: Final = 2
"""Searches for each look of the last one, from which on a note speaks of them."""
SEARCHES: Final = (
    "The method was given {} different roots, and the film shows the last: name a method that is "
    "given the root, or a node whose parent= leads there."
)
NO_NODES: Final = (str, bytes, int, float, complex, list, tuple, set, MCTS, Trace, Game)
"""Kinds of roots that have no children, unless a function says them."""
NEAR_C: Final = 0.01
"""The distance from the interval that a c which is asked for may have."""
KEYS_NAMED: Final = 5
"""Keys of a log that a note names, so that it stays one sentence."""


class Result(NamedTuple):
    """All looks until now, read: the replay, the findings, and what was checked."""

    replay: Replay
    found: list[Finding]
    checked: list[Checked]


class Watch:
    """A film of any search: make one with the root, and look after each iteration.

    >>> watch = Watch(root)  # doctest: +SKIP
    >>> for _ in range(300):  # doctest: +SKIP
    ...     my_iteration(root)
    ...     watch.look()

    Attributes are taken by their usual names, as ``names`` says. Each can be given instead, as the
    name of an attribute or as a function of a node: ``visits``, ``wins`` (a sum, or an average of
    rewards), ``children``, ``move``, ``state``, ``priors``. A ``game`` checks moves, players and
    results by its rules, and the film shows its boards and exact values. A watch only reads; the
    search stays as it is. ``played`` is the move that is played in the end, or a function that says
    it; it can be set later. ``print(watch)`` is the whole report. In the third iteration,
    ``TraceError`` says which name to give.
    """

    def __init__(
        self,
        root: object,
        *,
        game: Game[Any, Any] | None = None,
        played: object = None,
        **names: object,
    ) -> None:
        require(
            game is None or isinstance(game, Game),
            "game",
            "a Game like TicTacToe()",
            game,
            TraceError,
        )
        known = f"one of {', '.join(USUAL)}"
        require(names.keys() <= USUAL.keys(), "A name", known, [*names], TraceError)
        self._root_of = root if is_function(root, names) else None
        root = self._root_of() if self._root_of else root
        kind = "a node such as search.root, with children, or a value with children=… and visits=…"
        is_node = "children" in names or not isinstance(root, NO_NODES)
        require(is_node, "root", kind, root, TraceError)
        self.game = game
        self.played = played
        """The move that was played in the end, a child of the root, or a function that says it."""
        self.ending = ""
        """The reason why the film of a log or a finished tree is incomplete; "" if it has all."""
        self._begun = 0
        """Searches that one ``each`` has met, of which the film shows the last."""
        self._unread: Mapping[str, None] = {}
        """The keys of a log that are not read."""
        self._watched = None if root is None else Looker(root, names, self._root_of)

    @classmethod
    @contextmanager
    def each(
        cls, owner: object, method: str, *, game: Game[Any, Any] | None = None, **names: object
    ) -> Iterator[Watch]:
        """Watch a search whose loop you cannot change, for the time of a ``with`` block.

        ``method`` is called once in each iteration, and is given the root, or belongs to an object
        that holds it, or is one of the node's own class: ``Watch.each(Node, "select")``. Both may
        keep it in a list or a dict. The method is wrapped for the time of the block: the tree is
        looked at before each call and at the end. If another search begins, the film shows that
        one. ``names`` are those of :class:`Watch`.

        >>> with Watch.each(bot, "_apply_tree_policy") as watch:  # doctest: +SKIP
        ...     bot.mcts_search(state)
        """
        from unittest.mock import patch  # slow to import

        original: Any = getattr(owner, method, None) if isinstance(method, str) else None
        kind = "the name of one that each iteration calls, in quotes"
        require(callable(original), "method", kind, method, TraceError)
        watch = cls(None, game=game, **names)

        def is_root(thing: object) -> bool:
            is_one = names.get("children") in fields(thing) or usual_name("children", thing)
            return bool(is_one) and not isinstance(thing, type)

        def looked(*given: object, **more: object) -> Any:
            held = [] if isinstance(owner, type) else [*fields(owner).values()]
            watch._meet(among_values([*given, *more.values(), *held], is_root), names)
            return original(*given, **more)

        with patch.object(owner, method, looked):
            yield watch
        if watch._watched:
            watch.look()

    @classmethod
    def from_lines(
        cls, source: Lines, *, game: Game[Any, Any] | None = None, state: str | None = None
    ) -> Watch:
        """Watch a search in any language by its log, one line of JSON an iteration.

        ``source`` is a file, its path, or lines; the module :mod:`mcts_watch.lines` says what
        is in a line. ``state`` is the root's position, as ``game`` reads it. The film ends before a
        line that is broken, skips a node, or has falling numbers, and a note says which and why;
        raises ``TraceError`` if that is the first.
        """
        is_text = state is None or (game is not None and isinstance(state, str))
        require(is_text, "state", "a text that game= reads", state, TraceError)
        log = Log(game, state)
        watch = cls(log.root, game=game)
        watch._unread = log.unread
        for said in grown(log, source):
            if not said:
                watch.look()
            if said and not watch._looker.looks:
                raise TraceError(f"There is no film. {said}")
            watch.ending = said
        require(
            watch._looker.looks, "A log", "one line an iteration, at least one", "none", TraceError
        )
        return watch

    @classmethod
    def from_mctx(
        cls,
        output: object,
        *,
        batch: int = 0,
        game: Game[Any, Any] | None = None,
        state: object = None,
    ) -> Watch:
        """Watch a search by mctx, by the tree that it leaves; mctx need not be installed.

        ``output`` is what a policy of mctx returns, ``batch`` the place of the search in its batch,
        and ``state`` the root's position, as ``game`` has or reads it. Each simulation adds a node,
        so the tree holds all of them in order. Raises ``TraceError`` for what is no such tree.
        """
        tree = MctxTree(output, batch, state)
        names = {"visits": "visits", "wins": "q", "children": "children", "priors": "prior"}
        watch = cls(tree.root, game=game, **names)
        watch._looker.numbers = MEAN
        for _ in tree.grow():
            watch.look()
        watch.ending = tree.missing()
        return watch

    def _meet(self, node: object, names: dict[str, Any]) -> None:
        """Look at the root above this node; start again if it is another search's."""
        while (above := getattr(node, "parent", None)) is not None and above is not node:
            node = above
        looker = self._watched
        if node is None:
            return
        if looker is not None and looker.nodes[0] is node:
            self.look()
        elif looker is None or not looker.knows(node):
            self._begun += 1
            self._watched = Looker(node, names)

    def look(self) -> None:
        """Read what the last iteration has changed."""
        self._looker.look()
        for made in ("_result", "trace"):
            vars(self).pop(made, None)

    @property
    def _looker(self) -> Looker:
        known = (
            "a node that is made before your loop; for each() its children may need a name, "
            "children=…"
        )
        require(self._watched, "root", known, None, TraceError)
        assert self._watched
        return self._watched

    # What was found -----------------------------------------------------------------------------

    @cached_property
    def _result(self) -> Result:
        """The replay of all looks until now, what was found in it, and what was checked."""
        looker = self._looker
        kind = "called after each iteration, at least once"
        require(looker.looks, "watch.look()", kind, looker.looks, TraceError)
        replay = Replay(looker, self.game, self._move_played())
        found, checked = find(replay)
        if self.ending:
            found.append(Finding("log-ends", self.ending, looker.looks, 0, fault=False))
        if self._begun > MANY_SEARCHES * looker.looks:
            found.append(Finding("searches", SEARCHES.format(self._begun), looker.looks, 0, False))
        if self._unread:
            keys = ", ".join(map(short_repr, [*self._unread][:KEYS_NAMED]))
            text = f"Watch does not read these keys of the log: {keys}. It reads {', '.join(KEYS)}."
            found.append(Finding("keys-unread", text, 1, 0, fault=False))
        return Result(replay, found, checked)

    def _move_played(self) -> Any:
        """The move that was played, as it was given or as the root names it; ``None`` for none."""
        root = self._looker.nodes[0]
        if self.played is None:
            return next((answer(name, root) for name in usual_names("played", root)), None)
        return self.played() if callable(self.played) else self.played

    @property
    def rule(self) -> Reading:
        """The rule of selection: its name, c as an interval, and whose wins a node counts."""
        return self._result.replay.rule

    @property
    def findings(self) -> list[Finding]:
        """The faults, most serious first. None proves nothing that ``checked`` does not name."""
        return [found for found in self._result.found if found.fault]

    @property
    def notes(self) -> list[Finding]:
        """The findings that are no faults: "Unusual:" ones, and what could not be read."""
        return [found for found in self._result.found if not found.fault]

    @property
    def checked(self) -> list[Checked]:
        """For each family: what was looked at, and what was not and why."""
        return self._result.checked

    def require(
        self, *, rule: str | None = None, c: float | None = None, checked: Sequence[str] = ()
    ) -> None:
        """Raise ``AssertionError`` with the whole report unless the search is as it should be.

        It must have no finding, select by a rule of this name, ``c`` must lie in its interval (to
        0.01), and the families named in ``checked`` must have had enough to look at. A family is
        named by a word of its line, such as "visits", "ends" or "draws".

        >>> watch.require(rule="UCB1", c=1.41, checked=("visits", "draws"))  # doctest: +SKIP
        """
        families = " ".join(line.family for line in self.checked).split()
        unknown = [word for word in checked if word not in families]
        kind = f"some of {', '.join(families)}"
        require(not unknown, "checked", kind, unknown or [*checked], TraceError)
        wanted = [line for line in self.checked if {*line.family.split()} & {*checked}]
        reasons = [*self._against(rule, c)]
        reasons += [f"not checked: {line}" for line in wanted if not line.done]
        if reasons:
            raise AssertionError(f"The search is not as required: {'; '.join(reasons)}.\n\n{self}")

    def _against(self, rule: str | None, c: float | None) -> Iterator[str]:
        """The ways in which the search is not as required."""
        yield from (f"it has the finding {found.name}" for found in self.findings)
        if rule is not None and self.rule.name != rule:
            yield f"its rule is {self.rule.name}, not {rule}"
        low, high = self.rule.c or (inf, -inf)
        if c is not None and not low - NEAR_C <= c <= high + NEAR_C:
            yield f"its c is {self.rule.c}, not {c:g}"

    @property
    def nodes(self) -> list[Any]:
        """The program's own nodes, by their number in the film."""
        return list(self._looker.nodes)

    @cached_property
    def trace(self) -> Trace:
        """The trace that the player shows."""
        result = self._result
        return trace_of(result.replay, result.found, result.checked)

    @property
    def names(self) -> dict[str, str]:
        """The attributes that were taken for visits, wins and children."""
        return {kind: str(self._looker.sources[kind]) for kind in ("visits", "wins", "children")}

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Any:
        return self.trace._repr_mimebundle_(include, exclude)

    def __repr__(self) -> str:
        if self._watched is None:
            return "<Watch: no root yet>"
        looks, nodes = self._watched.looks, len(self._watched.nodes)
        return f"<Watch: {looks:,} {plural(looks, 'iteration')}, {nodes:,} {plural(nodes, 'node')}>"

    def __str__(self) -> str:
        if self._watched is None or not self._watched.looks:
            return repr(self)
        lines = [repr(self)[1:-1], f"Rule: {self.rule}"]
        lines.append(f"Names: {', '.join(f'{kind}: {name}' for kind, name in self.names.items())}")
        for title, found in ("Findings", self.findings), ("Notes", self.notes):
            lines.append(f"{title}:" if found else f"{title}: none; see what was checked")
            for one in found:
                proof = f"iteration {one.iteration}, node {one.node}"
                lines.append(f"  {one.name} ({proof}): {one.text}")
        return "\n".join([*lines, "Checked:", *(f"  {line}" for line in self.checked)])


def is_function(root: object, names: Mapping[str, object]) -> TypeGuard[Callable[[], Any]]:
    """True for a function that is asked for the root at each look."""
    return callable(root) and "children" not in names and usual_name("children", root) is None


__all__ = ["FAMILIES", "Watch"]
