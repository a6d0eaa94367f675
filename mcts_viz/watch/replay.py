"""Replay a watched search: what each iteration changed, and which child it chose from which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np

from ..trace.trace import Finding, Rows, Trace
from .look import Array, Looker, as_float, told
from .rules import Choices, read_rule

ANALYSED: Final = 5_000
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


def text_of(thing: Any) -> str:
    """A move or a position of a stranger's program as text; nothing for none."""
    return str(told(str, thing) or "") if thing is not None else ""


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

    def __init__(self, looker: Looker, game: Any) -> None:
        self.looker, self.game, count = looker, game, len(looker.nodes)
        self.findings: list[Finding] = []
        self.trace: Trace | None = None
        """That of its film, once it was asked for."""
        self.chooser = [(depth + 1) % 2 for depth in looker.depth]
        """The player who chose each node: by the rules, else two take turns."""
        self.positions: list[Any] = [None] * count
        self.actions: list[Any] = [None] * count
        """By node, of the rules: its position and its action; ``None`` if they do not know it."""
        with suppress(Exception):  # of rules that are not made for such positions
            self._read_moves()
        self.is_read = self.positions[0] is not None
        """True if the program's moves can be read as those of the game."""
        self.is_match = self.is_read and len(game.players) == 2
        time, row, visits, wins = map(np.array, looker.rows)
        wins = wins * visits if is_average(row, visits, wins) else wins
        told_priors = [as_float(self.ask("priors", node)) for node in range(count)]
        self.priors = told_priors if any(told_priors) else [1.0] * count
        self.n, self.w = [0.0] * count, [0.0] * count
        """Visits and wins of each node at the end; on the way there, at the time of a step."""
        self.before = [(0.0, 0.0)] * count
        """Visits and wins of each node before the first iteration."""
        self.steps: list[Step] = []
        """Iterations with a single path."""
        self._choices, self._children = list[tuple[int, ...]](), list[tuple[float, ...]]()
        self.is_end = [
            not kids and as_float((last or [0])[0]) > 1
            for kids, last in zip(looker.kids, looker._last, strict=True)
        ]
        """True for a node that never got a child: the game may be over there, and its value exact."""
        gains: list[float] = []
        is_seen = (visits > 0) | (time == 0) | (np.array(looker.created_at)[row] < time)
        columns = time[is_seen], row[is_seen], visits[is_seen], wins[is_seen]
        for now, rows in groupby(zip(*(column.tolist() for column in columns), strict=True), itemgetter(0)):
            gains += self._replay(now, *zip(*(one[1:] for one in rows), strict=True))
        later = columns[0] > 0
        self.rows = Rows(*(column[later] for column in columns), np.array(self.priors))  # type: ignore[call-arg]
        self.gain = np.array(gains)[later]
        """By row: the change of wins."""
        self.long = [step for step in self.steps if len(step.path) > 2]
        every = (zip(step.wins[1:], step.visits[1:], strict=True) for step in self.steps)
        rewards = [won for pairs in every for won, more in pairs if more]
        self.low, self.high = min(rewards, default=0.0), max(rewards, default=1.0)
        choices, children = np.array(self._choices).reshape(-1, 3), np.array(self._children).reshape(-1, 6)
        self.choices = Choices(choices, children, self.chooser)
        self.rule = read_rule(self.choices, self.low, self.high)

    def _replay(
        self, time: int, path: tuple[int, ...], counts: Sequence[float], totals: Sequence[float]
    ) -> tuple[float, ...]:
        """Replay one iteration; return the changes of wins on its path."""
        looker, n, w = self.looker, self.n, self.w
        visits = tuple([new - n[node] for node, new in zip(path, counts, strict=True)])
        wins = tuple([round(new - w[node], 9) for node, new in zip(path, totals, strict=True)])
        if not time:
            self.before[: len(path)] = zip(counts, totals, strict=True)
        elif time <= ANALYSED:
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
        visited = [kid for kid in kids if n[kid] > 0]
        chosen = [kid for kid in kids if kid in grown]
        ended = [kid for kid in visited if self.is_end[kid]]
        if len(ended) in (0, len(visited)) and len(visited) > 1 and len(chosen) == 1 and chosen[0] in visited:
            first, total = len(self._children), sum(n[kid] for kid in kids)
            self._choices.append((time, first, first + visited.index(chosen[0])))
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
        """True if the rules say that the game is over there."""
        position = self.positions[node]
        return position is not None and bool(self.game.is_terminal(position))

    def plain(self, node: int) -> str:
        """The program's own text of a position, without spaces and line breaks."""
        return "".join(text_of(self.state(node)).split())

    def _start(self) -> Any:
        """The root's position by the rules; ``None`` if that is not sure."""
        game, said, text = self.game, self.state(0), self.plain(0)
        start = game.initial_state()
        with suppress(Exception):
            return game.parse(text_of(said))
        with suppress(Exception):
            if type(said) is type(start) and game.legal_actions(said):
                return said
        with suppress(Exception):
            legal = game.legal_actions(start)
            marks = re.sub(r"[][(),'|/]|(?<=\d)\.", "", text)
            is_empty = len({*marks}) == 1 and len(marks) > 2 * len(legal)  # a board of zeros, such as NumPy's
            others = game.legal_actions(game.play(start, legal[0]))
            if is_empty or ({*others} != {*legal} and len(self.looker.kids[0]) == len(legal)):
                return start
        return None

    def _read_moves(self) -> None:
        """Play the moves by the rules; keep nothing if the position or the moves are not sure."""
        game, count = self.game, len(self.looker.nodes)
        first = self._start() if game else None
        if first is None:
            return
        states, actions = [first, *[None] * (count - 1)], [None] * count
        chooser = [(game.to_move(first) - 1) % len(game.players), *self.chooser[1:]]
        for node, above in enumerate(self.looker.parent[1:], 1):
            if states[above] is not None and not game.is_terminal(states[above]):
                chooser[node] = game.to_move(states[above])
                legal, move = game.legal_actions(states[above]), text_of(self.move(node))
                names = {game.action_label(states[above], a): a for a in legal} | {str(a): a for a in legal}
                if move in names:
                    actions[node] = names[move]
                    states[node] = game.play(states[above], names[move])
        kids = self.looker.kids[0]
        tried = {actions[kid] for kid in kids}
        is_other = None in tried and not tried >= {*game.legal_actions(first)}  # such as 1 to 9 for 0 to 8
        is_alike = self.plain(0) == "".join(game.text(first).split())
        for kid in kids * is_alike:
            text = "".join(game.text(states[kid]).split()) if states[kid] is not None else ""
            pairs = zip(self.plain(kid), text, strict=False)
            is_other |= len(self.plain(kid)) == len(text) and any(a == "." != b for a, b in pairs)
        if 2 * states.count(None) < count and not is_other:
            self.positions, self.actions, self.chooser = states, actions, chooser
