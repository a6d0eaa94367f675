"""Playouts: by the rules, rewards follow what random games from the same position are worth.

Only statistics can tell, so a finding needs three standard errors. A constant result is a note: an
evaluation in the place of a playout may give one, and a won position does.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from random import Random
from typing import ClassVar, Final, NamedTuple

import numpy as np

from mcts_viz.search import random_playout
from mcts_viz.trace.columns import Checked, Finding

from .law import MATCH, PAID, Family
from .steps import Step

COMPARED: Final = 400
"""Iterations whose positions are played out again, about a second's worth."""
FEWEST: Final = 100
"""Iterations that are needed for a correlation."""
PLAYOUTS: Final = 24
"""Random games from a position: they tell its worth to about a fifth."""
SIGMAS: Final = 3.0
"""Standard errors of a correlation: about one in 700 by chance where it should be 0, and in a sound
search it is far above."""


class Paid(NamedTuple):
    """An iteration that ended in a position in play: who moved there, its reward, and its worth."""

    step: Step
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
        "same-result": "Unusual: all {} iterations that end in play have one winner. That is right "
        "if the game is won; else check who won.",
        "wrong-viewpoint": "A node counts one player's wins, but selection takes the other's: "
        "where random games go well for the player who moved, rewards are small, as {:g} in "
        "iteration {}. Flip the sign.",
    }

    def look(self) -> Iterator[Finding]:
        if len(self.paid) < FEWEST:
            return
        if len({(one.player, round(one.reward, 9)) for one in self.paid}) <= 2:
            yield from self._constant()
        elif self.replay.rule.signs and self._correlation < -SIGMAS:
            worst = max(self.paid, key=lambda one: one.worth - self._signed(one))
            facts = worst.reward, worst.step.time
            yield self.finding("wrong-viewpoint", worst.step, *facts)

    def checked(self) -> Checked:
        of = len(self.paid)
        if of < FEWEST:
            return self.line(False, f"{of} iterations ended in play, **too few** to compare")
        if not self.replay.rule.signs:
            text = "viewpoint **not sure**, so rewards were not compared with random games"
            return self.line(False, text)
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
        found = []
        for step in replay.paid_steps[:COMPARED]:
            place, player = replay.positions.state[step.end], replay.chooser[step.end]
            if not replay.is_over(step.end):
                results = [
                    random_playout(game, place, random).returns[player] for _ in range(PLAYOUTS)
                ]
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

    def _constant(self) -> Iterator[Finding]:
        """One reward, or one winner, though random games have both."""
        if np.mean(np.abs([one.worth for one in self.paid]) < 1) <= 0.5:
            return
        first = self.paid[0]
        if len({one.reward for one in self.paid}) == 1:
            yield self.note("no-playout", first.step, len(self.paid), first.reward)
        else:
            yield self.note("same-result", first.step, len(self.paid))
