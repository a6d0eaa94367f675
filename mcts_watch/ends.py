"""Ends of games: by the rules, a win is paid more than a loss, and a draw lies between.

The law needs the rules and a finished position in the tree. It looks at the last two nodes of a
path to there, as one of them mostly belongs to each player. It holds for any scale and for margins,
and it compares rewards per visit. Where the viewpoint is not sure, it must be broken under each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property, partial
from itertools import chain, pairwise, product
from random import Random
from typing import ClassVar, Final, NamedTuple, TypeAlias

import numpy as np

from mcts_viz.games import turns
from mcts_viz.search import random_playout
from mcts_viz.trace.columns import Checked, Finding

from .law import MATCH, PAID, Family
from .orders import TINY, Moment
from .replay import Replay

COMPARED: Final = 400
"""Iterations whose positions are played out again, about a second's worth."""
FEWEST: Final = 100
"""Iterations that are needed for a correlation."""
PLAYOUTS: Final = 24
"""Random games from a position: they tell its worth to about a fifth."""
SIGMAS: Final = 3.0
"""Standard errors of a correlation: about one in 700 by chance where it should be 0, and in a sound
search it is far above."""
KINDS: Final = {1: "win", 0: "draw", -1: "loss"}
AGAINST: Final = {1: "no more than for a draw or a loss", -1: "no less than for a draw or a win"}


class Paid(NamedTuple):
    """An iteration that ended in a position in play: who moved there, its reward, and its worth."""

    step: Moment
    player: int
    reward: float
    worth: float
    """The mean result of random games from there, for that player."""


class Playouts(Family):
    """Do rewards follow random games?"""

    name = "playouts"
    needs = PAID, MATCH
    TEXTS: ClassVar = {
        "no-playout": "Unusual: all {} iterations that end in play give one reward, {:g}. That is "
        "right if an evaluation replaces the playout; else play until the game ends.",
        "wrong-viewpoint": "A node counts one player's wins, but selection takes the other's: "
        "where random games go well for the player who moved, rewards are small, as {:g} in "
        "iteration {}. Flip the sign.",
    }

    def look(self) -> Iterator[Finding]:
        paid, first = self.paid, next(iter(self.paid), None)
        if first is None or len(paid) < FEWEST:
            return
        if len({one.reward for one in paid}) == 1:
            if np.mean([abs(one.worth) < 1 for one in paid]) > 0.5:  # though random games differ
                yield self.said("no-playout", first.step.proof, len(paid), first.reward)
        elif self.replay.rule.signs and self._correlation < -SIGMAS:
            worst = max(paid, key=lambda one: one.worth - self._signed(one))
            yield self.said("wrong-viewpoint", worst.step.proof, worst.reward, worst.step.time)

    def checked(self) -> Checked:
        of = len(self.paid)
        if of < FEWEST:
            return self.line(False, f"{of} iterations ended in play, **too few** to compare")
        if not self.replay.rule.signs:
            why = "viewpoint **not sure**, so rewards were not compared with random games"
            return self.line(False, why)
        text = f"rewards of {of} iterations do not clearly follow random games from there"
        if self.follow:  # so they do, less clearly, if a playout takes the first legal move
            text = (
                f"rewards of {of} iterations follow random games from there; how playouts pick "
                "moves was **not checked**"
            )
        return self.line(True, text)

    @property
    def follow(self) -> bool:
        """True if rewards of enough iterations follow random games, from a sure viewpoint."""
        is_sure = len(self.paid) >= FEWEST and bool(self.replay.rule.signs)
        return is_sure and self._correlation > SIGMAS

    @cached_property
    def paid(self) -> list[Paid]:
        """The first iterations that end in a position in play."""
        replay = self.replay
        game = self.replay.game
        random = Random(1)
        if not replay.is_match or game is None:
            return []
        play, found = turns.fast_playout(game) or partial(random_playout, game), []
        for step in replay.paid_steps[:COMPARED]:
            place, player = replay.state[step.end], replay.chooser[step.end]
            if not replay.is_over(step.end):
                results = [play(place, random).returns[player] for _ in range(PLAYOUTS)]
                found.append(Paid(step, player, step.paid(-1), sum(results) / PLAYOUTS))
        return found

    def _signed(self, one: Paid) -> float:
        return one.reward * self.replay.rule.signs[one.player]

    @cached_property
    def _correlation(self) -> float:
        """The correlation of rewards with random games, in standard errors."""
        worth = [one.worth for one in self.paid]
        got = [self._signed(one) for one in self.paid]
        if not np.std(worth) or not np.std(got):
            return 0.0
        return float(np.corrcoef(worth, got)[0, 1] * np.sqrt(len(got)))


