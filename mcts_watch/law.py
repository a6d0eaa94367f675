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

NOT_TWO: Final = "the game is not one of two players"
"""The reason why results are not compared although the rules are known."""


class Family:
    """One question to all iterations."""

    name: ClassVar[str]
    TEXTS: ClassVar[Mapping[str, str]]
    """The sentence of each finding and note, by its name, with gaps for what was seen."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay

    def look(self) -> Iterator[Finding]:
        """Yield what is wrong, and what is worth knowing; of each name the first counts."""
        raise NotImplementedError

    def checked(self) -> Checked:
        """The line that says what was looked at, with findings or without."""
        raise NotImplementedError

    def finding(self, name: str, proof: Iterable[Any], *values: object, mark: str = "") -> Finding:
        """A fault, which a step proves, or an iteration and a node."""
        return self._said(name, name, proof, values, mark, fault=True)

    def note(self, name: str, proof: Iterable[Any], *values: object, text: str = "") -> Finding:
        """What a sound search may do; its sentence is that of ``text``, by default of its name."""
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
