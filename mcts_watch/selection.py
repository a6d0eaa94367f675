"""Selection: the rule that the choices show, and whether it is a sound one.

A rule is read, not given, so a faulty one must explain 99 % of the choices, and clearly more than
each sound one. Without a rule, choices that rank as random ones in all that counts are at random.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from mcts_viz.errors import counted
from mcts_viz.trace.columns import Checked, Finding

from .law import Family
from .names import text_of
from .numbers import SUM
from .orders import ENOUGH
from .rules import IN_PLAY, LEFT, WITHIN, mean, ucb

MANY: Final = 100
"""Choices that are needed before Watch says that they are random."""
AT_RANDOM: Final = 0.9
"""Below this share of choices explained, children beside an unvisited one are not selected by rule.
"""


FAR: Final = 10
"""The best child has so many times the visits of one that no chance would play."""
GREEDY: Final = "never-explores (perhaps)"


class Selection(Family):
    """Does a sound rule choose among the children?"""

    name = "selection"
    TEXTS: ClassVar = {
        "faulty": "The search selects by {}, in {} of {} choices.",
        "never-explores": "c is 0 in all {} choices: one unlucky playout can hide a good move "
        "forever, so explore.",
        "never-explores (perhaps)": "Unusual: c is 0 in all {} choices. That is right where values "
        "are no means of playouts, or where new nodes begin with a good value.",
        "ignores-numbers": "Wins and visits do not matter for the choice, in {} choices: is it "
        "made at random?",
        "no-choices": "Watch saw no choice between visited children in {} iterations, so it knows "
        "nothing of the rule: are {} the nodes below the root? Children are read from {}.",
        "explored-out": "Node {} is a sure win for the player who moves there, and scores more "
        "than the child that is chosen in iteration {}. But no node that is finished, or explored "
        "out, is ever chosen again, so the mean of node {} is that of worse moves. Keep them in "
        "play, or prove the node above.",
        "explored-out (perhaps)": "Unusual: {} are never chosen again, though they score highest, "
        "as node {} in iteration {}. That is right if they are pruned, or explored out and their "
        "exact values are kept: the mean of what is left makes a lost move look good.",
        "random-at-first": "While a child has no visit, visited ones are chosen at random: {} of "
        "{} such choices do not take the highest score. Take an unvisited child first.",
    }

    def look(self) -> Iterator[Finding]:
        replay = self.replay
        s = self.replay.choices
        rule = self.replay.rule
        if not len(s) and replay.looks >= ENOUGH:
            facts = replay.looks, replay.count - 1, replay.looker.sources["children"]
            yield self.said("no-choices", (0, 0), *facts)
        if rule.of >= ENOUGH and any(replay.gain):
            yield from self._by_rule((s.time[0], s.node[s.chosen[0]]))
            yield from self._left()

    def _by_rule(self, proof: tuple[int, int]) -> Iterator[Finding]:
        """A rule that no sound search has, or none at all."""
        replay, rule = self.replay, self.replay.rule
        # Only a sum can be put in the place of a mean.
        is_sure = rule.fault != "sum-for-mean" or replay.numbers.kind == SUM
        if rule.fault and is_sure:
            said = self.said("faulty", proof, rule.name, rule.explained, rule.of)
            yield said._replace(name=rule.fault)
        elif rule.name == "greedy" and rule.explained >= rule.of - 1:
            yield self.said(self._greedy, proof, rule.of)
        elif not rule.row and rule.of >= MANY and self._is_random:
            yield self.said("ignores-numbers", proof, rule.of)
        elif rule.row and not rule.fault and "visited" in rule.which:
            yield from self._at_first()

    def checked(self) -> Checked:
        rule = self.replay.rule
        if rule.name is None:
            return self.line(False, f"**no rule known** explains {rule.of:,} choices")
        text = f"{rule.name} explains {rule.explained:,} of {rule.of:,} choices{rule.which}"
        return self.line(True, f"{text}, {rule.viewpoint}")

    def _left(self) -> Iterator[Finding]:
        """Children that score highest and are never chosen again."""
        replay, rule = self.replay, self.replay.rule
        s = replay.choices
        scores = rule.scores(replay.choices)
        is_left = rule.which == LEFT
        if scores is None or not (is_left or rule.which.startswith(IN_PLAY)):
            return
        value, bonus = scores
        choice = np.repeat(np.arange(len(s)), s.sizes)
        least = (value + bonus)[s.chosen][choice] + WITHIN
        # A finished game may be scored without a bonus, as its value is exact.
        gone = np.flatnonzero(~s.again & (value + is_left * bonus > least))
        won = {node for node in {*s.node[gone].tolist()} if replay.is_won(node)}
        for at in [at for at in gone if s.node[at] in won or not won][:1]:
            time = s.time[choice[at]]
            above = s.above[choice[at]]
            node = s.node[at]
            if won:
                yield self.said("explored-out", (time, above), node, time, above)
            elif is_left:
                facts = counted(len({*s.node[gone]}), "node"), node, time
                yield self.said("explored-out (perhaps)", (time, above), *facts)

    @property
    def _greedy(self) -> str:
        """The sentence for c = 0: no fault where values may be no means of playouts."""
        replay = self.replay
        means = len({*np.round(replay.gain, 6)}) - 1
        is_sum = replay.numbers.kind == SUM and not any(replay.born) and not replay.rule.middle
        return "never-explores" if is_sum and means <= replay.looks / 4 else GREEDY

    @property
    def _is_random(self) -> bool:
        s = self.replay.choices
        values = mean(s), -s.n, mean(s) + ucb(s), -s.place, s.P
        varied = [value for value in values if np.ptp(value) > 0]
        return all(s.looks_random(value, player) for value in varied for player in (0, 1))

    def _at_first(self) -> Iterator[Finding]:
        """Beside an unvisited child, the chosen visited one should score highest of those
        visited."""
        part = self.replay.choices.only(~self.replay.choices.full)
        scores = self.replay.rule.scores(part)
        if len(part) < ENOUGH or self.replay.looker.shared or scores is None:
            return
        is_best = part.is_largest(scores[0] + scores[1])
        if is_best.mean() < AT_RANDOM:
            first = int(np.flatnonzero(~is_best)[0])
            proof = part.time[first], part.node[part.chosen[first]]
            yield self.said("random-at-first", proof, int((~is_best).sum()), len(part))


class Played(Family):
    """Has the move that was played most visits, the highest mean, or the highest lower bound?"""

    name = "move played"
    TEXTS: ClassVar = {
        "played-by-score": "The move {} was played: its score with the bonus for what is unknown "
        "is the highest, but other moves have more visits ({:g} against {:g}) and a higher mean: "
        "play the most visited, without the bonus.",
        "played-worst": "The move {} was played, which has the lowest mean, and {:g} visits where "
        "the most visited has {:g}: is the sign turned?",
        "played-otherwise": "Unusual: the move {} was played, with {:g} visits where the most "
        "visited has {:g}, and without the highest mean. That is right if it is drawn at random, "
        "or proven.",
    }

    @property
    def why_not(self) -> str:
        given = self.replay.played
        if given is None:
            return "**not looked at**: give played=…, the move or a function that says it"
        if self._at is None:
            return f"**not looked at**: {text_of(given)} is the move of no child of the root"
        return ""

    def look(self) -> Iterator[Finding]:
        replay, at = self.replay, self._at
        assert at is not None
        node = self._kids[at]
        has = self._has
        n = self._values["most visits"]
        if node in replay.looker.proven or {*has} - {"highest score"}:
            return
        proof = (replay.looks, node)
        move = self._move
        mean = self._values["highest mean"]
        if mean[at] <= mean.min() and n[at] * FAR < n.max() and replay.rule.signs:
            yield self.said("played-worst", proof, move, n[at], n.max())
        elif has:
            yield self.said("played-by-score", proof, move, n.max(), n[at])
        else:
            yield self.said("played-otherwise", proof, move, n[at], n.max())

    def checked(self) -> Checked:
        has = ", ".join(self._has) or "none of the usual signs"
        return self.line(True, f"{self._move} has {has}, of {', '.join(self._values)}")

    @cached_property
    def _kids(self) -> list[int]:
        return [kid for kid in self.replay.kids[0] if self.replay.n[kid] > 0]

    @cached_property
    def _at(self) -> int | None:
        """The place of the child whose move was played, or which was given itself."""
        replay, given = self.replay, self.replay.played
        is_node = replay.looker.knows(given)
        for at, kid in enumerate(self._kids):
            said = {text_of(replay.positions.move(kid)), text_of(replay.action[kid])}
            if replay.looker.nodes[kid] is given or (not is_node and text_of(given) in said):
                return at
        return None

    @property
    def _move(self) -> str:
        return text_of(self.replay.positions.move(self._kids[self._at or 0]))

    @cached_property
    def _values(self) -> dict[str, Any]:
        """The numbers that may speak for each child of the root, by name."""
        replay, rule = self.replay, self.replay.rule
        n, w = (np.array([column[kid] for kid in self._kids]) for column in (replay.n, replay.w))
        sign = rule.signs[replay.chooser[self._kids[0]]] if rule.signs else 1
        mean, spread = sign * w / n, np.sqrt(np.log(n.sum()) / n)
        values = {"most visits": n, "highest mean": mean, "highest lower bound": mean - spread}
        return values | ({"highest score": mean + rule.middle * spread} if rule.middle else {})

    @property
    def _has(self) -> list[str]:
        """The names of what is largest of the child whose move was played."""
        return [name for name, of in self._values.items() if of[self._at] >= of.max()]
