"""Replay a watched search: what each iteration changed, and which child it chose from which."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np

from ..trace.trace import Rows
from .look import Array, Looker, as_float, told
from .rules import Choices, read_rule

ANALYSED: Final = 5_000
"""Iterations that are looked into, from the first."""


class Step(NamedTuple):
    """An iteration: its path from the root, and how visits and wins changed on it."""

    proof: tuple[int, int]
    """Its number, and the last node."""
    path: tuple[int, ...]
    visits: tuple[float, ...]
    wins: tuple[float, ...]


def text_of(thing: Any) -> str:
    """A move or a position of a stranger's program as text; nothing for none."""
    return str(told(str, thing) or "") if thing is not None else ""


def squeezed(text: str) -> str:
    """A text without spaces and line breaks."""
    return "".join(text.split())


def changes(node: Array, column: Array) -> Array:
    """By row: how much the column of its node has changed since its last row, or since 0."""
    order, change = np.argsort(node, kind="stable"), np.zeros(len(column))
    is_first = np.diff(node[order], prepend=-1) != 0
    change[order] = np.where(is_first, column[order], np.diff(column[order], prepend=0.0))
    return change.round(9)


class Replay:
    """The steps and choices of a watched search, and the rule by which it selects."""

    def __init__(self, looker: Looker, game: Any) -> None:
        self.looker, self.game, count = looker, game, len(looker.nodes)
        self.chooser = [(depth + 1) % 2 for depth in looker.depth]
        """The player who chose each node: by the rules, else two take turns."""
        self.positions: list[Any] = [None] * count
        self.actions: list[Any] = [None] * count
        """By node, of the rules: its position and its action; ``None`` if they do not know it."""
        with suppress(Exception):  # no game, or one that is not made for such positions
            self._read_moves()
        self.is_read = self.positions[0] is not None
        """True if the program's moves can be read as those of the game."""
        self.is_match = self.is_read and len(game.players) == 2
        time, node, visits, wins = map(np.array, looker.rows)
        # Rewards repeat themselves, so the steps of a sum have few sizes, and those of a mean have
        # many, unless it is multiplied with the visits.
        sums, means = (len(np.unique(abs(changes(node, one)))) for one in (wins, wins * visits))
        wins = wins * visits if means < sums else wins
        is_seen = (visits > 0) | (time == 0) | (np.array(looker.created_at)[node] < time)
        time, node, visits, wins = (column[is_seen] for column in (time, node, visits, wins))
        more, gain, old = changes(node, visits), changes(node, wins), time == 0
        priors = [as_float(self.ask("priors", node)) for node in range(count)]
        self.priors = priors if any(priors) else [1.0] * count
        self.rows = Rows(time[~old], node[~old], visits[~old], wins[~old], np.array(self.priors))
        self.gain = gain[~old]
        """By row: the change of wins."""
        self.before = np.zeros((2, count))
        """Visits and wins of each node before the first iteration."""
        self.before[:, node[old]] = visits[old], wins[old]
        self.n, self.w = (column.tolist() for column in self.before)
        """Visits and wins of each node at the end; on the way there, at the time of a step."""
        self.steps: list[Step] = []
        """Iterations with a single path."""
        self._choices, self._children = list[tuple[int, ...]](), list[tuple[float, ...]]()
        columns = (column[~old].tolist() for column in (time, node, more, gain, visits, wins))
        for now, rows in groupby(zip(*columns, strict=True), itemgetter(0)):
            self._replay(now, *zip(*(row[1:] for row in rows), strict=True))
        self.legal = [s for s in self.steps if not self.is_read or self.positions[s.path[-1]] is not None]
        """Steps whose last position is known, if any is."""
        every = (zip(step.wins[1:], step.visits[1:], strict=True) for step in self.steps)
        rewards = [won for pairs in every for won, more in pairs if more]
        self.low, self.high = min(rewards, default=0.0), max(rewards, default=1.0)
        choices, children = np.array(self._choices).reshape(-1, 3), np.array(self._children).reshape(-1, 6)
        self.choices = Choices(choices, children, self.chooser)
        self.rule = read_rule(self.choices, self.low, self.high)

    def _replay(self, time: int, path: Any, more: Any, gain: Any, visits: Any, wins: Any) -> None:
        """Replay one iteration."""
        looker = self.looker
        if time <= ANALYSED:
            grown = {node for node, new in zip(path, more, strict=True) if new > 0}
            if len(path) == looker.depth[path[-1]] + 1:
                self.steps.append(Step((time, path[-1]), path, more, gain))
            for node in path:
                if node in grown or not looker.shared:  # else it may have been reached another way
                    self._choose(time, node, grown)
        for node, count, total in zip(path, visits, wins, strict=True):
            self.n[node], self.w[node] = count, total

    def _choose(self, time: int, parent: int, grown: set[int]) -> None:
        """Write down the choice of one child, if the program made one."""
        n, looker = self.n, self.looker
        kids = [kid for kid in looker.kids[parent] if looker.created_at[kid] < time]
        visited = [kid for kid in kids if n[kid] > 0]
        chosen = [kid for kid in kids if kid in grown]
        # Visited again without a child: the game may be over there, and the value an exact one.
        ended = [kid for kid in visited if not looker.kids[kid] and as_float(looker.last[kid][0]) > 1]
        if len(visited) > 1 and len(chosen) == 1 and n[chosen[0]] > 0 and len(ended) in (0, len(visited)):
            first, total = len(self._children), sum(n[kid] for kid in kids)
            above = n[parent] or total, total
            self._choices.append((time, first, first + visited.index(chosen[0])))
            self._children += [(kid, n[kid], self.w[kid], self.priors[kid], *above) for kid in visited]

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
        return squeezed(text_of(self.state(node)))

    def _start(self) -> Any:
        """The root's position by the rules; ``None`` if that is not sure."""
        game, said, start = self.game, self.state(0), self.game.initial_state()
        with suppress(Exception):
            return game.parse(text_of(said))
        with suppress(Exception):
            if type(said) is type(start) and game.legal_actions(said):
                return said
        legal = game.legal_actions(start)
        marks = re.sub(r"[][(),'|/]|(?<=\d)\.", "", self.plain(0))
        is_empty = len({*marks}) == 1 and len(marks) > 2 * len(legal)  # a board of zeros, such as NumPy's
        is_unique = {*game.legal_actions(game.play(start, legal[0]))} != {*legal}
        return start if is_empty or (is_unique and len(self.looker.kids[0]) == len(legal)) else None

    def _read_moves(self) -> None:
        """Play the moves by the rules; keep nothing if the position or the moves are not sure."""
        game, looker, start = self.game, self.looker, self._start()
        states, actions, chooser = [start], [None], [(game.to_move(start) - 1) % len(game.players)]
        for node, above in enumerate(looker.parent[1:], 1):
            place, action = states[above], None
            chooser.append(self.chooser[node])
            if place is not None and not game.is_terminal(place):
                chooser[node] = game.to_move(place)
                legal = game.legal_actions(place)
                names = {name: a for a in legal for name in (game.action_label(place, a), str(a))}
                action = names.get(text_of(self.move(node)))
            actions.append(action)
            states.append(None if action is None else game.play(place, action))
        kids = looker.kids[0]
        tried = {actions[kid] for kid in kids}
        is_other = None in tried and not tried >= {*game.legal_actions(start)}  # such as 1 to 9 for 0 to 8
        said = "".join(map(self.plain, kids))
        text = squeezed("".join(game.text(states[kid]) for kid in kids if states[kid] is not None))
        if len(said) == len(text):
            is_other |= any(one == "." != other for one, other in zip(said, text, strict=True))
        if 2 * states.count(None) < len(states) and not is_other:
            self.positions, self.actions, self.chooser = states, actions, chooser
