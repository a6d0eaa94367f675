"""Replay what each look has seen: the path of each iteration, and which child was chosen.

A family of checks asks a :class:`Replay` and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mcts_viz.games import Game

from .choosing import by_position, choices_of
from .look import Looker
from .names import as_float, unread_wins, usual_name
from .numbers import HUGE, Table, numbers_of
from .orders import ENOUGH, TINY, USUALLY, Moment, Order, Pair, order_of, pairs_of
from .positions import Positions, is_luck, options
from .rules import Reading, read_rule

Array = NDArray[Any]
ANALYSED: Final = 5_000
"""Iterations that are looked into, from the first."""


class Rewards(NamedTuple):
    """The least and the largest reward of a visit."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """The distance between them; 0 if all rewards are one."""
        return self.high - self.low


class Replay:
    """The steps and choices of a watched search, and the rule by which it selects."""

    def __init__(self, looker: Looker, game: Game[Any, Any] | None, played: object = None) -> None:
        self.looker = looker
        self.game = game
        self.played = played
        self.count, self.looks = len(looker.nodes), looker.looks
        self.positions = Positions(looker, game)
        self.parent = looker.parent
        self.kids = looker.kids
        self.created = looker.created_at
        self.state, self.action = self.positions.state, self.positions.action
        self.chooser, self.is_read = self.positions.chooser, self.positions.is_read
        self.is_match = self.is_read and game is not None and len(game.players) > 1
        """True if the rules are known, and say who wins against whom."""
        self.priors = self._seen_priors()
        self.table = t = self._table()
        self.numbers = numbers_of(t, np.array(self.parent[: self.count]), looker.numbers)
        old, worth = t.time == 0, self.numbers.worth
        self.before = np.zeros((2, self.count))
        """Visits and wins of each node before the first iteration."""
        self.before[:, t.node[old]] = t.n[old], worth[old]
        more, gain = (
            np.where(old, 0, (one - t.before(one)).round(9)) for one in (t.n, self.numbers.wins)
        )
        self.time, self.node, self.visits, self.wins, self.gain = self._by_time(
            t.time, t.node, t.n, worth, gain
        )
        """For each node that a look saw changed: visits, wins, and the change of wins."""
        self.moments = self._moments(more, gain)
        self.born = self._birth_numbers()
        """Visits and wins with which a node begins, before its first playout."""
        if any(self.born):
            new = t.first & ~old
            more, gain = more - new * self.born[0], gain - new * self.born[1]
            self.moments = self._moments(more, gain)
        end = np.full(self.count, min(ANALYSED, self.looks))
        self.n, self.w = (t.at(one, np.arange(self.count), end).tolist() for one in (t.n, worth))
        """Visits and wins of each node after the last look that was analysed."""
        self.choices = choices_of(self, more, gain, ANALYSED)
        self.rule: Reading = read_rule(self.choices, *self.rewards)
        if self.rule.name is None:
            readings = (read_rule(s, *self.rewards) for s in by_position(self))
            self.rule = next((one for one in readings if one.name), self.rule)

    def _seen_priors(self) -> Array:
        """The prior of each node, and 1 where none was found."""
        known = usual_name("priors", self.looker.nodes[-1])  # which a root may lack
        self.looker.sources["priors"] = self.looker.sources["priors"] or known
        said = [as_float(self.positions.ask("priors", node)) for node in range(self.count)]
        return np.array(said if any(said) else [1.0] * self.count)

    def _table(self) -> Table:
        """The rows of all looks, without nodes that have no visit yet."""
        time, node, visits, number = map(np.array, self.looker.rows)
        is_seen = (visits > 0) | (time == 0) | (np.array(self.created)[node] < time)
        return Table(self.looks, *(one[is_seen] for one in (time, node, visits, number)))

    def _by_time(self, *columns: Array) -> list[Array]:
        """Columns of the table in the order of looks, without what was there before the first."""
        back = np.argsort(self.table.order)
        return [column[back][self.table.time[back] > 0] for column in columns]

    def _moments(self, more: Array, gain: Array) -> list[Moment]:
        """The first looks, one after another."""
        t = self.table
        columns = self._by_time(t.time, t.node, more, gain)
        rows = zip(*(column[columns[0] <= ANALYSED].tolist() for column in columns), strict=True)
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
            new = [at for at, node in enumerate(moment.nodes) if self.created[node] == moment.time]
            if len(new) > 1:
                bystanders.update(sorted((moment.more[at], moment.gain[at]) for at in new)[:-1])
            elif new == [len(moment.nodes) - 1] and new[0] > 1 and is_path(self.looker, moment):
                ends.append(moment)
        if bystanders.total() > ENOUGH:
            numbers, times = bystanders.most_common(1)[0]
            return numbers if times > USUALLY * bystanders.total() else (0.0, 0.0)
        return extra_at_birth(ends)

    # Steps --------------------------------------------------------------------------------------

    @cached_property
    def steps(self) -> list[Moment]:
        """Iterations with a single path."""
        return [moment for moment in self.moments if is_path(self.looker, moment)]

    @property
    def is_single(self) -> bool:
        """True if most iterations have a single path, so that what all of them do is known."""
        return 2 * len(self.steps) >= min(self.looks, ANALYSED)

    @cached_property
    def unit(self) -> float:
        """The usual number of visits that a node gets in an iteration."""
        every = chain.from_iterable(step.more for step in self.steps)
        usual = Counter(more for more in every if more > 0)
        return usual.most_common(1)[0][0] if usual else 1.0

    @cached_property
    def paid_steps(self) -> list[Moment]:
        """Steps with a node below the root, all of which got a visit, at positions that are
        known."""
        return [
            step
            for step in self.steps
            if len(step.nodes) > 1
            and min(step.more[1:]) > 0
            and max(map(abs, step.gain)) < HUGE
            and (not self.is_read or self.state[step.end] is not None)
        ]

    @cached_property
    def pairs(self) -> list[Pair]:
        """Steps down a path, between nodes below the root whose rewards have to do with another."""
        return [*pairs_of(self.paid_steps, self.chooser, self.positions.players)]

    @cached_property
    def order(self) -> Order:
        """The order that nearly all rewards above the last node follow."""
        return order_of(self.pairs)

    @property
    def unread_wins(self) -> str:
        """The reason why no number was taken for wins, and what to give."""
        looker = self.looker
        return unread_wins(looker.sources["wins"], "wins" in looker.given, looker.nodes[-1])

    @cached_property
    def rewards(self) -> Rewards:
        """The scale of the rewards of a visit where they are known, else that of all means."""
        below = chain.from_iterable([*step.rows()][1:] for step in self.steps)
        paid = {won / more for _, more, won in below if more == self.unit}
        if len(paid) < 2 or not self.numbers.pays:
            known = (self.visits > 0) & (self.node > 0)
            paid = {*(self.wins[known] / self.visits[known]).tolist()}
        paid = {reward for reward in paid if abs(reward) < HUGE}
        return Rewards(min(paid, default=0.0), max(paid, default=1.0))

    def born_at(self, node: int) -> tuple[int, int]:
        """The iteration in which a node was first seen, and the node."""
        return self.created[node], node

    def is_lucky(self, node: int) -> bool:
        """True if nature moves there, as the rules say, or the program."""
        place = self.state[node]
        if place is None:
            return node in self.positions.lucky
        return not self.is_over(node) and is_luck(self.game, place)

    def is_end(self, node: int) -> bool:
        """True where the game is over; without rules, for a node that was visited again in vain."""
        if self.state[node] is not None:
            return self.is_over(node)
        return not self.kids[node] and self.n[node] > 1

    def is_won(self, node: int) -> bool:
        """True if the rules say that who moved there has won, whatever is played in the tree."""
        return self.is_match and self._worth(node, self.chooser[node]) > 0

    def _worth(self, node: int, player: int) -> float:
        """The value for a player of a node that is explored out; 0 if it is not explored out."""
        place, game = self.state[node], self.game
        if place is None or game is None:
            return 0.0
        if self.is_over(node):
            return game.returns(place)[player]
        kids = self.kids[node]
        if len(kids) < len(options(game, place)):
            return 0.0
        best = max if self.chooser[kids[0]] == player else min
        return best(self._worth(kid, player) for kid in kids)

    def outcomes(self, node: Array, time: Array) -> Array:
        """The outcomes of nodes proven before those times, for who moved there; else NaN."""
        since, known = np.full((2, self.count), np.inf)
        for proven, said in self.looker.proven.items():
            since[proven], known[proven] = said
        return np.where(since[node] < time, known[node], np.nan)

    def is_over(self, node: int) -> bool:
        """True if the rules say that the game is over there."""
        place = self.state[node]
        return place is not None and self.game is not None and bool(self.game.is_terminal(place))


def extra_at_birth(ends: Sequence[Moment]) -> tuple[float, float]:
    """The excess of new nodes at the ends of paths over those above them, if constant."""
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
