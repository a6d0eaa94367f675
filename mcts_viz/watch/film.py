"""Turn a watched search into a trace, with the program's own numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..games import Game
from ..search import MCTS, ucb1
from ..trace.trace import Outcome, Playouts, Proofs, Trace, smallest_ints
from .replay import Replay, text_of
from .rules import RULES


@dataclass(eq=False)
class WatchedGame(Game[int, int]):
    """The tree itself as a game, as far as it was seen; a state is a node's number."""

    children: Sequence[Sequence[int]]
    choosers: Sequence[int]
    """The player who chose each node."""
    moves: Sequence[str]
    texts: Sequence[str]
    """The position of each node."""
    players = "First", "Second"
    name = "A watched search"
    misread = True

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
    taken = set(zip(looker.parent, map(repr, replay.actions), strict=False))
    game: Game[Any, Any]
    if replay.game and None not in states and len(taken) == count:
        game, root, actions = replay.game, states[0], replay.actions
        to_move = [game.to_move(state) for state in states]
    else:
        children = [np.flatnonzero(parent == node).tolist() for node in range(count)]
        moves = [replay.move(node) for node in range(count)]
        labels = [str(place if move is None else move) for place, move in enumerate(moves)]
        texts = [text_of(replay.state(node)) for node in range(count)]
        game, root, actions = WatchedGame(children, replay.chooser, labels, texts), 0, [*range(count)]
        to_move = [game.to_move(node) for node in range(count)]
    players = len(game.players)
    movers = np.array([(to_move[0] - 1) % players, *(to_move[node] for node in parent[1:])], np.int8)
    rewards = np.zeros((looks, players))
    time, node, *_ = replay.rows
    leaf = np.zeros(looks, np.int64)
    leaf[time - 1] = node  # the deepest, as it comes last
    below = node > 0
    rewards[time[below] - 1, movers[node[below]]] = replay.gain[below]
    outcomes = [Outcome((0.0,) * players, tuple(row)) for row in rewards.tolist()]
    kinds = {outcome: place for place, outcome in enumerate(dict.fromkeys(outcomes))}
    table = {action: place for place, action in enumerate(dict.fromkeys(actions[1:]))}
    codes = [0, *(table[action] for action in actions[1:])]
    fit = rule.fit if rule.name else None
    shown = fit and fit.rule is RULES[0] and {*rule.signs} == {1}
    # The film has a node's visits and its parent's, which is all that UCB1 asks for.
    is_ours = shown and replay.is_single and replay.before[0] != (replay.n[0], 0) and not looker.shared
    visits, wins = np.array(replay.before, float).T
    return Trace(
        first_spec=MCTS(
            game,
            min(abs(fit.c), 1e6) if fit else 0.0,
            seed=0,
            selection=ucb1 if is_ours else OtherRule(fit.rule.name if fit else "No known rule"),
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
        outcome=smallest_ints(np.array([kinds[outcome] for outcome in outcomes], int)),
        outcomes=tuple(kinds),
        proofs=Proofs.none(count),
        rows=replay.rows,
        findings=tuple(replay.findings),
    )
