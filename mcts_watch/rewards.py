"""Rewards on one path: nodes of one player gain the same, opponents the opposite.

The law needs no rules. An iteration has one result, so per visit all nodes of a path that belong
to one player gain the same; opponents gain what is left of a constant sum, or the same too, under
one fixed viewpoint whose sign is turned at selection. Sound searches without such an order are
those that discount, pay on the way, or keep maxima: then nothing is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import ClassVar, Final

import numpy as np

from mcts_viz.trace.columns import Checked, Finding

from .law import PAID, Family
from .names import player_to_move, text_of
from .numbers import EARLY
from .orders import ENOUGH, FLIPPED, ON_THE_WAY, OPPOSITE, SAME, TINY, Pair

GROWING_VALUES: Final = 20
"""Different rewards from which their growth is looked at."""
GROWING_CORRELATION: Final = 0.98
"""Correlation of a reward with the one before it: results of playouts have much less."""
FEWEST_ODD: Final = 0.2
"""The share of paths whose last node must be paid in another way: some rewards are 0 both ways."""


class Worth(Family):
    """Is a node's number a sum, a mean, a maximum, or something else?"""

    name = "numbers"
    TEXTS: ClassVar = {
        "wins-unread": "Watch found no number for wins: {}.",
        "count-too-early": "A node's mean is divided by one visit too many: its first reward moves "
        "it by a half, as node {} from 0 to {:g} in iteration {}. Raise its visits after the mean "
        "is computed, or divide by the new visits.",
    }

    def look(self) -> Iterator[Finding]:
        replay = self.replay
        if not any(replay.gain):
            yield self.said("wins-unread", (0, 0), replay.unread_wins)
        elif replay.numbers.kind == EARLY:
            step = next(one for one in replay.steps if one.gain[-1])
            yield self.said("count-too-early", step.proof, step.end, step.gain[-1] / 2, step.time)

    def checked(self) -> Checked:
        if not any(self.replay.gain):
            return self.line(False, f"**not found**: {self.replay.unread_wins}")
        return self.line(True, f"a node's number is {self.replay.numbers}")


