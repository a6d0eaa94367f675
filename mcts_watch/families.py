"""All families of checks, in the order in which they are asked."""

from __future__ import annotations

from mcts_viz.trace.columns import Checked, Finding

from .ends import Draws, Ends, Playouts
from .law import Family
from .moves import Moves, Places
from .replay import Replay
from .rewards import Rewards, Worth
from .selection import Played, Selection
from .visits import Visits

FAMILIES: list[type[Family]] = [
    Visits,
    Worth,
    Places,
    Rewards,
    Ends,
    Draws,
    Playouts,
    Moves,
    Selection,
    Played,
]
"""Add one of your own with ``FAMILIES.append``."""
BY_REWARDS = (Places, Rewards, Ends, Playouts)
"""Families of which the first that finds a fault says why the later ones would."""
BY_VISITS = (Rewards, Ends, Playouts, Selection)
"""Families that mean little where visits do not add up."""
MISCOUNTED = {"left-out", "counted-twice"}
"""Findings after which rewards per visit, and what a rule sees, are others."""
MISPLACED = {"state-changed", "wrong-position"}
"""Findings after which a node's moves are those of another position."""


def find(replay: Replay) -> tuple[list[Finding], list[Checked]]:
    """The findings, most serious first, then the notes, the first of each name; and what each
    family has checked."""
    found: dict[str, Finding] = {}
    families = [family(replay) for family in FAMILIES]
    for family in families:
        if family.why_not or is_explained(
            family, {one.name for one in found.values() if one.fault}
        ):
            continue
        for one in family.look():
            known = found.setdefault(one.name, one)
            found[one.name] = max(known, one, key=lambda said: said.fault)
    every = sorted(found.values(), key=lambda one: not one.fault)
    return every, [family.report() for family in families]


def is_explained(family: Family, faults: set[str]) -> bool:
    """True if a fault that was found already says why this family would find one."""
    if isinstance(family, BY_VISITS) and faults & MISCOUNTED:
        return True
    if isinstance(family, Moves):
        return bool(faults & MISPLACED)
    return isinstance(family, BY_REWARDS) and bool(faults - MISCOUNTED)
