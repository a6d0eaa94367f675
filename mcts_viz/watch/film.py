"""Turn a watched search into a trace, with the program's own numbers."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from ..errors import GameError, SearchError, short_repr
from ..games import Game
from ..search import MCTS, ucb1
from ..search.texts import Parameters
from ..trace.trace import Outcome, Playouts, Proofs, Trace, smallest_ints
from .replay import Replay
from .rules import RULES, Choices, Fit, bounds, terms
from .tree import Tree


@dataclass(eq=False)
class WatchedGame(Game[int, int]):
    """The tree itself as a game, as far as it was seen; a state is a node's number."""

    players: tuple[str, ...] = field()
    children: Sequence[Sequence[int]]
    choosers: Sequence[int]
    """The player who chose each node."""
    moves: Sequence[str]
    texts: Sequence[str]
    """The position of each node."""
    name = "A watched search"
    misread = True

    def __post_init__(self) -> None:
        self.players = tuple(self.players)
        columns = self.children, self.choosers, self.moves, self.texts
        ahead = all(parent < min(kids, default=inf) for parent, kids in enumerate(self.children))
        if not ahead or {*map(len, columns)} != {len(self.children)}:
            raise GameError("A watched tree needs children after their parents, and equal columns.")

    def parameters(self) -> dict[str, Any]:
        return {name: list(column) for name, column in vars(self).items()}

    def initial_state(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        kids = self.children[state]
        return self.choosers[kids[0]] % len(self.players) if kids else 0

    def legal_actions(self, state: int) -> list[int]:
        return list(self.children[state])

    def play(self, state: int, action: int) -> int:
        return action

    def is_terminal(self, state: int) -> bool:
        return not self.children[state]

    def returns(self, state: int) -> tuple[float, ...]:
        return (0.0,) * len(self.players)

    def action_label(self, state: int, action: int) -> str:
        return self.moves[action]

    def text(self, state: int) -> str:
        return self.texts[state]

    def parse(self, text: str) -> int:
        """The first node with this position."""
        if text not in self.texts:
            raise GameError(f"No node of the watched search has the position {short_repr(text)}.")
        return self.texts.index(text)


@dataclass(frozen=True, repr=False)
class ReadRule(Parameters):
    """The rule that was read off, by its place in ``RULES``."""

    place: int | None = None
    signs: tuple[int, ...] = ()
    """1 for each player who prefers large values, else -1; empty if scores are not known."""

    def __post_init__(self) -> None:
        known, signs = (None, *range(len(RULES))), self.signs
        is_sound = self.place in known and isinstance(signs, tuple) and {*signs} <= {1, -1}
        if not is_sound or (signs and self.place is None):
            raise SearchError(f"{short_repr(self)} is no rule that Watch could read.")

    @property
    def is_known(self) -> bool:
        """True if a film may show scores."""
        return bool(self.signs)

    @property
    def label(self) -> str:
        """The rule's name."""
        return "No known rule" if self.place is None else RULES[self.place].name

    @property
    def __name__(self) -> str:
        return "mean" if self.place is None else self.label.split()[0]

    def __call__(self, child: Any, parent: Any, c: float) -> tuple[float, float]:
        assert self.place is not None
        above, wins = parent.visits, child.wins
        mine = 0, child.visits, wins, child.prior
        only = Choices([0] * 4, [*mine, above, wins, above, above])
        value, bonus = terms(RULES[self.place], self.signs, only.by([child.player % len(self.signs)]))
        return float(value[0]), c * float(bonus[0])


def text_of(state: Any) -> str:
    """A position as text; an array is written row by row."""
    if isinstance(state, np.ndarray) and state.ndim == 2:
        return "\n".join(" ".join(map(str, row)) for row in state.tolist())
    return "" if state is None else str(state)


def _game_of(tree: Tree, chooser: Sequence[int]) -> tuple[Game[Any, Any], Any, list[Any]]:
    """The game, its position at the root and the action of each node: of the tree, or the rules."""
    looker, count = tree.looker, len(tree.looker.nodes)
    taken = set(zip(looker.parent, map(repr, tree.actions), strict=False))
    if tree.game and None not in tree.positions and len(taken) == count:
        legal = tree.game.legal_actions(tree.positions[0])
        return tree.game, tree.positions[0], [legal[0] if legal else None, *tree.actions[1:]]
    children = [
        tuple(kid for kid in kids if looker.parent[kid] == node) for node, kids in enumerate(looker.kids)
    ]
    names = ("First", "Second", "Third", "Fourth")[: max(1, tree.players or 2)]
    moves = [str(tree.move(node)) for node in range(count)]
    texts = [text_of(tree.state(node)) for node in range(count)]
    return WatchedGame(names, children, chooser, moves, texts), 0, list(range(count))


def scores_are_known(replay: Replay, fit: Fit, c: float) -> bool:
    """True if the numbers of a child and its parent, which a film has, explain the choices."""
    s = replay.choices
    shown = copy(s)
    shown.S, shown.stale, shown.squares = s.N, s.N, s.w
    low, high = bounds(*terms(fit.rule, fit.signs, shown), shown)
    is_seen = replay.is_single and replay.last_of_root and not replay.looker.shared
    return bool(is_seen and ((low <= c) & (c <= high)).sum() >= 0.98 * fit.explained)


def trace_of(replay: Replay) -> Trace:
    """Return the trace that the player shows."""
    looker, tree, rule = replay.looker, replay.tree, replay.rule
    game, root, actions = _game_of(tree, replay.chooser)
    count, looks, players = len(looker.nodes), looker.looks, len(game.players)
    states: Sequence[Any] = range(count) if isinstance(game, WatchedGame) else tree.positions
    movers = [(game.to_move(root) - 1) % players]
    movers += [game.to_move(states[parent]) for parent in looker.parent[1:]]
    time, node, *_ = replay.rows
    leaf = np.zeros(looks, np.int64)
    leaf[time - 1] = node  # the deepest, as it comes last
    rewards = np.zeros((looks, players))
    visits, wins = np.array(replay.before, float).T
    below = node > 0
    rewards[time[below] - 1, np.array(movers)[node[below]]] = replay.gain[below]
    table: dict[Any, int] = {}
    codes = [table.setdefault(action, len(table)) for action in actions]
    played: list[int] = []
    lengths, outcomes = np.zeros(looks, np.int64), []
    for iteration in range(1, looks + 1):
        end = (0.0,) * players
        if not isinstance(game, WatchedGame):
            state = tree.positions[leaf[iteration - 1]]
            for move in looker.playouts.get(iteration, ()):
                if game.is_terminal(state) or move not in game.legal_actions(state):
                    break
                state = game.play(state, move)
                played.append(table.setdefault(move, len(table)))
                lengths[iteration - 1] += 1
            end = tuple(game.returns(state)) if game.is_terminal(state) else end
        outcomes.append(Outcome(end, tuple(rewards[iteration - 1].tolist())))
    kinds = {outcome: place for place, outcome in enumerate(dict.fromkeys(outcomes))}
    fit = rule.fit if rule.name and rule.fit else None
    place = next((n for n, row in enumerate(RULES) if fit and row is fit.rule), None)
    c = min(abs(fit.c), 1e6) if fit else 0.0
    signs = fit.signs if fit and scores_are_known(replay, fit, c) else ()
    selection = ucb1 if place == 0 and {*signs} == {1} else ReadRule(place, signs)
    return Trace(
        first_spec=MCTS(game, c, seed=0, selection=selection),
        root_state=root,
        actions=tuple(table),
        parent=np.array(looker.parent, np.int32),
        action=smallest_ints(np.array(codes)),
        created_at=np.array(looker.created_at, np.int32),
        player_just_moved=np.array(movers, np.int8),
        visits_before=visits.astype(np.int32),
        wins_before=wins,
        leaf=leaf,
        playouts=Playouts(smallest_ints(np.array(played, int)), smallest_ints(lengths)),
        outcome=smallest_ints(np.array([kinds[outcome] for outcome in outcomes], int)),
        outcomes=tuple(kinds),
        proofs=Proofs.none(count),
        rows=replay.rows,
        findings=tuple(replay.findings),
    )
