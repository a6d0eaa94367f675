"""The meaning of a node's number, found from its changes at each visit; all families need it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from mcts_viz.trace.columns import Checked, Finding

from .law import Family
from .numbers import EARLY


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
            yield self.note("wins-unread", (0, 0), replay.unread_wins)
        elif replay.numbers.kind == EARLY:
            step = next(one for one in replay.steps if one.wins[-1])
            facts = step.end, step.wins[-1] / 2, step.time
            yield self.finding("count-too-early", step, *facts)

    def checked(self) -> Checked:
        replay = self.replay
        if not any(replay.gain):
            return self.line(False, f"**not found**: {replay.unread_wins}")
        return self.line(True, f"a node's number is {replay.numbers}")
