"""Selection: the rule that the choices show, and whether it is a sound one.

A rule is read, not given, so a faulty one must explain 99 % of the choices, and clearly more than
each sound one. Without a rule, choices that rank as random ones in all that counts are at random.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

import numpy as np

from mcts_viz.errors import counted
from mcts_viz.trace.columns import Checked, Finding

from .law import Family
from .numbers import SUM
from .rules import LEFT, NAMED, WITHIN, mean, ucb, whose
from .steps import ENOUGH

MANY: Final = 100
"""Choices that are needed before Watch says that they are random."""
AT_RANDOM: Final = 0.9
"""Below this share of choices explained, children beside an unvisited one are not selected by rule.
"""


class Viewpoint(Family):
    """The player whose wins selection takes a node's for. Other families find a wrong one."""

    name = "viewpoint"

    def checked(self) -> Checked:
        signs = self.replay.rule.signs
        if not signs:
            return self.line(False, "**not sure**, so rewards were not compared with it")
        return self.line(True, f"selection takes wins for those of {whose(signs)}")


class Selection(Family):
    """By which rule are children chosen?"""

    name = "selection"
    TEXTS: ClassVar = {
        "faulty": "The search selects by {}, in {} of {} choices.",
        "never-explores": "c is 0 in all {} choices: one unlucky playout can hide a good move "
        "forever, so explore.",
        "never-explores (note)": "Unusual: c is 0 in all {} choices. That is right where values "
        "are no means of playouts, or where new nodes begin with a good value.",
        "ignores-numbers": "Wins and visits do not matter for the choice, in {} choices: is it "
        "made at random?",
        "no-choices": "Watch saw no choice between visited children in {} iterations, so it knows "
        "nothing of the rule: are {} the nodes below the root? Children are read from {}.",
        "explored-out": "Node {} is a sure win for the player who moves there, and nothing is left "
        "to explore below it: so it is never chosen again, as in iteration {}, and the mean of "
        "node {} is that of worse moves. Prove the node above it, or keep the child in play.",
        "explored-out (note)": "Unusual: {} are never chosen again, though they score highest, as "
        "node {} in iteration {}. That is right if they are pruned, or explored out and their "
        "exact values are kept: the mean of what is left makes a lost move look good.",
        "random-at-first": "While a child has no visit, visited ones are chosen at random: {} of "
        "{} such choices do not take the highest score. Take an unvisited child first.",
    }

    def look(self) -> Iterator[Finding]:
        s, rule = self.replay.choices, self.replay.rule
        if not len(s) and self.replay.looks >= ENOUGH:
            looker = self.replay.looker
            facts = self.replay.looks, self.replay.count - 1, looker.sources["children"]
            yield self.note("no-choices", (0, 0), *facts)
        if rule.of >= ENOUGH and any(self.replay.gain):
            yield from self._by_rule()
            yield from self._left()

    def _by_rule(self) -> Iterator[Finding]:
        """A rule that no sound search has, or none at all."""
        s, rule = self.replay.choices, self.replay.rule
        proof = s.time[0], s.node[s.chosen[0]]
        if rule.row and rule.row.fault and self._is_sure:
            yield self.finding("faulty", proof, rule.name, rule.explained, rule.of)._replace(
                name=rule.row.fault
            )
        elif rule.name == "greedy" and rule.explained >= rule.of - 1:
            yield from self._greedy()
        elif not rule.row and rule.of >= MANY and self._is_random:
            yield self.finding("ignores-numbers", proof, rule.of)
        elif rule.row and not rule.row.fault and "visited" in rule.which:
            yield from self._at_first()

    def checked(self) -> Checked:
        rule = self.replay.rule
        if rule.name is None:
            return self.line(False, f"**no rule known** explains {rule.of:,} choices")
        text = f"{rule.name} explains {rule.explained:,} of {rule.of:,} choices{rule.which}"
        return self.line(True, text)

    def _left(self) -> Iterator[Finding]:
        """Children that score highest and are never chosen again."""
        replay = self.replay
        s, rule = replay.choices, replay.rule
        if rule.which != LEFT or rule.row is None:
            return
        signs = np.array(rule.signs or rule.possible[0])
        value = rule.row.value(s) * np.repeat(signs[s.player], s.sizes)
        score = value + rule.middle * rule.row.bonus(s)
        gone = ~s.again & (score > np.repeat(score[s.chosen], s.sizes) + WITHIN)
        if not gone.any():
            return
        choice = np.repeat(np.arange(len(s)), s.sizes)
        won = [at for at in np.flatnonzero(gone) if replay.is_won(int(s.node[at]))]
        at = won[0] if won else int(np.flatnonzero(gone)[0])
        time, node = int(s.time[choice[at]]), int(s.node[at])
        if won:
            above = s.above[choice[at]]
            yield self.finding("explored-out", (time, node), node, time, above)
        else:
            facts = counted(len({*s.node[gone].tolist()}), "node"), node, time
            yield self.note("explored-out", (time, node), *facts, text="explored-out (note)")

    @property
    def _is_sure(self) -> bool:
        """Only a sum can be put in the place of a mean."""
        replay = self.replay
        assert replay.rule.row
        return replay.numbers.kind == SUM or replay.rule.row.fault != "sum-for-mean"

    def _greedy(self) -> Iterator[Finding]:
        replay, s = self.replay, self.replay.choices
        of = replay.rule.of
        proof = s.time[0], s.node[s.chosen[0]]
        means = np.abs(np.diff(np.unique(np.round(replay.gain, 6)))).size
        is_plain = not any(replay.born) and replay.numbers.kind == SUM and means <= replay.looks / 4
        if is_plain and replay.rule.middle == 0:
            yield self.finding("never-explores", proof, of)
        else:
            yield self.note("never-explores", proof, of, text="never-explores (note)")

    @property
    def _is_random(self) -> bool:
        s = self.replay.choices
        values = mean(s), -s.n, mean(s) + ucb(s), -s.place, s.P
        varied = [value for value in values if np.ptp(value) > 0]
        return all(s.looks_random(value, player) for value in varied for player in (0, 1))

    def _at_first(self) -> Iterator[Finding]:
        """Beside an unvisited child, the chosen visited one should score highest of those
        visited."""
        s, rule = self.replay.choices, self.replay.rule
        part = s.only(~s.full)
        if len(part) < ENOUGH or self.replay.looker.shared:
            return
        assert rule.row
        bonus = np.nan_to_num(rule.row.bonus(part), nan=0)
        signs = np.array(rule.signs or rule.possible[0])
        value = rule.row.value(part) * np.repeat(signs[part.player], part.sizes)
        is_best = part.is_largest(value + rule.middle * bonus)
        if is_best.mean() < min(AT_RANDOM, NAMED):
            first = int(np.flatnonzero(~is_best)[0])
            proof = part.time[first], part.node[part.chosen[first]]
            facts = int((~is_best).sum()), len(part)
            yield self.finding("random-at-first", proof, *facts)
