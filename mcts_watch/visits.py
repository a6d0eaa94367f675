"""Visits: on one path no node is passed over, and none is counted twice.

The law needs no rule and no game. An iteration walks one path, and each node of it gets the same
number of visits, so children never get more than their parent. Sound searches may leave the root
out, add a node after its playout, start visits at 1, or walk several paths between two looks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar, Final, NamedTuple

import numpy as np

from mcts_viz.trace.columns import Checked, Finding

from .law import Family
from .orders import ENOUGH, Moment
from .rules import mean

SEVERAL: Final = 3
"""Iterations that must break a law: one alone may be a node that the program has replaced."""
SHARE: Final = 0.02
"""The share of iterations in which a place of the path must be counted in another way."""
EARLY: Final = 60
"""Steps whose first rewards are compared: enough to see whether results lie between two others."""
RESULTS: Final = 3
"""A loss, a draw and a win: two playouts of these have up to five sums."""
MOST_BETWEEN: Final = 0.3
"""The share of rewards between the least and the most from which on they are of two playouts: about
half of all pairs of random games end differently."""


class Above(NamedTuple):
    """A node of which children get visits in one iteration: its own visits, and theirs."""

    time: int
    node: int
    own: float
    below: tuple[float, ...]

    @property
    def is_less(self) -> bool:
        """True if the children get more than it does; a root may be left out."""
        return sum(self.below) > self.own and bool(self.node or self.own)

    @property
    def is_parted(self) -> bool:
        """True if several children share its visits, as where several walks part."""
        return len(self.below) > 1 and sum(self.below) <= self.own


class Odd(NamedTuple):
    """A path of which one node gets another number of visits than each of the rest."""

    step: Moment
    at: int
    usual: float

    @property
    def place(self) -> str:
        """The place of that node on the path, in words."""
        if self.at == len(self.step.nodes) - 1:
            return "the last node of the path"
        return ("the root", "the root's child", "a node of the path")[min(self.at, 2)]


class Visits(Family):
    """Does each node of a path get the same number of visits?"""

    name = "visits"
    TEXTS: ClassVar = {
        "left-out": "Node {} gets no visit in iteration {}, though {:g} go to others of its path: "
        "count each node when you go back up the path.",
        "left-out (root)": "The root gets no visit, so N stays {:g} in its scores, and it takes "
        "the highest mean in {} of {} choices: count the root too.",
        "left-out (end)": "Node {} ends the game and never gets a visit, though {} iterations "
        "stop at its parent, node {}: count the last node of a path too.",
        "left-out (root, perhaps)": "Unusual: the root gets no visit. That is right if its visits "
        "are the sum of its children's. The film shows that sum.",
        "left-out (new)": "Unusual: a new node gets no visit in its own iteration. That is right "
        "if it is added after the playout, which began at its parent.",
        "counted-twice": "The visits of {} grow by {:g} in iteration {}, and those of the rest of "
        "its path by {:g}: count each node once.",
        "counted-twice (shared)": "The root has {:,.0f} visits after {:,} iterations, {:g} of them "
        "from iteration {} alone: a node that is reached in several ways passes its visit on to "
        "each parent. Count the nodes of the walked path once.",
        "counted-twice (all)": "Each node of a path gets 2 visits in iteration {}, for one "
        "result: count it once.",
        "counted-twice (children)": "In iteration {} the children of node {} get {:g} visits, and "
        "the node itself {:g}: count the nodes of the path alone.",
        "born": "Unusual: a new node begins with {:g} visits. That is right if the program divides "
        "by visits before the first playout.",
        "walks": "Unusual: in {} of {} iterations the visits part, as by several walks, of which "
        "the film shows one. That is right if an iteration walks several paths at once; else look "
        "after each walk.",
    }

    def look(self) -> Iterator[Finding]:
        replay = self.replay
        if replay.born[0] and replay.count > 1:
            yield self.said("born", replay.born_at(1), replay.born[0])
        if replay.looker.shared:
            yield from self._root_of_shared()
        elif not self._falls:
            if self._parted:
                first = self._parted[0]
                yield self.said("walks", first, len(self._parted), len(replay.moments))
            yield from self._gaps()
            yield from self._places()
            yield from self._twice()
            yield from self._root()
            yield from self._new()

    def checked(self) -> Checked:
        replay, of = self.replay, len(self.replay.moments)
        if not any(replay.n):
            return self.line(False, "**none seen** that grow, so paths were not followed")
        if self._falls:
            why = f"fall in iteration {self._falls}, so they were **not compared**"
            return self.line(False, why)
        if replay.looker.shared:
            text = (
                f"the root has {replay.n[0]:,.0f} after {of:,} iterations; positions are "
                "reached in several ways, so the nodes of a path were **not compared**"
            )
            return self.line(False, text)
        if all(len(moment.nodes) < 2 for moment in replay.moments):
            return self.line(False, "**no path** below the root was seen")
        wrong = {one.time for one in self._less} | {odd.step.time for odd in self._odd}
        kind = "iterations" if self._parted else "paths"
        return self.line(of >= ENOUGH, f"{of - len(wrong):,} of {of:,} {kind} add up")

    @cached_property
    def _falls(self) -> int:
        """The first iteration in which visits fall, which no path explains; 0 if there is none."""
        falling = (one.time for one in self.replay.moments if min(one.more) < 0)
        return next(falling, 0)

    def _root_of_shared(self) -> Iterator[Finding]:
        """Iterations of one walk that give the root several visits: one for each way to it."""
        replay = self.replay
        usual = Counter(one.more[0] for one in replay.moments).most_common(1)[0][0]
        several = [
            one
            for one in replay.moments
            if one.more[0] > usual
            and sum(replay.created[node] == one.time for node in one.nodes) < 2
        ]
        if len(several) >= SEVERAL:
            first = several[0]
            facts = replay.n[0], len(replay.moments), first.more[0], first.time
            yield self.said("counted-twice (shared)", (first.time, 0), *facts)

    # A node and its children ---------------------------------------------------------------------

    @cached_property
    def _above(self) -> list[Above]:
        """In each iteration all nodes of which children get visits."""
        found = []
        for moment in self.replay.moments:
            own = dict(zip(moment.nodes, moment.more, strict=True))
            below: defaultdict[int, list[float]] = defaultdict(list)
            for node, more in own.items():
                if node and more > 0:
                    below[self.replay.parent[node]].append(more)
            found += [Above(moment.time, n, own.get(n, 0), (*m,)) for n, m in below.items()]
        return found

    @cached_property
    def _less(self) -> list[Above]:
        return [one for one in self._above if one.is_less]

    @cached_property
    def _parted(self) -> list[tuple[int, int]]:
        """Iterations in which children share the visits of their parent, and that node, if many."""
        found = {one.time: one.node for one in self._above if one.is_parted}
        return [*found.items()] if len(found) >= SEVERAL else []

    def _gaps(self) -> Iterator[Finding]:
        passed = [one for one in self._less if not one.own]
        if len(passed) >= SEVERAL:
            time, node, _, below = passed[0]
            yield self.said("left-out", (time, node), node, time, sum(below))
        elif len(self._less) >= SEVERAL and not passed and not self._odd:
            time, node, own, below = self._less[0]
            yield self.said("counted-twice (children)", (time, node), time, node, sum(below), own)

    # One place of the path -----------------------------------------------------------------------

    @cached_property
    def _odd(self) -> list[Odd]:
        found = []
        for step in self.replay.steps:
            usual = Counter(step.more).most_common(1)[0][0]
            others = [at for at, more in enumerate(step.more) if more != usual]
            # The last node gets fewer, as if another walk ended above it.
            ends_above = self._parted and step.more[-1] < min(step.more[:-1], default=0)
            is_one = len(step.nodes) > 2 and len(others) == 1 and usual > 0 and not ends_above
            if is_one and (others[0] or step.more[0]):
                found.append(Odd(step, others[0], usual))
        return found

    def _places(self) -> Iterator[Finding]:
        times = Counter(odd.place for odd in self._odd)
        for place, count in times.items():
            if count < max(SEVERAL, SHARE * len(self.replay.steps)):
                continue
            step, at, usual = next(odd for odd in self._odd if odd.place == place)
            time = step.time
            node = step.nodes[at]
            more = step.more[at]
            if more <= 0:
                yield self.said("left-out", (time, node), node, time, usual)
            else:
                yield self.said("counted-twice", (time, node), place, more, time, usual)

    def _twice(self) -> Iterator[Finding]:
        """Two visits for one result: of two playouts, many would have a mean between both
        results."""
        replay, steps = self.replay, self.replay.paid_steps
        # Of two walks most end at nodes of their own, which get one visit each.
        single = sum(any(more % 2 for more in one.more) for one in replay.moments)
        early = [abs(step.gain[-1]) for step in steps[:EARLY]]
        between = sum(min(early) < won < max(early) for won in early)
        first = next((step for step in steps if step.more[-1] == 2), None)
        is_one_result = len({step.gain[-1] for step in steps[:EARLY]}) <= RESULTS
        is_two = replay.unit == 2 and len(steps) >= ENOUGH and single < SEVERAL
        if first and is_two and is_one_result and between <= MOST_BETWEEN * len(early):
            yield self.said("counted-twice (all)", first.proof, first.time)

    # The root, and new nodes ---------------------------------------------------------------------

    def _root(self) -> Iterator[Finding]:
        replay = self.replay
        steps = [step for step in replay.steps if len(step.nodes) > 1]
        missed = [step.time for step in steps if not step.more[0]]
        if len(steps) < ENOUGH or len(missed) < 0.9 * len(steps):
            return
        own, before = replay.choices.only(replay.choices.above == 0), float(replay.before[0][0])
        # ln 1 is 0, so a root that stays at one visit never explores, while other nodes do.
        if before == 1 and len(own) >= ENOUGH and replay.rule.name == "UCB1":
            scores = mean(own) + replay.rule.middle * np.sqrt(np.log(own.S) / own.n)
            greedy, by_sum = (int(own.is_largest(one).sum()) for one in (mean(own), scores))
            if greedy == len(own) > by_sum:
                yield self.said("left-out (root)", (missed[0], 0), before, greedy, len(own))
                return
        yield self.said("left-out (root, perhaps)", (missed[0], 0))

    def _new(self) -> Iterator[Finding]:
        """Nodes without a visit below the last node of a path: one that is new, or an end."""
        replay = self.replay
        new = [replay.born_at(kid) for step in replay.steps for kid in self._new_below(step)]
        if end := self._unvisited_end():
            above = replay.parent[end]
            stops = [step for step in replay.steps if step.end == above]
            yield self.said("left-out (end)", stops[0].proof, end, len(stops), above)
        elif len({time for time, _ in new}) == len(new) >= max(ENOUGH, 0.5 * len(replay.steps)):
            yield self.said("left-out (new)", new[0])

    def _unvisited_end(self) -> int:
        """A finished game without a visit, though many iterations stop above it: more than of a
        search that adds one child after another; 0 for none."""
        replay, stops = self.replay, Counter(step.end for step in self.replay.steps)
        for kid, above in enumerate(replay.parent[: replay.count]):
            is_more = stops[above] >= ENOUGH + len(replay.kids[above])
            if is_more and replay.rule.name and not replay.n[kid] and replay.is_over(kid):
                return kid
        return 0

    def _new_below(self, step: Moment) -> list[int]:
        """The children of a path's last node that appear with it, without a visit."""
        kids = self.replay.kids[step.end]
        return [kid for kid in kids if self.replay.created[kid] == step.time]
