"""The trace of a watched search, which the player shows: its own numbers, moment by moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from mcts_viz.games import Game
from mcts_viz.search import MCTS, ucb1
from mcts_viz.trace.columns import Checked, Finding, Outcome, Playouts, Proofs, smallest_ints
from mcts_viz.trace.ledger import Rows
from mcts_viz.trace.trace import Trace

from .names import text_of
from .replay import Replay
from .rules import PUCT, RULES

UNREAD = "?"
"""The label of a move that the program does not say: a node's number would look like a move."""


@dataclass(frozen=True, repr=False)
class WatchedGame(Game[int, int]):
    """The tree itself as a game, as far as it was seen; a state is a node's number."""

    replay: Replay
    name = "A watched search"
    misread = True

    @property
    def players(self) -> tuple[str, ...]:  # type: ignore[override]
        """As many as were seen to move."""
        count = self.replay.positions.players
        return Game.players if count == 2 else tuple(f"Player {at + 1}" for at in range(count))

    def initial_state(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return next((self.replay.chooser[kid] for kid in self.legal_actions(state)), 0)

    def legal_actions(self, state: int) -> list[int]:
        looker, count = self.replay.looker, self.replay.count  # it may have grown since
        return [kid for kid in looker.kids[state] if kid < count and looker.parent[kid] == state]

    def play(self, state: int, action: int) -> int:
        return action

    def is_terminal(self, state: int) -> bool:
        return not self.legal_actions(state)

    def returns(self, state: int) -> tuple[float, ...]:
        return (0.0,) * len(self.players)

    def action_label(self, state: int, action: int) -> str:
        return text_of(self.replay.positions.move(action)) or UNREAD

    def text(self, state: int) -> str:
        return text_of(self.replay.positions.said_state(state))


@dataclass(frozen=True)
class OtherRule:
    """A rule that is not UCB1 as we know it: the film has its name, and no scores."""

    label: str
    is_known = False
    __name__ = "mean"

    def __call__(self, child: Any, parent: Any, c: float) -> float:
        return float(child.mean)


@dataclass(frozen=True)
class WatchedPuct:
    """PUCT with the priors of the program's own nodes: cards show Q, P and U, their sum is the
    score.
    """

    __name__ = "PUCT"

    def __call__(self, child: Any, parent: Any, c: float) -> tuple[float, float]:
        """Q, and U: the program's own mean, and its bonus."""
        return child.mean, c * child.prior * sqrt(parent.visits) / (1 + child.visits)


def trace_of(replay: Replay, findings: Sequence[Finding], checked: Sequence[Checked]) -> Trace:
    """The trace that the player shows."""
    looker = replay.looker
    looks = replay.looks
    count = replay.count
    movers = np.array(replay.chooser, np.int8)
    game, is_own = game_of(replay)
    actions = [*range(1, count)] if is_own else replay.positions.action[1:]
    table = {action: place for place, action in enumerate(dict.fromkeys(actions))}
    leaf, rewards = np.zeros(looks, np.int64), np.zeros((looks, len(game.players)))
    leaf[replay.time - 1] = replay.node  # the deepest, as it comes last
    below = replay.node > 0
    rewards[replay.time[below] - 1, movers[replay.node[below]]] = replay.gain[below]
    kinds, outcome = np.unique(rewards, axis=0, return_inverse=True)
    nothing = (0.0,) * len(game.players)
    visits, before = root_visits(replay)
    return Trace(
        first_spec=MCTS(game, min(replay.rule.middle, 1e6), seed=0, selection=shown_rule(replay)),
        root_state=0 if is_own else replay.positions.state[0],
        actions=tuple(table),
        parent=np.array(looker.parent[:count], np.int32),
        action=smallest_ints(np.array([0, *(table[action] for action in actions)])),
        created_at=np.array(looker.created_at[:count], np.int32),
        player_just_moved=movers,
        leaf=leaf,
        playouts=Playouts(np.zeros(0, np.uint8), np.zeros(looks, np.uint8)),
        outcome=smallest_ints(outcome.ravel()),
        outcomes=tuple(Outcome(nothing, tuple(row)) for row in kinds.tolist()),
        ledger=Rows(
            replay.time,
            replay.node,
            {"visits": visits, "wins": replay.wins},
            {"visits": before, "wins": replay.before[1]},
        ),
        proofs=Proofs.none(count),
        watched=True,
        own_priors=replay.priors,
        findings=tuple(findings),
        checked=tuple(checked),
    )


def game_of(replay: Replay) -> tuple[Game[Any, Any], bool]:
    """The game of the film, and true if it is the tree itself: its moves are not all known, or
    shared.
    """
    positions, parents = replay.positions, replay.looker.parent[: replay.count]
    taken = {*zip(parents, map(repr, positions.action), strict=True)}
    if replay.game is None or None in positions.state or len(taken) < replay.count:
        return WatchedGame(replay), True
    return replay.game, False


def shown_rule(replay: Replay) -> Any:
    """The rule, if the film has the numbers that it asks for: a node's visits and its parent's."""
    rule = replay.rule
    is_single = replay.is_single and not replay.looker.shared
    is_own_view = {*rule.signs} == {1} and bool(replay.n[0])
    if is_single and is_own_view and rule.row is not None and rule.row.name == rule.name:
        if rule.row is RULES[0]:
            return ucb1
        if rule.row is PUCT:
            return WatchedPuct()
    return OtherRule(rule.name or "No known rule")


def root_visits(replay: Replay) -> tuple[Any, Any]:
    """The root's visits by row, and before the first; the sum below it where it counts none.

    Shares of the picture are shares of the root's visits, which a search may leave out.
    """
    before = replay.before[0].copy()
    kids = np.array([kid for kid in replay.looker.kids[0] if kid < replay.count], int)
    if replay.n[0] > before[0] or not len(kids):
        return replay.visits, before
    top = replay.node == 0
    visits = replay.visits.copy()
    table = replay.table
    before[0] = before[kids].sum()
    times = replay.time[top]
    visits[top] = sum(table.at(table.n, np.full(len(times), kid), times) for kid in kids.tolist())
    return visits, before