class End(NamedTuple):
    """A visit of a finished position: what it is for a node of the path, and what that gained."""

    step: Moment
    node: int
    kind: int
    """1 if the player who moved into the node has won, 0 for a draw, -1 for a loss."""
    player: int
    paid: float

    @property
    def proof(self) -> tuple[int, int]:
        """The iteration and the node."""
        return self.step.time, self.node


Seen: TypeAlias = dict[End, float]
"""Ends, and what each gained as the player who moved there sees it."""


class Ends(Family):
    """Are finished games paid by their results?"""

    name = "ends of games"
    needs = PAID, MATCH
    TEXTS: ClassVar = {
        "wrong-result": "The game that ends in iteration {} is a {} for the player who moved into "
        "node {}, but that node gets {:g}, {}.",
        "wrong-result (ends)": "The game that ends in iteration {} is a {} for the player who "
        "moved into node {}, which gets {:g}, as do all that end so. Rewards of playouts from "
        "positions in play are right: so finished games alone are paid to the loser.",
        "wrong-viewpoint": "A node counts one player's wins, but selection takes the other's: the "
        "game that ends in iteration {} is a {} for the player who moved into node {}, which gets "
        "{:g}. Flip the sign.",
        "wrong-viewpoint (several)": "A node counts the rewards of another player than the one who "
        "chooses it, such as the next: the game that ends in iteration {} is a {} for the player "
        "who moved into node {}, which gets {:g}. Add the reward of who moved there.",
        "no-playout": "All iterations give one reward, {:g}, also where the game is won or lost: "
        "check who won.",
        "same-result": "All iterations have one winner, also where the other player has won: "
        "check who won.",
    }

    def look(self) -> Iterator[Finding]:
        if constant := self._constant():
            yield constant
            return
        said = [self._judge(signs) for signs in self.replay.rule.possible or self._views]
        found = [one for one in said if one]
        if found and len(found) == len(said):
            yield min(found, key=lambda one: one.iteration)

    def checked(self) -> Checked:
        if not self.ends:
            return self.line(False, "**none seen**, look longer or from a later position")
        wins, losses = (sum(end.kind == kind for end in self.ends) for kind in (1, -1))
        text = f"{wins:,} wins and {losses:,} losses seen, at the last two nodes of their paths"
        if not self.replay.rule.signs:
            text += "; viewpoint **not sure**, so they were compared under each"
        return self.line(wins + losses, text)

    @cached_property
    def ends(self) -> list[End]:
        """All visits of finished positions, at the last two nodes of their paths."""
        replay, found = self.replay, list[End]()
        seen = set[int]()
        if not replay.is_match:
            return []
        for step in replay.paid_steps:
            if not replay.is_over(step.end):
                continue
            # A program that keeps maxima pays parents otherwise, and a node only the first time.
            if self.replay.order.kind or step.end not in seen:
                found += ends_of(replay, step, 2 if self.replay.order.kind else 1)
            seen.add(step.end)
        return found

    @property
    def _views(self) -> list[tuple[int, ...]]:
        """All viewpoints, by the signs of the players."""
        return [*product((1, -1), repeat=self.replay.positions.players)]

    @property
    def _paid(self) -> dict[int, set[float]]:
        """The rewards of all visits, by player."""
        paid: defaultdict[int, set[float]] = defaultdict(set)
        for node, more, gain in chain.from_iterable(map(Moment.rows, self.replay.moments)):
            if node and more > 0:
                paid[self.replay.chooser[node]].add(round(gain / more, 6))
        return paid

    def _constant(self) -> Finding | None:
        """All rewards are one, or one a player, although both players have won."""
        paid = self._paid
        if any(len(values) > 1 for values in paid.values()):
            return None
        if len(set[float]().union(*paid.values())) < 2:
            long = [end for end in self.ends if end.kind and len(end.step.nodes) > 2]
            return self.said("no-playout", long[0].proof, long[0].paid) if long else None
        wins = {end.player: end for end in self.ends if end.kind == 1}
        loser = min(wins, key=lambda player: min(paid[player]), default=0)
        return self.said("same-result", wins[loser].proof) if len(wins) > 1 else None

    def _judge(self, signs: tuple[int, ...]) -> Finding | None:
        """The ends that are paid against their result from this viewpoint, if any are."""
        # Under one fixed viewpoint each player has a scale of their own.
        every = range(len(signs))
        sides = [{*every}] if len({*signs}) == 1 else [{player} for player in every]
        for side in sides:
            seen = {end: end.paid * signs[end.player] for end in self.ends if end.player in side}
            if found := self._reversed(seen) or self._against(seen):
                return found
        return None

    def _reversed(self, seen: Seen) -> Finding | None:
        """All wins are paid less than all losses."""
        wins, losses = values_of(seen, 1), values_of(seen, -1)
        if not wins or not losses or max(wins) >= min(losses) - TINY:
            return None
        first, text = next(end for end in seen if end.kind == 1), "wrong-viewpoint"
        if len({*self.replay.chooser}) > 2:
            text = "wrong-viewpoint (several)"
        elif Playouts(self.replay).follow:
            text = "wrong-result (ends)"
        return self.said(text, first.proof, first.step.time, KINDS[1], first.node, first.paid)

    def _against(self, seen: Seen) -> Finding | None:
        """A win that is paid no more than a loss or a draw, or a loss that is paid no less."""
        border = border_of(seen)
        decided = [end for end in seen if end.kind and border is not None]
        for end in decided:
            if (seen[end] - (border or 0)) * end.kind <= TINY:
                return self._wrong(end, AGAINST[end.kind])
        return self._drawn_against(seen)

    def _drawn_against(self, seen: Seen) -> Finding | None:
        """A draw that is paid as a loss, or as a win."""
        wins, losses = values_of(seen, 1), values_of(seen, -1)
        for end in (end for end in seen if end.kind == 0):
            if losses and seen[end] <= min(losses) + TINY:
                return self._wrong(end, "as little as a loss")
            if wins and seen[end] >= max(wins) - TINY:
                return self._wrong(end, "as much as a win")
        return None

    def _wrong(self, end: End, compared: str) -> Finding:
        rewards = self.replay.rewards
        fair = (rewards.low + rewards.high + end.kind * rewards.width) / 2
        mark = f"yours {end.paid:g}, should be {fair:g}" if {*self.replay.rule.signs} == {1} else ""
        facts = end.step.time, KINDS[end.kind], end.node, end.paid, compared
        return self.said("wrong-result", end.proof, *facts, mark=mark)


