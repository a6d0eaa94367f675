"""Replay what each look has seen: the path of each iteration, and which child was chosen.

A family of checks asks a :class:`Replay` and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mcts_viz.games import Game

from .look import Looker
from .names import as_float
from .positions import Positions, is_luck
from .rules import Choices, Reading, read_rule

Array = NDArray[Any]
ANALYSED: Final = 5_000
"""Iterations that are looked into, from the first."""
ENOUGH: Final = 20
"""Events that are needed before anything is said."""
USUALLY: Final = 0.95
"""The share of events in which a thing must happen to be a habit."""
TINY: Final = 1e-6
"""Rewards that differ by less are the same: programs add and divide them in their own order."""


class Step(NamedTuple):
    """An iteration with one path: its nodes from the root, and how visits and wins changed
    there."""

    time: int
    end: int
    """The last node."""
    path: tuple[int, ...]
    visits: tuple[float, ...]
    wins: tuple[float, ...]

    def paid(self, place: int) -> float:
        """The reward per visit of the node at that place of the path."""
        return self.wins[place] / self.visits[place]


class Moment(NamedTuple):
    """All nodes that one look saw changed, and by how much."""

    time: int
    nodes: tuple[int, ...]
    more: tuple[float, ...]
    """The change of visits, by node."""
    gain: tuple[float, ...]
    """The change of wins."""
    visits: tuple[float, ...]
    wins: tuple[float, ...]


def changes(node: Array, column: Array) -> Array:
    """By row: how much the column of its node has changed since its last row, or since 0."""
    order, change = np.argsort(node, kind="stable"), np.zeros(len(column))
    is_first = np.diff(node[order], prepend=-1) != 0
    change[order] = np.where(is_first, column[order], np.diff(column[order], prepend=0.0))
    return change.round(9)


def firsts(node: Array) -> Array:
    """By row: true for the first row of its node."""
    first = np.zeros(len(node), bool)
    first[np.unique(node, return_index=True)[1]] = True
    return first


class Rewards(NamedTuple):
    """The least and the largest reward of a visit."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """How far apart they are; 0 if all rewards are one."""
        return self.high - self.low


class Replay:
    """The steps and choices of a watched search, and the rule by which it selects."""

    def __init__(self, looker: Looker, game: Game[Any, Any] | None) -> None:
        self.looker, self.game = looker, game
        self.count, self.looks = len(looker.nodes), looker.looks
        self.positions = Positions(looker, game)
        self.chooser = self.positions.chooser
        self.is_match = self.positions.is_read and game is not None and len(game.players) == 2
        """True if the rules are known, and those of a game of two."""
        said = [as_float(self.positions.ask("priors", node)) for node in range(self.count)]
        self.has_priors = any(said)
        self.priors = np.array(said if self.has_priors else [1.0] * self.count)
        time, node, visits, wins = self._rows()
        old = time == 0
        self.before = np.zeros((2, self.count))
        """Visits and wins of each node before the first iteration."""
        self.before[:, node[old]] = visits[old], wins[old]
        more, gain = changes(node, visits)[~old], changes(node, wins)[~old]
        new = firsts(node)[~old]
        self.time, self.node = time[~old], node[~old]
        self.visits, self.wins = visits[~old], wins[~old]
        self.gain: Array = gain
        """By row: the change of wins."""
        self.moments = self._moments(more, gain)
        self.born = self._birth_numbers()
        """Visits and wins with which a node begins, before its first playout."""
        if any(self.born):
            more, gain = more - new * self.born[0], gain - new * self.born[1]
            self.moments = self._moments(more, gain)
        self.n, self.w = (column.tolist() for column in self.before)
        """Visits and wins of each node at the end; on the way there, at the time of a step."""
        self.choices = Choosing(self).choices
        self.rule: Reading = read_rule(self.choices, self.rewards.low, self.rewards.high)

    def _rows(self) -> tuple[Array, ...]:
        """Look, node, visits and sum of wins, by row; without nodes that have no visit yet."""
        time, node, visits, wins = map(np.array, self.looker.rows)
        # Rewards repeat themselves, so the steps of a sum have few sizes, and those of a mean have
        # many, unless it is multiplied with the visits.
        sums, means = (len(np.unique(abs(changes(node, one)))) for one in (wins, wins * visits))
        wins = wins * visits if means < sums else wins
        self.are_means = means < sums
        """True if the program keeps means."""
        created = np.array(self.looker.created_at)[node]
        is_seen = (visits > 0) | (time == 0) | (created < time)
        return time[is_seen], node[is_seen], visits[is_seen], wins[is_seen]

    def _moments(self, more: Array, gain: Array) -> list[Moment]:
        """The first looks, one after another."""
        few = self.time <= ANALYSED
        columns = (self.time, self.node, more, gain, self.visits, self.wins)
        rows = zip(*(column[few].tolist() for column in columns), strict=True)
        return [
            Moment(time, *zip(*(row[1:] for row in group), strict=True))
            for time, group in groupby(rows, itemgetter(0))
        ]

    def _birth_numbers(self) -> tuple[float, float]:
        """Visits and wins that new nodes have from the start; (0, 0) where none have any.

        They show where several are made at once, and one is visited; or at the last node of a path,
        which then gets a constant more than the others.
        """
        bystanders: Counter[tuple[float, float]] = Counter()
        ends: list[Moment] = []
        for moment in self.moments:
            new = [
                at
                for at, node in enumerate(moment.nodes)
                if self.looker.created_at[node] == moment.time
            ]
            if len(new) > 1:
                bystanders.update(sorted((moment.more[at], moment.gain[at]) for at in new)[:-1])
            elif new == [len(moment.nodes) - 1] and new[0] > 1 and is_path(self.looker, moment):
                ends.append(moment)
        if sum(bystanders.values()) > ENOUGH:
            numbers, times = bystanders.most_common(1)[0]
            return numbers if times > USUALLY * sum(bystanders.values()) else (0.0, 0.0)
        return extra_at_birth(ends)

    # Steps --------------------------------------------------------------------------------------

    @cached_property
    def steps(self) -> list[Step]:
        """Iterations with a single path."""
        return [
            Step(moment.time, moment.nodes[-1], moment.nodes, moment.more, moment.gain)
            for moment in self.moments
            if is_path(self.looker, moment)
        ]

    @property
    def is_single(self) -> bool:
        """True if most iterations have a single path, so that what all of them do is known."""
        return 2 * len(self.steps) >= min(self.looks, ANALYSED)

    @cached_property
    def unit(self) -> float:
        """The usual number of visits that a node gets in an iteration."""
        every = chain.from_iterable(step.visits for step in self.steps)
        usual = Counter(more for more in every if more > 0)
        return usual.most_common(1)[0][0] if usual else 1.0

    @cached_property
    def paid_steps(self) -> list[Step]:
        """Steps with a node below the root, all of which got a visit, at positions that are
        known."""
        return [
            step
            for step in self.steps
            if len(step.path) > 1
            and min(step.visits[1:]) > 0
            and (not self.positions.is_read or self.positions.state[step.end] is not None)
        ]

    @cached_property
    def rewards(self) -> Rewards:
        """The scale of the rewards of steps with the usual number of visits."""
        paid: list[float] = []
        for step in self.steps:
            below = zip(step.wins[1:], step.visits[1:], strict=True)
            paid += [won / self.unit for won, more in below if more == self.unit]
        return Rewards(min(paid, default=0.0), max(paid, default=1.0))

    def born_at(self, node: int) -> tuple[int, int]:
        """The iteration in which a node was first seen, and the node."""
        return self.looker.created_at[node], node

    def is_lucky(self, node: int) -> bool:
        """True if the rules say that nature moves there."""
        place = self.positions.state[node]
        return place is not None and not self.is_over(node) and is_luck(self.game, place)

    def is_over(self, node: int) -> bool:
        """True if the rules say that the game is over there."""
        place = self.positions.state[node]
        return place is not None and self.game is not None and bool(self.game.is_terminal(place))


def extra_at_birth(ends: Sequence[Moment]) -> tuple[float, float]:
    """How much more new nodes at the ends of paths get than those above them, if constant."""
    extra = Counter(moment.more[-1] - moment.more[-2] for moment in ends)
    more, times = extra.most_common(1)[0] if extra else (0.0, 0)
    if more <= 0 or times < max(ENOUGH, USUALLY * len(ends)):
        return 0.0, 0.0
    # A last node whose rewards count twice ranges twice as far; one with a bonus does not.
    last, above = (np.array([moment.gain[at] for moment in ends]) for at in (-1, -2))
    is_shifted = abs(np.ptp(last) - np.ptp(above)) < TINY and np.ptp(above) > 0
    return (more, float(last.min() - above.min())) if is_shifted else (0.0, 0.0)


def is_path(looker: Looker, moment: Moment) -> bool:
    """True if the nodes that changed are one path from the root."""
    nodes = moment.nodes
    if len(nodes) != looker.depth[nodes[-1]] + 1:
        return False
    return all(looker.parent[nodes[at]] == nodes[at - 1] for at in range(1, len(nodes)))


class Choosing:
    """Write down the choices of a search, and the numbers that it saw when it made them."""

    def __init__(self, replay: Replay) -> None:
        self.replay, self.looker = replay, replay.looker
        self._above = [0.0] * replay.count
        """By node: its parent's visits just before the node was last visited."""
        self._best = [-np.inf] * replay.count
        """By node: its largest reward so far."""
        self._squares = [0.0] * replay.count
        """By node: the sum of its squared rewards."""
        self._choices: list[tuple[int, ...]] = []
        self._children: list[tuple[float, ...]] = []
        for moment in replay.moments:
            self._replay(moment)
        choices = np.array(self._choices).reshape(-1, 4)
        children = np.array(self._children).reshape(-1, 12)
        self.choices = Choices(choices, children, replay.chooser)

    def _replay(self, moment: Moment) -> None:
        """Replay one look: first what was chosen, then what has changed."""
        grown = {node for node, new in zip(moment.nodes, moment.more, strict=True) if new > 0}
        for node in moment.nodes:
            if self._may_choose(node, grown):
                self._choose(moment.time, node, grown)
        for node, more, gain in zip(moment.nodes, moment.more, moment.gain, strict=True):
            if more > 0:
                self._remember(node, more, gain)
        replay = self.replay
        for node, count, total in zip(moment.nodes, moment.visits, moment.wins, strict=True):
            replay.n[node], replay.w[node] = count, total

    def _may_choose(self, node: int, grown: set[int]) -> bool:
        """False where luck chooses, and where a node below was reached in another way."""
        is_reached = node in grown or node == 0 or not self.looker.shared
        return is_reached and not self.replay.is_lucky(node)

    def _remember(self, node: int, more: float, gain: float) -> None:
        """Keep what some rules need of a visit, before the new numbers are there."""
        self._above[node] = self.replay.n[self.looker.parent[node]] if node else 0.0
        self._best[node] = max(self._best[node], gain / more)
        self._squares[node] += gain * gain / more

    def _choose(self, time: int, parent: int, grown: set[int]) -> None:
        """Write down the choice of one child, if the program made one."""
        n, looker = self.replay.n, self.looker
        kids = [kid for kid in looker.kids[parent] if looker.created_at[kid] < time]
        visited = [kid for kid in kids if n[kid] > 0]
        chosen = [kid for kid in kids if kid in grown]
        if len(visited) < 2 or len(chosen) != 1 or n[chosen[0]] <= 0:
            return
        first, total = len(self._children), sum(n[kid] for kid in kids)
        all_visited = int(len(visited) == len(kids))
        choice = time, first, first + visited.index(chosen[0]), all_visited
        self._choices.append(choice)
        above = n[parent] or total, total, n[0] or total
        self._children += [
            (*self._numbers(kid), *above, place, self._is_end(kid))
            for place, kid in enumerate(visited)
        ]

    def _is_end(self, kid: int) -> bool:
        """True where the game is over; without rules, for a node that was visited again in vain."""
        if self.replay.positions.state[kid] is not None:
            return self.replay.is_over(kid)
        return not self.looker.kids[kid] and as_float(self.looker.last[kid][0]) > 1

    def _numbers(self, kid: int) -> Iterator[float]:
        replay = self.replay
        yield from (kid, replay.n[kid], replay.w[kid], float(replay.priors[kid]))
        yield from (self._above[kid], self._best[kid], self._squares[kid])
