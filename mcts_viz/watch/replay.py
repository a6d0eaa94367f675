"""Replay a watched search: what each iteration changed, and which child it chose from which."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby, islice
from operator import itemgetter
from random import Random
from typing import Final, NamedTuple

import numpy as np

from ..search import random_playout
from ..trace.trace import Finding, Rows
from .rules import ENOUGH, Choices, Reading, read_rule
from .tree import Tree

ANALYSED: Final = 20_000
"""Iterations that are looked into, from the first."""
PAIRS: Final = 150_000
"""Children that were chosen from, at most; of a search with more, the first choices are read."""
WAYS: Final = 8
"""The number of ways to say who chose that are tried."""


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

    def counted(self) -> Iterator[tuple[int, float]]:
        """The nodes below the root that got a visit, with what they won."""
        moved = zip(self.path[1:], self.visits[1:], self.wins[1:], strict=True)
        return ((node, won) for node, visits, won in moved if visits)


class Replay:
    """The steps and choices of a watched search, and the rule by which it selects."""

    def __init__(self, tree: Tree) -> None:
        self.tree, self.looker = tree, (looker := tree.looker)
        self.findings: list[Finding] = []
        self.changed = looker.changed
        self.turned = self.same = self.alternates = False
        usual = looker.start, 0.0
        self.before = [looker.first.get(node, usual) for node in range(len(looker.nodes))]
        """Visits and wins of each node before its first change."""
        self.n, self.w = map(list, zip(*self.before, strict=True))
        """Visits and wins of each node at the end; on the way there, at the time of a step."""
        self.steps: list[Step] = []
        """Iterations with a single path."""
        self.passed: list[tuple[int, int]] = []
        """Choices of a visited child while another had no visit: time, and that other child."""
        self.tries_first = False
        """True if a child without a visit was chosen while another had some."""
        self._squares, self._stale = [0.0] * len(self.n), [self.n[up] for up in looker.parent]
        self._choices, self._entries = array("q"), array("d")
        changes: list[tuple[float, float]] = []
        for time, rows in groupby(zip(*looker.rows, strict=True), itemgetter(0)):
            changes += self._replay(time, *zip(*(row[1:] for row in rows), strict=True))
        priors = [tree.priors.get(node, 1.0) for node in range(len(self.n))]
        self.rows = Rows(*map(np.array, (*looker.rows, priors)))
        self.grown, self.gain = np.array(changes).reshape(-1, 2).T
        """By row: the change of visits, and of wins."""
        self.last_of_root = max(self.rows.time[(self.rows.node == 0) & (self.grown > 0)], default=0)
        """The last iteration in which the root got a visit."""
        self.is_single = len(self.steps) >= 0.5 * min(looker.looks, ANALYSED)
        """True if most iterations have a single path."""
        self.has_all_numbers = bool(self.is_single and self.last_of_root and not looker.shared)
        """True if the visits of a node and its parent are all that UCB1 asks for."""
        self.long = [step for step in self.steps if len(step.path) > 2]
        self.has_wins = "wins" in looker.names
        rewards = [won for step in self.steps for _, won in step.counted()]
        self.low, self.high = min(rewards, default=0.0), max(rewards, default=1.0)
        self.choices = Choices(self._choices, self._entries)
        readings: list[tuple[Sequence[int], Reading]] = []
        for chooser in islice(tree.choosers(), WAYS):
            rule = read_rule(self.choices.by(chooser), self.low, self.high)
            readings.append((chooser, rule))
            if rule.is_sure or len(self.choices) < ENOUGH:
                break
        self.chooser, self.rule = readings[-1 if readings[-1][1].is_sure else 0]
        self.choices.by(self.chooser)

    def born(self, node: int) -> tuple[int, int]:
        """Return the iteration in which a node was first seen, and the node."""
        return self.looker.created_at[node], node

    def sign(self, node: int) -> int:
        """1 if whoever chooses this node prefers large means."""
        return self.rule.signs[self.chooser[node] % len(self.rule.signs)]

    @cached_property
    def varies(self) -> bool:
        """True if random games by the rules end in different ways."""
        game, random, start = self.tree.game, Random(1), self.tree.positions[:1]
        return len({random_playout(game, at, random).returns for at in start * 30}) > 1  # type: ignore[arg-type]

    def _replay(
        self, time: int, path: tuple[int, ...], counts: Sequence[float], totals: Sequence[float]
    ) -> Iterator[tuple[float, float]]:
        """Replay one iteration; return the changes of visits and wins on its path."""
        looker, n, w = self.looker, self.n, self.w
        visits = tuple([new - n[node] for node, new in zip(path, counts, strict=True)])
        wins = tuple([round(new - w[node], 9) for node, new in zip(path, totals, strict=True)])
        if time <= ANALYSED:
            grown, born = dict(zip(path, visits, strict=True)), looker.created_at
            if len(path) == looker.depth[path[-1]] + 1:
                self.steps.append(Step(time, path, visits, wins, born[path[-1]] == time))
            for node in path if len(self._entries) < 8 * PAIRS else ():
                # A child of several parents may have been reached through another one.
                if grown[node] > 0 or not (looker.shared and node):
                    kids = [kid for kid in looker.kids[node] if born[kid] < time]
                    self._choose(time, node, kids, [kid for kid in kids if grown.get(kid, 0) > 0])
        for node, count, total, won in zip(path, counts, totals, wins, strict=True):
            n[node], w[node] = count, total
            self._stale[node] = n[looker.parent[node]]
            self._squares[node] += won**2
        return zip(visits, wins, strict=True)

    def _choose(self, time: int, parent: int, kids: list[int], chosen: list[int]) -> None:
        """Write down the choice of one child, if the program made one."""
        n, visited = self.n, [kid for kid in kids if self.n[kid] > self.looker.start]
        if len(kids) < 2 or len(chosen) != 1:
            return
        if chosen[0] not in visited:
            self.tries_first |= bool(visited)
            return
        if len(visited) < len(kids):
            self.passed.append((time, next(kid for kid in kids if kid not in visited)))
        if len(visited) > 1:
            place, total = len(self._entries) // 8, sum(n[kid] for kid in kids)
            self._choices.extend((time, parent, place, place + visited.index(chosen[0])))
            above = n[parent] if n[parent] > 0 else total, total
            for kid in visited:
                prior = self.tree.priors.get(kid, 1.0)
                mine = n[kid], self.w[kid], prior, self._stale[kid], self._squares[kid]
                self._entries.extend((kid, *mine, *above))
