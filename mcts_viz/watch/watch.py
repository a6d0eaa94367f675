"""``Watch`` films any search, and says what it computes and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import Elsewhere, TraceError, door, require
from ..games import Game
from ..search import MCTS, ucb1
from ..trace.columns import Finding, Outcome, Playouts, Proofs, smallest_ints
from ..trace.trace import Trace
from .find import find
from .replay import ANALYSED, USUAL, Looker, Replay, fields, text_of, usual_name
from .rules import RULES, Reading


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
    def __init__(self, root: Any, *, game: Game[Any, Any] | None = None, **names: Any) -> None:
        require(game is None or isinstance(game, Game), "game", "a Game like TicTacToe()", game, TraceError)
        require(names.keys() <= USUAL.keys(), "A name", f"one of {', '.join(USUAL)}", [*names], TraceError)
        self.game = game
        self._watched = None if root is None else Looker(root, names)

    @classmethod
    @door
    @contextmanager
    def each(cls, owner: Any, method: str, *, game: Any = None, **names: Any) -> Iterator[Watch]:
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
        require(callable(original), "method", "the name of one that each iteration calls", method, TraceError)
        watch = cls(None, game=game, **names)

        def is_root(thing: Any) -> bool:
            is_one = names.get("children") in fields(thing) or usual_name("children", thing)
            return bool(is_one) and not isinstance(thing, type)

        def looked(*given: Any, **more: Any) -> Any:
            root = next(filter(is_root, [*given, *more.values(), *fields(owner).values()]), None)
            if root is not None and (watch._watched is None or watch._watched.nodes[0] is not root):
                watch._watched = Looker(root, names)
            elif root is not None:
                watch.look()
            return original(*given, **more)

        with patch.object(owner, method, looked):
            yield watch
        if watch._watched:
            watch.look()

    film = Elsewhere("Film(watch) is its film, and Player(watch) plays it")
    play = Elsewhere("Player(watch) plays its film")

    @door
    def look(self) -> None:
        """Read what the last iteration has changed."""
        self._looker.look()
        for made in ("_result", "trace"):
            vars(self).pop(made, None)

    @property
    def _looker(self) -> Any:
        known = "a node that is made before your loop; for each() its children may need a name, children=…"
        require(self._watched, "root", known, None, TraceError)
        return self._watched

    # What was found -----------------------------------------------------------------------------

    @cached_property
    def _result(self) -> tuple[Replay, list[Finding]]:
        """The replay of all looks until now, and what was found in it."""
        replay = Replay(self._looker, self.game)
        return replay, find(replay)

    @property
    def rule(self) -> Reading:
        """The rule of selection: its name, c as an interval, and whose wins a node counts."""
        return self._result[0].rule

    @property
    def findings(self) -> list[Finding]:
        """The faults, most serious first; empty if nothing is wrong."""
        return [found for found in self._result[1] if found.fault]

    @property
    def notes(self) -> list[Finding]:
        """The facts that are worth knowing but no fault, and faults that are only suspected."""
        return [found for found in self._result[1] if not found.fault]

    @property
    def nodes(self) -> list[Any]:
        """The program's own nodes, by their number in the film."""
        return list(self._looker.nodes)

    @cached_property
    def trace(self) -> Trace:
        """The trace that the player shows."""
        return trace_of(*self._result)

    @property
    def names(self) -> dict[str, str]:
        """The attributes that were taken for visits, wins and children."""
        return {kind: str(self._looker.sources[kind]) for kind in ("visits", "wins", "children")}

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return self.trace._repr_mimebundle_(include, exclude)

    def __repr__(self) -> str:
        return f"<Watch: {self._looker.looks} iterations, {len(self._looker.nodes)} nodes>"


# The film -----------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class WatchedGame(Game[int, int]):
    """The tree itself as a game, as far as it was seen; a state is a node's number."""

    replay: Replay
    name = "A watched search"
    misread = True

    def initial_state(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return next((self.replay.chooser[kid] for kid in self.legal_actions(state)), 0)

    def legal_actions(self, state: int) -> list[int]:
        looker, count = self.replay.looker, len(self.replay.n)  # it may have grown since
        return [kid for kid in looker.kids[state] if kid < count and looker.parent[kid] == state]

    def play(self, state: int, action: int) -> int:
        return action

    def is_terminal(self, state: int) -> bool:
        return not self.legal_actions(state)

    def returns(self, state: int) -> tuple[float, ...]:
        return 0.0, 0.0

    def action_label(self, state: int, action: int) -> str:
        return text_of(self.replay.move(action)) or str(action)

    def text(self, state: int) -> str:
        return text_of(self.replay.state(state))


@dataclass(frozen=True)
class OtherRule:
    """A rule that is not UCB1 as we know it: the film has its name, and no scores."""

    label: str
    is_known = False
    __name__ = "mean"

    def __call__(self, child: Any, parent: Any, c: float) -> float:
        return float(child.mean)


def trace_of(replay: Replay, findings: list[Finding]) -> Trace:
    """Return the trace that the player shows."""
    looker, rule, rows = replay.looker, replay.rule, replay.rows
    count, looks, movers = len(replay.n), looker.looks, np.array(replay.chooser, np.int8)
    taken = set(zip(looker.parent, map(repr, replay.actions), strict=True))
    is_ours = replay.game and None not in replay.positions and len(taken) == count
    game: Game[Any, Any] = replay.game if is_ours else WatchedGame(replay)
    actions = replay.actions[1:] if is_ours else [*range(1, count)]
    table = {action: place for place, action in enumerate(dict.fromkeys(actions))}
    leaf, rewards = np.zeros(looks, np.int64), np.zeros((looks, len(game.players)))
    leaf[rows.time - 1] = rows.node  # the deepest, as it comes last
    below = rows.node > 0
    rewards[rows.time[below] - 1, movers[rows.node[below]]] = replay.gain[below]
    kinds, outcome = np.unique(rewards, axis=0, return_inverse=True)
    # The film has the visits of a node and its parent: all that UCB1 asks for, if paths are single.
    is_single = 2 * len(replay.steps) >= min(looks, ANALYSED) and not looker.shared
    is_known = rule.name == "UCB1" and rule.row is RULES[0] and {*rule.signs} == {1}
    shown = ucb1 if is_known and is_single and replay.n[0] else OtherRule(rule.name or "No known rule")
    return Trace(
        first_spec=MCTS(game, min(rule.middle, 1e6), seed=0, selection=shown),
        root_state=replay.positions[0] if is_ours else 0,
        actions=tuple(table),
        parent=np.array(looker.parent, np.int32),
        action=smallest_ints(np.array([0, *(table[action] for action in actions)])),
        created_at=np.array(looker.created_at, np.int32),
        player_just_moved=movers,
        leaf=leaf,
        playouts=Playouts(np.zeros(0, np.uint8), np.zeros(looks, np.uint8)),
        outcome=smallest_ints(outcome.ravel()),
        outcomes=tuple(Outcome((0.0,) * len(game.players), tuple(row)) for row in kinds.tolist()),
        ledger=rows,
        proofs=Proofs.none(count),
        watched=True,
        own_priors=np.array(replay.priors),
        findings=tuple(findings),
    )
