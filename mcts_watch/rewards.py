"""Rewards on one path: nodes of one player gain the same, opponents the opposite.

The law needs no rules. An iteration has one result, so per visit all nodes of a path that belong
to one player gain the same; opponents gain what is left of a constant sum, or the same too, under
one fixed viewpoint whose sign is turned at selection. Sound searches without such an order are
those that discount, pay on the way, or keep maxima: then nothing is compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar, Final

import numpy as np

from mcts_viz.trace.columns import Checked, Finding

from .law import PAID, Family
from .names import player_to_move
from .orders import FLIPPED, ON_THE_WAY, OPPOSITE, SAME, Pair
from .steps import ENOUGH, TINY, Step

GROWING_VALUES: Final = 20
"""Different rewards from which their growth is looked at."""
GROWING_CORRELATION: Final = 0.98
"""Correlation of a reward with the one before it: results of playouts have much less."""
FEWEST_ODD: Final = 0.2
"""The share of paths whose last node must be paid in another way: some rewards are 0 both ways."""


class Rewards(Family):
    """Do nodes of one player gain the same on a path, and opponents the opposite?"""

    name = "rewards"
    needs = (PAID,)
    TEXTS: ClassVar = {
        "same-reward": "In {} of {} iterations, every node of the path gets the same reward (here "
        "{:g}), no matter who moved there, but selection reads it as the mover's own. Flip it for "
        "the other player's nodes.",
        "same-reward (note)": "Unusual: in {} of {} iterations, the nodes of both players get the "
        "same reward, as here {:g}, and selection takes it for a win of either. That is right for "
        "one player, and for players who win together.",
        "same-reward (on the way)": "In {} of {} iterations a node gains its own reward plus {:g} "
        "times the gain below, also where the opponent moves, and selection takes it for a win of "
        "either: subtract the opponent's gain.",
        "same-reward (on the way) (note)": "Unusual: in {} of {} iterations a node gains its own "
        "reward plus {:g} times the gain below, and selection takes it for a win of the mover. "
        "That is right for one player; of two, each must subtract the other's.",
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
        "one-player-unpaid": "The nodes of one player never get any reward but 0, in {} "
        "iterations, while the other's get up to {:g}: pay both.",
        "one-player-unpaid (note)": "Unusual: the nodes of one player never get any reward but 0, "
        "in {} iterations, while the other's get up to {:g}. That is right if that player never "
        "wins.",
        "wrong-result": "Unusual: in iteration {} both players get {:g}, on a scale from {:g} to "
        "{:g} on which one wins what the other loses. That is right if both can lose, or win; "
        "else, is it a draw?",
        "viewpoint-unknown": "Watch needs the rules to check which player gets a reward: give "
        "game=…",
    }

    def look(self) -> Iterator[Finding]:
        questions = self._growth, self._unpaid_player, self._same, self._flipped, self._ends
        for question in questions:
            said = [*question()]
            yield from said
            if any(one.fault for one in said):
                return
        yield from self._both()
        yield from self._views()

    def checked(self) -> Checked:
        of = len(self.replay.paid_steps)
        if len(self.replay.pairs) < ENOUGH:
            why = "no two nodes of a path below the root got different results to compare"
            return self.line(False, f"{of:,} paths, but {why}")
        if not self.replay.order.kind:
            text = f"along {of:,} paths they follow **no one order**, so they were not compared"
            return self.line(False, text + " (discounts, rewards on the way and maxima have none)")
        kept = sum(map(self.replay.order.is_kept, self.replay.pairs))
        words = {
            SAME: "all nodes of a path gain the same",
            OPPOSITE: "opponents gain the opposite",
            FLIPPED: "the sign turns at every level",
            ON_THE_WAY: "each node gains a reward of its own and a part of the gain below, "
            + " or ".join(f"{part:g} times" for part in self.replay.order.parts.values()),
        }
        if self.replay.positions.players > 2:
            words[SAME] = f"nodes of one of {self.replay.positions.players} players gain the same"
        text = (
            f"{words[self.replay.order.kind]} at {kept:,} of {len(self.replay.pairs):,} steps down"
        )
        return self.line(True, text)

    @cached_property
    def _has_opponents(self) -> bool:
        return any(not pair.is_same_player for pair in self.replay.pairs)

    def _proof(self, pairs: list[Pair]) -> Pair:
        """The first that is no draw, of which both players get the same in sound searches too."""
        drawn = sum(self.replay.rewards) / 2
        return next((pair for pair in pairs if abs(pair.above - drawn) > TINY), pairs[0])

    # One question after another ------------------------------------------------------------------

    def _growth(self) -> Iterator[Finding]:
        """Each reward is the last one and a little more."""
        steps = self.replay.paid_steps
        tops = np.array([max(abs(reward) for reward in paid_below(step)) for step in steps])
        if len({*np.round(tops, 6)}) < GROWING_VALUES:
            return
        rises = np.mean(np.diff(tops) >= -TINY)
        follows = np.corrcoef(tops[:-1], tops[1:])[0, 1]
        if min(follows, rises) > GROWING_CORRELATION:
            yield self.finding("reward-grows", steps[-1], tops[0], tops[-1])

    def _unpaid_player(self) -> Iterator[Finding]:
        """One player's nodes never gain anything."""
        replay = self.replay
        long = [step for step in replay.paid_steps if len(step.path) > 2]
        if replay.positions.players > 2:
            return
        gains: dict[int, set[float]] = {0: set(), 1: set()}
        for step in long:
            for node, reward in zip(step.path[1:], paid_below(step), strict=True):
                gains[replay.chooser[node]].add(round(reward, 9))
        for player in 0, 1:
            mine, other = gains[player], gains[1 - player]
            if len(long) >= ENOUGH and mine == {0.0} and len(other) > 1 and min(other) >= 0:
                yield self._unpaid(player, long[0], len(long), max(other))

    def _unpaid(self, player: int, first: Step, of: int, most: float) -> Finding:
        """That a player gets nothing: a fault only if that player has won."""
        replay = self.replay
        node = next(node for node in first.path[1:] if replay.chooser[node] == player)
        if replay.is_match and self._could_win(player):
            return self.finding("one-player-unpaid", (first.time, node), of, most)
        text = "one-player-unpaid (note)"
        return self.note("one-player-unpaid", (first.time, node), of, most, text=text)

    def _could_win(self, player: int) -> bool:
        """True if games that this player won by the rules were visited."""
        replay, game = self.replay, self.replay.game
        assert game is not None
        ends = {step.end for step in replay.paid_steps if replay.is_over(step.end)}
        return any(game.returns(replay.positions.state[end])[player] > 0 for end in ends)

    def _same(self) -> Iterator[Finding]:
        """Both players get the same, and both want it large."""
        replay = self.replay
        if not self._is_same_for_both or len({*replay.rule.signs}) != 1:
            return
        of = [pair for pair in replay.pairs if not pair.is_same_player]
        kept = [pair for pair in of if replay.order.is_kept(pair)]
        first = self._proof(kept)
        counts = (len({pair.step.time for pair in some}) for some in (kept, of))
        facts = *counts, replay.order.parts.get(False, first.below)
        proof, text = (first.step.time, first.node), self._text_of_same
        if replay.is_match or len(self._named_players()) == 2:
            yield self.finding(text, proof, *facts)._replace(name="same-reward")
        elif not replay.positions.is_read:
            yield self.note("same-reward", proof, *facts, text=text + " (note)")

    @property
    def _text_of_same(self) -> str:
        return "same-reward (on the way)" if self.replay.order.parts else "same-reward"

    @property
    def _is_same_for_both(self) -> bool:
        """True if a node gains what its opponent gains, or a part of it."""
        order = self.replay.order
        is_same = order.kind == SAME or order.parts.get(False, 0) > 0
        return is_same and self._has_opponents and self.replay.rewards.width > 0

    def _named_players(self) -> set[str]:
        """The players that positions name as to move."""
        kids = self.replay.looker.kids
        said = (self.replay.positions.said_state(node) for node, below in enumerate(kids) if below)
        return {player_to_move(state) for state in said} - {""}

    def _flipped(self) -> Iterator[Finding]:
        """The sign turns although the player does not; needs rules that say who moves."""
        if (
            self.replay.order.kind != FLIPPED
            or not self.replay.is_match
            or not self.replay.rule.signs
        ):
            return
        twice = [
            pair
            for pair in self.replay.pairs
            if pair.is_same_player and self.replay.order.is_kept(pair)
        ]
        if twice and len({*self.replay.rule.signs}) == 1:
            first = self._proof(twice)
            facts = first.step.time, first.above, first.below
            yield self.finding("flipped-for-one-player", (first.step.time, first.node), *facts)

    def _views(self) -> Iterator[Finding]:
        """Opposite rewards, of which selection wants large means for one player alone."""
        if self.replay.order.kind != OPPOSITE:
            return
        if len({*self.replay.rule.signs}) == 2:
            first = self._proof([pair for pair in self.replay.pairs if not pair.is_same_player])
            yield self.finding("wrong-viewpoint", (first.step.time, first.node))
        elif self.replay.game is None and self._has_opponents:
            yield self.note("viewpoint-unknown", (0, 0))

    def _both(self) -> Iterator[Finding]:
        """Both players get the worst, or the best; with rules, the ends of games say more."""
        if self.replay.order.kind != OPPOSITE:
            return
        low, high = self.replay.rewards
        for pair in self.replay.pairs:
            is_both = not pair.is_same_player and pair.is_level
            if is_both and min(abs(pair.below - low), abs(pair.below - high)) < TINY:
                facts = pair.step.time, pair.below, low, high
                yield self.note("wrong-result", (pair.step.time, pair.node), *facts)
                return

    def _ends(self) -> Iterator[Finding]:
        """The last node of a path is paid in another way than the rest."""
        last = [pair for pair in self.replay.pairs if pair.at == len(pair.step.path) - 1]
        odd = [pair for pair in last if not self.replay.order.is_kept(pair)]
        is_odd = len(last) >= ENOUGH and len(odd) >= FEWEST_ODD * len(last)
        if not self.replay.order.kind or not is_odd:
            return
        yield self._last_node(last, odd)

    def _last_node(self, last: list[Pair], odd: list[Pair]) -> Finding:
        """In which way last nodes are paid: not, twice, as the opponent, or in a way of their
        own."""
        first, time = odd[0], odd[0].step.time
        proof = time, first.node
        if all(abs(pair.below) < TINY for pair in last):
            return self.finding("unpaid", proof, time, first.above)
        if all(abs(pair.below - 2 * self.replay.order.expected(pair)) < TINY for pair in last):
            return self.finding("paid-twice", proof, first.below, time, first.above)
        if self.replay.order.kind == OPPOSITE and all(map(self._is_opponents, last)):
            return self.finding("leaf-viewpoint", proof, time, first.below, first.above)
        return self.note("leaf", proof, first.below, time, self.replay.order.expected(first))

    def _is_opponents(self, pair: Pair) -> bool:
        """True if a node gains what its opponent should."""
        return abs(self.replay.order.total - self.replay.order.expected(pair) - pair.below) < TINY


def paid_below(step: Step) -> list[float]:
    """The rewards per visit of the nodes of a path below the root."""
    return [step.paid(at) for at in range(1, len(step.path))]
