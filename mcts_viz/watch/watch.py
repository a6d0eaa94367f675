"""``Watch`` films any search, and says what it computes and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final

import numpy as np

from ..errors import TraceError, door, require
from ..games import Game
from ..search import MCTS, ucb1
from ..trace.trace import Finding, Outcome, Playouts, Proofs, Trace, smallest_ints
from .find import find
from .look import Looker, fields, usual_name
from .replay import ANALYSED, Replay, text_of
from .rules import RULES, Reading

LATER: Final = object()
"""Stands for a root that is not made yet."""


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
    search stays as it is. In the third iteration, ``TraceError`` says which name to give.
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

        original: Any = getattr(owner, method, None)
        known = "the name of a method that runs once in each iteration"
        require(callable(original), "method", known, method, TraceError)
        watch = cls(LATER, **names)

        def is_root(thing: Any) -> bool:
            is_one = names.get("children") in fields(thing) or usual_name("children", thing)
            return bool(is_one) and not isinstance(thing, type)

        @wraps(original)
        def looked(*given: Any, **more: Any) -> Any:
            things = [*given, *more.values(), *fields(owner).values()]
            root = next((thing for thing in things if is_root(thing)), None)
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
        self._replay = None

    @property
    def _looker(self) -> Looker:
        if self._watched is None:
            raise TraceError(
                "No root was found: the method must be given the root, or belong to an object that "
                "holds it. Name its children, children=…, or write Watch(root) before your loop."
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
        if replay.trace is None:
            replay.trace = trace_of(replay)
        return replay.trace

    @property
    def names(self) -> dict[str, str]:
        """The attributes that were taken for visits, wins and children."""
        kinds = "visits", "wins", "children"
        return {kind: str(self._result.looker.sources.get(kind)) for kind in kinds}

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return self.trace._repr_mimebundle_(include, exclude)

    def __repr__(self) -> str:
        return f"<Watch: {self._looker.looks} iterations, {len(self._looker.nodes)} nodes>"


# The film -----------------------------------------------------------------------------------------


class WatchedGame(Game[int, int]):
    """The tree itself as a game, as far as it was seen; a state is a node's number."""

    players = "First", "Second"
    name = "A watched search"
    misread = True

    def __init__(self, replay: Replay) -> None:
        parent, moves = replay.looker.parent, [replay.move(node) for node in range(len(replay.n))]
        self.children: list[list[int]] = [[] for _ in parent]
        for node, above in enumerate(parent[1:], 1):
            self.children[above].append(node)
        self.choosers = replay.chooser
        self.moves = [text_of(node if move is None else move) for node, move in enumerate(moves)]
        self.texts = [text_of(replay.state(node)) for node in range(len(parent))]

    def initial_state(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        kids = self.children[state]
        return self.choosers[kids[0]] if kids else 0

    def legal_actions(self, state: int) -> list[int]:
        return list(self.children[state])

    def play(self, state: int, action: int) -> int:
        return action

    def is_terminal(self, state: int) -> bool:
        return not self.children[state]

    def returns(self, state: int) -> tuple[float, ...]:
        return 0.0, 0.0

    def action_label(self, state: int, action: int) -> str:
        return self.moves[action]

    def text(self, state: int) -> str:
        return self.texts[state]


@dataclass(frozen=True)
class OtherRule:
    """A rule that is not UCB1 as we know it: the film has its name, and no scores."""

    label: str
    is_known = False
    __name__ = "mean"

    def __call__(self, child: Any, parent: Any, c: float) -> float:
        return float(child.mean)


def trace_of(replay: Replay) -> Trace:
    """Return the trace that the player shows."""
    looker, rule, states = replay.looker, replay.rule, replay.positions
    count, looks, parent = len(looker.nodes), looker.looks, np.array(looker.parent, np.int32)
    taken = set(zip(looker.parent, map(repr, replay.actions), strict=True))
    game: Game[Any, Any]
    if replay.game and None not in states and len(taken) == count:
        game, root, actions = replay.game, states[0], replay.actions
    else:
        game, root, actions = WatchedGame(replay), 0, [*range(count)]
    players = len(game.players)
    movers, rewards = np.array(replay.chooser, np.int8), np.zeros((looks, players))
    time, node, *_ = replay.rows
    leaf = np.zeros(looks, np.int64)
    leaf[time - 1] = node  # the deepest, as it comes last
    below = node > 0
    rewards[time[below] - 1, movers[node[below]]] = replay.gain[below]
    kinds, outcome = np.unique(rewards, axis=0, return_inverse=True)
    table = {action: place for place, action in enumerate(dict.fromkeys(actions[1:]))}
    codes = [0, *(table[action] for action in actions[1:])]
    shown = rule.row is RULES[0] and rule.name == "UCB1" and {*rule.signs} == {1}
    # The film has the visits of a node and its parent: all that UCB1 asks for, if paths are single.
    is_single = 2 * len(replay.steps) >= min(looks, ANALYSED)
    is_ours = shown and is_single and replay.n[0] and not looker.shared
    visits, wins = np.array(replay.before, float).T
    return Trace(
        first_spec=MCTS(
            game,
            min(sum(rule.c) / 2, rule.c[0] + 1, 1e6) if rule.c else 0.0,
            seed=0,
            selection=ucb1 if is_ours else OtherRule(rule.name or "No known rule"),
        ),
        root_state=root,
        actions=tuple(table),
        parent=parent,
        action=smallest_ints(np.array(codes)),
        created_at=np.array(looker.created_at, np.int32),
        player_just_moved=movers,
        visits_before=visits.astype(np.int32),
        wins_before=wins,
        leaf=leaf,
        playouts=Playouts(smallest_ints(np.zeros(0, int)), smallest_ints(np.zeros(looks, int))),
        outcome=smallest_ints(outcome.ravel()),
        outcomes=tuple(Outcome((0.0,) * players, tuple(row)) for row in kinds.tolist()),
        proofs=Proofs.none(count),
        rows=replay.rows,
        findings=tuple(replay.findings),
    )
