"""The base of every family of checks: a law with its evidence, its sentences, and what was checked.

A *finding* is what no sound search can do. What a sound search may do, but most do not, is a note
that begins "Unusual:" and says when it is right. A family of your own is a class like those beside
this file, added to ``FAMILIES`` in ``families.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, Final

from mcts_viz.trace.columns import Checked, Finding

from .replay import Replay

PAID: Final = "rewards"
"""A family that needs the reward of each visit."""
BY_RULES: Final = "moves"
"""A family that needs a game by whose rules the moves are read."""
MATCH: Final = "results"
"""A family that needs such a game, of players who win or lose."""
NO_FAULT: Final = ("Unusual: ", "Watch ")
"""The beginnings of a sentence that accuses no program."""


class Family:
    """One question to all iterations."""

    name: ClassVar[str]
    needs: ClassVar[tuple[str, ...]] = ()
    """Without these it looks at nothing, and its line says why."""
    TEXTS: ClassVar[Mapping[str, str]] = {}
    """The sentence of each finding and note, with gaps for what was seen. The first word of its key
    is the name of the finding."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay

    @property
    def why_not(self) -> str:
        """The reason why there is nothing to look at; "" if there is something."""
        replay, why = self.replay, ""
        if PAID in self.needs and not any(replay.gain):
            why = replay.unread_wins
        elif PAID in self.needs and not replay.numbers.pays:
            why = f"a node's number is {replay.numbers}, which does not say what a visit was paid"
        if MATCH in self.needs and not replay.is_match:
            why = "the game is one of a single player"
        if {BY_RULES, MATCH} & {*self.needs} and not replay.is_read:
            why = replay.positions.why
        return why and f"**not checked**: {why}"

    def look(self) -> Iterator[Finding]:
        """Yield what is wrong, and what is worth knowing; of each name the first counts."""
        yield from ()

    def checked(self) -> Checked:
        """The line that says what was looked at, with findings or without."""
        raise NotImplementedError

    def report(self) -> Checked:
        """That line, or why there was nothing to look at."""
        return self.line(False, self.why_not) if self.why_not else self.checked()

    def said(self, text: str, proof: tuple[int, int], *values: object, mark: str = "") -> Finding:
        """The sentence of that key, which an iteration and a node prove."""
        time, node = proof
        sentence = self.TEXTS[text].format(*values)
        is_fault = not sentence.startswith(NO_FAULT)
        return Finding(text.split()[0], sentence, int(time), int(node), is_fault, mark)

    def line(self, done: object, text: str) -> Checked:
        """The line that says what was checked."""
        return Checked(self.name, bool(done), text)
