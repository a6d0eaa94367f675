"""The move that was played in the end: is it one that the numbers of the root speak for?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np

from mcts_viz.trace.columns import Checked, Finding

from .law import Family
from .names import text_of

FAR: Final = 10
"""The best child has so many times the visits of one that no chance would play."""


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
        if not self._at:
            return f"**not looked at**: {text_of(given)} is the move of no child of the root"
        return ""

    def look(self) -> Iterator[Finding]:
        most = {name: self._is_most(name) for name in self._values}
        if most["most visits"] or most["highest mean"] or most["highest lower bound"]:
            return
        n, mean = self._values["most visits"], self._values["highest mean"]
        proof = self.replay.looks, self._node
        facts = text_of(self.replay.positions.move(self._node)), n[self._place], n.max()
        is_worst = mean[self._place] <= mean.min() and n[self._place] * FAR < n.max()
        if self._node in self.replay.looker.proven:
            return
        if is_worst and self.replay.rule.signs:
            yield self.finding("played-worst", proof, *facts)
        elif most.get("highest score"):
            yield self.finding("played-by-score", proof, facts[0], n.max(), n[self._place])
        else:
            yield self.note("played-otherwise", proof, *facts)

    def checked(self) -> Checked:
        has = [name for name in self._values if self._is_most(name)] or ["none of the usual signs"]
        move = text_of(self.replay.positions.move(self._node))
        return self.line(True, f"{move} has {', '.join(has)}, of {', '.join(self._values)}")

    @cached_property
    def _kids(self) -> list[int]:
        return [kid for kid in self.replay.looker.kids[0] if self.replay.n[kid] > 0]

    @cached_property
    def _at(self) -> list[int]:
        """The child whose move was played, or which was given itself."""
        replay, given = self.replay, self.replay.played
        if replay.looker.knows(given):
            return [kid for kid in self._kids if replay.looker.nodes[kid] is given]
        action = replay.positions.action
        said = [{text_of(replay.positions.move(kid)), text_of(action[kid])} for kid in self._kids]
        return [kid for kid, words in zip(self._kids, said, strict=True) if text_of(given) in words]

    @property
    def _node(self) -> int:
        return self._at[0]

    @property
    def _place(self) -> int:
        return self._kids.index(self._node)

    @cached_property
    def _values(self) -> dict[str, Any]:
        """The numbers that may speak for each child of the root, by name."""
        replay, rule = self.replay, self.replay.rule
        n, w = (np.array([column[kid] for kid in self._kids]) for column in (replay.n, replay.w))
        sign = rule.signs[replay.chooser[self._kids[0]]] if rule.signs else 1
        mean, spread = sign * w / n, np.sqrt(np.log(n.sum()) / n)
        values = {"most visits": n, "highest mean": mean, "highest lower bound": mean - spread}
        if rule.middle:
            values["highest score"] = mean + rule.middle * spread
        return values

    def _is_most(self, name: str) -> bool:
        """True if no other child has a larger value."""
        values = self._values[name]
        return bool(values[self._place] >= values.max())