class Rewards(Family):
    """Do nodes of one player gain the same on a path, and opponents the opposite?"""

    name = "rewards"
    needs = (PAID,)
    TEXTS: ClassVar = {
        "same-reward": "In {} of {} iterations, every node of the path gets the same reward (here "
        "{:g}), no matter who moved there, but selection reads it as the mover's own. Flip it for "
        "the other player's nodes.",
        "same-reward (perhaps)": "Unusual: in {} of {} iterations, the nodes of both players get "
        "the same reward, as here {:g}, and selection takes it for a win of either. That is right "
        "for one player, and for players who win together.",
        "same-reward (on the way)": "In {} of {} iterations a node gains its own reward plus {:g} "
        "times the gain below, also where the opponent moves, and selection takes it for a win of "
        "either: subtract the opponent's gain.",
        "same-reward (on the way) (perhaps)": "Unusual: in {} of {} iterations a node gains its "
        "own reward plus {:g} times the gain below, and selection takes it for a win of the "
        "mover. That is right for one player; of two, each must subtract the other's.",
        "wrong-viewpoint": "Opponents get opposite rewards, but selection wants a large mean for "
        "one player and a small one for the other: turn the sign for both or for neither.",
        "flipped-for-one-player": "The same player moves twice here, in iteration {}, but the "
        "reward changes from {:g} to {:g}: turn the sign only where the player changes.",
        "unpaid": "The last node of a path gets a visit and no reward: here, in iteration {}, 0, "
        "though its parent gets {:g}. Add the reward to each node of the path.",
        "paid-twice": "The last node of a path gets {:g} per visit here, in iteration {}, twice "
        "what its parent's reward of {:g} means for it: add the reward once.",
        "leaf-viewpoint": "The last node of a path gets its opponent's reward: here, in iteration "
        "{}, {:g}, where its parent gets {:g}. Turn the sign there as on the rest of the path.",
        "leaf": "Unusual: the last node of a path gets {:g} here, in iteration {}, where the order "
        "of its path's rewards says {:g}. That is right if new nodes are valued in another way.",
        "reward-grows": "Each reward begins with the one before it: they go from {:g} to {:g}. "
        "Set the reward to 0 before each iteration.",
        "wrong-result": "In iteration {} both players get {:g}, on a scale from {:g} to {:g} on "
        "which one wins what the other loses. Is it a draw?",
        "wrong-result (perhaps)": "Unusual: in iteration {} both players get {:g}, on a scale from "
        "{:g} to {:g} on which one wins what the other loses. That is right if both can lose, or "
        "win; else, is it a draw?",
        "viewpoint-unknown": "Watch needs the rules to check which player gets a reward: give "
        "game=…",
    }

    def look(self) -> Iterator[Finding]:
        questions = self._growth, self._same, self._flipped, self._last_node
        for question in questions:
            said = [*question()]
            yield from said
            if any(one.fault for one in said):
                return
        if self.replay.order.kind == OPPOSITE:
            yield from self._both()
        yield from self._views()

    def checked(self) -> Checked:
        replay, of = self.replay, len(self.replay.paid_steps)
        pairs, order = replay.pairs, replay.order
        if len(pairs) < ENOUGH:
            why = "no two nodes of a path below the root got different results to compare"
            return self.line(False, f"{of:,} paths, but {why}")
        if not order.kind:
            text = f"along {of:,} paths they follow **no one order**, so they were not compared"
            return self.line(False, text + " (discounts, rewards on the way and maxima have none)")
        parts = " or ".join(f"{part:g} times" for part in order.parts.values())
        words = {
            SAME: "all nodes of a path gain the same",
            OPPOSITE: "opponents gain the opposite",
            FLIPPED: "the sign turns at every level",
            ON_THE_WAY: "each node gains a reward of its own and a part of the gain below, "
            + parts,
        }
        if replay.positions.players > 2:
            words[SAME] = f"nodes of one of {replay.positions.players} players gain the same"
        kept = sum(map(order.is_kept, pairs))
        return self.line(True, f"{words[order.kind]} at {kept:,} of {len(pairs):,} steps down")

    @cached_property
    def _opponents(self) -> list[Pair]:
        return [pair for pair in self.replay.pairs if not pair.is_same_player]

    def _proof(self, pairs: list[Pair]) -> Pair:
        """The first that is no draw, of which both players get the same in sound searches too."""
        drawn = sum(self.replay.rewards) / 2
        return next((pair for pair in pairs if abs(pair.above - drawn) > TINY), pairs[0])

    # One question after another ------------------------------------------------------------------

    def _growth(self) -> Iterator[Finding]:
        """Each reward is the last one and a little more."""
        steps = self.replay.paid_steps
        tops = np.array(
            [max(abs(step.paid(at)) for at in range(1, len(step.nodes))) for step in steps]
        )
        if len({*np.round(tops, 6)}) < GROWING_VALUES:
            return
        rises = np.mean(np.diff(tops) >= -TINY)
        follows = np.corrcoef(tops[:-1], tops[1:])[0, 1]
        if min(follows, rises) > GROWING_CORRELATION:
            yield self.said("reward-grows", steps[-1].proof, tops[0], tops[-1])

    def _same(self) -> Iterator[Finding]:
        """Both players get the same, or a part of it, and both want it large."""
        replay, order = self.replay, self.replay.order
        is_same = order.kind == SAME or order.parts.get(False, 0) > 0
        is_told = self._opponents and replay.rewards.width and len({*replay.rule.signs}) == 1
        is_sure = self._are_two
        if not is_same or not is_told or (replay.is_read and not is_sure):
            return
        kept = [pair for pair in self._opponents if order.is_kept(pair)]
        first = self._proof(kept)
        counts = (len({pair.step.time for pair in some}) for some in (kept, self._opponents))
        text = "same-reward (on the way)" if order.parts else "same-reward"
        text += "" if is_sure else " (perhaps)"
        yield self.said(text, first.proof, *counts, order.parts.get(False, first.below))

    @property
    def _are_two(self) -> bool:
        """True if two players are known, by the rules or as positions name who is to move."""
        said = (
            self.replay.positions.said_state(node)
            for node, below in enumerate(self.replay.kids)
            if below
        )
        named = {text_of(player_to_move(state)) for state in said} - {""}
        return self.replay.is_match or len(named) == 2

    def _flipped(self) -> Iterator[Finding]:
        """The sign turns although the player does not; needs rules that say who moves."""
        replay, order = self.replay, self.replay.order
        if order.kind != FLIPPED or not replay.is_match or len({*replay.rule.signs}) != 1:
            return
        twice = [pair for pair in replay.pairs if pair.is_same_player and order.is_kept(pair)]
        if twice:
            first = self._proof(twice)
            facts = first.step.time, first.above, first.below
            yield self.said("flipped-for-one-player", first.proof, *facts)

    def _views(self) -> Iterator[Finding]:
        """Opposite rewards, of which selection wants large means for one player alone."""
        is_several = self.replay.positions.players > 2
        if self.replay.order.kind != (SAME if is_several else OPPOSITE):
            return
        if len({*self.replay.rule.signs}) == 2:
            yield self.said("wrong-viewpoint", self._proof(self._opponents).proof)
        elif self.replay.game is None and (self._opponents or is_several):
            yield self.said("viewpoint-unknown", (0, 0))

    def _both(self) -> Iterator[Finding]:
        """Both players get the worst, or the best."""
        low, high = self.replay.rewards
        is_sure = self.replay.is_match and {*self.replay.rule.signs} == {1}
        for pair in self._opponents:
            if pair.is_level and min(abs(pair.below - low), abs(pair.below - high)) < TINY:
                facts = pair.step.time, pair.below, low, high
                mark = f"yours {pair.below:g}, should be {(low + high) / 2:g}"
                text = "wrong-result" if is_sure else "wrong-result (perhaps)"
                yield self.said(text, pair.proof, *facts, mark=mark * is_sure)
                return

    def _last_node(self) -> Iterator[Finding]:
        """The last node of a path is paid in another way than the rest: not, twice, as the
        opponent, or in a way of its own."""
        order = self.replay.order
        last = [pair for pair in self.replay.pairs if pair.at == len(pair.step.nodes) - 1]
        odd = [pair for pair in last if not order.is_kept(pair)]
        if not order.kind or len(last) < ENOUGH or len(odd) < FEWEST_ODD * len(last):
            return
        first, time = odd[0], odd[0].step.time

        all_get = partial(are_paid, last)
        if all_get(lambda pair: 0):
            yield self.said("unpaid", first.proof, time, first.above)
        elif all_get(lambda pair: 2 * order.expected(pair)):
            yield self.said("paid-twice", first.proof, first.below, time, first.above)
        elif order.kind == OPPOSITE and all_get(lambda pair: order.total - order.expected(pair)):
            yield self.said("leaf-viewpoint", first.proof, time, first.below, first.above)
        else:
            yield self.said("leaf", first.proof, first.below, time, order.expected(first))


def are_paid(pairs: list[Pair], reward: Callable[[Pair], float]) -> bool:
    """True if all lower nodes gain that."""
    return all(abs(pair.below - reward(pair)) < TINY for pair in pairs)
