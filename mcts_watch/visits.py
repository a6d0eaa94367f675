"""Visits: on one path no node is passed over, and none is counted twice.

The law needs no rule and no game. An iteration walks one path, and each node of it gets the same
number of visits, so children never get more than their parent. Sound searches may leave the root
out, add a node after its playout, start visits at 1, or walk several paths between two looks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from random import Random
from typing import ClassVar, Final, NamedTuple

import numpy as np

from mcts_viz.search import random_playout
from mcts_viz.trace.columns import Checked, Finding

from .law import Family
from .rules import Choices, mean
from .steps import ENOUGH, Moment, Step

SEVERAL: Final = 3
"""Iterations that must break a law: one alone may be a node that the program has replaced."""
SHARE: Final = 0.02
"""The share of iterations in which a place of the path must be counted in another way."""
PLAYOUTS: Final = 24
"""Random games from a position: they tell its worth to about a fifth."""
SIGMAS: Final = 4.0
"""Standard errors by which a slope must differ from 0, about one in 30,000 by chance."""
TOGETHER: Final = 0.9
"""The share of iterations whose paths begin alike, from which virtual loss seems not to work."""

EARLY: Final = 60
"""Steps whose first rewards are compared: enough to see whether results lie between two others."""
RESULTS: Final = 3
"""A loss, a draw and a win: two playouts of these have up to five sums."""
MOST_BETWEEN: Final = 0.3
"""The share of rewards between the least and the most from which on they are of two playouts: about
half of all pairs of random games end differently."""


class Gap(NamedTuple):
    """A node that gets fewer visits than its children in one iteration."""

    time: int
    node: int
    own: float
    below: float


class Visits(Family):
    """Does each node of a path get the same number of visits?"""

    name = "visits"
    TEXTS: ClassVar = {
        "left-out": "Node {} gets no visit in iteration {}, though a child of it gets {:g}: "
        "count each node when you go back up the path.",
        "left-out (place)": "{} gets no visit in iteration {}, though the rest of its path gets "
        "{:g} each: count each node when you go back up the path.",
        "left-out (root)": "The root gets no visit, so N stays {:g} in its scores, and it takes "
        "the highest mean in {} of {} choices: count the root too.",
        "left-out (new)": "The playout of iteration {} begins at a new node, which gets no visit: "
        "count each node when you go back up the path.",
        "left-out (end)": "Node {} ends the game and never gets a visit, though {} iterations "
        "stop at its parent, node {}: count the last node of a path too.",
        "root": "Unusual: the root gets no visit. That is right if its visits are the sum of its "
        "children's. The film shows that sum.",
        "new": "Unusual: a new node gets no visit in its own iteration. That is right if it is "
        "added after the playout, which began at its parent.",
        "counted-twice": "{} gets {:g} visits in iteration {}, and the rest of its path {:g} each: "
        "count it once.",
        "counted-twice (shared)": "The root has {:,.0f} visits after {:,} iterations, {:g} of them "
        "from iteration {} alone: a node that is reached in several ways passes its visit on to "
        "each parent. Count the nodes of the walked path once.",
        "counted-twice (others)": "{} gets {:g} visit in iteration {}, and the rest of its path "
        "{:g} each: count each node once.",
        "counted-twice (all)": "Each node of a path gets {:g} visits in iteration {}, for one "
        "result: count it once.",
        "counted-twice (children)": "In iteration {} the children of node {} get {:g} visits, and "
        "the node itself {:g}: count the nodes of the path alone.",
        "born": "Unusual: a new node begins with {:g} visits. That is right if the program divides "
        "by visits before the first playout.",
        "paths": "Unusual: the {:g} paths of an iteration begin with the same move in {} of {} "
        "iterations. That is right if one move is best by far; else a virtual loss should part "
        "them.",
        "walks": "Unusual: in {} of {} iterations the visits part, as by several walks, of which "
        "the film shows one. That is right if an iteration walks several paths at once; else look "
        "after each walk.",
    }

    def look(self) -> Iterator[Finding]:
        yield from self._born()
        yield from self._paths()
        yield from self._walks()
        if self.replay.looker.shared:
            yield from self._root_of_shared()
        if self.replay.looker.shared or self._falls:
            return
        yield from self._gaps()
        yield from self._places()
        yield from self._root()
        yield from self._new()

    def checked(self) -> Checked:
        of = len(self.replay.moments)
        if not self._grow:
            return self.line(False, "**none seen** that grow, so paths were not followed")
        if self._falls:
            return self.line(
                False, f"fall in iteration {self._falls}, so they were **not compared**"
            )
        if self.replay.looker.shared:
            text = (
                f"the root has {self.replay.n[0]:,.0f} after {of:,} iterations; positions are "
                "reached in several ways, so the nodes of a path were **not compared**"
            )
            return self.line(False, text)
        if all(len(moment.nodes) < 2 for moment in self.replay.moments):
            return self.line(False, "**no path** below the root was seen")
        wrong = {gap.time for gap in self._all_gaps} | {step.time for step, _ in self._odd}
        kind = "iterations" if self._parted else "paths"
        return self.line(of >= ENOUGH, f"{of - len(wrong):,} of {of:,} {kind} add up")

    @cached_property
    def _grow(self) -> bool:
        return any(self.replay.n)

    @cached_property
    def _falls(self) -> int:
        """The first iteration in which visits fall, which no path explains; 0 if there is none."""
        falling = (one.time for one in self.replay.moments if min(one.more) < 0)
        return next(falling, 0)

    def _root_of_shared(self) -> Iterator[Finding]:
        """Iterations of one walk that give the root several visits: one for each way to it."""
        usual = Counter(one.more[0] for one in self.replay.moments).most_common(1)[0][0]
        created = self.replay.looker.created_at
        several = [
            one
            for one in self.replay.moments
            if one.more[0] > usual and sum(created[node] == one.time for node in one.nodes) < 2
        ]
        if len(several) >= SEVERAL:
            proof = several[0].time, 0
            facts = self.replay.n[0], len(self.replay.moments), several[0].more[0], several[0].time
            yield self._named("counted-twice (shared)", *proof, *facts)

    # Passed over, or more than the parent --------------------------------------------------------

    @cached_property
    def _all_gaps(self) -> list[Gap]:
        """Nodes, but the root, whose children get more visits than they do."""
        if self.replay.looker.shared or self._falls:
            return []
        return [gap for moment in self.replay.moments for gap in self._gaps_of(moment)]

    def _gaps_of(self, moment: Moment) -> Iterator[Gap]:
        parent, own = self.replay.looker.parent, dict(zip(moment.nodes, moment.more, strict=True))
        below: Counter[int] = Counter()
        for node, more in own.items():
            if node:
                below[parent[node]] += more  # type: ignore[assignment]
        for node, more in below.items():
            if more > own[node] and (node or own[node]):
                yield Gap(moment.time, node, own[node], more)

    def _gaps(self) -> Iterator[Finding]:
        passed = [gap for gap in self._all_gaps if not gap.own]
        if len(passed) >= SEVERAL:
            first = passed[0]
            yield self._named(
                "left-out", first.time, first.node, first.node, first.time, first.below
            )
        over = [gap for gap in self._all_gaps if gap.own]
        if len(over) >= SEVERAL and not passed and not self._odd:
            first = over[0]
            facts = first.time, first.node, first.below, first.own
            yield self._named("counted-twice (children)", first.time, first.node, *facts)

    # One place of the path -----------------------------------------------------------------------

    @cached_property
    def _odd(self) -> list[tuple[Step, str]]:
        """Paths of which one node gets another number of visits than the rest, and that place."""
        found = []
        for step in self.replay.steps:
            usual = Counter(step.visits).most_common(1)[0][0]
            others = [at for at, more in enumerate(step.visits) if more != usual]
            if (
                len(step.path) > 2
                and len(others) == 1
                and usual > 0
                and (others[0] or step.visits[0])
                and not (self._parted and ends_above(step))
            ):
                found.append((step, self._place(step, others[0])))
        return found

    @staticmethod
    def _place(step: Step, at: int) -> str:
        if at in (0, len(step.path) - 1):
            return "The root" if at == 0 else "The last node of the path"
        return "The root's child" if at == 1 else "A node of the path"

    def _places(self) -> Iterator[Finding]:
        times = Counter(place for _, place in self._odd)
        for place, count in times.items():
            if count >= max(SEVERAL, SHARE * len(self.replay.steps)):
                yield self._at_place(place)
        yield from self._twice()

    def _at_place(self, place: str) -> Finding:
        """The first path of which this place gets another number of visits than the rest."""
        step = next(step for step, where in self._odd if where == place)
        usual = Counter(step.visits).most_common(1)[0][0]
        at = next(at for at, more in enumerate(step.visits) if more != usual)
        more, node = step.visits[at], step.path[at]
        if more <= 0:
            return self._named("left-out (place)", step.time, node, place, step.time, usual)
        text = "counted-twice" if more > usual else "counted-twice (others)"
        return self._named(text, step.time, node, place, more, step.time, usual)

    def _twice(self) -> Iterator[Finding]:
        """Two visits for one result: of two playouts, many would have a mean between both
        results."""
        steps = self.replay.paid_steps
        # Of two walks most end at nodes of their own, which get one visit each.
        single = sum(any(more % 2 for more in one.more) for one in self.replay.moments)
        is_two = self.replay.unit == 2 and len(steps) >= ENOUGH and single < SEVERAL
        is_one_result = len({step.wins[-1] for step in steps[:EARLY]}) <= RESULTS
        early = [abs(step.wins[-1]) for step in steps[:EARLY]]
        between = sum(min(early) < won < max(early) for won in early)
        of_pairs = [step for step in steps if step.visits[-1] == 2]
        if is_two and is_one_result and between <= MOST_BETWEEN * len(early) and of_pairs:
            first = of_pairs[0]
            yield self._named("counted-twice (all)", first.time, first.end, 2, first.time)

    # The root, and new nodes ---------------------------------------------------------------------

    def _root(self) -> Iterator[Finding]:
        steps = [step for step in self.replay.steps if len(step.path) > 1]
        missed = [step.time for step in steps if not step.visits[0]]
        if len(steps) < ENOUGH or len(missed) < 0.9 * len(steps):
            return
        s, before = self.replay.choices, float(self.replay.before[0][0])
        own = s.only(s.above == 0)
        # ln 1 is 0, so a root that stays at one visit never explores, while other nodes do.
        if before == 1 and len(own) >= ENOUGH and self.replay.rule.name == "UCB1":
            greedy = int(own.is_largest(mean(own)).sum())
            if greedy == len(own) > self._explained_by_sum(own):
                yield self._named("left-out (root)", missed[0], 0, before, greedy, len(own))
                return
        yield self.note("left-out", (missed[0], 0), text="root")

    def _explained_by_sum(self, own: Choices) -> int:
        """The choices at the root that UCB1 explains with the sum of its children's visits as N."""
        scores = mean(own) + self.replay.rule.middle * np.sqrt(np.log(own.S) / own.n)
        return int(own.is_largest(scores).sum())

    @cached_property
    def _stops(self) -> list[tuple[int, int, int]]:
        """Iterations that stop above a finished node without a visit: time, that node, its
        parent."""
        ends = ((step, self._stopped_above(step)) for step in self.replay.steps)
        return [(step.time, end, step.end) for step, end in ends if end is not None]

    def _stopped_above(self, step: Step) -> int | None:
        """A finished child without a visit, below the last node of a path that adds no node."""
        created = self.replay.looker.created_at
        kids = [kid for kid in self.replay.looker.kids[step.end] if created[kid] <= step.time]
        if any(created[kid] == step.time for kid in kids):
            return None
        ends = (kid for kid in kids if not self.replay.n[kid] and self.replay.is_over(kid))
        return next(ends, None)

    @cached_property
    def _left_out(self) -> list[tuple[Step, int]]:
        """Steps below whose last node a single new one appears, which gets no visit."""
        found = []
        looker = self.replay.looker
        for step in self.replay.steps:
            new = [kid for kid in looker.kids[step.end] if looker.created_at[kid] == step.time]
            if len(new) == 1:
                found.append((step, new[0]))
        return found

    def _new(self) -> Iterator[Finding]:
        stops = self._stops
        if self.replay.rule.name and len(stops) >= ENOUGH:
            time, end, parent = stops[0]
            facts = end, sum(one[2] == parent for one in stops), parent
            yield self._named("left-out (end)", time, parent, *facts)
            return
        alone = self._left_out
        if len(alone) < max(ENOUGH, 0.5 * len(self.replay.steps)):
            return
        step, node = alone[0]
        if self._begins_below():
            yield self._named("left-out (new)", step.time, node, step.time)
        else:
            yield self.note("left-out", (step.time, node), text="new")

    def _begins_below(self) -> bool:
        """True if rewards follow the worth of the new node, and not that of the node above it."""
        random = Random(1)
        worths = [self._worths(step, node, random) for step, node in self._left_out[:400]]
        known = [worth for worth in worths if worth]
        if len(known) < 100:
            return False
        above, below, paid = (np.array(column, float) for column in zip(*known, strict=True))
        table = np.column_stack([below - above, above, np.ones(len(above))])
        slopes, *_ = np.linalg.lstsq(table, paid, rcond=None)
        left = paid - table @ slopes
        spread = np.linalg.pinv(table.T @ table)[0, 0] * (left @ left) / (len(paid) - 3)
        # From the node above the slope is 0; from the new one it is that of the worth above.
        return bool(abs(slopes[0]) > SIGMAS * np.sqrt(spread) and slopes[0] * slopes[1] > 0)

    def _worths(self, step: Step, node: int, random: Random) -> tuple[float, float, float] | None:
        """The worth of the last node and of the new one below it, and what the last one gained."""
        replay, game = self.replay, self.replay.game
        places = replay.positions.state[step.end], replay.positions.state[node]
        if (
            game is None
            or not replay.is_match
            or not step.end
            or None in places
            or step.visits[-1] <= 0
        ):
            return None
        player = replay.chooser[step.end]
        above, below = (
            float(sum(random_playout(game, place, random).returns[player] for _ in range(PLAYOUTS)))
            for place in places
        )
        return above, below, step.paid(-1)

    # Habits --------------------------------------------------------------------------------------

    def _born(self) -> Iterator[Finding]:
        if self.replay.born[0] and self.replay.count > 1:
            yield self.note("born", self.replay.born_at(1), self.replay.born[0])

    def _paths(self) -> Iterator[Finding]:
        """Several paths at once that all begin alike."""
        several: list[Moment] = []
        alike: list[Moment] = []
        for moment in self.replay.moments:
            if moment.more[0] > self.replay.unit or not is_one_path_of(moment):
                several.append(moment)
                if moment.more[0] > 1 and self._first_moves(moment) == [moment.more[0]]:
                    alike.append(moment)
        if len(several) > ENOUGH and len(alike) > TOGETHER * len(several):
            usual = Counter(one.more[0] for one in several).most_common(1)[0][0]
            facts = usual, len(alike), len(several)
            yield self.note("paths", (alike[0].time, alike[0].nodes[-1]), *facts)

    @cached_property
    def _parted(self) -> list[tuple[int, int]]:
        """Iterations in which children share the visits of their parent, and that node, if many."""
        if self.replay.looker.shared:
            return []
        found = []
        for moment in self.replay.moments:
            parts = self._parts_of(moment)
            own = dict(zip(moment.nodes, moment.more, strict=True))
            shared = (
                at for at, more in parts.items() if len(more) > 1 and sum(more) <= own.get(at, 0)
            )
            node = next(shared, None)
            if node is not None:
                found.append((moment.time, node))
        return found if len(found) >= SEVERAL else []

    def _parts_of(self, moment: Moment) -> dict[int, list[float]]:
        """The visits that children got, by their parent; of those that got some."""
        parts: dict[int, list[float]] = {}
        for node, more in zip(moment.nodes, moment.more, strict=True):
            if node and more > 0:
                parts.setdefault(self.replay.looker.parent[node], []).append(more)
        return parts

    def _walks(self) -> Iterator[Finding]:
        """More than one walk between two looks."""
        if self._parted:
            facts = len(self._parted), len(self.replay.moments)
            yield self.note("walks", self._parted[0], *facts)

    def _first_moves(self, moment: Moment) -> list[float]:
        """The visits that children of the root got."""
        parent = self.replay.looker.parent
        pairs = zip(moment.nodes, moment.more, strict=True)
        return [more for node, more in pairs if more and parent[node] == 0]

    def _named(self, text: str, time: int, node: int, *values: object) -> Finding:
        """A finding whose name is the first word of its sentence's."""
        said = self.finding(text, (time, node), *values)
        return said._replace(name=text.split()[0])


def ends_above(step: Step) -> bool:
    """True if the last node gets fewer visits than the rest, as if another walk ended above it."""
    return step.visits[-1] < min(step.visits[:-1])


def is_one_path_of(moment: Moment) -> bool:
    """True if all nodes of a look got the same number of visits, as those of one path do."""
    return len({more for more in moment.more if more}) < 2
