"""The order of rewards on a path: what each node gains, by what the node below it gains."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Final, NamedTuple

ENOUGH: Final = 20
"""Events that are needed before anything is said."""
USUALLY: Final = 0.95
"""The share of events in which a thing must happen to be a habit."""
TINY: Final = 1e-6
"""Rewards that differ by less are the same: programs add and divide them in their own order."""
SAME: Final = "same"
"""All nodes of a path gain the same."""
OPPOSITE: Final = "opposite"
"""Nodes of one player gain the same, those of opponents the rest of a constant sum."""
FLIPPED: Final = "flipped"
"""The sign is turned at every level, also where one player moves twice."""
ON_THE_WAY: Final = "on the way"
"""Each node gains a reward of its own, and a part of what the node below gains."""
SPLIT: Final = 0.3
"""The share of steps down with two different rewards, from which they can show an order."""
FEWEST_CHANGES: Final = 10
"""Changes of the gain below, to which all that a node gains must answer alike."""
FEWEST_EACH: Final = 5
"""Steps down with each of two rewards that are needed to see an order."""


class Moment(NamedTuple):
    """All nodes that one look saw changed, and by how much; of many iterations a single path."""

    time: int
    nodes: tuple[int, ...]
    """As they were first seen, so those of a path from the root."""
    more: tuple[float, ...]
    """The change of visits, by node."""
    gain: tuple[float, ...]
    """The change of wins."""

    @property
    def end(self) -> int:
        """The last node."""
        return self.nodes[-1]

    @property
    def proof(self) -> tuple[int, int]:
        """The iteration and its last node."""
        return self.time, self.end

    def rows(self) -> Iterator[tuple[int, float, float]]:
        """Each node, with the change of its visits and wins."""
        return zip(self.nodes, self.more, self.gain, strict=True)

    def paid(self, place: int) -> float:
        """The reward per visit of the node at that place."""
        return self.gain[place] / self.more[place]


class Pair(NamedTuple):
    """Two nodes of a path, one above the other, and what they gain per visit."""

    step: Moment
    at: int
    """The place of the lower one."""
    above: float
    below: float
    is_same_player: bool

    @property
    def is_level(self) -> bool:
        """True if both gain the same."""
        return abs(self.above - self.below) < TINY

    def are_both(self, reward: float) -> bool:
        """True if both gain that."""
        return max(abs(self.above - reward), abs(self.below - reward)) <= TINY

    @property
    def node(self) -> int:
        """The lower node."""
        return self.step.nodes[self.at]

    @property
    def proof(self) -> tuple[int, int]:
        """The iteration and the lower node."""
        return self.step.time, self.node


class Order(NamedTuple):
    """The order that rewards along a path follow; ``kind`` is empty where they follow none."""

    kind: str
    total: float
    """The sum that two opponents get together."""
    parts: Mapping[bool, float] = {}
    """What a node gains of the gain below, if one player moves twice, and if not: with a sign."""
    paid: Mapping[int, float] = {}
    """For each node: what the move there pays, if rewards are paid on the way."""

    def expected(self, pair: Pair) -> float:
        """The gain that the lower node should have."""
        if self.kind == ON_THE_WAY:
            part = self.parts.get(pair.is_same_player) or 1.0
            return (pair.above - self.paid.get(pair.node, pair.above - part * pair.below)) / part
        if self.kind == SAME or (pair.is_same_player and self.kind == OPPOSITE):
            return pair.above
        return self.total - pair.above

    def is_kept(self, pair: Pair) -> bool:
        """True if the lower node gains that."""
        return abs(self.expected(pair) - pair.below) < TINY


def pairs_of(steps: Sequence[Moment], chooser: Sequence[int], players: int) -> Iterator[Pair]:
    """All steps down from one node below the root to the next, or, where more than two play, to
    the next one of that player."""
    for step in steps:
        last: dict[int, int] = {}
        for at in range(1, len(step.nodes)):
            player = chooser[step.nodes[at]]
            above = last.get(player, 0) if players > 2 else at - 1
            last[player] = at
            if above:
                is_same = chooser[step.nodes[above]] == player
                yield Pair(step, at, step.paid(above), step.paid(at), is_same)


def order_of(pairs: list[Pair]) -> Order:
    """The order that nearly all steps down follow, above the last node if paths are long enough."""
    inner = [pair for pair in pairs if pair.at < len(pair.step.nodes) - 1]
    pairs = inner if len(inner) >= ENOUGH else pairs
    order = of_one_result(pairs)
    return order if order.kind else on_the_way(pairs)


def of_one_result(pairs: list[Pair]) -> Order:
    """The order in which one result goes up a path, if nearly all steps down follow one."""
    total, drawn = total_of(pairs)
    telling = [pair for pair in pairs if not pair.are_both(drawn)]
    # Two players who get the same may be paid a draw as a loss: that is a fault, and no other
    # order.
    split = [pair for pair in telling if pair.is_same_player or not pair.is_level]
    fewest = max(ENOUGH, SPLIT * len(telling))
    best, most = Order("", total), USUALLY
    kinds = [(OPPOSITE, split), (SAME, telling), (FLIPPED, split)]
    if all(pair.is_same_player for pair in pairs):  # of more than two players: no sum, no draw
        kinds = [(SAME, pairs)]
    for kind, evidence in kinds:
        order = Order(kind, total)
        share = sum(map(order.is_kept, evidence)) / max(1, len(evidence))
        if len(evidence) >= fewest and share > most and is_told(order, evidence):
            best, most = order, share
    return best


def on_the_way(pairs: list[Pair]) -> Order:
    """The order of rewards that are paid on the way, or discounted, if they are."""
    parts = {kind: part_of(pairs, kind) for kind in (True, False)}
    parts = {kind: part for kind, part in parts.items() if part}
    known = [pair for pair in pairs if pair.is_same_player in parts]
    paid = paid_of(known, parts)
    order = Order(ON_THE_WAY, 0.0, parts, paid)
    is_plain = {*parts.values()} == {1.0} and not any(paid.values())  # too few rewards to be sure
    return order if is_usual(order, known) and not is_plain else Order("", 0.0)


def is_usual(order: Order, pairs: list[Pair]) -> bool:
    """True if nearly all gains keep the order, of nodes that were visited several times."""
    times = Counter(pair.node for pair in pairs)
    kept = Counter(order.is_kept(pair) for pair in pairs if times[pair.node] > 1)
    return kept.total() >= ENOUGH and kept[True] > USUALLY * kept.total()


def paid_of(pairs: list[Pair], parts: Mapping[bool, float]) -> dict[int, float]:
    """For each node: what is usually left of the gain above without that part of the gain below."""
    left: defaultdict[int, Counter[float]] = defaultdict(Counter)
    for pair in pairs:
        left[pair.node][round(pair.above - parts[pair.is_same_player] * pair.below, 6)] += 1
    return {node: rests.most_common(1)[0][0] for node, rests in left.items()}


def part_of(pairs: list[Pair], is_same_player: bool) -> float:
    """The part of the gain below that a node gets: the usual ratio of their changes, or 0."""
    last: dict[int, Pair] = {}
    ratios: Counter[float] = Counter()
    for pair in pairs:
        if pair.is_same_player is not is_same_player:
            continue
        before = last.get(pair.node, pair)
        last[pair.node] = pair
        if abs(pair.below - before.below) > TINY:
            ratios[round((pair.above - before.above) / (pair.below - before.below), 5)] += 1
    part, times = ratios.most_common(1)[0] if ratios else (0.0, 0)
    return part if times >= max(FEWEST_CHANGES, USUALLY * ratios.total()) else 0.0


def is_told(order: Order, evidence: list[Pair]) -> bool:
    """True if an order is kept with several rewards: else all games may be drawn, or no value
    changed. Values of a network hardly ever repeat themselves.
    """
    values = Counter(round(pair.above, 6) for pair in evidence if order.is_kept(pair))
    often = sum(times >= FEWEST_EACH for times in values.values())
    return often > 1 or len(values) >= ENOUGH


def total_of(pairs: list[Pair]) -> tuple[float, float]:
    """The sum that two opponents get most often, where they do not get the same; and a half of it,
    as both get in a draw, which keeps every order."""
    opposed = [pair for pair in pairs if not (pair.is_level or pair.is_same_player)]
    sums = Counter(round(pair.above + pair.below, 6) for pair in opposed)
    total = max(sums, key=sums.__getitem__, default=0.0)
    return total, total / 2 if opposed else inf