def values_of(seen: Seen, kind: int) -> list[float]:
    """The gains at ends of one kind."""
    return [value for end, value in seen.items() if end.kind == kind]


def border_of(seen: Seen) -> float | None:
    """The border of wins and losses with the fewest errors; ``None`` if there is none, or all are
    paid alike."""
    decided = [(value, end.kind) for end, value in seen.items() if end.kind]
    values = sorted({value for value, _ in decided})
    if len({kind for _, kind in decided}) < 2 and len(values) > len(KINDS):
        return None  # such as wins alone, with values that never repeat
    borders = [(one + other) / 2 for one, other in pairwise(values)]

    def errors(border: float) -> int:
        return sum((value - border) * kind < 0 for value, kind in decided)

    least = min(map(errors, borders), default=0)
    best = [border for border in borders if errors(border) == least]
    return sum(best) / len(best) if best else None  # the middle, so that it favours neither


def ends_of(replay: Replay, step: Moment, last: int) -> Iterator[End]:
    """A path that ends the game, as so many of its last nodes see it."""
    game, place = replay.game, replay.positions.state[step.end]
    assert game is not None
    results = game.returns(place)
    for at in range(len(step.nodes) - 1, max(0, len(step.nodes) - 1 - last), -1):
        if step.more[at] > step.more[-1]:
            return  # another walk of the same look ended there
        node = step.nodes[at]
        player = replay.chooser[node]
        kind = (results[player] == max(results)) - (results[player] == min(results))
        yield End(step, node, kind, player, step.paid(at))


class Draws(Ends):
    """The pay of drawn games. Whether that is right, :class:`Ends` says."""

    name = "draws"
    look = Family.look

    def checked(self) -> Checked:
        paid = [end.paid for end in self.ends if end.kind == 0 and end.node == end.step.end]
        if not paid:
            return self.line(False, "**none seen**")
        low, high = self.replay.rewards
        most = f" to {max(paid):g}" if min(paid) < max(paid) else ""
        text = f"{len(paid):,} seen, paid {min(paid):g}{most} where rewards go from {low:g} to"
        return self.line(True, f"{text} {high:g}")
