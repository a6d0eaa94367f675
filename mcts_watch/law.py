"""The base of every family of checks: a law with its evidence, its sentences, and what was checked.

A *finding* is what no sound search can do. What a sound search may do, but most do not, is a note
that begins "Unusual:" and says when it is right. A family of your own is a class like those beside
this file, added to ``FAMILIES`` in ``families.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Final

from mcts_viz.trace.columns import Checked, Finding

from .replay import Replay

PAID: Final = "rewards"
"""A family that needs the reward of each visit."""
BY_RULES: Final = "moves"
"""A family that needs a game by whose rules the moves are read."""
MATCH: Final = "results"
"""A family that needs such a game, of players who win or lose."""


class Family:
    """One question to all iterations."""

    name: ClassVar[str]
    needs: ClassVar[tuple[str, ...]] = ()
    """Without these it looks at nothing, and its line says why."""
    TEXTS: ClassVar[Mapping[str, str]] = {}
    """The sentence of each finding and note, by its name, with gaps for what was seen."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay

    @property
    def why_not(self) -> str:
        """The reason why there is nothing to look at; "" if there is something."""
        replay = self.replay
        if {BY_RULES, MATCH} & {*self.needs} and not replay.positions.is_read:
            return f"**not checked**: {replay.positions.why}"
        if MATCH in self.needs and not replay.is_match:
            return "**not checked**: the game is one of a single player"
        if PAID in self.needs and not any(replay.gain):
            return f"**not checked**: {replay.unread_wins}"
        if PAID in self.needs and not replay.numbers.pays:
            kind = f"a node's number is {replay.numbers}"
            return f"**not checked**: {kind}, which does not say what a visit was paid"
        return ""

    def look(self) -> Iterator[Finding]:
        """Yield what is wrong, and what is worth knowing; of each name the first counts."""
        yield from ()

    def checked(self) -> Checked:
        """The line that says what was looked at, with findings or without."""
        raise NotImplementedError

    def said(self) -> Checked:
        """That line, or why there was nothing to look at."""
        return self.line(False, self.why_not) if self.why_not else self.checked()

    def finding(self, name: str, proof: Iterable[Any], *values: object, mark: str = "") -> Finding:
        """A fault, which a step proves, or an iteration and a node."""
        return self._said(name, name, proof, values, mark, fault=True)

    def note(self, name: str, proof: Iterable[Any], *values: object, text: str = "") -> Finding:
        """A finding that is no fault; its sentence is that of ``text``, by default of its name."""
        return self._said(name, text or name, proof, values, "", fault=False)

    def _said(
        self,
        name: str,
        text: str,
        proof: Iterable[Any],
        values: tuple[object, ...],
        mark: str,
        *,
        fault: bool,
    ) -> Finding:
        time, node, *_ = proof
        return Finding(name, self.TEXTS[text].format(*values), int(time), int(node), fault, mark)

    def line(self, done: object, text: str) -> Checked:
        """The line that says what was checked."""
        return Checked(self.name, bool(done), text)
