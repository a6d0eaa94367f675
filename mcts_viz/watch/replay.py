"""Replay a watched search: what each iteration changed, and which child it chose from which."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np

from ..games import Game
from ..trace.trace import Finding, Rows
from .look import Array, Looker, as_float, told
from .rules import Choices, read_rule

ANALYSED: Final = 20_000
"""Iterations that are looked into, from the first."""


class Step(NamedTuple):
    """One iteration: the path from the root, and how visits and wins changed on it."""

    time: int
    path: tuple[int, ...]
    visits: tuple[float, ...]
    wins: tuple[float, ...]
    is_new: bool
    """True if the last node is new."""

    @property
    def proof(self) -> tuple[int, int]:
        """The iteration and the last node."""
        return self.time, self.path[-1]


def text_of(state: Any) -> str:
    """A position as text; an array is written row by row."""
    if isinstance(state, np.ndarray) and state.ndim == 2:
        return "\n".join(" ".join(map(str, row)) for row in state.tolist())
    if isinstance(state, list) and all(isinstance(cell, str) for cell in state):
        return "".join(state)
    return "" if state is None else str(state)


def is_average(node: Array, visits: Array, wins: Array) -> bool:
    """True if wins are means of rewards, and no sums.

    Rewards repeat themselves, so the steps of a sum have few sizes, and those of a mean have many,
    unless it is multiplied with the visits.
    """
    order = np.argsort(node, kind="stable")
    same = np.diff(node[order]) == 0
    steps = (np.abs(np.diff(column[order])[same]).round(6) for column in (wins, wins * visits))
    sums, means = (len(np.unique(step)) for step in steps)
    return means < sums


class Replay:
    """The steps and choices of a watched search, and the rule by which it selects."""

    def __init__(self, looker: Looker, game: Game[Any, Any] | None) -> None:
        self.looker, self.game, count = looker, game, len(looker.nodes)
        self.findings: list[Finding] = []
        self.turned = self.same = False
        """Whether rewards go to the wrong player, or to both: then nothing else is said of them."""
        self.positions, self.actions = self._positions() if game else ([], [])
        """By node, of the rules: its position and its action; ``None`` if a move is illegal.

        Both are empty if the program's moves cannot be read as those of the game.
        """
        self.chooser = [depth % 2 for depth in looker.depth]
        """Which of two players chose each node."""
        for node, above in enumerate(looker.parent[1:], 1) if game and self.positions else ():
            if self.positions[above] is not None:
                self.chooser[node] = game.to_move(self.positions[above]) % 2  # type: ignore[union-attr]
        time, row, visits, wins = map(np.array, looker.rows)
        born = np.array(looker.created_at)[row]
        _, firsts = np.unique(row, return_index=True)
        new = visits[firsts][born[firsts] > 0]
        root = looker.first[0][0]
        self.start = root if len(new) and new.min() > root else 0.0
        """The visits that a node starts with, 0 in most programs."""
        is_mean, seen = is_average(row, visits, wins), (born < time) | (visits != self.start)
        wins = wins * visits if is_mean else wins
        self.before = [(self.start, 0.0)] * count
        """Visits and wins of each node before its first change."""
        for node, (many, value) in looker.first.items():
            self.before[node] = many, value * many if is_mean else value
        self.n, self.w = map(list, zip(*self.before, strict=True))
        """Visits and wins of each node at the end; on the way there, at the time of a step."""
        told_priors = [as_float(self.ask("priors", node)) for node in range(count)]
        self.priors = told_priors if any(told_priors) else [1.0] * count
        self.steps: list[Step] = []
        """Iterations with a single path."""
        self._choices, self._children = list[tuple[int, ...]](), list[tuple[float, ...]]()
        gains: list[float] = []
        columns = time[seen], row[seen], visits[seen], wins[seen]
        self.rows = Rows(*columns, np.array(self.priors))
        for now, rows in groupby(zip(*(column.tolist() for column in columns), strict=True), itemgetter(0)):
            gains += self._replay(now, *zip(*(one[1:] for one in rows), strict=True))
        self.gain = np.array(gains)
        """By row: the change of wins."""
        self.is_single = len(self.steps) >= 0.5 * min(looker.looks, ANALYSED) > 0
        """True if most iterations have a single path."""
        self.long = [step for step in self.steps if len(step.path) > 2]
        self.has_wins = bool(self.gain.any())
        rewards = [
            won for s in self.steps for won, more in zip(s.wins[1:], s.visits[1:], strict=True) if more
        ]
        self.low, self.high = min(rewards, default=0.0), max(rewards, default=1.0)
        self.choices = Choices(self._choices, self._children, self.chooser)
        self.rule = read_rule(self.choices, self.low, self.high)

    def _replay(
        self, time: int, path: tuple[int, ...], counts: Sequence[float], totals: Sequence[float]
    ) -> tuple[float, ...]:
        """Replay one iteration; return the changes of wins on its path."""
        looker, n, w = self.looker, self.n, self.w
        visits = tuple([new - n[node] for node, new in zip(path, counts, strict=True)])
        wins = tuple([round(new - w[node], 9) for node, new in zip(path, totals, strict=True)])
        if time <= ANALYSED:
            grown = {node for node, more in zip(path, visits, strict=True) if more > 0}
            if len(path) == looker.depth[path[-1]] + 1:
                self.steps.append(Step(time, path, visits, wins, looker.created_at[path[-1]] == time))
            for node in path:
                if node in grown or not looker.shared:  # else it may have been reached another way
                    self._choose(time, node, grown)
        for node, count, total in zip(path, counts, totals, strict=True):
            n[node], w[node] = count, total
        return wins

    def _choose(self, time: int, parent: int, grown: set[int]) -> None:
        """Write down the choice of one child, if the program made one."""
        n, born = self.n, self.looker.created_at
        kids = [kid for kid in self.looker.kids[parent] if born[kid] < time]
        visited = [kid for kid in kids if n[kid] > self.start]
        chosen = [kid for kid in kids if kid in grown]
        if len(visited) > 1 and len(chosen) == 1 and chosen[0] in visited:
            first, total = len(self._children), sum(n[kid] for kid in kids)
            self._choices.append((time, parent, first, first + visited.index(chosen[0])))
            self._children += [
                (kid, n[kid], self.w[kid], self.priors[kid], n[parent] or total, total) for kid in visited
            ]

    def born(self, node: int) -> tuple[int, int]:
        """Return the iteration in which a node was first seen, and the node."""
        return self.looker.created_at[node], node

    # What nodes say -----------------------------------------------------------------------------

    def ask(self, kind: str, node: int) -> Any:
        """Return what a node says of this kind; ``None`` if it says nothing."""
        return self.looker.sources[kind] and told(self.looker.sources[kind], self.looker.nodes[node])

    def move(self, node: int) -> Any:
        """The move that led to a node, as the program says; ``None`` if it does not."""
        key = self.looker.keys[node]
        return self.ask("move", node) if key is None else key

    def state(self, node: int) -> Any:
        """The node's position, as the program has it."""
        is_state = self.looker.sources["state"] is None and self.looker.by_value
        return self.looker.nodes[node] if is_state else self.ask("state", node)

    def is_over(self, node: int) -> bool:
        """True if the rules are there and say that no game goes on from this node."""
        position = self.positions[node] if self.game and self.positions else 0
        return position is None or bool(self.game and self.positions and self.game.is_terminal(position))

    def _positions(self) -> tuple[list[Any], list[Any]]:
        game: Any = self.game
        first, said = game.initial_state(), self.state(0)
        is_read = len(self.looker.kids[0]) == len(game.legal_actions(first))
        with suppress(Exception):
            if type(said) is type(first) and game.legal_actions(said):
                first, is_read = said, True
        with suppress(Exception):
            first, is_read = game.parse(text_of(said)), True
        states, actions = [first], [None]
        for node, above in enumerate(self.looker.parent[1:], 1):
            state, action, after = states[above], None, None
            with suppress(Exception):
                if state is not None and not game.is_terminal(state):
                    move = str(self.move(node))
                    legal = {str(a): a for a in game.legal_actions(state)}
                    legal = {game.action_label(state, a): a for a in legal.values()} | legal
                    action = legal[move]
                    after = game.play(state, action)
            states.append(after)
            actions.append(action)
        return (states, actions) if is_read and 2 * states.count(None) < len(states) else ([], [])
